"""A model on 127.0.0.1 that plays a script and keeps what it was sent: the other end of every real client in this folder.

It speaks, streaming, what the clients speak: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini generateContent.

A script maps a human prompt to the steps of the model's answer: `{"say hi": [[Call("Bash", {"command": "echo hi"})], "done"]}`. A step is
text (the turn ends), a list of calls (made at once), a `Refusal` (an HTTP error) or `HOLD` (no answer until `release()`). The server keeps no
state between requests: the prompt is the conversation's latest scripted one, the step the number of answers that follow it.
"""

import json
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NEVER = 60.0
"""Seconds after which a held answer is given anyway, so that no run hangs."""


@dataclass(frozen=True)
class Call:
    """One call of a tool. inputs: a mapping, or text for the free-form tools of the Responses API; namespace: of the tool, in that API."""

    tool: str
    inputs: Mapping[str, object] | str
    namespace: str = ""


@dataclass(frozen=True)
class Refusal:
    status: int
    message: str = "the scripted model refuses"


@dataclass(frozen=True)
class Hold:
    """The answer waits for `ModelServer.release()`; `ModelServer.holding` tells that it is being waited for."""


HOLD = Hold()
Step = str | Sequence[Call] | Refusal | Hold
Script = Mapping[str, Sequence[Step]]


@dataclass(frozen=True)
class Request:
    """One question to the model: the API's path, the body as sent, the scripted prompt it answers, the step.

    prompt is None for what the client asks for itself, without tools: titles, summaries.
    """

    path: str
    body: dict[str, Any]
    prompt: str | None
    step: int

    @property
    def text(self) -> str:
        """Every text the model reads in this request, joined by line ends."""
        return "\n".join(strings(self.body))

    @property
    def conversation(self) -> str:
        """The same without the definitions of tools."""
        return "\n".join(strings({key: value for key, value in self.body.items() if key != "tools"}))


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from strings(item)


class ModelServer:
    """`with ModelServer(script) as model:` … `model.url`, `model.requests`."""

    def __init__(self, script: Script, *, otherwise: str = "ok") -> None:
        self.script = script
        self.otherwise = otherwise
        """What the model says to a prompt that is not in the script."""
        self.requests: list[Request] = []
        self.holding = threading.Event()
        self._released = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self._http.daemon_threads = True
        self._http.model = self  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> "ModelServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def release(self) -> None:
        self._released.set()

    def asked(self, prompt: str) -> list[Request]:
        """The requests that answer this scripted prompt, in order."""
        return [request for request in self.requests if request.prompt == prompt]

    def answer(self, path: str, body: dict[str, Any]) -> str | Sequence[Call] | Refusal:
        prompt, step = self._place(list(_turns(body))) if body.get("tools") else (None, 0)
        self.requests.append(Request(path, body, prompt, step))
        if prompt is None:
            return self.otherwise
        steps = self.script[prompt]
        answer = steps[min(step, len(steps) - 1)]
        if isinstance(answer, Hold):
            self.holding.set()
            self._released.wait(NEVER)
            return self.otherwise
        return answer

    def _place(self, turns: list[tuple[str, str]]) -> tuple[str | None, int]:
        """(the latest scripted prompt, answers of the model after it). A prompt is a line of its own: hosts put their words before and behind."""
        answers, last = 0, ""
        for role, text in reversed(turns):
            if role == "user":
                lines = {line.strip().strip('"') for line in text.splitlines()}
                for prompt in self.script:
                    if prompt in lines:
                        return prompt, answers
            answers += role == "model" and last != "model"
            last = role
        return None, 0


def _turns(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """("user" | "model" | "other", text) for each piece of a conversation, whichever API it is written for."""
    for entry in body.get("messages") or body.get("contents") or _items(body.get("input")):
        role, kind = entry.get("role"), entry.get("type")
        if role in ("assistant", "model") or kind in ("function_call", "custom_tool_call"):
            yield "model", ""
        elif role == "user":
            content = entry.get("content") or entry.get("parts") or ""
            pieces = [content] if isinstance(content, str) else [piece.get("text", "") for piece in content]
            yield from (("user" if piece else "other", piece) for piece in pieces)
        else:
            yield "other", ""


def _items(value: object) -> Sequence[Mapping[str, Any]]:
    return [{"role": "user", "content": value}] if isinstance(value, str) else value or []  # type: ignore[return-value]


class _Handler(BaseHTTPRequestHandler):
    """HTTP/1.0: one request a connection, no keep-alive to wait for at the end of a test."""

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._json(200, {})

    def do_GET(self) -> None:
        self._json(200, {"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        model: ModelServer = self.server.model  # type: ignore[attr-defined]
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        path = self.path.split("?")[0]
        write = next((writer for ending, writer in WRITERS.items() if path.endswith(ending)), None)
        if write is None:
            self._json(200, {"input_tokens": 10, "totalTokens": 10} if "ount" in path else {})
            return
        answer = model.answer(path, body)
        try:
            if isinstance(answer, Refusal):
                error = {"type": "invalid_request_error", "message": answer.message, "code": answer.status}
                self._json(answer.status, {"type": "error", "error": error})
            else:
                self._stream(write(answer, body))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client was killed: some tests do that

    def _json(self, status: int, value: object) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(json.dumps(value).encode())

    def _stream(self, events: Iterator[tuple[str | None, object]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for name, data in events:
            head = f"event: {name}\n" if name else ""
            self.wfile.write(f"{head}data: {data if isinstance(data, str) else json.dumps(data)}\r\n\r\n".encode())


Answer = str | Sequence[Call]


def _anthropic(answer: Answer, body: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """https://docs.anthropic.com/en/api/messages-streaming"""

    def event(kind: str, **fields: object) -> tuple[str, object]:
        return kind, {"type": kind, **fields}

    said = isinstance(answer, str)
    usage = {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}
    message = {"id": _id("msg"), "type": "message", "role": "assistant", "model": body.get("model"), "content": [], "stop_reason": None, "usage": usage}
    yield event("message_start", message=message)
    for index, block in enumerate([answer] if said else answer):
        if isinstance(block, str):
            start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block}
        else:
            start = {"type": "tool_use", "id": _id("toolu"), "name": block.tool, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block.inputs)}
        yield event("content_block_start", index=index, content_block=start)
        yield event("content_block_delta", index=index, delta=delta)
        yield event("content_block_stop", index=index)
    yield event("message_delta", delta={"stop_reason": "end_turn" if said else "tool_use", "stop_sequence": None}, usage=usage)
    yield event("message_stop")


def _responses(answer: Answer, body: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """https://platform.openai.com/docs/api-reference/responses-streaming"""

    def event(kind: str, **fields: object) -> tuple[str, object]:
        return kind, {"type": kind, **fields}

    response = {"id": _id("resp"), "object": "response", "model": body.get("model"), "status": "in_progress", "output": []}
    yield event("response.created", response=response)
    items = [_response_text(answer)] if isinstance(answer, str) else [_response_call(call) for call in answer]
    for index, item in enumerate(items):
        yield event("response.output_item.added", output_index=index, item=item | ({"content": []} if item["type"] == "message" else {}))
        if item["type"] == "message":
            yield event("response.output_text.delta", item_id=item["id"], output_index=index, content_index=0, delta=answer)
        yield event("response.output_item.done", output_index=index, item=item)
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 15,
    }
    yield event("response.completed", response=response | {"status": "completed", "output": items, "usage": usage})


def _response_text(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": _id("msg"), "role": "assistant", "status": "completed", "content": content}


def _response_call(call: Call) -> dict[str, Any]:
    item = {"id": _id("item"), "call_id": _id("call"), "name": call.tool, "status": "completed"}
    if call.namespace:
        item["namespace"] = call.namespace
    if isinstance(call.inputs, str):
        return item | {"type": "custom_tool_call", "input": call.inputs}
    return item | {"type": "function_call", "arguments": json.dumps(call.inputs)}


def _chat(answer: Answer, body: Mapping[str, Any]) -> Iterator[tuple[None, object]]:
    """https://platform.openai.com/docs/api-reference/chat-streaming"""

    def chunk(delta: object, finish: str | None = None) -> tuple[None, object]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        return None, {"id": "chat", "object": "chat.completion.chunk", "created": 0, "model": body.get("model"), "choices": [choice], "usage": usage}

    said = isinstance(answer, str)
    yield chunk({"role": "assistant", "content": answer if said else ""})
    for index, call in enumerate([] if said else answer):
        function = {"name": call.tool, "arguments": json.dumps(call.inputs)}
        yield chunk({"tool_calls": [{"index": index, "id": _id("call"), "type": "function", "function": function}]})
    yield chunk({}, "stop" if said else "tool_calls")
    yield None, "[DONE]"


def _gemini(answer: Answer, body: Mapping[str, Any]) -> Iterator[tuple[None, object]]:
    """https://ai.google.dev/api/generate-content"""
    parts = [{"text": answer}] if isinstance(answer, str) else [{"functionCall": {"name": call.tool, "args": call.inputs}} for call in answer]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    yield None, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}


WRITERS = {"/v1/messages": _anthropic, "/responses": _responses, "/chat/completions": _chat, ":streamGenerateContent": _gemini}


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:16]}"

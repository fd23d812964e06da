"""A model behind an OpenAI-compatible chat API, through the `openai` package (extra `llm`), which is loaded on first use.

One call at a time, without the library's own retries: at most three attempts, with waits through the clock, so that the duration of a run is known and
testable. Redirects are not followed, because the person consented to one host. No message, log or traceback contains a key.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NoReturn

from memorybank.clock import Clock
from memorybank.errors import MissingExtra
from memorybank.installed import extra_command
from memorybank.summarize import model_text, outcomes
from memorybank.summarize.outcomes import CallVerdict
from memorybank.summarize.summarizer import (
    DIGEST_CHARACTERS,
    DaySummary,
    DayText,
    ModelReply,
    ModelRequest,
    SummarizerBusy,
    SummarizerUnusable,
    SummaryRefused,
    Tokens,
)
from memorybank.text.redact import redact
from memorybank.text.snippets import shown

TIMEOUT_SECONDS = 60.0
EXTRA_TOKENS = 4_096
"""Tokens in addition to one for each character of the budget: models that think first count their thoughts."""
_MESSAGE_CHARACTERS = 160
_FILTERED = ("content_filter", "safety", "recitation", "prohibited_content", "blocklist")
_NEXT = {
    "key": "check the key for {host}: {keys}",
    "quota": "add credit with the provider of {host}, or run with --summarizer extractive",
    "not_found": "check the model's name and the address in your flags, environment or own config.json; 'memorybank config show' does not list them",
    "unreachable": "start the server at {host}, or check its address and the network",
    "address": "check the address of the API; redirects are not followed, because you consented to {host} only",
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The API of a model.

    url: base address
    host: the host to which the person consented
    local: whether it is on this machine
    keys: a sentence that says where the key is looked for
    """

    url: str
    host: str
    model: str
    local: bool
    keys: str


class LlmSummarizer:
    """The model as a summarizer. key: "" for a server without keys; timeout: seconds for one call."""

    def __init__(self, endpoint: Endpoint, key: str, clock: Clock, timeout: float = TIMEOUT_SECONDS) -> None:
        self.endpoint = endpoint
        self.clock = clock
        self.name = f"llm:{endpoint.model}"
        self._openai = _library()
        self._key = key
        self._client = _client(self._openai, endpoint, key, timeout)
        self._answered = False
        self._adapted: set[str] = set()

    def summarise(self, day: DayText) -> DaySummary:
        """Return a summary of at most `day.budget` characters.

        When the digest is too long for the model, it is halved once. When an answer breaks off, a shorter one is requested once.
        """
        request = model_text.of_day(day)
        reply, text = self._halving(request)
        tokens = reply.tokens
        broke_off = False
        if reply.cut:
            shorter = self._ask(request, text, day.budget // 2)
            tokens += shorter.tokens
            broke_off = shorter.cut
            reply = shorter if shorter.text or not reply.text else reply
        summary, cut = model_text.summary_of(model_text.whole_sentences(reply.text) if broke_off else reply.text, day.budget)
        if not summary:
            raise SummaryRefused(f"{self.name} at {self.endpoint.host} gave an empty answer for {day.date}", kind="empty")
        return DaySummary(summary, self.name, truncated=broke_off or cut, tokens=tokens)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the answer to a request. When the record is too long for the model, it is halved once."""
        return self._halving(request)[0]

    def _halving(self, request: ModelRequest) -> tuple[ModelReply, str]:
        text = request.record(DIGEST_CHARACTERS)
        try:
            return self._ask(request, text, request.budget), text
        except SummaryRefused as error:
            if error.kind != "too_long":
                raise
        half = request.record(min(len(text), DIGEST_CHARACTERS) // 2)
        return self._ask(request, half, request.budget), half

    def _ask(self, request: ModelRequest, text: str, budget: int) -> ModelReply:
        messages = [
            {"role": "system", "content": request.instructions(budget)},
            {"role": "user", "content": model_text.record(request.title, text)},
        ]
        attempt = 0
        while True:
            attempt += 1
            verdict, status, retry_after = None, 0, ""
            try:
                completion = self._client.chat.completions.create(**self._request(messages, budget))
                self._answered = True
                found = self._reply(completion, messages)
                if isinstance(found, ModelReply):
                    return found
                verdict = found
            except self._openai.APIStatusError as error:
                self._answered = True
                status, retry_after = error.status_code, error.response.headers.get("retry-after", "")
                verdict = self._of_status(error)
            except self._openai.APITimeoutError:
                verdict = CallVerdict(outcomes.TRANSIENT, "timeout", "no answer in time")
            except self._openai.APIConnectionError as error:
                verdict = self._of_connection(error)
            except (self._openai.OpenAIError, ValueError, TypeError, AttributeError):  # how the library reports an invalid answer
                self._answered = True
                verdict = CallVerdict(outcomes.TRANSIENT, "malformed", "an answer that does not follow the API")
            # Not an attempt of its own: the next request leaves out the refused parameter. Each parameter is adapted only once, so this ends.
            if verdict.ending == outcomes.ADAPT and verdict.kind not in self._adapted:
                self._adapted.add(verdict.kind)
                attempt -= 1
                continue
            if verdict.ending == outcomes.TRANSIENT and attempt < outcomes.ATTEMPTS:
                self.clock.sleep(outcomes.wait(attempt, status, retry_after, self.clock.now()))
                continue
            self._fail(verdict, request.title, attempt)

    def _request(self, messages: list[dict[str, str]], budget: int) -> dict[str, Any]:
        """Return the four parameters that every server accepts. A parameter that this server has refused by name is left out or renamed from then on."""
        request: dict[str, Any] = {"model": self.endpoint.model, "messages": messages}
        if "temperature" not in self._adapted:
            request["temperature"] = 0
        request["max_completion_tokens" if "max_tokens" in self._adapted else "max_tokens"] = max(1, budget) + EXTRA_TOKENS
        return request

    def _reply(self, completion: Any, messages: list[dict[str, str]]) -> ModelReply | CallVerdict:
        """Return the content of an answer with status 200, or why it has none."""
        error = getattr(completion, "error", None)
        if error:
            found = error if isinstance(error, dict) else {"message": error}
            return outcomes.of_body(str(found.get("code") or found.get("type") or ""), str(found.get("message") or ""))
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list):
            return CallVerdict(outcomes.TRANSIENT, "malformed", "an answer without choices")
        if not choices:
            return CallVerdict(outcomes.PERMANENT, "empty", "no answer")
        message, finish = choices[0].message, str(choices[0].finish_reason or "").lower()
        text = message.content
        if text is not None and not isinstance(text, str):
            return CallVerdict(outcomes.TRANSIENT, "malformed", "an answer that is not text")
        if message.refusal:
            return CallVerdict(outcomes.PERMANENT, "refusal", "the model refused")
        if finish in _FILTERED:
            return CallVerdict(outcomes.PERMANENT, "content_filter", "the provider's filter stopped the answer")
        cut = finish == "length"
        if not cut and not (text or "").strip():
            return CallVerdict(outcomes.PERMANENT, "empty", "an empty answer")
        return ModelReply(text or "", cut, _tokens(completion, messages, text or ""))

    def _of_status(self, error: Any) -> CallVerdict:
        body = error.body if isinstance(error.body, dict) else {}
        code, parameter = str(body.get("code") or body.get("type") or ""), str(body.get("param") or "")
        said = str(body.get("message") or "") or str(error.message)
        verdict = outcomes.of_status(error.status_code, self._shown(code), parameter, said)
        if verdict.kind == "key" or verdict.ending == outcomes.TRANSIENT:
            return verdict  # servers quote a part of the key in messages about it
        detail = self._shown(str(body.get("message") or ""))
        return CallVerdict(verdict.ending, verdict.kind, f"{verdict.what}: {detail}" if detail else verdict.what)

    def _of_connection(self, error: BaseException) -> CallVerdict:
        """Return the verdict on a failed connection. At the first call it means a wrong address or a server that is not running; later it is a temporary
        fault.
        """
        if not self._answered and _nobody_there(error):
            return CallVerdict(outcomes.FATAL, "unreachable", "no server answers at this address")
        return CallVerdict(outcomes.TRANSIENT, "connection", "the connection failed")

    def _shown(self, said: str) -> str:
        """Return a server's message, ready to be shown: one line, short, without the key or any other secret."""
        if self._key:
            said = said.replace(self._key, "[key]")
        return redact(shown(said), None)[:_MESSAGE_CHARACTERS]

    def _fail(self, verdict: CallVerdict, title: str, attempts: int) -> NoReturn:
        """Raise the error for a verdict, without a cause: the library's errors hold the request, and with it the key."""
        at = f"{self.name} at {self.endpoint.host}"
        if verdict.ending == outcomes.FATAL:
            step = _NEXT[verdict.kind].format(host=self.endpoint.host, keys=self.endpoint.keys)
            raise SummarizerUnusable(f"{at}: {verdict.what}", kind=verdict.kind, next_step=step) from None
        if verdict.ending == outcomes.TRANSIENT:
            raise SummarizerBusy(f"{at}: {verdict.what} ({title}, {attempts} attempts)", attempts=attempts) from None
        kind = "rejected" if verdict.ending == outcomes.ADAPT else verdict.kind
        raise SummaryRefused(f"{at}: {verdict.what} ({title})", kind=kind) from None


def _library() -> ModuleType:
    try:
        return importlib.import_module("openai")
    except ImportError:
        raise MissingExtra("the package 'openai' is not installed", next_step=f"install it with: {extra_command('llm')}") from None


def _client(openai: ModuleType, endpoint: Endpoint, key: str, timeout: float) -> Any:
    """Return the library's client, bound to one address: no redirects, and no proxy from the environment for this machine."""
    http = openai.DefaultHttpxClient(follow_redirects=False, trust_env=not endpoint.local, timeout=timeout)
    client = openai.OpenAI(api_key=key or "none", base_url=endpoint.url, max_retries=0, timeout=timeout, http_client=http)
    client.organization = client.project = None  # from the environment, they would reveal the person's account with another provider
    return client


def _nobody_there(error: BaseException) -> bool:
    """Return whether a connection was refused or its host has no address, anywhere in the chain of causes."""
    from socket import gaierror

    current: BaseException | None = error
    while current is not None:
        if isinstance(current, ConnectionRefusedError | gaierror):
            return True
        current = current.__cause__ or current.__context__
    return False


def _tokens(completion: Any, messages: list[dict[str, str]], text: str) -> Tokens:
    usage = getattr(completion, "usage", None)
    used, made = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if isinstance(used, int) and isinstance(made, int):
        return Tokens(used, made)
    return Tokens(sum(_estimate(message["content"]) for message in messages), _estimate(text), estimated=True)


def _estimate(text: str) -> int:
    """Estimate tokens: one for four ASCII characters, one for every other character."""
    wide = sum(sign > "\x7f" for sign in text)
    return (len(text) - wide + 3) // 4 + wide

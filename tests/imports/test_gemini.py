"""Chats of Gemini CLI and their events, in both forms."""

import json

from memorybank.clock import isoformat
from memorybank.hosts.transcripts import found, gemini

from .written import START

SESSION = "7329418c-788f-4839-9a9a-8410d75fe608"
CWD = "/home/somebody/tea"
CONTEXT = f"<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - {CWD}\n- **Directory Structure:**\n</session_context>"


def called(number, name, arguments, *, output="", error="", status="success"):
    response = {"error": error} if error else {"output": output}
    result = [{"functionResponse": {"id": f"c{number}", "name": name, "response": response}}]
    return {"id": f"c{number}", "name": name, "args": arguments, "result": result, "status": status, "timestamp": isoformat(START + number * 1_000 + 500)}


def messages():
    """A conversation: context, prompt, calls, last message."""
    shell = "<untrusted_context>\nOutput: {}\nProcess Group PGID: 1\n</untrusted_context>"
    failed = "<untrusted_context>\nOutput: (empty)\nExit Code: 3\nProcess Group PGID: 1\n</untrusted_context>"
    content = [
        ("user", [{"text": CONTEXT}], []),
        ("user", [{"text": "<hook_context>&lt;memorybank-memory&gt;</hook_context>\n\nお茶をいれて"}], []),
        ("gemini", "", [called(2, "run_shell_command", {"command": "echo hi"}, output=shell.format("hi"))]),
        ("gemini", "", [called(3, "run_shell_command", {"command": "exit 3"}, output=failed)]),
        ("gemini", "", [called(4, "read_file", {"file_path": "none.txt"}, error="File not found: none.txt", status="error")]),
        ("user", [{"functionResponse": {"id": "c4", "name": "read_file", "response": {}}}], []),
        ("gemini", "", [called(6, "write_file", {"file_path": "a.txt", "content": "一"}, status="cancelled")]),
        ("gemini", "入りました。", []),
    ]
    return [
        {"id": f"m{number}", "timestamp": isoformat(START + number * 1_000), "type": type_, "content": said, **({"toolCalls": calls} if calls else {})}
        for number, (type_, said, calls) in enumerate(content)
    ]


def lines():
    """In the form of 0.61: a message again when its calls are done, and all of them in another form when the session is resumed."""
    head = {"sessionId": SESSION, "projectHash": "0", "startTime": isoformat(START), "kind": "main"}
    first, *others = messages()
    written = [head, {"$set": {"messages": [first]}}]
    for message in others:
        if "toolCalls" in message:
            written.append({name: value for name, value in message.items() if name != "toolCalls"})
        written += [message, {"$set": {"lastUpdated": message["timestamp"]}}]
    bare = [{**{name: value for name, value in message.items() if name != "toolCalls"}, "content": "another form"} for message in messages()]
    written += [head, {"$set": {"messages": bare}}]
    return [json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in written]


def told(reading):
    return [" ".join(str(part) for part in (each.event.name, each.event.tool, each.event.status) if part) for each in reading.events]


EXPECTED = ["session_start", "prompt", "tool_after Bash success", "tool_after Bash failure", "tool_after Read failure", "tool_after Write partial", "turn_end"]


def test_a_chat_becomes_what_its_hooks_would_have_said():
    reading = gemini.read(lines(), cwd=CWD)
    assert told(reading) == EXPECTED
    prompt, fine, failed, missing, cancelled, turn = (each.event for each in reading.events[1:])
    assert (prompt.prompt, turn.last_message) == ("お茶をいれて", "入りました。")
    assert (fine.output, failed.exit_code, missing.error, cancelled.interrupted) == ("hi", 3, "File not found: none.txt", True)
    assert {(each.event.session_id, each.event.cwd) for each in reading.events} == {(SESSION, CWD)}
    assert reading.faults == []


def test_an_older_chat_is_one_document():
    document = {"sessionId": SESSION, "projectHash": "0", "startTime": isoformat(START), "messages": messages()}
    pretty = json.dumps(document, ensure_ascii=False, indent=2).encode().splitlines(keepends=True)
    for form in (pretty, [json.dumps(document).encode()]):
        assert told(gemini.read(form, cwd=CWD)) == EXPECTED


def test_broken_and_unknown_lines_are_named():
    reading = gemini.read([*lines(), b"{half\n", b"7\n", b'{"hologram": 1}\n', b'{"id": "x", "type": "user", "content": "no time"}\n'], cwd=CWD)
    assert [fault.kind for fault in reading.faults] == ["not_json", "no_object", "unknown:hologram", "no_time"]
    assert told(reading) == EXPECTED


def test_the_folder_of_a_chat_is_found(tmp_path):
    """From the file next to it, otherwise from the host's own text before the first message."""
    chats = tmp_path / ".gemini" / "tmp" / "tea" / "chats"
    chats.mkdir(parents=True)
    (chats / "session-2025-09-04T15-33-7329418c.jsonl").write_bytes(b"".join(lines()))
    environment = {"HOME": str(tmp_path)}
    (by_words,) = found.of_projects("gemini", [CWD], environment)
    (chats.parent / ".project_root").write_text("/home/somebody/elsewhere")
    assert found.of_projects("gemini", [CWD], environment) == []
    (by_file,) = found.of_projects("gemini", ["/home/somebody/elsewhere"], environment)
    assert (by_words.cwd, by_file.cwd, by_file.session) == (CWD, "/home/somebody/elsewhere", SESSION)


def test_a_chat_is_recorded(place):
    (place.folder / "session-x.jsonl").write_bytes(b"".join(lines()))
    place.take_in(host="gemini")
    assert [line["event"] for line in place.log(SESSION)] == [name.split()[0] for name in EXPECTED] + ["session_end"]
    assert sum(place.take_in(host="gemini").counts.added.values()) == 0

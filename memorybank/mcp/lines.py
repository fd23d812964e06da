"""Checks one line of a client by the rules of JSON-RPC 2.0 and the Model Context Protocol: it is a message to pass on, or it has a fault.

The SDK passes only valid messages on and drops every other line without an answer, so its client would wait for ever. The rules here are
pure and know nothing of the SDK; `server` sends what they return.

- An error has the id of its request if the line contains one, and null otherwise (JSON-RPC 2.0, section 5).
- Notifications and responses are never answered, not even with an error (section 4.1).
- An id is a text or an integer, parameters are an object, and batches do not exist (MCP 2025-06-18).
"""

import json
from typing import Any, BinaryIO, NamedTuple, NoReturn

LONGEST = 8 << 20
"""Maximum length of a line in bytes. The longest arguments that a tool accepts take 250,000."""
DEEPEST = 100
"""Maximum nesting of a message. The SDK's parser gives up at 200."""
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
_REST = 1 << 16


class LineFault(NamedTuple):
    """The fault of a line.

    code: error code of JSON-RPC 2.0
    id: id of the request in the line; None if it has no valid one
    """

    code: int
    message: str
    id: int | str | None = None


TOO_LONG = LineFault(INVALID_REQUEST, f"the line is longer than {LONGEST:,} bytes")


def next_line(stream: BinaryIO) -> bytes | LineFault:
    """Return the next line with its end, b"" at the end of the stream, or `TOO_LONG` after skipping a longer line without keeping it."""
    line = stream.readline(LONGEST + 1)
    if len(line) <= LONGEST:
        return line
    while not line.endswith(b"\n") and line:
        line = stream.readline(_REST)
    return TOO_LONG


def fault_of(line: bytes) -> LineFault | None:
    """Return the fault of a line, or None for a message to pass on and for anything that must not be answered."""
    try:
        message = json.loads(line.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        return LineFault(PARSE_ERROR, "the line is not valid UTF-8", _id_within(line))
    except (ValueError, RecursionError):
        return LineFault(PARSE_ERROR, "the line is not valid JSON; send one message per line", _id_within(line)) if line.strip() else None
    if isinstance(message, list):
        return LineFault(INVALID_REQUEST, "batches are not supported; send one message per line")
    if not isinstance(message, dict):
        return LineFault(INVALID_REQUEST, "a message is a JSON object")
    identity = _valid_id(message)
    if _depth(message) > DEEPEST:
        return LineFault(PARSE_ERROR, f"the message is nested more than {DEEPEST} levels deep", identity)
    if b"\\ud" in line.lower() and not _is_unicode(message):
        return LineFault(PARSE_ERROR, "the message contains half of a surrogate pair, which is not valid Unicode", identity)
    return _fault_of_message(message, identity)


def _fault_of_message(message: dict[str, Any], identity: int | str | None) -> LineFault | None:
    is_response = "result" in message or "error" in message
    if is_response and "method" not in message:
        return None
    if message.get("jsonrpc") != "2.0":
        return LineFault(INVALID_REQUEST, "'jsonrpc' must be \"2.0\"", identity)
    if not isinstance(message.get("method"), str):
        return LineFault(INVALID_REQUEST, "'method' must be a text", identity)
    if "id" not in message:
        return None  # a notification
    if identity is None:
        return LineFault(INVALID_REQUEST, "'id' must be a text or an integer")
    if is_response:
        return LineFault(INVALID_REQUEST, "a message with a method has neither 'result' nor 'error'", identity)
    params = message.get("params")
    if isinstance(params, list):
        return LineFault(INVALID_PARAMS, "'params' must be an object; there are no parameters by position", identity)
    if params is not None and not isinstance(params, dict):
        return LineFault(INVALID_REQUEST, "'params' must be an object", identity)
    return None


def _valid_id(message: Any) -> int | str | None:
    identity = message.get("id") if isinstance(message, dict) else None
    is_valid = isinstance(identity, (int, str)) and not isinstance(identity, bool) and _is_unicode(identity)
    return identity if is_valid else None


def _id_within(line: bytes) -> int | str | None:
    """Return the id of a line that is only almost a message: with bytes that are not UTF-8, or with NaN."""
    try:
        return _valid_id(json.loads(line.decode(errors="replace")))
    except (ValueError, RecursionError):
        return None


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's parser accepts."""
    raise ValueError(f"{name} is not JSON")


def _is_unicode(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [each for one in level if isinstance(one, (dict, list)) for each in (one.values() if isinstance(one, dict) else one)]
    return depth

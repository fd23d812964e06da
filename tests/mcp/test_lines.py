"""A line that is not a message gets the error of JSON-RPC 2.0, with the id of its request, and the server goes on."""

import io
import json
import threading

import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memorybank.mcp import lines
from memorybank.mcp.lines import INVALID_PARAMS, INVALID_REQUEST, LONGEST, PARSE_ERROR, TOO_LONG, fault_of, next_line

from .bare import OPENING, Bare, M, request

METHOD_NOT_FOUND = types.METHOD_NOT_FOUND
NOTHING = None
"""No answer at all: a notification or a response, whatever is wrong with it."""


def message(**fields: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **fields}).encode()


CALL = b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"search","arguments":{"query":%s}}}'
LINES: dict[str, tuple[bytes, int | None, int | str | None]] = {
    "no JSON": (b"this is no JSON", PARSE_ERROR, None),
    "Japanese": ("これはJSONではない".encode(), PARSE_ERROR, None),
    "half a message": (b'{"jsonrpc":"2.0","id":7,"method":"ping"', PARSE_ERROR, None),
    "two messages": (message(id=1, method="ping") + message(id=2, method="ping"), PARSE_ERROR, None),
    "a byte order mark": (b"\xef\xbb\xbf" + message(id=7, method="ping"), PARSE_ERROR, None),
    "UTF-16": ('{"jsonrpc":"2.0","id":7,"method":"ping"}'.encode("utf-16-le").replace(b"\n", b""), PARSE_ERROR, None),
    "a number of 5,000 digits": (b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}', PARSE_ERROR, None),
    "brackets": (b"[" * 100_000, PARSE_ERROR, None),
    "a blank line": (b"  \t ", NOTHING, None),
    "an empty batch": (b"[]", INVALID_REQUEST, None),
    "a batch": (b"[" + message(id=1, method="ping") + b"]", INVALID_REQUEST, None),
    "a batch of nothing": (b"[1,2]", INVALID_REQUEST, None),
    "a number": (b"42", INVALID_REQUEST, None),
    "null": (b"null", INVALID_REQUEST, None),
    "an empty object": (b"{}", INVALID_REQUEST, None),
    "no version": (b'{"id":7,"method":"ping"}', INVALID_REQUEST, 7),
    "an old version": (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', INVALID_REQUEST, 7),
    "no version, no id": (b'{"method":"ping"}', INVALID_REQUEST, None),
    "no method": (message(id="seven"), INVALID_REQUEST, "seven"),
    "a number as method": (message(id=7, method=7), INVALID_REQUEST, 7),
    "a number as method, no id": (message(method=1, params="bar"), INVALID_REQUEST, None),
    "id null": (message(id=None, method="ping"), INVALID_REQUEST, None),
    "id true": (message(id=True, method="ping"), INVALID_REQUEST, None),
    "id 1.5": (message(id=1.5, method="ping"), INVALID_REQUEST, None),
    "id 1.0": (message(id=1.0, method="ping"), INVALID_REQUEST, None),
    "id object": (message(id={}, method="ping"), INVALID_REQUEST, None),
    "id list": (message(id=[7], method="ping"), INVALID_REQUEST, None),
    "params by position": (message(id=7, method="ping", params=[]), INVALID_PARAMS, 7),
    "params text": (message(id=7, method="tools/list", params="x"), INVALID_REQUEST, 7),
    "params number": (message(id=7, method="tools/list", params=0), INVALID_REQUEST, 7),
    "params false": (message(id=7, method="tools/list", params=False), INVALID_REQUEST, 7),
    "bytes that are no UTF-8": (CALL % b'"\xff\xfe"', PARSE_ERROR, 8),
    "bytes alone": (b"\xff\xfe\x00", PARSE_ERROR, None),
    "half of a surrogate pair": (CALL % b'"\\uD800"', PARSE_ERROR, 8),
    "half of a surrogate pair as id": (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', PARSE_ERROR, None),
    "NaN": (CALL % b"NaN", PARSE_ERROR, 8),
    "Infinity": (CALL % b"-Infinity", PARSE_ERROR, 8),
    "120 levels": (CALL % (b"[" * 120 + b"]" * 120), PARSE_ERROR, 8),
    "900 levels": (CALL % (b'{"a":' * 900 + b"1" + b"}" * 900), PARSE_ERROR, 8),
    "a notification": (message(method="no/such"), NOTHING, None),
    "a notification with params by position": (message(method="notifications/initialized", params=[]), NOTHING, None),
    "a notification with params text": (message(method="notifications/initialized", params="x"), NOTHING, None),
    "a notification that is a request elsewhere": (message(method="tools/call", params={"name": "status"}), NOTHING, None),
    "a request that is also an error": (message(id=7, method="ping", error={"code": 1, "message": "x"}), INVALID_REQUEST, 7),
    "a request that is also a response": (message(id=7, method="ping", result={}), INVALID_REQUEST, 7),
    "a response nobody waits for": (message(id=77, result={}), NOTHING, None),
    "an error nobody waits for": (message(id=77, error={"code": 1, "message": "x"}), NOTHING, None),
    "both": (message(id=77, result={}, error={"code": 1, "message": "x"}), NOTHING, None),
    "a response that is none": (message(id={}, result=7), NOTHING, None),
    "a method that does not exist": (message(id=7, method="no/such"), METHOD_NOT_FOUND, 7),
    "no method name": (message(id=7, method=""), METHOD_NOT_FOUND, 7),
    "a tool without a name": (message(id=7, method="tools/call", params={}), INVALID_PARAMS, 7),
    "arguments by position": (message(id=7, method="tools/call", params={"name": "search", "arguments": []}), INVALID_PARAMS, 7),
    "a tool that does not exist": (message(id="q", method="tools/call", params={"name": "nope", "arguments": {}}), INVALID_PARAMS, "q"),
    "a cursor that is none": (message(id=7, method="tools/list", params={"cursor": 7}), INVALID_PARAMS, 7),
    "meta that is none": (message(id=7, method="tools/list", params={"_meta": 5}), INVALID_PARAMS, 7),
    "too long": (CALL % (b'"' + b"x" * LONGEST + b'"'), INVALID_REQUEST, None),
}
"""Name: (line, code of the error or NOTHING, id of the error)."""


@pytest.mark.slow
def test_each_line_gets_its_error_and_the_server_goes_on(bank):
    """After every line a request is answered, and the answer is the very next line or the one after the error."""
    bare = Bare(bank({"planning/a.md": "# A\n\nzebra\n"}).repository, *M)
    bare.say(OPENING, answers=1)
    for number, (name, (line, code, identity)) in enumerate(LINES.items(), start=1000):
        done = len(bare.lines)
        # A long line does not fit into the pipe, so that the server has to read it while it is written.
        writing = threading.Thread(target=bare.say, args=(line + b"\n" + request(number, "ping").encode(),))
        writing.start()
        bare.say(b"", answers=1 if code is NOTHING else 2)
        writing.join()
        found = bare.answers[done:]
        assert {answer.get("id") for answer in found if "result" in answer} == {number}, name
        assert [(answer["error"]["code"], answer["id"]) for answer in found if "error" in answer] == ([] if code is NOTHING else [(code, identity)]), name
    bare.say(b"the end of the stream is the end of a line")
    code, err = bare.end()
    assert (code, err) == (0, "")
    assert bare.answers[-1]["error"]["code"] == PARSE_ERROR


@pytest.mark.parametrize("name", [name for name, (line, code, _) in LINES.items() if code in (PARSE_ERROR, INVALID_REQUEST, NOTHING)])
def test_the_rules_alone_say_the_same(name):
    line, code, identity = LINES[name]
    fault = next_line(io.BytesIO(line))
    fault = fault_of(fault) if isinstance(fault, bytes) else fault
    assert (code, identity) == (None, None) if fault is None else (fault.code, fault.id) == (code, identity)
    assert fault is None or ("\n" not in fault.message and len(fault.message) < 100)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0") | JSON},
    optional={
        "id": st.integers() | st.text(max_size=3) | JSON,
        "method": st.just("ping") | JSON,
        "params": st.just({}) | JSON,
        "result": st.just({}) | JSON,
        "error": st.just({"code": 1, "message": "x"}) | JSON,
    },
)


@given(MESSAGES | JSON, st.booleans())
def test_no_request_stays_without_an_answer(value, ascii_only):
    """What the rules let pass, the SDK takes as the message that it is; a request never becomes a notification, and never an exception."""
    line = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    if fault_of(line) is not None:
        return
    try:
        passed = types.jsonrpc_message_adapter.validate_json(line.decode(), by_name=False)
    except ValidationError:
        passed = None  # dropped without an answer
    if isinstance(value, dict) and "id" in value and "method" in value:
        assert isinstance(passed, types.JSONRPCRequest) and passed.id == value["id"]
    else:
        assert not isinstance(passed, types.JSONRPCRequest)
        assert isinstance(value, dict) and ("method" in value or "result" in value or "error" in value)


@given(st.binary(max_size=200))
def test_no_bytes_raise(data):
    assert fault_of(data) is not None or not data.strip()


def test_a_line_that_is_too_long_is_never_held_in_memory(monkeypatch):
    """A stream without an end of line is read in pieces of a bounded size, and the next line is found behind it."""
    monkeypatch.setattr(lines, "LONGEST", 1000)

    class Stream(io.BytesIO):
        largest = 0

        def readline(self, size=-1):
            line = super().readline(size)
            self.largest = max(self.largest, len(line))
            return line

    for length in (999, 1000, 1001, 1002, 70_000, 500_000):
        stream = Stream(b"x" * (length - 1) + b"\n" + b"next\n")
        found = next_line(stream)
        assert (len(found) == length) if length <= 1000 else found == TOO_LONG
        assert next_line(stream) == b"next\n" and next_line(stream) == b""
        assert stream.largest <= lines._REST
    assert next_line(Stream(b"x" * 5000)) == TOO_LONG

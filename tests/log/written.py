"""Lines of an event log as hooks write them, and a checker of its chain that shares no code with the package."""

import hashlib
import hmac
import json
import os
import zlib

from memorybank.clock import FixedClock, isoformat
from memorybank.log import events, key

NOW = 1_758_112_496_789
SESSION = "3f0c1f6e-0000-4000-8000-000000000001"


def event_line(number: int, event: str, *, at: int = NOW, **more: object) -> dict[str, object]:
    """A line of `SESSION`. number: its id, and the milliseconds that it is later than `at`; more: members instead of the usual ones"""
    fields: dict[str, object] = {
        "id": f"{number:032x}", "schema_version": 1, "event": event, "timestamp": isoformat(at + number), "session_id": SESSION,
        "host": "claude-code", "agent_id": "main", "agent_role": "main", "task_id": None, "tool": None, "inputs": {}, "outputs": {},
        "status": None, "latency_ms": None, "error": None, "importance_score": 0.5, "acl": "user", "privacy": "public",
    }  # fmt: skip
    return {**fields, **more}


def line(number: int, command: str = "make", *, event: str = "tool_after", at: int = NOW, **more: object) -> dict[str, object]:
    """The line of a command that succeeded."""
    call = {"tool": "Bash", "inputs": {"command": command}, "outputs": {"text": "ok"}, "status": "success", "latency_ms": 5}
    return event_line(number, event, at=at, **{**call, **more})


def append(layout, entries, clock=None, session=SESSION, **options):
    return events.EventWriter(layout, key.ensure(layout), clock or FixedClock(NOW), 2000).append(session, entries, **options)


def verified(path: str, secret: bytes, *, purged: bool = False) -> int:
    """Return the number of lines; each must have the right checksum and signature, and each text its digest. Only the standard library is used.

    purged: texts may be empty
    """
    previous, count = os.path.basename(path), 0
    with open(path, "rb") as stream:
        data = stream.read()
    for raw in data.split(b"\n")[:-1]:
        body, _, crc = raw.rpartition(b',"crc":"')
        assert crc == b'%08x"}' % zlib.crc32(body)
        fields = json.loads(body + b"}")
        signature = fields.pop("signature")
        for name, digest in fields["digests"].items():
            value = fields.pop(name)
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
            assert (purged and not value) or hmac.new(secret, text, hashlib.sha256).hexdigest()[:32] == digest
        covered = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        assert hmac.new(secret, previous.encode() + b"\n" + covered, hashlib.sha256).hexdigest() == signature
        previous, count = signature, count + 1
    return count

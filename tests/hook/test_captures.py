"""Every payload that a real client sent goes through the real hook process, and the line on disk says what the host said."""

import csv
import json
from collections import defaultdict

import pytest

from memorybank.log import chain, events
from tests.hosts.captured import ALL, DATA
from tests.hosts.test_captures import event_of
from tests.hosts.test_replies import check

from . import forked

pytestmark = pytest.mark.slow

CANARY = "Everything about this project begins with the word umbrella."
SILENT = ("subagent_start",)
"""Recalled for, not recorded."""


def replaced(value, old, new):
    """The payload as if the client had been started in the scratch project."""
    if isinstance(value, dict):
        return {name: replaced(item, old, new) for name, item in value.items()}
    if isinstance(value, list):
        return [replaced(item, old, new) for item in value]
    return value.replace(old, new) if isinstance(value, str) else value


def project_of(hooks):
    """The folder that the client was started in, as recorded; the outermost of several."""
    found = {hook.environ.get(name) for hook in hooks for name in ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "COPILOT_PROJECT_DIR")}
    return min(found - {None}, key=len, default=hooks[0].payload["cwd"])


def expected():
    with open(DATA / "events.tsv", encoding="utf-8", newline="") as stream:
        return {(row["case"], int(row["number"])): row for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)}


CASES = defaultdict(list)
for _hook in ALL:
    CASES[_hook.case].append(_hook)
TABLE = expected()


@pytest.mark.parametrize("case", sorted(CASES))
def test_from_payload_to_line(case, host):
    hooks = CASES[case]
    (host.bank.root / "summary.md").write_text(f"---\nupdated_at: 2025-09-01T00:00:00Z\n---\n{CANARY}\n")
    old, new = project_of(hooks), str(host.project)
    wanted = defaultdict(list)
    answers = 0
    for hook in hooks:
        payload = replaced(hook.payload, old, new)
        environment = {name: value.replace(old, new) for name, value in hook.environ.items() if isinstance(value, str)}
        arguments = ["--host", hook.host, *(["--event", hook.hint] if hook.hint else [])]
        kept = {name: value for name, value in host.environment().items() if name in ("HOME", "MEMORYBANK_TRUST", "PATH", "TZ")}
        done = forked.fire(arguments, json.dumps(payload).encode(), host.project, {**environment, **kept})
        assert (done.returncode, done.stderr) == (0, b"")
        row = TABLE[hook.case, hook.number]
        if done.stdout:
            answer = json.loads(done.stdout)
            text = answer.get("additionalContext") or answer["hookSpecificOutput"]["additionalContext"]
            check(hook, _Delivering, answer, text)
            assert len(text.encode("utf-16-le")) // 2 <= 9_500
            answers += CANARY in text
        if row["event"] not in ("-", *SILENT):
            session = event_of(hook).session_id  # Copilot gives a sub-agent a session of its own; it belongs to its parent's
            wanted[session].append((row["event"], row["role"], row["tool"] or None, row["status"] or None, row["file"].replace(old, "").lstrip("/")))
    for session, rows in wanted.items():
        lines = [line.fields for line in events.read(host.bank.layout, events.name_of(session))]
        lines = [line for line in lines if line["event"] not in ("exposure", "resident_exposure")]
        found = [(line["event"], line["agent_role"], line["tool"], line["status"], (line.get("files") or [""])[0]) for line in lines]
        assert {line["session_id"] for line in lines} == {session}
        assert unmatched(found, rows) == []
        assert len(lines) == len({line["id"] for line in lines})
    assert all(check.state == "whole" for check in chain.check(host.bank.layout))
    if any(TABLE[hook.case, hook.number]["event"] == "session_start" for hook in hooks):
        assert answers >= 1, "the resident summary reached the session"


class _Delivering:
    delivery = True


def unmatched(found, rows):
    """Rows of the table without a line: each line once, in any order (a double of the host is one line). The status of a turn's end
    depends on what happened in it."""
    seen = {(event, role, tool, None if event == "turn_end" else status) for event, role, tool, status, _ in found}
    missing = [row for row in rows if (row[0], row[1], row[2], None if row[0] == "turn_end" else row[3]) not in seen]
    paths = {path for *_, path in found}
    return missing + [row for row in rows if row[4] and not row[4].startswith("/") and "E2E" not in row[4] and row[4] not in paths]


def test_every_recorded_case_is_played():
    assert len(CASES) >= 40 and len(TABLE) == len(ALL)

"""Log lines as RECORD writes them, without RECORD: `Session` appends them to the log of a scratch bank and folds them."""

import pytest

from memorybank import clock as time_of
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.fold import schema
from memorybank.log import events, lines
from memorybank.storage import database

NOW = 1_758_112_496_789
MINUTE = 60_000


class Session:
    """The log of one session. Every method appends a line at `at` (ms), advances `at` by ten seconds, and returns the id of the line."""

    def __init__(self, layout, clock, session="s1", at=NOW):
        self.layout, self.clock, self.session, self.at = layout, clock, session, at
        self.count = 0
        self.epoch = 1

    def line(self, event, **fields):
        self.count += 1
        agent = fields.pop("agent", "main")
        role = fields.pop("role", "main" if agent == "main" else "explorer")
        identifier = fields.pop("id", f"{self.session}-{self.count}")
        line = {
            **{"id": identifier, "schema_version": 1, "event": event, "timestamp": time_of.isoformat(fields.pop("at", self.at))},
            **{"session_id": self.session, "host": "claude-code", "agent_id": agent, "agent_role": role, "epoch": fields.pop("epoch", self.epoch)},
            **{"task_id": None, "tool": None, "inputs": {}, "outputs": {}, "status": None, "latency_ms": None, "error": None, "importance_score": 0.5},
            **{"acl": "user", "privacy": "public" if agent == "main" else "agent-only", "origin": "tool", **fields, "signature": f"{self.count:064x}"},
        }
        path = events.path_of(self.layout, self.session)
        lines.append(path, (line,), clock=self.clock, durable=False)
        self.at += 10_000
        return identifier

    def prompt(self, text, **fields):
        return self.line("prompt", inputs={"text": text}, origin="human", **fields)

    def before(self, tool, tool_use_id, **fields):
        return self.line("tool_before", tool=tool, tool_use_id=tool_use_id, **fields)

    def run(self, command, error=None, output="", fingerprint=None, **fields):
        """Append a command, which failed when `error` is given."""
        fingerprint = fingerprint or command
        files = [word for word in command.split() if "/" in word]
        anchors = [f"cmd:{fingerprint}", *(f"file:{name}" for name in files)]
        inputs = {"command": command, **fields.pop("inputs", {})}
        ended = {"status": "failure", "error": error} if error else {"status": "success", "outputs": {"head": output} if output else {}}
        if error:
            anchors.append(f"err:{error.splitlines()[0]}")
        event = fields.pop("event", "tool_after")
        return self.line(event, tool="Bash", inputs=inputs, fingerprint=fingerprint, anchors=anchors, files=[], **{**ended, **fields})

    def edit(self, path, old="", new="", tool="Edit", **fields):
        inputs = {"file_path": path, "old_string": old, "new_string": new}
        given = {"status": "success", "fingerprint": f"edit {path}", "anchors": [f"file:{path}"], "files": [path], **fields}
        return self.line("tool_after", tool=tool, inputs=inputs, **given)

    def read(self, path, **fields):
        given = {"status": "success", "fingerprint": f"read {path}", "anchors": [f"file:{path}"], "files": [path], **fields}
        return self.line("tool_after", tool="Read", inputs={"file_path": path}, **given)

    def expose(self, *exposures, event="prompt", **fields):
        return self.line("exposure", trigger={"event": event, "tool": None, "anchors": []}, exposures=list(exposures), **fields)

    def turn_end(self, text="", **fields):
        return self.line("turn_end", outputs={"head": text} if text else {}, **{"status": "success", **fields})

    def end(self, **fields):
        return self.line("session_end", **fields)


@pytest.fixture
def base(bank, fixed_clock):
    """A Base of an empty scratch bank with the default settings."""
    return CycleContext(bank().layout, CycleSettings(), fixed_clock)


@pytest.fixture
def session(base):
    """session("s1", at=…) → a Session of the bank of `base`."""

    def make(name="s1", at=NOW - 60 * MINUTE):
        return Session(base.layout, base.clock, name, at)

    return make


@pytest.fixture
def cache(base):
    """The cycle's cache of `base`, open for writing."""
    connection = database.open_writable(schema.path(base.layout), schema.TABLES, schema.VERSION)
    yield connection
    connection.close()


class Killed(BaseException):
    """Ends a step as SIGKILL would: nothing that expects errors catches it."""


@pytest.fixture
def killed():
    """A step that is killed each time it is tried. tried: how often it was"""

    def step(*arguments):
        step.tried += 1
        raise Killed

    step.tried = 0
    return step


ORDERED = {
    "files": "SELECT name, offset, session, last_event, last_at, retired FROM files",
    "retired": "SELECT f.name, r.* FROM retired r JOIN files f ON f.id = r.file",
    "met": "SELECT f.name, x.* FROM met x JOIN files f ON f.id = x.file",
    "events": "SELECT f.name, e.* FROM events e JOIN files f ON f.id = e.file",
    "summaries": "SELECT * FROM summaries",
    "sharers": "SELECT * FROM sharers",
    "exposures": "SELECT f.name, e.* FROM exposures e JOIN files f ON f.id = e.file",
    "turns": "SELECT f.name, t.* FROM turns t JOIN files f ON f.id = t.file",
    "turn_files": "SELECT f.name, t.offset, u.name AS edited FROM turn_files u JOIN turns t ON t.id = u.turn JOIN files f ON f.id = t.file",
    "turn_commands": "SELECT f.name, t.offset, c.offset AS ran_at, c.command FROM turn_commands c JOIN turns t ON t.id = c.turn JOIN files f ON f.id = t.file",
    "passages": "SELECT f.name, p.*, t.offset AS asked_at, x.offset AS failed_at FROM passages p JOIN files f ON f.id = p.file"
    " LEFT JOIN turns t ON t.id = p.turn LEFT JOIN failures x ON x.id = p.failure",
    "passage_text": "SELECT w.term, p.memory FROM passage_words w LEFT JOIN passages p ON p.id = w.doc",
    "passage_terms": "SELECT p.memory, t.terms FROM passage_terms t LEFT JOIN passages p USING (id)",
    "frequencies": "SELECT * FROM frequencies",
    "given": "SELECT p.memory, t.frame, t.value FROM given t LEFT JOIN passages p ON p.id = t.passage",
    "changes": "SELECT p.memory, c.term FROM changes c LEFT JOIN passages p ON p.id = c.passage",
    "outdated": "SELECT o.memory, n.memory AS newer_memory FROM outdated d LEFT JOIN passages o ON o.id = d.older LEFT JOIN passages n ON n.id = d.newer",
    "commits": "SELECT f.name, t.offset AS asked_at FROM commits c JOIN turns t ON t.id = c.turn JOIN files f ON f.id = t.file",
    "advice": "SELECT a.form, a.lacks, a.names, p.memory FROM advice a LEFT JOIN passages p ON p.id = a.passage",
    "deeds": "SELECT f.name, d.* FROM deeds d JOIN files f ON f.id = d.file",
    "statements": "SELECT f.name, s.* FROM statements s JOIN files f ON f.id = s.file",
    "statement_terms": "SELECT f.name, s.offset, s.place, t.term FROM statement_terms t LEFT JOIN statements s ON s.id = t.statement"
    " LEFT JOIN files f ON f.id = s.file",
    "relations": "SELECT g.name, o.offset, o.place, f.name AS newer_in, n.offset AS newer_at, n.place AS newer_place, r.relation FROM relations r"
    " LEFT JOIN statements o ON o.id = r.older LEFT JOIN files g ON g.id = o.file LEFT JOIN statements n ON n.id = r.newer LEFT JOIN files f ON f.id = n.file",
    "extracted": "SELECT * FROM extracted",
    "failures": "SELECT f.name, x.* FROM failures x JOIN files f ON f.id = x.file",
    "remedies": "SELECT f.name, x.offset, r.how, r.remedy FROM remedies r LEFT JOIN failures x ON x.id = r.failure LEFT JOIN files f ON f.id = x.file",
    "steps_since": "SELECT f.name, x.offset AS failed_at, a.offset, a.name, a.done FROM steps_since a LEFT JOIN failures x ON x.id = a.failure"
    " LEFT JOIN files f ON f.id = x.file",
    "forms": "SELECT f.name, o.form, o.worked FROM forms o JOIN files f ON f.id = o.file",
    "chains": "SELECT * FROM chains",
    "launches": "SELECT * FROM launches",
    "attempts": "SELECT * FROM attempts",
    "contexts": "SELECT * FROM contexts",
    "finished": "SELECT * FROM finished",
    "ticks": "SELECT * FROM ticks",
    "meta": "SELECT * FROM meta",
}
"""{table: its logical content, the numbers of rows replaced by what they stand for}."""
NUMBERS = frozenset(("id", "file", "turn", "failure"))


def content(connection):
    """Return everything in the cache except row numbers, by table and sorted."""
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.passage_words USING fts5vocab('main', 'passage_text', 'instance')")
    found = {}
    for table, query in ORDERED.items():
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description]
        numbers = {place for place, name in enumerate(names) if name in NUMBERS}
        found[table] = sorted((tuple(value for place, value in enumerate(row) if place not in numbers) for row in cursor), key=repr)
    return found

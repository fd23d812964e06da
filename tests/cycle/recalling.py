"""A scratch bank with memories: notes that are indexed, sessions that are folded, and moments at which memory is asked for."""

from memorybank.config.cycle import CycleSettings
from memorybank.config.settings import load
from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.fold import cache, logs, schema
from memorybank.cycle.know import rejected
from memorybank.cycle.phases.recall import recall
from memorybank.cycle.recall import recollect
from memorybank.index import fold as index_fold
from memorybank.index.working import open_index
from memorybank.log import events as log
from memorybank.storage import database
from tests.conftest import NOW
from tests.cycle.conftest import Session

MINUTE = 60_000
DAY = 86_400_000


class Remembering:
    """`base` is the one of the hook. Sessions before it began an hour ago at the latest."""

    def __init__(self, scratch, clock, settings=None):
        self.scratch = scratch
        self.clock = clock
        self.base = CycleContext(scratch.layout, settings or CycleSettings(), clock)

    def note(self, key, text, **options):
        self.scratch.write(key, text, **options)
        return self

    def index(self):
        cache.close()
        with open_index(self.scratch.layout, load(self.scratch.layout), self.clock) as index:
            index_fold.fold(index)
        return self

    def session(self, name="earlier", at=None, days_ago=0.0):
        return Session(self.scratch.layout, self.clock, name, NOW - 60 * MINUTE - int(days_ago * DAY) if at is None else at)

    def fold(self):
        cache.close()
        connection = database.open_writable(schema.path(self.scratch.layout), schema.TABLES, schema.VERSION)
        logs.fold(self.base, connection, wait=True)
        connection.close()
        return self

    def ask(self, event, moment=None):
        """Return what a hook would inject, and record its exposure."""
        cache.close()
        injection = recall(self.base, event, moment or event.name)
        cache.close()
        return injection

    def preview(self, event, moment=None):
        draft, composed = recollect.preview(self.base, event, moment or event.name, self.clock.now())
        draft.sources.close()
        return composed

    def lines(self, session, name="exposure"):
        return [line.fields for line in log.read(self.scratch.layout, log.name_of(session)) if line.fields["event"] == name]

    def root(self):
        return self.base.root


def prompt(text, session="now", agent=events.MAIN, role=None, **fields):
    return Event(host="claude-code", name=events.PROMPT, session_id=session, prompt=text, agent_id=agent, agent_role=role or agent, delivery=True, **fields)


def before(tool, inputs, session="now", agent=events.MAIN, role=None, cwd="", **fields):
    return Event(
        host="claude-code", name=events.TOOL_BEFORE, session_id=session, tool=tool, inputs=inputs, agent_id=agent, agent_role=role or agent, cwd=cwd, **fields
    )


def failure(tool, inputs, error, session="now", agent=events.MAIN, role=None, **fields):
    return Event(
        host="claude-code", name=events.TOOL_AFTER, session_id=session, tool=tool, inputs=inputs, error=error, status=events.FAILURE, agent_id=agent,
        agent_role=role or agent, **fields,
    )  # fmt: skip


def start(session="now", source="startup", **fields):
    return Event(host="claude-code", name=events.SESSION_START, session_id=session, source=source, **fields)


def subagent(role, session="now", agent="agent-7", **fields):
    return Event(host="claude-code", name=events.SUBAGENT_START, session_id=session, agent_id=agent, agent_role=role, **fields)


SUMMARY = "---\nupdated_at: 2025-09-01T09:00:00Z\n---\nWe deploy on Mondays.\n\n毎週月曜日にデプロイする。\n"


def assert_gives_way_when_rejected(remembering, event):
    """Reject the one memory that is shown at an event: nothing is shown then, and the rejection is listed as the reason."""
    (memory,) = remembering.preview(event).shown
    name = memory.memory.memory
    rejected.add(remembering.scratch.layout, name, is_rejected=True, by=rejected.COMMAND, what="", clock=remembering.clock)
    composed = remembering.preview(event)
    assert not composed.shown
    assert [(one.memory.memory, one.why.code) for one in composed.left_out] == [(name, "recall.rejected")]

"""Any interleaving of folds is a fold of everything at once: whichever process folds which log in which portions."""

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memorybank.clock import FixedClock
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import Base
from memorybank.cycle.finish import finished, macro, outbox
from memorybank.cycle.fold import logs, schema
from memorybank.storage import database
from memorybank.storage.layout import Layout

from .conftest import NOW, Session, content

COMMANDS = ("pytest tests/a.py", "make", "検索 docs/用語.md")
FILES = ("src/a.py", "src/b.py", "docs/用語.md")
SESSIONS = ("one", "two", "three")
WITHOUT_UPKEEP = 200.0
"""Milliseconds that summaries and notes fit into and the heavy steps do not."""

agents = st.sampled_from(({}, {}, {"agent": "a1"}))
scopes = st.sampled_from(({}, {}, {}, {"acl": "session", "privacy": "private", "hold": True}))
lines = st.one_of(
    st.tuples(st.just("prompt"), st.sampled_from(("go", "索引を直して", "no, not so")), st.sampled_from(({}, {"signal": -1, "lessons": ["not so"]}))),
    st.tuples(st.just("before"), st.sampled_from(("t1", "t2", "t3")), agents),
    st.tuples(st.just("run"), st.sampled_from(COMMANDS), st.sampled_from((None, "AssertionError: 1 != 2", "エラー: 失敗")), agents, scopes),
    st.tuples(st.just("finish"), st.sampled_from(("t1", "t2", "t3")), agents),
    st.tuples(st.just("edit"), st.sampled_from(FILES), agents, scopes),
    st.tuples(st.just("read"), st.sampled_from(FILES), agents),
    st.tuples(st.just("expose"), st.sampled_from(("group:one-1", "note:a.md")), st.sampled_from(FILES), agents),
    st.tuples(st.just("turn_end"), agents, st.sampled_from(({}, {"reason": "interrupted", "status": "partial"}))),
    st.tuples(st.just("wait"), st.integers(1, 15)),
    st.tuples(st.just("clear")),
    st.tuples(st.just("end")),
)
folds = st.tuples(st.just("fold"), st.sampled_from((None, *SESSIONS)), st.sampled_from((None, 1, 3)), st.integers(0, 1))
finishes = st.tuples(st.just("finish"), st.none(), st.sampled_from((True, False)), st.integers(0, 1))
steps = st.lists(st.one_of(st.tuples(st.sampled_from(SESSIONS), lines), st.tuples(st.none(), folds), st.tuples(st.none(), finishes)), max_size=40)


def write(work, kind, *given):
    if kind == "prompt":
        work.prompt(given[0], **given[1])
    elif kind == "before":
        work.before("Bash", given[0], **given[1])
    elif kind == "run":
        work.run(given[0], error=given[1], **given[2], **given[3])
    elif kind == "finish":
        work.run("make", tool_use_id=given[0], **given[1])
    elif kind == "edit":
        work.edit(given[0], "old", "new", **given[1], **given[2])
    elif kind == "read":
        work.read(given[0], **given[1])
    elif kind == "expose":
        work.expose({"memory": given[0], "rank": 1, "score": 0.5, "anchors": [f"file:{given[1]}"], "tokens": 1, "shown": True}, **given[2])
    elif kind == "turn_end":
        work.turn_end("done", **given[0], **given[1])
    elif kind == "wait":
        work.at += given[0] * 60_000
    elif kind == "end":
        work.end()
    else:
        work.epoch += 1


def organize_step(base, cache, kind, only, how, *_):
    """A fold of so many lines of one log or all, or finishing what is due, before or after a full fold."""
    if kind == "fold":
        logs.fold(base, cache, session=only, limit=how, wait=True)
        return
    if how:
        outbox.gather(base, cache, lambda: WITHOUT_UPKEEP)
    macro.finish(base, cache, lambda: WITHOUT_UPKEEP)


@given(steps)
def test_any_interleaving_of_folds_gives_the_rows_of_one_fold(taken):
    """Two caches of one log (two worktrees), each folded in its own portions, with sessions finished from both, and a third that is
    built at the end."""
    with tempfile.TemporaryDirectory(prefix="memorybank-test-") as folder:
        bases = []
        for name in ("one", "two", "fresh"):
            root = Path(folder, name)
            root.mkdir()
            bases.append(Base(Layout(str(root), local_root=folder), CycleSettings(), FixedClock(NOW)))
        caches = [database.open_writable(schema.path(base.layout), schema.TABLES, schema.VERSION) for base in bases]
        try:
            sessions = {name: Session(bases[0].layout, bases[0].clock, name, NOW - 90 * 60_000) for name in SESSIONS}
            for session, step in taken:
                if session is not None:
                    write(sessions[session], *step)
                else:
                    organize_step(bases[step[-1]], caches[step[-1]], *step)
            for base, cache in zip(bases, caches, strict=True):
                logs.fold(base, cache, wait=True)
                finished.catch_up(base, cache)
            first, second, fresh = map(content, caches)
            assert first == fresh
            assert second == fresh
        finally:
            for cache in caches:
                cache.close()

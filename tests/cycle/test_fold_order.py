"""Any interleaving of folds equals a single fold of everything, whichever process folds which log in which portions."""

import re
import tempfile
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from memorybank.clock import DAY, FixedClock
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import finished, macro, outbox
from memorybank.cycle.fold import logs, retired, schema
from memorybank.log import events, extracted
from memorybank.log import key as log_key
from memorybank.log import lines as lines_of_log
from memorybank.log.extracted import ExtractedLine, ExtractionLine, QuoteSource
from memorybank.storage import database
from memorybank.storage.layout import Layout

from .conftest import MINUTE, NOW, ORDERED, Session, content

COMMANDS = (
    "pytest tests/a.py",
    "uv run pytest tests/a.py",
    "make",
    "make clean",
    "検索 docs/用語.md",
    "curl localhost:5544/a",
    "git commit -m 'Index'",
    "git revert HEAD",
    "rm docs/用語.md",
)
PROMPTS = (
    "go",
    "索引を直して",
    "no, not so",
    "Never push to the main branch.",
    "You can push to the main branch again from now on.",
    "no, always `make clean` before make.",
    "make ではなく uv run pytest を先に。",
    "Did you add a test for the tokenizer?",
    "必ず日本語のテストも書いてください。",
    "5432 is another server, ours is 5544. No mocks please.",
)
ANSWERS = (
    "done",
    "The tokenizer dropped the long vowel mark because the table of signs ended too early.",
    "索引が空だった原因は、改行の扱いが違ったためです。",
    "Plain `make clean` misses the index, and 5432 is not ours but 5544.",
    "The search index uses port 5432.",
    "The search index uses port 5544 now.",
    "索引の改行をCRLFからLFに変えました。",
    "索引の改行はCRLFにしました。",
)
FILES = ("src/a.py", "src/b.py", "docs/用語.md")
SESSIONS = ("one", "two", "three")
WITHOUT_UPKEEP = 200.0
"""Milliseconds that summaries and notes fit into and the heavy steps do not."""

agents = st.sampled_from(({}, {}, {"agent": "a1"}))
scopes = st.sampled_from(({}, {}, {}, {"acl": "session", "privacy": "private", "hold": True}))
lines = st.one_of(
    st.tuples(st.just("prompt"), st.sampled_from(PROMPTS), st.sampled_from(({}, {"signal": -1})), scopes),
    st.tuples(st.just("before"), st.sampled_from(("t1", "t2", "t3")), agents),
    st.tuples(st.just("run"), st.sampled_from(COMMANDS), st.sampled_from((None, "AssertionError: 1 != 2", "エラー: 失敗")), agents, scopes),
    st.tuples(st.just("unknown"), st.sampled_from(COMMANDS)),
    st.tuples(st.just("correct"), st.sampled_from(COMMANDS), st.sampled_from((None, "AssertionError: 1 != 2"))),
    st.tuples(st.just("finish"), st.sampled_from(("t1", "t2", "t3")), agents),
    st.tuples(st.just("edit"), st.sampled_from(FILES), agents, scopes),
    st.tuples(st.just("read"), st.sampled_from(FILES), agents),
    st.tuples(st.just("expose"), st.sampled_from(("group:one-1", "note:a.md")), st.sampled_from(FILES), agents),
    st.tuples(st.just("turn_end"), st.sampled_from(ANSWERS), agents, st.sampled_from(({}, {"reason": "interrupted", "status": "partial"})), scopes),
    st.tuples(st.just("wait"), st.integers(1, 15)),
    st.tuples(st.just("clear")),
    st.tuples(st.just("end")),
    st.tuples(st.just("extract"), st.sampled_from(("rule", "finding", "reason")), st.sampled_from(ANSWERS)),
)
folds = st.tuples(st.just("fold"), st.sampled_from((None, *SESSIONS)), st.sampled_from((None, 1, 3)), st.integers(0, 1))
finishes = st.tuples(st.just("finish"), st.none(), st.sampled_from((True, False)), st.integers(0, 1))
retirements = st.tuples(st.just("retire"), st.none(), st.none(), st.integers(0, 1))
organizing = st.one_of(folds, finishes, retirements)
steps = st.lists(st.one_of(st.tuples(st.sampled_from(SESSIONS), lines), st.tuples(st.none(), organizing)), max_size=40)
begins = st.tuples(*(st.sampled_from((90 * MINUTE, 40 * DAY, 100 * DAY)) for _ in SESSIONS))
"""How long before now each session begins: in the last two cases it retires when it is finished; in the last one its summary is shortened too."""


def write(work, kind, *given):
    if kind == "prompt":
        work.prompt(given[0], **given[1], **given[2])
    elif kind == "before":
        work.before("Bash", given[0], **given[1])
    elif kind == "run":
        work.run(given[0], error=given[1], tool_use_id="failing", **given[2], **given[3])
    elif kind == "unknown":
        work.run(given[0], status="unknown", id=f"{work.session}-unknown-{given[0]}")
    elif kind == "correct":
        work.run(given[0], error=given[1], event="correction", corrects=f"{work.session}-unknown-{given[0]}")
    elif kind == "finish":
        work.run("make", tool_use_id=given[0], **given[1])
    elif kind == "edit":
        work.edit(given[0], "old", "new", **given[1], **given[2])
    elif kind == "read":
        work.read(given[0], **given[1])
    elif kind == "expose":
        work.expose({"memory": given[0], "rank": 1, "score": 0.5, "anchors": [f"file:{given[1]}"], "tokens": 1, "shown": True}, **given[2])
    elif kind == "turn_end":
        remarks = [{"after": "failing", "text": "The build failed because the cache is stale."}]
        work.turn_end(given[0], remarks=remarks, **given[1], **given[2], **given[3])
    elif kind == "wait":
        work.at += given[0] * 60_000
    elif kind == "end":
        work.end()
    elif kind == "extract":
        extract(work, *given)
    else:
        work.epoch += 1


def extract(work, item, text):
    """What a model would have named: one item that quotes the newest line with a text, whoever may see it, and one that quotes nothing."""
    said = [line for line in lines_of_log.read(events.path_of(work.layout, work.session)) if line.fields["event"] in ("prompt", "turn_end")]
    sources = [QuoteSource(line.fields["id"], line.offset, "inputs" if line.fields["event"] == "prompt" else "outputs", NOW) for line in said[-1:]]
    sources.append(QuoteSource("nowhere", 7, "inputs", NOW))
    items = [ExtractedLine(work.session, "llm:m", item, text, "the build", text, (), source) for source in sources]
    extracted.append(work.layout, log_key.ensure(work.layout), ExtractionLine(work.session, "llm:m", NOW, len(items), {}), items, work.clock)


def organize_step(base, cache, kind, only, how, *_):
    """One step: fold some lines of one log or of all, retire what is due, or finish what is due, before or after a full fold."""
    if kind == "retire":
        retired.retire_all(cache)
        return
    if kind == "fold":
        logs.fold(base, cache, session=only, limit=how, wait=True)
        return
    if how:
        outbox.gather(base, cache, lambda: WITHOUT_UPKEEP)
    macro.finish(base, cache, lambda: WITHOUT_UPKEEP)


KEPT_APART = frozenset(("renderings",))
"""Tables that no fold writes: what a session was given."""


def test_every_table_is_compared():
    made = {re.search(r"CREATE (?:VIRTUAL )?TABLE (\w+)", statement) for statement in schema.TABLES}
    assert {found[1] for found in made if found} - KEPT_APART == set(ORDERED)


def test_the_examples_fill_what_knowledge_is_made_of(base, cache, session):
    """Otherwise the interleavings would compare empty tables."""
    work = session()
    for prompt in PROMPTS:
        write(work, "prompt", prompt, {}, {})
    write(work, "edit", FILES[0], {}, {})
    for command, error in (
        (COMMANDS[0], "AssertionError: 1 != 2"),
        (COMMANDS[3], None),
        (COMMANDS[0], None),
        (COMMANDS[2], "エラー: 失敗"),
        (COMMANDS[1], None),
    ):
        write(work, "run", command, error, {}, {})
        write(work, "edit", FILES[1], {}, {})
    for answer in ANSWERS:
        write(work, "turn_end", answer, {}, {}, {})
    write(work, "extract", "rule", ANSWERS[1])
    logs.fold(base, cache, wait=True)
    assert content(cache)["extracted"]
    write(work, "extract", "finding", ANSWERS[1])
    logs.fold(base, cache, wait=True)
    found = content(cache)
    names = (
        "turns",
        "turn_files",
        "passages",
        "passage_text",
        "passage_terms",
        "frequencies",
        "advice",
        "statements",
        "statement_terms",
        "relations",
        "failures",
        "remedies",
        "steps_since",
        "forms",
        "chains",
        "launches",
        "extracted",
    )
    assert [name for name in names if not found[name]] == []
    assert {row[2] for row in found["passages"]} == {"said", "answer", "remark", "fix", "found"}


A_CALL_AFTER_THE_END = (
    ("one", ("prompt", "go", {}, {})),
    ("one", ("prompt", "go", {}, {})),
    ("one", ("expose", "group:one-1", FILES[0], {})),
    ("one", ("before", "t1", {})),
    (None, ("finish", None, True, 1)),
    ("one", ("run", COMMANDS[0], None, {}, {})),
)
"""The call belongs to the next round, so the first one judges the exposure without it, whenever the call is folded."""
CONTINUED_AFTER_A_MONTH = (
    ("two", ("prompt", PROMPTS[1], {}, {})),
    ("two", ("run", COMMANDS[0], "AssertionError: 1 != 2", {}, {})),
    ("two", ("edit", FILES[0], {}, {})),
    ("two", ("expose", "note:a.md", FILES[1], {})),
    ("two", ("turn_end", ANSWERS[1], {}, {}, {})),
    (None, ("finish", None, True, 0)),
    (None, ("retire", None, None, 0)),
    ("two", ("edit", FILES[1], {}, {})),
    ("two", ("run", COMMANDS[0], None, {}, {})),
    (None, ("fold", "two", 3, 0)),
    (None, ("fold", None, 1, 1)),
    ("two", ("extract", "finding", ANSWERS[1])),
    (None, ("finish", None, True, 1)),
    (None, ("retire", None, None, 1)),
    ("two", ("extract", "reason", ANSWERS[2])),
)
"""A retired session gets new lines and items of a model, in caches that retired it at other times."""
A_CORRECTION_AFTER_THE_END = (
    ("one", ("unknown", COMMANDS[0])),
    ("one", ("end",)),
    (None, ("finish", None, True, 0)),
    ("one", ("correct", COMMANDS[0], None)),
)
"""The outcome belongs to the next round, so the first one has no attempt, whenever the correction is folded."""


@given(begins, steps)
@example((90 * MINUTE,) * 3, A_CALL_AFTER_THE_END)
@example((90 * MINUTE,) * 3, A_CORRECTION_AFTER_THE_END)
@example((40 * DAY,) * 3, CONTINUED_AFTER_A_MONTH)
@example((100 * DAY,) * 3, CONTINUED_AFTER_A_MONTH)
def test_any_interleaving_of_folds_gives_the_rows_of_one_fold(begun, taken):
    """Two caches of one log (two worktrees), each folded in its own portions with sessions finished from both, and a third cache that is built at the end."""
    with tempfile.TemporaryDirectory(prefix="memorybank-test-") as folder:
        bases = []
        for name in ("one", "two", "fresh"):
            root = Path(folder, name)
            root.mkdir()
            bases.append(CycleContext(Layout(str(root), local_root=folder), CycleSettings(), FixedClock(NOW)))
        caches = [database.open_writable(schema.path(base.layout), schema.TABLES, schema.VERSION) for base in bases]
        try:
            sessions = {name: Session(bases[0].layout, bases[0].clock, name, NOW - ago) for name, ago in zip(SESSIONS, begun, strict=True)}
            for session, step in taken:
                if session is not None:
                    write(sessions[session], *step)
                else:
                    organize_step(bases[step[-1]], caches[step[-1]], *step)
            for base, cache in zip(bases, caches, strict=True):
                logs.fold(base, cache, wait=True)
                finished.catch_up(base, cache)
                retired.retire_all(cache)
            first, second, fresh = map(content, caches)
            assert first == fresh
            assert second == fresh
        finally:
            for cache in caches:
                cache.close()

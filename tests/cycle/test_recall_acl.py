"""Who sees what: the full table of scopes × viewers × surfaces with one canary each. Nothing leaks, and the tests detect every check that is removed."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from itertools import product

import pytest

from memorybank.cli import main as cli
from memorybank.cli.call import CommandCall
from memorybank.clock import FixedClock
from memorybank.config.cycle import CycleSettings
from memorybank.config.group import merge
from memorybank.cycle.event import MAIN
from memorybank.cycle.know import after_failure, continued, earlier, findings, problems, rules, works
from memorybank.cycle.recall import at_prompt, exposing, knowledge, matching, opening, query, ranking, reading, recollect
from memorybank.text.commands import forms
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, failure, prompt, start, subagent

ACLS = ("user", "agent", "session", None, "misspelt")
PRIVACIES = ("public", "agent-only", "private", None, "misspelt")
SCOPES = tuple(product(ACLS, PRIVACIES))
OWNER = {"session": "earlier", "agent": "agent-1", "role": "planner"}
VIEWERS = {
    "a stranger": ("now", MAIN, MAIN),
    "another role in the same session": ("earlier", "agent-2", "reviewer"),
    "the same role in another session": ("now", "agent-3", "planner"),
    "the same role in the same session": ("earlier", "agent-4", "planner"),
    "the main agent of the same session": ("earlier", MAIN, MAIN),
    "the owner in another session": ("now", "agent-1", "planner"),
}
KINDS = ("note", "said", "answer", "remark", "rule", "problem", "files")
WORDS = "quasar nebula telescope 観測 望遠鏡"


def canary(kind, acl, privacy):
    """Return a word that no other canary contains."""
    return "canary" + "".join("bcdfghj"[place] for place in (KINDS.index(kind), ACLS.index(acl), PRIVACIES.index(privacy))) + "x"


def rare(name):
    """Return three words that nothing else contains, because one shared word is a coincidence."""
    return f"{name} {name[::-1]} {name[6:]}q"


def marker(kind, acl, privacy):
    """Return the text that gives a memory away. The prompt below asks for each file by its stem, so a file is given away only by its full name."""
    name = canary(kind, acl, privacy)
    return f"{name}.md" if kind == "files" else name


def expected(kind, acl, privacy, viewer):
    """Return what the rule should decide, implemented a second time: acl by session and role, privacy by agent and role; unknown values are the narrowest.

    A note names one author, its role and agent at once. Who may see what a sub-agent learned from failures is in the settings below.
    """
    session, agent, role = viewer
    if kind == "problem" and privacy in (None, "public"):
        privacy = "agent-only"
    author = OWNER["role"] if kind == "note" else OWNER["agent"]
    passes = {"user": True, None: True, "agent": role == OWNER["role"]}.get(acl, session == OWNER["session"])
    return passes and {"public": True, None: True, "agent-only": role == OWNER["role"]}.get(privacy, agent == author)


@pytest.fixture(scope="module")
def filled(shared_bank):
    """One memory of each kind and scope, with settings under which everything that may be seen is shown. The tests only read it."""
    made = Remembering(shared_bank(), FixedClock(NOW), _wide())
    (made.scratch.root / "config").mkdir()
    (made.scratch.root / "config" / "cycle_config.json").write_text(json.dumps(_wide_json()))
    with pytest.MonkeyPatch.context() as patch:
        _unlimit(patch)
        _fill(made)
        return made.fold().index()


@pytest.fixture
def remembering(filled, unlimited):
    return filled


@pytest.fixture
def unlimited(monkeypatch):
    """Nothing is left out because it matches badly or because a budget is spent."""
    _unlimit(monkeypatch)


def _unlimit(patch):
    limits = {
        findings: {"LEAST_SUM": 0.0, "LEAST_SHARE": 0.0, "_BESIDE_THE_BEST": 0.0, "_MOST": 500, "_MOST_SAID": 500, "_SECOND": 0.0, "_ALIKE": 2.0},
        earlier: {"_LOOKED_AT": 2_000, "_FILTERED": 5_000},
        works: {"_MOST_PIECES": 500},
        continued: {"_MOST_TURNS": 500, "RESULT_CHARACTERS": 100_000, "_CHARACTERS": 100_000},
        knowledge: {"MOST_PROBLEMS": 500, "MOST_RULES": 500},
        at_prompt: {"_MOST_SAYINGS": 500},
        opening: {"_PROBLEMS": 100_000, "_RULES": 100_000, "_STANDING": 100_000},
        forms: {"_MOST_PARTS": 500},
        matching: {"EXACT": 200},
        reading: {"CHARACTERS": dict.fromkeys(reading.CHARACTERS, 100_000)},
    }
    limits[after_failure] = {"_DIRECT": 0.0, "_SAME": 0.0, "_TELLING": 0.0, "_MOST_REMARKS": 500}
    for module, values in limits.items():
        for name, value in values.items():
            patch.setattr(module, name, value)


def _fill(made):
    earlier, before_that = made.session(OWNER["session"]), made.session("before", days_ago=1)
    for acl, privacy in SCOPES:
        front = {"acl": acl, "privacy": privacy, "session_id": OWNER["session"], "agent_created": OWNER["role"]}
        lines = "".join(f"{name}: {value}\n" for name, value in front.items() if value is not None)
        name = canary("note", acl, privacy)
        made.note(f"shared/{name}.md", f"---\n{lines}---\n# {name}\n\n{WORDS} src/sky.py\n")
        _work(earlier, acl, privacy)
        _failure(before_that, acl, privacy)


def _work(session, acl, privacy):
    """Write a turn in one scope: what a person stated and asked, a file, a failure that was fixed, and what was said about it."""
    scope = {"acl": acl, "privacy": privacy, "agent": OWNER["agent"], "role": OWNER["role"]}
    name = {kind: canary(kind, acl, privacy) for kind in KINDS}
    session.prompt(f"Always use {name['rule']} here.", id=name["rule"], **scope)
    session.prompt(f"Look at {rare(name['said'])} {WORDS}", id=name["said"], **scope)
    session.edit(f"{name['files']}.md", **scope)
    session.turn_end("It lies 40 light years away, because the table says so.", **scope)
    session.prompt("Go on.", **scope)  # so that the answer is another turn's: what an answer says is not told again by its question
    _failure(session, acl, privacy)
    remark = {"after": f"call-{name['problem']}", "text": f"The {name['remark']} fails because of {WORDS}."}
    session.turn_end(f"{rare(name['answer'])} was the reason for {WORDS}.", id=name["answer"], remarks=[remark], **scope)


def _failure(session, acl, privacy):
    scope = {"acl": acl, "privacy": privacy, "agent": OWNER["agent"], "role": OWNER["role"]}
    name = canary("problem", acl, privacy)
    session.run(f"wrap {name} build", error=f"Error: {name} {WORDS}", tool_use_id=f"call-{name}", **scope)
    session.run(f"{name} build", output="built", **scope)


def _wide_json():
    return {
        "memory": {"enabled": True},
        "subagent_lessons": "agent-only",
        "timed_release": False,
        "recall": {"top_k": 20, "min_score": 0.0, "min_match": 0.0},
        "budgets": {"prompt": 9500, "tool": 9500, "failure": 9500, "subagent": 9500, "last_session": 9500, "session_tokens": 0},
    }


def _wide():
    return merge(CycleSettings, _wide_json(), [])


NAMED = " ".join(f"Please open {canary('files', *scope)}." for scope in SCOPES)
CALLED = " && ".join(f"wrap {canary('problem', *scope)} build" for scope in SCOPES)


SURFACES = ("prompt", "why", "named", "continued", "tool", "command", "failure", "subagent", "subagent_why", "session_start")


def surfaces(remembering, viewer, *only):
    """Return {surface: everything that it lets out}: the text, what is logged of it, and what would be shown with a larger budget. only: some surfaces"""
    session, agent, role = viewer
    who = {"session": session, "agent": agent, "role": role}
    moments = {
        "prompt": (prompt(WORDS, **who), "prompt"),
        "why": (prompt(f"Why {WORDS}?", **who), "prompt"),
        "named": (prompt(NAMED, **who), "prompt"),
        "continued": (prompt("Continue where we left off.", **who), "prompt"),
        "tool": (before("Edit", {"file_path": "src/sky.py"}, **who), "tool_before"),
        "command": (before("Bash", {"command": CALLED}, **who), "tool_before"),
        "failure": (failure("Bash", {"command": CALLED}, f"Error: {WORDS}", **who), query.FAILURE),
        "subagent": (subagent(role, session=session, agent=agent, prompt=WORDS), "subagent_start"),
        "subagent_why": (subagent(role, session=session, agent=agent, prompt=f"Why {WORDS}?"), "subagent_start"),
        "session_start": (start(session=session, agent_id=agent, agent_role=role), "session_start"),
    }
    return {name: _let_out(remembering, event, moment) for name, (event, moment) in moments.items() if not only or name in only}


def _let_out(remembering, event, moment):
    draft, composed = recollect.preview(remembering.base, event, moment, NOW)
    injection = composed.injection.text if composed.injection is not None else ""
    lines = exposing.lines_of(remembering.base, event, draft, composed)
    exposed = [json.dumps(line.get("exposures"), ensure_ascii=False) for line in lines]  # the rest repeats what was asked
    texts = [item.text for recollection in draft.earned if (item := draft.item(recollection)) is not None]
    if draft.opening is not None:
        texts += [recollection.memory.text for recollection in draft.opening.standing]
    draft.sources.close()
    return "\n".join((injection, *exposed, *texts))


def leaks(remembering, *only):
    """Return (scope, kind, viewer, surface) of every canary that a viewer saw without permission. only: some surfaces"""
    return list(leaking(remembering, *only))


def leaking(remembering, *only):
    """Yield what `leaks` returns; each surface is looked at when it is asked for."""
    for name, viewer in VIEWERS.items():
        for surface in only or SURFACES:
            text = surfaces(remembering, viewer, surface)[surface]
            for kind, (acl, privacy) in product(KINDS, SCOPES):
                if marker(kind, acl, privacy) in text and not expected(kind, acl, privacy, viewer):
                    yield acl, privacy, kind, name, surface


def test_no_surface_lets_out_what_its_reader_may_not_see(remembering):
    assert leaks(remembering) == []


SHOWN_AT = {
    "note": ("prompt", "tool", "subagent"),
    "said": ("prompt", "subagent"),
    "answer": ("prompt", "subagent", "continued"),
    "remark": ("why", "subagent_why", "failure"),
    "rule": ("session_start",),
    "problem": ("command", "failure", "session_start"),
    "files": ("named",),
}


def test_what_may_be_seen_is_seen(remembering):
    """The table would also hold for a recall that shows nothing.

    What a session did itself is not a memory for that session. The start of a session is shown to the main agent. A remark is shown to a question for a
    reason, and at failures like the one that it was made after, if the viewer may see that failure.
    """
    unseen = []
    for name, viewer in VIEWERS.items():
        found = surfaces(remembering, viewer)
        session, agent, _ = viewer
        for kind, (acl, privacy) in product(KINDS, SCOPES):
            if not expected(kind, acl, privacy, viewer) or (kind != "note" and session == OWNER["session"]):
                continue
            for surface in SHOWN_AT[kind]:
                if surface == "failure" and not expected("problem", acl, privacy, viewer):
                    continue
                if (surface != "session_start" or agent == MAIN) and marker(kind, acl, privacy) not in found[surface]:
                    unseen.append((acl, privacy, kind, name, surface))
    assert unseen == []


@pytest.mark.slow
def test_within_its_limits_no_question_brings_what_its_reader_may_not_see(bank, fixed_clock, request):
    """The same with the usual limits; each memory is asked for by its own words."""
    made = Remembering(bank(), fixed_clock, _wide())
    _fill(made)
    made.fold().index()
    found, seen = [], set()
    questions = list(product(VIEWERS.items(), SCOPES, ("note", "said", "answer", "files")))
    for (name, (session, agent, role)), scope, asked in questions[:: 1 if request.config.getoption("--all") else 5]:
        text = _let_out(made, prompt(f"What of {rare(canary(asked, *scope))} and the quasar?", session=session, agent=agent, role=role), "prompt")
        for kind, scope in product(KINDS, SCOPES):
            if marker(kind, *scope) in text:
                seen.add(kind)
                found += [] if expected(kind, *scope, (session, agent, role)) else [(*scope, kind, name)]
    assert found == []
    assert seen >= {"note", "said", "answer", "files"}


def test_of_a_turn_nothing_narrower_is_told(bank, fixed_clock, unlimited):
    """A public request with calls, answers and files of every scope: of this turn a viewer sees only what everybody who sees the memory may see."""
    made = Remembering(bank(), fixed_clock, _wide())
    session = made.session(OWNER["session"])
    session.prompt(f"Look at {WORDS}")
    for acl, privacy in SCOPES:
        scope = {"acl": acl, "privacy": privacy}
        session.edit(f"{canary('files', acl, privacy)}.md", **scope)
        session.turn_end(f"{canary('answer', acl, privacy)} was the reason for {WORDS}.", **scope)
    made.fold().index()
    viewer = VIEWERS["the same role in another session"]
    text = "".join(surfaces(made, viewer).values())
    public = {(acl, privacy) for acl, privacy in SCOPES if acl in ("user", None) and privacy in ("public", None)}
    for kind in ("files", "answer"):
        assert {scope for scope in SCOPES if marker(kind, *scope) in text} == public


def run_cli(remembering, *arguments):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run(["--bank", str(remembering.scratch.root), *arguments], CommandCall(clock=FixedClock(NOW)))
    assert code == 0, err.getvalue()
    return out.getvalue() + err.getvalue()


def cli_leaks(remembering):
    found = []
    for name, (session, agent, role) in VIEWERS.items():
        who = ["--session", session, "--agent", agent, "--role", role]
        texts = {
            "recall": run_cli(remembering, "recall", WORDS, *who, "--explain"),
            "recall, files": run_cli(remembering, "recall", NAMED, *who, "--explain"),
            "recall --format json": run_cli(remembering, "recall", "--tool", "Edit", "--file", "src/sky.py", *who, "--format", "json"),
            "recall --tool Bash": run_cli(remembering, "recall", "--tool", "Bash", CALLED, *who),
            "recall, start": run_cli(remembering, "recall", *who, "--explain"),
            "stats": run_cli(remembering, "recall", "stats", "--format", "json"),
        }
        for surface, text in texts.items():
            for kind, (acl, privacy) in product(KINDS, SCOPES):
                allowed = surface != "stats" and expected(kind, acl, privacy, (session, agent, role))
                if marker(kind, acl, privacy) in text and not allowed:
                    found.append((acl, privacy, kind, name, surface))
    return found


def test_the_command_line_shows_no_more_than_a_hook(remembering):
    assert cli_leaks(remembering) == []
    assert canary("note", "user", "public") in run_cli(remembering, "recall", WORDS)


@pytest.fixture(scope="module")
def crowd(shared_bank):
    """One public memory of each kind, and many newer ones with the same words and anchors that the reader may not see. The tests only read it."""
    made = Remembering(shared_bank(), FixedClock(NOW))
    for number, name in enumerate(("public", "public2")):
        _told(made.session(name, days_ago=3 + number), "public")
    for number in range(2):
        hidden = made.session(f"hidden{number}", days_ago=2 - number)
        for count in range(60):
            _told(hidden, f"hidden{count}", acl="session")
    for number in range(120):
        made.note(f"shared/hidden{number}.md", f"---\nacl: session\nsession_id: other\nrating: 10\n---\n# {WORDS}\n\nsrc/sky.py\n", days_old=1)
    return made.note("shared/public.md", f"# Public\n\n{WORDS} src/sky.py\n", days_old=5).fold().index()


@pytest.fixture
def crowded(crowd, monkeypatch):
    """Words that every memory contains do not count as evidence, so the settings here lower what counts as evidence."""
    monkeypatch.setattr(ranking, "MOST_BY_CHANCE", 99.0)
    monkeypatch.setattr(findings, "LEAST_SUM", 0.0)
    return crowd


def _told(session, name, **scope):
    session.prompt(f"Never rename the tables of {name}.", **scope)
    session.run("wrap sky build", error=f"Error: {WORDS}", **scope)
    session.run("sky build", output="built", **scope)
    session.turn_end(f"{name} was the reason for {WORDS}.", id=f"{session.session}-{name}", **scope)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("event", "moment", "found"),
    [
        (prompt(WORDS), "prompt", {"note:shared/public.md", "answer:public-public.0"}),
        (before("Edit", {"file_path": "src/sky.py"}), "tool_before", {"note:shared/public.md"}),
        (before("Bash", {"command": "wrap sky build"}), "tool_before", {"problem"}),
        (start(), "session_start", {"problem", "rule", "noted"}),
        (subagent("explorer", prompt=WORDS), "subagent_start", {"note:shared/public.md", "answer:public-public.0"}),
    ],
)
def test_what_nobody_may_see_takes_nobodys_place(crowded, event, moment, found):
    """Visibility is checked before every limit: a hundred and twenty hidden memories of each kind displace none that is public."""
    injection = crowded.preview(event, moment).injection
    sources = injection.sources
    assert "hidden" not in injection.text
    assert {source if source.startswith(("note:", "answer:", "session:")) else source.partition(":")[0] for source in sources} == found


MUTANTS = {
    "no check at all": lambda monkeypatch: monkeypatch.setattr(ranking.MemoryReader, "sees", lambda *_: True),
    "no acl": lambda monkeypatch: monkeypatch.setattr("memorybank.visibility._acl_passes", lambda *_: True),
    "no privacy": lambda monkeypatch: monkeypatch.setattr("memorybank.visibility._privacy_passes", lambda *_: True),
    "a misspelt value is public": lambda monkeypatch: monkeypatch.setattr(
        ranking, "visible", lambda acl, privacy, origin, viewer: _lenient(acl, privacy, origin, viewer)
    ),
    "every session is the same": lambda monkeypatch: monkeypatch.setattr("memorybank.cycle.recall.reading.Viewer", _viewer_of_the_owners_session),
    "null equals null": lambda monkeypatch: monkeypatch.setattr("memorybank.visibility._same", lambda one, other: one is None or one == other or other == MAIN),
}


def _lenient(acl, privacy, origin, viewer):
    from memorybank.visibility import visible

    return visible(acl if acl in ("agent", "session") else "user", privacy if privacy in ("agent-only", "private") else "public", origin, viewer)


def _viewer_of_the_owners_session(role=None, session=None, agent=None):
    from memorybank.visibility import Viewer

    return Viewer(role=role, session=OWNER["session"], agent=agent)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS)
def test_each_removed_check_is_caught(remembering, monkeypatch, mutant):
    MUTANTS[mutant](monkeypatch)
    assert any(leaking(remembering))
    if mutant == "no check at all":
        found = leaks(remembering)
        assert {surface for *_, surface in found} == set(SURFACES)
        assert {kind for *_, kind, _, _ in found} == set(KINDS)
        assert cli_leaks(remembering)


def test_knowledge_is_not_left_to_the_ranking(remembering, monkeypatch):
    """Knowledge is computed from rows, and each row is checked where it is read, because the ranking no longer knows their scopes."""
    monkeypatch.setattr(ranking.MemoryReader, "may_see", lambda *_: True)
    assert leaks(remembering) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "name", "surface"),
    [(earlier, "IS_SEEN", "prompt"), (continued, "IS_SEEN", "continued"), (rules, "IS_SEEN", "session_start"), (problems, "IS_SEEN_FAILURE", "command")],
)
def test_each_query_checks_for_itself(remembering, monkeypatch, module, name, surface):
    monkeypatch.setattr(module, name, "1")
    assert leaks(remembering, surface)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("privacy", "days", "hold", "seen_by_role", "seen_by_all"),
    [
        ("private", 6.9, 0, False, False),
        ("private", 7.1, 0, True, False),
        ("private", 29.9, 0, True, False),
        ("private", 30.1, 0, True, True),
        ("agent-only", 29.9, 0, True, False),
        ("agent-only", 30.1, 0, True, True),
        ("private", 90.0, 1, False, False),
        ("agent-only", 90.0, 1, True, False),
        ("public", 0.0, 0, True, True),
    ],
)
def test_time_releases_what_no_rule_lowered(privacy, days, hold, seen_by_role, seen_by_all):
    """private → its role after 7 days → everybody after 30 (Complete cycle design, "時限公開"), counted from the newest source."""
    memory = ranking.Memory("group:x", "group", 1, NOW - int(days * 86_400_000), importance=0.5, acl="user", privacy=privacy, hold=bool(hold), **OWNER)
    assert ranking.MemoryReader(_viewer("planner", "agent-3"), CycleSettings(), NOW).may_see(memory) == seen_by_role
    assert ranking.MemoryReader(_viewer("reviewer", "agent-2"), CycleSettings(), NOW).may_see(memory) == seen_by_all
    if privacy != "public":
        assert not ranking.MemoryReader(_viewer("reviewer", "agent-2"), CycleSettings(timed_release=False), NOW).may_see(memory)


def test_time_never_releases_an_acl_or_a_note():
    for acl in ("session", "agent"):
        old = ranking.Memory("group:x", "group", 1, NOW - 90 * 86_400_000, importance=0.5, acl=acl, privacy="public", **OWNER)
        assert not ranking.MemoryReader(_viewer("reviewer", "agent-2"), CycleSettings(), NOW).may_see(old)
    note = ranking.Memory("note:x", "note", 1, NOW - 90 * 86_400_000, importance=0.5, acl="user", privacy="private", **OWNER)
    assert not ranking.MemoryReader(_viewer("planner", "agent-3"), CycleSettings(), NOW).may_see(note)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("setting", "by_default", "narrow"),
    [("public", {"planner", "reviewer"}, set()), ("agent-only", {"planner"}, set()), ("private", set(), set())],
)
def test_the_settings_say_who_may_see_what_a_sub_agent_learned(setting, by_default, narrow):
    """Wider than its role or narrower, effective at once. What a rule lowered, or a line marks as private, stays so."""
    settings = CycleSettings(subagent_lessons=setting, timed_release=False)

    def seen_by(**fields):
        told = ranking.Memory("problem:x", ranking.LEARNED, 1, NOW, importance=0.5, **{"acl": "user", **OWNER, **fields})
        return {role for role in ("planner", "reviewer") if ranking.MemoryReader(_viewer(role, "agent-9"), settings, NOW).may_see(told)}

    assert seen_by(privacy="agent-only") == by_default
    assert seen_by(privacy="public") == by_default
    assert seen_by(privacy="private") == narrow
    assert seen_by(privacy="agent-only", hold=True) == {"planner"}
    assert seen_by(privacy="agent-only", acl="session") == set()
    assert seen_by(privacy="public", agent=MAIN, role=MAIN) == {"planner", "reviewer"}


@pytest.mark.every_case
@pytest.mark.parametrize(("setting", "seen_by"), [("public", {MAIN, "planner", "reviewer"}), ("agent-only", {"planner"}), ("private", set())])
def test_failures_of_sub_agents_are_told_as_the_settings_say(bank, fixed_clock, setting, seen_by):
    """As recorded: the lines of a sub-agent belong to its role, and are not held."""
    made = Remembering(bank(), fixed_clock, CycleSettings(subagent_lessons=setting))
    for number in range(2):
        session = made.session(f"past{number}", days_ago=1 + number)
        session.run("wrap sky build", error="Error: no wrapper", agent="agent-1", role="planner")
        session.run("sky build", output="built", agent="agent-1", role="planner")
    made.fold().index()
    found = set()
    for role in (MAIN, "planner", "reviewer"):
        event = before("Bash", {"command": "wrap sky build"}, agent=MAIN if role == MAIN else f"agent-{role}", role=role)
        injection = made.preview(event).injection
        found |= {role} if injection is not None and "use `sky build`" in injection.text else set()
    assert found == seen_by


def _viewer(role, agent):
    from memorybank.visibility import Viewer

    return Viewer(role=role, session="now", agent=agent)

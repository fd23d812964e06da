"""Who sees what: the full table of scopes × viewers × surfaces with a canary each. No leak, and every removed check is caught."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from itertools import product

import pytest

from memorybank.cli import main as cli
from memorybank.cli.call import Call
from memorybank.clock import FixedClock
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.event import MAIN
from memorybank.cycle.fold import cache
from memorybank.cycle.recall import matching, query, ranking
from memorybank.storage import database
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
KINDS = ("note", "lesson", "group", "session")
WORDS = "quasar nebula telescope 観測 望遠鏡"


def canary(kind, acl, privacy):
    return f"canary{KINDS.index(kind)}{ACLS.index(acl)}{PRIVACIES.index(privacy)}x"


def expected(kind, acl, privacy, viewer):
    """The rule, written down once more: acl by session and role, privacy by agent and role; what is unknown is the narrowest. A note
    names one author, its role and agent at once; what a sub-agent learned is no wider than the settings below say."""
    session, agent, role = viewer
    if kind == "lesson" and privacy in (None, "public"):
        privacy = "agent-only"
    author = OWNER["role"] if kind == "note" else OWNER["agent"]
    passes = {"user": True, None: True, "agent": role == OWNER["role"]}.get(acl, session == OWNER["session"])
    return passes and {"public": True, None: True, "agent-only": role == OWNER["role"]}.get(privacy, agent == author)


@pytest.fixture
def remembering(bank, fixed_clock):
    """One memory of each kind and scope; settings under which all that may be seen is shown, and nothing is bundled away."""
    settings = _wide()
    made = Remembering(bank(), fixed_clock, settings)
    (made.scratch.root / "config").mkdir()
    (made.scratch.root / "config" / "cycle_config.json").write_text(json.dumps(_wide_json()))
    made.fold()
    with database.transaction(cache.writable(made.scratch.layout)):
        _fill(made)
    return made.index()


def _fill(made):
    for acl, privacy in SCOPES:
        front = {"acl": acl, "privacy": privacy, "session_id": OWNER["session"], "agent_created": OWNER["role"]}
        lines = "".join(f"{name}: {value}\n" for name, value in front.items() if value is not None)
        name = canary("note", acl, privacy)
        made.note(f"shared/{name}.md", f"---\n{lines}---\n# {name}\n\n{WORDS} src/sky.py\n")
        scope = {"acl": acl or "user", "privacy": privacy or "public", "cell": name, **OWNER}
        made.insert(f"lesson:{canary('lesson', acl, privacy)}", f"{canary('lesson', acl, privacy)} {WORDS}", anchors=["file:src/sky.py"], protected=1, **scope)
        made.insert(
            f"group:{canary('group', acl, privacy)}", f"{canary('group', acl, privacy)} {WORDS}", anchors=["file:src/sky.py", "err:Bash sky"], protected=1,
            tool="Bash", status="failure", failures=1, **scope,
        )  # fmt: skip
        made.insert(f"session:{canary('session', acl, privacy)}", f"{canary('session', acl, privacy)} {WORDS}", **scope)


def _wide_json():
    return {
        "memory": {"enabled": True},
        "subagent_lessons": "agent-only",
        "timed_release": False,
        "recall": {"top_k": 20, "min_score": 0.0, "min_match": 0.0},
        "budgets": {"prompt": 9500, "tool": 9500, "failure": 9500, "subagent": 9500},
    }


def _wide():
    from memorybank.config.group import merge

    return merge(CycleSettings, _wide_json(), [])


def surfaces(remembering, viewer):
    """{surface: everything that it lets out}. Each kind is asked for alone, so that the budget hides nothing."""
    session, agent, role = viewer
    who = {"session": session, "agent": agent, "role": role}
    moments = {
        "prompt": (prompt(WORDS, **who), "prompt"),
        "tool": (before("Edit", {"file_path": "src/sky.py"}, **who), "tool_before"),
        "failure": (failure("Bash", {"command": "look src/sky.py"}, f"Error: {WORDS}", **who), query.FAILURE),
        "subagent": (subagent(role, session=session, agent=agent), "subagent_start"),
        "session_start": (start(session=session, agent_id=agent, agent_role=role), "session_start"),
    }
    found = {}
    for name, (event, moment) in moments.items():
        draft, composed = recollected(remembering, event, moment)
        injection = composed.injection.text if composed.injection is not None else ""
        logged = [recollection.memory.memory for recollection in (*composed.shown, *composed.shadows, *draft.earned, *draft.near)]
        texts = [item.text for recollection in draft.earned if (item := draft.item(recollection)) is not None]
        draft.sources.close()
        found[name] = "\n".join((injection, *logged, *texts))
    return found


def recollected(remembering, event, moment):
    from memorybank.cycle.recall import recollect

    return recollect.preview(remembering.base, event, moment, NOW)


def leaks(remembering):
    """(scope, kind, viewer, surface) of every canary that somebody saw who may not."""
    found = []
    for name, viewer in VIEWERS.items():
        for surface, text in surfaces(remembering, viewer).items():
            for kind, (acl, privacy) in product(KINDS, SCOPES):
                allowed = expected(kind, acl, privacy, viewer)
                if canary(kind, acl, privacy) in text and not allowed:
                    found.append((acl, privacy, kind, name, surface))
    return found


def test_no_surface_lets_out_what_its_reader_may_not_see(remembering):
    assert leaks(remembering) == []


def test_what_may_be_seen_is_seen(remembering, monkeypatch):
    """The table would also hold for a recall that shows nothing."""
    monkeypatch.setattr(matching, "EXACT", 200)
    unseen = []
    for name, viewer in VIEWERS.items():
        found = surfaces(remembering, viewer)
        own = viewer[:2] == (OWNER["session"], OWNER["agent"])
        for acl, privacy in SCOPES:
            for kind, surface in (("note", "prompt"), ("note", "tool"), ("lesson", "prompt"), ("lesson", "tool"), ("lesson", "failure"), ("group", "failure")):
                allowed = expected(kind, acl, privacy, viewer)
                if allowed and not own and canary(kind, acl, privacy) not in found[surface]:
                    unseen.append((acl, privacy, kind, name, surface))
    assert unseen == []


def run_cli(remembering, *arguments):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run(["--bank", str(remembering.scratch.root), *arguments], Call(clock=FixedClock(NOW)))
    assert code == 0, err.getvalue()
    return out.getvalue() + err.getvalue()


def cli_leaks(remembering):
    found = []
    for name, (session, agent, role) in VIEWERS.items():
        who = ["--session", session, "--agent", agent, "--role", role]
        texts = {
            "recall": run_cli(remembering, "recall", WORDS, *who, "--explain"),
            "recall --format json": run_cli(remembering, "recall", "--tool", "Edit", "--file", "src/sky.py", *who, "--format", "json"),
            "recall, start": run_cli(remembering, "recall", *who, "--explain"),
            "stats": run_cli(remembering, "recall", "stats", "--format", "json"),
        }
        for surface, text in texts.items():
            for kind, (acl, privacy) in product(KINDS, SCOPES):
                allowed = surface != "stats" and expected(kind, acl, privacy, (session, agent, role))
                if canary(kind, acl, privacy) in text and not allowed:
                    found.append((acl, privacy, kind, name, surface))
    return found


def test_the_command_line_shows_no_more_than_a_hook(remembering):
    assert cli_leaks(remembering) == []
    assert canary("note", "user", "public") in run_cli(remembering, "recall", WORDS)


@pytest.fixture
def crowded(bank, fixed_clock):
    """One memory of each kind that everybody may see, and a crowd with the same words and anchors that is somebody else's, and newer."""
    made = Remembering(bank(), fixed_clock).fold()
    with database.transaction(cache.writable(made.scratch.layout)):
        for number in range(120):
            made.note(f"shared/hidden{number}.md", f"---\nacl: session\nsession_id: other\nrating: 10\n---\n# {WORDS}\n\nsrc/sky.py\n", days_old=1)
            for kind in ("lesson", "session"):
                scope = {"acl": "session", "session": "other", "cell": "narrow"}
                made.insert(f"{kind}:hidden{number}", WORDS, anchors=["file:src/sky.py"], days_ago=0.5, protected=kind == "lesson", **scope)
        made.insert("lesson:public", f"public {WORDS}", anchors=["file:src/sky.py"], protected=1, days_ago=3)
        made.insert("session:public", f"public {WORDS}", session="public", days_ago=3)
    return made.note("shared/public.md", f"# Public\n\n{WORDS} src/sky.py\n", days_old=5).index()


@pytest.mark.parametrize(
    ("event", "moment", "found"),
    [
        (prompt(WORDS), "prompt", {"note:shared/public.md", "lesson:public", "session:public"}),
        (before("Edit", {"file_path": "src/sky.py"}), "tool_before", {"note:shared/public.md", "lesson:public"}),
        (start(), "session_start", {"note:shared/public.md", "lesson:public", "session:public"}),
        (subagent("explorer"), "subagent_start", {"note:shared/public.md", "lesson:public", "session:public"}),
    ],
)
def test_what_nobody_may_see_takes_nobodys_place(crowded, monkeypatch, event, moment, found):
    """Visibility comes before every limit: a hundred and twenty hidden memories of each kind crowd out none that is public."""
    monkeypatch.setattr(ranking, "MOST_BY_CHANCE", 99.0)  # words that every note has are no evidence, here they are to be some
    assert set(crowded.preview(event, moment).injection.sources) == found


MUTANTS = {
    "no check at all": lambda monkeypatch: monkeypatch.setattr(ranking, "sees", lambda *_: True),
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


@pytest.mark.parametrize("mutant", MUTANTS)
def test_each_removed_check_is_caught(remembering, monkeypatch, mutant):
    MUTANTS[mutant](monkeypatch)
    found = leaks(remembering)
    assert found
    if mutant == "no check at all":
        assert {surface for *_, surface in found} == {"prompt", "tool", "failure", "subagent", "session_start"}
        assert cli_leaks(remembering)


def test_the_start_of_a_session_checks_its_own_part(remembering, monkeypatch):
    """The last session and open failures do not pass the ranking: they have a check of their own, and it is held."""
    monkeypatch.setattr(ranking, "may_see", lambda *_: True)
    assert {surface for *_, surface in leaks(remembering)} >= {"session_start"}


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
    """private → its role after 7 days → everybody after 30 (Complete cycle design, "時限公開"), from the newest source on."""
    memory = ranking.Memory("group:x", "group", 1, NOW - int(days * 86_400_000), importance=0.5, acl="user", privacy=privacy, hold=bool(hold), **OWNER)
    assert ranking.may_see(memory, _viewer("planner", "agent-3"), CycleSettings(), NOW) == seen_by_role
    assert ranking.may_see(memory, _viewer("reviewer", "agent-2"), CycleSettings(), NOW) == seen_by_all
    if privacy != "public":
        assert not ranking.may_see(memory, _viewer("reviewer", "agent-2"), CycleSettings(timed_release=False), NOW)


def test_time_never_releases_an_acl_or_a_note():
    for acl in ("session", "agent"):
        old = ranking.Memory("group:x", "group", 1, NOW - 90 * 86_400_000, importance=0.5, acl=acl, privacy="public", **OWNER)
        assert not ranking.may_see(old, _viewer("reviewer", "agent-2"), CycleSettings(), NOW)
    note = ranking.Memory("note:x", "note", 1, NOW - 90 * 86_400_000, importance=0.5, acl="user", privacy="private", **OWNER)
    assert not ranking.may_see(note, _viewer("planner", "agent-3"), CycleSettings(), NOW)


@pytest.mark.parametrize(("setting", "seen"), [("public", {"planner", "reviewer"}), ("agent-only", {"planner"}), ("private", set())])
def test_what_a_sub_agent_learned_is_lowered_as_soon_as_the_settings_say(setting, seen):
    """Also what was folded under wider settings; what was folded narrower stays so."""
    lesson = ranking.Memory("lesson:x", "lesson", 1, NOW, importance=0.5, acl="user", privacy="public", **OWNER)
    settings = CycleSettings(subagent_lessons=setting)
    assert {role for role in ("planner", "reviewer") if ranking.may_see(lesson, _viewer(role, "agent-9"), settings, NOW)} == seen
    narrow = ranking.Memory("lesson:x", "lesson", 1, NOW, importance=0.5, acl="user", privacy="private", **OWNER)
    assert not ranking.may_see(narrow, _viewer("planner", "agent-9"), settings, NOW)
    by_main = ranking.Memory("lesson:x", "lesson", 1, NOW, importance=0.5, acl="user", privacy="public", session="earlier", agent=MAIN, role=MAIN)
    assert ranking.may_see(by_main, _viewer("planner", "agent-9"), settings, NOW)


def _viewer(role, agent):
    from memorybank.visibility import Viewer

    return Viewer(role=role, session="now", agent=agent)

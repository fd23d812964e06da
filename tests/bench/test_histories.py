"""Generated histories hold what they promise: the same bytes everywhere, enough targets, and planted facts that really occur."""

import collections
import functools
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.cycle import event as events
from memorybank.cycle.event import Event
from memorybank.text.commands import anchors

pytestmark = pytest.mark.slow

HISTORIES = Path(__file__).resolve().parents[2] / "scripts" / "bench" / "histories"
ROOT = "/history"
JAPANESE = re.compile("[ぁ-ん]")


class Made:
    """A history read back: events of all sessions in order of time, facts, decoys."""

    def __init__(self, folder: Path, printed: str) -> None:
        self.folder, self.printed = folder, json.loads(printed)
        self.truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        self.sessions = {}
        for path in sorted((folder / "sessions").iterdir()):
            self.sessions[path.stem] = [Event(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
        placed = [(event.at, name, order, event) for name, listed in self.sessions.items() for order, event in enumerate(listed)]
        self.events = [event for _, _, _, event in sorted(placed, key=lambda row: row[:3])]

    def facts(self, kind: str) -> list[dict]:
        return [fact for fact in self.truth["facts"] if fact["kind"] == kind]

    def notes(self) -> list[str]:
        return [path.read_text(encoding="utf-8") for path in sorted((self.folder / "notes").rglob("*.md"))]


def generate(folder: Path, *options: str, **environment: str) -> Made:
    command = [sys.executable, "-B", str(HISTORIES), str(folder), *options]
    return Made(folder, subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **environment}).stdout)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """300 sessions, the size at which claims are made."""
    return generate(tmp_path_factory.mktemp("histories") / "whole", "--seed", "7")


@pytest.fixture(scope="module")
def drifting(tmp_path_factory):
    return generate(tmp_path_factory.mktemp("histories") / "drifting", "--seed", "7", "--drift")


@pytest.fixture(params=["whole", "drifting"])
def made(request):
    return request.getfixturevalue(request.param)


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def touched(event: Event) -> list[str]:
    return _anchors(event.tool, json.dumps(event.inputs)) if event.tool else []


@functools.cache
def _anchors(tool: str, inputs: str) -> list[str]:
    return anchors.of_call(tool, json.loads(inputs), ROOT, ROOT)


def prompts_of(session: list[Event]) -> list[str]:
    return [event.prompt for event in session if event.name == events.PROMPT]


def novel_targets(made: Made) -> collections.Counter:
    """First uses of an anchor in a context that a line of another context or a note holds, and that no line of this context named before:
    counted from the events alone, by anchor."""
    held = collections.defaultdict(set)
    for text in made.notes():
        for anchor in anchors.of_text(text, ROOT, ROOT):
            held[anchor].add(("note", "main"))
    seen = collections.defaultdict(set)
    found = collections.Counter()
    for event in made.events:
        context = (event.session_id, event.agent_id)
        named = anchors.of_text(event.prompt, ROOT, ROOT) if event.name == events.PROMPT else touched(event)
        if event.name == events.TOOL_BEFORE:
            for anchor in named:
                others = {holder for holder in held[anchor] if holder != context and (holder[1] == "main" or event.agent_id != "main")}
                found[anchor] += anchor not in seen[context] and bool(others)
        seen[context].update(named)
        for anchor in named:
            held[anchor].add(context)
    return found


@pytest.mark.parametrize("options", [(), ("--drift",)], ids=["steady", "drift"])
def test_the_same_seed_gives_the_same_bytes_everywhere(tmp_path, options):
    size = ("--seed", "3", "--sessions", "12", *options)
    first = digest(generate(tmp_path / "a", *size, PYTHONHASHSEED="0", TZ="UTC").folder)
    assert digest(generate(tmp_path / "b", *size, PYTHONHASHSEED="1", TZ="Asia/Tokyo", LC_ALL="C").folder) == first
    assert digest(generate(tmp_path / "c", "--seed", "4", "--sessions", "12", *options).folder) != first


def test_a_folder_with_something_in_it_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("x")
    run = subprocess.run([sys.executable, "-B", str(HISTORIES), str(tmp_path)], capture_output=True, text=True)
    assert run.returncode == 2 and "not empty: name a new folder" in run.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_folder_says_what_it_is(whole, drifting):
    for made, drift in ((whole, False), (drifting, True)):
        written = json.loads((made.folder / "history.json").read_text(encoding="utf-8"))
        assert written == {"generator": 2, "seed": 7, "sessions": 300, "options": {"sessions": 300, "japanese": 0.3, "drift": drift}}
        assert made.truth["counts"] == {name: value for name, value in made.printed.items() if name != "seconds"}
        assert made.printed["events"] == len(made.events)


def test_every_line_is_an_event_of_a_host_that_takes_memory(made):
    delivering = (events.SESSION_START, events.PROMPT, events.TOOL_BEFORE, events.TOOL_AFTER, events.SUBAGENT_START)
    for name, session in made.sessions.items():
        assert session[0].name == events.SESSION_START and session[-1].name == events.SESSION_END
        assert [event.at for event in session] == sorted(event.at for event in session)
        for event in session:
            assert event.host == "claude-code" and event.name in events.NAMES and event.session_id == name and event.cwd == ROOT
            assert event.delivery == (event.name in delivering)
        opened = [event.tool_use_id for event in session if event.name == events.TOOL_BEFORE]
        closed = [event.tool_use_id for event in session if event.name == events.TOOL_AFTER]
        assert sorted(opened) == sorted(closed) and len(set(opened)) == len(opened)
    seen = {event.name for event in made.events}
    assert seen == set(events.NAMES)


def test_three_of_ten_sessions_are_held_in_japanese_throughout(made):
    japanese = [session for session in made.sessions.values() if JAPANESE.search(prompts_of(session)[0])]
    assert len(made.sessions) == 300 and len(japanese) == 90
    said = [event for session in japanese for event in session if event.last_message]
    assert sum(bool(JAPANESE.search(event.last_message)) for event in said) / len(said) > 0.99
    errors = [event.error for session in made.sessions.values() for event in session if event.error and event.tool == "Bash"]
    assert 0.15 < sum(bool(JAPANESE.search(error)) for error in errors) / len(errors) < 0.45  # a program has one language, whoever runs it
    english = [text for session in made.sessions.values() if session not in japanese for text in prompts_of(session)]
    assert sum(bool(JAPANESE.search(text)) for text in english) / len(english) < 0.03  # only where a file is named


def test_there_are_more_than_two_thousand_novel_targets_and_most_of_them_are_planted(made):
    found = novel_targets(made)
    planted = {anchor for fact in made.truth["facts"] for anchor in (*fact["from_anchors"], *fact["to_anchors"])}
    assert found.total() > 3_000
    assert sum(count for anchor, count in found.items() if anchor in planted) > 2_000
    japanese_facts = [fact for fact in made.truth["facts"] if fact["language"] == "ja"]
    assert 0.15 < len(japanese_facts) / len(made.truth["facts"]) < 0.45


def test_always_showing_what_is_frequent_or_recent_hits_little(made):
    """No anchor is a novel target of every fourth session, popular files are named before they are touched, and sessions in a row share little."""
    found = novel_targets(made)
    assert max(found.values()) < 0.25 * len(made.sessions)
    popular = [anchor for anchor in made.truth["decoys"]["popular"] if anchor.startswith("file:")]
    uses = collections.Counter(anchor for event in made.events if event.name == events.TOOL_BEFORE for anchor in touched(event) if anchor in popular)
    assert sum(uses.values()) > 2 * len(made.sessions)
    assert sum(found[anchor] for anchor in popular) < 0.12 * sum(uses.values())
    in_order = sorted(made.sessions.values(), key=lambda session: session[0].at)
    files = [{a for event in session for a in touched(event) if a.startswith("file:") and a not in popular} for session in in_order]
    shared = [len(now & last) / len(now) for last, now in itertools.pairwise(files)]
    assert sum(shared) / len(shared) < 0.12


def test_files_that_are_said_to_change_together_do(made):
    for fact in made.facts("changed_together"):
        for name in fact["sessions"]:
            used = {anchor for event in made.sessions[name] for anchor in touched(event)}
            assert set(fact["from_anchors"]) <= used and used & set(fact["to_anchors"]), fact
    surprising = [fact for fact in made.facts("changed_together") if fact["surprising"]]
    assert len(surprising) > 60
    spoken = "\n".join(text for session in made.sessions.values() for text in prompts_of(session))
    assert not [fact for fact in surprising if fact["to_anchors"][0].removeprefix("file:") in spoken]


def test_not_every_member_changes_each_time_and_readers_change_nothing(whole):
    changed = {name: {anchor for event in session if event.tool in ("Edit", "Write") for anchor in touched(event)} for name, session in whole.sessions.items()}
    for_source = collections.Counter(event.session_id for event in whole.events if event.name == events.TOOL_AFTER and event.tool == "Read")
    assert len(for_source) == 300
    shares = []
    for fact in whole.facts("changed_together"):
        edited = [name for name, anchors in changed.items() if anchors & set(fact["from_anchors"])]
        if len(edited) >= 5:
            shares.append(len(fact["sessions"]) / len(edited))
    assert 0.3 < sum(shares) / len(shares) < 0.9


def test_failures_come_back_with_other_numbers_and_are_mended_as_said(made):
    again = 0
    for fact in made.facts("failure_fixed"):
        texts = set()
        for name in fact["sessions"]:
            session = made.sessions[name]
            failed = [number for number, event in enumerate(session) if set(fact["from_anchors"]) & {*anchors.of_error(event.tool or "", event.error, ROOT)}]
            assert failed, fact
            texts.update(session[number].error for number in failed)
            assert any(set(fact["to_anchors"]) & {*touched(event)} for event in session[failed[0] :]), fact
        again += len(fact["sessions"]) > 1
        assert len(texts) > min(1, len(fact["sessions"]) // 3)
    assert again > 50


def test_wishes_are_said_before_they_are_obeyed(made):
    wishes = [fact for fact in made.facts("preference") if fact["wish"] and "told_ms" in fact]
    assert len(wishes) >= 14 and sum(len(fact["sessions"]) for fact in wishes) > 150
    for fact in wishes:
        told = [event for event in made.sessions[fact["told_in"]] if event.name == events.PROMPT and event.at <= fact["told_ms"]]
        assert told, fact
        if not fact["to_anchors"]:
            continue
        for name in fact["sessions"]:
            used = [event.at for event in made.sessions[name] for anchor in touched(event) if anchor in fact["to_anchors"]]
            assert used and max(used) >= fact["told_ms"], fact


def test_without_drift_notes_name_files_that_are_used_with_drift_they_do_not(whole, drifting):
    for made, least, most in ((whole, 0.8, 1.0), (drifting, 0.0, 0.0)):
        named = {anchor for text in made.notes() for anchor in anchors.of_text(text, ROOT, ROOT) if anchor.startswith("file:")}
        used = {anchor for event in made.events for anchor in touched(event)}
        assert len(made.notes()) >= 15 and least <= len(named & used) / len(named) <= most


def test_with_drift_a_folder_is_left_for_good(drifting):
    """Only calls that fail because the file is gone name it after the move."""
    results = [event for event in drifting.events if event.name == events.TOOL_AFTER]
    new = [event.at for event in results if any(anchor.startswith("file:frontend/") for anchor in touched(event))]
    old = [event for event in results if any(anchor.startswith("file:web/") for anchor in touched(event))]
    assert sum(event.at < min(new) for event in old) > 300
    late = [event for event in old if event.at > min(new) + 86_400_000]
    assert all(event.status == events.FAILURE for event in late)
    replaced = [fact for fact in drifting.facts("failure_fixed") if fact["to_ms"]]
    assert len(replaced) > 15


def test_throw_away_files_are_never_needed_again(made):
    used = collections.defaultdict(set)
    for event in made.events:
        for anchor in touched(event):
            if anchor.startswith(tuple(f"file:{folder}" for folder in made.truth["decoys"]["never_again"])):
                used[anchor].add(event.session_id)
    assert len(used) > 40
    assert sum(len(names) > 1 for names in used.values()) / len(used) < 0.1


def test_a_fact_would_help_where_another_session_knew_it_before(made):
    counts = collections.Counter()
    for fact in made.truth["facts"]:
        assert fact["any_of"] or fact["kind"] == "preference"
        for name, since, until in fact["occasions"]:
            assert made.sessions[name][0].at <= since <= until
            counts[fact["kind"]] += any(other != name and at < since for other, at in fact["known"])
    assert counts["decision"] > 60 and counts["preference"] > 150 and counts["failure_fixed"] > 250 and counts["changed_together"] > 800


def test_acceptance_seeds_have_chores_of_their_own(tmp_path):
    chores = [{fact["chore"] for fact in generate(tmp_path / seed, "--seed", seed, "--sessions", "40").facts("preference")} for seed in ("2", "103")]
    assert all(chores) and not chores[0] & chores[1]

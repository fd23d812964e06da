"""The baselines: fair, within their token budget, and never shown what a viewer may not see."""

from collections import Counter
from random import Random

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.replay import arena, sources
from memorybank.replay.arms import BASELINES, KEYWORD, RANDOM, SEEDS, Baselines, KeywordIndex
from memorybank.replay.play import play, scratch

from .told import DAY, NOW, Told, pairs

SETTINGS = CycleSettings()


def silence(done, whole):
    pass


@pytest.fixture
def taken(history):
    """taken(*sessions, budgets, notes) → (runs, the played run, every memory at the end)."""

    def run(*told, budgets=(60, 4_000), notes=None):
        source = sources.of_paths([str(history(*told, notes=notes))])
        with scratch(source, arena.silent(SETTINGS)) as base:
            baselines = Baselines(base, BASELINES, budgets)
            played = play(base, source, silence, baselines.asked)
            baselines.orders.refresh()
            return baselines, played, {entry.memory.memory: entry for entry in baselines.pool.entries}

    return run


def test_no_arm_spends_more_than_its_tokens_shows_a_memory_twice_or_more_than_top_k(taken):
    baselines, _, _ = taken(*pairs(4), budgets=(60, 300, 4_000))
    assert len(baselines.runs) == 3 * (SEEDS + 3)
    for run in baselines.runs:
        for session in {shown.session for shown in run.shown}:
            assert sum(shown.tokens for shown in run.shown if shown.session == session) <= run.budget
        contexts = Counter((shown.session, shown.agent, shown.memory) for shown in run.shown)
        assert max(contexts.values(), default=0) == 1
        moments = Counter((shown.session, shown.agent, shown.offset) for shown in run.shown)
        assert max(moments.values(), default=0) <= SETTINGS.recall.top_k
        assert all(shown.tokens > 0 for shown in run.shown)
    assert {run.arm for run in baselines.runs if run.shown} == set(BASELINES)


def test_nothing_of_the_own_context_and_nothing_invisible_is_ever_shown(taken):
    secret = Told("s-secret", NOW - DAY).prompt("look at the keys").read(".env").edit("secrets/token.pem")
    secret.call("Read", agent="sub-1", role="planner", file_path="/history/src/planned.py")
    baselines, _, entries = taken(secret.end(), *pairs(3))
    shown = [shown for run in baselines.runs for shown in run.shown]
    assert shown
    for each in shown:
        assert not {"file:.env", "file:secrets/token.pem", "file:src/planned.py"} & each.holds or each.session == "s-secret"
        entry = entries.get(each.memory)
        assert entry is None or (entry.memory.session, entry.memory.agent) != (each.session, each.agent)


def test_what_earlier_sessions_said_is_there_for_every_arm(taken):
    """Recall makes its findings from these passages; baselines without them would be easy to beat."""
    baselines, _, entries = taken(*pairs(3), budgets=(4_000,))
    said = {name: entry for name, entry in entries.items() if name.startswith("answer:")}
    assert len(said) == 3 and all(list(entry.anchors) == ["file:docs/アップロード.md"] for entry in said.values())
    keyword = {shown.memory: shown for run in baselines.runs if run.arm == KEYWORD for shown in run.shown}
    told = [keyword[name] for name in said.keys() & keyword.keys()]
    assert told and all("file:docs/アップロード.md" in shown.holds for shown in told)
    texts = [text.text for run in baselines.runs if run.arm == KEYWORD for text in run.texts]
    assert any("Uploads are retried five times" in text and "session s0" in text for text in texts)


def test_every_memory_has_the_same_chance_with_random(taken):
    baselines, _, entries = taken(*pairs(3))
    chance = Random(1)

    class Asked:
        def may_see(self, entry):
            return True

    drawn = Counter()
    for _ in range(3_000):
        drawn[next(baselines.orders.random(chance, Asked())).memory.memory] += 1
    expected = 3_000 / len(entries)
    assert drawn.keys() == entries.keys()
    assert all(abs(count - expected) < 5 * expected**0.5 for count in drawn.values())


def test_random_finds_the_last_one_that_can_be_shown(taken):
    baselines, _, entries = taken(*pairs(3))
    last = sorted(entries)[-1]

    class Asked:
        def may_see(self, entry):
            return entry.memory.memory == last

    assert last in [entry.memory.memory for entry in baselines.orders.random(Random(1), Asked())]


def test_recent_begins_with_the_newest_and_frequent_with_what_most_calls_touched(taken):
    baselines, _, entries = taken(*pairs(3))
    recent = [entry.memory.at for entry in baselines.orders.recent()]
    assert recent == sorted(recent, reverse=True)
    assert len(recent) == len(entries)

    class Asked:
        def may_see(self, entry):
            return True

    calls = Counter()
    for entry in entries.values():
        calls.update(dict.fromkeys(entry.anchors, entry.calls))
    first = next(baselines.orders.frequent(set(), Asked()))
    assert max(calls[anchor] for anchor in first.anchors) == max(calls.values())


def test_notes_are_there_from_the_beginning_and_session_notes_are_none(taken):
    note = {"planning/limits.md": "# Upload limits\n\nRetries stand in src/limits.py; タイムアウトも。\n"}
    baselines, _, entries = taken(*pairs(3), notes=note)
    assert [name for name in entries if name.startswith("note:")] == ["note:planning/limits.md"]
    assert any(shown.memory == "note:planning/limits.md" for run in baselines.runs if run.arm == RANDOM for shown in run.shown)


def test_a_plain_search_ranks_rare_words_above_common_ones_and_forgets_what_was_taken():
    texts = KeywordIndex()
    for number in range(40):
        texts.put(f"{number:02}", ["common"] if number % 2 else ["other"])
    texts.put("both", ["common", "rare"])
    texts.put("long", ["rare", *["filling"] * 50])
    assert texts.best(["rare", "rare", "nothing"]) == ["both", "long"]
    texts.remove("both")
    assert texts.best(["rare"]) == ["long"]
    assert texts.best([]) == []

"""The counts of an arm, in handwritten cases."""

from memorybank.config.cycle import CycleSettings
from memorybank.replay.measure import ReplayFacts, Tally, mean, measure, outcome_counts, shown_in, total
from memorybank.replay.targets import ShownMemory, timeline
from memorybank.replay.text_targets import ShownText, TextMatch, TextTarget

from .told import NOW, line

PYTEST = {"fingerprint": "pytest", "tool": "Bash", "anchors": ["cmd:pytest"]}


def shown(memory, anchors, offset, rank=1, holds=(), tokens=10):
    return ShownMemory("later", "main", offset, "prompt", rank, memory, tuple(anchors), tokens, frozenset([*anchors, *holds]))


def test_a_target_counts_once_for_the_memory_that_tells_it_first():
    lines = [line("tool_after", "earlier", anchors=["file:a", "file:b"])]
    lines += [line("tool_before", "later", at=NOW + 1, offset=20 + n, anchors=[f"file:{name}"]) for n, name in enumerate("ab")]
    memories = [shown("useless", ["file:z"], 5), shown("both", ["file:a", "file:b"], 5, rank=2), shown("again", ["file:a"], 6)]
    counts = measure(ReplayFacts(timeline(lines, {}, CycleSettings()), [], {"earlier": 1, "later": 4}), memories, [])["later"]
    assert (counts.targets, counts.hits, counts.shown, counts.useful, counts.tokens) == (2, 2, 3, 1, 30)
    assert (counts.moments, counts.fired, counts.reciprocal) == (4, 2, 0.5)
    assert counts.kinds == {"file": Tally(2, 2)}


def test_every_session_has_its_counts_and_a_mean_is_over_runs():
    wanted = TextTarget("rule", "later", "main", 9, (TextMatch(phrase="US English"),))
    facts = ReplayFacts(timeline([], {}, CycleSettings()), [wanted], {"later": 2})
    one = measure(facts, [shown("m", ["file:a"], 5)], [ShownText("later", "main", 3, "write US English")])
    other = measure(facts, [], [])
    assert mean([one, other])["later"].shown == 0.5
    assert mean([one, other])["later"].kinds == {"rule": Tally(1, 0.5)}
    assert total(mean([one, other]).values()).moments == 2
    assert total([*one.values(), *one.values()]).of("rule") == Tally(2, 2)


def test_what_is_wanted_in_words_is_counted_by_texts_alone():
    """A memory that names the right file does not hit a rule, whatever its anchors."""
    facts = ReplayFacts(timeline([], {}, CycleSettings()), [TextTarget("rule", "later", "main", 9, (TextMatch(phrase="US English"),))], {"later": 1})
    named = [shown("m", ["file:style.md"], 5)]
    assert measure(facts, named, [ShownText("later", "main", 3, "style.md")])["later"].of("rule") == Tally(1, 0)
    assert measure(facts, [], [ShownText("later", "main", 3, "US English")])["later"].of("rule") == Tally(1, 1)
    assert measure(facts, [], [ShownText("later", "main", 9, "US English")])["later"].of("rule") == Tally(1, 0), "said by then"


def test_what_happened_is_told():
    lines = [line("turn_end", status="success"), line("turn_end", status="failure", offset=1)]
    lines += [line("tool_after", offset=2 + n, status=status, **PYTEST) for n, status in enumerate(["failure", "success", "success"])]
    assert outcome_counts(lines) == (2, 1, 1, 2, 0)


def test_exposure_lines_become_what_was_shown():
    exposures = [
        {"memory": "near", "shown": False, "anchors": ["file:x"], "tokens": 0},
        {"memory": "a", "shown": True, "anchors": ["file:a"], "why": ["cmd:make", "word"], "tokens": 7},
    ]
    (found,) = shown_in([line("exposure", "later", offset=3, trigger={"event": "failure"}, exposures=exposures), line("prompt")])
    assert (found.memory, found.rank, found.anchors, found.tokens, found.moment) == ("a", 1, ("file:a",), 7, "failure")
    assert found.holds >= {"file:a", "cmd:make"}

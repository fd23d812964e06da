"""The counts of an arm, in handwritten cases."""

from memorybank.config.cycle import CycleSettings
from memorybank.replay.measure import ReplayFacts, Tally, mean, measure, outcome_counts, shown_in, total
from memorybank.replay.targets import ShownMemory, timeline
from memorybank.replay.text_targets import ShownText, TextMatch, TextTarget, words_of

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


def test_a_memory_whose_text_contains_what_is_wanted_is_useful():
    """It names no file and no command: a rule, a cause, what a person said. Only the first one counts, for every arm."""
    wanted = [TextTarget("rule", "later", "main", 9, (TextMatch(phrase="US English"),))]
    facts = ReplayFacts(timeline([], {}, CycleSettings()), wanted, {"later": 3})
    memories = [shown("other", [], 1), shown("rule", [], 1, rank=2), shown("again", [], 2), shown("late", [], 8)]
    texts = {"other": "write short sentences", "rule": "write US English", "again": "US English, please"}
    counted = measure(facts, memories, [ShownText("later", "main", 3 + number, text, name) for number, (name, text) in enumerate(texts.items())])["later"]
    assert (counted.shown, counted.useful, counted.fired, counted.reciprocal) == (4, 1, 3, 0.5)
    late = measure(facts, memories, [ShownText("later", "main", 9, "write US English", "late")])["later"]
    assert late.useful == 0


def test_the_precision_of_memories_that_name_something_leaves_the_others_out():
    """A standing rule names nothing, so no call can show that it helped."""
    lines = [line("tool_after", "earlier", anchors=["file:a"]), line("tool_before", "later", at=NOW + 1, offset=20, anchors=["file:a"])]
    memories = [shown("right", ["file:a"], 5), shown("wrong", ["file:b"], 5, rank=2), shown("rule", [], 5, rank=3), shown("error", ["err:E"], 5, rank=4)]
    counted = measure(ReplayFacts(timeline(lines, {}, CycleSettings()), [], {"later": 1}), memories, [])["later"]
    assert (counted.shown, counted.useful, counted.naming, counted.useful_naming) == (4, 1, 2, 1)


def test_several_memories_that_only_together_contain_it_hit_without_being_useful():
    wanted = TextTarget("rule", "later", "main", 9, (TextMatch(words_of("palette, dither, gamma, noise")),))
    facts = ReplayFacts(timeline([], {}, CycleSettings()), [wanted], {"later": 1})
    texts = [ShownText("later", "main", 3, text, text) for text in ("palette", "dither and gamma")]
    counted = measure(facts, [shown("palette", [], 1), shown("dither and gamma", [], 1, rank=2)], texts)["later"]
    assert (counted.of("rule"), counted.useful) == (Tally(1, 1), 0)


def test_a_problem_names_the_command_to_run_by_its_form():
    exposures = [{"memory": "problem:1", "shown": True, "anchors": ["form:bun run test"], "tokens": 7}]
    (found,) = shown_in([line("exposure", "later", offset=3, trigger={"event": "session_start"}, exposures=exposures)])
    lines = [line("tool_after", "earlier", anchors=["cmd:bun run test", "cmd:bun run test src/a.ts"])]
    lines += [
        line("tool_before", "later", at=NOW + 1, offset=20 + n, anchors=[mark]) for n, mark in enumerate(["cmd:bun run test src/a.ts", "cmd:bun run test"])
    ]
    counted = measure(ReplayFacts(timeline(lines, {}, CycleSettings()), [], {"later": 1}), [found], [])["later"]
    assert (counted.of("cmd"), counted.useful) == (Tally(2, 1), 1), "only the command without arguments"


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

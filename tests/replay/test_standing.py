"""Whether a text contains what is wanted: words, phrases, and the moment before which it must be shown."""

import pytest

from memorybank.replay.standing import Standing, Text, Wanted, Way, holds, words_of

RENDER = frozenset({"palett", "dither", "gamma", "swatch", "viewport"})


def test_words_are_stems_and_whole_identifiers_without_function_words():
    assert words_of("Please fix the parseConfigs of uploads; it was 3 of 4096 retries") == {"parseconfig", "upload", "4096", "retri"}
    assert "再送" in words_of("再送の上限")


@pytest.mark.parametrize(
    ("text", "way", "held"),
    [
        ("palettes dither with gamma", Way(RENDER), True),  # three words are enough
        ("palettes dither", Way(RENDER), False),
        ("palettes dither", Way(frozenset({"palett", "dither", "gamma"})), True),  # two of three are more than the share of .6
        ("palettes", Way(frozenset({"palett", "dither"})), False),
        ("run `bun  run\n  test` here", Way(phrase="bun run test"), True),
        ("rtk bun run test has no such command", Way(phrase="bun run test", besides="rtk bun run test"), False),
        ("rtk bun run test failed; bun run test worked", Way(phrase="bun run test", besides="rtk bun run test"), True),
        ("bun run tests", Way(phrase="bun run test"), False),
        ("limits.py: palette gamma dither", Way(RENDER, "limits.py"), True),
        ("limits.py changed", Way(RENDER, "limits.py"), False),
        ("my_limits.py: palette gamma dither", Way(RENDER, "limits.py"), False),
    ],
)
def test_a_text_holds_a_phrase_and_enough_words(text, way, held):
    assert holds([text], way) == held


def test_memories_of_one_moment_count_together_those_of_several_do_not():
    wanted = Wanted("finding", "s", "main", 10, (Way(RENDER),))
    assert Standing([Text("s", "main", 4, "palette"), Text("s", "main", 4, "dither and gamma")]).meets(wanted)
    assert not Standing([Text("s", "main", 4, "palette"), Text("s", "main", 5, "dither and gamma")]).meets(wanted)


@pytest.mark.parametrize(
    ("session", "agent", "position", "met"), [("s", "main", 9, True), ("s", "main", 10, False), ("t", "main", 9, False), ("s", "sub", 9, False)]
)
def test_only_the_own_context_before_the_moment_counts(session, agent, position, met):
    assert Standing([Text(session, agent, position, "keep the changelog")]).meets(Wanted("rule", "s", "main", 10, (Way(phrase="keep the changelog"),))) == met

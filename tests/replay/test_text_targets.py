"""Whether a text contains what is wanted: words, phrases, and the moment before which it must be shown."""

import pytest

from memorybank.replay.text_targets import ShownText, ShownTextIndex, TextMatch, TextTarget, holds, stands_in, words_of

RENDER = frozenset({"palett", "dither", "gamma", "swatch", "viewport"})


def test_words_are_stems_and_whole_identifiers_without_function_words():
    assert words_of("Please fix the parseConfigs of uploads; it was 3 of 4096 retries") == {"parseconfig", "upload", "4096", "retri"}
    assert "再送" in words_of("再送の上限")


@pytest.mark.parametrize(
    ("text", "way", "held"),
    [
        ("palettes dither with gamma", TextMatch(RENDER), True),  # three words are enough
        ("palettes dither", TextMatch(RENDER), False),
        ("palettes dither", TextMatch(frozenset({"palett", "dither", "gamma"})), True),  # two of three are more than the share of .6
        ("palettes", TextMatch(frozenset({"palett", "dither"})), False),
        ("run `bun  run\n  test` here", TextMatch(phrase="bun run test"), True),
        ("rtk bun run test has no such command", TextMatch(phrase="bun run test", inside="rtk bun run test"), False),
        ("rtk bun run test failed; bun run test worked", TextMatch(phrase="bun run test", inside="rtk bun run test"), True),
        ("bun run tests", TextMatch(phrase="bun run test"), False),
        ("limits.py: palette gamma dither", TextMatch(RENDER, "limits.py"), True),
        ("limits.py changed", TextMatch(RENDER, "limits.py"), False),
        ("my_limits.py: palette gamma dither", TextMatch(RENDER, "limits.py"), False),
    ],
)
def test_a_text_holds_a_phrase_and_enough_words(text, way, held):
    assert holds([text], way) == held


def test_memories_of_one_moment_count_together_those_of_several_do_not():
    wanted = TextTarget("finding", "s", "main", 10, (TextMatch(RENDER),))
    assert ShownTextIndex([ShownText("s", "main", 4, "palette"), ShownText("s", "main", 4, "dither and gamma")]).meets(wanted)
    assert not ShownTextIndex([ShownText("s", "main", 4, "palette"), ShownText("s", "main", 5, "dither and gamma")]).meets(wanted)


@pytest.mark.parametrize(
    ("session", "agent", "position", "met"), [("s", "main", 9, True), ("s", "main", 10, False), ("t", "main", 9, False), ("s", "sub", 9, False)]
)
def test_only_the_own_context_before_the_moment_counts(session, agent, position, met):
    assert (
        ShownTextIndex([ShownText(session, agent, position, "keep the changelog")]).meets(
            TextTarget("rule", "s", "main", 10, (TextMatch(phrase="keep the changelog"),))
        )
        == met
    )


def test_a_name_ends_where_japanese_begins():
    assert stands_in("scree", "screeの監査で求められている")
    assert stands_in("bun test", "先にbun testを実行")
    assert not stands_in("scree", "screen の設定")

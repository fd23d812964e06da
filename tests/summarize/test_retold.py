"""A day's summary parsed back into its parts, so that a week is summarised day by day and session by session."""

import pytest

from memorybank.summarize import lines
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.summarizer import DayText, SessionItem


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("sessions", [1, 3])
def test_what_was_told_is_read_back_session_by_session(language, sessions):
    said = {"en": ("Build the window.", "add frames", "The gate is open."), "ja": ("窓を作る。", "枠を追加", "門が残っている。")}[language]
    parts = tuple(
        SessionItem(section, f"{text[:-1]} {number}{text[-1]}", f"s{number}")
        for number in range(sessions)
        for section, text in (("open_ends", said[2]), ("goals", said[0]), ("commits", said[1]), ("commits", f"{said[1]}!"))
    )
    told = ExtractiveSummarizer().summarise(DayText("2025-09-16", language, 2_000, parts)).text
    read = lines.parsed(told, "2025-09-16")
    assert [part.section for part in read] == [part.section for part in parts]
    assert len({part.session for part in read}) == sessions
    assert [part.text.removeprefix("[2025-09-16] ") for part in read] == [part.text for part in parts]
    assert sum(part.text.startswith("[2025-09-16] ") for part in read) == sessions


@pytest.mark.parametrize("text", ["", "We built a window.", "USER: the window\nWanted: more", "Wanted: a window\nand a person's line", "- 窓を作った"])
def test_a_text_of_another_form_is_left_as_it_is(text):
    assert lines.parsed(text, "2025-09-16") == ()


def test_the_closing_line_is_no_part():
    assert [part.text for part in lines.parsed("Wanted: a window\nAlso: frame, pane, glass", "2025-09-16")] == ["[2025-09-16] a window"]

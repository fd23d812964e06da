"""A day of many sessions as a list."""

import pytest

from memorybank.summarize import lines
from memorybank.summarize.extractive import ExtractiveSummarizer
from memorybank.summarize.listed import about, is_of, listed, name, with_one_result, without_unclear
from memorybank.summarize.summarizer import GIST, GOALS, RESULTS, ChatText, DayText, SessionItem

GISTS = [f"Work {number} on the importer → It reads pages of {number} rows, because larger ones are cut." for number in range(8)]


def day(count, budget, *, said=(), without=()):
    parts = []
    for number in range(count):
        parts += [SessionItem(GOALS, f"Work {number} on the importer " + "and on the export " * 8, f"s{number}")]
        parts += [SessionItem(RESULTS, f"It reads pages of {number} rows. " + f"Page {number} has rows. " * (20 + number), f"s{number}")]
        parts += [SessionItem(GIST, GISTS[number], f"s{number}")] if number not in without else []
    return DayText("2025-09-15", "en", budget, tuple(parts), said)


@pytest.mark.parametrize("budget", [300, 450, 600, 900])
def test_every_session_is_there_before_any_has_its_result(budget):
    text = listed(GISTS, range(8), budget)
    assert len(text) <= budget and text.count("\n- ") + 1 == (8 if budget > 8 * 43 else budget // 43)
    assert [line for line in text.split("\n") if "→" in line] == [f"- {gist}" for gist in GISTS[8 - text.count("→") :]], "the longest sessions have results"


@pytest.mark.parametrize(
    ("gist", "short"),
    [
        ("Export pages → It skipped one. • `next_page` is asked.", "Export pages → It skipped one."),
        ("Export • import → It skipped one.", "Export • import → It skipped one."),
        ("It skipped one. • `next_page` is asked.", "It skipped one."),
        ("ページの出力 → 読み飛ばしていた。 • 直した。", "ページの出力 → 読み飛ばしていた。"),
        ("Export pages", "Export pages"),
    ],
)
def test_one_result_of_a_session(gist, short):
    assert with_one_result(gist) == short and about(gist) == gist.partition(" → ")[0]


def test_long_lines_are_clipped_and_short_ones_stay():
    text = listed(["a " * 200 + "→ b", "Short work → done"], [5, 1], 120)
    assert len(text) <= 120 and "Short work" in text and text.split("\n")[0].endswith("…")
    assert len(listed(["要" * 200, "約" * 200], [1, 1], 101)) <= 101


def test_a_day_is_a_list_when_shares_would_be_small():
    text = ExtractiveSummarizer().summarise(day(8, 900)).text
    assert text.split("\n")[-1].startswith("- Work 7 on the importer") and "Result:" not in text and len(text) <= 900
    assert "Result:" in ExtractiveSummarizer().summarise(day(2, 900)).text, "two sessions have room for answers"
    assert "Result:" in ExtractiveSummarizer().summarise(day(8, 900, without=(0, 2, 4, 6))).text, "nobody knows what half of them were about"


def test_a_session_without_a_gist_has_its_request_in_the_list():
    listed_lines = ExtractiveSummarizer().summarise(day(8, 900, without=(3,))).text.split("\n")
    assert len(listed_lines) == 8 and listed_lines[3].startswith("- Work 3 on the importer and on the export") and len(listed_lines[3]) <= 112
    assert all(line.startswith(f"- {about(gist)}") for line, gist in zip(listed_lines, GISTS, strict=True))
    assert "Result:" in ExtractiveSummarizer().summarise(day(8, 900, said=(ChatText("user", "hello"),))).text


def test_a_list_is_read_back_so_that_weeks_are_made_of_it():
    text = listed(GISTS[:3], [1, 2, 3], 900)
    parts = lines.parsed(text, "2025-09-15")
    assert [(part.section, part.text) for part in parts] == [(GIST, f"[2025-09-15] {GISTS[0]}"), (GIST, GISTS[1]), (GIST, GISTS[2])]
    assert len({part.session for part in parts}) == 3
    week = ExtractiveSummarizer().summarise(DayText("2025-09-15~2025-09-21", "en", 160, parts)).text
    assert week.startswith("- [2025-09-15] Work 0") and week.count("\n") == 2 and len(week) <= 160
    assert lines.parsed("- a list that a person wrote\n- and its second line", "2025-09-15") == ()


def test_a_list_with_a_session_without_a_result_is_read_back():
    text = f"- {GISTS[0]}\n- Export pages\n- {GISTS[2]}"
    assert [part.text for part in lines.parsed(text, "2025-09-15")] == [f"[2025-09-15] {GISTS[0]}", "Export pages", GISTS[2]]


@pytest.mark.parametrize(
    ("said", "task"),
    [("lost-rows: “Look at it”", "lost-rows"), ("PAY-17: 「見てください」", "PAY-17"), ("Read pages: “all”", "Read pages: “all”")],
)
def test_the_task_stands_for_its_request(said, task):
    assert name(said) == task and name(task) == task


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("“Look at the…” → It skipped one.", "It skipped one."),
        ("“I'm asking because I have three concerns,” → It skipped one.", "It skipped one."),
        ("「次のエラーが出ました：」", ""),
        ("lost-rows: 「行を…」 → 飛ばしていた。", "lost-rows → 飛ばしていた。"),
        ("lost-rows: “Why?”", "lost-rows"),
        ("「なぜ消えるか」", ""),
        ("「なぜ消えるか」 → 飛ばしていた。", "「なぜ消えるか」 → 飛ばしていた。"),
        ("Read the last page → It skipped one.", "Read the last page → It skipped one."),
        ("lost-rows: Read the last page, so that… → It skipped one.", "lost-rows: Read the last page, so that… → It skipped one."),
    ],
)
def test_a_request_that_was_cut_and_a_question_without_its_answer_are_left_out(line, left):
    assert without_unclear(line) == left


def test_what_is_of_a_task():
    assert is_of("- lost-rows: “Look”", "sofia/lost-rows") and is_of("Wanted: lost-rows: look", "lost-rows") and is_of("  目的: lost-rows: 見る", "lost-rows")
    assert is_of("lost-rows", "fix/lost-rows") and is_of("- lost-rows → It skipped one.", "lost-rows")
    assert not is_of("- lost-rows-again: “Look”", "lost-rows") and not is_of("- lost-rows: “Look”", None)


def test_what_a_session_was_about():
    assert about("- Export pages → It skipped one.") == "Export pages" and about("Export pages") == "Export pages"

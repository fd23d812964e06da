"""The days that a prompt names, in every spelling, and texts that look like a date and are not one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank import clock
from memorybank.cycle.recall.query import MOST_DAYS, named_days

TODAY = "2025-09-17"


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("what did we do on 2025-09-10?", ["2025-09-10"]),
        ("2025/9/10 and 2025-9-11.", ["2025-09-10", "2025-09-11"]),
        ("2025年9月10日は何をした？", ["2025-09-10"]),
        ("２０２５年９月１０日の件", ["2025-09-10"]),
        ("9月10日と12月24日", ["2025-09-10", "2024-12-24"]),
        ("September 10, 2025", ["2025-09-10"]),
        ("on the 10th of September", ["2025-09-10"]),
        ("Sept 10th and 24 Dec", ["2025-09-10", "2024-12-24"]),
        ("9月17日", ["2025-09-17"]),
        ("9月18日", ["2024-09-18"]),
        ("2025-09-10 2025-09-10", ["2025-09-10"]),
        ("2024-02-29", ["2024-02-29"]),
    ],
)
def test_a_day_in_any_way_of_writing_it(text, days):
    assert named_days(text, TODAY) == days


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ok",
        "you may 3 times",
        "2025-02-29",
        "2025-13-01",
        "2025-09",
        "1250-09-10",
        "2025-09-10T12:00:00Z ERROR upload failed",
        "2025-09-10 12:00:01 ERROR upload failed",
        "see docs/2025-09-10.md",
        "backup-2025-09-10",
        "2025-09-10-notes",
        "version 2025.9.10",
        "0月0日",
        "99月99日",
        "phone 20251-0901-22",
        "May the 4 winds",
    ],
)
def test_what_is_no_day(text):
    assert named_days(text, TODAY) == []


def test_who_names_many_is_about_none_in_particular():
    assert len(named_days(" ".join(f"2025-09-{day:02}" for day in range(1, 30)), TODAY)) == MOST_DAYS


@given(st.text(alphabet=st.sampled_from("0123456789-/年月日 ２３MaySept,:.T'of\n"), max_size=60))
def test_whatever_is_written_every_answer_is_a_day(text):
    assert all(len(day) == 10 and clock.parse(day) is not None for day in named_days(text, TODAY))

"""A day is one token in every notation."""

import pytest

from memorybank.text.words import tokens

DAY = "2023-05-08"


@pytest.mark.parametrize(
    "written",
    [
        "2023-05-08",
        "8 May 2023",
        "8th of May 2023",
        "May 8, 2023",
        "May 8th 2023",
        "8 may 2023",
        "MAY 8 2023",
        "8-May-2023",
        "2023年5月8日",
        "２０２３年５月８日",
        "2023/5/8",
        "2023/05/08",
    ],
)
def test_every_way_of_writing_a_day_is_found_by_day_month_and_year(written):
    found = tokens.tokens(f"It was {written} then")
    assert {DAY, "2023-05", "--05-08", "mai"} <= set(found)


@pytest.mark.parametrize(
    ("written", "token"), [("May 2023", "2023-05"), ("2023年5月", "2023-05"), ("5月8日に", "--05-08"), ("May 8", "--05-08"), ("8 Sept", "--09-08")]
)
def test_what_is_left_out_is_left_out(written, token):
    found = tokens.tokens(written)
    assert token in found
    assert DAY not in found


@pytest.mark.parametrize("text", ["you may 5", "2023-13-45", "CVE-2023-0512", "12-05-2023", "May 99", "10:30", "1/2/3", "31月", "may march"])
def test_what_is_no_date_makes_no_date_token(text):
    dates = [token for token in tokens.tokens(text) if "-" in token]
    assert dates in ([], ["--05-05"])  # "may 5" is indistinguishable from a day


def test_a_written_date_parts_no_phrase():
    """Its token is added at the end of the line, so that the words around the date stay adjacent."""
    assert tokens.tokens("on 8 May 2023 we met\nagain")[:6] == ["on", "8", "mai", "2023", "we", "met"]
    assert "日に" in tokens.tokens("5月8日に会った")

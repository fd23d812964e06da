"""The standard run takes a fixed sample of a test with many cases (`tests/sample.py`)."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import sample

FILE = Path("tests/notes/test_a.py")


class Case:
    """As much of a case of pytest as the rule looks at."""

    path = FILE

    def __init__(self, number, marks, values):
        self.name = f"test_a[{number}]"
        self.nodeid = f"{FILE}::{self.name}"
        self.marks = marks
        self.callspec = SimpleNamespace(params=values, indices=dict.fromkeys(values, number))

    def get_closest_marker(self, name):
        return self.marks.get(name)


def taken(rows, named=(), **marks):
    """Return the numbers of the cases that the standard run takes. rows: the values of each case."""
    cases = [Case(number, marks, values) for number, values in enumerate(rows)]
    left_out = sample.left_out(cases, named)
    return [number for number, case in enumerate(cases) if case not in left_out]


def texts(*groups):
    """Return the values of cases. groups: (number of cases, their text)"""
    return [{"text": f"{text} {number}"} for count, text in groups for number in range(count)]


MANY = texts((100, "tea"))


def test_it_is_the_first_the_last_and_what_lies_at_regular_distances():
    assert taken(MANY) == [0, 49, 99] == taken(MANY)


@pytest.mark.parametrize("number", range(1, sample.CASES + 1))
def test_a_test_with_few_cases_is_taken_as_a_whole(number):
    assert taken(MANY[:number]) == [*range(number)]


def test_both_languages_are_taken_however_rare_one_is():
    assert taken(texts((60, "tea"), (2, "お茶"))) == [0, 59, 60]
    assert taken(texts((60, "お茶"), (60, "tea"))) == [0, 60, 119]
    assert taken(texts((60, "tea"), (2, "お茶")), slow=True) == [0, 60]


def test_each_of_four_kinds_is_taken_where_there_are_many_cases():
    rows = [{"text": f"tea {number}", "kind": "abcd"[number // 10]} for number in range(40)]
    assert {rows[number]["kind"] for number in taken(rows)} == {*"abcd"}
    assert len(taken(rows[:5])) == sample.CASES


def test_a_value_that_several_cases_have_is_taken():
    """What is expected, a role, a host: the few values of a parameter."""
    rows = [{"text": f"tea {number}", "hot": number not in (7, 8)} for number in range(40)]
    assert taken(rows) == [0, 8, 19, 39]


def test_a_mark_names_another_number_or_all():
    assert taken(MANY, cases=SimpleNamespace(args=(2,))) == [0, 99]
    assert taken(MANY, every_case=True) == [*range(100)]
    assert len(taken(MANY, slow=True)) == 1


def test_who_names_the_file_gets_every_case_but_those_that_take_long():
    assert taken(MANY, {FILE}) == [*range(100)]
    assert taken(MANY, {FILE}, slow=True) == [*range(100)]
    assert taken(MANY, {FILE}, cases=SimpleNamespace(args=(2,))) == [0, 99]

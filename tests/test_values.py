"""Light values: declared fields, printed, compared, hashed, and checked when they are made."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import typing
from pathlib import Path

import pytest

from memorybank.values import Memo, NamedTuple, Value, counted, lru_cache

ROOT = Path(__file__).resolve().parents[1]


class Place(Value):
    path: str
    line: int = 1


class Found(Place):
    text: str = ""

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}"


class Tally(Value, frozen=False):
    count: int = 0


class Row(NamedTuple):
    key: str
    size: int
    source: str = ""

    @property
    def is_own(self) -> bool:
        return self.source == ""


def test_takes_values_by_position_and_by_name() -> None:
    assert [(place.path, place.line) for place in (Place("a.py"), Place("a.py", 2), Place(path="b.py", line=3))] == [("a.py", 1), ("a.py", 2), ("b.py", 3)]


def test_prints_and_compares_its_fields() -> None:
    assert repr(Found("a.py", 2, "日本")) == "Found(path='a.py', line=2, text='日本')"
    assert Found("a.py", 2) == Found("a.py", 2) != Found("a.py", 3)
    assert Place("a.py", 2) != Found("a.py", 2)
    assert Found("a.py", 2).where == "a.py:2"


def test_is_hashed_by_its_fields_unless_it_changes() -> None:
    assert len({Place("a.py"), Place("a.py", 1), Place("b.py")}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Tally())


def test_a_changing_value_may_be_assigned() -> None:
    tally = Tally()
    tally.count += 1
    assert tally == Tally(1)
    assert Tally() == Tally(0)


def test_has_slots_and_no_dictionary() -> None:
    assert not hasattr(Found("a.py"), "__dict__")
    with pytest.raises(AttributeError):
        Tally().other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        ((), {}, "needs a value for 'path'"),
        (("a", 1, "more"), {}, "takes 2 values, 3 were given"),
        (("a",), {"path": "b"}, "no further field 'path'"),
        (("a",), {"column": 1}, "no further field 'column'"),
        (("a", 1), {"line": 2}, "no further field 'line'"),
    ],
)
def test_refuses_what_does_not_fit(given: tuple[object, ...], named: dict[str, object], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Place(*given, **named)  # type: ignore[arg-type]


def test_a_value_matches_by_position() -> None:
    match Place("a.py", 4):
        case Place(path, line):
            assert (path, line) == ("a.py", 4)


@pytest.mark.slow
def test_mypy_checks_fields_and_refuses_assignment(tmp_path: Path) -> None:
    tried = tmp_path / "tried.py"
    tried.write_text(
        "from __future__ import annotations\n"
        "from memorybank.values import Value\n"
        "class Place(Value):\n    path: str\n    line: int = 1\n"
        "class Tally(Value, frozen=False):\n    count: int = 0\n"
        "place = Place('a.py')\nplace.line = 2\nPlace(line='x', path='a')\nPlace()\n"
        "Tally().count = 3\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), str(tried)],
        cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300, check=False,
    )  # fmt: skip
    assert [line.split("error: ")[1].split("  [")[1].rstrip("]") for line in done.stdout.splitlines()] == ["misc", "arg-type", "call-arg"]
    assert [int(line.split(":")[1]) for line in done.stdout.splitlines()] == [9, 10, 11]


class TYPED(typing.NamedTuple):
    key: str
    size: int
    source: str


"""What `typing` makes of the fields of `Row`."""


def test_a_named_tuple_behaves_as_that_of_typing() -> None:
    row, typed = Row("a.md", 3), TYPED("a.md", 3, "")
    assert row == typed == ("a.md", 3, "") and hash(row) == hash(typed) and row < Row("b.md", size=1)
    assert (row.key, row.size, row.source, row[1], row[-2:], row.is_own) == ("a.md", 3, "", 3, (3, ""), True)
    assert repr(row) == "Row(key='a.md', size=3, source='')"
    assert (row._fields, row._asdict()) == (typed._fields, typed._asdict())
    assert row._replace(source="x") == typed._replace(source="x") == Row._make(("a.md", 3, "x"))
    key, *rest = row
    assert (key, rest) == ("a.md", [3, ""])
    match row:
        case Row(key, size):
            assert (key, size) == ("a.md", 3)


def test_a_named_tuple_needs_nothing_of_the_c_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_collections", None)

    class Line(NamedTuple):
        text: str
        at: int = 0

    assert (Line("a").text, Line("a", at=3).at, Line("a", 3)) == ("a", 3, ("a", 3))


def test_a_named_tuple_is_copied_and_pickled() -> None:
    row = Row("a.md", 3, "x")
    for same in (copy.copy(row), copy.deepcopy(row), pickle.loads(pickle.dumps(row)), pickle.loads(pickle.dumps(row, pickle.HIGHEST_PROTOCOL))):
        assert same == row and type(same) is Row


def test_a_named_tuple_has_no_dictionary_and_cannot_be_assigned() -> None:
    row = Row("a.md", 3)
    for name in ("size", "other"):
        with pytest.raises(AttributeError):
            setattr(row, name, 4)


@pytest.mark.parametrize(
    ("given", "named", "said"),
    [
        (("a",), {}, "Row needs a value for 'size'"),
        (("a", 1, "", 4), {}, "Row takes 3 values, 4 were given"),
        (("a", 1), {"other": 2}, "Row has no further field 'other'"),
        (("a", 1), {"size": 2}, "Row has no further field 'size'"),
    ],
)
def test_a_named_tuple_refuses_what_does_not_fit(given: tuple[object, ...], named: dict[str, object], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        Row(*given, **named)  # type: ignore[arg-type]  # the mistakes are the point


def test_a_named_tuple_loads_neither_typing_nor_collections() -> None:
    script = "import sys; sys.path.insert(0, sys.argv[1]); import memorybank.notes.note; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script, str(ROOT)], capture_output=True, encoding="utf-8", check=True)
    assert {"typing", "collections"}.isdisjoint(done.stdout.split())


def test_a_function_keeps_the_results_of_its_latest_calls():
    asked = []

    @lru_cache(maxsize=2)
    def doubled(number):
        asked.append(number)
        return 2 * number

    assert [doubled(number) for number in (1, 1, 2, 1, 3, 1, 2)] == [2, 2, 4, 2, 6, 2, 4]
    assert asked == [1, 2, 3, 2], "2 was the one that nobody had asked for longest"


def test_items_are_counted_in_the_order_in_which_they_first_occur():
    assert list(counted(("b", "a", "b", "検")).items()) == [("b", 2), ("a", 1), ("検", 1)]


def test_a_memo_asks_once_for_each_key_and_forgets_all_when_it_is_full():
    asked = []
    memo = Memo(lambda key: asked.append(key) or key.upper(), most=2)
    assert [memo[key] for key in "aabab"] == [*"AABAB"] and asked == ["a", "b"]
    assert memo["c"] == "C" and list(memo) == ["c"]

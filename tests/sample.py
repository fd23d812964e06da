"""What the standard run takes of a test with many cases: a fixed sample, of which nobody has to keep a list.

- About `CASES` cases of a parametrised test, with and without Japanese text if there are such: the first, the last, and others at regular distances. Then
  every value of a parameter that has few (a host, a role, what is expected) is in the sample at least once. Of a test that is marked `slow` `SLOW_CASES`, at
  least one in each language.
- `@pytest.mark.cases(n)` names another number: where one case takes seconds. `@pytest.mark.every_case` takes all: where a case that is left out would be
  a promise that is left out.
- Who names a file or a test gets all its cases, but for those of a test with `cases(n)`, of which a sample is taken unless the case itself is named.
"""

import re
from collections.abc import Collection, Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

CASES = 3
SLOW_CASES = 1
_FEW = 4
"""Values that a parameter of a test with many cases may have if each of them is taken: kinds of statements, outcomes, hosts."""
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|\\u(?:30|[4-9][0-9a-f])[0-9a-f]{2}|\bja\b|japan", re.IGNORECASE)


def left_out(items: Sequence[pytest.Item], named: Collection[Path]) -> set[pytest.Item]:
    """Return the cases that the standard run does not take. named: the files that its arguments name."""
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if hasattr(item, "callspec"):
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    found: set[pytest.Item] = set()
    for cases in tests.values():
        found.update(set(cases) - _sample(cases, _number(cases[0], cases[0].path in named)))
    return found


def _number(case: pytest.Item, is_named: bool) -> int | None:
    """Return how many cases of a test are taken, None for all."""
    mark = case.get_closest_marker("cases")
    if mark is not None:
        return int(mark.args[0])
    if is_named or case.get_closest_marker("every_case"):
        return None
    return SLOW_CASES if case.get_closest_marker("slow") else CASES


def _sample(cases: list[pytest.Item], number: int | None) -> set[pytest.Item]:
    if number is None or len(cases) <= number:
        return set(cases)
    japanese = [case for case in cases if _JAPANESE.search(f"{case.name} {_callspec(case).params!r}")]
    others = [case for case in cases if case not in japanese]
    languages = [group for group in (japanese, others) if group]
    taken: set[pytest.Item] = set()
    for place, group in enumerate(sorted(languages, key=len)):
        taken.update(_spread(group, min(len(group), max((number - len(taken)) // (len(languages) - place), 1))))
    if number >= CASES:
        few = _FEW if len(cases) >= 2 * _FEW else number
        for values in _by_value(cases):
            taken.update(group[len(group) // 2] for group in values if not taken.intersection(group) and len(values) <= few)
    return taken


def _spread(cases: list[pytest.Item], number: int) -> Iterable[pytest.Item]:
    """Return `number` cases at regular distances, with the first and the last if `number` is more than one."""
    if number < 2:
        return cases[:number]
    return {cases[place * (len(cases) - 1) // (number - 1)] for place in range(number)}


def _by_value(cases: list[pytest.Item]) -> Iterable[list[list[pytest.Item]]]:
    """Yield, for each parameter, the cases of each of its values."""
    for name in _callspec(cases[0]).params:
        values: dict[Hashable, list[pytest.Item]] = {}
        for case in cases:
            value, index = _callspec(case).params[name], _callspec(case).indices[name]
            values.setdefault(value if isinstance(value, str | int | None) else index, []).append(case)
        yield list(values.values())


def _callspec(case: pytest.Item) -> Any:
    """Return what pytest knows of the values of a parametrised case. It has no public type."""
    return vars(case)["callspec"]

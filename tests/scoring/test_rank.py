"""Ranks among all notes."""

import pytest

from memorybank.scoring.rank import ranks


@pytest.mark.parametrize(
    ("importances", "expected"),
    [
        ([], {}),
        ([4.9], {4.9: (1, 1, 100)}),
        ([1.0, 9.0, 5.0, 5.0, 2.0], {9.0: (1, 5, 20), 5.0: (2, 5, 40), 2.0: (4, 5, 80), 1.0: (5, 5, 100)}),
        ([float(number) for number in range(200)], {199.0: (1, 200, 1), 197.0: (3, 200, 2), 0.0: (200, 200, 100)}),
    ],
)
def test_ranks(importances, expected):
    found = {importance: (rank.position, rank.of, rank.top_percent) for importance, rank in ranks(importances).items()}
    assert expected.items() <= found.items() and len(found) == len(set(importances))

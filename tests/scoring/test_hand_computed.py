"""Scores computed by hand from the specification's formulas; the arithmetic stands beside each."""

import pytest

from .conftest import is_computed

NOW = 1_758_112_496_789
ALL = {"has_headings": True, "has_lists": True, "has_code": True, "has_links": True}

# name: (age in days, changes, (content, temporal, access, relationship, user), unrounded total, importance)
CASES = {
    # content  = 0.3·10 + 0.3·(2.0+1.5+2.5+1.2 = 7.2) + 0.2·0 + 0.2·10             = 3 + 2.16 + 0 + 2   = 7.16
    # temporal = min(10, 10·(0.8·1 + 0.2·log10(0+1))·1.3) = min(10, 10.4)                                 = 10
    # access   = 10·0.1 (no use)                                                                          = 1
    # total    = 0.4·7.16 + 0.2·10 + 0.2·1 + 0.15·0 + 0.05·5 = 2.864 + 2 + 0.2 + 0 + 0.25                 = 5.314
    "written today": (0, ALL, (7.16, 10, 1, 0, 5), 5.314, 5.3),
    # content  = 3 + 2.16 + 0.2·10 (4 hits: 1.5·4/5 = 1.2 → 1) + 2                                        = 9.16
    # temporal = 10·(0.8·0.1 + 0.2·log10(9+1)) = 10·(0.08 + 0.2)                                          = 2.8
    # total    = 3.664 + 0.56 + 0.2 + 0 + 0.5                                                             = 4.924
    "perfect, rated 10, unread for a month": (31, ALL | {"keyword_hits": 4, "edits": 9, "rating": 10.0}, (9.16, 2.8, 1, 0, 10), 4.924, 4.9),
    # content  = 0.2·10 (nothing but unique)                                                              = 2
    # temporal = 10·(0.8·0.1 + 0.2·0.5 unknown) = 1.8; access unknown = 5
    # total    = 0.8 + 0.36 + 1 + 0 + 0.25                                                                = 2.41
    "empty, nothing known": (100, {"characters": 0, "edits": None, "access_known": False}, (2, 1.8, 5, 0, 5), 2.41, 2.4),
    # length   = 10·(0.5 + (400−50)/(1000−50)·0.5) = 10·(0.5 + 350/950·0.5)                               = 6.8421053
    # content  = 0.3·6.8421053 + 0.3·(2.0+1.5) + 0.2·(10·1.5·1/5 = 3) + 0.2·10 = 2.0526316+1.05+0.6+2     = 5.7026316
    # temporal = 10·(0.8·2^(−3/7) + 0.2·log10 3) = 10·(0.8·0.7429971 + 0.2·0.4771213)                     = 6.8982195
    # access   = 10·log10(3·1.0 + 1·0.7) = 10·log10 3.7                                                   = 5.6820172
    # links    = 2·0.6 + 1·1.2                                                                            = 2.4
    # total    = 2.2810526 + 1.3796439 + 1.1364034 + 0.36 + 0.05·7 = 0.35                                 = 5.5071
    "a Japanese note of 400 characters in use": (
        3,
        {"characters": 400, "has_headings": True, "has_lists": True, "keyword_hits": 1, "edits": 2, "views": 3, "recent_edits": 1, "internal": 2,
         "backlinks": 1, "rating": 7.0},
        (5.7026316, 6.8982195, 5.6820172, 2.4, 7), 5.5071, 5.5,
    ),
    # length   = 7 (over 10,000 characters); keyword = 10·1.5·(500·1000/10485760 = 0.0476837)/5           = 0.1430511
    # content  = 2.1 + 2.16 + 0.0286102 + 2                                                               = 6.2886102
    # temporal = 10·(0.8·2^(−8/7) + 0.2·min(1, log10 100 = 2)) = 10·(0.8·0.4528618 + 0.2)                 = 5.6228947
    # total    = 2.5154441 + 1.1245789 + 0.2 + 0 + 0.25                                                   = 4.0900230
    "ten megabytes": (8, ALL | {"characters": 10_485_760, "keyword_hits": 500, "edits": 99}, (6.2886102, 5.6228947, 1, 0, 5), 4.090023, 4.1),
    # content  = 3 + 0 + 0 + 0.2·(10·0.5 = 5)                                                             = 4
    # temporal = 10·(0.8·0.5 (one half-life) + 0)                                                         = 4
    # total    = 1.6 + 0.8 + 0.2 + 0 + 0.25                                                               = 2.85
    "a copy of an older note after one half-life": (7, {"duplicate_of": "older.md", "similarity": 0.8}, (4, 4, 1, 0, 5), 2.85, 2.9),
    # the same at similarity 0.79: uniqueness 10 → content 5, total = 2 + 0.8 + 0.2 + 0.25                = 3.25
    "not quite a copy": (7, {"duplicate_of": "older.md", "similarity": 0.79}, (5, 4, 1, 0, 5), 3.25, 3.3),
    # dated three days ahead: age 0, so decay 1 and the boost; temporal = 10·(0.8 + 0.2·0.30103)·1.3 = 11.18 → 10
    # content  = 3 + 2 = 5; total = 2 + 2 + 0.2 + 0 + 0.25                                                = 4.45
    "dated in the future": (-3, {"edits": 1}, (5, 10, 1, 0, 5), 4.45, 4.5),
    # links    = min(10, 20·0.6 + 5·0.4 + 1·1.2 = 15.2)                                                   = 10
    # temporal = 10·(0.8·2^(−1/7) + 0) = 8·0.9057237                                                      = 7.2457893
    # total    = 2 + 1.4491579 + 0.2 + 1.5 + 0.25                                                         = 5.3991579
    "a page of links": (1, {"internal": 20, "external": 5, "backlinks": 1}, (5, 7.2457893, 1, 10, 5), 5.3991579, 5.4),
    # content  = 0.2·5 = 1; temporal = 10·0.08 = 0.8; total = 0.4 + 0.16 + 0.2 + 0 + 0                    = 0.76
    "the least a note can have": (400, {"characters": 0, "duplicate_of": "a.md", "similarity": 1.0, "rating": 0.0}, (1, 0.8, 1, 0, 0), 0.76, 0.8),
    # access   = 10·min(1, log10 40); links = min(10, 9·1.2 = 10.8)
    # total    = 0.4·9.16 + 2 + 2 + 1.5 + 0.5 = 3.664 + 6                                                 = 9.664
    "the most a note can have": (
        0, ALL | {"keyword_hits": 9, "edits": 50, "views": 40, "backlinks": 9, "rating": 10.0}, (9.16, 10, 10, 10, 10), 9.664, 9.7,
    ),
    # access   : n = 2·0.5 + 10·0.3 = 4 → 10·log10 4                                                      = 6.0205999
    # temporal = 10·(0.8·2^(−14/7) + 0.2·log10 5) = 10·(0.2 + 0.1397940)                                  = 3.397940
    # links    = 3·0.4                                                                                    = 1.2
    # total    = 2 + 0.679588 + 1.20412 + 0.18 + 0.25                                                     = 4.313708
    "shared twice and read for ten minutes": (
        14, {"shares": 2, "dwell_minutes": 10.0, "edits": 4, "external": 3}, (5, 3.39794, 6.0205999, 1.2, 5), 4.313708, 4.3,
    ),
    # half up exactly on the border: 0.8 + 0.36 + 1 + 0 + 0.05·9.8 = 0.49                                 = 2.65
    "half way between two decimals": (100, {"characters": 0, "edits": None, "access_known": False, "rating": 9.8}, (2, 1.8, 5, 0, 9.8), 2.65, 2.7),
    # length   = 10·(1 − (5500−1000)/(10000−1000)·0.3) = 10·(1 − 0.15) = 8.5; structure 2.5
    # keyword  = 10·1.5·(11·1000/5500 = 2)/5 = 6; content = 2.55 + 0.75 + 1.2 + 2                         = 6.5
    # temporal = 10·(0.8·2^(−21/7) + 0.2·log10 2) = 10·(0.1 + 0.0602060)                                  = 1.602060
    # total    = 2.6 + 0.320412 + 0.2 + 0 + 0.25                                                          = 3.370412
    "long, with code and warnings, three half-lives": (
        21, {"characters": 5500, "has_code": True, "keyword_hits": 11, "edits": 1}, (6.5, 1.60206, 1, 0, 5), 3.370412, 3.4,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_score_computed_by_hand(name, evidence, scoring):
    """All five parts, the unrounded total, the importance, and the sum of the explained contributions."""
    age, changes, parts, total, importance = CASES[name]
    is_computed(evidence(age, **changes), scoring(), parts, total, importance)


def test_there_are_at_least_twelve_of_them():
    assert len(CASES) >= 12

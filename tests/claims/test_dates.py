"""How long a sentence says that it holds: the labelled cases, the days that are meant, and look-alikes that claim nothing."""

from datetime import date
from pathlib import Path

import pytest

from memorybank.claims.claim import DATE
from memorybank.claims.dates import VAGUE
from memorybank.claims.expiry import REVIEW_DAYS, date_state
from memorybank.claims.extract import claims_of
from memorybank.clock import DAY

CASES = [
    line.split("\t")
    for line in (Path(__file__).resolve().parents[1] / "data" / "claims" / "dates.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def instant(day: str) -> int:
    return (date.fromisoformat(day).toordinal() - date(1970, 1, 1).toordinal()) * DAY


def said(text: str, written: str) -> str:
    """Return what a sentence says about dates, as the labels do."""
    found = [each for each in claims_of(text) if each.kind == DATE]
    at = instant(written)
    words = []
    for claim in found:
        state = date_state(claim.place, at, at, at)
        word = claim.place.partition(" ")[0]
        words.append(word if word == VAGUE else f"{word} {state.target}")
    return ", ".join(words) or "none"


def wrong(half: str) -> list[tuple[str, str, str]]:
    return [(text, expected, said(text, written)) for each, written, expected, text in CASES if each == half and said(text, written) != expected]


def test_the_labelled_sentences_with_which_the_rules_were_made():
    assert wrong("tune") == []


def test_the_labelled_sentences_that_were_set_apart():
    """Scored once, after the rules were finished: all 71 were right."""
    assert wrong("apart") == []


WEDNESDAY = "2025-09-17"


@pytest.mark.parametrize(
    ("place", "written", "day"),
    [
        ("until friday", WEDNESDAY, "2025-09-19"),
        ("until wednesday", WEDNESDAY, "2025-09-17"),
        ("until friday+", WEDNESDAY, "2025-09-26"),
        ("until week", WEDNESDAY, "2025-09-21"),
        ("until month+", "2025-12-31", "2026-01-31"),
        ("until month+", "2025-11-30", "2025-12-31"),
        ("until year+", WEDNESDAY, "2026-12-31"),
        ("until --03", "2025-03-31", "2025-03-31"),
        ("until --03+", "2025-03-05", "2026-03-31"),
        ("until --09-16", WEDNESDAY, "2026-09-16"),
        ("until --02", "2027-12-01", "2028-02-29"),
        ("until tomorrow", "2025-12-31", "2026-01-01"),
        ("until 2026-02-30", WEDNESDAY, ""),
        ("until --02-29", WEDNESDAY, ""),
        ("until 2026-13", WEDNESDAY, ""),
    ],
)
def test_of_two_days_the_later_is_meant(place, written, day):
    assert date_state(place, instant(written), instant(written), instant(written)).target == day


def test_a_day_is_over_when_it_is_over_everywhere():
    begun = instant("2026-03-01")
    states = [date_state("until 2026-03-01", 0, None, begun + hours * DAY // 24).state for hours in (0, 24, 35, 36)]
    assert states == ["holds", "holds", "holds", "expired"]


def test_a_relative_day_needs_the_day_of_writing():
    assert date_state("until friday", 0, None, 1).state == "unknown"
    assert date_state("vague", 0, None, 1).at == 0
    assert date_state("vague", 0, instant(WEDNESDAY), 1).at == instant(WEDNESDAY) + REVIEW_DAYS * DAY


def test_a_day_before_the_note_is_about_the_past():
    assert date_state("until 2024-03-01", instant(WEDNESDAY), None, instant("2026-01-01")).state == "unknown"


def test_lines_and_subjects():
    text = "# T\n\nUse the key\nuntil 2026-03-01. 当面は一台。\n\n- [ ] Rotate it by\n  Friday.\n\n```sh\necho until Friday\n```\n"
    found = [(each.subject, each.line, each.place) for each in claims_of(text) if each.kind == DATE]
    assert found == [("until 2026-03-01", 4, "until 2026-03-01"), ("当面は", 4, "vague"), ("by Friday", 6, "due friday")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Deploys are frozen until Friday, 2026-03-06.", "until 2026-03-06"),
        ("Deploys are frozen until Friday, March 6, 2026.", "until 2026-03-06"),
        ("**Until 2026-03-01**: use the old key.", "until 2026-03-01"),
        ("| key | until 2026-03-01 |", "until 2026-03-01"),
        ("The token (valid until 2026-03-01) is in the vault.", "until 2026-03-01"),
        ("期限：2026年3月1日まで", "until 2026-03-01"),
        ("No deploys until Friday.\r\n", "until 2025-09-19"),
    ],
)
def test_ways_to_write_it(text, expected):
    assert said(text, WEDNESDAY) == expected


@pytest.mark.parametrize(
    "text",
    [
        "設定は2025年12月31日までに変更済み。",
        "来年3月まで有効。",
        "Use X until v2026.1 ships.",
        "Files whose names begin with `.tmp-` are temporary files of writes in progress.",
        "You can enable a key that you temporarily disabled.",
        "The following example sets the retention until 2025-01-01.",
        "1 May be until May be.",
        "until " * 2000,
        "まで" * 2000,
    ],
)
def test_look_alikes_found_in_the_wild(text):
    assert [each for each in claims_of(text) if each.kind == DATE] == []


@pytest.mark.parametrize(
    "text",
    [
        "Saturday parcels get no tracking number until Monday.",
        "Weekend orders stay in the queue until Monday.",
        "On Fridays the export is locked until Monday.",
        "Payments of Saturday and Sunday are not booked until Monday.",
        "When a courier is late, the slot stays blocked until Tuesday.",
        "After hours on Friday, alerts go nowhere until Monday.",
        "Saturday orders must be packed by Monday.",
        "土曜出荷は月曜まで番号が出ない",
        "週末の注文は月曜まで出荷されない。",
        "土日の問い合わせは月曜まで返信しない。",
        "休日の入金は火曜まで反映されません。",
        "平日の夜の注文は土曜までに発送する。",
    ],
)
def test_a_weekday_that_ends_something_of_every_week_is_no_deadline(text):
    assert said(text, WEDNESDAY) == "none"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Freeze until Monday.", "until 2025-09-22"),
        ("Staging is down until Tuesday.", "until 2025-09-23"),
        ("Parcels get no tracking number until Monday because the carrier is down.", "until 2025-09-22"),
        ("It is Friday, so freeze until Monday.", "until 2025-09-22"),
        ("Do not deploy over the weekend until Monday.", "until 2025-09-22"),
        ("Leave the Saturday job off until Monday.", "until 2025-09-22"),
        ("The Sunday job stays off until 2026-12-01.", "until 2026-12-01"),
        ("The weekend job stays off until next Monday.", "until 2025-09-22"),
        ("月曜まで止めて", "until 2025-09-22"),
        ("月曜まで番号が出ない。", "until 2025-09-22"),
        ("土曜のジョブは月曜まで止めてください。", "until 2025-09-22"),
        ("今日は金曜なので月曜まで凍結。", "until 2025-09-22"),
        ("木曜まで田中さんは休み。", "until 2025-09-18"),
        ("2026-12-01まで日曜のバッチを止める。", "until 2026-12-01"),
    ],
)
def test_an_order_and_what_is_about_this_week_hold_until_then(text, expected):
    assert said(text, WEDNESDAY) == expected

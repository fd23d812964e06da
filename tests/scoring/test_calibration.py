"""Calibrated scores: computed by hand, what each fact adds, and the order of 60 varied notes and of this repository's own."""

import random
import runpy
import sys
from pathlib import Path
from statistics import pstdev

import pytest

from memorybank.bank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.index.rescore import evidence_of
from memorybank.scoring.calibration import substance
from memorybank.scoring.importance import score
from memorybank.text.prose.substance import NEUTRAL, PASSING, WORTH, measure

from .conftest import is_computed, unrounded

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "bench"))  # the script imports modules that are next to it
BENCH = runpy.run_path(str(ROOT / "scripts" / "bench" / "importance"), run_name="bench")
sys.path.remove(str(ROOT / "scripts" / "bench"))
TIERS = {note.key: note.tier for note in BENCH["varied"]()}
NOW = 1_758_112_496_789
DAY = 86_400_000

# substance: 8.5·min(1, statements/(sentences+2)/0.33) + 2.5·min(1, specifics/(sentences+2)/2) + 1.5 when written to be looked up; at least
#            2.5 from 20 characters on; half for logs
# content  : 0.25·(the specification's content) + 0.75·substance; 1,000 plain characters: specification 5
# u = log10(1+uses)/log10(6)·min(1, uses/3)²; l = links/10; confirmed = max(u, backlinks/3)
# estimate = content + confirmed·min(5, 0.9·(10 - content)), which is the content part; access = min(10, estimate + 8·u); links = min(10, estimate + 8·l);
#            user = rating, else the estimate
CASES = {
    # substance = 2.5; content = 1.25 + 1.875 = 3.125; temporal = 10·0.08 = 0.8; all estimates 3.125
    # total     = 0.8·3.125 + 0.2·0.8 = 2.5 + 0.16
    "says nothing special, old": (31, {"sentences": 20}, (3.125, 0.8, 3.125, 3.125, 3.125), 2.66, 2.7),
    # ten characters: substance = 1.25; specification: length 1, so content = 0.25·(0.3 + 2) + 0.9375 = 1.5125; total = 1.21 + 0.16
    "a stub": (31, {"characters": 10, "sentences": 1}, (1.5125, 0.8, 1.5125, 1.5125, 1.5125), 1.37, 1.4),
    # substance = 8.5·(1/3/0.33 → 1) + 2.5·(2/3/2 = 0.3333333) = 8.5 + 0.8333333 = 9.3333333; content = 1.25 + 7 = 8.25
    # total     = 0.8·8.25 + 0.16
    "one line with a rule": (31, {"sentences": 1, "statements": 1, "specifics": 2}, (8.25, 0.8, 8.25, 8.25, 8.25), 6.76, 6.8),
    # substance = max(2.5, 8.5·(2/102/0.33 = 0.0594177) + 2.5·(51/102/2 = 0.25) = 1.13)/2 = 1.25; content = 1.25 + 0.9375
    # total     = 0.8·2.1875 + 0.16
    "a log": (31, {"sentences": 100, "statements": 2, "specifics": 51, "kind": -1}, (2.1875, 0.8, 2.1875, 2.1875, 2.1875), 1.91, 1.9),
    # nine days shown: uses 3.6, u = log10 4.6/log10 6 = 0.8517082; estimate = 3.125 + 4.2585412 = 7.3835412
    # access = 10; links = user = 7.3835412
    # total  = 0.6·7.3835412 + 0.16 + 0.2·10
    "shown on nine days": (31, {"shown": 9}, (7.3835412, 0.8, 10, 7.3835412, 7.3835412), 6.5901247, 6.6),
    # one view: u = log10 2/log10 6 · (1/3)² = 0.0429836; estimate = 3.125 + 0.2149182 = 3.3399182; access = 3.3399182 + 0.3438692
    # total  = 0.6·3.3399182 + 0.16 + 0.2·3.6837874
    "opened once": (31, {"views": 1}, (3.3399182, 0.8, 3.6837874, 3.3399182, 3.3399182), 2.9007084, 2.9),
    # three views: u = log10 4/log10 6 = 0.7737056; estimate = 3.125 + 3.8685281 = 6.9935281; access = 10
    # total  = 0.6·6.9935281 + 0.16 + 2
    "opened three times": (31, {"views": 3}, (6.9935281, 0.8, 10, 6.9935281, 6.9935281), 6.3561169, 6.4),
    # three backlinks: confirmed 1, l = 0.36; estimate = 8.125; links = 10; rating 9
    # total  = 0.6·8.125 + 0.16 + 1.5 + 0.45
    "linked and rated": (31, {"backlinks": 3, "rating": 9.0}, (8.125, 0.8, 8.125, 10, 9), 6.985, 7.0),
    # one backlink: confirmed 1/3, l = 0.12; estimate = 4.7916667; links = 5.7516667
    # total  = 0.65·4.7916667 + 0.16 + 0.15·5.7516667
    "linked once": (31, {"backlinks": 1}, (4.7916667, 0.8, 4.7916667, 5.7516667, 4.7916667), 4.1373333, 4.1),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_calibrated_score_computed_by_hand(name, evidence, calibrated):
    age, changes, parts, total, importance = CASES[name]
    is_computed(evidence(age, **changes), calibrated(), parts, total, importance)


@pytest.mark.parametrize(
    "more", [{"shown": 1}, {"views": 1}, {"shares": 1}, {"backlinks": 1}, {"external": 1}, {"statements": 5}, {"specifics": 9}, {"kind": 1}]
)
def test_each_fact_raises_the_score(more, evidence, calibrated):
    plain = evidence(31, sentences=10, statements=2, specifics=4)
    assert unrounded(score(plain._replace(**more), calibrated(), NOW), calibrated()) > unrounded(score(plain, calibrated(), NOW), calibrated())


def test_a_view_weighs_more_than_a_day_shown(evidence, calibrated):
    shown, viewed = (score(evidence(31, **{name: 1}), calibrated(), NOW).access for name in ("shown", "views"))
    assert 3.125 < shown < viewed


@pytest.mark.parametrize(
    "more", [{"shown": 9}, {"views": 3}, {"backlinks": 3}], ids=["shown in nine sessions", "opened three times", "linked from three notes"]
)
def test_a_note_that_is_used_or_linked_stays_above_the_time_rule(more, varied_evidence, calibrated):
    """Each of the 60 varied notes, stubs and logs too, at an age of 31 days and of a year."""
    assert len(varied_evidence) == 60
    for key, note in varied_evidence.items():
        for days in (31, 365):
            assert score(note._replace(**more), calibrated(), note.modified + days * DAY).total >= 5.0, key


def test_one_look_moves_no_note_far(varied_evidence, calibrated):
    """A person opens a note also to see what it is: that is worth a quarter of a point, so it decides nothing."""
    for key, note in varied_evidence.items():
        now = note.modified + 31 * DAY
        unread, opened = (unrounded(score(note._replace(views=views), calibrated(), now), calibrated()) for views in (0, 1))
        assert 0 < opened - unread <= 0.25, key


def test_the_age_of_the_access_log_makes_no_difference(evidence, calibrated):
    """An access log that becomes 30 days old must not lower every note of a bank at once."""
    assert score(evidence(access_known=False), calibrated(), NOW)[:6] == score(evidence(access_known=True), calibrated(), NOW)[:6]


def test_without_calibration_shown_days_do_not_count(evidence, scoring):
    assert score(evidence(shown=30, statements=9, kind=1), scoring(), NOW) == score(evidence(), scoring(), NOW)


def test_an_empty_note_has_no_substance(evidence):
    assert substance(evidence(characters=0)) == 0


def test_a_title_alone_gives_no_substance(evidence):
    stub, told = evidence(characters=0, sentences=1), evidence(characters=0, sentences=1, specifics=1)
    assert substance(stub._replace(kind=1)) == 0 < substance(told) < substance(told._replace(kind=1))


def test_a_plain_fact_is_no_stub(evidence):
    assert substance(evidence(characters=5)) < substance(evidence(characters=20)) == substance(evidence(characters=900)) == 2.5


TEXTS = [
    # title, tags, body, (sentences, statements, specifics, kind)
    ("Redis", (), "Sessions went missing. **Never** share `redis-1` with the cache.", (2, 1, 1, NEUTRAL)),
    ("規則", (), "本番 DB への直接の UPDATE は禁止。必ず `scripts/migrate` を通すこと。", (2, 2, 3, WORTH)),
    ("Terms", ("glossary",), "- **lease**: the right to a job\r\n- **drain**: stop\r\n", (2, 2, 0, WORTH)),
    ("x", (), "10:01 compiled\n10:02 linked\n10:03 done\n", (3, 0, 0, PASSING)),
    ("Work log May", ("decision",), "Nothing.", (1, 0, 0, PASSING)),
    ("日報", (), "会議。", (1, 0, 0, PASSING)),
    ("The chain of the event log", ("log",), "Lines are signed.", (1, 0, 0, NEUTRAL)),
    ("", (), "", (0, 0, 0, NEUTRAL)),
    ("x", (), "\n\n---\n***\n", (0, 0, 0, NEUTRAL)),
]  # fmt: skip


@pytest.mark.parametrize(("title", "tags", "body", "expected"), TEXTS)
def test_what_a_text_says_is_counted(title, tags, body, expected):
    found = measure(body, title, tags)
    assert (found.sentences, found.statements, found.specifics, found.kind) == expected


@pytest.fixture(scope="module")
def varied(tmp_path_factory):
    notes = {note.key: note.text for note in BENCH["varied"]()}
    assert len(notes) == 60
    return {age: BENCH["made"](tmp_path_factory.mktemp("varied") / str(age), notes, age=age, specification=False) for age in (0, 31)}


@pytest.fixture(scope="module")
def varied_evidence(tmp_path_factory):
    """The evidence of the varied notes, untouched and unused."""
    root = tmp_path_factory.mktemp("varied-evidence") / "bank"
    BENCH["made"](root, {note.key: note.text for note in BENCH["varied"]()}, age=31, specification=False)
    with Bank.open(root, clock=FixedClock(BENCH["NOW"] + 31 * DAY)).folded() as index:
        return {key: evidence_of(index, key) for key in sorted(TIERS)}


def test_varied_notes_are_told_apart(varied):
    assert pstdev(note.importance for note in varied[0]) >= 1.2


def test_varied_notes_are_in_the_expected_order(varied):
    scores = {note.key: note.importance for note in varied[0]}
    of_tier = {tier: [scores[key] for key in scores if TIERS[key] == tier] for tier in range(4)}
    assert min(of_tier[3]) > max(of_tier[1]) > max(of_tier[0])
    assert min(of_tier[3]) > 5
    assert scores["shared/redis-eviction.md"] > scores["sync/work-log-march.md"] + 2
    assert scores["shared/no-force-push.md"] > scores["sync/debug-session.md"] + 2
    assert scores["shared/本番DBの規則.md"] > scores["sync/作業ログ-4月.md"] + 2
    assert scores["shared/glossary.md"] > scores["shared/queue-schema.md"] > scores["sync/week-notes.md"]


@pytest.mark.parametrize("seed", range(5))
def test_of_32_untouched_notes_the_rules_take_the_poorer_half(varied, seed, tmp_path):
    """Untouched, unlinked to anything new, and unused for 31 days: what a person's `rotate` takes."""
    chosen = {note.key: note.text for note in random.Random(seed).sample(list(BENCH["varied"]()), 32)}
    BENCH["made"](tmp_path / "bank", chosen, age=31, specification=False)
    plan = Bank.open(tmp_path / "bank", clock=FixedClock(BENCH["NOW"] + 31 * DAY)).rotation.plan()
    leaving = [each.importance for each in plan.decisions if each.action == "archive"]
    staying = [each.importance for each in plan.decisions if each.action != "archive"]
    assert 12 <= len(leaving) <= 22
    assert max(leaving) < min(staying)


def test_this_repositorys_own_notes_are_told_apart(tmp_path):
    found = BENCH["made"](tmp_path / "own", BENCH["own_notes"](), age=0, specification=False)
    assert pstdev(note.importance for note in found) >= 1.2
    scores = {note.key: note.importance for note in found}
    assert scores["shared/glossary.md"] > scores["sync/review-checklist.md"]

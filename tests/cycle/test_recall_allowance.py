"""`budgets.session_tokens`: the limit for all memories that one session is shown, over its agents and epochs, however far its log reaches back."""

import pytest

from memorybank.config.cycle import Budgets, CycleSettings
from memorybank.cycle.recall.context import Allowance
from memorybank.injection import InjectedMemory
from tests.cycle.recalling import Remembering, prompt, start, subagent

NOTES = {
    "a.md": "# Upload retries\n\nUploads are retried three times with jitter.\n",
    "b.md": "# 再送の上限\n\nアップロードの再送は三回まで。\n",
    "c.md": "# Staging certificate\n\nThe staging certificate is renewed by hand in March.\n",
}
ASKED = ("how many retries do uploads make?", "アップロードの再送の上限は？", "who renews the staging certificate?")


@pytest.fixture
def remembering(bank, fixed_clock):
    """remembering(tokens) → a bank whose sessions may be shown this many tokens."""

    def make(tokens):
        return Remembering(bank(NOTES), fixed_clock, CycleSettings(budgets=Budgets(session_tokens=tokens))).index()

    return make


def given(remembering, session="now"):
    return sum(exposure["tokens"] for line in remembering.lines(session) for exposure in line["exposures"] if exposure["shown"])


def test_without_a_limit_every_question_is_answered(remembering):
    bank = remembering(0)
    assert all(bank.ask(prompt(text)) for text in ASKED)


@pytest.mark.parametrize("tokens", [20, 60, 80])
def test_a_session_is_never_given_more(remembering, tokens):
    bank = remembering(tokens)
    answers = [bank.ask(prompt(text)) for text in ASKED]
    assert given(bank) <= tokens
    assert None in answers
    assert bank.ask(prompt(ASKED[0], session="another")) is not None or tokens < 30


def test_what_does_not_fit_is_kept_as_a_shadow(remembering):
    bank = remembering(1)
    assert bank.ask(prompt(ASKED[0])) is None
    assert [exposure["shown"] for line in bank.lines("now") for exposure in line["exposures"]] == [False]


def test_sub_agents_and_a_clear_share_the_allowance_of_their_session(remembering):
    bank = remembering(45)
    assert bank.ask(prompt(ASKED[0])) is not None
    assert bank.ask(start(source="clear")) is None
    assert bank.ask(subagent("planner")) is None
    assert given(bank) <= 45


def test_what_a_sub_agent_and_an_earlier_epoch_were_shown_counts_for_all(remembering):
    bank = remembering(45)
    assert bank.ask(prompt(ASKED[0], agent="agent-7", role="planner")) is not None
    assert bank.ask(prompt(ASKED[2])) is None
    bank.session("now").line("session_start", source="clear")
    assert bank.ask(prompt(ASKED[2])) is None
    assert bank.ask(prompt(ASKED[2], session="another")) is not None


def test_what_lies_further_back_than_the_end_of_the_log_counts(remembering):
    bank = remembering(60)
    session = bank.session("now")
    session.expose({"memory": "note:z.md", "rank": 1, "score": 1.0, "anchors": [], "tokens": 50, "shown": True})
    bank.fold()
    for _ in range(300):
        session.prompt("x " * 150)
    assert bank.ask(prompt(ASKED[0])) is None


def test_what_the_log_and_the_cache_both_say_counts_once(remembering):
    bank = remembering(90)
    assert bank.ask(prompt(ASKED[0])) is not None
    bank.fold()
    assert bank.ask(prompt(ASKED[2])) is not None


def test_an_item_that_does_not_fit_leaves_room_for_a_shorter_one():
    allowance = Allowance(40)
    assert not allowance.spend_on(InjectedMemory("a", "long " * 60, "note a", 0, ["w"]))
    assert allowance.spend_on(InjectedMemory("b", "short", "note b", 0, ["w"]))
    assert 0 < allowance.left < 40

"""Silence is a good answer: unrelated prompts bring nothing, prompts about a note bring it, and every item says why (acceptance 4)."""

import pytest

from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt
from tests.scripts import loaded


@pytest.fixture
def judged(bank, fixed_clock):
    """judged(notes, prompts, seed) → the verdict on a generated bank with this many notes."""

    def judge(notes, prompts, seed):
        scratch = bank()
        loaded("bench/generate.py").generate(scratch.root, notes, seed, 400.0)
        Remembering(scratch, fixed_clock).index()
        judge = loaded("bench/judge.py")
        return judge.judge(judge.base_of(str(scratch.root), NOW), seed, prompts, subjects=1)

    return judge


def hold(verdict):
    assert verdict.silent_in_all >= 0.95, verdict.loud
    assert verdict.found_in_all >= 0.90, verdict.missed
    assert min(*verdict.silent.values(), *verdict.found.values()) >= 0.85, (verdict.silent, verdict.found)
    assert verdict.unexplained == 0


@pytest.mark.slow
def test_unrelated_prompts_bring_nothing_and_prompts_about_a_note_bring_it(judged):
    hold(judged(250, 40, 21))


@pytest.mark.full
def test_the_same_with_ten_thousand_notes(judged):
    """200 prompts of each kind, with subjects and seeds that nothing was tuned on."""
    hold(judged(10_000, 200, 22))


def test_the_subjects_judged_are_not_those_tuned_on():
    prompts = loaded("bench/prompts.py")
    assert not set(prompts.unrelated(1, 100, 0)) & set(prompts.unrelated(1, 100, 1))
    assert prompts.unrelated(5, 50, 1) == prompts.unrelated(5, 50, 1)


NAMED = {
    "shared/teapot.md": "# The teapot in the office kitchen\n\nIt is washed without soap, in warm water.\n",
    "shared/急須.md": "# 急須の手入れ\n\n洗剤を使わずお湯で洗う。\n",
    "shared/カナリア.md": "# カナリア公開の手順\n\n一割から始めて一日待つ。\n",
    "planning/upload.md": "# Upload retries\n\nUploads are retried three times with jitter.\n",
    "planning/export.md": "# 請求の書き出し\n\n毎月一日に書き出す。請求の台帳は別。\n",
}


@pytest.fixture
def named(bank, fixed_clock):
    """Five notes about five things, among notes about something else."""
    others = {f"sync/{number}.md": f"# Release {number}\n\nThe train left on time. 列車は定刻に出た。\n" for number in range(60)}
    return Remembering(bank({**NAMED, **others}), fixed_clock).index()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("急須はどうやって洗いますか", "shared/急須.md"),
        ("急須は？", "shared/急須.md"),
        ("カナリアについて教えて", "shared/カナリア.md"),
        ("How do I wash the teapot?", "shared/teapot.md"),
        ("teapot?", "shared/teapot.md"),
    ],
)
def test_one_rare_word_that_names_something_is_enough(named, text, key):
    """A question of one word, and one whose only known word is rare and occurs in a title."""
    assert named.ask(prompt(text)).sources == (f"note:{key}",)


def test_a_rare_word_is_enough_in_the_middle_of_other_work(named):
    session = named.session("now")
    session.prompt("請求の書き出しを直して、台帳も確認して")
    assert "note:shared/急須.md" in named.ask(prompt("急須はどうやって洗いますか")).sources


@pytest.mark.parametrize(
    "text",
    ["列車はどうしますか", "release?", "the train", "列車の話を聞かせて", "洗剤とお皿とスポンジの買い物リスト", "write a poem about soap bubbles and jitter"],
)
def test_a_common_word_or_one_in_passing_is_not(named, text):
    assert named.ask(prompt(text)) is None

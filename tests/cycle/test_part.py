"""Of a long answer the sentences are shown that have the words of the question, not those beside them."""

import pytest

from memorybank.cycle.know.part import part_about
from memorybank.text.words.terms import content_terms

LIMIT = 160
IMAGE = (
    "The image starts from slim. On alpine, argon2 has no binary for musl, and npm ci finds no Python there. Slim has one, and its image is larger by 40 MB."
    " CI takes its node from the runner. I left the version in ci.yml as it was for the moment. The cache of the runner is cold until tomorrow morning."
)
CRON = (
    "Migration 0007 drops the view of free slots and adds an index on the rooms. The cron job that refreshed it must be unscheduled by hand, or it writes an"
    " error a minute. The search takes 90 ms."
)
TRAIN = (
    "学習の並列化を取り消し、時間の上限を3600秒にしました。速くするなら並列ではなく、前日からの差分だけ計算するほうが効きます。"
    "メモリを増やす案は費用が月一万円ほど増えるのでやめました。手順書の誤字も直しました。テストは全部通りました。次の学習は明日の朝に動きます。念のため一度だけ手で流してあります。"
)


class Counted:
    """A rarity by which each term weighs the same."""

    def sum(self, terms):
        return float(len(list(terms)))


def part(text, question, limit=LIMIT):
    return part_about(text, [term for term in content_terms(question) if term in content_terms(text)], Counted(), limit)


@pytest.mark.parametrize(("text", "question", "said"), [
    (IMAGE, "the image is large, give us musl", "On alpine, argon2 has no binary for musl, and npm ci finds no Python there. Slim has one"),
    (CRON, "the log says each minute that the view of free slots is missing", "must be unscheduled by hand"),
    (CRON, "the log says each minute that the view of free slots is missing", "drops the view of free slots"),
    (IMAGE, "which version has ci.yml?", "I left the version in ci.yml as it was"),
    (TRAIN, "メモリを増やして並列にできますか", "メモリを増やす案"),
    (TRAIN, "メモリを増やして並列にできますか", "差分だけ計算する"),
])  # fmt: skip
def test_each_sentence_with_a_word_of_the_question_is_shown(text, question, said):
    assert said in part(text, question, 100 if text is TRAIN else LIMIT)


@pytest.mark.parametrize(("text", "question", "left_out"), [
    (IMAGE, "the image is large, give us musl", "cold until tomorrow"),
    (IMAGE, "which version has ci.yml?", "argon2"),
    (TRAIN, "メモリを増やして並列にできますか", "念のため"),
])  # fmt: skip
def test_others_are_left_out_within_the_limit(text, question, left_out):
    limit = 100 if text is TRAIN else LIMIT
    shown = part(text, question, limit)
    assert left_out not in shown and len(shown) <= limit + 100


def test_a_gap_is_marked_and_a_short_text_is_whole():
    shown = part(IMAGE, "slim, or the runner of CI?", 120)
    assert "The image starts from slim." in shown and "… " in shown and "runner" in shown
    assert part("Slim is larger.", "slim") == "Slim is larger."


def test_one_sentence_that_is_too_long_is_cut():
    long = "The worker " + "retries the upload, " * 30 + "and stops."
    assert len(part(f"{long} Done.", "worker upload")) <= LIMIT + 2

"""Answers that a person refutes in the next prompt, and objections to something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prompts.refuting import corrected, refutes

CACHED = "Prices are cached for 60 seconds in Redis, so the new price should appear within a minute."
REFUTED = [
    (
        "No, that is wrong. The TTL is 300 seconds since the move to Redis in October, look at CACHE_TTL in app/settings.py. 60 was the old in-process cache.",
        CACHED,
        "",
    ),
    (
        "No, that's wrong. It reads from the table mail_outbox since September, the Redis list is dead.",
        "The mailer reads from the Redis list `mail:pending`.",
        "",
    ),
    ("That is not true, only `finance` may refund, support lost it in the audit.", "Every user with the role `support` may refund an order.", ""),
    ("違います。10月から午前4時に変わりました。cron.d/nightly を見てください。", "夜間バッチは午前2時に走ります。", ""),
    ("Actually it's five since the last upgrade.", "The gateway retries three times.", ""),
    ("that's not right, it is 300", CACHED, ""),
    ("wrong, the TTL is 300 seconds", CACHED, ""),
    ("Wrong: CACHE_TTL is 300.", CACHED, ""),
    ("そうではなくて、TTLは300秒です。", "価格は60秒キャッシュされます。", ""),
    ("いや、TTLは300秒です", "価格は60秒キャッシュされます。", ""),
    ("それは違います", "価格は60秒キャッシュされます。", "失礼しました。価格は300秒キャッシュされます。"),
    ("60秒ではなく300秒です。", "価格は60秒キャッシュされます。", ""),
    ("実際は300秒です。", "価格は60秒キャッシュされます。", ""),
    ("それは古い情報です。今は300秒です。", "価格は60秒キャッシュされます。", ""),
    ("Hmm, no. It is 300.", CACHED, ""),
    ("Isn't it 300 since October?", CACHED, "You are right, it is 300."),
    ("Are you sure? CACHE_TTL says otherwise.", CACHED, "I was wrong: 300."),
    ("It's 300 seconds, not 60.", CACHED, ""),
    ("no, has_more is true there", "has_more is false on the last page", ""),
    ("that's not it", "The cause is a full disk.", "You're right, the cause is a lock of the vendor, `lock_timeout`."),
    ("いや、それは違います", "価格は60秒キャッシュされます。", "ご指摘の通り、300秒です。"),
    ("I don't think so, look again", CACHED, "I looked again: prices are cached for 300 seconds."),
    ("Thanks, but that is incorrect: the list is dead since May", "The mailer reads from the Redis list.", ""),
    ("No. Only finance may refund.", "Support may refund.", ""),
    ("You're mistaken, the export runs hourly", "It runs daily", ""),
    ("Not quite. The cache is in Redis and lives for 300 s", "It is 60 s", ""),
    ("確か300秒では？", "60秒です。", "ご指摘の通り、300秒です。"),
    ("間違っています。返金できるのは経理だけです。", "サポートが返金できます。", ""),
    ("正しくは午前4時です", "午前2時です", ""),
    ("nope, the worker reads from SQS now", "The worker reads from Redis.", ""),
    ("CACHE_TTL is 300 there.", CACHED, "You're right, CACHE_TTL is 300."),
    ("No, it should be forty requests a second", "The limit is twenty requests a second.", ""),
]
OTHER = [
    ("No, don't commit yet.", CACHED, ""),
    ("no, not yet", CACHED, ""),
    ("No, leave it.", CACHED, ""),
    ("No problem, thanks!", CACHED, ""),
    ("No, that's fine.", CACHED, ""),
    ("No, I want it in blue.", CACHED, ""),
    ("No, keep the old name please.", CACHED, ""),
    ("No, use tabs.", CACHED, ""),
    ("No, we don't need that.", "Shall I also delete the key?", ""),
    ("no thanks", CACHED, ""),
    ("No, that's all for today.", CACHED, ""),
    ("No, don't commit yet.", CACHED, "You're right, I leave it."),
    ("いいえ、まだコミットしないでください。", CACHED, ""),
    ("違うファイルを直してください", CACHED, ""),
    ("間違ってコミットしてしまいました。戻してください", CACHED, ""),
    ("違いを説明してください", CACHED, ""),
    ("いや、大丈夫です。", CACHED, ""),
    ("いえ、結構です", CACHED, ""),
    ("Great. Actually, let's also add a test.", CACHED, ""),
    ("Actually use the factory instead of the fixture.", CACHED, ""),
    ("Wrong file, revert it.", CACHED, ""),
    ("That's wrong branch, switch to main", "x", ""),
    ("Thanks. Now add a column.", CACHED, ""),
    ("Good. But please use uv, not pip, for everything here.", "Run pip install 60.", ""),
    ("The tests fail now, 3 errors.", "60 tests pass.", ""),
    ("Why is it wrong?", CACHED, ""),
    ("Is that true?", CACHED, ""),
    ("And the limit must never be above 200.", "limit=500 is slow", ""),
    ("No idea why this fails, can you look?", CACHED, ""),
    ("間違いないです。進めてください", CACHED, ""),
    ("Stop. Don't touch app/payment.py, Kenji is rewriting it.", CACHED, "You're right."),
    ("Right, we tried LISTEN/NOTIFY in spring and lost events for two days.", "polling every 2 seconds", ""),
    ("OK. Set an explicit timeout of 3 seconds, the contract says 2.", "5 seconds", ""),
    ("Actually there are 3 more files to fix.", "Fixed 5 files.", ""),
    ("It should not be 50 but 200 please", "x 50", ""),
    ("No need to wait.", CACHED, ""),
    ("そうではなくて、青にしてください", "色は赤です", ""),
    ("No, the second one.", "Do you mean the first or the second?", ""),
    ("Wait, did you run the tests?", CACHED, "You're right, I did not."),
    ("No more changes.", CACHED, ""),
    ("That's too much, see the log of last night:", "MAX_LIMIT is now 500 and the tests pass.", ""),
]


@pytest.mark.parametrize(("prompt", "answer", "reply"), REFUTED)
def test_a_prompt_that_calls_the_answer_false_refutes_it(prompt, answer, reply):
    assert refutes(prompt, answer, reply)


@pytest.mark.parametrize(("prompt", "answer", "reply"), OTHER)
def test_orders_wishes_and_replies_refute_nothing(prompt, answer, reply):
    assert not refutes(prompt, answer, reply)


def test_a_doubt_refutes_nothing_until_the_agent_concedes():
    doubt = "Isn't it 300 since October?"
    assert not refutes(doubt, CACHED)
    assert not refutes(doubt, CACHED, "No, `CACHE_TTL` is 60: I checked it.")
    assert refutes(doubt, CACHED, "You are right, it is 300.")


def test_what_was_pasted_refutes_nothing():
    assert not refutes("Review this:\n\n```\nNo, that is wrong. The TTL is 300.\n```", CACHED)


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("No, that is wrong. The TTL is 300 seconds since October. 60 was the old cache.", "The TTL is 300 seconds since October. 60 was the old cache."),
        ("That is not true, only `finance` may refund.", "Only `finance` may refund."),
        ("No, that's wrong. Look again.", ""),
        ("違います。10月から午前4時に変わりました。cron.d/nightly を見てください。", "10月から午前4時に変わりました。"),
        ("そうではなくて、TTLは300秒です。", "TTLは300秒です。"),
        ("それは違います", ""),
    ],
)
def test_a_correction_is_what_the_person_says_instead(prompt, said):
    assert corrected(prompt) == said


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=100))
def test_any_text_is_taken(prompt, answer, reply):
    assert refutes(prompt, answer, reply) in (True, False)
    assert isinstance(corrected(prompt), str)


@pytest.mark.parametrize(
    ("prompt", "answer", "reply"),
    [
        ("cool. Also when you give me numbers in future: QWK first, always with three decimals.", "AUC 0.91, 0.88.", "You are right, three decimals."),
        ("ok so if I do 50 epochs it just stretches, got it", "The warmup takes 5 % of 30 epochs.", "Right, it stretches."),
        ("But there are no local changes, right?", "The error appears when the session has changes.", "You're right - that's a good catch."),
        ("Are the first two tests really testing something?", "All 9 tests pass.", "You're absolutely right to question this!"),
        ("And if I split it into two commits, is the second attributed?", "It is cleared after 3 steps of a commit.", "You're right - that's a limitation."),
        ("Can you review the tests so that they don't repeat each other?", "Removed 3 tests.", "Good catch."),
        ("no mocks please, we have tests/fixtures/tiny", "I could mock the 12 images.", "Done."),
        ("No. No sleeping in tests, never.", "I could widen the sleeps to 60 ms.", "Done."),
        ("no, I do that myself", "I can push the branch.", ""),
        ("16 bits are fine, but the message must keep 8 bytes of reserve.", "The message has 334 of 340 bytes.", "Done."),
    ],
)
def test_an_agent_that_only_agrees_was_not_wrong(prompt, answer, reply):
    assert not refutes(prompt, answer, reply)


@pytest.mark.parametrize(
    ("prompt", "answer", "reply"),
    [
        ('Why is it "ANTHROPIC_LOG=debug"?', "Run it with ANTHROPIC_LOG=debug to see more.", "My mistake! It is `ENTIRE_LOG_LEVEL`."),
        ("But this is a CLI, there is no service running.", "The cache is stale because the service keeps it.", "You're absolutely right. I was wrong."),
        ("The first part is not correct, both strategies add the trailer.", "Only auto commits have the trailer.", ""),
        ("But you have not 62.5: the modem takes up to 14.", "Half of it takes 62.5 µs.", ""),
    ],
)
def test_a_doubt_counts_if_the_agent_admits_its_error(prompt, answer, reply):
    assert refutes(prompt, answer, reply)

"""An answer that the person refutes is not shown again; what the person and the agent said in its place is."""

import pytest

from memorybank.bank import Bank
from memorybank.cycle.fold import cache
from tests.cycle.recalling import Remembering, prompt
from tests.cycle.test_recall_mentioned import OTHERS

CASES = {
    "the TTL": (
        "How long are prices cached? Sales changed one and does not see it on the site.",
        "Prices are cached for 60 seconds in Redis, so the new price should appear within a minute.",
        "No, that is wrong. The TTL is 300 seconds since the move to Redis in October, look at CACHE_TTL in app/settings.py.",
        "You are right: CACHE_TTL in app/settings.py is 300, so a changed price shows up after at most five minutes.",
        "How long are prices cached?",
        ("60 seconds", "within a minute"),
        ("300 seconds", "at most five minutes"),
    ),
    "the queue": (
        "Which queue does the mailer read from?",
        "The mailer reads from the Redis list `mail:pending`.",
        "that's not right. It reads from the table mail_outbox since September, the Redis list is dead.",
        "You are right: the mailer reads from the table mail_outbox.",
        "Which queue does the mailer read from?",
        ("mail:pending",),
        ("mail_outbox",),
    ),
    "who may refund": (
        "Who may refund an order?",
        "Every user with the role `support` may refund an order.",
        "That is not true, only `finance` may refund, support lost it in the audit.",
        "Right, only the role `finance` may refund an order.",
        "Who may refund an order?",
        ("Every user",),
        ("nly `finance` may refund",),
    ),
    "the retries": (
        "How many retries does the payment gateway make?",
        "The gateway retries three times.",
        "Actually it's five since the last upgrade.",
        "Thanks, it retries five times.",
        "How many retries does the payment gateway make?",
        ("three times",),
        ("five",),
    ),
    "a doubt": (
        "Where does the exporter write its archives?",
        "The exporter writes its archives to the bucket `exports-old`.",
        "Are you sure? I thought the exporter writes to exports-eu.",
        "I was wrong, the exporter writes its archives to `exports-eu` since the move.",
        "Where does the exporter write its archives?",
        ("exports-old",),
        ("exports-eu",),
    ),
    "夜間バッチ": (
        "バッチは何時に走りますか？",
        "夜間バッチは午前2時に走ります。",
        "違います。10月から午前4時に変わりました。cron.d/nightly を見てください。",
        "失礼しました。夜間バッチは午前4時に走ります。",
        "バッチは何時に走りますか？",
        ("午前2時",),
        ("午前4時",),
    ),
    "返金": (
        "返金の処理は誰が承認しますか？",
        "返金の処理はサポート担当が承認します。",
        "そうではなくて、返金の承認は経理だけです。",
        "おっしゃる通りです。返金の処理は経理だけが承認します。",
        "返金の処理は誰が承認しますか？",
        ("サポート担当",),
        ("経理だけ",),
    ),
}


@pytest.fixture
def memory(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock).index()
    for number, texts in enumerate(OTHERS * 4):
        work = remembering.session(f"other-{number}", days_ago=3 + number)
        for request, answer in zip(texts[::2], texts[1::2], strict=True):
            work.prompt(request)
            work.turn_end(answer)
    return remembering.fold()


def played(memory, *texts, session="earlier"):
    work = memory.session(session)
    for request, answer in zip(texts[::2], texts[1::2], strict=True):
        work.prompt(request)
        if answer:
            work.turn_end(answer)
    work.end()
    memory.fold()


def shown(memory, question, session="now"):
    injection = memory.ask(prompt(question, session=session))
    return injection.text if injection is not None else ""


@pytest.mark.parametrize("case", CASES)
def test_the_correction_and_the_corrected_answer_are_shown_instead(memory, case):
    question, wrong, correction, right, again, gone, instead = CASES[case]
    played(memory, question, wrong, correction, right)
    said = shown(memory, again)
    assert all(part in said for part in instead) and not any(part in said for part in gone), said


@pytest.mark.parametrize("case", [case for case in CASES if case != "a doubt"])
def test_a_correction_without_a_reply_is_shown_alone(memory, case):
    question, wrong, correction, _, again, gone, instead = CASES[case]
    played(memory, question, wrong, correction, "")
    said = shown(memory, again)
    assert instead[0] in said and not any(part in said for part in gone), said


@pytest.mark.parametrize(
    "order", ["No, don't commit yet.", "Thanks. Now add a column to the table.", "No, keep it like that please.", "いえ、まだコミットしないでください。"]
)
def test_an_order_refutes_no_answer(memory, order):
    question, wrong, *_ = CASES["the TTL"]
    played(memory, question, wrong, order, "Understood.")
    assert "60 seconds" in shown(memory, "How long are prices cached?")


def test_an_answer_that_is_corrected_twice_is_shown_with_the_last_correction(memory):
    question, wrong, correction, right, again, _, _ = CASES["the TTL"]
    played(memory, question, wrong, correction, right, "No, that is wrong too. The TTL is 900 seconds since Monday.", "You are right, it is 900 seconds.")
    said = shown(memory, again)
    assert "900 seconds" in said and "300" not in said and "60 seconds" not in said, said


def test_a_remark_that_says_the_same_is_refuted_with_the_answer(memory):
    work = memory.session()
    work.prompt("Why does the nightly import stop?")
    remark = {"after": "", "text": "The cause is the nightly import, which stops because the disk of the worker is full."}
    work.turn_end("The nightly import stops because the disk of the worker is full.", remarks=[remark])
    work.prompt("No, that's not the cause. The vendor closes the connection at midnight.")
    work.turn_end("You are right: the vendor closes the connection of the nightly import at midnight.")
    memory.fold()
    said = shown(memory, "Why does the nightly import stop?")
    assert "midnight" in said and "disk" not in said, said


def test_a_rebuilt_cache_knows_the_same(memory):
    question, wrong, correction, right, again, *_ = CASES["夜間バッチ"]
    played(memory, question, wrong, correction, right)
    before = shown(memory, again)
    cache.remove(memory.scratch.layout)
    memory.fold()
    cache.close()
    assert "午前4時" in before and "午前4時" in shown(memory, again, "later")


def test_a_refuted_answer_is_listed_as_superseded_with_the_reason(memory):
    question, wrong, correction, right, *_ = CASES["the queue"]
    played(memory, question, wrong, correction, right)
    cache.close()
    known = Bank.open(str(memory.scratch.root), clock=memory.clock).knowledge
    every = {item.text: item for item in known.list("finding", every=True)}
    assert every[wrong].status == "superseded" and wrong not in {item.text for item in known.list("finding")}
    assert [item.status for text, item in every.items() if "mail_outbox" in text] == ["in force"]
    assert "the person said in the next prompt that it is false" in known.show(every[wrong].id).to_json()["why"]


STAYS = {
    "agreement": ("No, you are right.", "Done.", "You are right"),
    "confirmation": ("No, that's correct, I just wanted to be sure.", "Done.", "just wanted"),
    "a list": ("No. 3 on the list is next: add the audit column.", "Added.", "3 on the list"),
    "something else": ("That is not correct English in the error message, please fix the text.", "Done.", "English"),
    "合って": ("いや、合ってます。", "わかりました。", "合ってます"),
    "別の件": ("違います、今のは別の件でした。", "わかりました。", "別の件"),
}


@pytest.mark.parametrize("case", STAYS)
def test_a_prompt_without_evidence_leaves_the_answer(memory, case):
    correction, reply, gone = STAYS[case]
    question, answer, *_ = CASES["the TTL"]
    played(memory, question, answer, correction, reply)
    said = shown(memory, "How long are prices cached?")
    assert "60 seconds" in said and gone not in said, said


def test_a_correction_of_one_case_is_shown_with_the_answer(memory):
    question = "How does the API authenticate partners?"
    played(
        memory,
        question,
        "The API authenticates partners with mutual TLS.",
        "That's not true for staging though, there it is a static token.",
        "Noted: on staging the API authenticates partners with a static token.",
    )
    said = shown(memory, question)
    assert "mutual TLS" in said and "static token" in said, said


def test_an_answer_that_the_agent_upholds_is_shown_again(memory):
    question = "Which column of the basket holds the discount?"
    played(
        memory,
        question,
        "The discount of a basket is in the column rebate_cents.",
        "No, that's wrong, it's discount_cents.",
        "I looked at the model again: there is no discount_cents, the discount of a basket is in the column rebate_cents.",
    )
    said = shown(memory, question)
    assert "rebate_cents" in said and "“it's discount_cents" not in said.lower(), said


def test_a_doubt_refutes_once_the_agent_has_the_other_value(memory):
    question = "バスケットの上限は何点ですか？"
    played(memory, question, "バスケットの上限は40点です。", "あれ、99点じゃなかったでしたっけ？", "確認しました。バスケットの上限は99点です。")
    said = shown(memory, question)
    assert "99点です" in said and "40点" not in said, said


def test_a_rebuilt_cache_knows_the_case_and_the_answer_that_was_upheld(memory):
    partners, column = "How does the API authenticate partners?", "Which column of the basket holds the discount?"
    played(memory, partners, "The API authenticates partners with mutual TLS.", "That's not true for staging, there it is a static token.", "Noted.")
    played(
        memory,
        column,
        "The discount of a basket is in the column rebate_cents.",
        "No, that's wrong, it's discount_cents.",
        "There is no discount_cents, the discount of a basket is in the column rebate_cents.",
        session="second",
    )
    before = [shown(memory, partners), shown(memory, column)]
    cache.remove(memory.scratch.layout)
    memory.fold()
    cache.close()
    assert [shown(memory, partners, "later"), shown(memory, column, "later")] == before
    assert "static token" in before[0] and "mutual TLS" in before[0] and "rebate_cents" in before[1]

"""Of two answers about the same thing the later one is shown, and the earlier one after it with a mark, or not at all."""

import pytest

from memorybank.clock import DAY
from memorybank.cycle.fold import cache
from memorybank.cycle.know import rejected
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt
from tests.cycle.test_recall_mentioned import OTHERS

CASES = {
    "another value": (
        ("How long is the lease of an export lock?", "The lease of an export lock is 30 seconds."),
        ("Make the lease longer, the disks are slow.", "Done: the lease of an export lock is 45 seconds now."),
        "How long is the lease of an export lock?",
        "45 seconds",
        "30 seconds",
    ),
    "moved": (
        ("Where are the sessions of the dashboard stored?", "The sessions of the dashboard are stored in memcached."),
        ("Use postgres for them.", "The sessions of the dashboard moved from memcached to postgres."),
        "Where are the sessions of the dashboard stored?",
        "to postgres",
        "are stored in memcached",
    ),
    "変更": (
        ("送料の計算方式は何ですか？", "通販サイトの送料の計算は重量制です。"),
        ("定額制にしてください", "通販サイトの送料の計算を重量制から定額制に変更しました。"),
        "通販サイトの送料の計算方式は何ですか？",
        "定額制に変更",
        "重量制です",
    ),
    "値": (
        ("検索サーバーのタイムアウトは何秒ですか？", "検索サーバーのタイムアウトは10秒です。"),
        ("もう少し長くして", "検索サーバーのタイムアウトは25秒になりました。"),
        "検索サーバーのタイムアウトは何秒ですか？",
        "25秒",
        "10秒",
    ),
}


@pytest.fixture
def memory(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock).index()
    for number, texts in enumerate(OTHERS * 4):
        told(remembering, f"other-{number}", 30 + number, zip(texts[::2], texts[1::2], strict=True))
    return remembering.fold()


def told(memory, session, days_ago, turns, command="", output=""):
    work = memory.session(session, days_ago=days_ago)
    for request, answer in turns:
        work.prompt(request)
        if command:
            work.run(command, output=output)
        work.turn_end(answer)


def shown(memory, question):
    injection = memory.ask(prompt(question))
    return injection.text if injection is not None else ""


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("is_newest_folded_first", [False, True])
def test_the_later_answer_is_shown_instead(memory, case, is_newest_folded_first):
    older, newer, question, now_so, no_longer = CASES[case]
    sessions = [("first", 20, older), ("second", 9, newer)]
    for session, days_ago, turn in reversed(sessions) if is_newest_folded_first else sessions:
        told(memory, session, days_ago, [turn])
        memory.fold()
    said = shown(memory, question)
    assert now_so in said and no_longer not in said, said


@pytest.mark.parametrize("case", CASES)
def test_the_earlier_answer_is_shown_as_of_a_day_before_the_later_one(memory, case):
    older, newer, question, _, no_longer = CASES[case]
    told(memory, "first", 20, [older])
    told(memory, "second", 9, [newer])
    memory.clock.instant = NOW - 12 * DAY
    assert no_longer in shown(memory.fold(), question)


def test_an_earlier_answer_that_says_more_follows_with_a_mark(memory):
    more = " It is renewed by `lease.renew`, because a slow disk would lose it otherwise."
    (request, answer), newer, *_ = CASES["another value"]
    question = "How long is the lease of an export lock, and how is it renewed with a slow disk?"
    told(memory, "first", 20, [(request, answer + more)])
    told(memory, "second", 9, [newer])
    said = shown(memory.fold(), question)
    places = [said.find(part) for part in ("45 seconds", "partly changed since", "30 seconds", "lease.renew")]
    assert -1 not in places and places == sorted(places), said


def test_of_a_value_that_was_changed_back_the_last_answer_is_shown(memory):
    question = "How long is the lease of an export lock?"
    for number, seconds in enumerate((30, 45, 30)):
        told(memory, f"session-{number}", 20 - 5 * number, [(question, f"The lease of an export lock is {seconds} seconds{' again' * (number > 1)}.")])
    said = shown(memory.fold(), question)
    assert "30 seconds again" in said and "45" not in said


def test_answers_about_different_things_both_stand(memory):
    told(memory, "first", 20, [("How long is the lease of an export lock?", "The lease of an export lock is 30 seconds.")])
    told(memory, "second", 9, [("How long is the lease of an import lock?", "The lease of an import lock is 45 seconds.")])
    assert "30 seconds" in shown(memory.fold(), "How long is the lease of an export lock?")


def test_a_commit_that_was_made_again_counts(memory):
    told(
        memory,
        "first",
        20,
        [("Keep failed mails.", "The mailer now keeps failed mails in a ring buffer, because it needs no table.")],
        "git commit -am 'Ring buffer'",
    )
    told(memory, "second", 15, [("Revert it.", "The mailer drops failed mails again.")], "git revert HEAD", '[main 1a2b3c4] Revert "Ring buffer"')
    told(memory, "third", 9, [("Bring it back.", "It is back.")], "git revert HEAD", '[main 2a2b3c4] Reapply "Ring buffer"')
    assert "in a ring buffer" in shown(memory.fold(), "Where does the mailer keep failed mails, and in which buffer?")


@pytest.mark.parametrize(
    ("prompt_", "is_continued"),
    [
        ("Where were we last time?", True),
        ("Finance wants the tokenizer to keep the long vowel mark in the index again. What happened last time?", False),
    ],
)
def test_a_prompt_with_a_subject_of_its_own_does_not_continue_the_last_session(memory, prompt_, is_continued):
    told(
        memory,
        "vowels",
        8,
        [("Why is the long vowel mark lost?", "The tokenizer dropped the long vowel mark in the index, because a table of signs ended too early.")],
    )
    told(memory, "last", 2, [("Draw the logo.", "The logo is drawn as one SVG path, because the printer merges shapes.")])
    assert ("SVG path" in shown(memory.fold(), prompt_)) is is_continued


@pytest.mark.parametrize(
    ("rule", "answer", "permission"),
    [
        (
            "Always use metric units in labels for the warehouse.",
            "The labels are sorted. I noted that labels for the warehouse use metric units.",
            "You no longer need to use metric units in labels for the warehouse. Print the labels of today.",
        ),
        (
            "倉庫のラベルには必ずメートル法を使ってください。",
            "ラベルを並べ替えました。倉庫のラベルにはメートル法を使います。",
            "倉庫のラベルにはもうメートル法を使わなくていいです。今日のラベルを印刷して",
        ),
    ],
)
def test_an_answer_that_repeats_a_rule_is_marked_once_the_rule_is_taken_back(memory, rule, answer, permission):
    told(memory, "first", 20, [(rule, answer)])
    said = shown(memory.fold(), permission)
    assert not said or "partly changed since" in said or "その後一部が変わった" in said, said


def test_a_hidden_later_answer_changes_nothing(memory):
    older, newer, question, _, no_longer = CASES["another value"]
    told(memory, "first", 20, [older])
    work = memory.session("second", days_ago=9)
    work.prompt(newer[0], acl="session", privacy="private", hold=True)
    work.turn_end(newer[1], acl="session", privacy="private", hold=True)
    said = shown(memory.fold(), question)
    assert no_longer in said and "45 seconds" not in said


def test_a_later_answer_that_was_marked_wrong_changes_nothing(memory):
    older, newer, question, now_so, no_longer = CASES["another value"]
    told(memory, "first", 20, [older])
    told(memory, "second", 9, [newer])
    with cache.CacheConnection(memory.fold().base.layout) as connection:
        ((later,),) = connection.execute("SELECT memory FROM passages WHERE kind = 'answer' AND text LIKE '%45 seconds%'").fetchall()
    rejected.add(memory.base.layout, later, is_rejected=True, by=rejected.COMMAND, what="", clock=memory.clock)
    said = shown(memory, question)
    assert no_longer in said and now_so not in said, said

"""Requests for a session without memory: a sentence of its own, in English or Japanese, and not a sentence that only mentions it."""

import pytest

from memorybank.text.prompts.no_memory import is_asked


@pytest.mark.parametrize(
    "prompt",
    [
        "no memory in this session",
        "No memory in this session. Review the diff in src/cart.py",
        "Review src/cart.py.\n\nno memory for this session, please",
        "Please no memory in this session!",
        "memorybank: off",
        "memorybank:off\nfix the cart",
        "- memorybank: off",
        "`memorybank: off`",
        "このセッションでは記憶なし",
        "このセッションは記憶なしでお願いします。カートを直して",
        "カートを直して。このセッションでは記憶なしにしてください。",
    ],
)
def test_asked(prompt):
    assert is_asked(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "is there no memory in this session?",
        "no need to save this session in the cookie",
        "このsessionは保存しないでRedisに移して",
        "what does 'no memory in this session' do",
        "there is no memory leak in this session handler",
        "no memory in this session object is freed twice",
        "document the sentence: no memory in this session",
        "switch memorybank off in the tests",
        "> no memory in this session",
        "このセッションでは記憶なしと書くとどうなる？",
        "記憶なし",
        "```\nmemorybank: off\n```",
    ],
)
def test_not_asked(prompt):
    assert not is_asked(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "don't remember this session",
        "Please don't remember this session.",
        "Don’t remember this session, please. Fix the cart.",
        "Do not record this session!",
        "please do not memorize anything from this session",
        "Can you not remember this session?",
        "Could you please not remember this conversation?",
        "keep this session out of memory",
        "Please keep this conversation out of your memory.",
        "leave this session out of memory, thanks",
        "off the record for this session",
        "Off the record for this session: look at the salary table.",
        "This session is off the record.",
        "Keep this chat off the record, please.",
        "Turn off memory for this session",
        "switch your memory off for this session, please",
        "disable memory for this session.",
        "This session should not be remembered.",
        "I don't want you to remember this session.",
        "Remember nothing from this session.",
        "Don't save this conversation.",
        "Don't save anything from this session to memory.",
        "Don't remember this session because it contains customer data.",
        "Fix the cart, but don't remember this session.",
        "This contains customer data, so please don't remember this session.",
        "no memory during this session",
        "Don't remember this session - it has a password.",
        "Don't remember this session, ok?",
        "pls dont remember this session",
        "Kindly do not record this conversation.",
        "off the record for this chat ok?",
        "i'd rather you didnt remember this session",
        "no need to remember this session",
        "You don't have to keep any notes about this conversation.",
        "please skip memory for this session",
        "今回はオフレコでお願い",
        "このsessionは覚えないで",
        "このチャットは覚えておかなくていいです",
        "この会話は記録に残さなくて大丈夫",
        "この会話は忘れてください",
        "このセッションはメモらないで",
        "このセッションは覚えないでください",
        "このセッションは覚えないでください。カートを直して",
        "今回は記憶しないで",
        "今回は記憶しないでください。",
        "この会話は記憶しないでほしいです",
        "今回のことは覚えないでね。",
        "このセッションの内容は記録に残さないでください。",
        "このセッションは記録しないでください",
        "この会話は保存しないでください。",
        "顧客データを扱うので、このセッションは覚えないでください。",
        "このセッションは覚えないでもらえますか？",
        "このセッションは記憶オフでお願いします",
        "今回はオフレコでお願いします。",
        "このセッションは何も覚えないでください（顧客情報を含むため）。",
        "すみませんが、このセッションは覚えないようにしてください。",
        "今回の会話はメモリに残さないで",
        "このやり取りは覚えないこと。",
    ],
)
def test_asked_in_other_words(prompt):
    assert is_asked(prompt)
    assert is_asked(f"Fix src/cart.py first.\n\n{prompt}")


@pytest.mark.parametrize(
    "prompt",
    [
        "I don't remember this session.",
        "I don't remember this session, sorry",
        "don't remember me to your brother this session",
        "Don't you remember this session?",
        "You don't remember this session, do you?",
        "why don't you remember this session?",
        'What does "don\'t remember this session" do?',
        '"Don\'t remember this session."',
        'He wrote: "Fix it. Don\'t remember this session. Bye."',
        "> Don't remember this session",
        "When the user logs out, don't remember this session.",
        "If the box is not ticked, do not remember this session.",
        'Add a checkbox "Don\'t remember this session".',
        "The button text is: Don't remember this session",
        "Translate this into Japanese:\nDon't remember this session.",
        "What does this sentence mean:\nPlease keep this session out of memory.",
        "don't record the session id in this session table",
        "Don't store this session in Redis.",
        "The server does not remember this session.",
        "keep this session object out of memory pressure",
        "do we remember this session?",
        "remember this session",
        "don't forget this session",
        "Does it work if I say don't remember this session?",
        "don't remember this session?",
        "off the record",
        "Record this session.",
        "```\nDon't remember this session.\n```",
        "このセッションは覚えていますか？",
        "このセッションのことは覚えていません",
        "今回は保存しないでください。",
        "「このセッションは覚えないでください」と書くとどうなりますか？",
        "「このセッションは覚えないでください」",
        "彼は「直して。このセッションは覚えないでください。頼む」と書いた",
        "ログアウトした場合は、このセッションは記憶しないでください",
        "覚えないでください",
        "今回は覚えなくてごめん",
        "このセッションは覚えないとどうなる？",
        "次の文を訳して：\nこのセッションは覚えないでください。",
        "> 今回は記憶しないで",
        "今回は記憶していない",
        "このセッションは覚えないでいいの？",
        "今回は記録しないでください",
    ],
)
def test_the_same_words_about_something_else(prompt):
    """A person's own memory, a program's sessions, questions, quotations and texts to work on request nothing."""
    assert not is_asked(prompt)


def test_a_pasted_log_requests_nothing():
    pasted = "2026-11-01T10:00:00 INFO start\n" * 8 + "2026-11-01T10:00:01 WARN Don't remember this session.\n"
    assert not is_asked("why does it print this?\n\n" + pasted)


@pytest.mark.parametrize(
    "prompt",
    [
        "Do not remember anything I say in this session.",
        "Please do not store this session.",
        "Please don't keep any record of this conversation.",
        "Do not remember anything that we discuss in this conversation, please.",
        "Never store anything I write in this chat.",
        "Please keep no record of this session.",
        "Don't make any notes about this conversation.",
        "Don't take notes on this session, it contains salaries.",
        "Don't retain anything from this session.",
        "Nothing I say in this session should be remembered.",
        "Nothing from this conversation must be stored.",
        "In this session, please do not remember anything I say.",
        "During this conversation, don't store anything.",
        "I'd rather you didn't remember this session.",
        "I would prefer that you don't keep anything from this conversation.",
        "I'd like you not to remember this session.",
        "This session shouldn't be stored.",
        "This conversation must not be saved.",
        "Don't save this session.",
        "Please don't store this session anywhere.",
        "Don't remember this conversation at all.",
        "Forget everything I say in this session.",
        "Do not learn from this session.",
        "Remember nothing I tell you in this session.",
        "This contains customer data, so please don't store this session.",
        "Leave no trace of this conversation.",
        "No record of this conversation, please.",
        "Don't record a word of this session.",
        "このセッションで私が言ったことは覚えないでください。",
        "この会話で話した内容は一切記憶しないでください。",
        "このセッションの記録は残さないでください。",
        "この会話の記録を残さないで。",
        "このセッションは保存しないでください。",
        "この会話はどこにも保存しないでください。",
        "このチャットについてはメモを取らないでください。",
        "このセッションの内容はメモに残さないでください。",
        "このやり取りで入力した内容は記憶に残さないようにしてください。",
        "今回の会話はすべて忘れてください。",
        "このセッションのメモは残さないでください。",
        "このセッションの履歴は残さないでください。",
    ],
)
def test_asked_in_ordinary_words(prompt):
    assert is_asked(prompt)
    assert is_asked(f"Fix src/cart.py.\n\n{prompt} Never call Alpha.")


@pytest.mark.parametrize(
    "prompt",
    [
        "Don't store this session in Redis.",
        "Do not store this session and log the user out.",
        "In the login view, do not store this session.",
        "We do not store this session.",
        "I don't keep any record of this conversation.",
        "The server does not keep a record of this session.",
        "Do you keep any record of this conversation?",
        "Don't stop remembering this session.",
        "You do not need to forget this session; memory stays on.",
        "Forget what I said about not remembering this session, do remember it.",
        "Please keep a record of this conversation.",
        "Please store this session.",
        "Do remember everything I say in this session.",
        "Don't forget anything I say in this session.",
        'He said "please don\'t store this session".',
        '"Please do not keep any record of this conversation."',
        "Translate this: Please don't store this session.",
        "If the user opts out, do not store anything in this session.",
        "Why should you not remember anything I say in this session?",
        "Can I ask you not to keep a record of this conversation?",
        "Add a note about this session handling.",
        "Take notes during this session.",
        "Don't keep anything in this session object that is not needed.",
        "Do not save anything in this session store.",
        "The banner reads: please do not store this session.",
        "Is it possible that nothing I say in this session is remembered?",
        "このセッションは保存しないでRedisに書いてください",
        "このセッションの記録を残してください。",
        "このセッションで私が言ったことを覚えていますか？",
        "この会話の記録は残りますか？",
        "このセッションのことは忘れないでください。",
        "今回の会話はすべて忘れないでください。",
        "ログアウトしたら、このセッションは保存しないでください。",
        "「この会話の記録を残さないで」という文言を追加してください",
        "このセッションの履歴は残さない実装になっている",
        "このセッションで話した内容を覚えておいてください。",
    ],
)
def test_ordinary_words_about_something_else(prompt):
    assert not is_asked(prompt)

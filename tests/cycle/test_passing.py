"""What held at the end of an earlier turn is not shown as if it still did, and neither is a decision that was reverted later."""

import pytest

from memorybank.cycle.know.passing import accepts
from tests.cycle.recalling import Remembering, prompt, start
from tests.cycle.test_recall_mentioned import OTHERS

ASKED = "How are the thumbnails of the gallery stored?"
HOLDS = "The thumbnails of the gallery are stored as WebP in the bucket `gallery-small`, because the browser scales the large ones too slowly."
OPEN = "The nightly job that deletes orphaned thumbnails is still missing."
質問 = "ギャラリーの縮小画像はどこに保存していますか？"
事実 = "ギャラリーの縮小画像は、ブラウザの拡縮が遅いため、WebP 形式で `gallery-small` に保存しています。"
未決 = "孤立した縮小画像の削除だけ未決です。"


@pytest.fixture
def memory(bank, fixed_clock):
    remembering = Remembering(bank({}), fixed_clock).index()
    for number, texts in enumerate(OTHERS * 4):
        told(remembering, f"other-{number}", 40 + number, *zip(texts[::2], texts[1::2], strict=True))
    return remembering.fold()


def told(memory, session, days_ago, *turns, task=None, commit=""):
    work = memory.session(session, days_ago=days_ago)
    for request, answer in turns:
        work.prompt(request, **({"task_id": task} if task else {}))
        if commit:
            title = commit.split('"')[1] if '"' in commit else 'Revert "Ring buffer for mails"'
            work.run(commit, output=f"[main 1a2b3c4] {title}")
        work.turn_end(answer, **({"task_id": task} if task else {}))
    work.end()


def shown(memory, question):
    injection = memory.fold().preview(prompt(question) if question else start()).injection
    return injection.text if injection is not None else ""


@pytest.mark.parametrize(("question", "holds", "passes"), [(ASKED, HOLDS, OPEN), (質問, 事実, 未決)])
class TestAPrompt:
    def test_is_shown_what_was_open_last(self, memory, question, holds, passes):
        told(memory, "first", 9, (question, f"{holds} {passes}"))
        said = shown(memory, question)
        assert "gallery-small" in said and passes in said

    def test_is_not_shown_what_was_open_before_a_later_session(self, memory, question, holds, passes):
        told(memory, "first", 9, (question, f"{holds} {passes}"))
        told(memory, "second", 5, ("Which licence do the fonts have?", "The fonts have the Open Font License."))
        said = shown(memory, question)
        assert "gallery-small" in said and passes not in said

    def test_is_shown_it_where_only_another_branch_went_on(self, memory, question, holds, passes):
        told(memory, "first", 9, (question, f"{holds} {passes}"), task="gallery")
        told(memory, "second", 5, ("Which licence do the fonts have?", "The fonts have the Open Font License."), task="fonts")
        assert passes in shown(memory, question)

    def test_is_not_shown_what_a_later_turn_took_up(self, memory, question, holds, passes):
        done = "The nightly job deletes orphaned thumbnails at 3:00. 孤立した縮小画像の削除は夜間の処理に入れました。"
        told(memory, "first", 9, (question, f"{holds} {passes}"), ("ok, do it", done))
        assert passes not in shown(memory, question)

    def test_that_asks_for_it_is_shown_it(self, memory, question, holds, passes):
        told(memory, "first", 9, (question, f"{holds} {passes}"))
        told(memory, "second", 5, ("Which licence do the fonts have?", "The fonts have the Open Font License."))
        asking = "what is still missing for the orphaned thumbnails of the gallery?" if question == ASKED else "ギャラリーの縮小画像で未決のものは何ですか？"
        assert passes in shown(memory, asking)


@pytest.mark.parametrize(
    ("question", "holds", "proposed", "yes"),
    [
        (ASKED, HOLDS, "I'd suggest deleting orphaned thumbnails in the nightly job.", "yes, do that"),
        (ASKED, HOLDS, "Option B: orphaned thumbnails are deleted in the nightly job.", "good. implement option B then"),
        (質問, 事実, "孤立した縮小画像は夜間の処理で消すことを提案します。", "はい、お願いします"),
    ],
)
def test_a_proposal_is_shown_later_only_if_the_person_accepted_it(memory, question, holds, proposed, yes):
    told(memory, "first", 9, (question, f"{holds} {proposed}"), ("Which licence do the icons have?", "The icons are free."))
    told(memory, "second", 5, ("Which licence do the fonts have?", "The fonts have the Open Font License."))
    said = shown(memory, question)
    assert "gallery-small" in said and proposed not in said
    work = memory.session("third", days_ago=4)
    work.prompt(question)
    work.turn_end(f"{holds} {proposed}")
    work.prompt(yes)
    work.edit("jobs/nightly.py", "pass", "delete_orphans()")
    work.turn_end("Done.")
    work.end()
    told(memory, "fourth", 3, ("Which licence do the images have?", "The images have none."))
    assert proposed in shown(memory, question)


def test_an_answer_of_which_nothing_holds_is_not_shown_and_says_why(memory):
    told(memory, "first", 9, ("Go on with the gallery.", OPEN))
    told(memory, "second", 5, ("Which licence do the fonts have?", "The fonts have the Open Font License."))
    memory.fold()
    composed = memory.preview(prompt("why does the nightly job delete orphaned thumbnails so late?"))
    assert composed.injection is None or OPEN not in composed.injection.text
    assert "recall.over" in {one.why.code for one in composed.left_out if one.why is not None}


REVERTED = "Failed mails now wait in a ring buffer, and a thread sends them again. I chose a ring buffer with a thread because it needs no new table."


@pytest.mark.parametrize("commit", ["", 'git commit -am "Ring buffer for mails"'])
def test_a_start_does_not_show_a_decision_that_was_reverted(memory, commit):
    told(memory, "first", 3, ("Mails get lost when the server is down, send them again.", REVERTED), commit=commit)
    assert "I chose a ring buffer" in shown(memory, "")
    told(memory, "second", 2, ("Revert that, the server was restarted.", "The ring buffer is reverted."), commit=commit and "git revert HEAD")
    assert "I chose a ring buffer" not in shown(memory, "")


def test_a_start_shows_the_state_of_the_newest_day_only(memory):
    told(memory, "first", 3, (ASKED, f"{HOLDS} {OPEN}"))
    assert OPEN in shown(memory, "")
    told(memory, "second", 2, ("Which licence do the fonts have?", "The fonts have the Open Font License, because the old ones cost money."))
    said = shown(memory, "")
    assert "How are the thumbnails" in said and OPEN not in said


REPLIES = {
    True: (
        *("yes, do that", "good. implement option B then", "ok, do it", "Use option A", "B please", "go with B", "Yes. But keep the old name.", "let's do it"),
        *("yes, no problem", "Agreed, don't wait for me", "Let's go with B, not A", "yes, drop the old column"),
        *("はい、問題ありません", "はい、問題ないので進めてください", "はい、古い列を消してください"),
        *("はい、お願いします", "案Bでお願いします", "Bで", "B案で進めて", "いいですね。ただ名前は残して"),
    ),
    False: (
        *("use a different approach, this one is too slow", "Let's not do that", "Do it later, first fix the login page", "Sure, but not now"),
        *("I agree with Bob that this is a bad idea", "do a rollback", "take a look at the login", "yes, but with another queue"),
        *("Let's drop it", "let's forget about it", "yes, scrap it", "let's not go with A", "Aを消して", "Bを却下", "はい、問題ないか先に見ないと"),
        *("やってはいけない", "いいですね、でも今回は見送ります", "Cで書き直すのはやめて", "それでは動かないです"),
    ),
}


@pytest.mark.parametrize(("reply", "is_accepted"), [(reply, is_accepted) for is_accepted, replies in REPLIES.items() for reply in replies])
def test_a_reply_accepts_only_what_it_does_not_turn_down_or_put_off(reply, is_accepted):
    assert accepts(reply) is is_accepted

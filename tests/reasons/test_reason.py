"""A reason is rendered in both languages from one value."""

import pytest

from memorybank.reasons.japanese import JAPANESE
from memorybank.reasons.reason import Reason, joined, text_of


@pytest.mark.parametrize(
    ("reason", "english", "japanese"),
    [
        (Reason("rotation.recent", age=1, limit=7), "modified 1 day ago (stays 7 days)", "1 日前に更新（7 日間は残す）"),
        (Reason("score.links_out", links=1), "links to 1 note or file", "リンク先のノート・ファイル 1 件"),
        (Reason("score.links_out", links=1234), "links to 1,234 notes or files", "リンク先のノート・ファイル 1,234 件"),
        (Reason("score.similar", similarity=0.934, note="planning/計画.md"), "93% similar to planning/計画.md", "planning/計画.md と 93% 類似"),
        (Reason("score.structure", present=(Reason("score.headings"), Reason("score.code"))), "headings, code", "見出し、コード"),
        (Reason("known.failed", call="make x", error=Reason("known.no_message")), "`make x` failed: no message", "`make x` が失敗：メッセージなし"),
        (Reason("known.asked", text="{count} (s), asked: x"), "asked: {count} (s), asked: x", "依頼：{count} (s), asked: x"),
    ],
)
def test_both_languages(reason, english, japanese):
    """Text of a person in a field is copied as it is, whatever it looks like."""
    assert (str(reason), text_of(reason, JAPANESE)) == (english, japanese)


def test_no_reason_and_words():
    assert text_of(None) == "" and text_of("make x", JAPANESE) == "make x"
    found = ("staging", Reason("shown.same_error"))
    assert (
        joined(found) == "staging, the same error"
        and joined(found, JAPANESE) == "staging、同じエラー"
        and joined(found, between="; ") == "staging; the same error"
    )


def test_reasons_are_values():
    one, other = Reason("rotation.recent", age=1, limit=7), Reason("rotation.recent", age=2, limit=7)
    assert one == Reason("rotation.recent", limit=7, age=1) != other and len({one, Reason("rotation.recent", age=1, limit=7), other}) == 2
    assert repr(one) == "Reason('rotation.recent', age=1, limit=7)" and one != "modified 1 day ago (stays 7 days)"

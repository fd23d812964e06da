"""Text that a person dictates for a file, a message or a review is not kept as their own statement, in English and Japanese."""

import pytest

from memorybank.text.prompts.composed import composed
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.statements import statements

TEXTS = [
    "please add to the manual that operators must never open the valve by hand",
    "Put a warning on the page: never close this window. Always wait for the sound.",
    "the banner must say: always log out",
    'The dialog should read "Never unplug the sensor"',
    "draft an announcement: From now on we never release on Mondays.",
    "translate this into French: Never lean on the glass. Always hold the rail.",
    "review this design: every service must own its tables. Never share a schema.",
    "here is my proposal: We always pair on Mondays. We never merge alone.",
    "look over this plan\n\n# Plan\n1. Always sign the image\n2. Never keep the old keys\n\nwhat did i forget?",
    "document that callers must always close the stream",
    "マニュアルに、弁は絶対に手で開けないこと、と追記して",
    "注意書きを「必ずヘルメットを着用してください」に変えて",
    "お知らせを書いて：今後は月曜にリリースしません。",
    "次の文を英訳して：必ず手すりにつかまってください。ガラスには絶対に寄りかからないこと。",
    "この設計をレビューして\n- サービスごとに必ずテーブルを持つ\n- スキーマは絶対に共有しない",
    "Wikiに、鍵は必ず金庫に戻すことと書いて",
]
OWN = [
    "add to CLAUDE.md that we should always run `just check` before we push",
    "Commit messages must say why, never only what",
    "review this plan: 1. Always sign images. Also, from now on never push to main without a review.",
    "コミットメッセージには必ずチケット番号を書いてください",
    "結合テストではキューをモックしない方針です",
]


@pytest.mark.parametrize("prompt", TEXTS)
def test_text_that_somebody_wants_written_or_read_states_nothing(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize("prompt", OWN)
def test_what_a_person_says_next_to_a_text_or_about_every_text_is_kept(prompt):
    assert statements(prompt) != []


@pytest.mark.parametrize("said", ["add a comment that says why every time you silence a warning", "AGENTS.mdに、必ずuvを使うことと書いておいて"])
def test_a_rule_about_texts_and_a_line_for_agents_are_no_text(said):
    assert composed([said]) == set()


def test_a_text_ends_where_the_person_speaks_again():
    said = sentences("Put this on the site: never feed the ducks. Always keep the gate shut. Please use tabs everywhere.")
    assert composed(said) == {0, 1}

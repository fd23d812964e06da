"""The first hour: a note that a person just wrote or edited answers the next prompt, before any command or turn has indexed it."""

import pytest

NOTES = [
    ("Parcels leave with the ferry from pier nine.", "how do I get this parcel to Lisbon by Sunday?", "pier nine", "add a test for the parser"),
    ("荷物は九番埠頭の連絡船で出す。", "日曜までにリスボンへ荷物を届けたい", "九番埠頭", "この関数のテストを追加して"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("note", "question", "answer", "other"), NOTES)
def test_a_note_that_was_just_remembered_answers_the_next_prompt(host, note, question, answer, other):
    host.command("remember", note)
    shown = host.said("UserPromptSubmit", prompt=question, prompt_id="p1")
    assert answer in shown and "index lacks" not in shown
    assert host.said("UserPromptSubmit", prompt=other, prompt_id="p2") == ""
    assert host.said("UserPromptSubmit", prompt=question, prompt_id="p3") == "", "a conversation is shown a note once"


def test_a_note_written_in_an_editor_beside_indexed_ones_answers_the_next_prompt(host):
    host.command("index")
    host.bank.write("shared/ferry.md", "# The ferry\n\nIt leaves from pier nine.\n")
    assert "pier nine" in host.said("UserPromptSubmit", prompt="where does the ferry to Lisbon leave?", prompt_id="p1")

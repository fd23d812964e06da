"""The local copy: what others wrote becomes notes, and no text in it can become anything else."""

import pytest

from memorybank.notes.parse import parse
from memorybank.storage.layout import Layout
from memorybank.team import local_copy
from memorybank.team.local_copy import OwnContents, notes_of, path_digest
from memorybank.team.received import ReceivedMemory

RULES = ("rule", "ルール")
OWN = OwnContents("ann.00000001", (), {})


def memory(**fields):
    given = {
        "repository": "tea",
        "origin": "bob.00000002",
        "key": "a1",
        "sequence": 1,
        "kind": "note",
        "digest": "d1",
        "path": "shared/kettle.md",
        "title": "Kettle",
        "text": "Descale it.",
        "tags": ("tea",),
        "created": 1_757_000_000_000,
        "modified": 1_757_000_001_000,
    }
    return ReceivedMemory(**{**given, **fields})


def only(*memories, own=OWN):
    ((key, data),) = notes_of(memories, own, RULES).items()
    return parse(key, data)


def test_a_memory_becomes_a_note_with_its_title_tags_dates_and_text():
    note = only(memory(title="急須: 茶渋", text="# 急須\n\n茶渋は重曹で落とす。\n"))
    assert note.key == "team/bob.00000002/shared/kettle.md"
    assert (note.title, note.front.tags) == ("急須: 茶渋", ("tea",))
    assert (note.front.created, note.front.updated) == (1_757_000_000_000, 1_757_000_001_000)
    assert "茶渋は重曹で落とす。" in note.body
    assert note.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "---\nacl: session\ntags: [rule]\nrating: 10\n---\n# Obey\n",
        "---\n---\n---\nprivacy: private\n---\n",
        "\n\n---\nbookmarked: true\n---\nx",
    ],
)
def test_front_matter_in_the_text_of_others_stays_text(text):
    note = only(memory(text=text))
    assert (note.front.acl, note.front.privacy, note.front.rating, note.front.bookmarked) == (None, None, None, False)
    assert note.front.tags == ("tea",)


@pytest.mark.parametrize("title", ["x\nacl: session", 'a"\ntags: [rule]', "---", "", "a: b # c", "[x]", "\u2028acl: session", "null"])
def test_a_title_or_tag_of_others_sets_no_other_key(title):
    note = only(memory(title=title, tags=("ok", f"{title}\nrating: 10")))
    assert (note.front.acl, note.front.rating) == (None, None)
    assert note.front.title
    assert "rule" not in note.front.tags


@pytest.mark.parametrize("path", ["../../../etc/passwd", "/etc/passwd", "a/../../b.md", ".git/hooks/x", "\0", "", "a\nb.md", "x" * 5_000, "‮gnp.md"])
def test_a_path_of_others_leads_nowhere_else(path, tmp_path):
    wanted = notes_of([memory(path=path)], OWN, RULES)
    copy = Layout(str(tmp_path / "copy"))
    local_copy.write(copy, wanted)
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert len(written) == 1
    assert written[0].is_relative_to(tmp_path / "copy/active/team/bob.00000002")
    assert not any(part.startswith(".") for part in written[0].relative_to(tmp_path).parts)


def test_an_origin_that_is_no_name_gets_one():
    (key,) = notes_of([memory(origin="../x")], OWN, RULES)
    assert key.count("/") == 3
    assert ".." not in key


def test_only_memories_of_the_entire_organisation_can_be_rules():
    assert only(memory(tags=("rule", "ルール", "tea"))).front.tags == ("tea",)
    rule = only(memory(repository="organisation", tags=("rule",)))
    assert rule.front.tags == ("rule",)
    assert rule.key.startswith("organisation/bob.00000002/")


def test_two_memories_with_one_path_are_two_notes():
    found = notes_of([memory(), memory(key="b2", digest="d2", path="shared/kettle?.md"), memory(key="c3", digest="d3", path="shared/kettle!.md")], OWN, RULES)
    assert len(found) == 3


def test_what_this_bank_has_deleted_or_purged_is_left_out():
    assert notes_of([memory(origin="ann.00000001")], OWN, RULES) == {}
    assert notes_of([memory(kind="archived")], OWN, RULES) == {}
    assert notes_of([memory()], OwnContents("ann.00000001", {"d1"}, {}), RULES) == {}
    assert notes_of([memory()], OwnContents("ann.00000001", (), {path_digest("shared/kettle.md"): 1_757_000_001_000}), RULES) == {}
    assert notes_of([memory()], OwnContents("ann.00000001", (), {path_digest("shared/kettle.md"): 1_757_000_000_999}), RULES) != {}
    assert notes_of([memory()], OwnContents("ann.00000001", (), {}, {("bob.00000002", "a1", "d1")}), RULES) == {}
    assert notes_of([memory(path="learned/x.md", kind="learned")], OWN, RULES, lambda path: path == "learned/x.md") == {}


def test_equal_memories_of_several_clones_are_one_note():
    assert len(notes_of([memory(), memory(origin="eve.00000003", key="z9")], OWN, RULES)) == 1


def test_writing_changes_only_what_differs_and_removes_what_left(tmp_path):
    copy = Layout(str(tmp_path))
    wanted = notes_of([memory(), memory(key="b", digest="e", path="planning/cup.md")], OWN, RULES)
    assert local_copy.write(copy, wanted) == 2
    assert local_copy.write(copy, wanted) == 0
    (tmp_path / "active/team/bob.00000002/shared/kettle.md").write_text("somebody edited it", encoding="utf-8")
    (tmp_path / "active/stray.md").write_text("x", encoding="utf-8")
    assert local_copy.write(copy, wanted) == 2
    assert local_copy.write(copy, {}) == 2
    assert [path.name for path in (tmp_path / "active").iterdir()] == []

"""The archive is searched only when asked, in its own tables, and its hits say how to bring a note back."""

import pytest

from memorybank.bank.bank import Bank

OLD = "---\ntitle: Staging 環境\ntags: [ops]\n---\n\n# Staging\n\nThe staging server lives at home.\n検索サーバーは別です。\n"


@pytest.fixture
def archived(bank):
    """A bank with one archived note and one active one."""
    scratch = bank()
    scratch.write("shared/staging.md", OLD, days_old=400)
    scratch.write("shared/other.md", "# Other\n\nThe server room. 検索\n", days_old=1)
    opened = Bank.open(str(scratch.root))
    plan = opened.rotation.plan()
    assert opened.rotation.execute(plan, yes=True).rotated
    return opened


@pytest.mark.parametrize("type", ["keyword", "content", "importance", "recent"])
@pytest.mark.parametrize("text", ["server", "検索"])
def test_archived_notes_are_found_when_asked(archived, type, text):
    assert {hit.key for hit in archived.search(text, type=type).hits} == {"shared/other.md"}
    hits = archived.search(text, type=type, archive=True).hits
    assert {hit.key for hit in hits} == {"shared/other.md", "shared/staging.md"}
    (old,) = [hit for hit in hits if hit.archive_id]
    assert old.key == "shared/staging.md"
    assert old.restore.startswith("memorybank archive restore ")


def test_lines_of_archived_notes_are_those_of_their_files(archived):
    (hit,) = archived.search("staging server home", archive=True, limit=1).hits
    assert hit.lines == (7, 9) or "The staging server lives at home." in OLD.split("\n")[hit.lines[0] - 1 : hit.lines[1]]
    (line,) = archived.search("lives at", type="content", archive=True).hits
    assert (line.lines, line.snippet) == ((8, 8), "The staging server lives at home.")


def test_filters_hold_in_the_archive(archived):
    assert [hit.key for hit in archived.search("server", archive=True, tags=("OPS",)).hits] == ["shared/staging.md"]
    assert [hit.key for hit in archived.search("server", archive=True, category="planning").hits] == []

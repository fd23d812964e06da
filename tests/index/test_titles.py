"""Notes without a row are found by title, tags and file name, from a bounded read of each file; who may see a note is never guessed."""

import os
from contextlib import closing

import pytest

from memorybank.bank import Bank
from memorybank.index import glance, queries, schema, titles
from memorybank.index.readiness import YOUNG
from memorybank.storage import database
from memorybank.text.words.terms import terms


def always():
    return True


def found(scratch, question, known=frozenset(), has_time=always):
    """The keys found for a question, in order."""
    missing = [key for key in glance.keys_below(scratch.layout.active) if key not in known]
    index = titles.look(scratch.layout, missing, terms(question), has_time)
    try:
        return sorted(row.key for row in queries.rows(index.connection)), index
    finally:
        index.connection.close()


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("# Staging database\n\nx", ("Staging database", "")),
        ("\ufeff---\r\ntitle: 'Staging'\r\ntags: [db, reset]\r\n---\r\n# Other\r\n", ("Staging", "[db, reset]")),
        ("---\ntags:\n  - db\n  - 検証\ntopics: [a]\n---\n\n## 検証環境の初期化 ##\n", ("検証環境の初期化", "- db - 検証 [a]")),
        ("```\n# a comment\n```\n# Title\n", ("Title", "")),
        ("no heading\n#tag\n", ("", "")),
        ("", ("", "")),
    ],
)
def test_what_the_beginning_of_a_note_says(text, head):
    got = titles.head_of(text.encode())
    assert got is not None and (got.title, " ".join(got.tags.split())) == head


@pytest.mark.parametrize(
    "front",
    [
        "acl: session\n", "ACL: session\n",
        '"privacy": private\n', '"\\u0061cl": session\n', "{acl: session}\n", "? privacy\n: private\n", "x: &a {acl: user}\n",
    ],
)  # fmt: skip
def test_a_note_that_may_be_restricted_is_not_shown_before_it_is_indexed(front):
    assert titles.head_of(f"---\ntitle: Staging\n{front}---\n# Staging\n".encode()) is None


def test_a_front_matter_that_does_not_end_in_what_was_read_shows_nothing():
    assert titles.head_of(b"---\ntitle: Staging\n# Staging\n") is None
    assert titles.head_of((b"---\n" + b"x: y\n" * 1_000 + b"acl: session\n---\n")[: titles.HEAD_BYTES]) is None


def test_of_many_missing_notes_title_tags_and_file_name_are_searched_and_the_body_is_not(bank):
    scratch = bank(
        {f"others/{number}.md": "# Aux\n" for number in range(YOUNG)}
        | {
            "a.md": "# Retrying uploads\n\nkettle\n",
            "b.md": "---\ntags: [uploads]\n---\n# B\n",
            "c/uploads-and-more.md": "text\n",
            "d.md": "# D\n\nuploads\n",
            "設計/再送.md": "# アップロードの再送\n",
            "e.md": "# Café menu\n",
        }
    )
    assert found(scratch, "how is an upload retried")[0] == ["a.md", "b.md", "c/uploads-and-more.md"]
    assert found(scratch, "ｱｯﾌﾟﾛｰﾄﾞの再送")[0] == ["設計/再送.md"]
    assert found(scratch, "the cafe")[0] == ["e.md"]
    assert found(scratch, "kettle")[0] == []


@pytest.mark.parametrize(("text", "question"), [
    ("# Menu\n\nThe kettle boils at noon.\n", "when does the kettle boil"),
    ("# 献立\n\n薬缶は正午に沸く。\n", "薬缶が沸くのはいつ"),
    ("---\r\ntitle: Menu\r\n---\r\n\r\n## The kettle\r\n", "when does the kettle boil"),
])  # fmt: skip
def test_a_few_missing_notes_are_read_entirely(bank, text, question):
    keys, index = found(bank({"a.md": text, "b.md": "# Aux\n\nVoid.\n"}), question)
    assert (keys, index.is_entire) == (["a.md"], True)


def test_of_a_long_file_only_the_first_bytes_are_read(bank):
    scratch = bank({"a.md": f"# Menu\n\n{'x ' * titles.ENTIRE_BYTES}\n\nkettle\n"})
    assert found(scratch, "kettle")[0] == []


def date_found(scratch, key):
    """The date with which a note is read from its file while the working index is there."""
    with closing(database.open_reading(scratch.layout.database, schema.VERSION)) as known:
        index = titles.look(scratch.layout, [key], terms("uploads 再送"), always, known)
    with closing(index.connection):
        return [row.modified for row in queries.rows(index.connection)]


@pytest.mark.parametrize("key", ["uploads.md", "設計/再送.md"])
def test_a_content_that_was_indexed_keeps_its_date_when_its_file_is_written_anew(bank, key):
    """As `git checkout` of another branch and back does, whether or not the index was brought up to date in between."""
    scratch = bank({key: "# Uploads\n\n再送は三回まで。\n"})
    path, content = scratch.active / key, (scratch.active / key).read_bytes()

    def written(data, seconds):
        path.write_bytes(data)
        os.utime(path, (seconds, seconds))

    written(content, 1_700_000_000)
    Bank.open(str(scratch.root)).index.update()
    written(content, 1_800_000_000)
    assert date_found(scratch, key) == [1_700_000_000_000]
    path.unlink()
    Bank.open(str(scratch.root)).index.update()
    written(content, 1_800_000_000)
    assert date_found(scratch, key) == [1_700_000_000_000]
    written(content + b"Uploads again.\n", 1_800_000_000)
    assert date_found(scratch, key) == [1_800_000_000_000]


def test_only_notes_without_a_row_are_looked_at(bank):
    scratch = bank({"a.md": "# Uploads\n", "b.md": "# Uploads too\n"})
    keys, index = found(scratch, "uploads", known={"a.md"})
    assert (keys, index.missing, index.looked) == (["b.md"], 1, 1)


def test_when_the_time_is_up_no_further_file_is_read_and_names_come_first(bank):
    scratch = bank({f"n{number:03}.md": f"# Uploads {number}\n" for number in range(200)} | {"z/uploads.md": "# Z\n"})
    answers = iter((True, False))
    keys, index = found(scratch, "uploads", has_time=lambda: next(answers))
    assert index.missing == 201 and index.looked == 64 and "z/uploads.md" in keys
    assert found(scratch, "uploads", has_time=lambda: False)[1].looked == 0


def test_pipes_links_and_unreadable_files_are_left_out(bank):
    scratch = bank({"a.md": "# Uploads\n"})
    os.mkfifo(scratch.active / "pipe.md")
    os.symlink("a.md", scratch.active / "link.md")
    os.symlink("/", scratch.active / "root")
    (scratch.active / "bytes.md").write_bytes(b"# Uploads \xff\xfe\n")
    assert found(scratch, "uploads")[0] == ["a.md", "bytes.md"]

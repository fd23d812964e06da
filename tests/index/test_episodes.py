"""The rows of episodes follow their list: read when it is another file, cut anew where a text changed, and seen by nothing that is of notes."""

import json
import os
import sqlite3
from contextlib import closing
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.bank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.episodes import indexing
from memorybank.index import episodes
from memorybank.index.episodes import EpisodeDocument
from memorybank.index.fold import fold
from memorybank.index.publish import publish
from memorybank.index.schema import TABLES, VERSION
from memorybank.index.working import Index, open_index
from memorybank.storage import database
from tests.conftest import DAY, NOW
from tests.index.test_incremental import published

NOTE = "# Uploads\n\nUploads are retried three times; see src/upload.py and [[other]].\n"
ONE, TWO = {"date": "2025-09-10", "summary": "The upload was retried. See src/upload.py."}, {"date": "2025-09-11", "summary": "認証を直した。"}


def opened(scratch, now=NOW, **options):
    return open_index(scratch.layout, load(scratch.layout), FixedClock(now), **options)


def rows(index: Index):
    """Everything that is kept of episodes, row numbers aside."""
    connection = index.connection
    found = {key: (number, *others) for number, key, *others in connection.execute("SELECT * FROM episodes")}
    tokens = {number: columns for number, *columns in connection.execute("SELECT * FROM episode_tokens")}
    anchors: dict[int, set[str]] = {}
    for number, anchor in connection.execute("SELECT episode, anchor FROM episode_anchors"):
        anchors.setdefault(number, set()).add(anchor)
    terms = connection.execute("SELECT term, doc, cnt FROM episode_terms ORDER BY term").fetchall()
    assert {row[0] for row in found.values()} == tokens.keys() >= anchors.keys()
    return {key: (others, tokens[number], anchors.get(number, set())) for key, (number, *others) in found.items()}, terms


def test_an_unchanged_list_is_not_read(bank, monkeypatch):
    scratch = bank({"a.md": NOTE})
    scratch.episodes(ONE, TWO)
    with opened(scratch) as index:
        indexing.bring_up_to_date(index)
    monkeypatch.setattr(indexing, "_listed", None)
    with opened(scratch) as index:
        assert indexing.bring_up_to_date(index) is None
        assert len(rows(index)[0]) == 2


def test_a_list_that_was_written_just_now_is_read_again(bank):
    """Two writes within one tick of the file system's clock leave the same stat."""
    scratch = bank()
    path = scratch.episodes(ONE, at=NOW)
    with opened(scratch) as index:
        indexing.bring_up_to_date(index)
        text = path.read_text(encoding="utf-8").replace("retried", "refused")
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(NOW * 1_000_000, NOW * 1_000_000))
        indexing.bring_up_to_date(index)
        assert "refused" in rows(index)[0]["episode:2025-09-10"][0][-1]


def test_only_what_changed_is_cut_anew(bank, monkeypatch):
    scratch = bank()
    scratch.episodes(ONE, TWO)
    with opened(scratch) as index:
        indexing.bring_up_to_date(index)
        added = []
        put = episodes._add
        monkeypatch.setattr(episodes, "_add", lambda connection, number, document: added.append(document.key) or put(connection, number, document))
        scratch.episodes(ONE, {**TWO, "summary": "認証と更新を直した。"}, {"date": "2025-09-12", "summary": "new"}, at=NOW - DAY + 5)
        indexing.bring_up_to_date(index)
        assert added == ["episode:2025-09-11", "episode:2025-09-12"]
        scratch.episodes(TWO, at=NOW - DAY + 9)
        indexing.bring_up_to_date(index)
        assert rows(index)[0].keys() == {"episode:2025-09-11"}


DATES = st.sampled_from(["2025-09-10", "2025-09-11", "2025-09-08~2025-09-14", "2025-09-08 ～ 2025-09-14", "2025-09-14~2025-09-08", "?"])
ENTRIES = st.fixed_dictionaries(
    {
        "date": DATES,
        "summary": st.sampled_from(["", "  ", "upload src/a.py", "upload retried\r\nsrc/b.py", "認証を直した", "（エラーにより要約できませんでした）"]),
        "kind": st.sampled_from(["day", "supplement", "week", "brief", "error", "odd"]),
    }
)


@given(st.lists(st.lists(ENTRIES, max_size=5), min_size=1, max_size=5))
def test_step_by_step_is_what_reading_it_once_gives(lists):
    """Whatever lay in the list before: rows, tokens, anchors, and the vocabulary of the full text."""

    def documents(entries):
        from memorybank.episodes.dates import LocalCalendar
        from memorybank.episodes.entry import Episode, sort
        from memorybank.episodes.entry import documents as grouped

        found = grouped(sort([Episode(entry) for entry in entries]))
        return [indexing._document(name, members, LocalCalendar()) for name, members in found.items()]

    def in_memory():
        return closing(database.in_memory(TABLES, VERSION))

    with in_memory() as often, in_memory() as at_once:
        opened, once = SimpleNamespace(connection=often), SimpleNamespace(connection=at_once)
        for entries in lists:
            episodes.settle(often, documents(entries))
        episodes.settle(at_once, documents(lists[-1]))
        assert rows(opened) == rows(once)
        found = rows(once)[0]
    assert all(key.startswith("episode:2025-09-") for key in found)
    assert all(text.strip() and "要約できません" not in text for (*_, text), _, _ in found.values())


def test_nothing_of_notes_sees_an_episode(bank):
    """Rows, scores, duplicates, terms and published documents are those of a bank without episodes."""
    tables = ("notes", "tokens", "folded", "links", "anchors", "fingerprints", "keywords", "frequencies", "tags", "problems")

    def state(with_episodes):
        scratch = bank({"a.md": NOTE, "other.md": "# Other\n\n" + "The same text twice. " * 30, "copy.md": "# Copy\n\n" + "The same text twice. " * 30})
        if with_episodes:
            scratch.episodes(ONE, TWO, {"date": "2025-09-12", "summary": "The same text twice. " * 30})
        with opened(scratch) as index:
            fold(index)
            indexing.bring_up_to_date(index)
            publish(index)
            columns = {
                table: [row[1] for row in index.connection.execute(f"PRAGMA table_info({table})") if row[1] not in ("ctime_ns", "inode")] for table in tables
            }
            kept = {table: sorted(map(repr, index.connection.execute(f"SELECT {', '.join(columns[table])} FROM {table}"))) for table in tables}
        return kept, published(scratch.layout)

    assert state(True) == state(False)


def test_rotation_listing_and_scores_know_no_episode(bank):
    scratch = bank({"a.md": NOTE})
    scratch.episodes(ONE, {"date": "2019-09-12", "summary": "An old day."})
    found = Bank.open(str(scratch.root))
    assert [note.key for note in found.notes.list()] == ["a.md"]
    assert "episode" not in repr(found.rotation.plan())
    assert "episode" not in repr(found.notes.problems())


@pytest.mark.parametrize("again", ["full", "incremental", "rebuild", "settings"])
def test_every_way_to_an_index_brings_the_episodes_along(bank, again):
    scratch = bank({"a.md": NOTE})
    scratch.episodes(ONE)
    found = Bank.open(str(scratch.root))
    found.index.update()
    if again == "rebuild":
        found.index.rebuild()
    elif again == "settings":  # every row is forgotten and made again
        scratch.configure("index", '{"keyword_extraction": {"min_word_length": 4}}')
        found = Bank.open(str(scratch.root))
        assert [hit.key for hit in found.search("retried", kinds=["episode"]).hits] == ["episode:2025-09-10"]
    else:
        found.index.update(again)
    with found.opened(frozen=True) as index:
        assert rows(index)[0].keys() == {"episode:2025-09-10"}
    assert found.index.check() == []


def test_the_check_names_what_the_index_does_not_know(bank):
    scratch = bank()
    scratch.episodes(ONE, TWO)
    found = Bank.open(str(scratch.root))
    found.index.update()
    assert found.index.check() == []
    scratch.episodes(ONE, {**TWO, "summary": "another one"})
    [problem] = found.index.check()
    assert (problem.code, problem.message.rpartition(": ")[2]) == ("index_outdated", "episode:2025-09-11")
    found.index.update()
    assert found.index.check() == []


def test_somebody_else_writing_is_said_and_not_waited_for_long(bank, monkeypatch):
    scratch = bank()
    scratch.episodes(ONE)
    monkeypatch.setattr(episodes, "_write", lambda index, listed: (_ for _ in ()).throw(_busy()))
    with opened(scratch) as index:
        assert "another process" in str(indexing.bring_up_to_date(index))


def _busy():
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return error


def test_a_cache_that_turns_out_to_be_read_only_is_read_in_memory(bank):
    scratch = bank()
    scratch.episodes(ONE)
    with opened(scratch) as index:
        fold(index)
        index.connection.execute("PRAGMA query_only = ON")
        assert indexing.bring_up_to_date(index) is None
        assert index.frozen
        assert rows(index)[0].keys() == {"episode:2025-09-10"}


def test_a_document_is_known_by_everything_in_it():
    one = EpisodeDocument("episode:2025-09-10", "2025-09-10", "day", True, ("2025-09-10",), 1, 2, 3, (), "text")
    others = [
        one.with_changes(**{name: value})
        for name, value in {"text": "texts", "may_be_shown": False, "sources": ("session:a",), "modified": 9, "kind": "week"}.items()
    ]
    assert len({document.digest for document in (one, *others)}) == 1 + len(others)
    assert one.digest == json.loads(json.dumps(one.digest))

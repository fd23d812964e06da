"""Full-text tables keep few segments."""

import pytest

from memorybank.storage import full_text
from memorybank.storage.sqlite import sqlite3


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "words.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=none)")
        for number in range(12):
            connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number + 1, f"kettle number{number}"))
            connection.commit()
    connection.close()
    return path


def segments(connection) -> int:
    return connection.execute("SELECT count(DISTINCT segid) FROM words_idx").fetchone()[0]


def found(connection) -> list[int]:
    return [row for (row,) in connection.execute("SELECT rowid FROM words WHERE words MATCH 'kettle'")]


def test_all_segments_become_one(path):
    with sqlite3.connect(path) as connection:
        assert segments(connection) == 12
        full_text.merge_all(connection, "words")
        assert segments(connection) == 1
        assert found(connection) == list(range(1, 13))
    connection.close()


def test_segments_of_the_same_age_become_one(path):
    with sqlite3.connect(path) as connection:
        full_text.merge_some(connection, "words")
        assert segments(connection) < 4
        assert found(connection) == list(range(1, 13))
    connection.close()


def test_merging_waits_for_the_next_time_while_another_process_writes(path):
    writer, other = sqlite3.connect(path, isolation_level=None), sqlite3.connect(path, timeout=0)
    writer.execute("BEGIN IMMEDIATE")
    full_text.merge_some(other, "words")
    writer.execute("ROLLBACK")
    assert segments(other) == 12
    writer.close()
    other.close()

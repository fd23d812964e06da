"""The cache as it lies there: what is read of it while another process writes."""

from contextlib import closing

import pytest

from memorybank.cycle.fold import schema as cycle_schema
from memorybank.errors import PermissionRefused, ValidationFailed
from memorybank.index import schema as index_schema
from memorybank.storage import database
from memorybank.storage.answering import answer
from memorybank.storage.sqlite import sqlite3

SCHEMA = ("CREATE TABLE row (value TEXT)",)


def rows(connection):
    return connection.execute("SELECT value FROM row").fetchall()


def test_a_log_that_its_writer_takes_in_meanwhile_costs_no_reader_anything(tmp_path, monkeypatch):
    """Between the question whether there is one and its copy, the last writer ends: everything is in the cache itself then."""
    path = str(tmp_path / "cache" / "bank.sqlite3")
    writer = database.open_writable(path, SCHEMA, 1)
    writer.execute("INSERT INTO row VALUES ('行')")
    copy = database._copy_with_log

    def late(found):
        writer.close()
        return copy(found)

    monkeypatch.setattr(database, "_copy_with_log", late)
    with closing(database.open_frozen(path, SCHEMA, 1)) as reader:
        assert rows(reader) == [("行",)]
    assert not database.is_damaged(path) and database.is_of(path, 1)


def test_a_cache_is_of_the_version_that_made_it(tmp_path):
    path = str(tmp_path / "cache" / "bank.sqlite3")
    writer = database.open_writable(path, SCHEMA, 7)
    writer.execute("INSERT INTO row VALUES ('x')")
    assert database.is_of(path, 7) and not database.is_of(path, 8), "also while it is written"
    writer.close()
    assert database.is_of(path, 7) and not database.is_of(path, 8)
    (tmp_path / "text").write_text("no database at all, but some text")
    assert not database.is_of(str(tmp_path / "text"), 7)


def test_a_damaged_cache_is_called_set_aside_only_when_it_was(tmp_path):
    path = tmp_path / "text"
    path.write_text("no database at all, but some text")
    with pytest.raises(sqlite3.DatabaseError) as found, closing(sqlite3.connect(str(path))) as connection:
        connection.execute("PRAGMA user_version")
    kept, moved = database.typed(found.value, "cache"), database.typed(found.value, "cache", was_set_aside=True)
    assert isinstance(kept, ValidationFailed) and "set aside" not in kept.message and "doctor --fix" in kept.next_step
    assert isinstance(moved, ValidationFailed) and "was set aside" in moved.message


@pytest.mark.parametrize("schema", [index_schema, cycle_schema], ids=["index", "cycle"])
def test_the_primary_key_of_a_table_without_rowid_is_its_first_columns(schema):
    """In any other order `PRAGMA quick_check` of SQLite 3.40.0 to 3.41.0 reports NULL values that are not there, and doctor a damaged cache."""
    with closing(database.in_memory(schema.TABLES, schema.VERSION)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%WITHOUT ROWID'").fetchall()
        places = {table: [column[5] for column in connection.execute(f"PRAGMA table_info({table})")] for (table,) in tables}
    assert len(tables) > 10
    for table, found in places.items():
        keys = max(found)
        assert found[:keys] == list(range(1, keys + 1)), table


def test_a_cache_of_another_version_is_replaced_and_nothing_of_it_is_kept(tmp_path):
    path = str(tmp_path / "cache" / "bank.sqlite3")
    older = database.open_writable(path, SCHEMA, 1)
    older.execute("INSERT INTO row VALUES ('old')")
    older.close()
    newer = database.open_writable(path, SCHEMA, 2)
    assert rows(newer) == []
    newer.close()
    assert [file.name for file in (tmp_path / "cache").iterdir()] == ["bank.sqlite3"]


def test_a_cache_that_cannot_be_made_or_copied_is_closed_at_once(tmp_path, monkeypatch):
    """A page or a server lives for days: it does not keep a file open until some garbage collection."""
    made, connect = [], sqlite3.connect

    def connected(*arguments, **options):
        made.append(connect(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", connected)
    frozen = database.in_memory(SCHEMA, 1)
    frozen.close()
    with pytest.raises(sqlite3.ProgrammingError):
        database.thaw(frozen)
    with pytest.raises(sqlite3.DatabaseError):
        database.in_memory(("CREATE TABLE",), 1)
    monkeypatch.setattr(database.os, "chmod", _refused)
    with pytest.raises(PermissionRefused):
        database.open_writable(str(tmp_path / "new.sqlite3"), SCHEMA, 1)
    assert len(made) == 4
    for connection in made:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")


def _refused(path, mode):
    raise PermissionError(13, "Permission denied", path)


def test_a_connection_that_reads_can_write_afterwards_unless_it_reads_the_main_file_alone(tmp_path):
    path = str(tmp_path / "cache" / "bank.sqlite3")
    database.open_writable(path, SCHEMA, 1).close()
    reading = database.open_reading(path, 1)
    assert reading is not None and database.make_writable(reading)
    with closing(reading), database.transaction(reading):
        reading.execute("INSERT INTO row VALUES ('new')")
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True, isolation_level=None)) as unchanging:
        assert rows(unchanging) == [("new",)]
        assert not database.make_writable(unchanging)


def test_a_cache_that_is_missing_damaged_or_locked_answers_with_what_its_reader_does_without_it(tmp_path):
    path = str(tmp_path / "cache" / "bank.sqlite3")
    assert answer(None, "without", lambda connection: pytest.fail("there is nothing to ask")) == "without"
    writer = database.open_writable(path, SCHEMA, 1)
    writer.execute("INSERT INTO row VALUES ('x')")
    with closing(writer):
        assert answer(writer, [], rows) == [("x",)]
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as reader, database.transaction(writer):
            assert answer(reader, None, lambda connection: connection.execute("BEGIN IMMEDIATE")) is None
        writer.execute("DROP TABLE row")
        assert answer(writer, [], rows) == []


def test_an_error_that_is_not_the_caches_reaches_the_caller(tmp_path):
    def ask(connection):
        raise ValueError("of the caller")

    with closing(database.open_writable(str(tmp_path / "cache" / "bank.sqlite3"), SCHEMA, 1)) as writer, pytest.raises(ValueError, match="of the caller"):
        answer(writer, [], ask)

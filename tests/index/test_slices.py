"""A large fold commits slice after slice; every slice is an index that can be searched, and says what waits."""

from contextlib import contextmanager

import pytest

from memorybank.bank import Bank
from memorybank.config.settings import load
from memorybank.errors import Problem
from memorybank.index import apply, fold, readiness
from memorybank.index.working import open_index

TABLES = ("notes", "keywords", "links", "claims", "decisions", "superseding", "frequencies", "fingerprints", "tokens", "crowded_keys")


@pytest.fixture
def many(bank, monkeypatch):
    monkeypatch.setattr(fold, "SLICE", 4)
    text = "# Queue {0}\n\nWe use {1} for queue {0}, see [[n{2}]] and `src/a{0}.py`.\n"
    return bank({f"n{number:02}.md": text.format(number % 5, ("redis", "kafka")[number % 2], (number + 7) % 20) for number in range(20)})


def rows(index):
    columns = {table: ",".join(row[1] for row in index.connection.execute(f"PRAGMA table_info({table})") if row[1] != "revision") for table in TABLES}
    return {table: sorted(index.connection.execute(f"SELECT {columns[table]} FROM {table}")) for table in TABLES}


def interrupted(scratch, clock, monkeypatch, after):
    """Fold, and be interrupted in the slice after so many."""
    done = []
    real = apply.apply

    def stop(*arguments):
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(real(*arguments))

    with monkeypatch.context() as patched, open_index(scratch.layout, load(scratch.layout), clock) as index, pytest.raises(KeyboardInterrupt):
        patched.setattr(apply, "apply", stop)
        fold.fold(index)


def test_slices_give_the_rows_of_one_fold(many, fixed_clock, monkeypatch):
    with open_index(many.layout, load(many.layout), fixed_clock) as index:
        fold.fold(index)
        in_slices = rows(index)
        monkeypatch.setattr(fold, "SLICE", 1_000)
        fold.fold(index, anew=True)
        assert rows(index) == in_slices


def test_a_slice_leaves_out_the_notes_that_another_process_folded_since_the_scan(many, fixed_clock, monkeypatch):
    """Two processes that catch up at the same time share the work: a row that agrees with its file is not written a second time."""
    key = "n13.md"
    locks = []
    real = fold._exclusive

    @contextmanager
    def waited_for(index):
        """Before the third lock of this fold (the settings, a slice, a slice), the other process holds it."""
        locks.append(index)
        if len(locks) == 3:
            with open_index(many.layout, load(many.layout), fixed_clock) as other:
                assert fold.fold(other, only=[key]).added == 1
        with real(index):
            yield

    monkeypatch.setattr(fold, "_exclusive", waited_for)
    with open_index(many.layout, load(many.layout), fixed_clock) as index:
        report = fold.fold(index)
        assert (report.added, report.changed, index.count()) == (19, 0, 20)


def test_an_interrupted_fold_keeps_its_slices_and_the_next_one_continues(many, fixed_clock, monkeypatch):
    interrupted(many, fixed_clock, monkeypatch, after=2)
    with open_index(many.layout, load(many.layout), fixed_clock) as index:
        assert index.count() == 8 and readiness.of(index.connection).waiting == 12
        assert fold.fold(index).added == 12
        assert readiness.is_ready(index.connection)


def test_a_search_after_an_interrupted_fold_finds_the_notes_that_waited(many, fixed_clock, monkeypatch):
    """In a large bank, which a search compares by folders only: the notes that wait were edited in place."""
    many.configure("index", '{"freshness": {"max_sweep_notes": 5}}')
    Bank.open(str(many.root), clock=fixed_clock).index.update()
    for path in sorted(many.active.glob("*.md")):
        path.write_text(path.read_text() + "\nAnd a walrus.\n")
    interrupted(many, fixed_clock, monkeypatch, after=1)
    assert len(Bank.open(str(many.root), clock=fixed_clock).search("walrus", limit=30).hits) == 20


def test_making_all_rows_again_is_seen_only_when_it_is_complete(many, fixed_clock, monkeypatch):
    with open_index(many.layout, load(many.layout), fixed_clock) as index:
        fold.fold(index)
    many.configure("index", '{"stop_words": ["queue"]}')
    interrupted(many, fixed_clock, monkeypatch, after=3)
    with open_index(many.layout, load(many.layout), fixed_clock) as index:
        assert index.count() == 20


def test_the_terms_of_the_slices_of_one_transaction_are_counted_once(many, fixed_clock, monkeypatch):
    """Also when no note of the last slice can be read."""
    real = apply.outcomes_of

    def outcomes_of(layout, settings, files, known):
        outcomes = zip(files, real(layout, settings, files, known), strict=True)
        return [Problem("unreadable", found.key, "no permission") if found.key >= "n16" else outcome for found, outcome in outcomes]

    with open_index(many.layout, load(many.layout), fixed_clock) as index:
        fold.fold(index)
        counted = []
        index.connection.set_trace_callback(lambda statement: counted.append(statement) if "FROM note_terms" in statement else None)
        monkeypatch.setattr(apply, "outcomes_of", outcomes_of)
        fold.fold(index, anew=True)
        index.connection.set_trace_callback(None)
        assert index.count() == 16 and len(counted) == 1
        exact = "SELECT term, doc FROM note_terms ORDER BY term"
        assert index.connection.execute("SELECT * FROM frequencies ORDER BY term").fetchall() == index.connection.execute(exact).fetchall()

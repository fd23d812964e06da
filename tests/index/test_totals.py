"""What is kept of all rows with their revision, and tables that are compared in turn (ADR 0131)."""

import random

import pytest

from memorybank.bank import Bank
from memorybank.index import check, meta, queries, totals
from memorybank.index.decision_rows import Supersessions

OLDER, NEWER = "# Store\n\nWe decided to use Redis for the session store.\n", "# Store\n\nWe decided to use Postgres instead of Redis for the session store.\n"
NOTES = {f"shared/note-{number}.md": f"# Note {number}\n\n" + f"Sentence {number} about staging.\n" * (number + 1) for number in range(7)}


@pytest.fixture
def opened(bank, fixed_clock):
    """(scratch, Bank) with seven notes."""
    scratch = bank(NOTES)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    opened.index.update()
    return scratch, opened


def counted(index):
    """What the rows say, without what was kept."""
    return queries.totals(index.connection), sum(1 for _ in Supersessions(index.connection).everything())


def kept(index):
    return totals.totals(index), totals.superseded(index, ())


def test_what_is_kept_is_what_the_rows_say_after_any_change(opened, fixed_clock):
    scratch, bank = opened
    chance = random.Random(131)
    for round_number in range(12):
        fixed_clock.instant += chance.choice((60_000, 40 * 86_400_000))
        key = f"shared/note-{chance.randrange(9)}.md"
        if chance.random() < 0.3:
            (scratch.active / key).unlink(missing_ok=True)
        else:
            scratch.write(key, chance.choice((OLDER, NEWER, NOTES["shared/note-3.md"], f"# Other {round_number}\n\nA text.\n")), days_old=chance.randrange(99))
        with bank.folded() as index:
            assert kept(index) == counted(index)
        with bank.folded() as index:
            assert kept(index) == counted(index)


def test_rows_that_did_not_change_are_not_read_again(opened, monkeypatch):
    _, bank = opened
    with bank.folded() as index:
        found = kept(index)
        monkeypatch.setattr(queries, "totals", lambda connection: pytest.fail("the rows were added up again"))
        monkeypatch.setattr(Supersessions, "everything", lambda self: pytest.fail("the statements were read again"))
        assert kept(index) == found


def test_what_a_person_called_no_contradiction_is_not_counted(bank, fixed_clock):
    scratch = bank()
    scratch.write("shared/older.md", OLDER, days_old=20)
    scratch.write("shared/newer.md", NEWER, days_old=2)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    with opened.folded() as index:
        (pair,) = Supersessions(index.connection).everything()
        assert (totals.superseded(index, ()), totals.superseded(index, {pair.id}), totals.superseded(index, ())) == (1, 0, 1)


def test_an_earlier_instant_has_its_own_sums(opened, fixed_clock):
    _, bank = opened
    with bank.folded() as index:
        kept(index)
    with bank.opened() as index:
        index.forget_after(fixed_clock.instant - 400 * 86_400_000)
        assert kept(index) == counted(index) and totals.totals(index).importances == {}


@pytest.mark.parametrize("most", [0, 1_000])
def test_the_ids_that_are_kept_are_those_of_the_limit_and_of_the_rows(opened, monkeypatch, most):
    monkeypatch.setattr(totals, "_MOST_IDS", most)
    scratch, bank = opened

    def keys(find, limit):
        with bank.folded() as index:
            return sorted(index.connection.execute("SELECT key FROM notes WHERE id = ?", (id,)).fetchone()[0] for id in find(index, limit))

    sizes = {key: (scratch.active / key).stat().st_size for key in NOTES}
    for limit in (0.0, 100.0, 100.0, 150.0, float("inf"), 100.0):
        assert keys(totals.large, limit) == sorted(key for key, size in sizes.items() if size > limit)
    assert keys(totals.pinned, 8.0) == []
    bank.notes.rate("shared/note-1.md", 9)
    scratch.write("shared/note-2.md", "---\nbookmarked: true\n---\n# Note 2\n", days_old=1)
    assert keys(totals.pinned, 8.0) == ["shared/note-1.md", "shared/note-2.md"] == keys(totals.pinned, 8.0)
    assert keys(totals.pinned, 9.5) == ["shared/note-2.md"]


def look(bank) -> list[str]:
    with bank.folded() as index:
        return [problem.message for problem in check.tables_in_turn(index)]


@pytest.fixture
def portions(opened, monkeypatch):
    """(scratch, Bank), with portions of two notes, after a first look at everything."""
    monkeypatch.setattr(check, "_PORTION", 2)
    assert look(opened[1]) == []
    return opened


@pytest.mark.parametrize("table", ["tokens", "folded", "note_text_docsize"])
@pytest.mark.parametrize("harmed", [0, 3, 6])
def test_a_row_that_is_missing_is_noticed_when_its_turn_comes_and_from_then_on(portions, table, harmed):
    _, bank = portions
    with bank.opened() as index:
        index.connection.execute(f"DELETE FROM {table} WHERE id = (SELECT id FROM notes ORDER BY id LIMIT 1 OFFSET ?)", (harmed,))
    found = [bool(look(bank)) for _ in range(7)]
    assert found == [number >= harmed // 2 for number in range(7)]


@pytest.mark.parametrize("stray", [-5, 99])
def test_a_row_of_no_note_is_noticed(portions, stray):
    _, bank = portions
    with bank.opened() as index:
        index.connection.execute("INSERT INTO folded VALUES (?, 0, '')", (stray,))
    assert any(look(bank) for _ in range(4))


def test_every_row_is_compared_after_a_note_changed(portions):
    scratch, bank = portions
    with bank.opened() as index:
        index.connection.execute("DELETE FROM tokens WHERE id = (SELECT max(id) FROM notes)")
    scratch.write("shared/note-0.md", "# Another\n")
    assert len(look(bank)) == 1


def test_a_small_bank_and_one_that_may_only_be_read_are_compared_completely(opened, monkeypatch, fixed_clock):
    scratch, bank = opened
    with bank.opened() as index:
        check.tables_in_turn(index)
        assert meta.text(index.connection, "tables_agreed") is None
    monkeypatch.setattr(check, "_PORTION", 2)
    look(bank)
    with bank.opened() as index:
        index.connection.execute("DELETE FROM tokens WHERE id = (SELECT max(id) FROM notes)")
    with Bank.open(str(scratch.root), clock=fixed_clock, read_only=True).opened() as index:
        assert not index.is_writable and len(check.tables_in_turn(index)) == 1

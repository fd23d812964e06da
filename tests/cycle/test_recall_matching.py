"""Finding the notes that contain a query's words: within a budget, equal to reading every note, and the same on any machine."""

import random
from contextlib import closing

import pytest

from memorybank.clock import FixedClock
from memorybank.cycle.know import search
from memorybank.cycle.recall import matching
from memorybank.cycle.recall.query import words
from memorybank.index.schema import VERSION
from memorybank.storage import database
from tests.conftest import NOW
from tests.cycle.recalling import Remembering

VOCABULARY = str.split("upload retry jitter billing export ledger cache index token 再送 上限 認証 トークン 索引 検索 設定 サーバー 期限 台帳")


def text_of(chance, japanese):
    drawn = chance.choices(VOCABULARY, weights=[1 / (rank + 1) for rank in range(len(VOCABULARY))], k=8)
    return "".join(f"{word}の" for word in drawn) if japanese else " ".join(drawn)


@pytest.fixture(scope="module")
def connection(shared_bank):
    """300 notes, and the connection that a hook would have."""
    chance = random.Random(3)
    notes = {f"n{number:03}.md": f"# N{number}\n\n{text_of(chance, number % 2 == 0)}\n" for number in range(300)}
    remembering = Remembering(shared_bank(notes), FixedClock(NOW)).index()
    made = database.open_reading(remembering.scratch.layout.database, VERSION)
    made.create_function("sees", 8, lambda *_: True)
    made.create_function("needs", 2, lambda *_: True)
    yield made
    made.close()


def brute(connection, asked):
    """Return {row: labels that it contains} by reading every note."""
    found = {}
    for row, *columns in connection.execute("SELECT id, title, headings, tags, body FROM tokens"):
        tokens = f" {' '.join(columns)} "
        held = {word.label for word in asked if f" {' '.join(word.terms)} " in tokens}
        if held:
            found[row] = held
    return found


@pytest.mark.parametrize("text", ["jitter of the ledger export", "認証トークンの期限と台帳", "billing 台帳 export 期限 ledger", "upload retry"])
def test_matches_are_those_of_looking_at_everything(connection, text):
    asked = words(text)
    everything = brute(connection, asked)
    found = matching.match(connection, matching.NOTES, asked)
    assert found
    for row, match in found.items():
        assert set(match.matched) == everything[row]
        assert 0 < match.match <= 1.0000001
    best = max(len(held) for held in everything.values())
    assert {row for row, held in everything.items() if len(held) == best} <= found.keys() or len(everything) > matching.EXACT


def test_the_match_is_the_share_by_rarity_and_an_unknown_word_counts_against_it(connection):
    known = matching.match(connection, matching.NOTES, words("ledger export"))
    row = next(row for row, match in known.items() if len(match.matched) == 2)
    assert known[row].match == pytest.approx(1.0)
    assert matching.match(connection, matching.NOTES, words("ledger export lasagna"))[row].match < 0.6


def test_common_words_name_no_candidates_beyond_the_budget(connection, monkeypatch):
    monkeypatch.setattr(matching.NOTES, "postings", 40)
    seen = []
    connection.set_trace_callback(seen.append)
    found = matching.match(connection, matching.NOTES, words("upload 台帳"))
    assert len(found) <= 40
    assert sum("MATCH" in statement for statement in seen) >= 1


def test_more_candidates_than_can_be_looked_at_are_told_apart_by_the_common_words(connection, monkeypatch):
    monkeypatch.setattr(matching, "EXACT", 5)
    monkeypatch.setattr(matching.NOTES, "postings", 150)
    asked = words("台帳 ledger upload 再送")
    found = matching.match(connection, matching.NOTES, asked)
    everything = brute(connection, asked)
    best = max(len(held) for held in everything.values())
    assert max(len(match.matched) for match in found.values()) == best


def test_a_word_of_katakana_is_a_phrase_and_not_its_pieces_anywhere(bank, fixed_clock):
    remembering = Remembering(bank({"a.md": "# A\n\nトークンとサーバー", "b.md": "# B\n\nトーとークとクンとサーバー"}), fixed_clock).index()
    with closing(database.open_reading(remembering.scratch.layout.database, VERSION)) as connection:
        found = matching.match(connection, matching.NOTES, words("トークン サーバー"))
        keys = dict(connection.execute("SELECT id, key FROM notes"))
    assert {keys[row] for row, match in found.items() if "トークン" in match.matched} == {"a.md"}


def test_the_count_of_rows_is_that_of_the_full_text(connection):
    assert search.rows_in(connection, matching.NOTES.text) == 300


def test_a_reader_creates_repairs_and_sets_aside_nothing(tmp_path):
    assert database.open_reading(str(tmp_path / "missing.sqlite3"), 1) is None
    (tmp_path / "broken.sqlite3").write_bytes(b"not a database at all" * 100)
    assert database.open_reading(str(tmp_path / "broken.sqlite3"), 1) is None
    database.open_writable(str(tmp_path / "old.sqlite3"), ("CREATE TABLE t (x)",), 7).close()
    assert database.open_reading(str(tmp_path / "old.sqlite3"), 8) is None
    reader = database.open_reading(str(tmp_path / "old.sqlite3"), 7)
    assert reader is not None
    reader.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.sqlite3", "old.sqlite3"]

"""Rows are added once, hold until a later one replaces them, and reach everybody who may read them, in the order of their arrival."""

import threading

import pytest

from memorybank.meaning.vectors import packed
from memorybank.team.failing import TeamConflict, TeamRefused
from memorybank.team.row import withdrawn
from memorybank.team.searching import TeamQuery

from .conftest import memory


def dump(database):
    """Everything that the database stores, as its owner."""
    tables = ("memory", "passage", "frequency", "corpus")
    return {table: database.owner.execute(f"SELECT to_jsonb(t)::text FROM memorybank.{table} t ORDER BY 1").fetchall() for table in tables}


def titles(hits):
    return [hit.row.title for hit in hits]


def test_a_push_that_is_repeated_adds_nothing(database):
    rows = [memory("ann", number, f"Kettle {number}", "It boils.") for number in range(1, 6)]
    ann = database.team("ann")
    assert ann.push(rows) == 5
    before = dump(database)
    assert ann.push(rows) == ann.push(reversed(rows)) == 0
    assert dump(database) == before
    assert ann.push([*rows, memory("ann", 9, "Later")]) == 1
    assert [row.sequence for row in database.team("bob").rows_after(["tea"])[0]] == [1, 2, 3, 4, 5, 9]


def test_a_number_with_another_content_is_refused_and_nothing_of_the_push_stays(database):
    ann = database.team("ann")
    ann.push([memory("ann", 1, "Kettle", "It boils.")])
    before = dump(database)
    with pytest.raises(TeamConflict):
        ann.push([memory("ann", 1, "Kettle", "It leaks."), memory("ann", 2, "Teapot")])
    with pytest.raises(TeamConflict):
        ann.push([memory("ann", 3, "Cup"), memory("ann", 3, "Saucer")])
    assert dump(database) == before


def test_the_same_content_with_other_vectors_or_dates_is_the_same_row(database):
    """A machine that lost its record of a push computes these again."""
    ann = database.team("ann")
    ann.push([memory("ann", 1, "Kettle", vector=packed((1, 2)), dimension=2, model="m")])
    assert ann.push([memory("ann", 1, "Kettle", modified=99, created=98)]) == 0


def test_the_latest_row_of_a_memory_holds_in_whatever_order_they_arrive(database):
    ann, bob = database.team("ann"), database.team("bob")
    ann.push([memory("ann", 3, "Third", key="k")])
    assert ann.push([memory("ann", 1, "First", key="k"), memory("ann", 2, "Second", key="k")]) == 2
    rows, _ = bob.rows_after(["tea"])
    assert [row.title for row in rows] == ["Third"]
    assert titles(bob.search(TeamQuery("first second third"))) == ["Third"]


def test_what_a_row_replaces_is_deleted(database):
    """Its text, words and vectors are in no table; its number still protects against a replay."""
    ann = database.team("ann")
    ann.push(
        [
            memory(
                "ann",
                1,
                "CANARY-OLD",
                "secret kettle",
                key="k",
                path="shared/CANARY-OLD.md",
                tags=("CANARY-OLD",),
                vector=packed((1, 2)),
                dimension=2,
                model="m",
            )
        ]
    )
    ann.push([memory("ann", 2, "New", key="k")])
    assert not [table for table, rows in dump(database).items() if "canary" in str(rows).lower() or "secret" in str(rows)]
    assert database.value("SELECT count(*) FROM memorybank.passage") == 0
    with pytest.raises(TeamConflict):
        ann.push([memory("ann", 1, "Forged", key="k")])


def test_a_tombstone_deletes_text_words_vectors_and_what_could_confirm_a_guess(database):
    ann, bob = database.team("ann"), database.team("bob")
    row = memory("ann", 1, "CANARY", "秘密 secret", key="k", vector=packed((1, 2)), dimension=2, model="m")
    ann.push([row])
    fingerprint = database.value("SELECT encode(fingerprint, 'hex') FROM memorybank.memory")
    assert bob.rows_after(["tea"])[0]
    assert ann.push([withdrawn(row, 2, 77)]) == 1
    kept = str(dump(database))
    for trace in ("CANARY", "canari", "secret", "秘密", row.digest, fingerprint):
        assert trace not in kept, trace
    assert database.owner.execute("SELECT documents, length FROM memorybank.corpus WHERE documents <> 0 OR length <> 0").fetchall() == []
    assert ann.push([row]) == 0
    assert ann.push([withdrawn(row, 2, 99)]) == 0
    assert bob.search(TeamQuery("secret")) == []


def test_a_withdrawn_memory_stays_withdrawn_when_an_older_row_arrives_late(database):
    ann, bob = database.team("ann"), database.team("bob")
    row = memory("ann", 1, "CANARY", "secret", key="k")
    ann.push([withdrawn(row, 2, 5)])
    ann.push([row])
    assert [(one.kind, one.title) for one in bob.rows_after(["tea"])[0]] == [("withdrawn", "")]
    assert "secret" not in str(dump(database))


def test_pulling_in_pieces_shows_every_row_once_in_the_order_of_arrival(database):
    ann, bob, eve = database.team("ann"), database.team("bob"), database.team("eve")
    for login, team in (("ann", ann), ("bob", bob), ("ann", ann)):
        start = len(team.rows_after(["tea", "organisation"])[0]) + 1
        team.push([memory(login, number, f"{login} {number}", repository=("tea", "organisation")[number % 2]) for number in range(start, start + 7)])
    seen, cursor = [], ""
    while True:
        rows, cursor = eve.rows_after(["tea", "organisation"], cursor, limit=4)
        if not rows:
            break
        seen += rows
    assert sorted(row.title for row in seen) == sorted(row.title for row in eve.rows_after(["organisation", "tea"])[0])
    assert len({(row.repository, row.origin, row.sequence) for row in seen}) == len(seen) == 21
    ann.push([memory("ann", 90, "Late")])
    rows, _ = eve.rows_after(["tea", "organisation"], cursor)
    assert [row.title for row in rows] == ["Late"]


def test_a_machine_can_leave_out_its_own_rows_but_not_what_was_withdrawn_of_them(database):
    ann, eve = database.team("ann"), database.team("eve")
    rows = [memory("ann", 1, "Kettle"), memory("ann", 2, "Cup")]
    ann.push(rows)
    _, cursor = ann.rows_after(["tea"])
    eve.withdraw("tea", rows[0].origin, rows[0].key)
    found, _ = ann.rows_after(["tea"], cursor, without=rows[0].origin)
    assert [(row.sequence, row.kind) for row in found] == [(1, "withdrawn")]
    assert ann.rows_after(["tea"], "", without=rows[0].origin)[0] == found


def test_a_row_comes_back_as_it_was_pushed(database):
    row = memory(
        "ann",
        1,
        "急須 'quoted' \\ back",
        "行1\n行2 ```x```",
        tags=("tag one", "茶"),
        kind="learned",
        created=5,
        vector=packed((3, -4)) + packed((1, 1)),
        dimension=2,
        model="m/1",
    )
    database.team("ann").push([row])
    ([found], _) = database.team("bob").rows_after(["tea"])
    assert all(getattr(found, field) == getattr(row, field) for field in row._fields if field != "tokens")


def test_characters_that_no_database_stores_are_replaced(database):
    database.team("ann").push([memory("ann", 1, "null \0 and \ud800 half")])
    assert [row.title for row in database.team("bob").rows_after(["tea"])[0]] == ["null \ufffd and ? half"]


def test_a_lead_withdraws_rows_of_others_and_everybody_learns_it(database):
    ann, bob, eve = database.team("ann"), database.team("bob"), database.team("eve")
    row = memory("ann", 1, "CANARY")
    ann.push([row])
    _, cursor = bob.rows_after(["tea"])
    with pytest.raises(TeamRefused):
        bob.withdraw("tea", row.origin, row.key)
    assert eve.withdraw("tea", row.origin, row.key) == 1
    assert eve.withdraw("tea", row.origin, row.key) == 0
    assert [(one.key, one.kind, one.title) for one in bob.rows_after(["tea"], cursor)[0]] == [(row.key, "withdrawn", "")]
    assert "CANARY" not in str(dump(database))


def test_a_revoked_machine_shares_nothing_and_pushes_nothing(database):
    ann, bob, eve = database.team("ann"), database.team("bob"), database.team("eve")
    ann.push([memory("ann", 1, "CANARY"), memory("ann", 2, "CANARY", repository="organisation")])
    assert eve.revoke("ann.00000003") == 2
    with pytest.raises(TeamRefused):
        ann.push([memory("ann", 3, "Later")])
    assert "CANARY" not in str(dump(database))
    assert {row.kind for row in bob.rows_after(["tea", "organisation"])[0]} == {"withdrawn"}
    assert [one.is_revoked for one in bob.status().origins] == [True, True]


def test_everybody_may_revoke_a_machine_of_their_own_even_before_it_pushed(database):
    ann = database.team("ann")
    assert ann.revoke("ann.00000003") == 0
    with pytest.raises(TeamRefused):
        ann.push([memory("ann", 1, "Kettle")])


def test_document_frequencies_are_those_of_the_rows_that_hold(database):
    """After any mix of additions, replacements and removals the counts are what counting again gives."""
    ann = database.team("ann")
    for sequence in range(1, 60):
        row = memory("ann", sequence, f"Kettle {sequence % 7}", "boils " * (sequence % 3 + 1), key=f"k{sequence % 9}")
        ann.push([withdrawn(row, sequence, 5) if sequence % 5 == 0 else row])
    counted = database.owner.execute("SELECT word, ndoc FROM ts_stat('SELECT words FROM memorybank.memory WHERE words IS NOT NULL') ORDER BY 1").fetchall()
    assert database.owner.execute("SELECT token, documents FROM memorybank.frequency ORDER BY 1").fetchall() == sorted(counted)
    sums = "SELECT count(*), coalesce(sum(length), 0) FROM memorybank.memory WHERE words IS NOT NULL"
    assert database.owner.execute("SELECT documents, length FROM memorybank.corpus WHERE documents > 0").fetchone() == database.owner.execute(sums).fetchone()


def test_machines_that_push_at_the_same_time_lose_nothing_and_wait_for_nobody_for_ever(database):
    """Two machines push the same words to the same two repositories, in opposite orders; every arrival number is used once."""
    failures = []

    def push(login):
        team = database.team(login)
        try:
            for first in range(1, 80, 8):
                order = ("tea", "organisation") if login == "ann" else ("organisation", "tea")
                for repository in order:
                    team.push([memory(login, number, "Kettle", f"boils {number}", repository=repository) for number in range(first, first + 8)])
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=push, args=(login,)) for login in ("ann", "bob")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert failures == []
    arrivals = database.owner.execute("SELECT place, array_agg(arrival ORDER BY arrival) FROM memorybank.memory GROUP BY place").fetchall()
    assert [found for _, found in arrivals] == [list(range(1, 161))] * 2


def test_a_push_that_breaks_off_leaves_whole_batches(database, monkeypatch):
    from memorybank.team import server

    monkeypatch.setattr(server, "MOST_ROWS", 10)
    ann = database.team("ann")
    rows = [memory("ann", number, f"Kettle {number}") for number in range(1, 26)]
    with pytest.raises(TeamRefused):
        ann.push([*rows, memory("ann", 26, "Elsewhere", repository="unknown")])
    assert ann.push(rows) == 0
    assert ann.push(rows[:5]) == 0


def test_the_status_names_what_one_may_do_and_the_last_number_of_a_machine(database):
    database.team("ann").push([memory("ann", 4, "Kettle"), memory("ann", 7, "Cup")])
    status = database.team("rita").status()
    assert (status.user, status.rows, status.repositories) == ("rita", 2, {"organisation": "read", "tea": "read"})
    assert (status.last_sequence("tea", "ann.00000003"), status.last_sequence("tea", "bob.00000003")) == (7, 0)
    assert database.team("eve").status().repositories["tea"] == "write"

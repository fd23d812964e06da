"""Every query names its place, so it reads the partitions of the repositories that it is about, with their indexes, and no others."""

import json
import random

import pytest

from memorybank.meaning.vectors import packed
from memorybank.team import transport
from memorybank.team.searching import TeamQuery

from .conftest import memory

FAR = 2**61


@pytest.fixture(scope="module")
def filled(shared_database):
    """Two repositories with 3,000 memories each, and indexes of their vectors."""
    chance = random.Random(1)
    vocabulary = [f"word{number}" for number in range(3000)]
    for login, repository in (("ann", "tea"), ("mallory", "coffee")):
        shared_database.team(login).push(
            memory(
                login,
                n,
                f"Note {n}",
                " ".join(chance.choices(vocabulary, k=20)),
                repository,
                vector=packed([chance.gauss(0, 1) for _ in range(8)]),
                dimension=8,
                model="m",
            )
            for n in range(1, 3001)
        )
    shared_database.administration().index_meaning(1000)
    shared_database.owner.execute("VACUUM ANALYZE")
    return shared_database


def place_of(database, repository):
    return database.value("SELECT place FROM memorybank.repository WHERE organisation = 'acme' AND repository = %s", repository)


def plan(database, statement, parameters, role="memorybank_searcher"):
    """Return {relation or index: None} that a statement of the schema reads, as its role."""
    for number, value in sorted(parameters.items(), reverse=True):
        statement = statement.replace(f"${number}", value)
    with database.owner.transaction():
        database.owner.execute(f"SET LOCAL ROLE {role}")
        ((found,),) = database.owner.execute(f"EXPLAIN (FORMAT JSON) {statement}").fetchall()
    names = set()

    def walk(node):
        names.update(node[key] for key in ("Relation Name", "Index Name") if key in node)
        for child in node.get("Plans", ()):
            walk(child)

    walk((json.loads(found) if isinstance(found, str) else found)[0]["Plan"])
    return names


WORDS = {
    **{1: "'''word7'''::tsquery", 2: "ARRAY['''word7'''::tsquery]", 3: "'{1}'::float8[]", 4: "20::float8", 5: "NULL::text[]", 6: f"(-{FAR})::bigint"},
    **{7: f"{FAR}::bigint", 8: "40", 9: "'{word7}'::text[]", 10: "'{1}'::float8[]"},
}
NEAR = {1: "'[1,2,3,4,5,6,7,8]'::text", 2: "NULL::text[]", 3: f"(-{FAR})::bigint", 4: f"{FAR}::bigint", 5: "40"}


def test_a_search_by_words_reads_the_index_of_words_of_its_repository_alone(filled):
    """Although the table has policies: below them PostgreSQL would use no index for @@."""
    tea = place_of(filled, "tea")
    statement = filled.value("SELECT memorybank.words_statement(%s)", [tea])
    assert plan(filled, statement, WORDS) == {f"memory_{tea}", f"memory_{tea}_words_idx"}


def test_a_search_by_meaning_reads_the_graph_of_its_repository_alone(filled):
    tea = place_of(filled, "tea")
    graphs = """SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
                WHERE a.amname = 'hnsw' AND i.indrelid = %s::regclass"""
    graph = filled.value(graphs, f"memorybank.passage_{tea}")
    statement = filled.value("SELECT memorybank.meaning_statement(%s, 'm', 8)", tea)
    assert plan(filled, statement, NEAR) == {f"passage_{tea}", graph.partition(".")[2]}
    assert plan(filled, filled.value("SELECT memorybank.sample_statement(%s, 'm', 8)", tea), {1: NEAR[1], 2: "100"}) == {f"passage_{tea}"}


def test_a_search_in_several_repositories_reads_those(filled):
    places = [place_of(filled, name) for name in ("tea", "coffee")]
    names = plan(filled, filled.value("SELECT memorybank.words_statement(%s)", places), WORDS)
    assert {name for name in names if not name.endswith("_idx")} == {f"memory_{place}" for place in places}


SCANNED = (
    """SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'memorybank' AND relname ~ '^(memory|passage)_' AND seq_scan + coalesce(idx_scan, 0) > 0"""
)


def test_whatever_a_login_calls_it_reads_no_partition_of_others(filled, monkeypatch):
    """Counted by PostgreSQL itself while every function runs that a login may call."""
    connections, connect = [], transport.connect
    monkeypatch.setattr(transport, "connect", lambda *given, **named: connections.append(connect(*given, **named)) or connections[-1])
    filled.owner.execute("SELECT pg_stat_reset()")
    with filled.team("mallory") as mallory:
        for query in (
            TeamQuery("word7 word8"),
            TeamQuery("word7", (0.1,) * 8, "m", "hybrid"),
            TeamQuery("", (0.1,) * 8, "m", "semantic", repositories=("coffee", "tea")),
        ):
            assert mallory.search(query)
        mallory.rows_after(["tea", "coffee", "organisation"])
        mallory.status()
        mallory.push([memory("mallory", 9_001, "New", repository="coffee")])
        mallory.withdraw("coffee", "mallory.00000007", f"{9_001:08x}")
        mallory.revoke("mallory.0000000f")
        connections[0].execute("SELECT pg_stat_force_next_flush()")
    filled.owner.execute("SELECT pg_stat_clear_snapshot()")
    own = {f"{table}_{place_of(filled, name)}" for table in ("memory", "passage") for name in ("coffee", "organisation")}
    assert {f"memory_{place_of(filled, 'coffee')}", f"passage_{place_of(filled, 'coffee')}"} <= {name for (name,) in filled.owner.execute(SCANNED)} <= own


def test_every_key_and_index_begins_with_the_place(filled):
    """What a distributed edition needs: every key contains the column by which rows are divided."""
    keys = """SELECT c.relname, a.attname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
              JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
              WHERE t.relnamespace = 'memorybank'::regnamespace AND t.relname IN ('memory', 'passage', 'frequency', 'corpus') AND c.relname <> 'memory_words'"""
    found = filled.owner.execute(keys).fetchall()
    assert len(found) == 6 and {column for _, column in found} == {"place"}


def test_the_neighbours_by_index_are_those_by_comparison(filled):
    """At least 95 of 100, with and without a filter."""
    chance = random.Random(3)
    found = compared = 0
    for _ in range(10):
        vector = str([round(chance.gauss(0, 1), 3) for _ in range(8)])
        for kinds in (None, ["note"]):

            def near(dimension, vector=vector, kinds=kinds):
                with filled.owner.transaction():
                    if dimension == "exact":
                        filled.owner.execute("SET LOCAL enable_indexscan = off")
                    statement = "SELECT sequence FROM memorybank.meaning_candidates(%s, 'm', 8, %s, %s, %s, %s, 10)"
                    return {row[0] for row in filled.owner.execute(statement, ([place_of(filled, "tea")], vector, kinds, -FAR, FAR))}

            exact = near("exact")
            found += len(exact & near("index"))
            compared += len(exact)
    assert compared == 200 and found >= 190

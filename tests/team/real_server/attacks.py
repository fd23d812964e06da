"""What somebody with a login of their own tries against the memory of a team that they do not belong to, as a table.

The attackers: `mallory` leads another team (repository coffee), `rita` may only read, `zoe` leads a team of the same name in another organisation, `otto`
has a login and no team. They run any SQL that they like. The rows that they must not see contain the word CANARY.
"""

import json
from typing import NamedTuple

REFUSED = "MB001"
NO_PRIVILEGE = "42501"
ANN = "ann.00000003"
FAR = 2**61


class Attack(NamedTuple):
    """One attack. statements: run one after the other; the last one counts. expected: its SQLSTATE, or the rows that it may return."""

    name: str
    statements: tuple[str, ...]
    expected: object = NO_PRIVILEGE
    who: str = "mallory"


def row(origin: str, sequence: int = 1, **fields: object) -> dict[str, object]:
    given = {"kind": "note", "key": "k", "digest": "", "path": "p", "title": "t", "text": "x", "tags": [], "created": 1, "modified": 1, "length": 1}
    return {"origin": origin, "sequence": sequence, **given, "words": "'x':1", "model": "", "dimension": 0, "vectors": [], **fields}


def push(*rows: dict[str, object], repository: str = "tea", organisation: str = "acme") -> str:
    return f"SELECT memorybank.push('{organisation}', '{repository}', $j${json.dumps(rows)}$j$::jsonb)"


def words(query: str = "canari", repositories: str = "NULL", team: str = "NULL", organisation: str = "acme", weights: str = "{1}") -> str:
    return (
        f"SELECT title, text FROM memorybank.search_words('{organisation}', {repositories}, {team}, NULL, {-FAR}, {FAR}, $q$'{query}'$q$, "
        f"ARRAY[$q$'{query}'$q$], '{weights}', 10, ARRAY[$q${query}$q$], '{weights}', 50)"
    )


def meaning(model: str = "m", repositories: str = "NULL", team: str = "NULL", vector: str = "[1,2,3]", dimension: int = 3, organisation: str = "acme") -> str:
    return (
        f"SELECT title, text, likeness, mean, deviation FROM memorybank.search_meaning('{organisation}', {repositories}, {team}, NULL, {-FAR}, {FAR}, "
        f"$m${model}$m$, {dimension}, $v${vector}$v$, 50)"
    )


TABLES = ("memory", "memory_2", "passage", "passage_2", "frequency", "corpus", "member", "granted", "repository", "revoked", "schema_version")
INNER = (
    f"word_candidates('{{2}}', '''canari''', ARRAY['''canari'''::tsquery], '{{1}}', 10, NULL, {-FAR}, {FAR}, 50, '{{canari}}', '{{1}}')",
    f"meaning_candidates('{{2}}', 'm', 3, '[1,2,3]', NULL, {-FAR}, {FAR}, 50)",
    "likeness_sample('{2}', 'm', 3, '[1,2,3]')",
    "models_of(2)",
    "push_to(2, '[]')",
    f"withdraw_rows(2, '{ANN}', NULL)",
    f"empty_rows(2, '{ANN}', '{{1}}', true)",
    f"count_tokens(2, '{{1}}', '{ANN}', 1)",
    "places('read')",
    f"is_revoked('{ANN}')",
    f"owns('{ANN}')",
    "add_repository('acme', 'mine')",
    "set_member('acme', 'kettles', 'mallory', 'lead')",
    "set_access('acme', 'mills', 'tea', 'write')",
    "index_meaning(1)",
)
ROLES = ("memorybank_owner", "memorybank_searcher", "memorybank_administrator", "bob", "postgres", "pg_read_all_data", "pg_monitor", "pg_read_server_files")

ATTACKS = [
    # tables
    *(Attack(f"read {table}", (f"SELECT * FROM memorybank.{table}",)) for table in TABLES),
    Attack("count rows", ("SELECT count(*) FROM memorybank.memory",)),
    Attack("one column", ("SELECT place FROM memorybank.memory WHERE sequence = 1",)),
    Attack("COPY a table out", ("COPY memorybank.memory TO STDOUT",)),
    Attack("COPY a query out", ("COPY (SELECT text FROM memorybank.memory) TO STDOUT",)),
    Attack("COPY from a program", ("COPY memorybank.memory FROM PROGRAM 'cat /etc/passwd'",)),
    Attack("COPY to a file", ("COPY (SELECT 1) TO '/tmp/memorybank-attack'",)),
    Attack("write a row past the function", ("INSERT INTO memorybank.member VALUES ('acme', 'kettles', 'mallory', 'lead')",)),
    Attack("change a row", ("UPDATE memorybank.memory SET place = 3",)),
    Attack("delete rows", ("DELETE FROM memorybank.memory",)),
    Attack("truncate", ("TRUNCATE memorybank.revoked",)),
    Attack("lock out everybody", ("BEGIN", "LOCK TABLE memorybank.memory IN ACCESS EXCLUSIVE MODE")),
    Attack("MERGE", ("MERGE INTO memorybank.memory m USING (SELECT 2 AS place) s ON m.place = s.place WHEN MATCHED THEN DELETE",)),
    Attack("switch row-level security off", ("ALTER TABLE memorybank.memory DISABLE ROW LEVEL SECURITY",)),
    Attack("drop a policy", ("DROP POLICY reading ON memorybank.memory",)),
    Attack("add a policy", ("CREATE POLICY mine ON memorybank.memory USING (true)",)),
    Attack("a trigger that copies", ("CREATE TRIGGER t BEFORE INSERT ON memorybank.memory EXECUTE FUNCTION suppress_redundant_updates_trigger()",)),
    Attack("a rule that copies", ("CREATE RULE r AS ON INSERT TO memorybank.memory DO ALSO SELECT 1",)),
    Attack("a row by its ctid", ("SELECT currtid2('memorybank.memory_2', '(0,1)')",)),
    Attack("words by ts_stat", ("SELECT * FROM ts_stat('SELECT words FROM memorybank.memory')",)),
    Attack("a table as XML", ("SELECT query_to_xml('SELECT * FROM memorybank.memory', true, false, '')",)),
    # roles
    *(Attack(f"SET ROLE {role}", (f"SET ROLE {role}",)) for role in ROLES),
    Attack("SET SESSION AUTHORIZATION", ("SET SESSION AUTHORIZATION bob",)),
    Attack("SET session_user", ("SET session_user = 'bob'",), "42601"),
    Attack("the role of all members sees nothing more", ("SET ROLE memorybank_member", words()), []),
    Attack("row_security off sees nothing more", ("SET row_security = off", words()), []),
    Attack("grant oneself the owner", ("GRANT memorybank_owner TO mallory",)),
    Attack("grant oneself a table", ("GRANT SELECT ON memorybank.memory TO mallory",)),
    Attack("become a superuser", ("ALTER ROLE mallory SUPERUSER",)),
    Attack("bypass row-level security", ("ALTER ROLE mallory BYPASSRLS",)),
    Attack("another's password", ("ALTER ROLE bob PASSWORD 'x'",)),
    Attack("a role with a name that begins with one's own", ('CREATE ROLE "mallory.x" LOGIN',)),
    Attack("take over objects", ("REASSIGN OWNED BY memorybank_owner TO mallory",)),
    Attack("default privileges of the owner", ("ALTER DEFAULT PRIVILEGES FOR ROLE memorybank_owner GRANT SELECT ON TABLES TO mallory",)),
    Attack("passwords", ("SELECT * FROM pg_authid",)),
    # functions of others, and names before the real ones
    *(Attack(f"inner function {call.partition('(')[0]}", (f"SELECT * FROM memorybank.{call}",)) for call in INNER),
    Attack(
        "replace a function",
        ("CREATE OR REPLACE FUNCTION memorybank.places(text, text[], text, text) RETURNS bigint[] LANGUAGE sql AS $$SELECT '{2}'::bigint[]$$",),
    ),
    Attack("own a function", ("ALTER FUNCTION memorybank.version() OWNER TO mallory",)),
    Attack("change the path of a function", ("ALTER FUNCTION memorybank.version() SET search_path = public",)),
    Attack("a function in public", ("CREATE FUNCTION public.sha256(bytea) RETURNS bytea LANGUAGE sql AS $$SELECT $1$$",)),
    Attack("an operator in public", ("CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = pg_catalog.texteq)",)),
    Attack("a schema", ("CREATE SCHEMA mallory",)),
    Attack("a temporary table with the name of a real one", ("CREATE TEMP TABLE repository (place bigint)",)),
    Attack("a temporary view", ("CREATE TEMP VIEW v AS SELECT 1",)),
    Attack("a view over a function of others", ("CREATE VIEW public.v AS SELECT 1",)),
    Attack("a materialised view", ("CREATE MATERIALIZED VIEW public.v AS SELECT 1",)),
    Attack("a search path of one's own", ("SET search_path = public, pg_temp", words()), []),
    Attack("pg_temp first in the path", ("SET search_path = pg_temp, memorybank, pg_catalog", words()), []),
    Attack("an extension", ("DROP EXTENSION vector CASCADE",)),
    Attack("a library", ("LOAD 'auto_explain'",)),
    Attack("an anonymous block", ("DO $$ BEGIN PERFORM * FROM memorybank.memory; END $$",)),
    Attack("a prepared statement", ("PREPARE p AS SELECT * FROM memorybank.memory", "EXECUTE p")),
    Attack("a cursor", ("BEGIN", "DECLARE c CURSOR FOR SELECT * FROM memorybank.memory")),
    # rows for others
    Attack("push to a repository of another team", (push(row("mallory.00000007")),), REFUSED),
    Attack("push to a repository that does not exist", (push(row("mallory.00000007"), repository="nothing"),), REFUSED),
    Attack("push to another organisation", (push(row("mallory.00000007"), organisation="globex"),), REFUSED),
    Attack("push as a machine of another person", (push(row(ANN), repository="coffee"),), REFUSED),
    Attack("push a machine of another person after one's own", (push(row("mallory.00000007"), row(ANN, 2), repository="coffee"),), REFUSED),
    Attack("a machine with another person inside its name", (push(row("mallory.ann.00000003"), repository="coffee"),), REFUSED),
    Attack("a machine with no name", (push(row(""), repository="coffee"),), REFUSED),
    Attack("a machine that is null", (push({**row("x"), "origin": None}, repository="coffee"),), REFUSED),
    Attack("a machine in upper case", (push(row("mallory.0000000A"), repository="coffee"),), REFUSED),
    Attack("a machine with a line end", (push(row("mallory.00000007\n"), repository="coffee"),), REFUSED),
    Attack("push nothing", ("SELECT memorybank.push('acme', 'tea', '[]')",), REFUSED),
    Attack("push an object", ("SELECT memorybank.push('acme', 'coffee', '{}')",), REFUSED),
    Attack("push null", ("SELECT memorybank.push('acme', 'coffee', NULL)",), REFUSED),
    Attack("a number of 0", (push(row("mallory.00000007", 0), repository="coffee"),), "23514"),
    Attack("a kind of one's own", (push(row("mallory.00000007", 2, kind="admin"), repository="coffee"),), "23514"),
    Attack("an endless text", (push(row("mallory.00000007", 2, text="x" * 1_100_000), repository="coffee"),), "23514"),
    Attack("a vector without direction", (push(row("mallory.00000007", 2, model="m", dimension=2, vectors=["[0,0]"]), repository="coffee"),), "23514"),
    Attack("words that are not words", (push(row("mallory.00000007", 2, words="'x"), repository="coffee"),), "42601"),
    Attack("a reader pushes", (push(row("rita.00000004")),), REFUSED, "rita"),
    Attack("a reader withdraws", (f"SELECT memorybank.withdraw('acme', 'tea', '{ANN}', '00000001')",), REFUSED, "rita"),
    Attack("a reader revokes", (f"SELECT memorybank.revoke('acme', '{ANN}')",), REFUSED, "rita"),
    Attack("a lead of another team withdraws", (f"SELECT memorybank.withdraw('acme', 'tea', '{ANN}', '00000001')",), REFUSED),
    Attack("a lead of another team withdraws it where he leads", (f"SELECT memorybank.withdraw('acme', 'coffee', '{ANN}', '00000001')",), [(0,)]),
    Attack("a lead of another team revokes", (f"SELECT memorybank.revoke('acme', '{ANN}')",), REFUSED),
    Attack("a lead of another organisation revokes", (f"SELECT memorybank.revoke('acme', '{ANN}')",), REFUSED, "zoe"),
    Attack("a team of the same name elsewhere", (words(team="'kettles'"),), [], "zoe"),
    Attack("somebody without a team pushes", (push(row("otto.00000004")),), REFUSED, "otto"),
    Attack(
        "somebody without a team reads what concerns everybody",
        ("SELECT * FROM memorybank.rows_after('acme', ARRAY['organisation'], '{}', '', 50)",),
        [],
        "otto",
    ),
    Attack(
        "somebody of another organisation reads what concerns everybody",
        ("SELECT title FROM memorybank.rows_after('acme', ARRAY['organisation'], '{}', '', 50)",),
        [],
        "zoe",
    ),
    # answers
    Attack("search for a word", (words(),), []),
    Attack("search in a repository by its name", (words(repositories="ARRAY['tea']"),), []),
    Attack("search in a team by its name", (words(team="'kettles'"),), []),
    Attack("search in another organisation", (words(organisation="globex"),), []),
    Attack("search with a weight that is not a number", (words(weights="{NaN}"),), []),
    Attack("search for every word", (words("c").replace("$q$'c'$q$", "$q$'c':*$q$"),), [("Coffee", "Mills grind beans.")]),
    Attack(
        "search for what is not there",
        (words().replace("$q$'canari'$q$, ARRAY", "$q$!'nothing'$q$, ARRAY"),),
        [("Coffee", "Mills grind beans."), ("Rule", "Wash up.")],
    ),
    Attack("search by the vector of a row", (meaning(),), []),
    Attack("search by a vector in a repository by its name", (meaning(repositories="ARRAY['tea']"),), []),
    Attack("a model that ends the statement", (meaning("m' OR true; DROP TABLE memorybank.memory; --"),), []),
    Attack("a vector that ends the statement", (meaning(vector="[1,2,3]'::halfvec); SELECT 1; --"),), "22P02"),
    Attack("a dimension without sense", (meaning(dimension=-1),), "22023"),
    Attack("document frequencies of a word", ("SELECT memorybank.frequencies('acme', NULL, NULL, '{canari,kettl}', '{}') -> 'tokens'",), [({},)]),
    Attack(
        "document frequencies of a beginning", ("SELECT memorybank.frequencies('acme', NULL, NULL, '{}', '{can,k}') -> 'beginnings'",), [({"can": 0, "k": 0},)]
    ),
    Attack(
        "frequencies of a repository by its name",
        ("SELECT memorybank.frequencies('acme', '{tea}', NULL, '{canari}', '{c}')",),
        [({"documents": 0, "length": 0, "tokens": {}, "beginnings": {"c": 0}},)],
    ),
    Attack("words with a beginning", ("SELECT * FROM memorybank.vocabulary('acme', NULL, NULL, 'can')",), []),
    Attack("every word", ("SELECT * FROM memorybank.vocabulary('acme', '{tea}', NULL, '')",), []),
    Attack("pull", ("SELECT * FROM memorybank.rows_after('acme', ARRAY['tea'], '{}', '', 50)",), []),
    Attack("pull with a cursor of one's own", ("SELECT * FROM memorybank.rows_after('acme', ARRAY['tea'], '{\"tea\": -1}', '', 50)",), []),
    Attack("pull without a limit", ("SELECT title FROM memorybank.rows_after('acme', NULL, '{}', '', NULL)",), [("Coffee",), ("Rule",)]),
    Attack("machines", ("SELECT origin FROM memorybank.origins('acme')",), [("mallory.00000007",), ("eve.00000003",)]),
    Attack("repositories", ("SELECT repository FROM memorybank.repositories('acme')",), [("coffee",), ("organisation",)]),
    Attack("another organisation's repositories", ("SELECT repository FROM memorybank.repositories('globex')",), []),
    # plans and catalogs
    Attack("a plan", ("EXPLAIN SELECT * FROM memorybank.memory WHERE place = 2",)),
    Attack("a plan that runs", ("EXPLAIN (ANALYZE, VERBOSE) SELECT * FROM memorybank.memory",)),
    Attack("statistics of columns", ("SELECT * FROM pg_stats WHERE schemaname = 'memorybank'",), []),
    Attack("statistics of the planner", ("SELECT * FROM pg_statistic",)),
    Attack("numbers of rows", ("SELECT reltuples FROM pg_class WHERE relname = 'memory_2'",)),
    Attack("numbers of pages", ("SELECT relpages FROM pg_class WHERE relname = 'memory_2'",)),
    Attack("counters of tables", ("SELECT n_live_tup FROM pg_stat_user_tables",)),
    Attack("counters of indexes", ("SELECT idx_tup_read FROM pg_stat_user_indexes",)),
    Attack("counters of the database", ("SELECT tup_inserted FROM pg_stat_database",)),
    Attack("a counter by its function", ("SELECT pg_stat_get_live_tuples('memorybank.memory_2'::regclass)",)),
    Attack("the size of a table", ("SELECT pg_relation_size('memorybank.memory_2'::regclass)",)),
    Attack("the total size of a table", ("SELECT pg_total_relation_size('memorybank.memory_2'::regclass)",)),
    Attack("the size of the database", ("SELECT pg_database_size(current_database())",)),
    Attack("the number of repositories by their sequence", ("SELECT last_value FROM memorybank.repository_place_seq",)),
    Attack("what others run", ("SELECT query FROM pg_stat_activity WHERE usename = 'postgres' AND query LIKE '%CANARY%'",), []),
    Attack("files of the server", ("SELECT pg_read_file('PG_VERSION')",)),
    Attack("folders of the server", ("SELECT pg_ls_dir('.')",)),
    Attack("large objects of others", ("SELECT lo_get(4711)",)),
    Attack("all large objects", ("SELECT * FROM pg_largeobject",)),
    Attack("changes as they are written", ("SELECT pg_create_logical_replication_slot('s', 'test_decoding')",)),
    Attack("a publication", ("CREATE PUBLICATION p FOR ALL TABLES",)),
    Attack("the settings of the server", ("ALTER SYSTEM SET log_statement = 'all'",)),
    Attack("end another's session", ("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres' LIMIT 1",)),
]

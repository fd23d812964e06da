"""Whatever somebody with a login runs, the database shows them nothing of a team that they do not belong to, and changes nothing of it."""

from contextlib import contextmanager

import psycopg
import pytest

from memorybank.meaning.vectors import packed
from memorybank.team.failing import TeamRefused
from memorybank.team.searching import TeamQuery

from .attacks import ANN, ATTACKS, words
from .conftest import fresh, memory

SECRETS = ("CANARY", "canary", "kettle", "ann.00000003")


def fill(database):
    database.team("ann").push(
        memory("ann", number, f"CANARY {number}", "The canary sits on the kettle.", tags=("CANARY",), vector=packed((number, 2, 3)), dimension=3, model="m")
        for number in range(1, 9)
    )
    database.team("eve").push([memory("eve", 1, "Rule", "Wash up.", repository="organisation")])
    database.team("mallory").push([memory("mallory", 1, "Coffee", "Mills grind beans.", repository="coffee")])
    database.owner.execute("SELECT lo_create(4711)")
    database.owner.execute("SELECT lo_put(4711, 0, 'CANARY')")


@pytest.fixture(scope="module")
def attacked(shared_database):
    fill(shared_database)
    return shared_database


def state(database):
    tables = ("memory", "passage", "frequency", "corpus", "member", "granted", "repository", "revoked", "schema_version")
    rows = [database.owner.execute(f"SELECT to_jsonb(t)::text FROM memorybank.{table} t ORDER BY 1").fetchall() for table in tables]
    policies = database.owner.execute("SELECT * FROM pg_policies ORDER BY 1, 2, 3").fetchall()
    functions = database.owner.execute(
        "SELECT oid::regprocedure::text, proowner, proacl::text, prosrc FROM pg_proc WHERE pronamespace = 'memorybank'::regnamespace ORDER BY 1"
    )
    roles = database.owner.execute("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles ORDER BY 1").fetchall()
    return rows, policies, functions.fetchall(), roles


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_refused_shows_nothing_and_changes_nothing(attacked, attack):
    before = state(attacked)
    noticed = []
    with attacked.server.connect(attacked.name, attack.who) as connection:
        connection.add_notice_handler(lambda notice: noticed.append(f"{notice.message_primary} {notice.message_detail} {notice.context}"))
        for statement in attack.statements[:-1]:
            connection.execute(statement)
        try:
            if attack.statements[-1].startswith("COPY") and "TO STDOUT" in attack.statements[-1]:
                with connection.cursor() as cursor, cursor.copy(attack.statements[-1]) as copy:
                    found = [bytes(part) for part in copy]
            else:
                cursor = connection.execute(attack.statements[-1])
                found = cursor.fetchall() if cursor.description else "done"
        except psycopg.Error as error:
            diagnosis = error.diag
            noticed += [str(error), str(diagnosis.message_detail), str(diagnosis.message_hint), str(diagnosis.context)]
            found = error.sqlstate
    shown = f"{found} {noticed}"
    assert not [secret for secret in SECRETS if secret in shown and not any(secret in statement for statement in attack.statements)], shown
    assert found == attack.expected
    assert state(attacked) == before


def test_there_are_as_many_attacks_as_promised():
    assert len(ATTACKS) == len({attack.name for attack in ATTACKS}) >= 40


def test_a_refusal_says_the_same_whether_something_exists_or_not(attacked):
    """A repository, machine and memory of others, and those that nobody has."""
    messages = set()
    with attacked.server.connect(attacked.name, "mallory") as connection:
        for repository in ("tea", "nothing", "organisation"):
            for statement in (
                f"SELECT memorybank.withdraw('acme', '{repository}', 'ann.00000003', '00000001')",
                f"SELECT memorybank.withdraw('acme', '{repository}', 'ann.0000000f', 'x')",
                "SELECT memorybank.revoke('acme', 'ann.00000003')",
                "SELECT memorybank.revoke('acme', 'ann.0000000f')",
            ):
                with pytest.raises(psycopg.Error) as caught:
                    connection.execute(statement)
                messages.add((str(caught.value.diag.message_primary), caught.value.sqlstate))
    assert messages == {("this login may not do that", "MB001")}


def test_a_number_that_another_machine_uses_is_free(database):
    """No unique key spans two machines or repositories, so an insertion cannot probe for rows of others."""
    database.team("ann").push([memory("ann", 1, "CANARY")])
    assert database.team("mallory").push([memory("mallory", 1, "Coffee", repository="coffee")]) == 1


def test_sql_in_a_memory_stays_text(database):
    """In titles, texts, tags, paths, keys, tokens and models."""
    evil = "'); DROP TABLE memorybank.memory; --$j$ \\'"
    row = memory("ann", 1, evil, f"{evil} kettle", key=evil, path=evil, tags=(evil,), model=evil, vector=packed((1, 2)), dimension=2)
    ann, bob = database.team("ann"), database.team("bob")
    assert ann.push([row]) == 1
    assert [(hit.row.title, hit.row.tags) for hit in bob.search(TeamQuery("kettle"))] == [(evil, (evil,))]
    assert [hit.row.key for hit in bob.search(TeamQuery("", (0.6, 0.8), evil, "semantic"))] == [evil]
    assert bob.search(TeamQuery(f'"{evil}" drop* NOT "nothing; --"'))[0].row.text == row.text
    assert bob.search(TeamQuery("kettle", repositories=(evil,))) == bob.search(TeamQuery("kettle", team=evil)) == []
    with pytest.raises(TeamRefused):
        ann.push([memory("ann", 2, "x", repository="tea' OR true --")])


def test_a_row_cannot_say_where_it_belongs_or_when_it_arrived(database):
    """The place, the arrival and whether a row holds are what the database computes, whatever else a row contains."""
    from psycopg.types.json import Jsonb

    from memorybank.team import server

    forged = server._to_json(memory("mallory", 1, "Coffee", repository="coffee")) | {
        "place": 2,
        "arrival": 99,
        "is_current": False,
        "fingerprint": "x",
        "repository": "tea",
    }
    database.connect("mallory").execute("SELECT memorybank.push('acme', 'coffee', %s)", (Jsonb([forged]),))
    assert database.owner.execute(
        "SELECT r.repository, m.arrival, m.is_current FROM memorybank.memory m JOIN memorybank.repository r USING (place)"
    ).fetchall() == [("coffee", 1, True)]


def test_logins_own_nothing_and_execute_what_the_table_says(attacked):
    """The complete list of what a login, and somebody without any role, may call or touch."""
    allowed = {"frequencies", "origins", "push", "repositories", "revoke", "rows_after", "search_meaning", "search_words", "version", "vocabulary", "withdraw"}
    callable_by = (
        """SELECT DISTINCT p.proname FROM pg_proc p WHERE p.pronamespace = 'memorybank'::regnamespace AND has_function_privilege(%s, p.oid, 'EXECUTE')"""
    )
    assert {name for (name,) in attacked.owner.execute(callable_by, ("otto",))} == allowed
    assert attacked.owner.execute(callable_by, ("pg_monitor",)).fetchall() == []
    touched = """SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'memorybank'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
                 AND (has_any_column_privilege(%(who)s, c.oid, 'SELECT, INSERT, UPDATE, REFERENCES') OR has_table_privilege(%(who)s, c.oid, 'DELETE, TRUNCATE')
                      OR pg_get_userbyid(c.relowner) = %(who)s)"""
    for who in ("otto", "ann", "memorybank_member", "memorybank_administrator", "pg_monitor"):
        assert [name for (name,) in attacked.owner.execute(touched, {"who": who})] == []
    owners = attacked.owner.execute(
        """SELECT DISTINCT pg_get_userbyid(proowner) FROM pg_proc WHERE pronamespace = 'memorybank'::regnamespace
           UNION SELECT DISTINCT pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'memorybank'::regnamespace ORDER BY 1"""
    ).fetchall()
    assert owners == [("memorybank_owner",), ("memorybank_searcher",)]


def test_every_function_has_a_path_of_its_own_and_every_table_a_policy_or_none(attacked):
    functions = """SELECT proname FROM pg_proc WHERE pronamespace = 'memorybank'::regnamespace
                   AND NOT coalesce(proconfig::text LIKE '%search_path=pg_catalog, pg_temp%', false)"""
    assert attacked.owner.execute(functions).fetchall() == []
    unprotected = "SELECT relname FROM pg_class WHERE relnamespace = 'memorybank'::regnamespace AND relkind IN ('r', 'p') AND NOT relrowsecurity"
    assert attacked.owner.execute(unprotected).fetchall() == []
    forced = "SELECT relname FROM pg_class WHERE relnamespace = 'memorybank'::regnamespace AND relkind = 'p' AND relforcerowsecurity ORDER BY 1"
    assert attacked.owner.execute(forced).fetchall() == [("memory",), ("passage",)]
    assert (
        attacked.owner.execute("SELECT rolname FROM pg_roles WHERE rolname LIKE 'memorybank%' AND (rolcanlogin OR rolsuper OR rolbypassrls)").fetchall() == []
    )


@contextmanager
def mistake(database, statement):
    """A function that runs a statement as the owner of the tables, for every member."""
    database.owner.execute(f"CREATE FUNCTION memorybank.mistake() RETURNS SETOF text LANGUAGE sql SECURITY DEFINER AS $mistake${statement}$mistake$")
    database.owner.execute("ALTER FUNCTION memorybank.mistake() OWNER TO memorybank_owner")
    database.owner.execute("GRANT EXECUTE ON FUNCTION memorybank.mistake() TO memorybank_member")
    try:
        yield
    finally:
        database.owner.execute("DROP FUNCTION memorybank.mistake()")


def by_mistake(database, who):
    """Return what the mistake shows to a login. What it changes is taken back."""
    with database.server.connect(database.name, who) as connection, connection.transaction(force_rollback=True):
        return {value for (value,) in connection.execute("SELECT memorybank.mistake()")}


def test_the_owner_of_the_tables_itself_sees_only_what_the_login_may(attacked):
    """The second line: a statement that a mistake let run as the owner is filtered by the policies."""
    with mistake(attacked, "SELECT title FROM memorybank.memory"):
        seen = {who: by_mistake(attacked, who) for who in ("mallory", "otto", "rita")}
    assert seen["otto"] == set()
    assert seen["mallory"] == {"Coffee", "Rule"}
    assert "CANARY 1" in seen["rita"] and "Coffee" not in seen["rita"]
    for table in ("memory", "passage", "frequency", "corpus"):
        with mistake(attacked, f"SELECT organisation || ' ' || repository FROM memorybank.{table} t JOIN memorybank.repository r USING (place)"):
            assert by_mistake(attacked, "otto") == set()
            assert by_mistake(attacked, "mallory") <= {"acme coffee", "acme organisation"}
            assert by_mistake(attacked, "zoe") <= {"globex tea"}


CHANGES = (
    "UPDATE memorybank.memory SET modified = 4711 RETURNING title",
    "UPDATE memorybank.frequency SET documents = 4711 RETURNING token",
    "UPDATE memorybank.corpus SET length = 4711 RETURNING place::text",
    "DELETE FROM memorybank.passage RETURNING origin",
    "DELETE FROM memorybank.memory RETURNING title",
)
ADDED = """INSERT INTO memorybank.passage SELECT r.place, '{origin}', 77, 1, 'note', 0, 'm:3', '[1,2,3]' FROM memorybank.repository r
    WHERE (r.organisation, r.repository) = ('acme', '{repository}') RETURNING origin"""


def test_the_owner_of_the_tables_itself_changes_only_what_the_login_may(attacked):
    """mallory's rows have the words of mallory and of the organisation; bob owns none, and rita and otto may write nowhere."""
    for statement in CHANGES:
        with mistake(attacked, statement):
            changed = {who: by_mistake(attacked, who) for who in ("mallory", "bob", "rita", "otto")}
        assert changed["otto"] == set()
        assert not {"CANARY 1", "canari", ANN} & changed["mallory"]
        if "memorybank.memory" in statement or "passage" in statement:
            assert changed["bob"] == changed["rita"] == set()
    attacked.owner.execute("INSERT INTO memorybank.revoked VALUES ('mallory.0000000e')")
    for origin, repository in ((ANN, "coffee"), ("mallory.00000007", "tea"), ("mallory.0000000e", "coffee"), ("mallory.00000007", "organisation")):
        with mistake(attacked, ADDED.format(origin=origin, repository=repository)), pytest.raises(psycopg.errors.InsufficientPrivilege):
            by_mistake(attacked, "mallory")
    attacked.owner.execute("DELETE FROM memorybank.revoked")
    with mistake(attacked, ADDED.format(origin="mallory.00000007", repository="coffee")):
        assert by_mistake(attacked, "mallory") == {"mallory.00000007"}


def test_the_role_that_finds_candidates_reads_no_text(attacked):
    for column in ("title", "text", "tags", "path", "key", "fingerprint"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), attacked.owner.transaction():
            attacked.owner.execute("SET LOCAL ROLE memorybank_searcher")
            attacked.owner.execute(f"SELECT {column} FROM memorybank.memory")


def test_who_leaves_a_team_sees_nothing_from_the_next_statement_on(database):
    fill(database)
    rita = database.team("rita")
    assert rita.search(TeamQuery("canary"))
    database.administration().set_member("kettles", "rita", None)
    assert rita.search(TeamQuery("canary")) == [] and rita.rows_after(["tea", "organisation"])[0] == []


def test_an_administrator_of_a_team_reads_nothing_by_administering(database):
    fill(database)
    database.owner.execute("CREATE ROLE adam LOGIN PASSWORD 'kettle-4711-descaled' IN ROLE memorybank_administrator")
    try:
        with database.server.connect(database.name, "adam") as connection:
            connection.execute("SELECT memorybank.add_repository('acme', 'saucers'), memorybank.set_member('acme', 'new', 'otto', 'reader')")
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(words())
    finally:
        database.owner.execute("DROP OWNED BY adam")
        database.owner.execute("DROP ROLE adam")


# --- answers do not depend on what one may not see


QUERIES = (
    *(
        TeamQuery("canary kettle beans"),
        TeamQuery('"grind beans"'),
        TeamQuery("be* c*"),
        TeamQuery("mills", repositories=("coffee", "tea")),
        TeamQuery("豆 挽く"),
    ),
    TeamQuery("beans", (0.6, 0.8, 0.0), "m", "hybrid"),
    TeamQuery("", (0.2672, 0.5345, 0.8018), "m", "semantic"),
    TeamQuery("", (0.0, 0.0, 1.0), "m", "semantic", kinds=("note",), limit=3),
)


def everything_that_mallory_learns(database):
    mallory = database.team("mallory")
    answers = [mallory.search(query) for query in QUERIES]
    answers += [mallory.status(), mallory.rows_after(["tea", "coffee", "organisation"])]
    raw = database.connect("mallory")
    answers += raw.execute("SELECT memorybank.frequencies('acme', NULL, NULL, '{bean,canari,kettl,mill}', '{b,c,k,m}')").fetchall()
    for statement in (words(), "SELECT * FROM memorybank.origins('acme')", "SELECT * FROM memorybank.rows_after('acme', NULL, '{}', '', 50)"):
        answers += raw.execute(f"EXPLAIN {statement}").fetchall()
    for attack in ATTACKS:
        if attack.who == "mallory" and len(attack.statements) == 1 and attack.statements[0].startswith("SELECT"):
            try:
                answers.append(raw.execute(attack.statements[0]).fetchall())
            except psycopg.Error as error:
                answers.append((error.sqlstate, error.diag.message_primary))
    return answers


@pytest.mark.parametrize("indexed", [False, True])
def test_every_answer_is_the_same_whether_others_have_thousands_of_rows_or_none(postgres, indexed):
    """Scores, document frequencies, neighbours by HNSW, cursors, plans and refusals: a viewer sees no difference between a database in which another team has
    2,000 rows about the same words and vectors, and one in which it has none."""
    import random

    learned = []
    for others in (0, 2_000):
        database = fresh(postgres)
        chance = random.Random(7)
        own = [
            memory(
                "mallory",
                n,
                f"Beans {n % 9}",
                "Mills grind beans. 豆を挽く。",
                "coffee",
                vector=packed([chance.gauss(0, 1) for _ in range(3)]),
                dimension=3,
                model="m",
            )
            for n in range(1, 121)
        ]
        database.team("mallory").push(own)
        chance = random.Random(8)
        database.team("ann").push(
            memory(
                "ann",
                n,
                f"CANARY {n}",
                "Mills grind canary beans for the kettle.",
                vector=packed([chance.gauss(0, 1) for _ in range(3)]),
                dimension=3,
                model="m",
            )
            for n in range(1, others + 1)
        )
        if indexed:
            database.administration().index_meaning(1)
        database.owner.execute("ANALYZE")
        learned.append(everything_that_mallory_learns(database))
        database.close()
    assert learned[0] == learned[1]

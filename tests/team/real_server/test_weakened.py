"""The attacks bite: a database in which one rule is missing or looser fails the test that this table names."""

from typing import NamedTuple

import pytest

from memorybank.team import schema

from . import test_attacks as attacks
from .conftest import fresh

SEES = attacks.test_the_owner_of_the_tables_itself_sees_only_what_the_login_may
CHANGES = attacks.test_the_owner_of_the_tables_itself_changes_only_what_the_login_may
GRANTS = attacks.test_logins_own_nothing_and_execute_what_the_table_says
FINDER = attacks.test_the_role_that_finds_candidates_reads_no_text
PATHS = attacks.test_every_function_has_a_path_of_its_own_and_every_table_a_policy_or_none
TEMPORARY = "DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database()); END $$"


class Weakened(NamedTuple):
    """One rule less.

    change: statements of a superuser, or (file of `memorybank/team/sql`, old text, new text)
    caught: the names of attacks, or the test, one of which must notice it
    """

    name: str
    change: object
    caught: object


def policy(name: str, table: str, rule: str) -> tuple[str]:
    return (f"ALTER POLICY {name} ON memorybank.{table} {rule}",)


EVERYWHERE = "USING (true)"
WEAKENED = (
    # policies: the second line, which only a mistake in a function reaches
    *(Weakened(f"everybody reads {table}", policy("reading", table, EVERYWHERE), SEES) for table in ("memory", "passage", "frequency", "corpus")),
    *(Weakened(f"everybody counts in {table}", policy("counting", table, EVERYWHERE), SEES) for table in ("frequency", "corpus")),
    *(Weakened(f"{table} has no row-level security", (f"ALTER TABLE memorybank.{table} DISABLE ROW LEVEL SECURITY",), SEES) for table in ("memory", "corpus")),
    Weakened("the owner of memories is above the policies", ("ALTER TABLE memorybank.memory NO FORCE ROW LEVEL SECURITY",), SEES),
    Weakened("everybody adds everything", policy("adding", "passage", "WITH CHECK (true)"), CHANGES),
    Weakened(
        "a writer adds rows of others",
        policy("adding", "passage", "WITH CHECK (place = ANY ((SELECT memorybank.places('write'))::bigint[]) AND NOT memorybank.is_revoked(origin))"),
        CHANGES,
    ),
    Weakened(
        "a reader adds rows",
        policy("adding", "passage", "WITH CHECK (place = ANY ((SELECT memorybank.places('read'))::bigint[]) AND memorybank.owns(origin))"),
        CHANGES,
    ),
    Weakened(
        "a revoked machine adds rows",
        policy("adding", "passage", "WITH CHECK (place = ANY ((SELECT memorybank.places('write'))::bigint[]) AND memorybank.owns(origin))"),
        CHANGES,
    ),
    Weakened("a reader empties memories", policy("emptying", "memory", EVERYWHERE), CHANGES),
    Weakened("a reader deletes memories", policy("deleting", "memory", EVERYWHERE), CHANGES),
    Weakened("a reader deletes passages", policy("deleting", "passage", EVERYWHERE), CHANGES),
    # privileges and views
    Weakened("members select from memories", ("GRANT SELECT ON memorybank.memory TO memorybank_member",), ("read memory", "count rows")),
    Weakened("members delete memories", ("GRANT DELETE ON memorybank.memory TO memorybank_member",), GRANTS),
    Weakened("members belong to the owner", ("GRANT memorybank_owner TO memorybank_member",), ("SET ROLE memorybank_owner",)),
    Weakened(
        "members find candidates anywhere", ("GRANT EXECUTE ON FUNCTION memorybank.word_candidates TO memorybank_member",), ("inner function word_candidates",)
    ),
    Weakened("members administer", ("GRANT EXECUTE ON FUNCTION memorybank.set_member TO memorybank_member",), ("inner function set_member",)),
    Weakened(
        "a view without the rights of its reader",
        ("CREATE VIEW memorybank.shown AS SELECT title FROM memorybank.memory", "GRANT SELECT ON memorybank.shown TO memorybank_member"),
        GRANTS,
    ),
    Weakened("the finder of candidates reads titles", ("GRANT SELECT (title) ON memorybank.memory TO memorybank_searcher",), FINDER),
    Weakened("a function with the path of its caller", ("ALTER FUNCTION memorybank.push(text, text, jsonb) RESET search_path",), PATHS),
    Weakened("sizes are shown", ("GRANT SELECT ON pg_catalog.pg_class TO PUBLIC",), ("numbers of rows",)),
    Weakened("temporary tables", (TEMPORARY,), ("a temporary view",)),
    # the functions that logins call: the first line
    Weakened("every login belongs to every team", ("access", "m.login = session_user", "session_user <> ''"), ("search for a word", "pull", "repositories")),
    Weakened("a team gives access to every repository", ("access", "(g.place IS NOT NULL OR", "(true OR"), ("search for a word", "pull", "repositories")),
    Weakened(
        "a team of the same name counts", ("access", "USING (organisation)\n", "ON true\n"), ("somebody of another organisation reads what concerns everybody",)
    ),
    Weakened("readers write", ("access", "OR (m.role = 'writer' AND g.may_write)", "OR true"), ("a reader pushes",)),
    Weakened("readers lead", ("access", "WHEN 'lead' THEN m.role = 'lead'", "WHEN 'lead' THEN true"), ("a reader withdraws", "a reader revokes")),
    Weakened(
        "a machine whose name contains a login",
        ("access", "origin = session_user || '.' || right(origin, 8)", "origin LIKE '%' || session_user || '%'"),
        ("a machine with another person inside its name",),
    ),
    Weakened(
        "push asks nobody whose machine it is",
        ("pushing", "OR NOT coalesce(memorybank.owns(e.data ->> 'origin'), false)", ""),
        ("push as a machine of another person",),
    ),
    Weakened(
        "withdrawing needs reading alone", ("pushing", "THEN 'write' ELSE 'lead' END, ARRAY", "THEN 'write' ELSE 'read' END, ARRAY"), ("a reader withdraws",)
    ),
    Weakened("revoking needs reading alone", ("pushing", "THEN 'read' ELSE 'lead' END, NULL", "THEN 'read' ELSE 'read' END, NULL"), ("a reader revokes",)),
    Weakened(
        "refusals tell what exists",
        ("pushing", "RETURN memorybank.withdraw_rows(open[1], withdraw.origin, withdraw.key);\n", "RETURN 1;\n"),
        ("a lead of another team withdraws it where he leads",),
    ),
)


def weaken(database, change):
    if len(change) != 3:
        for statement in change:
            database.owner.execute(statement)
        return
    name, old, new = change
    vector = database.value("SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'vector'")
    text = schema.text_of(name, vector)
    assert old in text, "the table fits the schema"
    with database.owner.transaction():
        database.owner.execute(f"SET LOCAL ROLE {schema.OWNER}")
        database.owner.execute(text.replace(old, new))


@pytest.mark.parametrize("weakened", WEAKENED, ids=lambda weakened: weakened.name)
def test_a_weakened_rule_is_noticed(postgres, weakened):
    database = fresh(postgres)
    try:
        attacks.fill(database)
        weaken(database, weakened.change)
        tests = [weakened.caught] if callable(weakened.caught) else [attack_named(name) for name in weakened.caught]
        for test in tests:
            with pytest.raises((AssertionError, pytest.fail.Exception)):
                test(database)
    finally:
        drop(database)


def drop(database):
    database.owner.execute("REVOKE memorybank_owner FROM memorybank_member")  # roles belong to all databases
    database.close()
    with database.server.connect("postgres") as connection:
        connection.execute(f"DROP DATABASE {database.name} WITH (FORCE)")


def attack_named(name):
    (attack,) = [each for each in attacks.ATTACKS if each.name == name]
    return lambda database: attacks.test_an_attack_is_refused_shows_nothing_and_changes_nothing(database, attack)


@pytest.mark.parametrize("test", sorted({each.caught for each in WEAKENED if callable(each.caught)}, key=str), ids=lambda test: test.__name__)
def test_the_same_tests_pass_as_it_is_installed(postgres, test):
    database = fresh(postgres)
    attacks.fill(database)
    try:
        test(database)
    finally:
        drop(database)

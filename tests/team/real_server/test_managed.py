"""On a server that somebody else manages, an administrator without all rights can install, and logins are kept apart all the same."""

import psycopg
import pytest

from memorybank.team.failing import TeamRefused
from memorybank.team.roles import TeamAdministration
from memorybank.team.searching import TeamQuery
from memorybank.team.server import TeamServer

from .attacks import ATTACKS
from .conftest import PASSWORD, memory

HIDDEN_BY_SUPERUSERS = ("numbers of", "counters of", "a counter by", "the size of", "the total size", "a temporary", "the number of repositories")


@pytest.fixture
def managed(postgres):
    """A database of a role that may create roles and databases, on a server whose owner installed the extension."""
    with postgres.connect("postgres") as owner:
        owner.execute(f"CREATE ROLE manager LOGIN CREATEROLE CREATEDB PASSWORD '{PASSWORD}'")
        owner.execute("GRANT memorybank_owner, memorybank_searcher TO manager")
        owner.execute("GRANT memorybank_member, memorybank_administrator TO manager WITH ADMIN OPTION")
        owner.execute("CREATE DATABASE managed OWNER manager")
    with postgres.connect("managed") as owner:
        owner.execute("CREATE EXTENSION vector")
    yield postgres.address("managed", "manager")
    with postgres.connect("managed") as owner:
        owner.execute("DROP OWNED BY manager CASCADE")
    with postgres.connect("postgres") as owner:
        owner.execute("DROP DATABASE managed WITH (FORCE)")
        for statement in ("DROP OWNED BY manager", "DROP ROLE manager"):
            owner.execute(statement)


def test_it_installs_and_says_what_it_could_not_hide(postgres, managed):
    with TeamAdministration(managed, PASSWORD, organisation="acme") as administration:
        installed = administration.install()
        assert (installed.before, installed.hides_sizes) == (0, False)
        assert administration.install().before == installed.version
        for login, team, repository in (("ann", "kettles", "tea"), ("mallory", "mills", "coffee")):
            administration.add_repository(repository)
            administration.set_member(team, login, "writer")
            administration.set_access(team, repository, "write")
    with TeamServer(postgres.address("managed", "ann"), PASSWORD, organisation="acme") as ann:
        assert ann.push([memory("ann", 1, "CANARY kettle")]) == 1
        assert [hit.row.title for hit in ann.search(TeamQuery("kettle"))] == ["CANARY kettle"]
    with TeamServer(postgres.address("managed", "mallory"), PASSWORD, organisation="acme") as mallory:
        assert mallory.search(TeamQuery("kettle")) == [] and mallory.rows_after(["tea"])[0] == []
        with pytest.raises(TeamRefused):
            mallory.push([memory("mallory", 1, "Forged")])
    with postgres.connect("managed", "mallory") as connection:
        for attack in ATTACKS:
            if (
                attack.expected == "42501"
                and len(attack.statements) == 1
                and not attack.name.startswith(HIDDEN_BY_SUPERUSERS)
                and "COPY" not in attack.statements[0]
            ):
                with pytest.raises(psycopg.Error) as caught:
                    connection.execute(attack.statements[0])
                assert "CANARY" not in str(caught.value), attack.name

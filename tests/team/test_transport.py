"""A connection to another machine is verified unless the person says otherwise; one to this machine needs nothing."""

import pytest

from memorybank.errors import UsageError
from memorybank.team import failing, transport
from memorybank.team.failing import TeamRefused, TeamSchemaOutdated, TeamUnreachable


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann@db.example.org/memory",
        "host=db.example.org dbname=m",
        "host=192.0.2.1",
        "host=localhost,db.example.org",
        "service=team",
        "hostaddr=192.0.2.1 host=localhost",
    ],
)
def test_another_machine_is_verified(address):
    found = transport.options(address, {})
    assert found["sslmode"] == "verify-full" and found["sslrootcert"]


@pytest.mark.parametrize("environment", [{"PGHOST": "db.example.org"}, {"PGHOSTADDR": "192.0.2.1"}, {"PGSERVICE": "team"}])
def test_the_environment_cannot_weaken_it(environment):
    assert transport.options("dbname=m", {**environment, "PGSSLMODE": "disable"})["sslmode"] == "verify-full"


@pytest.mark.parametrize(
    "address", ["dbname=m", "host=/run/postgresql", "postgresql://ann@localhost/m", "host=127.0.0.1", "host=::1", "host=db.example.org hostaddr=127.0.0.1"]
)
def test_this_machine_needs_no_certificate(address):
    assert "sslmode" not in transport.options(address, {})


@pytest.mark.parametrize("mode", ["disable", "allow", "prefer", "require", "verify-ca"])
def test_less_than_full_verification_needs_the_persons_word(mode):
    with pytest.raises(UsageError):
        transport.options(f"host=db.example.org sslmode={mode}", {})
    assert transport.options(f"host=db.example.org sslmode={mode}", {}, allow_plain=True)["sslmode"] == mode


def test_the_authority_is_the_one_that_is_named():
    assert transport.options("host=db.example.org sslrootcert=/ca.pem", {})["sslrootcert"] == "/ca.pem"
    assert "sslrootcert" not in transport.options("host=db.example.org", {"PGSSLROOTCERT": "/ca.pem"})


def test_a_malformed_address_is_not_repeated():
    with pytest.raises(UsageError) as caught:
        transport.options("host=x password=secret =", {})
    assert "secret" not in caught.value.message


def test_a_server_is_shown_without_login_and_password():
    assert transport.shown(transport.options("postgresql://ann:secret@db.example.org/memory", {})) == "db.example.org/memory"


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ("FATAL:  sorry, too many clients already", TeamUnreachable),
        ('FATAL:  too many connections for role "ann"', TeamUnreachable),
        ("FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute", TeamUnreachable),
        ("FATAL:  the database system is starting up", TeamUnreachable),
        ("ERROR:  no more connections allowed (max_client_conn)", TeamUnreachable),
        ('FATAL:  password authentication failed for user "ann"', TeamRefused),
        ('FATAL:  role "ann" is not permitted to log in', TeamRefused),
    ],
)
def test_a_server_that_is_full_or_starts_is_no_refusal_of_the_login(said, error):
    """What waits is sent later; only a refusal needs an administrator."""
    import psycopg

    found = failing.of_connecting(psycopg.OperationalError(f"connection failed: {said}"), "db.example.org/memory")
    assert type(found) is error and "ann" not in found.message


def test_an_installation_without_pgvector_says_what_is_missing():
    import psycopg

    for found in (psycopg.errors.FeatureNotSupported('extension "vector" is not available'), psycopg.errors.UndefinedObject('type "halfvec" does not exist')):
        error = failing.of_installing(found, "db.example.org/memory")
        assert isinstance(error, TeamSchemaOutdated) and "pgvector" in error.message and error.next_step.startswith("install pgvector")
    other = failing.of_installing(psycopg.errors.UndefinedObject('role "x" does not exist'), "db.example.org/memory")
    assert "pgvector" not in other.message

"""A connection is encrypted and verified, and what fails is said in words that contain no password and no row."""

import datetime
import ipaddress
import socket
import ssl
import threading

import pytest

from memorybank.team import schema, transport
from memorybank.team.failing import TeamNotVerified, TeamRefused, TeamSchemaNewer, TeamSchemaOutdated, TeamUnreachable
from memorybank.team.roles import TeamAdministration
from memorybank.team.server import TeamServer

from .conftest import PASSWORD, memory

SSL_REQUEST = b"\x00\x00\x00\x08\x04\xd2\x16\x2f"


def certificate(folder, host):
    """Write the certificate of an authority, and one of it for a host with its key; return their paths."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(2)]
    names = [x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)]) for name in ("Authority", host)]
    begin = datetime.datetime(2020, 1, 1)
    made = []
    for at in range(2):
        builder = x509.CertificateBuilder().subject_name(names[at]).issuer_name(names[0]).public_key(keys[at].public_key()).serial_number(at + 1)
        builder = (
            builder.not_valid_before(begin).not_valid_after(datetime.datetime(2120, 1, 1)).add_extension(x509.BasicConstraints(at == 0, None), critical=True)
        )
        if at:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ipaddress.ip_address("127.0.0.9"))]), critical=False
            )
        made.append(builder.sign(keys[0], hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    (folder / "ca.pem").write_bytes(made[0])
    private = keys[1].private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "server.pem").write_bytes(made[1] + private)
    return folder / "ca.pem", folder / "server.pem"


class Doorway:
    """Listens on 127.0.0.1 in front of the socket of PostgreSQL, and speaks TLS if it has a certificate."""

    def __init__(self, path, pem=None):
        self._path, self._context = path, None
        if pem is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(pem)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.seen = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(30)

    def _serve(self):
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client):
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._path)
            begin = client.recv(8)
            self.seen.append("TLS" if begin == SSL_REQUEST else "plain")
            try:
                if begin == SSL_REQUEST:
                    client.sendall(b"S" if self._context else b"N")
                    if self._context:
                        client = self._context.wrap_socket(client, server_side=True)
                else:
                    server.sendall(begin)
                back = threading.Thread(target=self._pass, args=(server, client), daemon=True)
                back.start()
                self._pass(client, server)
                back.join(30)
            except (OSError, ssl.SSLError):
                return
            finally:
                client.close()

    @staticmethod
    def _pass(source, target):
        try:
            while data := source.recv(65_536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except (OSError, ssl.SSLError):
            return


@pytest.fixture
def path(database):
    return f"{database.server.socket}/.s.PGSQL.5432"


def address(database, doorway, host="db.example.org", **options):
    more = "".join(f" {name}={value}" for name, value in options.items())
    return f"host={host} hostaddr=127.0.0.1 port={doorway.port} user=ann dbname={database.name}{more}"


def ask(given):
    with TeamServer(given, PASSWORD, organisation="acme") as team:
        return team.status()


@pytest.fixture
def elsewhere(monkeypatch):
    """Treat 127.0.0.1 as another machine, so that the rules for these apply."""
    monkeypatch.setattr(transport, "_is_here", lambda host: False)


def test_a_server_on_another_machine_is_verified_without_being_asked(database, path, tmp_path, elsewhere):
    ca, server = certificate(tmp_path, "db.example.org")
    with Doorway(path, server) as doorway:
        assert ask(address(database, doorway, sslrootcert=ca)).user == "ann"
        assert doorway.seen == ["TLS"]


def test_a_certificate_of_another_host_or_authority_is_refused(database, path, tmp_path, elsewhere):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    ca, server = certificate(tmp_path / "one", "db.example.org")
    other, _ = certificate(tmp_path / "two", "db.example.org")
    with Doorway(path, server) as doorway:
        for given in (
            address(database, doorway, "evil.example.org", sslrootcert=ca),
            address(database, doorway, sslrootcert=other),
            address(database, doorway),
        ):
            with pytest.raises(TeamNotVerified) as caught:
                ask(given)
            assert PASSWORD not in str(caught.value)


def test_a_server_without_encryption_gets_no_password(database, path, tmp_path, elsewhere):
    ca, _ = certificate(tmp_path, "db.example.org")
    with Doorway(path) as doorway, pytest.raises(TeamNotVerified):
        ask(address(database, doorway, sslrootcert=ca))
    assert doorway.seen == ["TLS"]


def test_a_person_may_allow_an_unverified_connection(database, path, elsewhere):
    with Doorway(path) as doorway:
        with TeamServer(address(database, doorway, sslmode="prefer"), PASSWORD, organisation="acme", allow_plain=True) as team:
            assert team.status().user == "ann"
        assert doorway.seen == ["TLS"]  # it asks, and goes on without


def test_this_machine_needs_no_certificate(database, path):
    with Doorway(path) as doorway:
        assert ask(address(database, doorway, "localhost")).user == "ann"


def test_a_wrong_password_is_refused_and_not_repeated(database):
    with TeamServer(database.address("ann"), "wrong-password-4711", organisation="acme") as team, pytest.raises(TeamRefused) as caught:
        team.status()
    assert "4711" not in f"{caught.value.message} {caught.value.next_step}"


def test_a_login_that_does_not_exist_gets_the_same_words(database):
    with TeamServer(database.address("nobody-knows"), "x", organisation="acme") as team, pytest.raises(TeamRefused) as caught:
        team.status()
    with TeamServer(database.address("ann"), "x", organisation="acme") as team, pytest.raises(TeamRefused) as known:
        team.status()
    assert caught.value.message == known.value.message


def test_a_server_that_is_not_there_is_unreachable(database, tmp_path):
    for given in (f"host={tmp_path} user=ann dbname=x", "host=127.0.0.1 port=1 user=ann dbname=x"):
        with TeamServer(given, "x", organisation="acme", seconds=2) as team, pytest.raises(TeamUnreachable):
            team.status()


def test_a_connection_that_breaks_is_unreachable_and_opens_again(database):
    ann = database.team("ann")
    ann.push([memory("ann", 1, "Kettle")])
    database.owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ann' AND datname = current_database()")
    with pytest.raises(TeamUnreachable):
        ann.push([memory("ann", 2, "Cup")])
    assert ann.push([memory("ann", 1, "Kettle"), memory("ann", 2, "Cup")]) == 1


def test_a_statement_that_takes_too_long_is_given_up(database):
    ann = TeamServer(database.address("ann"), PASSWORD, organisation="acme", statement_seconds=0.5)
    with ann, database.owner.transaction():
        ann.status()
        database.owner.execute("SELECT * FROM memorybank.corpus FOR UPDATE")
        with pytest.raises(TeamUnreachable):
            ann.push([memory("ann", 1, "Kettle")])


def test_a_database_without_the_schema_or_with_another_version_is_named(database, postgres):
    with TeamServer(postgres.address("postgres", "ann"), PASSWORD, organisation="acme") as team, pytest.raises(TeamSchemaOutdated):
        team.status()
    for version, expected in ((0, TeamSchemaOutdated), (2, TeamSchemaNewer)):
        database.owner.execute("UPDATE memorybank.schema_version SET version = %s", (version,))
        with pytest.raises(expected):
            database.team("ann").push([memory("ann", 1, "Kettle")])
    with pytest.raises(TeamSchemaNewer):
        database.administration().install()


def test_installing_again_changes_nothing_and_brings_functions_back(database):
    database.team("ann").push([memory("ann", 1, "Kettle")])
    database.owner.execute("DROP FUNCTION memorybank.version()")
    installed = database.administration().install()
    assert (installed.before, installed.version, installed.hides_sizes) == (schema.VERSION, schema.VERSION, True)
    assert database.team("bob").status().rows == 1


def test_who_may_not_create_roles_cannot_install(database, postgres):
    with TeamAdministration(postgres.address("postgres", "ann"), PASSWORD, organisation="acme") as administration, pytest.raises(TeamRefused):
        administration.install()


def test_a_login_that_was_disabled_is_out_at_once(database):
    database.administration().add_login("greta", PASSWORD)
    database.administration().set_member("kettles", "greta", "reader")
    greta = database.team("greta")
    assert greta.status().user == "greta"
    database.administration().disable_login("greta")
    with pytest.raises(TeamUnreachable):
        greta.status()
    with pytest.raises(TeamRefused):
        greta.status()
    database.administration().add_login("greta", "another-4711")
    with pytest.raises(TeamRefused):
        TeamServer(database.address("greta"), "another-4711", organisation="acme").status()
    for statement in ("DROP OWNED BY greta", "DROP ROLE greta"):
        database.owner.execute(statement)


def test_an_administrator_gets_the_reason(database):
    from memorybank.errors import UsageError

    administration = database.administration()
    for wrong in (lambda: administration.set_access("kettles", "nothing", "read"), lambda: administration.set_access("kettles", "tea", "all")):
        with pytest.raises(UsageError):
            wrong()
    with pytest.raises(UsageError):
        administration.set_member("kettles", "ann", "king")


def test_a_login_without_a_free_connection_waits_instead_of_being_refused(database):
    database.owner.execute("ALTER ROLE rita CONNECTION LIMIT 0")
    try:
        with pytest.raises(TeamUnreachable):
            database.team("rita").status()
    finally:
        database.owner.execute("ALTER ROLE rita CONNECTION LIMIT -1")

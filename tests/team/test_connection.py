"""Addresses, names, ids of repositories, and the connections in a person's own settings."""

import subprocess

import pytest

from memorybank.errors import ConfigInvalid, UsageError
from memorybank.storage.layout import Layout, describe
from memorybank.team import connection, passwords, repository
from memorybank.team.connection import TeamConnection, checked_address, checked_name

GOOD = (
    ("postgresql://ann@db.example.org/memory", "db.example.org"),
    ("postgresql://ann@db.example.org:5433/memory", "db.example.org:5433"),
    ("postgres://ann@db.example.org/memory?sslmode=verify-full&sslrootcert=/etc/ca.pem", "db.example.org"),
    ("postgresql://ann@localhost/memory?sslmode=disable", "localhost"),
    ("postgresql://ann@127.0.0.1:5432/memory", "127.0.0.1:5432"),
    ("postgresql://ann@/memory?host=/run/postgresql", "/run/postgresql"),
)
BAD = (
    ("postgresql://ann:canary@db.example.org/memory", "contains a password"),
    ("postgresql://db.example.org/memory", "malformed"),
    ("postgresql://ann@db.example.org", "malformed"),
    ("https://ann@db.example.org/memory", "malformed"),
    ("db.example.org", "malformed"),
    ("postgresql://ann@db.example.org/memory?sslmode=require", "could read and change everything"),
    ("postgresql://ann@db.example.org/memory?sslmode=disable", "could read and change everything"),
    ("postgresql://ann@db.example.org/memory?password=canary", "has the option 'password'"),
    ("postgresql://ann@db.example.org/memory?service=x", "has the option 'service'"),
    ("postgresql://ann@db.example.org/me mory", "malformed"),
    ("postgresql://ann@db.example.org:port/memory", "malformed"),
)


@pytest.mark.parametrize(("address", "host"), GOOD)
def test_an_address_names_its_server(address, host):
    assert checked_address(address) == address
    assert connection.host_of_address(address)[0] == host


@pytest.mark.parametrize(("address", "said"), BAD)
def test_a_bad_address_is_refused_and_a_password_in_it_is_never_repeated(address, said):
    with pytest.raises(UsageError) as caught:
        checked_address(address)
    assert said in caught.value.message
    assert caught.value.next_step
    assert "canary" not in caught.value.message + caught.value.next_step


@pytest.mark.parametrize("name", ["", "Acme", "a b", "-a", "x" * 65, "日本", "a/b"])
def test_a_name_that_a_server_cannot_have_is_refused(name):
    with pytest.raises(UsageError):
        checked_name(name, "the organisation")


ENTRY = {"bank": "~/work/.claude/memory", "address": "postgresql://ann@localhost/memory", "organisation": "acme", "repository": "tea"}
LAYOUT = Layout("/home/ann/work/.claude/memory")


class TestSettings:
    def found(self, settings):
        return connection.connection_of(settings, LAYOUT, {"HOME": "/home/ann"}, "~/config.json")

    def test_a_bank_has_the_connection_that_names_it(self):
        other = {**ENTRY, "bank": "~/other/.claude/memory", "repository": "coffee"}
        found = self.found({"team": {"connections": [other, ENTRY]}})
        assert found == TeamConnection(**ENTRY)
        assert self.found({"team": {"connections": [other]}}) is None
        assert self.found({}) is None

    @pytest.mark.parametrize(
        "change",
        [
            {"address": ""},
            {"address": 1},
            {"address": "postgresql://ann:secret@localhost/memory"},
            {"organisation": "A B"},
            {"repository": ""},
            {"push": "always"},
            {"episodes": "yes"},
            {"password": "canary"},
        ],
    )
    def test_an_entry_that_cannot_be_used_is_an_error_and_never_half_used(self, change):
        with pytest.raises(ConfigInvalid) as caught:
            self.found({"team": {"connections": [{**ENTRY, **change}]}})
        assert "canary" not in caught.value.message

    @pytest.mark.parametrize("section", [[], {"connections": {}}, {"connections": [1]}, {"connections": [{}]}])
    def test_a_list_that_cannot_be_read_is_an_error(self, section):
        with pytest.raises(ConfigInvalid):
            self.found({"team": section})

    def test_what_is_stored_is_what_was_chosen_and_other_keys_stay(self):
        chosen = TeamConnection(**ENTRY, episodes=True)
        entry = connection.entry_of(chosen)
        assert entry == {**ENTRY, "episodes": True}
        stored = connection.CONNECTIONS.replaced({"banks": ["~/x"], "team": {"later": 1}}, [entry])
        assert stored == {"banks": ["~/x"], "team": {"later": 1, "connections": [entry]}}
        assert connection.CONNECTIONS.replaced(stored, []) == {"banks": ["~/x"], "team": {"later": 1}}
        assert self.found(stored) == chosen


class TestRepositoryId:
    def git(self, folder, *arguments):
        subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)

    @pytest.fixture
    def origin(self, tmp_path):
        made = tmp_path / "secret-project"
        (made / ".claude/memory/active").mkdir(parents=True)
        (made / "services/api/.claude/memory/active").mkdir(parents=True)
        self.git(made, "init", "-q", "-b", "main")
        self.git(made, "commit", "-q", "--allow-empty", "-m", "one")
        return made

    def of(self, folder, organisation="acme", bank=".claude/memory"):
        return repository.repository_id(describe(str(folder / bank)), organisation)

    def clone(self, origin, *options):
        target = origin.parent / f"clone{len(list(origin.parent.iterdir()))}"
        self.git(origin.parent, "clone", "-q", *options, origin.as_uri(), str(target))
        (target / ".claude/memory/active").mkdir(parents=True)
        return target

    def test_clones_have_the_same_id_on_every_branch_and_it_says_nothing(self, origin):
        before = self.of(origin)
        clone = self.clone(origin)
        self.git(clone, "checkout", "-q", "-b", "feature")
        self.git(clone, "commit", "-q", "--allow-empty", "-m", "two")
        assert self.of(clone) == before
        assert checked_name(before, "the repository").startswith("git-")
        assert "secret" not in before

    def test_a_merge_of_another_history_does_not_change_it(self, origin, tmp_path):
        before = self.of(origin)
        other = tmp_path / "other"
        other.mkdir()
        self.git(other, "init", "-q", "-b", "main")
        self.git(other, "commit", "-q", "--allow-empty", "-m", "another beginning")
        self.git(origin, "fetch", "-q", str(other), "main")
        self.git(origin, "merge", "-q", "--allow-unrelated-histories", "-m", "both", "FETCH_HEAD")
        assert self.of(origin) == before

    def test_another_organisation_and_another_bank_of_the_repository_have_other_ids(self, origin):
        ids = {self.of(origin), self.of(origin, "globex"), self.of(origin, bank="services/api/.claude/memory")}
        assert len(ids) == 3

    def test_where_git_does_not_know_the_first_commit_a_person_has_to_name_it(self, origin, tmp_path):
        self.git(origin, "commit", "-q", "--allow-empty", "-m", "two")
        empty = tmp_path / "empty"
        (empty / ".claude/memory/active").mkdir(parents=True)
        outside = tmp_path / "outside"
        (outside / ".claude/memory/active").mkdir(parents=True)
        self.git(empty, "init", "-q")
        for folder in (self.clone(origin, "--depth", "1"), empty, outside):
            with pytest.raises(UsageError) as caught:
                self.of(folder)
            assert "--repository" in caught.value.next_step


class TestPasswords:
    ADDRESS = "postgresql://ann@db.example.org:5433/memory"

    @pytest.fixture
    def keyring(self, monkeypatch):
        """A keyring in memory."""
        import sys
        from types import SimpleNamespace

        held = {}
        module = SimpleNamespace(
            get_password=lambda service, name: held.get((service, name)),
            set_password=lambda service, name, password: held.__setitem__((service, name), password),
            delete_password=lambda service, name: held.pop((service, name)),
        )
        monkeypatch.setitem(sys.modules, "keyring", module)
        return held

    def test_a_password_belongs_to_one_login_of_one_database(self, keyring):
        passwords.store(self.ADDRESS, "pw")
        assert keyring == {("memorybank", "ann@db.example.org:5433/memory"): "pw"}
        assert passwords.load(self.ADDRESS, {}) == "pw"
        for other in ("postgresql://bob@db.example.org:5433/memory", "postgresql://ann@db.example.org/memory", "postgresql://ann@db.example.org:5433/other"):
            assert passwords.load(other, {}) == ""

    def test_the_environment_comes_first_and_disconnecting_forgets(self, keyring):
        passwords.store(self.ADDRESS, "pw")
        assert passwords.load(self.ADDRESS, {passwords.VARIABLE: "other"}) == "other"
        assert passwords.forget(self.ADDRESS)
        assert not passwords.forget(self.ADDRESS)
        assert passwords.load(self.ADDRESS, {}) == ""

"""backup export and import: one encrypted file, a passphrase that is never an argument, a dry run, and a plan that is shown as it is carried out."""

import json
import os
import sys
import types

import pytest

from tests.log.written import append, line
from tests.transfer.conftest import quick_encryption as quick_encryption


@pytest.fixture
def old(bank, home):
    made = bank({"shared/fact.md": "# Fact\nuse uv\n"}, git=True)
    made.git("add", "-A")
    append(made.layout, [line(1, session_id="one")], session="one")
    return made


@pytest.fixture
def descriptor():
    """Return a function that makes a file descriptor from which a text is read."""
    opened = []

    def make(text):
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        opened.append(reading)
        return str(reading)

    yield make
    for each in opened:
        os.close(each)


def test_export_and_import_say_what_they_did(old, bank, run, descriptor, tmp_path):
    file = str(tmp_path / "x.age")
    dry = run(old, "backup", "export", file, "--dry-run")
    assert dry.code == 0 and "nothing was written" in dry.out and not os.path.exists(file)
    done = run(old, "backup", "export", file, "--passphrase-fd", descriptor("correct horse battery\n"), "--format", "json")
    report = json.loads(done.out)
    assert done.code == 0 and report["sessions"] == 1 and report["notes"] is False and report["files"] == ["log/.key", "log/events/one.jsonl"]
    assert os.stat(file).st_mode & 0o777 == 0o600
    assert run(old, "backup", "export", file, "--passphrase-fd", descriptor("correct horse battery")).code == 1, "never replaced"

    new = bank({}, git=True)
    before = new.snapshot()
    shown = run(new, "backup", "import", file, "--dry-run", "--passphrase-fd", descriptor("correct horse battery"), "--format", "json")
    assert new.snapshot() == before
    done = run(new, "backup", "import", file, "--passphrase-fd", descriptor("correct horse battery"), "--format", "json")
    assert {**json.loads(shown.out), "dry_run": False} == json.loads(done.out), "the dry run shows the very plan"
    again = run(new, "backup", "import", file, "--passphrase-fd", descriptor("correct horse battery"))
    assert "1 already here" in again.out and "every digest matches" in again.out
    wrong = run(new, "backup", "import", file, "--passphrase-fd", descriptor("wrong horse battery"))
    assert wrong.code == 9 and "nothing was changed" in wrong.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("export", "x.age"), 2, "nobody can be asked"),
        (("export", "x.age", "--passphrase-fd", "199"), 2, "cannot be read"),
        (("export", "x.age", "--passphrase-fd", "0", "--keyring"), 2, "cannot be combined"),
        (("export", ".claude/memory/x.age", "--dry-run"), 2, "is in the bank"),
        (("export", "missing/x.age", "--dry-run"), 3, "no folder"),
        (("import", "missing.age", "--keyring"), 3, "no file"),
    ],
)
def test_wrong_calls_name_the_next_step(old, run, monkeypatch, arguments, code, said):
    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=lambda service, user: "correct horse battery"))
    result = run(old, "backup", *arguments)
    assert result.code == code and said in result.err and "next:" in result.err


def test_a_short_or_empty_passphrase_is_refused(old, run, descriptor):
    assert "fewer than 12 characters" in run(old, "backup", "export", "x.age", "--passphrase-fd", descriptor("short\n")).err
    assert "contains no passphrase" in run(old, "backup", "export", "x.age", "--passphrase-fd", descriptor("\n")).err


def test_the_keyring_gives_the_passphrase(old, run, monkeypatch, tmp_path):
    asked = []

    def get_password(service, user):
        asked.append((service, user))
        return "correct horse 電池 battery"

    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=get_password))
    assert run(old, "backup", "export", str(tmp_path / "x.age"), "--keyring").code == 0
    assert asked == [("memorybank", "backup")]
    monkeypatch.setitem(sys.modules, "keyring", types.SimpleNamespace(get_password=lambda service, user: None))
    assert "keyring set memorybank backup" in run(old, "backup", "export", str(tmp_path / "y.age"), "--keyring").err


def test_without_the_extra_the_command_says_how_to_add_it(old, run, descriptor, monkeypatch, tmp_path):
    from memorybank.errors import MissingExtra
    from memorybank.transfer import export_file

    def missing():
        raise MissingExtra("the package 'pyrage' is not installed", next_step="install it with: …")

    monkeypatch.setattr(export_file, "_library", missing)
    assert run(old, "backup", "export", str(tmp_path / "x.age"), "--passphrase-fd", descriptor("correct horse battery")).code == 5

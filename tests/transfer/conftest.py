"""Machines: each is a clone with event logs and a home folder of its own."""

import shutil

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.log import key, ticks
from tests.log.written import NOW, append, line

PASSPHRASE = "correct horse battery 電池"


@pytest.fixture(scope="session", autouse=True)
def quick_encryption():
    """Derive the key of `age` with little work: it takes a second by design. `test_export_file.py` tests the real one."""
    import zlib

    from memorybank.transfer import export_file

    class Passphrase:
        """Stands for `pyrage.passphrase`: what is sealed under one phrase is opened only by it, and only unaltered."""

        @staticmethod
        def encrypt(data, passphrase):
            return b"age-encryption.org/v1" + b"%08x%08x" % (zlib.crc32(passphrase.encode()), zlib.crc32(data)) + data

        @staticmethod
        def decrypt(data, passphrase):
            head, body = data[21:37], data[37:]
            if head != b"%08x%08x" % (zlib.crc32(passphrase.encode()), zlib.crc32(body)):
                raise Library.DecryptError("Decryption failed")
            return body

    class Library:
        passphrase = Passphrase

        class DecryptError(Exception):
            pass

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export_file, "_library", lambda: Library)
        yield


class World:
    """One machine: a bank, and a home folder that is in force while it is used."""

    def __init__(self, scratch, home, monkeypatch):
        self.scratch = scratch
        self.layout = scratch.layout
        self.clock = FixedClock(NOW + 1_000_000)
        self._home = home
        self._monkeypatch = monkeypatch

    def use(self):
        self._home.mkdir(exist_ok=True)
        self._monkeypatch.setenv("HOME", str(self._home))
        self._monkeypatch.delenv("XDG_STATE_HOME", raising=False)
        return Bank.open(self.scratch.root, clock=self.clock)

    def record(self, session, *numbers, text="make"):
        append(self.layout, [line(number, f"{text} {number}", session_id=session) for number in numbers], session=session)

    def export(self, path, **options):
        path.unlink(missing_ok=True)
        return self.use().transfer.export(path, PASSPHRASE, **options)

    def take(self, path):
        bank = self.use()
        plan = bank.transfer.plan(path, PASSPHRASE)
        bank.transfer.carry_out(plan)
        return plan

    def tick(self, memory):
        ticks.append(self.layout, key.ensure(self.layout), memory, ticks.HELPFUL, ticks.PERSON, self.clock)


@pytest.fixture
def machine(bank, tmp_path, monkeypatch, free_syncs):
    """Return a function that makes another machine with a clone of the same bank."""
    count = 0

    def make():
        nonlocal count
        count += 1
        scratch = bank({"shared/fact.md": "# Fact\nuse uv\n"}, git=True)
        scratch.git("add", "-A")
        return World(scratch, tmp_path / f"home{count}", monkeypatch)

    return make


@pytest.fixture
def copy_of(tmp_path, monkeypatch):
    """Return a function that copies or clones a machine's repository."""

    def make(world, name, *, is_clone=False):
        from tests.conftest import ScratchBank

        target = tmp_path / name
        if is_clone:
            world.scratch.git("clone", "-q", ".", str(target))
        else:
            shutil.copytree(world.scratch.repository, target, symlinks=True)
        copied = ScratchBank.__new__(ScratchBank)
        copied.repository, copied.root = target, target / ".claude" / "memory"
        copied.active = copied.root / "active"
        return World(copied, tmp_path / f"home-{name}", monkeypatch)

    return make

"""Three machines and one PostgreSQL: random pushes, pulls, purges, kills and disconnections. Everybody converges, and nothing private ever arrives.

A machine is a folder with its own home and bank; each command is a process of its own, as a person runs it. Kills are SIGKILL, at a change of the disk or just
after the server has answered.
"""

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.storage.create_bank import create_bank
from memorybank.team import passwords

from .conftest import PASSWORD

pytestmark = pytest.mark.slow

LOGINS = ("ann", "bob", "eve")
SUBJECTS = ("kettle", "teapot", "急須", "samovar", "茶渋", "cup")
CANARY = "canary-of-{}-{}"
"""A text that must never arrive."""
SECRET = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
KILL = """
import os, signal, sys
from memorybank.cli.main import run
from memorybank.storage import disk
from memorybank.team.server import TeamServer

left = int(os.environ["KILL_AT"])

def step():
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

def killing(real):
    def call(*arguments, **named):
        step()
        found = real(*arguments, **named)
        step()
        return found
    return call

for name in ("replace", "remove", "create"):
    setattr(disk, name, killing(getattr(disk, name)))
for name in ("push", "rows_after", "status", "revoke"):
    setattr(TeamServer, name, killing(getattr(TeamServer, name)))
sys.exit(run(sys.argv[1:]))
"""
"""A process that ends at the step with a given number: before or after a change of the disk, or a call of the server."""


class ConvergingMachine:
    """One machine of the test."""

    def __init__(self, folder: Path, login: str, address: str) -> None:
        self.folder, self.login, self.address = folder, login, address
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir(parents=True)
        self.bank = self.project / ".claude/memory"
        self.bank.mkdir(parents=True)
        create_bank(str(self.bank), "UTC")
        self.environment = {
            **{name: value for name, value in os.environ.items() if name.startswith(("PATH", "LANG", "PYTHONPATH"))},
            "HOME": str(self.home),
            "MEMORYBANK_TRUST": "all",
            passwords.VARIABLE: PASSWORD,
        }
        self.kills = 0

    def run(self, *arguments: str, kill_at: int = 0, check: bool = True) -> subprocess.CompletedProcess[str]:
        start = ["-c", KILL] if kill_at else ["-m", "memorybank"]
        environment = {**self.environment, "KILL_AT": str(kill_at)}
        done = subprocess.run(
            [sys.executable, *start, *arguments], cwd=self.project, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
        )
        self.kills += done.returncode == -signal.SIGKILL
        assert done.returncode == 0 or kill_at or not check, done.stderr
        return done

    def connect(self, address: str = "") -> None:
        self.run("team", "connect", address or self.address, "--organisation", "acme", "--repository", "tea", *(["--offline"] if address else []))

    def write(self, name: str, text: str, front: str = "") -> None:
        path = self.bank / "active/shared" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{front}# {name}\n\n{text}\n", encoding="utf-8")

    def offered(self) -> set[str]:
        """Return the names of the notes that this machine shares. Its own preview says that nothing waits."""
        plan = json.loads(self.run("team", "push", "--dry-run", "--format", "json").stdout)
        assert plan["new"] == plan["changed"] == plan["withdrawn"] == plan["waiting"] == []
        assert plan["withdrawals_waiting"] == 0
        return {path.stem for path in (self.bank / "active").rglob("*.md") if "privacy: private" not in path.read_text(encoding="utf-8")}

    def copied(self) -> set[tuple[str, str]]:
        """Return (login, name) of the notes of others on this machine."""
        top = next((self.home / ".local/state/memorybank/team").iterdir()) / "copy/active/team"
        return {(path.relative_to(top).parts[0].split(".")[0], path.stem) for path in top.rglob("*.md")}


def acts(machine: ConvergingMachine, dice: random.Random, number: int) -> None:
    """Do one random thing as a person would."""
    name = f"{machine.login}-{dice.choice(SUBJECTS)}-{dice.randrange(4)}"
    kill = dice.randrange(1, 10) if dice.random() < 0.5 else 0
    match dice.randrange(9):
        case 0 | 1 | 2:
            machine.write(name, f"{dice.choice(SUBJECTS)} {number}: descale it. Token {SECRET}. <private>{CANARY.format(machine.login, number)}</private>")
        case 3:
            machine.write(name, CANARY.format(machine.login, number), "---\nprivacy: private\n---\n")
        case 4:
            found = sorted((machine.bank / "active/shared").glob("*.md"))
            if found:
                dice.choice(found).unlink()
        case 5:
            found = sorted((machine.bank / "active/shared").glob("*.md"))
            if found:
                machine.run("forget", f"shared/{dice.choice(found).name}", "--yes", kill_at=kill, check=False)
        case 6:
            machine.run("purge", f"descale it {number}"[:30], kill_at=kill, check=False)
        case 7:
            machine.connect("postgresql://nobody@localhost:9/nowhere")
            machine.run("team", "push", "--yes", check=False)
            machine.connect()
        case 8:
            machine.run("team", "disconnect")
            machine.connect()
    if dice.random() < 0.6:
        machine.run("team", *dice.choice((("push", "--yes"), ("push", "--yes"), ("pull",))), kill_at=kill, check=False)


@pytest.mark.parametrize("seed", range(2))
def test_three_machines_converge_and_nothing_private_arrives(database, tmp_path, seed, request):
    dice = random.Random(seed)
    machines = [ConvergingMachine(tmp_path / login, login, _address(database, login)) for login in LOGINS]
    for machine in machines:
        machine.connect()
    for number in range(60 if request.config.getoption("--all") else 20):
        acts(dice.choice(machines), dice, number)
    for machine in machines:
        machine.run("team", "push", "--yes")
        machine.run("team", "push", "--yes")
    for machine in machines:
        machine.run("team", "pull")
    shared = {machine.login: machine.offered() for machine in machines}
    for machine in machines:
        wanted = {(login, name) for login, names in shared.items() for name in names if login != machine.login}
        assert machine.copied() == wanted
        assert json.loads(machine.run("team", "status", "--format", "json").stdout)["waiting"] == 0
    assert sum(machine.kills for machine in machines), "no command was killed"
    everything = _every_table(database.owner)
    assert "descale it" in everything
    for text in ("canary-of", SECRET, "<private>"):
        assert text not in everything


def _address(database, login: str) -> str:
    return f"postgresql://{login}@/{database.name}?host={database.server.socket}"


def _every_table(owner) -> str:
    """Return every row of every table of the schema, as the owner of the database reads it."""
    tables = owner.execute("SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'memorybank'::regnamespace AND relkind = 'r'").fetchall()
    return "\n".join(str(row[0]) for (table,) in tables for row in owner.execute(f"SELECT t::text FROM {table} t"))

"""`play(host, script)`: a scratch project with a bank and installed hooks, and a real client that works in it against a scripted model.

What is asserted is what counts at the two ends: what the *model* was sent (`model.requests`, `shown`) and what the *log* holds (`Project.log`).
After each test the log verifies, no line is there twice, no hook had an error, and no process is left.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from memorybank.text.untrusted.fence import FENCE_CLOSE, FENCE_OPEN

from .clients import CannotInstall, Session, install
from .model_server import ModelServer, Request, Script

ROOT = Path(__file__).resolve().parents[2]

SUMMARY = "RESIDENT-ALPHA: this workspace brews tea; kettles are configured in the file `kettle.toml`."
NOTES = {
    "implementation/copper-kettle.md": """# Starting the copper kettle

NOTE-COPPER: the copper kettle starts only with `--descale`; without it the boiler stays cold.
""",
    "implementation/burrs.md": """# Burrs

NOTE-BURR: in `grinder.toml` keep `burr = 3`; anything else jams the mill.
""",
    "implementation/teapot.md": """# 急須の手入れ

NOTE-急須: 急須の茶渋は重曹で落とす。洗剤は使わない。
""",
    **{
        f"planning/{name}.md": f"# {name.title()}\n\n{name.title()} is ordered on the first Monday of the month; the supplier's invoice goes to the office.\n"
        for name in ("biscuits", "cinnamon", "honey", "lemons", "milk", "napkins", "saucers", "spoons", "sugar")
    },
}


class Project(Session):
    """A session's project with a bank in it, and the hooks of one host."""

    @property
    def bank(self) -> Path:
        return self.project / ".claude" / "memory"

    def put_on_path(self) -> None:
        """`memorybank` of this checkout, for the hooks of hosts that have no settings for one machine alone."""
        program = self.programs / "memorybank"
        program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m memorybank "$@"\n')
        program.chmod(0o755)

    def memorybank(self, *arguments: str) -> str:
        """What the command prints; the test fails when it does."""
        command = [str(self.programs / "memorybank"), *arguments]
        done = subprocess.run(command, cwd=self.project, env=self.environment(), capture_output=True, encoding="utf-8", timeout=60)
        assert done.returncode == 0, f"memorybank {' '.join(arguments)} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def summary(self, body: str) -> None:
        (self.bank / "summary.md").write_text(f"---\nupdated_at: 2026-01-01T00:00:00Z\n---\n\n{body}\n", encoding="utf-8")

    def configure(self, settings: object) -> None:
        (self.bank / "config" / "cycle_config.json").write_text(json.dumps(settings), encoding="utf-8")

    def note(self, key: str, text: str) -> None:
        path = self.bank / "active" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if "NOTE-" in text:
            month_ago = time.time() - 30 * 86_400  # so that the others are what the start of a session shows
            os.utime(path, (month_ago, month_ago))

    def logs(self) -> dict[str, list[dict]]:
        """{session id: its lines} of every event log, read without the product, in the order of their time: hooks run side by side, and Copilot
        does not wait for those of a session's start. Exposures are among them."""
        found: dict[str, list[dict]] = {}
        for path in sorted((self.bank / "log" / "events").glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                fields = json.loads(line)
                found.setdefault(fields["session_id"], []).append(fields)
        return {session: sorted(lines, key=lambda line: line["timestamp"]) for session, lines in found.items()}

    def log(self) -> list[dict]:
        """The lines of the only session."""
        (lines,) = self.logs().values()
        return lines

    def checked(self) -> None:
        """What holds after every session: nothing runs any more, every event is there once, no hook had an error, the log verifies."""
        assert self.settled() == {}
        lines = [line for session in self.logs().values() for line in session]
        identifiers = [line["id"] for line in lines]
        assert len(set(identifiers)) == len(identifiers)
        assert {line["host"] for line in lines} <= {self.client.host}
        errors = self.bank / "log" / "hook_errors.jsonl"
        assert not errors.exists() or errors.read_text() == ""
        self.memorybank("log", "verify")


def events(lines: list[dict]) -> list[str]:
    """What happened, in this order, as `name` or `name tool status`; exposures left out."""
    told = []
    for line in lines:
        if line["event"] not in ("exposure", "resident_exposure"):
            told.append(" ".join(str(part) for part in (line["event"], line["tool"], line["status"]) if part))
    return told


def read(request: Request) -> str:
    """What the model reads. Gemini CLI escapes the brackets of what hooks say."""
    return request.conversation.replace("&lt;", "<").replace("&gt;", ">")


def shown(request: Request) -> str:
    """What memorybank gave the model in this request: the texts inside its fences."""
    return "\n".join(piece.split(FENCE_CLOSE)[0] for piece in read(request).split(FENCE_OPEN)[1:])


def count(request: Request, marker: str) -> int:
    """How often the model reads a marker of a memory in this request; it never stands outside a fence."""
    found = shown(request).count(marker)
    assert read(request).count(marker) == found, f"{marker} outside the fence"
    return found


@pytest.fixture(scope="session")
def installed() -> Path:
    """Where the clients are kept between runs: `$MEMORYBANK_HOSTS_DIR`, else `.hosts/` of the checkout."""
    folder = Path(os.environ.get("MEMORYBANK_HOSTS_DIR") or ROOT / ".hosts")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def play(installed: Path, tmp_path: Path) -> Iterator[Callable[[str, Script], Project]]:
    """play(host, script) → the Project, its hooks installed. A client that cannot be installed fails the test."""
    projects: list[Project] = []
    with ExitStack() as servers:

        def start(host: str, script: Script, *, hooks: bool = True, indexed: bool = True) -> Project:
            try:
                client = install(host, installed)
            except CannotInstall as reason:
                pytest.fail(f"{host} cannot be installed: {reason}")
            folder = tmp_path / f"{len(projects)}"
            folder.mkdir()
            project = Project(client, folder, servers.enter_context(ModelServer(script, otherwise="<summary>what was said before</summary>")))
            project.put_on_path()
            project.memorybank("init")
            project.summary(SUMMARY)
            for key, text in NOTES.items():
                project.note(key, text)
            (project.project / "grinder.toml").write_text("burr = 3\n")
            if indexed:
                project.memorybank("index")
            if hooks:
                project.memorybank("hooks", "install", "--no-mcp", "--host", host)  # the server has tests of its own
            projects.append(project)
            return project

        yield start
        for project in projects:
            project.checked()

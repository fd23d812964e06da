"""The MCP Inspector's command line: a client that the protocol's authors wrote, asked one thing a run.

Its package names Node 22 as its least; its command line works with Node 20 too (measured with 20.20.2), its page is not used here.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .clients import CannotInstall

PACKAGE, VERSION = "@modelcontextprotocol/inspector", "2.12.0"


def install(folder: Path) -> Path:
    """The program's file, installed into `folder` once for this version (npm, without install scripts)."""
    place = folder / f"inspector-{VERSION}"
    program = place / "node_modules" / PACKAGE / "clients/launcher/build/index.js"
    if not (place / "installed").exists():
        npm = shutil.which("npm")
        if npm is None:
            raise CannotInstall("npm is not on PATH: install Node.js 20 or newer")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(place), f"{PACKAGE}@{VERSION}"]
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=900)
        if done.returncode or not program.exists():
            raise CannotInstall(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
        (place / "installed").touch()
    return program


_STARTS_WITHIN = "90000"
"""Milliseconds. On a loaded machine the server's library takes longer to load than the inspector waits for by itself."""


class Inspector:
    """One question a call. server: the command line of a server; environment: all that it and its server see."""

    def __init__(self, program: Path, server: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._command = [str(shutil.which("node")), str(program), "--cli", *server]
        self._folder = folder
        self._environment = environment

    def run(self, method: str, *options: str) -> subprocess.CompletedProcess[str]:
        command = [*self._command, "--connect-timeout", _STARTS_WITHIN, "--method", method, *options]
        return subprocess.run(command, cwd=self._folder, env=self._environment, capture_output=True, text=True, encoding="utf-8", timeout=120)

    def ask(self, method: str, *options: str) -> Any:
        """The answer; the run must have gone well."""
        done = self.run(method, *options)
        assert done.returncode == 0, f"{method} {options} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        return json.loads(done.stdout)

    def call(self, tool: str, **given: object) -> Any:
        pairs = [f"{name}={json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value}" for name, value in given.items()]
        return self.ask("tools/call", "--tool-name", tool, *(["--tool-arg", *pairs] if pairs else []))

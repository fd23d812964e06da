"""`memorybank mcp` at the end of two pipes, asked by bare lines of the protocol."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
M = ("-m", "memorybank")


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bare", "version": "0"}}


def request(number: int, method: str, **params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n"


def call(number: int, tool: str, **given: object) -> str:
    return request(number, "tools/call", name=tool, arguments=given)


OPENING = request(1, "initialize", **HELLO) + json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n"


class Bare:
    """A server at the end of two pipes. Requests are answered before its input is closed: what it would still answer is not waited for."""

    def __init__(self, folder: Path, *before: str, **more: str) -> None:
        # A file: a pipe that nobody reads would stop the server once it is full.
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed by `end`, after the process
        self.process = subprocess.Popen(
            [sys.executable, *before, "mcp"], cwd=folder, env=environment(**more), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors
        )
        self.lines: list[bytes] = []

    def say(self, text: str | bytes, answers: int = 0) -> None:
        self.process.stdin.write(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        self.process.stdin.flush()
        for _ in range(answers):
            self.lines.append(self.process.stdout.readline())

    def end(self) -> tuple[int, str]:
        """(exit code, standard error)"""
        out, _ = self.process.communicate(timeout=60)
        self.lines += out.splitlines(keepends=True)
        with self.errors:
            self.errors.seek(0)
            return self.process.returncode, self.errors.read().decode()

    @property
    def answers(self) -> list[dict]:
        """Every line of standard output; each must be one message of the protocol."""
        found = [json.loads(line) for line in self.lines]
        assert all(message["jsonrpc"] == "2.0" and ("result" in message or "error" in message) for message in found)
        return found

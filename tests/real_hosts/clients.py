"""The real clients: how each is installed, set up in a scratch project, and played headless against `ModelServer`.

A client sees nothing of this machine: its environment holds only the variables named here, its HOME is a temporary folder, its key a dummy, its
model a server on 127.0.0.1; telemetry and updates are off. Versions are pinned: what a host sends and accepts changes with any release.
"""

import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from .model_server import ModelServer

PATIENCE = 120.0
"""Seconds after which a client that does not end is killed and the test fails."""


@dataclass(frozen=True)
class Run:
    """What a finished client left: exit status (negative: the signal that killed it), what it printed."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        """The JSON objects among the printed lines."""
        return [json.loads(line) for line in self.out.splitlines() if line.startswith("{")]


class Client:
    """One host's client. Subclasses are the table: what to install, what to write, what to say."""

    host: ClassVar[str]
    package: ClassVar[str]
    version: ClassVar[str]

    def __init__(self, installed: Path) -> None:
        self.installed = installed / "node_modules"

    def program(self) -> list[str]:
        raise NotImplementedError

    def environment(self, home: Path, model: str) -> dict[str, str]:
        raise NotImplementedError

    def prepare(self, project: Path, home: Path, model: str) -> None:
        """Write the client's own settings, without any hook."""

    def prompt(self, text: str, *options: str) -> list[str]:
        """Arguments that say one prompt in a new session and end."""
        raise NotImplementedError

    def again(self, text: str, *options: str) -> list[str]:
        """Arguments that say one prompt in the last session, resumed, and end."""
        raise NotImplementedError


class ClaudeCode(Client):
    host, package, version = "claude-code", "@anthropic-ai/claude-code", "2.1.330"

    def program(self) -> list[str]:
        return [str(self.installed / f"@anthropic-ai/claude-code-{PLATFORM}/claude")]

    def environment(self, home: Path, model: str) -> dict[str, str]:
        off = ("DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING", "DISABLE_AUTOUPDATER", "DISABLE_BUG_COMMAND", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC")
        names = {"ANTHROPIC_MODEL": "claude-sonnet-4-5", "ANTHROPIC_DEFAULT_HAIKU_MODEL": "claude-haiku-4-5", "CLAUDE_CODE_MAX_RETRIES": "0"}
        return {"ANTHROPIC_BASE_URL": model, "ANTHROPIC_API_KEY": "dummy", **names, **dict.fromkeys(off, "1")}

    def prepare(self, project: Path, home: Path, model: str) -> None:
        _json(home / ".claude.json", {"projects": {str(project): {"hasTrustDialogAccepted": True}}})
        _json(project / ".claude/settings.json", {"permissions": {"allow": ["Bash", "Write", "Edit", "Read", "Agent"]}})

    def prompt(self, text: str, *options: str) -> list[str]:
        return ["-p", text, "--output-format", "json", *options]

    def again(self, text: str, *options: str) -> list[str]:
        return self.prompt(text, "--continue", *options)


class Codex(Client):
    host, package, version = "codex", "@openai/codex", "0.169.0"

    def program(self) -> list[str]:
        return [str(next((self.installed / f"@openai/codex-{PLATFORM}/vendor").glob("*/bin/codex")))]

    def environment(self, home: Path, model: str) -> dict[str, str]:
        return {"CODEX_HOME": str(home / ".codex"), "SCRIPTED_KEY": "dummy"}

    def prepare(self, project: Path, home: Path, model: str) -> None:
        _text(
            home / ".codex/config.toml",
            f'''model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
enable_request_compression = false
[model_providers.scripted]
name = "scripted"
base_url = "{model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."{project}"]
trust_level = "trusted"
''',
        )

    TRUST = "--dangerously-bypass-hook-trust"
    """A person trusts hooks with /hooks; `codex exec` cannot ask and leaves untrusted hooks out without a word."""

    def prompt(self, text: str, *options: str) -> list[str]:
        return ["exec", self.TRUST, "--json", *options, text]

    def again(self, text: str, *options: str) -> list[str]:
        return ["exec", self.TRUST, "--json", *options, "resume", "--last", text]


class Gemini(Client):
    host, package, version = "gemini", "@google/gemini-cli", "0.61.0"

    def program(self) -> list[str]:
        return [_node(), str(self.installed / "@google/gemini-cli/bundle/gemini.js")]

    def environment(self, home: Path, model: str) -> dict[str, str]:
        trusted = {"GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_TELEMETRY_ENABLED": "false", "NO_BROWSER": "1"}
        return {"GEMINI_API_KEY": "dummy", "GOOGLE_GEMINI_BASE_URL": model, **trusted}

    def prepare(self, project: Path, home: Path, model: str) -> None:
        quiet = {"enableAutoUpdate": False, "enableAutoUpdateNotification": False, "disableAutoUpdate": True, "disableUpdateNag": True}
        security = {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}
        off = {"privacy": {"usageStatisticsEnabled": False}, "telemetry": {"enabled": False}}
        _json(home / ".gemini/settings.json", {"security": security, "general": quiet, **off})

    def prompt(self, text: str, *options: str) -> list[str]:
        return ["-p", text, "--yolo", "-m", "gemini-2.5-flash", "-o", "json", *options]

    def again(self, text: str, *options: str) -> list[str]:
        return self.prompt(text, "--resume", "latest", *options)


class Copilot(Client):
    host, package, version = "copilot", "@github/copilot", "1.0.102"

    def program(self) -> list[str]:
        return [str(self.installed / f"@github/copilot-{PLATFORM}/copilot")]

    def environment(self, home: Path, model: str) -> dict[str, str]:
        own = {"COPILOT_HOME": str(home / ".copilot"), "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false", "COPILOT_MODEL": "scripted"}
        return {**own, "COPILOT_PROVIDER_BASE_URL": f"{model}/v1", "COPILOT_PROVIDER_API_KEY": "dummy"}

    def prepare(self, project: Path, home: Path, model: str) -> None:
        """Without trust no hook of a repository runs; `--trust-folder` is for a first run only and refuses `--continue`."""
        _json(home / ".copilot/config.json", {"trustedFolders": [str(project)]})

    def prompt(self, text: str, *options: str) -> list[str]:
        return ["-p", text, "--allow-all-tools", "--disable-builtin-mcps", *options]

    def again(self, text: str, *options: str) -> list[str]:
        return self.prompt(text, "--continue", *options)


class Opencode(Client):
    host, package, version = "opencode", "opencode-ai", "1.18.33"

    def program(self) -> list[str]:
        return [str(self.installed / f"opencode-{PLATFORM}/bin/opencode")]

    def environment(self, home: Path, model: str) -> dict[str, str]:
        return dict.fromkeys([f"OPENCODE_DISABLE_{what}" for what in ("AUTOUPDATE", "MODELS_FETCH", "LSP_DOWNLOAD", "DEFAULT_PLUGINS")], "1")

    def prepare(self, project: Path, home: Path, model: str) -> None:
        options = {"baseURL": f"{model}/v1", "apiKey": "dummy"}
        models = {"m1": {"name": "m1", "limit": {"context": 100_000, "output": 4_000}, "tool_call": True}}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options, "models": models}
        choice = {"model": "scripted/m1", "small_model": "scripted/m1", "enabled_providers": ["scripted"], "provider": {"scripted": provider}}
        _json(project / "opencode.json", {"autoupdate": False, "share": "disabled", "permission": {"bash": "allow", "edit": "allow"}, **choice})

    def prompt(self, text: str, *options: str) -> list[str]:
        return ["run", *options, text]

    def again(self, text: str, *options: str) -> list[str]:
        return ["run", "-c", *options, text]


CLIENTS: dict[str, type[Client]] = {client.host: client for client in (ClaudeCode, Codex, Gemini, Copilot, Opencode)}
PLATFORM = f"{sys.platform}-{'arm64' if platform.machine() in ('arm64', 'aarch64') else 'x64'}"


class CannotInstall(Exception):
    """A client could not be installed; the text says what npm answered."""


def install(host: str, folder: Path) -> Client:
    """The client, installed into `folder` once for each version (npm, without install scripts)."""
    kind = CLIENTS[host]
    place = folder / f"{host}-{kind.version}"
    client = kind(place)
    done = place / "installed"
    if not done.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise CannotInstall("npm is not on PATH: install Node.js 20 or newer")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(place), f"{kind.package}@{kind.version}"]
        answer = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=900)
        if answer.returncode:
            raise CannotInstall(f"{' '.join(command)} ended with {answer.returncode}:\n{answer.stderr}")
        done.touch()
    if not Path(client.program()[-1]).exists():
        raise CannotInstall(f"{kind.package} {kind.version} has no program for {PLATFORM}: {client.program()[-1]} is missing; remove {place} and try again")
    return client


class Session:
    """A scratch project and home in which one client is played. Starting it twice is a second run in the same project.

    programs: the first folder of its PATH.
    """

    def __init__(self, client: Client, folder: Path, model: ModelServer) -> None:
        self.client, self.model = client, model
        self.project, self.home, self.programs = folder / "project", folder / "home", folder / "bin"
        for each in (self.project, self.home, self.programs):
            each.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main", str(self.project)], check=True, env=self.environment())
        client.prepare(self.project, self.home, model.url)

    def environment(self) -> dict[str, str]:
        path = os.pathsep.join([str(self.programs), os.path.dirname(_node()), "/usr/local/bin", "/usr/bin", "/bin"])
        bare = {"PATH": path, "HOME": str(self.home), "TERM": "dumb", "LANG": "C.UTF-8", "USER": "tester", "SHELL": "/bin/sh"}
        return {**bare, "NO_PROXY": "127.0.0.1,localhost", **self.client.environment(self.home, self.model.url)}

    def start(self, arguments: Sequence[str], **extra: str) -> "Running":
        return Running([*self.client.program(), *arguments], self.project, {**self.environment(), **extra})

    def play(self, arguments: Sequence[str], stdin: str = "", **extra: str) -> Run:
        return self.start(arguments, **extra).end(stdin)

    def prompt(self, text: str, *options: str, **extra: str) -> Run:
        return self.play(self.client.prompt(text, *options), **extra)

    def again(self, text: str, *options: str, **extra: str) -> Run:
        return self.play(self.client.again(text, *options), **extra)

    def processes(self) -> dict[int, str]:
        """{pid: command line} of every process that was started in this session: whatever a client or hook starts inherits its HOME."""
        mark = f"HOME={self.home}\0".encode()
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes() and "\nState:\tZ" not in (folder / "status").read_text():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue  # ended meanwhile, or somebody else's
        return found

    def settled(self, seconds: float = 5.0) -> dict[int, str]:
        """The processes that are still there when this session had `seconds` to end them."""
        pause = threading.Event()
        for _ in range(int(seconds / 0.05)):
            if not self.processes():
                break
            pause.wait(0.05)
        return self.processes()


class Running:
    """A client that runs, in a process group of its own."""

    def __init__(self, command: list[str], project: Path, environment: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=project, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True)

    def end(self, stdin: str = "") -> Run:
        try:
            out, err = self.process.communicate(stdin, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            out, err = self.process.communicate()
            raise AssertionError(f"the client did not end within {PATIENCE:.0f} s\n{out[-2000:]}\n{err[-2000:]}") from None
        return Run(self.process.returncode, out, err)

    def kill(self) -> None:
        """SIGKILL to the client and all it started: nothing can say goodbye."""
        os.killpg(self.process.pid, signal.SIGKILL)


def _node() -> str:
    node = shutil.which("node")
    if node is None:
        raise CannotInstall("node is not on PATH: install Node.js 20 or newer")
    return node


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _json(path: Path, value: object) -> None:
    _text(path, json.dumps(value, indent=2) + "\n")

"""One generated session while it is played: its clock, its agents, and its events in the order in which a host would report them."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

ROOT = "/history"
HOST = "claude-code"
Line = dict[str, Any]


@dataclass
class HistoryAgent:
    """The main agent or a sub-agent. touched: the paths that it changed since the last prompt."""

    agent_id: str = "main"
    agent_role: str = "main"
    touched: list[str] = field(default_factory=list)


class PlayedHistorySession:
    """Plays events one after the other. chance: the session's random generator; at: ms of the next event; branch: the git branch it works on."""

    def __init__(self, chance: random.Random, begins: int, branch: str) -> None:
        self.chance = chance
        self.session_id = self._uuid()
        self.at = begins
        self.branch = branch
        self.lines: list[Line] = []
        self.main = HistoryAgent()

    def start(self, source: str = "startup") -> None:
        self._add("session_start", self.main, source=source, delivery=True)

    def prompt(self, text: str) -> None:
        self._wait(15, 400)
        self.main.touched = []
        self._add("prompt", self.main, prompt=text, strong_id=self._uuid(), delivery=True)

    def turn_end(self, message: str, agent: HistoryAgent | None = None, status: str = "success", reason: str | None = None) -> None:
        self._wait(2, 9)
        self._add("turn_end", agent or self.main, status=status, last_message=message, reason=reason)

    def compact(self) -> None:
        self._wait(5, 60)
        self._add("compact_before", self.main, reason=self.chance.choice(("auto", "auto", "manual")))
        self._wait(20, 60)
        self.start("compact")

    def end(self, reason: str = "other") -> None:
        self._wait(3, 200)
        self._add("session_end", self.main, reason=reason)

    def call(
        self, tool: str, inputs: Mapping[str, Any], output: str = "", error: str | None = None, agent: HistoryAgent | None = None, interrupted: bool = False
    ) -> None:
        """Play the intent and the result of one tool call."""
        agent = agent or self.main
        ident, asked = self._call_id(), dict(inputs)
        self._wait(2, 25)
        since = self.at
        self._add("tool_before", agent, tool=tool, tool_use_id=ident, strong_id=ident, inputs=asked, delivery=True)
        self.at += self._duration(tool)
        self._add("tool_after", agent, **self._result(tool, ident, asked, self.at - since, output, error, interrupted))

    def reads_together(self, paths: list[tuple[str, str]], agent: HistoryAgent | None = None) -> None:
        """Read several files in one message: first all intents, then all results. paths: (path, content)."""
        agent = agent or self.main
        opened = [(self._call_id(), {"file_path": absolute(path)}, content) for path, content in paths]
        self._wait(2, 12)
        for ident, asked, _ in opened:
            self._add("tool_before", agent, tool="Read", tool_use_id=ident, strong_id=ident, inputs=asked, delivery=True)
        for ident, asked, content in opened:
            self.at += self.chance.randint(8, 90)
            self._add("tool_after", agent, **self._result("Read", ident, asked, 40, content, None, False))

    def delegate(self, role: str, description: str, prompt: str) -> "SubAgentCall":
        return SubAgentCall(self, role, description, prompt)

    def add(self, name: str, agent: HistoryAgent, **slots: Any) -> None:
        self._add(name, agent, **slots)

    def _result(self, tool: str, ident: str, asked: Line, took: int, output: str, error: str | None, interrupted: bool) -> Line:
        status = "partial" if interrupted else "failure" if error else "success"
        slots: Line = {"tool": tool, "tool_use_id": ident, "strong_id": ident, "inputs": asked, "status": status, "latency_ms": took, "delivery": True}
        if interrupted:
            return {**slots, "interrupted": True, "reason": "interrupted"}
        return {**slots, "output": output, "error": error, "exit_code": 1 if error and tool == "Bash" else None}

    def _add(self, name: str, agent: HistoryAgent, **slots: Any) -> None:
        line: Line = {"host": HOST, "name": name, "session_id": self.session_id, "agent_id": agent.agent_id, "agent_role": agent.agent_role}
        line |= {"at": self.at, "cwd": ROOT, "branch": self.branch}
        line |= {slot: value for slot, value in slots.items() if value not in (None, "", False)}
        self.lines.append(line)
        self.at += 1

    def _wait(self, least: int, most: int) -> None:
        """Let some seconds of thinking, reading and typing pass."""
        self.at += self.chance.randint(least * 1000, most * 1000)

    def _duration(self, tool: str) -> int:
        return self.chance.randint(300, 45_000) if tool == "Bash" else self.chance.randint(5, 400)

    def _call_id(self) -> str:
        return "toolu_01" + "".join(self.chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789", k=22))

    def _uuid(self) -> str:
        digits = f"{self.chance.getrandbits(128):032x}"
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


class SubAgentCall:
    """A sub-agent at work: `with session.delegate(…) as agent`. Its call stays open in the main agent until the sub-agent is done."""

    def __init__(self, session: PlayedHistorySession, role: str, description: str, prompt: str) -> None:
        self.session = session
        self.agent = HistoryAgent(f"a{session.chance.getrandbits(28):07x}", role)
        self.asked = {"description": description, "prompt": prompt, "subagent_type": role}
        self.ident = session._call_id()
        self.since = 0
        self.report = ""

    def __enter__(self) -> HistoryAgent:
        session = self.session
        session._wait(3, 20)
        self.since = session.at
        session.add("tool_before", session.main, tool="Agent", tool_use_id=self.ident, strong_id=self.ident, inputs=self.asked, delivery=True)
        session.add("subagent_start", self.agent, delivery=True)
        return self.agent

    def __exit__(self, *_: object) -> None:
        session = self.session
        session.turn_end(self.report, self.agent)
        result = session._result("Agent", self.ident, self.asked, session.at - self.since, self.report, None, False)
        session.add("tool_after", session.main, **result)


def absolute(path: str) -> str:
    return f"{ROOT}/{path}"


def lines_of(session: PlayedHistorySession) -> Iterator[Line]:
    yield from session.lines

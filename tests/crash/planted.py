"""A bank with a leaked text in everything that memorybank stores: made by the product's own commands where they can make it, planted where only a
crash, a damage or an older version can.
"""

import base64
import contextlib
import gzip
import io
import json
import os
import sqlite3
from functools import partial
from pathlib import Path
from unicodedata import normalize
from urllib.parse import quote, quote_plus

import zstandard

from memorybank.cli.call import CommandCall
from memorybank.cli.main import run
from memorybank.clock import DAY, MINUTE, FixedClock, isoformat
from memorybank.cycle.base import describe as describe_cycle
from memorybank.cycle.event import Event
from memorybank.cycle.router import HookRouter
from memorybank.log import adoptions, events, extracted, key, learned, lines, operations
from memorybank.log.extracted import ExtractedLine, ExtractionLine, QuoteSource
from memorybank.storage import appending
from memorybank.storage.layout import Layout
from tests.crash.byte_scanner import TextForms
from tests.crash.recorder import Impatient, Passing, replaced
from tests.log.written import SESSION
from tests.log.written import line as call_line
from tests.rotation.rotation_rows import NOW

WORDS = ("zqxj7", "vwky9")
"""They are in every leaked text and occur nowhere else."""
LEAKS = {
    "English": 'zqxj7 "quoted\\path" is the pass phrase vwky9',
    "Japanese": "zqxj7 合言葉は「ガギグゲゴ」Kö vwky9",
    "lines": '-----BEGIN KEY-----\nzqxj7IIBVgIBADAガline=two\nkqhkiG9w0BAQEFAA/"vwky9',
}
line = partial(call_line, at=NOW - DAY)
DEAD = 999_999_999
"""A process that cannot exist."""
COMPANY = "".join(f"line {number} of something that compresses {'x' * (number % 50)}\n" for number in range(3_000))


class World:
    """A folder with a repository, a bank in it, and a home folder. All that memorybank writes is below it."""

    def __init__(self, top: str | os.PathLike[str], leak: str) -> None:
        self.top = os.path.realpath(top)
        self.leak = leak
        self.name = leak.split("\n")[1] if "\n" in leak else leak
        """The leaked text, or the one of its lines that a file's name can hold."""

    @property
    def project(self) -> Path:
        return Path(self.top, "repo")

    @property
    def root(self) -> Path:
        return self.project / ".claude" / "memory"

    @property
    def layout(self) -> Layout:
        return Layout(str(self.root))

    @property
    def state(self) -> Path:
        return Path(self.top, "home", ".local", "state", "memorybank")

    @property
    def config(self) -> Path:
        return Path(self.top, "home", ".config", "memorybank")

    @property
    def forms(self) -> TextForms:
        return TextForms(self.leak, self.name)

    @property
    def environment(self) -> dict[str, str]:
        home = Path(self.top, "home")
        return {"HOME": str(home), "XDG_STATE_HOME": str(home / ".local" / "state"), "XDG_CONFIG_HOME": str(home / ".config")}

    @property
    def ours(self) -> list[str]:
        """Every folder in which memorybank keeps something."""
        return [str(path) for path in (self.root, self.state, self.config) if path.exists()]

    def write(self, key: str, text: str | bytes, *, days_old: int = 90) -> None:
        self.put(self.root / "active" / key, text)
        os.utime(self.root / "active" / key, ns=((NOW - days_old * DAY) * 1_000_000,) * 2)

    def put(self, path: Path, text: str | bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def run(self, *arguments: str, at: int = NOW) -> tuple[int, str, str]:
        """Run a command as its user does, in this process and without syncs."""
        out, err = io.StringIO(), io.StringIO()
        with in_environment(self.environment), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(["--bank", str(self.root), *arguments], CommandCall(clock=FixedClock(at)))
        return code, out.getvalue(), err.getvalue()

    def must(self, *arguments: str, at: int = NOW) -> str:
        code, out, err = self.run(*arguments, at=at)
        assert code == 0, (arguments, code, out, err)
        return out

    def session(self, name: str, told: list[dict[str, object]], at: int) -> None:
        """One session as hooks record it, with everything that follows its end."""
        clock = FixedClock(at)
        with in_environment(self.environment):
            for fields in ({"name": "session_start", "source": "startup"}, *told, {"name": "session_end", "reason": "other"}):
                clock.instant += MINUTE
                event = Event(host="claude-code", session_id=name, cwd=str(self.project), **fields)
                router = HookRouter(describe_cycle(self.layout, clock), frozenset())
                router.answer(event)
                router.finish(event)


@contextlib.contextmanager
def in_environment(variables: dict[str, str]):
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def written(leak: str) -> dict[str, str]:
    """The text as programs write it into a note or a payload."""
    data = leak.encode()
    return {
        "plain": leak,
        "decomposed": normalize("NFD", leak),
        "crlf": leak.replace("\n", "\r\n"),
        "json": json.dumps({"phrase": leak}),
        "json-twice": json.dumps({"body": json.dumps({"phrase": leak}, ensure_ascii=False)}),
        "url": f"https://example.org/?q={quote(leak)}&form={quote_plus(leak)}&twice={quote(quote(leak, safe=''), safe='')}",
        "url-small": "https://example.org/?q=" + "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02x}" for byte in data),
        **{f"base64-{before}": f"Basic {base64.b64encode(b'usr'[:before] + data + b':x').decode()}" for before in range(3)},
        "base64-url": f"token={base64.urlsafe_b64encode(b'?>' + data).decode().rstrip('=')}",
        "base64-json": base64.b64encode(json.dumps({"phrase": leak}).encode()).decode(),
        "wrapped": leak.replace(" ", "\n", 1),
        "wrapped-quote": "> a quote: " + leak.replace(" ", "\n> ", 2),
    }


def plant_notes(world: World) -> None:
    """Notes with the text: old ones that a rotation archives, and new ones that stay."""
    for name, text in written(world.leak).items():
        world.write(f"planning/{name}.md", f"# Note {name}\n\nNothing to see here.\n\nBefore {text} after.\n")
    world.write("planning/utf16.md", f"# Sixteen\n\n{world.leak}\n".encode("utf-16-le"))
    world.write("planning/titled.md", f"---\ntags: [release]\ntitle: {json.dumps(world.name)}\n---\n# {world.name}\n\nBody.\n")
    world.write(f"shared/{world.name}.md", "# Innocent\n\nOnly the name of this note.\n")
    world.write(f"shared/{world.name}/inner.md", "# Inner\n\nOnly the name of its folder.\n")
    world.write("planning/clean.md", "# Clean\n\nNothing to see.\n")
    world.write("implementation/kept.md", f"---\nrating: 9\n---\n# Kept\n\nline three\n\n{world.leak}\n", days_old=1)
    world.put(world.project / "docs" / "source.md", f"# A source\n\n{world.leak}\n")


def plant_logs(world: World) -> None:
    """Events of every form, in the log and in the spool, and lines of every other log."""
    layout, clock = world.layout, FixedClock(NOW - DAY)
    secret = key.ensure(layout)
    entries = [line(1), line(2, task_id=f"fix/{world.name}"), line(3, error=json.dumps([world.leak]), status="failure", tool=world.name)]
    entries += [line(10 + number, inputs={"command": text, text: 1}) for number, text in enumerate(written(world.leak).values())]
    entries += [
        line(50 + number, outputs={"head": text}, fingerprint=text, anchors=[f"cmd:{text}"]) for number, text in enumerate(written(world.leak).values())
    ]
    entries += [line(90, event="prompt", inputs={"text": world.leak}, origin="human")]
    events.EventWriter(layout, secret, clock, 2000).append(SESSION, entries)
    with appending.Appending(events.path_of(layout, SESSION), clock, 1.0):
        events.EventWriter(layout, secret, Impatient(NOW), 2000).append(SESSION, [line(91, outputs={"text": world.leak})])
    source = QuoteSource(f"{90:032x}", 0, "inputs", NOW - DAY)
    item = ExtractedLine(SESSION, "llm:x", "rule", world.leak, world.name, world.leak, (world.name,), source)
    extracted.append(layout, secret, ExtractionLine(SESSION, "llm:x", NOW - DAY, 1, {world.name: 1}), [item], clock)
    learned.append(layout, f"note:{world.name}", f"active/learned/{world.name}.md", "0" * 64, ".", clock)
    adoptions.append(layout, adoptions.Adoption("a1", NOW - DAY, (world.name,), (), ""), clock)
    operations.record(layout, "search", milliseconds=1, ok=True, clock=clock, note=world.leak)
    at = isoformat(NOW - DAY)
    for name in ("hook_errors", "access", "policy", "ticks", "rejected", "organize", "unknown"):
        told = {"kind": "other", "at": at, "path": f"shared/{world.name}.md", "message": world.leak, "details": {f"note:{world.name}": {"x": [world.leak]}}}
        lines.append(os.path.join(layout.log, f"{name}.jsonl"), [told], clock=clock, durable=False)
        with open(os.path.join(layout.log, f"{name}.jsonl"), "ab") as stream:
            stream.write(b'{"torn": ' + json.dumps(world.leak).encode() + b"\n")
            stream.write(b'{"tail": "' + world.leak.partition("\n")[0].encode())


def plant_leftovers(world: World) -> None:
    """What only a crash, a damage or another program leaves: temporary files of every kind in every folder, broken databases, swap files."""
    leak = world.leak.encode()
    raw = b"# torn\n" + leak + b"\n"
    packed = zstandard.ZstdCompressor(level=10, write_checksum=True).compress(leak + COMPANY.encode())
    temps = [raw, zstandard.ZstdCompressor().compress(raw * 5), packed[: len(packed) * 2 // 3], packed + b"\0" * 99, gzip.compress(raw)]
    folders = {folder for top in (world.root, world.state, world.config) for folder, _, _ in os.walk(top)}
    for folder in sorted(folders):
        for number, data in enumerate(temps):
            world.put(Path(folder, f".mb-tmp-{DEAD}-{number}"), data)
    world.put(world.root / "cache" / "bank.sqlite3.broken", b"SQLite" + leak)
    world.put(world.root / "cache" / "bank.sqlite3-journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + leak)
    freed = sqlite3.connect(world.root / "cache" / "freed.sqlite3", isolation_level=None)
    freed.execute("PRAGMA secure_delete = OFF")
    freed.execute("CREATE TABLE t (x)")
    freed.execute("INSERT INTO t VALUES (?)", (world.leak * 999,))
    freed.execute("DELETE FROM t")
    freed.close()
    broken = json.dumps({"episodes": [{"date": "2025-09-10", "summary": world.leak}]}, ensure_ascii=False).encode()
    world.put(world.root / "episodes" / "episodic_memory.broken-20250917T000000Z.json", broken + b"<<<<<<<")
    world.put(world.root / "episodes" / "replaced" / f"2025-09-10-{'0' * 12}.json", broken)
    world.put(world.root / "summary.draft.md", f"---\nupdated_at: 2025-09-01T00:00:00Z\n---\n{world.leak}\n")
    world.put(world.root / "backups" / "edits" / "20250917T000000Z-1" / "kept.md", f"# Kept\n\nA copy in an editor: {world.leak}\n")
    world.put(world.root / "backups" / "summary" / "20250917T000000Z.md", f"An older page: {world.leak}\n")
    world.put(world.state / "working" / f"-repo-{quote(world.name, safe='')}.said-2025-09-16", b"")


def plant_state(world: World) -> None:
    """The records outside the bank: settings of hosts before memorybank changed them, and stamps."""
    hosts = {"file": "/home/x/.claude/settings.json", "original": json.dumps({"env": {"TOKEN": world.leak}}), "installed": "0" * 64, "made": []}
    world.put(world.state / "hosts" / f"settings.json-{'0' * 16}.json", json.dumps(hosts, ensure_ascii=False, indent=2))
    world.put(world.state / "working" / "-repo", f"/repo\n/usr/bin\n{world.name}\nready\n")


def plant(top: str | os.PathLike[str], leak: str) -> World:
    """Make a world in which everything that can hold the text holds it."""
    world = World(top, leak)
    with replaced(Passing()):
        world.root.mkdir(parents=True)
        plant_notes(world)
        world.must("index")
        world.must("rate", "implementation/kept.md", "8", at=NOW - 3 * DAY)
        world.must("rate", f"shared/{world.name}.md", "2", at=NOW - 3 * DAY)
        os.utime(world.root / "active" / "shared" / f"{world.name}.md", ns=((NOW - 90 * DAY) * 1_000_000,) * 2)
        world.must("adopt", "--from", str(world.project / "docs"), "--yes")
        failing = {"name": "tool_after", "tool": "Bash", "inputs": {"command": f"deploy '{leak}'"}, "status": "failure", "error": f"refused: {leak}"}
        for number in range(3):
            told = [
                {"name": "prompt", "prompt": f"From now on always use {leak} for the deploy. なぜ失敗しますか?"},
                failing,
                {"name": "turn_end", "last_message": f"The deploy failed because {leak} was wrong. Use {leak} instead."},
            ]
            world.session(f"{number}aa9f6a5-1111-4222-8333-444455556666", told, NOW - (4 - number) * DAY)
        plant_logs(world)
        world.must("rotate", "--yes")
        edited = next((world.root / "backups").rglob("clean.md"))
        edited.write_text(f"# Clean\n\nSomebody went on: {leak}\n", encoding="utf-8")
        for command in (
            ("search", leak, "--archive"),
            ("episodes", "update"),
            ("episodes", "topics", "update"),
            ("summary", "refresh"),
            ("rebuild",),
            ("metrics",),
        ):
            world.run(*command)
        plant_state(world)
        plant_leftovers(world)
    return world

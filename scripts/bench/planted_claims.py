"""Repositories with a planted history (renames, deletions, folders that move, files that come back) and notes about it, whose claims are labelled.

Every note is written on a day of that history. What it says was so on that day, or is a look-alike: a path that never existed, one that had left
before the note was written, a sentence about the past, a name that many files have. The label is what must be said about it on the last day.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import planted_names

if TYPE_CHECKING:
    from memorybank import Bank

DAY = 86_400
FIRST = 1_600_000_000
"""Date (s) of the first commit."""
DAYS = 200
FOLDERS = ("src", "lib", "packages/web", "packages/api", "services/mail", "docs", "tests", "画面", "config", "tools")
AREAS = ("upload", "parser", "search", "billing", "session", "cache", "report", "queue", "設定", "通知", "export", "login", "media", "audit", "locale")
STEMS = ("handler", "client", "store", "worker", "model", "view", "schema", "retry", "format", "index", "一覧", "検索", "token", "limits", "helpers", "main")
ENDINGS = (".py", ".ts", ".go", ".md", ".yml", ".sql", ".tsx")
TODAY = (
    "The limit of three attempts is in `{path}`.",
    "Timeouts are set in {path}, because the gateway waits 30 s.",
    "Before changing the order, read `{path}` and its tests.",
    "We chose to keep all of it in {path}: one place to look.",
    "上限は `{path}` で決めている。",
    "再試行の回数は{path}にある。",
    "この順序を変える前に`{path}`を読むこと。理由はそこに書いてある。",
    "- `{path}`: what the worker does when the queue is full",
    "| retries | `{path}` | 3 |",
)
PAST = (
    "We removed `{path}` because nobody used it.",
    "`{path}` was renamed; do not look for it.",
    "The old `{path}` is no longer needed.",
    "`{path}` は削除した。",
    "旧 `{path}` は使わない。",
    "This used to be in {path}.",
    "Write names such as `{path}` in lower case.",
)
ELSEWHERE = ("The other project keeps this in `{path}`.", "Their parser is in {path}.", "別のプロジェクトでは `{path}` にある。")


SCRIPTS = ("build", "lint", "e2e", "dev", "format", "typecheck", "storybook", "seed", "migrate", "release", "docs", "bench")
DEPENDENCIES = ("react", "vite", "zod", "express", "prisma", "jest", "lodash", "axios", "tailwindcss", "typescript")
RUN = (
    "Run `npm run {name}` in every release.",
    "The night job calls `pnpm run {name}` first.",
    "リリースでは `npm run {name}` を実行する。",
    "Check it with:\n\n```sh\nnpm run {name}\n```",
)
USES = ("The table is written for {name} {version}.", "We use `{name}` {version} here.", "画面は {name} {version} で書いている。", "Pinned: {name}@{version}.")
RANGES = (
    "It supports {name} {version} and newer.",
    "We upgraded from {name} {version} last year.",
    "{name} {version} 以上が必要。",
    "See chapter {version} of the {name} handbook.",
)


class Label(NamedTuple):
    """What must be said about one claim of a note. state: `absent` when the sentence claims nothing; target: of a moved file."""

    key: str
    subject: str
    kind: str
    state: str
    target: str


class PlantedNote(NamedTuple):
    key: str
    day: int
    text: str


class History:
    """The files of a repository, day by day. `alive` maps a path to the identity of its file; `fate` an identity to its path now, None when deleted."""

    def __init__(self, dice: random.Random, files: int, changes: int) -> None:
        self.dice = dice
        self.alive: dict[str, int] = {}
        self.fate: dict[int, str | None] = {}
        self.ever: dict[str, int] = {}
        """{path: the last day on which it existed}, of paths that left."""
        self.days: list[tuple[int, list[tuple[str, ...]]]] = []
        self._next = 0
        first = [("M", self._create(), str(self._next - 1)) for _ in range(files)]
        self.days.append((0, first))
        self.manifests: list[tuple[int, dict[str, str], dict[str, str], dict[str, str]]] = []
        """(day, {script: command}, {dependency: version}, {dependency: installed version}) of each version of package.json and its lock file."""
        self._declare(0)
        for number in range(changes):
            day = 1 + number * (DAYS - 2) // changes
            self.days.append((day, self._change()))
            if number % max(1, changes // 30) == 0:
                self._declare(day)

    def _declare(self, day: int) -> None:
        """Write package.json: now and then a script comes or goes, and a dependency gets another version or leaves."""
        dice = self.dice
        if not self.manifests:
            scripts = {name: f"run-{name}" for name in SCRIPTS[:8]}
            versions = {name: f"{dice.randrange(1, 9)}.{dice.randrange(20)}.{dice.randrange(9)}" for name in DEPENDENCIES[:7]}
            locked = dict(versions)
        else:
            scripts, versions, locked = dict(self.manifests[-1][1]), dict(self.manifests[-1][2]), dict(self.manifests[-1][3])
            name = dice.choice(SCRIPTS)
            scripts.pop(name, None) if name in scripts and len(scripts) > 4 else scripts.update({name: f"run-{name}"})
            name = dice.choice(DEPENDENCIES)
            if name in versions and dice.random() < 0.2 and len(versions) > 4:
                del versions[name], locked[name]
            elif name in versions and dice.random() < 0.4:  # the range of the manifest allows it
                major, minor, patch = locked[name].split(".")
                locked[name] = f"{major}.{int(minor) + 1}.{patch}"
            else:
                versions[name] = locked[name] = f"{int(versions.get(name, '0').partition('.')[0]) + 1}.{dice.randrange(20)}.{dice.randrange(9)}"
        self.manifests.append((day, scripts, versions, locked))
        manifest = json.dumps({"scripts": scripts, "dependencies": {k: f"^{v}" for k, v in versions.items()}})
        packages = {f"node_modules/{name}": {"version": version, "resolved": f"r/{name}", "integrity": "x"} for name, version in sorted(locked.items())}
        self.days.append((day, [("W", "package.json", manifest), ("W", "package-lock.json", json.dumps({"packages": packages}, indent=2))]))

    def _path(self) -> str:
        dice = self.dice
        depth = dice.randrange(3)
        parts = [dice.choice(FOLDERS), *(dice.choice(AREAS) for _ in range(depth))]
        return "/".join(parts) + f"/{dice.choice(AREAS)}_{dice.choice(STEMS)}{dice.choice(('', '', dice.randrange(1, 400)))}{dice.choice(ENDINGS)}"

    def _free(self) -> str:
        while True:
            path = self._path()
            if path not in self.alive and path not in self.ever:
                return path

    def _create(self, path: str = "") -> str:
        path = path or self._free()
        self.alive[path] = self._next
        self.fate[self._next] = path
        self._next += 1
        self.ever.pop(path, None)
        return path

    def _change(self) -> list[tuple[str, ...]]:
        """Return the operations of one commit: mostly single files, sometimes an entire folder."""
        dice = self.dice
        kind = dice.random()
        if kind < 0.45:
            return self._renamed([(old := dice.choice(list(self.alive)), self._near(old))])
        if kind < 0.75:
            return self._deleted(dice.choice(list(self.alive)))
        if kind < 0.82:
            folder = dice.choice(list(self.alive)).rpartition("/")[0]
            inside = [path for path in self.alive if path.startswith(folder + "/")]
            new = f"{dice.choice(FOLDERS)}/{dice.choice(AREAS)}{dice.randrange(1000, 9999)}"
            return self._renamed([(path, new + path[len(folder) :]) for path in inside]) if len(inside) < 60 else []
        if kind < 0.86 and self.ever:
            path = self._create(dice.choice(list(self.ever)))
            return [("M", path, str(self.alive[path]))]
        path = self._create()
        return [("M", path, str(self.alive[path]))]

    def _near(self, path: str) -> str:
        """Return a new path for a file: another name in its folder, or its name in another folder."""
        while True:
            folder, _, name = path.rpartition("/")
            new = f"{folder}/{self._path().rpartition('/')[2]}" if self.dice.random() < 0.5 else f"{self._path().rpartition('/')[0]}/{name}"
            if new not in self.alive and new not in self.ever:
                return new

    def _renamed(self, moves: list[tuple[str, str]]) -> list[tuple[str, ...]]:
        found = []
        for old, new in moves:
            if new in self.alive:
                continue
            identity = self.alive.pop(old)
            self.alive[new] = identity
            self.fate[identity] = new
            self.ever[old] = 0
            found.append(("R", old, new, str(identity)))
        return found

    def _deleted(self, path: str) -> list[tuple[str, ...]]:
        self.fate[self.alive.pop(path)] = None
        self.ever[path] = 0
        return [("D", path)]


def content(identity: int, version: int = 0) -> str:
    """Return the text of a file: of its own, so that git recognises it after a rename with a small edit."""
    lot = random.Random(identity)
    lines = [f"{lot.choice(STEMS)} {lot.choice(AREAS)} {lot.randrange(10**9)}" for _ in range(24)]
    lines[version % 24] += f" edited {version}" if version else ""
    return "\n".join(lines) + "\n"


def write(root: Path, history: History) -> None:
    """Create the repository with git fast-import, and check its files out."""
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    stream: list[str] = []
    for number, (day, operations) in enumerate(history.days):
        stream += ["commit refs/heads/main", f"committer Bench <bench@example.invalid> {FIRST + day * DAY} +0000", "data <<END", f"change {number}", "END"]
        for operation in operations:
            if operation[0] == "M":
                stream += [f"M 100644 inline {_quoted(operation[1])}", "data <<END", content(int(operation[2])) + "END"]
            elif operation[0] == "W":
                stream += [f"M 100644 inline {_quoted(operation[1])}", "data <<END", operation[2], "END"]
            elif operation[0] == "R":
                stream += [f"R {_quoted(operation[1])} {_quoted(operation[2])}"]
                if number % 3 == 0:
                    stream += [f"M 100644 inline {_quoted(operation[2])}", "data <<END", content(int(operation[3]), number + 1) + "END"]
            else:
                stream += [f"D {_quoted(operation[1])}"]
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input="\n".join(stream).encode() + b"\n", check=True)
    subprocess.run(["git", "checkout", "-q", "-f", "main"], cwd=root, check=True)


def _quoted(path: str) -> str:
    return f'"{path}"'


def plant(root: Path, seed: int, *, files: int, changes: int, notes: int) -> list[Label]:
    """Create a repository with its notes, and return the labels.

    changes: number of commits after the first
    """
    dice = random.Random(seed)
    history = History(dice, files, changes)
    code = planted_names.CodeHistory(random.Random(seed), DAYS, max(150, changes))
    history.days = sorted([*history.days, *code.days], key=lambda each: each[0])
    identities = _identities(history)
    write(root, history)
    labels: list[Label] = []
    active = root / ".claude" / "memory" / "active"
    left = _left(history)
    for number in range(notes):
        key = f"{dice.choice(('planning', 'implementation', '共有'))}/{number:05}.md"
        day = dice.randrange(1, DAYS - 20)
        sentences = []
        for place in range(dice.randrange(1, 4)):
            told = _told_of_manifest if not place and dice.random() < 0.5 else _told_of_path
            if dice.random() < 0.5:
                sentence, *said = code.told(day)
                label = Label(key, *said)
            else:
                sentence, label = told(dice, key, day, identities, left, history)
            sentences.append(sentence)
            labels.append(label)
        path = active / key
        path.parent.mkdir(parents=True, exist_ok=True)
        text = f"# Note {number}\n\n" + "\n\n".join(sentences) + "\n"
        path.write_text(text + dice.choice(("", "\nThe rest is as agreed on Monday. " * 30 + "\n")), encoding="utf-8")
        at = FIRST + day * DAY + DAY // 2
        os.utime(path, (at, at))
    return labels


def _identities(history: History) -> dict[str, list[tuple[int, int, int]]]:
    """Return {path: (first day, day after the last one, identity)} of each life of each path."""
    lives: dict[str, list[tuple[int, int, int]]] = {}
    now: dict[str, tuple[int, int]] = {}
    for day, operations in history.days:
        for operation in operations:
            if operation[0] == "W":
                continue
            if operation[0] == "M":
                now[operation[1]] = (day, int(operation[2]))
            else:
                begun, identity = now.pop(operation[1])
                lives.setdefault(operation[1], []).append((begun, day, identity))
                if operation[0] == "R":
                    now[operation[2]] = (day, identity)
    for path, (begun, identity) in now.items():
        lives.setdefault(path, []).append((begun, DAYS, identity))
    return lives


def _left(history: History) -> dict[str, int]:
    """Return {path: day on which it left}, of the paths that do not exist on the last day."""
    found: dict[str, int] = {}
    for day, operations in history.days:
        for operation in operations:
            if operation[0] in "RD":
                found[operation[1]] = day
    return {path: day for path, day in found.items() if path not in history.alive}


def _told_of_path(
    dice: random.Random, key: str, day: int, lives: dict[str, list[tuple[int, int, int]]], left: dict[str, int], history: History
) -> tuple[str, Label]:
    kind = dice.random()
    if kind < 0.1:
        path = history._free()
        return dice.choice(TODAY + ELSEWHERE).format(path=path), Label(key, path, "path", "unknown", "")
    if kind < 0.2:
        earlier = [path for path, when in left.items() if when < day]
        if earlier:
            path = dice.choice(earlier)
            return dice.choice(ELSEWHERE).format(path=path), Label(key, path, "path", "unknown", "")
    paths = list(left) if kind < 0.75 and left else list(lives)
    for _ in range(200):
        path = dice.choice(paths)
        life = next((each for each in lives[path] if each[0] <= day < each[1]), None)
        if life is not None:
            break
    else:
        return "Nothing is named here.", Label(key, "", "path", "absent", "")
    if 0.65 < kind < 0.75:
        return dice.choice(PAST).format(path=path), Label(key, path, "path", "absent", "")
    now = history.fate[life[2]]
    if path in history.alive:  # the same file, or another one of its name
        return dice.choice(TODAY).format(path=path), Label(key, path, "path", "holds", "")
    state = "gone" if now is None else "moved"
    return dice.choice(TODAY).format(path=path), Label(key, path, "path", state, now or "")


def _told_of_manifest(
    dice: random.Random, key: str, day: int, lives: dict[str, list[tuple[int, int, int]]], left: dict[str, int], history: History
) -> tuple[str, Label]:
    """Return a sentence about a script or a dependency as package.json declared it on that day, or a look-alike."""
    _, scripts, _, locked = [each for each in history.manifests if each[0] <= day][-1]
    _, scripts_now, versions_now, locked_now = history.manifests[-1]
    if dice.random() < 0.5:
        name = dice.choice(SCRIPTS) if dice.random() < 0.3 else dice.choice(list(scripts))
        label = "holds" if name in scripts_now else "gone" if name in scripts else "unknown"
        if name not in scripts and any(name in each[1] for each in history.manifests if each[0] > day) and name not in scripts_now:
            label = "gone"  # written before it came, as a plan
        text = dice.choice(RUN).format(name=name)
        subject = f"{'pnpm' if 'pnpm' in text else 'npm'} run {name}"
        return text, Label(key, subject, "command", label, "")
    name = dice.choice(list(locked))
    version = locked[name] if dice.random() < 0.5 else locked[name].rpartition(".")[0]
    if dice.random() < 0.25:
        return dice.choice(RANGES).format(name=name, version=version), Label(key, f"{name} {version}", "version", "absent", "")
    text = dice.choice(USES).format(name=name, version=version)
    now = locked_now.get(name)
    label = "gone" if now is None else "holds" if (now + ".").startswith(version + ".") or _is_allowed(versions_now[name], version) else "changed"
    return text, Label(key, f"{name}@{version}" if "@" in text else f"{name} {version}", "version", label, now or "")


def _is_allowed(lowest: str, version: str) -> bool:
    """Return whether `^lowest` allows a version of which the first numbers are given."""
    least, given = [int(number) for number in lowest.split(".")], [int(number) for number in version.split(".")]
    return least[0] == given[0] and given >= least[: len(given)]


def compared(bank: Bank, labels: list[Label]) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, label, state) for each label. A moved claim with another target counts as `misplaced`; a claim that is not there as `absent`."""
    found = {(each.key, each.claim.subject): each.found for each in bank.claims.list()}
    for label in {(each.key, each.subject): each for each in labels if each.subject}.values():
        answer = found.get((label.key, label.subject))
        state = "absent" if answer is None else answer.state
        is_misplaced = answer is not None and state == label.state and state in ("moved", "changed") and answer.target != label.target
        yield label.kind, "misplaced" if is_misplaced else label.state, state

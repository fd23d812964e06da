"""Random histories of a team: several real clones of one bank, in which people and agents work and git merges.

`TeamHistory(folder, seed, is_installed).play(steps)` plays one. Every text that somebody writes contains a word that occurs once (`tok17`), so that the
end can be checked: no word is lost, no committed file that only memorybank writes has a conflict, `verify` is sound and the index is the same in every
clone. git runs as its own program, with the drivers as `memorybank git install` sets them up; the commands of memorybank run in this process.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memorybank.archive import store as archive_store
from memorybank.bank import Bank
from memorybank.clock import FixedClock, isoformat
from memorybank.config.settings import load
from memorybank.cycle.finish import session_note
from memorybank.cycle.fold.phrases import ENGLISH, about, phrase
from memorybank.cycle.know import rejected
from memorybank.editing import dating
from memorybank.episodes import archive as weeks
from memorybank.episodes import entry as entries
from memorybank.episodes import list_file
from memorybank.episodes import store as episode_store
from memorybank.episodes.topics import store as topics_store
from memorybank.episodes.topics.topic import Topic
from memorybank.errors import MemorybankError
from memorybank.index import fold as index_fold
from memorybank.index.working import open_index
from memorybank.merging import install, kinds, resolve
from memorybank.merging.install import GitInstallation, GitProgram
from memorybank.notes import date_record, simple_yaml
from memorybank.storage.create_bank import create_bank
from memorybank.storage.layout import describe
from memorybank.text import generated

PROJECT = Path(__file__).resolve().parents[2]
NOW, DAY = 1_758_112_496_789, 86_400_000
BANK = ".claude/memory"
_SCRIPT = str(PROJECT / "memorybank" / "for_git.py")
_TOKEN = re.compile(r"\btok\d+x\b")
_MARKS = re.compile(rb"^(<<<<<<<|=======|>>>>>>>|\|\|\|\|\|\|\|).*\n?", re.MULTILINE)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "GIT_AUTHOR_EMAIL": "team@example.invalid",
    "GIT_COMMITTER_EMAIL": "team@example.invalid",
}
_DEFAULTS = {"gc.auto": "0", "core.fsync": "none", "merge.conflictStyle": "merge", "protocol.file.allow": "always", "advice.detachedHead": "false"}
_ENVIRONMENT["GIT_CONFIG_COUNT"] = str(len(_DEFAULTS))
for _number, (_key, _value) in enumerate(_DEFAULTS.items()):
    _ENVIRONMENT |= {f"GIT_CONFIG_KEY_{_number}": _key, f"GIT_CONFIG_VALUE_{_number}": _value}
_COLUMNS = "key, digest, title, language, category, tags, topics, front_created, front_updated, rating, bookmarked, words, sentences, backlinks, duplicate_of"
_DATES = "created, modified, date_source"
"""What the index knows of a note from the tree alone, and from the complete history. Scores also count what this machine saw somebody read or edit."""


class HistoryFailure(AssertionError):
    """A promise that a history broke."""


@dataclass
class Clone:
    """One clone of the repository. rejections, bookmarks: of this clone, since they are not read back"""

    name: str
    path: Path
    clock: FixedClock

    @property
    def root(self) -> Path:
        return self.path / BANK

    def git(self, *arguments: str, check: bool = True, seconds: int = 0) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, **_ENVIRONMENT, "GIT_AUTHOR_NAME": self.name, "GIT_COMMITTER_NAME": self.name}
        stamp = f"{self.clock.now() // 1000} +0000"
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**environment, "GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp},
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
        if check and done.returncode:
            raise HistoryFailure(f"{self.name}: git {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done

    def bank(self) -> Bank:
        return Bank.open(str(self.root), clock=self.clock)

    def read(self, name: str) -> bytes:
        try:
            return (self.root / name).read_bytes()
        except FileNotFoundError:
            return b""

    def write(self, name: str, data: bytes) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def notes(self) -> list[str]:
        folder = self.root / "active"
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.md") if path.is_file())

    def own_notes(self) -> list[str]:
        return [key for key in self.notes() if not key.startswith(("learned/", "sync/sessions/"))]


@dataclass
class Tally:
    """What happened in a history.

    conflicts: {kind: number of files that git left though both sides had them, or that a person had to decide about}
    one_sided: number of files that git left because one side lacked them, and that `git resolve` finished
    symmetric: number of merges that were made both ways, with the same bytes
    """

    steps: dict[str, int] = field(default_factory=dict)
    merges: int = 0
    conflicts: dict[str, int] = field(default_factory=dict)
    one_sided: int = 0
    symmetric: int = 0

    def count(self, name: str) -> None:
        self.steps[name] = self.steps.get(name, 0) + 1


class TeamHistory:
    """One history.

    folder: an empty folder
    seed: everything follows from it
    is_installed: whether the clones have the drivers
    size: number of clones
    """

    def __init__(self, folder: Path, seed: int, *, is_installed: bool = True, size: int = 2) -> None:
        self.random = random.Random(seed)
        self.folder, self.seed, self.is_installed = folder, seed, is_installed
        self.clock = FixedClock(NOW)
        self.tally = Tally()
        self.trace: list[str] = []
        self.tokens: dict[str, str] = {}
        self.bookmarked: set[str] = set()
        self.unmarked: set[str] = set()
        self.rejections: set[str] = set()
        self._number = 0
        self.clones: list[Clone] = []
        self._begin(size)

    def play(self, steps: int) -> Tally:
        """Play a history and check its end. Raises HistoryFailure with the steps that led to it."""
        try:
            for _ in range(steps):
                self._step()
            self._converge()
            self._check()
        except (HistoryFailure, MemorybankError) as error:
            raise HistoryFailure(f"seed {self.seed}, {'with' if self.is_installed else 'without'} drivers: {error}\n  " + "\n  ".join(self.trace)) from error
        return self.tally

    # The beginning.

    def _begin(self, size: int) -> None:
        origin = self.folder / "origin.git"
        first = Clone("ann", self.folder / "ann", self.clock)
        first.path.mkdir(parents=True)
        first.git("init", "-q", "-b", "main")
        create_bank(str(first.root), "UTC")
        dating.begin(describe(str(first.root.resolve())), date_record.INIT, self.clock)
        for number in range(6):
            old = isoformat(NOW - (400 - number) * DAY)
            front = f"---\ntags: [t{number % 3}, common]\nupdated: {old}\n---\n" if number % 2 else ""
            lines = "\n\n".join(f"Paragraph {part} of note {number}. {self._token('note')}" for part in range(4))
            first.write(f"active/{('planning', 'shared')[number % 2]}/note{number}.md", f"{front}# Note {number} 記録\n\n{lines}\n".encode())
        first.bank().notes.bookmark_add("planning/note0.md", "from the beginning")
        self.bookmarked.add("planning/note0.md")
        self._tell(first, "2025-08-01")
        if self.is_installed:
            self._install(first)
        self._commit(first)
        first.git("clone", "-q", "--bare", str(first.path), str(origin))
        first.git("remote", "add", "origin", f"file://{origin}")
        first.git("push", "-q", "-u", "origin", "main")
        self.clones = [first]
        for name in ("ben", "千夏")[: size - 1]:
            self._clone(name)

    def _clone(self, name: str, *options: str) -> Clone:
        path = self.folder / name
        self.clones[0].git("clone", "-q", *options, f"file://{self.folder / 'origin.git'}", str(path))
        clone = Clone(name, path, self.clock)
        if self.is_installed:
            self._install(clone)
        self.clones.append(clone)
        return clone

    def _install(self, clone: Clone) -> None:
        """Install the drivers in the first clone; in the others write what that wrote, which starts fewer programs."""
        if not self.clones:
            installation = GitInstallation(describe(str(clone.root.resolve())), GitProgram(sys.executable, _SCRIPT))
            parts = [part for part in installation.parts() if part.kind != install.HOOK_PART]  # a refresh for each checkout would only take time
            install.carry_out(installation, parts, self.clock)
            return
        mine, theirs = (each.path / ".git" for each in (clone, self.clones[0]))
        (mine / "info").mkdir(exist_ok=True)
        (mine / "info/attributes").write_bytes((theirs / "info/attributes").read_bytes())
        drivers = (theirs / "config").read_text(encoding="utf-8")
        with (mine / "config").open("a", encoding="utf-8") as config:
            config.write("".join(re.findall(r'^\[merge "memorybank-.*\n\t.*\n', drivers, re.MULTILINE)))

    def _token(self, where: str) -> str:
        self._number += 1
        token = f"tok{self._number}x"
        self.tokens[token] = where
        return token

    # One step of somebody.

    def _step(self) -> None:
        clone = self.random.choice(self.clones)
        self.clock.instant += self.random.choice((300, 5_000, 3_600_000, DAY))
        work = [
            *([self._edit] * 4),
            *([self._retag] * 2),
            *([self._tell_day] * 3),
            *([self._learn] * 3),
            *([self._merge_from] * 4),
            *(self._rate, self._bookmark, self._bookmark, self._unbookmark, self._add, self._move, self._archive, self._archive, self._restore),
            *(self._reject, self._reject, self._edit_learned, self._merge_week, self._label, self._summarise, self._set, self._session),
            *(self._rebase, self._cherry_pick, self._octopus, self._stash, self._shallow),
        ]
        action = self.random.choice(work)
        self.trace.append(f"{clone.name}: {action.__name__.strip('_')}")
        self.tally.count(action.__name__.strip("_"))
        action(clone)
        if self.random.random() < 0.7:
            self._commit(clone)

    def _commit(self, clone: Clone) -> None:
        clone.git("add", "-A")
        clone.git("commit", "-q", "--allow-empty", "-m", f"work of {clone.name}")

    def _edit(self, clone: Clone) -> None:
        keys = clone.own_notes()
        if keys:
            key = self.random.choice(keys)
            lines = clone.read(f"active/{key}").split(b"\n")
            begin = max((at for at, line in enumerate(lines) if line.startswith(b"# ")), default=0)
            at = self.random.randrange(begin + 1, len(lines) + 1) if len(lines) > begin + 1 else len(lines)
            lines.insert(at, f"\nAdded by {clone.name}: {self._token('note')}\n".encode())
            clone.write(f"active/{key}", b"\n".join(lines))

    def _retag(self, clone: Clone) -> None:
        keys = [key for key in clone.own_notes() if clone.read(f"active/{key}").startswith(b"---\ntags: [")]
        if keys:
            key = self.random.choice(keys)
            tag = f"tag{self.random.randrange(5)}"
            data = clone.read(f"active/{key}").replace(b"tags: [", f"tags: [{tag}, ".encode(), 1) if self.random.random() < 0.7 else clone.read(f"active/{key}")
            clone.write(f"active/{key}", re.sub(rb"updated: \S+", f"updated: {isoformat(self.clock.now())}".encode(), data, count=1))

    def _rate(self, clone: Clone) -> None:
        self._on_note(clone, lambda bank, key: bank.notes.rate(key, float(self.random.randrange(8))))

    def _bookmark(self, clone: Clone) -> None:
        def add(bank: Bank, key: str) -> None:
            if bank.notes.bookmark_add(key, f"kept by {clone.name}"):
                self.bookmarked.add(key)

        self._on_note(clone, add)

    def _unbookmark(self, clone: Clone) -> None:
        bank = clone.bank()
        listed = [bookmark.path for bookmark in bank.notes.bookmark_list()]
        if listed:
            path = self.random.choice(listed)
            bank.notes.bookmark_remove(path)
            self.unmarked.add(path)

    def _add(self, clone: Clone) -> None:
        clone.bank().notes.add(f"Thought {self._number} of {clone.name}", body=f"It says {self._token('note')}.", folder="shared", tags=["common"])

    def _move(self, clone: Clone) -> None:
        def move(bank: Bank, key: str) -> None:
            new = f"planning/moved{self._number}-{clone.name}.md"
            self._number += 1
            was_bookmarked = bank.notes.is_bookmarked(key)
            bank.notes.rename(key, new)
            if was_bookmarked:
                self.unmarked |= {key, new}

        self._on_note(clone, move)

    def _archive(self, clone: Clone) -> None:
        def archive(bank: Bank, key: str) -> None:
            bank.rotation.execute(bank.rotation.plan_forget([key]), yes=True)

        self._on_note(clone, archive)

    def _restore(self, clone: Clone) -> None:
        bank = clone.bank()
        listed = bank.archive.list()
        if listed:
            bank.archive.restore(self.random.choice(listed).id)

    def _on_note(self, clone: Clone, work: Callable[[Bank, str], object]) -> None:
        keys = clone.own_notes()
        if keys:
            try:
                work(clone.bank(), self.random.choice(keys))
            except MemorybankError as error:
                if not self._is_expected(error):
                    raise

    @staticmethod
    def _is_expected(error: MemorybankError) -> bool:
        return error.code in ("conflict", "not_found", "usage", "validation_failed")

    def _learn(self, clone: Clone) -> None:
        """An agent learned something: the note of the same memory has the same name in every clone."""
        number = self.random.randrange(3)
        memory, key = f"problem:0000000{number}", f"learned/problem-build-{number}-0000000{number}.md"
        data = clone.read(f"active/{key}")
        if data and not generated.is_sealed(data):
            return
        if f"problem:0000000{number}" in rejected.rejections(describe(str(clone.root.resolve()))):
            return
        count = self.random.randrange(3, 30)
        days = [isoformat(NOW - self.random.randrange(100) * DAY)[:10] for _ in range(3)]
        front: dict[str, simple_yaml.Settable] = {
            "title": f"Use build {number}",
            "memory": memory,
            "version": 1,
            "tags": ["learned", "problem"],
            "created": f"{min(days)}T00:00:00.000Z",
        }
        said = phrase("learned_failed", ENGLISH, count=about(count), days=", ".join(sorted(set(days))))
        clone.write(f"active/{key}", session_note.note_bytes(front, f"# Use build {number}\n\n{said}\n"))

    def _edit_learned(self, clone: Clone) -> None:
        keys = [key for key in clone.notes() if key.startswith("learned/")]
        if keys:
            key = self.random.choice(keys)
            clone.write(f"active/{key}", clone.read(f"active/{key}") + f"\nOnly on Linux. {self._token('edited')}\n".encode())

    def _reject(self, clone: Clone) -> None:
        keys = [key for key in clone.notes() if key.startswith("learned/") and generated.is_sealed(clone.read(f"active/{key}"))]
        memory = f"rule:{self._number:08x}"
        self._number += 1
        if keys:
            key = self.random.choice(keys)
            memory = f"problem:{key[-11:-3]}"
            (clone.root / "active" / key).unlink()
        rejected.add(describe(str(clone.root.resolve())), memory, is_rejected=True, by=rejected.COMMAND, what="", clock=self.clock)
        self.rejections.add(memory)

    def _session(self, clone: Clone) -> None:
        number = self.random.randrange(2)
        front: dict[str, simple_yaml.Settable] = {"title": f"Session {number}", "session_id": f"s{number}", "updated": isoformat(self.clock.now())}
        clone.write(
            f"active/sync/sessions/2025-09-0{number + 1}-0000000{number}.md",
            session_note.note_bytes(front, f"# Session {number}\n\nDone at {self.clock.now()}.\n"),
        )

    def _tell_day(self, clone: Clone) -> None:
        self._tell(clone, f"2025-{self.random.randrange(7, 9):02d}-{self.random.randrange(1, 29):02d}")

    def _tell(self, clone: Clone, date: str) -> None:
        source = f"events/{clone.name}-{self._number}"
        entry = entries.made(
            date,
            f"要約 of {clone.name}. {self._token('episode')}",
            isoformat(self.clock.now()),
            kind=entries.DAY,
            by="extractive",
            covers=[(date, source, "d" * 64)],
        )
        episode_store.EpisodeStore(describe(str(clone.root.resolve())), self.clock).change(lambda known: [*known, entry])

    def _merge_week(self, clone: Clone) -> None:
        """Replace the days of a week by one entry, after they are in the week's archive."""
        layout = describe(str(clone.root.resolve()))
        listed = list_file.read(layout).entries
        days = [each for each in listed if each.kind == entries.DAY and "2025-08-04" <= each.first <= "2025-08-10"]
        if len(days) > 1:
            weeks.write(layout, "2025-W32", days, self.clock)
            covers = sorted({cover for day in days for cover in day.covers})
            week = entries.made(
                "2025-08-04~2025-08-10",
                f"Week: {' '.join(day.summary for day in days)}",
                isoformat(self.clock.now()),
                kind=entries.WEEK,
                by="extractive",
                covers=covers,
                compressed=True,
                original_count=len(days),
            )
            gone = {day.encoded for day in days}
            episode_store.EpisodeStore(layout, self.clock).change(
                lambda known: [*(each for each in known if each.encoded not in gone), week], kept_elsewhere=frozenset(gone)
            )

    def _label(self, clone: Clone) -> None:
        layout = describe(str(clone.root.resolve()))
        label = f"label {self._token('label')}"
        number = self.random.randrange(2)

        def edit(stored: topics_store.StoredTopics) -> topics_store.StoredTopics:
            known = {topic.id: topic for topic in stored.topics}
            name = f"cluster_00{number}"
            topic = known.get(name) or Topic({"cluster_id": name, "auto_label": name, "episode_ids": [f"e{number}"], "episode_dates": ["2025-08-01"]})
            if topic.persona_label:
                self.tokens.pop(_TOKEN.findall(topic.persona_label)[0], None)  # renamed by a person
            known[name] = topic.with_fields(persona_label=label)
            return stored.changed(topics=tuple(known[key] for key in sorted(known)), updated=isoformat(self.clock.now()))

        topics_store.change(layout, self.clock, edit)

    def _summarise(self, clone: Clone) -> None:
        clone.bank().memory.refresh()

    def _set(self, clone: Clone) -> None:
        path = "config/rotation_config.json"
        settings = json.loads(clone.read(path) or b"{}")
        settings.setdefault("notes_of_team", {})[f"k{self.random.randrange(6)}"] = clone.name
        clone.write(path, (json.dumps(settings, indent=2, ensure_ascii=False) + "\n").encode())

    # What git does.

    def _other(self, clone: Clone) -> Clone:
        return self.random.choice([each for each in self.clones if each is not clone])

    def _fetch(self, clone: Clone, other: Clone) -> str:
        """Commit in the other clone and fetch its branch. Return the name of what was fetched."""
        self._commit(other)
        name = f"refs/remotes/team/{self.clones.index(other)}"
        clone.git("fetch", "-q", str(other.path), f"+HEAD:{name}", "--update-shallow")
        return name

    def _merge_from(self, clone: Clone) -> None:
        self._merge(clone, self._fetch(clone, self._other(clone)))

    def _merge(self, clone: Clone, name: str) -> None:
        self._commit(clone)
        is_compared = self.is_installed and self.random.random() < 0.25
        if is_compared:
            self._compare(clone, name)
        done = clone.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", name, check=False)
        self.tally.merges += 1
        if done.returncode:
            self._solve(clone, done)
            clone.git("commit", "-q", "--no-edit")

    def _compare(self, clone: Clone, name: str) -> None:
        """Merge both ways without the working tree: where nothing is left to a person, the trees are equal."""
        one, other = (clone.git("merge-tree", "--write-tree", "--name-only", *sides, check=False) for sides in (("HEAD", name), (name, "HEAD")))
        if one.returncode == other.returncode == 0:
            self.tally.symmetric += 1
            if one.stdout.split("\n")[0] != other.stdout.split("\n")[0]:
                changed = clone.git("diff", "--name-only", one.stdout.split("\n")[0], other.stdout.split("\n")[0]).stdout
                raise HistoryFailure(f"merging both ways gives different bytes: {changed}")

    def _rebase(self, clone: Clone) -> None:
        name = self._fetch(clone, self._other(clone))
        self._commit(clone)
        if self._is_shallow(clone):
            return
        self._continue(clone, clone.git("rebase", "-q", name, check=False), "rebase")

    def _cherry_pick(self, clone: Clone) -> None:
        name = self._fetch(clone, self._other(clone))
        self._commit(clone)
        if len(clone.git("rev-list", "--parents", "-1", name).stdout.split()) == 2:
            self._continue(clone, clone.git("cherry-pick", "--allow-empty", "--keep-redundant-commits", name, check=False), "cherry-pick")

    def _continue(self, clone: Clone, done: subprocess.CompletedProcess[str], command: str) -> None:
        for _ in range(200):
            if not done.returncode:
                return
            unmerged = clone.git("ls-files", "-u").stdout
            if unmerged:
                self._solve(clone, done)
            is_empty = not clone.git("status", "--porcelain", "--untracked-files=no").stdout
            done = clone.git(command, "--skip" if is_empty else "--continue", check=False)
        raise HistoryFailure(f"{clone.name}: {command} does not end: {done.stdout}{done.stderr}")

    def _octopus(self, clone: Clone) -> None:
        names = [self._fetch(clone, other) for other in self.clones if other is not clone]
        self._commit(clone)
        done = clone.git("merge", "-q", "--no-edit", *names, check=False)
        if done.returncode:  # an octopus with conflicts is refused by git; people merge one after the other then
            clone.git("reset", "-q", "--hard", "HEAD")
            for name in names:
                self._merge(clone, name)

    def _stash(self, clone: Clone) -> None:
        self._edit(clone)
        self._bookmark(clone)
        other = self._other(clone)
        clone.git("add", "-A")
        if clone.git("status", "--porcelain").stdout:
            clone.git("stash", "-q", "--include-untracked")
            self._merge(clone, self._fetch(clone, other))
            done = clone.git("stash", "pop", "-q", "--index", check=False)
            if done.returncode and not clone.git("ls-files", "-u").stdout:
                done = clone.git("stash", "pop", "-q", check=False)
            if done.returncode:
                self._solve(clone, done)
                clone.git("stash", "drop", "-q")

    def _shallow(self, clone: Clone) -> None:
        if len(self.clones) < 3 and not self._is_shallow(clone):
            self._commit(clone)
            self._merge(clone, self._fetch_origin(clone))
            clone.git("push", "-q", "origin", "HEAD:main")
            self._clone("dan", "--depth", "1")

    def _fetch_origin(self, clone: Clone) -> str:
        clone.git("fetch", "-q", "origin")
        return "origin/main"

    def _is_shallow(self, clone: Clone) -> bool:
        return clone.git("rev-parse", "--is-shallow-repository").stdout.strip() == "true"

    # People's decisions after a conflict.

    def _solve(self, clone: Clone, done: subprocess.CompletedProcess[str]) -> None:
        """Let memorybank finish its files, and decide about the others as a careful person does: keep what both wrote."""
        layout = describe(str(clone.root.resolve()))
        planned = resolve.plan(layout)
        if not planned:
            raise HistoryFailure(f"{clone.name}: git failed without a conflict: {done.stdout}{done.stderr}")
        stages = re.findall(r"^\S+ \S+ ([23])\t(.*)\0", clone.git("ls-files", "-u", "-z").stdout.replace("\0", "\0\n"), re.MULTILINE)
        one_sided = {path.removeprefix(f"{BANK}/") for _, path in stages if len([each for each in stages if each[1] == path]) == 1}
        for file in planned:
            kind = kinds.of_path(file.path)
            name = kind.name if kind is not None else "other"
            if file.path in one_sided and file.outcome != resolve.LEFT:
                self.tally.one_sided += 1  # git calls no driver for a file that one side lacks
            elif self.is_installed and (kind is None or not kind.is_of_people or file.outcome == resolve.RESOLVED):
                raise HistoryFailure(f"{clone.name}: a conflict in {file.path} ({file.outcome}: {file.why}) with the drivers: {done.stdout}{done.stderr}")
            else:
                self.tally.conflicts[name] = self.tally.conflicts.get(name, 0) + 1
        resolve.carry_out(layout, planned, self.clock)
        for file in planned:
            if file.outcome == resolve.LEFT:
                path = clone.root / file.path
                if path.exists():
                    path.write_bytes(self._both(file.path, path.read_bytes()))
                clone.git("add", "--all", "--", f"{BANK}/{file.path}")
        if clone.git("ls-files", "-u").stdout:
            raise HistoryFailure(f"{clone.name}: unmerged after everything was solved: {clone.git('status', '--short').stdout}")

    def _both(self, path: str, data: bytes) -> bytes:
        if path.endswith(".json"):
            ours = re.sub(rb"=======\n.*?>>>>>>> [^\n]*\n", b"", data, flags=re.DOTALL)
            return _MARKS.sub(b"", ours)
        return _MARKS.sub(b"", data)

    # The end.

    def _converge(self) -> None:
        """Bring every clone to the same commit: the first one merges all others, then they take its state."""
        first = self.clones[0]
        for clone in self.clones:
            self._commit(clone)
        for other in self.clones[1:]:
            self.trace.append(f"ann: takes {other.name} at the end")
            self._merge(first, self._fetch(first, other))
        for other in self.clones[1:]:
            other.git("fetch", "-q", str(first.path), "+HEAD:refs/remotes/team/0", "--update-shallow")
            other.git("merge", "-q", "--ff-only", "refs/remotes/team/0")

    def _check(self) -> None:
        seen = []
        for clone in self.clones:
            report = clone.bank().archive.verify()
            if not report.is_sound or [finding for finding in report.findings if finding.code not in ("object_expired", "sidecar_of_colleague")]:
                raise HistoryFailure(f"{clone.name}: verify: {report.findings}")
            self._check_texts(clone)
            seen.append(self._indexed(clone))
        for clone, each in zip(self.clones, seen, strict=True):
            if each != seen[0]:
                differing = {key: (seen[0].get(key), each.get(key)) for key in {*each, *seen[0]} if seen[0].get(key) != each.get(key)}
                raise HistoryFailure(f"the index of {clone.name} differs from ann's, though both have the same tree: {differing}")

    def _check_texts(self, clone: Clone) -> None:
        layout = describe(str(clone.root.resolve()))
        described, problems = archive_store.listing(layout)
        if problems:
            raise HistoryFailure(f"{clone.name}: {problems}")
        texts = [archive_store.read_object(layout, each) for each in described]
        texts += [path.read_bytes() for path in (clone.root / "active").rglob("*.md")]
        texts += [path.read_bytes() for path in (clone.root / "episodes").rglob("*.json")]
        found = set(_TOKEN.findall(b"\n".join(texts).decode("utf-8", "replace")))
        lost = {token: where for token, where in self.tokens.items() if token not in found}
        if lost:
            raise HistoryFailure(f"{clone.name}: lost {lost}")
        for name in ("bookmarks.json", "dates.jsonl", "rejected.jsonl", "episodes/episodic_memory.json", "episodes/topic_clusters.json"):
            if re.search(rb"^(<<<<<<<|>>>>>>>)", clone.read(name), re.MULTILINE):
                raise HistoryFailure(f"{clone.name}: {name} has marks of a conflict")
        bank = clone.bank()
        listed = {bookmark.path for bookmark in bank.notes.bookmark_list()}
        if missing := self.bookmarked - self.unmarked - listed:
            raise HistoryFailure(f"{clone.name}: bookmarks lost: {missing}")
        if missing := self.rejections - set(rejected.rejections(layout)):
            raise HistoryFailure(f"{clone.name}: rejections lost: {missing}")
        if list_file.read(layout).broken:
            raise HistoryFailure(f"{clone.name}: {list_file.read(layout).broken}")
        for name in ("episodic_memory.broken-", "topic_clusters.broken-"):
            if any(path.name.startswith(name) for path in (clone.root / "episodes").glob("*")):
                raise HistoryFailure(f"{clone.name}: a file of the episodes was set aside")

    def _indexed(self, clone: Clone) -> dict[str, object]:
        """Return what the index of a clone says about each note that follows from the tree alone."""
        layout = describe(str(clone.root.resolve()))
        with open_index(layout, load(layout), self.clock) as index:
            index_fold.fold(index)
            connection = index.connection
            columns = _COLUMNS if any(self._is_shallow(each) for each in self.clones) else f"{_COLUMNS}, {_DATES}"
            rows = connection.execute(f"SELECT {columns} FROM notes ORDER BY key").fetchall()
            return {str(row[0]): tuple(map(str, row[1:])) for row in rows}

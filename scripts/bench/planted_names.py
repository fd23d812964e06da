"""Code with a planted history, and sentences about its names: functions and classes that are deleted, renamed or moved, variables, configuration keys.

Look-alikes: a name of which a comment or a test is left, one that two files define, one that came back, names of copied and of generated code, names of
libraries, and names that had left before the note was written.
"""

from __future__ import annotations

import random
from typing import NamedTuple

VERBS = ("parse", "render", "retry", "collect", "merge", "expand", "verify", "queue", "rotate", "export", "decode", "assign")
NOUNS = ("plan", "upload", "invoice", "session", "ledger", "report", "audit", "token", "bucket", "shelf", "coupon", "parcel")
SECTIONS = ("upload", "mail", "search", "billing")
LIBRARIES = ("json.dumps", "useState()", "express.Router()", "asyncio.gather", "BaseModel", "pytest.mark.parametrize", "lodash.debounce", "EventEmitter")
SAID = (
    "The limit of three attempts is checked by {said}.",
    "- {said} decides what the worker does when the queue is full",
    "Before changing the order, read {said} and its tests.",
    "{said} が上限を決める。",
    "順序は {said} で決まるので、変える前に読むこと。",
    "| retries | {said} | 3 |",
)
SAID_OF_PAST = ("We removed {said} because nobody used it.", "{said} は削除した。", "Their project has, for example, {said}.")


class Life(NamedTuple):
    """What happened to a name on a day. what: `came`, `gone`, `renamed`, `moved`; target: the new name or file."""

    day: int
    what: str
    target: str


class Planted:
    """A name of code.

    kind: of the claim. files: those that define it. remains: a line that is left in a test or comment after its deletion.
    """

    def __init__(self, number: int, kind: str, name: str, file: str, *, foreign: bool = False, remains: str = "") -> None:
        self.number, self.kind, self.name, self.file = number, kind, name, file
        self.is_foreign, self.remains = foreign, remains
        self.alive = True
        self.lives = [Life(0, "came", file)]
        self.written = [(0, name, file)]

    def at(self, day: int) -> tuple[str, str] | None:
        """Return the name and file of a day; None when it did not exist."""
        alive = [life.what != "gone" for life in self.lives if life.day <= day]
        return next((name, file) for when, name, file in reversed(self.written) if when <= day) if alive and alive[-1] else None


class CodeHistory:
    """Names of code, day by day."""

    def __init__(self, dice: random.Random, days: int, changes: int) -> None:
        self.dice = dice
        self.names: list[Planted] = []
        self.extra: dict[str, str] = {}
        self.days: list[tuple[int, list[tuple[str, ...]]]] = []
        files = [f"app/{noun}{ending}" for noun, ending in zip(NOUNS, (".py", ".ts", ".go", ".py") * 3, strict=True)]
        for number in range(60):
            verb, noun = dice.choice(VERBS), dice.choice(NOUNS)
            name = f"{verb}_{noun}_{number}" if number % 3 else f"{verb.title()}{noun.title()}{number}"
            if number % 11 == 5:  # two files define it
                name = self.names[-1].name
            remains = dice.choice(("", "", "", "# {name} was faster", "expected = '{name}'")) if number % 4 == 0 else ""
            file = dice.choice(files) if number % 9 else dice.choice(("vendor/lib/copied.py", "app/schema_pb2.py"))
            self.names.append(Planted(number, "symbol", name, file, foreign=not number % 9, remains=remains))
        for number in range(60, 75):
            self.names.append(Planted(number, "variable", f"{dice.choice(NOUNS).upper()}_{dice.choice(VERBS).upper()}_{number}", "app/environment.ts"))
        for number in range(75, 95):
            name = f"{dice.choice(SECTIONS)}.{dice.choice(VERBS)}_after_{number % 7}"
            self.names.append(Planted(number, "key", name, dice.choice(("conf/app.toml", "conf/app.yml"))))
        self._texts: dict[str, str] = {}
        self._write(0)
        for number in range(changes):
            day = 1 + number * (days - 2) // changes
            self._change(day)
            self._write(day)

    def _change(self, day: int) -> None:
        dice = self.dice
        each = dice.choice(self.names)
        kind = dice.random()
        if not each.alive:
            if kind < 0.2:
                each.alive = True
                each.lives.append(Life(day, "came", each.file))
            return
        if each.kind != "symbol" or each.is_foreign or kind < 0.5:
            each.alive = False
            each.lives.append(Life(day, "gone", ""))
        elif kind < 0.75 and not any(one is not each and one.name == each.name for one in self.names):
            each.name = f"{each.name}_{day}" if "_" in each.name else f"{each.name}At{day}"
            each.lives.append(Life(day, "renamed", each.name))
            each.written.append((day, each.name, each.file))
        else:
            ending = each.file.rpartition(".")[2]
            each.file = dice.choice([one.file for one in self.names if one.kind == "symbol" and not one.is_foreign and one.file.endswith(ending)])
            each.lives.append(Life(day, "moved", each.file))
            each.written.append((day, each.name, each.file))

    def _write(self, day: int) -> None:
        """Write the files whose text changed."""
        texts: dict[str, list[str]] = {file: [] for each in self.names for _, _, file in each.written}
        texts["app/use.py"], texts["tests/left_test.py"] = [], []
        sections: dict[str, dict[str, list[str]]] = {"conf/app.toml": {}, "conf/app.yml": {}}
        for each in sorted(self.names, key=lambda one: one.number):
            if not each.alive:
                if each.remains:
                    texts["tests/left_test.py"].append(each.remains.format(name=each.name))
            elif each.kind == "symbol":
                texts[each.file].append(_definition(each))
                if each.number % 2 and not each.is_foreign:
                    texts["app/use.py"].append(f"print({each.name})  # {each.number}")
            elif each.kind == "variable":
                texts[each.file].append(f"export const value{each.number} = process.env.{each.name};")
            else:
                section, key = each.name.split(".")
                sections[each.file].setdefault(section, []).append(key)
        texts["conf/app.toml"] = [f"[{name}]\n" + "\n".join(f"{key} = 3" for key in keys) + "\n" for name, keys in sections["conf/app.toml"].items()]
        texts["conf/app.yml"] = [f"{name}:\n" + "\n".join(f"  {key}: 3" for key in keys) for name, keys in sections["conf/app.yml"].items()]
        operations: list[tuple[str, ...]] = []
        for path, parts in texts.items():
            text = "\n\n".join(parts) + "\n"
            if self._texts.get(path) != text:
                operations.append(("W", path, text.rstrip("\n")))
                self._texts[path] = text
        self.days.append((day, operations))

    def contains(self, word: str) -> bool:
        """Return whether a file contains a word today."""
        signs = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
        for text in self._texts.values():
            at = text.find(word)
            while at >= 0:
                if text[at - 1 : at] not in signs and text[at + len(word) : at + len(word) + 1] not in signs:
                    return True
                at = text.find(word, at + 1)
        return False

    def told(self, day: int) -> tuple[str, str, str, str, str]:
        """Return a sentence of that day and what must be said about it today: (text, subject, kind, state, target)."""
        dice = self.dice
        if dice.random() < 0.1:
            name = dice.choice(LIBRARIES)
            kind = "key" if name.islower() and "(" not in name else "symbol"
            return dice.choice(SAID).format(said=f"`{name}`"), name.removesuffix("()"), kind, "unknown", ""
        each = dice.choice(self.names)
        found = each.at(day)
        before = [(name, file) for when, name, file in each.written if when <= day]
        name, file = found or before[-1]
        is_placed = each.kind == "symbol" and dice.random() < 0.3
        said = f"`{name}` in `{file}`" if is_placed else f"`{name}()`" if each.kind == "symbol" and "_" in name else f"`{name}`"
        if dice.random() < 0.1:
            return dice.choice(SAID_OF_PAST).format(said=said), name, each.kind, "absent", ""
        return dice.choice(SAID).format(said=said), name, each.kind, *self._truth(each, name, file, day, is_placed, found is not None)

    def _truth(self, each: Planted, name: str, file: str, day: int, is_placed: bool, was: bool) -> tuple[str, str]:
        later = [life for life in each.lives if life.day > day]
        if each.kind == "key":
            return ("holds" if each.alive or self._has_key(name) else "gone" if was or later else "unknown"), ""
        if each.alive and each.name == name:
            moves = [life for life in later if life.what == "moved"]
            is_elsewhere = is_placed and file != each.file and moves
            return ("moved", f"{each.file}::{name}") if is_elsewhere else ("holds", "")
        if self.contains(name):
            return "holds", ""
        # Another file may have defined the same name.
        twins = [one for one in self.names if one is not each and one.name == name and not one.is_foreign]
        if any(one.at(day) or any(life.day > day for life in one.lives) for one in twins):
            return "gone", ""
        if each.is_foreign or not (was or later):
            return "unknown", ""
        return ("moved", each.name) if each.alive else ("gone", "")

    def _has_key(self, name: str) -> bool:
        return any(one.alive and one.name == name for one in self.names if one.kind == "key")


def _definition(each: Planted) -> str:
    """Return a function or class. Its body is its own, whatever its name."""
    name, number = each.name, each.number
    if each.file.endswith(".ts"):
        return f"export function {name}(count: number): number {{\n  const total{number} = count * {number};\n  return total{number} + {number * 7};\n}}"
    if each.file.endswith(".go"):
        return f"func {name}(count int) int {{\n\ttotal{number} := count * {number}\n\treturn total{number} + {number * 7}\n}}"
    if name[0].isupper():
        return f"class {name}:\n    def call{number}(self, count):\n        return count * {number}"
    return f"def {name}(count):\n    total{number} = count * {number}\n    return total{number} + {number * 7}"

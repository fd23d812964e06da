"""Every command, option, exit code, problem code, configuration key and field on disk is documented."""

import ast
import importlib
import importlib.util
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import click
import pytest

from memorybank import errors
from memorybank.cli.main import PROGRAM, SECTIONS, root
from tests.scripts import loaded

from . import sources
from .hooked import hooked

ROOT = Path(__file__).resolve().parents[2]
COMMANDS_PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
FORMAT_PAGE = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
CONFIGURATION_PAGE = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")


def every_command(command: click.Command = root, path: str = PROGRAM, parent: click.Context | None = None):
    context = click.Context(command, info_name=path.rsplit(" ", 1)[-1], parent=parent)
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from every_command(below, f"{path} {name}", context)


COMMANDS = dict(every_command())


def in_backticks(page: str) -> set[str]:
    """Return every word that the page sets as code."""
    found: set[str] = set()
    for text in re.findall(r"`([^`\n]+)`", page):
        found |= {text, *re.findall(r"[\w.@~-]+", text)}
    return found


def test_the_page_of_commands_is_what_the_code_says():
    """scripts/commands_page.py writes the page, so no command, argument or option can be missing."""
    assert loaded("commands_page.py").page() == COMMANDS_PAGE, "run python scripts/commands_page.py"


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_explains_itself(path):
    """Every command has a help sentence, help for each option, and examples to copy."""
    command = COMMANDS[path]
    assert command.help and command.help.strip().split("\n")[0].endswith(".")
    assert command.epilog and f"{PROGRAM} " in command.epilog
    assert [parameter.name for parameter in command.params if isinstance(parameter, click.Option) and not parameter.help] == []
    assert f"`{path}`" in COMMANDS_PAGE


def test_the_table_lists_every_command():
    """A command without a row in the table could never be called. The root and the groups below a command are no rows."""
    written = {
        f"{path.stem}:{name}"
        for path in (ROOT / "memorybank" / "cli").glob("*.py")
        for name in re.findall(r"(?ms)^@click\.(?:command|group)\(.*?^def (\w+)\(", path.read_text(encoding="utf-8"))
    }
    places = (row.place for rows in SECTIONS.values() for row in rows.values())
    assert written - {"main:root", "topics:topics"} == {place if ":" in place else f"{place}:command" for place in places}


def test_examples_are_commands_that_exist():
    """In help texts, and in the code of README, pages and notes, the word after `memorybank` is a command of the table."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / ".claude" / "memory" / "active").rglob("*.md")]
    code = [part for page in pages for part in re.findall(r"(?ms)^```\w*\n(.*?)^```|`([^`\n]+)`", page.read_text(encoding="utf-8"))]
    texts = ["\n".join(parts) for parts in code] + [command.epilog or "" for command in COMMANDS.values()]
    named = {match for text in texts for match in re.findall(r"(?m)(?:^\s*|\$ |\| )memorybank(?: --bank \S+)? ([a-z][a-z-]*)", text)}
    assert named - {name for rows in SECTIONS.values() for name in rows} == set()


def every_error(base: type[errors.MemorybankError] = errors.MemorybankError):
    yield base
    for below in base.__subclasses__():
        if below.__module__.startswith("memorybank"):
            yield from every_error(below)


def test_every_exit_code_is_documented():
    rows = {int(code): names for code, names in re.findall(r"(?m)^\| (\d+) \| ([^|]*)\|", COMMANDS_PAGE)}
    assert {0, errors.EXIT_BUG, errors.EXIT_INTERRUPTED} <= rows.keys()
    for kind in every_error():
        assert f"`{kind.code}`" in rows[kind.exit_code], kind


CODE_ARGUMENT = {"Problem": 0, "Fault": 0, "Finding": 1}
"""The position of the argument that is the code, by class."""


@sources.asked_of_files
def problem_codes(module: sources.Nodes) -> set[str]:
    """Return the codes that a module gives to problems, faults of settings, and findings."""
    found = set()
    for node in module:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODE_ARGUMENT:
            arguments = node.args[CODE_ARGUMENT[node.func.id] :]
            if arguments and isinstance(arguments[0], ast.Constant):
                found.add(arguments[0].value)
    return found


def documented_codes() -> set[str]:
    section = FORMAT_PAGE.split("## Problem codes", 1)[1]
    return set(re.findall(r"(?m)^\| `([a-z0-9_]+)` \|", section))


def test_every_problem_code_is_documented():
    assert set().union(*map(problem_codes, (ROOT / "memorybank").rglob("*.py"))) - documented_codes() == set()


def test_every_documented_problem_code_exists():
    source = "".join(sources.text(path) for path in (ROOT / "memorybank").rglob("*.py"))
    assert {code for code in documented_codes() if f'"{code}"' not in source} == set()


def test_every_configuration_key_is_documented():
    from memorybank.config.group import leaves
    from memorybank.config.settings import FILES

    for name, group in FILES.items():
        section = CONFIGURATION_PAGE.split(f"{name}_config.json", 1)[1]
        for path, _ in leaves(group):
            assert f"`{path[-1]}`" in section or f"`{'.'.join(path)}`" in section, f"{name}: {'.'.join(path)}"


@pytest.mark.parametrize(("room", "database"), [("index", "bank"), ("cycle.fold", "cycle")])
def test_every_table_and_column_of_the_caches_is_documented(room, database):
    tables_of = importlib.import_module(f"memorybank.{room}.schema").TABLES
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in tables_of:
            connection.execute(statement)
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        texts = ("note_text", "archived_text", "episode_text", "passage_text")
        shadows = {f"{name}_{part}" for name in texts for part in ("config", "content", "data", "docsize", "idx")}
        assert f"`{database}.sqlite3`" in FORMAT_PAGE
        for table in tables:
            if table in shadows:
                continue
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            expected = f"| `{table}` | {', '.join(f'`{column}`' for column in columns)} |"
            assert expected in FORMAT_PAGE, expected
        connection.close()


NOTE = "---\ntitle: {title}\ntags: [alpha, beta]\n---\n# {title}\n\nTODO [b](b.md) and https://example.org/ and 検索の索引。\n\n- one\n- two\n"
DAY = 86_400_000
DYNAMIC = {
    "content_index.json": ("files", "related"),
    "keyword_index.json": ("keywords",),
    "temporal_index.json": ("by_date", "by_month"),
    "file_metadata.json": ("files",),
}
"""Members whose own members are data (keys, words, days) and not fields."""


def fields_of(value: object, dynamic: tuple[str, ...] = (), skipped: tuple[str, ...] = ()) -> set[str]:
    """Return the names of all members. dynamic: members whose own members' names are data; skipped: members that contain only data."""
    if isinstance(value, list):
        return {name for item in value for name in fields_of(item, dynamic, skipped)}
    if not isinstance(value, dict):
        return set()
    found = set(value)
    for name, inner in value.items():
        if name in dynamic and isinstance(inner, dict):
            found |= {deeper for item in inner.values() for deeper in fields_of(item, dynamic, skipped)}
        elif name not in skipped:
            found |= fields_of(inner, dynamic, skipped)
    return found


def live(scratch, clock) -> None:
    """Run everything in a bank that writes a file: notes, index, rotation, maintenance, restore, undo, backups."""
    from memorybank import Bank

    bank = Bank.open(str(scratch.root), clock=clock)
    bank.index.update()
    bank.notes.read("planning/a.md")
    bank.notes.rate("planning/a.md", 6)
    bank.notes.bookmark_add("planning/c.md", "why")
    scratch.write("planning/b.md", "# B\n\nother words\n", days_old=80)
    bank.search("words")
    first = bank.rotation.execute(bank.rotation.plan(), yes=True)
    assert len(first.rotated) > 2
    bank.archive.restore(bank.archive.list()[0].id)
    bank.rotation.undo()
    clock.instant += 40 * DAY
    bank.rotation.execute(bank.rotation.plan(), yes=True)
    clock.instant += 40 * DAY
    bank.rotation.maintain()
    bank.backups.prune()
    clock.instant += 100 * DAY
    bank.rotation.maintain()
    bank.index.update("full")


def test_every_field_on_disk_is_documented(bank, fixed_clock):
    """After everything that writes a file has run, every JSON member of every file is on the page of formats."""
    scratch = bank({f"planning/{name}.md": NOTE.format(title=name) for name in "abcdef"}, git=True, days_old=90)
    live(scratch, fixed_clock)
    names = in_backticks(FORMAT_PAGE)
    missing: dict[str, set[str]] = {}
    for path in scratch.root.rglob("*"):
        relative = path.relative_to(scratch.root).as_posix()
        if path.suffix == ".json" and not relative.startswith("config/"):
            found = fields_of(json.loads(path.read_text(encoding="utf-8")), DYNAMIC.get(path.name, ()))
        elif path.suffix == ".jsonl":
            found = {name for line in path.read_text(encoding="utf-8").splitlines() for name in fields_of(json.loads(line))}
        else:
            continue
        if found - names:
            missing[relative] = found - names
    assert missing == {}
    kinds = {json.loads(line)["kind"] for name in ("access", "rotation") for line in (scratch.root / "log" / f"{name}.jsonl").read_text().splitlines()}
    assert {"view", "seen", "edit", "rating", "removed", "begin", "archived", "moved", "restored", "evaluated", "deleted", "end"} <= kinds


@pytest.mark.slow
def test_every_field_that_hooks_write_is_documented(bank, fixed_clock):
    """After payloads of real clients went through the router, every member of every line is documented, including exposures and organize.jsonl."""
    scratch = bank({"shared/kettle.md": "# The copper kettle\n\nBrew in `kettle.py`; descale first.\n"}, git=True)
    hooked(scratch, fixed_clock)
    found: dict[str, set[str]] = {}
    seen: set[str] = set()
    for path in (scratch.root / "log").rglob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            seen |= {fields[name] for name in ("event", "kind") if name in fields}
            found.setdefault(path.name if path.parent.name == "log" else "events", set()).update(fields_of(fields, skipped=("other", "evidence")))
    names = in_backticks(FORMAT_PAGE)
    assert {name: fields - names for name, fields in found.items() if fields - names} == {}
    assert {"session_start", "prompt", "tool_before", "tool_after", "turn_end", "session_end", "compact_before"} <= seen
    assert {"exposure", "resident_exposure", "macro"} <= seen <= names
    assert "hook_errors.jsonl" not in found, (scratch.root / "log" / "hook_errors.jsonl").read_text(encoding="utf-8")

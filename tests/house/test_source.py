"""Rules for every source file, checked on its syntax tree: which modules change files, read the clock or print."""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from .sources import Nodes, asked_of_files, text, walked

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "memorybank"
MODULES = sorted(PACKAGE.rglob("*.py"))

OS_CHANGES = {
    "chmod", "chown", "fdatasync", "fsync", "ftruncate", "link", "makedirs", "mkdir", "mkfifo", "pwrite", "remove", "removedirs",
    "rename", "renames", "replace", "rmdir", "symlink", "truncate", "unlink", "utime", "write",
}  # fmt: skip
METHOD_CHANGES = {"write_text", "write_bytes", "mkdir", "touch", "unlink", "rmdir", "symlink_to", "hardlink_to", "chmod"}
PURE = (
    "scoring/*.py",
    "summarize/content.py",
    "summarize/coverage.py",
    "summarize/extractive.py",
    "summarize/lines.py",
    "summarize/model_text.py",
    "summarize/outcomes.py",
    "summarize/sentences.py",
    "summarize/summarizer.py",
    "text/*.py",
    "visibility.py",
    "notes/note.py",
    "notes/parse.py",
    "notes/targets.py",
    "notes/dates.py",
    "notes/edit.py",
    "rotation/rules.py",
    "rotation/decision.py",
    "rotation/plan.py",
    "injection.py",
    "cycle/finish/summary_text.py",
    "cycle/event.py",
    "cycle/fold/novelty.py",
    "cycle/fold/phrases.py",
    "cycle/recall/query.py",
    "cycle/recall/ranking.py",
    "cycle/finish/sessions.py",
    "cycle/finish/summary_text.py",
    "cycle/fold/wording.py",
    "hosts/dialect.py",
    "hosts/hook_entries.py",
    "hosts/tools.py",
    "hosts/claude_code.py",
    "hosts/codex.py",
    "hosts/copilot.py",
    "hosts/cursor.py",
    "hosts/gemini.py",
    "hosts/opencode.py",
    "mcp/results.py",
    "mcp/table.py",
)
"""The pure modules: values in, values out, without files, clock or processes. Every module named here must exist."""
COMPUTING = (
    "memorybank.storage.digest",
    "memorybank.storage.encoded",
    "memorybank.storage.jsontext",
    "memorybank.storage.layout",
    "memorybank.storage.path_names",
)
"""Modules of storage/ that only compute and do not use the disk."""
IO_MODULES = {
    "_io", "_sqlite3", "fcntl", "glob", "io", "mmap", "os", "pathlib", "posix", "shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile", "time",
}  # fmt: skip


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imported(module: Nodes) -> Iterator[str]:
    for node in module:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(module: Nodes) -> Iterator[tuple[str, str, ast.Call]]:
    """Yield (owner, name, call) of every call: `os.rename(…)` is ("os", "rename"), `open(…)` is ("", "open")."""
    for node in module:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield "", node.func.id, node
            elif isinstance(node.func, ast.Attribute):
                owner = node.func.value
                yield (owner.id if isinstance(owner, ast.Name) else "?"), node.func.attr, node


def opens_for_writing(call: ast.Call) -> bool:
    mode = next((keyword.value for keyword in call.keywords if keyword.arg == "mode"), call.args[1] if len(call.args) > 1 else None)
    return mode is not None and not (isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+"))


def changes_of_files(module: Nodes) -> list[str]:
    refused = ("tempfile.NamedTemporaryFile", "sqlite3.connect", "_sqlite3.connect")
    found = [name for name in imported(module) if name.split(".")[0] in ("shutil", "fcntl", "mmap", "posix") or name in refused]
    own = {name.rsplit(".", 1)[1] for name in imported(module) if name.startswith("memorybank.")}
    for owner, name, call in calls(module):
        if (
            (owner in ("os", "system", "beneath") and name in OS_CHANGES)
            or (owner not in own | {"os", ""} and name in METHOD_CHANGES)
            or (owner == "" and name == "open" and opens_for_writing(call))
            or (owner in ("", "sqlite3", "_sqlite3") and name in ("connect", "Connection"))
            or (owner in ("os", "system", "beneath") and name == "open" and "O_RDONLY" not in ast.unparse(call))
        ):
            found.append(f"{owner}.{name} in line {call.lineno}")
    return found


PHASES = "memorybank.cycle.phases"


def names_of_phases(module: Nodes) -> set[str]:
    """Return the phases of the cycle that a module imports, or names in a string that could be imported."""
    texts = [node.value for node in module if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    dotted = {word for text in texts if " " not in text for word in [text.replace(":", ".")] if word.startswith((PHASES, "cycle.phases", ".phases", "phases."))}
    return dotted | {name for name in imported(module) if name == PHASES or name.startswith(PHASES + ".")}


class SourceFacts(NamedTuple):
    """What the rules below ask of one file. calls: (owner, name, line)."""

    imports: frozenset[str]
    calls: tuple[tuple[str, str, int], ...]
    changes: list[str]
    phases: set[str]
    docstring: str | None


@asked_of_files
def facts(module: Nodes) -> SourceFacts:
    found = tuple((owner, name, call.lineno) for owner, name, call in calls(module))
    return SourceFacts(frozenset(imported(module)), found, changes_of_files(module), names_of_phases(module), ast.get_docstring(module[0]))


def broken(rule: Callable[[Path], object], paths: Iterable[Path] = MODULES) -> dict[str, object]:
    """{module: what breaks the rule there}."""
    return {relative(path): found for path in paths if (found := rule(path))}


OWN_CHANGES = {"cli/main.py": "os.open in line", "hosts/firing.py": "os.write in line", "bytecode.py": "posix"}
"""cli/main.py opens /dev/null for the output to a closed pipe; hosts/firing.py writes a hook's answer to stdout; bytecode.py reads a file before
any module of storage/ is loaded."""


def test_files_are_changed_only_in_storage():
    """Every byte that reaches the disk goes through memorybank.storage, which guarantees the order of writes."""
    elsewhere = [path for path in MODULES if not relative(path).startswith("storage/")]
    assert broken(lambda path: [found for found in facts(path).changes if not found.startswith(OWN_CHANGES.get(relative(path), "never"))], elsewhere) == {}


NOT_OF_A_BANK = (
    "bytecode.py",
    "cli/bytecode_file.py",
    "cli/main.py",
    "git.py",
    "hosts/",
    "installed.py",
    "storage/beneath.py",
    "storage/database.py",
    "storage/layout.py",
    "storage/scratch.py",
    "text/words/concepts.py",
)
"""Modules that open files themselves, none of them in a bank: of Python, of git, of coding agents, temporary copies."""


def test_files_of_a_bank_are_opened_beneath_it():
    """`storage.beneath` follows no link in a bank. What opens a file by itself would follow one out of the repository."""

    def around(path):
        owners = {"", "io", "system", "os"} - ({"os"} if "import beneath as os" in text(path) else set())
        return [f"{owner}.{name} in line {line}" for owner, name, line in facts(path).calls if name == "open" and owner in owners]

    assert broken(around, [path for path in MODULES if not relative(path).startswith(NOT_OF_A_BANK)]) == {}


def test_time_is_read_only_by_the_clock():
    def read(path):
        found = [name for owner, name, _ in facts(path).calls if name in ("utcnow", "today") or (owner in ("datetime", "date") and name == "now")]
        return found + ["time"] * ("time" in facts(path).imports)

    assert broken(read, [path for path in MODULES if relative(path) != "clock.py"]) == {}


@pytest.mark.parametrize("pattern", PURE)
def test_pure_cores_do_no_input_or_output(pattern):
    """A pure module gets `now` and all data as arguments, so the same values give the same result anywhere."""
    paths = list(PACKAGE.glob(pattern))
    assert paths, f"no module {pattern}: mend the list of pure cores"
    for path in paths:
        names = facts(path).imports
        assert not {name for name in names if name.split(".")[0] in IO_MODULES}, path
        assert not {name for name in names if name.startswith(("memorybank.storage", "memorybank.log")) and not name.startswith(COMPUTING)}, path
        assert not [name for owner, name, _ in facts(path).calls if owner == "" and name in ("open", "input", "print")], path


def test_library_code_never_prints_and_never_exits():
    forbidden = {("", "print"), ("", "input"), ("", "exit"), ("sys", "exit"), ("os", "_exit")}

    def said(path):
        found = {(owner, name) for owner, name, _ in facts(path).calls} & forbidden
        found -= {("os", "_exit")} if relative(path) == "hosts/firing.py" else set()  # a hook always ends without the interpreter's clean-up
        return [*found, *(name for name in facts(path).imports if name.split(".")[0] in ("click", "rich"))]

    assert broken(said, [path for path in MODULES if relative(path) != "__main__.py" and not relative(path).startswith("cli/")]) == {}


LONGEST = 350


def test_a_module_is_one_idea():
    """A module is short enough to be read in one sitting, and named after its subject."""
    vague = ("utils", "util", "helpers", "helper", "common", "manager", "broker", "engine", "processor", "misc")
    assert broken(lambda path: len(text(path).splitlines()) > LONGEST) == {}
    assert broken(lambda path: path.stem in vague) == {}


def test_every_module_says_what_it_is():
    assert broken(lambda path: text(path).strip() and not facts(path).docstring) == {}


def test_imports_are_absolute():
    assert broken(lambda path: [name for name in facts(path).imports if name.startswith(".")]) == {}


def test_no_test_sleeps():
    """A test that waits for time to pass is slow and flaky; it moves a FixedClock instead."""

    def sleeps(path):
        return [call.lineno for owner, name, call in calls(walked(text(path))) if name == "sleep" and owner in ("", "time", "asyncio")]

    found = {path.relative_to(ROOT).as_posix(): sleeps(path) for path in sorted((ROOT / "tests").rglob("*.py")) if "sleep" in text(path)}
    assert {path: lines for path, lines in found.items() if lines} == {}


OUTSIDE_THE_ROUTER = [
    path for path in MODULES if relative(path) not in ("cycle/router.py", "hosts/bytecode_file.py") and not relative(path).startswith("cycle/phases/")
]
"""hosts/bytecode_file.py names a phase in order to compile it, and starts nothing."""


def test_only_the_router_starts_phases():
    """Only `cycle.router` starts record, organize and recall, so deadlines and off switches hold for everything (Complete cycle design)."""
    assert broken(lambda path: facts(path).phases, OUTSIDE_THE_ROUTER) == {}


@pytest.mark.parametrize(
    "source",
    [
        "from memorybank.cycle.phases import record",
        "import memorybank.cycle.phases.record",
        "from memorybank.cycle.phases.record import run",
        "from memorybank.cycle import phases",
        "JOB = 'memorybank.cycle.phases.organize:macro'",
    ],
)
def test_the_rule_about_phases_would_catch(source):
    assert names_of_phases(walked(source))


def test_nothing_committed_names_a_machine():
    """Code, tests, scripts and pages contain no absolute path of somebody's computer."""
    suspicious = tuple("/".join(parts) for parts in (("", "root", ""), ("", "work", "main"), ("", "work", "shared"), ("", "tmp", "w", "")))
    files = [path for folder in ("memorybank", "tests", "scripts", "docs", "config", ".claude") for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [path for path in ROOT.glob("*") if path.suffix in (".md", ".toml")]
    found = []
    for path in files:
        if path.suffix not in (".py", ".md", ".json", ".toml", ".sh", "") or {"cache", "__pycache__"} & set(path.parts):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        found += [f"{path.relative_to(ROOT)}: {word}" for word in suspicious if word in text]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.rename('a', 'b')",
        "from pathlib import Path\nPath('a').write_text('x')",
        "open('a', 'w')",
        "open('a', mode='r+b')",
        "open('a', some_mode)",
        "import os\nos.open('a', os.O_WRONLY | os.O_CREAT)",
        "import sqlite3\nsqlite3.connect('a')",
        "import _sqlite3\n_sqlite3.connect('a')",
        "from _sqlite3 import connect\nconnect('a')",
        "from _sqlite3 import Connection\nConnection('a')",
        "import posix\nposix.write(1, b'')",
        "from memorybank.storage import system\nsystem.rename('a', 'b')",
        "from memorybank.storage import system as os\nos.rename('a', 'b')",
        "from memorybank.storage import beneath\nbeneath.replace('a', 'b')",
        "from memorybank.storage import beneath\nbeneath.open('a', os.O_RDWR)",
        "import shutil",
    ],
)
def test_the_rule_about_files_would_catch(source):
    assert changes_of_files(walked(source))


@pytest.mark.parametrize(
    "source",
    ["open('a')", "open('a', 'rb')", "'a'.replace('a', 'b')", "import os\nos.open('a', os.O_RDONLY)", "from memorybank.index import store\nstore.touch(1)"],
)
def test_the_rule_about_files_lets_pass(source):
    assert changes_of_files(walked(source)) == []


def test_only_the_index_writes_sql_about_the_rows_of_notes():
    """Other packages call `index.queries`, whose answers have names. The search names its tables in `search.corpus`."""
    about_notes = re.compile(r"\b(FROM|JOIN|UPDATE|INTO) notes\b")
    found = {str(path.relative_to(PACKAGE)) for path in MODULES if about_notes.search(text(path))}
    assert {name for name in found if not name.startswith("index/")} == set()

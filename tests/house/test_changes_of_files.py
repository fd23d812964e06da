"""Every function that changes a person's file is proven by the harness of tests/crash, and every other change of the disk says why it needs none."""

import ast
import os
import sys
from pathlib import Path

import pytest

from memorybank.clock import FixedClock
from tests.conftest import NOW

from . import sources

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "memorybank"

CHANGES = {
    "memorybank.editing.write": {"NoteWriter", "update"},
    "memorybank.editing.outside": {"replace", "finish"},
    "memorybank.editing": {"outside.replace", "outside.finish"},
}
"""{module: the names by which its changes of files are begun}. `finish_interrupted` begins none."""
THE_PROTOCOL = ("editing/write.py", "editing/outside.py", "editing/steps.py", "editing/settle.py")
UNREACHED = {
    "memorybank.adopt.apply._declared_again": "a declaration that was changed since the adoption, which tests/adopt takes back",
}
"""Functions that change a file only in a case that the harness does not prepare, and which tests do."""

OURS = {
    "archive/catalogues.py": "derived from the archive",
    "archive/place.py": "creates notes that come back from the archive, under a free name",
    "archive/store.py": "archive objects and sidecars, which only commands write; each is verified",
    "bank/purge.py": "indexes and temporary files, all derived",
    "bank/team.py": "the folder of a connection, and the local copy of what others shared, which is derived",
    "cli/failure.py": "a new report of an internal error",
    "cli/metrics.py": "the file for Prometheus at the path that the person names, which each run replaces",
    "cycle/finish/session_note.py": "creates a session note under a free name",
    "cycle/fold/cache.py": "a database that is derived from the logs",
    "doctor/context.py": "temporary files and derived files",
    "drafting/page.py": "creates a summary where there is none, and copies of replaced pages",
    "editing/dating.py": "creates .gitattributes where there is none",
    "editing/draft.py": "creates the copy for an editor, and discards it when the person says so",
    "meaning/external_folder.py": "the folder of mem0 in the state folder, which is derived from the notes",
    "meaning/placing.py": "the name of a bank's collection in that folder",
    "editing/kept.py": "removes expired versions that nobody continued to edit",
    "episodes/store.py": "creates copies of entries that leave the list, and of a broken list",
    "cli/bytecode_file.py": "compiled code of this package",
    "hosts/bytecode_file.py": "compiled code of this package",
    "hosts/prepared.py": "compiled code of this package",
    "hosts/heartbeat.py": "stamps in the state folder",
    "hosts/originals.py": "copies of settings in the state folder",
    "index/publish.py": "documents that are derived from the index",
    "log/events.py": "the spool of an event log",
    "log/key.py": "the key, which is created once",
    "log/purge.py": "logs, which are only appended to; rewritten under their lock",
    "merging/driver.py": "the file in which git receives the result of a merge",
    "merging/sides.py": "copies in a temporary folder, for git merge-file",
    "metrics/analytics.py": "a document that is derived from the logs",
    "notes/create.py": "creates notes under a free name",
    "replay/play.py": "a scratch bank",
    "rotation/backups.py": "backups, whose late edits are found by their digest",
    "rotation/history.py": "a document that is derived from the log",
    "rotation/move.py": "rotation's own protocol, which tests/crash/test_editors.py proves",
    "rotation/masking.py": "archive objects that no log names, after their notes were found in active/ byte for byte",
    "rotation/purge.py": "backups and archive objects; a backup that somebody is editing is refused",
    "rotation/recover.py": "archive objects that a purge replaced, and temporary files",
    "rotation/retention.py": "archive objects whose tombstones are due",
    "team/ledger.py": "the ledger in the state folder, under the lock of the exchange",
    "team/local_copy.py": "notes of others in the state folder, derived from the rows that were received",
    "team/purging.py": "the ledger, and files of the local copy, all derived",
    "bank/transfer.py": "a new file at the path that the person names",
    "transfer/carry_out.py": "creates files that this machine lacks, and replaces none",
    "trust/unaccepted.py": "ids in the state folder, which are computed again",
    "storage/compressed.py": "event logs, under their lock; the other form of the same bytes is durable and verified first",
    "storage/create_bank.py": "creates the first files of a bank",
    "storage/database.py": "databases, all derived",
    "ui/opening.py": "the file in a temporary folder that leads the browser to the page",
    "trust/record.py": "the decision in the state folder, which only `trust` writes",
}
"""{module: why its direct changes of the disk cannot cost a person's text}"""
_DIRECT = {"replace", "create", "move", "move_back", "publish", "write_temp", "remove", "keep_copy"}


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py") if "storage" not in path.parts or path.name not in ("disk.py", "beneath.py"))


def changing_functions(path: Path) -> set[str]:
    """Return the qualified names of the functions of a module that begin a change of a file."""
    if "memorybank.editing" not in sources.text(path):
        return set()
    tree = ast.parse(sources.text(path))
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in CHANGES:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    begun = {f"{module}.{name}" for module, wanted in CHANGES.items() for name in wanted}
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    found = set()

    def visit(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call) and inside:
                first, _, rest = ast.unparse(child.func).partition(".")
                called = ".".join(part for part in (names.get(first, ""), rest) if part)
                if called in begun:
                    found.add(f"{module}.{inside}")
            name = f"{inside}.{child.name}".lstrip(".") if isinstance(child, ast.FunctionDef | ast.ClassDef) else inside
            visit(child, name)

    visit(tree, "")
    return found


def callers() -> set[str]:
    return {name for path in modules() if not str(path).endswith(THE_PROTOCOL) for name in changing_functions(path)}


@pytest.mark.slow
def test_every_function_that_changes_a_persons_file_is_run_by_the_harness(monkeypatch):
    """A new caller needs a line in tests/crash/callers.py, so that kills, power losses and editors are tried on it."""
    from memorybank.editing import outside, write
    from tests.crash.callers import CALLERS, World
    from tests.crash.explorer import scratch
    from tests.crash.recorder import Passing, replaced

    reached: set[str] = set()

    def seen(original):
        def called(*arguments, **options):
            frame = sys._getframe(1)
            while frame is not None:
                reached.add(f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}".replace(".<locals>", ""))
                frame = frame.f_back
            return original(*arguments, **options)

        return called

    monkeypatch.setattr(write.NoteWriter, "__enter__", seen(write.NoteWriter.__enter__))
    for name in ("replace", "finish"):
        monkeypatch.setattr(outside, name, seen(getattr(outside, name)))
    for caller in CALLERS:
        with scratch() as folder, replaced(Passing()):
            os.makedirs(os.path.join(folder, "project/bank/active"))
            caller.prepare(World(folder))
            caller.run(World(folder), FixedClock(NOW))
    assert sorted(callers() - reached - UNREACHED.keys()) == []
    assert sorted(UNREACHED.keys() - callers()) == [], "remove what is not there any more"


@sources.asked_of_files
def direct_changes(module: sources.Nodes) -> list[str]:
    calls = (node.func for node in module if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DIRECT)
    return [f"disk.{called.attr}" for called in calls if ast.unparse(called.value) == "disk"]


def test_every_other_change_of_the_disk_says_why_it_cannot_cost_a_persons_text():
    found = {str(path.relative_to(PACKAGE)) for path in modules() if direct_changes(path)} - {*THE_PROTOCOL}
    assert sorted(found - OURS.keys()) == [], "use memorybank.editing, or say here in one line why that is not needed"
    assert sorted(OURS.keys() - found) == [], "remove the line of a module that changes nothing any more"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from memorybank.editing.write import NoteWriter\ndef f():\n    with NoteWriter(1) as w: w.replace()", {"f"}),
        ("from memorybank.editing.write import update as change\nclass A:\n    def f(self):\n        change(1)", {"A.f"}),
        ("from memorybank.editing import outside\ndef f():\n    outside.replace(1)\ndef g():\n    outside.read(1)", {"f"}),
        ("def f():\n    from memorybank.editing.write import update\n    update(1)\ndef g():\n    {}.update(1)", {"f"}),
    ],
)
def test_the_rule_about_callers_would_catch(tmp_path, monkeypatch, source, expected):
    path = tmp_path / "m.py"
    path.write_text(source, encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    assert {name.removeprefix("m.") for name in changing_functions(path)} == expected

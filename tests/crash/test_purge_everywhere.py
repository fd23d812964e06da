"""A text in everything that memorybank stores, in every form, and what the scanner finds of it after a purge: what only a person may change, and
nothing else. What the purge says is what the scanner sees.
"""

import base64
import json
import os
import shutil
import sqlite3
from pathlib import Path
from unicodedata import normalize
from urllib.parse import quote

import pytest
import zstandard

from memorybank.clock import MINUTE
from memorybank.hosts import install, originals
from memorybank.hosts.program import Program
from memorybank.storage import system
from tests.crash.byte_scanner import TextForms, scan
from tests.crash.planted import DEAD, LEAKS, WORDS, World, plant
from tests.crash.recorder import Passing, replaced
from tests.rotation.rotation_rows import NOW

TOPS = ("active", "archive", "backups", "cache", "episodes", "indexes", "log", "metadata")
LOGS = ("access", "adoptions", "changes", "extracted", "hook_errors", "learned", "operations", "organize", "policy", "rejected", "rotation", "ticks", "unknown")


@pytest.fixture(scope="module")
def templates(tmp_path_factory):
    """{text: a world in which it is everywhere}, made once and copied for each test."""
    return {"folder": tmp_path_factory.mktemp("planted")}


@pytest.fixture(params=LEAKS)
def world(request, templates, tmp_path):
    return copied(templates, request.param, tmp_path)


@pytest.fixture
def japanese(templates, tmp_path):
    return copied(templates, "Japanese", tmp_path)


def copied(templates, leak: str, tmp_path) -> World:
    if leak not in templates:
        templates[leak] = plant(templates["folder"] / leak, LEAKS[leak])
    # The copy has the paths of the original: logs name the folder that a source is in.
    shutil.copytree(templates[leak].top, tmp_path / "world", symlinks=True)
    return World(tmp_path / "world", LEAKS[leak])


def purge(world: World, *more: str, at: int = NOW + MINUTE) -> tuple[int, dict]:
    with replaced(Passing()):
        code, out, err = world.run("purge", world.leak, "--format", "json", *more, at=at)
    assert out, err
    return code, json.loads(out)


def left(world: World) -> set[str]:
    """Paths relative to the bank, with the text in them marked as a purge marks it."""
    found = (os.path.relpath(path, world.root) for path in scan(world.forms, *world.ours))
    return {normalize("NFC", path).replace(world.name, "[PURGED]").replace(quote(world.name, safe=""), "[PURGED]") for path in found}


YOURS = {"active/implementation/kept.md", "docs/source.md", "summary.draft.md"}
"""A note, a source, and a draft that a person edited."""


@pytest.mark.cases(1)
def test_it_was_in_everything_and_is_only_where_a_person_must_look(world):
    before = left(world)
    assert {path.split("/")[0] for path in before} >= {*TOPS, "summary.md", "summary.draft.md"}
    assert {f"log/{name}.jsonl" for name in LOGS} <= before
    temps = {path for path in before if f".mb-tmp-{DEAD}-" in path}
    assert len(temps) > 60 and any("/home/.local/state/" in path for path in temps)
    code, report = purge(world)
    assert (code, report["problems"]) == (1, [])
    assert {place["path"] for place in report["remaining"]} == YOURS
    assert {place["kind"] for place in report["remaining"]} == {"note", "source", "other"}
    assert left(world) == YOURS - {"docs/source.md"}
    assert world.leak in (world.project / "docs" / "source.md").read_text(), "a source is never written"
    edited_by_the_person(world)
    code, report = purge(world, at=NOW + 2 * MINUTE)
    assert (code, report["found"], report["remaining"], report["problems"]) == (0, [], [], [])
    assert left(world) == set()


def test_the_words_of_it_are_nowhere_either(japanese):
    """Indexes, caches, topics and the names of learned notes consist of words, in which nobody finds the text."""
    purge(japanese)
    edited_by_the_person(japanese)
    assert scan(TextForms(*WORDS), *japanese.ours) == {}


def test_a_dry_run_names_every_place_and_changes_nothing(japanese):
    def files() -> dict[str, bytes]:
        return {path: Path(path).read_bytes() for top in japanese.ours for path in map(str, Path(top).rglob("*")) if os.path.isfile(path)}

    before, places = files(), left(japanese)
    code, report = purge(japanese, "--dry-run")
    changed = {path for path, data in files().items() if before.get(path) != data}
    assert code == 0 and changed == set() and files().keys() == before.keys()
    shown = {place["path"].replace("~/", "../../../home/") for place in report["found"]}
    torn = {path for path in places if f".mb-tmp-{DEAD}-" in path}
    assert places - torn <= shown | {"x"}
    assert torn <= shown
    quoted = {path for path in shown if "wrapped-quote" in path}
    assert shown - places - quoted == {"docs/source.md"}, "the scanner does not know how mail programs quote"


@pytest.mark.cases(1)
def test_everything_still_verifies_and_can_be_undone(world):
    purge(world)
    edited_by_the_person(world)
    with replaced(Passing()):
        for command in (("verify",), ("log", "verify"), ("rebuild",), ("index", "--check")):
            code, out, err = world.run(*command, at=NOW + 2 * MINUTE)
            assert code == 0, (command, out, err)
        listed = json.loads(world.must("undo", "--list", "--json"))
        world.must("undo", next(each["rotation_id"] for each in listed if each["trigger"] == "manual"), at=NOW + 3 * MINUTE)
    assert "[PURGED]" in (world.root / "active" / "planning" / "plain.md").read_text()
    assert (world.root / "active" / "planning" / "utf16.md").read_bytes().decode("utf-16-le") == "# Sixteen\n\n[PURGED]\n"
    assert left(world) == set()


def edited_by_the_person(world: World) -> None:
    for path in YOURS:
        (world.project if path.startswith("docs") else world.root).joinpath(path).unlink()


def test_what_a_purge_must_not_change_is_named_and_stays(japanese):
    """Swap files of an editor, links, a temporary file that a live process writes, rows of another program, and what waits for a person's trust."""
    world, leak = japanese, japanese.leak
    edited_by_the_person(world)
    swap = world.root / "backups" / "edits" / "20250917T000000Z-1" / ".kept.md.swp"
    swap.write_bytes(b"b0VIM 9.0" + leak.encode())
    (world.root / "active" / "link.md").symlink_to(f"/nowhere/{world.name}")
    temp = world.root / "archive" / f".mb-tmp-{os.getpid()}-999"
    temp.write_bytes(zstandard.ZstdCompressor(level=10).compress((leak + " x" * 9_999).encode()))
    os.utime(temp, ns=((NOW + MINUTE) * 1_000_000,) * 2)
    trust = world.state / "trust" / f"repo-{'0' * 16}.json"
    world.put(trust, json.dumps({"version": 1, "held": {f"active/{world.name}.md": ""}}, ensure_ascii=False))
    database = Path(world.top, "home", ".claude-mem", "claude-mem.db")
    database.parent.mkdir(parents=True)
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE observations (id INTEGER, project TEXT, title TEXT, narrative TEXT, created_at_epoch INTEGER)")
    connection.execute("INSERT INTO observations VALUES (7, 'repo', 'A title', ?, 1757000000)", (leak,))
    connection.commit()
    connection.close()
    entry = {"bank": str(world.root), "name": "mem", "kind": "claude-mem", "path": str(database)}
    world.put(world.config / "config.json", json.dumps({"sources": [entry]}))
    files = {path: path.read_bytes() for path in (swap, temp, trust, database)}
    code, report = purge(world)
    assert (code, report["problems"]) == (1, [])
    assert {(place["path"], place["kind"]) for place in report["remaining"]} == {
        ("backups/edits/20250917T000000Z-1/.kept.md.swp", "other"),
        ("active/link.md", "note"),
        (f"archive/{temp.name}", "temporary"),
        (f"~/.local/state/memorybank/trust/{trust.name}", "other"),
        ("~/.claude-mem/claude-mem.db/observation-7.md", "source"),
    }
    assert {path: path.read_bytes() for path in files} == files


def test_a_folder_that_cannot_be_listed_counts_as_a_failure(japanese, monkeypatch):
    """The person who runs the tests may be root, who may list every folder; so the error is made."""
    edited_by_the_person(japanese)
    closed = str(japanese.root / "active" / "closed")
    os.mkdir(closed)
    real = os.scandir

    def scandir(path="."):
        if path == closed:
            raise PermissionError(13, "Permission denied", closed)
        return real(path)

    with monkeypatch.context() as patch:
        for module in (os, system):
            patch.setattr(module, "scandir", scandir)
        code, report = purge(japanese)
    assert (code, report["remaining"], [problem["path"] for problem in report["problems"]]) == (9, [], ["active/closed"])
    assert purge(japanese)[0] == 0


def test_uninstalling_works_without_the_record_of_a_host(japanese):
    """The record holds the person's settings as they were. The settings themselves keep the text: they are the person's."""
    settings, environment = japanese.project / ".claude" / "settings.local.json", {**os.environ, **japanese.environment}
    japanese.put(settings, json.dumps({"env": {"TOKEN": japanese.leak}}, ensure_ascii=False))
    program = Program("/usr/bin/python3", "/opt/memorybank/hook.py")
    install.execute(install.plan_install("claude-code", "local", str(japanese.project), program, environment), environment)
    record = originals.path_of(str(settings), environment)
    assert japanese.leak in Path(record).read_text(encoding="utf-8") and "memorybank" in settings.read_text()
    purge(japanese)
    assert not os.path.exists(record)
    install.execute(install.plan_uninstall("claude-code", "local", str(japanese.project), environment), environment)
    assert json.loads(settings.read_text()) == {"env": {"TOKEN": japanese.leak}}


def test_base64_of_a_leaked_file_is_taken_out_of_the_log(japanese):
    """An agent printed a file with `base64`; the text is somewhere inside it, wrapped at 76 characters."""
    data = b"x" * 40 + japanese.leak.encode() + b"y" * 40
    told = [{"name": "tool_after", "tool": "Bash", "inputs": {"command": "base64 key"}, "output": base64.encodebytes(data).decode(), "status": "success"}]
    with replaced(Passing()):
        japanese.session("9aa9f6a5-1111-4222-8333-444455556666", told, NOW - MINUTE * 90)
    core = base64.b64encode(data)[60:90]
    log = japanese.root / "log" / "events" / "9aa9f6a5-1111-4222-8333-444455556666.jsonl"
    assert core in log.read_bytes().replace(b"\\n", b"")
    purge(japanese)
    assert core not in log.read_bytes().replace(b"\\n", b"")

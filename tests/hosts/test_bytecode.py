"""The light path loaded from one file: the same modules and the same behaviour, used only while every source is unchanged."""

import _sre
import ast
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from compileall import compile_dir
from contextlib import closing, suppress
from importlib.util import MAGIC_NUMBER
from marshal import dumps, loads
from pathlib import Path
from typing import Any

import pytest

from memorybank import bytecode
from memorybank.hosts import bytecode_file
from memorybank.hosts.literals import literals
from memorybank.hosts.prepared import PreparedWork
from memorybank.hosts.programs import programs
from memorybank.text import pattern
from memorybank.text.secrets import scanner

pytestmark = pytest.mark.slow

PACKAGE = Path(bytecode_file.__file__).resolve().parents[1]
WRITE = """
import marshal, sys
sys.path.insert(0, sys.argv[1])
from memorybank.hosts import bytecode_file, prepared
made = []

class Kept(prepared.PreparedWork):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        made.append(self)

bytecode_file.PreparedWork = Kept
print(bytecode_file.write())
if sys.argv[2:]:
    open(sys.argv[2], "wb").write(marshal.dumps(dict(made[0])))
"""
IN_PROCESSOR_TIME = Path(__file__).resolve().parents[1] / "hook" / "in_processor_time.py"
LEFT = 60
"""Number of modules that a run which was killed has left to the next."""
TYPED = ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "SessionStart")


@pytest.fixture
def installed(tmp_path):
    """A copy of the package in a writable folder, without compiled files."""
    shutil.copytree(PACKAGE, tmp_path / "site" / "memorybank", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "site"


@pytest.fixture(scope="module")
def compiled_beside(tmp_path_factory):
    """Another copy, whose modules Python has compiled one by one."""
    site = tmp_path_factory.mktemp("beside")
    shutil.copytree(PACKAGE, site / "memorybank", ignore=shutil.ignore_patterns("__pycache__"))
    compile_dir(site, quiet=1)
    return site


@pytest.fixture(scope="module")
def patterns():
    """What a run has prepared of all patterns, which takes most of its time: from the file of this package, as far as they are in it."""
    made, of_package = PreparedWork(), bytecode.Segments(bytecode.PATH)
    with suppress(OSError, ValueError):
        of_package = bytecode.serve()
        sys.meta_path.remove(of_package)
    texts = dict.fromkeys([*pattern.declared, *scanner.every_pattern()])
    for text in texts:
        if (program := of_package.program(text)) is not None:
            made["program", text] = dumps(program)
    programs(texts, made)
    for text in pattern.declared:
        made.of(("words", text), of_package.words if ("program", text) in made else literals, text)
    return dict(made)


@pytest.fixture
def done(written_once, installed):
    """All that a run prepares for the file of another copy of the package."""
    return {
        (key[0], key[1].replace(str(written_once), str(installed)), *key[2:]) if len(key) == 4 else key: value
        for key, value in loads(written_once.with_name("done").read_bytes()).items()
    }


@pytest.fixture
def begun(installed, done):
    """A copy of the package in which a run that was killed has left what it had prepared: all but the last modules."""
    modules = [key for key in done if len(key) == 4]
    leave(installed, {key: value for key, value in done.items() if key not in modules[-LEFT:]})
    return installed


def leave(site, prepared):
    """Leave what a run has prepared in a copy of the package."""
    status = [(site / "memorybank" / "hosts" / name).stat() for name in ("bytecode_file.py", "late_imports.py")]
    made_by = MAGIC_NUMBER, max(each.st_mtime_ns for each in status), sum(each.st_size for each in status)
    path = prepared_of(site)
    path.parent.mkdir()
    path.write_bytes(dumps((made_by, prepared)))


@pytest.fixture(scope="module")
def written_once(tmp_path_factory, patterns):
    """A copy of the package with its file, to copy from. No project influences the content of the file, and no other file is written."""
    site = tmp_path_factory.mktemp("written") / "site"
    shutil.copytree(PACKAGE, site / "memorybank", ignore=shutil.ignore_patterns("__pycache__"))
    leave(site, patterns)
    before = {path for path in site.rglob("*") if path.suffix != ".pyc"}
    path = write(site, kept=site.with_name("done"))
    assert {path for path in site.rglob("*") if path.suffix != ".pyc" and path.name != "__pycache__"} - before == {path}
    return site


@pytest.fixture
def written(written_once, tmp_path):
    """A copy of the package in a writable folder, with its file, which is valid for sources of the same size and mtime."""
    shutil.copytree(written_once, tmp_path / "site")
    return tmp_path / "site"


def file_of(site: Path) -> Path:
    return site / "memorybank" / "__pycache__" / f"hook.{sys.implementation.cache_tag}.segments"


def prepared_of(site: Path) -> Path:
    return file_of(site).with_name(f"{file_of(site).name}.prepared")


def write(site: Path, expected: bool = True, kept: Path | None = None) -> Path:
    """Let a copy of the package write its file. kept: a new file for what was prepared for it"""
    command = [sys.executable, "-c", WRITE, str(site), *([str(kept)] if kept else [])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.strip() == str(expected)
    return file_of(site)


def payload(event: str, folder: Path) -> bytes:
    call = {"tool_name": "Bash", "tool_input": {"command": "pytest -q tests/test_a.py", "description": "run the tests"}, "tool_use_id": f"t-{event}"}
    fields: dict[str, dict[str, object]] = {
        "UserPromptSubmit": {"prompt": "Why does `src/a.py` fail? No, always run the tests first. 検証環境は?"},
        "PreToolUse": call,
        "PostToolUse": {**call, "tool_response": {"stdout": "1 passed", "stderr": ""}},
        "PostToolUseFailure": {**call, "error": "Exit code 1\nValueError: no such retry"},
        "Stop": {"last_assistant_message": "done", "stop_hook_active": False},
        "SessionStart": {"source": "startup"},
    }
    common = {"session_id": "11111111-2222-3333-4444-555555555555", "transcript_path": "", "cwd": str(folder), "prompt_id": "p1", "hook_event_name": event}
    return json.dumps({**common, **fields[event]}).encode()


def fire(site: Path, bank, event: str) -> list[str]:
    """The package's modules that a real hook process imported in the ordinary way while it recorded its event."""
    return [name for name in every_import(site, bank, event) if name.startswith("memorybank")]


def every_import(site: Path, bank, event: str) -> list[str]:
    environment = {**{name: os.environ[name] for name in ("HOME", "MEMORYBANK_TRUST", "PATH")}, "CLAUDE_PROJECT_DIR": str(bank.repository)}
    command = [sys.executable, "-I", "-S", "-X", "importtime", str(IN_PROCESSOR_TIME), str(site / "memorybank" / "hook.py"), "--host", "claude-code"]
    before = recorded(bank)
    done = subprocess.run(command, input=payload(event, bank.repository), capture_output=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr
    assert recorded(bank) > before
    return [line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines() if line.startswith("import time:")]


def recorded(bank) -> int:
    return sum(path.read_bytes().count(b"\n") for path in (bank.root / "log" / "events").glob("*.jsonl"))


def test_every_event_finds_its_modules_in_the_file(written, bank):
    """Apart from the reader, only modules imported by name go through an import of their own, and all of them are in the file."""
    scratch = bank()
    expected = {*bytecode_file.BEFORE, "memorybank.hosts.firing", *bytecode_file._segments(bytecode_file._Sources())}
    for event in TYPED:
        imported = fire(written, scratch, event)
        assert set(imported) <= expected, event
        assert len(imported) < 18, imported


def test_no_hook_loads_os(written, bank):
    """At prompts, calls and results: importing it takes as many instructions as a sixth of an interpreter that does nothing."""
    scratch = bank()
    for event in TYPED[:4]:
        loaded = every_import(written, scratch, event)
        assert {"os", "posixpath", "re"}.isdisjoint(loaded), event


def test_the_end_of_a_turn_takes_in_a_note_with_modules_of_the_file(written, bank):
    """Fifty modules more than another event needs: named tuples, whose members are annotations, and everything else classes are made of must survive."""
    scratch = bank({"設計/検索.md": "---\ntags: [search]\ncreated: 2025-01-02\n---\n# 検索\n\nSee [[other]] and `src/a.py`.\n"})
    scratch.configure("cycle", '{"deadlines_ms": {"process": 10000, "outbox_turn_end": 10000}}')
    fire(written, scratch, "UserPromptSubmit")
    imported = fire(written, scratch, "Stop")
    assert {"memorybank.cycle.finish.upkeep", "memorybank.index.apply"}.isdisjoint(imported), "read from the file when a function names them, without an import"
    assert len(imported) < 27, " ".join(imported)
    with closing(sqlite3.connect(scratch.root / "cache" / "bank.sqlite3")) as index, index:
        assert index.execute("SELECT key, title, tags FROM notes").fetchall() == [("設計/検索.md", "検索", '["search"]')]
    index.close()
    assert not (scratch.root / "log" / "hook_errors.jsonl").exists()


VALUE = """
from memorybank.log.extracted import ExtractionLine
print(ExtractionLine("s", "llm:m", at=7, items=1, dropped={}))
"""
SERVED = "import sys; sys.path.insert(0, sys.argv[1]); from memorybank import bytecode; bytecode.serve(); exec(sys.argv[2]); print(bool(bytecode.version()))"


def test_values_keep_their_fields(written):
    """A class that is made from its annotations is the same when it comes from the file."""
    served = "import memorybank.hosts, memorybank.hosts.firing, memorybank.cycle.fold.extracted" + VALUE
    done = subprocess.run([sys.executable, "-I", "-S", "-c", SERVED, str(written), served], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == ["ExtractionLine(session='s', by='llm:m', at=7, items=1, dropped={})", "True"]


EVERY_CLASS = """
import sys
sys.path.insert(0, sys.argv[1])
is_served, classes = sys.argv[2] == "served", [one.split(":") for one in sys.argv[3].split()]
if is_served:
    from memorybank import bytecode
    finder = bytecode.serve()
    import memorybank.hosts, memorybank.hosts.firing  # what every hook loads first
import dis, importlib, json, pickle, types

def plain(value):
    function = getattr(value, "fget", None) or getattr(value, "__func__", value)
    if isinstance(function, types.FunctionType):
        return type(value).__name__, function.__qualname__, function.__code__.co_varnames, plain(function.__defaults__), plain(function.__kwdefaults__)
    return sorted(map(repr, value)) if isinstance(value, frozenset) else repr(value).partition(" at 0x")[0]

def described(made):
    skipped = "__doc__", "__dict__", "__weakref__", "__firstlineno__", "__static_attributes__", "__annotate_func__", "__annotations_cache__"
    # A class has empty annotations where all that it has are for type checkers.
    own = {name: value for name, value in vars(made).items() if name not in skipped and (value or name != "__annotations__")}
    return [made.__module__, made.__qualname__, list(map(repr, made.__mro__)), {name: plain(value) for name, value in own.items()}]

def looked_up(code):
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("CACHE", "EXTENDED_ARG")]
    for place, step in enumerate(steps):
        if step.argval == "__loaded__" and step.opname.startswith("LOAD_"):
            after = steps[place + 3] if steps[place + 2].opname.startswith("BINARY_SUBSCR") or steps[place + 2].opname == "BINARY_OP" else None
            yield steps[place + 1].argval, after.argval if after and after.opname in ("LOAD_ATTR", "LOAD_METHOD") else ""
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield from looked_up(part)

found, waiting = {}, 0
for module, name in classes:
    home = importlib.import_module(module)
    waiting += name not in vars(home)
    made = getattr(home, name)
    assert made is getattr(home, name) is vars(home)[name] is pickle.loads(pickle.dumps(made)), name
    assert not hasattr(home, "missing")
    found[f"{module}:{name}"] = described(made)
missing, count = [], 0
if is_served:
    again = bytecode.Segments(finder.path)
    again.file, again.start = finder.file, finder.start
    segments = bytecode.loads(open(finder.path, "rb").read()[bytecode.HEAD:finder.start])[1]
    for begin, size, _ in {part for parts in segments.values() for part in parts}:
        for entry in again._read((begin, size)):
            for module, name in looked_up(entry[5]):
                count += 1
                if name and not hasattr(importlib.import_module(module), name):
                    missing.append((entry[0], module, name))
print(json.dumps([found, waiting, missing, count, is_served and not finder.is_stale]))
"""


def every_class(site: Path, how: str, classes: list[str]) -> list[Any]:
    command = [sys.executable, "-c", EVERY_CLASS, str(site), how, " ".join(classes)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=site)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def test_classes_of_the_file_are_those_of_the_sources_in_whatever_order_they_are_read(written, request):
    """Also that everything is there which its code looks up."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted((written / "memorybank").rglob("*.py"))}
    light = {path: ast.parse(text) for path, text in sources.items() if "\n__light__ = True" in text}
    dotted = {path: ".".join(path.relative_to(written).with_suffix("").parts).removesuffix(".__init__") for path in light}
    classes = [f"{dotted[path]}:{each.name}" for path, tree in light.items() for each in tree.body if isinstance(each, ast.ClassDef)]
    expected, waiting, *_ = every_class(written, "imported", classes)
    assert (len(expected), waiting) == (len(classes), 0)
    for order in (classes[::-1], classes, sorted(classes, key=lambda one: one[::-1]))[: 3 if request.config.getoption("--all") else 1]:
        found, waiting, missing, count, is_fresh = every_class(written, "served", order)
        assert found == expected
        assert waiting > 150
        assert (missing, is_fresh) == ([], True)
        assert count > 5_000


def answers(site: Path, bank, harm: str) -> list[object]:
    """What a host and the log of errors get from a few events in a bank that something is wrong with."""
    environment = {**{name: os.environ[name] for name in ("HOME", "MEMORYBANK_TRUST", "PATH")}, "CLAUDE_PROJECT_DIR": str(bank.repository)}
    # -B: else the limit would cut a compiled file of the package short
    hook = f"exec '{sys.executable}' -I -S -B '{IN_PROCESSOR_TIME}' '{site / 'memorybank' / 'hook.py'}' --host claude-code"
    found: list[object] = []
    for number, event in enumerate(TYPED * 2):
        if number == len(TYPED) and harm == "cache":
            for path in (bank.root / "cache").iterdir():
                path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
        command = f"ulimit -f 0; {hook}" if harm == "disk" and number >= len(TYPED) else hook
        done = subprocess.run(["sh", "-c", command], input=payload(event, bank.repository), env=environment, capture_output=True, timeout=60)
        found.append((done.returncode, done.stdout.decode().replace(str(bank.repository), "R"), done.stderr))
    log = bank.root / "log" / "hook_errors.jsonl"
    errors = list(map(json.loads, log.read_text().splitlines())) if log.exists() else []
    return [*found, *((error["error"], error["message"].replace(str(bank.repository), "R"), error["where"]) for error in errors)]


@pytest.mark.parametrize("harm", ["none", "cache", "disk", "settings", "folder"])
def test_a_hook_of_the_file_meets_a_fault_as_one_that_python_imports(written, compiled_beside, bank, harm):
    """Most classes of errors are made only then."""
    banks = [bank({"shared/a.md": "# Retry\n\n`src/a.py` retries `pytest` three times. 検証環境は毎週月曜日に初期化される。\n"}) for _ in range(2)]
    for each in banks:
        if harm == "settings":
            (each.root / "config").mkdir(exist_ok=True)
            (each.root / "config" / "cycle_config.json").write_text('{"phases": 1')
        if harm == "folder":
            shutil.rmtree(each.root / "log", ignore_errors=True)
            (each.root / "log").write_text("a file where the folder should be")
    found = [answers(site, each, harm) for site, each in zip((written, compiled_beside), banks, strict=True)]
    assert found[0] == found[1]
    assert any(reply for _, reply, _ in found[0][: len(TYPED)]) or harm in ("settings", "folder")


LOADED = "print([name for name, module in sys.modules.items() if name.startswith('memorybank.hosts') and module.__spec__._initializing is not False])"


def test_modules_of_the_file_say_that_they_are_loaded(written):
    """Otherwise each later import of one makes an exception and drops it, which a turn's end did two thousand times."""
    served = f"import memorybank.hosts, memorybank.hosts.firing; {LOADED}"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", SERVED, str(written), served], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.splitlines() == ["[]", "True"]


def test_a_hook_compiles_no_pattern(written, bank):
    """All patterns of all modules are in the file, so an ordinary prompt or call does not even import `re`."""
    scratch = bank()
    for event in ("UserPromptSubmit", "PreToolUse", "PostToolUseFailure"):
        assert "re" not in every_import(written, scratch, event)


def test_a_pattern_from_the_file_equals_the_one_that_re_compiles(request):
    from memorybank.text.prompts import statements

    assert statements.kind_of("Always run the tests first.") is not None
    every = 1 if request.config.getoption("--all") else 4
    texts = [*pattern.declared, *scanner.every_pattern()][::every]
    found = programs([*texts, r"(?im)^(?P<name>\w+)|(x)$"])
    known = {text: loads(program) for text, program in found.items()}
    assert len(pattern.declared) > 10
    assert {*texts} < set(known)
    for text, (_, flags, code, *groups) in known.items():
        assert _sre.compile(text, flags, [*memoryview(code).cast("I")], *groups) == re.compile(text)


def test_without_the_file_modules_are_imported_one_by_one(installed, bank):
    assert len(fire(installed, bank(), "PostToolUse")) > 30


def test_a_changed_source_counts_at_once(written, bank):
    """Also when the new source has the same length, and when only the length differs because the mtime is the old one."""
    scratch = bank()
    source = written / "memorybank" / "log" / "events.py"
    status = source.stat()
    source.write_text(source.read_text().replace("SCHEMA_VERSION = 1", "SCHEMA_VERSION = 7"))
    imported = fire(written, scratch, "PostToolUse")
    assert "memorybank.log.events" in imported
    assert b'"schema_version":7' in next((scratch.root / "log" / "events").glob("*.jsonl")).read_bytes()
    source.write_text(source.read_text().replace("SCHEMA_VERSION = 7", "SCHEMA_VERSION = 77"))
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))
    fire(written, scratch, "Stop")
    assert b'"schema_version":77' in next((scratch.root / "log" / "events").glob("*.jsonl")).read_bytes()


def test_a_source_that_is_gone_is_not_loaded_from_the_file(written, bank):
    """The situation while an upgrade replaces the package: the hook is silent, and no old code runs."""
    scratch = bank()
    (written / "memorybank" / "cycle" / "phases" / "record.py").unlink()
    with pytest.raises(AssertionError):
        fire(written, scratch, "Stop")
    assert recorded(scratch) == 0


@pytest.mark.parametrize("harm", ["empty", "cut in the index", "cut in a segment", "another interpreter's", "noise"])
def test_a_file_that_is_not_as_expected_is_left_alone(written, bank, harm):
    scratch = bank()
    path = file_of(written)
    data = path.read_bytes()
    magic = data.index(b"\r\n")
    harmed = {
        "empty": b"",
        "cut in the index": data[:40],
        "cut in a segment": data[:20_000],
        "another interpreter's": data[: magic - 2] + b"\0\0" + data[magic:],
        "noise": b"\xff" * 1_000,
    }
    path.write_bytes(harmed[harm])
    assert "memorybank.log.events" in fire(written, scratch, "PostToolUse")


def test_a_file_of_another_version_of_the_writer_is_not_current(written):
    """After a fault in the writer is repaired, nobody has to delete the file that the fault is in."""
    ask = "import sys; sys.path.insert(0, sys.argv[1]); from memorybank.hosts import bytecode_file; print(bytecode_file.is_current())"

    def answer() -> str:
        return subprocess.run([sys.executable, "-c", ask, str(written)], capture_output=True, text=True, timeout=60, check=True).stdout.strip()

    assert answer() == "True"
    writer = written / "memorybank" / "hosts" / "bytecode_file.py"
    writer.write_text(writer.read_text() + "\n# repaired\n")
    assert answer() == "False"


def test_a_folder_that_cannot_be_written_stays_as_it_is(installed):
    folder = installed / "memorybank" / "__pycache__"
    folder.write_text("a file where the folder should be")
    write(installed, expected=False)
    assert folder.read_text() == "a file where the folder should be"


def test_the_end_of_a_session_writes_it_anew(begun, bank):
    """Nobody has to run `hooks install` again after an upgrade, or ever."""
    scratch = bank()
    assert len(fire(begun, scratch, "PostToolUse")) > 30
    common = {"session_id": "11111111-2222-3333-4444-555555555555", "cwd": str(scratch.repository), "hook_event_name": "SessionEnd", "reason": "other"}
    command = [sys.executable, "-I", "-S", str(IN_PROCESSOR_TIME), str(begun / "memorybank" / "hook.py"), "--host", "claude-code"]
    scratch.configure("cycle", '{"memory": {}, "session_notes": false, "deadlines_ms": {"session_end": 9000, "process": 9000}}')
    for _ in range(5):  # compiling every module may take all the time of one
        subprocess.run(command, input=json.dumps(common).encode(), env={"CLAUDE_PROJECT_DIR": str(scratch.repository)}, timeout=60, check=True)
    assert len(fire(begun, scratch, "Stop")) < 20  # one of them reads the transcript, others are the heartbeat's


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from memorybank.hosts import bytecode_file, prepared
read, left, number = bytecode_file._read, int(sys.argv[2]), 0
prepared.KEPT_EVERY = 0.0 if left < 100 else 1000.0

def counted(*arguments):
    global number
    number += 1
    if number > left:
        os._exit(0)
    return read(*arguments)

bytecode_file._read = counted
bytecode_file.write()
print(number)
"""


def test_a_writer_that_is_killed_leaves_its_work_to_the_next(begun):
    """Writing takes longer than a hook may run on a busy machine. If each end of a session began again, the file would never be complete."""

    def read(most: int) -> str:
        return subprocess.run([sys.executable, "-c", KILLED, str(begun), str(most)], capture_output=True, text=True, timeout=300, check=True).stdout.strip()

    assert read(20) == read(20) == ""
    assert not file_of(begun).exists()
    assert prepared_of(begun).exists()
    assert int(read(10_000)) == LEFT - 40
    assert file_of(begun).exists() and not prepared_of(begun).exists()


HARMS = [b"", b"\xff" * 100, dumps(((b"another interpreter", 1, 2), {("memorybank", "p", 1, 2): None}))]


@pytest.mark.parametrize("harm", HARMS)
def test_nothing_is_taken_from_work_that_is_damaged_or_of_another_writer(tmp_path, harm):
    (tmp_path / "prepared").write_bytes(harm)
    assert PreparedWork(str(tmp_path / "prepared"), (MAGIC_NUMBER, 1, 2)) == {}
    (tmp_path / "prepared").write_bytes(dumps(((MAGIC_NUMBER, 1, 2), {("a",): 1})))
    assert PreparedWork(str(tmp_path / "prepared"), (MAGIC_NUMBER, 1, 2)) == {("a",): 1}


@pytest.mark.full
@pytest.mark.parametrize("harm", HARMS)
def test_work_that_is_damaged_or_of_another_writer_is_done_again(installed, harm):
    prepared = prepared_of(installed)
    prepared.parent.mkdir()
    prepared.write_bytes(harm)
    write(installed)
    assert not prepared.exists()


def test_hooks_install_writes_it(bank, monkeypatch, capsys):
    from memorybank.cli.main import run

    written: list[bool] = []
    monkeypatch.setattr(bytecode_file, "write", lambda: written.append(True) or True)
    monkeypatch.chdir(bank().repository)
    assert run(["hooks", "install", "--dry-run"]) == 0
    assert written == []
    monkeypatch.setattr(bytecode_file, "is_current", lambda: bool(written))
    for _ in range(2):  # the second time there is nothing to write
        assert run(["hooks", "install"]) == 0
        assert written == [True]

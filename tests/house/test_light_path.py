"""Hooks run at every prompt, tool call and turn, so a hook process may load only the modules of a list, on every supported Python.

A module on that path assigns `__light__ = True`.
"""

import json
import os
import pwd
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from functools import cache as once
from pathlib import Path

import pytest

from memorybank.clock import FixedClock
from memorybank.cycle.base import describe
from memorybank.cycle.fold import cache
from memorybank.cycle.router import HookRouter
from memorybank.hosts import bytecode_file
from memorybank.hosts.claude_code import ClaudeCode
from memorybank.log import events, extracted
from memorybank.log import key as log_key
from memorybank.log.extracted import ExtractedLine, ExtractionLine, QuoteSource
from memorybank.storage.layout import Layout
from tests.imports.written import Transcript

from .sources import dotted, text

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "memorybank"
MARK = "__light__"
BUILT_IN = {
    "__future__", "__main__", "_abc", "_codecs", "_frozen_importlib", "_frozen_importlib_external", "_functools", "_imp", "_io", "_json", "_sha2", "_sha256",
    "_signal", "_sqlite3", "_stat", "_thread", "_warnings", "_weakref", "abc", "builtins", "codecs", "encodings", "encodings.aliases", "encodings.utf_8",
    "encodings.utf_8_sig", "errno", "fcntl", "gc", "io", "linecache", "marshal", "math", "posix", "sys", "time", "unicodedata", "zipimport", "zlib",
}  # fmt: skip
"""Modules of the interpreter's own start, C modules, and modules that cost almost nothing. `os` and `re` are also allowed, with the modules that
they import (ADR 0047). Deliberately missing: typing, dataclasses, pathlib, json, contextlib, datetime, hashlib, sqlite3, click."""
ALLOWED = ("os", "re")
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    __import__(name)
print(*sorted(sys.modules))
"""


def pythons() -> dict[str, str]:
    """Return {version: interpreter} of every supported Python on this machine: the one that runs the tests, pyenv's, those on the PATH."""
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path(pwd.getpwuid(os.getuid()).pw_dir) / ".pyenv")
    for version in VERSIONS:
        own = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
        on_path = shutil.which(f"python{version}")
        candidate = str(own[-1]) if own else on_path
        if candidate and subprocess.run([candidate, "-I", "-S", "-c", ""], capture_output=True, timeout=60).returncode == 0:
            found.setdefault(version, candidate)
    return found


def with_module(python: str, name: str) -> set[str]:
    """Return the modules that a module of the standard library loads."""
    done = subprocess.run([python, "-I", "-S", "-c", PROBE, str(ROOT), name], capture_output=True, encoding="utf-8", timeout=60, check=True)
    return set(done.stdout.split())


PYTHONS = pythons()
EVERY_PYTHON = pytest.mark.parametrize("python", PYTHONS.values(), ids=PYTHONS)


def is_light(path: Path) -> bool:
    """Return whether the module assigns True to `__light__` at its top level."""
    return re.search(rf"(?m)^{MARK} = True$", text(path)) is not None


LIGHT = [dotted(path) for path in sorted(PACKAGE.rglob("*.py")) if is_light(path)]


def own(name: str) -> bool:
    return name == "memorybank" or name.startswith("memorybank.")


@once
def allowed(python: str) -> frozenset[str]:
    return frozenset(BUILT_IN.union(*(with_module(python, name) for name in ALLOWED)))


def heavy(python: str, loaded: set[str]) -> set[str]:
    """Return the loaded modules that no hook may load at a prompt, a tool call or a turn's end."""
    rooms = {name.rsplit(".", depth)[0] for name in LIGHT for depth in range(1, name.count(".") + 1)}
    return {name for name in loaded if not own(name)} - allowed(python) | {name for name in loaded if own(name)} - {*LIGHT, *rooms}


@pytest.mark.slow
@EVERY_PYTHON
def test_light_modules_load_nothing_else(python):
    """Load all light modules together in a bare interpreter. An import that is not in the list would slow down every tool call of every session."""
    importable = [name for name in LIGHT if name != "memorybank.hook"]
    done = subprocess.run([python, "-I", "-S", "-c", PROBE, str(ROOT), *importable], capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert heavy(python, loaded) == set(), "neither the standard library's heavy modules nor own ones that do not promise to be light"


def test_rooms_on_the_light_path_are_empty():
    """A package's `__init__` runs whenever one of its modules is loaded."""
    rooms = {path.parent for path in PACKAGE.rglob("*.py") if dotted(path) in LIGHT} - {PACKAGE}
    assert [room.name for room in sorted(rooms) if (room / "__init__.py").read_text(encoding="utf-8").strip()] == []


SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
NOTE = """# Resetting the staging database

The staging database in `deploy/staging.yml` is reset every Monday by `make reset-staging`.

検証環境は月曜に初期化される。
"""


def payload(event: str, folder: Path, **fields: object) -> bytes:
    common = {"session_id": "11111111-2222-3333-4444-555555555555", "transcript_path": "", "cwd": str(folder), "prompt_id": "p1", "permission_mode": "default"}
    return json.dumps({**common, "hook_event_name": event, **fields}, ensure_ascii=False).encode() + b"\n"


def calls(folder: Path, secret: str) -> list[bytes]:
    """Return the payloads of a start and one turn: a prompt, a failing call, the same call with success, an edit, a sub-agent, the end of the turn
    with a transcript."""
    command = {"command": f"make reset-staging {secret}".strip(), "description": "reset"}
    edit = {"file_path": f"{folder}/deploy/staging.yml", "old_string": "a", "new_string": f"b {secret}"}
    task = {"description": "look", "prompt": "Find out why the zebra importer drops stripes", "subagent_type": "Explore"}
    return [
        payload("SessionStart", folder, source="startup"),
        payload("UserPromptSubmit", folder, prompt=f"How is the staging database reset? 検証環境の初期化は? deploy/staging.yml {secret}"),
        payload("PreToolUse", folder, tool_name="Bash", tool_input=command, tool_use_id="t1"),
        payload("PostToolUseFailure", folder, tool_name="Bash", tool_input=command, tool_use_id="t1", error=f"Exit code 2\nmake: no rule {secret}"),
        payload("PreToolUse", folder, tool_name="Edit", tool_input=edit, tool_use_id="t2"),
        payload("PostToolUse", folder, tool_name="Edit", tool_input=edit, tool_use_id="t2", tool_response={"filePath": edit["file_path"]}, duration_ms=5),
        payload("PostToolUse", folder, tool_name="Bash", tool_input=command, tool_use_id="t3", tool_response={"stdout": f"done {secret}", "stderr": ""}),
        payload("PreToolUse", folder, tool_name="Task", tool_input=task, tool_use_id="t4"),
        payload("SubagentStart", folder, agent_id="a1", agent_type="Explore"),
        payload("Stop", folder, last_assistant_message=f"Reset. {secret}", transcript_path=transcript(folder, secret), background_tasks=[]),
        payload("UserPromptSubmit", folder, prompt="Why does the zebra importer drop stripes?", prompt_id="p2"),
        payload("UserPromptSubmit", folder, prompt="memorybank: off", prompt_id="p3"),
    ]


def transcript(folder: Path, secret: str) -> str:
    """Write a transcript of what the agent said in the turn, with a remark that is recorded. Return its path."""
    day = Transcript("11111111-2222-3333-4444-555555555555", str(folder)).prompt("How is the staging database reset?")
    day.say(f"It fails because the seed of the staging database is missing. {secret}").bash("make reset-staging").say("Reset.")
    return str(day.write(folder, "transcript.jsonl"))


def earlier_sessions(layout: Layout, folder: Path, at: int) -> None:
    """Play two sessions in which a command failed until another one ran, and a question was answered; one second per event. They have not been idle
    long enough to be finished, because finishing needs libraries."""
    call, seed = {"command": "make reset-staging"}, {"command": "make seed-staging"}
    subjects = ("the release calendar", "a table of prices", "dark mode of the page", "the search for synonyms")
    answers = {f"Please describe {subject} in the handbook": f"The handbook describes {subject} in a chapter of its own." for subject in subjects}
    answers["Why does the zebra importer drop stripes?"] = "The zebra importer drops stripes because `parse_stripes` skips empty rows in zebra/rows.py."
    for session in ("first", "second"):
        ran = {"tool_name": "Bash", "tool_response": {"stdout": "done", "stderr": ""}}
        told = [
            payload("PostToolUseFailure", folder, tool_name="Bash", tool_input=call, tool_use_id="t1", error="Exit code 2\nseed missing"),
            payload("PostToolUse", folder, **ran, tool_input=seed, tool_use_id="t2"),
            payload("PostToolUse", folder, **ran, tool_input=call, tool_use_id="t3"),
        ]
        for number, (prompt, answer) in enumerate(answers.items()):
            told.append(payload("UserPromptSubmit", folder, prompt=prompt, prompt_id=f"p{number}"))
            told.append(payload("Stop", folder, last_assistant_message=answer))
        for data in told:
            at += 1_000
            dialect = ClaudeCode()
            event = dialect.to_event({**json.loads(data), "session_id": session}, {})
            assert event is not None
            router = HookRouter(describe(layout, FixedClock(at)), dialect.delivers)
            router.answer(event)
            router.finish(event)


NAMING_MODULES = ROOT / "tests" / "hook" / "naming_modules.py"
CUT_SHORT = b'{"hook_event_name": "PreToolUse", "tool_input": {"command": "ls'
MALFORMED = [b"", b"\xff\xfe", CUT_SHORT, b'{"a": "\\ud800"}', b"[" * 5000, b"null", b'{"hook_event_name": 7}']


def fire(python: str, folder: Path, data: bytes) -> tuple[set[str], bytes]:
    """Run a real hook process. Return (the modules that it imported or read from the file of hooks, its output)."""
    environment = {**{name: os.environ[name] for name in ("HOME", "MEMORYBANK_TRUST", "PATH")}, "CLAUDE_PROJECT_DIR": str(folder), "CLAUDECODE": "1"}
    command = [python, "-I", "-S", "-X", "importtime", str(NAMING_MODULES), str(PACKAGE / "hook.py"), "--host", "claude-code"]
    done = subprocess.run(command, input=data, capture_output=True, env=environment, cwd=folder, timeout=60)
    assert done.returncode == 0, done.stderr
    table = [line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    return set(table) - {"imported package"}, done.stdout


@pytest.fixture
def living(bank):
    """Return a bank with an indexed note and an episode, so that its hooks have something to recall."""
    from memorybank import Bank
    from memorybank.clock import DAY, MINUTE, day_of
    from memorybank.episodes import entry, list_file

    scratch = bank({"implementation/staging.md": NOTE}, days_old=1)
    # A busy machine must not make a hook leave work to the next one, which would then load its modules.
    scratch.configure("cycle", '{"memory": {}, "deadlines_ms": {"process": 10000, "outbox_turn_end": 8000, "session_end": 9000}}')
    yesterday = day_of(time.time_ns() // 1_000_000 - DAY)  # hooks use only the real clock
    path = Path(list_file.path_of(scratch.layout))
    path.parent.mkdir()
    told = entry.made(yesterday, "昨日は再送を直した。", "x", kind="day", by="extractive", covers=[(yesterday, "events/colleague", "d")])
    path.write_text(entry.file_text([told]), encoding="utf-8")
    earlier_sessions(scratch.layout, scratch.repository, time.time_ns() // 1_000_000 - 5 * MINUTE)
    cache.close()
    Bank.open(str(scratch.root)).index.update()
    return scratch


@pytest.mark.slow
@EVERY_PYTHON
@pytest.mark.parametrize("secret", ["", SECRET], ids=["ordinary", "secret-bearing"])
def test_a_hook_process_loads_what_the_list_allows(python, living, secret):
    """Play a complete turn, each event in its own process: recorded, organised, recalled."""
    printed = b""
    for data in calls(living.repository, secret):
        loaded, answer = fire(python, living.repository, data)
        assert heavy(python, loaded) == set(), data[:200]
        printed += answer
    log = b"".join(path.read_bytes() for path in (living.root / "log" / "events").glob("*.jsonl"))
    assert log.count(b"\n") >= 7
    assert SECRET.encode() not in log
    assert b'"remarks":[{' in log
    recalled = (b"staging.md", b"Episodic memory", b"make seed-staging", b"`parse_stripes` skips empty rows")
    assert [text for text in recalled if text not in printed] == [], "what is not recalled is not measured"


OF_A_MODEL = {"memorybank.log.extracted", "memorybank.cycle.fold.extracted", "memorybank.cycle.know.by_model"}
ASKED = "Which printer prints the labels of the warehouse in Osaka?"


@pytest.mark.slow
@EVERY_PYTHON
def test_what_a_model_named_loads_its_modules_only_where_there_is_some(python, living):
    start, prompt = payload("SessionStart", living.repository, source="startup"), payload("UserPromptSubmit", living.repository, prompt=ASKED, prompt_id="p9")
    for data in (start, prompt):
        assert fire(python, living.repository, data)[0] & OF_A_MODEL == set()
    layout, clock = living.layout, FixedClock(time.time_ns() // 1_000_000)
    said = {line.fields["event"]: line for line in events.read(layout, events.name_of("first")) if line.fields["event"] in ("prompt", "turn_end")}
    sources = [QuoteSource(line.fields["id"], line.offset, field, 0) for line, field in ((said["prompt"], "inputs"), (said["turn_end"], "outputs"))]
    rule = ExtractedLine("first", "llm:m", "rule", "Stripes of a zebra are never merged", "", "the zebra importer", (), sources[0])
    finding = ExtractedLine("first", "llm:m", "finding", "Labels of the Osaka warehouse come on the thermal printer", ASKED, "skips empty rows", (), sources[1])
    key = log_key.load(layout)
    assert key is not None
    extracted.append(layout, key, ExtractionLine("first", "llm:m", clock.now(), 2, {}), (rule, finding), clock)
    loaded, printed = set(), b""
    for data in (start, prompt):
        other = data.replace(b"11111111-2222-3333-4444-555555555555", b"66666666-2222-3333-4444-555555555555")
        modules, answer = fire(python, living.repository, other)
        assert heavy(python, modules) == set()
        loaded |= modules
        printed += answer
    assert loaded & OF_A_MODEL and b"never merged" in printed and b"on the thermal printer" in printed and printed.count(b"made by a model") == 2


COMPARING = {"memorybank.cycle.fold.comparing", *(f"memorybank.text.prompts.{name}" for name in ("ending", "permissions", "superseding", "traits"))}
"""Modules that read what statements of people say, alone or of each other."""


@pytest.mark.slow
def test_statements_are_compared_when_they_are_folded_and_not_when_they_are_recalled(living):
    """Only a permission for good that the same session has just given is compared at once."""
    assert bytecode_file.is_current() or bytecode_file.write()  # modules that are loaded one by one load the ones that they import, read or not
    folder = living.repository
    commit = {"tool_name": "Bash", "tool_input": {"command": "git commit -m wip"}}
    for number, said in enumerate(("Never commit directly to main. Add a readme.", "Never commit directly to main, add a table.")):
        for data in (payload("UserPromptSubmit", folder, prompt=said), payload("Stop", folder, last_assistant_message="The readme says how to begin.")):
            loaded, _ = fire(sys.executable, folder, data.replace(b"11111111", b"%08d" % (44444440 + number)))
    # The second statement repeats the first one, so nobody asks what else it could replace.
    assert COMPARING - {"memorybank.text.prompts.ending", "memorybank.text.prompts.superseding"} <= loaded
    told = b""
    for data in (payload("SessionStart", folder, source="startup"), payload("PreToolUse", folder, **commit, tool_use_id="t8")):
        loaded, answer = fire(sys.executable, folder, data)
        assert loaded & COMPARING == set()
        told += answer
    assert b"Never commit directly to main" in told
    fire(sys.executable, folder, payload("UserPromptSubmit", folder, prompt="You can commit directly to main from now on.", prompt_id="p8"))
    loaded, _ = fire(sys.executable, folder, payload("PreToolUse", folder, **commit, tool_use_id="t9"))
    assert loaded.issuperset(COMPARING)


@pytest.mark.slow
@EVERY_PYTHON
def test_a_hook_process_that_is_fed_nonsense_loads_no_more(python, living):
    """Malformed input must not load more modules. From Python 3.12 on the C scanner imports json.decoder for the error that it raises; only then is
    `json` loaded."""
    for data in MALFORMED:
        loaded, answer = fire(python, living.repository, data)
        assert (heavy(python, loaded) - with_module(python, "json.decoder"), answer) == (set(), b""), data[:60]


@pytest.mark.slow
def test_the_end_of_a_turn_indexes_an_edited_note_without_enum_functools_and_collections(living):
    """With the package of the Markdown parser, these three take as many instructions as half the start of Python."""
    assert bytecode_file.is_current() or bytecode_file.write()  # without it, compiled patterns would load these modules
    note = living.root / "active" / "implementation" / "staging.md"
    note.write_text(f"{NOTE}\nThe giraffe importer is new.\n", encoding="utf-8")
    edit = {"tool_name": "Edit", "tool_input": {"file_path": str(note), "old_string": "a", "new_string": "b"}, "tool_response": {"filePath": str(note)}}
    fire(sys.executable, living.repository, payload("PostToolUse", living.repository, **edit, tool_use_id="t8"))
    loaded, _ = fire(sys.executable, living.repository, payload("Stop", living.repository, last_assistant_message="Written."))
    with sqlite3.connect(f"file:{living.layout.database}?mode=ro", uri=True) as index:
        assert index.execute("SELECT size FROM notes WHERE key = 'implementation/staging.md'").fetchone() == (note.stat().st_size,)
    assert loaded & {"collections", "enum", "functools", "operator", "os", "pyromark", "types"} == set()

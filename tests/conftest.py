"""Fixtures and rules for all tests: an isolated home folder and environment, a clock that stands still, scratch banks, the Hypothesis profiles.

- Before the first test module is imported, the environment is built from `_KEPT` and `_SET`. So tests and the programs that they start see the
  same variables, whatever terminal, locale, zone or `PYTHON*` the suite was started with. `HOME` is a temporary folder.
- `Clock.now()` returns `NOW` in every test. A test that needs time to pass uses `fixed_clock` and moves it.
- `Clock.monotonic()` counts the processor time of the tests and the time that they sleep, so no deadline passes because the machine is busy.
- `bank({...})` writes notes into a scratch bank. A note without a date is ten days old.
- Of a test with many cases a run takes a sample (`tests/sample.py`).
- `pytest --all` runs the long checks (marker `full`), every case of each test, and the "full" Hypothesis profile.
- `pytest --quick` leaves out `tests/crash` and the tests marked `slow`, and runs the "quick" Hypothesis profile.
- `pytest --hosts` also runs real coding agents (`tests/real_hosts`); without it that folder is not collected.
- `pytest --team` also starts a real PostgreSQL (`tests/team/real_server`); without it that folder is not collected.
- `pytest --mem0` also keeps passages in mem0, in Qdrant and in a real PostgreSQL (`tests/meaning/mem0`); without it that folder is not collected.
- `pytest --page` also opens the local page in a real browser (`tests/ui/browser`); without it that folder is not collected.
"""

import gc
import hashlib
import json
import os
import py_compile
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import cache
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest

NOW = 1_758_112_496_789
"""2025-09-17T12:34:56.789Z, the instant of the specification's samples."""
DAY = 86_400_000

_ROOT = str(Path(__file__).resolve().parents[1])
sys.path.insert(0, _ROOT)  # test this tree, wherever an editable install points; other conftests import it before pytest_configure
_CRASH = Path(__file__).resolve().parent / "crash"
_LEFT_OUT = pytest.StashKey[int]()
_HOME = tempfile.TemporaryDirectory(prefix="memorybank-test-home-")
_KEPT = re.compile("PATH|TMPDIR|LD_LIBRARY_PATH|PYENV_ROOT|MEMORYBANK_(CHROMIUM|EVAL_DATA|HOSTS_DIR|PICTURES|POSTGRES|TRANSCRIPTS)")
"""Variables that tests inherit: the places of programs and temporary files, and of a person's data and clients for tests."""
_KEPT_FOR_NPM = re.compile("(https?|all|no)_proxy|npm_config_.+|ssl_cert_(file|dir)|node_extra_ca_certs", re.IGNORECASE)
"""Variables that npm also needs to install coding agents and axe-core."""
_SET = {
    "HOME": _HOME.name,
    "XDG_CONFIG_HOME": f"{_HOME.name}/.config",
    "XDG_CACHE_HOME": f"{_HOME.name}/.cache",
    "XDG_DATA_HOME": f"{_HOME.name}/.local/share",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@example.invalid",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@example.invalid",
    "GIT_CEILING_DIRECTORIES": tempfile.gettempdir(),
    "LANG": "C.UTF-8",
    "MEMORYBANK_TRUST": "all",
    "PYTHONPATH": _ROOT,
    "TERM": "xterm",
    "TZ": "UTC",
}
"""Without COLUMNS, because it makes output to a pipe fold like a page. A test of such output sets it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write what commands print now into the pages of tests/house/test_pages.py instead of comparing")
    parser.addoption("--all", action="store_true", help="also run the long checks and the full number of generated examples")
    parser.addoption("--quick", action="store_true", help="leave out tests/crash and the tests marked slow; fewer generated examples")
    parser.addoption("--hosts", action="store_true", help="also install and play real coding agents against a model on 127.0.0.1")
    parser.addoption("--team", action="store_true", help="also start a PostgreSQL with pgvector, and attack it")
    parser.addoption("--mem0", action="store_true", help="also test mem0 with Qdrant and with a real PostgreSQL")
    parser.addoption("--page", action="store_true", help="also open the local page in Chromium")


@pytest.hookimpl(trylast=True)  # last, so that pytest's own report still follows the person's terminal
def _without_constants_of_modules() -> None:
    """Keep Hypothesis from parsing all modules for constants to try now and then, among 8 examples. It has no setting for that; other versions do without."""
    with suppress(ImportError, AttributeError):
        from hypothesis.internal.conjecture import providers

        known = providers._local_constants
        providers._get_local_constants = lambda: known


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(20_000, 20, 20)
    if config.getoption("--quick") and config.getoption("--all"):
        raise pytest.UsageError("--quick and --all exclude each other")
    _isolate(npm=config.getoption("--hosts") or config.getoption("--page"))
    slow_machine = list(hypothesis.HealthCheck) if hasattr(hypothesis.HealthCheck, "__iter__") else []
    common = {"deadline": None, "derandomize": True, "database": None, "suppress_health_check": slow_machine}
    hypothesis.settings.register_profile("quick", max_examples=5, stateful_step_count=8, **common)
    hypothesis.settings.register_profile("fast", max_examples=8, stateful_step_count=10, **common)
    hypothesis.settings.register_profile("full", max_examples=600, stateful_step_count=60, **{**common, "derandomize": False})
    if not config.getoption("--all"):
        _without_constants_of_modules()
    hypothesis.settings.load_profile("full" if config.getoption("--all") else "quick" if config.getoption("--quick") else "fast")


def pytest_collection_finish() -> None:
    """Keep what was loaded so far out of all later garbage collections: they would look at some million objects of modules and tests again and again."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    _HOME.cleanup()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    asked = {"real_hosts": "--hosts", "real_server": "--team", "browser": "--page", "mem0": "--mem0"}.get(collection_path.name)
    return True if asked is not None and not config.getoption(asked) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--all"):
        return
    from tests import sample

    named = {Path(os.path.abspath(argument.partition("::")[0])) for argument in config.args}
    left_out = sample.left_out(items, named)
    config.stash[_LEFT_OUT] = len(left_out)
    if config.getoption("--quick"):
        left_out.update(item for item in items if _is_slow(item))
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]
    for item in items:
        if item.get_closest_marker("full"):
            item.add_marker(pytest.mark.skip(reason="runs under --all"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how much of what is repeated in kind was not tested."""
    if config.stash.get(_LEFT_OUT, 0):
        terminalreporter.write_line(
            f"{config.stash[_LEFT_OUT]:,} cases were left out: --all runs them, and the name of a file all of its cases but the longest"
        )


def _is_slow(item: pytest.Item) -> bool:
    return any(item.iter_markers("slow")) or any(item.iter_markers("full")) or _CRASH in item.path.parents


def _isolate(*, npm: bool) -> None:
    """Replace the inherited environment, for this process and the programs it starts. npm: whether npm will install something."""
    if sys.getfilesystemencoding() != "utf-8":
        raise pytest.UsageError("this interpreter has started with another encoding of file names than UTF-8: set PYTHONUTF8=1")
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name) or (npm and _KEPT_FOR_NPM.fullmatch(name))}
    os.environ.clear()
    os.environ.update(kept, **_SET)
    for name in ("COLUMNS", "LINES"):
        os.unsetenv(name)  # readline sets them without os.environ, and programs would inherit the size of the terminal
    time.tzset()
    os.umask(0o022)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a shell starts its background jobs so, and programs that tests interrupt would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _clock_is_the_tests():
    """Hide the machine's date and speed from tests: every Clock that is not a FixedClock returns `NOW`, and seconds pass only by work and by sleep.

    No processor time passes: a budget of some hundred milliseconds, from the start of a hook's process, says nothing about a process that runs thousands of
    tests. A test of such a budget has a clock of its own.
    """
    from memorybank.clock import Clock

    slept, waiting = 0.0, Clock.sleep

    def sleep(self: Clock, seconds: float) -> None:
        nonlocal slept
        slept += seconds
        waiting(self, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clock, "now", lambda self: NOW)
        patch.setattr(Clock, "monotonic", lambda self: time.process_time() + slept)
        patch.setattr(Clock, "cpu", lambda self: 0.0)
        patch.setattr(Clock, "sleep", sleep)
        yield


@pytest.fixture(autouse=True, scope="session")
def _tables_are_made_once():
    """Let a new cache begin as a copy of an empty one with the same tables: SQLite takes some milliseconds to create seventy of them, thousands of times.

    The copy gets its name in one step, so another process that creates the same cache is never disturbed. Programs that tests start create theirs as usual,
    and so does a test with a small schema of its own.
    """
    from memorybank.storage import database, disk

    create = database.open_writable
    empty: dict[tuple[tuple[str, ...], int], bytes] = {}

    def open_writable(path: str, schema: tuple[str, ...], version: int, *, busy_seconds: float | None = None) -> sqlite3.Connection:
        if len(schema) > 20 and not os.path.lexists(path):
            disk.make_directories(os.path.dirname(path))
            if (schema, version) not in empty:
                with closing(database.in_memory(schema, version)) as made:
                    empty[schema, version] = made.serialize()
            database._refuse_links(path)
            with suppress(OSError), tempfile.NamedTemporaryFile(dir=os.path.dirname(path)) as copy:
                copy.write(empty[schema, version])
                copy.flush()
                os.chmod(copy.name, disk.PRIVATE_FILE)
                os.link(copy.name, path)
        return create(path, schema, version, busy_seconds=busy_seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "open_writable", open_writable)
        yield


@pytest.fixture(autouse=True, scope="session")
def _git_is_asked_where_it_has_an_answer():
    """Let git fail at once where `.git` is an empty folder, as in a ScratchBank without `git=True`. Git itself would say so after some milliseconds, and it
    is asked thousands of times. Programs that tests start ask it as usual.
    """
    from memorybank import git

    ask = git.run

    def run(repository: str, *arguments: str, **options: Any) -> bytes | None:
        with suppress(OSError):
            if not os.listdir(os.path.join(repository, ".git")):
                return None
        return ask(repository, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(git, "run", run)
        yield


@pytest.fixture(autouse=True, scope="session")
def _patterns_are_compiled_once():
    """Let a file of the hooks take over what an earlier one of this process was made of: sources that have not changed since, and patterns.

    Most of the seconds that writing it takes go into the patterns. Programs that tests start prepare theirs as usual.
    """
    from memorybank.hosts.prepared import PreparedWork

    of, made = PreparedWork.of, dict[tuple[Any, ...], Any]()

    def remembering(self: PreparedWork, key: tuple[Any, ...], make: Callable[..., Any], *values: Any) -> Any:
        if key in made:
            self.setdefault(key, made[key])
        made[key] = of(self, key, make, *values)
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PreparedWork, "of", remembering)
        yield


@pytest.fixture(autouse=True, scope="session")
def _patterns_come_from_the_file_of_the_hooks():
    """Take what is compiled of a pattern from the hooks' file of this tree, if there is one. What a pattern becomes depends on nothing but its text."""
    from memorybank import bytecode

    finder, program = bytecode.serve(), bytecode.program
    sys.meta_path.remove(finder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bytecode, "program", lambda text: program(text) or finder.program(text))
        yield


_left_open: list[Any] = []
"""The caches that hooks opened in this process during a test."""


@pytest.fixture(autouse=True, scope="session")
def _what_hooks_open_is_known():
    """Remember the caches that hooks leave open, because their process ends."""
    from memorybank.cycle.recall import candidates

    def remembering(opened: Callable[..., Any]) -> Callable[..., Any]:
        def call(place: object) -> Any:
            _left_open.append(opened(place))
            return _left_open[-1]

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in ("open_sources", "open_notes"):
            patch.setattr(candidates, name, remembering(getattr(candidates, name)))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown():
    """Close the caches that hooks of a test opened, as the end of their process does.

    Another test may run on another thread (the local page does), which SQLite does not let close them.
    """
    try:
        return (yield)
    finally:
        cache = sys.modules.get("memorybank.cycle.fold.cache")
        if cache is not None:
            cache.close()
        while _left_open:
            with suppress(sqlite3.ProgrammingError):  # the local page opened and closed it in a thread of its own
                _left_open.pop().close()


@pytest.fixture
def fixed_clock():
    """Return a FixedClock at `NOW`; assign `.instant` to move it."""
    from memorybank.clock import FixedClock

    return FixedClock(NOW)


@pytest.fixture
def free_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sync of the disk do nothing: scratch banks need not survive a power loss, and tests/crash looks after that."""
    from memorybank.storage import system

    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(system, name, lambda descriptor: None)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compile the modules whose bytecode doctor checks, even if `PYTHONDONTWRITEBYTECODE` is set or the sources are read-only."""
    from memorybank.doctor.installation import COMPILED

    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path_factory.getbasetemp() / "compiled"))
    for name in COMPILED:
        found = find_spec(name)
        assert found is not None and found.origin is not None
        if not os.path.exists(cache_from_source(found.origin)):
            py_compile.compile(found.origin, doraise=True)


@pytest.fixture
def impatient_clock():
    """Return a FixedClock at `NOW` whose monotonic time advances by a second at each read, so that waiting for a lock takes no time."""
    from tests.crash.recorder import Impatient

    return Impatient(NOW)


class ScratchBank:
    """A bank in a temporary repository. `root` is `.claude/memory`, `repository` the folder above it."""

    def __init__(self, repository: Path) -> None:
        self.repository = repository
        self.root = repository / ".claude" / "memory"
        self.active = self.root / "active"
        self.active.mkdir(parents=True)

    @property
    def layout(self):
        from memorybank.storage.layout import describe

        return describe(str(self.root.resolve()))

    def write(self, key: str, text: str | bytes = "", *, days_old: float = 10.0, at: int | None = None) -> Path:
        """Write one note (UTF-8 for str). Its mtime is `at` (ms), else `days_old` days before NOW."""
        path = self.active / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        instant = at if at is not None else NOW - int(days_old * DAY)
        os.utime(path, ns=(instant * 1_000_000, instant * 1_000_000))
        return path

    def episodes(self, *entries: Mapping[str, object], at: int | None = None) -> Path:
        """Write the list of episodes. Its mtime is `at` (ms), else a day before NOW. Members that an entry lacks are those of an ordinary day."""
        path = self.root / "episodes" / "episodic_memory.json"
        path.parent.mkdir(exist_ok=True)
        whole = [{"kind": "day", "created_at": f"{str(entry.get('date'))[:10]}T23:00:00Z", "covers": [], **entry} for entry in entries]
        path.write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
        instant = NOW - DAY if at is None else at
        os.utime(path, ns=(instant * 1_000_000, instant * 1_000_000))
        return path

    def configure(self, capability: str, text: str) -> Path:
        """Write `config/<capability>_config.json`."""
        path = self.root / "config" / f"{capability}_config.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def lead_away(self, folder: str, outside: Path) -> None:
        """Replace a folder of the bank by a symbolic link to `outside`, to which what was in the folder is moved."""
        path = self.root / folder
        if path.exists():
            path.rename(outside)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            outside.mkdir()
        path.symlink_to(outside)

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=self.repository, check=True, capture_output=True, text=True).stdout

    def snapshot(self, below: str = "") -> dict[str, tuple[str, int]]:
        """Return {path relative to the bank: (SHA-256, mtime_ns)} of every file in the bank or one of its folders. Folders have the digest ''."""
        found: dict[str, tuple[str, int]] = {}
        top = self.root / below
        for folder, _, names in os.walk(top):
            found[os.path.relpath(folder, self.root)] = ("", os.lstat(folder).st_mtime_ns)
            for name in names:
                path = os.path.join(folder, name)
                status = os.lstat(path)
                digest = hashlib.sha256(Path(path).read_bytes()).hexdigest() if os.path.isfile(path) and not os.path.islink(path) else "special"
                found[os.path.relpath(path, self.root)] = (digest, status.st_mtime_ns)
        return found


@pytest.fixture
def bank(tmp_path: Path) -> Callable[..., ScratchBank]:
    """Return a function that makes a ScratchBank of {key: text}; each call makes another one. git=True makes the folder a git repository."""
    return _banks_below(tmp_path)


@pytest.fixture(scope="module")
def shared_bank(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., ScratchBank]:
    """As `bank`, for a bank that several tests of a module share because they only read it, or copy it."""
    return _banks_below(tmp_path_factory.mktemp("shared"))


@cache
def _empty_repository() -> str:
    """Return the `.git` of a new repository, which git makes once."""
    folder = os.path.join(_HOME.name, "empty-repository")
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    return os.path.join(folder, ".git")


def _banks_below(folder: Path) -> Callable[..., ScratchBank]:
    made = 0

    def make(notes: Mapping[str, str | bytes] | None = None, *, git: bool = False, days_old: float = 10.0) -> ScratchBank:
        nonlocal made
        made += 1
        repository = folder / f"repository{made}"
        repository.mkdir()
        scratch = ScratchBank(repository)
        if git:
            shutil.copytree(_empty_repository(), repository / ".git")
        else:
            (repository / ".git").mkdir()
        for key, text in (notes or {}).items():
            scratch.write(key, text, days_old=days_old)
        return scratch

    return make

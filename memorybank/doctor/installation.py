"""Checks of this installation: the libraries and programs that commands need, the drivers in git, and the free disk space."""

import os
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.machinery import PathFinder
from importlib.util import cache_from_source, find_spec

from memorybank.config import own
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, UNKNOWN, WARN, Symptom
from memorybank.errors import MemorybankError
from memorybank.hosts import servers
from memorybank.hosts.program import on_path
from memorybank.installed import extra_command, library_command
from memorybank.merging import install
from memorybank.merging.kinds import DRIVER
from memorybank.storage import database, disk

PACKAGE = "memorybank"
LEAST_ROOM = 200 << 20
"""Minimum free space in bytes. With less, the next rotation, rebuild or log line may find the disk full."""
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)([^;]*)(;.*)?$")
"""Name, versions and marker of a requirement. One with a marker belongs to an extra or to another system."""
COMPILED = ("click", "memorybank.cli.main")
"""One module of each of two packages, tested in place of the entire package."""

_MOST_ATTRIBUTES = 1 << 20


def summarizer(context: DoctorContext) -> Iterator[Symptom]:
    """Report when the summarizer chosen in the person's own settings cannot be used."""
    mine = own.load(context.environ)
    chosen = mine.settings.summarizer
    if chosen.use == "llm" and find_spec("openai") is None:
        yield Symptom(FAIL, "your settings choose a model, but the library for it is not installed", context.shown(mine.path), extra_command("llm"))
    if chosen.use == "command":
        program = chosen.command[0] if chosen.command else ""
        if not program or not (os.access(program, os.X_OK) if os.path.isabs(program) else on_path(program)):
            what = f"your settings choose a program that does not exist: {program or 'none is named'}"
            yield Symptom(FAIL, what, context.shown(mine.path), "correct summarizer.command, or choose extractive")


def mcp(context: DoctorContext) -> Iterator[Symptom]:
    """Report registrations of the MCP server with which it cannot start."""
    for each in servers.server_statuses(context.project, context.environ):
        where = context.shown(each.path)
        if each.problem:
            yield Symptom(UNKNOWN, f"could not be read: {each.problem}", where, "correct the file; the host cannot read it either")
        for thing, step in each.missing:
            yield Symptom(FAIL, f"memorybank is registered here as an MCP server, but {thing} is missing", where, step)


def libraries(context: DoctorContext) -> Iterator[Symptom]:
    """Report required libraries that are missing or too old."""
    try:
        needed = metadata.requires(PACKAGE) or []
    except metadata.PackageNotFoundError:
        yield Symptom(
            UNKNOWN,
            "memorybank runs from its source code, without a list of the libraries that it needs",
            suggestion="pip install memorybank, or pip install -e .",
        )
        return
    for requirement in needed:
        found = _REQUIREMENT.match(requirement)
        if found is None or found[3]:
            continue
        name, least = found[1], re.search(r">=\s*([0-9.]+)", found[2])
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Symptom(FAIL, f"{name} is not installed", sys.prefix, library_command(requirement))
            continue
        if least is not None and _numbers(version) < _numbers(least[1]):
            yield Symptom(WARN, f"{name} {version} is installed, but {least[1]} or later is needed", sys.prefix, library_command(requirement))


def compiled(context: DoctorContext) -> Iterator[Symptom]:
    """Report when Python does not find compiled files and must compile the modules at every start."""
    lacking = {name: _folder(name) for name in COMPILED if not _is_compiled(name)}
    if lacking:
        what = f"no compiled files of {' and '.join(lacking)}: every command takes several times as long to start"
        compile_them = f"{sys.executable} -m compileall -q {' '.join(lacking.values())}"
        yield Symptom(WARN, what, sys.prefix, f"{compile_them}; check whether PYTHONDONTWRITEBYTECODE is set")


def full_text(context: DoctorContext) -> Iterator[Symptom]:
    """Report when the SQLite of this Python has no full-text search (FTS5)."""
    if not database.has_full_text():
        step = "use a Python whose SQLite was built with FTS5; those of python.org and of Linux distributions are"
        yield Symptom(FAIL, "the SQLite of this Python lacks FTS5: neither search nor recall can work", sys.executable, step)


def git_there(context: DoctorContext) -> Iterator[Symptom]:
    """Report when git, which knows the dates of notes in a repository, is not on the PATH."""
    if context.layout.repository is not None and not on_path("git"):
        yield Symptom(WARN, "git is not on the PATH: the dates of notes come from their files instead", os.environ.get("PATH", ""), "install git")


def disk_space(context: DoctorContext) -> Iterator[Symptom]:
    """Report when the disk of the bank is nearly full."""
    found = os.statvfs(context.layout.root)
    free = found.f_bavail * found.f_frsize
    if free < LEAST_ROOM:
        yield Symptom(WARN, f"only {free >> 20:,} MB are free on the disk of the bank", context.layout.relative(context.layout.root), "free some space")


def _is_compiled(name: str) -> bool:
    # The spec of a module that was loaded from `bytecode.COMMANDS` does not say where its source is, so the folders are searched.
    package = find_spec(name.rpartition(".")[0]) if "." in name else None
    found = PathFinder.find_spec(name, package.submodule_search_locations if package is not None else None)
    if found is None or found.origin is None:
        return False
    return os.path.exists(cache_from_source(found.origin)) or not found.has_location


def _folder(name: str) -> str:
    """Return the folder that a module was installed in; outside `sys.prefix` when it runs from a checkout."""
    package = find_spec(name.partition(".")[0])
    return os.path.dirname(package.origin) if package is not None and package.origin is not None else sys.prefix


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def merge_drivers(context: DoctorContext) -> Iterator[Symptom]:
    """Report drivers and hooks that are missing or outdated, in a bank whose attributes name the drivers."""
    try:
        data = disk.read(os.path.join(context.layout.root, install.ATTRIBUTES), _MOST_ATTRIBUTES)
    except (FileNotFoundError, MemorybankError):
        return
    if f"merge={DRIVER}".encode() not in data or context.layout.repository is None:
        return
    parts = install.GitInstallation(context.layout, install.GitProgram.of_this_installation()).parts()
    lacking = sum(part.state in (install.MISSING, install.OUTDATED) for part in parts)
    if lacking:
        what = f"{lacking} of {len(parts)} parts of the merge drivers are missing or outdated, so git merges files of the bank as text"
        yield Symptom(WARN, what, install.ATTRIBUTES, "'memorybank git install' writes them")

"""Hooks run at every prompt, tool call and turn: what such a process may load is a list, on every Python that is supported.

A module on that path says so in its docstring: "Light imports only: hooks load this file."
"""

import ast
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "memorybank"
SENTENCE = "Light imports only: hooks load this file."
BUILT_IN = {
    "__future__", "__main__", "_abc", "_codecs", "_collections_abc", "_frozen_importlib", "_frozen_importlib_external", "_imp", "_io", "_json", "_sha2",
    "_sha256", "_signal", "_sqlite3", "_stat", "_thread", "_warnings", "_weakref", "abc", "builtins", "codecs", "encodings", "encodings.aliases",
    "encodings.utf_8", "encodings.utf_8_sig", "errno", "fcntl", "genericpath", "io", "marshal", "math", "os", "os.path", "posix", "posixpath", "stat", "sys",
    "time", "unicodedata", "zipimport", "zlib",
}  # fmt: skip
"""The interpreter's own start, and C modules or what costs next to nothing. Deliberately not: re, typing, collections, dataclasses,
pathlib, json, enum, functools, contextlib, datetime, hashlib, sqlite3, click."""
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
for name in sys.argv[2:]:
    __import__(name)
print(*sorted(sys.modules))
"""


def pythons() -> dict[str, str]:
    """{version: interpreter} of every supported Python that this machine has: the one of the tests, pyenv's, those on the PATH."""
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path(pwd.getpwuid(os.getuid()).pw_dir) / ".pyenv")
    for version in VERSIONS:
        own = sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))
        on_path = shutil.which(f"python{version}")
        candidate = str(own[-1]) if own else on_path
        if candidate and subprocess.run([candidate, "-I", "-S", "-c", ""], capture_output=True, timeout=60).returncode == 0:
            found.setdefault(version, candidate)
    return found


PYTHONS = pythons()
EVERY_PYTHON = pytest.mark.parametrize("python", PYTHONS.values(), ids=PYTHONS)


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


LIGHT = [dotted(path) for path in sorted(PACKAGE.rglob("*.py")) if SENTENCE in (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")]


def own(name: str) -> bool:
    return name == "memorybank" or name.startswith("memorybank.")


@EVERY_PYTHON
def test_light_modules_load_nothing_else(python):
    """All of them together, in a bare interpreter: each import beyond the list costs every tool call of every session."""
    importable = [name for name in LIGHT if name != "memorybank.hook"]
    done = subprocess.run([python, "-I", "-S", "-c", PROBE, str(ROOT), *importable], capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {name for name in loaded if not own(name)} - BUILT_IN == set()
    rooms = {name.rsplit(".", depth)[0] for name in importable for depth in range(1, name.count(".") + 1)}
    assert {name for name in loaded if own(name)} - {*LIGHT, *rooms} == set(), "a light module loads one that does not promise to be light"


def test_rooms_on_the_light_path_are_empty():
    """A package's `__init__` runs whenever one of its modules is loaded."""
    rooms = {path.parent for path in PACKAGE.rglob("*.py") if dotted(path) in LIGHT} - {PACKAGE}
    assert [room.name for room in sorted(rooms) if (room / "__init__.py").read_text(encoding="utf-8").strip()] == []

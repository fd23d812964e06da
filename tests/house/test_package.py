"""The installed package: declared dependencies, the contents of the wheel, type information."""

import ast
import re
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from .sources import Nodes, asked_of_files, walked

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@asked_of_files
def imported_libraries(module: Nodes) -> set[str]:
    """Return the names of the third-party packages that a module imports, anywhere in it."""
    names = set()
    for node in module:
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    of_other_versions = {"_sha2", "_sha256"}  # hashes in C: _sha256 until 3.11, _sha2 from 3.12 on
    return names - set(sys.stdlib_module_names) - of_other_versions - {"memorybank", ""}


def normal(name: str) -> str:
    return name.lower().replace("_", "-")


def declared(lines: list[str]) -> set[str]:
    return {normal(re.split(r"[<>=\[; ]", line)[0]) for line in lines}


def test_every_imported_library_is_declared():
    """The libraries of an extra are imported only in the package with its name (`memorybank[mcp]`: `memorybank/mcp/`); all else works without it."""
    distributions = packages_distributions()
    missing = []
    for path in (ROOT / "memorybank").rglob("*.py"):
        room = path.relative_to(ROOT / "memorybank").parts[0]
        known = declared(PROJECT["dependencies"]) | declared(PROJECT["optional-dependencies"].get(room, []))
        for name in imported_libraries(path):
            if not {normal(found) for found in distributions.get(name, [name])} & known:
                missing.append(f"{path.relative_to(ROOT)}: {name}")
    assert missing == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    [path] = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return zipfile.ZipFile(path)


def test_the_wheel_carries_the_default_settings_and_their_schemas(wheel):
    """Installing from the package index gives the same JSON files as the repository."""
    shipped = sorted(path.relative_to(ROOT / "config").as_posix() for path in (ROOT / "config").rglob("*") if path.is_file())
    assert shipped
    for name in shipped:
        assert wheel.read(f"memorybank/config/defaults/{name}") == (ROOT / "config" / name).read_bytes()


def test_the_wheel_is_typed_and_holds_no_tests(wheel):
    names = wheel.namelist()
    assert "memorybank/py.typed" in names
    assert not [name for name in names if name.startswith("tests") or "__pycache__" in name]


def test_the_wheel_carries_what_hosts_start(wheel):
    """The hosts' settings name the hook's file and the plugin for opencode by absolute path, so both must be files of the package."""
    for name in ("memorybank/hook.py", "memorybank/hosts/opencode_plugin.js"):
        assert wheel.read(name) == (ROOT / name).read_bytes()


def test_the_wheel_carries_the_page(wheel):
    """The wheel has the templates, the style sheet, the script, and third-party files with their licences."""
    files = [path for folder in ("templates", "static") for path in (ROOT / "memorybank" / "ui" / folder).iterdir()]
    assert len(files) > 15 and {path.relative_to(ROOT).as_posix() for path in files} <= set(wheel.namelist())


def test_the_wheel_installs_the_command(wheel):
    [entry_points] = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    assert "memorybank = memorybank.__main__:main" in wheel.read(entry_points).decode()


def test_the_wheel_carries_man_pages_and_completions(wheel):
    """`man memorybank-search` works where the environment's `share/man` is on the path, and shells find the completions."""
    shipped = {name.partition(".data/data/")[2] for name in wheel.namelist() if ".data/data/" in name}
    files = {path.relative_to(ROOT).as_posix() for path in (ROOT / "share").rglob("*") if path.is_file()}
    assert shipped == files and {"share/man/man1/memorybank.1", "share/bash-completion/completions/memorybank"} <= files


def test_the_wheel_carries_the_licence_of_everything_in_it(wheel):
    """Each file that this project did not write is in LICENSES.md with its licence, whose text the wheel has."""
    licences = {name.partition("/licenses/")[2] for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert licences == {"LICENSE", "LICENSES.md", "memorybank/ui/static/htmx.LICENSE"}
    rows = re.findall(r"^\| `([^`]+)` \|.*`([^`]+)` \|$", (ROOT / "LICENSES.md").read_text(encoding="utf-8"), re.MULTILINE)
    third_party = {name for name in wheel.namelist() if re.search(r"\.min\.|\.woff|\.ttf|\.otf|/vendor/", name)}
    assert {file for file, _ in rows} == third_party
    assert {text for _, text in rows} == {name for name in licences if name.endswith(".LICENSE")}
    assert {path.name for path in ROOT.glob("memorybank/**/*LICENSE*")} == {Path(text).name for _, text in rows}


def test_versions_that_are_known_to_break_are_excluded():
    """A library whose next major version broke its interface before has an upper bound."""
    bounded = {
        normal(re.split(r"[<>=\[; ]", line)[0])
        for line in [*PROJECT["dependencies"], *(line for lines in PROJECT["optional-dependencies"].values() for line in lines)]
        if "<" in line
    }
    assert {"mcp", "openai", "pyromark", "starlette", "pyrage", "click"} <= bounded


def shadowed(module: Nodes) -> list[str]:
    """Return the methods whose unquoted annotation names a method of their class instead of the type of that name.

    From Python 3.14 on annotations are evaluated when they are read, with the names of the class: `list` is then `def list`. With the import
    of `annotations` they are texts.
    """
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in module[0].body):
        return []
    found = []
    for owner in (node for node in module if isinstance(node, ast.ClassDef)):
        methods = [node for node in owner.body if isinstance(node, ast.FunctionDef)]
        names = {method.name for method in methods}
        for method in methods:
            arguments = method.args
            notes = [method.returns, *(each.annotation for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))]
            used = {part.id for note in notes if note is not None for part in ast.walk(note) if isinstance(part, ast.Name)}
            found += [f"{owner.name}.{method.name}: {name}" for name in sorted(used & names)]
    return found


shadowed_of = asked_of_files(shadowed)


def test_no_annotation_means_a_method_on_python_3_14():
    assert {path.name: wrong for path in (ROOT / "memorybank").rglob("*.py") if (wrong := shadowed_of(path))} == {}
    assert shadowed(walked("class A:\n def list(self) -> list[int]: ...\n def b(self, c: list[str]) -> 'list[int]': ...")) == ["A.list: list", "A.b: list"]

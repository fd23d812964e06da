"""What manifests declare: commands (scripts of package.json, targets of a Makefile, recipes of a justfile) and versions of dependencies and runtimes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from memorybank.text.pattern import lazy_pattern
from memorybank.values import NamedTuple

MAX_BYTES = 1 << 20
"""Maximum size of a manifest that is read."""
_TARGET = lazy_pattern(r"^([A-Za-z0-9][\w.-]*(?: +[A-Za-z0-9][\w.-]*)*) *::?(?!=)", "m")
_RECIPE = lazy_pattern(r"^@?([A-Za-z_][\w-]*)(?: [^:=\n]*)?:(?!=)", "m")
_OPEN_MAKE = lazy_pattern(r"^(?:-?include|sinclude)\s|^(?:[^\t#\n$%]|\$(?![({]))*+(?:\$[({]|%)[^\n]*:(?!=)", "m")
_OPEN_JUST = lazy_pattern(r"^(?:import|mod)\??\s", "m")
_REQUIREMENT = lazy_pattern(r"^\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*\(?((?:\s*(?:,\s*)?[=~><!^]{1,3}\s*v?\d[\w.*+!-]*)*)", "m")
_GO_LINE = lazy_pattern(r"^[^\S\n]*(?:require\s+)?([\w.-]+(?:/[\w.-]+)+)\s+v(\d[\w.+-]*)|^go\s+(\d[\d.]*)", "m")
_RUNTIMES = {"nodejs": "node", "golang": "go"}


class Declared(NamedTuple):
    """What one version of a manifest declares.

    commands: keys of commands, such as `npm:build` and `make:deploy`.
    ranges: {name in lower case: its version or range as it is written, "" when any}.
    is_open: whether it has commands that cannot be listed, such as pattern rules and included files.
    """

    commands: frozenset[str] = frozenset()
    ranges: Mapping[str, str] = {}
    is_open: bool = False


NOTHING = Declared()


def is_manifest(path: str) -> bool:
    return path.rpartition("/")[2] in _READERS


def nearest(tracked: Iterable[str], accepts: Callable[[str], bool], most: int) -> list[str]:
    """Return at most `most` accepted files of the project itself, those nearest to the root first. A name with a line break cannot be asked of git."""
    paths = (path for path in tracked if accepts(path) and "node_modules/" not in path and "\n" not in path)
    return sorted(paths, key=lambda path: (path.count("/"), path))[:most]


def read(path: str, data: bytes) -> Declared:
    """Return what a manifest declares. Nothing for one that cannot be read, with `is_open` set: it may declare anything."""
    try:
        return _READERS[path.rpartition("/")[2]](data.decode("utf-8"))
    except (ValueError, RecursionError, AttributeError, TypeError):
        return Declared(is_open=True)


def _range(written: object) -> str:
    """Return a range as it is written; "" for anything else, such as an address."""
    return written if isinstance(written, str) and ":" not in written and "/" not in written else ""


def normal(name: str) -> str:
    """Return the name of a dependency in the form in which names are compared."""
    return name.lower().replace("_", "-")


def _package_json(text: str) -> Declared:
    import json  # late: most refreshes read no manifest

    found = json.loads(text)
    versions = {normal(name): _range(spec) for each in ("peer", "optional", "dev", "") for name, spec in _table(found, _dependencies(each)).items()}
    versions.update({normal(name): _range(spec) for name, spec in _table(found, "engines").items()})
    return Declared(frozenset(f"npm:{name}" for name in _table(found, "scripts")), versions)


def _dependencies(kind: str) -> str:
    return f"{kind}Dependencies" if kind else "dependencies"


def _pyproject(text: str) -> Declared:
    found = _toml(text)
    project, poetry = _table(found, "project"), _table(_table(_table(found, "tool"), "poetry"))
    listed = [*_list(project, "dependencies"), *(line for lines in _table(project, "optional-dependencies").values() for line in lines)]
    listed += [line for lines in _table(found, "dependency-groups").values() for line in lines if isinstance(line, str)]
    versions = dict(_requirements(listed))
    versions.update({normal(name): _range(spec) for name, spec in _table(poetry, "dependencies").items()})
    if "requires-python" in project:
        versions["python"] = _range(project["requires-python"])
    return Declared(frozenset(f"python:{name}" for name in (*_table(project, "scripts"), *_table(poetry, "scripts"))), versions)


def _toml(text: str) -> dict[str, Any]:
    import tomllib  # late: most refreshes read no manifest

    return tomllib.loads(text)


def _cargo(text: str) -> Declared:
    found = _toml(text)
    versions = {}
    for table in ("dependencies", "dev-dependencies", "build-dependencies"):
        for name, spec in _table(found, table).items():
            written = _range(spec.get("version") if isinstance(spec, dict) else spec)
            versions[normal(name)] = f"^{written}" if written[:1].isdecimal() else written  # as Cargo reads it
    if "rust-version" in _table(found, "package"):
        versions["rust"] = _range(found["package"]["rust-version"])
    return Declared(ranges=versions)


def _go_mod(text: str) -> Declared:
    versions = {}
    for match in _GO_LINE.finditer(text):
        versions["go" if match[3] else normal(match[1].rpartition("/")[2])] = _range(match[3] or match[2])
    return Declared(ranges=versions)


def _requirements_txt(text: str) -> Declared:
    return Declared(ranges=dict(_requirements(line.partition("#")[0] for line in text.splitlines() if not line.lstrip().startswith(("-", "#")))))


def _requirements(lines: Any) -> Iterator[tuple[str, str]]:
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match is not None:
            yield normal(match[1]), _range(match[2] or "")


def _tool_versions(text: str) -> Declared:
    pairs = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return Declared(ranges={_RUNTIMES.get(pair[0], normal(pair[0])): _range(pair[1]) for pair in pairs if len(pair) > 1})


def _makefile(text: str) -> Declared:
    names = (name for match in _TARGET.finditer(text) for name in match[1].split())
    return Declared(frozenset(f"make:{name}" for name in names), is_open=_OPEN_MAKE.search(text) is not None)


def _justfile(text: str) -> Declared:
    return Declared(frozenset(f"just:{match[1]}" for match in _RECIPE.finditer(text)), is_open=_OPEN_JUST.search(text) is not None)


def _one_version(name: str) -> Callable[[str], Declared]:
    return lambda text: Declared(ranges={name: _range(text.strip())})


def _table(found: Any, name: str = "") -> dict[str, Any]:
    value = found.get(name, {}) if name else found
    return value if isinstance(value, dict) else {}


def _list(found: dict[str, Any], name: str) -> list[str]:
    value = found.get(name, [])
    return [line for line in value if isinstance(line, str)] if isinstance(value, list) else []


_READERS: dict[str, Callable[[str], Declared]] = {
    "package.json": _package_json,
    "pyproject.toml": _pyproject,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
    "requirements.txt": _requirements_txt,
    ".tool-versions": _tool_versions,
    "Makefile": _makefile,
    "makefile": _makefile,
    "GNUmakefile": _makefile,
    "justfile": _justfile,
    "Justfile": _justfile,
    ".nvmrc": _one_version("node"),
    ".node-version": _one_version("node"),
    ".python-version": _one_version("python"),
}

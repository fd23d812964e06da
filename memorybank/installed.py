"""Finds out how memorybank was installed (pip, uv, pipx), and which command adds an extra or a library to that installation."""

import json
import os
import shlex
import sys
from typing import Any, NamedTuple

_PACKAGE = "memorybank"


class InstallationRecord(NamedTuple):
    """The installer's record of an installation.

    installer: `uv tool`, `pipx`, `uv pip` or `pip`
    source: folder or URL that the package came from; "" for a package index
    extras: extras that were requested; pip keeps none
    is_editable: whether the package runs from its source folder
    """

    installer: str
    source: str = ""
    extras: tuple[str, ...] = ()
    is_editable: bool = False

    def requirement(self, extra: str) -> str:
        """Return the requirement of the package with its extras and another one."""
        extras = f"[{','.join(sorted({*self.extras, extra}))}]"
        if not self.source:
            return _PACKAGE + extras
        return f"{_PACKAGE}{extras} @ {self.source}" if "://" in self.source else self.source + extras


def extra_command(extra: str) -> str:
    """Return the command that adds an extra, such as `mcp`, to the installation that runs now, and keeps the extras that it has."""
    record = read_record(sys.prefix)
    wanted = record.requirement(extra)
    quoted = f"'{wanted}'" if "'" not in wanted else shlex.quote(wanted)
    editable = "-e " if record.is_editable else ""
    if record.installer == "uv tool":
        return f"uv tool install {editable}{quoted}"
    if record.installer == "pipx":
        return f"pipx install --force {'--editable ' if editable else ''}{quoted}"
    return f"{_pip(record)} {editable}{quoted}"


def library_command(requirement: str) -> str:
    """Return the command that repairs a required library of the installation that runs now.

    requirement: name and versions
    """
    record = read_record(sys.prefix)
    if record.installer == "uv tool":
        return f"uv tool upgrade --reinstall {_PACKAGE}"
    return f"pipx reinstall {_PACKAGE}" if record.installer == "pipx" else f"{_pip(record)} '{requirement}'"


def read_record(prefix: str) -> InstallationRecord:
    """Return how the environment in the folder `prefix` was made. A record that cannot be read counts as a plain installation.

    `uv tool` writes uv-receipt.toml and pipx writes pipx_metadata.json into the environment; pip writes direct_url.json next to the package.
    """
    if os.path.exists(os.path.join(prefix, "uv-receipt.toml")):
        return _uv_tool(os.path.join(prefix, "uv-receipt.toml"))
    if os.path.exists(os.path.join(prefix, "pipx_metadata.json")):
        return _pipx(os.path.join(prefix, "pipx_metadata.json"))
    from importlib.util import find_spec

    found = _direct_url()
    folder = found.get("dir_info")
    source = str(found.get("url") or "")
    if source.startswith("file://") and folder is not None:
        from urllib.parse import unquote

        source = unquote(source.removeprefix("file://"))
    elif found.get("vcs_info"):
        source = f"{found['vcs_info'].get('vcs', 'git')}+{source}"
    return InstallationRecord("pip" if find_spec("pip") else "uv pip", source, (), bool(folder and folder.get("editable")))


def _pip(record: InstallationRecord) -> str:
    """Return the beginning of a command that installs packages for this interpreter. It says `python` only if the shell's `python` is this interpreter."""
    if record.installer == "uv pip":
        return f"uv pip install --python {shlex.quote(sys.executable)}"
    return f"{'python' if _first_python() == sys.executable else shlex.quote(sys.executable)} -m pip install"


def _first_python() -> str:
    """Return the file that a shell runs for `python`; "" if there is none."""
    paths = (os.path.join(folder, "python") for folder in os.environ.get("PATH", "").split(os.pathsep) if folder)
    return next((path for path in paths if os.access(path, os.X_OK)), "")


def _uv_tool(path: str) -> InstallationRecord:
    import tomllib

    try:
        with open(path, "rb") as file:
            requirements = tomllib.load(file)["tool"]["requirements"]
        mine: dict[str, Any] = next(each for each in requirements if each["name"] == _PACKAGE)
        editable = mine.get("editable")
        source = (
            (editable if isinstance(editable, str) else "")
            or mine.get("directory")
            or mine.get("path")
            or mine.get("url")
            or (f"git+{mine['git']}" if "git" in mine else "")
        )
        return InstallationRecord("uv tool", str(source), tuple(map(str, mine.get("extras", ()))), bool(editable))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration):
        return InstallationRecord("uv tool")


def _pipx(path: str) -> InstallationRecord:
    try:
        with open(path, encoding="utf-8") as file:
            main = json.load(file)["main_package"]
        base, _, rest = str(main["package_or_url"]).partition("[")
        extras, _, version = rest.partition("]")
        url = version.partition("@")[2].strip()
        name = base.partition("@")[0].strip().rstrip("=<>~!0123456789. ")
        source = url or (base.partition("@")[2].strip() if name == _PACKAGE else base)
        chosen = tuple(filter(None, (each.strip() for each in extras.split(","))))
        return InstallationRecord("pipx", source, chosen, "--editable" in main.get("pip_args", ()))
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return InstallationRecord("pipx")


def _direct_url() -> dict[str, Any]:
    from importlib import metadata

    try:
        found = json.loads(metadata.distribution(_PACKAGE).read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}

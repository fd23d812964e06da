"""The names of paths, as `os.path` joins and normalises them. The disk is not consulted, and `os` is not loaded."""

from __future__ import annotations

__light__ = True


def join(base: str, *parts: str) -> str:
    """Return a path and the parts below it as one path; an absolute part begins it anew."""
    for part in parts:
        base = part if part.startswith("/") else base + part if not base or base.endswith("/") else f"{base}/{part}"
    return base


def basename(name: str) -> str:
    """Return what follows the last slash."""
    return name.rpartition("/")[2]


def dirname(name: str) -> str:
    """Return what precedes the last slash, without slashes at its end unless it consists of nothing else."""
    head = name[: name.rfind("/") + 1]
    return head.rstrip("/") or head


def normpath(name: str) -> str:
    """Return a path without `.`, `..` and doubled slashes, as far as its name alone tells."""
    if is_normal(name):
        return name
    try:
        from posix import _path_normpath  # type: ignore[attr-defined]  # typeshed lacks it; what `os.path.normpath` calls
    except ImportError:
        from os.path import normpath

        return normpath(name)
    return _path_normpath(name) or "."


def is_normal(name: str) -> bool:
    """Return whether a path is absolute and `normpath` would not change it."""
    return name == "/" or (name[:1] == "/" != name[-1:] and "//" not in name and "/./" not in f"{name}/" and "/../" not in f"{name}/")

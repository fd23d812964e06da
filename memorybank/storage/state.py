"""The person's own state folder on this machine, `$XDG_STATE_HOME/memorybank`. Nothing in it is ever part of a repository."""

from __future__ import annotations

__light__ = True

from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def folder(environ: Mapping[str, str]) -> str:
    """Return the absolute path of the state folder. A relative `XDG_STATE_HOME` is ignored, as its specification demands."""
    state = environ.get("XDG_STATE_HOME", "")
    if not state.startswith("/"):
        state = os.path.join(environ.get("HOME") or os.path.expanduser("~"), ".local", "state")
    return os.path.join(state, "memorybank")

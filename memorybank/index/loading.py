"""Records which files of sources a host loads because its instructions import them with `@path`."""

from __future__ import annotations

from memorybank.config.sources import INSTRUCTIONS
from memorybank.index.changes import FoldChanges
from memorybank.index.working import Index
from memorybank.notes import loaded
from memorybank.storage.source_keys import is_source_key

_DEPTH = 4
"""Maximum depth of nested imports, as in Claude Code."""


def settle(index: Index, changes: FoldChanges) -> None:
    """Record the imports again if a file of a source changed."""
    if any(map(is_source_key, changes.keys())):
        connection = index.connection
        before = dict(connection.execute("SELECT key, imported_by FROM notes WHERE imported_by <> ''"))
        after = _imported(index)
        for key in before.keys() | after.keys():
            if before.get(key, "") != after.get(key, ""):
                connection.execute("UPDATE notes SET imported_by = ? WHERE key = ?", (after.get(key, ""), key))


def _imported(index: Index) -> dict[str, str]:
    """Return {key: the hosts that load the file through an import, each between spaces}."""
    names = [source.name for source in index.sources.sources if source.kind == INSTRUCTIONS]
    found: dict[str, set[str]] = {}
    keys = {key.casefold(): key for (key,) in index.connection.execute("SELECT key FROM notes WHERE source <> ''")}
    for host in loaded.IMPORTING:
        marks = ",".join("?" * len(names))
        pending = [row[0] for row in index.connection.execute(f"SELECT key FROM notes WHERE source IN ({marks}) AND loaded_by LIKE ?", (*names, f"% {host} %"))]
        seen = set(pending)
        for _ in range(_DEPTH):
            pending = [key for importing in pending for key in _imports(index, importing, keys) if key not in seen]
            seen.update(pending)
            for key in pending:
                found.setdefault(key, set()).add(host)
    return {key: f" {' '.join(sorted(hosts))} " for key, hosts in found.items()}


def _imports(index: Index, key: str, keys: dict[str, str]) -> list[str]:
    row = index.connection.execute("SELECT text FROM folded f JOIN notes n ON n.id = f.id WHERE n.key = ?", (key,)).fetchone()
    # The stored text is case-folded, so names are compared without case.
    return [keys[path.casefold()] for path in loaded.imports(key, row[0]) if path.casefold() in keys] if row is not None else []

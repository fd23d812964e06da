"""The sources that a bank reads in place, with facts about them."""

from __future__ import annotations

from typing import Any

from memorybank.config.sources import Source
from memorybank.index import queries
from memorybank.index.working import Index
from memorybank.values import Value


class SourceState(Value):
    """A source with facts about it.

    files: number of its indexed files
    size: their size in bytes
    path: its path in the form in which it is shown
    loaded_by: hosts that load some of its files themselves
    """

    source: Source
    files: int
    size: int
    path: str
    loaded_by: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.source.name,
            "kind": self.source.kind,
            "path": self.path,
            "private": self.source.is_private,
            "files": self.files,
            "size_bytes": self.size,
            "loaded_by": list(self.loaded_by),
        }


def source_states(index: Index) -> list[SourceState]:
    """Return the sources of a bank by name. The caller has brought the index up to date."""
    counts, hosts = queries.source_counts(index.connection), queries.hosts_of_sources(index.connection)
    return [
        SourceState(source, *counts.get(source.name, (0, 0)), index.layout.relative(source.root), hosts.get(source.name, ()))
        for source in sorted(index.sources.sources, key=lambda source: source.name)
    ]

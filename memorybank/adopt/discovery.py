"""What `memorybank adopt` finds: one `Discovery` for each place where a project already keeps knowledge. Finding reads names only and writes nothing."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping

from memorybank.config import personal_bank
from memorybank.config.sources import Source, SourceList
from memorybank.notes import source_files
from memorybank.storage.layout import IN_REPOSITORY, Layout, project_of
from memorybank.values import Value


class Discovery(Value):
    """One place with files that can be adopted.

    source: the source that adopting this place would declare
    sizes: {key of a file: bytes}, sorted by key
    remark: a fact that a person should know, as a sentence without a full stop; "" for none
    is_adopted: whether a source with this root exists
    can_adopt: whether it has files that belong to this project
    """

    source: Source
    sizes: dict[str, int]
    remark: str = ""
    is_adopted: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """The keys of the files, sorted."""
        return tuple(self.sizes)

    @property
    def size(self) -> int:
        """Size of all files in bytes."""
        return sum(self.sizes.values())

    @property
    def can_adopt(self) -> bool:
        return bool(self.sizes)

    def with_files(self, files: Collection[str]) -> Discovery:
        return Discovery(self.source, {file: size for file, size in self.sizes.items() if file in files}, self.remark, self.is_adopted)


class AdoptionPlace(Value):
    """The places in which finders look.

    layout: the bank
    environment: environment variables, which say where programs keep their files
    """

    layout: Layout
    environment: Mapping[str, str]

    @property
    def base(self) -> str:
        """The repository's folder."""
        return self.layout.base

    @property
    def project(self) -> str:
        """The name by which other programs know this project."""
        return os.path.basename(self.base)

    @property
    def folders(self) -> Iterator[str]:
        """The folders in which agents of this project are started, the most likely one first."""
        yield from dict.fromkeys((project_of(self.layout), self.base))

    def home(self, *parts: str) -> str:
        """Return a path below the person's home folder."""
        return os.path.join(personal_bank.home(self.environment), *parts)

    def inside(self, name: str, kind: str, path: str, remark: str = "") -> Discovery | None:
        """Return a file or folder of the repository as a discovery; None when it does not exist or is a symbolic link."""
        root = os.path.join(self.base, path) if path != "." else self.base
        if os.path.realpath(root) != root or not os.path.exists(root):
            return None
        key = "." if path == "." else IN_REPOSITORY + path
        return self._discovery(Source(name, kind, root, key, (), False, self.base), remark)

    def outside(self, name: str, kind: str, root: str, remark: str = "") -> Discovery | None:
        """Return a file or folder elsewhere as a discovery; None when it does not exist. A path inside the repository counts as one of the repository."""
        root = os.path.realpath(root)
        if not os.path.exists(root) or root in ("/", os.path.realpath(self.home())):
            return None
        if root == self.base or root.startswith(self.base + os.sep):
            return self.inside(name, kind, os.path.relpath(root, self.base), remark)
        return self._discovery(Source(name, kind, root, root, (), True, self.base), remark)

    def _discovery(self, source: Source, remark: str) -> Discovery:
        found = source_files.sweep(SourceList((source,), ()), skipped=self.layout.root).files
        return Discovery(source, {key: found[key].st_size for key in sorted(found)}, remark)

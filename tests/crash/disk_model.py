"""A disk that remembers what is durable: files with synced and unsynced bytes, folders with synced and unsynced names.

A recorded trace is applied step by step; after each step the model tells what a power loss could leave. POSIX promises no more
than this: data is durable after fsync of the file, a name after fsync of its folder, a rename is two changes of names; a name that
is replaced names the old file or the new one, never none.
"""

import os
from collections.abc import Iterable, Iterator


class File:
    def __init__(self, data: bytes = b"", mtime_ns: int | None = None, *, durable: bool = False) -> None:
        self.data = data
        self.durable = data if durable else b""
        self.mtime_ns = mtime_ns

    @property
    def is_dirty(self) -> bool:
        return self.data != self.durable


class Folder:
    def __init__(self, *, durable: bool = False) -> None:
        self.names: dict[str, File | Folder] = {}
        self.durable: dict[str, File | Folder] = {}


class State(dict):
    """What one crash leaves: {path: File} with the bytes in question as `bytes`, and `folders`. variant names the crash."""

    def __init__(self, variant: str) -> None:
        super().__init__()
        self.variant = variant
        self.folders: set[str] = set()
        self.files: dict[str, File] = {}

    def key(self) -> tuple[frozenset, frozenset]:
        """Equal for equal states. Python keeps the hash of a string and of bytes, so most of the work is done once per file."""
        return frozenset(self.items()), frozenset(self.folders)

    def write_to(self, root: str) -> None:
        """Make the state real; two names of one file become hard links."""
        os.makedirs(root)
        for folder in sorted(self.folders):
            os.makedirs(os.path.join(root, folder), exist_ok=True)
        seen: dict[int, str] = {}
        for path, data in self.items():
            target = os.path.join(root, path)
            file = self.files[path]
            if id(file) in seen:
                os.link(seen[id(file)], target)
                continue
            with open(target, "wb") as stream:
                stream.write(data)
            if file.mtime_ns is not None:
                os.utime(target, ns=(file.mtime_ns, file.mtime_ns))
            seen[id(file)] = target


class Model:
    def __init__(self, root: str) -> None:
        """The disk as it lies at `root`, all of it durable."""
        self.top = Folder()
        self.open: dict[str, File] = {}
        self.last_write: tuple[File, bytes] | None = None
        self.chosen: object = None
        for folder, _, names in os.walk(root):
            relative = os.path.relpath(folder, root)
            if relative != ".":
                self._folder(os.path.dirname(relative)).names[os.path.basename(relative)] = Folder()
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith(".lock"):
                    continue
                with open(path, "rb") as stream:
                    self._folder(relative).names[name] = File(stream.read(), os.lstat(path).st_mtime_ns, durable=True)
        self._settle(self.top)

    def apply(self, step: tuple) -> None:
        self.last_write = None
        getattr(self, f"_{step[0]}")(*step[1:])

    def after(self, steps: Iterable[tuple]) -> "Model":
        """This model after these steps."""
        for step in steps:
            self.apply(step)
        return self

    def killed(self, root: str) -> str:
        """Make real at `root` what a kill leaves now: everything, synced or not. Returns `root`."""
        next(self.variants()).write_to(root)
        return root

    def crashes(self, trace: Iterable[tuple], *, mixed: bool = True) -> Iterator[tuple[str, State]]:
        """Apply the steps of a trace. Yield each distinct state that a crash could leave before, between and after them, once, and when it is left.

        mixed: also the mixtures
        """
        seen = set()
        for number, step in enumerate([None, *trace]):
            if step is not None:
                self.apply(step)
            for state in (*self.variants(), *(self.mixtures() if mixed else ())):
                key = state.key()
                if key not in seen:
                    seen.add(key)
                    yield f"after step {number} {step[:3] if step else ''}, {state.variant}", state

    def variants(self) -> Iterator[State]:
        """The states that a crash could leave now: everything unsynced is there, or is not. Variants that would equal an earlier one are left out."""
        bytes_at_risk, names_at_risk = self._at_risk(self.top)
        yield self._state("applied")
        if bytes_at_risk:
            yield from map(self._state, ("data lost", "data zeroed"))
        if names_at_risk:
            yield from map(self._state, ("names lost", "additions lost", "removals lost"))
        if bytes_at_risk and names_at_risk:
            yield self._state("both lost")
        if self.last_write is not None:
            yield self._state("last write torn")

    def mixtures(self) -> Iterator[State]:
        """Further ones: of all that is unsynced, the names of one folder or the bytes of one file alone are lost, or alone are kept."""
        dirty = [node for node in self._nodes(self.top) if (node.is_dirty if isinstance(node, File) else node.names != node.durable)]
        for node in dirty if len(dirty) > 1 else ():
            for variant in ("only this lost", "only this kept"):
                self.chosen = node
                yield self._state(variant)
        self.chosen = None

    def is_clean(self, step: tuple) -> bool:
        """Whether a sync step would change nothing: what it syncs is durable already."""
        if step[0] == "sync":
            return not self.open[step[1]].is_dirty
        folder = self._folder(step[1])
        return folder.names == folder.durable

    def node(self, step: tuple) -> object:
        return self.open[step[1]] if step[0] == "sync" else self._folder(step[1])

    # steps

    def _mkdir(self, path: str) -> None:
        self._folder(os.path.dirname(path)).names[os.path.basename(path)] = Folder()

    def _create(self, path: str, token: str) -> None:
        self.open[token] = File()
        self._folder(os.path.dirname(path)).names[os.path.basename(path)] = self.open[token]

    def _open(self, path: str, token: str) -> None:
        self.open[token] = self._node(path)

    def _write(self, token: str, data: bytes, appends: bool) -> None:
        file = self.open[token]
        self.last_write = (file, file.data)
        file.data += data

    def _truncate(self, token: str, length: int) -> None:
        self.open[token].data = self.open[token].data[:length]

    def _sync(self, token: str) -> None:
        self.open[token].durable = self.open[token].data

    def _sync_folder(self, path: str) -> None:
        folder = self._folder(path)
        folder.durable = dict(folder.names)

    def _link(self, source: str, target: str) -> None:
        self._folder(os.path.dirname(target)).names[os.path.basename(target)] = self._node(source)

    def _rename(self, source: str, target: str) -> None:
        node = self._folder(os.path.dirname(source)).names.pop(os.path.basename(source))
        self._folder(os.path.dirname(target)).names[os.path.basename(target)] = node

    def _unlink(self, path: str) -> None:
        del self._folder(os.path.dirname(path)).names[os.path.basename(path)]

    def _rmdir(self, path: str) -> None:
        del self._folder(os.path.dirname(path)).names[os.path.basename(path)]

    def _utime(self, token: str, mtime_ns: int) -> None:
        self.open[token].mtime_ns = mtime_ns

    # states

    def _state(self, variant: str) -> State:
        state = State(variant)
        self._collect(self.top, "", state)
        return state

    def _collect(self, folder: Folder, prefix: str, state: State) -> None:
        for name, node in self._names(folder, state.variant).items():
            path = prefix + name
            if isinstance(node, Folder):
                state.folders.add(path)
                self._collect(node, path + "/", state)
            else:
                state[path] = self._bytes(node, state.variant)
                state.files[path] = node

    def _names(self, folder: Folder, variant: str) -> dict[str, File | Folder]:
        if variant in ("names lost", "both lost"):
            return folder.durable
        if variant == "additions lost":
            return {name: node for name, node in folder.durable.items() if name in folder.names}
        if variant == "removals lost":
            return {**folder.durable, **folder.names}
        return folder.durable if self._is_lost(folder, variant) else folder.names

    def _is_lost(self, node: object, variant: str) -> bool:
        return (variant == "only this lost" and node is self.chosen) or (variant == "only this kept" and node is not self.chosen)

    def _bytes(self, file: File, variant: str) -> bytes:
        if variant in ("data lost", "both lost") or self._is_lost(file, variant):
            return file.durable
        if variant == "data zeroed" and file.is_dirty:
            return file.durable + bytes(len(file.data) - len(file.durable)) if len(file.data) > len(file.durable) else file.durable
        if variant == "last write torn" and self.last_write is not None and file is self.last_write[0]:
            before = self.last_write[1]
            return before + file.data[len(before) : len(before) + (len(file.data) - len(before)) // 2]
        return file.data

    def _at_risk(self, folder: Folder) -> tuple[bool, bool]:
        """(whether some file has unsynced bytes, whether some folder has unsynced names), also below names whose removal is not synced."""
        in_bytes, in_names = False, folder.names != folder.durable
        for node in (*folder.names.values(), *(folder.durable.values() if in_names else ())):
            below = self._at_risk(node) if isinstance(node, Folder) else (node.is_dirty, False)
            in_bytes, in_names = in_bytes or below[0], in_names or below[1]
        return in_bytes, in_names

    def _nodes(self, folder: Folder) -> Iterator[object]:
        yield folder
        for node in folder.names.values():
            yield from self._nodes(node) if isinstance(node, Folder) else (node,)

    def _node(self, path: str):
        return self._folder(os.path.dirname(path)).names[os.path.basename(path)]

    def _folder(self, path: str) -> Folder:
        folder = self.top
        for part in path.split("/"):
            if part not in ("", "."):
                folder = folder.names[part]
        return folder

    def _settle(self, folder: Folder) -> None:
        folder.durable = dict(folder.names)
        for node in folder.names.values():
            if isinstance(node, Folder):
                self._settle(node)

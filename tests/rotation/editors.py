"""Editors that write a note while a rotation runs: at the k-th change of the disk one of them saves, in its own way."""

import os
from collections.abc import Callable

SAVED = "edited meanwhile, 途中で編集\n".encode()


def in_place(path: str) -> bytes:
    """Opens, appends, closes; a vanished note is saved anew."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "ab") as stream:
        stream.write(SAVED)
    with open(path, "rb") as stream:
        return stream.read()


def by_rename(path: str) -> bytes:
    """Writes a temporary file and renames it over the note, as vim and most editors do."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".swp", "wb") as stream:
        stream.write(SAVED)
    os.replace(path + ".swp", path)
    return SAVED


class HoldingOpen:
    """Opened the note before the rotation began and writes through that descriptor."""

    def __init__(self, path: str) -> None:
        self.stream = open(path, "r+b")  # noqa: SIM115 (held open on purpose)

    def __call__(self, path: str) -> bytes:
        self.stream.seek(0)
        self.stream.truncate()
        self.stream.write(SAVED)
        self.stream.flush()
        return SAVED

    def close(self) -> None:
        self.stream.close()


def editing_os(base: type, k: int, edit: Callable[[], None]) -> object:
    """An `os` whose k-th change of the disk (from 0) is preceded by an edit. base: recorder.Counting."""

    class Editing(base):
        def _call(self, name, arguments, options):
            if len(self.calls) == k:
                self.calls.append("edit")
                edit()
            return super()._call(name, arguments, options)

    return Editing()

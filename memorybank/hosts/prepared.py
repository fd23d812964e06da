"""What is prepared for the file of `hosts.bytecode_file`, kept while the file is incomplete, so that a run that is killed leaves its work to the next one.

Like that file, it is valid only for the interpreter and the writer that made it. Any damage has the same answer as a missing file: begin again.
"""

from collections.abc import Callable
from marshal import dumps, loads
from typing import Any

from memorybank.clock import Clock
from memorybank.storage import disk

KEPT_EVERY = 0.5
"""Seconds after which a run keeps what it has prepared since."""


class PreparedWork(dict[tuple[Any, ...], Any]):
    """What is prepared, by what it follows from; values that `marshal` can write. path: where it is kept, "" for nowhere. made_by: interpreter and writer."""

    def __init__(self, path: str = "", made_by: tuple[Any, ...] = ()) -> None:
        self._path = path
        self._made_by = made_by
        self._clock = Clock()
        self._kept_at = self._clock.monotonic()
        try:
            with open(path, "rb") as stream:
                other, found = loads(stream.read())
            self.update(found if other == made_by else {})
        except (OSError, ValueError, EOFError, TypeError):
            return

    def of(self, key: tuple[Any, ...], make: Callable[..., Any], *values: Any) -> Any:
        """Return what follows from a key: what `make` returns for some values, if no run has made it."""
        if key not in self:
            self[key] = make(*values)
            if self._path and self._clock.monotonic() - self._kept_at >= KEPT_EVERY:
                disk.replace(self._path, [dumps((self._made_by, dict(self)))], mode=disk.USER_FILE, durable=False)
                self._kept_at = self._clock.monotonic()
        return self[key]

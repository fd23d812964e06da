"""Rewrites lines of the rotation log without a purged text: it is marked wherever people may have written it.

These are keys, the names of objects and backups that were derived from keys, and titles, topics, gists and reasons. Everything else (kinds,
instants, digests, ids) stays, whatever the text is.
"""

from typing import Any

from memorybank.archive.purged import key_without, path_without
from memorybank.text.needle import PurgeNeedle

_KEYS = ("path", "original_path", "as")
_OBJECTS = ("archive_path", "replaces")
_TEXTS = ("title", "gist", "reason")


class LogMarks:
    """Replaces a text in log lines by its mark.

    keys: {path of an object: the key from which its name was derived}
    left_alone: (rotation id, key) of notes whose lines stay as they are
    """

    def __init__(self, needle: PurgeNeedle, keys: dict[str, str], left_alone: set[tuple[str, str]]) -> None:
        self._needle = needle
        self._left_alone = left_alone
        self._objects = {path: path_without(path, key, needle) for path, key in keys.items()}

    def object(self, path: str) -> str:
        """Return the marked path of an object."""
        return self._objects.get(path, path)

    def backup(self, path: str, key: str) -> str:
        """Return the marked path of a note's backup."""
        return path.removesuffix(key) + key_without(key, self._needle) if path.endswith(f"/{key}") else path

    def line(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return one line with the text marked; an equal line when it does not contain the text."""
        if (fields.get("rotation_id"), fields.get("path")) in self._left_alone:
            return fields
        changed = dict(fields)
        for name in _KEYS:
            if isinstance(fields.get(name), str):
                changed[name] = key_without(fields[name], self._needle)
        for name in _OBJECTS:
            if isinstance(fields.get(name), str):
                changed[name] = self.object(fields[name])
        key = fields.get("original_path") or fields.get("path")
        if isinstance(fields.get("backup_path"), str) and isinstance(key, str):
            changed["backup_path"] = self.backup(fields["backup_path"], key)
        if isinstance(fields.get("sidecar"), dict):
            changed["sidecar"] = self._sidecar(fields["sidecar"])
        return changed

    def _sidecar(self, sidecar: dict[str, Any]) -> dict[str, Any]:
        """Mark a sidecar that the log recorded. Its checksum stays that of the old sidecar; the `purged` line contains the valid one."""
        changed = dict(sidecar)
        changed.update({name: self._needle.masked(sidecar[name]) for name in _TEXTS if isinstance(sidecar.get(name), str)})
        key, name, topics = sidecar.get("original_path"), sidecar.get("object"), sidecar.get("topics")
        if isinstance(key, str):
            changed["original_path"] = key_without(key, self._needle)
            if isinstance(name, str):
                changed["object"] = path_without(f"/{name}", key, self._needle).removeprefix("/")
        if isinstance(topics, list):
            changed["topics"] = [self._needle.masked(topic) if isinstance(topic, str) else topic for topic in topics]
        return changed

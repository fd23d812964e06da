"""One archived note: its file names, and the sidecar that contains everything that restore and verify need.

    archive/by_date/2025/09/20250917T123456Z-overview-1a2b3c4d.md.zst    the object: one zstd frame (plain `.md` when not compressed)
    archive/by_date/2025/09/20250917T123456Z-overview-1a2b3c4d.json      its sidecar

The last part of the name is the first 8 hex digits of SHA-256(key NUL content digest). A sidecar is canonical JSON (sorted keys, two spaces
of indentation, UTF-8, final newline). It contains the SHA-256 of its own bytes without the `checksum` line, so that any changed byte is
detected.
"""

import json
import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from memorybank import clock
from memorybank.archive.files import BY_DATE as BY_DATE
from memorybank.archive.files import SIDECAR as SIDECAR
from memorybank.errors import NewerFormat, UsageError, ValidationFailed
from memorybank.storage.layout import MAX_NOTE_BYTES, safe_parts

VERSION = 1
"""The format of a sidecar. Every format has `version`, and its checksum in the line where this one has it."""
COMPRESSED = ".md.zst"
PLAIN = ".md"
MAX_OBJECT_BYTES = MAX_NOTE_BYTES + (1 << 20)
MAX_SIDECAR_BYTES = 1 << 18
_CHECKSUM = b'\n  "checksum": "'
"""Start of the line with a sidecar's checksum. The checksum covers the bytes without that line."""
_SLUG_BYTES = 80
_TITLE_CHARACTERS = 200
_TOPICS = 50
_TOPIC_CHARACTERS = 80
_GIST_CHARACTERS = 160
_REASON_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class ArchiveObject:
    """An archived note.

    id: file name without suffixes
    original_path: the note's key
    sha256, size: of the note's bytes
    object_sha256, object_size: of the stored file
    mtime_ns: modification time of the note's file (ns)
    archived_at, delete_after: instants (ms); `delete_after` only for rule `low`
    purged_at: when `purge` removed a text from the note, which therefore differs from the archived one; None when that never happened
    """

    id: str
    original_path: str
    title: str
    topics: tuple[str, ...]
    gist: str
    importance: float
    rule: str
    reason: str
    sha256: str
    size: int
    mtime_ns: int
    archived_at: int
    delete_after: int | None
    rotation_id: str
    compressed: bool
    object_sha256: str
    object_size: int
    purged_at: int | None = None

    @property
    def folder(self) -> str:
        """The folder relative to the bank: `archive/by_date/YYYY/MM`."""
        return folder_of(self.archived_at)

    @property
    def object_name(self) -> str:
        return self.id + (COMPRESSED if self.compressed else PLAIN)

    @property
    def object_path(self) -> str:
        """The object's path relative to the bank. The rotation log refers to the object by this path."""
        return f"{self.folder}/{self.object_name}"

    @property
    def sidecar_path(self) -> str:
        return f"{self.folder}/{self.id}{SIDECAR}"

    def fields(self) -> dict[str, Any]:
        """Return the sidecar as a JSON object, including `checksum`."""
        fields: dict[str, Any] = {
            "version": VERSION,
            "original_path": self.original_path,
            "title": self.title,
            "topics": list(self.topics),
            "gist": self.gist,
            "importance": self.importance,
            "rule": self.rule,
            "reason": self.reason,
            "sha256": self.sha256,
            "size": self.size,
            "mtime": clock.isoformat(self.mtime_ns // 1_000_000),
            "mtime_ns": self.mtime_ns,
            "archived_at": clock.isoformat(self.archived_at),
            "delete_after": None if self.delete_after is None else clock.isoformat(self.delete_after),
            "rotation_id": self.rotation_id,
            "object": self.object_name,
            "object_sha256": self.object_sha256,
            "object_size": self.object_size,
        }
        if self.purged_at is not None:
            fields["purged_at"] = clock.isoformat(self.purged_at)
        fields["checksum"] = sha256(render(fields)).hexdigest()
        return fields

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "object_path": self.object_path, **self.fields()}


def folder_of(archived_at: int) -> str:
    day = clock.day_of(archived_at)
    return f"{BY_DATE}/{day[:4]}/{day[5:7]}"


def id_of(archived_at: int, key: str, digest: str) -> str:
    """Return an object's id: `<YYYYmmddTHHMMSSZ>-<slug>-<8 hex digits>`.

    archived_at: ms
    digest: SHA-256 (hex) of the note's bytes
    """
    return f"{clock.stamp(archived_at)}-{slug(key)}-{sha256(key.encode() + bytes(1) + digest.encode()).hexdigest()[:8]}"


def slug(key: str) -> str:
    """Return a note's file name for use inside another file name."""
    return words_of(unicodedata.normalize("NFC", key.rpartition("/")[2].removesuffix(".md"))) or "note"


def words_of(text: str) -> str:
    """Return the letters and digits of a text, of any script, joined by hyphens; at most 80 bytes."""
    kept = "".join(character if character.isalnum() or unicodedata.category(character)[0] == "M" else "-" for character in text)
    words = "-".join(part for part in kept.split("-") if part)
    return words.encode()[:_SLUG_BYTES].decode("utf-8", "ignore").rstrip("-")


def title_of(text: str) -> str:
    return _line(text, _TITLE_CHARACTERS)


def topics_of(topics: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_line(topic, _TOPIC_CHARACTERS) for topic in topics[:_TOPICS])


def reason_of(text: str) -> str:
    return _line(text, _REASON_CHARACTERS)


def gist_of(prose: str) -> str:
    """Return the first line of running text, for the catalogues. Headings are skipped; at most 160 characters."""
    for line in prose[:20_000].split("\n"):
        text = line.strip().lstrip("-*>").strip()
        if text and not text.startswith(("#", "|", "```", "---", "===")):
            return _line(text, _GIST_CHARACTERS)
    return ""


def render(fields: dict[str, Any]) -> bytes:
    """Return the canonical bytes of a sidecar's fields."""
    return (json.dumps(fields, ensure_ascii=False, allow_nan=False, indent=2, sort_keys=True) + "\n").encode()


def parse(data: bytes, path: str) -> ArchiveObject:
    """Return the object that a sidecar's bytes describe. Raises `ValidationFailed` when anything is wrong, `NewerFormat` for one of a newer memorybank.

    path: path of the sidecar, relative to the bank
    """
    begin = data.find(_CHECKSUM)
    end = begin + len(_CHECKSUM) + 64
    if begin < 0 or data[end : end + 2] != b'",':
        raise ValidationFailed(f"{path}: not a sidecar, or not in the canonical form of sidecars")
    # The checksum is cut out of the bytes instead of the parsed JSON, so that a change in formatting is detected too.
    signed = data[:begin] + data[end + 2 :]
    if sha256(signed).hexdigest().encode() != data[begin + len(_CHECKSUM) : end]:
        raise ValidationFailed(f"{path}: its checksum does not match")
    try:
        fields = json.loads(signed)
        _refuse_newer(fields, path)
        found = _checked(fields, path)
    except (ValueError, RecursionError) as error:
        raise ValidationFailed(f"{path}: not a sidecar ({type(error).__name__})") from error
    if found.sidecar_path != path:
        raise ValidationFailed(f"{path}: belongs at {found.sidecar_path}")
    return found


def from_fields(fields: dict[str, Any], path: str) -> ArchiveObject:
    """Return the object that a sidecar's JSON object describes, with every field checked. Raises `ValidationFailed`, or `NewerFormat`.

    path: name of the source of the fields in error messages
    """
    try:
        expected = sha256(render({name: value for name, value in fields.items() if name != "checksum"})).hexdigest()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValidationFailed(f"{path}: a field is of the wrong kind ({type(error).__name__})") from error
    if fields.get("checksum") != expected:
        raise ValidationFailed(f"{path}: its checksum does not match")
    _refuse_newer(fields, path)
    return _checked(fields, path)


def _refuse_newer(fields: Any, path: str) -> None:
    """Raise `NewerFormat` for a format that this version does not know. The checksum matches, so it is not a damaged version number."""
    version = fields.get("version") if isinstance(fields, dict) else None
    if isinstance(version, int) and version > VERSION:
        raise NewerFormat(f"{path}: a newer memorybank wrote it (format {version}; this one reads {VERSION})")


def _checked(fields: Any, path: str) -> ArchiveObject:
    """Check every field. The checksum does not protect against a sidecar that a stranger wrote."""
    try:
        found = _object(fields)
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise ValidationFailed(f"{path}: a field is missing or of the wrong kind ({error})") from error
    try:
        safe_parts(found.original_path)
    except UsageError as error:
        raise ValidationFailed(f"{path}: {error.message}") from error
    if found.id != id_of(found.archived_at, found.original_path, found.sha256):
        raise ValidationFailed(f"{path}: its name does not match its note")
    if not (0 <= found.size <= MAX_NOTE_BYTES and 0 <= found.object_size <= MAX_OBJECT_BYTES and abs(found.mtime_ns) < 1 << 63):
        raise ValidationFailed(f"{path}: contains an impossible size or date")
    return found


def _object(fields: dict[str, Any]) -> ArchiveObject:
    name = _typed(fields, "object", str)
    compressed = name.endswith(COMPRESSED)
    delete_after = fields["delete_after"]
    topics = _typed(fields, "topics", list)
    if fields["version"] != VERSION or not name.endswith((COMPRESSED, PLAIN)) or not all(isinstance(topic, str) for topic in topics):
        raise ValueError("version, object or topics")
    return ArchiveObject(
        id=name.removesuffix(COMPRESSED if compressed else PLAIN),
        original_path=_typed(fields, "original_path", str),
        title=_typed(fields, "title", str),
        topics=tuple(topics),
        gist=_typed(fields, "gist", str),
        importance=float(_typed(fields, "importance", (int, float))),
        rule=_typed(fields, "rule", str),
        reason=_typed(fields, "reason", str),
        sha256=_typed(fields, "sha256", str),
        size=_typed(fields, "size", int),
        mtime_ns=_typed(fields, "mtime_ns", int),
        archived_at=_instant(fields["archived_at"]),
        delete_after=None if delete_after is None else _instant(delete_after),
        rotation_id=_typed(fields, "rotation_id", str),
        compressed=compressed,
        object_sha256=_typed(fields, "object_sha256", str),
        object_size=_typed(fields, "object_size", int),
        purged_at=_instant(fields["purged_at"]) if "purged_at" in fields else None,
    )


def _typed(fields: dict[str, Any], name: str, kind: Any) -> Any:
    value = fields[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(name)
    return value


def _instant(value: object) -> int:
    instant = clock.parse(value) if isinstance(value, str) else None
    if instant is None:
        raise ValueError("not an instant")
    return instant


def _line(text: str, limit: int) -> str:
    """Return a text on one line, without control characters and lone surrogates, cut at `limit` characters."""
    flat = " ".join(text[: 8 * limit].encode("utf-8", "replace").decode().split())
    kept = flat if flat.isprintable() else "".join(character for character in flat if unicodedata.category(character) not in ("Cc", "Cf"))
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"

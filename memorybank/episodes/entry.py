"""Episode: one entry of `episodes/episodic_memory.json`. Reading never raises, and unknown members are written back as they were found.

Source: episodic memory specification, section 3 (`date`, `summary`, `created_at`) and 4 A (the record of a failed day).
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates
from memorybank.storage import jsontext
from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Cover = tuple[str, str, str]
    """(date, source, digest of the source's messages of that date)"""

DAY, BRIEF, SUPPLEMENT, WEEK, ERROR = "day", "brief", "supplement", "week", "error"
KINDS = (DAY, BRIEF, SUPPLEMENT, WEEK, ERROR)
ERROR_TEXT = "（エラーにより要約できませんでした）"
ERROR_MARK = "要約できませんでした"
"""An entry with these words, whoever wrote it, records that its day has no summary."""
CHAT = "chat/"
"""Beginning of the names of sources that are plain chat logs."""
MEMORY = "episode:"
"""Prefix of the names of episodes in search and recall."""
_UNDATED = "\uffff"


class Episode:
    """One entry of the list. Every attribute is read from `raw`, the JSON value as it is in the file.

    first, last: its dates, "" when `date` is neither a date nor a range
    digest: digest of the text at the time it was written
    has_covers: whether the entry has a list `covers` at all; an entry of another program has none
    error: `{kind, attempts, last_at}` or None
    """

    __slots__ = (
        *("_covers", "_encoded", "_id", "by", "compressed", "created_at", "digest", "draft", "error", "first", "has_covers", "kind", "last"),
        *("original_count", "raw", "summary", "truncated"),
    )

    def __init__(self, raw: Any) -> None:
        fields = raw if isinstance(raw, dict) else {}
        self.raw = raw
        self.first, self.last = dates.parse(_text(fields.get("date")))
        self.summary = _text(fields.get("summary"))
        self.created_at = _text(fields.get("created_at"))
        self.by = _text(fields.get("by"))
        self.draft = fields.get("draft") is True
        self.truncated = fields.get("truncated") is True
        self.compressed = fields.get("compressed") is True
        self.digest = _text(fields.get("digest"))
        self.has_covers = isinstance(fields.get("covers"), list)
        self._covers: tuple[Cover, ...] | None = None
        error = fields.get("error")
        self.error: dict[str, Any] | None = error if isinstance(error, dict) else None
        count = fields.get("original_count")
        self.original_count = count if isinstance(count, int) else None
        self.kind = self._kind(_text(fields.get("kind")))
        self._id = _text(fields.get("id"))
        self._encoded = ""

    @property
    def covers(self) -> tuple[Cover, ...]:
        """(date, source, digest) of everything that the entry summarises."""
        if self._covers is None:
            self._covers = _covers(self.raw.get("covers")) if self.has_covers else ()
        return self._covers

    @property
    def id(self) -> str:
        """The id of the entry, or the one it would get if it has none."""
        if not self._id:
            written = self.raw.get("date") if isinstance(self.raw, dict) else ""
            self._id = identity(self.date or _text(written), self.covers, self.summary)
        return self._id

    @property
    def encoded(self) -> str:
        """The JSON text of the entry as it is written to the file."""
        if not self._encoded:
            self._encoded = _encoded({**self.raw, "date": self.date} if self.first else self.raw)
        return self._encoded

    @property
    def date(self) -> str:
        """The date or range in its written form; "" when it has neither."""
        return dates.written(self.first, self.last) if self.first else ""

    @property
    def memory(self) -> str:
        """The name of the entry's document in search and recall; "" without a date.

        `episode:2025-09-17`, or `episode:2025-09-15~2025-09-21` for a merged week. All entries of one date or range form one document, supplements
        included, because a reader asks for a day.
        """
        return MEMORY + self.date if self.first else ""

    @property
    def is_error(self) -> bool:
        """Whether the entry only records that there is no summary."""
        return self.kind == ERROR

    @property
    def is_showable(self) -> bool:
        """Whether the entry may be shown to an agent: it has a date and a text, and is neither a record of failure nor a brief day."""
        return bool(self.first and self.summary.strip()) and self.kind not in (ERROR, BRIEF)

    @property
    def is_edited(self) -> bool:
        """Whether a person changed the text after it was written."""
        return bool(self.digest) and self.digest != text_digest(self.summary)

    def covers_chat_of(self, date: str) -> bool:
        """Return whether the entry covers the chat logs of a date without digests: it comes from the program that kept these logs, and that
        summarised each date once and for all.
        """
        return not self.has_covers and not self.is_error and self.first <= date <= self.last

    @property
    def attempts(self) -> int:
        """Number of failed attempts to summarise the day."""
        count = self.error.get("attempts") if self.error else None
        return count if isinstance(count, int) else 0

    @property
    def order(self) -> tuple[str, str, int, str]:
        """The sort key of the list: dates, then kind. Entries without a date come last."""
        return (self.first or _UNDATED, self.last, KINDS.index(self.kind), self.id)

    def with_fields(self, **fields: Any) -> Episode:
        """Return a copy with some members replaced."""
        return Episode({**self.raw, **fields}) if isinstance(self.raw, dict) else self

    def _kind(self, named: str) -> str:
        if ERROR_MARK in self.summary or named == ERROR:
            return ERROR
        if named in KINDS:
            return named
        return DAY if self.first == self.last else WEEK

    def __repr__(self) -> str:
        return f"Episode({self.date!r}, {self.kind!r}, {self.id!r})"


def made(date: str, summary: str, created_at: str, *, kind: str, by: str, covers: Sequence[Cover], **more: Any) -> Episode:
    """Return a new entry. more: draft, truncated, compressed, original_count, error; values that are false or None are left out."""
    covered = sorted(covers)
    given = {name: value for name, value in more.items() if value not in (None, False)}
    return Episode(
        {
            "date": date,
            "summary": summary,
            "created_at": created_at,
            "id": identity(date, covered, summary),
            "kind": kind,
            "by": by,
            "digest": text_digest(summary),
            "covers": [{"date": day, "source": source, "digest": digest} for day, source, digest in covered],
            **given,
        }
    )


def documents(entries: Iterable[Episode]) -> dict[str, list[Episode]]:
    """Return {document: its entries}, in the order of the list.

    A document is what search and recall know as `episode:2025-09-17`: the date's summary with its late supplements, or the summary of a merged
    week. Records that only say that there is no summary are left out.
    """
    found: dict[str, list[Episode]] = {}
    for entry in entries:
        if entry.first and entry.summary.strip() and not entry.is_error:
            found.setdefault(entry.memory, []).append(entry)
    return found


def document_text(entries: Sequence[Episode]) -> str:
    """Return the text of a document. Entries that may be shown to an agent come first."""
    return "\n\n".join(entry.summary.strip() for entry in sorted(entries, key=lambda entry: not entry.is_showable))


def identity(date: str, covers: Sequence[Cover], summary: str) -> str:
    """Return the id of an entry, 12 hexadecimal digits.

    It is a hash of the date and of what the entry covers, so that a better text about the same messages keeps the id. An entry that covers nothing is
    identified by its date and text.
    """
    identifying = [date, *(list(cover) for cover in covers)] if covers else [date, summary]
    return sha256(jsontext.encode_bytes(identifying)).hex()[:12]


def text_digest(summary: str) -> str:
    """Return the digest of a summary, 32 hexadecimal digits."""
    return sha256(summary.encode("utf-8", "replace")).hex()[:32]


def sort(entries: Sequence[Episode]) -> list[Episode]:
    """Return the entries in the order of the list."""
    return sorted(entries, key=lambda entry: entry.order)


def file_text(entries: Sequence[Episode]) -> str:
    """Return the content of the list's file. Each member has a line of its own, so that people and git see what changed."""
    return "[\n" + ",\n".join(entry.encoded for entry in entries) + "\n]\n" if entries else "[]\n"


def _encoded(raw: Any) -> str:
    if not isinstance(raw, dict):
        return f"  {jsontext.encode(raw)}"
    members = []
    for name, value in raw.items():
        if name == "covers" and isinstance(value, list) and value:
            text = "[\n" + ",\n".join(f"      {jsontext.encode(item)}" for item in value) + "\n    ]"
        else:
            text = jsontext.encode(value)
        members.append(f"    {jsontext.encode(name)}: {text}")
    return "  {\n" + ",\n".join(members) + "\n  }" if members else "  {}"


def _covers(value: Any) -> tuple[Cover, ...]:
    found = []
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            date, source, digest = _text(item.get("date")), _text(item.get("source")), _text(item.get("digest"))
            if date and source and digest:
                found.append((date, source, digest))
    return tuple(found)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""

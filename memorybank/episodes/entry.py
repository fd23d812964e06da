"""Episode: one entry of `episodes/episodic_memory.json`, read without ever raising and written back as it was found.

Source: episodic memory specification, section 3 (`date`, `summary`, `created_at`) and 4 A (the record of a failed day).
"""

from __future__ import annotations

__light__ = True

from memorybank.episodes import dates
from memorybank.storage import jsontext
from memorybank.storage.digest import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Cover = tuple[str, str, str]
    """(date, source, digest of the source's messages of that date)"""

DAY, BRIEF, SUPPLEMENT, WEEK, ERROR = "day", "brief", "supplement", "week", "error"
KINDS = (DAY, BRIEF, SUPPLEMENT, WEEK, ERROR)
ERROR_TEXT = "（エラーにより要約できませんでした）"
ERROR_MARK = "要約できませんでした"
"""An entry with these words, whoever wrote it, says that its day has no summary."""
MEMORY = "episode:"
"""What the names of episodes in search and recall begin with."""
_UNDATED = "\uffff"


class Episode:
    """One entry. raw: the JSON value as it lies in the file, unknown members included; everything else is read from it.

    first, last: its dates, "" when `date` is no date or range; digest: of the text as it was written; has_covers: whether it says at all
    what it covers (an entry of another program does not); error: `{kind, attempts, last_at}` or None.
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
        """What it tells of."""
        if self._covers is None:
            self._covers = _covers(self.raw.get("covers")) if self.has_covers else ()
        return self._covers

    @property
    def id(self) -> str:
        """As the entry has it, else what it would be given."""
        if not self._id:
            written = self.raw.get("date") if isinstance(self.raw, dict) else ""
            self._id = identity(self.date or _text(written), self.covers, self.summary)
        return self._id

    @property
    def encoded(self) -> str:
        """The entry as it stands in the file."""
        if not self._encoded:
            self._encoded = _encoded({**self.raw, "date": self.date} if self.first else self.raw)
        return self._encoded

    @property
    def date(self) -> str:
        """The date or range as it is written; "" when it is none."""
        return dates.written(self.first, self.last) if self.first else ""

    @property
    def memory(self) -> str:
        """What search and recall call it: `episode:2025-09-17`, of a merged week `episode:2025-09-15~2025-09-21`. Everything that the list
        tells of one date or range is one document, its supplements too: a reader asks for a day. "" without a date."""
        return MEMORY + self.date if self.first else ""

    @property
    def is_error(self) -> bool:
        """Whether it only says that there is no summary."""
        return self.kind == ERROR

    @property
    def is_told(self) -> bool:
        """Whether it can be put before an agent."""
        return bool(self.first and self.summary.strip()) and self.kind not in (ERROR, BRIEF)

    @property
    def is_edited(self) -> bool:
        """Whether a person changed its text after it was written."""
        return bool(self.digest) and self.digest != text_digest(self.summary)

    @property
    def attempts(self) -> int:
        """How often a summary was tried in vain."""
        count = self.error.get("attempts") if self.error else None
        return count if isinstance(count, int) else 0

    @property
    def order(self) -> tuple[str, str, int, str]:
        """What the list is sorted by: dates, then kind; what has no date comes last."""
        return (self.first or _UNDATED, self.last, KINDS.index(self.kind), self.id)

    def with_fields(self, **fields: Any) -> Episode:
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
    """A new entry. more: draft, truncated, compressed, original_count, error; what is false or None is left out."""
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


def identity(date: str, covers: Sequence[Cover], summary: str) -> str:
    """12 hexadecimal digits: of the date and what it covers, so that a better text of the same day has the same id; of the text where
    nothing is covered."""
    told = [date, *(list(cover) for cover in covers)] if covers else [date, summary]
    return sha256(jsontext.encode_bytes(told)).hex()[:12]


def text_digest(summary: str) -> str:
    """32 hexadecimal digits."""
    return sha256(summary.encode("utf-8", "replace")).hex()[:32]


def sort(entries: Sequence[Episode]) -> list[Episode]:
    return sorted(entries, key=lambda entry: entry.order)


def file_text(entries: Sequence[Episode]) -> str:
    """The list as it lies in the file: a member a line, so that people and git see what changed."""
    return "[\n" + ",\n".join(entry.encoded for entry in entries) + "\n]\n" if entries else "[]\n"


def _encoded(raw: Any) -> str:
    if not isinstance(raw, dict):
        return f"  {jsontext.encode(raw)}"
    members = []
    for name, value in raw.items():
        if name == "covers" and isinstance(value, list) and value:
            told = "[\n" + ",\n".join(f"      {jsontext.encode(item)}" for item in value) + "\n    ]"
        else:
            told = jsontext.encode(value)
        members.append(f"    {jsontext.encode(name)}: {told}")
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

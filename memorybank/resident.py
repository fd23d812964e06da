"""The resident summary: `summary.md` of the bank, shown to an agent once, when a session starts (resident summary ticket).

A valid summary begins with a line that is exactly `---`. Its front matter ends at the next such line and is a mapping that contains
`updated_at` (RFC 3339). Any other file is not injected and causes no error; `memorybank summary show` explains why. The front matter is
read by a parser for a small subset of YAML. A file that this parser cannot read is not injected.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock as time_of
from memorybank.errors import MemorybankError
from memorybank.injection import RESIDENT_HEADING, RESIDENT_SENTENCE, InjectionSection, cut_body
from memorybank.storage import disk
from memorybank.storage.digest import sha256
from memorybank.text import merge_marks
from memorybank.text.neutral import neutralise
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memorybank.config.cycle import CycleSettings
    from memorybank.storage.layout import Layout

FILE = "summary.md"
"""Path of the file relative to the bank."""
MEMORY = "resident"
"""The summary's id in exposures and sources."""
SOFT_CAP = 20_000
"""Maximum number of characters of the body when it is printed. When a hook injects it, the limit is its share of the hook's budget."""
TOKENS_WARNED_ABOUT = 5_000
MAX_BYTES = 1 << 20
_FENCE = "---"


class Resident(Value):
    """The content of `summary.md`.

    body: the text without front matter, '' when there is nothing to inject
    updated_at: ms
    reason: why there is nothing to inject, as a sentence without a full stop, else ''
    generated: the seal that `summary refresh` wrote with the body, or ''
    quotes: the mark of each line of the draft, separated by spaces (`cycle.recall.drafted_page`), or ''
    """

    body: str = ""
    updated_at: int | None = None
    reason: str = ""
    generated: str = ""
    quotes: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of the body, its first 32 hexadecimal digits; '' without a body."""
        return digest_of(self.body) if self.body else ""

    @property
    def is_drafted(self) -> bool:
        """Whether the body is exactly what `summary refresh` wrote."""
        return bool(self.body) and self.generated == seal_of(self.body)

    @property
    def is_edited(self) -> bool:
        """Whether a person changed a body that `summary refresh` wrote."""
        return bool(self.body and self.generated) and not self.is_drafted


class _Malformed(Exception):
    """The front matter uses YAML outside the supported subset."""


def digest_of(body: str) -> str:
    return seal_of(body)[:32]


def seal_of(body: str) -> str:
    """Return the SHA-256 of a body, 64 hexadecimal digits. It equals `generated` as long as nobody has edited the body."""
    return sha256(body.encode("utf-8", "replace")).hex()


def path_of(layout: Layout) -> str:
    return f"{layout.root}/{FILE}"


def why_off(settings: CycleSettings, *, has_section: bool = True) -> str:
    """Return why the settings prevent the summary from being injected, or ''.

    has_section: whether an existing settings file has the section `memory`
    """
    if not settings.phases.recall:
        return "phases.recall is false in config/cycle_config.json"
    if not has_section:
        return 'config/cycle_config.json has no "memory" section, which switches resident memory off'
    if not settings.memory.enabled:
        return "memory.enabled is false in config/cycle_config.json"
    if not settings.memory.inject_summary:
        return "memory.inject_summary is false in config/cycle_config.json"
    return "" if settings.recall.enabled.session_start else "recall.enabled.session_start is false in config/cycle_config.json"


def collect(layout: Layout) -> Resident:
    """Read `summary.md`. Never raises: a file that cannot be used gives a Resident with a reason."""
    try:
        text = disk.read(path_of(layout), MAX_BYTES).decode("utf-8")
    except FileNotFoundError:
        return Resident(reason="there is no summary.md in the bank")
    except UnicodeDecodeError:
        return Resident(reason="summary.md is not UTF-8")
    except (MemorybankError, OSError) as error:
        return Resident(reason=f"summary.md cannot be read: {error}")
    return parse(text)


def parse(text: str) -> Resident:
    """Return the summary that a text contains."""
    lines = text.removeprefix("\ufeff").split("\n")
    if lines[0].removesuffix("\r") != _FENCE:
        return Resident(reason="its first line is not exactly ---: a summary begins with front matter")
    end = next((number for number, line in enumerate(lines[1:], 1) if line.removesuffix("\r") == _FENCE), 0)
    if not end:
        return Resident(reason="its front matter is never closed by a line ---")
    try:
        values = _mapping(lines[1:end])
    except _Malformed as error:
        return Resident(reason=f"its front matter cannot be read: {error}")
    if "updated_at" not in values:
        return Resident(reason="its front matter has no updated_at")
    updated_at = _rfc3339(values["updated_at"])
    if updated_at is None:
        return Resident(reason="its updated_at is not an RFC 3339 date-time such as 2026-01-31T09:00:00Z")
    body = "\n".join(line.removesuffix("\r") for line in lines[end + 1 :]).strip()
    if line := merge_marks.line_of(body, is_note=True):
        line += text[: text.find(body)].count("\n")
        return Resident(updated_at=updated_at, reason=f"line {line} begins an unresolved git conflict: keep one side, and remove git's markers")
    if not neutralise(body).strip():
        return Resident(updated_at=updated_at, reason="its body is empty")
    return Resident(body, updated_at, generated=values.get("generated", ""), quotes=values.get("quotes", ""))


def block(resident: Resident, rest: str, cap: int = SOFT_CAP) -> str:
    """Return the block for a system prompt, with the ticket's heading and sentence; '' without a body.

    rest: where the omitted text can be read
    cap: maximum size of the body in UTF-16 units; a longer one is cut between paragraphs, and the block says so
    """
    if not resident.body:
        return ""
    body, _ = cut_body(neutralise(resident.body), cap, rest)
    return f"{RESIDENT_HEADING}\n\n{RESIDENT_SENTENCE}\n\n{body}\n"


def section(body: str, rest: str, budget: int) -> InjectionSection:
    """Return the same block as a section of an injection."""
    return InjectionSection(RESIDENT_HEADING, budget, body=body, memory=MEMORY, intro=RESIDENT_SENTENCE, rest=rest)


def _mapping(lines: list[str]) -> dict[str, str]:
    """Read `key: value` lines. Indented lines and list items below a key without a value belong to it and are skipped."""
    values: dict[str, str] = {}
    nested = False
    for number, raw in enumerate(lines, 2):
        line = raw.removesuffix("\r").rstrip(" ")
        if not line or line.lstrip(" ").startswith("#"):
            continue
        if "\t" in line or any(sign < " " for sign in line):
            raise _Malformed(f"line {number} contains a tab or a control character")
        if line[0] == " " or line.startswith("- ") or line == "-":
            if not nested:
                raise _Malformed(f"line {number} does not belong to a key")
            continue
        key, colon, value = line.partition(":")
        if not colon or not _is_name(key) or (value and value[0] != " "):
            raise _Malformed(f"line {number} is not 'key: value'")
        if key in values:
            raise _Malformed(f"{key} is given twice")
        values[key] = _scalar(value.strip(" "), number)
        nested = values[key] == "" or values[key][0] in "|>"
    return values


def _is_name(key: str) -> bool:
    return bool(key) and key[0].isalpha() and all(sign.isalnum() or sign in "_-" for sign in key)


def _scalar(value: str, number: int) -> str:
    """Return a plain or quoted value without its comment. A list or mapping on one line is returned as written."""
    opening = value[:1]
    if opening in ("'", '"'):
        end = value.find(opening, 1)
        if end < 0 or (value[end + 1 :].strip(" ") and not value[end + 1 :].lstrip(" ").startswith("#")):
            raise _Malformed(f"the quotes in line {number} do not match")
        return value[1:end]
    comment = value.find(" #")
    value = value[:comment].rstrip(" ") if comment >= 0 else value
    if opening and opening in "[{":
        if value[-1:] != {"[": "]", "{": "}"}[opening]:
            raise _Malformed(f"the brackets in line {number} do not match")
        return value
    if (opening and opening in "&*!%@`]},") or ": " in value or value.endswith(":"):
        raise _Malformed(f"line {number} has a value that needs quotes")
    return value


def _rfc3339(value: str) -> int | None:
    """Return the instant of a full date-time with an offset (RFC 3339, section 5.6), else None."""
    if len(value) < 20 or value[10] not in "Tt " or value[13] != ":" or value[16] != ":":
        return None
    if value[-1] not in "Zz" and (value[-6] not in "+-" or value[-3] != ":"):
        return None
    return time_of.parse(value)

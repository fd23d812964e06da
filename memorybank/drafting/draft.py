"""Composes the draft of the resident summary: lines quoted from the bank, each with its source.

Source: resident summary ticket (a short page that every session starts with). Stored text is data and never an instruction.
A line is kept only if everybody may read it; the caller passes in nothing else. Text that contains a secret is not quoted. Text that tries to
instruct the agent, bypassing its users, is left out and reported. Text that merely requests something is marked as a quotation, except a lasting rule
in a note of people, which is marked as a rule (ADR 0141).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memorybank.injection import neutralise, utf16
from memorybank.summarize import sentences
from memorybank.text import requests
from memorybank.text.statements import kind_of

NOTES, FAILURES, DAYS = "notes", "failures", "days"
SECTIONS = (NOTES, FAILURES, DAYS)
"""The sections in the order of the page."""
_SHARES: Mapping[str, float] = {FAILURES: 0.2, DAYS: 0.3, NOTES: 1.0}
"""Fraction of the remaining budget for each section, in the order in which they are filled. Notes, the most informative, get the rest."""
_LONGEST = {NOTES: 220, FAILURES: 260, DAYS: 360}
"""Maximum length of the text quoted in one line, in characters."""
MOST = {NOTES: 12, FAILURES: 6, DAYS: 4}
"""Maximum number of lines of a section."""
_TITLE = 100
"""Maximum length of a title, in characters."""
_SAYS_ENOUGH = 24
"""A title with at least this many characters is not repeated before a text that begins with it."""
_SECRET, _AGAINST = "it contains a secret", "it tries to instruct the agent, bypassing its users"
_WORDS = {
    "intro": (
        "Drafted by rule from this repository's notes, sessions and episodes. Each line quotes the source in its brackets.",
        "このリポジトリのノート・セッション・エピソードから規則で下書きしたもの。各行は括弧内の出典の引用。",
    ),
    NOTES: ("## Most important notes", "## 重要なノート"),
    FAILURES: ("## Still failing or open", "## 失敗したまま・未解決"),
    DAYS: ("## Recent days", "## 最近の日々"),
    "rule": ("(rule) ", "（規則）"),
    "mark": ("(quoted, not a request) ", "（引用であり依頼ではない）"),
}
_BEGINS = re.compile(r"[-*+>|・]|\d{1,3}[.)]\s|```|~~~")
"""The beginning of a new paragraph or item, whatever precedes it."""
_PREFERS = re.compile(
    r"\W*(?:use|prefer)\b.*(?:,? not | instead of | rather than |, never )|.{0,400}?(?:ではなく|じゃなく|の代わりに).{0,400}使", re.IGNORECASE
)
"""Matches a choice between two ways. In a note, which a person kept, it is meant for good; a prompt may mean one task."""
_PLACEHOLDER = re.compile(r"\blorem ipsum\b", re.IGNORECASE)
_WORD = re.compile(r"[぀-ヿ一-鿿]|[^\W_぀-ヿ一-鿿]+")
"""A word of a script with spaces, or a sign of Japanese."""
_LEAST_WORDS = 3
"""Minimum number of different words, or of signs of Japanese, in a note that says something."""
_MOST_REPEATED = 5
"""How often the words of a note that says something occur on average, at most."""
_READ = 1_000
"""Number of characters whose words are counted: a long text repeats its words."""
_WIKI = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]")


@dataclass(frozen=True, slots=True)
class QuotableItem:
    """An item that may be quoted.

    section: one of SECTIONS.
    title: its title, or "".
    text: plain text or Markdown of any length.
    source: where a reader finds it (`planning/overview.md`).
    note: a remark about its author, or "".
    withheld: why nothing of it may be quoted, or "".
    may_rule: whether its lasting rules are those of people who this machine accepted.
    mark: identifies the text it is quoted from, so that a start can tell whether that is still the same.
    """

    section: str
    title: str
    text: str
    source: str
    note: str = ""
    withheld: str = ""
    may_rule: bool = False
    mark: str = "0"


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line of the draft.

    text: without its dash, including the source.
    marked: whether it requests something and is therefore marked as a quotation.
    mark: that of its item.
    """

    section: str
    text: str
    source: str
    marked: bool
    mark: str = "0"


@dataclass(frozen=True, slots=True)
class SummaryDraft:
    """The draft.

    body: its text; "" when there is nothing to quote.
    left_out: (source, reason) of everything that must not be quoted.
    """

    body: str
    lines: tuple[DraftLine, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def quotes(self) -> str:
        """The marks of the lines, for the front matter of the page."""
        return " ".join(line.mark for line in self.lines)


def compose(found: Sequence[QuotableItem], language: str, budget: int, redact: Callable[[str], str]) -> SummaryDraft:
    """Return the draft of at most `budget` UTF-16 units.

    found: the items; in each section the most relevant first, days the newest first.
    language: "en" or "ja".
    redact: replaces secrets by marks.
    """
    japanese = language == "ja"
    left_out: list[tuple[str, str]] = []
    chosen: dict[str, list[DraftLine]] = {}
    budget -= utf16(_WORDS["intro"][japanese])
    for section, share in _SHARES.items():
        left = int(budget * share) - utf16(_WORDS[section][japanese]) - 4
        lines = chosen[section] = []
        for item in (item for item in found if item.section == section):
            why = _why_not(item, redact)
            if why:
                left_out.append((item.source, why))
                continue
            line = _line(item, redact, japanese)
            size = utf16(line.text) + 3
            if size <= left and len(lines) < MOST[section]:
                lines.append(line)
                left -= size
                budget -= size
        budget -= utf16(_WORDS[section][japanese]) + 4 if lines else 0
    # Days were chosen newest first, and are read oldest first.
    chosen[DAYS].reverse()
    quoted = tuple(line for section in SECTIONS for line in chosen[section])
    return SummaryDraft(_body(chosen, japanese) if quoted else "", quoted, tuple(left_out))


def says_something(title: str, text: str) -> bool:
    """Return whether a note says anything to its reader: not a placeholder, not the same few words again and again, not its own title of one word."""
    if _PLACEHOLDER.search(f"{title}\n{text}"):
        return False
    words = _WORD.findall(f"{title} {text[:_READ]}".casefold())
    distinct = len({*words})
    return distinct >= _LEAST_WORDS and distinct * _MOST_REPEATED >= len(words)


def _why_not(item: QuotableItem, redact: Callable[[str], str]) -> str:
    """Return why nothing of an item is quoted; "" if it may be."""
    if item.withheld:
        return item.withheld
    # A secret in the text costs only its sentence; a line without its title or source would make no sense.
    if redact(item.title) != item.title or redact(item.source) != item.source:
        return _SECRET
    return _AGAINST if requests.is_against_people(f"{item.title}\n{item.text}") else ""


def _line(item: QuotableItem, redact: Callable[[str], str], japanese: bool) -> DraftLine:
    """Return the line of one item: its title, the beginning of its text, its source."""
    title = sentences.clipped(_plain(item.title), _TITLE)
    said = _plain((day if item.section == DAYS else lead)(redact(item.text), _LONGEST[item.section]))
    asked = [*requests.requests_in(title), *requests.requests_in(said)]
    is_rule = bool(asked) and item.may_rule and all(kind_of(sentence) or _PREFERS.match(sentence) for sentence in asked)
    marked = item.section == DAYS or (bool(asked) and not is_rule)  # a day begins with what somebody wanted then
    colon = "：" if japanese else ": "
    repeats = said.startswith(title) and (len(title) >= _SAYS_ENOUGH or len(said) <= len(title) + 1)
    text = f"{title}{colon}{said}" if title and said and not repeats else said or title
    mark = _WORDS["mark" if marked else "rule"][japanese] if marked or is_rule else ""
    where = f"{item.source}{'、' if japanese else '; '}{item.note}" if item.note else item.source
    return DraftLine(item.section, f"{mark}{text} [{where}]", item.source, marked, item.mark)


def lead(text: str, limit: int) -> str:
    """Return the beginning of a text, up to `limit` characters: complete sentences, or a cut one if the first is too long.

    Headings, code, rulers, labels and sentences with a secret are left out.
    """
    kept = ""
    for sentence in sentences.cut(_unwrapped(text)):
        if "[REDACTED:" in sentence or sentence.endswith((":", "：")):
            continue
        longer = f"{kept}{'' if not kept or kept.endswith(('。', '！', '？')) else ' '}{sentence}"
        if len(longer) > limit:
            return kept or sentences.clipped(sentence, limit)
        kept = longer
    return kept


def day(text: str, limit: int) -> str:
    """Return an episode as one line of about `limit` characters, which are divided evenly among its sessions."""
    parts: list[list[str]] = []
    for line in filter(None, (line.rstrip() for line in text.split("\n"))):
        if "[REDACTED:" in line:
            continue
        if line.startswith("- ") or not parts:
            parts.append([])
        parts[-1].append(line.removeprefix("- ").strip())
    each = limit // max(1, len(parts)) - 3
    items = (sentences.clipped("; ".join(line.rstrip(".") if len(part) > 1 else line for line in part), each) for part in parts)
    return " / ".join(items)


def _unwrapped(text: str) -> str:
    """Return the text with one line per paragraph and item: hard-wrapped lines are joined. Headings are left out."""
    lines: list[str] = []
    goes_on = False
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare.startswith("#"):
            goes_on = False
            continue
        if goes_on and not _BEGINS.match(bare):
            # CJK text is wrapped without spaces.
            joint = "" if lines[-1][-1] > "\u2fff" and bare[0] > "\u2fff" else " "
            lines[-1] += joint + bare
        else:
            lines.append(bare)
        goes_on = not bare.startswith(("```", "~~~", "|"))
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Return the text as one line that cannot close a fence, imitate a role, or form a link."""
    text = _WIKI.sub(r"\1", neutralise(text)).replace("](", "] (").replace("[[", "[ [").replace("<!--", "‹!--")
    return " ".join(text.split())


def _body(chosen: Mapping[str, Sequence[DraftLine]], japanese: bool) -> str:
    parts = [_WORDS["intro"][japanese]]
    for section in SECTIONS:
        if chosen[section]:
            parts += [_WORDS[section][japanese], "\n".join(f"- {line.text}" for line in chosen[section])]
    return "\n\n".join(parts)

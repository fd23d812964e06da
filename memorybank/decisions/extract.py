"""Extracts the decisions of a note, and what it says about replacing other notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from memorybank.claims.blocks import SHELL, blocks
from memorybank.decisions import explicit, sentence, words
from memorybank.decisions.decision import Decision, Replacement

LEARNED_RULES = "learned/rule-"
"""How the keys of notes begin that quote what a person said. Other learned notes, and session notes, are derived."""
_CHANGELOG = re.compile(r"(?:change[-_]?log|changes|history|news|releases?|release[-_]notes)\b", re.I)
_LEARNED, _SESSION_NOTES = "learned/", "sync/sessions/"
MOST = 200
"""Maximum number of decisions of one note."""
_OF_NO_DECISION = re.compile(
    r"\b(?:history|background|context|problem|motivation|alternatives?|rejected|considered|options?|drivers|pros|cons|before|previous(?:ly)?"
    r"|change ?log|changes|old"
    r"|deprecated|obsolete|superseded|examples?|open|questions?|todos?|ideas?|future|plans?|planned|roadmap|next steps|proposals?|drafts?"
    r"|experiments?|quotes?|timeline"
    r"|incidents?|post-?mortems?|log)\b"
    r"|経緯|背景|履歴|以前|過去|旧|却下|代替|検討|候補|例|変更点|課題|今後|予定|案|将来|計画|下書き|未決|議論|検証|障害|ログ",
    re.I,
)
"""Matches the heading of a section that describes something else than what is decided."""
_GENERIC_WORDS = (
    "decision overview architecture plan summary convention guide guideline policy general setup infrastructure misc adr status reason note rule reference"
    " how title record readme index list design document docs memory knowledge project learned"
)
_GENERIC_WORDS_JAPANESE = "決定 概要 方針 規約 規則 ルール メモ 設計 判断 理由 手順 設計判断 決定事項 一覧"
_GENERIC_TITLE = words.read(_GENERIC_WORDS).about.union(_GENERIC_WORDS_JAPANESE.split())
_DAY = r"(20\d\d)-(\d\d)-(\d\d)"
_DATED = re.compile(rf"^\W*(?:date\s*[:：]\s*)?{_DAY}\b|[(（]{_DAY}[)）]?[.。]?\s*$|^\W*(?:日付|date)\s*[:：]\s*{_DAY}", re.I)
_STATUS = re.compile(r"^\W*(?:status|状態|ステータス)\W*[:：]\W*(.+)$", re.I)
_STATUS_HEADING = re.compile(r"^\W*(?:\d+[.)]?\s*)?(?:status|状態|ステータス)\W*$", re.I)
_QUOTED_HEAD = re.compile(r"\A(?:(?!##)[^\n]*\n?){1,40}")
_NOT_DECIDED = re.compile(r"^\W*(?:proposed|draft|rejected|withdrawn|in review|under review|open|pending|wip|提案|草案|却下|検討中|下書き)", re.I)
_END_OR_LINK = re.compile(r"\[[^\[\]\n]{1,200}\]\([^()\n]{1,300}\)|([.!?]\s+|[。！？])")


def of_note(key: str, title: str, body: str, first_line: int = 1) -> list[Decision]:
    """Return the decisions of a note. A session note and a changelog report and decide nothing. A learned rule is what a person said, quoted."""
    if key.startswith(_SESSION_NOTES) or _CHANGELOG.match(key.rpartition("/")[2]) is not None:
        return []
    if not key.startswith(_LEARNED):
        return decisions(title, body, first_line)
    quoted = [(line.removeprefix("> "), number) for number, line in enumerate(body.split("\n"), first_line) if line.startswith("> ")]
    made = (sentence.decision(said, number, frozenset(), "") for said, number in quoted if key.startswith(LEARNED_RULES))
    return [each for each in made if each is not None]


def decisions(title: str, body: str, first_line: int = 1) -> list[Decision]:
    """Return the decisions of a note, at most `MOST`. A note whose status says that it is only proposed, or rejected, decides nothing.

    first_line: line of the file at which the body begins
    """
    if not is_decided(body):
        return []
    found: list[Decision] = []
    seen: set[tuple[str, str]] = set()
    for text, line, context, day in _sentences(title, body, first_line):
        if (text, day) in seen:
            continue
        seen.add((text, day))
        made = sentence.decision(text, line, context, day)
        if made is not None:
            found.append(made)
            if len(found) == MOST:
                break
    return found


def replacements(supersedes: Iterable[str], superseded_by: Iterable[str], body: str, first_line: int = 1) -> list[Replacement]:
    """Return what a note says about replacing other notes.

    supersedes, superseded_by: values of its front matter
    """
    found = [Replacement(name, "", 1) for value in supersedes for name in explicit.names(value)]
    found += [Replacement("", name, 1) for value in superseded_by for name in explicit.names(value)]
    is_head, is_status = True, False
    # In the head of a note such a statement is often set off as a quotation.
    for text, line, level in blocks(_QUOTED_HEAD.sub(lambda head: head[0].replace("\n>", "\n "), body), first_line):
        if level > 0:
            is_status = _STATUS_HEADING.match(text.lstrip("# ")) is not None
            is_head = is_head and level == 1
        elif level != SHELL and not text.lstrip().startswith("|"):
            for part, _ in _parts(text):
                found += explicit.replacements(part, line, is_head=is_head or is_status or _STATUS.match(part) is not None)
    return list(dict.fromkeys(found))


def is_decided(body: str) -> bool:
    """Return whether the status of a decision record, if it has one, says that it is in force."""
    is_status = False
    for line in body[:4_000].split("\n"):
        if line.startswith("#"):
            is_status = _STATUS_HEADING.match(line.lstrip("# ")) is not None
        elif line.strip():
            status = _STATUS.match(line)
            said = status[1] if status is not None else line if is_status else ""
            if said:
                return _NOT_DECIDED.match(said) is None
            is_status = False
    return True


def _sentences(title: str, body: str, first_line: int) -> Iterator[tuple[str, int, frozenset[str], str]]:
    """Yield (sentence, its line, words of the title and the headings above it, the date above it) outside the sections that decide nothing."""
    named = _subject(title)
    headings: list[tuple[int, str]] = []
    day = ""
    skipped = 0
    for text, line, level in blocks(body, first_line):
        if level > 0:
            headings = [each for each in headings if each[0] < level]
            heading = text.strip("# \t")
            if not skipped or level <= skipped:
                # The title may name what changed; a section with such a heading is about the past.
                skipped = level if headings and _OF_NO_DECISION.search(heading) is not None else 0
            headings.append((level, heading))
            day = next((found for each in reversed(headings) if (found := _day(each[1]))), day if level > 1 else "")
            continue
        if skipped or level == SHELL or text.lstrip().startswith("|"):
            continue
        dated = _DATED.match(text)
        if dated is not None and len(text) < 40 and "\n" not in text:
            day = _day(text)
            continue
        context = named.union(*(_subject(heading) for _, heading in headings)) if headings else named
        for part, at in _parts(text):
            yield part, line + text.count("\n", 0, at), context, _day(part) or day


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Yield (sentence, its offset). The period of a link's text, as in [12. Cache](12-cache.md), ends no sentence."""
    begin = 0
    for end in (*(match.end() for match in _END_OR_LINK.finditer(text) if match[1]), len(text)):
        part = text[begin:end]
        if part.strip():
            yield part.strip(), begin + len(part) - len(part.lstrip())
        begin = end


def _day(text: str) -> str:
    found = _DATED.search(text)
    return "-".join(part for part in found.groups() if part) if found is not None else ""


@lru_cache(maxsize=64)
def _subject(title: str) -> frozenset[str]:
    """Return the words of a title that say what it is about, without numbers and words such as "decision"."""
    found = words.read(title)
    return frozenset(word for word in found.about - _GENERIC_TITLE if len(word) > 1 and not word.isdigit())

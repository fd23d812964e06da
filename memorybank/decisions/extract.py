"""Extracts the decisions of a note, and what it says about replacing other notes.

Some sentences say which note replaces which: "replaced by [[queue-2]]", "supersedes ADR 7", 「[[queue-2]] に置き換え」.
"""

from __future__ import annotations

__light__ = True


from memorybank.claims.blocks import SHELL, Block, blocks, cut_at, parts
from memorybank.decisions import sentence, subject
from memorybank.decisions.decision import Decision, Replacement
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST = 400
"""Maximum length of a sentence, in characters, in which such a statement is looked for."""
_REFERENCE = r"(?:\[\[[^\[\]\n]{1,200}\]\]|!?\[[^\[\]\n]{1,200}\]\([^()\n]{1,300}\)|`?[\w./-]{1,200}\.md\b`?|`?\bADR[- ]?#?\d{1,5}\b`?)"
_LIST = rf"{_REFERENCE}(?:\s*(?:,|and|&|、|と|および)\s*{_REFERENCE})*"
_ITSELF = (
    r"(?:this (?:decision|note|adr|record|page|document|doc|rule|file|policy|plan|spec|specification|design|guide)\b"
    r"|この(?:決定|ノート|文書|規則|方針|ページ|記録|メモ|計画|設計)[はも]?)"
)
_LEAD = (
    rf"^(?:\[!\w+\]|[^\w\[`]|this(?=\s+(?:supersedes|replaces|obsoletes)\b)|"
    rf"(?:status|state|archived|accepted|deprecated|obsolete|is|was|has been|and|now|relations|notes)\b|状態|廃止|非推奨|ステータス|現在"
    rf"|20\d\d-\d\d-\d\d|{_ITSELF})*+"
)
"""The words before such a statement that leave the note itself as its subject."""
_PASSIVE = lazy_pattern(rf"{_LEAD}(?:superseded|replaced|obsoleted)(?:[_ -]by|\s+(?:on\s+\S+\s+)?(?:by|with))\s*[:：]?\W{{0,3}}?({_LIST})", "i")
_ACTIVE = lazy_pattern(rf"{_LEAD}(?:supersedes?|replaces|obsoletes)\s*[:：]?\W{{0,3}}?({_LIST})", "i")
_OTHERS = lazy_pattern(rf"^\W*({_REFERENCE})\s+(?:(?:is|was|has been)\s+(superseded|replaced)\s+by|(supersedes|replaces))\s+({_REFERENCE})", "i")
_PASSIVE_JAPANESE = lazy_pattern(rf"{_LEAD}({_LIST})\s*(?:に|で|によって|により|へ)\s*(?:置き?換え|置換|差し替え|取って代わ)")
_ACTIVE_JAPANESE = lazy_pattern(rf"{_LEAD}({_LIST})\s*(?:を|の)\s*(?:置き?換え(?:る|た|ます|ました|もの)|廃止(?:し|する)|差し替え(?:る|た)|後継)")
_REFUSED = lazy_pattern(
    r"\b(?:not|never|partly|partially|in part|part of|parts of|would|could|might|may|if|should|will|once|propos\w*|maybe|perhaps|planned"
    r"|section|example)\b|n['’]t\b|[?？]|一部|部分的|案|予定|検討|もし|かもしれ|ない|場合|例えば",
    "i",
)
_SIGNS = ("supersede", "replace", "obsolete", "置", "差し替", "取って代", "廃止", "後継")
"""What every such statement contains, in lower case."""
_EACH = lazy_pattern(_REFERENCE, "i")
_NUMBER_OF_RECORD = lazy_pattern(r"^adr[- ]?#?", "i")
_NAMES_ITSELF = lazy_pattern(_ITSELF, "i")
_WIKI = lazy_pattern(r"\[\[([^\[\]|#\n]+)")
_DESTINATION = lazy_pattern(r"\]\(\s*<?([^()\s<>#]+)")

LEARNED_RULES = "learned/rule-"
"""How the keys of notes begin that quote what a person said. Other learned notes, and session notes, are derived."""
_CHANGELOG = lazy_pattern(r"(?:change[-_]?log|changes|history|news|releases?|release[-_]notes)\b", "i")
_LEARNED, _SESSION_NOTES = "learned/", "sync/sessions/"
MOST = 200
"""Maximum number of decisions of one note."""
_OF_NO_DECISION = lazy_pattern(
    r"\b(?:history|background|context|problem|motivation|alternatives?|rejected|considered|options?|drivers|pros|cons|before|previous(?:ly)?"
    r"|change ?log|changes|old"
    r"|deprecated|obsolete|superseded|examples?|open|questions?|todos?|ideas?|future|plans?|planned|roadmap|next steps|proposals?|drafts?"
    r"|experiments?|quotes?|timeline|incidents?|post-?mortems?|log)\b"
    r"|経緯|背景|履歴|以前|過去|旧|却下|代替|検討|候補|例|変更点|課題|今後|予定|案|将来|計画|下書き|未決|議論|検証|障害|ログ",
    "i",
)
"""Matches the heading of a section that describes something else than what is decided."""
_DAY = r"(20\d\d)-(\d\d)-(\d\d)"
_DATED = lazy_pattern(rf"^\W*(?:date\s*[:：]\s*)?{_DAY}\b|[(（]{_DAY}[)）]?[.。]?\s*$|^\W*(?:日付|date)\s*[:：]\s*{_DAY}", "i")
_NAMES_OF_STATUS = ("status", "状態", "ステータス")
_STATUS = lazy_pattern(r"^\W*(?:status|状態|ステータス)[^\w:：]*[:：]\W{0,80}(.+)$", "i")
_STATUS_HEADING = lazy_pattern(r"^\W*(?:\d+[.)]?\s*)?(?:status|状態|ステータス)\W*$", "i")
_QUOTED_HEAD = lazy_pattern(r"\A(?:(?!##)[^\n]*\n?){1,40}")
_NOT_DECIDED = lazy_pattern(r"^\W*(?:proposed|draft|rejected|withdrawn|in review|under review|open|pending|wip|提案|草案|却下|検討中|下書き)", "i")
_END_OR_LINK = lazy_pattern(r"\[[^\[\]\n]{1,200}\]\([^()\n]{1,300}\)|([.!?]\s+|[。！？])")


def of_note(key: str, title: str, body: str, found_blocks: Iterable[Block], first_line: int = 1) -> list[Decision]:
    """Return the decisions of a note. A session note and a changelog report and decide nothing. A learned rule is what a person said, quoted."""
    if key.startswith(_SESSION_NOTES) or _CHANGELOG.match(key.rpartition("/")[2]) is not None:
        return []
    if not key.startswith(_LEARNED):
        return decisions(title, found_blocks) if is_decided(body) else []
    quoted = [(line.removeprefix("> "), number) for number, line in enumerate(body.split("\n"), first_line) if line.startswith("> ")]
    made = (sentence.decision(said, number, frozenset(), "") for said, number in quoted if key.startswith(LEARNED_RULES))
    return [each for each in made if each is not None]


def decisions(title: str, found_blocks: Iterable[Block]) -> list[Decision]:
    """Return the decisions of the blocks of a note, at most `MOST`."""
    found: list[Decision] = []
    seen: set[tuple[str, str]] = set()
    for text, line, context, day in _sentences(title, found_blocks):
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
    found = [Replacement(name, "", 1) for value in supersedes for name in names(value)]
    found += [Replacement("", name, 1) for value in superseded_by for name in names(value)]
    lowered = body.lower()
    if not any(sign in lowered for sign in _SIGNS):
        return list(dict.fromkeys(found))
    is_head, is_status = True, False
    # In the head of a note such a statement is often set off as a quotation.
    for text, line, level in blocks(_QUOTED_HEAD.sub(lambda head: head[0].replace("\n>", "\n "), body), first_line):
        if level > 0:
            is_status = _STATUS_HEADING.match(text.lstrip("# ")) is not None
            is_head = is_head and level == 1
        elif level != SHELL and not text.lstrip().startswith("|"):
            for part, _ in _parts(text):
                found += stated_replacements(part.rstrip(), line, is_head=is_head or is_status or _STATUS.match(part) is not None)
    return list(dict.fromkeys(found))


def is_decided(body: str) -> bool:
    """Return whether the status of a decision record, if it has one, says that it is in force. One that is only proposed, or rejected, decides nothing."""
    is_status = False
    beginning = body[:4_000]
    folded = beginning.casefold()
    if not any(name in folded for name in _NAMES_OF_STATUS):
        return True
    for line in beginning.split("\n"):
        if line.startswith("#"):
            is_status = _STATUS_HEADING.match(line.lstrip("# ")) is not None
        elif line.strip():
            status = _STATUS.match(line)
            said = status[1] if status is not None else line if is_status else ""
            if said:
                return _NOT_DECIDED.match(said) is None
            is_status = False
    return True


def _sentences(title: str, found_blocks: Iterable[Block]) -> Iterator[tuple[str, int, frozenset[str], str]]:
    """Yield (sentence, its line, words of the title and the headings above it, the date above it) outside the sections that decide nothing."""
    named = subject.names_of(title)
    headings: list[tuple[int, str]] = []
    day = ""
    skipped = 0
    for text, line, level in found_blocks:
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
        if len(text) < 40 and "20" in text and "\n" not in text and _DATED.match(text) is not None:
            day = _day(text)
            continue
        context = named.union(*(subject.names_of(heading) for _, heading in headings)) if headings else named
        is_one_line = "\n" not in text
        for part, at in _parts(text):
            # A note of one sentence often has it as its title, too.
            own = subject.names_of(title, part) if not headings and part[:4] == title[:4] else context
            yield part.rstrip(), line if is_one_line else line + text.count("\n", 0, at), own, _day(part) or day


def _parts(text: str) -> Iterable[tuple[str, int]]:
    """Return (sentence with the white space after it, its offset). The period of a link's text, as in [12. Cache](12-cache.md), ends no sentence."""
    if "](" not in text:
        return parts(text)
    return cut_at([match.end() for match in _END_OR_LINK.finditer(text) if match[1]], text)


def _day(text: str) -> str:
    found = _DATED.search(text) if "20" in text else None
    return "-".join(part for part in found.groups() if part) if found is not None else ""


def stated_replacements(sentence: str, line: int, *, is_head: bool = True) -> Iterator[Replacement]:
    """Yield what a sentence says about notes that replace each other. One that limits or denies it, or only proposes it, says nothing.

    is_head: whether it stands in the head of the note or in its status. Further below, "replaced by" without a subject is about a section.
    """
    sentence = sentence[:LONGEST]
    if "[" not in sentence and "adr" not in sentence.lower() and ".md" not in sentence:
        return
    # What is within a link's text does not limit the sentence.
    if _REFUSED.search(_EACH.sub(" ", sentence)) is not None:
        return
    others = _OTHERS.search(sentence)
    if others is not None:
        first, second = targets(others[1])[0], targets(others[4])[0]
        yield Replacement(first, second, line) if others[2] else Replacement(second, first, line)
        return
    for pattern, is_passive in ((_PASSIVE, True), (_ACTIVE, False), (_PASSIVE_JAPANESE, True), (_ACTIVE_JAPANESE, False)):
        match = pattern.search(sentence)
        if match is not None and (is_head or not is_passive or _NAMES_ITSELF.search(sentence) is not None):
            for name in targets(match[1]):
                yield Replacement("", name, line) if is_passive else Replacement(name, "", line)
            return


def targets(text: str) -> list[str]:
    """Return the notes that a text refers to: names of wiki links, destinations of links, paths, `adr 12`."""
    found = []
    for match in _EACH.finditer(text):
        said = match[0]
        wiki, destination = _WIKI.match(said), _DESTINATION.search(said)
        if wiki is not None:
            found.append(wiki[1].strip())
        elif destination is not None:
            found.append(destination[1])
        else:
            found.append(_NUMBER_OF_RECORD.sub("adr ", said.strip("`")))
    return found


def names(value: str) -> list[str]:
    """Return the notes that a value of the front matter names: a link, a key, a name, or the number of a decision record."""
    plain = value.strip().strip("[]").strip()
    return targets(value) or ([f"adr {plain}"] if plain.isdigit() else [plain] if plain else [])

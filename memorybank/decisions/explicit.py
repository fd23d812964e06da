"""Reads sentences that say which note replaces which: "replaced by [[queue-2]]", "supersedes ADR 7", 「[[queue-2]] に置き換え」."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memorybank.decisions.decision import Replacement

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
_PASSIVE = re.compile(rf"{_LEAD}(?:superseded|replaced|obsoleted)(?:[_ -]by|\s+(?:on\s+\S+\s+)?(?:by|with))\s*[:：]?\W{{0,3}}?({_LIST})", re.I)
_ACTIVE = re.compile(rf"{_LEAD}(?:supersedes?|replaces|obsoletes)\s*[:：]?\W{{0,3}}?({_LIST})", re.I)
_OTHERS = re.compile(rf"^\W*({_REFERENCE})\s+(?:(?:is|was|has been)\s+(superseded|replaced)\s+by|(supersedes|replaces))\s+({_REFERENCE})", re.I)
_PASSIVE_JAPANESE = re.compile(rf"{_LEAD}({_LIST})\s*(?:に|で|によって|により|へ)\s*(?:置き?換え|置換|差し替え|取って代わ)")
_ACTIVE_JAPANESE = re.compile(rf"{_LEAD}({_LIST})\s*(?:を|の)\s*(?:置き?換え(?:る|た|ます|ました|もの)|廃止(?:し|する)|差し替え(?:る|た)|後継)")
_REFUSED = re.compile(
    r"\b(?:not|never|partly|partially|in part|part of|parts of|would|could|might|may|if|should|will|once|propos\w*|maybe|perhaps|planned"
    r"|section|example)\b|n['’]t\b|[?？]"
    r"|一部|部分的|案|予定|検討|もし|かもしれ|ない|場合|例えば",
    re.I,
)
_EACH = re.compile(_REFERENCE, re.I)
_NAMES_ITSELF = re.compile(_ITSELF, re.I)
_WIKI = re.compile(r"\[\[([^\[\]|#\n]+)")
_DESTINATION = re.compile(r"\]\(\s*<?([^()\s<>#]+)")


def replacements(sentence: str, line: int, *, is_head: bool = True) -> Iterator[Replacement]:
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
            found.append(re.sub(r"(?i)^adr[- ]?#?", "adr ", said.strip("`")))
    return found


def names(value: str) -> list[str]:
    """Return the notes that a value of the front matter names: a link, a key, a name, or the number of a decision record."""
    plain = value.strip().strip("[]").strip()
    return targets(value) or ([f"adr {plain}"] if plain.isdigit() else [plain] if plain else [])

"""Split a typed text into sentences, English and Japanese."""

from __future__ import annotations

__light__ = True

from memorybank.text.emphasis import without_emphasis
from memorybank.text.pattern import lazy_pattern
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST_SENTENCE = 400
"""Maximum length in characters of a sentence that a person types; a longer one was pasted."""
_MOST = 400
_ENDS = lazy_pattern("[.!?。！？]")
_CODE = lazy_pattern(r"`[^`\n]{1,200}`")
_GOES_ON = lazy_pattern(r"(?<=\.\.) (?:[がをへのはにも](?=[^ 、。]))")
"""Matches a Japanese particle after an ellipsis and a space: the text before it is its noun, as in "Saved image ... が最後に出る"."""
_CLOSERS = "\"'`”’」』)）】] \t*_"
_BEGINS = lazy_pattern(r"\s+[A-Z](?![A-Z])\w*[ ']")
"""Matches the beginning of an English sentence after a bracket."""
_OPENING, _CLOSING = ("(", "（"), (")", "）")
_FIRST, _LAST = 800, 400
"""Bytes of UTF-8 that are read at the beginning and at the end of a long prompt. Of 1,588 prompts in recorded sessions, three were longer than both."""
_ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "cf", "mr", "dr")
_REFERS_BACK = lazy_pattern(
    r"^(?:because|since|the reason|that(?:'s| is| was) (?:why|because)|this (?:is|was) because|so (?:it|we|that|they)|otherwise|therefore|hence|or else)\b"
    r"|^(?:理由は|なぜなら|というのも|そのため|だから|でないと|さもないと|そうしないと)|(?:ため|から|ので|[うくすつぬむぶるいただな]んで)(?:です|だ"
    r"|である|でした)?[。！!\s]*$",
    "i",
)
"""A sentence that says why of the one before it."""
_LIST_MARK = lazy_pattern(r"^(?:(?:\*(?!\*)|[•・])+\s*|[-+]+\s+|#+\s+|\d{1,3}[.)]\s+)+")

_INLINE_MARK = lazy_pattern(r"(?:(?<=[:：。、，,;. ])|^)(?:\(?[1-9][.)）](?= )|[①-⑨]) ?")
_FIRST_MARK = lazy_pattern(r"\b1[.)）] |①")
_SECOND_MARK = lazy_pattern(r"[ 。、]\(?2[.)）] |②")
"""Match the marks of a list in one line, and the first two of them: "two rules: 1. … 2. …"."""


def sentences(text: str) -> list[str]:
    """Return the first 400 sentences in order, with white space collapsed without list marks and marks of emphasis; quoted lines are left out.

    The end of a line also ends a sentence.
    """
    return list(_sentences(text))


@lru_cache(maxsize=8)
def _sentences(text: str) -> tuple[str, ...]:
    """Return the same. Several mechanisms read one prompt."""
    found: list[str] = []
    for line in without_emphasis(text.replace("’", "'")).split("\n"):
        line = " ".join(line.split())
        if line and not line.startswith((">", "|")):
            for item in _INLINE_MARK.split(line) if _is_inline_list(line) else (line,):
                found += _cut(_LIST_MARK.sub("", item) if item and item[0] in "-+*•・#0123456789" else item)
        if len(found) > _MOST:
            break
    return tuple([sentence for sentence in found[:_MOST] if len(sentence) > 1])


def _is_inline_list(line: str) -> bool:
    first = _FIRST_MARK.search(line) if "2" in line or "②" in line else None
    return first is not None and _SECOND_MARK.search(line, first.end() - 1) is not None


@lru_cache(maxsize=4)
def ends(text: str) -> str:
    """Return a text of moderate length as it is, of a longer one the first and the last sentences, one a line.

    A hook reads each sentence of a prompt in several ways while the agent waits. People say first what they want, and last what to heed.
    """
    if len(text) <= _LAST or _bytes(text) <= _FIRST + _LAST:
        return text
    found = sentences(text)
    begin, end = 0, len(found)
    left = _FIRST
    while begin < end and (left := left - _bytes(found[begin])) >= 0:
        begin += 1
    left = _LAST
    while begin < end and (left := left - _bytes(found[end - 1])) >= 0:
        end -= 1
    kept = [*found[:begin], *found[end:]]
    return "\n".join(kept) or text[:_FIRST]


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def is_reason(sentence: str) -> bool:
    """Return whether a sentence says why of the one before it."""
    return _REFERS_BACK.search(sentence) is not None


def with_reasons(found: Sequence[str], limit: int) -> list[str]:
    """Return the sentences, each with those after it that give a reason for it and could not be understood alone, up to `limit` characters together."""
    kept: list[str] = []
    for sentence in found:
        together = joined((kept[-1], sentence)) if kept and is_reason(sentence) else ""
        if together and len(together) <= limit:
            kept[-1] = together
        else:
            kept.append(sentence)
    return kept


def joined(found: Iterable[str]) -> str:
    """Return sentences as one text, with a space after each that does not end in Japanese."""
    return "".join(sentence if sentence.endswith(("。", "！", "？")) else f"{sentence} " for sentence in found).rstrip()


def _is_inside(begun: str) -> bool:
    """Return whether the beginning of a sentence has a bracket after its first word that it has not closed."""
    opened = max(map(begun.rfind, _OPENING))
    return opened > 0 and opened > max(map(begun.rfind, _CLOSING))


def _cut(line: str) -> list[str]:
    found = []
    start = 0
    code = [span.span() for span in _CODE.finditer(line)] if line.count("`") % 2 == 0 else []
    code.reverse()
    for end in _ENDS.finditer(line):
        sign, index = end[0], end.start()
        while code and code[-1][1] <= index:
            code.pop()
        if code and code[-1][0] < index:
            continue  # `COPY . .` is one word of its sentence
        if sign in "。！？" or index + 1 == len(line) or line[index + 1] in _CLOSERS:
            if sign == "." and line[max(start, index - 4) : index].lower().endswith(_ABBREVIATIONS):
                continue
            if sign == "." and _GOES_ON.match(line, index + 1):
                continue
            is_closed = line[index + 1 : index + 2] in _CLOSING
            if is_closed and not _BEGINS.match(line, index + 2) and _is_inside(line[start:index].strip()):
                continue  # "add a test (an integration test?) for it" is one sentence
            found.append(line[start : index + 1 + is_closed].strip())
            start = index + 1 + is_closed
    found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]

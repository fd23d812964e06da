"""The values that a text gives (numbers with their unit, identifiers, names), and whether another text gives other ones of the same kind."""

from __future__ import annotations

__light__ = True

from memorybank.text.about import SMALL, amounts, has_other_amount
from memorybank.text.pattern import lazy_pattern
from memorybank.text.terms import content_terms

_NAME = lazy_pattern(
    r"`([^`\s]{2,60})`|(?<![\w./@-])([A-Za-z_](?:[^\W_]*+_\w+|\w*+(?=[./:@-]\w))(?:[./:@-]\w+)*|[A-Za-z]+\d\w*|[A-Z][A-Z]+|[a-z]*[A-Z][a-z]*[A-Z]\w*|[a-z]+[A-Z]\w*|true|false"
    r"|enabled|disabled)(?![\w])|\b(?:Dr|Mrs?|Ms|Prof)\. ([A-Z]\w+)|(?<=[a-z,;'’] )([A-Z][a-z]{2,}\w*)|(?<=['’]s )([a-z]{3,})(?=[,.;!]|$)",
    "a",
)
_LATIN = lazy_pattern(r"[A-Za-z][\w.-]*\w", "a")
_IN_JAPANESE = lazy_pattern(r"(?:^|[は、。])([一-龥ァ-ヶー]{2,10})(?=です|でした|だ[。よ]|でしょ|にな|に変わ)")
_NO_NAMES = frozenset(
    str.split("""ok no yes january february march april may june july august september october november december monday tuesday wednesday thursday friday
    saturday sunday christmas kb mb gb tb ms pdf readme todo actually sorry it's that's i'm can't don't isn't e.g i.e
    大丈夫 問題 結構 十分 正解 以上 不要 必要 完了 本当 残念 最高 別件 了解 承知 無理 同様 全部""")
)
_DENIES = (
    r"(?:\b(?:no|not|no such|never|isn['’]t|rather than|instead of) [`\"“]?{0}|{0}[`\"”]?\S{{0,6}}?(?:では|じゃ)(?:な|あり)"
    r"|{0}\S{{0,8}}旧|{0}\S{{0,3}}は(?:あり|存在し)ま?せん)"
)
_TERMS_TAKEN = 2


class Values:
    """The values of one text.

    numbers: {a number or weekday: what it counts}
    names: identifiers and proper names in lower case
    """

    def __init__(self, text: str) -> None:
        self.low = text.lower()
        self.numbers = amounts(text)
        found = {part for groups in _NAME.findall(text) for part in groups if part}
        if not text.isascii():
            found.update(_LATIN.findall(text), _IN_JAPANESE.findall(text))
        self.names = {low for one in found if (low := one.lower().strip("`'’")) not in _NO_NAMES}

    def __bool__(self) -> bool:
        return bool(self.numbers or self.names)

    def has(self, value: str) -> bool:
        """Return whether the text contains a value of another text."""
        return value in self.numbers or (value in self.low and not value.isdigit())

    def beyond(self, other: Values) -> set[str]:
        """Return the values that another text does not contain."""
        return {one for one in self.numbers if one not in other.numbers and one not in SMALL} | {one for one in self.names if one not in other.low}


def new_values(text: str, answer: str) -> set[str]:
    """Return the values of a text that an answer does not contain."""
    return Values(text).beyond(Values(answer))


def gives_another(text: str, answer: str) -> bool:
    """Return whether a text has a value that an answer does not have, of a kind of which the answer has one that the text does not have."""
    own, known = Values(text), Values(answer)
    if has_other_amount(own.numbers, known.numbers):
        return True
    return any(one not in known.low for one in own.names) and any(one not in own.low for one in known.names)


def taken_over(text: str, answer: str, reply: str) -> bool:
    """Return whether a reply has the values that a text gives instead of those of an answer, and these no longer; without values, its words."""
    own, known, said = Values(text), Values(answer), Values(reply)
    if new := own.beyond(known):
        old = set(known.numbers).difference(own.numbers)
        is_kept = old.intersection(said.numbers) if old else known.names and all(map(said.has, known.names))
        return any(map(said.has, new)) and not is_kept
    words = set(content_terms(text)) - set(content_terms(answer))
    return len(words & set(content_terms(reply))) >= min(_TERMS_TAKEN, max(len(words), 1))


def is_kept_by(reply: str, answer: str, text: str) -> bool:
    """Return whether a reply repeats the values of an answer, and denies those that a text gave instead, or leaves them out."""
    known, said = Values(answer), Values(reply)
    if not known or not known.numbers.keys() <= said.numbers.keys() or not all(one in said.low for one in known.names):
        return False
    return all(not said.has(one) or _denies(said.low, one) for one in Values(text).beyond(known))


def _denies(text: str, value: str) -> bool:
    import re  # late: rarely needed

    return re.search(_DENIES.format(re.escape(value)), text, re.IGNORECASE) is not None

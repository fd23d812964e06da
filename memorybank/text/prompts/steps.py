"""The names of phases and steps of a plan, however they are spelled: phase two, step2, the 3rd phase, ステップ２, 第二段階, 2つ目のフェーズ."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_ROMAN = ("i", "ii", "iii", "iv")
_KANJI = "一二三四五六七八九"
_KINDS = "フェーズ|フェイズ|ステージ|ステップ|段階|工程|手順"
STEP = lazy_pattern(
    rf"(?<![A-Za-z])(?:phase|step|stage|part|milestone)[ #_-]{{0,2}}(?P<number>[\d０-９]{{1,2}}|{'|'.join(_WORDS)}|ii|iii|iv)(?![A-Za-z\d０-９]|\.\d)"
    rf"|(?<![A-Za-z\d])(?P<ordinal>1st|2nd|3rd|[4-9]th|{'|'.join(_ORDINALS)}) (?:phase|step|stage|milestone)(?![A-Za-z])"
    rf"|第(?P<counted>[\d０-９]{{1,2}}|[{_KANJI}])(?:{_KINDS}|期|部)"
    rf"|(?:{_KINDS})[ #]?(?P<japanese>[\d０-９]{{1,2}}(?![\d０-９]|\.\d)|[{_KANJI}](?![\u4e00-\u9fff]))"
    rf"|(?P<th>[\d０-９]{{1,2}}|[{_KANJI}])(?:(?:つ目|番目)の(?:{_KINDS})|段階目)",
    "i",
)
"""Matches the name of a phase or step of a plan with its number."""
_STEPS = lazy_pattern("step|ステップ|手順|工程", "i")


def step_of(found: re.Match[str]) -> int:
    """Return the number in a match of `STEP`."""
    said = next(filter(None, found.groups())).lower()
    for words in (_WORDS, _ORDINALS, _KANJI, _ROMAN):
        if said in words:
            return words.index(said) + 1
    return int(said.rstrip("stndrh"))


def is_step(found: re.Match[str]) -> bool:
    """Return whether a match of `STEP` calls it a step, and not a phase."""
    return _STEPS.search(found[0]) is not None


def spelled(number: str) -> list[str]:
    """Return the ways in which the number of a step is written that `STEP` finds."""
    if not number.isdigit():
        return [number]
    wide = number.translate({ord("0") + digit: ord("０") + digit for digit in range(10)})
    place = int(number) - 1
    return [number, wide, *filter(None, (words[place] for words in (_WORDS, _ORDINALS, _KANJI, ("", *_ROMAN[1:])) if 0 <= place < len(words)))]

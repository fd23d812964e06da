"""Recognises a sentence that only greets ("Good morning, Claude!", 「おはようございます。」), which asks for nothing."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_LONGEST = 48
_PARTS = lazy_pattern("[,、，!！.。〜~]")
_TO = r"(?:again|there|all|everyone|everybody|team|folks|back|[A-Z][\w-]{0,20})"
_GREETS = lazy_pattern(
    rf"(?:[Gg]ood (?:morning|afternoon|evening|day)|[Mm]orning|[Ee]vening|[Hh](?:i|iya|ello|ey)|[Gg]reetings|[Ww]elcome)(?: {_TO}){{0,2}}"
    r"|(?:皆さん|みなさん)?(?:おはよう(?:ございます)?|こんにち[はわ]|こんばん[はわ]|はじめまして|初めまして|お久しぶりです|お(?:疲れ|つかれ)(?:様|さま)?(?:です|でした)?)"
    r"|(?:いつも)?(?:大変)?お世話になっ(?:て(?:おり|い)?ます)|お世話になります|(?:今日も|本日も)?(?:どうぞ)?(?:よろしく|宜しく)(?:お願い(?:いた|致)?します|です)?"
)
_ADDRESSES = lazy_pattern(_TO)


def only_greets(sentence: str) -> bool:
    """Return whether a sentence greets, and says nothing else."""
    if len(sentence) > _LONGEST:
        return False
    parts = [_bare(part) for part in _PARTS.split(sentence)]
    parts = list(filter(None, parts))
    greets = [_GREETS.fullmatch(part) is not None for part in parts]
    return any(greets[:1]) and all(is_one or _ADDRESSES.fullmatch(part) is not None for is_one, part in zip(greets, parts, strict=True))


def _bare(part: str) -> str:
    """Return a part of a sentence without the signs and pictures around it."""
    while part and not part[-1].isalnum():
        part = part[:-1]
    return part.lstrip()

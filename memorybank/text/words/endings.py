"""Japanese sentences as they end in the polite form, in whatever dialect they are written: 「直ったで！」 as 「直りました。」, 「完了や」 as 「完了です。」.

The patterns that judge sentences know the polite endings. Only the end of a sentence changes, and the result is for comparing, never for showing: a verb may
get an ending that it does not have.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.values import Memo

_SIGNS = r"！!〜～♪☆★\s\u2600-\u27bf\ufe0f\U0001f300-\U0001faff"
_MARKS = lazy_pattern(rf"(?<![{_SIGNS}])[{_SIGNS}]+$")
_DENIES = lazy_pattern(r"(?<=[いきしちにひみりえけせてねへめれかさたなまらわ])(?<![のこそあ])(?:へん|ひん|まへん)(かった)?(?:ねん|わ|で|な|ぞ|よ|やん)?$")
_RHETORICAL = lazy_pattern(r"(?:ん?じゃ(?:ねー|ねえ|ね|ない)か|やんけ|やんか|やん|じゃん)$")
_WANTED = lazy_pattern(r"(て|で)(?:や|な|くれや|くれよ|くれ)$")
_OFFERED = lazy_pattern(r"(?:し|(?<=[えけせてねべめれげみ]))(?:よっ?か|よう(?:か|や|ぜ|で|な))$|(?<=[おこそとのぼもろご])う(?:か|や|ぜ|で|な)$")
_PAST = lazy_pattern(r"([しっいんきえけせてねへめれべげ])[ただ](?:んやで|やで|んやな|んや|んだ|ねん|っす|のだ|やろ|わい|わ|で|ぜ|ぞ|な|ね|よ|や)$")
_PRESENT = lazy_pattern(r"([うくすつぬぶむぐる])(?:んやで|んやな|んや|んだ|やで|ねん|っす|わい|わ|で|ぜ|ぞ|よ|ね)$")
_IS = lazy_pattern(
    r"(?:(?<=[一-龥々ァ-ヶーA-Za-z0-9`」）)])|(?<=から|だけ|まま|よう|ため|まで|とき|こと|もの|はず|そう)|(?<=[のん]))\s?"
    r"(?:や(?:で|な|ぞ|わ|ね|ねん)?|だ(?:ぜ|ぞ|な|ね|よ|わ)|っす|じゃ(?:ぞ|な)?)$"
)
_ADJECTIVE = lazy_pattern(r"([なたしよ]い)(?:んやで|んや|やで|ねん|っす|わい|わ|(?<!ない)で|ぜ|ぞ)$")
_BAD = lazy_pattern(r"(?:あかん|アカン)(?:ねん|のや|わ|で|な|ぞ|よ)?$")
_POLITE = {"し": "しました", "っ": "りました", "い": "きました", "ん": "みました", "き": "きました"}
_STEMS = dict(zip("うくすつぬぶむぐ", "いきしちにびみぎ", strict=True))
_BEFORE_ICHIDAN = frozenset("いきしちにひみりえけせてねへめれべげぎじび")
_MOST_READ = 256
"""Sentences that the table of polite forms remembers."""
_END = 40
"""Characters at the end of a sentence in which all that changes is, with what stands before it."""


def polite(sentence: str) -> str:
    """Return a sentence with the polite ending, and a full stop in place of the signs behind it, if it ends in a dialect or tone of its own."""
    return sentence if sentence.isascii() else _polite[sentence]


def _in_polite_form(sentence: str) -> str:
    said = sentence if sentence.endswith("。") or sentence[-1:].isalpha() else _MARKS.sub("", sentence)
    sign = said[-1:] if said.endswith(("。", "？", "?")) else ""
    bare = said.removesuffix(sign).replace("さかい", "から")
    ended = _ended(bare[-_END:])
    return f"{bare[:-_END]}{ended}{sign or '。'}" if ended is not None else f"{said}{sign or '。'}" if said != sentence else sentence


def _ended(said: str) -> str | None:
    """Return a sentence without its last sign with the polite ending; None if it has no other one."""
    for pattern, polite_end in ((_BAD, "だめです"), (_WANTED, r"\1ください"), (_OFFERED, "しましょうか")):
        if pattern.search(said):
            return pattern.sub(polite_end, said)
    if denied := _DENIES.search(said):
        return f"{said[: denied.start()]}ません{'でした' if denied[1] else ''}"
    plain = _RHETORICAL.sub("", said)
    if plain != said:
        plain += "ぞ" if plain[-1:] in _STEMS or plain.endswith(("る", "た")) else "や"
    if past := _PAST.search(plain):
        return plain[: past.start()] + _POLITE.get(past[1], f"{past[1]}ました")
    if present := _PRESENT.search(plain):
        return _polite_verb(plain[: present.end(1)])
    for pattern, polite_end in ((_IS, "です"), (_ADJECTIVE, r"\1です")):
        if pattern.search(plain):
            return pattern.sub(polite_end, plain)
    return None


def _polite_verb(said: str) -> str:
    """Return a sentence that ends in the plain form of a verb with the polite form."""
    last, before = said[-1], said[-2:-1]
    if last != "る":
        return f"{said[:-1]}{_STEMS[last]}ます"
    if before == "す":
        return f"{said[:-2]}します"
    return f"{said[:-1]}{'' if before in _BEFORE_ICHIDAN else 'り'}ます"


_polite = Memo(_in_polite_form, _MOST_READ)
"""Cache of `polite`. Each sentence is asked whether it decides, explains, plans and passes, and each question reads it in this form."""

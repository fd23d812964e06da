"""Who reported or ordered what a prompt is about: "Mara from sales says …", 「経理から連絡がありました」.

Their names are rare words, and say nothing about the subject.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_WORD = "[一-龥ァ-ヶーA-Za-z]"
_ENGLISH = (
    r"\b(?!(?:It|This|That|He|She|They|We|You|Who|What|Git|CI)\b)[A-Z][a-z]+(?: [A-Z][a-z]+| from \w+)? (?:says|said|told (?:me|us)|wants|asked|asks|insists)\b"
    r"|\b(?:(?:[Tt]he|[Aa]n?|[Oo]ne|[Ss]ome|[Oo]ur|[Mm]y)(?: of (?:our|the|my))?(?: [a-z]+){0,2}? "
    r"(?:customer|client|user|boss|colleague|coworker|teammate|team|manager|auditor|guest|tester|reviewer|designer|visitor|member|lead|owner|partner|support"
    r"|accountant|lawyer|intern|parent|teacher|student|patient|doctor|nurse|cook|chef|people)s?|[Ss]omebody|[Ss]omeone)(?: (?:of|from|in|at)(?: [a-z]+){1,3}?)?"
    r" (?:asks?|asked|wonders?|wondered|wants? to know|would like to know|complains|complained|told (?:me|us))\b"
    r"|\b(?:as|per) (?:Mr|Mrs|Ms|Dr)\.? [A-Z][a-z]+\b|\baccording to [A-Z][a-z]+\b"
)
_IN_ENGLISH = lazy_pattern(_ENGLISH)
_IN_ANY = lazy_pattern(
    rf"(?:{_WORD}{{1,12}}の)?{_WORD}{{1,10}}(?:さん|様|氏|課長|部長|社長)(?:の(?:指示|依頼|希望|要望|話|指摘)(?:です|で|により)?|から(?:の)?|に言われ)"
    rf"|{_WORD}{{2,10}}(?:から|より)の?(?:連絡|指摘|報告|依頼|要望|問い合わせ|指示|苦情|クレーム|電話)(?:が(?:あり|来)(?:ました|まして|て))?"
    r"|^\W*(?:[^、。]{1,12}に)?[^、。]{1,10}から、(?=.{4,200}(?:(?:聞か|言わ|(?:質問|相談|指摘|依頼)さ)れ|(?:質問|問い合わせ|連絡|電話|相談|指摘|依頼|要望)が(?:あ[りっ]|来|届)))"
    r"|と?(?:電話|連絡|質問|問い合わせ|相談)が(?:あり|来)(?:ました|まして|て)"
    rf"|{_ENGLISH}"
)


def without_reporters(text: str) -> str:
    """Return a text without the words that name the person who reported or ordered something. A text of nothing else stays as it is."""
    rest = (_IN_ENGLISH if text.isascii() else _IN_ANY).sub(" ", text)
    return rest if rest.strip(" 。、.,!?") else text

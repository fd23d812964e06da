"""Words of an order that people mistype when they are in a hurry: "nver push to main", "alwyas lint first", 「mainにプッシュしなでください」."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.values import lru_cache

_MISTYPED = lazy_pattern(
    r"(?P<place>^\W*|[,;:.!?–—-]\s+|\b(?:please|pls|and|but|so|just|to|we|you|must|should)\s+)"
    r"(?:(?P<never>n[bcdfghijklmnopqrstuvwxyz]ver|neever|nevver|neverr|nneve?r|neve[tefdgw]|ne[bcfg]er|n[vr]er|neer|nevr|neve|enver|nveer|neevr|nevre|[bm]ever)"
    r"|(?P<always>alwyas|awlays|alawys|laways|alwasy|allways|alwayss|alwaays|alway|alwys|alwas|aways|alays|alwaya|alwaus|alwats|slways|akways|alqays|aleays)"
    r"|(?P<dont>dno['’]?t|do['’]nt|dotn['’]?|don['’]y|don['’]r|donn['’]t|ddon['’]t|don[;:]t|dont['’]|odn['’]t|sont['’]|son['’]t|fon['’]t))(?=\s+[a-z])",
    "i",
)
"""Matches what differs by one sign, or by two that changed places, from a word that begins an order, where one begins."""
_MISTYPED_JAPANESE = lazy_pattern(
    r"(?<=[かさたなまらばがわえけせてねべめれげしきちにみりびぎい])(?:なで(?=ください|下さい|ね?[。！!]*$)|ない(?=ください|下さい)|ないて(?=ください|下さい))"
)
"""Matches 「ないで」 with one sign less, or another one."""


@lru_cache(maxsize=512)
def repaired(sentence: str) -> str:
    """Return a sentence with the words that forbid or demand something as they are meant. Other words stay as they were typed."""
    if sentence.isascii():
        return _MISTYPED.sub(lambda found: f"{found['place']}{'never' if found['never'] else 'always' if found['always'] else 'don' + chr(39) + 't'}", sentence)
    return _MISTYPED_JAPANESE.sub("ないで", sentence)

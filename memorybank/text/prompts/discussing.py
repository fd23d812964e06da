"""Requests to plan, explain or agree before anything is changed: "explain both options before you change anything", 「実装する前に方針を教えて」.

Only what holds for changes as such counts. "Don't change the port yet", "ask me before you push" and 「変更前に確認画面を出す」 are about one thing, or about
the product.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_ANYTHING = r"(?:any ?thing|any (?:more )?(?:code|changes|files|edits)|(?:the )?(?:code|changes|fix)|it|this|that|one)\b"
_CHANGE = (
    rf"(?:(?:writ|mak|chang|edit|modify|touch|fix|implement|apply|try)(?:e|ing)? (?:of them |{_ANYTHING})|(?:start |begin )?(?:coding|implementing)\b|code\b)"
)
_BEFORE = rf"\bbefore (?:(?:you|we|try(?:ing)?|to|even) )*{_CHANGE}(?! (?:to|of the|in|from) )"
_TELL = r"(?:^\W*|[,;:–-] |\b(?:and|please|always|first|then|you|let['’]s) )(?:ask|explain|(?:show|tell) me|propose|outline|discuss|talk|plan|think)\b"
_TOGETHER = r"(?:discuss|talk|think|plan|brainstorm|agree)\b"
_NOT = r"\b(?:don['’]?t|do not) (?:just )?"
_ENGLISH = (
    rf"(?:{_TELL}[^.;]{{0,80}}?{_BEFORE}|^\W*{_BEFORE}[^.;]{{0,40}}?{_TELL}|{_NOT}{_CHANGE}[^.;,]{{0,20}}\b(?:yet|for now|until (?:i|we))\b"
    rf"|{_NOT}(?:rush|jump|dive) (?:straight )?into (?:cod|implement|fix|chang)ing\b"
    rf"|\b(?:let['’]?s|can we|we (?:should|need to|have to)) (?:first (?:\w+ )?{_TOGETHER}"
    rf"|(?:\w+ )?{_TOGETHER}[^.;]{{0,60}}?\b(?:first(?=\W*$|[,.;])|together\b)))"
)
_WORK = r"(?:実装|修正|変更|編集|着手|コード)"
_PLAN = r"(?:計画|方針|設計案|やり方|進め方|(?<![提名議起草])案)[^。、]{0,8}(?:教え|説明し|見せ|提案し|出し|立て|考え)て(?!くれ[たて])"
_NOT_DONE = r"(?:を|は|も)?(?:し|始め|書か|触ら|変え|直さ|進め)ないで(?!(?:済|すむ|い[るたて]))"
_JAPANESE = (
    rf"(?:まだ|いきなり|勝手に|(?:OK|承認|許可)[^。、]{{0,8}}まで)、?(?:{_WORK}|何も)?{_NOT_DONE}|{_WORK}(?:する|を?書く|を?変える|を?始める)?前に[^。]{{0,24}}?(?:{_PLAN}|相談して)"
    rf"|(?:まず|先に|最初に)[^。、]{{0,8}}?{_PLAN}"
)
DISCUSSES = f"{_ENGLISH}|{_JAPANESE}"
_DISCUSSES = lazy_pattern(DISCUSSES, "i")
_IS_ORDER = lazy_pattern(
    r"^(?!\W*(?:can|could|let['’]?s|we)\b).*\b(?:before|until)\b|^(?!.*(?:たい|よう|ましょう|ませんか)(?:です)?[。！!？?]*$).*(?:前に|まで|いきなり|勝手に|まず|先に)",
    "i",
)


def asks_to_discuss(sentence: str) -> bool:
    """Return whether a sentence asks to plan, explain or agree before anything is changed."""
    return _DISCUSSES.search(sentence) is not None


def orders_to_discuss(sentence: str) -> bool:
    """Return whether such a request says what comes before what. "No code yet" is about its moment, and "can we think about it first?" about its matter."""
    return _IS_ORDER.search(sentence) is not None

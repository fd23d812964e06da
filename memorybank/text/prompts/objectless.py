"""Orders and prohibitions whose object is in the sentence before them: "Don't put it in the handlers", 「ルーターに直接書かないこと」.

Nobody understands one alone, so it is kept together with that sentence.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.stated import lacks_subject

_WITH_PRONOUN = lazy_pattern(
    r"^\W*(?:(?:please|and|but|also|so|just|then)\b\W*)*(?:never|don['’]?t|do not|always|only|must not|nobody|no one|stop)\b(?: [\w-]+){1,3}? "
    r"(?:it|them|this|that|these|those|one|ones)(?=\W*$|[,.;]| (?:in|into|on|to|from|with|by|as|at|for|over|outside|anywhere|anymore|here|there|directly"
    r"|again"
    r"|yourself|manually|without|when|if|unless|until|before|after|either)\b)"
    r"|^[\w ]{1,30}\b(?:may|can) (?:now )?\w+ (?:it|them|that|this)\b|^\W*(?:(?:please|just)\b\W*)*(?:ask|tell|ping|call) (?:her|him|them)\b",
    "i",
)
_WITHOUT_OBJECT = lazy_pattern(
    r"(?:[一-龥][かさわらまたばがえけせてねべめれげ]|[一-龥]|[さえけせべめれ])ない(?:で|こと|よう|[。！!]|$)"
    r"|[うくすつむぶるぐ](?:の|こと)は(?:絶対に?)?(?:禁止|厳禁|NG|不可|だめ|ダメ|やめ)"
    r"|[かさわらまえけせべめれ]ずに",
)
"""Matches a Japanese prohibition with a verb of its own. A noun with 「する」 (マージしない) says what it is about."""
_ONLY_A_PLACE = lazy_pattern(
    r"^[^、。はをがも]{1,8}(?:で|から|に)は?(?:実行|作業|操作|変更|適用|使用|利用|公開|運用)(?:は)?(?:し(?:ない|ません|ちゃ|ては)|せず|禁止|不可|厳禁)"
)
"""Matches a prohibition that has a place and a noun of doing, and no object: 「手元では実行しないで」."""
_ADDS = lazy_pattern(
    r"^\W*(?:(?:please|just|always)\b\W*)*(?:use|run|call|ask|write|put|open|add|go)\b[^.]{0,60}\binstead\W*$|^\W*(?:that|this) (?:also )?includes\b"
    r"|^\W*(?:the )?same (?:goes|holds|applies)? ?for\b|^[^。、]{1,24}(?:も(?:含(?:み|め|む)|同じ|同様)|の代わりに)|^\W*代わりに",
    "i",
)
"""Matches what goes on with the order before it: what to do instead, and what else it is about."""
_ELSEWHERE = lazy_pattern(r"^\W*(?:他|ほか|それ以外|別)の?\S{0,4}(?:には|では|に|で|は|から)")
_INTO = lazy_pattern(r"に(?=は[^。、]{0,12}(?:書|置|入れ|出|保存|追加|載)[^。、]{0,3}ない)")
_HAS_TOPIC = lazy_pattern(r"を|ごとに|(?<![のと])は(?!禁止|NG)|(?<=[一-龥ァ-ヶーA-Za-z0-9])[がも]")


def lacks_object(sentence: str) -> bool:
    """Return whether a sentence orders or forbids something and only the one before it says what."""
    if any(pattern.search(sentence) is not None for pattern in (_WITH_PRONOUN, _ELSEWHERE, _ONLY_A_PLACE)) or lacks_subject(sentence):
        return True
    found = _WITHOUT_OBJECT.search(sentence)
    return found is not None and _HAS_TOPIC.search(_INTO.sub("の", sentence)[: found.end()].replace("のは", "").replace("ことは", "")) is None


def adds(sentence: str) -> bool:
    """Return whether a sentence only goes on with the order before it: "Run make sdk instead.", 「メールアドレスも含みます。」."""
    return _ADDS.search(sentence) is not None

"""Orders and prohibitions whose object is in the sentence before them: "Don't put it in the handlers", 「ルーターに直接書かないこと」, "Never on Fridays".

Nobody understands one alone, so it is kept together with that sentence, or not at all.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.stated import lacks_subject

_WITH_PRONOUN = lazy_pattern(
    r"^\W*(?:(?:please|and|but|also|so|just|then)\b\W*)*(?:never|don['’]?t|do not|always|only|must not|nobody|no one|stop)\b(?: [\w-]+){1,3}? "
    r"(?:it|them|this|that|these|those|one|ones)(?=\W*$|[,.;]| (?:in|into|on|to|from|with|by|as|at|for|over|outside|anywhere|anymore|here|there|directly|again"
    r"|yourself|manually|without|when|if|unless|until|before|after|either)\b)"
    r"|^[\w ]{1,30}\b(?:may|can) (?:now )?\w+ (?:it|them|that|this)\b|^\W*(?:(?:please|just)\b\W*)*(?:ask|tell|ping|call) (?:her|him|them)\b",
    "i",
)
_GENERAL = "(?:実行|使用|利用|変更|編集|追加|削除|作成|修正|更新|適用|対応|実施)"
_WITHOUT_OBJECT = lazy_pattern(
    rf"(?:[一-龥][かさわらまたばがえけせてねべめれげ]|[一-龥]|[さえけせべめれ]|{_GENERAL}し)ない(?:で|こと|よう|[。！!]|$)"
    r"|(?<![一-龥ァ-ヶーA-Za-z]す)[うくすつむぶるぐ](?:の|こと)は(?:絶対に?)?(?:禁止|厳禁|NG|不可|だめ|ダメ|やめ)|[かさわらまえけせべめれ]ずに"
    rf"|(?:書い|使っ|入れ|置い|出し|付け|残し|{_GENERAL}し)て(?:ください|下さい|ほしい|欲しい|ね|よ|[。！!]|$)",
)
"""Matches a Japanese order with a verb that needs an object. A noun with 「する」 (マージしない) says what it is about, unless it is a general one."""
_WHERE = (
    r"(?:here|there|(?!reply|apply|supply|rely|fly|assembly|family|only)\w+ly|by hand"
    r"|(?:in|on|at|for|from|with|during|after|before|until|under|outside|inside) [\w-]+(?: [\w-]+){0,2})"
)
_FRAGMENT = lazy_pattern(
    r"^\W*(?:(?:no|and|but|also|so|please|just|well)\b\W*)*"
    rf"(?:(?:(?:only|never|always|not|ever|except|even)\b,? )+{_WHERE}|{_WHERE},? (?:never|always|not|only))\W*$"
    r"|^\W*(?:(?:ただし?|でも|あと|なお|また)[、,]?)?[一-龥ァ-ヶーA-Za-z]{1,12}(?:(?:では|には|で)|(?<=[曜日時末中])は)[、 ]?"
    r"(?:絶対に?|必ず|いつも|常に|一切|決して|一度も)?(?:だめ|ダメ|駄目|NG|なし|ナシ|禁止|不可)?(?:です|で)?(?:ね|よ)?[。！!]*$",
    "i",
)
"""Matches a sentence that says no more than where, when or how, and whether: "Only in CI", "locally never", 「金曜日はダメ」."""
ANSWER = (
    r"^(?!(?:yes|no|ok|okay|sure|it|its|this|that|they|he|she|we|still|same|nearly|almost|not|nothing|fails?|hangs?|crash\w*|breaks?|broken|red|slow|never)\b)"
    r"(?:the )?[\w./@-]+(?: [\w./@-]+)?,? (?:always|every time)(?: please)?\W*$"
)
ANSWER_JA = r"^(?:[A-Za-z][\w./@-]*|[ァ-ヴー一-龥]{1,8})[、 ]?(?:必ず|常に|いつも|絶対(?:に)?)(?:です|で)?[。！!]*$"
"""Match a thing and that it holds always: "upstream, always"."""
_ANSWER = lazy_pattern(f"{ANSWER}|{ANSWER_JA}", "i")
_ADDS = lazy_pattern(
    r"^\W*(?:(?:please|just|always)\b\W*)*(?:use|run|call|ask|write|put|open|add|go)\b[^.]{0,60}\binstead\W*$|^\W*(?:that|this) (?:also )?includes\b"
    r"|^\W*(?:the )?same (?:goes|holds|applies)? ?for\b|^[^。、]{1,24}(?:も(?:含(?:み|め|む)|同じ|同様)|の代わりに)|^\W*代わりに",
    "i",
)
"""Matches what goes on with the order before it: what to do instead, and what else it is about."""
_ELSEWHERE = lazy_pattern(r"^\W*(?:他|ほか|それ以外|別)の?\S{0,4}(?:には|では|に|で|は|から)")
_INTO = lazy_pattern(r"に(?=は[^。、]{0,12}(?:書(?!き込)|置|入れ|出|保存|追加|載)[^。、]{0,3}ない)")
_HAS_TOPIC = lazy_pattern(
    r"を|^[^、。：:]{1,20}[：:]|[A-Za-z0-9一-龥ァ-ヶー」`]に[^、。]{0,12}書き込|ごとに|(?<![のとで])は(?!禁止|NG)|(?<=[一-龥ァ-ヶーA-Za-z0-9])[がも]"
)
_WRITTEN = lazy_pattern(r"(?:今後|これから|以[後降]|次(?:回)?から|今度から|必ず|常に|いつも)[^。]*語で(?:書|お願い|統一|記)")
"""Matches an order in which language everything is to be written, which has no object because it holds for all."""
_SINCE_WHEN = lazy_pattern(r"(?:今後|これから|以[後降]|今度から|次回?から|の|こと)は|今後も|これからも")
"""Matches a topic that is not an object."""


def lacks_object(sentence: str) -> bool:
    """Return whether a sentence orders or forbids something and only the one before it says what."""
    return any(pattern.search(sentence) is not None for pattern in (_WITH_PRONOUN, _ELSEWHERE)) or lacks_subject(sentence) or is_unnamed(sentence)


def is_unnamed(sentence: str) -> bool:
    """Return whether a sentence orders or forbids something and has no word for it, not even a pronoun: nobody can say when it applies."""
    if is_fragment(sentence):
        return True
    if _WRITTEN.search(sentence) is not None:
        return False
    found = _WITHOUT_OBJECT.search(sentence)
    return found is not None and _HAS_TOPIC.search(_SINCE_WHEN.sub("", _INTO.sub("の", sentence))[: found.end()]) is None


def is_fragment(sentence: str) -> bool:
    """Return whether a sentence has no verb and no thing: it only limits an order before it, and goes on with anything else."""
    return _FRAGMENT.search(sentence) is not None


def only_answers(sentence: str) -> bool:
    """Return whether a sentence names a thing and says that it holds always, and only what came before it says for what: "upstream, always"."""
    return _ANSWER.search(sentence) is not None


def adds(sentence: str) -> bool:
    """Return whether a sentence only goes on with the order before it: "Run make sdk instead.", 「メールアドレスも含みます。」."""
    return _ADDS.search(sentence) is not None

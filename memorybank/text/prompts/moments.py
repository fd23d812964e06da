"""Sentences that hold for the moment in which they are typed: answers that say nothing alone ("ok follow by default"), and requests for information."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_WHICH = (
    r"(?:by default|(?:as|the) (?:usual|default|first|second|third|last|other|latter|former|proposed|suggested|recommended|same)(?: (?:one|option|way"
    r"|variant|version))?|(?:(?:in|for|on|to|with) )?(?:both|all|each|every one|everything)(?: of (?:them|those|these|it))?|always|every time|from now on"
    r"|(?:option|variant|version|number|no\.?) [\w.]{1,3}|that|it|this|those|them)"
)
_ANSWER = lazy_pattern(
    r"^\W*(?:ok(?:ay)?|yes|yep|yeah|yup|sure|fine|right|alright|agreed|good|go ahead|sounds good|exactly)\b\W++"
    r"(?:(?:please|pls|then|and|but|so|just|only|let['’]?s|do|go with|use|take|make|keep|it|that|them|this)\b\W*)*+"
    rf"(?:\w[\w-]*+(?<![a-rt-z]s) )?(?:{_WHICH}\W*+)++(?:please|pls|then|for now|thanks|thx)?+\W*$"
    r"|^(?:はい|うん|ええ|OK|おk|ok|了解(?:です)?|いいよ|いいです|わかりました|分かりました|では|じゃあ)[、。,.\s!！]*"
    r"(?:(?:デフォルト|既定|標準|全部|すべて|全て|両方|毎回|常に|いつも|必ず|それ|これ|そっち|そちら|(?:[一二三]|[1-9１-３])(?:番|つ)目?|最初|最後|後者|前者|おすすめ|推奨|提案(?:通り|どおり)?"
    r"|(?:その|この)[^、。をは]{1,6})(?:の(?:方|ほう|案|やつ|まま))?(?:で|に|を|は|も)?、?)++"
    r"(?:オン|オフ|有効|無効|可|必須)?(?:に|で)?(?:いい|良い|よい|OK|大丈夫|問題ない|お願い|して|やって|進めて|頼)?[ぁ-ん、]{0,6}[。!！]*$",
    "i",
)
"""Matches an agreement, with one word at most besides those that say how many and which: only the question says what it is about. "s" ends many nouns."""
_ASKS_WHAT = r"(?:what|which|who|whom|when|where|why|how|if|whether)\b"
_TELL = lazy_pattern(
    r"(?:^|[,;.:] |\b(?:and|then) )(?:(?:please|pls|just|also) ){0,3}"
    rf"(?:(?:(?:tell|show|give|explain to|remind) (?:me|us)|let me know|(?:list|summari[sz]e|write down|note(?: down)?|collect|explain|describe|find out"
    rf"|figure out|check)) {_ASKS_WHAT})"
    r"|(?:まとめ|洗い出し|リスト(?:アップ|化)?(?:に)?し|整理し|用意し|準備し|書き出し|一覧(?:に|化)し|調べ|確認し)(?:て|た上で)[^。]{0,80}(?:教え|見せ|知らせ|報告し)て(?:ください|下さい|ほしい|欲しい|くれ|ね)?[^、。]{0,8}[。!！]*$"
    r"|[^。]{2,80}も(?:一緒に|合わせて|あわせて)?(?:教え|知らせ)て(?:ください|下さい|ほしい|欲しい|くれ|ね)?[^、。]{0,6}[。!！]*$",
    "i",
)
_FOR_ONE_STEP = lazy_pattern(
    r"^\W*(?:(?:please|pls|and|also|now|then|just|ok|once more|again)\b\W*)*"
    r"(?:run|check|test|build|verify|do|add|update|fix|look|write|make|start|compile|lint)\b"
    r"(?!.*\b(?:always|each|every\w*|any\w*|never|whenever|from now on|going forward|in (?:the )?future|don['’]?t|do not)\b)"
    r".*\b(?:before|until|while|so that) i (?:can |will |['’]ll |go and )?"
    r"(?:push|merge|leave|go|deploy|release|commit|open|send|ship|publish|tag|demo|present|show|start|continue)\b"
    r"|^(?![^。]{0,200}(?:必ず|毎回|常に|いつも|今後|これから|今度から|以後|ルール|決まり))[^。]{0,60}前に、?[^、。]{1,24}も(?:[^、。]{0,24}[てで]|お願い)"
    r"(?:おいて|みて)?(?:ください|下さい|ほしい|欲しい|くれ|します|ね)?[。！!]*$",
    "i",
)
"""Matches a request for the step that is next: "run also the browser tests before I push", 「pushする前にE2Eも流しておいて」."""
_WHENEVER = lazy_pattern(
    r"\b(?:always|never|ever|every ?time|whenever|from now on|in (?:the )?future|going forward|as a rule|(?:for|in|with|on|at|after|before) (?:each"
    r"|every|any|all)|(?:before|after|when|once|if|unless|as soon as|while) (?:you|we|i|an?|something|anything|someone|in doubt|unsure|the (?:build|tests?))"
    r"|(?:before|after|when) \w+ing)\b"
    r"|毎回|今後|これから|今度から|次回?から|たび|いつも|常に|とき|[^\W_]時[はに]|場合|際[はに]|前に|(?<=[たる])[後ら]|なら(?!な)|たら|終わ|必ず[^、]{0,60}まとめ",
    "i",
)
"""Matches when somebody wants information each time."""


def is_of_moment(sentence: str) -> bool:
    """Return whether a sentence only answers, asks for information once, or asks for something before the step that is next."""
    if _ANSWER.search(sentence) is not None or _FOR_ONE_STEP.search(sentence) is not None:
        return True
    told = _TELL.search(sentence)
    return told is not None and _WHENEVER.search(sentence if not sentence.isascii() else sentence[: told.start()] + sentence[told.end() :]) is None

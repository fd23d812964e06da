"""Replies to what an agent proposed or did about an error: the person accepts it, accepts nothing else, or says that the error stays."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.terms import content_terms

_ACCEPTS = lazy_pattern(
    r"^\W*(?:(?:ok(?:ay)?|great|good|perfect|cool|right|fine|i)\b\W*)*"
    r"(?:(?:yes|yep|yeah|sure|agreed?|sounds good|do (?:it|that|this|so)|go (?:for|with|ahead)|let['’]?s"
    r"|(?:implement|take|use|do|choose|pick) (?:it|that|this|option|your|the)|i like (?:it|that|this|option))\b"
    r"|(?:(?:implement|take|use|do|choose|pick) )?(?:(?:option )?(?-i:[A-E])|option [1-9])(?=\W*$|[ ,.](?:please|then|is fine|it is)\b)"
    r"|はい|うん|いいですね|了解|それで|賛成|お願いします|進めて|やって(?!は)|(?:案|オプション)(?-i:[A-EＡ-Ｅ1-9１-９])|[1-9１-９一二三]番目?(?:で(?!は)|を?お願い|に(?:し(?:て|ま)|[。！!]*$))|(?-i:[A-EＡ-Ｅ])案?(?:で(?:お願い|いき|行き|進め|[。！!]*$)|を|に))",
    "i",
)
"""Matches the beginning of a prompt that accepts what an agent proposed."""
_TURNS_DOWN = lazy_pattern(
    r"\b(?:not|but|later|different|other|another|instead|except|wait|bad|wrong)\b|n['’]t\b"
    r"|\b(?:drop|forget|scrap|ditch|abandon|skip|cancel|reject|discard|leave) (?:about )?(?:it|that|this|both|(?:the|your) (?:idea|plan|proposal)|option"
    r"|(?-i:[A-E]))\b|却下|取り下げ|ボツ|白紙|(?-i:[A-EＡ-Ｅ])案?[をは](?:消|削除|外|捨|破棄|除)"
    r"|ない|ません|でも|ですが|けど|見送|やめ|後で|あとで|別の|(?:て|で)は(?:だめ|いけ|なら)",
    "i",
)
"""Matches what a sentence that accepts does not say: it turns down, puts off, or wants something else."""
_UNOPPOSED = lazy_pattern(
    r"\bdon['’]?t (?:wait|worry|hesitate|ask)\b|\b(?:not an?|no) (?:problem|issue)s?\b|,? (?:and )?not (?:option )?(?-i:[A-E])\b(?! (?:yet|now|today))"
    r"|(?:問題|異論|異存|反対)[はも]?(?:ない(?!か)|ありません(?!か)|なし)",
    "i",
)
"""Matches negations with which a sentence accepts all the same: "no problem", "B, not A"."""
_END = lazy_pattern(r"[.;!?。！？\n]")
_STAYS = lazy_pattern(
    r"^\W*(?:(?:no+|nope|nah|hmm*|sorry|well|but|ok(?:ay)?|ah|and|so|unfortunately|残念ながら|いや|いえ|うーん|でも)\b\W*)*+(?:"
    r"(?:(?:i(?:['’]?m| am)?|(?:it|that|there)(?:['’]?s| is)?|we(?:['’]?re| are)?|the (?:same )?(?:error|issue|problem|bug)(?: is)?) )?still(?:[:,.!]|$"
    r"| (?:(?:the|an?|this|that|in|it) )?(?:same|errors?|fail\w*|br[eo]ke\w*|not|get\w*|see\w*|happen\w*|there|crash\w*|do(?:es)?n['’]?t|won['’]?t|wrong"
    r"|occur\w*|appear\w*|persist\w*|throw\w*|show\w*|exists?|present)\b)"
    r"|(?:i get |it is |it['’]?s )?(?:exactly )?(?:the )?same (?:error|issue|problem|thing|result)s?\b"
    r"|(?:(?:that|this|it|the fix) )?(?:did|does|has)(?: not|n['’]?t) (?:(?:seem to|really|actually) )*(?:help|work|fix|solve|resolve|change)"
    r"|(?:it(?:['’]?s| is) )?not (?:working|fixed|solved|resolved)\b|no (?:change|luck|difference|effect)\b"
    r"|the (?:error|issue|problem) (?:persists|remains|is back)\b|(?:that|this|it|you)(?:['’]?s| is| was| are|['’]?re| were) wrong\b|wrong\b\W*$"
    r"|(?:まだ|依然)[^。]{0,20}?(?:動[かき]|直[っらり]|治[っらり]|出[てまる]|エラー|落ち|失敗|だめ|ダメ|同じ)"
    r"|(?:また|やはり|やっぱり)?同じ(?:エラー|問題|現象|症状)|(?:だめ|ダメ|駄目)(?:です|でし|だ)"
    r"|(?:(?:エラー|問題)が)?(?:[直治](?:って|ら|り)|変わ(?:って|ら|り)|解決し|改善し|動[かき]|うまくい[かき]|消え)(?:て?い)?(?:ない|なか|ません)"
    r"|効果(?:なし|が?な|[がは]?あり)|エラーが?(?:まだ|続い))",
    "i",
)
"""Matches what says by its first words that an error stays as it was, in spite of the answer before it."""
_EMPTY = frozenset(str.split("option plan proposal idea suggestion way please pls thank thanks ok go ahead 願い くだ ださ 下さ"))
"""Terms of a reply that ask for nothing besides what was proposed."""


def accepts(reply: str) -> bool:
    """Return whether a prompt accepts what an agent proposed, by its first sentence."""
    found = _ACCEPTS.match(reply)
    if found is None:
        return False
    sentence = found[0] + _END.split(reply[found.end() :], maxsplit=1)[0]
    return _TURNS_DOWN.search(_UNOPPOSED.sub("", sentence)) is None


def only_accepts(reply: str) -> bool:
    """Return whether a prompt accepts what an agent proposed and asks for nothing else."""
    if not accepts(reply):
        return False
    rest = reply
    while (found := _ACCEPTS.match(rest)) is not None:
        rest = rest[found.end() :]
    return _EMPTY.issuperset(content_terms(rest))


def stays(said: str) -> bool:
    """Return whether a prompt says that the error before it is still there."""
    return _STAYS.match(said) is not None

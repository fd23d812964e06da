"""Permissions, and ends of duties and rules: for one case, or for good. One for good takes back what a person ordered or forbade before.

"You can commit directly to main from now on" and 「CHANGELOGはもう更新しなくていいです」 end a rule (`ending`). "Just this once" and
「今回だけ」 end none.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.lasting import DECIDED_FINE, END, FINE, KEPT, KEPT_JA, THE, is_end_of_rule, is_for_once, may_last
from memorybank.values import lru_cache

ONCE, UNSAID, LASTING = "once", "unsaid", "lasting"
_NO_DUTY = (
    r"(?:\b(?:do not|don['’]?t|does not|doesn['’]t) (?:\w+ly )?(?:need|have|want|require|expect)(?: you| us| anybody)?(?: to)?\b|\bneed(?: not"
    r"|n['’]?t)\b|\bno need\b(?: to\b| for\b)?|\bno longer (?:needs?|needed|have|has|want(?:ed)?|necessary|requires?|required|expect|forbidden"
    r"|prohibited|banned|appl(?:y|ies))\b|\bno (?:point|sense) (?:in )?)"
)
"""Matches the end of a duty."""
_ALLOWS = lazy_pattern(
    r"\byou (?:can|could|may|might|are (?:now )?(?:allowed|free)|have (?:my |our )?permission)\b|\byou(?:'re| are) (?:now )?(?:allowed|free) to\b"
    r"|\b(?:can|may) (?:\w+ it |\w+ )?(?:now|again)\b|\b(?:can|may) be \w+\b(?=.{0,400}\b(?:now|again)\b)|\bno longer (?:forbidden|prohibited|banned)\b"
    rf"|\bi (?:now )?allow\b|\bfeel free\b|\b(?:whenever|however) you (?:want|like|need|wish)\b|{FINE}"
    r"|[てで]も?(?:いい|よい|良い|OK|大丈夫|構いません|構わない|かまいません|かまわない|問題ない|問題ありません)|許可(?:する|します)"
    rf"|{DECIDED_FINE}",
    "i",
)
_FORBIDS = lazy_pattern(
    r"\b(?:may|might|can|could) (?:not|never|only)\b|\b(?:can(?:['’]t|not)|couldn['’]t|never|not (?:allowed|fine|ok(?:ay)?)|only (?:if|when|after"
    r"|once))\b|\b(?:i wish|we could)\b|(?:許可|確認|断り)(?:なく|なし)"
    r"(?!.{0,400}[てで]も?(?:いい|よい|良い|OK|大丈夫|構|かま))|ないで|ては(?:いけ|だめ|ダメ|なら)|禁止(?:する|します|です)",
    "i",
)
"""Matches a sentence with the words of a permission that forbids, limits or wishes something."""
_ENDS_DUTY = lazy_pattern(
    rf"\b(?:we|you|i|nobody|no one) {_NO_DUTY}|\bno need (?:to|for)\b|\bno (?:point|sense)\b"
    r"|\bno longer (?:need(?:ed|s)?|necessary|required|wanted|appl(?:y|ies))\b"
    r"|なくて(?:も)?(?:いい|よい|良い|OK|大丈夫|構いません|構わない)|不要|必要(?:は|が|も)?(?:ない|ありません|なくな)|いらない|要らない",
    "i",
)
FRAME = lazy_pattern(
    rf"{END}|{_NO_DUTY}|{FINE}|{DECIDED_FINE}|\bi told you (?:not )?to\b|\b(?:{THE} )?{KEPT}\b(?= (?:about|on|against|of|for|that|to|not|is|was|has"
    rf"|no longer)\b|\W*$)"
    r"|\b(?:is|was|has been|are) (?:now )?(?:lifted|withdrawn|revoked|dropped|gone|obsolete|over)\b|\b(?:can|could|may|might)\b|\b(?:allowed|free"
    r"|fine|okay|alright)\b|\bhave (?:my |our )?permission\b|\bi (?:now )?allow you\b|\bfeel free\b|\bfrom (?:now|here) on\b|\bgoing forward\b"
    r"|\bin (?:the )?future\b|\bno longer\b|\bany ?more\b|\bany longer\b|\bany ?time\b|\bfor good\b|\bagain\b|\b(?:whenever|however) you (?:want"
    r"|like|need|wish)\b|\bas (?:often|much) as (?:you|they) (?:want|like|need|wish)\b"
    rf"|(?:という|との)?{KEPT_JA}(?:は|を|のことは|も)?|忘れ(?:てください|て|ます)|撤回\S*|取り消\S*|取消\S*|解除\S*|廃止\S*|無効\S*|これから(?:は"
    rf"|も)?|いつでも|また"
    r"|(?:この)?前に?(?:言った|言いました)|の(?:話|件)",
    "i",
)
"""Matches the words of a permission that do not say what is allowed."""
_PLAINLY = lazy_pattern(
    r"\b(?:allow(?:ed)?|permit(?:ted)?|you (?:may|can|could))\b|てもいい|て(?:も)?よい|てかまわない|許可|\b(?:push|amend|commit|rebas|merg|revert"
    r"|skip|overwrit|delet)\w*\b[^.,;]{0,30}\b(?:is|are|['’]s) (?:totally |perfectly )?(?:ok(?:ay)?|fine|all right)\b|(?:push|プッシュ|amend"
    r"|コミット|リベース|マージ|上書き|削除)[^。、]{0,12}(?:(?-i:OK)|大丈夫|問題ない)",
    "i",
)
_FREES = lazy_pattern(r"\bneed(?:ed)? to\b|\bneed(?: not|n['’]?t)\b|なくて(?:も)?(?:いい|よい|良い|大丈夫|構)", "i")
"""Matches the end of a duty to do something. "We don't need headings" is an order to leave them out."""
_BINDS = lazy_pattern(r"\b(?:not|cannot|never|always|must|only)\b|n['’]t\b|ない|なく(?!て)|なし|必ず|絶対|禁止", "i")
"""Matches a sentence with "may" or "allowed" that is a rule nevertheless: "before you can merge, it must be tested"."""
_FOR_ONE_CASE = lazy_pattern(
    r"\b(?:(?:just|only|this|that) (?:this |that )?once|(?:just|only) (?:this|that|here)\b|this (?:time|one|commit|branch|pr|release|task|file"
    r"|change|case|session)|(?:for|right|just) now|for (?:today|tonight|the moment|the time being|once|this|that)|today|tonight|tomorrow|temporarily"
    r"|until|till|as an exception|exceptionally|in this case|once|if|unless|provided|as long as|while)\b|今回|今だけ|今は|今日(?!で)|本日(?!で)"
    r"|(?:一度|一回|いちど)(?:だけ|なら|限り)|一旦|いったん|とりあえず|ひとまず|当面|しばらく|例外|(?:この|その)(?:件|PR|プルリク|コミット|ブランチ"
    r"|作業|変更|ファイル|セッション|リリース)|に限|限り|までは?|なら|たら|場合|ときだけ|時だけ|ときは|時は",
    "i",
)
_ORDERS_FOR_GOOD = lazy_pattern(
    r"\b(?:from (?:now|here) on|going forward|in (?:the )?future|for good|any ?time)\b|\b(?:always|every time)(?=\W*$|[.,;:!])"
    r"|(?:^|[.,;:!()]\s*|\b(?:and|so|please|you (?:can|may|should|must)) )always\b(?! (?:fail|break|crash|happen)s)"
    r"|今後|これから(?:は|も)|今度から|次(?:回)?から|いつでも|常に|(?<![\w.])以[後降]は",
    "i",
)
"""Matches an order or permission that a person wants to last. "It always fails" says how something is."""
_ALWAYS = lazy_pattern(r"\b(?:always|any ?time)\b", "i")
_ASKS_OR_TELLS = lazy_pattern(
    r"[?？]\W{0,40}$|か(?:どうか|な)?[。\s]{0,40}$|\b(?:so|that|what|how|where|which|whether|if|when(?:ever)?|as|until|before|after|think|hope|sure|than|all)"
    r"(?: that)? you (?:can|could|may|might)\b|\byou (?:could|might)\b|\b(?:worry|worried|mind|bother|care about)\b|気に(?:し|せ|かけ)|心配",
    "i",
)
"""Matches a question, and a sentence that allows nothing to be done: it says what is possible, or what is nothing to worry about."""
_TURN = lazy_pattern(
    r"^\W*(?:(?:no|ok(?:ay)?|actually|sorry|hm+|wait|well|and|but)\b\W*)*(?:i(?:['’]ve)? changed my mind|i take (?:that|it|this) back)(?: again)?\W+(?=\w)", "i"
)
"""Matches what only says that the person wants something else than before, which follows."""
_REASON = lazy_pattern(r"[,;:]? (?:because|since|as (?:it|we|the)|otherwise|or else|so that)\b.*|(?:^|(?<=、))[^、]{2,}?(?:ので|ため|から)、", "i")


@lru_cache(maxsize=512)
def permission_of(text: str) -> str:
    """Return how long the permission, or the end of a duty or rule, in a sentence holds: `ONCE`, `LASTING`, or `UNSAID`. "" for a sentence without one."""
    if binds_again(text):
        return ""
    if not is_end_of_rule(text) and not is_end_of_duty(text) and (_ALLOWS.search(text) is None or _FORBIDS.search(text) is not None):
        return ""
    if is_for_one_case(text):
        return ONCE
    return LASTING if may_last(text) else UNSAID


def is_for_one_case(text: str) -> bool:
    """Return whether a sentence says of what it orders or allows that it holds for one case, for a time, or under a condition."""
    return _FOR_ONE_CASE.search(text) is not None


def is_for_good(text: str) -> bool:
    """Return whether an answer of a person holds for good: "upstream, always", 「今後は company に」."""
    return _ORDERS_FOR_GOOD.search(text) is not None and not is_for_one_case(text)


def binds_again(text: str) -> bool:
    """Return whether a sentence goes back to a rule, and says which: "I take that back, never commit to main". It ends none."""
    rest = without_turn(text)
    if rest == text:
        return False
    from memorybank.text.prompts.about import denies  # late: few texts allow anything

    return (denies(rest) or _BINDS.search(rest) is not None) and permission_of(rest) == ""


def without_turn(text: str) -> str:
    """Return a sentence without "I take that back" and "I changed my mind" at its beginning."""
    return _TURN.sub("", text, count=1)


def takes_back(text: str) -> bool:
    """Return whether a sentence is a permission for good, which ends what was ordered or forbidden before."""
    return permission_of(text) == LASTING


def only_allows(text: str) -> bool:
    """Return whether a sentence only allows something. 「見出しはいらない、次から」 is an order where nobody ordered headings before."""
    held = permission_of(text)
    if (held == LASTING and not is_end_of_duty(text)) or (held and is_end_of_duty(text) and _FREES.search(text) is not None):
        return True
    return _PLAINLY.search(text) is not None and _BINDS.search(text) is None


def is_given(text: str) -> bool:
    """Return whether a sentence gives a permission, or orders something for one case only. "So that you can see it" gives none."""
    return is_for_once(text) or (permission_of(text) != "" and _ASKS_OR_TELLS.search(text) is None)


def is_given_plainly(text: str) -> bool:
    """Return whether a sentence of anybody gives a permission for good or for once. What agents say can be done, and need not, is neither."""
    return allows(text) and is_given(text) and (is_for_once(text) or takes_back(_ALWAYS.sub("", text)))


def allows(text: str) -> bool:
    """Return whether a sentence says that something may be done."""
    return _ALLOWS.search(text) is not None


def is_end_of_duty(text: str) -> bool:
    """Return whether a sentence says that something need not be done."""
    return _ENDS_DUTY.search(text) is not None


def without_reason(text: str) -> str:
    """Return what a sentence orders or forbids, without the reason that it gives."""
    return _REASON.sub("", text, count=1) or text

"""Permissions, and ends of duties: for one case, or for good. One for good takes back what a person ordered or forbade before.

"You can commit directly to main from now on" and 「CHANGELOGはもう更新しなくていいです」 end a rule. "Just this once" and 「今回だけ」 end none, and a
permission that says nothing about how long it holds replaces only a statement about the very same subject.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.values import lru_cache

ONCE, UNSAID, LASTING = "once", "unsaid", "lasting"
_SIGNS = (
    ("you", "fine", "ok", "all right", "alright", "allowed", "no need", "longer", "more", "rule", "ban"),
    (
        *("いい", "よい", "良い", "大丈夫", "構", "かまわ"),
        *("問題ない", "許可", "解禁", "不要", "必要", "いらない", "要らない", "ルール", "規則", "決まり", "制限", "禁止"),
    ),
)
"""One of these is in everything that allows something: in ASCII, and others."""
_LASTING_SIGNS = (
    (
        *("now on", "here on", "going forward", "future", "longer", "anymore", "any more", "always", "any time", "anytime"),
        *("whenever", "often as", "much as"),
        *("for good", "again", "rule", "ban", "restriction", "prohibition", "requirement", "convention", "policy", "instruction"),
    ),
    (
        *("もう", "これから", "今後", "以後", "以降", "今度から", "次", "いつでも", "常に", "また", "再び"),
        *("解禁", "ルール", "規則", "決まり", "制限", "禁止", "制約"),
    ),
)
"""One of these is in everything that allows something for good: in ASCII, and others."""
_ALLOWS = lazy_pattern(
    r"\byou (?:can|could|may|might|are (?:now )?(?:allowed|free)|have (?:my |our )?permission)\b|\byou(?:'re| are) (?:now )?(?:allowed|free) to\b"
    r"|\bi (?:now )?allow\b|\bfeel free\b|(?:\b(?:is|are|be)|['’]s) (?:now )?(?:totally |perfectly |all )?(?:fine|ok(?:ay)?|all right|alright|allowed)\b"
    r"|[てで]も?(?:いい|よい|良い|OK|大丈夫|構いません|構わない|かまいません|かまわない|問題ない|問題ありません)|許可(?:する|します)",
    "i",
)
_FORBIDS = lazy_pattern(
    r"\b(?:may|might|can|could) (?:not|never|only)\b|\b(?:can(?:['’]t|not)|couldn['’]t|never|not (?:allowed|fine|ok(?:ay)?)|only (?:if|when|after|once))\b"
    r"|(?:許可|確認|断り)(?:なく|なし)|ないで|ては(?:いけ|だめ|ダメ|なら)|禁止(?:する|します|です)",
    "i",
)
"""Matches a sentence with the words of a permission that forbids or limits something."""
_ENDS_DUTY = lazy_pattern(
    r"\b(?:we|you|i|nobody|no one) (?:(?:do not|don['’]?t) (?:\w+ly )?(?:need|have|want|require|expect)(?: you| us| anybody)? to\b|need(?: not|n['’]?t)\b"
    r"|no longer (?:need|have|want|require|expect)\b)"
    r"|\bno need (?:to|for)\b|\bno longer (?:need(?:ed|s)?|necessary|required|wanted|forbidden|prohibited|banned|appl(?:y|ies))\b"
    r"|なくて(?:も)?(?:いい|よい|良い|OK|大丈夫|構いません|構わない)|不要|必要(?:は|が|も)?(?:ない|ありません|なくな)|いらない|要らない",
    "i",
)
_ENDS_RULE = lazy_pattern(
    r"\b(?:forget|ignore|drop|scrap|discard|lift|cancel|withdraw|revoke|remove|disregard)(?: about)? (?:the|that|this|my|our|your) (?:[\w-]+ )?"
    r"(?:rule|ban|restriction|prohibition|requirement|convention|policy|instruction)s? (?:about|on|against|of|for|that|to|not)\b"
    r"|\b(?:rule|ban|restriction|prohibition|requirement)\b.*\b(?:no longer (?:applies|holds|exists)|(?:is|was|has been) (?:now )?(?:lifted|withdrawn|revoked"
    r"|dropped|gone|obsolete|over))\b"
    r"|(?:ルール|規則|決まり|制限|禁止|制約)(?:は|を|のことは)?(?:もう)?(?:忘れて|撤回"
    r"|取り消|取消|解除|廃止|無効|なしに|なくし|やめ(?:ます|る|ました|よう))|解禁",
    "i",
)
"""Matches the end of a rule, which always lasts."""
_LASTS = lazy_pattern(
    r"\b(?:from (?:now|here) on|going forward|in (?:the )?future|no longer|anymore"
    r"|any (?:more|longer)(?=\W*$|[,;:]| because| since)|always|any ?time|whenever you|as (?:often|much) as|for good)\b"
    r"|(?:\b(?:is|are)|['’]s) (?:now )?(?:\w+ly )?(?:fine|ok(?:ay)?|all right|alright|allowed)\b.*\bagain\b"
    r"|\byou (?:can|may) (?!(?:try|run|start|continue|retry|go|do|build|test|ask|check)\b)(?:\w+ly )?\w+ (?!it\b|this\b|that\b|them\b).+ again\b"
    r"|もう(?!一|少|ちょっと|すぐ)|これから(?:は|も)|今後|以後|以降|今度から|次(?:回)?から|いつでも|常に|また(?!は)|再び|解禁",
    "i",
)
_FOR_ONE_CASE = lazy_pattern(
    r"\b(?:(?:just|only|this|that) (?:this |that )?once|(?:just|only) (?:this|that|here)\b|this (?:time|one|commit|branch|pr|release"
    r"|task|file|change|case|session)|(?:for|right|just) now|for (?:today|tonight|the moment|the time being|once|this|that)|today"
    r"|tonight|tomorrow|temporarily|until|till"
    r"|as an exception|exceptionally|in this case|once|if|unless|provided|as long as|while)\b"
    r"|今回|今だけ|今は|今日|本日|(?:一度|一回|いちど)(?:だけ|なら|限り)|一旦|いったん|とりあえず|ひとまず|当面|しばらく|例外|(?:この|その)(?:件|PR|プルリク|コミット"
    r"|ブランチ|作業|変更|ファイル|セッション|リリース)|に限|限り|までは?|なら|たら|場合|ときだけ|時だけ|ときは|時は",
    "i",
)
_REASON = lazy_pattern(r"[,;:]? (?:because|since|as (?:it|we|the)|otherwise|or else|so that)\b.*$|^.{2,}?(?:ので|ため|から)、", "i")


def may_last(text: str) -> bool:
    """Return whether a text contains the words that every permission for good has. Most have none, which is found out quickly."""
    lowered = text.lower()
    return _has_one(_LASTING_SIGNS, lowered) and _has_one(_SIGNS, lowered)


def _has_one(signs: tuple[tuple[str, ...], tuple[str, ...]], lowered: str) -> bool:
    """Return whether a text contains one of these signs. A loop takes half as long as a generator, and every recall asks this of each statement of people."""
    for listed in signs if not lowered.isascii() else signs[:1]:
        for sign in listed:
            if sign in lowered:
                return True
    return False


@lru_cache(maxsize=512)
def permission_of(text: str) -> str:
    """Return how long the permission, or the end of a duty or rule, in a sentence holds: `ONCE`, `LASTING`, or `UNSAID`. "" for a sentence without one."""
    if not _has_one(_SIGNS, text.lower()):
        return ""
    ends = is_end_of_rule(text)
    if not ends and not is_end_of_duty(text) and (_ALLOWS.search(text) is None or _FORBIDS.search(text) is not None):
        return ""
    if _FOR_ONE_CASE.search(text) is not None:
        return ONCE
    return LASTING if ends or _LASTS.search(text) is not None else UNSAID


def is_end_of_duty(text: str) -> bool:
    """Return whether a sentence says that something need not be done."""
    return _ENDS_DUTY.search(text) is not None


def is_end_of_rule(text: str) -> bool:
    """Return whether a sentence ends a rule by name."""
    return _ENDS_RULE.search(text) is not None


def without_reason(text: str) -> str:
    """Return what a sentence orders or forbids, without the reason that it gives."""
    return _REASON.sub("", text, count=1) or text

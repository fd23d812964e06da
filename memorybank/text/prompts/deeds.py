"""What a person says that they did themself ("I committed and pushed it", 「手動でコミットしました」), and what they ask the agent to do of the same kinds.

The subject of the verb distinguishes them: a person reports, or announces with words such as "myself", what they do; an order has no subject.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands.actions import SERVE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.scripts import is_japanese

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

SAID, ALONE, ORDERED = "said", "alone", "ordered"
"""How an action is spoken of: done by the person, done by them in words that say that it was they ("myself"), asked of the agent."""
_LONGEST = 300
"""Maximum length in characters of a sentence that is read."""
_OF_GIT = (
    r"(?! (?:the|an?|my|our|your|some|all)(?: \w+)?(?: \w+)? (?:button|key|items?|cells?|rows?|columns?|arrays?|lists?|limits?|idea|values?|elements?|dicts?"
    r"|functions?|classes|boundar\w+|files into|notification)s?\b)"
)
"""Keeps "pushed the button" and "merged the cells" away from git."""
_VERBS = {
    "commit": ("committed(?! to (?:\\w+ing|an?|the (?:plan|idea|approach))\\b)", "commit(?! (?:message|hash|history|id|list)\\b)", "(?:コミット|commit)"),
    "push": (f"pushed(?! (?:back|for|hard)\\b){_OF_GIT}", "push(?! notification)", "(?:プッシュ|push)"),
    "merge": (f"merged(?! (?:the )?(?:two|both|these)\\b){_OF_GIT}", "merge(?! conflict)", "(?:マージ|merge)"),
    "deploy": ("(?:re)?deployed", "(?:re)?deploy", "(?:デプロイ|deploy)"),
    "publish": ("published", "publish", "(?:パブリッシュ|publish)"),
    "release": ("released(?! the (?:lock|memory|lease)\\b)", "release(?! notes?\\b)", "(?:リリース|release)"),
    "migrate": (
        "(?:migrated(?! (?:from|to|my)\\b)|(?:ran|applied) (?:the |all |your )?(?:\\w+ )?migrations?)",
        "(?:migrate|(?:run|apply) (?:the )?(?:\\w+ )?migrations?)",
        "(?:マイグレーション|migrations?)",
    ),
    SERVE: (
        "(?:(?:re)?started|launched|brought up|spun up) (?:up )?(?:the |a |my )?(?:[\\w-]+ ){0,2}server",
        "(?:(?:re)?start|launch|bring up|spin up) (?:up )?(?:the |a )?(?:[\\w-]+ ){0,2}server",
        "(?:サーバ(?:ー|(?!ー))|server)",
    ),
}
_MAY = lazy_pattern(
    "commit|push|merge|deploy|publish|release|migrat|server|コミット|プッシュ|マージ|デプロイ|パブリッシュ|リリース|マイグレーション|サーバ", "i"
)
_DONE = "|".join(f"(?P<{name}>{done})" for name, (done, _, _) in _VERBS.items())
_DO = "|".join(f"(?P<{name}>{do})" for name, (_, do, _) in _VERBS.items())
_NOUNS = "|".join(f"(?P<{name}>{noun})" for name, (_, _, noun) in _VERBS.items())
_ANY_DONE = "|".join(done for done, _, _ in _VERBS.values())
_JOINT = r"(?:^|[,;.:(] ?|\s[–—-]\s|\b(?:and|but|so|since|because|as|now|ok|okay|done|fyi|btw) )"
_REPORTS = lazy_pattern(
    rf"{_JOINT}i(?:['’]ve| have)? (?:(?:just|already|now|also|then|went ahead and|even|\w+ly|myself) ){{0,2}}(?P<deeds>(?:{_ANY_DONE})"
    rf"(?:(?:,| and|, and|, then| then) (?:{_ANY_DONE})){{0,2}})\b"
    rf"|^\W*(?:(?:ok|okay|done|great|thanks|alright|cool|perfect|good)\b[,.!]? ){{0,2}}(?:just |already "
    rf"|manually )?(?P<bare>(?:{_ANY_DONE})(?: and (?:{_ANY_DONE}))?)"
    r"(?: (?:it|this|that|them|everything|all|myself|manually|by hand|now|the \w+|to \w+)){0,3}\W*$",
    "i",
)
_PLANS = lazy_pattern(
    rf"{_JOINT}(?:i(?:['’]ll| will|['’]m going to| am going to|['’]d rather|['’]d (?:like|prefer) to| (?:want|prefer|would like) to)"
    rf"|let me) (?:\w+ ){{0,2}}?(?P<deeds>(?:{_DO.replace('?P<', '?P<_')})(?:(?: and|,) \w+)?)\b",
    "i",
)
_PERMITS = lazy_pattern(
    r"\b(?:you (?:can|may|should|could|must)|you(?:['’]re| are) (?:free|allowed) to|(?:want|like|need|allow) you to|feel free to|(?:would|do) you mind|start)"
    rf" (?:(?:now|just|always|also|please|then|simply) )?(?:{_DO}|(?:committ|push|merg|deploy|publish|releas)ing)\b"
    r"|\b(?:make|create|do) (?:an?|the|another|one) (?:new |single |separate )?(?P<made>commit|push|merge|deploy|release)\b",
    "i",
)
_DENIES = lazy_pattern(r"\b(?:not|never|don['’]?t|without|if|when|before|unless)\b[^,;.]{0,40}$", "i")
_ALONE = lazy_pattern(
    r"\b(?:myself|by hand|manually|on my own|(?:on|from) my (?:end|side|terminal|machine|laptop))\b"
    r"|手動で|自分で|自身で|こちら(?:で|側で|が|の方で)|こっちで|(?:私|僕|俺|自分|当方)(?:が|の(?:方|ほう)で|側で)|手元で",
    "i",
)
_NOUN_JA = "(?:" + "|".join(noun for _, _, noun in _VERBS.values()) + ")"
_NOT_DONE_JA = (
    r"(?!せず|しない|なし|の(?!方|ほう)|通知|手順|ノート|メッセージ|ファイル"
    r"|履歴|設定|方法|コンフリクト|スクリプト|キー| ?(?:message|notification|note|conflict|key))"
)
"""Follows an action where what is spoken of is the action, not its manual or its settings."""
_LINK_JA = r"(?:と|・|、|及び|および|まで|して|し、?)"
_REPORTS_JA = lazy_pattern(
    rf"(?P<deeds>{_NOUN_JA}(?:{_LINK_JA}(?:再)?{_NOUN_JA}){{0,2}}){_NOT_DONE_JA}(?:作業)?(?:は|を|も|まで)?[^。？?が]{{0,40}}?"
    r"(?:完了し|実施し|実行し|適用し|済ませ|終わらせ|終え|行い|行っ|やり|やっ(?:ておき|てあり)?|(?:再)?起動し|立て直し|立ち上げ|立て|上げ"
    r"|(?<=[トュジインスでA-Za-z])し|しておき)(?:まし)?た(?:ので(?!す|しょ)|から|が|けど|よ|。|、|！|!|$)"
    rf"|(?P<bare>{_NOUN_JA}(?:{_LINK_JA}{_NOUN_JA}){{0,2}})(?:は|も|まで)?(?:完了)?済(?:み)?(?:です|だ|。|、|$)",
    "i",
)
_PLANS_JA = lazy_pattern(
    rf"(?P<deeds>{_NOUN_JA}(?:{_LINK_JA}{_NOUN_JA}){{0,2}}){_NOT_DONE_JA}(?:は|を|も)?、?(?![^。、]{{0,24}}お願い)[^。、？?]{{0,24}}?(?:します|する|やります|やる|行います|行う|しておきます"
    rf"|立てます|起動します)(?:ので|から|ね|よ|。|、|！|$)",
    "i",
)
_OF_OTHERS_JA = lazy_pattern(
    r"(?:あなた|君|きみ|エージェント|さん|くん|(?<![A-Za-z])(?!(?:commit|push|merge|deploy|publish|release|migrations?|server)[がは側])[A-Za-z]{2,})(?:が|は|側)"
    r"|そちら|勝手に|なぜ|どうして",
    "i",
)
_ORDERS = lazy_pattern(
    rf"(?:^|[,;.:/!] ?|\b(?:and|then|please|now|also|you|just|ahead|git|let['’]s|lets|ok|okay|yes) )(?:{_DO})\b",
    "i",
)
_FORBIDS = lazy_pattern(r"\b(?:not|never|don['’]?t|without|when|whenever|if|before|after|once|how|i|i['’]ll)\b[^,;.]{0,40}$", "i")
_ORDERS_JA = lazy_pattern(
    rf"(?P<deeds>{_NOUN_JA}(?:{_LINK_JA}{_NOUN_JA}){{0,2}}){_NOT_DONE_JA}(?:まで|は|を|も)?(?![^。、]{{0,24}}(?:方法|やり方|手順|仕方|理由|コマンド))[^。、？?]{{0,12}}?"
    r"(?:(?:て|で)(?:ください|下さい|くれ|ほしい|欲しい|もらえ|いただけ|頂け|おいて|ね|[。、！!]|$|も?(?:いい|よい|良い|OK|構|かま))|お願い|願います|頼|よろしく"
    r"|しましょう|しよう(?:か|ね|[。！!]|$))",
    "i",
)
_DENIED_JA = lazy_pattern("ないで|なくて|せずに|禁止|するな")


def deeds(text: str) -> list[tuple[str, str]]:
    """Return (action, how it is spoken of) for what a typed text says that the person did or does themself, and for what it asks of the agent, in order."""
    if _MAY.search(text) is None:
        return []
    found: dict[tuple[str, str], None] = {}
    for sentence in sentences(text):
        if len(sentence) <= _LONGEST and _MAY.search(sentence) is not None:
            found.update(dict.fromkeys(_japanese(sentence) if is_japanese(sentence) else _english(sentence)))
    return list(found)


def _english(sentence: str) -> list[tuple[str, str]]:
    is_alone = _ALONE.search(sentence) is not None
    reported = None if sentence.rstrip().endswith("?") else _REPORTS.search(sentence)
    planned = _PLANS.search(sentence) if is_alone and reported is None else None
    done: list[tuple[str, str]] = []
    if reported is not None:
        done = _each(reported["deeds"] or reported["bare"], _VERB_DONE, ALONE if is_alone else SAID)
    elif planned is not None:
        done = _each(planned["deeds"], _VERB, ALONE)
    named = [one for one in _ORDERS.finditer(sentence) if _FORBIDS.search(sentence, 0, one.end()) is None]
    named += [one for one in _PERMITS.finditer(sentence) if _DENIES.search(sentence, 0, one.start()) is None]
    return done + _without(done, [action for one in named for action, _ in _each(one[0].replace("tting", "t").replace("ing", ""), _VERB, ORDERED)])


def _japanese(sentence: str) -> list[tuple[str, str]]:
    is_alone = _ALONE.search(sentence) is not None
    reported = None if _OF_OTHERS_JA.search(sentence) else _REPORTS_JA.search(sentence) or (_PLANS_JA.search(sentence) if is_alone else None)
    done = [] if reported is None else _each(reported["deeds"] or reported.groupdict().get("bare") or "", _NOUN, ALONE if is_alone else SAID)
    ordered = _ORDERS_JA.search(sentence) if _DENIED_JA.search(sentence) is None else None
    return done + _without(done, [action for action, _ in _each(ordered["deeds"], _NOUN, ORDERED)] if ordered is not None else [])


def _without(done: Iterable[tuple[str, str]], ordered: Iterable[str]) -> list[tuple[str, str]]:
    """Return the orders for what the person did not do themself: "commit it, I'll push it myself"."""
    own = {action for action, _ in done}
    return [(action, ORDERED) for action in ordered if action not in own]


_VERB_DONE, _VERB, _NOUN = (lazy_pattern(names, "i") for names in (_DONE, _DO, _NOUNS))


def _each(said: str, names: re.Pattern[str], how: str) -> list[tuple[str, str]]:
    return [(str(one.lastgroup), how) for one in names.finditer(said)]

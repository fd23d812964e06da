"""A rule that is called by what it is about: "forget that emoji rule", "the emoji rule is back", 「さっきのvendorのルールはなしで」.

Such a name need not say all that the rule says, so it stands for a rule only if no other one is meant as well, which is asked where all rules are known.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.lasting import KEPT, KEPT_JA, RULE_JA, THE
from memorybank.values import lru_cache

_CALLED = lazy_pattern(
    rf"\b{KEPT} (?:about|on|against|for|of|not to|to|that|with|in|regarding)\s+(?P<after>[^,;:!?—–]{{2,80}}?)"
    r"(?= ?(?:$|[,;:!?—–]|[.](?:\s|$)|\b(?:is|are|was|has been|no longer|any ?more|again|back|applies|holds|doesn['’]?t|please)\b))"
    rf"|\b{THE} (?P<before>(?:[\w./`-]+ ){{1,4}}?){KEPT}\b|(?P<japanese>[^、。！!?？]{{1,40}}?)(?:という|との|に関する|についての|の)?(?:{RULE_JA}|{KEPT_JA})",
    "i",
)
"""Matches a rule with the words by which it is called."""
_POINTS = lazy_pattern(
    r"^(?:やっぱり|やはり|もう|あの|その|例の|前の|先の|さっき|先ほど|この間|こないだ|この前|前に|以前|先日|この|の|に|言った|決めた|お願いした|伝えた)*"
)
SAYS_NO_NAME = frozenset(
    str.split("old previou earlier last new same other whole silli stupid file folder directori code test commit push merg deploi releas delet edit touch")
    + str.split("chang appli hold count exist void histori cancel")
    + str.split("コミット プッシュ マージ デプロイ リリース 削除 編集 変更 追加 ファイル コード テスト 言 決 前 先 前言 以前 先日 先程")
)
"""What many rules are about, or all: alone, it calls none."""
_RETURNS = lazy_pattern(
    rf"\b{KEPT}\b.{{0,80}}?\b(?:(?:is|are) (?:now )?(?:back|in force|in effect|valid|active)|(?:applies|apply|holds|counts|stands) again|back (?:in|on)\b)"
    rf"|\b(?:reinstate|restore|re-?enable|re-?activate|bring back|put back)\b.{{0,20}}?\b{THE}\b.{{0,60}}?\b{KEPT}\b"
    rf"|\b(?:bring|put|turn|switch)\b.{{0,10}}?\b{THE}\b.{{0,60}}?\b{KEPT}\b.{{0,60}}?\bback\b"
    rf"|(?:{RULE_JA}|{KEPT_JA}).{{0,10}}?(?:復活|元に戻|もとに戻|(?:また|再び|再度|やっぱり|やはり)(?:有効|適用|必要|守)|有効に戻|生か)",
    "i",
)
_NOT = lazy_pattern(r"\b(?:not|never|no longer|don['’]?t|if|unless|until|whether)\b|n['’]t\b|[?？]|ない|せず|ません|たら|なら|か[。]?$", "i")


_FORBIDS_AGAIN = lazy_pattern(r"禁止に(?:戻し|戻す|もどし|もどす)|\b(?:forbidden|prohibited|banned|off[- ]limits) again\b", "i")


def forbids_again(text: str) -> bool:
    """Return whether a sentence says that something is forbidden again."""
    return _FORBIDS_AGAIN.search(text) is not None and _NOT.search(text) is None


def returns(text: str) -> bool:
    """Return whether a sentence says that a rule which it names is in force again: "the emoji rule is back", 「絵文字のルールは復活」."""
    return _RETURNS.search(text) is not None and _NOT.search(text) is None


@lru_cache(maxsize=512)
def called(text: str) -> frozenset[str]:
    """Return the names by which a sentence calls a rule; none if it calls none, or by what many rules are about."""
    found = _CALLED.search(text)
    if found is None:
        return frozenset()
    from memorybank.text.prompts.about import DIRECTIONS, names  # late, as the next one: most sentences call no rule

    said = found["after"] or found["before"] or _POINTS.sub("", found["japanese"] or "", count=1)
    named = frozenset(word for word in names(said) if word not in DIRECTIONS)
    return named if not SAYS_NO_NAME.issuperset(named) else frozenset()


def calls(text: str, rule: str) -> bool:
    """Return whether a sentence may mean a rule: one clause of it has all the names by which the sentence calls it."""
    wanted = called(text)
    if not wanted:
        return False
    from memorybank.text.prompts.about import clauses, is_among, names

    return any(is_among(wanted, names(clause)) for clause in clauses(rule))

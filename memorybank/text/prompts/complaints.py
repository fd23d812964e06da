"""Complaints by which a person gives an order again: "again you forgot to run the build", "why do you keep using npm", 「またテストを書いてない」.

One complaint is about its turn. What a person complains about in several sessions is a rule, and a complaint about what an order says repeats that order.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.english_work import CHECKS, WORKS
from memorybank.values import lru_cache

_OPENS = r"^\W*(?:(?:and|but|so|hey|no|ok|wait|claude|again|once again|yet again)\b\W*){0,4}"
_EVER = r"(?:(?:again|still|always|once again|just|also|keep|kept|constantly|even) ){0,3}"
_TOLD = (
    r"(?:(?:didn['’]?t|haven['’]?t) (?:i|we) (?:already )?(?:tell|told|ask|asked)|how (?:many times|often) (?:do|must|should|have) i (?:have to |had to )?"
    r"(?:tell|told|ask|asked|remind)|(?:i|we)(?:['’]ve| have)? (?:already |just |keep |always )*(?:told|tell|telling|asked|asking|reminded|reminding)"
    r"|why (?:do|must) i (?:have to |always |keep )*(?:tell|telling|remind|reminding|ask|asking)) you(?: (?:every|each) time| again| (?:\w+ ){1,2}times)?"
)
_ACTS = r"(?!(?:br[eo]k|fail|crash|mess)\w*\b|(?:can|could|may|might|must|shall|should|will|would)\b|\w+(?<!ing)(?: \w{2,4})? (?:the|an?|this|that|it)\b)"
"""Does not match what happened to one thing, as far as it is not going on."""
_BY_YOU = lazy_pattern(
    rf"{_OPENS}(?:you(?:['’]ve| have)? {_EVER}(?:forgot(?:ten)?|forget|failed|fail|neglected?) to"
    rf"|you {_EVER}(?:forgot|missed|didn['’]?t|did not|haven['’]?t|never)(?=.*\bagain\W*$)|you never(?! (?:know|mind|can|see)\b)(?= \w+(?<!ed)(?<!en) )"
    r"|why (?:didn['’]?t|don['’]?t|haven['’]?t) you(?: ever| always)?) (?P<left>\w.*)"
    rf"|{_OPENS}(?:why (?:do|are|did|have|must) )?you(?:['’](?:re|ve)| are| have)? (?:(?:keep|kept|constantly|always|still) (?P<keeps>(?!\w+ing (?:me|up)\b)"
    rf"\w+ing\b.*)|{_EVER}{_ACTS}(?P<did>\w[^,;]*)(?<=\bagain)(?:[,;]|\W*$))",
    "i",
)
"""Matches a complaint about what the agent left undone, or did although it should not."""
_SAID = lazy_pattern(
    rf"{_OPENS}{_TOLD} (?:(?:to|that) (?P<left>\w.*)|not to (?P<did>\w.*))|\W*(?:still|again) no (?P<missing>(?:[\w-]+ )?{WORKS})\W*$"
    rf"|\W*no (?P<none>(?:[\w-]+ )?{WORKS}) again\W*$|{_OPENS}(?<=again )with (?P<with>the \w.*)"
    rf"|{_OPENS}(?:please |pls )?(?:stop|quit) (?P<stops>(?:(?:add|us|chang|remov|creat|edit|writ|touch|commit|push|putt|mak|leav|ignor|skipp|apologi[sz]"
    r"|explain|generat|renam|reformatt|mock|guess|assum|delet)ing|committing)\b.+)",
    "i",
)
"""Matches an order that was given before, and an order to stop."""
_CHECKS = lazy_pattern(CHECKS, "i")
_DOES = r"(?:使|書|触|消|変え|作|足し|入れ|付け|いじ|直し|コミットし|プッシュし|実行し|更新し|追加し|確認し|走らせ|回し)"
_JAPANESE = lazy_pattern(
    r"^\W*(?:(?:なんで|どうして|なぜ|ねえ|おい|ちょっと|あれ)[、 ]?)*(?:また|いつも|毎回)[、も ]?"
    rf"(?:(?P<left>[^、。が]{{1,40}}?)(?:(?:の|こと)?[をも]?忘れ(?:て|た|る|ま)|(?:じゃ|では?)なくなっ|{_DOES}[ぁ-ん]{{0,2}}[てで]い?(?:ない|ません|なかった))"
    rf"|(?P<did>[^、。が]{{1,40}}?)(?:{_DOES}[ぁ-ん]{{0,2}}[てで](?!くだ|ほし|ね|[。！!]*$)|を?使う)|(?P<into>[^、。が]{{1,40}}?語)に(?:なっ|戻っ)"
    r"|(?P<own>勝手に[^、。が]{1,30}?)し?[てた](?!くだ|ほし))"
    r"|(?:何[度回]も|前に?も|いつも|毎回)(?:言|頼|お願い)[^、。]{0,8}?(?:けど|が)、?(?P<order>.+)",
)
"""Matches both in Japanese."""


@lru_cache(maxsize=64)
def complaint(text: str) -> tuple[str, bool]:
    """Return (what a person complains about or says again, in their words, whether it should not be done); ("", False) for any other sentence."""
    found = _JAPANESE.search(text) if not text.isascii() else None
    found = found or _BY_YOU.match(text) or _SAID.match(text)
    if found is None:
        return "", False
    groups = {name: said for name, said in found.groupdict().items() if said}
    (name, said), *_ = groups.items()
    return said.rstrip(" ?!.？！。").removesuffix(" again"), name in ("did", "keeps", "stops", "with", "into", "own")


def work_of(text: str) -> tuple[str, bool]:
    """Return (the work that a sentence complains about or has checked, whether it should not be done), ("", False) for none.

    "you need to do npm run build to make sure things work" has it checked by "do npm run build".
    """
    found = _CHECKS.search(text)
    return complaint(text) if found is None else (found["work"], False)


def blames(text: str) -> bool:
    """Return whether a sentence complains about what the agent did or left undone, so that it orders nothing by its own words."""
    return _BY_YOU.match(text) is not None

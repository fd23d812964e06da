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
_TIMES = r"(?: (?:every|each) time| again| twice| (?:\w+ ){1,2}times)"
_TOLD = (
    r"(?:(?:(?:didn['’]?t|haven['’]?t) (?:i|we) (?:already )?(?:tell|told|ask|asked)|how (?:many times|often) (?:do|must|should|have) i (?:have to |had to )?"
    r"(?:tell|told|ask|asked|remind)|(?:i|we)(?:['’]ve| have)? (?:already |keep |always )+(?:told|tell|telling|asked|asking|reminded|reminding)"
    rf"|why (?:do|must) i (?:have to |always |keep )*(?:tell|telling|remind|reminding|ask|asking)) you{_TIMES}?"
    rf"|(?:i|we)(?:['’]ve| have)? (?:told|asked|reminded) you(?:{_TIMES}|(?= not to\b)))"
)
_NEVER = (
    r"you never (?=(?:(?:run|write|add|update|read|do|check|fix) (?:(?:any|the|a|your) )?(?:[\w-]+ )?(?:tests?|docs|documentation|changelog|readme|build"
    r"|lint(?:er)?|types?|checks)|ask(?: me| us| first)?|(?:check|verify|test|format)(?: it| your \w+)?)(?:\W*| (?:before|after|when|until)\b[^,;]*)$)"
)
"""Matches before a good habit. What else "you never" do is forbidden."""
_ACTS = (
    r"(?!(?:br[eo]k|fail|crash|mess)\w*\b|(?:can|could|may|might|must|shall|should|will|would|never|do not|don['’]?t)\b"
    r"|\w+(?<!ing)(?: \w{2,4})? (?:the|an?|this|that|it)\b)"
)
"""Does not match an order, nor what happened to one thing, as far as it is not going on."""
_DOING = (
    r"(?:add|us|chang|remov|creat|edit|writ|touch|committ?|push|putt|mak|leav|ignor|skipp|apologi[sz]|explain|generat|renam|reformatt|mock|guess|assum"
    r"|delet)ing\b"
)
"""Matches what an agent does, and the product does not."""
_BY_YOU = lazy_pattern(
    rf"{_OPENS}(?:you(?:['’]ve| have)? {_EVER}(?:forgot(?:ten)?|forget(?:ting)?|neglected?|fail(?:ed)?) to(?! (?:connect|load|fetch|start|render|parse)\b)"
    rf"|(?:you {_EVER}(?:forgot|missed|didn['’]?t|did not|haven['’]?t)|why (?:didn['’]?t|haven['’]?t) you)(?=.*\bagain\W*$)"
    rf"|why don['’]?t you (?:ever|always)|(?:(?<=again )|(?<=again, ))why (?:didn['’]?t|haven['’]?t) you) (?P<left>\w.*)|{_OPENS}{_NEVER}(?P<habit>.*)"
    rf"|{_OPENS}(?:why (?:do|are|did|have|must) )?you(?:['’](?:re|ve)| are| have)? (?:(?:keep|kept|constantly|always|still(?!.*\?)|(?<=why are you )still) "
    rf"(?P<keeps>{_DOING}.*)|{_EVER}{_ACTS}(?P<did>\w[^,;]*)(?<=\bagain)(?:[,;]|\W*$))",
    "i",
)
"""Matches a complaint about what the agent left undone, or did although it should not."""
_SAID = lazy_pattern(
    rf"{_OPENS}{_TOLD} (?:(?:to|that) (?P<order>\w.*)|not to (?P<told>\w.*))|\W*(?:still|again) no (?P<missing>(?:[\w-]+ )?{WORKS})\W*$"
    rf"|\W*no (?P<none>(?:[\w-]+ )?{WORKS}) again\W*$|{_OPENS}(?<=again )with (?P<with>the \w.*)|{_OPENS}(?:please |pls )?(?:stop|quit) (?P<stops>{_DOING}.+)",
    "i",
)
"""Matches an order that was given before, and an order to stop."""
_CHECKS = lazy_pattern(CHECKS, "i")
_DOES = r"(?:使|書|触|消|変え|作|足し|入れ|付け|いじ|直し|コミットし|プッシュし|実行し|更新し|追加し|確認し|走らせ|回し)"
_JAPANESE = lazy_pattern(
    r"^\W*(?:(?:なんで|どうして|なぜ|ねえ|おい|ちょっと|あれ)[、 ]?)*"
    r"(?:また(?!、)|(?:いつも|毎回)(?=[^、。]*(?:忘れ|ない|ません|なかった|なくなっ|になっ|に戻|勝手|じゃん|よね|の[。?？！!]*$)))[も ]?"
    rf"(?:(?P<left>[^、。が]{{1,40}}?)(?:(?:の|こと)?[をも]?忘れ(?:て|た|る|ま)|(?:じゃ|では?)なくなっ|{_DOES}[ぁ-ん]{{0,2}}[てで]い?(?:ない|ません|なかった)(?![一-龥]))"
    rf"|(?P<did>[^、。が]{{1,40}}?)(?:{_DOES}[ぁ-ん]{{0,2}}[てで](?:い?(?:る|た|ん|ま)(?![一-龥ァ-ヶら])|しま)|を?使うのか?[。?？]*$)"
    r"|(?P<into>[^、。が]{1,40}?語)に(?:なっ|戻っ)|(?P<own>勝手に[^、。が]{1,30}?)し?[てた](?!くだ|ほし))"
    r"|(?:何[度回]も|前に?も|いつも|毎回)(?:言|頼|お願い)[^、。]{0,8}?(?:けど|が)、?(?P<order>.+)",
)
"""Matches both in Japanese."""
_ORDERED = ("order", "told", "stops")
"""The groups of what is ordered by its own words."""


@lru_cache(maxsize=64)
def complaint(text: str) -> tuple[str, bool]:
    """Return (what a person complains about or says again, in their words, whether it should not be done); ("", False) for any other sentence."""
    name, said = _found(text)
    return said.rstrip(" ?!.？！。").removesuffix(" again"), name in ("did", "keeps", "told", "stops", "with", "into", "own")


def _found(text: str) -> tuple[str, str]:
    """Return (the name of the group, what it matched), ("", "") for none."""
    found = _JAPANESE.search(text) if not text.isascii() else None
    found = found or _BY_YOU.match(text) or _SAID.match(text)
    groups = found.groupdict() if found is not None else {}
    return next(((name, said) for name, said in groups.items() if said), ("", ""))


def work_of(text: str) -> tuple[str, bool]:
    """Return (the work that a sentence complains about or has checked, whether it should not be done), ("", False) for none.

    "you need to do npm run build to make sure things work" has it checked by "do npm run build".
    """
    found = _CHECKS.search(text)
    return complaint(text) if found is None else (found["work"], False)


def blames(text: str) -> bool:
    """Return whether a sentence complains about what the agent did or left undone, so that it orders nothing by its own words."""
    return _found(text)[0] not in ("", *_ORDERED)

"""The named parts of a project's work (phase 6, phase 8.1, milestone two, sprint 3, フェーズ6) in a text, and whether a sentence puts something off until one.

Plans are made in such parts, and what does not belong to the current one is said to belong to a later one: "not yet, revisit in phase 6".
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.steps import STEP, is_step, step_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_DOTTED = lazy_pattern(
    r"(?<![A-Za-z])(?P<kind>phase|stage|step|part|milestone|sprint|iteration|フェーズ|フェイズ|ステージ|ステップ|段階|工程|スプリント)[ #_-]{0,2}"
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,2}|(?<=[Ss]print )\d{1,2}|(?<=[Ii]teration )\d{1,2}|(?<=スプリント)\d{1,2}|(?<=[Ss]print)\d{1,2})(?![\d.]*\d)",
    "i",
)
"""Matches the parts that `STEP` does not: those between two phases (8.1), and sprints."""
_OF_ANOTHER = lazy_pattern(
    r"(?:step|stage|part)s?\b[^.;,]{0,8}? of "
    r"(?!(?:(?:the|our|my|this|that|its|a) )?(?:[\w-]+ ){0,2}(?:plan|project|roadmap|migration|rollout|refactor\w*|rewrite|work)\b)",
    "i",
)
"""Matches a numbered part of something that is built ("step 2 of the wizard"), not of the work on it."""
_THING = lazy_pattern(r"(?:['’]s |(?<!計画)(?<!プラン)(?<!移行)(?<!開発)(?<!プロジェクト)(?<!ロードマップ)の)$")
"""Matches the end of what stands before such a part: the wizard's step 2, ウィザードのステップ2."""
_MAY_BE_OF_A_THING = lazy_pattern("step|stage|part|ステップ|工程|手順", "i")
_LONGEST = 240
_BEGINS = lazy_pattern(
    r"\b(?:start|begin|implement|plan|do|work on|go on|continue|move on|proceed|next|time (?:for|to)|let['’]?s|kick off|tackle|prepare|design|build|ready for"
    r"|document|write)\b|進め|始め|開始|実装|計画|着手|取りかか|取り掛か|入り(?:たい|ましょう|ます)|行こう|いこう|お願い|設計|準備",
    "i",
)
_BEGINS_NOT = lazy_pattern(
    r"\b(?:do(?:n['’]?t| not)|should(?:n['’]?t| not)|can(?:['’]?t|not)|never|not) "
    r"(?:\w+ ){0,2}?(?:start|begin|go|continue|proceed|move|tackle|implement|plan)\b|\b(?:skip|before|wait\w*|hold off|postpone|defer)\b"
    r"|^\W*(?:is|are|was|were|did|has|have|does|what|which|when|where|how|who|(?:do|have) (?:we|you|i))\b[^?]*\?\W*$"
    r"|(?:[めし]|実装|開始|着手)(?:ないで|ません|ずに|ない(?:$|[。！]))|(?:終わ|完了|済|でき|どう|何|どこ)[^。]{0,12}か[。？?]?$|待って|飛ばして",
    "i",
)
"""Matches what denies it, or asks about it."""
_TROUBLE = lazy_pattern(r"\b(?:fail\w*|errors?|broken|breaks?|crash\w*|stuck|hangs?|why|how did)\b|落ち|失敗|エラー|壊れ|止ま|なぜ|なんで", "i")
_PUTS_OFF = lazy_pattern(
    r"\b(?:revisit|defer\w*|postpon\w*|not (?:yet|now|before)|out of scope|left for|leave (?:it|this|that|them)|wait(?:s|ing)? (?:for|until)|planned for"
    r"|scheduled for|reserved for|(?:moved?|pushed) (?:from [\w .]{1,30}? )?to)\b|(?:→|->|⇒)\s*\W{0,3}(?:phase|stage|milestone|sprint|step|フェーズ)"
    r"|まで(?:待|保留)|先送り|後回し|見送|持ち越|保留|未対応|対象外|スコープ外",
    "i",
)
_COMES_LATER = lazy_pattern(
    r"\b(?:later|until|till|when (?:that|this|those|it|we|the)\b|once (?:that|this|those|it|we|the)\b|belongs? (?:to|in|on|with)|lands?|comes? (?:in|with)"
    r"|arrives? (?:in|with)|(?:will|can|may|might|should|must|needs? to|has to|have to) (?:\w+ ){0,3}?(?:in|at|with|during|for|by)|future|open question|todo)\b"
    r"|まで(?:は|に)|今は|まだ|予定|以降|になったら|に入ったら|(?:で|にて)(?:対応|実装|検討|扱|行|追加|決め|見直)",
    "i",
)
"""Matches what belongs to a later phase; of a step, it often only says what happens in it."""
_HEADING = lazy_pattern(
    r"\b(?:defer\w*|later|out of scope|not (?:yet|now|in|covered|included)|future|postponed|left (?:open|out|to do|for|over)|still open"
    r"|next (?:steps?|up|phases?)|open (?:questions?|points?|issues?|items?|ends?)|what(?:['’]s| is) (?:left|open|next))\b|^\W*(?:open|todos?|next|left)\W*$"
    r"|先送り|後回し|見送り|対象外|スコープ外|今後|保留|残り(?!時間)|未対応|やらない",
    "i",
)
_IS_OVER = lazy_pattern(
    r"\b(?:no longer|nothing|dropped|cancel\w*|abandoned|scrapped|do(?:n['’]?t| not) (?:defer|postpone|leave|wait)|had to|removed|(?:we|i) did(?! not))\b"
    r"|~~|\[x\]|済み|(?:始め|開始し)ない|では(?:対応|実装|検討|追加)し(?:ません|ない)|(?:対応|実装|追加|検討|決定|作成|修正|解決|開始)しました|(?:やめ|中止し|取り消し|不要になり)(?:た|まし)|[?？]\W*$",
    "i",
)
"""Matches what was put off once, and what only asks."""
_IS_DONE = lazy_pattern(
    r"\b(?:is|are|was|were|has been|have been|now|marked|marks?) (?:now |all |fully |already )*"
    r"(?:implemented|complete[d]?|done|finished|merged|delivered|shipped)\b|\bcomplete[d]?\b[^.]{0,20}$|✅|完了|実装済|実装しました|終わりました",
    "i",
)


def milestones_in(text: str) -> set[tuple[bool, str]]:
    """Return the parts that a text names, each as (whether it is called a step, its number): {(False, "6"), (False, "8.1")}."""
    found = {(is_step(match), str(step_of(match))) for match in STEP.finditer(text) if not _is_of_a_thing(match, text)}
    return found | {(is_step(match), match["number"]) for match in _DOTTED.finditer(text) if not _is_of_a_thing(match, text)}


def _is_of_a_thing(found: re.Match[str], text: str) -> bool:
    if _MAY_BE_OF_A_THING.search(found[0]) is None:
        return False
    return _OF_ANOTHER.match(text[found.start() : found.end() + 60]) is not None or _THING.search(text[max(0, found.start() - 12) : found.start()]) is not None


def begun_by(prompt: str) -> tuple[bool, str] | None:
    """Return the part of the work that a short prompt wants to begin, plan or go on with; None if it names none, or several."""
    text = prompt.strip()
    if not text or len(text) > _LONGEST or _BEGINS.search(text) is None or _TROUBLE.search(text) is not None or _BEGINS_NOT.search(text) is not None:
        return None
    found = milestones_in(text)
    return found.pop() if len(found) == 1 else None


def is_put_off(sentence: str, *, until_step: bool = False) -> bool:
    """Return whether a sentence puts something off until a later time. until_step: whether that is a step of a plan"""
    is_later = _PUTS_OFF.search(sentence) is not None or (not until_step and _COMES_LATER.search(sentence) is not None)
    return is_later and not is_over(sentence)


def is_over(sentence: str) -> bool:
    """Return whether a sentence says that nothing is put off any more, or only asks."""
    return _IS_OVER.search(sentence) is not None or is_done(sentence)


def puts_off(heading: str) -> bool:
    """Return whether what stands under a heading is put off."""
    return _HEADING.search(heading) is not None


def is_done(sentence: str) -> bool:
    """Return whether a sentence says that a part of the work is done."""
    return _IS_DONE.search(sentence) is not None

"""The named parts of a project's work (phase 6, phase 8.1, milestone two, sprint 3, フェーズ6) in a text, and whether a sentence puts something off until one.

Plans are made in such parts, and what does not belong to the current one is said to belong to a later one: "not yet, revisit in phase 6".
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.steps import STEP, is_step, step_of

_DOTTED = lazy_pattern(
    r"(?<![A-Za-z])(?P<kind>phase|stage|step|part|milestone|sprint|iteration|フェーズ|フェイズ|ステージ|ステップ|段階|工程|スプリント)[ #_-]{0,2}"
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){1,2}|(?<=[Ss]print )\d{1,2}|(?<=[Ii]teration )\d{1,2}|(?<=スプリント)\d{1,2})(?![\d.]*\d)",
    "i",
)
"""Matches the parts that `STEP` does not: those between two phases (8.1), and sprints."""
_LONGEST = 240
_BEGINS = lazy_pattern(
    r"\b(?:start|begin|implement|plan|do|work on|go on|continue|move on|proceed|next|time (?:for|to)|let['’]?s|kick off|tackle|prepare|design|build|ready for"
    r"|document|write)\b|進め|始め|開始|実装|計画|着手|取りかか|取り掛か|入り(?:たい|ましょう|ます)|行こう|いこう|お願い|設計|準備",
    "i",
)
_TROUBLE = lazy_pattern(r"\b(?:fail\w*|errors?|broken|breaks?|crash\w*|stuck|hangs?|why|how did)\b|落ち|失敗|エラー|壊れ|止ま|なぜ|なんで", "i")
_PUTS_OFF = lazy_pattern(
    r"\b(?:revisit|defer\w*|postpon\w*|later|until|till|not (?:yet|now|before)|out of scope|left for|leave (?:it|this|that|them)|wait(?:s|ing)? (?:for|until)"
    r"|when (?:that|this|those|it|we|the)\b|once (?:that|this|those|it|we|the)\b|belongs? (?:to|in|on|with)|lands?|comes? (?:in|with)|arrives? (?:in|with)"
    r"|(?:will|can|may|might|should|must|needs? to|has to|have to) (?:\w+ ){0,3}?(?:in|at|with|during|for|by)|planned for|scheduled for|reserved for|moved? to"
    r"|pushed to|future|open question|todo)\b|(?:→|->|⇒)\s*\W{0,3}(?:phase|stage|milestone|sprint|step|フェーズ)"
    r"|まで(?:待|保留|は|に)|先送り|後回し|見送|持ち越|保留|未対応|対象外|スコープ外|今は|まだ|予定|以降|になったら|に入ったら|(?:で|にて)(?:対応|実装|検討|扱|行|追加|決め|見直)",
    "i",
)
_HEADING = lazy_pattern(
    r"\b(?:defer\w*|later|out of scope|not (?:yet|now|in|covered|included)|future|postponed|left|open|todo|next)\b"
    r"|先送り|後回し|見送り|対象外|スコープ外|今後|保留|残り|未対応|やらない",
    "i",
)
_IS_DONE = lazy_pattern(
    r"\b(?:is|are|was|were|has been|have been|now|marked|marks?) (?:now |all |fully |already )*"
    r"(?:implemented|complete[d]?|done|finished|merged|delivered|shipped)\b|\bcomplete[d]?\b[^.]{0,20}$|✅|完了|実装済|実装しました|終わりました",
    "i",
)


def milestones_in(text: str) -> set[tuple[bool, str]]:
    """Return the parts that a text names, each as (whether it is called a step, its number): {(False, "6"), (False, "8.1")}."""
    found = {(is_step(match), str(step_of(match))) for match in STEP.finditer(text)}
    return found | {(is_step(match), match["number"]) for match in _DOTTED.finditer(text)}


def begun_by(prompt: str) -> tuple[bool, str] | None:
    """Return the part of the work that a short prompt wants to begin, plan or go on with; None if it names none, or several."""
    text = prompt.strip()
    if not text or len(text) > _LONGEST or _TROUBLE.search(text) is not None or _BEGINS.search(text) is None:
        return None
    found = milestones_in(text)
    return found.pop() if len(found) == 1 else None


def is_put_off(sentence: str) -> bool:
    """Return whether a sentence puts something off until a later time."""
    return _PUTS_OFF.search(sentence) is not None and not is_done(sentence)


def puts_off(heading: str) -> bool:
    """Return whether what stands under a heading is put off."""
    return _HEADING.search(heading) is not None


def is_done(sentence: str) -> bool:
    """Return whether a sentence says that a part of the work is done."""
    return _IS_DONE.search(sentence) is not None

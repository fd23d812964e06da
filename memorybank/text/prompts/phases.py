"""Recognises the phase or step of a plan that a prompt asks to go on with ("merge it, then phase 3 of the import plan", 「定期便step2いこう」).

A short prompt may name it anywhere. One that only mentions it ("step through the debugger", "the build stops in step 3", 「手順を2回繰り返す」) asks for none.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.continuing import in_english, in_japanese, plain
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.steps import STEP, is_step, step_of
from memorybank.text.words.scripts import is_japanese
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST, _MOST_SENTENCES = 240, 6
"""Characters and sentences of a prompt in which a phase is looked for."""
_NEXT = lazy_pattern(r"\bnext (?:phase|step|stage|part|milestone)\b|次の(?:フェーズ|フェイズ|ステップ|段階|工程)", "i")
_ENDS_CLAUSE = lazy_pattern(
    r"[,;:]| [-–—] |\b(?:and|but|then|with|so|after that)\b|\b(?:on|in) (?:its own|(?:a|the|your|another)(?: new| separate)?) branch\b|\bon branch\b", "i"
)
_BEGINS_CLAUSE = lazy_pattern(r"[、,;；:：]|(?:たら|なら|ので|から|けど|て)(?![い行])|(?:その|この)(?:あと|後)[ではに]?")
_OTHER_REQUEST = lazy_pattern("[てでるたしすい]、")
"""Matches the end of a clause that is no name of a plan."""
_TROUBLE = lazy_pattern(
    r"\b(?:fail(?:s|ed|ing|ure)?|errors?|broken|breaks?|crash(?:es|ed)?|stops?|stuck|hangs?|wrong|why)\b"
    r"|落ち|失敗|エラー|壊れ|止ま|おかしい|動かない|なぜ|なんで",
    "i",
)
"""Matches trouble in a sentence, whose phase or step is mostly one of a program."""


class Phase(Value):
    """A phase or step of a plan. work: the words that name its plan, or ""; step: its number, 0 for the next one; is_step: whether it is called a step."""

    work: str
    step: int
    is_step: bool


def phase_in(prompt: str) -> Phase | None:
    """Return the phase that a prompt asks to go on with; None if it asks for none."""
    text = prompt.strip()
    if not text or len(text) > _LONGEST:
        return None
    for said in sentences(text)[:_MOST_SENTENCES]:
        if _TROUBLE.search(said) is not None:
            continue
        step = STEP.search(said)
        work = next(_works(plain(said)), None) if step is not None or _NEXT.search(said) is not None else None
        if work is not None and (step is not None or work):
            return Phase(work, step_of(step) if step is not None else 0, step is not None and is_step(step))
    return None


def _works(said: str) -> Iterator[str]:
    """Yield the words that name the plan in the clauses of a sentence that ask to go on with a phase, the longest clause first."""
    named = STEP.search(said) or _NEXT.search(said)
    if named is None:
        return
    if is_japanese(said):
        begins = (0, *(mark.end() for mark in _BEGINS_CLAUSE.finditer(said, 0, named.start())))
        clauses = (said[begin:] for begin in begins if _OTHER_REQUEST.search(said, begin, named.start()) is None)
        yield from (work for clause in clauses if (work := in_japanese(clause)) is not None)
        return
    begin = max((mark.end() for mark in _ENDS_CLAUSE.finditer(said, 0, named.start())), default=0)
    end = _ENDS_CLAUSE.search(said, named.end())
    work = in_english(said[begin : end.start() if end is not None else len(said)])
    if work is not None:
        yield work

"""The memory for a prompt that continues earlier work, without what the start of the session has just shown."""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.phrases import phrase
from memorybank.cycle.know.continued import Continuing
from memorybank.cycle.recall.ranking import SESSION, Memory
from memorybank.cycle.recall.sayings import says
from memorybank.injection import utf16
from memorybank.log import events as log
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.steps import STEP
from memorybank.text.prose.passages import excerpt
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.know.continued import GoingOn, Work
    from memorybank.cycle.know.search import Passage
    from memorybank.cycle.recall.memories import Memories

_ASKED_CHARACTERS = 80
_RELEVANCE = 0.7
_LABELS = ("left", "next", "remaining", "still", "残", "次")
"""Beginnings of a sentence that needs no label to be read as what is left."""
_LEAST_TERMS = 5
"""Content words of what is left of a text without the sentences that the context was shown."""
_OF_DAYS = ("noted:", "episode:")
"""Beginnings of the ids of what a start shows of earlier days."""


def about_no_step(passages: Sequence[Passage]) -> list[Passage]:
    """Return the passages that name no step of a plan: those of earlier steps are over once a later session on the plan is shown."""
    return [passage for passage in passages if STEP.search(passage.text) is None]


def work_of(memories: Memories, going: GoingOn, *, is_first: bool) -> Work | None:
    """Return what the work that a prompt continues left; None if it continues none. is_first: whether the prompt begins its session."""
    reading = memories.reading
    if not reading.base.settings.budgets.last_session:
        return None
    age, folder = reading.base.settings.organize.warm_days * DAY, log.folder(reading.base.layout)
    return Continuing(memories.earlier, age, reading.context.past.task, folder, reading.base.places).find(going, is_first=is_first)


def told(memories: Memories, work: Work | None, answers: Sequence[Passage], *, is_first: bool) -> list[Memory]:
    """Return the memory of some work: its result, unless one of the answers says it, what is left to do, and the lines of the plan's phase."""
    text = _text(memories, work, answers, _shown_at_start(memories) if is_first else "") if work is not None else ""
    if work is None or not text:
        return []
    memory = Memory(work.memory, SESSION, 0, work.at, importance=0.5, session=work.session, author="tool")
    memory.relevance = _RELEVANCE
    memories.say(memory, text)
    memory.terms = memories.distinctive(content_terms(text))
    memory.source = memories.session(work.session)
    return [memory] if utf16(memory.text) <= memories.reading.base.settings.budgets.last_session else []


def _text(memories: Memories, work: Work, answers: Sequence[Passage], before: str) -> str:
    """Return what is said of some work. before: what the context was shown, which is not repeated."""
    asked = excerpt(work.asked, _ASKED_CHARACTERS)
    result = "" if says(answers, work.result) else _new_in(work.result, before)
    left, plan = _new_in(work.left, before), _new_in(work.plan, before)
    if result and asked and not left and not plan:
        return phrase("asked_and_answered", memories.language, asked=asked, answered=result)
    said = phrase("left_open", memories.language, text=left) if left and not left.lower().startswith(_LABELS) else left
    return " ".join(filter(None, (result, said, phrase("of_plan", memories.language, text=plan) if plan else "")))


def _new_in(text: str, before: str) -> str:
    """Return a text without the sentences that the context was shown; "" if the rest says little."""
    if not before:
        return text
    from memorybank.cycle.recall.shown import contains  # late: most prompts continue nothing that was shown

    said = sentences(text)
    new = [sentence for sentence in said if not contains(before, sentence.rstrip(" …"))]
    if len(new) == len(said):
        return text
    rest = " ".join(new)
    return rest if len(content_terms(rest)) >= _LEAST_TERMS else ""


def _shown_at_start(memories: Memories) -> str:
    """Return the text about earlier days that the start of this session showed; "" if it showed none."""
    reading = memories.reading
    given = {memory for memory in reading.context.shown if memory.startswith(_OF_DAYS)}
    if not given:
        return ""
    from memorybank.cycle.recall import earlier_days  # late: few prompts only continue
    from memorybank.episodes import fitting

    days = earlier_days.to_show(reading)
    block = fitting.block(days, (), (), reading.base.settings.budgets.episodes, reading.context.past.task) if days is not None else None
    return block.text if block is not None and not given.isdisjoint(block.sizes) else ""

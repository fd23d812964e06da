"""What earlier sessions put off until the part of the work that a prompt begins: "not yet, revisit in phase 6", when phase 6 begins.

The prompt has only the name of that part in common with it, which is enough, because the sentence was said for this moment.
"""

from __future__ import annotations

__light__ = True

from memorybank.clock import DAY
from memorybank.cycle.fold.kinds import ANSWER, REMARK, SAID
from memorybank.cycle.know.search import IS_SEEN
from memorybank.text.prompts.milestones import begun_by, is_done, is_over, is_put_off, milestones_in, puts_off
from memorybank.text.prompts.steps import spelled
from memorybank.text.prose.passages import sentences
from memorybank.text.words.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

MOST, LONGEST = 3, 360
"""Sentences that are shown, and their characters together."""
_LONGEST_EACH = 200
_KEPT = 180 * DAY
_MOST_READ = 400
_DOCUMENTS, _MOST_FILES = (".md", ".mdx", ".rst", ".txt", ".adoc", ".org"), 2
_LEAST_TERMS = 2
"""Content words of a sentence that says what was put off, besides the name of the part."""
_PHASES = ("phase", "stage", "part ", "milestone", "sprint", "iteration", "フェーズ", "フェイズ", "ステージ", "段階", "スプリント", "期", "部")
_STEPS = ("step", "ステップ", "工程", "手順")


class Postponed(Value):
    """A sentence of a passage that puts something off. said: with the heading that says so"""

    passage: Passage
    sentence: str
    said: str


def until(earlier: Earlier, prompt: str) -> list[Postponed]:
    """Return what other sessions put off until the part of the work that a prompt begins, the newest first, since somebody began it last."""
    part = begun_by(prompt)
    if part is None:
        return []
    condition = (
        f"kind IN ('{ANSWER}', '{REMARK}', '{SAID}') AND session <> ? AND at BETWEEN ? AND ? AND {IS_SEEN} AND ({_any(_STEPS if part[0] else _PHASES)})"
        f" AND ({_any(spelled(part[1]))})"
        f" ORDER BY at DESC, p.id DESC LIMIT {_MOST_READ}"
    )
    found: list[Postponed] = []
    said: list[set[str]] = []
    names = set(content_terms(" ".join((*_PHASES, *_STEPS, *spelled(part[1])))))
    left = LONGEST
    for passage in earlier.selected(condition, (earlier.own, earlier.now - _KEPT, earlier.now)):
        if passage.kind == SAID and begun_by(passage.text) == part:
            break  # what was put off before was due then
        if part not in milestones_in(passage.text):
            continue
        said += [{*content_terms(sentence)} - names for sentence in sentences(passage.text) if is_over(sentence) and not sentence.endswith(("?", "？"))]
        if not any(_put_off(passage, part)) or not earlier.finds(passage):
            continue
        for sentence, shown in _put_off(passage, part):
            terms = {*content_terms(sentence)} - names
            if len(terms) < _LEAST_TERMS or len(shown) > left or any(len(terms & other) * 2 > len(terms) for other in said):
                continue
            found.append(Postponed(passage, sentence, shown))
            said.append(terms)
            left -= len(shown)
            if len(found) == MOST:
                return found
    return found


def files_of(earlier: Earlier, prompt: str) -> list[str]:
    """Return the documents named after the part of the work that a prompt begins (`phase-8.1-locking.md`), if earlier turns edited them."""
    part = begun_by(prompt)
    if part is None:
        return []
    edited = f"SELECT DISTINCT name FROM turn_files JOIN turns ON id = turn WHERE instr(name, ?) AND at <= ? AND {IS_SEEN} ORDER BY name"
    names = [name for (name,) in earlier.connection.execute(edited, (part[1], earlier.now))]
    return [name for name in names if name.endswith(_DOCUMENTS) and milestones_in(name.rpartition("/")[2].replace("_", " ")) == {part}][:_MOST_FILES]


def _any(words: Sequence[str]) -> str:
    """Return the SQL condition that a passage contains one of these words, which are constants of this package or digits."""
    return " OR ".join(f"p.text LIKE '%{word}%'" for word in words)


def _put_off(passage: Passage, part: tuple[bool, str]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a passage that put something off until a part of the work, each also after the heading that says so."""
    for sentence in sentences(passage.text):
        if part not in milestones_in(sentence) or len(sentence) > _LONGEST_EACH:
            continue
        if puts_off(passage.heading) and not is_done(sentence):
            yield sentence, f"{passage.heading}: {sentence}"
        elif is_put_off(sentence, until_step=part[0]):
            yield sentence, sentence

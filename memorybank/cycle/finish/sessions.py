"""The session summary: what somebody who was not there needs to know about a session, computed by rules and without a model.

Goal (what the person asked), result (the agent's last words of each turn), what was changed where, what failed and what fixed it,
decisions (what the person corrected, commits), open ends (Self-improving memory cycle, phase 2, "セッション要約生成").
Every item keeps its instant, so that a single day can be described from it. English and Japanese.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish import fixes, open_ends
from memorybank.cycle.finish.open_ends import Item as Item
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import ENGLISH, JAPANESE, language_of, phrase
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.know.gist import accepted, gist
from memorybank.cycle.know.results import LONGEST_RESULT
from memorybank.summarize import content, sentences
from memorybank.text.commands.paths import OUTSIDE, shown
from memorybank.text.prompts import typed
from memorybank.text.prompts.continuing import continued_by
from memorybank.text.prompts.reported import is_found
from memorybank.text.prompts.sentences import joined
from memorybank.text.prose.momentary import is_momentary, is_supposed
from memorybank.text.prose.openers import answer_first, only_opens
from memorybank.text.words.pointing import opens
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_MOST = {"goals": 8, "results": 6, "changed": 24, "fixes": 10, "decisions": 10, "commits": 12, "open_ends": 6}
"""Maximum number of items of each section: the latest ones; of the goals, the first and the latest."""
_FILES = 60
_DECISION_WORDS = (
    *("decided", "instead of", "chose", "rather than", "we will use", "switched to", "opted", "trade-off", "going with"),
    *("ことにし", "に決め", "を採用", "方針", "の代わりに", "ではなく", "に変更し"),
)
_MOSTLY = 0.6
"""Share of a request that consists of lasting statements, from which it wants nothing else."""
_INQUIRY = 3
"""A session without changes gets a summary if it made at least this many calls and came to a result."""
_FINDING = {ENGLISH: 60, JAPANESE: 25}
"""A session without changes also gets a summary if one of its answers has at least this many characters."""


class SessionSummary(Value):
    """The items of each section in the order of time, a gist for each sitting, and the files, those changed most first. first_at, last_at: ms.

    fixed: what the section `fixes` tells.
    has_work: whether something was done, or a question got an answer that is longer than a word or two. What only a program asked does not count.
    """

    language: str
    first_at: int
    last_at: int
    files: list[str]
    tasks: list[str]
    gist: list[Item]
    sections: dict[str, list[Item]]
    fixed: list[fixes.CallFix]
    has_work: bool

    def to_json(self) -> dict[str, Any]:
        """Return the items as they are stored in a row."""
        return {name: [[item.at, item.text] for item in items] for name, items in (("gist", self.gist), *self.sections.items())}


def summarise(lines: list[LogEvent]) -> SessionSummary | None:
    """Return the summary of the lines of one session and one cell, in their order; None when nothing came of them."""
    summary = of_lines(lines) if lines else None
    return summary if summary is not None and summary.has_work else None


def of_lines(lines: list[LogEvent]) -> SessionSummary:
    """Return the same, whatever came of these lines."""
    language = language_of(typed_in(lines) or " ".join(line.head for line in lines if line.event == "turn_end"))
    calls = [line for line in lines if line.event == "tool_after"]
    fixed, unfixed = fixes.of_calls(calls)
    changed, files = _changed(calls, language)
    prompts = [(line.at, line.text("text")) for line in lines if line.is_human_prompt]
    kept = set(accepted([(line.at, line.head) for line in lines if line.event == "turn_end"], prompts))
    believed = [line for line in lines if line.event != "turn_end" or (line.at, line.head) in kept]
    sections = {
        "goals": _goals(lines),
        "results": _results(believed),
        "changed": changed,
        "fixes": [Item(fix.success.at, fixes.told(fix, language)) for fix in fixed],
        "decisions": _decisions(believed),
        "commits": _commits(calls),
        "open_ends": open_ends.of_session(lines, calls, unfixed, language),
    }
    has_work = bool(sections["changed"] or sections["fixes"] or sections["commits"] or sections["decisions"] or unfixed)
    is_for_a_program = not prompts and any(line.event == "prompt" and line.human for line in lines)
    has_work = has_work or (bool(sections["results"]) and ((len(calls) >= _INQUIRY and not is_for_a_program) or _is_answered(sections, language)))
    tasks = list(dict.fromkeys(line.task for line in lines if line.task))
    done = [(fix.success.at, fixes.told(fix, language, LONGEST_RESULT)) for fix in reversed(fixed)]
    found = gist(
        prompts,
        [(line.at, line.head) for line in lines if line.event == "turn_end"],
        [(item.at, item.text) for item in sections["commits"]],
        [*done, *((item.at, wording.one_line(item.text, LONGEST_RESULT)) for item in changed[: len(files)])],
        [(line.at, line.task) for line in lines if line.task],
    )
    said = [Item(at, text) for at, text in found]
    latest = {name: _latest(name, items) for name, items in sections.items()}
    first_at, last_at = min(line.at for line in lines), max(line.at for line in lines)
    return SessionSummary(language, first_at, last_at, files[:_FILES], tasks, said, latest, fixed[-_MOST["fixes"] :], has_work)


def typed_in(lines: Sequence[LogEvent]) -> str:
    """Return what a person typed in these lines, in which their language shows. What they pasted may be in another one."""
    return " ".join(_typed(line.text("text")) for line in lines if line.is_human_prompt)


def _latest(name: str, items: list[Item]) -> list[Item]:
    most = _MOST[name]
    if len(items) <= most:
        return items
    return [items[0], *items[1 - most :]] if name == "goals" else items[-most:]


def _is_answered(sections: dict[str, list[Item]], language: str) -> bool:
    """Return whether something was asked and an answer is longer than a word or two."""
    return any(_is_request(item.text) for item in sections["goals"]) and any(len(item.text) >= _FINDING[language] for item in sections["results"])


def _is_request(request: str) -> bool:
    """Return whether a request is more than a greeting, praise or "go on"."""
    continued = continued_by(request)
    return bool(content.terms(request)) and (continued is None or bool(continued.work or continued.step))


def _goals(lines: list[LogEvent]) -> list[Item]:
    """Return the person's requests as they typed them, without those that are only a greeting or "go on", or only state what the
    decisions contain. A correction stays: it wants the work done in another way."""
    prompts = [line for line in lines if line.is_human_prompt and line.text("text").strip()]
    asked = [(Item(line.at, wording.one_line(_typed(line.text("text")), 400)), line.lessons if line.signal >= 0 else ()) for line in prompts]
    return [item for item, lessons in asked if _is_request(item.text) and not _only_states(item.text, lessons)] or [item for item, _ in asked[:1]]


def _typed(prompt: str) -> str:
    """Return what a person typed, or the title of what they pasted; of other pasted text, all of it."""
    return typed.typed(prompt) or typed.title(prompt) or prompt


def _only_states(request: str, lessons: Sequence[str]) -> bool:
    """Return whether most of a request are statements that last, which are listed as decisions."""
    stated = sum(len(lesson) for lesson in lessons if lesson in request)
    return stated >= _MOSTLY * len(request)


def _results(lines: list[LogEvent]) -> list[Item]:
    """Return how the agent's answer of each turn begins, with more of the last two.

    A turn that no person began and that made few calls is the reply to a notice of the host. It is left out if there are other turns, and so
    is an answer that only says "Done.".
    """
    answers: list[LogEvent] = []
    notices: list[LogEvent] = []
    asked, calls = True, 0
    for line in lines:
        if line.event == "prompt":
            asked = line.human
        elif line.event == "tool_after":
            calls += 1
        elif line.event == "turn_end":
            if line.head.strip():
                (answers if asked or calls >= _INQUIRY else notices).append(line)
            asked, calls = False, 0
    ends = [line for line in answers if not only_opens(line.head)] or answers or notices
    return [Item(line.at, wording.one_line(joined(sentences.cut(answer_first(line.head))), 700 if line in ends[-2:] else 240)) for line in ends]


def _changed(calls: list[LogEvent], language: str) -> tuple[list[Item], list[str]]:
    """Return (one item per file: how often it was changed, and how; the files, those changed most often first)."""
    edits: dict[str, list[LogEvent]] = {}
    for call in calls:
        if call.tool in wording.EDITS and call.status == "success" and call.files:
            edits.setdefault(call.files[0], []).append(call)
    elsewhere = [edits.pop(name)[-1].at for name in list(edits) if name.startswith(OUTSIDE)]
    files = sorted(edits, key=lambda name: (-len(edits[name]), edits[name][0].offset))
    items = [Item(edits[name][-1].at, _file_changes(name, edits[name], language)) for name in files[: _MOST["changed"]]]
    if len(files) > len(items):
        items.append(Item(max(item.at for item in items), phrase("more_files", language, count=len(files) - len(items))))
    if elsewhere:
        items.append(Item(max(elsewhere), phrase("outside", language, count=len(elsewhere))))
    return items, files


def _file_changes(name: str, edits: list[LogEvent], language: str) -> str:
    verb = phrase("written" if edits[0].tool == "Write" else "edited", language)
    described = f"{shown(name)} ({verb}{phrase('changes', language, count=len(edits)) if len(edits) > 1 else ''})"
    if name.startswith("~/"):  # a person's own settings, whose content must not be committed
        return described
    changes = [change for edit in edits if (change := wording.change(edit, 120))]
    if changes:
        return f"{described}: {'; '.join(dict.fromkeys((changes[0], changes[-1])))}"
    begins = wording.first_line(edits[0].text("content"), 80) if edits[0].tool == "Write" else ""
    return f"{described}: {phrase('begins', language, text=f'`{begins}`')}" if begins else described


def _decisions(lines: list[LogEvent]) -> list[Item]:
    """Return what the person corrected, and sentences of the agent about decisions."""
    found = []
    for line in lines:
        if line.is_human_prompt:
            found += [Item(line.at, wording.one_line(sentence, 300)) for sentence in line.lessons]
        elif line.event == "turn_end":
            said = open_ends.sentences_with(line, _DECISION_WORDS)
            found += [Item(line.at, sentence) for sentence in said if not any(passes(sentence) for passes in (is_found, is_momentary, is_supposed, opens))]
    return found


def _commits(calls: list[LogEvent]) -> list[Item]:
    messages = ((call, wording.commit_message(call.text("command"))) for call in calls if call.tool == "Bash" and call.status == "success")
    return [Item(call.at, wording.one_line(message, 160)) for call, message in messages if message]

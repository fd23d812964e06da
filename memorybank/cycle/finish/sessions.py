"""The session summary: what somebody who was not there needs to know about a session, computed by rules and without a model.

Goal (what the person asked), result (the agent's last words of each turn), what was changed where, what failed and what fixed it,
decisions (what the person corrected, commits), open ends (Self-improving memory cycle, phase 2, "セッション要約生成").
Every item keeps its instant, so that a single day can be described from it. English and Japanese.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish import open_ends
from memorybank.cycle.finish.open_ends import Item as Item
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import ENGLISH, JAPANESE, language_of, phrase
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.know.gist import LONGEST_RESULT, accepted, gist
from memorybank.text.commands.paths import OUTSIDE
from memorybank.text.emphasis import without_emphasis
from memorybank.text.prompts import typed
from memorybank.text.prompts.reported import is_found
from memorybank.text.prose.openers import answer_first, only_opens
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_MOST = {"goals": 8, "results": 6, "changed": 24, "fixes": 10, "decisions": 10, "commits": 12, "open_ends": 6}
"""Maximum number of items of each section: the latest ones; of the goals, the first and the latest."""
_FILES = 60
_NOTHING_SAID = frozenset(
    (
        *("continue", "go on", "go ahead", "yes", "y", "ok", "okay", "thanks", "thank you", "please", "proceed", "next", "do it", "sure", "good", "no"),
        *("hi", "hello", "hey", "hello there", "good morning", "good evening", "thx", "lgtm", "perfect", "great"),
        *("続けて", "続けてください", "はい", "お願いします", "お願い", "ありがとう", "ありがとうございます", "次", "進めて", "進めてください", "了解"),
        *("おはよう", "おはようございます", "こんにちは", "こんばんは", "お疲れ様", "お疲れ様です", "よろしくお願いします", "いいね"),
    )
)
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
    """The items of each section in the order of time, a gist for each sitting, and the files, those changed most first. first_at, last_at: ms."""

    language: str
    first_at: int
    last_at: int
    files: list[str]
    tasks: list[str]
    gist: list[Item]
    sections: dict[str, list[Item]]

    def to_json(self) -> dict[str, Any]:
        """Return the items as they are stored in a row."""
        return {name: [[item.at, item.text] for item in items] for name, items in (("gist", self.gist), *self.sections.items())}


def summarise(lines: list[LogEvent]) -> SessionSummary | None:
    """Return the summary of the lines of one session and one cell, in their order; None when there is nothing to summarise."""
    if not lines:
        return None
    language = language_of(typed_in(lines) or " ".join(line.head for line in lines if line.event == "turn_end"))
    calls = [line for line in lines if line.event == "tool_after"]
    fixes, short_fixes, unfixed = _fixes(calls, language)
    changed, files = _changed(calls, language)
    prompts = [(line.at, line.text("text")) for line in lines if line.is_human_prompt]
    kept = set(accepted([(line.at, line.head) for line in lines if line.event == "turn_end"], prompts))
    believed = [line for line in lines if line.event != "turn_end" or (line.at, line.head) in kept]
    sections = {
        "goals": _goals(lines),
        "results": _results(believed),
        "changed": changed,
        "fixes": fixes,
        "decisions": _decisions(believed, language),
        "commits": _commits(calls),
        "open_ends": open_ends.of_session(lines, calls, unfixed, language),
    }
    has_work = sections["changed"] or sections["fixes"] or sections["commits"] or sections["decisions"] or unfixed
    if not has_work and not (sections["results"] and (len(calls) >= _INQUIRY or _is_answered(sections, language))):
        return None
    tasks = list(dict.fromkeys(line.task for line in lines if line.task))
    found = gist(
        prompts,
        [(line.at, line.head) for line in lines if line.event == "turn_end"],
        [(item.at, item.text) for item in sections["commits"]],
        [*short_fixes[::-1], *((item.at, wording.one_line(item.text, LONGEST_RESULT)) for item in changed[: len(files)])],
        [(line.at, line.task) for line in lines if line.task],
    )
    said = [Item(at, text) for at, text in found]
    latest = {name: _latest(name, items) for name, items in sections.items()}
    return SessionSummary(language, min(line.at for line in lines), max(line.at for line in lines), files[:_FILES], tasks, said, latest)


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
    """Return whether a request is more than a greeting or "go on"."""
    return request.lower().strip(" .!。！、,") not in _NOTHING_SAID


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
    return [Item(line.at, wording.one_line(_plain(answer_first(line.head)), 700 if line in ends[-2:] else 240)) for line in ends]


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
    described = f"{name} ({verb}{phrase('changes', language, count=len(edits)) if len(edits) > 1 else ''})"
    if name.startswith("~/"):  # a person's own settings, whose content must not be committed
        return described
    changes = [change for edit in edits if (change := wording.change(edit, 120))]
    if changes:
        return f"{described}: {'; '.join(dict.fromkeys((changes[0], changes[-1])))}"
    begins = wording.first_line(edits[0].text("content"), 80) if edits[0].tool == "Write" else ""
    return f"{described}: {phrase('begins', language, text=f'`{begins}`')}" if begins else described


def _fixes(calls: list[LogEvent], language: str) -> tuple[list[Item], list[tuple[int, str]], list[LogEvent]]:
    """Return (failures with what fixed them, (instant, the same in as many characters as a result), failures that nothing fixed)."""
    waiting: list[LogEvent] = []
    fixes, short = [], []
    for number, call in enumerate(calls):
        if open_ends.is_instructive(call):
            waiting.append(call)
        elif call.status == "success":
            keys = set(open_ends.failure_keys(call))
            # One success ends every waiting failure of the same agent that shares a key with it, so a fix is described once.
            ended = [failure for failure in waiting if failure.agent == call.agent and keys.intersection(open_ends.failure_keys(failure))]
            if ended:
                waiting = [failure for failure in waiting if failure not in ended]
                between = [other for other in calls[:number] if other.offset > ended[0].offset and other.agent == call.agent and other.status == "success"]
                changes = open_ends.likely_fixes(ended, between, call)
                fixes.append(Item(call.at, open_ends.fix_text(ended, changes, call, language)))
                short.append((call.at, open_ends.fix_text(ended, changes, call, language, LONGEST_RESULT)))
    return fixes, short, waiting


def _decisions(lines: list[LogEvent], language: str) -> list[Item]:
    """Return what the person corrected, the calls that they refused, and sentences of the agent about decisions."""
    found = []
    for line in lines:
        if line.is_human_prompt:
            found += [Item(line.at, wording.one_line(sentence, 300)) for sentence in line.lessons]
        elif line.event == "tool_after" and line.reason == open_ends.STOPPED and open_ends.is_worth_reporting(line):
            found.append(Item(line.at, phrase("refused", language, call=wording.call(line))))
        elif line.event == "turn_end":
            found += [Item(line.at, sentence) for sentence in open_ends.sentences_with(line, _DECISION_WORDS) if not is_found(sentence)]
    return found


def _commits(calls: list[LogEvent]) -> list[Item]:
    messages = ((call, wording.commit_message(call.text("command"))) for call in calls if call.tool == "Bash" and call.status == "success")
    return [Item(call.at, wording.one_line(message, 160)) for call, message in messages if message]


def _plain(text: str) -> str:
    """Return the Markdown of an answer as running text: a heading ends with a colon, and lines that only draw (rules, tables) disappear."""
    parts = []
    for part in without_emphasis(text).split("\n"):
        part = part.strip()
        if part.startswith("#"):
            part = part.strip("# ").rstrip(":") + ":"
        if part and set(part) - set("-=|*_` :"):
            parts.append(part)
    return " ".join(parts)

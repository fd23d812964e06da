"""What a session leaves open: calls that kept failing, the work that the agent named last as remaining, and how the last turn ended.

All lines belong to one cell.
Source: Self-improving memory cycle, phase 2 ("セッション要約生成": open ends).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish.fixes import last_part
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import phrase
from memorybank.summarize import left_open, sentences
from memorybank.text.commands import fingerprint, forms
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose import open_points
from memorybank.text.words.code_names import contains
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from memorybank.cycle.fold.recorded import LogEvent

_GIT = lazy_pattern(r"(?:^|[;&|(]\s*)git\b")
_COMMITTED = lazy_pattern(r"\bgit\b[^;&|]{0,80}\s(?:commit\b|push\b|--continue\b|--abort\b|--skip\b)")
_PLACES = lazy_pattern(r"(?:\s+(?:_|\S*[./:-]\S*))+")
"""Matches the paths and options of a command."""
_STARTED_BY = {"Makefile": ("make ",), "package.json": ("npm ", "pnpm ", "yarn "), "justfile": ("just ",)}
"""The programs that run the commands in a file."""
_NAME = lazy_pattern(r"(?<![\w-])([A-Za-z][\w-]*+)(\.(?:py|ts|tsx|js|mjs|go|rs|rb|java|kt|sql|sh|yml|yaml|toml|json)\b)?")
"""Matches the names in a command and its error by which a later sentence is about them: identifiers, and files without their ending."""
_LEAST_NAME, _ERROR_READ = 5, 400
_FIXED = lazy_pattern(
    r"\b(?:fix(?:ed|es)|resolved|solved|corrected|now (?:pass|work|run|use|succeed|read|set|wait|take)\w*|works|passes|succeeds|(?:is|are) green|no longer"
    r"|instead|because|cause[ds]?|reason|must|requires?|needs? (?:`|to|the)|without|only (?:with|when|if))\b"
    r"|直し|直り|修正し|解消|解決|対応しました|通り(?:ます|ました)|成功し|原因|ため|必要|使(?:います|ってください|うこと)|代わりに",
    "i",
)
"""Matches what fixed something, why it fails, or what must be done instead."""

_PUSHES = lazy_pattern(r"\bgit\b.{0,80}\bpush\b")
_UNFIXED = lazy_pattern(r"\b(?:(?:could|can|was|is|did) ?not|(?:could|ca|was|is|did)n['’]t|still|wip)\b|まま(?:です|$)|できませんでした|できなかった", "i")
"""Matches that something was not fixed, although a reason is given or something was committed."""
STOPPED = "interrupted"
_ERROR = "error"
_FAILURES_LEFT, _FAILURES_READ = 3, 12
"""Number of failures that are listed, and of the latest ones that are examined, so that the work grows with the length of the session."""
_HEADED = lazy_pattern(r"^\W*(?:open(?: points?)?|未解決)\s*[:：]\s*", "i")
"""Matches the heading under which a summary shows what is open anyway."""
_SENTENCES = 2


class Item(Value):
    """One item of a summary. at: ms."""

    at: int
    text: str


def of_session(lines: list[LogEvent], calls: list[LogEvent], unfixed: list[LogEvent], language: str) -> list[Item]:
    """Return the open ends of a session, from its lines in order, the results of calls among them, and the failures that nothing fixed."""
    ends = [line for line in lines if line.event == "turn_end"]
    failed = [call for call in _failed_last(calls, unfixed) if not _is_explained(call, calls, ends)]
    found = [Item(call.at, phrase("failed_last", language, call=wording.call(call), error=wording.error_line(call.error))) for call in failed]
    stopped = next((call for call in reversed(calls) if call.reason == STOPPED and (not ends or call.offset > ends[-1].offset)), None)
    if stopped is not None:  # some hosts report no end for a turn that a person interrupted
        found.append(Item(stopped.at, phrase("interrupted", language)))
    elif ends:
        found += [*_left(ends[-1]), *(Item(ends[-1].at, text) for text in _how_it_ended(ends[-1], calls, failed, language))]
    return found


def sentences_with(line: LogEvent, words: tuple[str, ...]) -> list[str]:
    """Return at most two sentences of an agent's last words that contain one of `words`."""
    return [wording.one_line(sentence, 240) for sentence in _sentences(line) if any(word in sentence.lower() for word in words)][:_SENTENCES]


def _failed_last(calls: list[LogEvent], unfixed: list[LogEvent]) -> list[LogEvent]:
    """Return the last failure of each call that never succeeded afterwards, however its command was changed."""
    succeeded = [call for call in calls if call.status == "success"]
    done = {purpose: call.offset for call in succeeded for purpose in _purposes(call)}
    latest: dict[str, LogEvent] = {}
    for failure in unfixed:
        if is_worth_reporting(failure) and done.get(_purpose(failure), -1) < failure.offset:
            latest.pop(failure.fingerprint or failure.id, None)
            latest[failure.fingerprint or failure.id] = failure
    read = list(latest.values())[-_FAILURES_READ:]
    return [failure for failure in read if not _is_settled(failure, succeeded, calls)][-_FAILURES_LEFT:]


def _is_settled(failure: LogEvent, succeeded: list[LogEvent], calls: list[LogEvent]) -> bool:
    """Return whether a later successful call settled a failed command, or ran a script that was written in this session and contains it."""
    failed = failure.text("command").strip()
    if not failed:
        return False
    later = [(call, command) for call in succeeded if call.offset > failure.offset and (command := call.text("command").strip())]
    if any(_settles(call, command, failure, failed) for call, command in later):
        return True
    if _GIT.search(failed) is not None:
        return False
    written = {call.files[0].rpartition("/")[2]: call.offset for call in reversed(calls) if call.files and _contains(call, failed)}
    runs = ((command, name) for call, command in later for name, offset in written.items() if call.offset > offset)
    return any(name in command or command.startswith(_STARTED_BY.get(name, ())) for command, name in runs)


def _settles(success: LogEvent, command: str, failure: LogEvent, failed: str) -> bool:
    """Return whether a later command settles a failed one: the same with other variables and without a prefix (`faketime … make test`) or its paths, or a
    commit, which git refuses while there are conflicts."""
    if _GIT.search(failed) is not None:
        return _COMMITTED.search(command) is not None and _PUSHES.search(failed) is None
    if len(command.split()) > 1 and failed.endswith(f" {command}"):
        return True
    last = last_part(failure)
    parts = (part.strip() for part in (success.fingerprint or "").split(";"))
    return any(part and (last == part or (last.startswith(f"{part} ") and _PLACES.fullmatch(last[len(part) :]) is not None)) for part in parts)


def _contains(edit: LogEvent, command: str) -> bool:
    """Return whether an edit wrote a command into a file."""
    return edit.tool in wording.EDITS and any(isinstance(value, str) and command in value for value in edit.inputs.values())


def _is_explained(failure: LogEvent, calls: list[LogEvent], ends: list[LogEvent]) -> bool:
    """Return whether the session said later what fixed a failed call or must be done instead, or committed something under a name in its error."""
    command = failure.text("command")
    named = _NAME.findall(f"{command} {failure.error[:_ERROR_READ]}")
    names = {name for name, ending in named if len(name) >= _LEAST_NAME and (ending or not name.isalnum())}
    names |= {forms.purpose(form) for form in (*forms.of_command(command), *forms.of_inner(command)) if not forms.is_interpreter(forms.purpose(form))}
    said = [sentence for end in ends if end.offset > failure.offset for sentence in _sentences(end)]
    fixed = [sentence for sentence in said if _FIXED.search(sentence) is not None and not open_points.names_open(sentence)]
    later = (call.text("command") for call in calls if call.offset > failure.offset and call.status == "success")
    fixed += filter(None, map(wording.commit_message, later))
    return any(contains(sentence, name) for sentence in fixed if _UNFIXED.search(sentence) is None for name in names)


def _purposes(call: LogEvent) -> list[str]:
    """Return what a successful call was for; of a command, each of its parts."""
    if call.tool != "Bash":
        return [_purpose(call)]
    return [_of_part(part) for part in (call.fingerprint or call.id).split(";")]


def _purpose(call: LogEvent) -> str:
    """Return what a call is for, in whatever form: program and sub-command of a command's last part, or tool and file."""
    if call.tool == "Bash":
        return _of_part(last_part(call) or call.id)
    return f"{'edit' if call.tool in wording.EDITS else call.tool} {call.files[0] if call.files else call.fingerprint}"


def _of_part(part: str) -> str:
    """Return the program and sub-command of a part of a command: `npm run build`, `docker compose up`."""
    words = part.split()
    if words and forms.has_several_purposes(words[0]):
        return forms.purpose(" ".join(words))
    return " ".join(words[:2])


def _left(last: LogEvent) -> list[Item]:
    """Return the sentences of the last turn that name work which is left for later."""
    return [Item(last.at, wording.one_line(_HEADED.sub("", sentence), 240)) for sentence in left_open.left_in(_sentences(last))[:_SENTENCES]]


def _sentences(line: LogEvent) -> Iterator[str]:
    """Yield the sentences of an agent's last words; a label is joined with what follows below it."""
    label = ""
    for sentence in dict.fromkeys(sentences.cut(line.whole)):
        if label or not sentence.endswith((":", "：")):
            yield f"{label} {sentence}".lstrip()
            label = ""
        else:
            label = sentence
    if label:
        yield label


def _how_it_ended(last: LogEvent, calls: list[LogEvent], listed: list[LogEvent], language: str) -> list[str]:
    """Return how the last turn was cut short: by a person, by an error of the host or the model, or with work still running. A turn that completed
    after a failed call is mentioned as well, unless that call is already listed."""
    if last.reason == STOPPED:
        return [phrase("interrupted", language)]
    if last.open_work:
        return [phrase("still_ran", language, count=last.open_work)]
    if last.status != "failure":
        return []
    if last.reason == _ERROR:
        error = wording.error_line(last.error, 120)
        return [phrase("ended_in_error", language, error=f": {error}" if error else "")]
    failed = next((call for call in reversed(calls) if call.offset < last.offset and call.agent == last.agent and call.failed), None)
    if failed is not None and failed in listed:
        return []
    return [phrase("ended_with_failure", language, call=f": {wording.call(failed)}" if failed is not None else "")]


def is_worth_reporting(failure: LogEvent) -> bool:
    """Return whether a failure that nothing fixed is worth showing. A read-only call that found nothing is not."""
    return not fingerprint.is_read_only(failure.tool or "", failure.text("command"))

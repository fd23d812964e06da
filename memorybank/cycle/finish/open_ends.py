"""What failed in a session and what fixed it, in one sentence; and what the session leaves open.

Open are calls that kept failing, the work that the agent named last as remaining, and how the last turn ended. All lines belong to one cell.
Source: Self-improving memory cycle, phase 2 ("セッション要約生成": open ends).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import phrase
from memorybank.text.commands import fingerprint, forms
from memorybank.text.commands.paths import OUTSIDE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose import open_points
from memorybank.text.words import pointing
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memorybank.cycle.fold.recorded import LogEvent


_CALL_CHARACTERS, _ERROR_CHARACTERS, _CHANGE_CHARACTERS = 90, 120, 80
_LEAST_OF_ERROR = 24
"""Characters of an error below which it says nothing."""
_MOST_EDITS = 3
_MOST_COMMANDS = 2
_NOT_OF_THE_PROJECT = (
    *("exceeds maximum allowed", "file does not exist", "string to replace not found", "sibling tool call errored", "no such file or directory"),
    *("illegal operation on a directory", "has not been read yet", "has been modified since", "inputvalidationerror", "not found in file"),
    *("file not found", "enoent", "eisdir", "too large", "no matches found for"),
)
"""Errors of the hosts' own tools when a call did not fit; measured in recorded sessions."""

_GIT = lazy_pattern(r"(?:^|[;&|(]\s*)git\b")
_COMMITTED = lazy_pattern(r"\bgit\b[^;&|]{0,80}\s(?:commit\b|push\b|--continue\b|--abort\b|--skip\b)")
_MESSAGE = lazy_pattern(r"\bgit\b[^;&|]{0,80}\scommit\b.{0,40}\s-\w*m\b")
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
STOPPED = "interrupted"
_ERROR = "error"
_FAILURES_LEFT = 3
_HEADED = lazy_pattern(r"^\W*(?:open(?: points?)?|未解決)\s*[:：]\s*", "i")
"""Matches the heading under which a summary shows what is open anyway."""
_LABEL = 24
"""Maximum characters of a label before its colon: `残り:`, `Still to do:`."""
_NOTHING = frozenset(("none", "nothing", "nothing left", "n/a", "-", "0", "なし", "無し", "ありません", "特になし", "特にありません", "ない", "ゼロ"))
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
        if not is_worth_reporting(failure) or done.get(_purpose(failure), -1) >= failure.offset:
            continue
        if not any(call.offset > failure.offset and _settles(call, failure, calls) for call in succeeded):
            latest[failure.fingerprint or failure.id] = failure
    return list(latest.values())[-_FAILURES_LEFT:]


def _settles(success: LogEvent, failure: LogEvent, calls: list[LogEvent]) -> bool:
    """Return whether a later successful call settles a failed command: the same command with other variables and without a prefix (`faketime … make test`) or
    its paths, a script written in this session that contains it, or a commit, which git refuses while there are conflicts."""
    command, failed = success.text("command").strip(), failure.text("command").strip()
    if not command or not failed:
        return False
    if _GIT.search(failed) is not None:
        return _COMMITTED.search(command) is not None
    if len(command.split()) > 1 and failed.endswith(f" {command}"):
        return True
    parts = [part.strip() for part in (success.fingerprint or "").split(";")]
    last = (failure.fingerprint or "").rsplit(";", 1)[-1].strip()
    if any(part and (last == part or (last.startswith(f"{part} ") and _PLACES.fullmatch(last[len(part) :]) is not None)) for part in parts):
        return True
    written = [call.files[0].rpartition("/")[2] for call in calls if call.files and call.offset < success.offset and _contains(call, failed)]
    return any(name in command or command.startswith(_STARTED_BY.get(name, ())) for name in written)


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
    commits = [call.text("command") for call in calls if call.offset > failure.offset and call.status == "success"]
    fixed += [command for command in commits if _MESSAGE.search(command) is not None]
    return any(name in sentence for sentence in fixed for name in names)


def _purposes(call: LogEvent) -> list[str]:
    """Return what a successful call was for; of a command, each of its parts."""
    if call.tool != "Bash":
        return [_purpose(call)]
    return [" ".join(part.split()[:2]) for part in (call.fingerprint or call.id).split(";")]


def _purpose(call: LogEvent) -> str:
    """Return what a call is for, in whatever form: program and sub-command of a command's last part, or tool and file."""
    if call.tool == "Bash":
        return " ".join((call.fingerprint or call.id).rsplit(";", 1)[-1].split()[:2])
    return f"{'edit' if call.tool in wording.EDITS else call.tool} {call.files[0] if call.files else call.fingerprint}"


def _left(last: LogEvent) -> list[Item]:
    """Return the sentences of the last turn that name work which is left for later."""
    said = [sentence for sentence in _sentences(last) if open_points.names_open(sentence) and not _says_nothing(sentence) and not pointing.opens(sentence)]
    return [Item(last.at, wording.one_line(_HEADED.sub("", sentence), 240)) for sentence in said[:_SENTENCES]]


def _sentences(line: LogEvent) -> Iterator[str]:
    """Yield the sentences of an agent's last words; a label is joined with what follows below it."""
    label = ""
    for sentence in dict.fromkeys(wording.sentences(f"{line.head}\n{line.tail}")):
        if label or not sentence.endswith((":", "：")):
            yield f"{label} {sentence}".lstrip()
            label = ""
        else:
            label = sentence
    if label:
        yield label


def _after_label(sentence: str) -> str:
    """Return the text after a label such as `残り:` or `Still to do:`; "" for a sentence that does not begin with one."""
    label, colon, rest = sentence.replace("：", ":").partition(":")
    return rest.strip() if colon and len(label) <= _LABEL and open_points.names_open(f"{label}:") else ""


def _says_nothing(sentence: str) -> bool:
    """Return whether a sentence says that nothing is left (`Remaining: none`, `残り: なし`), or is a label with nothing below it."""
    return sentence.endswith((":", "：")) or _after_label(sentence).lower().strip(" .。、!！*_`") in _NOTHING


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


def is_instructive(line: LogEvent) -> bool:
    """Return whether the fix of this failure is worth showing: the tools of a host also refuse calls for reasons that have nothing to do with the project."""
    if not line.failed:
        return False
    if line.tool == "Bash":
        return "sibling tool call errored" not in line.error[:200].lower()
    said = line.error[:400].lower()
    return not any(reason in said for reason in _NOT_OF_THE_PROJECT)


def is_worth_reporting(failure: LogEvent) -> bool:
    """Return whether a failure that nothing fixed is worth showing. A read-only call that found nothing is not."""
    return not fingerprint.is_read_only(failure.tool or "", failure.text("command"))


def fix_text(failures: list[LogEvent], changes: list[LogEvent], success: LogEvent, language: str, limit: int = 0) -> str:
    """Return a sentence such as `… failed: error. It succeeded after: edits.`

    limit: maximum number of characters, 0 for none. The error gives way first: without the end, the text would say that nothing was fixed.
    """
    failure = failures[-1]
    called = wording.call(failure, _CALL_CHARACTERS, described=False)
    times = phrase("times", language, count=len(failures)) if len(failures) > 1 else ""
    same = failure.fingerprint == success.fingerprint and not _differs(failure, success)
    other = wording.call(success, _CALL_CHARACTERS, described=False)
    succeeded = phrase("it_succeeded", language) if same else phrase("other_succeeded", language, call=other)
    described = "; ".join(dict.fromkeys(_changed(call, language) for call in changes))
    after = phrase("after", language, changes=described) if described else phrase("without_change" if same else "nothing_else", language)

    def told(characters: int) -> str:
        error = wording.error_line(failure.error, characters).rstrip(".:。") if characters >= _LEAST_OF_ERROR else ""
        failed = phrase("failed", language, times=times, error=error) if error else phrase("failed_so", language, times=times)
        return f"{called} {failed} {succeeded}{after}"

    entire = told(_ERROR_CHARACTERS)
    if not limit or len(entire) <= limit:
        return entire
    spared = len(entire) - len(told(0))
    return wording.one_line(told(spared - (len(entire) - limit)), limit)


def _changed(call: LogEvent, language: str) -> str:
    """Return what a call changed and where. For files outside the repository, the text says only that one was changed."""
    name = call.files[0] if call.files else ""
    if name.startswith(OUTSIDE):
        return phrase("outside", language, count=1)
    change = "" if name.startswith("~/") else wording.change(call, _CHANGE_CHARACTERS)
    return wording.what(call, 100) + (f": {change}" if change else "")


def failure_keys(line: LogEvent) -> list[str]:
    """Return the keys under which a failure waits for its success: its fingerprint, and each file together with the kind of call."""
    family = "edit" if line.tool in wording.EDITS else _program(line) if line.tool == "Bash" else line.tool or ""
    found = [line.fingerprint] if line.fingerprint else []
    return found + [f"{family} {anchor}" for anchor in line.anchors[:8] if anchor.startswith("file:")]


def _program(line: LogEvent) -> str:
    """Return the program of a command's last part, as in its fingerprint."""
    return (line.fingerprint or "").rsplit(";", 1)[-1].strip().partition(" ")[0]


def likely_fixes(failures: list[LogEvent], between: list[LogEvent], success: LogEvent) -> list[LogEvent]:
    """Return the few changes that may have been the fix, one for each file, oldest first.

    These are edits of files that the errors name, then the latest edits, including the success if it is an edit; without any edit, the last
    commands that changed something. If the command itself was changed, that is the fix, and only edits of files that the errors name are added.
    """
    edits = [call for call in between if call.tool in wording.EDITS]
    if success.tool in wording.EDITS:
        edits.append(success)
    said = " ".join(failure.error for failure in failures)
    latest = edits[::-1]
    named = [edit for edit in latest if any(name.rsplit("/", 1)[-1] in said for name in edit.files)]
    if _differs(failures[-1], success):
        return _one_a_file(named)
    if edits:
        return _one_a_file([*named, *latest])
    commands = [call for call in between if call.tool == "Bash" and not fingerprint.is_read_only("Bash", call.text("command"))]
    return commands[-_MOST_COMMANDS:]


def _differs(failure: LogEvent, success: LogEvent) -> bool:
    return " ".join(failure.text("command").split()) != " ".join(success.text("command").split())


def _one_a_file(edits: Iterable[LogEvent]) -> list[LogEvent]:
    found: dict[str, LogEvent] = {}
    for edit in edits:
        found.setdefault(edit.files[0] if edit.files else edit.id, edit)
        if len(found) == _MOST_EDITS:
            break
    return sorted(found.values(), key=lambda edit: edit.offset)

"""What a session leaves open: calls that kept failing, the work that the agent named as remaining, how the last turn ended.

Self-improving memory cycle, phase 2 ("セッション要約生成": open ends).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.finish import fixes
from memorybank.cycle.fold import wording
from memorybank.cycle.fold.phrases import phrase
from memorybank.text.terms import content_terms
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memorybank.cycle.fold.recorded import LogEvent

STOPPED = "interrupted"
_ERROR = "error"
_FAILURES_LEFT = 3
_WORDS = (
    *(" filed", "known issue", "known bug", "既知の", "起票"),
    *("todo", "not yet", "remaining", "still need", "still fail", "next step", "follow-up", "left to do", "open question", "did not finish", "unfinished"),
    *("still to do", "still open", "未完", "未対応", "未実装", "未着手", "残り", "残って", "残課題", "残タスク", "今後", "次は", "これから", "課題", "まだ"),
)
_LABEL = 24
"""Maximum characters of a label before its colon: `残り:`, `Still to do:`."""
_NOTHING = frozenset(("none", "nothing", "nothing left", "n/a", "-", "0", "なし", "無し", "ありません", "特になし", "特にありません", "ない", "ゼロ"))
_TAKEN_UP = 0.5
"""When later words and actions contain this share of the terms of an open end, somebody took it up since."""
_SENTENCES = 2


class Item(Value):
    """One item of a summary. at: ms."""

    at: int
    text: str


def of_session(lines: list[LogEvent], calls: list[LogEvent], unfixed: list[LogEvent], language: str) -> list[Item]:
    """Return the open ends of a session.

    lines: the lines of one cell, in order.
    calls: the results of calls among them.
    unfixed: failures that nothing fixed.
    """
    failed = _failed_last(calls, unfixed)
    ends = [line for line in lines if line.event == "turn_end"]
    found = [Item(call.at, phrase("failed_last", language, call=wording.call(call), error=wording.error_line(call.error))) for call in failed]
    stopped = next((call for call in reversed(calls) if call.reason == STOPPED and (not ends or call.offset > ends[-1].offset)), None)
    found += _left(lines, ends, None if stopped else ends[-1] if ends else None, language)
    if stopped is not None:  # some hosts report no end for a turn that a person interrupted
        found.append(Item(stopped.at, phrase("interrupted", language)))
    elif ends:
        found += [Item(ends[-1].at, text) for text in _how_it_ended(ends[-1], calls, failed, language)]
    return found


def sentences_with(line: LogEvent, words: tuple[str, ...]) -> list[str]:
    """Return at most two sentences of an agent's last words that contain one of `words`."""
    return [wording.one_line(sentence, 240) for sentence in _sentences(line) if any(word in sentence.lower() for word in words)][:_SENTENCES]


def _failed_last(calls: list[LogEvent], unfixed: list[LogEvent]) -> list[LogEvent]:
    """Return the last failure of each call that never succeeded afterwards, however its command was changed."""
    done = {_purpose(call): call.offset for call in calls if call.status == "success"}
    latest: dict[str, LogEvent] = {}
    for failure in unfixed:
        if fixes.is_worth_reporting(failure) and done.get(_purpose(failure), -1) < failure.offset:
            latest[failure.fingerprint or failure.id] = failure
    return list(latest.values())[-_FAILURES_LEFT:]


def _purpose(call: LogEvent) -> str:
    """Return what a call is for, in whatever form: program and sub-command of a command's last part, or tool and file."""
    if call.tool == "Bash":
        return " ".join((call.fingerprint or call.id).rsplit(";", 1)[-1].split()[:2])
    return f"{'edit' if call.tool in wording.EDITS else call.tool} {call.files[0] if call.files else call.fingerprint}"


def _left(lines: list[LogEvent], ends: list[LogEvent], last: LogEvent | None, language: str) -> list[Item]:
    """Return what the latest turn that mentions open work leaves for later.

    Of the last turn, every sentence that sounds like it. Of an earlier turn, only what follows a label (`残り:`) and was not taken up by later
    words or actions, because nobody repeats in every answer what is still to be done.

    last: the end of the last turn; None when it was not recorded.
    """
    if last is not None:
        said = [sentence for sentence in _sentences(last) if any(word in sentence.lower() for word in _WORDS)]
        if said:
            return [Item(last.at, wording.one_line(sentence, 240)) for sentence in said if not _says_nothing(sentence)][:_SENTENCES]
    for end in reversed([end for end in ends if end is not last]):
        labelled = [sentence for sentence in _sentences(end) if _after_label(sentence)]
        if labelled:
            later = {term for line in lines if line.offset > end.offset for text in _words_and_deeds(line) for term in content_terms(text)}
            left = [sentence for sentence in labelled if not _says_nothing(sentence) and not _is_taken_up(_after_label(sentence), later)]
            return [Item(end.at, phrase("left_earlier", language, text=wording.one_line(sentence, 240))) for sentence in left[:_SENTENCES]]
    return []


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
    return rest.strip() if colon and len(label) <= _LABEL and any(word in label.lower() for word in _WORDS) else ""


def _says_nothing(sentence: str) -> bool:
    """Return whether a sentence says that nothing is left (`Remaining: none`, `残り: なし`), or is a label with nothing below it."""
    return sentence.endswith((":", "：")) or _after_label(sentence).lower().strip(" .。、!！*_`") in _NOTHING


def _words_and_deeds(line: LogEvent) -> Iterable[str]:
    if line.event == "prompt":
        return (line.text("text"),) if line.human else ()
    if line.event == "turn_end":
        return line.head, line.tail
    return (wording.what(line), wording.change(line)) if line.event == "tool_after" and line.status == "success" else ()


def _is_taken_up(left: str, later: set[str]) -> bool:
    wanted = content_terms(left)
    return not wanted or sum(term in later for term in wanted) >= len(wanted) * _TAKEN_UP


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

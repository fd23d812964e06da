"""A day of many sessions as a list: one line for each, with what it was about and what came of it.

Answering every question about every session would leave a few words for each answer. A line of the list can be read by itself.
"""

from __future__ import annotations

__light__ = True

from memorybank.summarize.findings import PLAIN, worth
from memorybank.summarize.requests import LONGEST_REQUEST, QUESTIONS, names_little, of_requests
from memorybank.summarize.telling import BETWEEN_ITEMS, SENTENCE_ENDS, first_request, telling_in
from memorybank.text.prompts.continuing import continued_by
from memorybank.text.prompts.routine import is_routine
from memorybank.text.prompts.sentences import joined
from memorybank.text.prose.momentary import lasting, without_supposed
from memorybank.text.prose.open_points import names_open
from memorybank.text.prose.passages import excerpt, leads_in
from memorybank.text.words.scripts import is_japanese

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

BETWEEN = " → "
"""Between what a session was about and what came of it."""
MORE = " • "
"""Between the results of a session, of which the first tells most."""
MARK = "- "
PER_SESSION = 400
"""Characters of a session's share of the budget below which the day becomes a list."""
_LEAST = 40
"""Characters of a line below which the shortest sessions are left out."""
_FRAME = len(MARK) + 1
_LONGEST_NAME = 48
"""Characters of the name of a task."""
_LEADS_ON = ("…", ",", ":", "、", "：")
"""The ends of a request that was cut, or of which the part that says most follows in another line."""
_OPENS_REQUEST = ("“", "「")
_LONGEST_RESULT, _LEAST_RESULT, _RESULTS_READ = 110, 24, 3
"""Characters of the result that stands for a session whose name says little, at most and at least, and the sentences among which it is looked for."""
_MOST_RESULTS = 3
"""Sentences of the result of one session at the start of another."""
_CUT = " …"
_CLAUSES = (" because ", " so ", " but ", " and ", " which ", " where ")
"""What follows the end of a clause."""
HEADINGS = {
    "goals": ("Wanted: ", "目的: "),
    "results": ("Result: ", "結果: "),
    "changed": ("Changed: ", "変更: "),
    "fixes": ("Failed and fixed: ", "失敗と修正: "),
    "decisions": ("Decided: ", "決定: "),
    "commits": ("Commits: ", "コミット: "),
    "open_ends": ("Open: ", "未解決: "),
    "also": ("Also: ", "ほか: "),
}
"""The headings of a summary in English and Japanese."""
_HEADED = tuple(f"{MARK}{heading}" for headings in HEADINGS.values() for heading in headings)
_OF_AGENTS = (*HEADINGS["results"], *HEADINGS["decisions"])
"""The headings of what agents said."""


def name_of(task: str) -> str:
    """Return the name of a task; of a branch, the part after the last slash."""
    return (task.rpartition("/")[2] or task)[:_LONGEST_NAME]


def of_task(task: str) -> str:
    """Return how a line of this task begins when it does not begin with a commit."""
    return f"{name_of(task)}: "


def about(line: str) -> str:
    """Return what a session was about, from its line."""
    return line.removeprefix(MARK).partition(BETWEEN)[0]


def with_one_result(gist: str, *, is_over: bool = False) -> str:
    """Return what a session was about, the first of its results, and what it left open unless that is over."""
    what, mark, results = gist.partition(BETWEEN)
    first, *further = (results if mark else what).split(MORE)
    left = [] if is_over else list(filter(names_open, further))[-1:]
    return f"{what if mark else ''}{mark}{MORE.join((first, *left))}"


def is_of(line: str, task: str | None) -> bool:
    """Return whether a session's line, or its first request, begins with the task."""
    bare = _without_heading(line)
    return task is not None and (bare == name_of(task) or bare.startswith((of_task(task), f"{name_of(task)}{BETWEEN}")))


def is_open(line: str) -> bool:
    """Return whether a session without a task is named by its request, because no commit ended it."""
    task, request = _parts(about(line))
    return not task and request != request.rstrip("”」")


def is_of_sessions(text: str) -> bool:
    """Return whether a summary is a list of sessions or has the headings of one, rather than a text in sentences."""
    return bool(sessions_of(text) or _lines_of(text)) or any(f"{MARK}{line.removeprefix(MARK).strip()}".startswith(_HEADED) for line in text.split("\n"))


def _without_heading(line: str) -> str:
    bare = line.strip().removeprefix(MARK)
    for heading in HEADINGS["goals"]:
        bare = bare.removeprefix(heading)
    return bare


def without_unclear(line: str) -> str:
    """Return a session's line without a request that helps nobody: one that was cut, or a question without its answer. What is left may be only the name of
    the task, only the result, or nothing."""
    what, between, came = line.partition(BETWEEN)
    task, request = _parts(what)
    if not _is_unclear(request, bool(came)) or _is_cut_subject(request):
        return line
    return f"{task}{between}{came}" if task else came


def _is_cut_subject(what: str) -> bool:
    """Return whether this is the beginning of a commit's subject, which names the work also where it was cut."""
    return what.endswith("…") and not what.startswith(_OPENS_REQUEST)


def _parts(what: str) -> tuple[str, str]:
    """Return (name of the task, request or other words) of what a session was about; "" for what is missing."""
    name, mark, request = min(what.partition(": “"), what.partition(": 「"), key=lambda parts: len(parts[0]))
    if " " in name or not (mark or name.isascii()):
        return "", what
    return name, request


def _is_unclear(request: str, is_answered: bool) -> bool:
    bare = request.rstrip("”」")
    return bare.endswith(_LEADS_ON) or (not is_answered and bare != request and bare.endswith(QUESTIONS))


def without_over(text: str, *, is_newest: bool) -> str:
    """Return the lines of a summary without the sentences that say nothing later (`text.prose.momentary`); "" if nothing else is in it.

    is_newest: whether no work followed that day, so that what it left open still is.
    """
    unwanted = () if is_newest else HEADINGS["open_ends"]
    kept = "\n".join(line for line in text.split("\n") if not line.removeprefix(MARK).startswith(unwanted))
    return with_answers(kept, without_supposed if is_newest else lasting)


def with_answers(text: str, change: Callable[[str], str]) -> str:
    """Return the lines of a summary with what agents said in them changed; a line of which nothing is left but its heading is left out. What a session was
    about stays."""
    return "\n".join(filter(None, (_with_answer(line, change) for line in text.split("\n"))))


def _with_answer(line: str, change: Callable[[str], str]) -> str:
    what, between, came = line.partition(BETWEEN)
    mark = MARK if line.startswith(MARK) else ""
    head = "" if between else next((heading for heading in _OF_AGENTS if line.removeprefix(mark).startswith(heading)), "")
    if not (between or head or line.endswith(SENTENCE_ENDS)):
        return line
    said = came if between else line.removeprefix(mark).removeprefix(head)
    kept = MORE.join(filter(None, map(change, said.split(MORE))))
    return f"{what}{between}{kept}" if between and kept else what if between else f"{mark}{head}{kept}" if kept else ""


def at_start(text: str) -> str:
    """Return a summary as the start of a session shows it: of each session the sentences of its result that tell most, of its requests the first, and no files
    where a result or a commit says what was done."""
    sessions = _headed(text)
    if sum(map(len, sessions)) <= text.count("\n"):
        return text  # a person's words are between them
    mark = MARK if text.startswith(MARK) else ""
    return "\n".join(mark + f"\n{'  ' * bool(mark)}".join(_told_of(session)) for session in sessions)


def _headed(text: str) -> list[list[tuple[str, str]]]:
    """Return the (heading, words) of each session of a summary with headings, without the lines that have none."""
    sessions: list[list[tuple[str, str]]] = []
    for line in text.split("\n"):
        bare = line.removeprefix(MARK).strip()
        heading = next((heading for headings in HEADINGS.values() for heading in headings if bare.startswith(heading)), "")
        if heading and (not sessions or line.startswith(MARK)):
            sessions.append([])
        if heading:
            sessions[-1].append((heading, bare.removeprefix(heading)))
    return sessions


def _told_of(session: Sequence[tuple[str, str]]) -> list[str]:
    """Return the lines of one session, with their headings, as the start of another shows them."""
    found: dict[str, str] = {}
    for heading, said in session:
        if heading in HEADINGS["results"]:
            said = _most_telling(said)
        elif heading in HEADINGS["goals"]:
            said = excerpt(first_request(said), _LONGEST_RESULT)
        if said:
            found[heading] = said
    is_told = any(heading in found for heading in (*HEADINGS["results"], *HEADINGS["commits"]))
    kept = [f"{heading}{said}" for heading, said in found.items() if not (is_told and heading in HEADINGS["changed"])]
    return kept or [f"{heading}{said}" for heading, said in session]


def _most_telling(said: str) -> str:
    """Return the sentences of a result that tell most, in their order; "" for none."""
    telling = telling_in(said)
    best = sorted(telling, key=worth, reverse=True)[:_MOST_RESULTS]
    return joined(part if part.endswith(SENTENCE_ENDS) else f"{part}{BETWEEN_ITEMS}" for part in telling if part in best).rstrip("; ")


def only_asks(line: str) -> bool:
    """Return whether a session without a task has only a request, of which nothing came."""
    task, request = _parts(line)
    return not task and BETWEEN not in line and request != request.rstrip("”」")


def name(line: str, *, only_told: bool = False) -> str:
    """Return the name of a session in the line of its day: its task, the subjects of its commits, what came of its request, or the request if it is short; ""
    if it has none of these. only_told: whether a request of which nothing came is left out."""
    what, _, came = line.removeprefix(MARK).partition(BETWEEN)
    task, request = _parts(what)
    is_asked = request != request.rstrip("”」")
    if task or (only_told and is_asked and not came):
        return task
    if is_asked and names_little(_bare(request)) and (told := _result_of_request(came)):
        return told
    is_long = is_asked and len(request) > LONGEST_REQUEST
    is_result = not came and what.endswith(SENTENCE_ENDS)
    return "" if is_long or is_result or (_is_unclear(request, False) and not _is_cut_subject(what)) else what.partition(MORE)[0]


def with_result(names: Sequence[str], result: str) -> list[str]:
    """Return the names of a day's sessions; with a result of one session where they say nothing, and after the name of an only session or an only task.
    names: "" for a session without one."""
    said = list(filter(None, names))
    if result and all(map(_says_nothing, said)):
        return [result, *[""] * (len(names) - 1)]
    is_only = bool(result) and len(set(said)) == 1 and BETWEEN not in said[0] and (len(names) == 1 or " " not in said[0])
    is_only = is_only and said[0] != result and not (said[0].endswith(SENTENCE_ENDS) and worth(said[0]) > PLAIN)
    return [f"{said[0]}{BETWEEN}{result}", *[""] * names.count("")] if is_only else list(names)


def _bare(name: str) -> str:
    return name.strip(" “”「」")


def _says_nothing(name: str) -> bool:
    """Return whether a name does not say what was worked on: a routine request, or a sentence that only leads in. The name of a task always does."""
    is_request = " " in name or not name.isascii()
    return is_request and (leads_in(_bare(name)) or is_routine(_bare(name)))


def first_result(text: str) -> str:
    """Return the first result of the last session of a summary as one sentence; "" if it has none."""
    lines = [line.removeprefix(MARK).strip() for line in text.split("\n")]
    headed = [line.partition(": ")[2] if ": " in line else line.partition("：")[2] for line in lines if line.startswith(HEADINGS["results"])]
    listed_ones = [line.partition(BETWEEN)[2] or (line if line.endswith(SENTENCE_ENDS) else "") for line in sessions_of(text) or lines[:1]]
    came = next((said for said in reversed(headed or listed_ones) if said), "")
    said = _most_telling_first(came)
    if not said or len(said[0]) <= _LONGEST_RESULT:
        return said[0] if said else ""
    cut = excerpt(said[0], _LONGEST_RESULT)
    is_clause = not said[0][len(cut) - len(_CUT) :].startswith(" ") or said[0][len(cut) - len(_CUT) :].startswith(_CLAUSES)
    is_clause = is_clause and cut.count("(") == cut.count(")")
    whole = cut if is_clause else _whole_result(came)
    return whole or (f"{cut.rpartition('(')[0].rstrip()}{_CUT}" if cut.count("(") > cut.count(")") else cut)


def _most_telling_first(came: str) -> list[str]:
    return sorted(telling_in(came.split(MORE)[0])[:_RESULTS_READ], key=worth, reverse=True)


def _whole_result(came: str) -> str:
    """Return the sentence of a result that tells most among those that are short enough for the line of a day; "" for none."""
    said = (one for one in _most_telling_first(came) if _LEAST_RESULT <= len(one) <= _LONGEST_RESULT and not leads_in(one) and worth(one) >= PLAIN)
    return next(said, "")


def _result_of_request(came: str) -> str:
    """Return the sentence of a result that stands for a request which names little; "" if it says no more than that."""
    said = _whole_result(came)
    return said if worth(said) > PLAIN or (is_japanese(said) and not names_little(said)) else ""


def sessions_of(text: str) -> list[str]:
    """Return the lines of the list in a summary; [] where there is none."""
    marked = [line for line in text.split("\n") if line.startswith(MARK)]
    is_list = any(BETWEEN in line for line in marked) and not any(line.startswith(_HEADED) for line in marked)
    return [line.removeprefix(MARK) for line in marked] if is_list else []


def _lines_of(text: str) -> list[str]:
    """Return the lines of a text that is nothing but a list: one whose lines were clipped, so that none says what came of its session, or a person's."""
    lines = text.split("\n")
    is_list = len(lines) > 1 and all(line.startswith(MARK) and not line.startswith(_HEADED) for line in lines)
    return [line.removeprefix(MARK) for line in lines] if is_list else []


def in_brief(text: str, task: str | None = None, *, only_told: bool = False) -> list[str]:
    """Return the `name` of each session of a summary, followed by what came of it for sessions of one task; "" for those without a name.
    A request to go on is none."""
    return ["" if continued_by(_bare(found)) is not None else found for found in _in_brief(text, task, only_told)]


def _in_brief(text: str, task: str | None, only_told: bool) -> list[str]:
    sessions = sessions_of(text) or _lines_of(text)
    if sessions:
        return [without_unclear(line) if is_of(line, task) else name(line, only_told=only_told) for line in sessions]
    headed = list(map(dict, _headed(text)))
    commits = [said for session in headed for heading, said in session.items() if heading in HEADINGS["commits"]]
    return commits or list(map(_name_of_headed, headed)) or [name(text.partition("\n")[0], only_told=only_told)]


def _name_of_headed(found: Mapping[str, str]) -> str:
    """Return the name of a session without a commit whose summary has headings: its task, or what came of it, or its request."""
    task, request = of_requests(next((found[heading] for heading in HEADINGS["goals"] if heading in found), ""))
    came = next((found[heading] for heading in HEADINGS["results"] if heading in found), "")
    return task or (names_little(request) and _result_of_request(came)) or request


def listed(gists: Sequence[str], sizes: Sequence[int], budget: int) -> str:
    """Return the list in at most `budget` characters.

    What all sessions were about comes first, then one result of each, then more; those of the longest sessions come before others.
    gists: `about → result • further result` of each session, or the request of one without a gist, in order of time.
    sizes: how much each session has to say.
    """
    longest = sorted(range(len(gists)), key=lambda number: (-sizes[number], number))[: max(1, budget // (_LEAST + _FRAME))]
    lines = {number: about(gists[number]) for number in longest}
    _clip(lines, budget)
    left = budget - sum(len(line) + _FRAME for line in lines.values())
    once = list(map(with_one_result, gists))
    for longer in (once, gists):
        for number in longest:
            more = len(longer[number]) - len(lines[number])
            if 0 < more <= left and (longer[number].startswith(lines[number]) or lines[number] == once[number]):
                lines[number] = longer[number]
                left -= more
    return "\n".join(f"{MARK}{lines[number]}" for number in sorted(lines))


def _clip(lines: dict[int, str], budget: int) -> None:
    """Clip the longest lines until all fit."""
    share = budget // len(lines) - _FRAME
    spare = sum(max(0, share - len(line)) for line in lines.values())
    long = [number for number, line in lines.items() if len(line) > share]
    for number in long:
        limit = share + spare // len(long)
        if len(lines[number]) > limit:
            lines[number] = f"{lines[number][: limit - 1].rstrip(' ,;:、')}…"

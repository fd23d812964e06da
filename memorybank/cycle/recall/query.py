"""Builds the query of a moment: the words, anchors and named days of the event itself, and of what its context said last.

Self-improving memory cycle, phase 3: "Task context (instruction + tool + files + recent results)". The caller passes what the
context said as a `Past`.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.fold import wording
from memorybank.text import anchors, fence, fingerprint
from memorybank.text.paths import relative
from memorybank.text.pattern import lazy_pattern
from memorybank.text.redact import strip_private
from memorybank.text.terms import cjk_runs, content_terms
from memorybank.text.typed import typed
from memorybank.text.word_terms import ASKING, ASKING_JAPANESE, JAPANESE
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memorybank.cycle.event import Event

FAILURE = "failure"
"""The moment after a failed call. The other moments have the names of their events."""
LEAST_WORDS = 2
"""A prompt with fewer words is combined with what its context said before; if that is not enough, nothing is searched."""
MOST_WORDS = 96
_READ_CHARACTERS = 4_000
"""Characters read of one text: a pasted log says what it is about in its first lines."""
_FIRST_CJK = "\u3005"
_LONGEST_SHOWN = 40
_KANJI, _KATAKANA, _HIRAGANA, _HANGUL = range(4)
_CJK_PART = lazy_pattern("[\u30a1-\u30ff\uff66-\uff9f]+|[\uac00-\ud7a3]+|[^\u3041-\u309f\u30a1-\u30ff\uff66-\uff9f\uac00-\ud7a3]+")
"""A part of a run in one script, which is not hiragana: between words, that is grammar."""
_LONGEST_COMPOUND = 6
"""Kanji. A longer run without kana is Chinese, where a word can begin at any character."""
MOST_DAYS = 4
"""Maximum number of days in one prompt; a prompt that names more is not about any of them in particular."""
_CENTURIES = ("19", "20")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_SHORTEST_MONTH = 3
_MONTH_BEGINNINGS = frozenset(name[:_SHORTEST_MONTH] for name in _MONTHS)
_BETWEEN_DAY_AND_MONTH = ("st", "nd", "rd", "th", "of")
"""May occur between a day and its month: the 3rd of May."""
_READ_FOR_DAYS = 2_000
"""Characters of a prompt that are read for days."""
_IN_FILE_NAMES = ("-", "_", "/", ".")
_MAY_NAME_DAYS = lazy_pattern(rf"\d[\s,]*月|{'|'.join(name[:_SHORTEST_MONTH] for name in _MONTHS)}|(?:19|20)\d\d[-/]")
"""A cheap check, because most prompts name no day."""
_DATE_WORD = lazy_pattern(r"\d+|[A-Za-z]+|[^\s,]")


class Word(Value):
    """One word of a query.

    label: the word as it is shown.
    terms: the terms that a memory must contain, all of them.
    """

    label: str
    terms: tuple[str, ...]


class Past(Value):
    """What a context said before this event.

    prompts: its human prompts, the newest first.
    error, error_signature: its newest error.
    task: its task; None when there is none.
    """

    prompts: Sequence[str] = ()
    error: str = ""
    error_signature: str = ""
    task: str | None = None


class QueryContext(Value):
    """A query. Without words, anchors and days it finds only memories that need no evidence.

    words: the words that are searched.
    anchors: the anchors that the event and its context touch.
    given: the anchors of the event itself.
    tool, fingerprint, task: None when there is none.
    text: the words in their original spelling.
    topic: label of the only word of a prompt; None when the prompt has more words or none.
    days: dates that a prompt names.
    """

    moment: str
    words: Sequence[Word] = ()
    anchors: Sequence[str] = ()
    given: Sequence[str] = ()
    tool: str | None = None
    fingerprint: str | None = None
    task: str | None = None
    text: str = ""
    topic: str | None = None
    days: Sequence[str] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to search for."""
        return not self.words and not self.anchors and not self.days


def of_event(event: Event, moment: str, past: Past, root: str, today: str = "") -> QueryContext:
    """Return the query of one event.

    root: the folder that recorded paths are relative to.
    today: the date, for days that are named without a year.
    """
    if moment == events.PROMPT:
        return _of_prompt(event, past, root, today)
    if moment in (events.TOOL_BEFORE, FAILURE):
        return _of_call(event, moment, past, root)
    asked = " ".join((event.prompt or "", *past.prompts[:1]))[:_READ_CHARACTERS] if moment == events.SUBAGENT_START else ""
    return QueryContext(moment, words(asked), task=past.task, text=asked)


def _of_prompt(event: Event, past: Past, root: str, today: str) -> QueryContext:
    """Return the query of a prompt. What a person pasted into it is already available to the agent, so it is not searched."""
    whole = strip_private(fence.strip(event.prompt or ""))
    prompt = typed(whole)[:_READ_CHARACTERS]
    own, touched = words(prompt), anchors.of_text(prompt, root, event.cwd)
    given = anchors.of_text(whole, root, event.cwd)
    days = named_days(prompt, today) if today else []
    if len(own) >= LEAST_WORDS or touched or days:
        return QueryContext(events.PROMPT, own, touched, given, task=past.task, text=prompt, days=days)
    earlier = next((text for text in past.prompts if text.strip() != prompt.strip()), "")[:_READ_CHARACTERS]
    topic = own[0].label if own else None
    asked = merged(own, words(earlier))
    if len(asked) < LEAST_WORDS and not topic:
        asked = []
    return QueryContext(events.PROMPT, asked, task=past.task, text=f"{prompt} {earlier}", topic=topic)


def _of_call(event: Event, moment: str, past: Past, root: str) -> QueryContext:
    inputs, tool = event.inputs, event.tool or ""
    given = anchors.of_call(tool, inputs, root, event.cwd)
    touched = given
    parts = list(_texts(inputs, root, event.cwd))
    if moment == FAILURE:
        given = touched = [*given, *anchors.of_error(tool, event.error, root)]
        parts.insert(0, wording.error_line(event.error or ""))
    elif past.error_signature:
        touched = [*given, f"err:{past.error_signature}"]
    asked = merged(*map(words, parts))
    action = fingerprint.action(tool, inputs, root, event.cwd)
    return QueryContext(moment, asked, touched, given, event.tool, action, past.task, "\n".join(parts))


def _texts(inputs: Mapping[str, object], root: str, folder: str) -> Iterable[str]:
    """Return what a call says about itself, with its files named relative to the repository. The text that it writes into a file is not a question."""
    for name in ("command", "description", "pattern", "query", "url", "prompt"):
        value = inputs.get(name)
        if isinstance(value, str):
            yield value[:_READ_CHARACTERS]
    paths = inputs.get("paths")
    for path in (inputs.get("file_path"), inputs.get("path"), *(paths[:16] if isinstance(paths, list) else ())):
        if isinstance(path, str):
            yield relative(path, root, folder=folder)


def merged(*lists: Iterable[Word]) -> list[Word]:
    """Return the words of all lists, each once, in the order of the lists."""
    found: dict[str, Word] = {}
    for listed in lists:
        for word in listed:
            found.setdefault(word.label, word)
    return list(found.values())[:MOST_WORDS]


def as_written(label: str, text: str) -> str:
    """Return the word of `text` that a label represents: `retri` stands for retry, 準点 for a part of 基準点. Return the label when it is not found."""
    folded = text.lower()
    at = folded.find(label[:-1] if len(label) > 3 and label.isascii() and label[-1] in "ie" else label)
    if at < 0 and label.isascii() and label.endswith("i"):
        at = folded.find(f"{label[:-1]}y")  # `kei` stands for key
    if at < 0 or len(folded) != len(text):
        return label
    begin, end = at, at + 1
    while begin and _joins(text[begin - 1], text[at]):
        begin -= 1
    while end < len(text) and _joins(text[end], text[at]):
        end += 1
    return text[begin:end] if end - begin <= _LONGEST_SHOWN else label


def _joins(sign: str, other: str) -> bool:
    """Return whether two characters belong to one word: letters of one script."""
    if sign < _FIRST_CJK or other < _FIRST_CJK:
        return sign < _FIRST_CJK and other < _FIRST_CJK and (sign.isalnum() or sign == "_")
    return sign.isalnum() and _script(sign) == _script(other)


def words(text: str) -> list[Word]:
    """Return the words of a text that say what it is about, each once.

    An English word is represented by its stem. Japanese has no blanks: a run of katakana is one word, a run of kanji is split into pairs, and
    kana between them is grammar. Numbers of one or two digits and single letters are left out.
    """
    found: dict[str, Word] = {}
    for term in content_terms(text):
        if len(found) < MOST_WORDS and _is_informative(term):
            found[term] = Word(term, (term,))
    for run in cjk_runs(text):
        for part in _CJK_PART.findall(run) if len(run) > 1 and len(found) < MOST_WORDS else ():
            _add_part(part, found)
    return list(found.values())[:MOST_WORDS]


def _is_informative(term: str) -> bool:
    return term[0] < _FIRST_CJK and term not in ASKING and (len(term) > 2 or not term.isdigit())


def _add_part(part: str, found: dict[str, Word]) -> None:
    """Add the words of characters of one script to `found`."""
    if len(part) < 2 or part in JAPANESE or part in ASKING_JAPANESE:
        return
    pairs = [part[at : at + 2] for at in range(len(part) - 1)]
    if _script(part[0]) == _KATAKANA:
        found.setdefault(part, Word(part, tuple(pairs)))
        return
    if len(part) <= _LONGEST_COMPOUND:
        pairs = pairs[::2] + ([pairs[-1]] if len(part) % 2 else [])
    for pair in pairs:
        if pair not in found and pair not in JAPANESE and pair not in ASKING_JAPANESE:
            found[pair] = Word(pair, (pair,))


def _script(sign: str) -> int:
    if "\u30a1" <= sign <= "\u30ff" or "\uff66" <= sign <= "\uff9f":
        return _KATAKANA
    if "\u3041" <= sign <= "\u309f":
        return _HIRAGANA
    return _HANGUL if "\uac00" <= sign <= "\ud7a3" else _KANJI


def named_days(text: str, today: str) -> list[str]:
    """Return the days that a prompt names, in the order of the text, each once: `2025-09-17`, `2025/9/17`, 2025年9月17日, 9月17日, `September 17, 2025`,
    `17 Sep`. A search for words cannot find them: a date is three numbers, and short numbers are no search terms.

    today: a date such as `2025-09-17`. A date without a year is the latest such day up to it.
    """
    text = text[:_READ_FOR_DAYS]
    if not _MAY_NAME_DAYS.search(text):
        return []
    found: dict[str, None] = {}
    words = _date_words(text)
    for place, word in enumerate(words):
        if not word.isdigit() and word[:_SHORTEST_MONTH] not in _MONTH_BEGINNINGS:
            continue  # no date begins here, as nearly everywhere
        date = _numeric_date(words, place) or _english_date(words[place : place + 3])
        whole = _with_year(date, today) if date else ""
        if whole:
            found[whole] = None
    return list(found)[:MOST_DAYS]


def _date_words(text: str) -> list[str]:
    """Runs of digits, runs of ASCII letters, and every other character by itself, without blanks and commas. Digits of any width become ASCII digits."""
    found = ["".join(str(int(digit)) for digit in word) if word.isdecimal() else word for word in _DATE_WORD.findall(text)]
    kept: list[str] = []
    for word in found:
        if word not in _BETWEEN_DAY_AND_MONTH or not kept or not kept[-1].isdigit():
            kept.append(word)
    return kept


def _numeric_date(words: Sequence[str], place: int) -> str:
    """`2025-09-17` for 2025-9-17, 2025/9/17 and 2025年9月17日, `-09-17` for 9月17日; "" for anything else.

    A date in a file name (`notes-2025-09-17.md`) and one before a time (a line of a log) do not count: they do not ask for a day.
    """
    before, behind = words[place - 1] if place else "", words[place + 5 : place + 7]
    words = words[place : place + 5]
    if len(words) >= 4 and words[0].isdigit() and words[1] == "月" and words[2].isdigit() and words[3] == "日":
        return _joined_date("", words[0], words[2])
    if len(words) < 5 or len(words[0]) != 4 or not words[0].startswith(_CENTURIES) or not (words[2] + words[4]).isdigit():
        return ""
    if before in _IN_FILE_NAMES or behind[:1] in (["-"], ["_"], ["T"]) or behind[1:] == [":"]:
        return ""
    if (words[1] == words[3] and words[1] in "-/") or (words[1] == "年" and words[3] == "月"):
        return _joined_date(words[0], words[2], words[4])
    return ""


def _english_date(words: list[str]) -> str:
    """`2025-09-17` for "September 17 2025" and "17 Sep 2025", `-09-17` without a year. The month needs a capital: "you may try 3 times" is not a date."""
    if len(words) < 2:
        return ""
    month, day = (words[0], words[1]) if words[0].isalpha() else (words[1], words[0])
    number = next((place for place, name in enumerate(_MONTHS, 1) if month == name or (len(month) in (_SHORTEST_MONTH, 4) and name.startswith(month))), 0)
    if not number or not day.isdigit():
        return ""
    year = words[2] if len(words) > 2 and len(words[2]) == 4 and words[2].startswith(_CENTURIES) else ""
    return _joined_date(year, str(number), day)


def _joined_date(year: str, month: str, day: str) -> str:
    return f"{year}-{month:0>2}-{day:0>2}" if len(month) <= 2 and len(day) <= 2 else ""


def _with_year(date: str, today: str) -> str:
    """Return the complete date, or "" when it does not exist. A date without a year becomes the latest such day up to today."""
    if date.startswith("-"):
        year = int(today[:4])
        date = f"{year}{date}" if f"{year}{date}" <= today else f"{year - 1}{date}"
    from memorybank.episodes import dates  # late: most questions name no day

    return date if dates.is_date(date) else ""

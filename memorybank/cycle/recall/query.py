"""Builds the query of a moment: the words, anchors and named days of the event itself, and of what its context said last.

Self-improving memory cycle, phase 3: "Task context (instruction + tool + files + recent results)". The caller passes what the
context said as a `Past`.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.recall import labels
from memorybank.text.commands import anchors
from memorybank.text.commands.paths import relative
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.reporters import without_reporters
from memorybank.text.prompts.sentences import ends
from memorybank.text.secrets.redact import strip_private
from memorybank.text.untrusted import fence
from memorybank.text.words.terms import KATAKANA, compounds, content_terms, script_of, sections
from memorybank.text.words.word_terms import ASKING, ASKING_JAPANESE, JAPANESE
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memorybank.cycle.event import Event

FAILURE = "failure"
"""The moment after a failed call. The other moments have the names of their events."""
LEAST_WORDS = 2
"""A prompt with fewer words is combined with what its context said before, unless it is a question of its own; if that is not enough, nothing is searched."""
MOST_WORDS = 48
_READ_CHARACTERS = 4_000
"""Characters read of one text: a pasted log says what it is about in its first lines."""
_FIRST_CJK = "\u3005"
_LONGEST_SHOWN = 40
_LONGEST_COMPOUND = 6
"""Kanji. A longer run without kana is Chinese, where a word can begin at any character."""
MOST_DAYS = 4
"""Maximum number of days in one prompt; a prompt that names more is not about any of them in particular."""
_READ_FOR_DAYS = 2_000
"""Characters of a prompt that are read for days."""
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_MAY_NAME_DAYS = lazy_pattern(rf"\d月|(?:19|20)\d\d[-/年]|\d(?:st|nd|rd|th)?,?(?: of)? {_MONTH}|{_MONTH}[a-z]*\.?,? \d")
"""A cheap check, because most prompts name no day. The month needs a capital: "you may 3 times" is not a date."""
_ISO = lazy_pattern(r"(?<![-_/.\d])((?:19|20)\d\d)([-/])(\d\d?)\2(\d\d?)(?![-_T\d]|\s+\d+:)")
"""`2025-09-17` and 2025/9/17, but not in a file name (`notes-2025-09-17.md`) and not before a time (a line of a log)."""
_NO_DATE = lazy_pattern(r"\b(?:may|march)\b|/|(?<!\d)\d{8}(?!\d)")
"""What `calendar_terms` would read as a part of a date, and prompts mean otherwise: verbs, paths, and versions of models."""


class Word(Value):
    """One word of a query as it is shown, and the terms that a memory must contain in this order.

    others: the terms of its other spellings, each as good as `terms`.
    """

    label: str
    terms: tuple[str, ...]
    others: Sequence[tuple[str, ...]] = ()

    @property
    def spellings(self) -> Sequence[tuple[str, ...]]:
        """The terms of each spelling."""
        return (self.terms, *self.others)

    @property
    def written(self) -> Sequence[str]:
        """How stored terms contain it, in each of its spellings: between spaces."""
        return [f" {' '.join(terms)} " for terms in self.spellings]


class Past(Value):
    """What a context said before this event: its human prompts, the newest first, and its task."""

    prompts: Sequence[str] = ()
    task: str | None = None


class QueryContext(Value):
    """A query. Without words, anchors and days it finds only memories that need no evidence.

    anchors, given: those that the event and its context touch, and those of the event itself.
    text: the words in their original spelling.
    topic: label of the only word of a prompt; None when the prompt has more words or none.
    labels: the numbers and letters that tell equal titles apart (`labels.of_text`).
    edited: path of the file that a call is about to change, "" for any other event.
    """

    moment: str
    words: Sequence[Word] = ()
    anchors: Sequence[str] = ()
    given: Sequence[str] = ()
    fingerprint: str | None = None
    task: str | None = None
    text: str = ""
    topic: str | None = None
    days: Sequence[str] = ()
    labels: Sequence[str] = ()
    edited: str = ""

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
    return QueryContext(moment, words(asked), task=past.task, text=asked, labels=labels.of_text(asked))


def _of_prompt(event: Event, past: Past, root: str, today: str) -> QueryContext:
    """Return the query of a prompt. What a person pasted into it is already available to the agent, so it is not searched."""
    from memorybank.text.prompts.typed import typed  # late, as the next one: calls and failures type nothing
    from memorybank.text.words.everyday import is_name

    whole = strip_private(fence.strip(event.prompt or ""))
    prompt = ends(typed(whole)[:_READ_CHARACTERS])
    own, touched = words(without_reporters(prompt)), anchors.of_text(prompt, root, event.cwd)
    given = anchors.of_text(whole, root, event.cwd)
    days = named_days(prompt, today) if today else []
    if len(own) >= LEAST_WORDS or touched or days:
        return QueryContext(events.PROMPT, own, touched, given, task=past.task, text=prompt, days=days, labels=labels.of_text(prompt))
    is_alone = bool(own) and _stands_alone(prompt)
    earlier = "" if is_alone else next((text for text in past.prompts if text.strip() != prompt.strip()), "")[:_READ_CHARACTERS]
    topic = own[0].label if own and (is_alone or is_name(own[0].label)) else None  # "ok stay" names nothing
    asked = merged(own, words(earlier))
    if len(asked) < LEAST_WORDS and not topic:
        asked = []
    return QueryContext(events.PROMPT, asked, task=past.task, text=f"{prompt} {earlier}", topic=topic, labels=labels.of_text(prompt))


def _stands_alone(prompt: str) -> bool:
    from memorybank.text.prompts.questions import stands_alone  # late: most prompts have words enough

    return stands_alone(prompt)


def _of_call(event: Event, moment: str, past: Past, root: str) -> QueryContext:
    inputs, tool = event.inputs, event.tool or ""
    given = anchors.of_call(tool, inputs, root, event.cwd)
    parts = list(_texts(inputs, root, event.cwd))
    if moment == FAILURE:
        from memorybank.cycle.fold import wording

        parts.insert(0, wording.error_line(event.error or ""))
    asked = merged(*map(words, parts))
    from memorybank.text.commands import fingerprint  # late: a prompt has none

    action = fingerprint.action(tool, inputs, root, event.cwd)
    path = event.inputs.get("file_path") if moment == events.TOOL_BEFORE and event.tool in events.EDITS else None
    edited = relative(path, root, folder=event.cwd) if isinstance(path, str) else ""
    return QueryContext(moment, asked, given, given, action, past.task, "\n".join(parts), edited=edited)


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
    if at < 0 and not label.isascii():
        from memorybank.text.words import okurigana  # late: an English prompt has none

        return okurigana.as_written(label, text)
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
    return sign.isalnum() and script_of(sign) == script_of(other)


def words(text: str) -> list[Word]:
    """Return the words of a text that say what it is about, each once.

    An English word is represented by its stem. Japanese has no blanks: a run of katakana is one word, a run of kanji is split into pairs, and
    kana between them is grammar, except in a compound of two verbs. Numbers of one or two digits without a unit and single letters are left out.
    """
    measured = _measures(text)
    found: dict[str, Word] = {}
    for term in content_terms(text):
        if len(found) < MOST_WORDS and _is_informative(term) and not (measured and _repeats(term, measured)):
            found[term] = Word(term, (term,))
    found.update((label, Word(label, terms)) for label, terms in measured)
    for compound in compounds(text):
        if len(found) < MOST_WORDS:
            found.setdefault(compound, _of_kanji(compound))
    for section in sections(text):
        if len(found) < MOST_WORDS:
            _add_section(section, found)
    return list(found.values())[:MOST_WORDS]


def _measures(text: str) -> list[tuple[str, tuple[str, ...]]]:
    if not any(sign in text for sign in "0123456789０１２３４５６７８９"):
        return []
    from unicodedata import normalize  # late, as the next one: most questions have no number

    from memorybank.text.words import measures

    return measures.of_text(text if text.isascii() else normalize("NFKC", text))


def _repeats(term: str, measured: list[tuple[str, tuple[str, ...]]]) -> bool:
    from memorybank.text.words.measures import is_part

    return is_part(term, measured)


def _is_informative(term: str) -> bool:
    return term[0] < _FIRST_CJK and term not in ASKING and (len(term) > 2 or not term.isdigit())


def _add_section(part: str, found: dict[str, Word]) -> None:
    """Add the words of Chinese, Japanese or Korean characters in one script to `found`."""
    if len(part) < 2 or part in JAPANESE or part in ASKING_JAPANESE:
        return
    pairs = _pairs(part)
    if script_of(part[0]) == KATAKANA:
        found.setdefault(part, Word(part, pairs))
        return
    if len(part) <= _LONGEST_COMPOUND:
        pairs = (*pairs[::2], *(pairs[-1:] if len(part) % 2 else ()))
    for pair in pairs:
        if pair not in found and pair not in JAPANESE and pair not in ASKING_JAPANESE:
            found[pair] = _of_kanji(pair)


def _of_kanji(pair: str) -> Word:
    """Return the word of two kanji, with the spellings that have kana in between: 取置, 取り置."""
    from memorybank.text.words import okurigana  # late: an English prompt has none

    return Word(pair, (pair,), [_pairs(spelling) for spelling in okurigana.spellings(pair)])


def _pairs(run: str) -> tuple[str, ...]:
    return tuple(run[at : at + 2] for at in range(len(run) - 1))


def named_days(text: str, today: str) -> list[str]:
    """Return the days that a prompt names, in the order of the text, each once: `2025-09-17`, `2025/9/17`, 2025年9月17日, 9月17日, `September 17, 2025`,
    `17 Sep`. A search for words cannot find them: a date is three numbers, and short numbers are no search terms.

    today: a date such as `2025-09-17`. A date without a year is the latest such day up to it.
    """
    text = text[:_READ_FOR_DAYS]
    if not _MAY_NAME_DAYS.search(text):
        return []
    from unicodedata import normalize  # late, as the next ones: most questions name no day

    from memorybank.episodes import dates
    from memorybank.text.words import calendar_terms

    text = normalize("NFKC", text)
    found = [(match.end(), f"{match[1]}-{match[3]:0>2}-{match[4]:0>2}") for match in _ISO.finditer(text)]
    prose = _NO_DATE.sub(lambda match: " " * len(match[0]), text)
    found += calendar_terms.canonical_forms(prose, prose.split())
    days = (_with_year(form, today) for _, form in sorted(found))
    return list(dict.fromkeys(filter(dates.is_date, days)))[:MOST_DAYS]


def _with_year(form: str, today: str) -> str:
    """Return a date with its year: `--09-17` is the latest such day up to today."""
    if not form.startswith("--"):
        return form
    day = f"{today[:4]}{form[1:]}"
    return day if day <= today else f"{int(today[:4]) - 1}{form[1:]}"

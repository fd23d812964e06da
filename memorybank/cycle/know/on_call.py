"""A call: what earlier sessions said about the things that it names.

A call is a question in the words of the code. So it finds what no prompt finds: prompts say what a person wants, and share few words with what was found out
about files, commands and identifiers. Most of what was said about them is news of its day, though, so only what explains, warns, instructs or limits counts.
Among many passages one name is no question: a search finds the code itself, and an edit uses names of everything. Then the last requests must ask it, too.
"""

from __future__ import annotations

__light__ = True

from math import log, sqrt

from memorybank.cycle.event import EDITS
from memorybank.cycle.fold import schema
from memorybank.cycle.fold.kinds import ANSWER, REMARK, SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.called import command_of
from memorybank.cycle.know.earlier import SMALL as VERY_SMALL
from memorybank.cycle.know.earlier import Earlier
from memorybank.cycle.know.findings import IDS, SMALL, say_the_same
from memorybank.storage import database
from memorybank.storage.sqlite import sqlite3
from memorybank.text.commands import call_names
from memorybank.text.words.code_names import contains, is_word
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.search import Passage
    from memorybank.storage.layout import Layout
    from memorybank.text.commands.call_names import CallName

_FEW = 6
"""Passages in which a term may occur that names something. What more of them contain is found in too many to know which is meant."""
_MOST_TERMS = 16
"""Rare terms that are looked up."""
_MOST_READ, _MOST_COMPARED = 40, 6
"""Passages that are read, and those of them with one of the names that are compared with the call, which takes longer; those with the rarest terms first."""
_MOST_AGENTS, _MOST_LOGS = 3, 5
"""Other agents that have touched a file, and logs in which a command of this form ran, above which it is part of most work here, and its name says little."""
_RARE_WORDS = 2.24
"""Words that only one passage contains which together make a part of a passage be about something: as much as `findings.LEAST_SUM` in a bank of
`findings.SMALL` passages. In a larger bank one name of code alone would weigh that much otherwise."""
_COMMAND, _LOOK, _ADDED, _MUCH = 0.65, 1.0, 1.3, 1.8
"""Shares of that weight that a part of a passage must have in common with a command, with a call that names a file or searches, and with an edit that adds the
name, because the words of an edit are many, also those of libraries: more if the part does not hold for good and the request is about something else. The
words of the call count, and those of the last requests."""
_CAUTIONS = 0.44
"""The same for an edit, among at most `VERY_SMALL` passages, if the part says what to mind, next to a sentence that names what is edited: one rare name."""
_ASKED = 0.5
"""The same for the words of the last requests alone, where a call only names a file: files are changed for many reasons. What holds for good needs none."""
_OWN = 0.33
"""The same for the words of the call alone."""
_ABOUT_IT = 0.15
"""Share of the part that these words make up, by rarity. A part that mentions a name in passing is about something else."""
_ADDS = 0.65
"""Share of that weight that its other words must have: otherwise it only repeats the call."""
_WITHOUT_NAME = 2
"""Rare words that a command must have in common with a part that contains none of its names as they are written, among at most `SMALL` passages."""
_LONGEST_PART = 260
"""Characters, among more passages than that. Of a longer part only some items are shown (`recall.memories`): it is a list that has one of them in common."""
_MOST_SHOWN = 3
"""Findings in one context from which none is added because of a call."""
_LONGEST_SAID = 160
"""Characters of what a person mentioned. A longer sentence describes a task."""
_MOST_OWN = 200
_IN_PATHS = "/.-"


class Question:
    """What a call asks for.

    names: its names and words, each with its rare terms; none for one that many passages contain.
    rows: the passages that may be about one of them, those with the rarest terms first.
    """

    def __init__(self, earlier: Earlier, event: Event, root: str) -> None:
        self.earlier = earlier
        self.rarity = rarity = earlier.rarity
        self.kind = event.tool
        self.command = command_of(event)
        named = call_names.of_call(event.tool, event.inputs, root, event.cwd)
        rarity.learn(term for name in named for term in name.terms)
        self.names = [(name, self._rare_terms(name)) for name in named]
        terms = sorted({term for _, rare in self.names for term in rare}, key=lambda term: (rarity.count(term), term))[:_MOST_TERMS]
        self.rows = earlier.nearest(rarity, terms, _MOST_READ)

    def _rare_terms(self, name: CallName) -> Collection[str]:
        # What an edit adds is compared as a whole, and its first term is the whole.
        terms = () if not name.is_named else name.terms[:1] if name.is_added else name.terms
        rare = [term for term in terms if 0 < self.rarity.count(term) <= _FEW and not term.isdigit()]
        if rare and not name.is_added:
            from memorybank.text.words.ordinary import share_of  # late: most words are not rare

            rare = [term for term in rare if not share_of(term)]
        return () if rare and self._is_daily(name) else rare

    def _is_daily(self, name: CallName) -> bool:
        """Return whether many others have touched a file, or run a command of this form."""
        own = self.earlier.own
        if name.file:
            others = f"SELECT 1 FROM sharers WHERE anchor = ? AND kind = 'a' AND value NOT BETWEEN ? AND ? LIMIT {_MOST_AGENTS + 1}"
            asked, most, values = f"SELECT count(*) FROM ({others})", _MOST_AGENTS, [f"file:{name.file}", f"{own}/", f"{own}/~"]
        elif name.is_form:
            begins = f"SELECT DISTINCT file FROM forms WHERE form BETWEEN ? AND ? LIMIT {_MOST_LOGS + 1}"
            asked, most, values = f"SELECT count(*) FROM ({begins})", _MOST_LOGS, [name.text, f"{name.text} ~"]
        else:
            return False
        return int(self.earlier.connection.execute(asked, values).fetchone()[0]) > most

    def is_written_in(self, text: str) -> bool:
        """Return whether a text contains one of the rare names as the call writes it."""
        text = text.lower()
        return any(rare and _is_written(name, text) for name, rare in self.names)


def may_be_known(layout: Layout, event: Event, root: str) -> bool:
    """Return whether a passage contains a rare name of a call; if not, `said_about` finds nothing about a look. Much cheaper than asking it."""
    connection = database.open_reading(schema.path(layout), schema.VERSION)
    if connection is None:
        return False
    try:
        question = Question(Earlier(connection, event.session_id, 0), event, root)
        listed = ",".join(map(str, question.rows))
        rows = connection.execute(f"SELECT text FROM passages WHERE id IN ({listed}) AND session IS NOT ?", (event.session_id,)) if listed else ()
        return any(question.is_written_in(text) for (text,) in rows)
    except (sqlite3.DatabaseError, UnicodeEncodeError):  # damaged, locked for longer than a hook waits, or a text that is no UTF-8
        return False
    finally:
        connection.close()


def said_about(earlier: Earlier, event: Event, root: str, asked: Iterable[str], shown: Collection[str]) -> list[Passage]:
    """Return the passages of other sessions that tell something about what a call names, the best first.

    root: the folder that paths are relative to.
    asked: terms of the last requests.
    shown: ids of memories that the agent was shown. After a few findings nothing is returned, and nothing about a name that one of them contains.
    """
    findings = [memory for memory in shown if memory.startswith(IDS)]
    if len(findings) >= _MOST_SHOWN:
        return []
    question = Question(earlier, event, root)
    rows = earlier.said(question.rows) if question.rows else ()
    found = [passage for passage in map(search.read, rows) if passage.memory not in shown]
    if not found:
        return []
    known = _terms_of(earlier, "memory IN ({})", findings)
    comparing = _Comparing(question, asked)
    order = {row: place for place, row in enumerate(question.rows)}
    best = [passage for passage in sorted(found, key=lambda passage: order[passage.id]) if comparing.compare(passage)]
    if best:
        known += _terms_of(earlier, f"session IN ({{}}) AND kind IN ('{ANSWER}', '{REMARK}')", [earlier.own])
    return sorted((passage for passage in best if not any(say_the_same(passage.terms, terms) for terms in known)), key=search.order)


def _terms_of(earlier: Earlier, where: str, values: Sequence[str]) -> list[set[str]]:
    rows = earlier.connection.execute(
        f"SELECT terms FROM passages p JOIN passage_terms t ON t.id = p.id WHERE {where.format(','.join('?' * len(values)))} LIMIT {_MOST_OWN}", values
    )
    return [set(terms.split(" ")) for (terms,) in rows] if values else []


class _Comparing:
    """Compares passages with a call."""

    def __init__(self, question: Question, asked: Iterable[str]) -> None:
        self.question = question
        self.rarity = question.rarity
        self.asked = set(asked)
        self.least = _RARE_WORDS * log(1 + (question.rarity.passages + 0.5) / 1.5)
        self.is_command = question.kind == "Bash"
        self.is_edit = question.kind in EDITS
        self.is_small = question.rarity.passages <= SMALL
        self.left = _MOST_COMPARED

    def compare(self, passage: Passage) -> bool:
        """Return whether a part of a passage tells something about the call. Set what the best one has in common with it."""
        is_written = self.question.is_written_in(passage.text)
        if not self.left or not (is_written or self.is_command):
            return False
        self.left -= is_written
        from memorybank.text.prose.instructive import considers, parts_of, tells
        from memorybank.text.prose.passages import is_table_row

        if is_table_row(passage.text) or (passage.kind == SAID and _only_asks(passage.text)) or considers(passage.heading or passage.text):
            return False
        for part, telling in parts_of(passage.text):
            if len(part) > _LONGEST_PART and not self.is_small:
                continue
            if (self.is_command or self.question.is_written_in(part)) and tells(telling) and not self._is_followed(part):
                self._compare(passage, part)
        if is_written and not passage.rank and self.is_edit and passage.kind == ANSWER and self.rarity.passages <= VERY_SMALL:
            self._compare_cautions(passage)
        return passage.rank > 0.0

    def _compare_cautions(self, passage: Passage) -> None:
        """Compare the sentences of a passage that say what to mind, each with the one that names a thing in an edit: "`signs.py` replaces them"."""
        from memorybank.text.prose.cautions import cautions
        from memorybank.text.prose.passages import sentences

        said = sentences(passage.text)
        naming = next(filter(self.question.is_written_in, said), "")
        for sentence in said if naming else ():
            if cautions(sentence):
                self._compare(passage, f"{naming} {sentence}", is_caution=True)

    def _is_followed(self, part: str) -> bool:
        """Return whether a command has what a part says that it needs. One that only looks does not run what it names."""
        if not self.is_command:
            return False
        from memorybank.text.commands import fingerprint
        from memorybank.text.prose import advice

        needed = advice.needed(part)
        command = self.question.command
        return bool(needed) and all(code in command for code in needed) and not fingerprint.is_read_only("Bash", command)

    def _ran(self, passage: Passage, form: str) -> bool:
        """Return whether a command of this form ran in the session of a passage: answers also name commands for others."""
        asked = "SELECT 1 FROM forms WHERE form BETWEEN ? AND ? AND file = (SELECT file FROM passages WHERE id = ?) LIMIT 1"
        return self.question.earlier.connection.execute(asked, (form, f"{form} ~", passage.id)).fetchone() is not None

    def _compare(self, passage: Passage, part: str, *, is_caution: bool = False) -> None:
        terms, written = set(content_terms(part)), part.lower()
        common: dict[str, None] = {}
        from memorybank.text.prose.instructive import holds_for_good
        from memorybank.text.words.ordinary import share_of

        rarity = self.rarity
        rarity.learn(terms)
        asked = {term for term in self.asked.intersection(terms) if not share_of(term)}
        is_wanted = rarity.sum(asked) >= self.least * _ASKED or holds_for_good(part)
        counted: set[str] = set()
        rare, least = 0, 0.0
        for name, wanted in self.question.names:
            mine = [term for term in name.terms if term in terms]
            is_written = bool(mine) and _is_written(name, written)
            if not mine or (name.is_added and not is_written) or (is_written and name.is_form and not self._ran(passage, name.text)):
                continue
            common.update(dict.fromkeys(mine))
            if not terms.isdisjoint(wanted):
                rare += not counted.issuperset(terms.intersection(wanted))
                counted.update(name.terms)
                if is_written and (is_wanted or self.is_command or is_caution or (self.is_small and not name.file)):
                    share = _COMMAND if self.is_command else _CAUTIONS if is_caution else _LOOK if not name.is_added else _ADDED if is_wanted else _MUCH
                    least = min(least or share, share)
        least = least or (_COMMAND if self.is_command and self.is_small and rare >= _WITHOUT_NAME else 0.0)
        if not least:
            return
        own, whole = rarity.sum(common), rarity.sum(terms)
        weight = own + rarity.sum(asked.difference(common))
        if own < self.least * _OWN or weight < self.least * least or (weight < whole * _ABOUT_IT and not is_caution) or whole - own < self.least * _ADDS:
            return
        rank = weight * (search.LEAST_RANK + (1.0 - search.LEAST_RANK) * sqrt(weight / whole))
        if rank > passage.rank:
            passage.rank, passage.sum, passage.share = rank, weight, weight / whole
            passage.matched = [term for term in passage.terms if term in common]  # of a long passage, the part about these is shown


def _is_written(name: CallName, text: str) -> bool:
    """Return whether a text in lower case contains a name as a call writes it. Of files with one name, the folder in front of it says which is meant."""
    if not name.is_code or not contains(text, name.text.lower()):
        return False
    if not name.file or "/" in name.text:
        return True
    file, at = f"/{name.file.lower()}", text.find(name.text.lower())
    while at >= 0:
        begin = at
        while begin and (text[begin - 1] in _IN_PATHS or is_word(text[begin - 1])):
            begin -= 1
        if file.endswith("/" + text[begin : at + len(name.text)].lstrip("./")):
            return True
        at = text.find(name.text.lower(), at + 1)
    return False


def _only_asks(said: str) -> bool:
    """Return whether what a person typed is a request or the report of a fault, which says nothing about a call."""
    from memorybank.text.prompts.faults import asks_for_repair, is_fault  # late: few calls name what a person spoke of

    return len(said) > _LONGEST_SAID or is_fault(said) or asks_for_repair(said)

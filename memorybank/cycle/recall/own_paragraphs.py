"""Finds the paragraph or list item of a note of people that a prompt is about in other words: they share concepts (`text.words.concepts`), and names.

A person wrote it down in a few words, to be used later. So less in common is enough than with what was said in some session: for a question, a single word, if
it is what the paragraph is about. That stands before its colon, in its heading, or in the title. Asked only where no such note has enough words in common.
"""

from __future__ import annotations

__light__ = True

from math import log

from memorybank.cycle.know.in_other_words import AskedConcepts
from memorybank.cycle.recall import candidates, matching, own_notes
from memorybank.index import people, queries
from memorybank.storage.answering import answer
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts import things
from memorybank.text.prompts.building import builds
from memorybank.text.prompts.questions import asks, is_general, leans, proposes
from memorybank.text.prompts.sentences import joined, sentences
from memorybank.text.prose import passages
from memorybank.text.prose.excerpt import without_front_matter
from memorybank.text.words import concepts
from memorybank.text.words.code_names import contains, names_in
from memorybank.text.words.compounds import words_of
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import share_of
from memorybank.text.words.terms import content_terms, terms
from memorybank.text.words.word_terms import ASKING_JAPANESE, pairs
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterator

    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading

_MOST_SENTENCES, _LONGEST_SENTENCE, _LONGEST_WHOLE = 6, 400, 160
"""Sentences of a prompt that are compared, characters of one, and those of a prompt that is also compared as a whole."""
_MOST_READ, _LONGEST_NOTE = 4, 2_400
"""Notes that are read, those with the most in common first, and bytes of one. A longer page mentions anything, and its passages are found by words."""
_LEAST, _OF_SUBJECT, _ALONE = 0.15, 0.5, 0.34
"""Least part of the words of a sentence that stand for something in common, and a factor on it for a name of what a paragraph is about. A
sentence that leans on earlier ones says nothing beside a larger part."""
_RARE, _SUBJECT, _FEW = 0.15, 0.25, 3
"""Shares of the notes of people that contain something rare, and that contain what a paragraph is about; of few notes, one and `_FEW` of them."""
_LABELLED, _WRITTEN, _ORDINARY = 1.6, 1.2, 0.5
"""Factors on the weight of a word of what a paragraph is about, of a name that the paragraph contains itself, and of a word that names nothing."""
_NEAR = 1.25
"""How much more the best paragraph has in common than the best one of any other note: otherwise it is unknown which is meant."""
_LONGEST = 400
"""Characters of a paragraph that is shown whole."""
_LABEL = lazy_pattern(r"\W{0,6}([^:：.。\n]{1,48}?)(?:\W{1,3}(?=[:：])|[:：]| [–—-] )")
_ITEM = lazy_pattern(r"\s*(?:[-*+・•]|\d+[.)])\s+")
_FENCES = ("```", "~~~")

Found = tuple[float, "Memory"]
"""(how much it has in common, the note with its paragraph)."""


class _Unit(Value):
    """A paragraph or an item of a list. title: of the note; about: its heading, and its label or subject; said: its own text; label: "" without one."""

    title: str
    about: str
    said: str
    label: str


def about(reading: Reading, prompt: str) -> Memory | None:
    """Return the note with the paragraph that a prompt is about, which is quoted; None without one, or where it may be one of several. A prompt that names
    files is about these."""
    if not reading.query.words or reading.query.anchors:
        return None
    best: Found | None = answer(reading.sources.index, None, lambda index: _best(index, reading, prompt))
    return None if best is None else best[1]


def _best(connection: Connection, reading: Reading, prompt: str) -> Found | None:
    own = people.rows(connection, own_notes.FEW + 1)
    if not own or len(own) > own_notes.FEW:
        return None
    is_question = (asks(prompt) or proposes(prompt)) and not is_general(prompt)
    texts = [one for one in sentences(prompt) if len(one) <= _LONGEST_SENTENCE and (is_question or builds(one) or _names(one))][:_MOST_SENTENCES]
    if len(texts) > 1 and len(prompt) <= _LONGEST_WHOLE:
        texts.append(prompt)
    found = [_Sentence(reading, connection, own, text, asks=is_question).best() for text in texts]
    return max(filter(None, found), key=lambda one: one[0], default=None)


class _Sentence:
    """One sentence of a prompt, compared with the notes of people."""

    def __init__(self, reading: Reading, connection: Connection, own: Collection[int], text: str, *, asks: bool) -> None:
        self._reading, self._connection = reading, connection
        self._own = len(own)
        self._question, self._asks, self._leans, self._names = AskedConcepts(text), asks, leans(text), _names(text)
        self._labels = {word.label for word in reading.query.words}
        self._rows = {one: rows for one in self._question.asked if (rows := _rows(connection, one, own))}
        self._weights = {one: log(1 + (len(own) + 3) / (len(rows) + 0.5)) for one, rows in self._rows.items()}

    def best(self) -> Found | None:
        """Return the note with the paragraph that has the most in common, if it is clear which is meant."""
        every = set().union(*self._rows.values())
        in_notes = {row: sum(self._common({one for one, rows in self._rows.items() if row in rows}).values()) for row in every}
        first = sorted(in_notes, key=lambda row: (-in_notes[row], row))[:_MOST_READ]
        found = list(filter(None, map(self._in_note, map(candidates.read_note, queries.seen(self._connection, first)))))
        found.sort(key=lambda one: (-one[0], one[1].key))
        return found[0] if found and (len(found) == 1 or found[1][0] * _NEAR <= found[0][0]) else None

    def _in_note(self, memory: Memory) -> Found | None:
        best = 0.0
        note = without_front_matter(self._reading.note(memory) or "")
        for unit in _units(note, memory.text) if len(note.encode()) <= _LONGEST_NOTE else ():
            shared = self._rows.keys() & _ones("\n".join(unit.as_dict().values()))
            common = self._common(shared)
            if not common:
                continue
            about = {*_ones(unit.about), *content_terms(unit.title)}  # a title says of none of the paragraphs in other words what it is about
            labelled = self._words(shared & about, max(_FEW, _SUBJECT * self._own))
            weight = sum(one * _factor(word, shared, labelled) for word, one in common.items())
            if weight > best and self._is_about(unit, shared, common, labelled):
                best = weight
                memory.quoted, memory.matched, memory.named = _part(unit.said, shared), list(common), True
                memory.titled = self._question.covered(labelled & common.keys())
        return (best, memory) if best else None

    def _is_about(self, unit: _Unit, shared: Collection[int | str], common: Collection[str], labelled: Collection[str]) -> bool:
        """Return whether a unit has enough in common. labelled: words of what it is about."""
        if any(contains(unit.said.lower(), name) for name in self._names):
            return True
        covered = self._question.covered(common)
        if len(common) == 1 and self._leans and covered > _ALONE:
            return False
        rare = self._words(shared, max(1, _RARE * self._own))
        if any(word in labelled and word in shared and word in rare and word in self._labels and is_name(word) for word in common):
            return True
        specific = [word for word in common if not share_of(word) and word not in ASKING_JAPANESE]
        subject = [word for word in specific if word in labelled]
        names = [word for word in specific if word in rare and is_name(word)]
        is_named = len(specific) > 1 and any(word in shared for word in names)
        if not is_named and covered < _LEAST * (_OF_SUBJECT if any(word in labelled for word in names) else 1.0):
            return False
        if not self._asks:
            return bool(subject) and len(specific) > 1
        if subject and (len(specific) > 1 or any(map(is_name, subject)) or len(words_of(content_terms(unit.label))) == 1):
            return True  # "big" is a part of the label "Biggest customer", and says nothing of it
        return bool(names)

    def _common(self, shared: Collection[int | str]) -> dict[str, float]:
        """Return {word of the sentence that stands for something in common: its weight}."""
        return {word: weight for word, weight in self._question.by_word({one: self._weights[one] for one in shared}).items() if weight}

    def _words(self, shared: Collection[int | str], most: float) -> set[str]:
        """Return the words that stand for what at most this many notes contain."""
        return {word for one in shared if len(self._rows[one]) <= most for word in self._question.asked[one]}


def _factor(word: str, shared: Collection[int | str], labelled: Collection[str]) -> float:
    """Return how much a word in common says, for its weight."""
    return (_LABELLED if word in labelled else 1.0) * (_WRITTEN if word in shared else 1.0 if is_name(word) else _ORDINARY)


def _names(text: str) -> list[str]:
    """Return the names of code in a text, in lower case, without the numbers of tickets."""
    return [name.lower() for name in names_in(text) if not name.isupper() or "_" in name]


def _ones(text: str) -> set[int | str]:
    return {*concepts.known().in_text(text), *content_terms(text)}


def _rows(connection: Connection, one: int | str, own: Collection[int]) -> set[int]:
    """Return the notes of people that contain a word of a concept, or a name."""
    words = concepts.known().lines[one].split() if isinstance(one, int) else (one,)
    return {*matching.rows_with(connection, matching.NOTES, " OR ".join(map(_phrase, words)))}.intersection(own)


def _phrase(word: str) -> str:
    """Return a word of a concept in the query language of FTS5. Stored terms of Japanese are pairs of characters."""
    if word.isascii():
        return f'"{" ".join(terms(word.replace("_", " ")) if "_" in word else (word,))}"'
    return f'"{word}"*' if len(word) == 1 else f'"{" ".join(pairs(word).split()[:-1])}"'


def _part(said: str, shared: Collection[int | str]) -> str:
    """Return a unit, of a long one the sentences from the one with the most in common on, or from as many before it as there is space for."""
    if len(said) <= _LONGEST:
        return said
    parts = passages.sentences(said)
    held = [len(_ones(part).intersection(shared)) for part in parts]
    begin = held.index(max(held))
    while begin and len(joined(parts[begin - 1 :])) <= _LONGEST:
        begin -= 1
    return ("… " if begin else "") + passages.excerpt(joined(parts[begin:]), _LONGEST)


def _units(note: str, title: str) -> Iterator[_Unit]:
    """Yield the paragraphs and items of a note."""
    heading, said = "", ""
    is_code = False
    for line in [*note.splitlines(), ""]:
        is_heading = line.startswith("#") and not is_code
        if said and (not line.strip() or is_heading or (not is_code and _ITEM.match(line))):
            label = _LABEL.match(said)
            yield _Unit(
                title, f"{heading if heading != title else ''}\n{label[1] if label else things.subject(said[:_LONGEST])}", said, label[1] if label else ""
            )
            said = ""
        is_code ^= line.lstrip().startswith(_FENCES)
        if is_heading:
            heading = line.strip("# ")
        elif line.strip():
            said = f"{said}\n{line.strip()}" if said else line.strip()

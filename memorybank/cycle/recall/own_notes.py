"""Finds the notes of people whose subject a prompt names with a single word: a title, a heading, or the term that a line explains.

A person writes few notes, each about what they want to be known. Session notes outnumber them soon and mention everything, so how rare a word is among all
notes does not say whether it names one of these: the fewer of them share a word, the more it says.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import search
from memorybank.cycle.recall import matching
from memorybank.index import people
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import share_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable

    from memorybank.cycle.recall.matching import StoredText
    from memorybank.cycle.recall.query import QueryContext, Word

FEW = 50
"""Notes of people above which a word is judged among all notes alone."""
_MOST_ROWS = 1_000
"""Rows of an index above which notes of people are not looked for among them."""
_MOST_WORDS = 6
"""Words of a prompt. In a longer one, one of them is a small part of what it is about."""
_MOST_SUBJECTS, _MOST_WITH_IT, _SHARE_WITH_IT = 2, 3, 0.25
"""Notes whose subject a word may name, and notes that may contain it; in more than twelve, a share of them."""
_USUAL = 0.05
"""A word in a smaller share of the texts about software may name the subject of a note whose title has no other words than ordinary ones (メールの設定)."""
_LONGEST = 1_200
"""Characters of stored terms up to which a note is short: in a longer one, a line begins with any word."""


def about(connection: Connection, query: QueryContext) -> Collection[int]:
    """Return the rows of the notes of people whose subject one word of a prompt names, if it asks for something or wants something made. A prompt that names
    files is about these, and where people wrote many notes, one word is too little."""
    words = query.words
    if not 0 < len(words) <= _MOST_WORDS or query.anchors or not _asks(query.text) or search.rows_in(connection, "note_text") > _MOST_ROWS:
        return ()
    own = people.rows(connection, FEW + 1)
    if not own or len(own) > FEW:
        return ()
    found: set[int] = set()
    for word in words:
        if is_name(word.label):
            found.update(_explaining(connection, word, own))
        elif 0.0 < share_of(word.label) < _USUAL:
            found.update(_titled(connection, word, own))
    return found


def _asks(prompt: str) -> bool:
    from memorybank.text.prompts.building import builds  # late, as the next ones: a call has no words
    from memorybank.text.prompts.questions import asks
    from memorybank.text.prompts.sentences import sentences

    return asks(prompt) or any(map(builds, sentences(prompt)))


def _explaining(connection: Connection, word: Word, own: Collection[int]) -> Iterable[int]:
    """Return the few notes with a word in the title, in a heading, or where a line begins."""
    rows = _rows(connection, word, own)
    if not rows or len(rows) > max(_MOST_WITH_IT, len(own) * _SHARE_WITH_IT):
        return ()
    written = word.written
    subjects = [row for row, text in matching.texts(connection, matching.NOTES, rows) if any(one in text.title or _begins(one, text) for one in written)]
    return subjects if len(subjects) <= _MOST_SUBJECTS else ()


def _begins(written: str, text: StoredText) -> bool:
    return len(text.body) <= _LONGEST and (written in text.headings or text.body.startswith(written) or f"\n{written}" in text.body)


def _titled(connection: Connection, word: Word, own: Collection[int]) -> Iterable[int]:
    """Return the note that has an ordinary word in its title and names nothing there, if it is the only one."""
    texts = matching.texts(connection, matching.NOTES, _rows(connection, word, own))
    found = [(row, text.title) for row, text in texts if any(one in text.title for one in word.written)]
    return [row for row, title in found if not any(map(_may_name, title.split()))] if len(found) == 1 else ()


def _may_name(term: str) -> bool:
    # Of Japanese, the stored terms of a title contain pairs with kana too.
    return is_name(term) and not any("\u3041" <= sign <= "\u309f" for sign in term) and len(term) > 1


def _rows(connection: Connection, word: Word, own: Collection[int]) -> list[int]:
    return [row for row in matching.rows_with(connection, matching.NOTES, matching.phrase(word)) if row in own]

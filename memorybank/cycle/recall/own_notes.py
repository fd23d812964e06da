"""Finds the notes of people whose subject a prompt names with a single word: a title, a heading, or the term that a line explains.

A person writes few notes, each about what they want to be known. Session notes outnumber them soon and mention everything, so how rare a word is among all
notes does not say whether it names one of these: the fewer of them share a word, the more it says.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import search
from memorybank.index import people
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import share_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterable, Sequence

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
    written = f" {' '.join(word.terms)} "
    subjects = [row for row, title, headings, _, body in _texts(connection, rows) if written in f" {title} " or _begins(written, headings, body)]
    return subjects if len(subjects) <= _MOST_SUBJECTS else ()


def _begins(written: str, headings: str, body: str) -> bool:
    return len(body) <= _LONGEST and (written in f" {headings} " or body.startswith(written[1:]) or f"\n{written}" in body)


def _titled(connection: Connection, word: Word, own: Collection[int]) -> Iterable[int]:
    """Return the note that has an ordinary word in its title and names nothing there, if it is the only one."""
    written = f" {' '.join(word.terms)} "
    found = [(row, title) for row, title, *_ in _texts(connection, _rows(connection, word, own)) if written in f" {title} "]
    return [row for row, title in found if not any(_may_name(term) for term in title.split(" "))] if len(found) == 1 else ()


def _may_name(term: str) -> bool:
    # Of Japanese, the stored terms of a title contain pairs with kana too.
    return is_name(term) and not any("\u3041" <= sign <= "\u309f" for sign in term) and len(term) > 1


def _rows(connection: Connection, word: Word, own: Collection[int]) -> list[int]:
    phrase = f'"{" ".join(word.terms)}"'
    return [row for (row,) in connection.execute("SELECT rowid FROM note_text WHERE note_text MATCH ?", (phrase,)) if row in own]


def _texts(connection: Connection, rows: Sequence[int]) -> Iterable[tuple[int, str, str, str, str]]:
    return connection.execute(f"SELECT id, title, headings, tags, body FROM tokens WHERE id IN ({','.join(map(str, rows))})") if rows else ()

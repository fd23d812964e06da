"""Finds the memories that contain the words of a query, within a budget of postings, by rarity, with the same result on any machine.

The rarest words select the candidates; common words only rank them. A naive OR query over all words of a session costs more than
everything else that a hook does.
"""

from __future__ import annotations

__light__ = True

from math import exp, log

from memorybank.cycle.know import search
from memorybank.cycle.recall.chance import chance, chance_of
from memorybank.index import queries
from memorybank.index.readiness import YOUNG
from memorybank.text.words.word_terms import FIRST_CJK, MODAL
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.recall.query import Word

MOST_ASKED = 10
"""Maximum number of words whose rows are looked up, the rarest first."""
MOST_COUNTED = 24
"""Maximum number of known words, and of unknown words, that a match is a share of: a pasted log is not about each of its words."""
EXACT = 24
"""Number of candidates whose full text is compared with the query."""
_SELECTIVE_SHARE = 0.25
"""Words that more than this share of the rows contain do not separate candidates, and take the longest to look up."""
LONGEST_WHOLE = 1_200
"""Characters of stored terms up to which a text counts as one: about 200 English words, or 400 Japanese characters."""
PASSAGE = 480
"""Characters of stored terms within which the words of a query must stand in a longer text: about 80 English words, or 160 Japanese characters."""
LEAST_IN_PASSAGE = 3
"""Minimum number of words of a query that a longer text must contain in its title, a heading and a passage together; all of a shorter query."""
LEAST_IN_HEADING = 2
"""Minimum number of words in the heading of a section that count as if the title contained them: they say what this part of a longer text is about."""
_LOOKED_THROUGH = 500
"""Maximum number of candidates that are filtered by access and ordered by date before the `EXACT` best are chosen."""
NAMES_AT_MOST = 3
NAME_SURPRISE = 4.0
NAMED_SHARE = 0.4
"""A word in at most `NAMES_AT_MOST` rows, and in less than a fiftieth of them, names the subject of those rows. Where a prompt has other words
too, a title must contain the word, and it must be at least `NAMED_SHARE` of the query. Tuned with scripts/bench/silence --development."""
YOUNG_SURPRISE = 3.5
YOUNG_SHARE = 0.25
"""The same in a young bank, whose few titles each say what a person found worth writing; ordinary words name nothing. Tuned with scripts/bench/first_hour."""
_LEAST_IDENTIFIER = 6
_IN_MOST_JAPANESE = ("した", "する", "ない", "から", "こと", "って", "れる", "ます", "です")
"""Pairs of kana of which most Japanese texts contain one."""
_PRIOR = 100
"""Rows of an average project, added to those of this one: in a small bank no word is known to be rare or common."""


class NoteCorpus(Value):
    """One full-text table and the SQL that belongs to it.

    text: its FTS5 table.
    terms: SQL that returns (term, number of rows with it) for a list of terms.
    tokens: SQL that returns (row, columns …) with the stored terms of a list of rows.
    rows: SQL that returns (row, at) for those of a list of rows that the reader may see.
    postings: maximum number of full-text rows that one query may read.
    """

    text: str
    terms: str
    tokens: str
    rows: str
    postings: int


NOTES = NoteCorpus(
    "note_text",
    "SELECT term, notes FROM frequencies WHERE term IN ({})",
    "SELECT id, title, headings, tags, body FROM tokens WHERE id IN ({})",
    queries.DATES_OF_SEEN,
    2_000,
)
SECOND_NOTES = NoteCorpus(NOTES.text, NOTES.terms, NOTES.tokens, NOTES.rows, 500)
"""The notes of a second bank at the same moment. Its common words are not worth the time of a hook."""
EPISODES = NoteCorpus(
    "episode_text",
    "SELECT term, doc FROM episode_terms WHERE term IN ({})",
    "SELECT id, title, headings, tags, body FROM episode_tokens WHERE id IN ({})",
    "SELECT id, modified FROM episodes WHERE id IN ({}) AND told = 1",
    1_000,
)
"""Everybody may see an episode: it is made from public lines and committed."""


class Match(Value):
    """What one row contains of a query.

    matched: labels of the words.
    match: their share of the query by rarity.
    chance: natural logarithm of the number of rows that at most match so well by chance (see `chance_of`).
    titled: the part of the match that the title, the tags or, in a longer text, one heading contains.
    names: whether one of the words is so rare that it names the subject of the row.
    """

    matched: Sequence[str]
    match: float
    chance: float
    titled: float = 0.0
    names: bool = False


class StoredText(Value):
    """The stored terms of one row, each column between spaces. A line end is a term."""

    title: str
    headings: str
    tags: str
    body: str


class _Known:
    """A word that some rows contain: their number, its weight (inverse document frequency), its surprise, and what a matching row contains."""

    __slots__ = ("is_name", "rows", "surprise", "weight", "word", "written")

    def __init__(self, word: Word, rows: int, count: int, alike: int, *, young: bool) -> None:
        """count: number of all rows; alike: of those in the language of the word. In few of them a word names their subject. young: whether the bank is."""
        self.word, self.rows = word, rows
        is_ordinary = young and _expected(word) > 0
        self.is_name = rows <= NAMES_AT_MOST and not is_ordinary and _surprise(word, rows, alike) >= (YOUNG_SURPRISE if young else NAME_SURPRISE)
        self.written = word.written
        self.weight = _weight(word, rows, count)
        self.surprise = _surprise(word, rows, count)

    def is_in(self, text: str) -> bool:
        """Return whether stored terms contain the word in one of its spellings."""
        return any([written in text for written in self.written])


def _weight(word: Word, rows: int, count: int) -> float:
    """Return the weight of a word (inverse document frequency) that `rows` of `count` rows contain, among the rows of an average project."""
    return max(0.05, log((count + _PRIOR + 1) / (rows + _expected(word) + 0.5)))


def _surprise(word: Word, rows: int, count: int) -> float:
    return -log((rows + _expected(word) + 0.5) / (count + _PRIOR))


def _expected(word: Word) -> float:
    """Return the number of rows of an average project that contain a word."""
    from memorybank.text.words.ordinary import SHARES  # late: a call is matched without words

    return _PRIOR * SHARES.get(word.label, 0.0)


def match(
    connection: Connection,
    corpus: NoteCorpus,
    words: Sequence[Word],
    also: Iterable[int] = (),
    least: float = 0.0,
    *,
    naming: bool = False,
    topic: str | None = None,
) -> dict[int, Match]:
    """Return {row: which of the words it contains} for the best rows and for those in `also`.

    also: rows that were found by their anchors.
    least: rows that cannot reach this match are not read.
    naming: whether one rare word may name the subject.
    topic: label of a word that is the only word of its prompt.
    """
    words = [word for word in words if word.label not in MODAL]
    count = search.rows_in(connection, corpus.text)
    if not words or not count:
        return {}
    counted, missing = _known(connection, corpus, words, count)
    # Words that no row contains count like those of one row: a question mostly about unknown things must not match well.
    total = _weight_of(counted) + sum(_weight(word, 1, count) for word in missing)
    bounds = chance_of([exp(-word.surprise) for word in counted] + [exp(-_surprise(word, 0, count)) for word in missing], count)
    labels = [word.label for word in words]
    files = queries.ids_of_files(connection) if naming and corpus is NOTES and count <= YOUNG else None
    found = {}
    # The margin keeps rows whose weights reach `least` exactly, but are added in another order than `total`.
    candidates, with_word = _candidates(connection, corpus, counted, count, least * total - 1e-9)
    for row, text in texts(connection, corpus, {*candidates, *also}):
        possible = [word for word in counted if row in with_word.get(word, (row,))]
        held, described = _held(possible, text, min(LEAST_IN_PASSAGE, len(counted) + len(missing)))
        surprise = sum(word.surprise for word in held)
        share = _weight_of(held) / total
        least_named = NAMED_SHARE if files is None or row in files else YOUNG_SHARE
        names = naming and _names_subject(held, text.title if share >= least_named and corpus is not EPISODES else "", topic)
        titled = _weight_of(described) / total
        found[row] = Match(_without_parts([word.word.label for word in held], labels), share, chance(bounds, surprise), titled, names)
    return found


def _names_subject(held: Sequence[_Known], title: str, topic: str | None) -> bool:
    """Return whether the only word of a prompt, or a word in a title, names the subject."""
    return any(word.is_name and (word.word.label == topic or word.is_in(title)) for word in held)


def _held(words: Sequence[_Known], text: StoredText, least: int) -> tuple[Sequence[_Known], Sequence[_Known]]:
    """Return (the words that a row contains, those of them in its title or tags; in a longer text also those in the heading of one section).

    In a longer text the other words must stand in one passage, and together with these they must be at least `least`.

    A long text contains nearly every common word somewhere, so words that are far apart in it say nothing.
    """
    described = [word for word in words if word.is_in(text.title) or word.is_in(text.tags)]
    held = [word for word in words if word in described or word.is_in(text.headings) or word.is_in(text.body)]
    if len(text.body) <= LONGEST_WHOLE:
        return held, described
    described += _of_best_heading([word for word in held if word not in described], text.headings)
    places = {word: set().union(*(_places(written, text.body) for written in word.written)) for word in held if word not in described}
    weights: dict[int, float] = {}
    for word in held:
        for place in places.get(word, ()):
            weights[place] = weights.get(place, 0.0) + word.weight
    best = max(sorted(weights), key=weights.__getitem__, default=-1)
    together = [word for word in held if best in places.get(word, (best,))]
    return together if len(together) >= least else described, described


def _of_best_heading(words: Sequence[_Known], headings: str) -> Sequence[_Known]:
    """Return the words in the heading that contains the most of them by weight, which says what its section is about. One word alone says too little."""
    found = max(([word for word in words if word.is_in(heading)] for heading in headings.split("\n")), key=_weight_of)
    return found if len(found) >= LEAST_IN_HEADING else []


def _weight_of(words: Sequence[_Known]) -> float:
    return sum(word.weight for word in words)


def _places(written: str, body: str) -> set[int]:
    """Return the numbers of the passages that contain a word. Each begins half a passage after the one before."""
    half = PASSAGE // 2
    found: set[int] = set()
    at = body.find(written)
    while at >= 0:
        number = at // half
        found.update((number - 1, number))
        at = body.find(written, (number + 1) * half)
    return found


def _overlaps(place: int, labels: Sequence[str]) -> bool:
    """Return whether a word is a pair of characters whose first one is the last one of the pair before."""
    label = labels[place]
    return place > 0 and label[0] >= FIRST_CJK and len(label) == len(labels[place - 1]) == 2 and label[0] == labels[place - 1][1]


def _known(connection: Connection, corpus: NoteCorpus, words: Sequence[Word], count: int) -> tuple[list[_Known], list[Word]]:
    """Return (the words that some row may contain, the rarest first; the other words), at most `MOST_COUNTED` of each."""
    terms = list(dict.fromkeys(term for word in words for terms in word.spellings for term in terms))
    if corpus is not EPISODES and any(term >= FIRST_CJK for term in terms):
        terms += _IN_MOST_JAPANESE
    frequencies: dict[str, int] = dict(connection.execute(corpus.terms.format(",".join("?" * len(terms))), terms))
    # A Japanese word names a subject if it is rare among Japanese texts: in an English bank with some Japanese notes it is in few rows in any case.
    japanese = max((frequencies.get(term, 0) for term in _IN_MOST_JAPANESE), default=0) or count
    rows_of = {word.label: sum([min([frequencies.get(term, 0) for term in terms]) for terms in word.spellings]) for word in words}
    rarest = sorted((word for word in words if rows_of[word.label]), key=lambda word: (rows_of[word.label], word.label))[:MOST_COUNTED]
    young = corpus is NOTES and count <= YOUNG
    known = [_Known(word, rows_of[word.label], count, japanese if word.terms[0] >= FIRST_CJK else count, young=young) for word in rarest]
    labels = [word.label for word in words]
    others = (word for place, word in enumerate(words) if not rows_of[word.label] and not _is_said_in_parts(place, labels))
    return known, [word for _, word in zip(range(MOST_COUNTED), others, strict=False)]


def _without_parts(held: Sequence[str], labels: Sequence[str]) -> Sequence[str]:
    """Return the words without the second of two pairs that overlap: 日本語 is one word, not two."""
    return [label for label in held if not (_overlaps(place := labels.index(label), labels) and labels[place - 1] in held)]


def _is_said_in_parts(place: int, labels: Sequence[str]) -> bool:
    """Return whether other words of a query say the same as this one: the parts of an identifier, or the pair before in a run of kanji, as 調査 and 査用."""
    label = labels[place]
    if label[0] >= FIRST_CJK:
        return _overlaps(place, labels)
    return len(label) >= _LEAST_IDENTIFIER and sum(other != label and other in label for other in labels) > 1


def _candidates(connection: Connection, corpus: NoteCorpus, counted: list[_Known], count: int, least: float) -> tuple[list[int], dict[_Known, set[int]]]:
    """Return (the rows with the most words by weight, at least `least`; {word: its rows} of the words that were looked up; any row may contain others)."""
    left = corpus.postings
    weights: dict[int, float] = {}
    found: dict[_Known, set[int]] = {}
    expanded, rest = list[str](), _weight_of(counted)
    for word in counted[:MOST_ASKED]:
        if word.rows > left:  # the words are sorted by rarity: all others are at least as common
            break
        left -= word.rows
        expanded.append(phrase(word.word))
        rows = list(rows_with(connection, corpus, expanded[-1]))
        found[word] = set(rows)
        for row in rows if rest >= least else filter(weights.__contains__, rows):  # a new row has at most what is left
            weights[row] = weights.get(row, 0.0) + word.weight
        rest -= word.weight
    open_words = counted[len(expanded) :]
    possible = sum(word.weight for word in open_words)
    most = count * _SELECTIVE_SHARE
    named = " OR ".join(expanded)
    # The remaining words are too common to select rows. They only raise the weight of rows that a rarer word selected, and rows that cannot
    # reach `least` even with all of them are dropped on the way.
    for word in open_words[: MOST_ASKED - len(expanded)]:
        weights = {row: weight for row, weight in weights.items() if weight + possible >= least}
        if len(weights) <= EXACT or word.rows > most:
            break
        both = f"({named}) AND {phrase(word.word)}"
        for row in rows_with(connection, corpus, both):
            if row in weights:
                weights[row] += word.weight
        possible -= word.weight
    best = sorted((row for row in weights if weights[row] + possible >= least), key=lambda row: -weights[row])
    return best if len(best) <= EXACT else _best_seen(connection, corpus, best[:_LOOKED_THROUGH], weights), found


def _best_seen(connection: Connection, corpus: NoteCorpus, best: list[int], weights: dict[int, float]) -> list[int]:
    """Return the first `EXACT` rows of `best` that the reader may see; of equal weights the newest. Rows that cannot be among them are not read."""
    found: list[int] = []
    begin = 0
    while begin < len(best) and len(found) < EXACT:
        end = min(begin + EXACT, len(best))
        # A group of equal weights is read to its end, so that the choice among them depends on their date and never on row numbers.
        while end < len(best) and weights[best[end]] == weights[best[end - 1]]:
            end += 1
        seen = dict(connection.execute(corpus.rows.format(",".join(map(str, best[begin:end])))))
        found += sorted(seen, key=lambda row: (-weights[row], -seen[row]))
        begin = end
    return found[:EXACT]


def rows_with(connection: Connection, corpus: NoteCorpus, expression: str) -> Iterable[int]:
    """Return the ids of the matching rows, in order. SQLite joins them into one text because returning them one by one costs more than finding them."""
    (listed,) = connection.execute(f"SELECT group_concat(rowid) FROM {corpus.text} WHERE {corpus.text} MATCH ?", (expression,)).fetchone()
    return map(int, listed.split(",")) if listed else ()


def phrase(word: Word) -> str:
    """Return a word in the query language of FTS5. Terms contain no quotes, so they need no escaping."""
    return '("' + '" OR "'.join(map(" ".join, word.spellings)) + '")'


def texts(connection: Connection, corpus: NoteCorpus, rows: Iterable[int]) -> Iterable[tuple[int, StoredText]]:
    listed = ",".join(str(int(row)) for row in rows)
    if not listed:
        return
    for row, *columns in connection.execute(corpus.tokens.format(listed)):
        yield row, StoredText(*(f" {column} " for column in columns))

"""Earlier work: the result of a turn, and the files that a request names. Computed when it is needed."""

from __future__ import annotations

__light__ = True

from math import sqrt

from memorybank.cycle.fold.kinds import ANSWER
from memorybank.cycle.know.findings import LEAST_SUM
from memorybank.cycle.know.search import IS_SEEN
from memorybank.summarize.findings import worth
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.passages import excerpt, is_table_row
from memorybank.text.prose.readable import readable
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Collection, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage, Rarity

FILES = "files"
_MOST_PIECES = 2
_SENTENCE_ENDS = (".", "!", "?", "。", "！", "？", "…")
_FILE_NAME = lazy_pattern(r"(?<![\w/.@~*{}-])(\w[\w.-]*(?:/[\w.-]+)*\.[A-Za-z][A-Za-z0-9]{0,4})(?![\w/(-]|\.\w)")
"""A file name with any folders before it. Names that only look like files, such as `process.env`, match too, but nobody edited a file of that name."""
_OF_MANY = lazy_pattern(r"(?:[A-Z][A-Z_-]+|index|main|mod|init|__init__|package|setup|config)\.")
"""Names that a text may use for every file so named (`SKILL.md`), whichever of them was edited."""
_LEAST_NAME = 6
"""Minimum number of letters in a file's name. Shorter names are common words too often."""
_SELDOM, _FEW = 0.05, 3
"""A word may name a file while at most this share of the passages contains it, or, in a small bank, at most this many passages."""
_AGENTS = frozenset(("agents", "claude", "codex", "copilot", "cursor", "gemini"))
"""Names of agents and of the files that they load by themselves: a request that mentions Claude does not ask for CLAUDE.md."""
_EDITED = f"SELECT 1 FROM turn_files JOIN turns ON id = turn WHERE name = ? AND at <= ? AND {IS_SEEN} LIMIT 1"
"""Whether a turn that the reader may see edited a file. Its values: the name, and the instant of the question (ms)."""
_OF_TURN = "turn = ?1 AND session = (SELECT session FROM turns WHERE id = ?1)"
"""SQL condition on passages. They have no index by turn, so they are found by the session."""


def telling(rarity: Rarity, passages: Sequence[Passage], limit: int, about: Collection[str] = ()) -> list[Passage]:
    """Return the passages with the most result in the fewest characters, the best first. about: terms; what contains them comes first."""
    prose = [passage for passage in passages if not is_table_row(passage.text)] or passages
    rarity.learn(term for passage in prose for term in passage.terms)

    def weight(passage: Passage) -> float:
        # A long passage contains more rare words by its length alone; the root keeps long and short passages comparable.
        wanted = 1.0 + rarity.sum(term for term in passage.terms if term in about) / LEAST_SUM
        return wanted * worth(passage.text) * rarity.sum(set(passage.terms)) / sqrt(20 + len(passage.text))

    best = sorted(prose, key=weight, reverse=True)[:_MOST_PIECES]
    return [passage for number, passage in enumerate(best) if number == 0 or len(passage.text) <= limit - len(best[0].text)]


def joined(chosen: Sequence[Passage], limit: int) -> str:
    """Return one text of passages in the order in which they were said, at most about `limit` characters."""
    said = ""
    for passage in sorted(chosen, key=lambda passage: passage.id):
        said += f"{' ' if said.endswith(_SENTENCE_ENDS) else '; ' if said else ''}{readable(passage.text)}"
    return excerpt(said, limit)


def result_of_turn(earlier: Earlier, turn: int | None, limit: int, about: Collection[str], is_shown: Callable[[Passage], bool] | None = None) -> str:
    """Return the result of one turn, "" when nothing was answered. about: terms; what contains them comes first. is_shown: whether a passage belongs to it; by
    default what may be shown."""
    return joined(telling(earlier.rarity, [*filter(is_shown or earlier.shows, answers_of(earlier, turn))], limit, about), limit)


def answers_of(earlier: Earlier, turn: int | None) -> list[Passage]:
    """Return the passages that a turn ended with, whether or not they may be shown."""
    return earlier.selected(f"{_OF_TURN} AND kind = '{ANSWER}' AND {IS_SEEN} ORDER BY p.id", (turn,))


def with_paths(connection: Connection, text: str, now: int) -> str:
    """Return a text in which each file name without its path (`tree.go`, `list/tree.go`) has the path of the one file of this name that earlier turns edited,
    so that an agent can open it."""
    names = [name for name in dict.fromkeys(found[1] for found in _FILE_NAME.finditer(text)) if not _OF_MANY.match(name)]
    if not names:
        return text
    # One pass for all names: it reads the name of every file that was ever edited.
    ending = " OR ".join("instr(name, ?)" for _ in names)
    edited = [name for (name,) in connection.execute(f"SELECT DISTINCT name FROM turn_files WHERE {ending}", names)]
    paths: dict[str, str] = {}
    for name in names:
        if "/" in name and name in edited:
            continue  # it is complete
        of_name = [path for path in edited if path == name or path.endswith(f"/{name}")]
        of_name = [path for path in of_name if connection.execute(_EDITED, (path, now)).fetchone() is not None]
        if len(of_name) == 1:
            paths[name] = of_name[0]
    return _FILE_NAME.sub(lambda found: paths.get(found[1], found[1]), text)


def named_files(earlier: Earlier, words: Collection[str]) -> list[str]:
    """Return the files at the top of the repository that a request names without their ending (`changelog`: CHANGELOG.md), if earlier turns edited them.

    Files in folders are left out, because their names are common words too often, and so are words that many passages contain: in a project about
    Claude, the word does not mean CLAUDE.md.
    """
    connection, found = earlier.connection, []
    for (name,) in connection.execute("SELECT DISTINCT name FROM turn_files WHERE name NOT LIKE '%/%' ORDER BY name"):
        stem, dot, _ = name.lower().partition(".")
        if dot and stem in words and len(stem) >= _LEAST_NAME and stem not in _AGENTS and _is_seldom(earlier.rarity, stem):
            found += [name] if connection.execute(_EDITED, (name, earlier.now)).fetchone() is not None else []
    return found


def _is_seldom(rarity: Rarity, word: str) -> bool:
    return max(map(rarity.count, content_terms(word)), default=0) <= max(_FEW, _SELDOM * rarity.passages)

"""Keys under which decisions that can replace each other find each other: digests of what they are about.

The last bit of a key says what it is a digest of, so that a query finds the candidates of a decision from stored keys alone.
"""

from __future__ import annotations

__light__ = True


from memorybank.decisions import sentence
from memorybank.decisions.decision import Decision
from memorybank.storage.digest import sha256
from memorybank.values import NamedTuple, lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUBJECT_BIT = 1
"""The bit that is set in the key of a subject, and not in the key of a name."""


class KeyedDecision(NamedTuple):
    """A decision as the index stores it. It has no other values than texts and numbers, which pass quickly from one process to another.

    context: words of the title and headings, separated by spaces
    used, left: its keys in order; `left` are those of names that it says are no longer used
    """

    line: int
    text: str
    day: str
    context: str
    used: tuple[int, ...]
    left: tuple[int, ...]


def keyed(decision: Decision) -> KeyedDecision:
    """Return a decision with its keys."""
    clauses, left = decision.clauses, decision.left
    names = clauses[0].words.names if len(clauses) == 1 else frozenset().union(*[clause.words.names for clause in clauses])
    used = of_subject(decision)
    used.update(map(_key_of_name, names - left if left else names))
    context = " ".join(sorted(decision.context))
    return KeyedDecision._make((decision.line, decision.text, decision.day, context, tuple(sorted(used)), tuple(sorted(of_names(left))) if left else ()))


def of_subject(decision: Decision) -> set[int]:
    """Return the keys that a decision has in common with one that denies it or gives it another value."""
    return {_digest(text) | SUBJECT_BIT for text in _subjects(decision)}


def of_names(names: Iterable[str]) -> set[int]:
    """Return the keys of single names: those that a decision contains, or says are no longer used."""
    return {*map(_key_of_name, names)}


@lru_cache(maxsize=50_000)
def _key_of_name(name: str) -> int:
    return _digest(f"t {name}") & ~SUBJECT_BIT


def _subjects(decision: Decision) -> Iterator[str]:
    for clause in decision.clauses:
        yield f"n {_joined(clause.words.names)}"
        if clause.words.about and len(decision.clauses) == 1:
            yield f"a {_joined(decision.subject)}"
    if decision.is_firm:
        yield f"n {_joined(sentence.head(decision.text))}"


def _joined(names: Iterable[str]) -> str:
    return " ".join(sorted(names))


def _digest(text: str) -> int:
    """Return 63 bits, which SQLite stores as an integer."""
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass"))[:8]) >> 1

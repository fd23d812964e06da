"""Keys under which decisions that can replace each other find each other: digests of what they are about.

The last bit of a key says what it is a digest of, so that a query finds the candidates of a decision from stored keys alone.
"""

from __future__ import annotations

__light__ = True


from memorybank.decisions import sentence
from memorybank.decisions.decision import Decision
from memorybank.storage.digest import sha256
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUBJECT_BIT = 1
"""The bit that is set in the key of a subject, and not in the key of a name."""


def of_subject(decision: Decision) -> list[int]:
    """Return the keys that a decision has in common with one that denies it or gives it another value."""
    return sorted({_digest(text) | SUBJECT_BIT for text in _subjects(decision)})


def of_names(names: Iterable[str]) -> list[int]:
    """Return the keys of single names: those that a decision contains, or says are no longer used."""
    return sorted(map(_key_of_name, names))


@lru_cache(maxsize=50_000)
def _key_of_name(name: str) -> int:
    return _digest(f"t {name}") & ~SUBJECT_BIT


def _subjects(decision: Decision) -> Iterator[str]:
    if len(decision.clauses) == 1 and decision.clauses[0].words.about:
        yield f"a {_joined(decision.clauses[0].words.about)}"
    for clause in decision.clauses:
        yield f"n {_joined(clause.words.names)}"
    if decision.is_firm:
        yield f"n {_joined(sentence.head(decision.text))}"


def _joined(names: Iterable[str]) -> str:
    return " ".join(sorted(names))


def _digest(text: str) -> int:
    """Return 63 bits, which SQLite stores as an integer."""
    return int.from_bytes(sha256(text.encode("utf-8", "surrogatepass"))[:8]) >> 1

"""One statement of a person with its source, as it is compared and shown."""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.text.prompts.stated import Statement

REPLACES, REPEATS, LEAVES = "replaces", "repeats", "leaves"
"""What a later statement does to an earlier one (`fold.comparing`)."""
NAMES = "names"
"""It ends an earlier one by a name, or says that it is in force again. Whether the name stands for that one follows from all statements (`know.stating`)."""
BETWEEN = "\t"
"""Between the parts of what `LEAVES` says: the clause that was taken back, and what the other clauses say alone, "" where that is not a sentence."""


class Stated:
    """One statement and where it was made.

    row: its row in the cache; 0 while it is not folded. at: ms.
    subject, words: the terms of its key, and of its text.
    replaced, wanted: purposes (`text.commands.forms`) of the commands that the person did not want, and of those that ran then.
    about: purposes of the commands after or before which it was said.
    objects: what it forbids or limits (`text.prompts.objects`).
    traits: what it says by its own words (`text.prompts.traits`).
    left: (a clause of it that was taken back, what the others say alone or "", instant in ms) for each permission that did so.
    """

    __slots__ = ("about", "at", "left", "objects", "replaced", "row", "session", "statement", "subject", "traits", "wanted", "words")

    def __init__(
        self,
        at: int,
        session: str,
        statement: Statement,
        words: Iterable[str],
        replaced: Iterable[str] = (),
        wanted: Iterable[str] = (),
        about: Iterable[str] = (),
        objects: Iterable[str] = (),
        *,
        traits: Iterable[str] = (),
        row: int = 0,
    ) -> None:
        self.row = row
        self.at = at
        self.session = session
        self.statement = statement
        self.subject = statement.terms
        self.words = frozenset(words)
        self.replaced = frozenset(replaced)
        self.wanted = frozenset(wanted)
        self.about = frozenset(about)
        self.objects = frozenset(objects)
        self.traits = frozenset(traits)
        self.left: list[tuple[str, str, int]] = []


def part_of(relation: str, at: int) -> tuple[str, str, int]:
    """Return what a permission took back of a statement, as `Stated.left` has it, from the relation `LEAVES`. at: when it was given (ms)."""
    clause, _, rest = relation[len(LEAVES) + 1 :].partition(BETWEEN)
    return clause, rest, at

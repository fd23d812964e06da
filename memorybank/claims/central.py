"""The central claims of a note: what it is about, as opposed to what it mentions."""

from __future__ import annotations

from memorybank.claims.marking import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.claims.claim import Claim


def are_central(claims: Sequence[Claim], title: str) -> list[bool]:
    """Return for each claim of a note whether it is central.

    Central are the claims that the title names. Where it names none, those of the note's first paragraph or list item with a claim.

    claims: all claims of the note, in order
    """
    named = [_is_in(title, claim) for claim in claims]
    return named if any(named) else [claim.line == claims[0].line for claim in claims]


def _is_in(title: str, claim: Claim) -> bool:
    """Return whether a title contains a subject, or a file name with its extension."""
    if claim.subject in title:
        return names(title, claim.subject)
    file = (claim.place or claim.subject).rpartition("/")[2]
    return "." in file[1:-1] and file in title and names(title, file)

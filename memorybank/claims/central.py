"""The central claims of a note: what it is about, as opposed to what it mentions."""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import DATE
from memorybank.claims.dates import VAGUE
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
    # "For now" says nothing that could be looked up.
    about = [not claim.place.startswith(VAGUE) or claim.kind != DATE for claim in claims]
    named = [is_about and _is_in(title, claim) for claim, is_about in zip(claims, about, strict=True)]
    first = next((claim.line for claim, is_about in zip(claims, about, strict=True) if is_about), 0)
    return named if any(named) else [is_about and claim.line == first for claim, is_about in zip(claims, about, strict=True)]


def _is_in(title: str, claim: Claim) -> bool:
    """Return whether a title contains a subject, or a file name with its extension."""
    if claim.subject in title:
        return names(title, claim.subject)
    file = (claim.place or claim.subject).rpartition("/")[2]
    return "." in file[1:-1] and file in title and names(title, file)

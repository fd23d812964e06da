"""Decides where a draft goes: a page that a person wrote or edited belongs to that person; a page unedited since it was drafted may be replaced."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff

from memorybank import clock as time_of
from memorybank import resident

NOTHING, UNCHANGED, WRITTEN, BESIDE, FORCED = "nothing", "unchanged", "written", "beside", "forced"
"""What happens to a draft: there is none; the page already has this text; it becomes the page; it is stored next to a person's page; it
replaces a person's page.
"""
DRAFT_NAME = "summary.draft.md"
_OURS = ("updated_at", "generated")


@dataclass(frozen=True, slots=True)
class PageDecision:
    """What to do, and why.

    action: one of the above.
    reason: a sentence without a full stop.
    page: the text to write; "" for none.
    difference: lines of a unified diff from the present body to the draft.
    """

    action: str
    reason: str
    page: str = ""
    difference: tuple[str, ...] = ()


def decide(lying: str | None, body: str, now: int, *, force: bool = False) -> PageDecision:
    """Decide what happens to a draft.

    lying: the text of `summary.md`, None when there is none. Line ends may be LF or CRLF.
    body: the draft's body; "" when there is nothing to quote.
    now: ms.
    force: replace a person's page too.
    """
    if not body:
        return PageDecision(NOTHING, "there is no note, failure or episode yet that everybody may see")
    if lying is None or not lying.strip():
        return PageDecision(WRITTEN, "there was no page", rendered(body, now))
    found = resident.parse(lying)
    if found.body == body:
        return PageDecision(UNCHANGED, "the page already has this text")
    difference = tuple(unified_diff((found.body or lying).splitlines(), body.splitlines(), "summary.md", "draft", lineterm="", n=1))
    if found.is_drafted:
        return PageDecision(WRITTEN, "the page was not edited since it was drafted", rendered(body, now, _kept(lying)), difference)
    reason = (
        f"the page cannot be read as a summary ({found.reason})"
        if found.reason
        else "a person edited the page"
        if found.is_edited
        else "a person wrote the page"
    )
    if force:
        return PageDecision(FORCED, reason, rendered(body, now, _kept(lying) if not found.reason else ()), difference)
    return PageDecision(BESIDE, reason, rendered(body, now), difference)


def rendered(body: str, now: int, kept: Sequence[str] = ()) -> str:
    """The page with this body. kept: lines of a person's front matter to keep."""
    front = [f"updated_at: {time_of.isoformat(now)}", f"generated: {resident.seal_of(body)}", *kept]
    return "\n".join(("---", *front, "---", "", body, ""))


def _kept(lying: str) -> list[str]:
    """The lines that a person added to the front matter of a valid page."""
    lines = [line.removesuffix("\r") for line in lying.removeprefix("\ufeff").split("\n")]
    return [line for line in lines[1 : lines.index("---", 1)] if line.partition(":")[0] not in _OURS]

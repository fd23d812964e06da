"""Where a draft goes: a page that a person wrote or edited is a person's, a page that nobody touched since it was drafted is ours. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff

from memorybank import clock as time_of
from memorybank import resident

NOTHING, UNCHANGED, WRITTEN, BESIDE, FORCED = "nothing", "unchanged", "written", "beside", "forced"
"""What becomes of a draft: there is none; the page says just this; it becomes the page; it lies beside a person's page; it replaces that."""
DRAFT_NAME = "summary.draft.md"
_OURS = ("updated_at", "generated")


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do, and why. action: one of the above; reason: a sentence without a full stop; page: the text to write, "" for none;
    difference: from the body that lies there to the draft, lines of a unified diff."""

    action: str
    reason: str
    page: str = ""
    difference: tuple[str, ...] = ()


def decide(lying: str | None, body: str, now: int, *, force: bool = False) -> Decision:
    """lying: the text of `summary.md` with `\\n` or `\\r\\n`, None when there is none; body: the draft's, "" for nothing to tell; now: ms."""
    if not body:
        return Decision(NOTHING, "there is no note, failure or episode yet that everybody may see")
    if lying is None or not lying.strip():
        return Decision(WRITTEN, "there was no page", rendered(body, now))
    found = resident.parse(lying)
    if found.body == body:
        return Decision(UNCHANGED, "the page says just this")
    difference = tuple(unified_diff((found.body or lying).splitlines(), body.splitlines(), "summary.md", "draft", lineterm="", n=1))
    if found.is_drafted:
        return Decision(WRITTEN, "nobody edited the page since it was drafted", rendered(body, now, _kept(lying)), difference)
    reason = f"the page cannot be read as a summary ({found.reason})" if found.reason else "somebody edited it" if found.is_edited else "a person wrote it"
    if force:
        return Decision(FORCED, reason, rendered(body, now, _kept(lying) if not found.reason else ()), difference)
    return Decision(BESIDE, reason, rendered(body, now), difference)


def rendered(body: str, now: int, kept: Sequence[str] = ()) -> str:
    """The page of a body. kept: lines of front matter that are not ours."""
    front = [f"updated_at: {time_of.isoformat(now)}", f"generated: {resident.seal_of(body)}", *kept]
    return "\n".join(("---", *front, "---", "", body, ""))


def _kept(lying: str) -> list[str]:
    """The lines of a valid page's front matter that a person put there."""
    lines = [line.removesuffix("\r") for line in lying.removeprefix("\ufeff").split("\n")]
    return [line for line in lines[1 : lines.index("---", 1)] if line.partition(":")[0] not in _OURS]

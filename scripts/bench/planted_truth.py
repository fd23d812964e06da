"""When knowing a planted fact of a generated history would help, and whether a text that recall showed contained it."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memorybank.cycle.event import Event
from memorybank.replay.sources import PROJECT
from memorybank.replay.text_targets import ShownText, plain, stands_in

MAIN = "main"
KINDS = ("changed_together", "failure_fixed", "preference", "decision")
Terms = tuple[str, ...]


class Occasion(NamedTuple):
    """A moment at which an earlier session's knowledge would help.

    any_of: a text contains the fact if it contains all terms of one of these
    outdated: the same for what held before, {} when nothing did
    until: ms; what is shown later is too late
    """

    kind: str
    session: str
    until: int
    any_of: tuple[Terms, ...]
    outdated: tuple[Terms, ...]
    is_surprising: bool


class PlantedScore(NamedTuple):
    """Counts of one kind. stale: occasions at which only what held before was shown."""

    asked: int
    met: int
    stale: int


def occasions(folder: Path, events: Iterable[Event]) -> list[Occasion]:
    """Return every occasion whose fact another session knew before, and that this session had not been told otherwise."""
    facts = json.loads((folder / "truth.json").read_text(encoding="utf-8"))["facts"]
    seen = _Seen(events)
    earlier: dict[int, list[dict[str, object]]] = {}
    found = []
    for fact in facts:
        before = earlier.setdefault(fact["subject"], [])
        any_of = _terms(fact["any_of"])
        # A fact that begins again with the same text (a test whose command changed) was known all the time.
        known = [*fact["known"], *(moment for other in before if _terms(other["any_of"]) == any_of for moment in other["known"])]  # type: ignore[attr-defined]
        outdated = tuple(terms for other in before if other.get("wish", True) for terms in _terms(other["any_of"]) if terms not in any_of)
        for session, since, until in fact["occasions"]:
            is_known = any(other != session and at < since for other, at in known)
            is_new = not any(other == session and at < since for other, at in known) and not seen.names(session, since, any_of)
            if is_known and is_new:
                found.append(Occasion(fact["kind"], session, until, any_of, outdated, bool(fact.get("surprising"))))
        before.append(fact)
    return sorted(found, key=lambda occasion: (occasion.until, occasion.session, occasion.any_of))


def is_met(terms: Iterable[Terms], texts: Iterable[str]) -> bool:
    """Return whether the texts together contain all terms of one alternative."""
    read = plain("\n".join(texts)).lower()
    return any(all(stands_in(plain(term).lower(), read) for term in alternative) for alternative in terms)


def before(texts: Iterable[tuple[int, ShownText]], occasion: Occasion) -> list[str]:
    """Return the texts that the main agent of the session was shown before it was too late. texts: (ms, text)."""
    return [text.text for at, text in texts if text.session == occasion.session and text.agent == MAIN and at <= occasion.until]


def score(asked: Iterable[Occasion], texts: Iterable[tuple[int, ShownText]]) -> dict[str, PlantedScore]:
    """Return the counts of each kind."""
    by_session: dict[str, list[tuple[int, ShownText]]] = {}
    for at, text in texts:
        by_session.setdefault(text.session, []).append((at, text))
    counts = {kind: [0, 0, 0] for kind in KINDS}
    for occasion in asked:
        shown = before(by_session.get(occasion.session, ()), occasion)
        met = is_met(occasion.any_of, shown)
        count = counts[occasion.kind]
        count[0] += 1
        count[1] += met
        count[2] += not met and is_met(occasion.outdated, shown)
    return {kind: PlantedScore(*count) for kind, count in counts.items()}


class _Seen:
    """What the main agent of each session read and did, by time."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._texts: dict[str, list[tuple[int, str]]] = {}
        for event in events:
            if event.agent_id == MAIN and event.at is not None:
                self._texts.setdefault(event.session_id, []).append((event.at, plain("\n".join(_texts_of(event))).lower()))

    def names(self, session: str, until: int, any_of: tuple[Terms, ...]) -> bool:
        """Return whether an event of the session before `until` contains all terms of one alternative."""
        read = [text for at, text in self._texts.get(session, ()) if at < until]
        return any(all(any(stands_in(plain(term).lower(), text) for text in read) for term in alternative) for alternative in any_of)


def _texts_of(event: Event) -> Iterator[str]:
    for text in (event.prompt, event.last_message, event.output, event.error, *event.inputs.values()):
        if isinstance(text, str):
            yield text.replace(f"{PROJECT}/", "")


def _terms(any_of: list[list[str]]) -> tuple[Terms, ...]:
    return tuple(map(tuple, any_of))

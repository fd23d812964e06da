"""The knowledge that sessions taught, for a person: listed with counts, shown with sources, rejected and restored.

`due` selects the sessions that a model reads for `memorybank know extract`, and counts the text that would be sent.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from sqlite3 import Connection
from typing import Any, NamedTuple

from memorybank import clock as time_of
from memorybank.bank import arguments, cycle_cache
from memorybank.bank.arguments import BankFacade
from memorybank.bank.known_items import (
    KINDS,
    REJECTED,
    KnowledgeDetails,
    KnowledgeItem,
    KnownFindingItem,
    KnownItem,
    exposed,
    of_sessions,
    of_verdict,
)
from memorybank.bank.notes import Notes
from memorybank.bank.opened import OpenBank
from memorybank.cycle.event import MAIN
from memorybank.cycle.finish import extraction, learned_notes, recalled_notes
from memorybank.cycle.finish.extraction import ExtractionReport
from memorybank.cycle.finish.learned_notes import public_text
from memorybank.cycle.fold.kinds import ANSWERS, FIX, SAID
from memorybank.cycle.know import by_model, findings, rejected, sameness
from memorybank.cycle.know.earlier import Earlier
from memorybank.cycle.know.learned import memory_of
from memorybank.cycle.know.rejected import Rejections, Verdict
from memorybank.cycle.know.search import Passage
from memorybank.errors import NotFound, UsageError
from memorybank.log import sessions, ticks
from memorybank.log.sessions import FINISHED
from memorybank.reasons.reason import Reason
from memorybank.summarize.summarizer import DIGEST_CHARACTERS, LanguageModel

FINDINGS = 20
"""Number of findings that are listed by default."""
_MOST_ALIKE = 20
"""Maximum number of findings with the same meaning that are listed with a rejected one."""
_FOUND = (*ANSWERS, FIX, SAID)
"""Kinds of passages that agents are shown as findings."""
_NOTE = "note:"
_NEXT = "'memorybank know list --all' lists what is known"
_NEXT_REJECTED = "'memorybank know list --rejected' lists them"


class SessionToRead(NamedTuple):
    """One session that a model would read.

    at: instant (ms) of its last line
    characters: number of characters that would be sent
    """

    session: str
    at: int
    characters: int

    def to_json(self) -> dict[str, Any]:
        return {"session": self.session, "last": time_of.isoformat(self.at), "characters": self.characters}


class KnowledgeFacade(BankFacade):
    """The operations of `memorybank know` and `memorybank tick`."""

    def list(
        self,
        kind: str | None = None,
        *,
        every: bool = False,
        is_rejected: bool = False,
        is_shown: bool = False,
        limit: int = FINDINGS,
        role: str = MAIN,
    ) -> "list[KnowledgeItem]":
        """Return the known items: problems by the number of sessions they cost, then the rules in force, then findings, the newest first.

        kind: return only this kind
        every: whether to include what was superseded or rejected
        is_rejected: whether to return only rejected items, with the findings that say the same
        is_shown: whether to return only those findings that agents were shown, the one shown last first
        limit: maximum number of findings
        role: return only what an agent of this role may see
        """
        if kind is not None:
            arguments.one_of(kind, KINDS, "kind")
        arguments.at_least(limit, 0, "limit")
        refused = self._rejections()
        with cycle_cache.seen_by(self._bank, role) as connection:
            items = list(self._items(connection, kind, every or is_rejected, limit, is_shown=is_shown))
            if is_rejected and kind in (None, findings.FINDING):
                held = {item.known.id for item in items}
                items += [item for item in self._alike(connection, refused) if item.known.id not in held]
        found = [item.judged(refused) for item in items]
        if not every and not is_rejected:
            return [known for known in found if known.status != REJECTED]
        if not is_shown:
            found += self._not_known(refused, {known.id for known in found}, kind)
        return [known for known in found if known.status == REJECTED] if is_rejected else found

    def show(self, name: str, *, role: str | None = MAIN) -> KnowledgeDetails:
        """Return one known item with its sources and the reasons why it counts.

        name: its id, or a unique beginning of it
        role: return only what an agent of this role may see; None: what everybody may see
        Raises `NotFound` for none, `UsageError` for an ambiguous beginning.
        """
        refused = self._rejections()
        with cycle_cache.seen_by(self._bank, role) as connection:
            found = self._find(connection, name)
            sources, why = found.sources(connection, self._now), [found.counts()]
            why += exposed(connection, found.known.id)
            alike = [item.known.id for item in self._alike(connection, refused, found.known.id)]
        verdict, own = found.verdict(refused), refused.verdicts.get(found.known.id)
        if verdict is not None:
            why.append(rejected.why(verdict, found.known.id))
        elif own is not None:
            why.append(Reason("known.restored", day=time_of.day_of(own.at), by=own.by))
        if alike:
            why.append(Reason("known.rejected_too", memories=tuple(alike)))
        return KnowledgeDetails(found.judged(refused), tuple(sources), tuple(why))

    def reject(self, name: str) -> KnowledgeItem:
        """Exclude a known item from recall permanently, in every session and for everybody who has the commit. `restore` reverses it.

        The rejection of a finding covers every finding that says the same, also later ones. Its learned note is deleted, unless somebody edited it.
        name: as for `show`
        """
        refused = rejected.rejections(self._bank.layout)
        if name in refused:
            learned_notes.withdraw(self._bank.layout, name, self._bank.clock)  # an interrupted rejection can have left it
            return of_verdict(refused[name])
        with cycle_cache.seen_by(self._bank) as connection:
            known = self._find(connection, name).known
        if known.id not in refused:
            base = cycle_cache.base_of(self._bank)
            what, words = self._public_text(known.id), None
            if not what and known.kind == findings.FINDING:
                words = sameness.of_text(known.text).keyed(base.key())
            rejected.add(self._bank.layout, known.id, is_rejected=True, by=rejected.COMMAND, what=what, clock=self._bank.clock, words=words)
        learned_notes.withdraw(self._bank.layout, known.id, self._bank.clock)
        return replace(known, status=REJECTED)

    def restore(self, name: str) -> KnowledgeItem:
        """Reverse a rejection, or exempt a finding that says the same as a rejected one. Raises `NotFound` unless exactly one has this id or beginning."""
        refused = rejected.rejections(self._bank.layout)
        same = [memory for memory in refused if memory == name] or [memory for memory in refused if name and memory.startswith(name)]
        if not same:
            return self._exempt(name)
        if len(same) != 1:
            raise NotFound(f"{name!r} matches more than one rejected memory", next_step=_NEXT_REJECTED)
        return self._restore(refused[same[0]])

    def undo(self) -> KnowledgeItem:
        """Reverse the newest rejection. Raises `NotFound` when there is none."""
        refused = list(rejected.rejections(self._bank.layout).values())
        if not refused:
            raise NotFound("nothing is rejected", next_step=_NEXT)
        return self._restore(refused[-1])

    def tick(self, name: str, verdict: str, *, by: str = ticks.PERSON, role: str | None = MAIN) -> str:
        """Mark a memory as `helpful` or `wrong` and return its id.

        The mark judges the most recent time the memory was shown. A derived memory that is marked wrong is not shown again until a later
        mark says otherwise.
        name: an id from `know list`, from `recall --explain` or of a note, or its beginning
        by: `person` or `agent`
        role: return only what an agent of this role may see
        """
        if verdict not in ticks.VERDICTS:
            raise UsageError(f"{verdict!r} is not a verdict", next_step=f"use one of {', '.join(ticks.VERDICTS)}")
        arguments.one_of(by, (ticks.PERSON, ticks.AGENT), "by")
        with cycle_cache.seen_by(self._bank, role) as connection:
            memory = self._shown(connection, name) or self._find(connection, name).known.id
            base = cycle_cache.base_of(self._bank)
            ticks.append(self._bank.layout, base.key(), memory, verdict, by, self._bank.clock)
            if verdict == ticks.HELPFUL:
                recalled_notes.tick(base, connection, memory)
        cycle_cache.fold(self._bank, base)
        return memory

    def rewrite(self, name: str, text: str) -> str:
        """Replace a known item by a note in a person's own words, and return the key of the note. The item is rejected; `restore` reverses that.

        name: as for `show`
        text: what the note says
        Raises `UsageError` for an empty text.
        """
        if not text.strip():
            raise UsageError("the text is empty", next_step="write what is true instead, or reject it")
        with cycle_cache.seen_by(self._bank) as connection:
            known = self._find(connection, name).known
        key = Notes(self._bank).remember(text, tags=(known.kind,))
        self.reject(known.id)
        return key

    def to_extract(self, by: str, *, session: str | None = None, every: bool = False, again: bool = False) -> "Sequence[SessionToRead]":
        """Return the sessions that `extract` would ask a model about. Changes nothing.

        by: name of the model; other parameters: as for `extract`
        """
        return sessions_due(self._bank, chosen_sessions(self._bank, session, every=every), by, again=again)

    def extract(
        self,
        model: LanguageModel,
        *,
        session: str | None = None,
        every: bool = False,
        again: bool = False,
        step: Callable[[int, int], None] = lambda done, total: None,
    ) -> ExtractionReport:
        """Ask a model for rules, findings and reasons of the session that finished last, and record those that quote the session.

        session: another session, by its id or the beginning of it
        every: whether to ask about every finished session
        again: whether to read sessions again that this model has read before
        step: called with (sessions done, total)
        Raises `NotFound`, `LockTimeout` while another run is in progress, and `SummarizerUnusable`.
        """
        base = cycle_cache.base_of(self._bank)
        report = extraction.run(base, chosen_sessions(self._bank, session, every=every), model, again=again, step=step)
        cycle_cache.fold(self._bank, base)
        return report

    def _shown(self, connection: Connection, name: str) -> str:
        """Return the id of the note, or of the memory that agents were shown, that a name stands for; "" when there is neither."""
        if connection.execute("SELECT 1 FROM exposures WHERE memory = ? AND shown LIMIT 1", (name,)).fetchone():
            return name
        key = name.removeprefix(_NOTE)
        if key == name:
            return ""
        resolved = Notes(self._bank).locate(key)
        return memory_of(resolved) or f"{_NOTE}{resolved}"

    def _exempt(self, name: str) -> KnowledgeItem:
        """Restore one finding that says the same as a rejected one; the others stay rejected."""
        with cycle_cache.seen_by(self._bank) as connection:
            try:
                found = self._find(connection, name)
            except (NotFound, UsageError):
                found = None
        if found is None or found.verdict(self._rejections()) is None:
            raise NotFound(f"{name!r} matches no rejected memory", next_step=_NEXT_REJECTED)
        known = found.known
        rejected.add(self._bank.layout, known.id, is_rejected=False, by=rejected.COMMAND, what=self._public_text(known.id), clock=self._bank.clock)
        return known

    def _rejections(self) -> Rejections:
        return Rejections(rejected.verdicts(self._bank.layout), cycle_cache.base_of(self._bank).existing_key)

    def _not_known(self, refused: Rejections, held: set[str], kind: str | None) -> "Sequence[KnowledgeItem]":
        """Return the rejected memories that are not among these ids, because they were not listed or are no longer known here."""
        found = (of_verdict(verdict) for verdict in refused.verdicts.values() if verdict.is_rejected and verdict.memory not in held)
        return [known for known in found if kind in (None, known.kind)]

    def _alike(self, connection: Connection, refused: Rejections, memory: str | None = None) -> "Sequence[KnownItem]":
        """Return the findings that are rejected because they say the same as a rejected one, or as this one."""
        earlier = Earlier(connection, "", self._now)
        found: dict[str, KnownItem] = {}
        for verdict in refused.verdicts.values():
            if not verdict.is_rejected or memory not in (None, verdict.memory):
                continue
            own = next((one.terms for one in findings.named(earlier, verdict.memory) if one.memory == verdict.memory), None)
            for passage in earlier.search(own or sameness.of_text(verdict.what).terms, (*ANSWERS, FIX))[:_MOST_ALIKE]:
                by = refused.of_passage(passage)
                if by is not None and passage.memory != by.memory and memory in (None, by.memory):
                    found[passage.memory] = _finding_item(connection, passage)
        return [*found.values()]

    def _restore(self, verdict: Verdict) -> KnowledgeItem:
        taken = rejected.add(self._bank.layout, verdict.memory, is_rejected=False, by=rejected.COMMAND, what=verdict.what, clock=self._bank.clock)
        return of_verdict(taken)

    @property
    def _now(self) -> int:
        return self._bank.clock.now()

    def _items(self, connection: Connection, kind: str | None, every: bool, limit: int, *, is_shown: bool = False) -> "Iterator[KnownItem]":
        yield from of_sessions(connection, kind, self._now, every=every)
        if kind in (None, findings.FINDING):
            newest = self._shown_findings(connection, limit) if is_shown else findings.newest(Earlier(connection, "", self._now), limit, refuted=every)
            yield from (_finding_item(connection, passage) for passage in newest)

    def _shown_findings(self, connection: Connection, limit: int) -> "Iterator[Passage]":
        """Yield the findings that agents were shown, the one shown last first."""
        asked = "SELECT memory, max(at) FROM exposures WHERE memory >= ? AND memory < ? AND shown = 1 AND at <= ? GROUP BY memory"
        shown = [row for kind in _FOUND for row in connection.execute(asked, (f"{kind}:", f"{kind};", self._now))]
        for memory, _ in sorted(shown, key=lambda row: (-row[1], row[0]))[:limit]:
            yield from (passage for passage in findings.named(Earlier(connection, "", self._now), memory) if passage.memory == memory)

    def _find(self, connection: Connection, name: str) -> "KnownItem":
        found = [item for item in self._items(connection, None, True, 0) if name and item.known.id.startswith(name)]
        if name:
            found += [_finding_item(connection, passage) for passage in findings.named(Earlier(connection, "", self._now), name)]
        exact = [item for item in found if item.known.id == name] or found
        if len({item.known.id for item in exact}) > 1:
            raise UsageError(f"more than one memory begins with {name!r}", next_step="write more characters of its id")
        if not exact:
            raise NotFound(f"no known item has the id {name!r}", next_step=_NEXT)
        return exact[0]

    def _public_text(self, memory: str) -> str:
        """Return the text of a memory that everybody may see, for a file that is committed."""
        with cycle_cache.seen_by(self._bank, None) as connection:
            try:
                found = self._find(connection, memory)
            except NotFound:
                return ""
        return public_text(cycle_cache.base_of(self._bank), found.known.text)


def _finding_item(connection: Connection, passage: Passage) -> KnownFindingItem:
    return KnownFindingItem(passage, by_model.source(connection, passage.memory))


def chosen_sessions(bank: OpenBank, session: str | None, *, every: bool) -> list[str]:
    """Return the names of the logs to read: of one session, of every finished one (oldest first), or of the one that finished last.

    session: its id, or a unique beginning of it
    Raises `NotFound` for an unknown session, and when none has finished.
    """
    if session is not None:
        return [sessions.find(bank.layout, session)]
    found = [one.name for one in sessions.listing(bank.layout) if one.state == FINISHED]
    if not found:
        raise NotFound("no recorded session has finished", next_step="list the sessions with: memorybank log list; name one with --session")
    return found[::-1] if every else found[:1]


def sessions_due(bank: OpenBank, chosen: list[str], by: str, *, again: bool) -> list[SessionToRead]:
    """Return the sessions that a model named `by` would read, with the number of characters that it would get."""
    records = extraction.due(cycle_cache.base_of(bank), chosen, by, again=again)
    return [SessionToRead(record.session, record.at, len(record.digest(DIGEST_CHARACTERS))) for record in records]

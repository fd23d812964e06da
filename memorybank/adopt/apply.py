"""Carries out a plan of adoption, and takes an adoption back.

Files of the bank are created and replaced through `editing`, under one change. The person's own settings are outside the bank; the log of adoptions
keeps what they contained. Originals are never touched.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from memorybank import clock as time_of
from memorybank.adopt.discovery import Discovery
from memorybank.adopt.plan import AdoptionPlan
from memorybank.clock import Clock
from memorybank.config import sources
from memorybank.config.sources import FILE, OWN_KEY
from memorybank.editing import own_settings
from memorybank.editing import undo as changes
from memorybank.editing.own_settings import SettingsList
from memorybank.editing.undo import ADOPT, UndoneNote
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, MemorybankError, NotFound, UsageError
from memorybank.log import adoptions
from memorybank.log.adoptions import Adoption
from memorybank.storage.layout import IN_REPOSITORY, Layout
from memorybank.values import Value

COMMITTED = f"config/{FILE}"
_VERSION = "1.0"


class _Declaration(Value):
    """A file of settings that declares sources: the bank's own, or that of the person, which names a bank for each source.

    shown: its path for messages
    sources: the list in it
    bank: the bank that its entries name; None in the bank's own file
    """

    path: str
    shown: str
    sources: SettingsList
    bank: str | None = None

    @classmethod
    def of_bank(cls, layout: Layout) -> _Declaration:
        path = os.path.join(layout.root, COMMITTED)
        return cls(path, layout.relative(path), _list_of_sources("sources"))

    @classmethod
    def of_person(cls, layout: Layout, environment: Mapping[str, str]) -> _Declaration:
        path = sources.own_path(environment)
        return cls(path, layout.relative(path), _list_of_sources(OWN_KEY), layout.local_root)

    def read(self) -> bytes | None:
        return own_settings.read(self.path)

    def with_sources(self, before: bytes | None, found: Sequence[Discovery]) -> bytes:
        """Return the file with these discoveries added. before: its present bytes; None if it does not exist

        Raises `ConfigInvalid` when it cannot be read, `Conflict` when it declares a source of that name, for example after two simultaneous adoptions.
        """
        settings = own_settings.parsed(before, self.shown) or ({} if self.bank else {"version": _VERSION})
        entries = self.sources.of(settings, self.shown)
        taken = {each.get("name") for each in entries if each.get("bank") == self.bank}
        for name in (each.source.name for each in found):
            if name in taken:
                raise Conflict(f"there is already a source named {name!r}", next_step="'memorybank list --sources' lists the sources")
        return own_settings.rendered(self.sources.replaced(settings, [*entries, *map(self._entry, found)]))

    def without_sources(self, present: bytes, names: Collection[str]) -> dict[str, Any]:
        """Return the settings without these sources of the bank."""
        settings = own_settings.parsed(present, self.shown) or {}
        kept = [each for each in self.sources.of(settings, self.shown) if each.get("bank") != self.bank or each.get("name") not in names]
        return self.sources.replaced(settings, kept)

    def _entry(self, found: Discovery) -> dict[str, Any]:
        source = found.source
        bank = {"bank": self.bank} if self.bank else {}
        left_out = {"except": list(source.left_out)} if source.left_out else {}
        path = source.root if self.bank else source.key.removeprefix(IN_REPOSITORY)
        return {**bank, "name": source.name, "kind": source.kind, "path": path, **left_out}


def _list_of_sources(key: str) -> SettingsList:
    return SettingsList((key,), "objects", lambda entry: isinstance(entry, dict))


def apply(layout: Layout, plan: AdoptionPlan, clock: Clock, environment: Mapping[str, str]) -> Adoption:
    """Carry out a plan and return its record, with which `undo` takes it back.

    Raises `ConfigInvalid` for a declaration that cannot be read, `Conflict` when somebody changed one of the files in the meantime, and `UsageError` for
    a plan that does nothing. What was written before an error is taken back.
    """
    committed, own = plan.sources(private=False), plan.sources(private=True)
    if not committed and not own and not plan.files:
        raise UsageError("there is nothing to adopt", next_step="'memorybank adopt' shows what was found")
    of_person = _Declaration.of_person(layout, environment)
    own_before = of_person.read()
    own_after = of_person.with_sources(own_before, own) if own else b""
    now = clock.now()
    names = tuple(each.found.source.name for each in plan.chosen)
    writer = NoteWriter(layout, ADOPT, clock)
    made: Adoption | None = None
    try:
        with writer:
            for file in plan.files:
                writer.create(file.path, file.data, mtime_ns=file.mtime_ns or None)
            if committed:
                _declare(layout, writer, committed)
            own_names, before = tuple(each.source.name for each in own), own_before.decode() if own_before is not None else None
            made = Adoption(_identifier(now, names), now, names, writer.change, own_names, before, _digest(own_after))
            # Recorded first: settings without a record could not be taken back.
            adoptions.append(layout, made, clock)
            if own:
                own_settings.write(of_person.path, own_after, own_before)
    except BaseException:
        with suppress(MemorybankError):
            if writer.change:
                changes.undo(layout, writer.change, clock)
            if made is not None:
                adoptions.append_undone(layout, made.id, clock)
        raise
    return made


def undo(layout: Layout, identifier: str | None, clock: Clock, environment: Mapping[str, str]) -> tuple[Adoption, list[UndoneNote]]:
    """Take back an adoption and return it with what happened to each file. Running it twice has the same effect as once.

    identifier: default is the latest adoption that was not taken back
    Errors about single files are in the result, and the adoption then counts as not taken back. Raises `NotFound`.
    """
    made = _chosen(adoptions.read(layout), identifier)
    undone = [_declared_again(layout, made, note, clock) for note in (changes.undo(layout, made.change, clock) if made.change else [])]
    if made.own_names:
        undone.append(_take_back_own(made, _Declaration.of_person(layout, environment)))
    if all(note.error is None for note in undone):
        adoptions.append_undone(layout, made.id, clock)
    return made, undone


def _chosen(made: Sequence[Adoption], identifier: str | None) -> Adoption:
    open_ones = [each for each in made if not each.is_undone]
    if identifier is None:
        if not open_ones:
            raise NotFound(
                "no adoption can be taken back",
                next_step="'memorybank adopt' shows what can be adopted; for an adoption that was interrupted, see 'memorybank undo --list'",
            )
        return open_ones[-1]
    for each in made:
        if identifier in (each.id, each.change):
            return each
    known = ", ".join(each.id for each in open_ones)
    raise NotFound(f"no adoption {identifier!r}", next_step=f"name one of {known}" if known else "'memorybank adopt' shows what can be adopted")


def _declare(layout: Layout, writer: NoteWriter, committed: Sequence[Discovery]) -> None:
    declaration = _Declaration.of_bank(layout)
    before = declaration.read()
    data = declaration.with_sources(before, committed)
    if before is None:
        writer.create(COMMITTED, data)
    else:
        writer.replace(COMMITTED, data, {sha256(before).hexdigest()})


def _declared_again(layout: Layout, made: Adoption, note: UndoneNote, clock: Clock) -> UndoneNote:
    """Remove only the sources of this adoption from a declaration that was changed since. Other files that were changed stay as they are."""
    if note.key != COMMITTED or not isinstance(note.error, Conflict):
        return note
    declaration = _Declaration.of_bank(layout)
    try:
        present = declaration.read()
        if present is not None:
            with NoteWriter(layout, changes.COMMAND, clock) as writer:
                writer.replace(COMMITTED, own_settings.rendered(declaration.without_sources(present, made.names)), {_digest(present)})
    except MemorybankError as error:
        return UndoneNote(note.key, error)
    return UndoneNote(note.key)


def _take_back_own(made: Adoption, declaration: _Declaration) -> UndoneNote:
    """Restore the person's own settings byte for byte if nobody changed them since; otherwise remove only the sources."""
    try:
        present = declaration.read()
        if present is None:
            return UndoneNote(declaration.shown)
        if _digest(present) == made.own_after:
            after = made.own_before.encode() if made.own_before is not None else None
        else:
            settings = declaration.without_sources(present, made.own_names)
            after = own_settings.rendered(settings) if settings else None
        if after != present:
            own_settings.write(declaration.path, after, present)
    except MemorybankError as error:
        return UndoneNote(declaration.shown, error)
    return UndoneNote(declaration.shown)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest() if data else ""


def _identifier(now: int, names: Sequence[str]) -> str:
    stamp = "".join(sign for sign in time_of.isoformat(now) if sign.isalnum())
    return f"{stamp}-a{sha256(' '.join(names).encode()).hexdigest()[:5]}"

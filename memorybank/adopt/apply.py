"""Carries out a plan of adoption, and takes an adoption back.

Files of the bank are created and replaced through `editing`, under one change. The person's own settings are outside the bank; the log of adoptions
keeps what they contained. Originals are never touched.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256

from memorybank import clock as time_of
from memorybank.adopt import declaring
from memorybank.adopt.discovery import Discovery
from memorybank.adopt.plan import AdoptionPlan
from memorybank.clock import Clock
from memorybank.config import sources
from memorybank.editing import undo as changes
from memorybank.editing.undo import ADOPT, UndoneNote
from memorybank.editing.write import NoteWriter
from memorybank.errors import Conflict, MemorybankError, NotFound, UsageError
from memorybank.log import adoptions
from memorybank.log.adoptions import Adoption
from memorybank.storage.layout import Layout


def apply(layout: Layout, plan: AdoptionPlan, clock: Clock, environment: Mapping[str, str]) -> Adoption:
    """Carry out a plan and return its record, with which `undo` takes it back.

    Raises `ConfigInvalid` for a declaration that cannot be read, `Conflict` when somebody changed one of the files in the meantime, and `UsageError` for
    a plan that does nothing. What was written before an error is taken back.
    """
    committed, own = plan.sources(private=False), plan.sources(private=True)
    if not committed and not own and not plan.files:
        raise UsageError("there is nothing to adopt", next_step="'memorybank adopt' shows what was found")
    own_path = sources.own_path(environment)
    own_before = declaring.read(own_path)
    own_after = declaring.own_text(own_before, layout, own, layout.relative(own_path)) if own else b""
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
                declaring.write_own(own_path, own_after, own_before)
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
        undone.append(_take_back_own(layout, made, sources.own_path(environment)))
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
    path = os.path.join(layout.root, declaring.COMMITTED)
    before = declaring.read(path)
    data = declaring.committed_text(before, committed, layout.relative(path))
    if before is None:
        writer.create(declaring.COMMITTED, data)
    else:
        writer.replace(declaring.COMMITTED, data, {sha256(before).hexdigest()})


def _declared_again(layout: Layout, made: Adoption, note: UndoneNote, clock: Clock) -> UndoneNote:
    """Remove only the sources of this adoption from a declaration that was changed since. Other files that were changed stay as they are."""
    if note.key != declaring.COMMITTED or not isinstance(note.error, Conflict):
        return note
    path = os.path.join(layout.root, declaring.COMMITTED)
    try:
        present = declaring.read(path)
        if present is not None:
            with NoteWriter(layout, changes.COMMAND, clock) as writer:
                writer.replace(declaring.COMMITTED, declaring.committed_text_without(present, made.names, layout.relative(path)), {_digest(present)})
    except MemorybankError as error:
        return UndoneNote(note.key, error)
    return UndoneNote(note.key)


def _take_back_own(layout: Layout, made: Adoption, path: str) -> UndoneNote:
    """Restore the person's own settings byte for byte if nobody changed them since; otherwise remove only the sources."""
    shown = layout.relative(path)
    try:
        present = declaring.read(path)
        if present is None:
            return UndoneNote(shown)
        if _digest(present) == made.own_after:
            after = made.own_before.encode() if made.own_before is not None else None
        else:
            after = declaring.own_text_without(present, layout, made.own_names, shown)
        if after != present:
            declaring.write_own(path, after, present)
    except MemorybankError as error:
        return UndoneNote(shown, error)
    return UndoneNote(shown)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest() if data else ""


def _identifier(now: int, names: Sequence[str]) -> str:
    stamp = "".join(sign for sign in time_of.isoformat(now) if sign.isalnum())
    return f"{stamp}-a{sha256(' '.join(names).encode()).hexdigest()[:5]}"

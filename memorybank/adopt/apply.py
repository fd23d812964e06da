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
from memorybank.editing.undo import ADOPT, UndoneNote
from memorybank.editing.write import NoteWriter
from memorybank.errors import ConfigInvalid, Conflict, MemorybankError, NotFound, UsageError
from memorybank.log import adoptions
from memorybank.log.adoptions import Adoption
from memorybank.storage.layout import IN_REPOSITORY, Layout

COMMITTED = f"config/{FILE}"
_VERSION = "1.0"


def apply(layout: Layout, plan: AdoptionPlan, clock: Clock, environment: Mapping[str, str]) -> Adoption:
    """Carry out a plan and return its record, with which `undo` takes it back.

    Raises `ConfigInvalid` for a declaration that cannot be read, `Conflict` when somebody changed one of the files in the meantime, and `UsageError` for
    a plan that does nothing. What was written before an error is taken back.
    """
    committed, own = plan.sources(private=False), plan.sources(private=True)
    if not committed and not own and not plan.files:
        raise UsageError("there is nothing to adopt", next_step="'memorybank adopt' shows what was found")
    own_path = sources.own_path(environment)
    own_before = own_settings.read(own_path)
    own_after = own_text(own_before, layout, own, layout.relative(own_path)) if own else b""
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
                own_settings.write(own_path, own_after, own_before)
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
    path = os.path.join(layout.root, COMMITTED)
    before = own_settings.read(path)
    data = committed_text(before, committed, layout.relative(path))
    if before is None:
        writer.create(COMMITTED, data)
    else:
        writer.replace(COMMITTED, data, {sha256(before).hexdigest()})


def _declared_again(layout: Layout, made: Adoption, note: UndoneNote, clock: Clock) -> UndoneNote:
    """Remove only the sources of this adoption from a declaration that was changed since. Other files that were changed stay as they are."""
    if note.key != COMMITTED or not isinstance(note.error, Conflict):
        return note
    path = os.path.join(layout.root, COMMITTED)
    try:
        present = own_settings.read(path)
        if present is not None:
            with NoteWriter(layout, changes.COMMAND, clock) as writer:
                writer.replace(COMMITTED, committed_text_without(present, made.names, layout.relative(path)), {_digest(present)})
    except MemorybankError as error:
        return UndoneNote(note.key, error)
    return UndoneNote(note.key)


def _take_back_own(layout: Layout, made: Adoption, path: str) -> UndoneNote:
    """Restore the person's own settings byte for byte if nobody changed them since; otherwise remove only the sources."""
    shown = layout.relative(path)
    try:
        present = own_settings.read(path)
        if present is None:
            return UndoneNote(shown)
        if _digest(present) == made.own_after:
            after = made.own_before.encode() if made.own_before is not None else None
        else:
            after = own_text_without(present, layout, made.own_names, shown)
        if after != present:
            own_settings.write(path, after, present)
    except MemorybankError as error:
        return UndoneNote(shown, error)
    return UndoneNote(shown)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest() if data else ""


def _identifier(now: int, names: Sequence[str]) -> str:
    stamp = "".join(sign for sign in time_of.isoformat(now) if sign.isalnum())
    return f"{stamp}-a{sha256(' '.join(names).encode()).hexdigest()[:5]}"


def committed_text(before: bytes | None, found: Sequence[Discovery], shown: str) -> bytes:
    """Return the text of the bank's declaration with these discoveries added.

    before: the file's present bytes; None if it does not exist
    shown: the file's path for messages
    Raises `ConfigInvalid` when the file cannot be read, `Conflict` when it already declares a source of that name.
    """
    declared = own_settings.parsed(before, shown) or {"version": _VERSION}
    entries = declared.get("sources", [])
    if not isinstance(entries, list):
        raise ConfigInvalid(f"{shown}: sources: expected a list of objects")
    return own_settings.rendered(
        {**declared, "sources": [*entries, *_new(entries, [_entry(each, each.source.key.removeprefix(IN_REPOSITORY)) for each in found])]}
    )


def own_text(before: bytes | None, layout: Layout, found: Sequence[Discovery], shown: str) -> bytes:
    """Return the person's own settings with these discoveries added for this bank. Parameters and errors are those of `committed_text`."""
    settings = own_settings.parsed(before, shown) or {}
    entries = settings.get(OWN_KEY, [])
    if not isinstance(entries, list):
        raise ConfigInvalid(f"{shown}: {OWN_KEY}: expected a list of objects")
    added = [{"bank": layout.local_root, **_entry(each, each.source.root)} for each in found]
    return own_settings.rendered({**settings, OWN_KEY: [*entries, *_new(entries, added)]})


def committed_text_without(before: bytes, names: Collection[str], shown: str) -> bytes:
    """Return the bank's declaration without these sources."""
    declared = own_settings.parsed(before, shown) or {}
    entries = declared.get("sources")
    kept = [each for each in entries if not (isinstance(each, dict) and each.get("name") in names)] if isinstance(entries, list) else entries
    return own_settings.rendered({**declared, "sources": kept})


def own_text_without(before: bytes, layout: Layout, names: Collection[str], shown: str) -> bytes | None:
    """Return the person's own settings without these sources of this bank, or None if nothing else is left in them."""
    settings = own_settings.parsed(before, shown) or {}
    entries = settings.get(OWN_KEY)
    if isinstance(entries, list):
        kept = [each for each in entries if not (isinstance(each, dict) and each.get("bank") == layout.local_root and each.get("name") in names)]
        settings = {name: value for name, value in settings.items() if name != OWN_KEY} if not kept else {**settings, OWN_KEY: kept}
    return own_settings.rendered(settings) if settings else None


def _entry(found: Discovery, path: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": found.source.name, "kind": found.source.kind, "path": path}
    return {**entry, "except": list(found.source.left_out)} if found.source.left_out else entry


def _new(entries: list[Any], added: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return `added`. Raises `Conflict` when the bank already has a source with one of their names, for example after two simultaneous adoptions."""
    taken = {(each.get("bank"), each.get("name")) for each in entries if isinstance(each, dict)}
    for entry in added:
        if (entry.get("bank"), entry["name"]) in taken:
            raise Conflict(f"there is already a source named {entry['name']!r}", next_step="'memorybank list --sources' lists the sources")
    return added

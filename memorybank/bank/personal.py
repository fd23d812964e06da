"""The person's own bank beside the bank of a repository: what a session of this repository is shown of it, switching it off here, and copying into it."""

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memorybank.bank.bank import Bank
from memorybank.config import personal_bank
from memorybank.config.personal_bank import KEY, OFF_IN, RULE_TAGS
from memorybank.cycle.know.learned import FOLDER as LEARNED
from memorybank.cycle.recall.another import BEYOND_BUDGET, PREFIX
from memorybank.cycle.recall.candidates import SESSION_NOTES
from memorybank.editing import own_settings
from memorybank.editing.undo import COPY
from memorybank.editing.write import NoteWriter
from memorybank.errors import MemorybankError, UsageError
from memorybank.index.row import IndexedNote
from memorybank.notes import create, edit, source_files
from memorybank.reasons.reason import Reason, text_of
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, REMEMBER_FOLDER, Layout, is_source_key, project_of

_RULE = "rule:"
_OFF_IN = own_settings.list_of_folders(KEY, OFF_IN)
_SWITCHED_OFF = ("silence.settings", "silence.variable")
"""Codes of the reasons for which a repository shows nothing at the start of a session."""


class PersonalRule(NamedTuple):
    """One rule of the personal bank. reason: why sessions of this repository do not start with it; None when they do, or outside a repository"""

    key: str
    title: str
    reason: Reason | None

    def to_json(self) -> dict[str, object]:
        return {"key": self.key, "title": self.title, "reason": text_of(self.reason) or None}


class PersonalStatus(NamedTuple):
    """The personal bank as one repository sees it.

    folder: its path, with `~` for the home folder
    notes: number of its notes
    repository: whether there is a bank that it could be read beside
    why_off: why nothing of it is shown there, "" when it is read
    rules: the most important first
    """

    folder: str
    notes: int
    repository: bool
    why_off: str
    rules: Sequence[PersonalRule]

    def to_json(self) -> dict[str, Any]:
        is_read = self.repository and not self.why_off
        rules = [{**each.to_json(), "is_shown": is_read and each.reason is None} for each in self.rules]
        return {"bank": self.folder, "notes": self.notes, "is_read_here": is_read, "reason": self.why_off or None, "rules": rules}


class CopiedNote(NamedTuple):
    """A copy in the personal bank. change: id of the change that made it; "" when the very same note was there already"""

    key: str
    change: str


def status(here: Bank | None, own: Bank, environment: Mapping[str, str]) -> PersonalStatus:
    """Return what a session that starts now is shown of the personal bank.

    here: the bank of the working folder; None without one
    own: the personal bank
    """
    notes = own.notes.list()
    folder = personal_bank.as_written(own.layout.root, environment)
    rules = sorted((note for note in notes if not set(RULE_TAGS).isdisjoint(note.tags)), key=_order)
    if here is None or here.layout.root == own.layout.root:
        return PersonalStatus(folder, len(notes), False, "", [PersonalRule(note.key, note.title, None) for note in rules])
    off = why_off(here, own)
    reasons: dict[str, Reason | None] = {}
    if not off:
        found = here.memory.recall(moment="session_start")
        off = "" if found.reason is None or found.reason.code not in _SWITCHED_OFF else text_of(found.reason)
        reasons = {each.memory: next((why for why in each.why if isinstance(why, Reason)), None) for each in found.near}
        reasons |= {each.memory: None for each in found.shown}
    if off:
        reasons = {f"{PREFIX}{note.key}": None for note in rules}
    return PersonalStatus(folder, len(notes), True, off, [_rule_of(note, reasons) for note in rules])


def _order(note: IndexedNote) -> tuple[float, float, int, str]:
    """Return the sort key of a rule, as sessions show them: its rating, 5 without one, then its importance."""
    return (-(5.0 if note.rating is None else note.rating), -note.importance, note.created, note.key)


def _rule_of(note: IndexedNote, reasons: Mapping[str, Reason | None]) -> PersonalRule:
    """Return a rule with the reason why it is not shown. One that recall did not judge is hidden from the agent, or is beyond the rules that are read."""
    hidden = Reason("recall.not_for_reader") if note.acl or note.privacy else BEYOND_BUDGET
    return PersonalRule(note.key, note.title, reasons.get(f"{PREFIX}{note.key}", hidden))


class PersonalPresence(NamedTuple):
    """Whether the personal bank is read beside another one. bank: its path, with `~` for the home folder; why_off: "" when it is read"""

    bank: str
    why_off: str

    def to_json(self) -> dict[str, object]:
        return {"bank": self.bank, "is_read_here": not self.why_off, "reason": self.why_off or None}


def presence(here: Bank, environment: Mapping[str, str]) -> PersonalPresence | None:
    """Return whether the personal bank is read beside a bank; None when there is none, or when it is this very bank."""
    if not personal_bank.is_there(environment):
        return None
    root = personal_bank.existing(environment).root
    if root == here.layout.root:
        return None
    written = personal_bank.as_written(root, environment)
    try:
        return PersonalPresence(written, why_off(here, Bank.open(root, clock=here.clock, read_only=True)))
    except MemorybankError as error:
        return PersonalPresence(written, error.message)


def why_off(here: Bank, own: Bank) -> str:
    """Return why nothing of the personal bank is shown beside another one: a person's settings, those of the repository, or trust; "" when it is read."""
    from memorybank.config import cycle as cycle_settings

    if not cycle_settings.load(here.layout)[0].budgets.personal:
        return "budgets.personal is 0 in config/cycle_config.json of this repository"
    if own.trust.status().state == "waiting":
        return "nobody on this machine has accepted it yet: memorybank --personal trust"
    return personal_bank.why_off(here.layout, os.environ)


def switch_off(folder: str, environment: Mapping[str, str]) -> bool:
    """Show nothing of the personal bank in the banks below a folder. Return False when that was so already.

    Raises `ConfigInvalid` for own settings that cannot be read.
    """
    written = personal_bank.as_written(folder, environment)
    return _OFF_IN.change(environment, lambda listed: listed if personal_bank.first_above(folder, listed, environment) else [*listed, written])


def switch_on(folder: str, environment: Mapping[str, str]) -> bool:
    """Read the personal bank again in the banks below a folder. Return False when it was not switched off there.

    Raises `UsageError` when it is switched off for a folder above this one, `ConfigInvalid` for own settings that cannot be read.
    """

    def without(listed: list[str]) -> list[str]:
        kept = [each for each in listed if personal_bank.place_of(each, environment) != folder]
        above = personal_bank.first_above(folder, kept, environment)
        if above:
            raise UsageError(f"it is switched off in {above}, not only here", next_step=f"memorybank personal on {above}")
        return kept

    return _OFF_IN.change(environment, without)


def project(layout: Layout) -> str:
    """Return the folder for which the personal bank is switched off beside a bank: the repository, else the project."""
    return layout.repository or project_of(layout)


def copy(here: Bank, own: Bank, name: str, *, is_rule: bool = False) -> CopiedNote:
    """Copy a note, or a rule that people stated in sessions (`rule:ID`), into the personal bank. `rotation.undo_change` of that bank takes it back.

    name: a key or a short name of a note, or the id of a rule
    is_rule: whether the copy of a note gets the tag `rule`
    Raises `NotFound`, and `UsageError` for the personal bank itself.
    """
    if here.layout.root == own.layout.root:
        raise UsageError("this is the personal bank already", next_step="run it in a repository, or with --bank DIR")
    key, data = _rule(here, name) if name.startswith(_RULE) else _note(here, name, is_rule)
    stem, count = key.removesuffix(".md"), 1
    with NoteWriter(own.layout, COPY, own.clock) as writer:
        while os.path.lexists(own.layout.note_path(key)):
            if disk.read(own.layout.note_path(key), MAX_NOTE_BYTES) == data:
                return CopiedNote(key, "")
            count += 1
            key = f"{stem}-{count}.md"
        writer.create(f"active/{key}", data)
    with own.folded():  # hooks of the next session find the copy
        pass
    return CopiedNote(key, writer.change)


def _note(here: Bank, name: str, is_rule: bool) -> tuple[str, bytes]:
    note = here.notes.read(here.notes.find(name), record_view=False)
    data = source_files.read(here.layout, note.key, MAX_NOTE_BYTES)
    if is_rule and set(RULE_TAGS).isdisjoint(note.front.tags):
        data = edit.set_front_matter(data, "tags", [*note.front.tags, RULE_TAGS[0]])
    is_made = is_source_key(note.key) or note.key.startswith((f"{LEARNED}/", SESSION_NOTES))
    return (f"{REMEMBER_FOLDER}/{os.path.basename(note.key)}" if is_made else note.key), data


def _rule(here: Bank, name: str) -> tuple[str, bytes]:
    known = here.knowledge.show(name).known
    title = " ".join(known.text.split())
    return f"{REMEMBER_FOLDER}/{create.slug(title)}.md", create.rendered(title, "", (RULE_TAGS[0],), None, None, here.clock.now())

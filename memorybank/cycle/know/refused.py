"""A call that a person stopped or doubted in an earlier session, with their words, until they let it run; and why a file was removed that a call creates
again (ADR 0206)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.know import on_command
from memorybank.cycle.know.called import command_of
from memorybank.cycle.know.search import IS_SEEN
from memorybank.storage import system as os
from memorybank.storage.path_names import join
from memorybank.text.commands import fingerprint, forms, removals
from memorybank.text.commands.paths import relative
from memorybank.text.prompts import refusing
from memorybank.text.prompts.stated import FOR_GOOD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_WRITTEN = "SELECT 1 FROM turn_files f JOIN turns t ON t.id = f.turn WHERE name = ? AND at > ? LIMIT 1"
_TRIED = "SELECT 1 FROM attempts WHERE fingerprint = ? AND tries IS NOT NULL AND session IS NOT ? AND at > ? LIMIT 1"
_RAN = "SELECT f.command FROM forms f JOIN files l ON l.id = f.file WHERE form = ? AND worked AND last_at > ? AND l.session IS NOT ?"
_PERMITTED = f"SELECT text FROM statements WHERE instr(traits, 'permission') AND instr(traits, '{FOR_GOOD}') AND at > ? AND at <= ? AND {IS_SEEN}"
_MOST_CREATED = 6
"""Files of a call that are looked up."""


def said_about(earlier: Earlier, event: Event, root: str, asked: Iterable[str]) -> list[Passage]:
    """Return the last thing that a person said against this call in an earlier session, if they have not let it run since; or [].

    asked: the last prompts. Who asks for what a command does wants it, though not that it gets past a check.
    """
    command, path = command_of(event), event.inputs.get("file_path")
    written = "" if event.tool == "Bash" else relative(path, root, folder=event.cwd) if isinstance(path, str) else ""
    if written and os.path.exists(join(root, written)):
        return []
    keys = refusing.keys(command) if command else [refusing.written(written)] if written else []
    for kept in (f"{prefix}{key}" for key in keys for prefix in (refusing.STOPPED, refusing.DOUBTED)):
        for passage in on_command.kept(earlier, [kept]):
            key = kept.partition(":")[2]
            is_wanted = _was_allowed(earlier, passage, key, command, written) or key in refusing.asked_for(asked, command)
            if not is_wanted and not _was_wanted(earlier, passage, key, command) and earlier.finds(passage):
                passage.refused = kept.replace("= ", "=… ")
                return [passage]
    return []


def _was_allowed(earlier: Earlier, passage: Passage, key: str, command: str, written: str) -> bool:
    """Return whether the same call worked in a later session."""
    connection = earlier.connection
    if written:
        return connection.execute(_WRITTEN, (written, passage.at)).fetchone() is not None
    done = fingerprint.command(command, "")
    if done == key and connection.execute(_TRIED, (done, passage.session, passage.at)).fetchone() is not None:
        return True
    words = set(key.split(" ")) - {"_"}
    ran = (row[0] for form in forms.of_command(command) for row in connection.execute(_RAN, (form, passage.at, passage.session)))
    return any(words <= {part for word in one.split("\n") for part in (word, f"{word.partition('=')[0]}=")} for one in ran)


def _was_wanted(earlier: Earlier, passage: Passage, key: str, command: str) -> bool:
    """Return whether a person asked for what a call does, or allowed it for good, after they had stopped it."""
    from memorybank.cycle.know import by_person  # late, few calls were stopped

    if by_person.is_ordered_since(earlier, [form for form in forms.of_command(command) if key.startswith(form)], passage.at):
        return True
    permitted = earlier.connection.execute(_PERMITTED, (passage.at, earlier.now))
    return any(key in refusing.asked_for([text], command) for (text,) in permitted)


def why_removed(earlier: Earlier, event: Event, root: str, asked: Iterable[str]) -> list[Passage]:
    """Return the last passage that says why a file was removed, or its folder, which a call creates again; or [].

    asked: the last prompts. Who names the file wants it.
    """
    for name in _created(event, root):
        called = removals.spellings(name)
        if any(one in prompt.lower() for prompt in asked for one in called):
            continue
        # A folder that is there again came back.
        gone = [key for key in removals.keys(name) if not os.path.exists(join(root, key.removeprefix(removals.KEY)))]
        found = on_command.kept(earlier, gone)
        # What was written there since came back.
        told = next((one for one in found if earlier.connection.execute(_WRITTEN, (name, one.at)).fetchone() is None and earlier.finds(one)), None)
        if told is not None:
            told.gone = name
            return [told]
    return []


def _created(event: Event, root: str) -> list[str]:
    """Return the files that a call creates, relative to root."""
    command, path = command_of(event), event.inputs.get("file_path")
    if event.tool == "Bash":
        names = [name for name in fingerprint.written_files(command, root, event.cwd) if name not in removals.removed(command)]
    else:
        names = [relative(path, root, folder=event.cwd)] if isinstance(path, str) else []
    return [name for name in names[:_MOST_CREATED] if name and not os.path.exists(join(root, name))]

"""Where a file is that a prompt seeks or a call did not find: what earlier sessions said of its being renamed, moved or removed, in a bank of any size.

And why a file was removed that a call is about to create again (ADR 0206).
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, SAID
from memorybank.cycle.know import search
from memorybank.cycle.know.called import command_of
from memorybank.storage import system as os
from memorybank.storage.path_names import join
from memorybank.text.commands import removals, shell
from memorybank.text.commands.paths import relative
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.moved_files import file_name, sought, tells_where
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from memorybank.cycle.event import Event
    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_MOST_SENTENCES = 6
"""Sentences of a prompt that are read, and files of a call."""
_NOT_FOUND = lazy_pattern(
    r"no such file|not found|(?:does not|doesn['’]t) exist|cannot find|can['’]t open|ENOENT|見つかりません|存在しません"
    r"|(?:ファイル|ディレクトリー?|フォルダー?|パス)[はがも]?ありません",
    "i",
)
_WORD = lazy_pattern(r"[^\s'\"`;|&<>()]+")
_MOST_READ = 400
"""Passages with words of the name that are read, those with the rarest ones first."""


def sought_in(prompt: str) -> list[str]:
    """Return the names of the files that a prompt seeks."""
    return [name for sentence in sentences(prompt)[:_MOST_SENTENCES] for name in sought(sentence)]


def not_found(event: Event, root: str) -> list[str]:
    """Return the names of the files that a failed call names, and that are not there. A command may name others, so the line of its error that says so names
    them too."""
    error, path, folders = event.error or "", event.inputs.get("file_path"), [event.cwd or root]
    if _NOT_FOUND.search(error) is None:
        return []
    named, said = [path] if isinstance(path, str) else [], ""
    if event.tool == "Bash":
        named, said = _WORD.findall(command_of(event)), "\n".join(line for line in error.split("\n") if _NOT_FOUND.search(line))
        folders.append(_changed_to(command_of(event), folders[0]))  # the event may have the folder after the change
    if any(shell.UNKNOWN in folder for folder in folders):
        return []
    there = {file_name(word) for word in named if any(os.path.exists(join(folder, word)) for folder in folders)}
    names = dict.fromkeys(name for word in named if (name := file_name(word)) and name not in there)
    return [name for name in names if event.tool != "Bash" or name in said][:_MOST_SENTENCES]


def _changed_to(command: str, folder: str) -> str:
    """Return the folder to which a command changes at its beginning from the one in which it starts, with UNKNOWN if only the running shell knows it."""
    for part in shell.parts(command):
        if part.words[:1] != ["cd"]:
            break
        to = part.words[-1]
        folder = join(folder, shell.UNKNOWN if to in ("cd", "-") else os.path.expanduser(to))
    return folder


def said_of(earlier: Earlier, names: Iterable[str]) -> list[Passage]:
    """Return the last passage that says where the first of these files is of which one does, rather an answer than a request of the same turn; or []."""
    rarity = earlier.rarity
    for name in names:
        terms = content_terms(name)
        rarity.learn(terms)
        near = map(search.read, earlier.said(earlier.nearest(rarity, terms, _MOST_READ)))
        told = [passage for passage in near if name.lower() in passage.text.lower() and _tells(passage, name)]
        told.sort(key=lambda passage: (passage.at, passage.kind == ANSWER, passage.id), reverse=True)
        found = next((passage for passage in told if earlier.finds(passage) and _tells(passage, name)), None)  # what is over is cut
        if found is not None:
            search.weigh(rarity, set(terms), [found])
            found.rank = found.sum
            return [found]
    return []


def why_removed(earlier: Earlier, event: Event, root: str, asked: Iterable[str]) -> list[Passage]:
    """Return the last passage that says why a file was removed, or its folder, which a call creates again; or [].

    asked: the last prompts. Who names the file wants it.
    """
    for name in _created(event, root):
        called = removals.spellings(name)
        if any(one in prompt.lower() for prompt in asked for one in called):
            continue
        from memorybank.cycle.know import on_command  # late: most calls change what is there

        # A folder that is there again came back.
        gone = [key for key in removals.keys(name) if not os.path.exists(join(root, key.removeprefix(removals.KEY)))]
        found = on_command.kept(earlier, gone)
        # What was written there since came back.
        again = "SELECT 1 FROM turn_files f JOIN turns t ON t.id = f.turn WHERE name = ? AND at > ? LIMIT 1"
        told = next((one for one in found if earlier.connection.execute(again, (name, one.at)).fetchone() is None and earlier.finds(one)), None)
        if told is not None:
            told.gone = name
            return [told]
    return []


def _created(event: Event, root: str) -> list[str]:
    """Return the files that a call creates, relative to root."""
    command, path = command_of(event), event.inputs.get("file_path")
    if event.tool == "Bash":
        from memorybank.text.commands.fingerprint import written_files

        names = [name for name in written_files(command, root, event.cwd) if name not in removals.removed(command)]
    else:
        names = [relative(path, root, folder=event.cwd)] if isinstance(path, str) else []
    return [name for name in names[:_MOST_SENTENCES] if name and not os.path.exists(join(root, name))]


def _tells(passage: Passage, name: str) -> bool:
    is_request = passage.kind == SAID
    return (is_request or passage.kind == ANSWER) and any(tells_where(said, name, is_request=is_request) for said in sentences(passage.text))

"""The text that an agent reads of a recollection: the text from the note's file or the cycle's cache, the source, the date and the reason."""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.claims.marking import names, with_marks
from memorybank.cycle.fold.phrases import ENGLISH, JAPANESE, phrase
from memorybank.cycle.know import learned
from memorybank.cycle.know.marks import mark_of
from memorybank.cycle.recall.candidates import SESSION_NOTES
from memorybank.cycle.recall.query import as_written
from memorybank.cycle.recall.ranking import EPISODE, NOTE, TOPIC
from memorybank.errors import MemorybankError
from memorybank.index.decision_rows import TakenBack, in_text
from memorybank.injection import PERSON, InjectedMemory
from memorybank.reasons.reason import Reason, text_of
from memorybank.storage import disk
from memorybank.storage import system as os
from memorybank.storage.digest import sha256
from memorybank.storage.layout import is_source_key
from memorybank.text import merge_marks
from memorybank.text.prompts.withheld import without_permissions
from memorybank.text.prose import passages
from memorybank.text.prose.excerpt import excerpt, excerpt_of_day

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.base import CycleContext
    from memorybank.cycle.recall.candidates import Sources
    from memorybank.cycle.recall.query import QueryContext
    from memorybank.cycle.recall.ranking import Memory, Recollection
    from memorybank.index.claim_rows import NoteClaim
    from memorybank.index.decision_rows import SupersededStatement
    from memorybank.storage.layout import Layout

MAX_NOTE_BYTES = 1 << 18
"""Maximum size of a note whose text is shown. For a larger one, only the title is shown."""
_REASONS_SHOWN = 6
_SECTION = "\n## "
_PARTS = {
    "same_task": Reason("shown.same_task"),
    "recent_failure": Reason("shown.recent_failure"),
    "success_pattern": Reason("shown.success_pattern"),
    "importance": Reason("shown.importance"),
    "recency": Reason("shown.recency"),
    "role_fit": Reason("shown.role_fit"),
    "outcome": Reason("shown.outcome"),
}
_BEGINNING = 24
"""Number of characters by which a statement is recognised that was cut."""
_PLACEHOLDERS = ("_", "#")
NOTE_MISSING, UNMERGED = Reason("recall.note_missing"), Reason("recall.unmerged")
_RULE = "rule:"
_AROUND = ' "“「>#'
"""Characters before the words of a text."""
_MARKS_OF_QUOTES = dict.fromkeys(map(ord, '"“”「」'))
_VERSION = 8
_STEM = 3
"""Minimum number of characters by which a label is recognised in a word: `retri` is in retry only without its last letter."""


def item(
    recollection: Recollection,
    query: QueryContext,
    sources: Sources,
    base: CycleContext,
    limit: int,
    note: str | None = None,
    superseded: Sequence[SupersededStatement] = (),
) -> InjectedMemory | None:
    """Return what is printed of a memory, with about `limit` characters of its text; None when its note no longer exists, or has both sides of a conflict.

    note: the text of the file (`read`), if it is a note.
    superseded: what later notes replaced of the note.
    """
    memory = recollection.memory
    if memory.kind == NOTE:
        if note is None:
            return None
        words, at = _words(memory, note)
        text = _of_note(memory, note, sources.claims_of(memory.number, base.root), limit, superseded)
        source = f"file {base.layout.published_path(memory.key)}" if is_source_key(memory.key) else f"note {memory.key}"
        return InjectedMemory(memory.memory, text, source, at, _sentences(recollection, query), PERSON if words else memory.author)
    text = excerpt_of_day(memory.text, memory.matched, limit) if memory.kind == EPISODE else passages.excerpt(memory.text, limit)
    text = with_marks(text, [*_marks(sources.claims_in(text, memory.at, base.root), text), *_superseded(text, superseded)])
    why = _sentences(recollection, query) if memory.kind == EPISODE else ()
    return (
        InjectedMemory(memory.memory, text, _source(recollection), memory.at, why, memory.author if memory.kind in (EPISODE, TOPIC) else "") if text else None
    )


def why_nothing(memory: Memory, base: CycleContext) -> Reason:
    """Return why `item` returned None."""
    return UNMERGED if memory.kind == NOTE and os.path.isfile(base.layout.file_path(memory.key)) else NOTE_MISSING


def reasons(recollection: Recollection, query: QueryContext) -> list[str | Reason]:
    """Return the anchors and words that a memory was found by, as a person would write them.

    Without any, as at the start of a session, return the strongest part of its score.
    """
    memory = recollection.memory
    names = [written for anchor in memory.shared if (written := _in_words(anchor))]
    words = [as_written(label, query.text) for label in memory.matched]
    found: list[str | Reason] = [*names, *(word for word in words if not any(word in name for name in names))]
    if found:
        return list(dict.fromkeys(found))[:_REASONS_SHOWN]
    if memory.kind == "rule":
        return [Reason("shown.read_by_model") if memory.made_by else Reason("shown.asked_for")]
    if "same_task" in recollection.parts:
        return [_PARTS["same_task"]]
    parts = sorted(recollection.parts, key=lambda name: (-recollection.parts[name], name))
    return [_PARTS[name] for name in parts[:1] if name in _PARTS]


def _sentences(recollection: Recollection, query: QueryContext) -> list[str]:
    return [text_of(reason) for reason in reasons(recollection, query)]


def _in_words(anchor: str) -> str:
    """Return an anchor in words: a command without placeholders."""
    kind, _, name = anchor.partition(":")
    if kind == "cmd":
        return " ".join(word for word in name.split(" ") if word not in _PLACEHOLDERS)
    return name


def _source(recollection: Recollection) -> str:
    memory = recollection.memory
    if memory.source:
        return memory.source
    if memory.kind == TOPIC:
        return f"topic of {len(memory.sources)} episodes, {memory.sources[0]} to {memory.sources[-1]}; 'memorybank episodes show DATE' prints a day"
    if memory.kind == EPISODE:
        return f"episode of {memory.memory.partition(':')[2]}"
    return "counted in earlier sessions"


def says_more(memory: Memory, note: str, superseded: Sequence[SupersededStatement], limit: int, *, with_title: bool = False) -> bool:
    """Return whether a note would show something that it was found by besides its superseded statements. with_title: whether its title is such a text."""
    said = _excerpt(memory, note, limit)
    rest = said = f"{memory.text}\n{said}" if with_title else said
    for each in superseded:
        rest = rest.replace(statement, " ") if (statement := _stated(rest, each.text)) else rest
    if rest == said:
        return True
    folded = rest.lower()
    return any(label.lower()[: max(_STEM, len(label) - 1)] in folded for label in _labels(memory))


def _stated(said: str, statement: str) -> str:
    """Return the part of an excerpt that a statement is, or the beginning of one that was cut; "" when it is not in there."""
    return in_text(said, statement) or in_text(said, statement[:_BEGINNING].rpartition(" ")[0] or statement[:_BEGINNING])


def _labels(memory: Memory) -> list[str]:
    return [*memory.matched, *(anchor.partition(":")[2].rpartition("/")[2] for anchor in memory.shared)]


def _words(memory: Memory, note: str) -> tuple[str, int]:
    """Return (a person's words, when they said them) of the note of a rule; ("", the instant of the note) of another one."""
    if not learned.memory_of(memory.key).startswith(_RULE):
        return "", memory.at
    said, day = learned.words_in(note)
    at = clock.parse(f"{day}T00:00:00Z") if day else None
    return " / ".join(f'"{words}"' for words in said), memory.at if at is None or not said else at


def _excerpt(memory: Memory, note: str, limit: int) -> str:
    """Return the best part of a note, of that of a rule the person's words."""
    if words := _words(memory, note)[0]:
        return passages.excerpt(words, limit)
    if memory.quoted or not note:
        return memory.quoted
    text = _without_requests(note) if memory.key.startswith(SESSION_NOTES) else note
    return excerpt(text, memory.text, _labels(memory), limit)


def version(note: str) -> str:
    """Return the first digits of the SHA-256 of a note, which change with its text."""
    return sha256(note.encode("utf-8", "replace")).hex()[:_VERSION]


def read(memory: Memory, base: CycleContext) -> str | None:
    """Return the text of a note; "" when it cannot be read, None when it is missing, or has both sides of a conflict that git left in it: nobody knows which
    one holds."""
    try:
        text = data_of(base.layout, memory.key, MAX_NOTE_BYTES).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    except MemorybankError:
        return "" if os.path.isfile(base.layout.file_path(memory.key)) else None
    return None if merge_marks.line_of(text, is_note=True) else text


def data_of(layout: Layout, key: str, limit: int) -> bytes:
    """Return the bytes of a note, or of a file of a source. limit: their maximum number. Errors are those of `disk.read`."""
    if is_source_key(key):
        from memorybank.notes import source_files  # late: most notes are files of the bank

        return source_files.read(layout, key, limit)
    return disk.read(layout.file_path(key), limit)


def _without_requests(session_note: str) -> str:
    """Return the text without its sections of requests, which have most words in common with the next request and answer nothing, and without permissions."""
    requests, decisions = ([phrase(name, language) for language in (ENGLISH, JAPANESE)] for name in ("goals", "decisions"))
    headed = ((part.partition("\n")[0].strip(), part) for part in session_note.split(_SECTION))
    return _SECTION.join(without_permissions(part, is_typed=heading in decisions) for heading, part in headed if heading not in requests)


def _of_note(memory: Memory, note: str, claims: Iterable[NoteClaim], limit: int, superseded: Sequence[SupersededStatement]) -> str:
    """Return the title and the best part, with superseded statements and outdated claims marked."""
    title = without_permissions(memory.text, is_typed=True) if memory.key.startswith(SESSION_NOTES) else memory.text
    said = _excerpt(memory, note, limit)
    whole = f"{title}\n{said}"
    marks = _marks(claims, said or title)
    entire = [mark_of(each.reason, whole) for each in superseded if each.is_entire]
    for each in superseded if not entire else ():
        statement = _stated(said, each.text) or (_stated(title, each.text) if isinstance(each, TakenBack) else "")
        marks += [(statement, mark_of(each.reason, statement))] if statement else []
    if not said or not title or _is_repeated(title, said):
        return with_marks(said or title, marks) + "".join(f" ({mark})" for mark in entire)
    # Under a title that names it, the mark follows the first statement.
    unnamed = [f" ({mark})" for subject, mark in marks if names(title, subject) and not names(said, subject)]
    return f"{title.rstrip('.。:：')}{''.join(f' ({mark})' for mark in entire)}{''.join(unnamed)}: {with_marks(said, marks)}"


def marked(text: str, superseded: Sequence[SupersededStatement]) -> str:
    """Return a text with the superseded statements in it marked."""
    return with_marks(text, _superseded(text, superseded))


def _superseded(text: str, superseded: Sequence[SupersededStatement]) -> list[tuple[str, str]]:
    return [(statement, mark_of(each.reason, statement)) for each in superseded if (statement := _stated(text, each.text))]


def _is_repeated(title: str, said: str) -> bool:
    """Return whether the text of a note begins with its title, or is the title."""
    begin = title.rstrip(" .。:：…")
    return said.lstrip(_AROUND).startswith(begin) and bool(begin)


def contains(text: str, other: str) -> bool:
    """Return whether a text contains another one: their `bare` forms count."""
    return bare(other) in bare(text)


def bare(text: str) -> str:
    """Return a text without what makes no difference: quotation marks, case, white space, and the sign at its end."""
    return " ".join(text.translate(_MARKS_OF_QUOTES).casefold().split()).strip(" .。!！")


def _marks(claims: Iterable[NoteClaim], text: str) -> list[tuple[str, str]]:
    """Return (subject, what to say about it) of the untrue ones."""
    return [(each.claim.subject, mark_of(each.reason, text)) for each in claims if each.is_untrue]

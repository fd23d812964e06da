"""Sentences of the notes of people that say how it is done here, at the call that they are about.

A command that commits, pushes, releases, deploys, tests or migrates: how this is to be done. A file that is read or changed: what is ordered about the things
that its name, or what an edit adds, is about ("Money is integer cents everywhere" at `price.ts`). A search: the line of a glossary that explains the word that
is searched for. At a prompt that asks to release or deploy something: all such sentences of the note, because when and by whom it may be done must be known
before the work begins.

The index knows which notes have such a sentence, so that no file is read for other calls, or where there is none.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle import event as events
from memorybank.cycle.know.called import command_of, forms_with_inner
from memorybank.cycle.recall import candidates
from memorybank.index import people, queries
from memorybank.index.anchors import DOES, FOR, MEANS
from memorybank.index.schema import VERSION
from memorybank.storage import database
from memorybank.storage.answering import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Collection, Iterator, Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading
    from memorybank.storage.layout import Layout

_SIGNS = ("commit", "push", "releas", "publish", "deploy", "test", "migrat", "db:", "revision", "jest", "phpunit", "spec", "tox", "nox", "mocha", "ava")
"""One of these is in every command that `text.prompts.conventions` knows."""
_LONGEST = 420
"""Characters of the sentences that are shown at a request."""
_MOST_READ = 8
"""Notes that are read, the most important first."""
_MOST_WITH_IT, _MOST_SOUGHT = 3, 3
"""Notes that may order something about a thing, and terms of a search for a word that a glossary explains: more are about other things."""
_LEAST = 4
"""Letters of a term by which an edit is about a thing."""
_NOTHING: Collection[str] = ()
_SYNTAX = frozenset(
    str.split("""export import async await yield static public privat enum interfac type struct trait modul packag namespac throw catch return const lambda
    self void class function method extend implement overrid abstract final raise except""")
)
"""Terms that most code contains."""


def at_call(reading: Reading, event: Event) -> Sequence[Memory]:
    """Return the note with the first such sentence that a call does not follow already and that the context was not shown, at most one."""
    command = command_of(event) if event.tool == "Bash" else ""
    is_action = any(sign in command for sign in _SIGNS)
    found = next(_on_command(reading, event, command) if is_action else _on_things(reading, event), None)
    return [found] if found is not None else []


def may_concern(layout: Layout, event: Event, root: str) -> bool:
    """Return whether a note may say something about what a call reads or searches for. Much cheaper than asking for it."""
    connection = database.open_reading(layout.database, VERSION)
    if connection is None:
        return False
    try:
        return bool(answer(connection, _NOTHING, lambda index: _anchors(index, event, root)))
    finally:
        connection.close()


def at_request(reading: Reading) -> Sequence[Memory]:
    """Return the note that says most about how something is released or deployed, if a prompt asks for that, at most one."""
    from memorybank.text.prompts.releasing import asks_to_release  # late, as the next ones: a call is asked otherwise
    from memorybank.text.prompts.sentences import sentences

    if not any(map(asks_to_release, sentences(reading.query.text))):
        return ()
    from memorybank.index.anchors import DOES
    from memorybank.text.prompts.conventions import DEPLOY, RELEASE, of_note
    from memorybank.text.prose.excerpt import without_front_matter

    found: list[tuple[int, Memory]] = []
    for memory in _with_anchors(reading, [DOES + RELEASE, DOES + DEPLOY]):
        said = list(dict.fromkeys(one for action, one in of_note(without_front_matter(reading.note(memory) or "")) if action in (RELEASE, DEPLOY)))
        if said:
            kept = [one for number, one in enumerate(said) if len("\n".join(said[: number + 1])) <= _LONGEST] or said[:1]
            memory.quoted, memory.shared = "\n".join(kept), [DOES + RELEASE]
            found += [(len(said), memory)] if not reading.was_shown(memory) else []
    return [max(found, key=lambda one: one[0])[1]] if found else ()


def _on_command(reading: Reading, event: Event, command: str) -> Iterator[Memory]:
    from memorybank.text.commands.actions import of_forms  # late, as the next ones: most calls do none of this
    from memorybank.text.prompts import conventions
    from memorybank.text.prose.excerpt import without_front_matter

    called = forms_with_inner(event)
    wanted = conventions.of_call(called, of_forms(called))
    for memory in _with_anchors(reading, [DOES + action for action in wanted]):
        for action, sentence in conventions.of_note(without_front_matter(reading.note(memory) or "")):
            if action in wanted and not conventions.is_followed(sentence, command, reading.tail):
                memory.quoted, memory.shared = sentence, [DOES + action]
                if not reading.was_shown(memory):
                    yield memory


def _on_things(reading: Reading, event: Event) -> Iterator[Memory]:
    anchors = answer(reading.sources.index, _NOTHING, lambda index: _anchors(index, event, reading.base.root))
    if not anchors:
        return
    from memorybank.text.prompts import things  # late, as the next one: most calls are about none of this
    from memorybank.text.prose.excerpt import without_front_matter

    added = _added(event)
    for memory in _with_anchors(reading, [anchor for anchor in anchors if _is_specific(reading, anchor)]):
        note = without_front_matter(reading.note(memory) or "")
        ordered = [(next((term for term in terms if FOR + term in anchors), ""), sentence) for terms, sentence in things.of_note(note)]
        explained = [(word if MEANS + word in anchors else "", line) for word, line in things.defined_in(note)]
        for term, sentence in (*ordered, *explained):
            if term and not things.is_followed(sentence, term, added):
                memory.quoted, memory.shared = sentence, [FOR + term.lstrip("=")]
                if not reading.was_shown(memory):
                    yield memory


def _is_specific(reading: Reading, anchor: str) -> bool:
    nothing: list[int] = []
    return len(answer(reading.sources.index, nothing, lambda index: queries.seen_with_anchor(index, anchor, _MOST_WITH_IT + 1))) <= _MOST_WITH_IT


def _anchors(connection: Connection, event: Event, root: str) -> Collection[str]:
    """Return the anchors of things and words that a call is about, those of the file's name first."""
    if event.tool == "Bash" or event.tool in events.SEARCHES:
        return _sought(connection, event)
    from memorybank.text.commands.paths import OUTSIDE, relative  # late, as the next ones: most calls are commands
    from memorybank.text.words.terms import content_terms

    path = event.inputs.get("file_path")
    file = relative(path, root, folder=event.cwd) if isinstance(path, str) and (event.tool == events.READ or event.tool in events.EDITS) else ""
    known = people.anchors_of_kind(connection, FOR) if file and not file.startswith(("~", OUTSIDE)) else set()
    if not known:
        return ()
    *folders, name = file.split("/")
    named = content_terms(name.partition(".")[0])
    above = set(content_terms(" ".join(folders))).difference(content_terms(root.rpartition("/")[2]))  # a package is called as its project
    found = dict.fromkeys(FOR + term for term in (*named, *sorted(above), *(f"={term}" for term in named[:1] if len(named) == 1)))
    found.update(dict.fromkeys(FOR + term for term in _added(event) if len(term) >= _LEAST and term not in _SYNTAX))
    return [anchor for anchor in found if anchor in known]


def _sought(connection: Connection, event: Event) -> Collection[str]:
    """Return the anchors of the words of a glossary that a search is for."""
    known = people.anchors_of_kind(connection, MEANS) if event.tool != "Bash" or "grep" in command_of(event) or "rg " in command_of(event) else set()
    if not known:
        return ()
    from memorybank.text.commands import searches  # late, as the next one: few banks have a glossary
    from memorybank.text.words.terms import content_terms

    search = searches.of_call(event.tool, event.inputs)
    sought = [content_terms(one) for one in (search.alternatives if search is not None else ())]
    words = [term for terms in sought if len(terms) <= _MOST_SOUGHT for term in (*terms, " ".join(terms))]
    return [anchor for word in dict.fromkeys(words) if (anchor := MEANS + word) in known]


def _added(event: Event) -> Collection[str]:
    """Return the terms that an edit adds to code."""
    if event.tool not in events.EDITS:
        return ()
    from memorybank.cycle.know import inputs  # late, as the next one: most calls read
    from memorybank.text.words.terms import content_terms

    brought = inputs.of_call(event)
    return content_terms(" ".join(sorted(brought.words))) if brought is not None else ()


def _with_anchors(reading: Reading, anchors: Sequence[str]) -> Sequence[Memory]:
    """Return the notes with one of these anchors, the most important first."""
    return candidates.with_anchors(reading.sources, reading.reader, anchors)[:_MOST_READ] if anchors else ()

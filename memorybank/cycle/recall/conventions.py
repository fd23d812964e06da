"""A command that commits, pushes, releases, deploys, tests or migrates: the sentence of a note of people that says how this is to be done. At a prompt that
asks to release or deploy something, all such sentences of the note: when and by whom it may be done must be known before the work begins.

The index knows which notes have such a sentence, so that no file is read for other commands, or where there is none.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.recall import candidates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.cycle.event import Event
    from memorybank.cycle.recall.ranking import Memory
    from memorybank.cycle.recall.reading import Reading

_SIGNS = ("commit", "push", "releas", "publish", "deploy", "test", "migrat", "db:", "revision", "jest", "phpunit", "spec", "tox", "nox", "mocha", "ava")
"""One of these is in every command that `text.prompts.conventions` knows."""
_LONGEST = 420
"""Characters of the sentences that are shown at a request."""
_MOST_READ = 8
"""Notes that are read, the most important first."""


def at_call(reading: Reading, event: Event) -> Sequence[Memory]:
    """Return the note with the first such sentence that a command does not follow already, at most one; notes that the context was shown are left out."""
    from memorybank.cycle.know.called import command_of, forms_with_inner  # late, as the next ones: prompts call nothing

    command = command_of(event) if event.tool == "Bash" else ""
    if not any(sign in command for sign in _SIGNS):
        return ()
    from memorybank.index.anchors import DOES
    from memorybank.text.commands.actions import of_forms
    from memorybank.text.prompts import conventions
    from memorybank.text.prose.excerpt import without_front_matter

    called = forms_with_inner(event)
    wanted = conventions.of_call(called, of_forms(called))
    for memory in _unseen(reading, wanted):
        for action, sentence in conventions.of_note(without_front_matter(reading.note(memory) or "")):
            if action in wanted and not conventions.is_followed(sentence, command, reading.tail):
                memory.quoted, memory.shared = sentence, [DOES + action]
                return [memory]
    return ()


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
    for memory in _unseen(reading, (RELEASE, DEPLOY)):
        said = list(dict.fromkeys(one for action, one in of_note(without_front_matter(reading.note(memory) or "")) if action in (RELEASE, DEPLOY)))
        if said:
            kept = [one for number, one in enumerate(said) if len("\n".join(said[: number + 1])) <= _LONGEST] or said[:1]
            memory.quoted, memory.shared = "\n".join(kept), [DOES + RELEASE]
            found.append((len(said), memory))
    return [max(found, key=lambda one: one[0])[1]] if found else ()


def _unseen(reading: Reading, actions: Sequence[str]) -> Sequence[Memory]:
    """Return the notes with such a sentence that the context was not shown, the most important first."""
    from memorybank.index.anchors import DOES

    found = candidates.with_anchors(reading.sources, reading.reader, [DOES + action for action in actions]) if actions else []
    return [memory for memory in found if memory.memory not in reading.context.shown][:_MOST_READ]

"""Keeps which commands an answer is about that says how they must be run: "the e2e tests only work with `--profile e2e`".

What says why a package was replaced, or a file removed, is about the call that brings it again (ADR 0206).

A text that names two ports is about commands that use the other one than the turn did. An option belongs to the commands of the turn that had it. A
command must have run in the session, because answers also name commands for others.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import ANSWER, PASTED, REMARK, SAID
from memorybank.text.commands import packages, ports, removals
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prose import advice
from memorybank.text.words.code_names import contains

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Iterator, Sequence

    Advice = tuple[str, str, str]
    """(form or program, what a call must lack, things that it must name one of); the last two separated by spaces."""

_QUOTED = "`"
_REPLACES = lazy_pattern(r"\b(?:replac|migrat|switch|mov|remov|dropp|swapp)\w*|置き?換|移行|切り?替|やめ|削除|外し", "i")
_LED = f"SELECT 1 FROM passages WHERE file = ? AND kind = '{PASTED}' AND turn = ? LIMIT 1"
"""Whether an error led to what a turn did."""
_RAN = """SELECT command, ifnull(fingerprint, '') FROM turn_commands c LEFT JOIN events e ON e.file = ? AND e.offset = c.offset WHERE turn = ?
    ORDER BY c.offset"""
_CONTRAST = 2
_TURNS = 2
"""Turns before the end of one in which it may have been said why it removed something: what was proposed in the first is done in the second."""


def note(connection: Connection, file: int, turn: int | None, said: Iterable[tuple[int, str]]) -> None:
    """Keep what these passages say about commands. said: (row, text)."""
    for name, passage in _of_packages(connection, file, turn, said := list(said)):
        connection.execute("INSERT OR IGNORE INTO advice VALUES (?, ?, '', '')", (f"{packages.KEY}{name}", passage))
    for name, passage in _of_files(connection, file, turn):
        connection.execute("INSERT OR IGNORE INTO advice VALUES (?, ?, '', '')", (f"{removals.KEY}{name}", passage))
    for passage, text in said:
        others = _other_ports(connection, turn, text)
        if _QUOTED not in text and not others:
            continue
        for port in others:
            connection.execute("INSERT OR IGNORE INTO advice VALUES (?, ?, '', '')", (ports.as_word(port), passage))
        for sentence in sentences(text):
            for form, lacks, names in _about(connection, file, turn, sentence):
                connection.execute("INSERT OR IGNORE INTO advice VALUES (?, ?, ?, ?)", (form, passage, lacks, names))


def _of_packages(connection: Connection, file: int, turn: int | None, said: Sequence[tuple[int, str]]) -> Iterator[tuple[str, int]]:
    """Yield the packages that a turn removed, with the passages that give the reason; where an error led to it, with the one that says what was done."""
    for (command,) in connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset", (turn,)).fetchall():
        for name in set(packages.removed(command)).difference(packages.brought(command)):  # else it is installed anew
            from memorybank.summarize.findings import decides  # late: few turns remove a package

            about = [(passage, text) for passage, text in said if contains(text.lower(), name)]
            reasons = [(name, passage) for passage, text in about if decides(text)]
            led = None if reasons else connection.execute(_LED, (file, turn)).fetchone()
            replaced = [(name, passage) for passage, text in about if _REPLACES.search(text)][:1] if led is not None else []
            yield from reasons or replaced or _asked(connection, turn, name)


def _asked(connection: Connection, turn: int | None, name: str) -> list[tuple[str, int]]:
    """Return what the person said against a package in the prompt of a turn that removed it."""
    rows = connection.execute(f"SELECT id, text FROM passages WHERE turn = ? AND kind = '{SAID}' ORDER BY id", (turn,)).fetchall()
    return [(name, row) for row, text in rows if removals.says_why(sentences(text), [name], is_request=True)][:1]


def _of_files(connection: Connection, file: int, turn: int | None) -> Iterator[tuple[str, int]]:
    """Yield the files and folders that a turn removed, each with the passage that says why: what gives a reason, or else what the person asked.

    Why an agent removes what it wrote itself in this session is about its own attempt.
    """
    gone: dict[str, None] = {}
    for command, fingerprint in connection.execute(_RAN, (file, turn)).fetchall():
        gone.update(dict.fromkeys(removals.removed_as(command, fingerprint)))
        for name in removals.restored(fingerprint):
            gone.pop(name, None)
    if not gone:
        return
    made = "SELECT name FROM turn_files JOIN turns ON id = turn WHERE file = ?"
    own = {name for (name,) in connection.execute(made, (file,))}
    turns = f"SELECT id FROM turns WHERE file = ?1 AND offset <= (SELECT offset FROM turns WHERE id = ?2) ORDER BY offset DESC LIMIT {_TURNS}"
    asked = f"SELECT id, kind, text FROM passages WHERE turn IN ({turns}) AND kind IN ('{SAID}', '{ANSWER}', '{REMARK}') ORDER BY kind = '{SAID}', id DESC"
    rows = connection.execute(asked, (file, turn)).fetchall()
    for name in gone:
        names = removals.spellings(name)
        telling = (row for row in rows if row[1] == SAID or name not in own)
        about = (row for row, kind, text in telling if removals.says_why(sentences(text), names, is_request=kind == SAID))
        found = next(about, None)
        if found is not None:
            yield name, found


def _other_ports(connection: Connection, turn: int | None, text: str) -> list[str]:
    """Return the ports that a text names besides the one that the last command of the turn with one of them used."""
    if len(ports.named(text)) < _CONTRAST:
        return []
    commands = connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset DESC", (turn,))
    return next((others for (command,) in commands if (others := ports.others(text, command))), [])


def _about(connection: Connection, file: int, turn: int | None, sentence: str) -> Iterator[Advice]:
    failing, needed = advice.failing(sentence), advice.needed(sentence)
    if not (failing or needed):
        return
    from memorybank.text.commands import forms  # late: few sentences of an answer say how a command must be run

    for code in failing:
        program = "" if " " in code else code
        if program and connection.execute("SELECT 1 FROM forms WHERE file = ? AND (form = ? OR form GLOB ?)", (file, program, f"{program} *")).fetchone():
            yield program, "", ""
        yield from ((form, "", "") for form in forms.of_command(code) if " " in form and _ran(connection, file, form))
    for code in needed:
        if code.startswith("-") or advice.sets_variable(code):
            yield from _with_option(connection, turn, code.partition(" ")[0].partition("=")[0], code)
            continue
        for form, words in forms.parts(code):
            lacks = advice.special(words) if _ran(connection, file, form) else []
            if lacks:
                yield form, " ".join(lacks), ""


def _ran(connection: Connection, file: int, form: str) -> bool:
    return connection.execute("SELECT 1 FROM forms WHERE form = ? AND file = ?", (form, file)).fetchone() is not None


def _with_option(connection: Connection, turn: int | None, option: str, code: str) -> Iterator[Advice]:
    """Yield the commands of a turn that had an option or a variable, with what they were about."""
    for (command,) in connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset", (turn,)):
        if option not in command:
            continue
        from memorybank.text.commands import forms

        for form, words in forms.parts(command):
            if advice.sets_variable(code) or any(word.partition("=")[0] == option for word in words):
                yield (
                    forms.purpose(form) if advice.sets_variable(code) else form,
                    option,
                    " ".join(name for name in forms.things(form, words) if name not in code.split()),
                )

"""Finds what a person said about a command right after it ran, and what then ran in its place: "flake8 is not configured here. It's ruff check."

No list of phrases contains every way to say this, but what follows shows it: the agent runs something that the prompt names and that the turn before
did not contain. The prompt is kept as a correction of the earlier command. One-off instructions ("now run the linter") are left out: the prompt has
to name what it replaces, or a folder that the turn before edited, or contain a word that weighs one way against another.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.groups import scope
from memorybank.text import forms
from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import joined, sentences
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from memorybank.cycle.fold.recorded import LogEvent

_MOST_COMMANDS = 40
"""Maximum number of commands of one turn that are kept for comparison, the first ones."""
_FIRST = 4
"""Number of commands of a turn that may show what its prompt asked for."""
_LONGEST_COMMAND = 300
_LONGEST_SAYING = 240
_LEAST_TERMS = 2
"""Minimum number of content terms of a sentence around a correction that is kept with it."""
_PLACE = 100
"""The place of such a correction among the statements of its prompt: after all others."""
_STANCE = lazy_pattern(
    r"\b(?:not|never|no longer|cannot|always|only|instead|rather|before|after|first|must|should|has to|have to|had to|stop|wrong|gone|removed"
    r"|broken|closed"
    r"|deprecated|obsolete|outdated|from (?:now|today|here)|these days|nowadays|any ?more|switched|moved|replaced|forget|every|each|whenever"
    r"|otherwise|prefer"
    r"|remember|again|the right (?:way|one|command))\b|n['’]t\b"
    r"|ない|なく|ません|ずに|やめ|代わり|必ず|いつも|毎回|常に|前に|後に|後は|先に|今後|これから|から(?:は|のみ)|だけ|のみ|専用|廃止|べき"
    r"|こと[。！!]?$|違|もう|正しく",
    "i",
)
_ASKS = lazy_pattern(r"[?？]\W*$")


def note(connection: Connection, file: int, line: LogEvent) -> None:
    """Keep a command that worked for comparison with the turns around it, and keep the prompt of its turn if that corrected the turn before."""
    turns = connection.execute(
        "SELECT id, offset, at, cell FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 2", (file, line.offset)
    ).fetchall()
    command = line.text("command")[:_LONGEST_COMMAND]
    if not turns or turns[0][3] != line.cell.name or not forms.of_command(command):
        return
    (number,) = connection.execute("SELECT count(*) FROM turn_commands WHERE turn = ?", (turns[0][0],)).fetchone()
    if number < _MOST_COMMANDS:
        connection.execute("INSERT OR IGNORE INTO turn_commands VALUES (?, ?, ?)", (turns[0][0], line.offset, command))
    if number < _FIRST and len(turns) > 1 and turns[1][3] == line.cell.name:
        _compare(connection, file, line, command, turns[0][:3], turns[1][0])


def forget(connection: Connection, file: int, offset: int) -> None:
    """Delete the commands of the turns before the one that ended at an offset."""
    connection.execute(
        "DELETE FROM turn_commands WHERE turn IN (SELECT id FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 4 OFFSET 1)", (file, offset)
    )


def _compare(connection: Connection, file: int, line: LogEvent, command: str, turn: tuple[int, int, int], before: int) -> None:
    row = connection.execute("SELECT prompt FROM contexts WHERE session = ? AND agent = ?", (line.session, line.agent)).fetchone()
    prompt = str(row[0] or "") if row is not None else ""
    lowered = prompt.lower()
    if not any(name in lowered for name in forms.names_of(command)):  # cheap, and nearly always the end
        return
    from memorybank.text.typed import typed

    said = [sentence for sentence in sentences(typed(prompt)) if not _ASKS.search(sentence)]
    earlier = [row[0] for row in connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset", (before,))]
    known = {name for one in earlier for name in forms.names_of(one)}
    for place, sentence in enumerate(said):
        # The names distinguish `mypy --strict` from another option of the same form.
        found = [(form, names - known) for form, names in forms.parts_named_in(sentence, command) if names - known]
        wanted = [word for form, names in found for word in (forms.purpose(form), *sorted(names))]
        if wanted:
            saying = _around(said, place)
            own = forms.names_of(command)
            replaced = [forms.purpose(form) for one in earlier for form, names in forms.parts_named_in(saying, one) if names - own]
            is_about_edits = _names_edited(connection, before, saying)
            if not replaced and not is_about_edits and _STANCE.search(saying):
                replaced = [forms.purpose(form) for one in earlier[-1:] for form in forms.of_command(one)[-1:]]
            if replaced or is_about_edits:
                _keep(connection, file, line, turn, saying, replaced, wanted)
            return


def _names_edited(connection: Connection, turn: int, saying: str) -> bool:
    """Return whether the saying names a folder of a file that was edited in a turn."""
    return any(forms.names_folder_of(saying, name) for (name,) in connection.execute("SELECT name FROM turn_files WHERE turn = ?", (turn,)))


def _around(said: list[str], place: int) -> str:
    """Return a sentence with those around it that say something, the earlier ones first, as far as they fit."""
    from memorybank.text.statements import subject

    begin, end = place, place + 1
    while begin and len(joined(said[begin - 1 : end])) <= _LONGEST_SAYING:
        begin -= 1
    while end < len(said) and len(joined(said[begin : end + 1])) <= _LONGEST_SAYING:
        end += 1
    # "No, not like that." and "Please redo." say nothing to somebody who reads them later.
    while begin < place and len(subject(said[begin]).split()) < _LEAST_TERMS:
        begin += 1
    while end > place + 1 and len(subject(said[end - 1]).split()) < _LEAST_TERMS:
        end -= 1
    return joined(said[begin:end])


def _keep(connection: Connection, file: int, line: LogEvent, turn: tuple[int, int, int], saying: str, replaced: list[str], wanted: list[str]) -> None:
    """Store the correction; if the prompt contains a lasting statement about the command, add to that one which commands it is about."""
    from memorybank.text.stated import CORRECTION, EXPECTATION
    from memorybank.text.statements import subject

    _, offset, at = turn
    rows = connection.execute(
        "SELECT id, text, replaced, wanted FROM statements WHERE file = ? AND offset = ? AND kind <> ?", (file, offset, EXPECTATION)
    ).fetchall()
    known = [row for row in rows if row[1] in saying or saying in row[1]]
    for number, text, old, new in known:
        # Half of what was said ("Our pages must not be public.") would not say what to do about the command.
        whole = saying if text in saying else text
        values = (whole, " ".join(content_terms(whole)), _joined(old, replaced), _joined(new, wanted), number)
        connection.execute("UPDATE statements SET text = ?, terms = ?, replaced = ?, wanted = ? WHERE id = ?", values)
    if known:
        return
    row = {
        "file": file,
        "offset": offset,
        "place": _PLACE,
        "at": at,
        "kind": CORRECTION,
        "subject": subject(saying) or wanted[0],
        "text": saying,
        "terms": " ".join(content_terms(saying)),
        "replaced": _joined("", replaced),
        "wanted": _joined("", wanted),
        **scope(line),
    }
    connection.execute(f"INSERT OR IGNORE INTO statements ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))


def _joined(old: str, more: list[str]) -> str:
    return "\n".join(dict.fromkeys((*filter(None, old.split("\n")), *more)))

"""Finds what a person said about a command right after it ran, and what then ran in its place: "flake8 is not configured here. It's ruff check."

No list of phrases contains every way to say this, but what follows shows it: the agent runs something that the prompt names and that the turn before
did not contain. The prompt is kept as a correction of the earlier command. One-off instructions ("now run the linter") are left out: the prompt has
to name what it replaces, or a folder that the turn before edited, or contain a word that weighs one way against another.

A prompt need not name the command either: "one line, no trailer" is about the commit before it if the agent, before it changes anything else, commits
again. In the same way "commit and open a PR. Why, What, Risk" is about `gh pr create`, the last thing that it asks for.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.event import SUCCESS
from memorybank.cycle.fold import cache
from memorybank.text import forms, ports
from memorybank.text.objects import forbids, limits, objects
from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import joined, sentences
from memorybank.text.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence

    from memorybank.cycle.fold.recorded import LogEvent

_MOST_COMMANDS = 40
"""Maximum number of commands of one turn that are kept for comparison, the first ones."""
_FIRST = 4
"""Number of commands of a turn that may show what its prompt asked for."""
_LONGEST_COMMAND = 300
_LONGEST_SAYING = 240
_LEAST_TERMS = 2
"""Minimum number of content terms of a sentence around a correction that is kept with it."""
_LONGEST_REQUEST = 60
"""A longer sentence asks for more than commands."""
_STAGES = "git add"
_WORD = lazy_pattern(r"[\w-]+")
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
    """Keep a command that worked for comparison with the turns around it, and the prompt of its turn if that corrected the turn before or names its port."""
    turns = connection.execute(
        "SELECT id, offset, at, cell FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 2", (file, line.offset)
    ).fetchall()
    command = line.text("command")[:_LONGEST_COMMAND]
    if not turns or turns[0][3] != line.cell.name or not forms.of_command(command):
        return
    # A command that reads an answer from a port (`curl … | grep`) tells little about its own success.
    is_about_ports = bool(ports.used(command)) and _keep_ports(connection, file, line, turns[0][:3], command)
    if line.status != SUCCESS:
        return
    (number,) = connection.execute("SELECT count(*) FROM turn_commands WHERE turn = ?", (turns[0][0],)).fetchone()
    if number < _MOST_COMMANDS:
        connection.execute("INSERT OR IGNORE INTO turn_commands VALUES (?, ?, ?)", (turns[0][0], line.offset, command))
    if number < _FIRST and len(turns) > 1 and turns[1][3] == line.cell.name and not is_about_ports:
        _compare(connection, file, line, command, turns[0][:3], turns[1][0], is_first=number == 0)
    _note_asked(connection, file, turns[0][1], command, line)


def forget(connection: Connection, file: int, offset: int) -> None:
    """Delete the commands of the turns before the one that ended at an offset."""
    connection.execute(
        "DELETE FROM turn_commands WHERE turn IN (SELECT id FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 4 OFFSET 1)", (file, offset)
    )


def _prompt(connection: Connection, line: LogEvent) -> str:
    row = connection.execute("SELECT prompt FROM contexts WHERE session = ? AND agent = ?", (line.session, line.agent)).fetchone()
    return str(row[0] or "") if row is not None else ""


def _compare(connection: Connection, file: int, line: LogEvent, command: str, turn: tuple[int, int, int], before: int, *, is_first: bool) -> None:
    prompt = _prompt(connection, line)
    lowered = prompt.lower()
    if not any(name in lowered for name in forms.names_of(command)):  # cheap, and nearly always the end
        if is_first and (repeated := _repeated(connection, turn[0], before, command, lowered)):
            _add_about(connection, file, line, turn, prompt, repeated)
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
                # Without a name, what ran last is meant; with one ("uv, not pip"), only what it names.
                last = [forms.purpose(form) for one in earlier[-1:] for form in forms.of_command(one)[-1:]]
                replaced = _programs(forms.replaced_in(saying)) or last
            if replaced or is_about_edits:
                _keep(connection, file, line, turn, saying, replaced, wanted)
            return


def _repeated(connection: Connection, turn: int, before: int, command: str, prompt: str) -> list[str]:
    """Return the purposes of a command that the turn before ended with and that the prompt does not ask for, unless something was edited in between."""
    if connection.execute("SELECT 1 FROM turn_files WHERE turn = ? LIMIT 1", (turn,)).fetchone():
        return []
    last = connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset DESC LIMIT 1", (before,)).fetchone()
    both = [form for form in forms.of_command(command) if form != _STAGES and last is not None and form in forms.of_command(last[0])]
    words = set(_WORD.findall(prompt))
    return [forms.purpose(form) for form in both if forms.action(form) and words.isdisjoint((forms.action(form), form.rpartition(" ")[2]))]


def _note_asked(connection: Connection, file: int, offset: int, command: str, line: LogEvent) -> None:
    """Keep that a statement is about a command which the sentence before it, or its own beginning, asks for last."""
    actions = {forms.action(form): forms.purpose(form) for form in forms.of_command(command) if forms.action(form) and form != _STAGES}
    rows = connection.execute(
        "SELECT id, text, about FROM statements WHERE file = ? AND offset = ? AND kind <> 'expectation' AND place < ?", (file, offset, _PLACE)
    ).fetchall()
    if not rows or not actions:
        return
    said = sentences(_prompt(connection, line))
    for number, text, about in rows:
        place = next((place for place, sentence in enumerate(said) if text in sentence), 0)
        request = said[place - 1].lower() if place else ""
        if not request or len(request) > _LONGEST_REQUEST or limits(request):
            continue
        known = {forms.action(form): form for form in about.split("\n") if form}
        named = [word for word in _WORD.findall(request) if word in actions or word in known]
        if named and named[-1] in actions:
            kept = [form for word, form in known.items() if word not in named]
            connection.execute("UPDATE statements SET about = ? WHERE id = ?", ("\n".join((*kept, actions[named[-1]])), number))


def _programs(names: Iterable[str]) -> list[str]:
    """Return the names that are written like a program: of "not in the tests" there is none."""
    return [name.lower() for name in names if forms.is_program(name.lower())]


def _keep_ports(connection: Connection, file: int, line: LogEvent, turn: tuple[int, int, int], command: str) -> bool:
    """Store a prompt that names the port that a command uses, and others, as a correction of calls that use those; return whether it does."""
    prompt = _prompt(connection, line)
    others = ports.others(prompt, command)
    if not others:
        return False
    from memorybank.text.typed import typed

    saying = joined([sentence for sentence in sentences(typed(prompt)) if not _ASKS.search(sentence)])
    is_whole = len(saying) <= _LONGEST_SAYING and len(ports.named(saying)) > len(others)
    if is_whole:
        _keep(connection, file, line, turn, saying, [], [], list(map(ports.as_word, others)))
    return is_whole


def _add_about(connection: Connection, file: int, line: LogEvent, turn: tuple[int, int, int], prompt: str, about: list[str]) -> None:
    """Store that what the prompt wants is about these commands; if it states nothing lasting but forbids something, it is kept as a correction."""
    from memorybank.text.stated import CONSTRAINT, CORRECTION, EXPECTATION, PREFERENCE
    from memorybank.text.typed import typed

    rows = connection.execute("SELECT id, kind, about FROM statements WHERE file = ? AND offset = ? AND kind <> ?", (file, turn[1], EXPECTATION)).fetchall()
    for number, kind, old in rows:
        if kind in (CONSTRAINT, PREFERENCE, CORRECTION):
            connection.execute("UPDATE statements SET about = ? WHERE id = ?", (_joined(old, about), number))
    said = [sentence for sentence in sentences(typed(prompt)) if not _ASKS.search(sentence)]
    saying = joined(said)
    if not rows and len(saying) <= _LONGEST_SAYING and any(map(forbids, said)):
        _insert(connection, file, line, turn, saying, about[0], about=about)


def _names_edited(connection: Connection, turn: int, saying: str) -> bool:
    """Return whether the saying names a folder of a file that was edited in a turn."""
    return any(forms.names_folder_of(saying, name) for (name,) in connection.execute("SELECT name FROM turn_files WHERE turn = ?", (turn,)))


def _around(said: list[str], place: int) -> str:
    """Return a sentence with those around it that say something, the earlier ones first, as far as they fit."""
    from memorybank.text.statements import subject, without_connective

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
    return without_connective(joined(said[begin:end]))


def _keep(
    connection: Connection,
    file: int,
    line: LogEvent,
    turn: tuple[int, int, int],
    saying: str,
    replaced: list[str],
    wanted: list[str],
    further: Sequence[str] = (),
) -> None:
    """Store the correction; if the prompt contains a lasting statement about the command, add to that one which commands it is about."""
    from memorybank.text.stated import EXPECTATION

    _, offset, _ = turn
    rows = connection.execute(
        "SELECT id, text, replaced, wanted FROM statements WHERE file = ? AND offset = ? AND kind <> ?", (file, offset, EXPECTATION)
    ).fetchall()
    known = [row for row in rows if row[1] in saying or saying in row[1]]
    for number, text, old, new in known:
        # Half of what was said ("Our pages must not be public.") would not say what to do about the command.
        whole = saying if text in saying else text
        values = (whole, " ".join(content_terms(whole)), _joined("", (*objects(whole), *further)), _joined(old, replaced), _joined(new, wanted), number)
        connection.execute("UPDATE statements SET text = ?, terms = ?, objects = ?, replaced = ?, wanted = ? WHERE id = ?", values)
    if not known:
        _insert(connection, file, line, turn, saying, (*wanted, *further)[0], replaced, wanted, further=further)


def _insert(
    connection: Connection,
    file: int,
    line: LogEvent,
    turn: tuple[int, int, int],
    saying: str,
    otherwise: str,
    replaced: Iterable[str] = (),
    wanted: Iterable[str] = (),
    about: Iterable[str] = (),
    further: Iterable[str] = (),
) -> None:
    """Write a correction. otherwise: its subject if its words have none; further: its objects besides those of its words."""
    from memorybank.text.stated import CORRECTION
    from memorybank.text.statements import subject

    _, offset, at = turn
    row = {
        "file": file,
        "offset": offset,
        "place": _PLACE,
        "at": at,
        "kind": CORRECTION,
        "subject": subject(saying) or otherwise,
        "text": saying,
        "terms": " ".join(content_terms(saying)),
        "replaced": _joined("", replaced),
        "wanted": _joined("", wanted),
        "about": _joined("", about),
        "objects": _joined("", (*objects(saying), *further)),
        **line.scope,
    }
    cache.insert(connection, "statements", row)


def _joined(old: str, more: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys((*filter(None, old.split("\n")), *more)))

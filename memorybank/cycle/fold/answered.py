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
from memorybank.text.commands import fingerprint, forms, ports
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.folders import names_folder_of
from memorybank.text.prompts.objects import forbids, limits, objects
from memorybank.text.prompts.sentences import joined, sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Iterable, Sequence
    from typing import Any

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
    r"\b(?:not|never|no longer|cannot|always|only|instead|rather|before|after|first|must|should|has to|have to|had to|stop|wrong|gone|removed|broken|closed"
    r"|deprecated|obsolete|outdated|from (?:now|today|here)|these days|nowadays|any ?more|switched|moved|replaced|forget|every|each|whenever|otherwise|prefer"
    r"|remember|again|the right (?:way|one|command))\b|n['’]t\b"
    r"|ない|なく|ません|ずに|やめ|代わり|必ず|いつも|毎回|常に|前に|後に|後は|先に|今後|これから|から(?:は|のみ)|だけ|のみ|専用|廃止|べき|こと[。！!]?$|違|もう|正しく",
    "i",
)
_ASKS = lazy_pattern(r"[?？][^\w?？]*$")


def note(connection: Connection, file: int, line: LogEvent) -> None:
    """Keep a command that worked for comparison with the turns around it, and the prompt of its turn if that corrected the turn before or names its port."""
    turns = connection.execute(
        "SELECT id, offset, at, cell FROM turns WHERE file = ? AND offset < ? ORDER BY offset DESC LIMIT 2", (file, line.offset)
    ).fetchall()
    command = line.text("command")[:_LONGEST_COMMAND]
    if not turns or turns[0][3] != line.cell.name or not forms.of_command(command):
        return
    turn, asked, at, _ = turns[0]
    prompt = _TurnPrompt(connection, file, line, asked, at)
    # A command that reads an answer from a port (`curl … | grep`) tells little about its own success.
    is_about_ports = bool(ports.used(command)) and prompt.keep_ports(command)
    if line.status != SUCCESS:
        return
    (number,) = connection.execute("SELECT count(*) FROM turn_commands WHERE turn = ?", (turn,)).fetchone()
    if number < _MOST_COMMANDS:
        connection.execute("INSERT OR IGNORE INTO turn_commands VALUES (?, ?, ?)", (turn, line.offset, command))
    if number < _FIRST and len(turns) > 1 and turns[1][3] == line.cell.name and not is_about_ports:
        prompt.compare(command, turn, turns[1][0], is_first=number == 0)
    prompt.note_asked(command)


class _TurnPrompt:
    """The prompt of a turn, of which something may be kept as a statement about commands. line: the result of a command in this turn."""

    __slots__ = ("_text", "at", "connection", "file", "line", "offset")

    def __init__(self, connection: Connection, file: int, line: LogEvent, offset: int, at: int) -> None:
        self.connection = connection
        self.file = file
        self.line = line
        self.offset = offset
        self.at = at
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The prompt, as far as the cache keeps it; most commands do not need it."""
        if self._text is None:
            asked = "SELECT prompt FROM contexts WHERE session = ? AND agent = ?"
            row = self.connection.execute(asked, (self.line.session, self.line.agent)).fetchone()
            self._text = str(row[0] or "") if row is not None else ""
        return self._text

    @property
    def said(self) -> list[str]:
        """What a person typed, without questions."""
        from memorybank.text.prompts.typed import typed  # late: few prompts say something about a command

        return [sentence for sentence in sentences(typed(self.text)) if not _ASKS.search(sentence)]

    def compare(self, command: str, turn: int, before: int, *, is_first: bool) -> None:
        """Keep the prompt as a correction of the turn before, if it names what this command has and that turn had not.

        turn, before: rows of both turns.
        """
        lowered = self.text.lower()
        if not any(name in lowered for name in forms.names_of(command)):  # cheap, and nearly always the end
            if is_first and (repeated := self._repeated(turn, before, command, lowered)):
                self._add_about(repeated)
            return
        said = self.said
        earlier = [row[0] for row in self.connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset", (before,))]
        known = {name for one in earlier for name in forms.names_of(one)}
        for place, sentence in enumerate(said):
            # The names distinguish `mypy --strict` from another option of the same form.
            found = [(form, names - known) for form, names in forms.parts_named_in(sentence, command) if names - known]
            wanted = [word for form, names in found for word in (forms.purpose(form), *sorted(names))]
            if wanted:
                saying = _around(said, place)
                own = forms.names_of(command)
                replaced = [forms.purpose(form) for one in earlier for form, names in forms.parts_named_in(saying, one) if names - own]
                edited = self.connection.execute("SELECT name FROM turn_files WHERE turn = ?", (before,))
                is_about_edits = any(names_folder_of(saying, name) for (name,) in edited)
                if not replaced and not is_about_edits and _STANCE.search(saying):
                    # Without a name, what ran last is meant; with one ("uv, not pip"), only what it names.
                    last = [forms.purpose(form) for one in earlier[-1:] for form in forms.of_command(one)[-1:] if _is_meant(form, one, saying)]
                    replaced = [name.lower() for name in forms.replaced_in(saying) if forms.is_program(name.lower())] or last
                is_stated = _STANCE.search(saying) and any(text in saying for (text,) in self._statements("text"))
                if replaced or is_about_edits or is_stated:
                    self._keep(saying, replaced, wanted)
                return

    def _repeated(self, turn: int, before: int, command: str, prompt: str) -> list[str]:
        """Return the purposes of a command that the turn before ended with and that the prompt does not ask for, unless something was edited in between."""
        if self.connection.execute("SELECT 1 FROM turn_files WHERE turn = ? LIMIT 1", (turn,)).fetchone():
            return []
        last = self.connection.execute("SELECT command FROM turn_commands WHERE turn = ? ORDER BY offset DESC LIMIT 1", (before,)).fetchone()
        both = [form for form in forms.of_command(command) if form != _STAGES and last is not None and form in forms.of_command(last[0])]
        words = set(_WORD.findall(prompt))
        return [forms.purpose(form) for form in both if forms.action(form) and words.isdisjoint((forms.action(form), form.rpartition(" ")[2]))]

    def note_asked(self, command: str) -> None:
        """Keep that a statement is about a command which the sentence before it, or its own beginning, asks for last."""
        actions = {forms.action(form): forms.purpose(form) for form in forms.of_command(command) if forms.action(form) and form != _STAGES}
        rows = self._statements("id, text, about", f"place < {_PLACE}")
        if not rows or not actions:
            return
        said = sentences(self.text)
        for number, text, about in rows:
            place = next((place for place, sentence in enumerate(said) if text in sentence), 0)
            request = said[place - 1].lower() if place else ""
            if not request or len(request) > _LONGEST_REQUEST or limits(request):
                continue
            known = {forms.action(form): form for form in about.split("\n") if form}
            named = [word for word in _WORD.findall(request) if word in actions or word in known]
            if named and named[-1] in actions:
                kept = [form for word, form in known.items() if word not in named]
                self._set_about(number, "\n".join((*kept, actions[named[-1]])))

    def keep_ports(self, command: str) -> bool:
        """Store a prompt that names the port that a command uses, and others, as a correction of calls that use those; return whether it does."""
        others = ports.others(self.text, command)
        if not others:
            return False
        saying = joined(self.said)
        is_whole = len(saying) <= _LONGEST_SAYING and len(ports.named(saying)) > len(others)
        if is_whole:
            self._keep(saying, [], [], list(map(ports.as_word, others)))
        return is_whole

    def _add_about(self, about: list[str]) -> None:
        """Store that what the prompt wants is about these commands; if it states nothing lasting but forbids something, it is kept as a correction."""
        from memorybank.text.prompts.stated import CONSTRAINT, CORRECTION, PREFERENCE

        rows = self._statements("id, kind, about")
        for number, kind, old in rows:
            if kind in (CONSTRAINT, PREFERENCE, CORRECTION):
                self._set_about(number, _joined(old, about))
        said = self.said
        saying = joined(said)
        if not rows and len(saying) <= _LONGEST_SAYING and any(map(forbids, said)):
            self._insert(saying, about[0], about=about)

    def _statements(self, columns: str, condition: str = "1") -> list[tuple[Any, ...]]:
        """Return what the prompt states to last, without what it only expects of the agent."""
        asked = f"SELECT {columns} FROM statements WHERE file = ? AND offset = ? AND kind <> 'expectation' AND {condition}"
        return self.connection.execute(asked, (self.file, self.offset)).fetchall()

    def _set_about(self, number: int, about: str) -> None:
        self.connection.execute("UPDATE statements SET about = ? WHERE id = ?", (about, number))

    def _keep(self, saying: str, replaced: list[str], wanted: list[str], further: Sequence[str] = ()) -> None:
        """Store a correction; if the prompt contains a lasting statement about the command, add to that one which commands it is about."""
        from memorybank.cycle.fold import statement_rows  # late, as below: few prompts correct a command

        known = [row for row in self._statements("id, text, replaced, wanted") if row[1] in saying or saying in row[1]]
        for number, text, old, new in known:
            # Half of what was said ("Our pages must not be public.") would not say what to do about the command.
            whole = saying if text in saying else text
            named = _joined("", (*objects(whole), *further))
            row = {"text": whole, "objects": named, "replaced": _joined(old, replaced), "wanted": _joined(new, wanted)}
            statement_rows.change(self.connection, number, row)
        if not known:
            self._insert(saying, (*wanted, *further)[0], replaced, wanted, further=further)

    def _insert(
        self, saying: str, otherwise: str, replaced: Iterable[str] = (), wanted: Iterable[str] = (), about: Iterable[str] = (), further: Iterable[str] = ()
    ) -> None:
        """Write a correction. otherwise: its subject if its words have none; further: its objects besides those of its words."""
        from memorybank.cycle.fold import statement_rows
        from memorybank.text.prompts.stated import CORRECTION
        from memorybank.text.prompts.statements import subject

        row = {
            **{**self.line.row(self.file), "offset": self.offset, "at": self.at, "place": _PLACE, "kind": CORRECTION},
            **{"subject": subject(saying) or otherwise, "text": saying},
            **{"replaced": _joined("", replaced), "wanted": _joined("", wanted), "about": _joined("", about)},
            "objects": _joined("", (*objects(saying), *further)),
        }
        statement_rows.write(self.connection, row)


def _is_meant(form: str, command: str, saying: str) -> bool:
    """Return whether a sentence that names no command can mean one: of those that only look at something, it says what they show ("logs")."""
    return forms.action(form) in _WORD.findall(saying.lower()) or not fingerprint.is_read_only("Bash", command)


def _around(said: list[str], place: int) -> str:
    """Return a sentence with those around it that say something, the earlier ones first, as far as they fit."""
    from memorybank.text.prompts.clauses import without_connective
    from memorybank.text.prompts.statements import subject

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


def _joined(old: str, more: Iterable[str]) -> str:
    return "\n".join(dict.fromkeys((*filter(None, old.split("\n")), *more)))

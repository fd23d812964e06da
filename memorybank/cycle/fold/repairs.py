"""Folds what was done between a failed command and its success: the edits, or the command that was run in between. It is stored with the error that it
ended, because the same error usually needs the same repair.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import WORKED_AS
from memorybank.cycle.fold.wording import change, one_line
from memorybank.text.commands import corrected, exact, fingerprint, forms, programs
from memorybank.text.commands.paths import OUTSIDE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.code_names import contains
from memorybank.text.words.terms import content_terms
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.fold.recorded import LogEvent

_MOST_OPEN = 24
"""Number of open failures of an agent that a later call may repair, the newest."""
_MOST_FORMS = 6
"""Number of forms of the commands that worked since a failure, the first ones, because later commands did not prepare anything."""
_KEPT_CHARACTERS = 2_000
"""Characters of a command that are kept until the failures before it are repaired."""
_MOST_EDITS = 2
"""Maximum number of files in one fix, the latest first."""
_CHANGE_CHARACTERS, _COMMAND_CHARACTERS = 90, 100
SAME_LINE, EQUAL_LINE = 0.75, 0.9
"""Least share of words that two lines have in common when they say the same, and when they are equal."""
_CHECKS_STYLE = lazy_pattern(r"\b(?:lint|linter|format|fmt|prettier|eslint|biome|ruff|black|gofmt|golangci-lint|clippy|rubocop|mypy|tsc|typecheck)\b")
_OF_LINTER = lazy_pattern(r"\d+:\d+\s+[Ee]rror\b")
"""Matches a complaint of a linter that another command ran."""
LINE_CHARACTERS = 140
"""Maximum number of characters of the line that says what is wrong."""
_AROUND = lazy_pattern(r"^cd (?:\.|[/~]\S*|\S{0,200}?\.\.\S*) && |(?<!\s)\s*(?:2>&1\s*)?\|\s*(?:tail|head|grep|cat)\b.{0,400}$|(?<!\s)\s*2>&1\s*$")
"""Parts of a command line that cannot have repaired anything. A folder of the repository stays: the command works there."""
_OF_EVERY_FAILURE = frozenset(str.split("fail failed failure error task exit exited code status statu test script command build run"))
"""A line that consists only of these words ("FAIL", "error: task failed", "exit status 1") says only that something failed."""
_VERDICT = lazy_pattern(r"\W*(?:FAIL|ok)\s+\S{0,200}?/\S+\s+[\d.]+m?s[\s·]*(?:FAIL\s*)?$")
"""The line with which a test runner ends a package: "FAIL example.com/shop/ledger 5.340s". Every failure of the package ends in it."""
_PLACE = lazy_pattern(r"^[\w./@~+-]+\.\w{1,10}(?:: ?(?:line )?\d+:(?!\d)(?:in\b)?|\(\d+(?:,\d+)?\): error(?= [A-Z]+\d+:))")
"""The place of an error at run time, or of one with a number: `app/export.rb:21:in`, `bin/pull.sh: line 8:`, `Card.razor(25,13): error RZ9996:`. Other
diagnostics have a column, too."""
_SAVES = "git"
"""The program that saves or undoes work, which repairs nothing."""
_STAGES, _COMMITS = ("add", "stage"), ("commit", "stash")


def still_open(connection: Connection, file: int, line: LogEvent) -> list[tuple[int, str, str, int]]:
    """Return (id, form, command, offset) of the failures of this agent that nothing repaired, the oldest first."""
    newest = connection.execute(
        "SELECT id, form, command, offset FROM failures WHERE file = ? AND agent = ? AND mended IS NULL AND cell = ? ORDER BY offset DESC LIMIT ?",
        (file, line.agent, line.cell.name, _MOST_OPEN),
    ).fetchall()
    return newest[::-1]


def note_edit(connection: Connection, file: int, line: LogEvent) -> None:
    """Note an edit for the open failures of its agent."""
    name = line.files[0]
    if not name.startswith((OUTSIDE, "~/")):
        for failure, *_ in still_open(connection, file, line):
            (wrong,) = connection.execute("SELECT line FROM failures WHERE id = ?", (failure,)).fetchone()
            _note(connection, line, [failure], name, change(line, _CHANGE_CHARACTERS, wrong_words(wrong)))


def note_command(connection: Connection, line: LogEvent, failures: Sequence[int]) -> None:
    """Note a successful command for the failures that it did not repair, if it may have changed something."""
    if not fingerprint.is_read_only("Bash", line.text("command")):
        _note(connection, line, failures, "", line.text("command")[:_KEPT_CHARACTERS])


def _note(connection: Connection, line: LogEvent, failures: Sequence[int], name: str, done: str) -> None:
    connection.executemany("INSERT OR REPLACE INTO steps_since VALUES (?, ?, ?, ?)", [(failure, line.offset, name, done) for failure in failures])


def _may_repair(form: str) -> bool:
    """Return whether a command of a form does more than look at something, check or save it, also when a wrapper runs it."""
    program, *words = forms.inner(form).split(" ")
    return program != _SAVES and program not in programs.VIEWERS and not corrected.is_check((program, *words))


_BUILDS_ITSELF = frozenset(str.split("dotnet cargo go mvn gradle gradlew swift mix bazel sbt zig dune"))
_BUILDS = ("build", "compile", "check", "vet", "compileJava", "assemble")
"""Programs of which each command builds what it needs, and their commands that only build."""


def can_end(done: str, failed: str) -> bool:
    """Return whether a command of one form can have ended a failure of another. Looking and staging end nothing, a commit does not end what a check complains
    about, a build does not end the failure of a command that builds by itself, and a check that of no check."""
    program, *words = forms.inner(done).split(" ")
    if program != _SAVES:
        is_build = program in _BUILDS_ITSELF and words[:1] and words[0] in _BUILDS
        is_other_check = corrected.is_check((program, *words)) and not corrected.is_check(failed.split(" "))
        return program not in programs.VIEWERS and not is_other_check and not (is_build and forms.inner(failed).partition(" ")[0] == program)
    is_saving = words[:1] and (words[0] in _STAGES or (words[0] in _COMMITS and (checks_style(failed) or corrected.is_check(failed.split(" ")))))
    return not is_saving and not programs.is_read_only_call(program, words, (), bare=not words[1:])


def commands_since(connection: Connection, failure: int) -> list[tuple[str, str]]:
    """Return (form, words as in `text.commands.exact`) of the first parts of commands that worked since a failure, in their order."""
    rows = connection.execute("SELECT done FROM steps_since WHERE failure = ? AND name = '' ORDER BY offset LIMIT ?", (failure, _MOST_FORMS))
    return [part for (command,) in rows for part in exact.by_form(command).items()][:_MOST_FORMS]


def _shown_repair(command: str) -> str:
    """Return a command as it is shown, "" for one that is long or only looks at something or saves it."""
    text = _AROUND.sub("", command.strip())
    is_plain = text and "\n" not in text and "$(" not in text and len(text) <= _COMMAND_CHARACTERS
    may_repair = is_plain and not fingerprint.is_read_only("Bash", text) and all(map(_may_repair, forms.of_command(text)))
    return shown(text) if may_repair else ""


def shown(command: str) -> str:
    """Return a command in one line, without what cannot have repaired anything."""
    first = command.strip().replace("\\\n", " ").partition("\n")[0]
    return f"`{one_line(_AROUND.sub('', first), _COMMAND_CHARACTERS)}`"


def write(connection: Connection, file: int, line: LogEvent, fixed: Sequence[tuple[int, str]]) -> None:
    """Store what fixed these failures of one command: the last edits before the command succeeded or failed with another error; without edits, the command
    that worked if it has another form, else the last one in between.

    Nothing is stored for what a linter or formatter says, because its next complaint needs another edit.

    line: the success that ended them.
    fixed: (id, command) of the failures, the oldest first.
    """
    worked = line.text("command")
    if checks_style(worked):
        return
    from memorybank.text.commands.error_excerpt import is_about_code  # late: few commands repair a failure

    failures = [connection.execute("SELECT id, offset, error, line, said FROM failures WHERE id = ?", (failure,)).fetchone() for failure, _ in fixed]
    pieces = []
    for number, (failure, _, error, wrong, said) in enumerate(failures):
        ended = failures[number + 1] if number + 1 < len(failures) else None
        if ended is not None and (ended[2] == error or is_same_line(ended[3], wrong)):
            continue  # the same error came again, so that the steps in between fixed nothing
        if _OF_LINTER.match(wrong):
            continue
        other_form = f"{WORKED_AS}{shown(worked)}" if ended is None and corrected.corrects(worked, fixed[number][1]) else ""
        named = said if is_about_code(said) else ""
        steps = _steps_before(connection, failure, ended[1] if ended is not None else line.offset, named, other_form)
        if steps:
            pieces.append((wrong, steps, failure))
    from memorybank.cycle.fold import passages

    passages.write_fixes(connection, file, line, pieces)


def checks_style(command: str) -> bool:
    """Return whether a part of a command is a linter, a formatter or a type checker."""
    return any(map(_CHECKS_STYLE.search, forms.of_command(command)))


def forget(connection: Connection, failures: Sequence[tuple[int]]) -> None:
    """Delete what was noted for failures that are repaired. failures: rows of one id each."""
    connection.executemany("DELETE FROM steps_since WHERE failure = ?", failures)


def _steps_before(connection: Connection, failure: int, before: int, named: str, other_form: str) -> str:
    """Return the steps noted for a failure up to an offset: its edits, one per file ("`a.py`: added `x`; `b.toml`"); if there was no edit, the other form in
    which the command worked, or the last command.

    named: the beginning of an error that names files of the code at hand. "" where one of the edits is in one of these: such an error (of a compiler, a test)
    says itself what to change.
    """
    steps = connection.execute("SELECT name, done FROM steps_since WHERE failure = ? AND offset < ? ORDER BY offset DESC", (failure, before)).fetchall()
    latest: dict[str, str] = {}
    for name, changed in steps:
        latest.setdefault(name, changed)
    latest.pop("", None)
    if any(contains(named, name.rsplit("/", 1)[-1]) for name in latest):
        return ""
    edits = [f"`{name}`: {changed}" if changed else f"`{name}`" for name, changed in list(latest.items())[:_MOST_EDITS]]
    return "; ".join(edits) or other_form or next(filter(None, (_shown_repair(done) for name, done in steps if not name)), "")


def lasting(line: str) -> set[str]:
    """Return the words of a line of an error that are the same each time: without numbers, addresses and hashes, and without those of every failure."""
    if _VERDICT.match(line):
        return set()
    return {term for term in content_terms(line) if term not in _OF_EVERY_FAILURE and not any(map(str.isdigit, term))}


@lru_cache(maxsize=64)  # an error is compared with each earlier one
def wrong_words(line: str) -> set[str]:
    """Return the lasting words of a line without the place where the error occurred (`app/export.rb:21:in`), unless it says nothing else, and without the word
    at which it was cut."""
    whole = line.rpartition(" ")[0] if is_cut(line) else line
    return lasting(_PLACE.sub("", whole, count=1)) or lasting(whole)


def is_cut(line: str) -> bool:
    """Return whether a program or this module cut a line."""
    return line.endswith(("…", "..."))


def is_same_line(one: str, other: str, least: float = SAME_LINE) -> bool:
    """Return whether two error lines have this share of their lasting words in common: then they say the same about the same thing."""
    ones, others = lasting(one), lasting(other)
    # In a Japanese sentence the words in ASCII are the names. They are few, and must agree by themselves.
    pairs = ((ones, others), (set(filter(str.isascii, ones)), set(filter(str.isascii, others))))
    return bool(ones & others) and all(len(these & those) >= least * len(these | those) for these, those in pairs)


def are_same(lines: Sequence[str]) -> bool:
    """Return whether these lines of errors say the same."""
    return all(line == lines[-1] or is_same_line(line, lines[-1]) for line in lines)

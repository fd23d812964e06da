"""Forms of commands: program and sub-commands without flags, paths and values, so that calls with the same purpose have the same text.

`cd app && rtk bun run test 2>&1 | tail` has the form `rtk bun run test`. Calls with the same form fail for the same reasons and need
the same fixes. A fingerprint (`fingerprint`) is finer and says what exactly was done.

Sentences name commands, too: "uv instead of pip", 「make clean を先に」.
"""

from __future__ import annotations

__light__ = True


from memorybank.text.commands import innermost, programs, shell
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACED = lazy_pattern(r"[^\w./:=@+-]+|[.:](?=\s|$)|[^\x00-\x7f]+")
"""Matches what separates the words of a command in a sentence: quotes, commas, the full stop at its end, Japanese."""
_IS_REPLACED = "(?:ではなく|じゃなく|の代わり|をやめ|は使わな|は使えません|はやめ)"
_REPLACED = lazy_pattern(
    r"(?:instead of|rather than|not|never|no) [`\"']?([\w.-]+)"
    rf"|[`「]([\w.-]{{1,80}})(?: [^`」\n]{{1,60}})?[`」] ?{_IS_REPLACED}|([\w.-]{{1,80}}) ?{_IS_REPLACED}",
    "i",
)
"""Matches the program that a person wants replaced: "uv instead of pip", 「`pip install` ではなく uv」."""
_QUOTED = lazy_pattern(r"[`「]([^`」\n]{2,80})[`」]")
_FORBIDS = lazy_pattern(r"\b(?:not|never|no|without|instead|rather than)\b|n['’]t\b|ない|なく|禁止|代わり", "i")
_SEVERAL_PURPOSES = frozenset(
    str.split("""git gh npm npx pnpm yarn bun bunx deno node python python3 uv uvx poetry hatch pip cargo go make just rake task mise docker podman kubectl helm
    terraform gradle mvn dotnet bundle rails php artisan manage.py composer sh bash zsh ssh sudo rm cp mv mkdir touch chmod curl wget brew apt systemctl""")
)
"""Programs whose name says nothing about what they do: a rule is about one of their commands only if it names the sub-command too."""
_LEADING = ("run", "exec", "compose", "tool", "x", "dlx", "-m")
"""Sub-commands that say nothing without the word after them."""
_INTERPRETERS = frozenset(("python", "python3", "node", "deno", "bun", "ruby", "php", "perl", "bash", "sh", "zsh"))
_RUNS_FILES = _INTERPRETERS | {"tsx", "ts-node"}
"""Programs whose first argument is the script that says what is done."""
_SCRIPT = lazy_pattern(r"(?!\.\./)(?=[\w@+-]*[./])[\w@+.][\w@+./-]*[\w+]\Z")
"""Matches the path of a script in the repository."""
_BEFORE_SCRIPT = lazy_pattern(r"-[uvxBEIO]+\Z|-eu?x?\Z|run\Z")
"""What may stand between an interpreter and its script: `bash -x`, `python -u`, `bun run`. Code (`node -e`) looks like no path."""
_LEAST_NAME = 4
_LONGEST_NAME = 3
"""Maximum number of words that together name a command (`mise run lint`)."""
ALSO_SUBCOMMANDS = frozenset(("test", "install", "link", "time"))
"""Programs whose names many other programs have for a command of their own: `yarn test` does not run `test`."""
_ENGLISH = frozenset(str.split("make go just task rake git node python bundle rails composer hatch open code watch at rm cp mv touch sh bash ssh tox act"))
"""Programs whose name alone does not show that a sentence is about them."""
_BUILT_IN = frozenset(("read", "kill", "split", "join"))
"""Words of everyday language that are commands of every shell."""

_MOST_PARTS = 8
_LONGEST = 4
"""Maximum number of words in a form."""
_WORD = lazy_pattern(r"[a-z][a-z0-9:_-]*\Z")
_TARGET = lazy_pattern(r"[a-z:][A-Za-z0-9:_-]*\Z")
"""A target is a name that its project chose: `assembleDebug`, `:app:lintRelease`."""
_ECHOED = lazy_pattern(r"^(?:\[[\w:-]+\] )?\$ (.+)$", "m")
"""How task runners (npm, bun, yarn, mise) print the command that they run."""
_MOST_ECHOED = 6
_INSTALLED = lazy_pattern(r"^[/~]|venv/|(?:^|/)\.bin/")
"""Matches the path of a program that does not belong to the repository."""
_REMOVES = ("rm", "unlink", "rmdir")
_TEMPORARY = lazy_pattern(r"[-_.][A-Za-z0-9]{6,}$")


def of_command(command: str) -> list[str]:
    """Return the forms of the parts of a command that do something, in order and without repeats; viewers and preparation are left out."""
    return list(dict.fromkeys(form for form, _ in parts(command)))


def parts(command: str) -> list[tuple[str, list[str]]]:
    """Return (form, words) of the parts of a command that do something, in order."""
    return [(form, words) for form, _, words in parts_with_variables(command)]


def parts_with_variables(command: str) -> list[tuple[str, list[str], list[str]]]:
    """Return (form, assignments that hold for it, words) of the parts of a command that do something, in order: `CI=1` for `CI=1 make`, `env CI=1 make`, and
    `export CI=1 && make`."""
    return [(_form(words), assigned, words) for assigned, words in _parts(command) if words[0] not in programs.VIEWERS]


def of_call(tool: str | None, command: str, named: str = "") -> list[str]:
    """Return the forms of a call. named: what a tool other than a shell calls by name (a skill)."""
    if tool == "Bash":
        return of_command(command)
    return [f"{tool or 'call'} {named}".strip()]


def of_output(output: str) -> list[str]:
    """Return the forms of the commands that an output says it ran (`$ biome check …`)."""
    found: dict[str, None] = {}
    for match in _ECHOED.findall(output)[:_MOST_ECHOED]:
        found.update(dict.fromkeys(of_command(match)))
    return list(found)


def of_inner(command: str) -> list[str]:
    """Return the forms of what parts of a command do in the end: `pip install` for `.venv/bin/python -m pip install httpx`, `git push` for `git -C x push`."""
    found = ((words, innermost.innermost(words)) for _, words in _parts(command))
    return list(dict.fromkeys(_form(inner) for words, inner in found if inner and inner != words and inner[0] not in programs.VIEWERS))


def with_inner(purposes: Iterable[str]) -> set[str]:
    """Return purposes, and those of the programs that they run: also `alembic` for `uv run alembic`."""
    given = set(purposes)
    return given | {purpose(" ".join(inner)) for one in given if (inner := programs.unwrapped(one.split(" "))) and inner != one.split(" ")}


def replaced_in(sentence: str) -> list[str]:
    """Return the programs that a sentence wants to be replaced, as it writes them: `pip` for "uv, not pip"."""
    return [name.strip(".-") for names in _REPLACED.findall(sentence) for name in names if name]


def is_program(name: str) -> bool:
    """Return whether a word is the name of a program that is known to everybody."""
    return name in _SEVERAL_PURPOSES or name in programs.TRUSTED_STATUS_PROGRAMS or programs.max_subcommands(name, []) == 0


def inner(form: str) -> str:
    """Return the form of a known program that an unknown one runs: `git add` for `rtk git add`. Else return the form."""
    first, _, rest = form.partition(" ")
    program = rest.partition(" ")[0]
    return rest if program and is_program(program) and program not in ALSO_SUBCOMMANDS and not is_program(first) else form


def chains(command: str) -> list[tuple[str, str]]:
    """Return (program, next word or "") for each part. Many such pairs together show which programs only wrap others."""
    return [(programs.name(words[0]), programs.name(words[1]) if len(words) > 1 and _WORD.match(words[1]) else "") for _, words in _parts(command)]


def head(form: str) -> str:
    """Return the first two words of a form, which say what is done: `pnpm add` for `pnpm add zod`."""
    return " ".join(form.split(" ", 2)[:2])


def unwrapped(form: str, wrappers: Iterable[str]) -> str:
    """Return a form without the wrappers at its beginning: `bun run test` for `rtk bun run test` if `rtk` is a wrapper."""
    first, _, rest = form.partition(" ")
    return unwrapped(rest, wrappers) if rest and first in wrappers else form


_known: dict[str, list[tuple[list[str], list[str]]]] = {}
"""The parts of the last command: its chains and its forms are requested one after the other."""


def _parts(command: str) -> list[tuple[list[str], list[str]]]:
    """Return (assignments that hold for it, words) of each part, without keywords of the shell and preparation."""
    found = _known.get(command)
    if found is None:
        _known.clear()
        found = _known[command] = []
        exported: list[str] = []
        for part in shell.parts(command)[:_MOST_PARTS]:
            assigned, words = programs.with_variables(part.words)
            if words[:1] == ["export"]:
                exported += filter(programs.is_assignment, words[1:])
            if words and words[0] not in programs.PREPARATION:
                found.append((exported + assigned, words))
    return found


def _form(words: list[str]) -> str:
    kept = [programs.name(words[0])]
    if kept[0] in _REMOVES:  # the purpose of a removal is its target, so the target belongs to the form
        targets = [_without_temporary(word) for word in words[1:] if not word.startswith("-")]
        return " ".join([*kept, *(word for word in words[1:] if word.startswith("-")), *targets[:1]])
    if kept == ["python"] and words[1:2] == ["-m"]:  # what a module does says more than that Python runs it
        kept += words[1:3]
        words = words[2:]
    script = _script(kept[-1], words[1:])
    if not script and programs.takes_only_paths(kept[-1]):
        return " ".join(kept)
    says_what = _TARGET if kept[0].rpartition("/")[2] in programs.TARGET_PROGRAMS else _WORD
    if kept == ["git"] and words[1:2] and words[1].startswith("-C"):
        return "git -C"
    start = programs.first_subcommand(kept[0], words) if len(kept) == 1 else 1
    rest = script or words[start:]
    while rest and len(kept) < _LONGEST and (script or says_what.match(rest[0])):
        kept.append(rest[0])
        script = [] if script else _script(rest[0], rest[1:])
        rest = script or rest[1:]
    return " ".join(kept)


def _script(program: str, words: list[str]) -> list[str]:
    """Return the words of a command from the script on that an interpreter runs: what it does is said there; [] for code, and for a file elsewhere."""
    start = 0
    while program in _RUNS_FILES and start < len(words) and _BEFORE_SCRIPT.match(words[start]):
        start += 1
    return words[start:] if program in _RUNS_FILES and start < len(words) and _SCRIPT.match(words[start]) else []


def _without_temporary(path: str) -> str:
    """Return a path without a generated last part: `tmp/clones` for `tmp/clones/agents-DtKspd` and for `tmp/clones/*`."""
    path = path.rstrip("/")
    folder, _, name = path.rpartition("/")
    return folder if folder and ("*" in name or shell.UNKNOWN in name or _TEMPORARY.search(name)) else path


def names_command(sentence: str, called: Iterable[str]) -> bool:
    """Return whether a sentence names a command of one of these forms, perhaps without the wrapper in front of it."""
    called = [form.lower() for form in called]
    lowered = sentence.lower()
    if not any(word.rpartition("/")[2] in lowered for form in called for word in form.split(" ")):
        return False
    said = _spaced(sentence)
    replaced = set(map(str.lower, replaced_in(sentence)))
    return any(_names(said, form) or _names_program(said, form) or form.partition(" ")[0] in replaced for form in called)


_CONTRAST = lazy_pattern(
    r"`[^`]+`,? ?(?P<first>(?:and )?not|instead of|rather than|を使っ|でお?願|にして)[^`]{0,12}`"
    r"|(?:(?:don['’]?t|do not|never|instead of|rather than)[^`]{0,24}`[^`]+` ?[,;.:–—-]+ ?(?:(?:but|just|please|always) )*(?:use|run|call|take)? ?`"
    r"|`[^`]+` ?(?:ではなく|じゃなく|の代わりに|より)[^`]{0,12}`)",
    "i",
)
"""Matches a sentence that wants the first or the second of two commands."""


def is_done_by(sentence: str, called: Iterable[str], before: bytes = b"") -> bool:
    """Return whether a call runs what a sentence wants to be run together ("`fmt` together with `lint`"), or the rest of it as far as the session did not; or
    the one of two commands that it wants ("use `pnpm`, not `npm`").

    before: the end of the session's log.
    """
    commands = [f" {' '.join(command.lower().split())} " for command in _QUOTED.findall(sentence)]
    run = [f" {form.lower()} " for form in called]
    if len(commands) == len(("wanted", "unwanted")) and (contrast := _CONTRAST.search(sentence)) is not None:
        wanted, unwanted = commands if contrast["first"] is not None else commands[::-1]
        return any(wanted in form for form in run) and not any(unwanted in form for form in run)
    if len(commands) < 2 or forbids(sentence):
        return False
    left = [command for command in commands if not any(command in form for form in run)]
    return len(left) < len(commands) and (not left or all(command.strip().encode() in before.lower() for command in left))


def forbids(sentence: str) -> bool:
    """Return whether a sentence contains a word that denies or replaces something."""
    return _FORBIDS.search(sentence) is not None


def parts_named_in(sentence: str, command: str) -> list[tuple[str, set[str]]]:
    """Return (form, words by which the sentence names it) for each part of a command that the sentence names.

    A sentence names a program by its path (`bin/lint`), by its name if that is not an English word (`pnpm`), or together with its sub-command
    (`make clean`), and an option by itself (`--strict`).
    """
    said = _spaced(sentence)
    found = []
    for form, words in parts(command):
        if named := {name for name in _words_for(words) if f" {name} " in said}:
            found.append((form, named))
    return found


def purpose(form: str) -> str:
    """Return the words of a form that say what is done, without what it is done to: `flake8` for `flake8 app`, `pip install` for `pip install httpx`."""
    words = form.split(" ")
    if words[0] not in _SEVERAL_PURPOSES:
        return words[0]
    return " ".join(words[: 3 if words[1:2] and words[1] in _LEADING else 2])


def has_several_purposes(program: str) -> bool:
    """Return whether the name of a program says nothing about what it does (`make`, `npm`)."""
    return program in _SEVERAL_PURPOSES


def is_interpreter(purpose: str) -> bool:
    """Return whether a purpose only names what runs a program (`uv run python`), which may be any program."""
    return purpose.rpartition(" ")[2] in _INTERPRETERS


def runs_script(form: str) -> bool:
    """Return whether a form is a call of a script of the repository, with or without the interpreter in front."""
    return any(map(_SCRIPT.match, form.split(" ")[:3]))


def things(form: str, words: list[str]) -> list[str]:
    """Return what a command is about: its words that are neither options nor parts of its form."""
    known = form.split(" ")
    return [word for word in words[1:] if not word.startswith("-") and word not in known and " " not in word]


def action(form: str) -> str:
    """Return the word by which people ask for a command (`commit`, `pr` for `gh pr create`); "" if its purpose does not end with one (`mise exec`)."""
    word = purpose(form).rpartition(" ")[2]
    return "" if word in _LEADING else word


def names_of(command: str) -> set[str]:
    """Return every word by which a sentence could name a part of a command, as `parts_named_in` compares them."""
    return {name for _, words in parts(command) for name in _words_for(words)}


def _words_for(words: list[str]) -> list[str]:
    program, *rest = [word.lower() for word in words]
    found = [word.partition("=")[0] for word in rest if word.startswith("-") and len(word) > 1]
    if "/" in program:
        found.append(program.removeprefix("./"))
        program = programs.name(program) if _INSTALLED.search(program) else program
    if "/" not in program and program not in _ENGLISH:
        found.append(program)
    for end in range(1, _LONGEST_NAME):
        if len(rest) < end or rest[end - 1].startswith("-"):
            break
        found.append(" ".join((program, *rest[:end])))
    return found


def _spaced(sentence: str) -> str:
    return f" {' '.join(_SPACED.sub(' ', sentence.lower()).split())} "


def _names(said: str, form: str) -> bool:
    """Return whether a sentence names a command, perhaps without the wrapper in front of it, or one that begins with its name (`mise run test:ci`)."""
    words = form.split(" ")
    if form in _SEVERAL_PURPOSES:
        return False
    names = [" ".join(words[begin:]) for begin in range(max(1, len(words) - 1))]
    return any(f" {name}{after}" in said for name in names for after in " :./-")


def _names_program(said: str, form: str) -> bool:
    """Return whether a sentence names the program of a command that has one purpose (`black`, `mypy`), or the script that it runs (`scripts/pull_db.sh`)."""
    program = form.partition(" ")[0].rpartition("/")[2]
    is_said = f"/{program} " in said or (f" {program} " in said and program not in _ENGLISH and program not in _BUILT_IN)
    return is_said and len(program) >= _LEAST_NAME and program not in _SEVERAL_PURPOSES

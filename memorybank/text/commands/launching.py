"""How a command starts its programs: by the name alone (`pytest`), by a path (`.venv/bin/pytest`), through a runner (`uv run pytest`), or in a shell that was
set up for it (`source .venv/bin/activate && pytest`).

A shell that does not find a program by its name alone finds it in one of the other ways, whatever the program is to do.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs, shell
from memorybank.text.commands.lacking import module_in, program_in
from memorybank.text.pattern import lazy_pattern
from memorybank.text.secrets.mark import MARK

BY_NAME = ""
"""A program that is started by its name alone."""
_VALUE = r"(?:\"(?:[^\"\n$]|\$\([^()\n]{0,100}\)|\$(?!\()){0,200}\"|'[^'\n]{0,200}'|(?:\$\([^()\n]{1,100}\)|[^\s;&|\"'()`]){1,200})"
_LIBRARIES = r"(?:PYTHON|NODE_|GO|CLASS|PERL5?LIB_?|GEM_|[A-Z]{2,4}_LIBRARY_)?PATH"
_VARIABLE = rf"(?:{_LIBRARIES}={_VALUE}|(?:[A-Z_]{{1,30}}_HOME|NVM_DIR|PYENV_ROOT|SDKMAN_DIR|ASDF_DIR)=(?=[^\s;&|]{{0,200}}[/~$]){_VALUE})"
_SET_UP = lazy_pattern(
    rf"(?:^|&&|[;\n(])[ \t]*(?P<step>(?:source|\.)[ \t]+{_VALUE}|(?:export[ \t]+)?{_VARIABLE}"
    r"|(?:nvm|fnm|n|nodenv|pyenv|rbenv|jenv|asdf|sdk)[ \t]+(?:use|shell)\b[^;&|\n)]{0,60}|(?:conda|mamba|micromamba)[ \t]+activate\b[^;&|\n)]{0,60}"
    r"|workon[ \t]+[\w.-]{1,60}|module[ \t]+load[^;&|\n)]{1,60}"
    r"|eval[ \t]+(?P<quote>\"?)\$\((?=[^()\n]{0,100}?[\s.-](?:env|hook|init|shell|shellenv|activate|export|path)\b)[^()\n]{1,100}\)(?P=quote))"
)
"""Matches a step that changes where the shell looks for programs. A value of another variable may be a secret."""
_SIGNS = ("PATH=", "_HOME=", "_DIR=", "_ROOT=", "activate", "source ", ". ", " use", " shell", "workon", "module", "eval")
_CHANGES = lazy_pattern(
    rf"(?:export\n(?:.*\n)?)?(?:{_LIBRARIES}|NVM_DIR|PYENV_ROOT)=|(?:source|\.|eval|workon)\n|module\nload\n|(?:conda|mamba|micromamba)\nactivate\n"
)
"""Matches the words of a part, one a line, that changes where the shell looks for programs, also one that cannot be shown."""
_MODULE_OF_PYTHON = 2
"""Words that run a module of Python (`python -m`). With more, something else runs Python (`uv run python -m`)."""
_RUNS_AS_ANOTHER = ("sudo", "doas")
"""They look for programs in other places than the shell."""
_SHELL_SAYS = lazy_pattern(
    r"(?:Error: ?)?(?:Exit code \d+\s*)?"
    r"(?:(?:[^\s:]{0,80}(?:sh|\(eval\))(?:\.exe)?|env|which)(?:: ?(?:(?:line|行) )?\d{1,9})?: ?)?(?:(?:line|行) )?(?:\d{1,9}: )?"
    r"(?:command not found: |[‘'\"]|no )?"
)
"""Matches what a shell writes before the name of a program that it does not find. What stands behind other words is quoted."""
_GONE = ("o such file or directory", "cannot find the path", "そのようなファイルやディレクトリはありません", "指定されたパスが見つかりません")
_KNOWN_VARIABLES = ("HOME", "PATH", "PWD")
_VARIABLE_IN = lazy_pattern(r"\$\{?(\w+)")
_RELATIVE = lazy_pattern(r"(?:(?:source|\.)[ \t]+|(?:export[ \t]+)?[A-Z_]+=)[\"']?(?![\"'/~$])|.*(?:\$PWD|\$\()|\w+ use\Z")
_SHORT_LIVED = ("/tmp/", "/dev/shm/", "/var/folders/")
_HOME = lazy_pattern(r"(?<![\w./])(?:[A-Za-z]:|/[a-z])?/(?:home|Users)/[^/\s\"':;]+(?=/)|(?<=[\"=:])~(?=/)")
_HOMES = ("/home/", "/Users/")
_LONGEST, _MOST_STEPS, _MOST_PARTS = 140, 4, 8
_TO_FOLDER = "cd "
_ONLY_SET_UP = ("source", ".", "export", "eval", "workon", "module", "conda", "mamba", "micromamba")
_SHOWS_TEXTS = programs.VIEWERS - frozenset(str.split("which type echo printf true false test [ [[ ls pwd date whoami id hostname uname"))
_READ, _BEGINNING = 4_000, 400
_BACKGROUND = lazy_pattern(r"(?<![&>|<\\])&(?=\s|\)|$)")
_MISSES = ("not found", "No module named", "externally-managed", "見つかりません", "is not recognized", "は、内部コマンド", "ENOENT", "No such file")
"""One of these occurs in every output that misses a program. Looking for them is much cheaper than the patterns."""
_WHICH = lazy_pattern(r"(?:which: )?(?:no )?([\w.+-]{1,40}) (?:not found|in \(\S+\))$")
"""Matches what `which` says about a program that it does not find."""
_UNMET = lazy_pattern(
    r"(?:^|\n)[^\n]{0,40}?(?:ModuleNotFoundError|ImportError): No module named ['\"]?(\w[\w.]{0,80})|\bcannot load such file -- (\w[\w/-]{0,80})"
)
_OF_ENVIRONMENTS = frozenset(
    str.split(
        "python ipython pytest mypy pylint coverage tox nox alembic celery flask django-admin gunicorn uvicorn jupyter streamlit ruby irb rspec rake rails"
    )
)
"""Programs that find other modules in an environment (`uv run pytest`, `bundle exec rspec`) than by their name alone."""
MANAGED = "externally-managed-environment"
"""What pip says outside of a virtual environment where the system's packages are not its own."""
INSTALL = "pip install"


def launches(command: str, *, may_fail: bool = False) -> dict[str, str]:
    """Return {program: how a command starts it}: `BY_NAME`, or all that starts it, as it is written. `pip install` and `python -m NAME` count as programs, and
    so does what `which` looks for.

    may_fail: whether to include a command that goes on if a part of it fails (`||`). Its success says nothing about its parts.
    """
    if "||" in command and not may_fail:
        return {}
    found: dict[str, str] = {}
    written = _written_steps(command) if any(sign in command for sign in _SIGNS) else {}
    done: list[str] = []
    for part in shell.parts(command)[:_MOST_PARTS]:
        words = programs.without_shell_keywords(part.words)
        if words and words[0] not in programs.PREPARATION:
            own = part.words[: len(part.words) - len(words)]
            for_it = [written.get(word, shell.UNKNOWN) for word in own if word in written or _CHANGES.match(word) is not None]
            for name, start in _started(command, words):
                before = "".join(f"{one} && " for one in _needed(done, start, for_it)) + "".join(f"{one} " for one in for_it)
                told = _told(f"{before}{start or name}") if start or before else BY_NAME
                if told is not None:
                    found.setdefault(name, told)
        if step := written.get("\n".join(part.words)) or _unknown_step(part.words, words):
            done.append(step)
    return found


def missing(command: str, output: str, *, failed: bool = True) -> dict[str, str]:
    """Return {program: how it was started} for the programs of a command that the shell says it did not find. failed: whether the command did"""
    output = output[:_READ]
    if failed and not output.strip() and len(parts := shell.parts(command)) == 1 and parts[0].words[:1] == ["which"]:
        return dict.fromkeys(parts[0].words[1:2], BY_NAME)
    if not any(sign in output for sign in _MISSES) or (not failed and _shows_texts(command)):
        return {}
    lines = output.split("\n")
    names = {found[1] if (found := _WHICH.match(line)) else _missed(line.strip()) for line in lines}
    names |= {f"python -m {name}" for line in lines if (name := module_in(line))}
    if MANAGED in output:
        names.add(INSTALL)
    return {name: how for name, how in launches(command, may_fail=True).items() if name in names} if names != {""} else {}


def unmet(command: str, output: str) -> dict[str, str]:
    """Return {program: module} for the programs that a command starts by their names alone, and that say they did not find a module."""
    found = _UNMET.search(output, 0, _READ) if "o module named" in output or "cannot load such file" in output else None
    if found is None:
        return {}
    module = (found[1] or found[2]).partition(".")[0].partition("/")[0]
    started = launches(command, may_fail=True).items()
    return {name: module for name, how in started if how == BY_NAME and (name in _OF_ENVIRONMENTS or name.startswith("python -m "))}


def gone(launched: dict[str, str], output: str) -> dict[str, str]:
    """Return those of these ways to start programs that name a file which an output says is not there."""
    if not any(sign in output for sign in _GONE):
        return {}
    lines = [line.replace("$HOME", "~") for line in output[:_READ].split("\n") if any(sign in line for sign in _GONE)]
    paths = {name: [word for word in how.replace("$HOME", "~").replace('"', "").split(" ") if "/" in word] for name, how in launched.items()}
    return {name: how for name, how in launched.items() if any(path in line for path in paths[name] for line in lines)}


def may_lack(output: str) -> bool:
    """Return whether the beginning of an error may say that something was not found, so that nothing shows whether a program ran."""
    said = output[:_BEGINNING].lower()
    return any(sign in said for sign in ("no such file", "not found", "permission denied", "cannot find", "見つかりません", "ありません"))


def hides_errors(command: str) -> bool:
    """Return whether a command does not print what its shell says, or does not wait for its programs."""
    if "/dev/null" in command or _BACKGROUND.search(command) is not None:
        return True
    return ("2>" in command or "&>" in command) and any(part.targets for part in shell.parts(command))


def _missed(line: str) -> str:
    """Return the program that a line of an output says the shell did not find, "" for none and for a line that only quotes it."""
    name = program_in(line)
    is_said = name and (" ENOENT" in line or "exec: " in line or _SHELL_SAYS.fullmatch(line[: line.rfind(name) if line.endswith(name) else line.find(name)]))
    return name if is_said else ""


def _shows_texts(command: str) -> bool:
    """Return whether a part of a command shows a text from elsewhere, which may quote an error."""
    return any(part.before != "|" and part.words[:1] and part.words[0] in _SHOWS_TEXTS for part in shell.parts(command))


def _written_steps(command: str) -> dict[str, str]:
    """Return {words of a step that changes where the shell looks, one a line: the step as it is written}, without those that have the same words."""
    found: dict[str, str] = {}
    for one in _SET_UP.finditer(command):
        step = one["step"].strip()
        parts = shell.parts(step)
        words = "\n".join(parts[0].words) if len(parts) == 1 else ""
        found[words] = step if found.get(words, step) == step else shell.UNKNOWN
    return found


def _unknown_step(every: list[str], words: list[str]) -> str:
    """Return `cd FOLDER`, or `UNKNOWN` for another part of a command after which a shell may find other programs; "" for none. words: all but assignments"""
    if words[:1] in (["cd"], ["pushd"]):
        return f"{_TO_FOLDER}{words[1] if len(words) == 2 and ' ' not in words[1] else shell.UNKNOWN}"
    is_set_up = not words or words[0] in _ONLY_SET_UP
    return shell.UNKNOWN if is_set_up and _CHANGES.match("\n".join([*(words or every), ""])) is not None else ""


def _needed(done: list[str], start: str, for_it: list[str]) -> list[str]:
    """Return the steps before a program, with those to a folder that a later one, or what starts the program, is relative to."""
    is_relative = " " in start or ("/" in start and start[0] not in "/~$") or any(_RELATIVE.match(one) is not None for one in for_it)
    found = []
    for step in reversed(done):
        if not step.startswith(_TO_FOLDER):
            is_relative = is_relative or _RELATIVE.match(step) is not None
            found.append(step)
        elif is_relative and step != f"{_TO_FOLDER}.":
            found.append(step)
    found = list(dict.fromkeys(reversed(found)))
    return found if len(found) <= _MOST_STEPS else [shell.UNKNOWN]


def _started(command: str, words: list[str]) -> list[tuple[str, str]]:
    """Return (program, what starts it without any set-up, `BY_NAME` for its name alone) for each program that the words of one part start."""
    if words[0] == "which" or words[:2] == ["command", "-v"]:
        return [(word, BY_NAME) for word in words[1:] if not word.startswith("-") and "/" not in word]
    if words[0] in _RUNS_AS_ANOTHER:
        return []
    runner, inner = programs.run_by(words)
    found = []
    if runner:
        found.append((programs.name(runner[0]), _path(command, runner[0])))
    if not inner or programs.name(inner[0]) == "_" or "/" in programs.name(inner[0]):
        return found
    name, path = programs.name(inner[0]), _path(command, inner[0])
    is_module = runner[-1:] == ["-m"]
    if name == "pip":
        found += [] if runner else [(name, path)]
        if "install" not in inner[1:3]:
            return found
        name, path = INSTALL, f"{path} install" if "/" in path else ""
        if is_module:
            start = " ".join(runner[:-1]) if len(runner) > _MODULE_OF_PYTHON else _path(command, runner[0])
            return [*found, (INSTALL, f"{start} -m pip install" if "/" in start or " " in start else BY_NAME)]
    elif is_module and len(runner) > _MODULE_OF_PYTHON:
        start = " ".join(runner[:-1])
        found += [(programs.name(runner[-2]), start), (f"{programs.name(runner[-2])} -m {name}", f"{start} -m {name}")]
    elif is_module:
        start = _path(command, runner[0])
        found.append((f"python -m {name}", f"{start} -m {name}" if "/" in start else BY_NAME))
    start = " ".join([*runner, inner[0]]) + (" install" if name == INSTALL else "") if runner else path
    return [*found, (name, start)]


def _path(command: str, word: str) -> str:
    """Return the path by which a command names a program, as it is written, or another name of it (`python3`); "" for its name alone."""
    if "/" not in word:
        return "" if word == programs.name(word) else word
    if shell.UNKNOWN not in word:
        return word
    end = word.rpartition(shell.UNKNOWN)[2]
    at = command.find(end)
    begin = at
    while begin > 0 and command[begin - 1] not in " \t\n;&|\"'`(":
        begin -= 1
    written = command[begin : at + len(end)]
    return written if at >= 0 and [part.words for part in shell.parts(written)] == [[word]] else word


def _told(start: str) -> str | None:
    """Return what starts a program without the name of the person's folder; None if it cannot be shown, or another shell cannot run it so."""
    if any(name not in _KNOWN_VARIABLES and f"{name}=" not in start for name in _VARIABLE_IN.findall(start)):
        return None
    # A shell leaves `~` as it is between quotes.
    start = _HOME.sub(lambda found: "$HOME" if start.count('"', 0, found.start()) % 2 else "~", start)
    is_lasting = not any(sign in start for sign in (MARK, shell.UNKNOWN, "`", *_HOMES, *_SHORT_LIVED))
    return start if len(start) <= _LONGEST and is_lasting else None

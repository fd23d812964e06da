"""The structure of a shell command, and whether its exit status is that of the part that does the work.

In `make | tail`, `make || true` and `make; ls` it is not; in `cd app && make`, `set -o pipefail` and `make || exit 1` it is.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs, shell
from memorybank.text.commands.arguments import ClassifiedArguments
from memorybank.text.commands.shell import UNKNOWN as EXPANSION
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_DEPTH = 3
_CUTTING = frozenset(("head", "sed"))
_SILENT = frozenset(
    ("go build", "go vet", "go fmt", "go mod", "gofmt", "goimports", "tsc", "eslint", "gcc", "g++", "clang", "cc", "rustc", "javac", "pyflakes", "flake8",
     "shellcheck", "yamllint", "git add", "mix format", "terraform fmt", "py_compile", "compileall")
)  # fmt: skip
"""Programs that print nothing on success."""
_HIDING = (">/dev/null", "> /dev/null")
_MASKING_KEYWORDS = frozenset(str.split("if then elif else while until do done fi !"))


class _Step(Value, frozen=False):
    """One simple command.

    before: the operator before it
    keyword: the keyword of the shell before it that hides its status, or ""
    ends: whether it only ends the command (`|| exit 1`), so that the status remains that of the failed part
    program: its name
    pair: program and first sub-command
    working: whether it does something that may fail
    looks: whether it only shows something
    minor: whether its effect is minor (`mkdir`, `git add`)
    """

    before: str
    keyword: str
    words: list[str]
    ends: bool
    program: str = ""
    pair: str = ""
    working: bool = False
    looks: bool = False
    minor: bool = False


def _step(part: shell.SimpleCommand) -> _Step:
    words = programs.unwrapped(programs.without_shell_keywords(part.words))
    keyword = part.words[0] if part.words and part.words[0] in _MASKING_KEYWORDS else ""
    step = _Step(part.before, keyword, words, ends=words[:1] in (["exit"], ["false"], ["return"]))
    if not words or words[0] in programs.PREPARATION:
        return step
    arguments = ClassifiedArguments(words, "", "")
    step.program = arguments.program
    step.pair = " ".join([arguments.program, *arguments.subcommands[:1]])
    step.looks = arguments.is_read_only
    writes = arguments.edits_in_place or (arguments.is_viewer and bool(part.targets))
    step.minor = writes or step.program in programs.MINOR or step.pair == "git add"
    step.working = not step.looks and not step.minor
    return step


class CommandStructure:
    """The structure of a command, as far as it decides about its exit status.

    working: whether any part does more than show something or have a minor effect
    minor: whether it has minor effects and no others
    status_is_from_work: whether the exit status is that of the working parts
    has_trusted_status: whether all working parts are programs with a reliable exit status
    silent: whether no output means success
    last: name of the last program
    head_lines: number of lines that `head` or `sed` lets through, 0 for all
    selected: whether `grep` or a similar filter selected the lines
    shows_failures: whether the filter would also have selected the lines of a failure
    echoes: the texts that the command prints about its outcome
    printed_status_is_from_work: whether the `$?` that it prints is the status of the working parts
    """

    def __init__(self, command: str) -> None:
        steps = list(_steps(command, 0))
        working = [step for step in steps if step.working]
        self.working = bool(working)
        self.minor = not working and any(step.minor for step in steps)
        self.last = next((step.program for step in reversed(steps) if step.program), "")
        pipefail = "pipefail" in command
        self.echoes = _Echoes([], [], [])
        self.status_is_from_work = self.printed_status_is_from_work = True
        self._walk(steps, pipefail, pipefail or "set -e" in command)
        self.status_is_from_work = self.status_is_from_work and not command.rstrip().endswith("&")
        self.printed_status_is_from_work = self.printed_status_is_from_work or "PIPESTATUS" in command or "pipestatus" in command
        self.has_trusted_status = all(step.program in programs.TRUSTED_STATUS_PROGRAMS for step in working)
        filters = [step for step in steps if step.before == "|" and step.looks]
        self.head_lines = next((_lines_of_head(step.words) for step in filters if step.program in _CUTTING), 0)
        chosen = [step for step in filters if step.program in programs.GREPS and not _is_inverse(step.words)]
        self.selected = bool(chosen)
        self.shows_failures = all(any(sign in " ".join(step.words).lower() for sign in ("fail", "error", "✗")) for step in chosen)
        silent = bool(working) and not _SILENT.isdisjoint((working[-1].pair, working[-1].program))
        self.silent = silent and not chosen and not any(sign in command for sign in _HIDING)

    def _walk(self, steps: list[_Step], pipefail: bool, errexit: bool) -> None:
        """Set what the final status and a printed `$?` belong to, and `echoes`: what is printed about the outcome."""
        is_from_work = True
        pending = False
        for index, step in enumerate(steps):
            matters = step.working or (not self.working and step.looks and step.program not in programs.ASIDES)
            if step.keyword:
                is_from_work = False
            # An echo after the work says something about the outcome. After `;` it also replaces the status by its own, always 0.
            if step.program in ("echo", "printf") and step.before in ("&&", "||", ";"):
                self.echoes.note(step, is_from_work)
                if step.before == ";" and pending:
                    self.printed_status_is_from_work, is_from_work = is_from_work, False
                continue
            # `a || b` and `a; b` report the status of `b`, except after `set -e`, where a failed `a` ends the command.
            if not step.ends and (step.before == "||" or (step.before == ";" and pending and not errexit)):
                is_from_work = False
            if matters:
                pending = True
                # The status of a pipeline is that of its last program.
                if not pipefail and index + 1 < len(steps) and steps[index + 1].before == "|":
                    is_from_work = False
        self.status_is_from_work = is_from_work


class _Echoes(Value, frozen=False):
    """The texts that a command prints about its own outcome.

    fine: texts that are echoed after `&&`
    failed: texts echoed after `||`
    missed: texts echoed after `||` when the status is that of a filter, which found nothing
    code: whether it prints `$?`
    """

    fine: list[str]
    failed: list[str]
    missed: list[str]
    code: bool = False

    def any(self) -> bool:
        return bool(self.code or self.fine or self.failed or self.missed)

    def note(self, step: _Step, runs_by_work: bool) -> None:
        """Record what an `echo` prints. runs_by_work: whether the status of the working parts decides whether it runs."""
        text = " ".join(word for word in step.words[1:] if word not in ("-e", "-n")).strip().removesuffix("\\n")
        if EXPANSION in text:
            self.code = True
        elif text and step.before == "||":
            (self.failed if runs_by_work else self.missed).append(text)
        elif text and step.before == "&&" and runs_by_work:
            self.fine.append(text)


def _steps(command: str, depth: int) -> Iterator[_Step]:
    for part in shell.parts(command):
        step = _step(part)
        inner = programs.inner_command(step.words) if step.words else None
        if inner is None or depth >= _DEPTH:
            if step.words or part.targets:
                yield step
            continue
        for number, nested in enumerate(_steps(inner, depth + 1)):
            if not number:
                nested.before = part.before
            yield nested


def _lines_of_head(words: list[str]) -> int:
    """Return the number of lines that `head` or `sed -n 1,20p` lets through; 0 if there is no such limit."""
    numbers = [digits for word in words[1:] for digits in ["".join(sign if sign.isdecimal() else " " for sign in word).split()] if digits]
    if words[0] == "head":
        return int(numbers[0][0][:6]) if numbers else 10
    return int(numbers[-1][-1][:6]) if words[0] == "sed" and "-n" in words and numbers else 0


def _is_inverse(words: list[str]) -> bool:
    return any(word.startswith("-") and not word.startswith("--") and "v" in word for word in words[1:]) or "--invert-match" in words

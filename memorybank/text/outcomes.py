"""How a shell command ended: read from its command and its output where the exit status says nothing.

In `make test | tail -5`, `make test || true` and `make test; echo` the status is that of something else. There the output decides;
where it says nothing either, the outcome is unknown, and nothing is learned from it. Pure.
Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text import programs, shell
from memorybank.text.arguments import Arguments
from memorybank.text.shell import UNKNOWN as EXPANSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SUCCESS, FAILURE, PARTIAL, UNKNOWN = "success", "failure", "partial", "unknown"
_LONGEST_ERROR = 1_500
_DEPTH = 3
_SEARCHES = frozenset(str.split("grep egrep fgrep rg ag ack diff cmp test [ [[ which type pgrep find ls"))
_PASSING_ON = frozenset(str.split("tail cat tee less more nl column fold tr sed awk gawk sort uniq"))
"""Filters that show the end of what they get, or all of it."""
_SELECTING = frozenset(str.split("grep egrep fgrep rg ag ack"))
_CUTTING = frozenset(("head", "sed", "awk", "gawk"))
_MINOR = frozenset(str.split("mkdir rm rmdir cp mv touch chmod ln kill pkill killall sleep"))
"""What they do goes without saying: a command is not run for their sake when it does anything else."""
_SILENT = frozenset(
    ("go build", "go vet", "go fmt", "go mod", "gofmt", "goimports", "tsc", "eslint", "gcc", "g++", "clang", "cc", "rustc", "javac", "pyflakes", "flake8",
     "shellcheck", "yamllint", "git add", "mix format", "terraform fmt", "py_compile", "compileall")
)  # fmt: skip
"""Programs that say nothing when all is well."""
_HIDING = (">/dev/null", "> /dev/null")
_LIARS = ("FAILED", "exited with code", "script failed", "exited with exit code", "✗ ", "BUILD FAIL", "失敗")
"""Without one of these a status that speaks is believed, and the output is not read."""
_MASKING_KEYWORDS = frozenset(str.split("if then elif else while until do done fi !"))
_NOT_RUN = ("sibling tool call errored", "<tool_use_error>cancelled", "cancelled: parallel tool call")


class Outcome:
    """status: success failure partial unknown; error: the lines that say what is wrong, in order, "" when it did not fail."""

    __slots__ = ("error", "status")

    def __init__(self, status: str, error: str = "") -> None:
        self.status = status
        self.error = error

    def __repr__(self) -> str:
        return f"Outcome({self.status!r}, {self.error!r})"


def read(command: str, output: str, error: str | None, status: str | None) -> Outcome:
    """How a call ended. Never raises; reads at most 80,000 characters of the output.

    command: as it was run; output: what it printed; error: what the host says of a failure (with the output or without);
    status: what the host says, None when it does not know.
    """
    ended = status_of(command, output, error or "", status)
    return Outcome(ended, error_of(error or output) if ended == FAILURE else "")


def status_of(command: str, output: str, error: str, status: str | None) -> str:
    """success failure partial unknown; the arguments are those of `read`."""
    if status == PARTIAL:
        return PARTIAL
    shape = _Shape(command)
    if status == FAILURE:
        return _of_failure(shape, output, error)
    echoed = _of_echoes(shape, output) if shape.echoes else None
    if echoed is not None:
        return echoed
    if status == SUCCESS and shape.speaks:
        return _of_success(shape, output)
    if shape.working:
        return _of_output(shape, output)
    return _of_look(shape, output) if status == SUCCESS else UNKNOWN


def error_of(text: str) -> str:
    """The lines of an output that say what is wrong, in order, at most 1,500 characters; "" when none has anything to say."""
    from memorybank.text.error_lines import telling_lines

    told, room = [], _LONGEST_ERROR
    for line in telling_lines(text):
        if len(line) > room:
            break
        told.append(line)
        room -= len(line) + 1
    return "\n".join(told)


def _of_failure(shape: _Shape, output: str, error: str) -> str:
    """A failure, unless the last part is a search that found nothing, or the host never ran it."""
    if any(sign in error[:200].lower() for sign in _NOT_RUN):
        return UNKNOWN
    if shape.last not in _SEARCHES:
        return FAILURE
    code, text = _exit_code(error)
    said = text or output
    if (code != "1" if code else error.strip() not in ("", output.strip())) or not _is_quiet(said, shape):
        return FAILURE
    return SUCCESS if shape.last in ("diff", "cmp") and said.strip() and not shape.working else UNKNOWN


def _exit_code(error: str) -> tuple[str, str]:
    """(`1`, the rest) of an error that begins with `Exit code 1`; ("", the whole) of others."""
    first, _, rest = error.partition("\n")
    code = first.lower().removeprefix("error: ").removeprefix("exit code ").strip()
    return (code, rest) if code.isdecimal() else ("", error)


def _is_quiet(text: str, shape: _Shape) -> bool:
    """Whether no line says that something went wrong; what a search shows is not its own message."""
    if not text.strip():
        return True
    if not shape.working:
        return not _complaints(text)[0]
    return _verdict(_kinds(text), shape) != FAILURE


def _of_success(shape: _Shape, output: str) -> str:
    """A success, unless a wrapper hides that what it ran failed."""
    if shape.honest or not any(sign in output for sign in _LIARS):
        return SUCCESS
    kinds = _kinds(output)
    from memorybank.text.output_lines import DONE, VERDICT

    failed = max((index for index, kind in enumerate(kinds) if kind == VERDICT), default=-1)
    return FAILURE if failed >= 0 and DONE not in kinds[failed:] else SUCCESS


def _of_output(shape: _Shape, output: str) -> str:
    """What the output says where the status says nothing."""
    if _is_silent(shape, output):
        return SUCCESS
    return _verdict(_kinds(output), shape)


def _is_silent(shape: _Shape, output: str) -> bool:
    """Whether a program that says nothing when all is well said nothing; `$ tsc --noEmit` is a script that says what it runs."""
    lines = [line.strip() for line in output[:2_000].split("\n") if line.strip()]
    if not lines:
        return shape.silent
    return len(lines) < 4 and not shape.selected and all(line.startswith("$ ") for line in lines) and _Shape(lines[-1][2:]).silent


def _of_echoes(shape: _Shape, output: str) -> str | None:
    """What the command itself prints of the outcome: `&& echo ok || echo failed`, `; echo "exit: $?"`; None when that decides nothing."""
    lines = {line.strip() for line in output.split("\n")}
    if any(text in lines for text in shape.echoes[UNKNOWN]):
        return UNKNOWN
    if any(text in lines for text in shape.echoes[FAILURE]):
        return FAILURE if shape.working else UNKNOWN
    if shape.echoes["code"]:
        codes = _codes(lines)
        if any(code != "0" for code in codes):
            return FAILURE if shape.working else UNKNOWN
        if codes and shape.code_speaks:
            return SUCCESS
    if any(text in lines for text in shape.echoes[SUCCESS]):
        return SUCCESS
    return None


def _codes(lines: set[str]) -> list[str]:
    """The numbers behind `exit`, `code`, `rc`, `status`, or alone on a line."""
    found = []
    for line in lines:
        words = line.strip("=-* ").replace("=", " ").replace(":", " ").split()
        if not words or len(words) > 6 or not words[-1].isdecimal() or len(words[-1]) > 3:
            continue
        if len(words) == 1 or any(sign in line.lower() for sign in ("exit", "code", "rc", "status", "ret", "$?")):
            found.append(words[-1])
    return found


def _of_look(shape: _Shape, output: str) -> str:
    """Looking and searching: something shown is a success, nothing but complaints a failure."""
    complaints, others = _complaints(output)
    if complaints:
        return PARTIAL if others else FAILURE
    return SUCCESS if others or shape.minor else UNKNOWN


def _complaints(text: str) -> tuple[int, int]:
    """(lines in which a viewer says that it could not read, other lines that say something)"""
    complaints = others = 0
    for line in text[:20_000].split("\n"):
        program, colon, rest = line.strip().partition(":")
        if not program or program.startswith(_MOVED_BACK):
            continue
        if colon and _is_complaint(program, rest):
            if program in (*_FATAL, "error") and not others:
                return 1, 0  # what follows explains it
            complaints += 1
        else:
            others += 1
    return complaints, others


def _is_complaint(program: str, rest: str) -> bool:
    if program in _FATAL or (program == "error" and rest.startswith(_MISUSED)):
        return True
    if not (program in programs.VIEWERS or program in ("bash", "zsh", "sh", "(eval)", "git", "jq", "/bin/bash", "/bin/sh")):
        return False
    return rest.endswith(_REFUSALS) or "command not found" in rest or "no matches found" in rest


_MISUSED = (" unexpected argument", " unrecognized ", " unknown ", " invalid option", " pathspec")
_FATAL = ("fatal", "致命的エラー")
_MOVED_BACK = "Shell cwd was reset to"
"""What Claude Code adds to an output."""
_REFUSALS = (
    *("No such file or directory", "Permission denied", "Is a directory", "Not a directory", "not found", "Operation not permitted"),
    *("そのようなファイルやディレクトリはありません", "許可がありません", "ディレクトリです", "見つかりません"),
)


def _kinds(output: str) -> list[str]:
    """The kinds of the lines that say something."""
    from memorybank.text import output_lines

    lines = (output_lines.plain(line[:600]) for line in output_lines.window(output).split("\n"))
    return [output_lines.kind(line) for line in lines if line]


def _verdict(kinds: list[str], shape: _Shape) -> str:
    from memorybank.text.output_lines import CROSSED, DONE, FAILED, PLACE, RUNNING, SAID, VERDICT

    if VERDICT in kinds or FAILED in kinds or PLACE in kinds:
        return FAILURE
    last = {kind: index for index, kind in enumerate(kinds)}
    is_cut = shape.selected or (shape.cut and len(kinds) >= shape.cut)
    said, done = max(last.get(SAID, -1), last.get(CROSSED, -1)), last.get(DONE, -1)
    if is_cut and not (done > said and shape.shows_failures and not shape.cut):
        return FAILURE if said >= 0 and RUNNING not in kinds and not shape.selected else UNKNOWN
    if said > done:
        return FAILURE
    return SUCCESS if done >= 0 else UNKNOWN


class _Step:
    """One simple command. program: its name; pair: with its sub-command; working: it does something that may fail; looks: it only shows."""

    __slots__ = ("before", "keyword", "looks", "minor", "pair", "program", "words", "working")

    def __init__(self, part: shell.Part, words: list[str]) -> None:
        self.before = part.before
        self.keyword = words[0] if words and words[0] in _MASKING_KEYWORDS else ""
        self.words = programs.unwrapped(programs.plain(words))
        self.program = self.pair = ""
        self.working = self.looks = self.minor = False
        if self.words and self.words[0] not in programs.PREPARATION:
            self._judge(part)

    def _judge(self, part: shell.Part) -> None:
        arguments = Arguments(self.words, "", "")
        self.program = arguments.program
        self.pair = " ".join([arguments.program, *arguments.subcommands[:1]])
        edits = self.program in programs.EDITORS and any(flag.startswith(("-i", "--in-place")) for flag in arguments.flags)
        viewer = self.program in programs.VIEWERS and not edits
        bare = not (arguments.files or arguments.values or arguments.numbers)
        asks = self.pair == "git config" and any(flag.startswith(("--get", "--list", "-l")) for flag in arguments.flags)
        self.looks = viewer or asks or programs.only_looks(self.program, arguments.subcommands, arguments.flags, bare)
        self.minor = self.program in _MINOR or self.pair == "git add" or edits or (viewer and bool(part.targets))
        self.working = not self.looks and not self.minor


class _Shape:
    """What a command's form says about its status.

    working: whether anything in it does more than look; minor: whether it does only what goes without saying; speaks: whether the status
    is that of what it does; honest: whether only programs run whose status is reliable; silent: whether no output means success;
    last: the program whose status it is; cut: lines that `head` leaves, 0 for all; selected: whether `grep` chose the lines;
    shows_failures: whether it would have chosen those of a failure; echoes: what it prints of the outcome; code_speaks: whether the `$?`
    that it prints is that of what it does.
    """

    __slots__ = ("code_speaks", "cut", "echoes", "honest", "last", "minor", "selected", "shows_failures", "silent", "speaks", "working")

    def __init__(self, command: str) -> None:
        steps = list(_steps(command, 0))
        working = [step for step in steps if step.working]
        self.working = bool(working)
        self.minor = not working and any(step.minor for step in steps)
        self.last = next((step.program for step in reversed(steps) if step.program), "")
        pipefail = "pipefail" in command
        self.echoes: dict[str, list[str]] = {}
        self.speaks, self.code_speaks = self._walk(steps, pipefail, pipefail or "set -e" in command)
        self.speaks = self.speaks and not command.rstrip().endswith("&")
        self.code_speaks = self.code_speaks or "PIPESTATUS" in command or "pipestatus" in command
        self.honest = all(step.program in programs.HONEST for step in working)
        filters = [step for step in steps if step.before == "|" and step.looks]
        self.cut = next((_lines_of_head(step.words) for step in filters if step.program in _CUTTING), 0)
        chosen = [step for step in filters if step.program in _SELECTING and not _is_inverse(step.words)]
        self.selected = bool(chosen)
        self.shows_failures = all(any(sign in " ".join(step.words).lower() for sign in ("fail", "error", "✗")) for step in chosen)
        self.silent = (
            bool(working) and working[-1].pair in _SILENT | {working[-1].program} & _SILENT and not chosen and not any(sign in command for sign in _HIDING)
        )

    def _walk(self, steps: list[_Step], pipefail: bool, errexit: bool) -> tuple[bool, bool]:
        """(whether the status at the end is that of all that works, whether a printed `$?` is)"""
        speaks = code_speaks = True
        pending = False
        matters = [step for step in steps if step.working] or [step for step in steps if step.looks and step.program not in programs.ASIDES]
        echoes: dict[str, list[str]] = {SUCCESS: [], FAILURE: [], UNKNOWN: [], "code": []}
        for index, step in enumerate(steps):
            follows = steps[index + 1] if index + 1 < len(steps) else None
            if step.keyword and matters:
                speaks = False
            if step.program in ("echo", "printf") and step.before in ("&&", "||", ";"):
                self._note_echo(step, speaks, echoes)
                if step.before == ";" and pending:
                    code_speaks, speaks = speaks, False
                continue
            if step.before == ";" and pending and not errexit and not _ends(step):
                speaks = False
            if step.before == "||" and not _ends(step):
                speaks = False
            if step in matters:
                pending = True
                if follows is not None and follows.before == "|" and not pipefail:
                    speaks = False
        self.echoes = echoes if any(echoes.values()) else {}
        return speaks, code_speaks

    @staticmethod
    def _note_echo(step: _Step, speaks: bool, echoes: dict[str, list[str]]) -> None:
        text = " ".join(word for word in step.words[1:] if word not in ("-e", "-n")).strip().removesuffix("\\n")
        if EXPANSION in text:
            echoes["code"].append(text)
        elif text and step.before == "||":
            echoes[FAILURE if speaks else UNKNOWN].append(text)
        elif text and step.before == "&&" and speaks:
            echoes[SUCCESS].append(text)


def _ends(step: _Step) -> bool:
    """`|| exit 1`: the status stays that of what failed."""
    return step.words[:1] in (["exit"], ["false"], ["return"])


def _steps(command: str, depth: int) -> Iterator[_Step]:
    for part in shell.parts(command):
        step = _Step(part, part.words)
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
    """How many lines `head` or `sed -n 1,20p` leaves."""
    numbers = [digits for word in words[1:] for digits in ["".join(sign if sign.isdecimal() else " " for sign in word).split()] if digits]
    if words[0] == "head":
        return int(numbers[0][0][:6]) if numbers else 10
    return int(numbers[-1][-1][:6]) if words[0] == "sed" and "-n" in words and numbers else 0


def _is_inverse(words: list[str]) -> bool:
    return any(word.startswith("-") and not word.startswith("--") and "v" in word for word in words[1:]) or "--invert-match" in words

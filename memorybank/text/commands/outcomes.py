"""Determines how a shell command ended, from the command and its output where the exit status says nothing.

In `make test | tail -5`, `make test || true` and `make test; echo` the status is that of another command, so the output decides.
If the output says nothing either, the outcome is unknown, and nothing is learned from it.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs
from memorybank.text.commands.structure import CommandStructure

SUCCESS, FAILURE, PARTIAL, UNKNOWN = "success", "failure", "partial", "unknown"
_LONGEST_ERROR = 1_500
_SEARCHES = programs.GREPS | frozenset(str.split("diff cmp test [ [[ which type pgrep find ls"))
_FAILURE_SIGNS = ("FAILED", "exited with code", "script failed", "exited with exit code", "✗ ", "BUILD FAIL", "失敗")
"""Signs of a failure despite an exit status of 0. Without one of these, the exit status of the working part is trusted and the output is not read."""
_NOT_RUN = ("sibling tool call errored", "<tool_use_error>cancelled", "cancelled: parallel tool call")
_MISUSED = (" unexpected argument", " unrecognized ", " unknown ", " invalid option", " pathspec")
_FATAL = ("fatal", "致命的エラー")
_MOVED_BACK = "Shell cwd was reset to"
"""A line that Claude Code adds to an output."""
_REFUSALS = (
    *("No such file or directory", "Permission denied", "Is a directory", "Not a directory", "not found", "Operation not permitted"),
    *("そのようなファイルやディレクトリはありません", "許可がありません", "ディレクトリです", "見つかりません"),
)


def status_of(command: str, output: str, error: str, status: str | None) -> str:
    """Return `success`, `failure`, `partial` or `unknown`. Reads at most 80,000 characters of the output.

    command: the command as it was run
    output: its complete output
    error: the host's message about a failure, with or without the output
    status: the status that the host reported; None when it does not know
    """
    if status == PARTIAL:
        return PARTIAL
    structure = CommandStructure(command)
    if status == FAILURE:
        return _of_failure(structure, output, error)
    # What the command prints about its own outcome outranks a status, which may belong to another part.
    echoed = _of_echoes(structure, output) if structure.echoes.any() else None
    if echoed is not None:
        return echoed
    if status == SUCCESS and structure.status_is_from_work:
        return _of_success(structure, output)
    if structure.working:
        return SUCCESS if _is_silent(structure, output) else _verdict(_kinds(output), structure)
    return _of_read_only(structure, output) if status == SUCCESS else UNKNOWN


def error_of(text: str) -> str:
    """Return the lines of an output that say what is wrong, in order, at most 1,500 characters in total; "" when there are none."""
    from memorybank.text.commands.error_excerpt import error_excerpt_lines

    kept, left = [], _LONGEST_ERROR
    for line in error_excerpt_lines(text):
        if len(line) > left:
            break
        kept.append(line)
        left -= len(line) + 1
    return "\n".join(kept)


def _of_failure(structure: CommandStructure, output: str, error: str) -> str:
    """Judge a reported failure: it is one, unless the last program is a search that found nothing or the host never ran the call."""
    if any(sign in error[:200].lower() for sign in _NOT_RUN):
        return UNKNOWN
    if structure.last not in _SEARCHES:
        return FAILURE
    code, text = _exit_code(error)
    said = text or output
    if (code != "1" if code else error.strip() not in ("", output.strip())) or not _is_quiet(said, structure):
        return FAILURE
    # `diff` and `cmp` exit with 1 because they found differences, which is a result.
    return SUCCESS if structure.last in ("diff", "cmp") and said.strip() and not structure.working else UNKNOWN


def _exit_code(error: str) -> tuple[str, str]:
    """Return (`1`, the rest) for an error that begins with `Exit code 1`, else ("", the complete error)."""
    first, _, rest = error.partition("\n")
    code = first.lower().removeprefix("error: ").removeprefix("exit code ").strip()
    return (code, rest) if code.isdecimal() else ("", error)


def _is_quiet(text: str, structure: CommandStructure) -> bool:
    """Return whether no line says that something went wrong. What a search shows are not its own messages, so only its complaints count."""
    if not text.strip():
        return True
    if not structure.working:
        return not _complaints(text)[0]
    return _verdict(_kinds(text), structure) != FAILURE


def _of_success(structure: CommandStructure, output: str) -> str:
    """Judge a reported success: it is one, unless a wrapper hides that the program it ran failed."""
    if structure.has_trusted_status or not any(sign in output for sign in _FAILURE_SIGNS):
        return SUCCESS
    kinds = _kinds(output)
    from memorybank.text.commands.output_lines import DONE, VERDICT

    # A success after the last failed run means that the failure was repaired or retried within the same command.
    failed = max((index for index, kind in enumerate(kinds) if kind == VERDICT), default=-1)
    return FAILURE if failed >= 0 and DONE not in kinds[failed:] else SUCCESS


def _is_silent(structure: CommandStructure, output: str) -> bool:
    """Return whether a program that prints nothing on success printed nothing, or only the command that a script runs (`$ tsc --noEmit`)."""
    lines = [line.strip() for line in output[:2_000].split("\n") if line.strip()]
    if not lines:
        return structure.silent
    return len(lines) < 4 and not structure.selected and all(line.startswith("$ ") for line in lines) and CommandStructure(lines[-1][2:]).silent


def _of_echoes(structure: CommandStructure, output: str) -> str | None:
    """Return the outcome that the command itself prints (`&& echo ok || echo failed`, `; echo "exit: $?"`); None when it prints none."""
    lines = {line.strip() for line in output.split("\n")}
    # The lines of the output have no order here, so one failed step counts as a failure of the command.
    if any(text in lines for text in structure.echoes.missed):
        return UNKNOWN
    if any(text in lines for text in structure.echoes.failed):
        return FAILURE if structure.working else UNKNOWN
    if structure.echoes.code:
        codes = _codes(lines)
        if any(code != "0" for code in codes):
            return FAILURE if structure.working else UNKNOWN
        if codes and structure.printed_status_is_from_work:
            return SUCCESS
    if any(text in lines for text in structure.echoes.fine):
        return SUCCESS
    return None


def _codes(lines: set[str]) -> list[str]:
    """Return the numbers after `exit`, `code`, `rc` or `status`, or alone on a line."""
    found = []
    for line in lines:
        words = line.strip("=-* ").replace("=", " ").replace(":", " ").split()
        if not words or len(words) > 6 or not words[-1].isdecimal() or len(words[-1]) > 3:
            continue
        if len(words) == 1 or any(sign in line.lower() for sign in ("exit", "code", "rc", "status", "ret", "$?")):
            found.append(words[-1])
    return found


def _of_read_only(structure: CommandStructure, output: str) -> str:
    """Judge a command that looks or searches: anything shown is a success, nothing but complaints a failure."""
    complaints, others = _complaints(output)
    if complaints:
        return PARTIAL if others else FAILURE
    return SUCCESS if others or structure.minor else UNKNOWN


def _complaints(text: str) -> tuple[int, int]:
    """Return the number of lines in which a viewer says that it could not read, and the number of other lines with content."""
    complaints = others = 0
    for line in text[:20_000].split("\n"):
        program, colon, rest = line.strip().partition(":")
        if not program or program.startswith(_MOVED_BACK):
            continue
        if colon and _is_complaint(program, rest):
            if program in (*_FATAL, "error") and not others:
                return 1, 0  # the following lines explain this one
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


def _kinds(output: str) -> list[str]:
    """Return the kinds of the lines with content."""
    from memorybank.text.commands import output_lines

    lines = (output_lines.plain(line[:600]) for line in output_lines.window(output).split("\n"))
    return [output_lines.kind(line) for line in lines if line]


def _verdict(kinds: list[str], structure: CommandStructure) -> str:
    from memorybank.text.commands.output_lines import CROSSED, DONE, FAILED, PLACE, RUNNING, SAID, VERDICT

    if VERDICT in kinds or FAILED in kinds or PLACE in kinds:
        return FAILURE
    last = {kind: index for index, kind in enumerate(kinds)}
    is_cut = structure.selected or (structure.head_lines and len(kinds) >= structure.head_lines)
    # A filtered or cut output may lack the line that reports a failure. It proves success only if the filter would have shown failures.
    said, done = max(last.get(SAID, -1), last.get(CROSSED, -1)), last.get(DONE, -1)
    if is_cut and not (done > said and structure.shows_failures and not structure.head_lines):
        return FAILURE if said >= 0 and RUNNING not in kinds and not structure.selected else UNKNOWN
    if said > done:
        return FAILURE
    return SUCCESS if done >= 0 else UNKNOWN

"""`memorybank check`."""

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.errors import NotFound, UsageError, ValidationFailed
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.checking.guidance import CheckFinding
    from memorybank.checking.run import BankCheck
    from memorybank.storage.layout import Layout

GITHUB = "github"
_COLUMNS = (Column("level"), Column("kind"), Column("where"), Column("what", flexible=True), Column("next step", flexible=True))
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})
"""The escapes of GitHub's workflow commands, in a message and in its properties."""


@click.command(
    epilog=examples(
        "memorybank check                             every file of the bank that can be committed",
        "memorybank check --staged                    what the next commit would contain",
        "memorybank check planning/ shared/api.md     these notes",
        "memorybank check --staged --all-banks        in a hook of git, for every bank of the repository",
        "memorybank check --format github             in GitHub Actions, as annotations",
        "memorybank check --format json",
    )
)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path())
@click.option("--staged", is_flag=True, help="Check what is in git's index. Without PATH only the files that the next commit changes.")
@click.option("--all-banks", "every", is_flag=True, help="Check every bank .claude/memory of this repository. Without a bank, succeed.")
@click.option("--strict", is_flag=True, help="Exit with code 9 for warnings, too.")
@output.format_option(GITHUB)
@click.pass_obj
def command(call: CommandCall, paths: tuple[str, ...], staged: bool, every: bool, strict: bool, form: str) -> None:
    """Check memory before it is committed: notes that cannot be read, secrets, broken links, conflicts, files that do not belong in a commit.

    PATH is a file, a folder or the key of a note. Nothing is changed. The exit code is 9 if something has to be corrected. A pipe gets one line for
    each problem: path:line: kind: message.
    """
    from memorybank.checking.run import check

    folder = os.getcwd()
    checked = [check(layout, staged=staged, given=given, folder=folder) for layout, given in _banks(call, paths, every, staged)]
    findings = [finding for each in checked for finding in each.findings]
    _show(checked, findings, form)
    _conclude(findings, strict)


def _banks(call: CommandCall, paths: Sequence[str], every: bool, staged: bool) -> "list[tuple[Layout, tuple[str, ...]]]":
    """Return the banks to check, each with the paths that it contains."""
    if not every:
        return [(call.layout(), tuple(paths))]
    if call.named is not None:
        raise UsageError("--bank names one bank, and --all-banks means every bank", next_step="use one of the two")
    from memorybank.bank.neighbours import banks_of, repository_of

    folder = os.getcwd()
    repository = repository_of(folder)
    if repository is None:
        raise NotFound("not in a git repository", next_step="run 'memorybank check' without --all-banks, or with --bank DIR")
    banks = banks_of(repository)
    if not paths:
        return [(layout, ()) for layout in banks]
    absolute = [os.path.join(folder, path) for path in paths]
    found = [(layout, tuple(path for path in absolute if os.path.normpath(path).startswith(layout.root + os.sep))) for layout in banks]
    outside = [path for path in absolute if not any(path in given for _, given in found)]
    if outside:
        raise NotFound(f"no bank of this repository contains {outside[0]}", next_step="name files of a bank, or none")
    # A staged deletion is in no list of paths, yet it can break links, so every bank is looked at.
    return [(layout, given) for layout, given in found if given or staged]


def _show(checked: "Sequence[BankCheck]", findings: "Sequence[CheckFinding]", form: str) -> None:
    if form == "json":
        banks = [{"bank": each.bank, "files": each.files} for each in checked]
        output.write_json({"banks": banks, "findings": [finding.to_json() for finding in findings]})
        return
    if form == GITHUB:
        output.write("".join(map(_annotation, findings)))
        return
    if form == "markdown":
        cells = [(_level(each), each.code, _where(each), each.message, each.next_step) for each in findings]
        output.rows(form, _COLUMNS, cells, None, empty=_summary(checked, findings))
        return
    if output.is_page():
        page.cards(_cards(findings))
        if findings:
            page.say("")
        page.say(_summary(checked, findings))
        return
    output.write("".join(f"{output.clean(_where(each))}: {each.code}: {output.clean(each.message)}\n" for each in findings))


def _cards(findings: "Sequence[CheckFinding]") -> Iterator[Card]:
    for each in findings:
        yield Card(_level(each), output.clean(_where(each)), (f"{each.code}: {output.clean(each.message)}", f"next: {output.clean(each.next_step)}"))


def _annotation(each: "CheckFinding") -> str:
    """Return a finding as an annotation that GitHub Actions shows at the line of a pull request."""
    line = f",line={each.line}" if each.line else ""
    title = f",title={f'memorybank: {each.code}'.translate(_PROPERTY)}"
    text = f"{each.message}. {each.next_step}".translate(_DATA)
    return f"::{_level(each)} file={each.path.translate(_PROPERTY)}{line}{title}::{text}\n"


def _level(each: "CheckFinding") -> str:
    return "warning" if each.is_warning else "error"


def _where(each: "CheckFinding") -> str:
    return f"{each.path}:{each.line}" if each.line else each.path


def _summary(checked: "Sequence[BankCheck]", findings: "Sequence[CheckFinding]") -> str:
    files = counted(sum(each.files for each in checked), "file")
    banks = f" of {counted(len(checked), 'bank')}" if len(checked) != 1 else ""
    errors = sum(not finding.is_warning for finding in findings)
    found = [f"{counted(errors, 'error')}", *([counted(len(findings) - errors, "warning")] if len(findings) > errors else [])]
    return f"checked {files}{banks}: {', '.join(found) if findings else 'nothing to correct'}"


def _conclude(findings: "Sequence[CheckFinding]", strict: bool) -> None:
    grave = [finding for finding in findings if strict or not finding.is_warning]
    if grave:
        warnings = f" and {counted(len(findings) - len(grave), 'warning')}" if len(grave) < len(findings) else ""
        raise ValidationFailed(f"check found {counted(len(grave), 'problem')}{warnings}, listed above", next_step=f"{_where(grave[0])}: {grave[0].next_step}")

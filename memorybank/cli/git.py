"""`memorybank git` and `memorybank merge-driver`."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column
from memorybank.errors import ValidationFailed
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.merging.install import GitInstallation, GitPart
    from memorybank.merging.resolve import UnmergedFile
    from memorybank.storage.layout import Layout

_PARTS = (Column("state"), Column("part"), Column("where"), Column("remark", flexible=True))
_FILES = (Column("outcome"), Column("file"), Column("remark", flexible=True))


@click.group("git", epilog=examples("memorybank git install", "memorybank git status", "memorybank git resolve                     after a merge that stopped"))
def command() -> None:
    """Let git merge what only memorybank writes, and keep the index up to date after merges and checkouts."""


@command.command(epilog=examples("memorybank git install", "memorybank git install --dry-run              what would be written; changes nothing"))
@click.option("--dry-run", is_flag=True, help="Only show what would be written.")
@output.format_option()
@click.pass_obj
def install(call: CommandCall, dry_run: bool, form: str) -> None:
    """Install the merge drivers and the refresh of the index in this repository.

    Written are: a block in the bank's .gitattributes, which you commit; a block in .git/info/attributes and the drivers in .git/config, which stay in this
    clone; and a line in the hooks post-merge, post-checkout and post-rewrite. Whatever else is in these files stays. Everybody in a team runs this once in
    each clone. Without it git merges these files as text, and 'memorybank git resolve' finishes the merge.
    """
    from memorybank.merging import install as installing

    installation = _installation(call)
    parts = installation.parts()
    if not dry_run:
        installing.carry_out(installation, parts, call.clock)
    _print(form, installation, parts, {"installed": not dry_run}, done="would be installed" if dry_run else "installed")
    if form != "json":
        changed = sum(part.before != part.after for part in parts)
        page.say("")
        if dry_run:
            page.say("nothing was changed")
        elif changed:
            page.say(f"commit {_shown(installation.layout, os.path.join(installation.layout.root, '.gitattributes'))} so that your colleagues have it too")
            page.say("to undo it: memorybank git uninstall")
        else:
            page.say("nothing had to be changed")


@command.command(epilog=examples("memorybank git uninstall", "memorybank git uninstall --dry-run"))
@click.option("--dry-run", is_flag=True, help="Only show what would be removed.")
@output.format_option()
@click.pass_obj
def uninstall(call: CommandCall, dry_run: bool, form: str) -> None:
    """Remove what 'memorybank git install' wrote. Everything else in these files stays; git merges the bank's files as text again."""
    from memorybank.merging import install as installing

    installation = _installation(call)
    parts = installation.removal()
    if not dry_run:
        installing.carry_out(installation, parts, call.clock)
    _print(form, installation, parts, {"removed": not dry_run}, done="would be removed" if dry_run else "removed", empty="nothing of memorybank is installed")
    if form != "json" and parts:
        page.say("", "nothing was changed" if dry_run else "to install it again: memorybank git install")


@command.command(epilog=examples("memorybank git status", "memorybank git status --format json"))
@output.format_option()
@click.pass_obj
def status(call: CommandCall, form: str) -> None:
    """Show which drivers and hooks are installed in this clone. Changes nothing; exit code 9 if something is missing or outdated."""
    from memorybank.merging import install as installing

    installation = _installation(call)
    parts = installation.parts()
    _print(form, installation, parts, {})
    lacking = sum(part.state in (installing.MISSING, installing.OUTDATED) for part in parts)
    if lacking:
        raise ValidationFailed(f"{counted(lacking, 'part')} of {len(parts)} missing or outdated", next_step="'memorybank git install' writes them")


@command.command(epilog=examples("memorybank git resolve --dry-run", "memorybank git resolve && git commit"))
@click.option("--dry-run", is_flag=True, help="Only show what would become of each file.")
@output.format_option()
@click.pass_obj
def resolve(call: CommandCall, dry_run: bool, form: str) -> None:
    """Finish the bank's files of a merge, rebase or stash that stopped.

    The rules are those of the drivers. A learned note that one side deleted is deleted, unless a person edited it on the other side. Files that a person
    has to decide about are left and listed; exit code 9 then. 'git checkout -m -- FILE' brings the conflict of a file back.
    """
    from memorybank.merging import resolve as resolving

    layout = call.layout()
    files = resolving.plan(layout) if dry_run else resolving.resolve(layout, call.clock)
    cells = [(_outcome(file, dry_run=dry_run), file.path, file.why or None) for file in files]
    data = [{"path": file.path, "outcome": file.outcome, "why": file.why or None} for file in files]
    left = sum(file.outcome == resolving.LEFT for file in files)
    output.rows(form, _FILES, cells, {"resolved": not (dry_run or left), "files": data}, empty="git left no file of the bank unmerged")
    if left:
        step = "edit what is listed as left, run 'git add' on it ('git rm' if it is to stay deleted or archived), then 'git commit'"
        raise ValidationFailed(f"{counted(left, 'file')} left for a person to decide", next_step=step)


@click.command("merge-driver", epilog=examples("memorybank merge-driver bookmarks %O %A %B %P          how git calls it, in .git/config"))
@click.argument("arguments", nargs=-1, metavar="KIND BASE OURS THEIRS PATH")
def merge_driver(arguments: tuple[str, ...]) -> None:
    """Merge one file of a bank, as git's merge driver. The result replaces the file OURS; exit code 1 if a person has to decide.

    'memorybank git install' tells git to do this with a faster start; nobody needs to type it.
    """
    from memorybank.merging.driver import run

    sys.exit(run(arguments))


def _installation(call: CommandCall) -> "GitInstallation":
    from memorybank.merging.install import GitInstallation, GitProgram

    return GitInstallation(call.layout(), GitProgram.of_this_installation())


def _print(form: str, installation: "GitInstallation", parts: "Sequence[GitPart]", data: dict[str, object], *, done: str = "", empty: str = "") -> None:
    cells = [(_state(part, done), part.kind, _shown(installation.layout, part.path), part.why or None) for part in parts]
    rows = [{"state": part.state, "part": part.kind, "where": _shown(installation.layout, part.path), "why": part.why or None} for part in parts]
    output.rows(form, _PARTS, cells, {**data, "parts": rows}, empty=empty)


def _state(part: "GitPart", done: str) -> str:
    from memorybank.merging.install import REFUSED

    if not done or part.state == REFUSED:
        return part.state
    return done if part.before != part.after else "as before"


def _outcome(file: "UnmergedFile", *, dry_run: bool) -> str:
    from memorybank.merging.resolve import LEFT

    return f"would be {file.outcome}" if dry_run and file.outcome != LEFT else file.outcome


def _shown(layout: "Layout", path: str) -> str:
    return layout.relative(path) if os.path.isabs(path) else path

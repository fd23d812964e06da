"""`memorybank purge`: removes a leaked text, and lists the places that it cannot or must not change, with the commands that remove the text there.

These places are not searched: git, agents, editors and shells keep their files for their own purposes. Only what exists on this machine is named.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column
from memorybank.cli.page import Card, Fact
from memorybank.config import personal_bank, sources
from memorybank.errors import Conflict, UsageError, ValidationFailed
from memorybank.hosts.detect import CLAUDE_CODE, CODEX, GEMINI
from memorybank.hosts.transcripts.found import folder_of
from memorybank.storage.layout import Layout, git_folders
from memorybank.text.quantities import counted
from memorybank.text.secrets.needle import PurgeNeedle

if TYPE_CHECKING:
    from memorybank.bank.leaks import LeakLocation
    from memorybank.bank.purge import PurgeReport

COLUMNS = (Column("place"), Column("times", right=True), Column("lines", flexible=True), Column("what"))
_MAX_BYTES = 1 << 20
_OPTION = re.compile(r"--?[a-zA-Z]|--[a-z]+(?:-[a-z]+)*")
"""What is written like an option: misspelt, or one of another command. Whatever else begins with a dash is a text, as secrets may."""

ASK = "read -rs TEXT; export TEXT   # type the text, then Enter; the shell does not record it"
"""The first command: the others contain `$TEXT`, so that neither a history nor a list of processes shows the text itself."""
_HOST_FOLDERS = (".copilot", ".cursor", os.path.join(".local", "share", "opencode"))
_EDITOR_FOLDERS = (
    *(".vim", os.path.join(".local", "state", "vim"), os.path.join(".local", "state", "nvim"), os.path.join(".emacs.d", "auto-save-list")),
    *(os.path.join(".config", "Code", "User", "History"), os.path.join("Library", "Application Support", "Code", "User", "History")),
)
_HISTORIES = (".bash_history", ".zsh_history", os.path.join(".local", "share", "fish", "fish_history"), ".python_history")


@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "memorybank purge 'the text' --dry-run     where it occurs",
        "memorybank purge 'the text'",
        "memorybank purge --stdin                  asks for the text, so that the shell history does not keep it",
        "pass show old-token | memorybank purge --stdin",
    ),
)
@click.argument("words", nargs=-1, metavar="[TEXT]")
@click.option(
    "--stdin", "from_stdin", is_flag=True, help="Read the text from standard input, without its last line end, so that a secret stays out of the shell history."
)
@click.option("--dry-run", is_flag=True, help="Only show where the text occurs; nothing is changed.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, words: tuple[str, ...], from_stdin: bool, dry_run: bool, form: str) -> None:
    """Remove a leaked text from everything that memorybank keeps: event logs, archive, backups, episodes, caches, and what killed commands left.

    The lines of the log stay, without the text, and can still be verified; in archived notes and episodes it is replaced by [PURGED]. It is also blanked in
    session notes and in a drafted summary that nobody edited. All derived files are removed, and 'memorybank rebuild' regenerates them. Notes that people
    wrote or edited, and files that the bank reads in place, are never changed: those that contain the text are listed with their lines, and the exit code is
    1 as long as anything contains it. What cannot be read is listed too, and counts as a failure.

    The text is found in either Unicode form, wrapped, as JSON and URLs write it, in Base64 and in UTF-16. It is never printed and never logged. Where it may
    be that purge does not reach, such as git history and transcripts, is listed with the commands for it.
    """
    text = _text(words, from_stdin)
    bank = call.open(read_only=dry_run)
    report = bank.purge(text, dry_run=dry_run)
    beyond = _masked(places(bank.layout, os.environ), text)
    if not output.as_json(form, {**report.to_json(), "out_of_reach": {"ask": ASK, "places": [place.to_json() for place in beyond]}}):
        _show(report, form)
        _show_beyond(beyond)
    if report.remaining and not dry_run:
        raise Conflict(
            f"the text still occurs in {counted(len(report.remaining), 'place')}, listed above",
            next_step="edit or remove these files, then run the same command again; also replace the secret",
        )
    if report.problems and not dry_run:
        raise ValidationFailed(
            f"{counted(len(report.problems), 'file')} could not be examined, listed above",
            next_step="repair or remove these files ('memorybank verify' shows what is wrong with archived notes), then run the same command again",
        )


def _masked(places: list[UnreachedPlace], text: str) -> list[UnreachedPlace]:
    """Return the places with the text masked, which may be part of a path."""
    needle = PurgeNeedle(text)
    return [place._replace(commands=tuple(map(needle.masked, place.commands))) for place in places]


def _text(words: tuple[str, ...], from_stdin: bool) -> str:
    """Return the text to purge. No error message repeats it."""
    if any(_OPTION.fullmatch(word) for word in words):
        raise UsageError("purge has no such option", next_step="'memorybank purge --help' shows its options; enter a text that looks like one with --stdin")
    if from_stdin or words == ("-",):
        if words not in ((), ("-",)):
            raise click.UsageError("give the text or --stdin, not both")
        return _from_stdin()
    if not words:
        raise click.UsageError("give the text, or use --stdin to enter it")
    if len(words) > 1:
        raise click.UsageError("more than one text was given, or an unknown option; put the text in quotes")
    return words[0]


def _from_stdin() -> str:
    if sys.stdin.isatty():
        text: str = click.prompt("Text to purge", hide_input=True, err=True)
        return text
    data = sys.stdin.buffer.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise click.UsageError("standard input is larger than 1 MB; give a shorter text")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8") from None
    return text.removesuffix("\n").removesuffix("\r")


def _show(report: PurgeReport, form: str) -> None:
    from memorybank.bank.purge import outcome

    if not report.found and not report.lines and not report.remaining:
        page.say("the text does not occur in this bank" + (f"; {_REMOVED_ALL_THE_SAME}" if report.removed else ""))
    else:
        page.facts(form, _facts(report))
        page.say("")

        def cells(place: LeakLocation) -> tuple[object, ...]:
            return place.path, place.count or "name", _lines(place), outcome(place, report)

        page.listing(form, report.found, COLUMNS, cells, lambda place: _card(place, outcome(place, report)), empty="no complete occurrence")
    known = {place.path for place in report.found}
    for place in report.remaining:
        if place.path not in known:
            page.say(f"new since then: {place.path}, {counted(place.count, 'time')}")
    for problem in report.problems:
        page.say(f"not examined: {problem.path}: {problem.message}")
    if report.found:
        page.say("", _ADVICE)
        if not report.dry_run:
            page.say(_AGAIN)


def _show_beyond(places: list[UnreachedPlace]) -> None:
    """Print the commands as they are to be copied, whatever the width of the terminal."""
    output.write(f"\n{_BEYOND}\n\n  {ASK}\n")
    for place in places:
        output.write("\n".join(["", f"{place.what}:", *(f"  {command}" for command in place.commands), ""]))


_ADVICE = "A secret that leaked must be replaced: purge does not reach everything that may have a copy."
_BEYOND = "Out of reach of purge. These commands (for bash and zsh) find the text there, and remove it:"
_REMOVED_ALL_THE_SAME = "caches and published files were removed nevertheless; 'memorybank rebuild' creates them again"
_AGAIN = "'memorybank rebuild' creates indexes and catalogues again; archive/, session notes and episodes/ are committed, so commit what changed there."


def _facts(report: PurgeReport) -> list[Fact]:
    facts = [("found", f"{counted(report.times, 'time')} in {counted(len(report.found), 'file')}")]
    if report.dry_run:
        return facts
    signed = f", {counted(report.signed_again, 'session')} signed again" if report.signed_again else ""
    return [
        *facts,
        ("log lines", f"{report.lines:,} rewritten{signed}"),
        ("archived notes", f"{report.objects:,} replaced"),
        ("backups", f"{report.backups:,} replaced"),
        ("session notes", f"{report.session_notes:,} blanked"),
        *([("summary", f"{counted(report.pages, 'page')} blanked")] if report.pages else []),
        ("episodes", f"{counted(report.episodes, 'file')} replaced"),
        ("other files", f"{report.removed:,} removed: derived ones, and what killed commands left"),
        ("remaining", f"{counted(len(report.remaining), 'place')}" if report.remaining else "nothing"),
    ]


def _card(place: LeakLocation, became: str) -> Card:
    where = f", {'line' if len(place.lines) == 1 else 'lines'} {_lines(place)}" if place.lines else ""
    named = ("its name contains the text",) if place.in_name else ()
    return Card(str(place.count), place.path, (*named, f"{became}{where}"))


def _lines(place: LeakLocation) -> str | None:
    return ", ".join(map(str, place.lines)) or None


class UnreachedPlace(NamedTuple):
    """One kind of place.

    id: its name for programs
    what: where it is and why, as a sentence without a full stop
    commands: the commands to run, one after another
    """

    id: str
    what: str
    commands: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {"id": self.id, "what": self.what, "commands": list(self.commands)}


def places(layout: Layout, environ: Mapping[str, str]) -> list[UnreachedPlace]:
    """Return the places that exist on this machine, and the other machines."""
    home = personal_bank.home(environ)
    return [
        *_git(layout, home),
        *_team(layout, environ),
        *_transcripts(environ, home),
        *_sources(layout, environ, home),
        *_editors(layout, home),
        *_shells(home),
        _ELSEWHERE,
    ]


def _git(layout: Layout, home: str) -> Iterator[UnreachedPlace]:
    folders = git_folders(layout.repository) if layout.repository else None
    if layout.repository is None or folders is None:
        return
    git = f"git -C {_path(layout.repository, home)}"
    yield UnreachedPlace(
        "git_history",
        "git keeps every version that was committed, in all branches and worktrees, and also commits that no branch contains any more",
        (
            f'{git} log --all --reflog -m --oneline -S"$TEXT"   # the commits that added or removed it',
            f'{git} grep -lF -e "$TEXT" $({git} rev-list --all --reflog)   # the files that contain it',
            f"{git} filter-repo --sensitive-data-removal --replace-text <(printf '%s==>[PURGED]\\n' \"$TEXT\")   # rewrites history, for a text of one line",
            f"{git} reflog expire --expire=now --all && {git} gc --prune=now",
        ),
    )
    if os.path.exists(os.path.join(folders.common, "refs", "stash")) or os.path.exists(os.path.join(folders.common, "logs", "refs", "stash")):
        yield UnreachedPlace(
            "git_stash",
            "git's stash keeps changes that were put aside",
            (
                f'for N in $({git} stash list --format=%gd); do {git} stash show -p --include-untracked "$N" | grep -qF -e "$TEXT" && echo "$N"; done',
                f"{git} stash drop 'stash@{{N}}'",
            ),
        )


def _team(layout: Layout, environ: Mapping[str, str]) -> Iterator[UnreachedPlace]:
    from memorybank.config import team_folder  # late: most banks are connected to no team

    if os.path.isdir(team_folder.folder(layout, environ)):
        yield UnreachedPlace(
            "team_server",
            "the server of your team has what this machine shared until a push withdraws it, and what other machines shared until these purge it",
            (
                "memorybank team push   # withdraws what is gone here; what contains [PURGED] replaces what was there",
                'memorybank team search "$TEXT"   # the machines that share it',
                "memorybank team revoke ORIGIN   # everything that a machine shared, as its owner or a lead",
            ),
        )


def _transcripts(environ: Mapping[str, str], home: str) -> Iterator[UnreachedPlace]:
    own = [os.path.dirname(folder_of(host, environ)) for host in (CLAUDE_CODE, CODEX)]
    found = _existing([*own, folder_of(GEMINI, environ), *(os.path.join(home, name) for name in _HOST_FOLDERS)])
    if found:
        shown = " ".join(_path(folder, home) for folder in found)
        yield UnreachedPlace(
            "transcripts",
            "coding agents keep transcripts, prompts and copies of files; in JSON, quotes and characters outside ASCII may be escaped",
            (f'grep -rlF -e "$TEXT" {shown}', f"find {shown} -name '*.gz' -exec zgrep -lF -e \"$TEXT\" {{}} +", "rm FILE   # each file that you do not need"),
        )


def _sources(layout: Layout, environ: Mapping[str, str], home: str) -> Iterator[UnreachedPlace]:
    roots = [source.root for source in sources.load(layout, environ).sources]
    if roots:
        yield UnreachedPlace(
            "sources",
            "files that the bank reads in place belong to you or to other programs; those that contain the text are listed as yours to edit",
            ("memorybank list --sources", f'grep -rlF -e "$TEXT" {" ".join(_path(root, home) for root in roots)}'),
        )


def _editors(layout: Layout, home: str) -> Iterator[UnreachedPlace]:
    project = _path(layout.work_tree, home)
    names = " -o ".join(f"-name {shlex.quote(name)}" for name in (".*.sw[a-p]", "*~", "#*#", ".*.memorybank-*"))
    commands = [f"find {project} \\( {names} \\) -not -path '*/.git/*' -exec grep -lF -e \"$TEXT\" {{}} +"]
    folders = _existing(os.path.join(home, name) for name in _EDITOR_FOLDERS)
    if folders:
        commands.append(f'grep -rlF -e "$TEXT" {" ".join(_path(folder, home) for folder in folders)}')
    yield UnreachedPlace(
        "editors",
        "editors keep swap files and histories, and killed commands may have left a second name of a host's settings",
        (*commands, "rm FILE   # after closing the file in the editor"),
    )


def _shells(home: str) -> Iterator[UnreachedPlace]:
    files = _existing(os.path.join(home, name) for name in _HISTORIES)
    if files:
        shown = " ".join(_path(file, home) for file in files)
        yield UnreachedPlace("shell_history", "shells keep the commands that were typed", (f'grep -nF -e "$TEXT" {shown}',))


_ELSEWHERE = UnreachedPlace(
    "other_machines",
    "other clones and machines, the server of the repository, and backups and snapshots of this disk have copies of their own",
    ("memorybank purge --stdin   # in each clone, after a pull", "git push --force --all && git push --force --tags   # after history was rewritten"),
)


def _existing(paths: Iterator[str] | list[str]) -> list[str]:
    return [path for path in paths if os.path.exists(path)]


def _path(path: str, home: str) -> str:
    """Return a path as one word of a shell, with `~` for the home folder."""
    return f"~/{shlex.quote(os.path.relpath(path, home))}" if path.startswith(home.rstrip("/") + "/") else shlex.quote(path)

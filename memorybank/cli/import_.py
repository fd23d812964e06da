"""`memorybank import`."""

import os
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import InstantType, quiet_option
from memorybank.cli.output import Column
from memorybank.cli.progress import progress_of_steps
from memorybank.errors import LockTimeout, NotFound
from memorybank.text.quantities import counted, size, tally

if TYPE_CHECKING:
    from memorybank.hosts.import_run import ImportReport
    from memorybank.hosts.transcripts.found import Transcript
    from memorybank.storage.layout import Layout

HOSTS = ("claude-code", "codex", "gemini")
PROBLEMS_SHOWN = 20
_COLUMNS = (Column("event"), Column("in transcripts", right=True), Column("recorded", right=True))
_DELETED = (
    "Claude Code deletes transcripts after 30 days unless 'cleanupPeriodDays' in its settings.json says otherwise: "
    "import again before they are deleted, or record sessions with hooks ('memorybank hooks install')"
)


@click.command(
    "import",
    epilog=examples(
        "memorybank import claude-code --dry-run      what exists for this project, and what would be recorded",
        "memorybank import claude-code",
        "memorybank import codex --since -30d",
        "memorybank import gemini --project ~/work/other",
        "memorybank import claude-code ~/saved/transcripts session.jsonl.gz",
    ),
)
@click.argument("host", type=click.Choice(HOSTS), metavar="claude-code|codex|gemini")
@click.argument("paths", nargs=-1, type=click.Path(), metavar="[PATH]...")
@click.option("--since", type=InstantType(), metavar="WHEN", help="Only sessions that were active at that time or later: 2025-09-17, -30d.")
@click.option(
    "--project",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Only sessions of this folder and its subfolders. Default without PATH: this repository with all its worktrees.",
)
@click.option("--notes", is_flag=True, help="Also write a session note to active/sync/sessions for each imported session that did something worth noting.")
@click.option("--dry-run", is_flag=True, help="Only count; nothing is written.")
@output.format_option()
@quiet_option
@click.pass_obj
def command(call: CommandCall, host: str, paths: tuple[str, ...], since: int | None, project: str | None, notes: bool, dry_run: bool, form: str) -> None:
    """Record sessions from before memorybank was installed, from the transcripts that a coding agent keeps.

    Without PATH the agent's own folder is searched for transcripts of this project. PATH is a transcript or a folder of transcripts (also .gz). All of them are
    recorded, whatever their project, unless --project is given.

    What hooks recorded is not recorded again, and importing twice adds nothing: to complete an interrupted import, run the same command again.
    Texts are redacted like those of hooks. Lines that are broken or of an unknown kind are skipped, counted and listed. Transcripts are only read.
    """
    from memorybank.cycle import base as bases
    from memorybank.hosts import import_run
    from memorybank.hosts.transcripts.found import related

    layout = call.layout()
    transcripts = _transcripts(layout, host, paths, project)
    base = bases.describe(layout, call.clock)
    with progress_of_steps(call.clock) as step:
        report = import_run.run(base, host, related(transcripts), since=since, dry_run=dry_run, notes=notes, progress=step)
    if not output.as_json(form, report):
        _show(report, form)
    _warn(layout, report, transcripts, paths)


def _transcripts(layout: "Layout", host: str, paths: tuple[str, ...], project: str | None) -> "list[Transcript]":
    from memorybank.hosts.transcripts import found

    projects = [os.path.abspath(project), os.path.realpath(project)] if project is not None else _own_projects(layout)
    if paths:
        named = found.at_paths(host, paths)
        kept = [each for each in named if found.is_of(each.cwd, projects)] if project is not None else named
        where = ", ".join(paths)
    else:
        kept = found.of_projects(host, projects, os.environ)
        where = found.folder_of(host, os.environ)
    if not kept:
        raise NotFound(
            f"no transcripts of {', '.join(dict.fromkeys(projects))} in {where}",
            next_step="name the transcripts (a file or a folder), or the folder of the sessions with --project",
        )
    return kept


def _own_projects(layout: "Layout") -> list[str]:
    """Return the repository of this bank with all its worktrees, otherwise the folder that contains the bank."""
    from memorybank.storage.layout import siblings

    repositories = [sibling.repository for sibling in siblings(layout) if sibling.repository]
    return repositories or [layout.work_tree]


def _show(report: "ImportReport", form: str) -> None:
    counts = report.counts
    cells = [(name, number, counts.added.get(name, 0)) for name, number in sorted(counts.found.items())]
    output.rows(
        form,
        _COLUMNS,
        [*cells, ("all", sum(counts.found.values()), sum(counts.added.values()))] if cells else [],
        None,
        empty="the transcripts contain no event",
    )
    verb = "would be " if report.dry_run else ""
    lines = [f"{counted(counts.transcripts, 'transcript')}, {size(counts.size)}, {counted(counts.lines, 'line')} of {counted(len(counts.seen), 'session')}"]
    rest = {"recorded before": counts.known, "left to hooks, which were active then": counts.hooked, f"outcomes {verb}corrected": counts.corrected}
    if any(rest.values()):
        lines.append(tally(rest))
    if counts.too_old:
        lines.append(f"{counted(counts.too_old, 'session')} ended before --since")
    if counts.left_out:
        lines.append(f"lines without an event: {tally(dict(counts.left_out.most_common()))}")
    if report.dry_run:
        lines.append("nothing was written")
    else:
        lines.append(f"{counted(report.finished, 'session')} summarised, {counted(report.notes, 'session note')} written")
    page.say("", *lines)
    for fault in counts.faults[:PROBLEMS_SHOWN]:
        page.say(f"{fault.path}:{fault.line}: {_said(fault.kind)}")
    if len(counts.faults) > PROBLEMS_SHOWN:
        page.say(f"and {counted(len(counts.faults) - PROBLEMS_SHOWN, 'further problem')}: --format json lists all of them")


def _warn(layout: "Layout", report: "ImportReport", transcripts: "list[Transcript]", paths: tuple[str, ...]) -> None:
    from memorybank.hosts.transcripts.found import is_of

    if report.busy:
        raise LockTimeout(
            "everything is recorded, but another process is finishing sessions", next_step="run the same command again to summarise these sessions"
        )
    if paths:
        own = _own_projects(layout)
        foreign = sorted({each.cwd for each in transcripts if each.cwd and not is_of(each.cwd, own)})
        if foreign:
            shown = ", ".join(foreign[:3]) + (", ..." if len(foreign) > 3 else "")
            output.notice(f"some of these sessions took place outside this repository: {shown}; --project DIR leaves out other sessions")
    if report.host == "claude-code" and not paths:
        output.notice(_DELETED)


def _said(kind: str) -> str:
    """Return the kind of a faulty line, with the limit that a long line exceeds."""
    from memorybank.hosts.transcripts.found import MAX_LINE_BYTES
    from memorybank.hosts.transcripts.reading import TOO_LONG

    return f"{kind} (over the limit of {MAX_LINE_BYTES >> 20} MiB, so it is not read)" if kind == TOO_LONG else kind

"""`memorybank claims`."""

from typing import TYPE_CHECKING

import click

from memorybank.claims.claim import COMMIT_DIGITS, DATE, KINDS, STATES, UNTRUE
from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import complete_key
from memorybank.cli.output import Column
from memorybank.clock import isoformat, local_day_of
from memorybank.errors import ValidationFailed
from memorybank.reasons.reason import text_of
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.index.claim_rows import NoteClaim

_COLUMNS = (Column("note"), Column("state"), Column("claim", flexible=True), Column("now", flexible=True), Column("since"))


@click.command(
    epilog=examples(
        "memorybank claims                               outdated claims in all notes",
        "memorybank claims planning/upload.md --all      everything that one note names",
        "memorybank claims --state moved --format json",
        "memorybank claims 用語集 --kind path",
        "memorybank claims --kind date --all             every day until which a note says that something holds",
        "memorybank claims --kind symbol --kind variable names of code",
        "memorybank claims --check                       exit code 9 if a claim is outdated",
    )
)
@click.argument("note", required=False, shell_complete=complete_key)
@click.option("--state", "states", type=click.Choice(STATES), multiple=True, help="Only claims in this state; may be repeated. Default: the first four.")
@click.option("--kind", "kinds", type=click.Choice(KINDS), multiple=True, help="Only claims of this kind; may be repeated.")
@click.option("--all", "every", is_flag=True, help="Also claims that hold, and those that nothing is known about.")
@click.option("--check", is_flag=True, help="Exit with code 9 if a listed claim is outdated. For scripts and CI.")
@output.format_option()
@click.pass_obj
def command(call: CommandCall, note: str | None, states: tuple[str, ...], kinds: tuple[str, ...], every: bool, check: bool, form: str) -> None:
    """List the outdated claims of notes: what they name that was moved, deleted or changed, with the commit, and dates that have passed.

    A claim is a path, a note, a commit, a branch, a command, a version, a symbol, an environment variable or a configuration key that a note names, or the
    day until which a sentence says that it holds. Names are looked up in the files that git tracks and in git's history; nothing is changed or fetched. A
    claim is called gone, moved or changed only if git shows it; in doubt it is unknown. docs/claims.md explains the rules.
    """
    if every and states:
        raise click.UsageError("--all lists every state; omit --state")
    shown = STATES if every else states or UNTRUE
    found = [each for each in call.open().claims.list(note) if each.found.state in shown and (not kinds or each.claim.kind in kinds)]
    cells = [
        (
            f"{each.key}:{each.claim.line}",
            each.found.state,
            each.claim.subject,
            (each.found.target if each.claim.kind != DATE else "") or None,
            _since(each),
        )
        for each in found
    ]
    output.rows(form, _COLUMNS, cells, [_fields(each) for each in found], empty="no claim of a note is known to be outdated")
    untrue = sum(each.found.state in UNTRUE for each in found)
    if check and untrue:
        raise ValidationFailed(
            f"{counted(untrue, 'claim')} of notes {'is' if untrue == 1 else 'are'} outdated",
            next_step="correct the notes with 'memorybank edit NOTE', or archive them with 'memorybank forget NOTE'",
        )


def _since(each: "NoteClaim") -> str | None:
    """Return the commit and day since which a claim is outdated, or the last day until which it is said to hold."""
    if each.claim.kind == DATE:
        return each.found.target or None
    return f"{each.found.commit[:COMMIT_DIGITS]} {local_day_of(each.found.at)}" if each.found.commit else None


def _fields(each: "NoteClaim") -> dict[str, object]:
    found = each.found
    return {
        "key": each.key,
        "line": each.claim.line,
        "kind": each.claim.kind,
        "claim": each.claim.subject,
        "state": found.state,
        "target": found.target or None,
        "commit": found.commit or None,
        "at": isoformat(found.at) if found.at else None,
        "sentence": text_of(each.reason) or None,
    }

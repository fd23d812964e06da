"""`memorybank adopt`."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from memorybank.cli import output, page
from memorybank.cli.asking import is_somebody_there
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import completing
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.cli.rotation_report import raise_most_severe, show_taken_back
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.adopt.discovery import Discovery
    from memorybank.adopt.finding import Found
    from memorybank.adopt.plan import AdoptionPlan, Chosen
    from memorybank.bank import Bank

_COLUMNS = (
    Column("name"),
    Column("kind"),
    Column("files", right=True),
    Column("size", right=True),
    Column("state"),
    Column("path"),
    Column("remark", flexible=True),
)
_AVAILABLE, _ADOPTED, _BY_NAME = "available", "adopted", "only by name"


@completing
def complete_name(call: CommandCall, typed: str) -> dict[str, str | None]:
    return {each.source.name: _path(each) for each in call.open(read_only=True).adoption.find().discoveries if not each.is_adopted}


@click.command(
    epilog=examples(
        "memorybank adopt                          what the project has already; changes nothing",
        "memorybank adopt docs adr --yes           reads both in place from now on",
        "memorybank adopt --all                    everything found in the repository",
        "memorybank adopt claude-memory            outside the repository: only by name",
        "memorybank adopt --from ~/Vault/app --name vault",
        "memorybank adopt memory-bank --copy       copies the files into active/",
        "memorybank adopt --undo                   takes the latest adoption back",
    )
)
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=complete_name)
@click.option("--all", "every", is_flag=True, help="Adopt everything that was found in the repository. Files outside it have to be named.")
@click.option("--from", "path", metavar="PATH", help="Adopt this file or folder.")
@click.option("--name", metavar="NAME", help="With --from: the name of the source. Default: the name of the file or folder.")
@click.option("--kind", metavar="KIND", help="With --from: the kind of source. Default: obsidian for a folder with .obsidian, else docs.")
@click.option("--copy", is_flag=True, help="Copy the files into active/ as notes of the bank, instead of reading them in place.")
@click.option("--undo", is_flag=True, help="Take an adoption back: the latest, or the one with the given id.")
@click.option("--dry-run", is_flag=True, help="Only show what would be adopted.")
@click.option("-y", "--yes", is_flag=True, help="Adopt without asking. Required where there is no terminal.")
@output.format_option()
@click.pass_obj
def command(
    call: CommandCall, names: tuple[str, ...], every: bool, path: str | None, name: str | None, kind: str | None, copy: bool, undo: bool, dry_run: bool,
    yes: bool, form: str,
) -> None:  # fmt: skip
    """Find what a project already keeps for people and agents, and let the bank use it.

    Without NAME, everything that was found is listed. A file that is adopted in place is indexed, searched, recalled and scored, but never changed,
    rotated or copied; when it is deleted, the bank forgets it too. A file that a host loads itself is not recalled in that host.

    Files outside the repository are yours alone: they have to be named, are declared in your own settings and never in the bank, and only those of this
    project are used.
    """
    if undo:
        _undo(call, names, form, others=bool(every or path or copy or dry_run))
        return
    if path is None and (name or kind):
        raise click.UsageError("--name and --kind require --from")
    if path is not None and (names or every):
        raise click.UsageError("--from adopts one file or folder; leave out names and --all")
    bank = call.open()
    found = bank.adoption.find()
    chosen = [bank.adoption.at(path, name, kind)] if path is not None else _chosen(found, names, every)
    if not chosen:
        if copy:
            raise click.UsageError("--copy needs the names of what to copy, or --all")
        _show_found(found, form, every=every)
        return
    planned = bank.adoption.plan(chosen, copy=[each.source.name for each in chosen] if copy else ())
    agreed = yes and not dry_run
    is_asked = not agreed and not dry_run and form != "json" and is_somebody_there()
    if form != "json" and not agreed:
        _show_plan(planned, form, made=False)
        if is_asked:
            page.say("")
            agreed = click.confirm("Adopt?", err=True)
    if agreed:
        _adopt(bank, planned, form, shown=is_asked)
    elif form == "json":
        output.write_json({"adopted": False, **planned.to_json(), "found": [_fields(each.found) for each in planned.chosen]})
    else:
        page.say("", "nothing was changed" + ("" if dry_run or is_asked else "; to adopt it, add --yes"))


def _chosen(found: "Found", names: Sequence[str], every: bool) -> "list[Discovery]":
    chosen = [found.named(name) for name in dict.fromkeys(names)]
    if every:
        chosen += [each for each in found.discoveries if not each.is_adopted and not each.source.is_private and each not in chosen]
    return chosen


def _adopt(bank: "Bank", planned: "AdoptionPlan", form: str, *, shown: bool) -> None:
    """Adopt, and print what was done. shown: whether the person has just seen the plan."""
    made = bank.adoption.adopt(planned)
    if output.as_json(form, {"adopted": True, "id": made.id, **planned.to_json()}):
        return
    if not shown:
        _show_plan(planned, form, made=True)
    page.say("", f"adopted: {', '.join(made.names)}")
    if planned.summary:
        page.say(f"drafted: {planned.summary}")
    page.say(f"to undo it: memorybank adopt --undo {made.id}")


def _undo(call: CommandCall, names: Sequence[str], form: str, *, others: bool) -> None:
    if len(names) > 1 or others:
        raise click.UsageError("--undo takes one id at most, and no other option")
    bank = call.open()
    made, undone = bank.adoption.undo(names[0] if names else None)
    errors = show_taken_back(undone, form, {"id": made.id, "names": list(made.names)})
    if form != "json" and not errors:
        page.say(f"taken back: the adoption of {', '.join(made.names)}")
        kept = {each.source.name for each in bank.adoption.sources()}.intersection(made.names)
        if kept:
            page.say(f"still read in place, by an earlier adoption: {', '.join(sorted(kept))}")
    raise_most_severe(errors)


def _show_found(found: "Found", form: str, *, every: bool) -> None:
    if output.as_json(form, {"adopted": False, "found": [_fields(each) for each in found.discoveries]}):
        return
    listed = [each for each in found.discoveries if not (every and each.is_adopted)]
    empty = "everything found in the repository is adopted already" if every else "nothing to adopt was found; --from PATH adopts a file or folder"
    if every and not any(not each.is_adopted and not each.source.is_private for each in listed):
        page.say(empty)
        return
    page.listing(form, listed, _COLUMNS, _cells, _card, empty=empty)
    here = [each for each in listed if not each.is_adopted and not each.source.is_private]
    elsewhere = [each for each in listed if not each.is_adopted and each.source.is_private]
    if here or elsewhere:
        page.say("", "nothing was changed")
    if here:
        page.say("to adopt what is in the repository: memorybank adopt --all")
    if elsewhere:
        page.say(f"to adopt what is outside it, name it: memorybank adopt {elsewhere[0].source.name}")


def _show_plan(planned: "AdoptionPlan", form: str, *, made: bool) -> None:
    """Print what a plan does, or, after it was carried out (`made`), what it did."""

    def is_adopted(each: "Chosen") -> bool:
        return made and each.how != "copy"

    page.listing(
        form,
        planned.chosen,
        _COLUMNS,
        lambda each: _cells(each.found, is_adopted=is_adopted(each)),
        lambda each: _card(each.found, is_adopted=is_adopted(each)),
    )
    page.say("")
    for each in planned.chosen:
        page.say(f"{each.found.source.name}: {_outcome(planned, each, made=made)}")
    for file in planned.files:
        page.say(f"{'created' if made else 'would create'}: {file.path}")
    for left in planned.left_out:
        page.say(f"left out: {left.key}: {left.reason}")


def _outcome(planned: "AdoptionPlan", each: "Chosen", *, made: bool) -> str:
    left = {left.key for left in planned.left_out} if each.how == "copy" else set()
    number = sum(file not in left for file in each.found.files)
    files, was, them = (counted(number, "file"), "was", "it") if number == 1 else (counted(number, "file"), "were", "them")
    if each.how == "copy":
        return f"{files} {was if made else 'would be'} copied into active/; your next commit includes {them}"
    where = "; your own settings declare it, so it is never committed" if each.found.source.is_private else ""
    return f"{files} {('is' if number == 1 else 'are') if made else 'would be'} read in place and never changed{where}"


def _state(each: "Discovery", *, is_adopted: bool = False) -> str:
    return _ADOPTED if is_adopted or each.is_adopted else _BY_NAME if each.source.is_private else _AVAILABLE


def _path(each: "Discovery") -> str:
    from memorybank.config import personal_bank

    return personal_bank.as_written(each.source.key.removeprefix("./"), os.environ)


def _cells(each: "Discovery", *, is_adopted: bool = False) -> tuple[object, ...]:
    return each.source.name, each.source.kind, len(each.files), size(each.size), _state(each, is_adopted=is_adopted), _path(each), each.remark or None


def _card(each: "Discovery", *, is_adopted: bool = False) -> Card:
    facts = f"{each.source.kind}, {counted(len(each.files), 'file')}, {size(each.size)}, {_state(each, is_adopted=is_adopted)}"
    return Card(each.source.name, _path(each), (facts, each.remark) if each.remark else (facts,))


def _fields(each: "Discovery") -> dict[str, Any]:
    return {
        "name": each.source.name,
        "kind": each.source.kind,
        "path": _path(each),
        "private": each.source.is_private,
        "state": _state(each),
        "files": [file.removeprefix("./").removeprefix(each.source.root + "/") if each.source.is_private else file.removeprefix("./") for file in each.files],
        "size_bytes": each.size,
        "remark": each.remark,
    }

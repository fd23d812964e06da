"""`memorybank personal`: what this repository is shown of the person's own bank, switching it off here, and copying into it."""

import os
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import key_argument
from memorybank.cli.output import Column
from memorybank.errors import NotFound, UsageError
from memorybank.reasons.reason import text_of
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.personal import PersonalRule, PersonalStatus

_COLUMNS = (Column("shown"), Column("key"), Column("rule", flexible=True), Column("because", flexible=True))


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "memorybank init --personal                                 create it",
        "memorybank --personal add 'Use British English' --tag rule   a rule: every session of every repository starts with it",
        "memorybank --personal remember 'The VPN token is renewed on Mondays.'   a fact: shown at prompts about it",
        "memorybank personal                                        what sessions of this repository are shown of it",
        "memorybank personal off                                    nothing of it in this repository; 'personal on' takes it back",
        "memorybank personal copy shared/staging.md",
    ),
)
@output.format_option()
@click.pass_context
def command(context: click.Context, form: str) -> None:
    """Show what sessions of this repository are shown of your personal bank: your own rules and facts, which hold in every repository.

    The bank is outside all repositories, and nothing of it is ever written into one. Every command works on it with the option --personal, as in
    'memorybank --personal list'.
    """
    if context.invoked_subcommand is None:
        _status(context.obj, form)


def _status(call: CommandCall, form: str) -> None:
    from memorybank.bank import personal

    found = personal.status(_here(call), _own(call), os.environ)
    if output.as_json(form, found):
        return
    page.say(f"personal bank: {found.folder}, {counted(found.notes, 'note')}")
    page.say(_state(found))
    if not found.rules:
        page.say("It has no rules yet: memorybank --personal add 'Always answer in British English' --tag rule")
        return
    is_known = found.repository and not found.why_off
    page.say("")
    output.rows(form, _COLUMNS, [_cells(each, is_known=is_known) for each in found.rules], None, empty="")


def _state(found: "PersonalStatus") -> str:
    if not found.repository:
        return "There is no other bank in this folder, so this is only the list of its rules."
    return f"not read in this repository: {found.why_off}" if found.why_off else "read in this repository, after its own memories"


def _cells(rule: "PersonalRule", *, is_known: bool) -> tuple[object, ...]:
    shown = None if not is_known else "no" if rule.reason is not None else "yes"
    return shown, rule.key, rule.title, text_of(rule.reason) or None


@command.command("off", epilog=examples("memorybank personal off", "memorybank personal off ~/work/client     in all banks below a folder"))
@click.argument("folder", required=False)
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def off(call: CommandCall, folder: str | None, form: str) -> None:
    """Show nothing of your personal bank in this repository, or in the banks below FOLDER.

    The folder is added to personal.off_in in your own settings, so nothing in the repository changes. 'memorybank personal on' takes it back.
    """
    from memorybank.bank import personal

    place = _folder(call, folder)
    _print_switch(form, place, "nothing of your personal bank is shown", is_on=False, is_changed=personal.switch_off(place, os.environ))


@command.command("on", epilog=examples("memorybank personal on", "memorybank personal on ~/work/client"))
@click.argument("folder", required=False)
@output.text_format_option("One line, or a JSON object.")
@click.pass_obj
def on(call: CommandCall, folder: str | None, form: str) -> None:
    """Read your personal bank again in this repository, or in the banks below FOLDER."""
    from memorybank.bank import personal

    place = _folder(call, folder)
    _print_switch(form, place, "your personal bank is read", is_on=True, is_changed=personal.switch_on(place, os.environ))


def _print_switch(form: str, folder: str, effect: str, *, is_on: bool, is_changed: bool) -> None:
    from memorybank.config import personal_bank

    shown = personal_bank.as_written(folder, os.environ)
    output.result(form, f"{shown}: {effect}{'' if is_changed else ', as before'}", {"folder": shown, "is_on": is_on, "is_changed": is_changed})


@command.command(
    "copy",
    epilog=examples(
        "memorybank personal copy shared/staging.md",
        "memorybank personal copy 用語集 --rule               every session of every repository starts with it",
        "memorybank personal copy rule:9f8e7d6c              a rule of 'memorybank know list'",
    ),
)
@key_argument()
@click.option("--rule", "is_rule", is_flag=True, help="Give the copy the tag 'rule', so that every session starts with it.")
@output.text_format_option("The key of the copy, or a JSON object.")
@click.pass_obj
def copy(call: CommandCall, key: str, is_rule: bool, form: str) -> None:
    """Copy a note of this repository, or a rule that 'memorybank know list' shows, into your personal bank.

    The note stays where it is. As long as both are the same, agents in this repository are shown the repository's one.
    """
    from memorybank.bank import personal

    here = _here(call)
    if here is None:
        raise NotFound("there is no bank to copy from in this folder", next_step="run it in a repository with a bank, or name one with --bank DIR")
    copied = personal.copy(here, _own(call), key, is_rule=is_rule)
    output.result(form, copied.key, {"key": copied.key, "change": copied.change or None})
    if copied.change:
        output.notice(f"to undo it: memorybank --personal undo {copied.change}")
    else:
        output.notice("the very same note was there already")


def _here(call: CommandCall) -> "Bank | None":
    """Return the bank of the working folder, or the named one; None without one, and for the personal bank itself."""
    if call.is_personal:
        return None
    try:
        return call.open()
    except NotFound:
        if call.named is not None:
            raise
        return None


def _own(call: CommandCall) -> "Bank":
    from memorybank.config import personal_bank

    return call.open(personal_bank.existing(os.environ).root)


def _folder(call: CommandCall, folder: str | None) -> str:
    """Return the real path of the folder to switch: the given one, else the repository of the bank."""
    from memorybank.bank import personal
    from memorybank.config import personal_bank

    if folder is None:
        if call.is_personal:
            raise UsageError("--personal names no repository", next_step="run 'memorybank personal off' in a repository, or name a folder")
        return personal.project(call.layout())
    place = personal_bank.place_of(folder, os.environ) or os.path.realpath(folder)
    if not os.path.isdir(place):
        raise NotFound(f"{folder} is not a folder", next_step="check the path")
    return place

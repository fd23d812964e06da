"""`memorybank config show|validate`."""

import json
from collections.abc import Iterator

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column
from memorybank.errors import ConfigInvalid


@click.group(
    epilog=examples(
        "memorybank config show --changed",
        "memorybank config show rotation --format json",
        "memorybank config validate",
    )
)
def command() -> None:
    """Show or check the settings: the shipped defaults, overridden by this bank's config/*.json."""


@command.command(
    "show",
    epilog=examples(
        "memorybank config show rotation",
        "memorybank config show --changed --format json",
    ),
)
@click.argument(
    "capability",
    type=click.Choice(["scoring", "rotation", "index", "cycle", "episodes"]),
    required=False,
    metavar="[scoring|rotation|index|cycle|episodes]",
)
@click.option("--changed", is_flag=True, help="Only settings that differ from the shipped defaults.")
@output.format_option()
@click.pass_obj
def show(call: CommandCall, capability: str | None, changed: bool, form: str) -> None:
    """Print the settings in effect. JSON has the structure of the config files."""
    from memorybank.config import settings

    effective = settings.load(call.layout())
    values, defaults = effective.to_json(), settings.DEFAULTS.to_json()
    names = [capability] if capability else list(settings.FILES)
    if changed:
        values = _changed(values, defaults)
    chosen = {name: values[name] for name in names if name in values}
    cells = [(".".join(path), json.dumps(value, ensure_ascii=False)) for path, value in _leaves(chosen)]
    output.rows(form, (Column("key"), Column("value", flexible=True)), cells, chosen, empty="all settings have their shipped defaults")


@command.command("validate", epilog=examples("memorybank config validate --format json"))
@output.format_option()
@click.pass_obj
def validate(call: CommandCall, form: str) -> None:
    """Check config/*.json and your own config.json, and print every error and warning with its file and line.

    The exit code is 6 if there is an error.
    """
    import os

    from memorybank.config import own, settings, sources

    loaded, problems = settings.load_with_problems(call.layout())
    mine = own.load_with_problems(os.environ)[1]
    problems += mine
    problems += sources.load(call.layout()).problems
    cells = [(problem.path, problem.line, problem.code, problem.message) for problem in problems]
    data = [problem.to_json() for problem in problems]
    columns = (Column("file"), Column("line", right=True), Column("code"), Column("problem", flexible=True))
    output.rows(form, columns, cells, data, empty="the settings are valid")
    if loaded is None or mine:
        raise ConfigInvalid("the settings are not valid", next_step="fix the lines above; until then, commands that need the settings do not run")


def _leaves(values: dict[str, object], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*path, name))
        else:
            yield (*path, name), value


def _changed(values: dict[str, object], defaults: dict[str, object]) -> dict[str, object]:
    """Return the part of `values` that differs from `defaults`, in the same shape."""
    different: dict[str, object] = {}
    for name, value in values.items():
        default = defaults[name]
        if isinstance(value, dict) and isinstance(default, dict):
            inner = _changed(value, default)
            if inner:
                different[name] = inner
        elif value != default:
            different[name] = value
    return different

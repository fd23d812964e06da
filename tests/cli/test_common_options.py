"""Options that mean the same everywhere: -n, -q, -y, --json and --format; the version of JSON objects."""

import json

import click
import pytest

from memorybank.cli.main import root

NOTES = {"planning/alpha.md": "# Alpha\n\nThe staging database.\n", "shared/用語集.md": "# 用語集\n\n索引。\n"}


def commands(command: click.Command, path: tuple[str, ...], parent: click.Context | None):
    with click.Context(command, info_name=(path or ("memorybank",))[-1], parent=parent) as context:
        yield path, command
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                yield from commands(command.get_command(context, name), (*path, name), context)


ALL = list(commands(root, (), None))


@pytest.mark.parametrize(("long", "short"), [("--limit", "-n"), ("--yes", "-y"), ("--quiet", "-q")])
def test_an_option_has_its_short_form_everywhere(long, short):
    found = {path: option.opts for path, command in ALL for option in command.params if long in option.opts}
    assert found and {path for path, names in found.items() if short not in names} == set()


def test_every_command_with_formats_takes_json():
    for path, command in ALL:
        names = {name for option in command.params for name in option.opts}
        assert ("--format" in names) == ("--json" in names), path


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"], ["search", "staging"], ["show", "alpha"], ["rotate", "--dry-run"], ["rotate"], ["maintain"], ["config", "show"], ["metrics"], ["index"],
        ["policy", "show"], ["doctor", "--list"], ["add", "題名"], ["remember", "one thought"], ["rate", "alpha", "7"], ["bookmark", "add", "alpha"],
        ["tick", "note:alpha", "helpful"], ["purge", "staging", "--dry-run"], ["verify"], ["backup", "prune"],
    ],
)  # fmt: skip
def test_every_object_has_a_version(bank, run, arguments):
    scratch = bank(NOTES)
    printed = json.loads(run(scratch, *arguments, "--json").out)
    if isinstance(printed, dict):
        assert printed["version"] == ("1.0.0" if arguments == ["metrics"] else 1)
    again = run(bank(NOTES), *arguments, "--format", "json").out
    assert type(json.loads(again)) is type(printed)


def test_an_error_is_an_object_with_a_version(bank, run):
    for spelling in (["--json"], ["--format", "json"], ["--format=json"]):
        failed = run(bank(NOTES), "show", "nothing-like-it", *spelling)
        assert failed.code == 3 and json.loads(failed.err)["version"] == 1 and json.loads(failed.err)["error"]["code"] == "not_found"


def test_json_and_another_format_exclude_each_other(bank, run):
    assert run(bank(NOTES), "list", "--json", "--format", "markdown").code == 2
    assert run(bank(NOTES), "list", "--json", "--format", "json").code == 0


def test_what_writing_commands_print_as_json(bank, run):
    scratch = bank(NOTES)
    assert json.loads(run(scratch, "add", "Release steps", "--json").out) == {
        "version": 1, "key": "shared/release-steps.md", "path": ".claude/memory/active/shared/release-steps.md",
    }  # fmt: skip
    assert json.loads(run(scratch, "remember", "覚えておく", "--format", "json").out)["key"].endswith(".md")
    assert json.loads(run(scratch, "rate", "alpha", "7.5", "--json").out) == {"version": 1, "key": "planning/alpha.md", "rating": 7.5}
    assert json.loads(run(scratch, "bookmark", "add", "alpha", "--json").out) == {"version": 1, "path": "planning/alpha.md", "added": True}
    assert json.loads(run(scratch, "bookmark", "add", "alpha", "--json").out)["added"] is False
    assert json.loads(run(scratch, "bookmark", "remove", "alpha", "--json").out) == {"version": 1, "path": "planning/alpha.md", "removed": True}


def test_quiet_prints_errors_only(bank, run):
    scratch = bank(NOTES)
    for arguments in (
        ["add", "New"],
        ["remember", "x"],
        ["rate", "alpha", "5"],
        ["bookmark", "add", "nothing.md"],
        ["index"],
        ["rotate", "--dry-run"],
        ["maintain"],
        ["tick", "note:alpha", "wrong"],
    ):
        assert run(scratch, *arguments, "-q") == (0, "", "")
    assert (scratch.active / "shared/new.md").exists()
    failed = run(scratch, "rate", "nothing", "5", "--quiet")
    assert failed.code == 3 and failed.out == "" and "no note" in failed.err


def test_quiet_does_not_lift_the_brake(bank, run):
    scratch = bank({f"shared/memo-{number}.md": f"memo {number}\n" for number in range(12)}, days_old=90)
    assert run(scratch, "rotate", "-q").code == 8
    assert run(scratch, "rotate", "-q", "-y") == (0, "", "")


def test_n_limits_every_list(bank, run):
    scratch = bank(NOTES)
    for arguments in (["search", "--since", "last month"], ["score"], ["list"]):
        found = json.loads(run(scratch, *arguments, "-n", "1", "--json").out)
        assert len(found["hits"] if isinstance(found, dict) else found) == 1

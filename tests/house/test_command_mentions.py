"""Every command that a text of the package or a page mentions exists, with the options that the text names."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from memorybank.cli.main import PROGRAM, root

from .sources import Nodes, asked_of_files

PACKAGE = Path(__file__).resolve().parents[2] / "memorybank"
HELP = {"-h", "--help"}
QUOTED = re.compile(r"(?<!\w)(?:(['`\"])(?P<text>[a-z]+ [^'`\"\n]+)\1)|「(?P<japanese>[a-z]+ [^「」\n]+)」")
"""A text in quotation marks or backticks that has at least two words."""
LINE = re.compile(rf"(?m)^\s*({PROGRAM} [^\n]+)")
"""An example: a line that begins with the program. Two blanks separate the command from an explanation."""
INLINE = re.compile(rf"\b{PROGRAM}((?: [a-z][a-z-]*)+)")
PLACEHOLDER = "{}"


def subcommands(command: click.Command) -> dict[str, click.Command]:
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    return {name: below for name in command.list_commands(context) if (below := command.get_command(context, name)) is not None}


def options(command: click.Command) -> set[str]:
    return {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-")}


COMMANDS = subcommands(root)
FOREIGN = {"log -z"}
"""Beginnings of commands of other programs (git) whose first word is also one of ours."""
PROGRAMS = {"git"}
"""Programs with the name of one of our groups, whose own commands are mentioned without the program's name before them."""


def fault(words: list[str], *, with_options: bool) -> str | None:
    """What does not exist in a command without the program's name; None if everything does."""
    command: click.Command = root
    path = PROGRAM
    known = options(root) | HELP | ({"--json", "--format"} if words[:1] == ["--version"] else set())
    while words:
        if command is root and words[0] == "--bank":
            words = words[2:]
            continue
        below = subcommands(command)
        if not below or words[0] == PLACEHOLDER or not re.match(r"[a-z]", words[0]):
            break
        # `archive list|show|restore` mentions several commands of one group.
        for name in words[0].split("|"):
            if name not in below:
                return f"{path} {name}"
        path, command, words = f"{path} {words[0]}", below[words[0].split("|")[0]], words[1:]
        known |= options(command)
    if with_options:
        given = words[: words.index("--")] if "--" in words else words
        for word in given:
            option = re.match(r"--[a-z][a-z-]*", word)
            if option and option[0] not in known:
                return f"{path} {option[0]}"
    return None


def faults(text: str) -> Iterator[str]:
    """The commands and options that a text mentions and that do not exist."""
    for quoted in QUOTED.finditer(text):
        words = (quoted["text"] or quoted["japanese"]).split()
        # Without the program's name, as in 'config show', only a group tells such a mention from prose.
        is_group = words[0] not in PROGRAMS and isinstance(COMMANDS.get(words[0]), click.Group) and " ".join(words[:2]) not in FOREIGN
        if words[0] == PROGRAM:
            words = words[1:]
        elif not is_group:
            continue
        if found := fault(words, with_options=True):
            yield found
    for line in LINE.finditer(text):
        words = re.split(r" {2,}", line[1])[0].split()[1:]
        if words and words[0] in COMMANDS and (found := fault(words, with_options=True)):
            yield found
    # Anywhere else the name may begin a sentence ("memorybank runs …"), so only what follows the name of a group is checked.
    for inline in INLINE.finditer(text):
        words = inline[1].split()
        if isinstance(COMMANDS.get(words[0]), click.Group) and len(words) > 1 and (found := fault(words, with_options=False)):
            yield found


@asked_of_files
def literals(tree: Nodes) -> list[tuple[int, str]]:
    """(line, text) of every string literal; the values in an f-string are placeholders."""
    return list(_literals(tree))


def _literals(tree: Nodes) -> Iterator[tuple[int, str]]:
    parts = {id(part) for node in tree if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in tree:
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(str(part.value) if isinstance(part, ast.Constant) else PLACEHOLDER for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            yield node.lineno, node.value


def test_every_command_that_a_string_mentions_exists():
    found = [
        f"{path.relative_to(PACKAGE.parent)}:{line}: {wrong}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, text in literals(path)
        for wrong in faults(text)
    ]
    assert found == []


def test_every_command_that_a_template_mentions_exists():
    templates = sorted((PACKAGE / "ui" / "templates").glob("*.html"))
    assert templates
    assert [f"{path.name}: {wrong}" for path in templates for wrong in faults(path.read_text(encoding="utf-8"))] == []


def test_every_command_that_a_page_mentions_exists():
    repository = PACKAGE.parent
    pages = [repository / "README.md", repository / "CONTRIBUTING.md", *sorted((repository / "docs").rglob("*.md"))]
    assert [f"{page.relative_to(repository)}: {wrong}" for page in pages for wrong in faults(page.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("'memorybank policy list' shows them", "memorybank policy list"),
        ("see `policy list`", "memorybank policy list"),
        ("'memorybank reindex' makes them again", "memorybank reindex"),
        ("'memorybank --bank DIR reindex'", "memorybank reindex"),
        ("`memorybank archive list|drop`", "memorybank archive drop"),
        ("'memorybank doctor --mend'", "memorybank doctor --mend"),
        ("'memorybank hooks install --host {} --area {}'", "memorybank hooks install --area"),
        ("Examples:\n  memorybank rotate --now     at once", "memorybank rotate --now"),
        ("List them with: memorybank backup show", "memorybank backup show"),
        ("「memorybank reindex」の出力", "memorybank reindex"),
        ("'episodes topics rename NAME'", "memorybank episodes topics rename"),
    ],
)
def test_the_rule_would_catch(text, wrong):
    assert wrong in set(faults(text))


@pytest.mark.parametrize(
    "text",
    [
        "memorybank is not installed",
        "'memorybank hooks install --host {} --scope {}' renews it",
        "`memorybank archive list|show|restore`",
        "'memorybank search -- --dry-run'",
        "memorybank show planning/overview.md --no-record",
        "'memorybank policy rollback {}'",
        "from `log -z --raw`",
        "`index --mode full|incremental`",
    ],
)
def test_the_rule_lets_pass(text):
    assert list(faults(text)) == []

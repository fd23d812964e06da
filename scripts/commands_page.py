"""Write the part of docs/commands.md that follows from the code: every command, its options and examples. Also write the man pages below share/.

python scripts/commands_page.py            rewrite the page between its markers, and share/ (scripts/man_pages.py)
python scripts/commands_page.py --check    end with exit code 1 if the page differs from the code
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import man_pages

from memorybank.cli.main import PROGRAM, SECTIONS, root

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
BEGIN, END = "<!-- written by scripts/commands_page.py -->", "<!-- end of what scripts/commands_page.py writes -->"


def page() -> str:
    """Return the complete text of the page, with the generated part as the code has it now."""
    head, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, tail = rest.partition(END)
    return f"{head}{BEGIN}\n\n{commands()}\n{END}{tail}"


def commands() -> str:
    """Return the text of every command, in the order of the command table."""
    with click.Context(root, info_name=PROGRAM) as context:
        parts = [_options(root)]
        for title, rows in SECTIONS.items():
            parts.append(f"### {title}\n")
            for name in rows:
                parts += _command(root.get_command(context, name), name, context)
    return "\n".join(part for part in parts if part)


def _command(command: click.Command | None, name: str, parent: click.Context) -> Iterator[str]:
    assert command is not None, name
    with click.Context(command, info_name=name, parent=parent) as context:
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        yield f"#### `{context.command_path}`\n\n{_prose(command.help)}\n\n```\n{usage}\n```\n"
        yield _options(command)
        if command.epilog:
            yield "```bash\n" + "\n".join(line.strip() for line in command.epilog.splitlines()[2:]) + "\n```\n"
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                yield from _command(command.get_command(context, below), below, context)


def _options(command: click.Command) -> str:
    rows = [f"| {_names(option)} | {_cell(option.help or '')} |" for option in command.params if isinstance(option, click.Option)]
    return "\n".join(["| option | |", "| --- | --- |", *rows, ""]) if rows else ""


def _names(option: click.Option) -> str:
    value = ""
    if not option.is_flag:
        value = " " + (option.metavar or ("|".join(option.type.choices) if isinstance(option.type, click.Choice) else "N"))
    default = f", default `{option.default}`" if option.show_default and option.default is not None else ""
    return _cell(", ".join(f"`{name}{value}`" for name in option.opts) + default)


def _prose(text: str | None) -> str:
    paragraphs = (text or "").strip().split("\n\n")
    return "\n\n".join(" ".join(line.strip() for line in paragraph.splitlines()) for paragraph in paragraphs)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def main(arguments: list[str]) -> int:
    if not arguments:
        man_pages.main([])
    text = page()
    if text == PAGE.read_text(encoding="utf-8"):
        return 0
    if arguments:
        print("docs/commands.md differs from the code; run python scripts/commands_page.py")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    print("docs/commands.md rewritten")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

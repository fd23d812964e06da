"""Write what the wheel installs below share/: a man page of each command, and completions for bash, zsh and fish.

python scripts/man_pages.py            rewrite the files below share/; scripts/commands_page.py does so too
python scripts/man_pages.py --check    end with exit code 1 if a man page differs from the code
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import get_completion_class

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memorybank import __version__
from memorybank.cli.main import COMPLETION_VARIABLE, PROGRAM, SECTIONS, root

ROOT = Path(__file__).resolve().parents[1]
SHARE = ROOT / "share"
PAGES = SHARE / "man" / "man1"
COMPLETIONS = {
    "bash": SHARE / "bash-completion" / "completions" / PROGRAM,
    "zsh": SHARE / "zsh" / "site-functions" / f"_{PROGRAM}",
    "fish": SHARE / "fish" / "vendor_completions.d" / f"{PROGRAM}.fish",
}
_SEE_ALSO = "The documentation is in the folder docs/ of the source distribution."


def pages() -> dict[str, str]:
    """Return {file name: man page} for the program and each of its commands."""
    with click.Context(root, info_name=PROGRAM) as context:
        found = {f"{PROGRAM}.1": _program()}
        for rows in SECTIONS.values():
            for name, row in rows.items():
                command = root.get_command(context, name)
                assert command is not None, name
                found[f"{PROGRAM}-{name}.1"] = "\n".join([_head(f"{PROGRAM}-{name}", row.summary), *_body(command, name, context), *_tail()])
    return found


def completions() -> dict[Path, str]:
    """Return {path: script} of each shell."""
    found = {}
    for shell, path in COMPLETIONS.items():
        kind = get_completion_class(shell)
        assert kind is not None, shell
        completion = kind(root, {}, PROGRAM, COMPLETION_VARIABLE)
        found[path] = completion.source_template % completion.source_vars()
    return found


def _program() -> str:
    parts = [_head(PROGRAM, "long-term memory for coding agents, as plain Markdown"), ".SH SYNOPSIS", f".B {PROGRAM}", "[OPTIONS] COMMAND [ARGS]..."]
    parts += [".SH DESCRIPTION", *_prose(root.help), ".SH OPTIONS", *_options(root)]
    for title, rows in SECTIONS.items():
        parts.append(f".SH {_escape(title.upper())}")
        for name, row in rows.items():
            parts += [".TP", f".BR {_escape(PROGRAM)}\\-{_escape(name)} (1)", _escape(row.summary)]
    parts += [".SH ENVIRONMENT", ".TP", ".B MEMORYBANK_DIR", "The bank that commands use instead of the one of the working folder."]
    return "\n".join([*parts, *_tail()])


def _head(name: str, summary: str) -> str:
    title = f'.TH "{name.upper()}" "1" "" "memorybank {__version__}" "memorybank"'
    return f'.\\" written by scripts/man_pages.py\n{title}\n.SH NAME\n{_escape(name)} \\- {_escape(summary)}'


def _tail() -> list[str]:
    return [".SH SEE ALSO", f".BR {PROGRAM} (1)", ".br", _SEE_ALSO, ""]


def _body(command: click.Command, name: str, parent: click.Context, level: str = ".SH") -> Iterator[str]:
    with click.Context(command, info_name=name, parent=parent) as context:
        if level == ".SH":
            yield ".SH SYNOPSIS"
        else:
            yield f".SS {_escape(context.command_path)}"
        yield f".B {_escape(context.command_path)}"
        yield _escape(" ".join(command.collect_usage_pieces(context)))
        yield ".SH DESCRIPTION" if level == ".SH" else ".PP"
        yield from _prose(command.help)
        options = list(_options(command))
        if options:
            yield ".SH OPTIONS" if level == ".SH" else ".PP"
            yield from options
        if command.epilog:
            yield ".SH EXAMPLES" if level == ".SH" else ".PP"
            yield from (".nf", ".RS", *(_escape(line.strip()) for line in command.epilog.splitlines()[2:]), ".RE", ".fi")
        if isinstance(command, click.Group):
            if level == ".SH":
                yield ".SH COMMANDS"
            for below in command.list_commands(context):
                inner = command.get_command(context, below)
                assert inner is not None, below
                yield from _body(inner, below, context, ".SS")


def _options(command: click.Command) -> Iterator[str]:
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            value = ""
            if not option.is_flag:
                value = " " + (option.metavar or ("|".join(option.type.choices) if isinstance(option.type, click.Choice) else "N"))
            default = f" Default: {option.default}." if option.show_default and option.default is not None else ""
            yield ".TP"
            yield f".B {_escape(', '.join(name + value for name in (*option.opts, *option.secondary_opts)))}"
            yield _escape((option.help or "").replace("\n", " ") + default)


def _prose(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help text; one that click prints line by line stays so."""
    for paragraph in (text or "").strip().split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines()]
        if lines[0] == "\b":
            yield from (".PP", ".nf", *(_escape(line) for line in lines[1:]), ".fi")
        else:
            yield from (".PP", _escape(" ".join(lines)))


def _escape(text: str) -> str:
    """Return text that groff prints as it is: backslashes, hyphens that can be copied, other scripts, and no line that begins like a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


def write() -> list[str]:
    """Write every file that differs, remove pages of commands that no longer exist, and return the changed names."""
    changed = []
    wanted = {PAGES / name: text for name, text in pages().items()} | completions()
    for path in set(PAGES.glob("*.1")) - wanted.keys():
        path.unlink()
        changed.append(path.name)
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed.append(path.name)
    return changed


def outdated() -> list[str]:
    """Return the names of man pages that differ from the code. The completions depend on the version of click, so they are not compared."""
    wanted = pages()
    shipped = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.1")}
    return sorted(name for name in wanted.keys() | shipped.keys() if wanted.get(name) != shipped.get(name))


def main(arguments: list[str]) -> int:
    if arguments:
        found = outdated()
        if found:
            print(f"man pages differ from the code: {', '.join(found)}; run python scripts/man_pages.py")
        return bool(found)
    changed = write()
    if changed:
        print(f"share/ rewritten: {len(changed)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

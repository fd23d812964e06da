"""The root of the command line: a table of commands, each loaded only when it is called.

`--help` and `--version` read this table and import nothing else. To add a command: write it in a module of `memorybank/cli/`, and add
its row here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from memorybank import __version__
from memorybank.cli.call import CommandCall, examples
from memorybank.values import Value

PROGRAM = "memorybank"
COMPLETION_VARIABLE = "_MEMORYBANK_COMPLETE"
VERSION_AS_JSON = (["--json"], ["--format", "json"], ["--format=json"])
"""What may follow `--version`: the forms in which every command takes it."""


class CommandRow(Value):
    """One command of the table.

    place: module of `memorybank.cli`; after a colon the name of the click object, if it is not `command`
    summary: text that the list of commands shows
    """

    place: str
    summary: str

    def load(self) -> click.Command:
        module, _, name = self.place.partition(":")
        command: click.Command = getattr(import_module(f"memorybank.cli.{module}"), name or "command")
        return command


SECTIONS: dict[str, dict[str, CommandRow]] = {
    "Notes": {
        "init": CommandRow("init", "create a memory bank here"),
        "adopt": CommandRow("adopt", "use the notes and documents that a project already has"),
        "add": CommandRow("notes:add", "create a note with a title, tags and a body"),
        "remember": CommandRow("notes:remember", "keep one thought as a note"),
        "show": CommandRow("notes:show", "print a note"),
        "blame": CommandRow("blame", "show who wrote each statement of a note"),
        "list": CommandRow("list_", "list notes, the newest first, or their problems"),
        "edit": CommandRow("edit", "edit a note in your editor"),
        "open": CommandRow("edit:open_", "open a note's file, or print its path"),
        "mv": CommandRow("edit:mv", "rename a note, and rewrite the links to it"),
        "forget": CommandRow("forget", "move notes to the archive"),
        "personal": CommandRow("personal", "use your own bank, which holds in every repository"),
        "tags": CommandRow("tags", "list tags with their counts, or rename one"),
        "rate": CommandRow("notes:rate", "rate how important a note is to you, 0-10"),
        "bookmark": CommandRow("notes:bookmark", "keep notes out of every rotation"),
    },
    "Scores and search": {
        "search": CommandRow("search", "find notes by words, text, importance or date"),
        "score": CommandRow("score", "show how important notes are, and why"),
        "claims": CommandRow("claims", "check what notes name against the files and history of git"),
        "superseded": CommandRow("superseded", "list decisions that a later one replaced"),
        "index": CommandRow("index", "update the index and publish it"),
        "rebuild": CommandRow("index:rebuild", "regenerate all derived files from notes and logs"),
    },
    "Rotation and archive": {
        "rotate": CommandRow("rotate", "archive notes that no longer matter, or show the plan"),
        "undo": CommandRow("rotate:undo", "take back a rotation, an edit, a rating or a rename"),
        "maintain": CommandRow("maintain", "run all due maintenance, unattended"),
        "archive": CommandRow("archive", "list, show and restore archived notes"),
        "backup": CommandRow("backup", "keep backups, and move to another machine"),
        "verify": CommandRow("maintain:verify", "verify that archive and logs are intact"),
    },
    "Agents": {
        "hooks": CommandRow("hooks", "register memorybank with a coding agent"),
        "trust": CommandRow("trust", "let agents be shown what this bank contains"),
        "import": CommandRow("import_", "import earlier sessions from an agent's transcripts"),
        "recall": CommandRow("recall", "show what an agent would be shown, and why"),
        "know": CommandRow("know", "list what sessions taught, and reject what is wrong"),
        "tick": CommandRow("know:tick", "mark a memory as helpful or wrong"),
        "replay": CommandRow("replay", "replay recorded sessions to measure recall"),
        "policy": CommandRow("policy", "show what recall learned, and roll it back"),
        "episodes": CommandRow("episodes", "write and show one summary for each finished day"),
        "summary": CommandRow("summary", "show, print or draft the resident summary"),
        "mcp": CommandRow("mcp", "serve the bank to agents as tools (MCP)"),
        "hook": CommandRow("hook", "handle one hook event (called by coding agents)"),
        "log": CommandRow("log", "inspect what hooks recorded, and verify it"),
        "purge": CommandRow("purge", "remove a leaked text from logs, archive and caches"),
    },
    "Team": {
        "banks": CommandRow("banks", "list the banks of this machine that a search of all reads"),
        "team": CommandRow("team", "share memories through a server of your organisation"),
        "git": CommandRow("git", "let git merge the bank's files, and finish a merge"),
        "merge-driver": CommandRow("git:merge_driver", "merge one file of a bank (called by git)"),
    },
    "Health": {
        "status": CommandRow("status", "show health, recent changes and notes due for rotation"),
        "doctor": CommandRow("doctor", "find problems, and fix those that can be fixed"),
        "check": CommandRow("check", "check memory before it is committed"),
        "watch": CommandRow("watch", "keep the index up to date while you work"),
        "metrics": CommandRow("metrics", "measure the bank: metrics, alerts, Prometheus text"),
        "ui": CommandRow("ui", "view the bank, and work on it, in a browser"),
    },
    "Settings": {
        "config": CommandRow("config", "show or check the settings in effect"),
        "completion": CommandRow("main:completion", "print a completion script for your shell"),
    },
}
_ROWS = {name: row for rows in SECTIONS.values() for name, row in rows.items()}


class CommandTable(click.Group):
    """A click group that lists its commands by name and summary, and imports a command only when it is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_ROWS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return _ROWS[name].load() if name in _ROWS else None

    def resolve_command(self, context: click.Context, arguments: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        name = arguments[0]
        if not name.startswith("-") and self.get_command(context, name) is None and not context.resilient_parsing:
            raise click.UsageError(f"no such command {name!r}{_nearest(name, self.list_commands(context))}", context)
        return super().resolve_command(context, arguments)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, _ROWS))
        for title, rows in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), row.summary) for name, row in rows.items()])


def _nearest(name: str, names: Sequence[str]) -> str:
    from difflib import get_close_matches

    if name in ("help", "version"):  # commands of other programs
        return f"; did you mean '--{name}'?"
    near = get_close_matches(name, names, n=2)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


@click.group(
    PROGRAM,
    cls=CommandTable,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "memorybank init",
        "memorybank remember 'The staging database is reset every Monday.'",
        "memorybank search staging",
        heading="First steps",
    ),
)
@click.option(
    "--bank",
    metavar="DIR",
    help="Memory bank to use. Default: $MEMORYBANK_DIR, otherwise .claude/memory in this folder or a parent folder, up to the repository root.",
)
@click.option("--personal", "is_personal", is_flag=True, help="Use your own bank outside all repositories, which 'memorybank init --personal' creates.")
@click.version_option(
    __version__, prog_name=PROGRAM, message="%(prog)s %(version)s", help="Show the version and exit; with --json also Python, the system and the extras."
)
@click.pass_context
def root(context: click.Context, bank: str | None, is_personal: bool) -> None:
    """Keep the Markdown memory notes of coding agents useful for years."""
    if context.obj is None:
        context.obj = CommandCall()
    if is_personal and bank is not None:
        raise click.UsageError("--bank and --personal name two banks; omit one of them", context)
    context.obj.named = bank
    if is_personal:
        context.obj.name_personal()
    context.call_on_close(context.obj.close)


@click.command(
    epilog=examples(
        'eval "$(memorybank completion bash)"                       in ~/.bashrc',
        'eval "$(memorybank completion zsh)"                        in ~/.zshrc',
        "memorybank completion fish > ~/.config/fish/completions/memorybank.fish",
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a completion script for your shell. It completes commands, options and note keys."""
    from click.shell_completion import get_completion_class

    completion = get_completion_class(shell)
    assert completion is not None, "click knows these three shells"
    click.echo(completion(root, {}, PROGRAM, COMPLETION_VARIABLE).source())


def run(arguments: Sequence[str], call: CommandCall | None = None) -> int:
    """Run one command line and return its exit code. Every failure becomes a sentence on stderr."""
    _prepare_streams()
    try:
        code = _dispatch(list(arguments), call)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # before the general case: a reader that left early is not a failure
        _discard_output()
        return 0
    except (Exception, KeyboardInterrupt) as error:
        from memorybank.cli import failure

        code = failure.report(error, arguments)
        try:
            sys.stdout.flush()
        except OSError:
            _discard_output()
        return code


def _dispatch(arguments: list[str], call: CommandCall | None) -> int:
    instruction = os.environ.get(COMPLETION_VARIABLE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(root, {"obj": CommandCall()}, PROGRAM, COMPLETION_VARIABLE, instruction)
    for word in arguments:
        _check_text(word)
    if arguments[:1] == ["--version"] and arguments[1:] in VERSION_AS_JSON:
        from memorybank.cli import version

        version.write()
        return 0
    try:
        with root.make_context(PROGRAM, arguments, obj=call or CommandCall()) as context:
            root.invoke(context)
    except click.exceptions.Exit as finished:
        return finished.exit_code
    return 0


def _check_text(word: str) -> None:
    """Refuse a word that is not text: bytes that are not UTF-8 (Python shows them as lone surrogates) and NUL.

    Keys, queries and titles are text, so this one check serves all commands.
    """
    try:
        word.encode()
    except UnicodeEncodeError:
        raise click.UsageError(f"{word!a} is not UTF-8") from None
    if "\0" in word:
        raise click.UsageError(f"{word!a} contains a NUL character")


def _prepare_streams() -> None:
    """Write UTF-8 to pipes and files whatever the locale, so that no character of a note can stop a command."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            if not stream.isatty():
                reconfigure(encoding="utf-8")
            reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Point standard output at /dev/null, because nothing more can be printed.

    Either its reader left (`memorybank search x | head -1`, which ends quietly, as with ripgrep) or its disk is full. Without this the
    interpreter would try to flush once more when it exits, and complain.
    """
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.close(devnull)

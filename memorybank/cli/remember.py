"""`memorybank remember`."""

import click

from memorybank.cli import output, stdin
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples


@click.command(
    epilog=examples(
        "memorybank remember 'The staging database is reset every Monday.'",
        "memorybank remember '認証トークンは24時間で失効する'",
        "git log -1 --format=%B | memorybank remember -",
    )
)
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@click.pass_obj
def command(call: CommandCall, words: tuple[str, ...]) -> None:
    """Keep one thought as a note. TEXT is what to remember; a single - reads it from standard input.

    The first line becomes the title. 'memorybank add' also takes a folder and tags.
    """
    text = stdin.text() if words == ("-",) else " ".join(words)
    if not text.strip():
        raise click.UsageError("the text to remember is empty")
    output.write(call.open().notes.remember(text) + "\n")

"""`memorybank rate`."""

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import ScaleType, key_argument


@click.command(
    epilog=examples(
        "memorybank rate planning/overview.md 9",
        "memorybank rate 共有/用語集.md 7.5",
    )
)
@key_argument()
@click.argument("rating", type=ScaleType())
@click.pass_obj
def command(call: CommandCall, key: str, rating: float) -> None:
    """Rate how important a note is to you, from 0 to 10.

    The rating is written as one line of the note's front matter; nothing else in the note changes. A rating of 8 or more keeps the note out of
    every rotation, like a bookmark.
    """
    key = call.open().notes.rate(key, rating)
    output.write(f"rated {rating:g}: {output.clean(key)}\n")

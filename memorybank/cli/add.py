"""`memorybank add`."""

import click

from memorybank.cli import output, stdin
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import ScaleType


@click.command(
    epilog=examples(
        "memorybank add 'Why we chose SQLite' --folder planning --tag decision --body 'One file, no server.'",
        "memorybank add '用語集' --folder shared --tag glossary --rating 8 --body - < glossary.md",
        "memorybank add 'Release steps'            an empty note, to be filled in with an editor",
    )
)
@click.argument("title")
@click.option("--folder", default="shared", show_default=True, metavar="FOLDER", help="Folder below active/; created if it is missing.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag of the note; may be repeated.")
@click.option("--rating", type=ScaleType(), metavar="N", help="How important the note is to you, 0-10; a note rated 8 or more is never rotated.")
@click.option("--body", default="", metavar="TEXT", help="Text below the title; - reads it from standard input.")
@click.pass_obj
def command(call: CommandCall, title: str, folder: str, tags: tuple[str, ...], rating: float | None, body: str) -> None:
    """Create a note and print its key.

    The file is named after the title. An existing note is never replaced: if the name is taken, -2, -3, … is appended.
    """
    if body == "-":
        body = stdin.text()
    output.write(call.open().notes.add(title, body=body, folder=folder, tags=tags, rating=rating) + "\n")

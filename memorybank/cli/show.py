"""`memorybank show`."""

import sys

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples
from memorybank.cli.options import key_argument

EPISODE = "episode:"


@click.command(
    epilog=examples(
        "memorybank show planning/overview.md",
        "memorybank show shared/用語集.md --no-record",
        "memorybank show planning/overview.md --format json",
        "memorybank show episode:2025-09-17              an episode, by the name in search results",
    )
)
@key_argument()
@click.option(
    "--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True, help="The text of the note, or a JSON object."
)
@click.option("--no-record", is_flag=True, help="Do not record this as a view of the note; use it in scripts.")
@click.pass_obj
def command(call: CommandCall, key: str, form: str, no_record: bool) -> None:
    """Print a note, or an episode by the name that search and recall show.

    The view of a note is recorded in log/access.jsonl, because notes that are read stay important. In a read-only bank nothing is recorded.
    """
    if key.startswith(EPISODE):
        _show_episode(call, key, form)
        return
    note = call.open(read_only=no_record).notes.read(key, record_view=not no_record)
    if form == "json":
        output.write_json(
            {
                "key": note.key,
                "title": note.title,
                "tags": list(note.front.tags),
                "topics": list(note.topics),
                "rating": note.front.rating,
                "size": note.size,
                "sha256": note.digest,
                "links": [{"kind": link.kind, "target": link.target} for link in note.links],
                "problems": [problem.to_json() for problem in note.problems],
                "text": note.text,
            }
        )
        return
    text = note.text if note.text.endswith("\n") or not note.text else note.text + "\n"
    output.write(output.clean_text(text) if sys.stdout.isatty() else text)


def _show_episode(call: CommandCall, key: str, form: str) -> None:
    """Print every entry of a day or merged week, whoever wrote it. Nothing is recorded, because no score depends on it."""
    entries = call.open(read_only=True).episodes.document(key)
    if form == "json":
        output.write_json({"key": key, "entries": [entry.raw for entry in entries]})
        return
    text = "\n".join(f"# {entry.date} ({entry.kind}, by {entry.by or 'unknown'})\n\n{entry.summary.strip()}\n" for entry in entries)
    output.write(output.clean_text(text) if sys.stdout.isatty() else text)

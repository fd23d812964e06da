"""`memorybank tick`."""

import click

from memorybank.cli import output
from memorybank.cli.call import CommandCall
from memorybank.cli.help import examples


@click.command(
    epilog=examples(
        "memorybank tick problem:1a2b3c4d helpful",
        "memorybank tick answer:86a95ca6d21ae7fc.0 wrong",
        "memorybank tick note:planning/retry.md helpful",
    )
)
@click.argument("name", metavar="ID")
@click.argument("verdict", type=click.Choice(("helpful", "wrong")))
@click.pass_obj
def command(call: CommandCall, name: str, verdict: str) -> None:
    """Mark the memory ID, as an agent was shown it, as helpful or wrong.

    The mark applies to the most recent time the memory was shown. A memory derived from sessions that is marked wrong is not shown until it is marked helpful
    again. A note, a rule or a problem only carries the mark ('memorybank know reject' stops the recall of rules and problems). 'memorybank know list' and
    'memorybank recall --explain' print ids.
    """
    output.write(f"{verdict}: {output.clean(call.open().knowledge.tick(name, verdict))}\n")

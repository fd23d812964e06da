"""`memorybank episodes topics update|list|search|label`."""

from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.output import Column
from memorybank.cli.page import Card
from memorybank.cli.progress import progress
from memorybank.text.quantities import counted

if TYPE_CHECKING:
    from memorybank.bank.topics import TopicUpdate
    from memorybank.episodes.topics.similarity import TopicMatch
    from memorybank.episodes.topics.topic import Topic

_COLUMNS = (Column("topic"), Column("episodes", right=True), Column("from"), Column("to"), Column("name", flexible=True))


@click.group(
    "topics",
    short_help="Group the episodes by topic.",
    epilog=examples(
        "memorybank episodes topics update",
        "memorybank episodes topics list",
        "memorybank episodes topics search 'the payment export'",
        "memorybank episodes topics label cluster_003 'payment export'",
    ),
)
def topics() -> None:
    """Manage topics: groups of episodes about the same thing."""


@topics.command(
    "update",
    short_help="Group the episodes again.",
    epilog=examples("memorybank episodes topics update", "memorybank episodes topics update --dry-run"),
)
@click.option("--dry-run", is_flag=True, help="Only show the topics; nothing is written.")
@output.format_option()
@click.pass_obj
def update(call: CommandCall, dry_run: bool, form: str) -> None:
    """Group the episodes by topic: first the fixed topics of the settings, then the topics that are found.

    A topic that keeps at least half of its episodes keeps its number and the name that you gave it. No model is used and nothing leaves this machine.
    """
    found = call.open(read_only=dry_run).episodes.topics
    with progress("grouping", call.clock) as bar:
        done = found.update(dry_run=dry_run, step=bar)
    data = {
        "changed": done.changed,
        "episodes": done.episodes,
        "without_topic": done.alone,
        "set_aside": done.set_aside,
        "fixed_without_episodes": list(done.unnamed),
        "topics": [_fields(topic) for topic in done.stored.topics],
    }
    output.rows(form, _COLUMNS, map(_cells, done.stored.topics), data, empty=_empty_text(done))
    if form != "json":
        _print_outcome(done)


@topics.command("list", short_help="List the topics.", epilog=examples("memorybank episodes topics list", "memorybank episodes topics list --format json"))
@output.format_option()
@click.pass_obj
def list_(call: CommandCall, form: str) -> None:
    """List the topics as the last update left them: fixed ones first, then the largest."""
    found = call.open(read_only=True).episodes.topics
    stored = found.stored()
    output.rows(
        form,
        _COLUMNS,
        map(_cells, stored.topics),
        [_fields(topic) for topic in stored.topics],
        empty="no topics yet; 'memorybank episodes topics update' finds them",
    )
    if stored.topics and found.is_stale():
        output.notice("the list of episodes has changed since the last update; 'memorybank episodes topics update' groups it again")
    if stored.merged:
        output.notice("the topics contain git's conflict markers; your side is shown, and the next update merges the file and keeps the names of both sides")


@topics.command(
    "search",
    short_help="Find the topics that a question is about.",
    epilog=examples("memorybank episodes topics search 'the payment export'", "memorybank episodes topics search 決済の失敗 --format json"),
)
@click.argument("question")
@output.format_option()
@click.pass_obj
def search(call: CommandCall, question: str, form: str) -> None:
    """Find the topics that a question is about: at most two, with a similarity of at least 0.3.

    95 of 100 questions about something else are less similar than 0.3 to every topic of this bank; 995 of 1,000 are less similar than 0.6.
    """
    found = call.open(read_only=True).episodes.topics.search(question)
    data = [{"similarity": round(match.similarity, 3), "words": match.words, **_fields(match.topic)} for match in found]
    if form != "table":
        cells = [(f"{match.similarity:.2f}", match.topic.id, match.topic.size, match.topic.label) for match in found]
        columns = (Column("similarity", right=True), Column("topic"), Column("episodes", right=True), Column("name", flexible=True))
        output.rows(form, columns, cells, data, empty="no topic is similar enough")
        return
    if not found:
        page.say("no topic is similar enough")
    elif output.is_page():
        page.cards(map(_card, found))
    else:
        for number, match in enumerate(found):
            card = _card(match)
            lines = [f"{card.mark}  {card.title}", *(f"      {line}" for line in card.lines)]
            output.write(("\n" if number else "") + "".join(output.clean(line) + "\n" for line in lines))


@topics.command(
    "label",
    short_help="Give a topic a name of your own.",
    epilog=examples("memorybank episodes topics label cluster_003 'payment export'", "memorybank episodes topics label cluster_003 --clear"),
)
@click.argument("topic")
@click.argument("name", required=False)
@click.option("--clear", is_flag=True, help="Remove your name; the name made from its episodes is shown again.")
@output.format_option()
@click.pass_obj
def label(call: CommandCall, topic: str, name: str | None, clear: bool, form: str) -> None:
    """Give a topic your own name, which it keeps when the episodes are grouped again. TOPIC is its number or its name."""
    if (name is None) is not clear:
        raise click.UsageError("give a new NAME, or --clear to remove yours")
    changed = call.open().episodes.topics.label(topic, name)
    if not output.as_json(form, _fields(changed)):
        page.say(f"{changed.id} is now called {output.clean(changed.label)}")


def _cells(topic: "Topic") -> tuple[object, ...]:
    return (topic.id, topic.size, topic.first, topic.last, topic.label)


def _card(match: "TopicMatch") -> Card:
    topic = match.topic
    held = f"{counted(topic.size, 'episode')}, {topic.first} to {topic.last}; 'memorybank episodes show DATE' prints a day"
    return Card(f"{match.similarity:.2f}", f"{topic.id}  {topic.label}", (held, *([topic.summary] if topic.summary else [])))


def _fields(topic: "Topic") -> dict[str, object]:
    """Return the fields of a topic without its centroid, which only the search needs."""
    return {name: value for name, value in topic.raw.items() if name != "centroid"}


def _empty_text(done: "TopicUpdate") -> str:
    if not done.episodes:
        return "no episodes yet; 'memorybank episodes update' writes them"
    return f"no topic was found among {counted(done.episodes, 'episode')}"


def _print_outcome(done: "TopicUpdate") -> None:
    if done.stored.topics:
        page.say("", f"{counted(len(done.stored.topics), 'topic')} of {counted(done.episodes, 'episode')}; {done.alone:,} without a topic")
    if done.set_aside:
        output.notice(f"the file of topics could not be read; it is kept as episodes/{done.set_aside}, and your names in it are not used")
    for name in done.unnamed:
        output.notice(f"no episode is similar enough to the fixed topic {name!r}")
    retired = [topic.persona_label for topic in done.stored.retired]
    if retired:
        output.notice(f"unused for now, because most of their episodes moved to other topics: your names {', '.join(map(repr, retired))}")

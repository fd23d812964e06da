"""The commands about single notes: `memorybank add`, `remember`, `show`, `rate` and `bookmark`."""

import re
import sys
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, standard_input
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.options import ScaleType, complete_key, key_argument, quiet_option
from memorybank.cli.output import Column
from memorybank.clock import local_day_of, parse
from memorybank.errors import MemorybankError, NotFound, ValidationFailed
from memorybank.reasons.reason import text_of
from memorybank.storage.layout import PUBLISHED_PREFIX, Layout

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.scoring.rank import ImportanceRank

_EPISODE = "episode:"
_NUMBERED = re.compile(r"(.+)-([1-9]\d{0,2})\.md")


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
@output.text_format_option("The key of the note, or a JSON object.")
@quiet_option
@click.pass_obj
def add(call: CommandCall, title: str, folder: str, tags: tuple[str, ...], rating: float | None, body: str, form: str) -> None:
    """Create a note and print its key.

    The file is named after the title. An existing note is never replaced: if the name is taken, -2, -3, … is appended.
    """
    if body == "-":
        body = standard_input.text()
    bank = call.open()
    _created(bank, bank.notes.add(title, body=body, folder=folder, tags=tags, rating=rating), form)


@click.command(
    epilog=examples(
        "memorybank remember 'The staging database is reset every Monday.'",
        "memorybank remember '認証トークンは24時間で失効する'",
        "git log -1 --format=%B | memorybank remember -",
    )
)
@click.argument("words", nargs=-1, required=True, metavar="TEXT...")
@output.text_format_option("The key of the note, or a JSON object.")
@quiet_option
@click.pass_obj
def remember(call: CommandCall, words: tuple[str, ...], form: str) -> None:
    """Keep one thought as a note. TEXT is what to remember; a single - reads it from standard input.

    The first line becomes the title. 'memorybank add' also takes a folder and tags. A note that says the same, or nearly, is named; the new one is
    written in any case.
    """
    text = standard_input.text() if words == ("-",) else " ".join(words)
    if not text.strip():
        raise click.UsageError("the text to remember is empty")
    bank = call.open()
    _created(bank, bank.notes.remember(text), form)


def _created(bank: "Bank", key: str, form: str) -> None:
    """Print the key of a new note. A note that says the same, or nearly, is named, because one of the two then is probably a mistake."""
    output.result(form, key, {"key": key, "path": PUBLISHED_PREFIX + key})
    same = _same_name(bank, key)
    nearly = bank.notes.alike(key) if same is None else None
    if nearly is not None and nearly.is_same:
        same = nearly.key
    if same is not None:
        output.notice(f"{output.clean(same)} has the same text already; to archive this copy: memorybank forget {output.clean(key)}")
    elif nearly is not None:
        named = output.clean(nearly.key)
        output.notice(f"{named} says nearly the same; if the new note replaces it, archive it: memorybank forget {named}")


def _same_name(bank: "Bank", key: str) -> str | None:
    """Return the earlier note of the same name with the same text. It needs no index."""
    numbered = _NUMBERED.fullmatch(key)
    stem, number = numbered.groups() if numbered is not None else ("", "0")
    earlier = [f"{stem}.md", *(f"{stem}-{each}.md" for each in range(2, int(number)))] if stem else []
    for name in earlier:
        try:
            if bank.notes.read(name, record_view=False).body == bank.notes.read(key, record_view=False).body:
                return name
        except MemorybankError:
            continue
    return None


@click.command(
    epilog=examples(
        "memorybank show planning/overview.md",
        "memorybank show overview                        the only note whose file name, title or path begins or ends like this",
        "memorybank show shared/用語集.md --no-record",
        "memorybank show planning/overview.md --format json",
        "memorybank show episode:2025-09-17              an episode, by the name in search results",
    )
)
@key_argument()
@output.text_format_option("The text of the note, or a JSON object.", "markdown")
@click.option("--no-record", is_flag=True, help="Do not record this as a view of the note; use it in scripts.")
@click.pass_obj
def show(call: CommandCall, key: str, form: str, no_record: bool) -> None:
    """Print a note, or an episode by the name that search and recall show.

    The view of a note is recorded in log/access.jsonl, because notes that are read stay important. In a read-only bank nothing is recorded.
    """
    if key.startswith(_EPISODE):
        _show_episode(call, key, form)
        return
    bank = call.open(read_only=no_record)
    key = bank.notes.find(key)
    importance, rank = _ranked(bank, key) if form == "json" or sys.stdout.isatty() else (None, None)
    note = bank.notes.read(key, record_view=not no_record)
    untrue = bank.claims.untrue(key)
    superseded = bank.decisions.superseded_in(key)
    if form == "json":
        output.write_json(
            {
                "key": note.key,
                "title": note.title,
                "tags": list(note.front.tags),
                "topics": list(note.topics),
                "rating": note.front.rating,
                "importance": importance,
                "rank": rank.to_json() if rank is not None else None,
                "size": note.size,
                "sha256": note.digest,
                "links": [{"kind": link.kind, "target": link.target} for link in note.links],
                "problems": [problem.to_json() for problem in note.problems],
                "untrue": [{"line": each.claim.line, "claim": each.claim.subject, "sentence": text_of(each.reason)} for each in untrue],
                "superseded": [{"line": each.line or None, "statement": each.text or None, "sentence": text_of(each.reason)} for each in superseded],
                "text": note.text,
            }
        )
        return
    output.write_text(note.text)
    for each in untrue:
        output.notice(f"line {each.claim.line}: {text_of(each.reason)}")
    for statement in superseded:
        output.notice(f"{'this note is ' if statement.is_entire else f'line {statement.line}: '}{text_of(statement.reason)}")
    if rank is not None:
        output.notice(f"importance {importance:.1f}, {rank.text}")


def _ranked(bank: "Bank", key: str) -> "tuple[float | None, ImportanceRank | None]":
    """Return a note's importance and rank before it is viewed; (None, None) if it has none."""
    try:
        with bank.at_once():
            importance = bank.scores.score((key,))[0].importance
            return importance, bank.scores.ranks()[importance]
    except (MemorybankError, IndexError):
        return None, None


def _show_episode(call: CommandCall, key: str, form: str) -> None:
    """Print every entry of a day or merged week, whoever wrote it. Nothing is recorded, because no score depends on it."""
    entries = call.open(read_only=True).episodes.document(key)
    if output.as_json(form, {"key": key, "entries": [entry.raw for entry in entries]}):
        return
    output.write_text("\n".join(f"# {entry.date} ({entry.kind}, by {entry.by or 'unknown'})\n\n{entry.summary.strip()}\n" for entry in entries))


@click.command(
    epilog=examples(
        "memorybank rate planning/overview.md 9",
        "memorybank rate overview 9",
        "memorybank rate 共有/用語集.md 7.5",
    )
)
@key_argument()
@click.argument("rating", type=ScaleType())
@output.text_format_option("One line, or a JSON object.")
@quiet_option
@click.pass_obj
def rate(call: CommandCall, key: str, rating: float, form: str) -> None:
    """Rate how important a note is to you, from 0 to 10.

    The rating is written as one line of the note's front matter; nothing else in the note changes. A rating of 8 or more keeps the note out of
    every rotation, like a bookmark.
    """
    notes = call.open().notes
    key = notes.rate(notes.find(key), rating)
    output.result(form, f"rated {rating:g}: {output.clean(key)}", {"key": key, "rating": rating})


@click.group(
    epilog=examples(
        "memorybank bookmark add planning/overview.md --note 'read this first'",
        "memorybank bookmark add 'shared/*.md'",
        "memorybank bookmark list",
    )
)
def bookmark() -> None:
    """Keep notes out of every rotation, whatever their importance."""


@bookmark.command("add", epilog=examples("memorybank bookmark add planning/overview.md --note 'read this first'"))
@click.argument("pattern", metavar="KEY|GLOB", shell_complete=complete_key)
@click.option("--note", default="", help="Reason for the bookmark.")
@output.text_format_option("One line, or a JSON object.")
@quiet_option
@click.pass_obj
def bookmark_add(call: CommandCall, pattern: str, note: str, form: str) -> None:
    """Bookmark one note, a folder ('planning/'), or every note that a pattern such as 'shared/*.md' matches.

    A short name of one note is written as its key.
    """
    bank = call.open()
    pattern = _pattern(bank, pattern)
    added = bank.notes.bookmark_add(pattern, note)
    output.result(form, f"{'bookmarked' if added else 'already bookmarked'}: {output.clean(pattern)}", {"path": pattern, "added": added})
    if added and not _matches(bank.layout):
        output.notice("no note matches it at present; check the spelling with 'memorybank list'")


@bookmark.command("remove", epilog=examples("memorybank bookmark remove planning/overview.md"))
@click.argument("pattern", metavar="KEY|GLOB", shell_complete=complete_key)
@output.text_format_option("One line, or a JSON object.")
@quiet_option
@click.pass_obj
def bookmark_remove(call: CommandCall, pattern: str, form: str) -> None:
    """Remove a bookmark, written as 'bookmark list' shows it, or by a short name of its note."""
    bank = call.open()
    if not any(mark.path == pattern for mark in bank.notes.bookmark_list()):
        pattern = _pattern(bank, pattern)
    if not bank.notes.bookmark_remove(pattern):
        raise NotFound(f"no bookmark {pattern!r}", next_step="'memorybank bookmark list' shows all bookmarks as they are written")
    output.result(form, f"bookmark removed: {output.clean(pattern)}", {"path": pattern, "removed": True})


@bookmark.command("list", epilog=examples("memorybank bookmark list --format json"))
@output.format_option()
@click.pass_obj
def bookmark_list(call: CommandCall, form: str) -> None:
    """List the bookmarks with their reasons."""
    from memorybank.notes import bookmarks

    marks = bookmarks.load(call.layout())
    if marks.malformed is not None:
        raise ValidationFailed(f"{marks.malformed.path}: {marks.malformed.message}", next_step="fix the JSON by hand, or restore the file from git")
    data = [{"path": mark.path, "added_at": mark.added_at, "note": mark.note} for mark in marks.entries]
    cells = [(mark.path, _day(mark.added_at), mark.note or None) for mark in marks.entries]
    columns = (Column("path"), Column("added"), Column("note", flexible=True))
    output.rows(form, columns, cells, data, empty="no bookmarks; 'memorybank bookmark add KEY' adds one")


def _day(text: str) -> str:
    """Return the local day of an instant of the bookmark file; another text as it is."""
    at = parse(text)
    return text if at is None else local_day_of(at)


def _pattern(bank: "Bank", text: str) -> str:
    """Return the key of the one note that a short name means; a key, a folder, a glob or an unknown name as it is. Raises `NotFound` for several notes."""
    from memorybank.notes import bookmarks, scan, short_names

    is_pattern = not text.strip() or text.startswith(("/", "../")) or text.endswith("/") or any(sign in text for sign in "*?[")
    keys = [] if is_pattern else [found.key for found in scan.sweep(bank.layout).found]
    mark = bookmarks.Bookmarks((bookmarks.Bookmark(text),)) if keys else None
    if mark is None or any(mark.matches(key) or key.startswith(text + "/") for key in keys):
        return text
    try:
        return bank.notes.resolve(text)
    except NotFound:
        return short_names.one_of(text, list(bank.notes.matching(text))) or text


def _matches(layout: Layout) -> bool:
    """Return whether the bookmark that was added last protects a note."""
    from memorybank.notes import bookmarks, scan

    mark = bookmarks.Bookmarks((bookmarks.load(layout).entries[-1],))
    return any(mark.matches(found.key) for found in scan.sweep(layout).found)

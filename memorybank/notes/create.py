"""Creates notes. An existing file is never replaced: a name that is taken gets `-2`, `-3`, …"""

import os
from itertools import count
from unicodedata import category, normalize

from memorybank import clock as time_of
from memorybank.clock import Clock
from memorybank.errors import ResourceExhausted, UsageError
from memorybank.notes.frontmatter import MAX_BLOCK_BYTES
from memorybank.notes.simple_yaml import render, render_text
from memorybank.storage import disk
from memorybank.storage.layout import MAX_NOTE_BYTES, REMEMBER_FOLDER, Layout, is_utf8, safe_parts

MAX_SLUG_BYTES = 80
_FOLDER = "name a folder below active/, such as planning"
_MAX_TITLE = 80
"""Maximum number of characters of a first line that becomes the title."""


def add(
    layout: Layout,
    title: str,
    body: str = "",
    folder: str = REMEMBER_FOLDER,
    tags: tuple[str, ...] = (),
    rating: float | None = None,
    agent: str | None = None,
    *,
    clock: Clock,
) -> str:
    """Create a note named after `title` and return its key.

    folder: relative to active/, created when missing
    rating: 0–10
    agent: the agent that wrote the note, None for a person
    Raises `UsageError` for an empty title or a folder that cannot be used, `ResourceExhausted` for a text that is too large.
    """
    title = " ".join(title.split())
    if not title:
        raise UsageError("a note needs a title", next_step="say in a few words what it is about")
    data = rendered(title, body, tags, rating, agent, clock.now())
    directory = _directory(layout, folder)
    stem = slug(title)
    for number in count(1):
        name = f"{stem}.md" if number == 1 else f"{stem}-{number}.md"
        try:
            disk.create(os.path.join(directory, name), data)
        except FileExistsError:
            continue
        return f"{folder}/{name}" if folder else name
    raise AssertionError("unreachable: some number is free")


def remember(layout: Layout, text: str, title: str | None = None, tags: tuple[str, ...] = (), agent: str | None = None, *, clock: Clock) -> str:
    """Create a note from one text and return its key.

    title: default is the first line of the text
    agent: the agent that wrote the note, None for a person
    """
    text = text.strip()
    if not text and not (title or "").strip():
        raise UsageError("there is nothing to remember", next_step="say in a sentence what a later session must know")
    first = " ".join(text.partition("\n")[0].lstrip("#").split())
    if title is None or not title.strip():
        title = first if len(first) <= _MAX_TITLE else first[: _MAX_TITLE - 1] + "…"
    return add(layout, title or "note", body=text, tags=tags, agent=agent, clock=clock)


def slug(title: str) -> str:
    """Return a file-name stem that keeps letters of every script: `Why SQLite?` → `why-sqlite`, `設計の決定` unchanged; at most 80 bytes."""
    words = "".join(character if category(character)[0] in "LNM" else " " for character in normalize("NFKC", title).lower()).split()
    return "-".join(words).encode()[:MAX_SLUG_BYTES].decode(errors="ignore").rstrip("-") or "note"


def _directory(layout: Layout, folder: str) -> str:
    """Return the folder, created when missing. Raises `UsageError` when a symbolic link leads it elsewhere, because a sweep would never find the note."""
    if not is_utf8(folder):
        raise UsageError("the folder's name is not UTF-8", next_step=_FOLDER)
    if not folder.isprintable():
        raise UsageError(f"{folder!r} contains a control character, and no command could name a note in it", next_step=_FOLDER)
    layout.require_writable()
    directory = os.path.join(layout.active, *safe_parts(folder)) if folder else layout.active
    disk.make_directories(directory, disk.USER_DIRECTORY, durable=True)
    if os.path.realpath(directory) != os.path.join(os.path.realpath(layout.root), "active", *folder.split("/")).rstrip("/"):
        raise UsageError(f"{folder!r} leads out of active/ through a symbolic link", next_step=_FOLDER)
    return directory


def rendered(title: str, body: str, tags: tuple[str, ...], rating: float | None, agent: str | None, now: int) -> bytes:
    """Return the bytes of a new note. Parameters are those of `add`; now: ms."""
    lines = [f"title: {render_text(title)}"]
    if tags:
        lines.append(f"tags: {render(list(tags))}")
    if rating is not None:
        lines.append(f"rating: {render(rating)}")
    if agent is not None:
        lines.append(f"agent_created: {render_text(agent)}")
    lines.append(f"created: {time_of.isoformat(now)}")
    block = "\n".join(lines) + "\n"
    if len(block.encode()) > MAX_BLOCK_BYTES:
        raise UsageError(f"title and tags need more than {MAX_BLOCK_BYTES} bytes", next_step="shorten them; long text belongs in the body")
    text = body.strip("\n")
    data = f"---\n{block}---\n\n{text}\n".encode(errors="replace") if text else f"---\n{block}---\n".encode()
    if len(data) > MAX_NOTE_BYTES:
        raise ResourceExhausted(f"{len(data)} bytes, over the limit of {MAX_NOTE_BYTES} for a note", next_step="split the text into several notes")
    return data

"""Turns the bytes of a note into a Note. Never raises: anything invalid becomes a Problem in the Note."""

from __future__ import annotations

__light__ = True

from memorybank.errors import CONFLICT, Problem
from memorybank.notes import frontmatter, structure
from memorybank.notes.note import Note
from memorybank.storage.digest import sha1, sha256
from memorybank.storage.layout import IN_REPOSITORY
from memorybank.text import merge_marks


def parse(key: str, data: bytes) -> Note:
    """Return the note `key` with the file content `data`. The same bytes give the same Note on every machine."""
    text, problems = _decode(key, data)
    reading = frontmatter.read(text, key)
    problems += reading.problems
    body = text[reading.body_offset :]
    shape = structure.read(text[reading.markdown_offset :])
    if not shape.complete:
        problems.append(Problem("structure_not_read", key, "the CommonMark structure of this note, or of a part of it, could not be read; its text is kept"))
    conflict = merge_marks.line_of(text, is_note=True)
    if conflict:
        problems.append(Problem(CONFLICT, key, merge_marks.MESSAGE, conflict))
    front = reading.front
    name = key.rpartition("/")[2]
    return Note(
        key=key,
        digest=sha256(data).hex(),
        blob=sha1(b"blob %d\0" % len(data) + data).hex(),
        size=len(data),
        text=text,
        body=body,
        body_line=text.count("\n", 0, reading.body_offset) + 1,
        front=front,
        title=front.title or (shape.headings[0] if shape.headings else name.removesuffix(".md") or name),
        topics=front.topics or front.tags or ((first,) if (first := first_folder(key)) else ()),
        headings=shape.headings,
        has_list=shape.has_list,
        has_code=shape.has_code,
        prose=text[reading.body_offset : reading.markdown_offset] + shape.prose,
        links=shape.links,
        problems=tuple(problems),
    )


def first_folder(key: str) -> str:
    """Return the category of a note: the first folder of its key, "" without one. A file outside the repository has that of its own folder."""
    if key.startswith("/"):
        return key.rpartition("/")[0].rpartition("/")[2]
    folder, slash, _ = key.removeprefix(IN_REPOSITORY).partition("/")
    return folder if slash else ""


def _decode(key: str, data: bytes) -> tuple[str, list[Problem]]:
    """Decode UTF-8 without a BOM. Other bytes become U+FFFD and a Problem with their line."""
    try:
        return data.decode().removeprefix("\ufeff"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return data.decode(errors="replace").removeprefix("\ufeff"), [Problem("not_utf8", key, f"byte {error.start} is not UTF-8; shown as \ufffd", line)]

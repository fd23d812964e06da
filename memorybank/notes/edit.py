"""Sets one front-matter key, or words in its list. Only these change; every other byte of the file stays (CRLF, BOM, comments, bytes that are not
UTF-8).

The result is read back. A front matter that cannot be edited safely is refused.
"""

import re
from collections.abc import Mapping

from memorybank.errors import UsageError, ValidationFailed
from memorybank.notes.frontmatter import FrontMatterBlock, MissingBlock, as_word, as_words, find_block
from memorybank.notes.simple_yaml import Settable, Value, render

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_UNDECODED = re.compile("[\udc80-\udcff]")
_BY_HAND = "repair the front matter in an editor, then run the command again"


def set_front_matter(data: bytes, name: str, value: Settable) -> bytes:
    """Return the file content `data` with `name: value` in its front matter, which is added when there is none.

    Raises `ValidationFailed` when the front matter cannot be read, contains `name` twice, or cannot be edited safely.
    """
    if not _KEY.fullmatch(name):
        raise UsageError(f"{name!r} is not a valid front-matter key")
    mark, text, readable = _decoded(data)
    found = find_block(readable)
    if isinstance(found, MissingBlock) and found.reason != "absent":
        raise ValidationFailed(f"the front matter is {found.reason.replace('_', ' ')}", next_step=_BY_HAND)
    before = _values(readable, found) if isinstance(found, FrontMatterBlock) else None
    if before is None or isinstance(found, MissingBlock):
        edited, body = _with_new_block(text, name, value), text
    else:
        edited, body = _edit(text, readable, found, name, value), text[found.after :]
    _check(edited, before or {}, body, name, value)
    return (mark + edited).encode("utf-8", "surrogateescape")


def replace_words(data: bytes, name: str, words: Mapping[str, str]) -> bytes:
    """Return the file content `data` with other words in the list of a key. The other words of the list stay as they are written.

    words: {word: the word to write instead}
    A list that would contain a word twice, and words in one text, are written anew on one line. Raises `ValidationFailed` as `set_front_matter` does.
    """
    mark, text, readable = _decoded(data)
    found = find_block(readable)
    before = _values(readable, found) if isinstance(found, FrontMatterBlock) else None
    if before is None or isinstance(found, MissingBlock):
        raise ValidationFailed(f"the front matter has no {name}", next_step=_BY_HAND)
    given = before.get(name)
    items = [item for item in given if isinstance(item, str)] if isinstance(given, list) else as_words(given)
    wanted = list(dict.fromkeys(words.get(as_word(item), item) for item in items))
    if not isinstance(given, list) or len(wanted) != len(given):
        return set_front_matter(data, name, wanted)
    from memorybank.notes import yaml_reader

    edited = text
    for begin, end, item in reversed(yaml_reader.items(readable[found.begin : found.end], name)):
        if as_word(item) in words:
            edited = edited[: found.begin + begin] + render(words[as_word(item)]) + edited[found.begin + end :]
    _check(edited, before, text[found.after :], name, wanted)
    return (mark + edited).encode("utf-8", "surrogateescape")


def _decoded(data: bytes) -> tuple[str, str, str]:
    """Return (byte order mark or "", text, the text without bytes that are not UTF-8). Offsets hold in both texts."""
    decoded = data.decode("utf-8", "surrogateescape")
    text = decoded.removeprefix("\ufeff")
    return decoded[: len(decoded) - len(text)], text, _UNDECODED.sub("\ufffd", text)


def _with_new_block(text: str, name: str, value: Settable) -> str:
    first_end = text.find("\n")
    line_end = "\r\n" if first_end > 0 and text[first_end - 1] == "\r" else "\n"
    return line_end.join(("---", f"{name}: {render(value)}", "---", "")) + text


def _edit(text: str, readable: str, found: FrontMatterBlock, name: str, value: Settable) -> str:
    from memorybank.notes import yaml_reader

    line_end = "\r\n" if text[found.begin - 2] == "\r" else "\n"
    begin, end, written = yaml_reader.replacement(readable[found.begin : found.end], name, render(value), line_end)
    return text[: found.begin + begin] + written + text[found.begin + end :]


def _values(readable: str, found: FrontMatterBlock) -> dict[str, Value] | None:
    """Return the block's mapping, or None when the block is prose between two horizontal rules."""
    from memorybank.notes import yaml_reader

    result = yaml_reader.read(readable[found.begin : found.end])
    if result is None:
        return None
    if isinstance(result, yaml_reader.UnreadableYaml):
        raise ValidationFailed(f"the front matter cannot be read: {result.message}", next_step=_BY_HAND)
    if result.duplicates:
        raise ValidationFailed(f"the front matter contains {', '.join(result.duplicates)} more than once", next_step=_BY_HAND)
    return result.values


def _check(edited: str, before: dict[str, Value], body: str, name: str, value: Settable) -> None:
    """Raise `ValidationFailed` unless exactly `name` has changed, to `value`, and the body is the same."""
    readable = _UNDECODED.sub("\ufffd", edited)
    found = find_block(readable)
    after = _values(readable, found) if isinstance(found, FrontMatterBlock) else None
    if isinstance(found, MissingBlock) or after is None or edited[found.after :] != body or after != {**before, name: _as_written(value)}:
        raise ValidationFailed("this front matter cannot be edited safely", next_step=_BY_HAND)


def _as_written(value: Settable) -> Value:
    if isinstance(value, str):
        return _read_back(value)
    if isinstance(value, list):
        return [_read_back(item) for item in value]
    return render(value) or None


def _read_back(text: str) -> str:
    return re.sub("[\ud800-\udfff]", "\ufffd", text)

"""Merges the front matter of a note key by key. The text of a key that only one side changed is taken as it is written.

Where both sides changed a key, some keys have a rule: lists keep what either side added, `rating` takes the higher value, which keeps the note
longer, `updated` the later, `created` the earlier date, `acl` and `privacy` the stricter word, and `bookmarked` is true if one side says so.
Other keys are for a person to decide.
"""

from __future__ import annotations

import re

from memorybank import clock as time_of
from memorybank.merging.sides import MergeRefused, merged_items, merged_members
from memorybank.notes import simple_yaml
from memorybank.notes.frontmatter import ACL, PRIVACY, FrontMatterBlock, as_words, find_block
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    FieldRule = Callable[[simple_yaml.Value, simple_yaml.Value, simple_yaml.Value], simple_yaml.Settable]

_FIELD = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)[ \t]*:(?:[ \t]|$)")
_CONTINUED = re.compile(r"[ \t]|-[ \t]|#|$")
_TRUE = frozenset(("true", "yes", "on", "1"))


class SplitNote(Value):
    """A note in parts.

    head: lines of the front matter before the first key
    fields: {key: its lines, with `\\n` as line ends}; {} without front matter
    body: everything after the front matter
    has_crlf: whether the lines of the front matter end with `\\r\\n`
    """

    head: str
    fields: dict[str, str]
    body: str
    has_crlf: bool = False


def split(data: bytes) -> SplitNote:
    """Return the parts of a note. Raises `MergeRefused` when its front matter is not a plain list of keys."""
    text = data.decode("utf-8", "surrogateescape")
    found = find_block(text.removeprefix("\ufeff"))
    if text.startswith("\ufeff"):
        raise MergeRefused("the note begins with a byte order mark")
    if not isinstance(found, FrontMatterBlock):
        if found.reason != "absent":
            raise MergeRefused("the front matter has no end")
        return SplitNote("", {}, text)
    head, fields, name = "", dict[str, str](), ""
    for line in text[found.begin : found.end].replace("\r\n", "\n").split("\n")[:-1]:
        field = _FIELD.match(line)
        if field is not None:
            name = field[1]
            if name in fields:
                raise MergeRefused(f"the front matter contains {name} twice")
            fields[name] = line + "\n"
        elif not _CONTINUED.match(line):
            raise MergeRefused("the front matter is not a plain list of keys")
        elif name:
            fields[name] += line + "\n"
        else:
            head += line + "\n"
    return SplitNote(head, fields, text[found.after :], "\r\n" in text[: found.end])


def joined(note: SplitNote) -> bytes:
    block = f"---\n{note.head}{''.join(note.fields.values())}---\n" if note.head or note.fields else ""
    return (block.replace("\n", "\r\n" if note.has_crlf else "\n") + note.body).encode("utf-8", "surrogateescape")


def merge(base: SplitNote, one: SplitNote, other: SplitNote, body: str) -> SplitNote:
    """Return a note with the merged front matter and this body. Raises `MergeRefused` when a person has to decide."""
    heads = {one.head, other.head} - {base.head} or {base.head}
    if len(heads) > 1:
        raise MergeRefused("both sides changed the comment at the beginning")
    fields = merged_members(base.fields, one.fields, other.fields, _decide)
    return SplitNote(heads.pop(), fields, body, one.has_crlf and other.has_crlf)


def _decide(name: str, before: str | None, one: str, other: str) -> str:
    rule = _RULES.get(name)
    if rule is None:
        raise MergeRefused(f"both sides changed {name}")
    decided = rule(_value(before), _value(one), _value(other))
    if decided is None:
        raise MergeRefused(f"both sides changed {name}")
    for written in (one, other):
        if _value(written) == decided:
            return written
    return f"{name}: {simple_yaml.render(decided)}\n"


def _value(written: str | None) -> simple_yaml.Value:
    """Return the value of a field's lines. Raises `MergeRefused` when the simple reader cannot read them."""
    if written is None:
        return None
    known = simple_yaml.read(written)
    if known is None:
        raise MergeRefused("a value cannot be merged")
    ((_, value),) = known[0].items()
    return value


def _words(value: simple_yaml.Value) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else as_words(value)


def _united(before: simple_yaml.Value, one: simple_yaml.Value, other: simple_yaml.Value) -> list[str]:
    known = _words(before)
    kept = merged_items(known, _words(one), _words(other))
    return [word for word in known if word in kept] + sorted(word for word in kept if word not in known)


def _instant(value: simple_yaml.Value) -> int:
    found = time_of.parse(value) if isinstance(value, str) else None
    if found is None:
        raise MergeRefused("a date cannot be read")
    return found


def _number(value: simple_yaml.Value) -> float:
    try:
        return float(value) if isinstance(value, str) else 0.0
    except ValueError:
        raise MergeRefused("a rating cannot be read") from None


def _greatest(measure: Callable[[simple_yaml.Value], float]) -> FieldRule:
    """Return the rule that keeps the side with the greater measure. Where both are equal, the text decides."""
    return lambda before, one, other: _as_text(max(one, other, key=lambda value: (measure(value), str(value))))


def _least(measure: Callable[[simple_yaml.Value], float]) -> FieldRule:
    return lambda before, one, other: _as_text(min(one, other, key=lambda value: (measure(value), str(value))))


def _strictest(words: tuple[str, ...]) -> FieldRule:
    """Return the rule for words that are given from the strictest to the most open. An unknown word counts as the strictest, as when it is read."""

    def place(value: simple_yaml.Value) -> tuple[int, str]:
        word = str(value).strip().lower()
        return (words.index(word) if word in words else -1, word)

    return lambda before, one, other: _as_text(min(one, other, key=place))


def _either(before: simple_yaml.Value, one: simple_yaml.Value, other: simple_yaml.Value) -> simple_yaml.Settable:
    return "true" if any(str(value).lower() in _TRUE for value in (one, other)) else _as_text(min(one, other, key=str))


def _as_text(value: simple_yaml.Value) -> str | None:
    return value if isinstance(value, str) else None


_RULES: dict[str, FieldRule] = {
    "tags": _united,
    "topics": _united,
    "aliases": _united,
    "files": _united,
    "rating": _greatest(_number),
    "importance": _greatest(_number),
    "updated": _greatest(_instant),
    "updated_at": _greatest(_instant),
    "created": _least(_instant),
    "acl": _strictest(ACL),
    "privacy": _strictest(PRIVACY),
    "bookmarked": _either,
}

"""References that are not CommonMark links: `[[wiki links]]`, and paths or file names ending in `.md` in running text."""

import re
from collections.abc import Iterator

from memorybank.notes.note import Link

_MAX_MENTION = 1024
"""Maximum number of characters of a mention; a longer run is cut at its start."""

_REFERENCE = re.compile(r"\[\[([^\[\]\n]{1,1024})\]\]|\.md(?!_*[A-Za-z0-9]|[/-]|~(?!~)|\.[A-Za-z0-9])")
_DELIMITER = re.compile(r"[\s<>(){}\[\]\"'`|,;:*=!?、。，．・：；！？「」『』（）【】〈〉《》〔〕［］｛｝“”‘’…→←＝]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def find(text: str) -> Iterator[Link]:
    """Yield the wiki links and mentions in a text that contains no code and no links, in order."""
    end = 0
    for match in _REFERENCE.finditer(text):
        if match[1] is not None:
            link = _wiki(match[1], embedded=text.endswith("!", 0, match.start()))
        else:
            # A mention never reaches back into the previous reference.
            run = text[max(end, match.start() - _MAX_MENTION) : match.end()]
            link = _mention(run)
        end = match.end()
        if link is not None:
            yield link


def _wiki(inner: str, *, embedded: bool) -> Link | None:
    """Return the target of `target#heading|alias`. `![[picture.png]]` is an image, `![[note]]` a reference."""
    target = _ESCAPE.sub(r"\1", inner).partition("|")[0].partition("#")[0].strip()
    name = target.rpartition("/")[2]
    if not target or (embedded and "." in name and not name.endswith(".md")):
        return None
    return Link("wiki", target)


def _mention(run: str) -> Link | None:
    """Return the longest run without a delimiter at the end of `run`; None for the rest of a URL."""
    backwards = _DELIMITER.search(run[::-1])
    target = run if backwards is None else run[len(run) - backwards.start() :]
    target = _ESCAPE.sub(r"\1", target).lstrip("@")
    return None if target.startswith("//") else Link("mention", target)

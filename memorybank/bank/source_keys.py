"""Which file of a source a person names."""

from __future__ import annotations

import os
from contextlib import suppress

from memorybank.config import sources
from memorybank.errors import UsageError
from memorybank.notes import source_files
from memorybank.storage.layout import IN_REPOSITORY, Layout, is_source_key


def key_meant(layout: Layout, text: str) -> str | None:
    """Return the key of the source's file that a person means: its key, or its path, absolute or relative to the repository or the working folder.

    A note of the bank with this key comes first. None when there is no such file.
    """
    known = sources.load(layout)
    if not known.sources or "\0" in text or not text:
        return None
    with suppress(UsageError):
        if not is_source_key(text) and os.path.isfile(layout.note_path(text)):
            return None
    base = os.path.join(layout.base, "")
    path = os.path.join(os.path.realpath(os.path.dirname(os.path.expanduser(text))), os.path.basename(text))
    here = IN_REPOSITORY + path.removeprefix(base) if path.startswith(base) else path
    for key in dict.fromkeys((text, IN_REPOSITORY + text.removeprefix(IN_REPOSITORY), here)):
        source = known.covering(key) if is_source_key(key) else None
        if source is not None and source_files.find(source, key) is not None:
            return key
    return None

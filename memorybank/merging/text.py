"""The merge of text line by line, as git does it."""

from __future__ import annotations

import os
import subprocess
import tempfile

from memorybank.storage import disk
from memorybank.values import Value

_LABELS = ("-L", "ours", "-L", "base", "-L", "theirs")
_LEAST_FAILURE = 128
"""Exit codes of `git merge-file` from here on mean failure; lower ones are the number of conflicts."""


class MergedText(Value):
    """A merged text. is_clean: whether it contains no conflict marks"""

    data: bytes
    is_clean: bool


def three_way(base: bytes, ours: bytes, theirs: bytes) -> MergedText | None:
    """Return the merged text, or None when git cannot merge it, because it is not text or git cannot run."""
    if ours == theirs or theirs == base:
        return MergedText(ours, True)
    if ours == base:
        return MergedText(theirs, True)
    with tempfile.TemporaryDirectory(prefix="memorybank-merge-") as folder:
        paths = [os.path.join(folder, name) for name in ("ours", "base", "theirs")]
        for path, data in zip(paths, (ours, base, theirs), strict=True):
            disk.replace(path, (data,), durable=False)
        try:
            done = subprocess.run(["git", "merge-file", "-p", "-q", *_LABELS, *paths], stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=folder)
        except OSError:
            return None
    if not 0 <= done.returncode < _LEAST_FAILURE:
        return None
    return MergedText(done.stdout, done.returncode == 0)

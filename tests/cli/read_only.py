"""A bank that the person who runs the command may only read."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path


def read_only_copy(scratch, place: Path):
    """The bank where any user may read it and nobody but root may write."""
    os.chmod(place, 0o755)
    scratch.repository = shutil.copytree(scratch.repository, place / "repository")
    scratch.root = scratch.repository / ".claude" / "memory"
    for folder, _, names in os.walk(scratch.repository):
        os.chmod(folder, 0o555)
        for name in names:
            os.chmod(os.path.join(folder, name), 0o444)
    return scratch


@contextmanager
def unprivileged():
    """Modes of files mean nothing to root; be nobody for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)

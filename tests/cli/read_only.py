"""A bank that the person who runs the command may only read."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def read_only(scratch):
    """Move the bank where any user may read it and nobody but root may write; no path, byte or mtime of it changes meanwhile."""
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o755)
        scratch.repository = shutil.copytree(scratch.repository, Path(place, "repository"))
        scratch.root = scratch.repository / ".claude" / "memory"
        for folder, _, names in os.walk(scratch.repository):
            os.chmod(folder, 0o555)
            for name in names:
                os.chmod(os.path.join(folder, name), 0o444)
        before = scratch.snapshot()
        with unprivileged():
            yield
        assert scratch.snapshot() == before
        for folder, _, _ in os.walk(place):
            os.chmod(folder, 0o755)


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

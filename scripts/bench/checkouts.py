"""Other commits of this repository, for benchmarks that compare them."""

import contextlib
import io
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def commit_of(revision: str) -> str:
    """Return the full name of a commit. Ends the program if there is none."""
    done = subprocess.run(["git", "-C", str(PROJECT), "rev-parse", "--verify", f"{revision}^{{commit}}"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{Path(sys.argv[0]).name}: {revision} is no commit of this repository")
    return done.stdout.strip()


@contextlib.contextmanager
def unpacked(revision: str) -> Iterator[Path]:
    """Unpack the files of a commit into a temporary folder."""
    commit = commit_of(revision)
    archive = subprocess.run(["git", "-C", str(PROJECT), "archive", commit], capture_output=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(archive)) as files:
        checkout = Path(folder) / commit[:12]
        files.extraction_filter = getattr(tarfile, "data_filter", None)  # missing before Python 3.11.4
        files.extractall(checkout)
        yield checkout

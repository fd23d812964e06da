"""Judges what this repository's own documents named at old commits, and Markdown of other projects, against the repository of today."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from memorybank import Bank

if TYPE_CHECKING:
    from memorybank.index.claim_rows import NoteClaim

_ENDINGS = (".md", ".markdown", ".txt", ".rst")
_MOST_BYTES = 400_000


def judged_commits(repository: Path, commits: int) -> Iterator[tuple[str, list[NoteClaim]]]:
    """Yield (commit, claims) of old commits at equal distances: what their Markdown files named, with the states of today."""
    every = _git(repository, "rev-list", "--first-parent", "HEAD").split()
    chosen = [every[(number + 1) * (len(every) - 1) // commits] for number in range(commits)]
    for commit in chosen:
        with tempfile.TemporaryDirectory(prefix="memorybank-claims-") as folder:
            root = _clone(repository, Path(folder) / "clone")
            at = int(_git(root, "show", "-s", "--format=%ct", commit))
            texts = (name for name in _git(root, "ls-tree", "-r", "--name-only", "-z", commit).split("\0") if name.endswith(".md"))
            _write(root, ((name.replace("/", "∕"), _git(root, "show", f"{commit}:{name}")) for name in texts), at)
            yield commit, Bank.open(root / ".claude" / "memory").claims.list()


def judged_noise(repository: Path, folder: Path) -> tuple[int, list[NoteClaim]]:
    """Return the number of Markdown files below a folder, and their claims, as if they had been written before the repository's first commit."""
    with tempfile.TemporaryDirectory(prefix="memorybank-claims-") as temporary:
        root = _clone(repository, Path(temporary) / "clone")
        files = [path for path in sorted(folder.rglob("*")) if path.suffix in _ENDINGS and path.is_file() and path.stat().st_size < _MOST_BYTES]
        texts = ((f"{number:05}.md", path.read_text(encoding="utf-8", errors="replace")) for number, path in enumerate(files))
        first = int(_git(root, "log", "--reverse", "--format=%ct").split()[0])
        _write(root, texts, first - 86_400)
        return len(files), Bank.open(root / ".claude" / "memory").claims.list()


def report(claims: list[NoteClaim], counted: Counter[tuple[str, str]]) -> None:
    """Print the outdated claims, each subject once, and count all of them."""
    counted.update((each.claim.kind, each.found.state) for each in claims)
    shown = {(each.claim.kind, each.claim.subject, each.found.state, each.found.target, each.found.commit): each for each in claims if each.is_untrue}
    for kind, subject, state, target, commit in sorted(shown):
        example = shown[kind, subject, state, target, commit]
        print(f"  {kind:9} {state:8} {subject}  ->  {target or '-'}  {commit[:9]}  ({example.key.replace('∕', '/')}:{example.claim.line})")


def _clone(repository: Path, root: Path) -> Path:
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(repository), str(root)], check=True)
    return root


def _write(root: Path, texts: Iterator[tuple[str, str]], at: int) -> None:
    """Replace the notes of a clone by these texts, written at an instant (s)."""
    active = root / ".claude" / "memory" / "active"
    for path in active.rglob("*.md"):
        path.unlink()
    folder = active / "judged"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts:
        # Front matter could say another date.
        body = text.split("\n---\n", 1)[1] if text.startswith("---\n") and "\n---\n" in text else text
        path = folder / name
        path.write_text(body, encoding="utf-8")
        os.utime(path, (at, at))


def _git(repository: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repository, check=True, capture_output=True, encoding="utf-8", errors="replace").stdout

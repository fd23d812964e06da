"""Which versions lock files say are installed: at HEAD, and what each of their commits took away or replaced.

A lock file is long, and a commit changes few lines of it. So its history is read as passages with the lines before them, which name the dependency.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from memorybank import git
from memorybank.claims.claim import VERSION, Vanished
from memorybank.claims.manifests import nearest, normal
from memorybank.claims.occurrences import contents
from memorybank.text.pattern import lazy_pattern
from memorybank.values import NamedTuple

_MOST_FILES = 10
"""Maximum number of lock files that are read, those nearest to the root first."""
_MOST_COMMITS = 300
"""Maximum number of commits that are read, the latest first."""
_NAMED = lazy_pattern(r'^name = "([^"\n]{1,100})"\nversion = "v?(\d[^"\n]{0,60})"', "m")
_NPM = lazy_pattern(r'"(?:[^"\n]{0,300}node_modules/)?(@?[\w./-]{1,100})":\s{0,3}\{\s{0,20}"version":\s?"v?(\d[^"\n]{0,60})"')
_PNPM = lazy_pattern(r"^ +['\"]?/?(@?[\w.-]+(?:/[\w.-]+)?)[@/](\d[\w.+-]*)(?:\([^\n]{0,500})?['\"]?:\s*$", "m")
_YARN = lazy_pattern(r'^"?(@?[\w./-]{1,100})@[^\n]{0,500}:\n  version:? "?v?(\d[^"\n]{0,60})"?', "m")
_GO = lazy_pattern(r"^(?:[\w.-]*/)*?([\w.-]+)(?:/v\d+)? v(\d[\w.]*+)[\w.+-]* h1:", "m")
_GEM = lazy_pattern(r"^    ([\w.-]+) \((\d[\w.]*+)[^)\n]*\)$", "m")
_READERS = {
    "package-lock.json": _NPM,
    "npm-shrinkwrap.json": _NPM,
    "pnpm-lock.yaml": _PNPM,
    "yarn.lock": _YARN,
    "poetry.lock": _NAMED,
    "uv.lock": _NAMED,
    "Cargo.lock": _NAMED,
    "go.sum": _GO,
    "Gemfile.lock": _GEM,
}


class Locked(NamedTuple):
    """The installed versions of the dependencies that notes name.

    versions: {name in lower case: versions at HEAD}; a lock file can contain several.
    vanished: the versions that commits removed or replaced.
    """

    versions: dict[str, set[str]]
    vanished: list[Vanished]


def is_lock(path: str) -> bool:
    return path.rpartition("/")[2] in _READERS


def versions_in(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, version) of a lock file, or of a passage of one."""
    for match in _READERS[path.rpartition("/")[2]].finditer(text):
        yield normal(match[1]), match[2]


def collect(repository: str, tracked: list[str], names: Collection[str], since: int, seconds: float) -> Locked:
    """Read the lock files at HEAD, and what their commits since an instant (ms) changed about these dependencies. Raises `LockTimeout`."""
    paths = nearest(tracked, is_lock, _MOST_FILES)
    if not paths or not names:
        return Locked({}, [])
    versions: dict[str, set[str]] = defaultdict(set)
    for path, (_, data) in zip(paths, contents(repository, [f"HEAD:{path}" for path in paths], seconds), strict=True):
        for name, version in versions_in(path, (data or b"").decode("utf-8", "replace")):
            if name in names:
                versions[name].add(version)
    return Locked(dict(versions), list(_removals(repository, paths, names, since, seconds)))


def _removals(repository: str, paths: list[str], names: Collection[str], since: int, seconds: float) -> Iterator[Vanished]:
    arguments = ("log", "-p", "-U2", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--dst-prefix=b/", "--src-prefix=a/")
    commits = ("--format=%x01%H %ct", f"--max-count={_MOST_COMMITS}", f"--since=@{max(since // 1000, git.FIRST_SECOND)}", "HEAD", "--", *paths)
    commit, at, path = "", 0, ""
    before: list[str] = []
    after: list[str] = []
    with git.GitOutput(repository, "-c", "core.quotePath=false", *arguments, *commits, seconds=seconds) as output:
        for raw in (*output, b"@@"):
            line = raw.decode("utf-8", "replace").rstrip("\n")
            if line.startswith(("@@", "diff ", "\x01")):
                if path and before:
                    yield from _replaced(path, "\n".join(before), "\n".join(after), names, commit, at)
                before, after = [], []
                if line.startswith("\x01"):
                    commit, _, date = line[1:].partition(" ")
                    at = git.milliseconds(date.strip()) or 0
            elif line.startswith(("--- a/", "+++ b/")):
                path = line[6:] if is_lock(line[6:]) else path
            elif line.startswith("-"):
                before.append(line[1:])
            elif line.startswith("+"):
                after.append(line[1:])
            elif line.startswith(" "):
                before.append(line[1:])
                after.append(line[1:])


def _replaced(path: str, before: str, after: str, names: Collection[str], commit: str, at: int) -> Iterator[Vanished]:
    """Yield the versions that a passage removed."""
    now = set(versions_in(path, after))
    for name, version in versions_in(path, before):
        if name in names and (name, version) not in now:
            following = next((other for one, other in now if one == name), "")
            yield Vanished(VERSION, f"{name} {version}", following, commit, at)

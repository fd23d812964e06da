"""Lists the places of a leaked text that `purge` cannot or must not change, with the commands that find and remove it there.

Nothing here is searched: git, agents, editors and shells keep these files for their own purposes. Only what exists on this machine is named.
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memorybank.config import sources
from memorybank.hosts.detect import CLAUDE_CODE, CODEX, GEMINI
from memorybank.hosts.transcripts.found import folder_of
from memorybank.storage.layout import Layout, git_folders

ASK = "read -rs TEXT; export TEXT   # type the text, then Enter; the shell does not record it"
"""The first command: the others contain `$TEXT`, so that neither a history nor a list of processes shows the text itself."""
_HOST_FOLDERS = (".copilot", ".cursor", os.path.join(".local", "share", "opencode"))
_EDITOR_FOLDERS = (
    *(".vim", os.path.join(".local", "state", "vim"), os.path.join(".local", "state", "nvim"), os.path.join(".emacs.d", "auto-save-list")),
    *(os.path.join(".config", "Code", "User", "History"), os.path.join("Library", "Application Support", "Code", "User", "History")),
)
_HISTORIES = (".bash_history", ".zsh_history", os.path.join(".local", "share", "fish", "fish_history"), ".python_history")


class UnreachedPlace(NamedTuple):
    """One kind of place.

    id: its name for programs
    what: where it is and why, as a sentence without a full stop
    commands: the commands to run, one after another
    """

    id: str
    what: str
    commands: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        return {"id": self.id, "what": self.what, "commands": list(self.commands)}


def places(layout: Layout, environ: Mapping[str, str]) -> list[UnreachedPlace]:
    """Return the places that exist on this machine, and the other machines."""
    home = environ.get("HOME") or os.path.expanduser("~")
    return [*_git(layout, home), *_transcripts(environ, home), *_sources(layout, environ, home), *_editors(layout, home), *_shells(home), _ELSEWHERE]


def _git(layout: Layout, home: str) -> Iterator[UnreachedPlace]:
    folders = git_folders(layout.repository) if layout.repository else None
    if layout.repository is None or folders is None:
        return
    git = f"git -C {_path(layout.repository, home)}"
    yield UnreachedPlace(
        "git_history",
        "git keeps every version that was committed, in all branches and worktrees, and also commits that no branch contains any more",
        (
            f'{git} log --all --reflog -m --oneline -S"$TEXT"   # the commits that added or removed it',
            f'{git} grep -lF -e "$TEXT" $({git} rev-list --all --reflog)   # the files that contain it',
            f"{git} filter-repo --sensitive-data-removal --replace-text <(printf '%s==>[PURGED]\\n' \"$TEXT\")   # rewrites history, for a text of one line",
            f"{git} reflog expire --expire=now --all && {git} gc --prune=now",
        ),
    )
    if os.path.exists(os.path.join(folders.common, "refs", "stash")) or os.path.exists(os.path.join(folders.common, "logs", "refs", "stash")):
        yield UnreachedPlace(
            "git_stash",
            "git's stash keeps changes that were put aside",
            (
                f'for N in $({git} stash list --format=%gd); do {git} stash show -p --include-untracked "$N" | grep -qF -e "$TEXT" && echo "$N"; done',
                f"{git} stash drop 'stash@{{N}}'",
            ),
        )


def _transcripts(environ: Mapping[str, str], home: str) -> Iterator[UnreachedPlace]:
    own = [os.path.dirname(folder_of(host, environ)) for host in (CLAUDE_CODE, CODEX)]
    found = _existing([*own, folder_of(GEMINI, environ), *(os.path.join(home, name) for name in _HOST_FOLDERS)])
    if found:
        shown = " ".join(_path(folder, home) for folder in found)
        yield UnreachedPlace(
            "transcripts",
            "coding agents keep transcripts, prompts and copies of files; in JSON, quotes and characters outside ASCII may be escaped",
            (f'grep -rlF -e "$TEXT" {shown}', f"find {shown} -name '*.gz' -exec zgrep -lF -e \"$TEXT\" {{}} +", "rm FILE   # each file that you do not need"),
        )


def _sources(layout: Layout, environ: Mapping[str, str], home: str) -> Iterator[UnreachedPlace]:
    roots = [source.root for source in sources.load(layout, environ).sources]
    if roots:
        yield UnreachedPlace(
            "sources",
            "files that the bank reads in place belong to you or to other programs; those that contain the text are listed as yours to edit",
            ("memorybank list --sources", f'grep -rlF -e "$TEXT" {" ".join(_path(root, home) for root in roots)}'),
        )


def _editors(layout: Layout, home: str) -> Iterator[UnreachedPlace]:
    project = _path(layout.work_tree, home)
    names = " -o ".join(f"-name {shlex.quote(name)}" for name in (".*.sw[a-p]", "*~", "#*#", ".*.memorybank-*"))
    commands = [f"find {project} \\( {names} \\) -not -path '*/.git/*' -exec grep -lF -e \"$TEXT\" {{}} +"]
    folders = _existing(os.path.join(home, name) for name in _EDITOR_FOLDERS)
    if folders:
        commands.append(f'grep -rlF -e "$TEXT" {" ".join(_path(folder, home) for folder in folders)}')
    yield UnreachedPlace(
        "editors",
        "editors keep swap files and histories, and killed commands may have left a second name of a host's settings",
        (*commands, "rm FILE   # after closing the file in the editor"),
    )


def _shells(home: str) -> Iterator[UnreachedPlace]:
    files = _existing(os.path.join(home, name) for name in _HISTORIES)
    if files:
        shown = " ".join(_path(file, home) for file in files)
        yield UnreachedPlace("shell_history", "shells keep the commands that were typed", (f'grep -nF -e "$TEXT" {shown}',))


_ELSEWHERE = UnreachedPlace(
    "other_machines",
    "other clones and machines, the server of the repository, and backups and snapshots of this disk have copies of their own",
    ("memorybank purge --stdin   # in each clone, after a pull", "git push --force --all && git push --force --tags   # after history was rewritten"),
)


def _existing(paths: "Iterator[str] | list[str]") -> list[str]:
    return [path for path in paths if os.path.exists(path)]


def _path(path: str, home: str) -> str:
    """Return a path as one word of a shell, with `~` for the home folder."""
    return f"~/{shlex.quote(os.path.relpath(path, home))}" if path.startswith(home.rstrip("/") + "/") else shlex.quote(path)

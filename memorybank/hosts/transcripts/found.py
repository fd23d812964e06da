"""Finds transcripts, and groups those that belong together. Only the beginnings of files are read; nothing is changed.

Hosts keep transcripts in the person's home folder (measured):

- Claude Code: `$CLAUDE_CONFIG_DIR` or `~/.claude`, `projects/<folder, every other character as ->/<session>.jsonl`, with sub-agents in
  `<session>/subagents/agent-<id>.jsonl` (older versions: `agent-<id>.jsonl` in the same folder).
- Codex: `$CODEX_HOME` or `~/.codex`, `sessions/<year>/<month>/<day>/rollout-*.jsonl`, later `archived_sessions/`.
- Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.jsonl` (older versions: `.json`).
"""

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO

from memorybank.cycle.event import MAIN
from memorybank.errors import NotFound, UsageError
from memorybank.hosts.detect import CLAUDE_CODE, CODEX, GEMINI
from memorybank.hosts.dialect import string
from memorybank.hosts.transcripts.reading import decode
from memorybank.storage.disk import typed_errors

HOSTS = (CLAUDE_CODE, CODEX, GEMINI)
MAX_LINE_BYTES = 64 << 20
"""Maximum length of a line; a longer one is left out."""
_HEAD_LINES = 400
_ENDINGS = (".jsonl", ".jsonl.gz")
_DOCUMENTS = (".json", ".json.gz")
"""Suffixes of the files that older versions of Gemini CLI write."""
_BEGINNINGS = {CODEX: "rollout-", GEMINI: "session-"}
"""Prefixes of the names of transcripts; the folders contain other files too."""
_LONGEST_FOLDER = 200
"""Characters that Claude Code keeps of a project folder's name; a longer one is followed by a digest."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """One transcript file.

    session, cwd: from the first line that contains them, otherwise ""
    agent: `main`, or the sub-agent whose file it is
    role: the sub-agent's type, None when unknown
    uuid: the host's id of its first message
    at: time of its first line, as text
    size: bytes on disk
    """

    path: str
    host: str
    session: str = ""
    cwd: str = ""
    agent: str = MAIN
    role: str | None = None
    uuid: str = ""
    at: str = ""
    size: int = 0


class TranscriptLines:
    """The lines of a file, which may be compressed. A line that is too long is empty.

    damage: why reading stopped before the end, "" when it did not
    too_long: numbers of the lines over `MAX_LINE_BYTES`
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.damage = ""
        self.too_long: list[int] = []

    def __iter__(self) -> Iterator[bytes]:
        try:
            with _open(self.path) as stream:
                number = 0
                while line := stream.readline(MAX_LINE_BYTES):
                    number += 1
                    if len(line) == MAX_LINE_BYTES and not line.endswith(b"\n") and (rest := stream.readline(MAX_LINE_BYTES)):
                        while rest and not rest.endswith(b"\n"):
                            rest = stream.readline(MAX_LINE_BYTES)
                        self.too_long.append(number)
                        line = b""
                    yield line
        except (OSError, EOFError, zlib.error) as error:
            self.damage = str(error) or type(error).__name__


def at_paths(host: str, paths: Sequence[str]) -> list[Transcript]:
    """Return the transcripts that a person names: files, each with its sub-agents' files, and folders with everything below them.

    Raises NotFound for a path that does not exist, and when there is no transcript at all.
    """
    found: list[str] = []
    for path in paths:
        if not os.path.exists(path):
            raise NotFound(f"file or folder not found: {path}", next_step="check the path, or leave it out to search the host's own folder")
        found += _below(host, path) if os.path.isdir(path) else [path, *_below(host, path.partition(".jsonl")[0])]
    transcripts = [_described(host, path) for path in dict.fromkeys(map(os.path.realpath, found))]
    if not transcripts:
        raise NotFound(
            f"no transcripts found in {', '.join(paths)}",
            next_step=f"check the path; the names of transcripts are {_BEGINNINGS.get(host, '')}*{' or *'.join(_endings(host))}",
        )
    return transcripts


def of_projects(host: str, projects: Sequence[str], environ: Mapping[str, str]) -> list[Transcript]:
    """Return the transcripts that the host keeps of these projects, whichever folder below them it was started in.

    projects: absolute folders.
    Raises NotFound when the host has no folder of transcripts.
    """
    folder = folder_of(host, environ)
    if not os.path.isdir(folder):
        raise NotFound(f"folder not found: {folder}", next_step="name the transcripts: a file or a folder of them")
    with typed_errors(folder):
        transcripts = [_described(host, path) for path in sorted(_candidates(host, folder, projects))]
    return [transcript for transcript in transcripts if is_of(transcript.cwd, projects)]


def folder_of(host: str, environ: Mapping[str, str]) -> str:
    """Return the folder in which a host keeps its transcripts. Raises UsageError for a host whose transcripts cannot be read."""
    home = environ.get("HOME") or os.path.expanduser("~")
    if host == CLAUDE_CODE:
        return os.path.join(environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude"), "projects")
    if host == CODEX:
        return os.path.join(environ.get("CODEX_HOME") or os.path.join(home, ".codex"), "sessions")
    if host == GEMINI:
        return os.path.join(home, ".gemini", "tmp")
    raise UsageError(f"transcripts of {host} cannot be read", next_step=f"choose one of: {', '.join(HOSTS)}")


def is_of(cwd: str, projects: Iterable[str]) -> bool:
    """Return whether a folder is one of these projects or below one, but not in a repository of its own there."""
    for project in projects:
        if cwd == project:
            return True
        if cwd.startswith(project.rstrip("/") + "/"):
            repository = repository_of(cwd)
            return repository is None or not repository.startswith(project.rstrip("/") + "/")
    return False


def repository_of(folder: str) -> str | None:
    """Return the nearest folder at or above this one with a `.git`, or None when there is none (any more)."""
    while folder and folder != "/":
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        folder = os.path.dirname(folder)
    return None


def related(transcripts: Sequence[Transcript]) -> list[list[Transcript]]:
    """Group transcripts that must be imported together: those of one session, and those that begin with the same message (a fork contains
    a copy of the transcript it was forked from). In a group, the oldest main transcript comes first and sub-agents last."""
    groups: dict[str, list[Transcript]] = {}
    for transcript in transcripts:
        keys = [key for key in (f"session {transcript.session or transcript.path}", transcript.uuid if transcript.agent == MAIN else "") if key]
        joined: list[Transcript] = []
        # One transcript may connect two groups: both are merged into one list, and every key of a member then leads to that list.
        for group in {id(groups[key]): groups[key] for key in keys if key in groups}.values():
            joined += group
        joined.append(transcript)
        for member in joined:
            groups[f"session {member.session or member.path}"] = joined
            if member.uuid and member.agent == MAIN:
                groups[member.uuid] = joined
    unique = {id(group): group for group in groups.values()}.values()
    return [sorted(group, key=lambda each: (each.agent != MAIN, each.at, each.path)) for group in unique]


def _open(path: str) -> IO[bytes] | gzip.GzipFile:
    return gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb", buffering=1 << 18)


def _endings(host: str) -> tuple[str, ...]:
    return (*_ENDINGS, *_DOCUMENTS) if host == GEMINI else _ENDINGS


def _below(host: str, folder: str) -> Iterator[str]:
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if name.endswith(_endings(host)) and name.startswith(_BEGINNINGS.get(host, "")):
                yield os.path.join(parent, name)


def _candidates(host: str, folder: str, projects: Sequence[str]) -> Iterator[str]:
    if host == CLAUDE_CODE:
        beginnings = {re.sub(r"[^a-zA-Z0-9]", "-", place)[:_LONGEST_FOLDER] for project in projects for place in (project, os.path.realpath(project))}
        for name in sorted(os.listdir(folder)):
            if any(name == beginning or name.startswith(f"{beginning}-") for beginning in beginnings):
                yield from _below(host, os.path.join(folder, name))
    elif host == CODEX:
        for place in (folder, os.path.join(os.path.dirname(folder), "archived_sessions")):
            yield from _below(host, place)
    else:
        for name in sorted(os.listdir(folder)):
            yield from _below(host, os.path.join(folder, name, "chats"))


def _described(host: str, path: str) -> Transcript:
    """Return a transcript with the facts that its beginning contains."""
    try:
        size = os.stat(path).st_size
    except OSError:  # reading the file will report the error
        size = 0
    return replace(_HEADS[host](path), host=host, size=size)


def _objects(path: str) -> Iterator[dict[str, object]]:
    """Yield the JSON objects among the first lines."""
    for number, raw in enumerate(TranscriptLines(path)):
        if number >= _HEAD_LINES:
            return
        try:
            value = decode(raw)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def _claude_code(path: str) -> Transcript:
    name = os.path.basename(path).partition(".")[0]
    agent, role = (name.removeprefix("agent-"), _role(path)) if name.startswith("agent-") else (MAIN, None)
    session = cwd = uuid = at = ""
    for line in _objects(path):
        session = session or string(line, "sessionId")
        at = at or string(line, "timestamp")
        cwd = cwd or string(line, "cwd")
        if line.get("type") in ("user", "assistant"):
            uuid = uuid or string(line, "uuid")
        if session and cwd and uuid:
            break
    return Transcript(path, CLAUDE_CODE, session, cwd, agent, role, uuid, at)


def _role(path: str) -> str | None:
    """Return the type of a sub-agent, from the file that newer versions write next to its transcript."""
    try:
        with open(f"{path.partition('.jsonl')[0]}.meta.json", "rb") as stream:
            meta = decode(stream.read(1 << 20))
    except (OSError, ValueError):
        return None
    return (string(meta, "agentType") or None) if isinstance(meta, dict) else None


def _codex(path: str) -> Transcript:
    for line in _objects(path):
        payload = line.get("payload")
        if line.get("type") == "session_meta" and isinstance(payload, dict):
            session = string(payload, "session_id") or string(payload, "id")
            return Transcript(path, CODEX, session, string(payload, "cwd"), MAIN, None, "", string(line, "timestamp"))
    return Transcript(path, CODEX)


def _gemini(path: str) -> Transcript:
    """Describe a chat, which names no folder itself. Newer versions store it in the folder above, older ones in the text before the first message."""
    from memorybank.hosts.transcripts.gemini import beginning

    session, at, workspace = beginning(TranscriptLines(path))
    try:
        with open(os.path.join(os.path.dirname(os.path.dirname(path)), ".project_root"), encoding="utf-8") as stream:
            workspace = stream.read(4096).strip() or workspace
    except (OSError, UnicodeDecodeError):
        pass
    return Transcript(path, GEMINI, session, workspace, MAIN, None, "", at)


_HEADS: dict[str, Callable[[str], Transcript]] = {CLAUDE_CODE: _claude_code, CODEX: _codex, GEMINI: _gemini}

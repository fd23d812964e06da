"""What each problem of a check means for the commit, and what to do about it."""

import shlex
from typing import NamedTuple

from memorybank.checking import texts
from memorybank.config.settings import WARNINGS
from memorybank.errors import CONFLICT, Problem

BROKEN_LINK, UNKNOWN_LINK = "broken_link", "unknown_wiki_link"
LOCAL, UNMERGED, NESTED = "local_file", "unmerged", "not_a_file"
_REPAIR_EPISODES = "merge both sides with 'memorybank episodes repair'"
_ARE_WARNINGS = WARNINGS | {UNKNOWN_LINK, texts.HIDDEN, texts.INSTRUCTION, "structure_not_read", "suffix_case", "summary_invalid"}
_STEPS = {
    texts.SECRET: f"remove it from the file, and replace the secret where it is used; if it is none, write '{texts.ALLOWED}' in a comment on its line",
    CONFLICT: "keep the right text, and remove the lines with <<<<<<<, ======= and >>>>>>>",
    texts.HIDDEN: "remove it unless you know its purpose; agents are given the text without it",
    texts.INSTRUCTION: "read it, and find out with 'memorybank blame' who wrote it; memorybank never quotes it unasked",
    texts.SAME_NAME: "rename one of them with 'memorybank mv'",
    BROKEN_LINK: "correct the link, or add the file to the commit; 'memorybank mv --links' renames a note together with the links to it",
    UNKNOWN_LINK: "write the key of a note, as 'memorybank list' shows it, or create the note",
    UNMERGED: "finish the merge of this file, then stage it with 'git add'",
    NESTED: "put a regular file in its place",
    "symlink": "put the file itself in its place: links in a bank are not followed",
    "too_large": "split the note, or keep the file outside the bank",
    "not_utf8": "save the file as UTF-8",
    "name_not_utf8": "rename the file",
    "suffix_case": "rename the file so that its name ends in .md",
    "bookmarks_malformed": "correct the JSON by hand, or restore the file from git",
    "episodes_unreadable": "'memorybank episodes repair' keeps it under another name and continues with what can be read; or restore it from git",
    "summary_invalid": "'memorybank summary show' says what a summary needs",
}
_BY_BEGINNING = {
    "front_matter": "correct the front matter, the lines between the two '---' at the beginning",
    "config_": "correct the file; 'memorybank config validate' lists what is wrong on disk",
    "source_": "correct the entry in config/sources_config.json, or remove it",
}


class CheckFinding(NamedTuple):
    """A problem in a file that is going to be committed.

    path: relative to the repository
    line: 1-based, or None
    """

    code: str
    path: str
    line: int | None
    message: str
    next_step: str
    is_warning: bool

    def to_json(self) -> dict[str, object]:
        return {"level": "warning" if self.is_warning else "error", **{name: getattr(self, name) for name in self._fields if name != "is_warning"}}


def finding(problem: Problem, path: str) -> CheckFinding:
    """Return a problem with its level and the next step."""
    is_warning = problem.code in _ARE_WARNINGS
    return CheckFinding(problem.code, path, problem.line, problem.message, next_step(problem.code, path), is_warning)


def next_step(code: str, path: str) -> str:
    """Return what a person can do about a problem."""
    if code == CONFLICT and path.endswith(("episodic_memory.json", "topic_clusters.json")):
        return _REPAIR_EPISODES
    if code == LOCAL:
        return f"run 'git rm --cached {shlex.quote(path)}'; the folder stays on a machine, and 'memorybank doctor --fix' completes the bank's .gitignore"
    return _STEPS.get(code) or next((step for beginning, step in _BY_BEGINNING.items() if code.startswith(beginning)), "correct the file")

"""The files and folders that a command removes, and the words by which people and agents say that one of them is not wanted."""

from __future__ import annotations

__light__ = True

from memorybank.storage.path_names import normpath
from memorybank.text.commands import programs, shell
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.code_names import contains

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KEY = "gone:"
"""Begins the key under which it is kept why a file or folder was removed."""
_PROGRAMS = frozenset(str.split("rm rmdir unlink trash trash-put rimraf del erase Remove-Item ri"))
_RESTORES = ("write ", "touch ", "cp ", "mv ", "git checkout ", "git restore ")
_MADE = lazy_pattern(
    r"(?:^|/)(?:te?mp|scratch|dist|build|out|output|target|coverage|logs?|caches?|node_modules|\.[^/]*|__pycache__|venv|env)(?:/|$)"
    r"|(?:\.(?:log|te?mp|bak|orig|pyc|pid|lock|swp|out|db|sqlite3?|zip|gz|png|jpe?g|egg-info)|~|\*[^/]*)$"
    r"|(?:^|/)[^/]*(?:temp|tmp|scratch|debug|-lock\.|lock\.json)[^/]*$",
    "i",
)
"""Matches what programs make, or somebody makes for a while."""
_UNWANTED = lazy_pattern(
    r"\b(?:redundant|obsolete|unused|superfluous|duplicat\w*|deprecated|unnecessary|needless|outdated|legacy|superseded|yagni"
    r"|(?:not|no longer|never|nothing|nobody|n['’]t)(?: \w+){0,2} (?:need|use|want|necessary|required|read)\w*|no (?:need|use|point|reason)|useless"
    r"|replaced|in favou?r of|instead of|rather than)\b"
    r"|不要|不必要|[要い]らな|使(?:わな|わず|われて(?:い?な|い?ま)|って(?:い?な|い?ませ)|い?ません)|重複|二重|廃止|置き?換え|代わりに|必要(?:が|は|も)?(?:な|あり)",
    "i",
)
_REMOVES = lazy_pattern(
    r"\b(?:remov|delet|dropp?|ditch|discard|eliminat|scrap)(?:e[sd]?|ed|ing|s)?\b|\b(?:get(?:ting)?|got) rid of\b|\bgit rm\b|\brm\b"
    r"|削除|消し|消す|消そ|消え|撤去|なくし|無くし|捨て|取り?除|廃止|外し|やめ",
    "i",
)
_REASON = lazy_pattern(r"\b(?:because|since|due to|so that|now that)\b|ため(?:です|に|、)|からです|ので、|によ(?:り|って)", "i")
_FOR_A_WHILE = lazy_pattern(r"\b(?:temporar\w+|temp|scratch|debug\w*|throw-?away|one-?off|test script)\b|一時|デバッグ|検証用|確認用|使い捨て|仮の", "i")
_KEEPS = lazy_pattern(
    r"(?:\b(?:not|never)|n['’]t) (?:\w+ )?(?:remov|delet|drop)\w*|\b(?:restor|undelet)\w*|\bkeep (?:it|them|this|that)\b"
    r"|\bnot (?:unused|redundant|obsolete|unnecessary)|\b(?:put|brought|bring|add)(?:s|ed|ing)? (?:it|them|this|that) back\b|\bstill (?:need|use|require)"
    r"|(?:消|削除し|外)(?:さ|し)?ない|残し|復元|戻し",
    "i",
)


def removed(command: str) -> list[str]:
    """Return the files and folders that a command removes, as paths from where it starts, without those that programs make or that are outside of it."""
    if not any(program in command for program in _PROGRAMS):
        return []
    found: dict[str, None] = {}
    folder = ""
    for part in shell.parts(command):
        words = programs.unwrapped(programs.without_shell_keywords(part.words))
        if words[:1] == ["cd"] and len(words) > 1:
            folder = words[-1]
            continue
        names = words[2:] if words[:2] == ["git", "rm"] else words[1:] if words and programs.name(words[0]) in _PROGRAMS else []
        if "--cached" in names:
            continue
        found.update((name, None) for word in names if not word.startswith("-") and (name := _name(word, folder)))
    return list(found)


def removed_as(command: str, fingerprint: str) -> list[str]:
    """Return what a command removed, as paths in the repository. fingerprint: of its last part that changes something, which knows in which folder it ran."""
    names = removed(command)
    program = fingerprint.partition(" ")[0]
    if program in _PROGRAMS or fingerprint.startswith("git rm "):
        resolved = removed(fingerprint)
        return names if set(resolved) <= set(names) and (resolved or "_" not in fingerprint) else resolved
    return names


def restored(fingerprint: str) -> list[str]:
    """Return the words of a fingerprint whose call writes, copies or restores them."""
    return fingerprint.split(" ")[1:] if fingerprint.startswith(_RESTORES) else []


def _name(word: str, folder: str) -> str:
    if shell.UNKNOWN in word or shell.UNKNOWN in folder:
        return ""
    name = normpath(word if not folder or word.startswith(("/", "~")) else f"{folder}/{word}")
    return "" if name.startswith(("/", "~", "..", ".")) or _MADE.search(name) is not None else name


def keys(path: str) -> list[str]:
    """Return the keys under which it may be kept why a file, or a folder that it is in, was removed."""
    parts = path.split("/")
    return [f"{KEY}{'/'.join(parts[:end])}" for end in range(len(parts), 0, -1)]


def spellings(path: str) -> list[str]:
    """Return how a text names a file, whatever folder it is in, or a folder, with what shows that it is one; in lower case."""
    path = path.lower()
    last = path.rpartition("/")[2]
    if "." in last:
        return [last]
    return [path] if "/" in path else [f"{last}/", f"`{last}`", f"{last} folder", f"{last} director", f"{last}フォルダ", f"{last}ディレクト"]


def says_why(said: Iterable[str], names: Sequence[str], *, is_request: bool) -> bool:
    """Return whether one of these sentences names something, and says that it was not wanted, or asks for its removal.

    is_request: whether a person typed them. What an agent says must give a reason, and be about more than its own attempts.
    """
    return any(_says_why(sentence, is_request=is_request) for sentence in said if _names(sentence.lower(), names))


def _names(sentence: str, names: Sequence[str]) -> bool:
    return any(contains(sentence, name) if name[-1:].isalnum() and " " not in name else name in sentence for name in names)


def _says_why(sentence: str, *, is_request: bool) -> bool:
    if _KEEPS.search(sentence) is not None:
        return False
    is_unwanted = _UNWANTED.search(sentence) is not None
    if is_request:
        return is_unwanted or _REMOVES.search(sentence) is not None
    if _FOR_A_WHILE.search(sentence) is not None:
        return False
    return is_unwanted or (_REMOVES.search(sentence) is not None and _REASON.search(sentence) is not None)

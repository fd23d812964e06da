"""Whether a sentence is about the files of a folder: "never edit vendor/lib", "the vendor folder is not ours", 「distは手で編集しないこと」.

Two parts of a path, or a slash, show that a sentence names a folder. A single word is the name of one if the sentence says so, or forbids to change it.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.objects import limits

_LEAST = 3
_EVERYDAY = frozenset(
    str.split("""api app apps src main core lib libs test tests server client web site code data model models user users page pages store view views state type
    types service services build public common shared home admin auth db""")
)
"""Names of folders that are words for much else: such a one is named only as a folder."""
_BARS = lazy_pattern(
    r"\b(?:keep|stay|hands) (?:out|away|off)\b|\bleave\b[^.;]{1,40}\b(?:alone|untouched|as (?:it|they) (?:is|are)|be)\b|\bread[- ]only\b|\bfrozen\b"
    r"|\bhands[- ]off\b|ノータッチ|読み取り専用|凍結|そのまま",
    "i",
)
"""Matches what forbids to change something besides what `limits` finds."""
_SAYS_FOLDER = lazy_pattern(
    r"[`」』\"'*/]{0,3} ?(?:folders?|director(?:y|ies)|dirs?|(?:sub)?tree)\b|[`」』/]{0,2}\s?(?:フォルダ|ディレクトリ|の中(?![のに]は)|配下|以下の)",
    "i",
)
_AFTER_FOLDER = lazy_pattern(r"(?:\b(?:folder|directory|dir)(?: (?:called|named))?|フォルダー?|ディレクトリー?) ?[`「『\"']?$", "i")
_THINGS = r"(?:(?:anything|any|files?|stuff|things?|new|more|code|something) (?:files? )?)?"
_CHANGED = lazy_pattern(
    rf"\b(?:edit|touch|modif|chang|rewrit|reformat|overwrit|alter|patch|writ)(?:y|ying|e|ing|s|es)? {_THINGS}(?:(?:in|inside|under|to|into|below|within) )?"
    r"(?:the |our |any |your )?[`\"']?$|\b(?:keep|stay|hands) (?:out|away|off)(?: of| from)? (?:the |our )?[`\"']?$|\bleave (?:the |our )?[`\"']?$"
    r"|\b(?:put|add|create|save|store|copy|move|place|delete|remove|commit|drop) (?:[\w.-]+ ){1,4}(?:in|into|inside|under|to|from) (?:the |our )?[`\"']?$",
    "i",
)
"""Matches, before a name, what is done to the files of a folder."""
_ENDS = lazy_pattern(
    r"[`\"']?(?:\W*$|[,;:!)(]|\.(?:\s|$)|\s[–—-]\s| (?:by hand|directly|manually|yourself|ever|at all|again|alone|untouched|as|without|unless|because|cause"
    r"|since|if|until|it|they|on your own|please|pls|and|or|either|when|before|after|for)\b)",
    "i",
)
"""Matches, after it, what cannot be a part of what it is the name of: "never edit vendor keys"."""
_CHANGED_JAPANESE = lazy_pattern(
    r"[`」』]?(?:は|を|には|へは|だけは|に)[^、。]{0,16}?(?:編集|変更|触|さわ|いじ|書き換え|書き込|上書き|修正|直[さし]|手を(?:入|加)|追加|置[かい]|入れ|消さ|削除|作ら)"
)


def names_folder_of(sentence: str, file: str) -> bool:
    """Return whether a sentence names a folder that contains the file (relative to the repository): by at least two parts, with a slash after it, or by its
    name as a folder that must not be changed."""
    at = file.find("/")
    while at > 0:
        if file[:at] in sentence and _names_path(sentence, file[:at]):
            return True
        at = file.find("/", at + 1)
    named = [part for part in file.split("/")[:-1] if len(part) >= _LEAST and part in sentence]
    return bool(named) and (limits(sentence) or _BARS.search(sentence) is not None) and any(_names_alone(sentence, part) for part in named)


def _names_path(sentence: str, folder: str) -> bool:
    for before, after in _around(sentence, folder):
        rest = after.removeprefix("/")
        is_whole = not _continues_path(before.removesuffix("./")[-1:]) and not _continues_path(rest[:1] if rest[:1] != "." else rest[1:2])
        if is_whole and ("/" in folder or rest != after):
            return True
    return False


def _names_alone(sentence: str, name: str) -> bool:
    """Return whether a sentence speaks of a folder with this name, or forbids to change what has it."""
    for before, after in _around(sentence, name):
        if _continues_path(before[-1:]) or (_continues_path(after[:1]) and not _ENDS.match(after)):
            continue
        if _SAYS_FOLDER.match(after) or _AFTER_FOLDER.search(before):
            return True
        if name not in _EVERYDAY and ((_CHANGED.search(before) and _ENDS.match(after)) or _CHANGED_JAPANESE.match(after)):
            return True
    return False


def _around(sentence: str, name: str) -> list[tuple[str, str]]:
    """Return (the text before, the text after) each occurrence of a name."""
    found = []
    at = sentence.find(name)
    while at >= 0:
        found.append((sentence[:at], sentence[at + len(name) :]))
        at = sentence.find(name, at + 1)
    return found


def _continues_path(sign: str) -> bool:
    return sign.isascii() and (sign.isalnum() or sign in tuple("_-./:@"))

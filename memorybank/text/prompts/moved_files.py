"""Recognises the question where a file is ("Where is the file Calendar.tsx?", 「features.pyどこいった？」), and what says that it moved, or that it is gone.

A file that something was moved to or from ("moved the limit from feed.ts to limits.ts", 「定数を feed.ts に移しました」) stayed where it was.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.emphasis import without_emphasis
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_LONGEST, _LEAST = 400, 4
"""Characters of a sentence that is read, and of a file's name."""
_SEEKS = lazy_pattern(
    r"\bwhere\b|\bwhat (?:happened|became|has become)\b|\b(?:can ?not|(?:can|couldn|don|didn)['’]?t|could not|do not|did not) (?:find|see|locate)\b"
    r"|\b(?:missing|gone|disappeared|vanished)\b|\bno longer (?:there|exists?|in)\b|\bwhat\b.{0,60} called\b"
    r"|\b(?:is|was|did|has|have)\b.{0,60}\b(?:renamed?|moved?|deleted?|removed?)\b"
    r"|どこ|どちら|何処|見(?:つか|当た)[らり]|見つけられ|なくな|無くな|消え|どうな(?:った|りました)|(?:今の|新しい)名前|リネーム(?:された|した)|(?:移動|削除)(?:された|した|しました)か?[?？]",
    "i",
)
_WORD = lazy_pattern(r"[A-Za-z0-9_@~./-]+")
_ENDING = lazy_pattern("[A-Za-z][A-Za-z0-9]{0,5}")
_IT, _OTHER = "§", "¤"
"""What stands for the file that is asked for, and for another one, in a sentence that is read."""
_NOUNS = r"(?:(?:the|a|files?|modules?|components?|script|page|test|old|legacy|our|whole|both|¤ and) ){0,4}"
_ENDS = r"(?=\s*(?:[.,;:)!?—–-]|→|$|(?:to|into|as|with|by|and|under|because|since|now|in favou?r|altogether|entirely|completely|please|again)\b))"
_MOVED = lazy_pattern(
    r"§(?: \([^)§]*\))? (?:is|are|was|were|has been|have been|got) (?:(?:now|already|since|all|both|then|just) )*"
    r"(?:renamed|moved|gone|deleted|removed|merged|split|folded|replaced|(?:called|named)(?! (?:by|from|in|at|on)\b)|dropped|part of ¤|¤)"
    r"|§ (?:(?:is|lives|sits) now|now (?:is|lives|sits)|lives) (?:in|under|at|inside) (?:¤|\S*/)|§ (?:is|lives) (?:in|under|at|inside) \S+ now\b"
    r"|§ (?:moved (?:to|into|under)|became|has become|turned into|went (?:to|into|away)|no longer exists|does not exist any|disappeared)\b"
    rf"|\b(?:renamed|moved|deleted|removed|dropped|split|merged|folded|replaced) {_NOUNS}§{_ENDS}"
    r"|\b(?:renamed|moved) (?:it )?from § (?:to|into)\b|^\W*§ ?(?:→|->|=>|⇒|➜) ?\S|\b(?:renam|mov)\w+\b[^.]{0,40}§ ?(?:→|->|=>|⇒|➜)"
    r"|\bmv (?:-\w )?§ ¤|¤ \(?(?:was|formerly|previously|once|ex|used to be)(?: called)? §|[（(]旧(?:称|名)?[:：]? ?§"
    r"|§ ?(?:というファイル|という名前|の名前|ファイル)?(?:を|は|が|も|って(?:名前)?)、?[^。、を]{0,40}(?:(?<!よう)に|へ)(?:名前を|名称を)?"
    r"(?:変え|変更|改名|改称|リネーム|移し|移動|移り|統合|分割|まとめ|改め|置き換え|分け)"
    r"|§ ?(?:は|が)、?[^。、]{0,20}(?:¤ ?に|という?名前に|名前が)(?:なりま|なって|変わ)|(?:^|、|ファイル名?[をはが]|名前[をはが]) ?§ ?から ?¤ ?(?:に|へ)"
    r"|§ ?(?:は|を|が|も)、?[^。、を]{0,24}(?:削除|消し|消え|なくし|なくなり|無くし|無くなり|廃止|撤去|リネーム|改名)(?:[しさまてた済。]|$)",
    "i",
)
"""Matches that the file was renamed, moved or removed."""
_ASKED = lazy_pattern(rf"\b(?:rename|move|delete|remove|drop|split|merge|replace|call) {_NOUNS}§{_ENDS}", "i")
"""Matches a request for it."""
_NOT = lazy_pattern(
    r"\b(?:not|never|n['’]t|should|could|would|might|may|must|if|unless|want(?:s|ed)? to|going to|plan(?:ned)? to|instead of|later|propose|suggest"
    r"|restored?|every|each)\b|n['’]t\b"
    r"|ないで|しない|ていません|てません|ずに|予定|たい|ましょう|べき|ほうが|方が|なら|たら|場合|可能|かも|ますか|しようか|れば",
    "i",
)
"""Matches that it was not done."""


def sought(sentence: str) -> list[str]:
    """Return the names, without folders, of the files that a sentence seeks."""
    if len(sentence) > _LONGEST or "." not in sentence or _SEEKS.search(sentence) is None:
        return []
    return list(dict.fromkeys(name for word in _WORD.findall(sentence) if (name := file_name(word))))


def tells_where(sentence: str, name: str, *, is_request: bool = False) -> bool:
    """Return whether a sentence says that a file was renamed, moved or removed. is_request: whether a person typed it, who may ask for that."""
    if len(sentence) > _LONGEST:
        return False

    def stand_in(found: re.Match[str]) -> str:
        of_word = file_name(found[0])
        if not of_word:
            return found[0]
        return f"{_IT if of_word.lower() == name.lower() else _OTHER}{found[0][len(found[0].rstrip('./-')) :]}"

    read = _WORD.sub(stand_in, without_emphasis(sentence).replace("`", ""))
    if _IT not in read or _NOT.search(read) is not None:
        return False
    return _MOVED.search(read) is not None or (is_request and _ASKED.search(read) is not None)


def file_name(word: str) -> str:
    """Return the name of the file that a word is, without folders, "" if it is none."""
    name = word.rstrip("./-").rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return name if dot and stem and len(name) >= _LEAST and _ENDING.fullmatch(ending) is not None else ""

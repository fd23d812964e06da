"""What a statement says by its own words, whatever was said before and after it.

- standing: it applies to all work. The others apply where they match.
- lasting: it says itself that it applies to more than its task (`evidence.SAYS_HOW_LONG`), or says who the person is (`oneself`).
- preferring: a correction that says which of two ways is wanted.
- reprimand: it says what should have been done (`stated`).
- unnamed: it does not say what it is about.
- permission, for_good: it allows something or ends a duty or a rule (`permissions`), and that lasts. What also gives a new rule is none: it replaces the
  earlier one.
- returning: it only says that an earlier rule is in force again (`called`).
- language: it says in which language something is to be.
- again: it says an order again, or complains that one was not followed (`complaints`).
- allowing: it does nothing but allow, whatever it may have taken back.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.called import returns
from memorybank.text.prompts.complaints import complaint
from memorybank.text.prompts.evidence import ENOUGH, FOR_NOW, OF_THE_MOMENT, SAYS_HOW_LONG, TO_KEEP
from memorybank.text.prompts.languages import language_of
from memorybank.text.prompts.oneself import is_of_person
from memorybank.text.prompts.permissions import only_allows, permission_of, takes_back
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.stated import (
    AGAIN,
    ALLOWING,
    CONSTRAINT,
    CORRECTION,
    FOR_GOOD,
    IN_A_LANGUAGE,
    LASTING,
    PERMISSION,
    PREFERENCE,
    PREFERRING,
    PROCEDURE,
    REPRIMAND,
    RETURNING,
    STANDING,
    UNNAMED,
    is_reprimand,
    lacks_subject,
)

_STANDING = (CONSTRAINT, PREFERENCE, PROCEDURE)
"""Kinds of statements that apply to all work. Facts and corrections are recalled only where they match."""
_OF_NOW = frozenset((FOR_NOW, OF_THE_MOMENT))
_OF_ONE_TASK = lazy_pattern(
    r"\b(?:this (?:time|once|commit|branch|pr|release|task|change|case|session|week|sprint)|(?<!as of )(?<!from )today|tonight|tomorrow"
    r"|for (?:now|the (?:moment|time being|demo|release))|(?:until|till|during) (?:the |our |this |next )?(?:release|launch|demo|deadline|freeze|migration|week"
    r"|end of|(?:mon|tues|wednes|thurs|fri)day))\b"
    r"|今回|今だけ|今日(?!で|から|以降)|今週|今月|(?:この|その)(?:件|PR|プルリク|コミット|ブランチ|作業|変更|セッション|リリース|タスク)|当面|しばらく"
    r"|(?:リリース|公開|デモ|移行|完了|来週|[月火水木金]曜日?)まで",
    "i",
)
"""Matches a sentence that says itself that it holds for one task or time."""
_OF_ONE_SCREEN = lazy_pattern(
    r"\bshould(?:n['’]?t| not)? (?:(?:be|also|only|now|not) )*(?:display|show|appear|hid|highlight|render|visible)"
    r"|表示(?:する|しない|させ)(?:べき|よう|こと|で)",
    "i",
)
_BINDS_ALL = lazy_pattern(r"\b(?:always|never|ever|every\w*|any\w*|all|once|when|whenever|no longer)\b|必ず|常に|いつも|毎回|すべて|全て|絶対", "i")
"""Matches a statement about every part of the product. What a single part should show is only a request of that day."""
_PREFERS = lazy_pattern(r"\b(?:use|instead|rather than)\b|ではなく|じゃなく|代わり|使", "i")
"""Matches a correction that says which of two ways is wanted. "I mean the other file" applies to one moment only."""
_REMEMBERED = lazy_pattern(r"^\W*(?:please |and |also )*(?:remember|memori[sz]e|keep in mind|never forget)\b|覚えて|忘れないで", "i")
"""Matches a request to remember something, which always lasts."""


def traits(kind: str, text: str) -> list[str]:
    """Return the traits of a statement of this kind with this text."""
    orders = orders_besides(text)
    found = {
        STANDING: _is_standing(kind, text),
        LASTING: any(map(_says_how_long, sentences(text))) or is_of_person(text),
        PREFERRING: kind == CORRECTION and _PREFERS.search(text) is not None,
        REPRIMAND: is_reprimand(text),
        UNNAMED: lacks_subject(text),
        PERMISSION: permission_of(text) != "" and not orders,
        FOR_GOOD: takes_back(text) and not orders,
        ALLOWING: only_allows(text) and not orders,
        RETURNING: returns(text),
        IN_A_LANGUAGE: language_of(text) != "" and not is_of_person(text),
        AGAIN: complaint(text)[0] != "" or _is_repeated(text),
    }
    return [name for name, holds in found.items() if holds]


def _is_standing(kind: str, text: str) -> bool:
    is_lasting = kind in _STANDING or _REMEMBERED.search(text) is not None
    return is_lasting and (_OF_ONE_SCREEN.search(text) is None or _BINDS_ALL.search(text) is not None)


def _says_how_long(sentence: str) -> bool:
    if _OF_ONE_TASK.search(sentence) is not None:
        return False
    from memorybank.text.prompts.statements import table_for  # late, as below

    found = {evidence.what for evidence in table_for(sentence).find(sentence, ENOUGH)}
    return not found.isdisjoint(SAYS_HOW_LONG) and (found.isdisjoint(_OF_NOW) or not found.isdisjoint(TO_KEEP))


def _is_repeated(text: str) -> bool:
    from memorybank.text.prompts.statements import table_for  # late, as below

    return table_for(text).repeats(text)


def orders_besides(text: str) -> bool:
    """Return whether a sentence beside one that allows something orders or forbids: "No need for Japanese any more. Write in English from now on." """
    said = sentences(text)
    if len(said) == 1 or permission_of(text) == "":
        return False
    from memorybank.text.prompts.statements import kind_of  # late: hardly any permission has two sentences

    return any(permission_of(sentence) == "" and kind_of(sentence) in _STANDING for sentence in said)

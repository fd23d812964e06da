"""Reads the subject that a title or a heading gives to the statements below it. In doubt, two subjects differ: then both statements are shown.

In a title, every word may tell two things apart: a number ("Replica 1"), a letter ("Customer A"), "old", "up", or a word in hiragana. So only words that
name a kind of document, and those that join others, are left out.
"""

from __future__ import annotations

__light__ = True

from memorybank.decisions import words
from memorybank.text.pattern import lazy_pattern
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def _canonical(listed: str) -> frozenset[str]:
    return frozenset(map(words.canonical, listed.split()))


_DATE = lazy_pattern(r"\b20\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?\b|20\d\d年\d{1,2}月(?:\d{1,2}日)?")
_ORDINAL = lazy_pattern(r"^\W*(?:(?:adr|rfc)\b[-\s#]*\d+|\d+(?:\.\d+)*[.:)](?=\s)|0\d+(?=[-\s]))\W*", "i")
"""Matches the number of a decision record or a section, at the beginning of its title."""
_WORD = lazy_pattern(r"[A-Za-z][A-Za-z0-9]*[+#]*|\d+(?:[.,]\d+)*|[ァ-ヴー]+|[一-龥々]+|[ぁ-ゖ]+|[^\W\d_a-zA-Zァ-ヴー一-龥々ぁ-ゖ]+")
_POSSESSIVE = lazy_pattern(r"(?<=\w)['’]s\b")
_DIRECTION = lazy_pattern(r"\b(?:from|(?<!how )to|into|onto|before|after)\b|[→⇒]|[-=]>|から|への?|より|\d[^\d.,].*\d", "is")
"""Matches what gives the order of words a meaning: "Sync from A to B", "Rack 1 server 2"."""
_JOINING_WORDS = (
    "a i an the of for to in on at by with from as and or into onto via our your my its their this that these those is are be do does use uses using"
)
_JOINING_WORDS_JAPANESE = (
    "の は が を に へ と で も や から への まで より では には とは での という について における する した して です ます こと もの さん"
)
_JOINING = frozenset((*_JOINING_WORDS.split(), *_JOINING_WORDS_JAPANESE.split()))
_DOCUMENT = _canonical(
    "decision overview summary convention guide guideline policy general misc adr status reason note rule reference readme doc document documentation title"
    " knowledge learned meeting minute setting configuration config detail fact value how environment day weekday"
    " 決定 決定事項 概要 方針 規約 規則 ルール メモ 設計判断 理由 一覧 設定 詳細 値 環境 曜日 ノート 会議 会議メモ 議事録"
)
"""Words for a kind of document, section or value ("Day of the deploy"), which say nothing about the subject."""
_EVENT = _canonical(
    "weekly daily sync standup retro retrospective planning review session today log diary journal 定例 定例会議 朝会 日報 週報 日記 打 合 せ 打合 打合せ 作業"
)
"""Words that say nothing next to a date: "Weekly sync 2026-03-01" has statements about many things."""
_NUMBERED = lazy_pattern(
    r"\W*(?!(?:use|run|set|keep|limit|require|prefer|pin|support|stay|upgrade|update|listen|allow|deploy|build|target|retry|wait|never|always|only|no)\b)"
    r"(?:[a-z][\w./-]{0,30}[\s#_-]{1,3}){0,3}(?:[a-z][\w./]{0,30}[\s#_-]{0,3}|(?:[ァ-ヴー一-龥々]{1,20}[\s#_-]{0,3}){1,3})v?\d+(?:[.-]\d+)*\W*",
    "i",
)
"""Matches a name of up to four words with its number, without an order before it ("use Node 22")."""
_ALONE = frozenset(("old", "new"))
"""Words that tell two things apart only next to another word."""


def names_of(title: str, statement: str = "") -> frozenset[str]:
    """Return what a title says its statements are about; nothing for a title that is the statement itself, as in a note of one sentence.

    A name with a number ("fresh 2", 「サーバー3」) states nothing, so it stays a name where the text only repeats it.
    """
    if statement and _is_same(title, statement) and _NUMBERED.fullmatch(title) is None:
        return frozenset()
    return _names(title)


def parts_of(names: Iterable[str]) -> frozenset[str]:
    """Return the words of a statement in the form in which a title has them: `orders-service` as its two words."""
    return frozenset(part for name in names for part in ((name,) if name.isalnum() else _listed(name) or (name,)))


@lru_cache(maxsize=256)
def _names(title: str) -> frozenset[str]:
    plain = _DATE.sub(" ", title)
    is_dated = plain != title
    found = [word for word in _listed(_ORDINAL.sub("", plain)) if word not in _DOCUMENT and not (is_dated and word in _EVENT)]
    named = frozenset(found)
    if named <= _ALONE:
        return frozenset()
    return named | {">".join(found)} if len(named) > 1 and _DIRECTION.search(title) is not None else named


def _listed(text: str) -> list[str]:
    """Return the words of a text in their order, without those that join others."""
    listed = _WORD.findall(_POSSESSIVE.sub("", text))
    return [words.canonical(word.lower()) for at, word in enumerate(listed) if _is_name(word, at, len(listed))]


def _is_name(word: str, at: int, count: int) -> bool:
    """Return whether a word of a title is more than an article or a particle: "US", "IT", the letters of "Customer A", "C library" and "shard-a"."""
    if word.lower() not in _JOINING:
        return len(word) > 1 or not word.isascii() or word.isdigit() or at > 0 or word.isupper()
    return word.isupper() if len(word) > 1 or not word.isascii() else 0 < at == count - 1


def _is_same(title: str, statement: str) -> bool:
    """Return whether a title is a statement, or begins with it."""
    one, other = (" ".join(text.lower().rstrip(".。!！… ").split()) for text in (title, statement))
    return one.startswith(other)

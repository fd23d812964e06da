"""The terms of one word: a stem, an identifier complete and in parts, the plain form of a word with accents.

Both tokenisers split texts into words and call this module for each: `tokens` for notes, `terms` for prompts and commands.

Function words say nothing about the subject of a text. They are never searched for and never become keywords.
"""

from __future__ import annotations

__light__ = True

from _operator import add

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.stem import stem
from memorybank.values import Memo

ENGLISH = frozenset(
    str.split("""a about above after again against all also am an and any are as at be because been before being below between both but by
    can could did do does doing done down during each else ever few for from further get got had has have having he her here hers
    herself him himself his how i if in into is it its itself just let like me more most much my myself no nor not now of off on
    once only onto or other our ours ourselves out over own please same shall she should so some such tell than that the their
    theirs them themselves then there these they this those through to too under until up upon us very was we were what when where
    whether which while who whom whose why will with would yes yet you your yours yourself yourselves
    ain aren couldn didn doesn don hadn hasn haven isn mightn mustn needn shan shouldn wasn weren won wouldn""")
)
"""The last line contains the remains of contractions (`didn't` → `didn`)."""
JAPANESE = frozenset(
    str.split("""こと もの ため よう とき ところ これ それ あれ どれ ここ そこ どこ この その あの どの など ほか また および または ただし
    場合 以下 以上 必要 可能 利用 使用 時間 時点 場所 全て 各々 自分 今回 前回 次回 一つ 二つ 何か""")
)
"""Words in kanji and kana that are useless as keywords."""
ASKING = frozenset(
    str.split("""add anyth ask chang check choos creat decid explain find fix get give go happen help implement investig keep know learn let look make mean
    need ok okai pleas question remov remind rememb run see show someth start stop take tell thank thing think time todai try understand updat us wai want
    work write written wrong""")
)
"""Stems of words that say what is wanted rather than what it is about. Nearly every prompt contains some."""
MODAL = frozenset(str.split("abl happen mai mani might much must per quit rather still two via without"))
"""Stems of words that modify others. A text that contains one of them in common with a prompt is not about the same subject for that reason."""
ASKING_JAPANESE = frozenset(
    str.split("注意点 注意 以前 修正 説明 方法 質問 追加 作成 内容 対応 調査 確認 希望 教示 依頼 状況 具体的 簡単 最近 現在 今日 明日 昨日 大丈夫 一緒 他")
)
"""The same in Japanese, each a run of one script."""

FIRST_CJK = "\u3005"
"""The first character (々) of the scripts that have no spaces between words, or do not need them: kana, Chinese characters, Hangul, Yi …"""
CJK_LETTER = r"[^\W\x00-\u3004]"
"""One CJK letter in a regular expression. Two plain ranges, because a set of all the blocks would take 10 ms to compile."""
MAY_BE_DIGITS = "0-9\u0660-\u1fff\ua620-\uabff\uff10-\uff19\U000104a0-\U0001fbf9"
"""The ranges of a set that contains every digit of any script, and some letters."""
DIGIT = rf"[{MAY_BE_DIGITS}](?<=\d)"
r"""A digit of any script in a regular expression. It matches what `\d` does, in half the time: a search skips to the next character of the set."""
LANGUAGES = ("C++", "c++", "C#", "c#", "F#", "f#")
NAME_OR_RUN = rf"(?:[Cc]\+\+|[CcFf]#)(?![\w+#])|[A-Za-z][A-Za-z0-9_]*+(?!['\u0080-\u3004])|{CJK_LETTER}+"
"""C++, C# or F#, a name or word in ASCII letters, or a CJK run: most parts of a text."""
OTHER_WORD = r"(?:(?=[\x00-\u3004])\w|(?<=\w)['’](?=[\x00-\u3004])(?=\w))+|[\U0001f300-\U0001faff]"
"""Any other word of a script with spaces, also with apostrophes; or an emoji."""
LONGEST_WORD = 64
"""Maximum length of a term. Longer words (digests, base64) are indexed and searched by their first characters."""

_SHORTEST_DIGEST = 16
_HEXADECIMAL = "0123456789abcdefABCDEF"
_CONTRACTED = frozenset(("s", "t", "d", "m", "re", "ve", "ll"))
_CACHE_LIMIT = 100_000
_ORDINALS = ("st", "nd", "rd", "th")
_PART_OF_NAME = lazy_pattern("[0-9]+|[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A part of an ASCII identifier: `parseHTTPConfigs2_v1` is parse HTTP Configs 2 v 1. A plural such as `URLs` stays one part."""


_stems = Memo(stem, _CACHE_LIMIT)
"""Cache of a word → its stem. Parts of identifiers and words in two spellings occur again and again."""
stem_of = _stems.__getitem__
"""Return the stem of a word of lower-case ASCII letters, computed once per process."""


def is_cjk(part: str) -> bool:
    """Return whether a part of a text is a run of Chinese, Japanese or Korean characters."""
    return part[0] >= FIRST_CJK


def one_form(text: str) -> str:
    """Return a CJK text with one form for characters that are written in several."""
    from memorybank.text.words import character_forms  # late: an English text has none

    return character_forms.one_form(text)


def pairs(run: str) -> str:
    """Return a CJK run as overlapping bigrams and its last character, joined by spaces: 検索語 → `検索 索語 語`."""
    run = one_form(run)
    return " ".join([*map(add, run, run[1:]), run[-1]])


def plain_term(word: str) -> str:
    """Return the only term of a word of ASCII letters in lower case."""
    return _stems[word][:LONGEST_WORD]


def word_terms(word: str) -> tuple[str, ...]:
    """Return the terms of one word that is neither a CJK run nor a date: first the complete word, then the parts of an identifier."""
    if word[-1] in "+#":
        return word.lower(), word[0].lower()
    if "'" in word or "’" in word:
        return _apostrophe_terms(word.replace("’", "'").split("'"))
    if word.isascii() and word.isalpha() and (word.islower() or word[1:].islower()):
        return (plain_term(word.lower()),)
    if word.isdecimal() and word.isascii():
        return (word[:LONGEST_WORD],)
    return _identifier_terms(word)


def _apostrophe_terms(pieces: list[str]) -> tuple[str, ...]:
    """Return the terms of a word with apostrophes: melani for `Melanie's`, don for `don't`, o and brien for `O'Brien`."""
    if len(pieces) > 1 and pieces[-1].lower() in _CONTRACTED:
        del pieces[-1]
    return tuple(term for piece in pieces if piece for term in word_terms(piece))


def whole_term(word: str) -> str:
    """Return the first term of a word without apostrophes, which stands for the complete word; "" for underscores alone."""
    whole = _plain(word).strip("_")
    if whole.isalpha():
        return (_stems[whole] if whole.isascii() else whole)[:LONGEST_WORD]
    if whole[-2:] in _ORDINALS and whole[:-2].isdecimal():
        return whole[:-2]
    return whole[:LONGEST_WORD]


def is_digest(word: str) -> bool:
    """Return whether a word is a digest in hexadecimal digits (64 bits or more). The letters between its digits mean nothing."""
    return len(word) >= _SHORTEST_DIGEST and not word.strip(_HEXADECIMAL) and not word.isalpha()


def _identifier_terms(word: str) -> tuple[str, ...]:
    if len(word) >= _SHORTEST_DIGEST and is_digest(word):
        return (word.lower()[:LONGEST_WORD],)
    whole = whole_term(word)
    if not whole or whole.isdecimal() or not word.isascii():
        return (whole,) if whole else ()
    pieces = _PART_OF_NAME.findall(word)
    if len(pieces) < 2:
        return (whole,)
    found = {whole: None}
    for piece in pieces:
        if len(piece) > 1:
            # A number is its own stem.
            found[(piece if piece[0] <= "9" else _stems[piece.lower()])[:LONGEST_WORD]] = None
    return tuple(found)


def _plain(word: str) -> str:
    """Return the word in lower case. Accents are dropped if every letter is Latin (`Café` → cafe); in other scripts they make different letters."""
    lowered = word.lower()
    if lowered.isascii():
        return lowered
    lowered = lowered.replace("ß", "ss")
    if lowered.isascii() or max(lowered) > "\u1eff" or any("\u0250" <= sign < "\u1e00" for sign in lowered):
        return lowered
    from unicodedata import combining, normalize  # imported late: a library of a megabyte, needed only for letters with accents

    return "".join(sign for sign in normalize("NFKD", lowered) if not combining(sign))

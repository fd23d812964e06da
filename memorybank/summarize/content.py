"""The content words of a sentence as terms, without function words and the filler words of chats.

Terms are those of search (`text.words.tokens`): English stems, identifiers, Japanese bigrams. So what a summary covers is what a search finds.
"""

from __future__ import annotations

__light__ = True

from unicodedata import normalize

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words import tokens
from memorybank.text.words.word_terms import ENGLISH, JAPANESE
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FILLER = frozenset(
    str.split("""hey hi hello wow oh ah haha lol yeah yep yup nope ok okay alright sure right hmm well bye thanks thank thx welcome sorry please congrats
    congratulations absolutely definitely totally really actually basically literally honestly pretty super quite kinda sorta gonna wanna gotta
    cool awesome amazing great good nice glad happy lovely wonderful fantastic incredible perfect exciting excited impressive sweet fun
    love loved loving like sound sounds look looks looking feel feels feeling felt seem seems know knows knew think thinks thinking thought guess mean means
    see sees seeing saw hear hears heard say says said tell tells told talk talking ask asked going go goes went come comes coming came make makes making
    made take takes taking took give gives giving gave keep keeps keeping kept want wants wanted need needs let lets try trying tried thing things stuff
    lot lots bit way ways kind sort something anything everything someone anyone everyone always never maybe perhaps also even still though
    much many today yesterday tomorrow now later soon lately recently day time times whenever wherever back around away
    hope hoping hopefully wish luck wait lgtm believe agree agreed appreciate care inspiring inspired inspire inspiration proud best better
    since new long big little whole real true able having being getting gets""")
)
"""Words of conversation about any subject: greetings, praise, agreement, verbs of saying and meaning."""
_FILLER_JAPANESE = frozenset(
    str.split("""今日 昨日 明日 最近 本当 素敵 最高 楽しみ 感謝 大丈夫 了解 承知 確認 お願い 返事 連絡 感じ 気持ち 大変 一緒 少し 非常 簡単 人間
    ありがとう すごい すごく とても いいね うれしい 嬉しい 楽しい よかった お疲れ様 よろしく おはよう こんにちは こんばんは おやすみ はい うん いいえ""")
)
_MARK = lazy_pattern(r"\[REDACTED:[a-z_]+:[0-9a-f]{8}\]")
_UNLISTED = frozenset(
    str.split("""alias added begin begins block branch changed class code command commit completed config const data def default defmodule defp describe
    diff done edit edited else end enum error errors exit fail failed false file files fix fixed fixes fn folder function html id import index info issue
    item items json let line lines list main map message method mix mode module name names none note null number object open option output page part
    path print private public pull push read ready repo request require result results return returns root run running section session set setup
    start started status step steps stop string struct summary table task tasks test tests text tool tools true type undefined update updated use
    used user using value values var verify work working works write written""")
)
"""Words that are frequent in every log of programming work. The closing line of distinctive words never lists them."""
_RUN = lazy_pattern("[\u3400-\u4dbf\u4e00-\u9fff々ヶ]{2,}|[ァ-ヺー]{2,}")
_KANA = lazy_pattern("[\u3041-\u309f]+")
_JAPANESE_WORD = lazy_pattern("|".join(sorted(_FILLER_JAPANESE, key=lambda word: (-len(word), word))))
_CACHE = 200_000


def parts(sentence: str) -> list[str]:
    """Return the words and CJK runs of a sentence as written, without the marks of redacted secrets."""
    if "[REDACTED:" in sentence:
        sentence = _MARK.sub(" ", sentence)
    found: list[str] = tokens.PART.findall(sentence if sentence.isascii() else normalize("NFKC", sentence))
    return found


def terms(sentence: str) -> frozenset[str]:
    """Return the content terms of one sentence; empty when it only greets, praises or agrees."""
    return terms_of(parts(sentence))


def terms_of(parts: Iterable[str]) -> frozenset[str]:
    """Return the content terms of some words and runs."""
    found: set[str] = set()
    for part in parts:
        found.update(_of_part(part))
    return frozenset(found)


@lru_cache(maxsize=_CACHE)
def _of_part(part: str) -> tuple[str, ...]:
    if part == "\n":
        return ()
    if tokens.is_cjk(part):
        return _of_run(part)
    word = _before_apostrophe(part).lower().strip("_")
    if len(word) < 2 or word in ENGLISH or word in _FILLER:
        return ()
    return tokens.word_terms(part if len(word) == len(part) else word)[:1]


def _before_apostrophe(word: str) -> str:
    return word.replace("’", "'").partition("'")[0]


def _of_run(run: str) -> tuple[str, ...]:
    """Return the bigrams of a CJK run that contain a kanji or katakana. Bigrams of hiragana alone are grammar."""
    run = _JAPANESE_WORD.sub(" ", run)
    return tuple(pair for pair in (run[at : at + 2] for at in range(len(run) - 1)) if " " not in pair and not _KANA.fullmatch(pair) and pair not in JAPANESE)


@lru_cache(maxsize=_CACHE)
def words(part: str) -> tuple[tuple[str, str], ...]:
    """Return (term, readable form) for each part that can be listed by itself: a word, or the runs of kanji or katakana within a CJK run.

    Function words, fillers and numbers are left out.
    """
    if part != "\n" and tokens.is_cjk(part):
        return tuple((run, run) for run in _RUN.findall(part) if run not in JAPANESE and run not in _FILLER_JAPANESE)
    found = _of_part(part)
    form = _before_apostrophe(part).strip("_")
    return ((found[0], form),) if found and len(form) > 2 and form[0].isalpha() and form.lower() not in _UNLISTED else ()

"""The language of a note as an ISO 639-1 code, decided by script and, among Latin scripts, by function words.

It is only a label (`metadata.language`): tokens, search and scores treat every language alike.
"""

from __future__ import annotations

__light__ = True


from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.tokens import FIRST_CJK, TokenizedText, read
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

UNKNOWN = "und"
"""The text contains no letters, or too little to determine its language (ISO 639-2 "undetermined")."""
_SAMPLE_PARTS = 200
_HANGUL, _KANA = lazy_pattern("[\uac00-\ud7a3]+"), lazy_pattern("[\u3041-\u3096\u30a1-\u30fa]+")
_FUNCTION_WORDS = {
    "en": frozenset(
        str.split("""the and of to in is that for it with as was on be this are by not or from a an at if no do we you your our its they their there when what
        why how which who where will would should can could must may has have had does did don't doesn't it's isn't can't after before while until into
        about than then only also but so because without each every one never always all any some more been were use""")
    ),
    "de": frozenset(
        str.split("""der die und das den ist nicht von mit ein eine auf für dem des sich auch wird werden zu im am in war sind bei nach vor wie warum wenn wir
        man nur noch oder aber kein keine keinen einen einem einer es als an aus über durch ohne beim zum zur vom bis so""")
    ),
    "fr": frozenset(
        str.split("""le la les et des est une que pour dans pas sur du au avec qui ce sont par nous un de en ne à il elle on se sa son ses aux plus ou où mais
        comme sans après avant pourquoi comment quand avons cette ces être a chaque""")
    ),
    "es": frozenset(
        str.split("""el la los las que y es una por con para del se no como más su al lo en un de a pero sin está son qué cómo dónde cuando después antes cada
        este esta sobre entre ya hay fue ser""")
    ),
    "it": frozenset(
        str.split("""il di che la è per un una non con del sono della le si da gli nel più anche a e i lo in al come ma dei alla dalla perché quando dopo
        prima senza questo questa ogni abbiamo nessun nessuno sul sulla""")
    ),
    "pt": frozenset(
        str.split("""o a os que do da em um uma para com não é por mais dos das se na no as e de ao como mas sem está são foi nos nas pela pelo quando após
        antes cada este esta seu sua ou já há ser""")
    ),
}
_LETTERS = {
    **dict.fromkeys("äöüß", ("de",)),
    **dict.fromkeys("ëîïœùûÿ", ("fr",)),
    **dict.fromkeys("ãõ", ("pt",)),
    **{"ñ": ("es",), "ê": ("fr", "pt"), "è": ("fr", "it")},
}
"""Letters that few languages use, with these languages. A word that contains one counts like a function word of theirs."""
_ELIDED = ("l", "d", "n", "qu", "j", "c", "s", "m")
"""The short words that French, and in part Italian, writes before an apostrophe and a vowel (`l'index`)."""
_LEAST_SCORE = 0.6
"""Score that a label needs: more than one letter that may be an option of a command (`-o`), or words that two languages share."""
_TIE = 0.01
"""Scores that are closer than this are equal; they are sums of fractions."""
_SCRIPTS = (
    ("ru", "\u0400", "\u04ff"), ("el", "\u0370", "\u03ff"), ("he", "\u0590", "\u05ff"),
    ("ar", "\u0600", "\u06ff"), ("hi", "\u0900", "\u097f"), ("th", "\u0e00", "\u0e7f"),
)  # fmt: skip


def identify(text: str) -> str:
    """Return the language of `text` (`ja`, `en`, …), or `und` when it cannot be determined."""
    return language_of(read(text))


def language_of(reading: TokenizedText) -> str:
    """Return the language of a text that is already split into parts; its first 200 parts decide.

    Half of a technical Japanese note is English identifiers. A text therefore counts as East Asian as soon as it has more than one
    CJK character for every two Latin words.
    """
    sample = reading.parts[:_SAMPLE_PARTS]
    if reading.text.isascii() and "'" not in reading.text:
        return _of_known(list(filter(_known_words().__contains__, " ".join(sample).lower().split())))
    runs = "".join([part for part in sample if part >= FIRST_CJK])  # as strings are compared, its first character
    words = [part.lower() for part in sample if part < FIRST_CJK and part[0].isalpha()]
    if len(runs) * 2 > len(words):
        return _east_asian(runs)
    return _spaced(words) if words else UNKNOWN


def _east_asian(runs: str) -> str:
    if _length_of(_HANGUL, runs) * 2 > len(runs):
        return "ko"
    return "ja" if _length_of(_KANA, runs) * 20 >= len(runs) else "zh"


def _length_of(kind: re.Pattern[str], runs: str) -> int:
    return len("".join(kind.findall(runs)))


def _spaced(words: list[str]) -> str:
    foreign = [word[0] for word in words if word[0] > "\u036f"]
    if len(foreign) * 2 > len(words):
        for language, first, last in _SCRIPTS:
            if sum(first <= sign <= last for sign in foreign) * 2 > len(foreign):
                return language
        return UNKNOWN
    return _latin(words)


def _latin(words: list[str]) -> str:
    """Return the language of words in Latin letters."""
    known = _known_words()
    # A word of plain letters that is not a function word speaks for no language. Most are.
    return _of_known([word for word in words if word in known or not word.isascii() or "'" in word])


def _of_known(words: list[str]) -> str:
    """Return the language that most words speak for, `und` when none does or two do equally.

    Each word counts one, a single letter half, divided among the languages that have it: `no` is a word of English, Spanish and Portuguese
    and says little, `the` is a word of English alone.
    """
    scores: dict[str, float] = {}
    known = _known_words()
    for word in words:
        languages = known.get(word) or _languages_of(word)
        for language in languages:
            scores[language] = scores.get(language, 0.0) + (1 if len(word) > 1 else 0.5) / len(languages)
    ranked = sorted(((score, language) for language, score in scores.items()), reverse=True)
    if not ranked or ranked[0][0] < _LEAST_SCORE or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _TIE):
        return UNKNOWN
    return ranked[0][1]


@lru_cache(maxsize=1)
def _known_words() -> dict[str, tuple[str, ...]]:
    """Return {function word: the languages that have it}."""
    found: dict[str, tuple[str, ...]] = {}
    for language, known in _FUNCTION_WORDS.items():
        for word in known:
            found[word] = (*found.get(word, ()), language)
    return found


@lru_cache(maxsize=100_000)
def _languages_of(word: str) -> tuple[str, ...]:
    """Return the languages that have a word as a function word, or a letter of it almost alone."""
    word = word.replace("’", "'")
    found = _known_words().get(word, ())
    if found:
        return found
    if word.partition("'")[0] in _ELIDED and "'" in word:
        return ("fr",)
    return next((_LETTERS[letter] for letter in word if letter in _LETTERS), ())

"""The language of a note as an ISO 639-1 code, decided by script and, among Latin scripts, by function words.

It is only a label (`metadata.language`): tokens, search and scores treat every language alike.
"""

from memorybank.text.tokens import FIRST_CJK, TokenizedText, is_cjk, read

UNKNOWN = "und"
"""The text contains no letters (ISO 639-2 "undetermined")."""
_SAMPLE_PARTS = 200
_FUNCTION_WORDS = {
    "en": frozenset(str.split("the and of to in is that for it with as was on be this are by not or from")),
    "de": frozenset(str.split("der die und das den ist nicht von mit ein eine auf für dem des sich auch wird werden zu")),
    "fr": frozenset(str.split("le la les et des est une que pour dans pas sur du au avec qui ce sont par nous")),
    "es": frozenset(str.split("el la los las que y es una por con para del se no como más su al lo en")),
    "it": frozenset(str.split("il di che la è per un una non con del sono della le si da gli nel più anche")),
    "pt": frozenset(str.split("o a os que do da em um uma para com não é por mais dos das se na no")),
}
_SCRIPTS = (
    ("ru", "\u0400", "\u04ff"), ("el", "\u0370", "\u03ff"), ("he", "\u0590", "\u05ff"),
    ("ar", "\u0600", "\u06ff"), ("hi", "\u0900", "\u097f"), ("th", "\u0e00", "\u0e7f"),
)  # fmt: skip


def identify(text: str) -> str:
    """Return the language of `text` (`ja`, `en`, …), or `und` when it contains no letters."""
    return language_of(read(text))


def language_of(reading: TokenizedText) -> str:
    """Return the language of a text that is already split into parts; its first 200 parts decide.

    Half of a technical Japanese note is English identifiers. A text therefore counts as East Asian as soon as it has more than one
    CJK character for every two Latin words.
    """
    runs = ""
    words = []
    for part in reading.parts[:_SAMPLE_PARTS]:
        if part >= FIRST_CJK and is_cjk(part):
            runs += part
        elif part[0].isalpha():
            words.append(part.lower())
    if len(runs) * 2 > len(words):
        return _east_asian(runs)
    return _spaced(words) if words else UNKNOWN


def _east_asian(runs: str) -> str:
    if sum("\uac00" <= sign <= "\ud7a3" for sign in runs) * 2 > len(runs):
        return "ko"
    return "ja" if sum("\u3041" <= sign <= "\u3096" or "\u30a1" <= sign <= "\u30fa" for sign in runs) * 20 >= len(runs) else "zh"


def _spaced(words: list[str]) -> str:
    foreign = [word[0] for word in words if word[0] > "\u036f"]
    if len(foreign) * 2 > len(words):
        for language, first, last in _SCRIPTS:
            if sum(first <= sign <= last for sign in foreign) * 2 > len(foreign):
                return language
        return UNKNOWN
    counts = {language: sum(map(known.__contains__, words)) for language, known in _FUNCTION_WORDS.items()}
    return max(counts, key=lambda language: (counts[language], language == "en"))

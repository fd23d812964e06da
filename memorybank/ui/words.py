"""Texts of the page in English and Japanese, from the tables in `texts/`: one file for each tab, and `frame.toml` for what is on every page.

`reasons` translates the reasons that the bank gives.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

LANGUAGES = ("en", "ja")
_TABLES = ("frame", "home", "notes", "sessions", "knowledge", "archive", "settings", "names")
_PLURAL = re.compile(r"(\b[\d,]{1,30} \w+)\(s\)")


def _table(name: str) -> str:
    return (files("memorybank.ui") / "texts" / f"{name}.toml").read_text(encoding="utf-8")


def _sentences() -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield each key, `section.name`, with its text in English and Japanese."""
    for table in _TABLES:
        sections: dict[str, dict[str, tuple[str, str]]] = tomllib.loads(_table(table))
        for section, texts in sections.items():
            for name, (english, japanese) in texts.items():
                yield f"{section}.{name}", (english, japanese)


SENTENCES = dict(_sentences())
"""Key: (English, Japanese)."""
MESSAGES = frozenset(key for key in SENTENCES if key.startswith("told."))
_JAPANESE: dict[str, dict[str, str]] = tomllib.loads(_table("errors"))
ERRORS = _JAPANESE["error"]
"""Code of an error: what kind it is, in Japanese. The message itself is English, as in the commands."""
CHECKS = _JAPANESE["check"]
"""Id of a quick check of doctor: what it asks for, in Japanese."""


def text_of(language: str, key: str, **values: object) -> str:
    """Return the text of a key in a language.

    values: replace the names in braces; integers get thousands separators. `(s)` after a number and a word becomes its plural.
    """
    sentence = SENTENCES[key][LANGUAGES.index(language)]
    told = sentence.format(**{name: f"{value:,}" if isinstance(value, int) else value for name, value in values.items()})
    return _PLURAL.sub(lambda found: found[1] if found[1].startswith("1 ") else found[1] + "s", told) if "(s)" in sentence else told


def name_of(language: str, name: str) -> str:
    """Return what a rule, kind or part is called on the page; the name itself if it has no other."""
    key = f"name.{name}"
    return text_of(language, key) if key in SENTENCES else name


def preferred(accepted: str) -> str:
    """Return the language of the page with the highest weight in an `Accept-Language` header (RFC 9110, 12.5.4); otherwise English."""
    best, language = 0.0, LANGUAGES[0]
    for part in accepted[:400].split(","):
        name, _, parameters = part.strip().partition(";")
        weight = _weight(parameters)
        found = name.strip().partition("-")[0].lower()
        if found in LANGUAGES and weight > best:
            best, language = weight, found
    return language


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    digits = value.strip()
    return float(digits) if digits.replace(".", "", 1).isdigit() and digits.isascii() else 0.0

"""English word stems: the algorithm of M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980.

It is implemented here because a search process must not pay for importing a stemmer library. Each distinct word is stemmed
once (`tokens` caches the result). The results equal those of the reference implementation on its published vocabulary,
which a test checks on a sample.
"""

__light__ = True

_LETTERS = str.maketrans("abcdefghijklmnopqrstuvwxyz", "vcccvcccvcccccvcccccvcccyc")
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "abli": "able", "alli": "al", "entli": "ent", "eli": "e",
    "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous",
    "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = frozenset(str.split("al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize"))
_LAST_OF_STEP_2 = frozenset(str.split("al ci er li on or sm ss ti"))
_LAST_OF_STEP_3 = frozenset(str.split("al ss te ti ul ve ze"))
_LAST_OF_STEP_4 = frozenset(str.split("al ce er ic le nt on ou sm te ti us ve ze"))
"""The last two letters of the endings that a step replaces. Most words end otherwise."""


_APART = {"important": "important", "importance": "important", "importantly": "important", "general": "general", "generally": "general", "generic": "generic"}
"""Words that the algorithm confuses with others of programs: import, generate."""


def stem(word: str) -> str:
    """Return the stem of a word of lower-case ASCII letters. Words of one or two letters are their own stem."""
    if len(word) < 3:
        return word
    if word in _APART:
        return _APART[word]
    shape = _shape(word)
    # Each step looks at the ending, and most words have none of those that it replaces.
    if word[-1] == "s":
        word = _plural(word)
    if word[-1] in "dg":
        word, shape = _past_and_progressive(word, shape)
    if word[-1] == "y" and "v" in shape[: len(word) - 1]:
        word = word[:-1] + "i"
    if "vc" not in shape:
        return word  # its measure is 0, and every step below needs more
    if word[-2:] in _LAST_OF_STEP_2:
        word = _replaced(word, shape, _STEP_2, 7, 3)
    if word[-2:] in _LAST_OF_STEP_3:
        word = _replaced(word, shape, _STEP_3, 5, 3)
    if word[-2:] in _LAST_OF_STEP_4:
        word = _without_ending(word, shape)
    return _final_e_and_l(word, shape) if word[-1] in "el" else word


def _shape(word: str) -> str:
    """Return `v` or `c` for each letter; a `y` after a consonant is a vowel. The number of "vc" in it is Porter's measure m."""
    shape = word.translate(_LETTERS)
    if "y" not in shape:
        return shape
    shape, *others = shape.split("y")
    last, known = shape[-1:], [shape]
    for rest in others:
        sound = "v" if last == "c" else "c"
        last = rest[-1:] or sound
        known += (sound, rest)
    return "".join(known)


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _past_and_progressive(word: str, shape: str) -> tuple[str, str]:
    if word.endswith("eed"):
        return (word[:-1] if "vc" in shape[: len(word) - 3] else word), shape
    length = len(word) - (2 if word.endswith("ed") else 3 if word.endswith("ing") else 0)
    if length == len(word) or "v" not in shape[:length]:
        return word, shape
    word = word[:length]
    if word.endswith(("at", "bl", "iz")):
        return word + "e", shape[:length] + "v"
    if length > 1 and word[-1] == word[-2] and shape[length - 1] == "c" and word[-1] not in "lsz":
        return word[:-1], shape
    if shape[:length].count("vc") == 1 and _ends_short(word, shape[:length]):
        return word + "e", shape[:length] + "v"
    return word, shape


def _ends_short(word: str, shape: str) -> bool:
    """Porter's *o: the word ends with consonant, vowel, consonant, and the last is not w, x or y."""
    return shape[-3:] == "cvc" and word[-1] not in "wxy"


def _replaced(word: str, shape: str, table: dict[str, str], longest: int, shortest: int) -> str:
    for size in range(longest, shortest - 1, -1):
        ending = table.get(word[-size:]) if len(word) > size else None
        if ending is not None:
            return word[:-size] + ending if "vc" in shape[: len(word) - size] else word
    return word


def _without_ending(word: str, shape: str) -> str:
    for size in (5, 4, 3, 2):
        if len(word) > size and word[-size:] in _STEP_4:
            return word[:-size] if shape[: len(word) - size].count("vc") > 1 else word
    if word.endswith("ion") and word[-4:-3] in ("s", "t") and shape[: len(word) - 3].count("vc") > 1:
        return word[:-3]
    return word


def _final_e_and_l(word: str, shape: str) -> str:
    if word[-1] == "e":
        measure = shape[: len(word) - 1].count("vc")
        if measure > 1 or (measure == 1 and not _ends_short(word[:-1], shape[: len(word) - 1])):
            word = word[:-1]
    if word.endswith("ll") and shape[: len(word) - 1].count("vc") > 1:
        word = word[:-1]
    return word

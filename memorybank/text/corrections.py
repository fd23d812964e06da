"""Whether a prompt corrects the turn that it answers: "no, use tabs", "that's wrong", 「違います」, "undo that".

English is judged by the beginning of a sentence, Japanese by words in it and by its ending. Precision matters more than
recall, because a correction counts against the turn that it answers. Questions, quotations and pasted text do not count.
"""

from __future__ import annotations

__light__ = True

from memorybank.text import correction_words as words
from memorybank.text.sentences import LONGEST_SENTENCE, sentences
from memorybank.text.typed import typed

_SHORT = 24
_LONGEST_CORRECTION = 80
_SIGNS = dict.fromkeys(map(ord, ',.!?;:"`*()[]“”–—'), " ")
_DASH = " - "


def corrections(prompt: str) -> list[str]:
    """Return the corrections in a prompt, as typed. After a short sentence (`No.`, 違います。) the next one, which says what is wanted, is included."""
    carried: dict[str, None] = {}
    said = sentences(typed(prompt))
    for number, sentence in enumerate(said):
        following = said[number + 1] if number + 1 < len(said) else ""
        if len(sentence) <= LONGEST_SENTENCE and _corrects(sentence, following, first=number == 0):
            carried[sentence] = None
            if len(sentence) <= _SHORT and following:
                carried[following] = None
    return list(carried)


def _corrects(sentence: str, following: str, *, first: bool) -> bool:
    if any("\u3041" <= sign <= "\u30ff" for sign in sentence):
        return _japanese(sentence)
    return _english(sentence, _plain(following), first)


def _plain(sentence: str) -> str:
    """Return the sentence in lower case without punctuation, with one space between words and one at the end."""
    return " ".join(sentence.lower().replace(_DASH, " ").translate(_SIGNS).split()) + " "


def _english(sentence: str, following: str, first: bool) -> bool:
    lowered = _plain(sentence)
    plain = _without(lowered, words.FILLERS, repeated=True)
    question = sentence.endswith("?")
    if lowered.startswith(words.NO) and not question:
        rest = _without(_without(lowered, words.NO), words.FILLERS, repeated=True)
        # A bare "No." may only answer a question of the agent, so the following words have to continue with a correction.
        if not rest.strip():
            return first and following.startswith(words.NO_GOES_ON) and not following.startswith(words.NO_IS_FINE)
        return rest.startswith(words.NO_GOES_ON) and not rest.startswith(words.NO_IS_FINE)
    if lowered in words.ALONE:
        return first or bool(following.strip())
    if plain.startswith(words.WRONG):
        return not question or plain.startswith(("why did you ", "why would you "))
    return (
        first and not question and plain.startswith(words.DIRECTIONS) and (plain.endswith(" instead ") or " instead of " in plain or " rather than " in plain)
    )


def _without(text: str, beginnings: tuple[str, ...], *, repeated: bool = False) -> str:
    """Return `text` without the longest of `beginnings` that it starts with; `repeated`: until none is left, but never remove all of the text."""
    while True:
        fitting = max((beginning for beginning in beginnings if text.startswith(beginning)), key=len, default="")
        if not fitting or (repeated and len(text) == len(fitting)):
            return text
        text = text[len(fitting) :]
        if not repeated:
            return text


def _japanese(sentence: str) -> bool:
    plain = sentence.strip(" 　。！!.、…「」\"'`")
    if plain.endswith(("?", "？", "か", "かな", "かね", "の？")):
        return False
    plain = plain.rstrip("ねよなー〜～")
    if len(sentence) <= _LONGEST_CORRECTION and (
        plain.startswith(words.JAPANESE_WRONG_STARTS) or plain.endswith(words.JAPANESE_REPEATED_ORDER) or any(word in plain for word in words.JAPANESE_WRONG)
    ):
        return True
    return plain.endswith(words.REQUESTS) and any(word in plain for word in words.JAPANESE_INSTEAD)

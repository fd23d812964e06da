"""Recognises the sentence with which an agent says what it is about to do: "Let me check the log.", "Then I'll run it again.", 「次に移行を試します。」."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.endings import polite

_PLANS = lazy_pattern(
    r"^\W*(?:(?:now|so|and|then|well|yes|yeah|ok(?:ay)?|good|great|perfect|please|next|first|after that|tomorrow)\b[,.!:]? *)*"
    r"(?:(?:let me|let us|let['’]?s)(?![^.]{0,60}:\s)|i['’]ll|i will|i['’]m going to|i am going to|i should|(?:i )?(?:just |still |also )*need to"
    r"|(?:re-?)?run (?:the|it|this|that)\b.{0,40}\bagain)\b"
    r"|^\W*(?:まず|次に|続いて|これから)(?!は|[^。、]{0,20}[がは]|、[^。、]{0,20}は|[^。]{0,120}(?:の場合|なければ|それ以外))[^。]{0,120}(?<!お願いし)(?<!れ)(?:ます|ましょう)[。]?$|もう一度[^。]{0,80}(?:実行して|試し)|(?:試して|確認して|見て)み(?:ます|よう|ましょう)",
    "i",
)


def plans(sentence: str) -> bool:
    """Return whether a sentence begins with what its speaker is about to do, or wants done next."""
    return _PLANS.search(polite(sentence)) is not None

"""One durable sentence of a person. `statements` finds such sentences, `traits` says what one alone says, `superseding` compares two."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

CONSTRAINT, PREFERENCE, ENVIRONMENT, PROCEDURE = "constraint", "preference", "environment", "procedure"
CORRECTION, EXPECTATION = "correction", "expectation"
STANDING, LASTING, PREFERRING, REPRIMAND, UNNAMED = "standing", "lasting", "preferring", "reprimand", "unnamed"
PERMISSION, FOR_GOOD, ALLOWING, RETURNING = "permission", "for_good", "allowing", "returning"
IN_A_LANGUAGE, AGAIN = "language", "again"
"""Traits of a statement (`traits`)."""
_WITHOUT_SUBJECT = lazy_pattern(
    r"^\W*(?:always|never) (?:takes? place|happens?|occurs?|exists?|belongs?|appears?)\b|"
    r"^\W*(?:(?:also|and|but|so|then|ok(?:ay)?|no|yes|please)\W+)*(?:it|this|that|these|those|they)(?: also| really| just)?"
    r" (?:should|must|can|could|may|needs?|has|have|will|won|would|is|are|does|do|never|always)\b"
    r"|^\W*(?:(?:and|but|so|also)\b\W*)*(?:if|when|whenever|once|unless|in case|should)\b (?:(?:we|you|i|they|anyone|anybody|somebody"
    r"|someone) (?=[^,]*\b(?:ever|again)\b)(?:ever |really |want to |have to |need to |decide to |should )*\w+(?: \w+)? (?:it|this|that|them)\b"
    r"|(?:it|this|that|they) (?:ever\b|\w+ (?:up |back )?again\b|comes? (?:up|back)\b|returns?\b))"
    r"|^(?:もし|仮に|あと|でも|ただ)?、?(?:また|次に?|今度|再び|再度|もう一度|(?<=もし))(?:やる|する|使う|作る|入れる|やり直す|復活させる|試す)(?:こと(?:が|に)(?:あれば|なったら|なれば)|なら|とき|時|場合|際)"
    r"|^\W*(?:そ|こ)(?:れ(?:ら)?|の(?:場合|時|とき))(?:は|が|も|を)|^[^\s、。は]{1,10}\s?(?:で|に|と|を|から|経由で)[。！!]*$",
    "i",
)
"""Matches a sentence about something that only its conversation names: "it should never create a branch", 「日本語で」."""


class Statement:
    """A durable sentence of a person.

    kind: `constraint`, `preference`, `environment`, `procedure`, `correction`, or `expectation` (`expectations`)
    text: the sentence, at most 400 characters
    subject: its key, sorted stems and identifiers separated by spaces; "" when it has none
    terms: those of the subject
    """

    __slots__ = ("kind", "subject", "terms", "text")

    def __init__(self, kind: str, text: str, subject: str) -> None:
        self.kind = kind
        self.text = text
        self.subject = subject
        self.terms = frozenset(subject.split())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Statement) and (self.kind, self.text, self.subject) == (other.kind, other.text, other.subject)

    def __hash__(self) -> int:
        return hash((self.kind, self.text, self.subject))

    def __repr__(self) -> str:
        return f"Statement({self.kind!r}, {self.text!r}, {self.subject!r})"


_REPRIMANDS = lazy_pattern(
    r"^\W*(?:(?:no|and|but|so|well|hey|again|claude|please|sorry)\b\W*)*(?:you|we|it|that|this|he|she|they|claude|nobody|somebody|someone|the agent)\b"
    r"[^,;:]{0,24}?\b(?:should|must|could|ought to|need|might)(?:n['’]?t)?\b(?: \w+){0,2}? (?:have|['’]ve|of) (?:(?:\w+ly|just|never|not|at least|been) ){0,2}"
    r"(?:\w+(?:ed|en|wn)|run|rerun|done|gone|made|kept|left|put|set|read|told|said|built|sent|had|found|got|cut|let|held|brought|lost|split|hit|thought"
    r"|begun)\b(?!.*[,;:.–—-] (?:and |so |but |please )*(?:always|never|please|don['’]?t|do not|next time|from now on|in (?:the )?future|ask)\b)"
    r"|(?:べき|はず)(?:では?なかった|じゃなかった|だった)(?:です)?(?:のに|よね|よ|ね|と思)?[。！!]*$|(?:なければ|ないと)いけなかった|[てで]ほしくなかった",
    "i",
)
"""Matches what should have been done, or not have been done: it has happened, and says nothing about later work by itself."""


def is_reprimand(text: str) -> bool:
    """Return whether a sentence reprimands for what has happened, and orders nothing for later."""
    return _REPRIMANDS.search(text) is not None


def lacks_subject(text: str) -> bool:
    """Return whether a sentence does not say what it is about, so that nobody understands it without its conversation."""
    return _WITHOUT_SUBJECT.search(text) is not None

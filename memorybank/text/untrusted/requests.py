"""Decides whether stored text asks its reader to do something, in English and Japanese.

A rule of a team ("Run the tests before a push.") is worth keeping and is quoted as a rule. A text that addresses an agent behind its
people's backs is never quoted (`against`).
"""

import re
from collections.abc import Iterator

from memorybank.text.prompts.corrections import corrections
from memorybank.text.untrusted import against

is_against_people = against.is_against_people

_BEGINS = frozenset(
    str.split("""add always append apply ask avoid be build call change check choose clean commit copy create delete deploy disable do don't drop enable ensure
    execute fetch fix follow give import include install keep leave let make merge move must never note open pass please prefer print pull push put read
    rebase remember remove rename replace restart return revert run save send set ship skip start stay stop switch tag take tell test treat try turn update
    upgrade use validate verify wait watch write""")
)
_REQUEST = re.compile(
    r"\b(?:you|we|everyone|everybody|agents?|contributors?|developers?) (?:must|should|shall|have to|need to|are to|may not|can ?not)\b"
    r"|(?<!what )(?<!that )(?<!which )\bmust\b|\bdo not\b|\bplease\b"
    r"|\b(?:we|i) (?:always|never|don't|do not|prefer)\b|^\W*no \w+s\b(?! (?:is|are|was|were|has|have|can)\b)"
    r"|(?:(?<!と)して|ないで|[書使]\w?て|てください|て下さい|ましょう|なさい|(?<!という)こと|べき(?:だ|です|である)?|なければならない|てはならない|てはいけない|禁止(?:だ|です|する)?|せよ|しろ|するな|必須(?:だ|です)?)\W*$"
    r"|^\W*(?:必ず(?!しも)|絶対に|決して)",
    re.IGNORECASE,
)
_NOUNS = (
    "build|call|change|clean|commit|copy|create|delete|deploy|drop|fetch|fix|follow|import|include|install|merge|move|open|pass|print|pull|push|put|read|release"
    "|rename|restart|return|revert|run|save|send|set|ship|skip|start|stop|switch|tag|test|update|upgrade|use|wait|watch|write|keep|must"
)
"""Words of `_BEGINS` that are also nouns, or begin compound ones: "test data", "return values", "keep-alive"."""
_FINITE = (
    "is|are|was|were|has|have|had|can|cannot|isn't|aren't|does|lives?|lag|lags|belongs?|ended|ends|began|begins|takes?|took|comes?|goes|contains?|depends?|expires?"
    "|fails?|works?|happens?|stays?|costs?"
)
_OF_ORDERS = (
    "the|an?|this|that|these|those|it|them|all|any|every|each|your|our|my|with|to|at|if|when|which|who|where|because|only|after|before|until|unless|while|as|by"
    "|into|from|for|first|and|or|not|so|then|again|now"
)
"""Words that follow a verb, or begin what follows from it: an order has one of them before its next verb ("test the build before it is released")."""
_NAMES = re.compile(
    rf"\W{{0,3}}(?:(?:{_NOUNS})(?:-[a-z]+)?(?: (?!(?:{_OF_ORDERS})\b)[\w./'-]+(?: of (?:the |an? )?[\w-]+)?){{0,3}} (?:{_FINITE})\b"
    rf"|(?:{_NOUNS}) of (?:the |an? )?[\w-]+|(?:set|must|keep|read|write|run|test)-[a-z]+\b"
    rf"|(?:{_NOUNS}|note)(?: [a-z]*[a-rt-z]| [a-z]+ of (?:the |an? )?[\w -]+)?:(?=\s))",
    re.IGNORECASE,
)
"""Matches a sentence that begins with one of these as a noun: its verb comes later ("Deploy keys belong to …"), or it names a value ("Restart policy: …")."""
_DEFINES = re.compile("とは|[:：]")
"""A Japanese sentence that defines a word may end like an order."""
_SIGNS = 3
"""Maximum number of list or emphasis characters before the first word."""
_WORD = re.compile(r"[a-z']+", re.IGNORECASE)
HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f\x00-\x08\x0e-\x1f\x7f]")
"""Zero-width, direction-changing and tag characters (UTR 36, Trojan Source), and control characters. Joiners are not among them, because emoji and
scripts need them."""
_CUT = re.compile(r"(?<=[.!?])(?=\s|[^\W\d_a-z]|\W|$)\s*|(?<=[。！？;；])\s*|\n")
"""Matches the end of a sentence, also without a space after it, but not within a file name or a version ("poetry.lock", "v2.3")."""


def requests_in(text: str) -> Iterator[str]:
    """Yield the sentences of the text that, read on their own, ask for something to be done or not done."""
    return (sentence for sentence in _CUT.split(text) if sentence and _is_request(sentence))


def _is_request(sentence: str) -> bool:
    named = _NAMES.match(sentence)
    if named is not None:
        return _is_request(sentence[named.end() :]) if sentence[: named.end()].endswith(":") else _REQUEST.search(sentence) is not None
    first = _WORD.search(sentence)
    if first is not None and first.start() <= _SIGNS and "`" not in sentence[: first.start()] and first[0].lower() in _BEGINS:
        return True
    asked = _REQUEST.search(sentence)
    if asked is not None and asked[0].startswith("こと") and _DEFINES.search(sentence):
        asked = None
    return asked is not None or corrections(sentence) != []

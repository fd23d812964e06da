"""Measures the substance of a note: sentences that decide, rule or explain, distinct figures and identifiers, and the kind of note.

The counts are rough, fast and the same everywhere: regular expressions over the text in English and Japanese, no model.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.signs import SignWords
from memorybank.text.word_terms import DIGIT
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

READ_CHARACTERS = 50_000
"""Text after this many characters is not counted. The counts of a longer note say enough."""

WORTH, NEUTRAL, PASSING = 1, 0, -1
"""The kinds of notes: written to be looked up (decision, incident, rule, glossary …), unknown, and written for the day (log, draft, stub …)."""

_DATED_SHARE = 3
"""A text of which one sentence in this many begins with a date or a time is a log."""
_LEAST_DATED = 3

_SENTENCE_END = lazy_pattern(r"[.!?。！？\n](?:(?<=[。！？\n])|\s+)")
"""A search skips to the next character of the set."""
_WORD = lazy_pattern(r"\w")
_STATES = lazy_pattern(
    r"\b(?:never|always|must|do not|don't|avoid|forbidden|prohibited|required?|requires|ensure|unless|otherwise|only (?:if|when|after|through)"
    r"|decided|decision|chose|chosen|because|since then|therefore|instead of|rather than|rejected|trade-?off|reason"
    r"|root cause|caused?|incident|outage|regress(?:ed|ion)|broke|breaks|fails?|fix|workaround|remedy|lesson|bit us|lost|loses|leak(?:s|ed)?|corrupt\w*"
    r"|important|critical|careful|beware|warning|caution|gotcha|note that|deprecated|guarantees?|invariant|at most|at least|limit|means|stands for)\b",
    "ai",
)
_STATE_WORDS = SignWords(
    "never always must do don avoid forbidden prohibited require required requires ensure unless otherwise only decided decision chose chosen because since"
    " therefore instead rather rejected trade tradeoff reason root cause caused incident outage regress* broke breaks fail fails fix workaround remedy"
    " lesson bit lost loses leak leaks leaked corrupt* important critical careful beware warning caution gotcha note deprecated guarantee guarantees"
    " invariant at limit means stands"
)
"""The words without which `_STATES` matches nothing."""
_STATES_JAPANESE = lazy_pattern(
    r"必ず|必須|禁止|厳禁|しないこと|ないこと|べき|してはならない|してはいけない|決定|決めた|採用|却下|見送|理由|なぜなら|ためだ|ため、|ためです|代わりに|ではなく"
    r"|原因|障害|不具合|対処|対策|回避|再発|教訓|注意|重要|警告|罠|落とし穴|とは、|を指す|意味する|でなければ|ない限り|しない限り|保証|上限|まで待つ|失われ|壊れ"
)
_DEFINES = lazy_pattern(r"^\s*(?:[-*+|]\s*)?(?:\*\*|`)[^*`\n]{1,60}(?:\*\*|`)\s*(?:[:：—–=(（|,、]|\bis\b|\bare\b)")
"""A term with its definition, as in a glossary."""
_DATED = lazy_pattern(r"^\W*(?:\d{4}[-/]\d{1,2}[-/]\d{1,2}|\d{1,2}:\d{2}|\d{1,2}月\d{1,2}日|\d{1,2}/\d{1,2}\b)")
_MOMENT = lazy_pattern(
    DIGIT + r"(?:\d{3}[-/]\d{1,2}(?:[-/]\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?|(?<!\w\d)\d?:\d{2}(?::\d{2})?\b|\d?月\d{1,2}日|\d{3}年)"
)
"""It begins with a digit, so that a search skips everything else."""
_PLAIN = r"(?:(?<![a-z])[a-z]++(?![\w/~-]|\.[\w./~-])|[^\x00-\x7f]++|[ \n,;:!?()*#>|=\[\]\"']++)++"
"""Words and signs in which nothing specific begins. They are skipped in one step."""
_SPECIFIC = lazy_pattern(
    rf"{_PLAIN}|("
    r"`[^`\n]{1,80}`|[\w.~-]{0,200}+/[\w./-]{0,300}\w|(?<![\w-])--[a-z][\w-]*|[A-Za-z][A-Za-z0-9]{0,100}+_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z][A-Z0-9]{1,9}\b"
    r"|\b\w+\.(?:py|js|ts|md|json|toml|ya?ml|sh|go|rs|sql|com|org|io)\b|\d[\d.,]*(?: ?(?:%|[kKMG]i?B|ms|min|days?|hours?|seconds?))?)",
    "a",
)
"""Group 1 is empty for what is skipped. The repetitions before a sign are bounded: in a row of letters, each letter may begin a path or an identifier."""
_WORTHY = lazy_pattern(
    r"\b(?:decisions?|decided|adr|incidents?|post-?mortems?|outages?|rules?|polic(?:y|ies)|conventions?|constraints?|gotchas?|pitfalls?|lessons?|security"
    r"|runbooks?|reference|glossary|terms|architecture|invariants?|promises?|never|always|why|how[ -]to|procedures?)\b"
    r"|決定|判断|障害|事故|規則|ルール|方針|規約|制約|用語|手順|教訓|罠|仕様|約束|要点",
    "ai",
)
_PASSING_TAG = lazy_pattern(
    r"(?:work|daily|dev|debug)-?log|journal|diary|scratch|draft|stub|wip|stand-?up|minutes|misc|tmp|temp|日誌|日報|作業ログ|下書き|雑記|議事録", "i"
)
_PASSING_TITLE = lazy_pattern(
    r"\b(?:work|daily|dev|weekly|build|meeting|debug)[- ](?:log|notes|journal|diary|report)\b"
    r"|\b(?:stub|draft|wip|scratch|stand-?up|minutes|placeholder|untitled)\b"
    r"|^\W*(?:log|journal|diary)\W*(?:of\b|for\b|\d|$)|作業(?:ログ|記録|日誌)|日誌|日報|下書き|雑記|議事録|書きかけ",
    "ai",
)


class NoteSubstance(Value):
    """The substance of a note.

    sentences: number of sentences and lines with words.
    statements: number of those that decide, rule, warn, explain or define.
    specifics: number of distinct figures, identifiers, paths and code spans; dates and times are not counted.
    kind: `WORTH`, `NEUTRAL` or `PASSING`.
    """

    sentences: int
    statements: int
    specifics: int
    kind: int


def measure(body: str, title: str, tags: Iterable[str]) -> NoteSubstance:
    """Return the substance of a note.

    body: the text without front matter. tags: tags and topics, also the folder.
    """
    text = body[:READ_CHARACTERS]
    sentences = [part for part in _SENTENCE_END.split(text) if part[:1].isalnum() or _WORD.search(part)]
    statements = sum(map(_states, sentences))
    specifics = {found.strip("`").lower() for found in _SPECIFIC.findall(_MOMENT.sub(" ", text)) if found}
    return NoteSubstance(len(sentences), statements, len(specifics), _kind(title, tuple(tags), sentences))


def _states(sentence: str) -> bool:
    """Return whether a sentence decides, rules, warns, explains or defines."""
    if _STATE_WORDS.may_be_in(sentence.lower()) and _STATES.search(sentence) is not None:
        return True
    if not sentence.isascii() and _STATES_JAPANESE.search(sentence) is not None:
        return True
    return ("**" in sentence or "`" in sentence) and _DEFINES.match(sentence) is not None


def _kind(title: str, tags: tuple[str, ...], sentences: list[str]) -> int:
    # What begins with a letter begins with no date.
    dated = sum(1 for part in sentences if not part[0].isalpha() and _DATED.match(part))
    if _PASSING_TITLE.search(title) or any(_PASSING_TAG.fullmatch(tag) for tag in tags):
        return PASSING
    if dated >= _LEAST_DATED and dated * _DATED_SHARE >= len(sentences):
        return PASSING
    return WORTH if _WORTHY.search(title) or any(_WORTHY.search(tag) for tag in tags) else NEUTRAL

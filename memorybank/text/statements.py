"""Finds statements of a person in a prompt that remain valid after the task: constraints, preferences, environment facts, procedures, corrections.

The words of a sentence decide whether it is durable: "always", "never", "anything", "every"; "we use", "I prefer"; something to do before
a commit. Requests for now, questions, doubts, reports of events and pasted text are not durable. Precision matters more than recall,
because a stored statement is repeated to agents for months.
"""

from __future__ import annotations

__light__ = True

from memorybank.text import statement_patterns as patterns
from memorybank.text.corrections import corrections
from memorybank.text.function_words import ASKING, ASKING_JAPANESE
from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import LONGEST_SENTENCE, sentences
from memorybank.text.stated import CORRECTION, Statement
from memorybank.text.statement_patterns import CONSTRAINT as CONSTRAINT
from memorybank.text.statement_patterns import ENVIRONMENT
from memorybank.text.statement_patterns import PREFERENCE as PREFERENCE
from memorybank.text.statement_patterns import PROCEDURE as PROCEDURE
from memorybank.text.terms import content_terms
from memorybank.text.typed import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_MOST = 8
_LONGEST_TEXT = 300
_SUBJECT_TERMS = 6
_LEAST_CORRECTION = 2
"""Minimum number of content terms that make a correction understandable without the turn that it answers."""
_IT = lazy_pattern(patterns.IT, "i")
_NAMED = lazy_pattern(rf"{patterns.NAME}|(?-i: [A-Z]\w+)")
_QUOTED = lazy_pattern(r'"[^"\n]{40,}"|「[^」\n]{25,}」')


def statements(prompt: str) -> list[Statement]:
    """Return at most eight statements of the person who typed `prompt`, in order. Corrections count only if they say what is wanted."""
    corrected = corrections(prompt)
    found: dict[str, Statement] = {}
    before = ""
    for sentence in sentences(typed(prompt)):
        if sentence in found:
            continue
        kind = kind_of(sentence)
        # "Remember this." is about the sentence before it.
        if before and _holds(patterns.ONLY_REMEMBER, sentence):
            kind, sentence = kind_of(before) or ENVIRONMENT, before
        elif before and _holds(patterns.ONLY_ALWAYS, sentence) and not _holds(patterns.QUESTION, before):
            kind, sentence = kind_of(before) or PREFERENCE, before
        before = sentence
        about = _about(sentence)
        if kind is None and sentence in corrected and len(about) >= _LEAST_CORRECTION and not _holds(patterns.UNDOING, sentence):
            kind = CORRECTION
        if kind is not None and about:
            found[sentence] = Statement(kind, sentence[:_LONGEST_TEXT], subject_of(about))
    return list(found.values())[:_MOST]


def subject_of(about: list[str]) -> str:
    """Return the key of a sentence with these terms: at most six, identifiers before words and long ones before short ones, then sorted."""
    ranked = sorted(about, key=lambda term: (term.isascii() and term.isalpha(), -len(term), term))
    return " ".join(sorted(ranked[:_SUBJECT_TERMS]))


def subject(sentence: str) -> str:
    """Return the key of one sentence, "" when it has none."""
    return subject_of(_about(sentence))


def _about(sentence: str) -> list[str]:
    return [term for term in content_terms(sentence) if term not in _POLARITY and term not in ASKING and term not in ASKING_JAPANESE]


_POLARITY = frozenset(
    str.split("""alwai never must allow forbidden prohibit prefer want us anymor ever everywher instead without befor after whenev everi onli everyth anyth
    actual realli fail flaki broken error also mind refer futur forget nope done sure ensur better rather thei don won isn aren shouldn mustn cannot no not
    必ず 絶対 常に 毎回 今後 以後 禁止 二度 一切 決し 決して 前に 後に 覚え 忘れ 記憶""")
)


def kind_of(sentence: str) -> str | None:
    """Return the kind of one sentence read alone, None if it is not durable. Corrections need the entire prompt (`text.corrections`)."""
    if len(sentence) > LONGEST_SENTENCE:
        return None
    plain = _QUOTED.sub('"…"', sentence)
    return _japanese(plain) if any("ぁ" <= sign <= "ヿ" for sign in plain) else _english(plain)


def _english(sentence: str) -> str | None:
    asked = patterns.FILLERS.sub("", sentence, count=1)
    kind = _first(patterns.ALWAYS_TRUE, asked)
    if kind is not None or _holds(patterns.DOUBTS, asked) or _holds(patterns.QUESTION, asked):
        return kind
    from memorybank.text import statement_patterns_tools as tools

    return _first(patterns.STATED, asked) or (ENVIRONMENT if _is_ours(asked) else _first(tools.ENGLISH, asked))


def _japanese(sentence: str) -> str | None:
    from memorybank.text import statement_patterns_japanese as japanese
    from memorybank.text import statement_patterns_tools as tools

    if _holds(japanese.QUESTION, sentence):
        return None
    kind = _first(japanese.ALWAYS_TRUE, sentence)
    if kind is not None or _holds(japanese.PASSING, sentence) or _holds(japanese.REPORT, sentence):
        return kind
    return _first(japanese.STATED, sentence) or _first(tools.JAPANESE, sentence)


def _first(table: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...], sentence: str) -> str | None:
    lowered = sentence.lower()
    for kind, needed, pattern in table:
        if any(word in lowered for word in needed) and pattern.match(sentence):
            return kind
    return None


def _holds(pattern: re.Pattern[str], sentence: str) -> bool:
    return pattern.search(sentence) is not None


def _is_ours(asked: str) -> bool:
    """Return whether a sentence says what a team uses, has or does. "We have" and similar verbs count only with something that has a name."""
    if "we " not in asked.lower() or _IT.match(asked):
        return False
    for found in patterns.WE.finditer(asked):
        if not patterns.NO_FACT.match(found["rest"]):
            named = found["what"].lower() not in patterns.WEAK or _NAMED.search(found["rest"]) is not None
            if named or (found["how"] or "").strip().lower() in ("always", "never", "only"):
                return True
    return False

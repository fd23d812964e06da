"""Finds statements of a person in a prompt that remain valid after the task: constraints, preferences, environment facts, procedures, corrections.

No single word makes a sentence durable. What speaks for it (how long and how widely it holds, who says what about which kind of thing) and against
it (it points at something of the conversation, at the moment, at one part of the product) is added up (`evidence_english`,
`evidence_japanese`). Questions, doubts, reports of events and pasted text are not durable. Precision matters more than recall, because a
stored statement is repeated to agents for months.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.announced import SEVERAL, unlabelled
from memorybank.text.prompts.called import forbids_again, returns
from memorybank.text.prompts.clauses import bound, clauses, orders_beside, without_connective
from memorybank.text.prompts.complaints import blames, complaint
from memorybank.text.prompts.corrections import corrections
from memorybank.text.prompts.evidence import A_FAULT, ENOUGH, FOR_NOW, OF_THE_SENTENCE, SAID_AGAIN
from memorybank.text.prompts.lasting import is_end_of_rule
from memorybank.text.prompts.objectless import adds, is_fragment, is_unnamed, lacks_object, only_answers
from memorybank.text.prompts.objects import limits
from memorybank.text.prompts.oneself import of_oneself, subject_of_oneself
from memorybank.text.prompts.permissions import UNSAID, binds_again, permission_of, takes_back, without_turn
from memorybank.text.prompts.reversing import reverses
from memorybank.text.prompts.sentences import LONGEST_SENTENCE, is_reason, joined, sentences
from memorybank.text.prompts.spelling import repaired
from memorybank.text.prompts.stated import CONSTRAINT, CORRECTION, ENVIRONMENT, PREFERENCE, PROCEDURE, Statement, is_reprimand, lacks_subject
from memorybank.text.prompts.typed import instructs, typed
from memorybank.text.words.pointing import opens
from memorybank.text.words.scripts import is_japanese
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING, ASKING_JAPANESE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from memorybank.text.prompts.evidence import EvidenceTable
    from memorybank.text.prompts.unstated import Unstated

_MOST = 8
_LONGEST_TEXT = LONGEST_SENTENCE
"""Maximum length in characters of a statement: a whole sentence, whose last words may forbid something."""
_SUBJECT_TERMS = 6
_LEAST_CORRECTION = 2
"""Minimum number of content terms that make a correction understandable without the turn that it answers."""
_ONLY_ALWAYS = lazy_pattern(r"^\W*(?:always|every time|each time|from now on|いつも|毎回|必ず|今後も?|これからも?)\W*$", "i")
"""Sentences that say of the one before that it lasts: "Use uv. Always."."""
_ONLY_REMEMBER = lazy_pattern(
    r"^\W*(?:please |and |so )*(?:remember|memori[sz]e|(?:keep|bear) (?:(?:this|that|it|these) )?in mind|don't forget|do not forget|(?:take|make a) note)"
    r"(?: (?:of )?(?:this|that|it|these))?(?: for (?:the )?(?:future|next (?:time|sessions?)|later(?: (?:work|sessions?))?|good))?(?: please)?\W*$"
    r"|^\W*(?:今後|これから|次回)?(?:のために|も|は)?、?(?:これ|それ|この\S{1,4}|以上)?[をも]?(?:覚えて|記憶して|忘れないで|メモして)\S*$",
    "i",
)
"""Sentences that only refer to the one before."""
_ONLY_REPEATED = lazy_pattern(
    r"^\W*(?:(?:and|but|as|like|well|no) )*(?:i(?:'ve| have)? (?:already )?(?:said|told you|asked(?: you)?|mentioned)(?: (?:that|this|it|so|you))*"
    r"(?: (?:already|before|twice|again|\w+ times|last \w+|yesterday)){0,6}|you (?:already )?know (?:that|this|it)|how (?:many times|often)(?: .{0,40})?"
    r"|(?:same|like) as (?:always|last time|before)|as (?:always|usual|before))\W*$"
    r"|^\W*(?:だから|もう)?(?:前|以前|さっき|何度|いつ|何回)(?:に)?も(?:そう)?(?:言|頼|お願い|伝え)[^、\s]*$|^\W*何(?:度|回)(?:も)?(?:言"
    r"|頼)[^、\s]*$|^\W*いつも(?:の)?(?:通り|とおり|どおり)[^、\s]{0,6}$",
    "i",
)
"""Sentences that only say that the one before was said earlier: "I said that already."."""
_ABOUT_BEFORE = lazy_pattern(
    r"^\W*(?:and |so |please )*(?:(?:from (?:now|here) on|in (?:the )?future|going forward|next time|ever again)\b.{0,30}"
    r"|(?:never|always|don't|do not|please don't) do (?:this|that|it|so)\b.{0,20}|(?:never|do not|please don't|don't) \w+ (?:it|this|that|them) (?:again|ever)"
    r"\W*)$|^\W*(?:今後|これから|次(?:回)?から|今度から|もう二度と)[はも]?[^、。は]{1,12}[。！!]*$",
    "i",
)
"""Sentences that forbid or order for the future what the one before names: "Don't do that in future."."""
_LIMITS_BEFORE = lazy_pattern(r"^\W*(?:but|except|only|just not|not)\b|^\W*(?:ただし?|でも|だけど)[、,]", "i")
"""Sentences that limit the permission before them: "But not on Fridays."."""
_LISTED = lazy_pattern(r"(?<=[;；、])|(?<=,)(?= )")
_UNFINISHED = lazy_pattern(r"(?:[はがをにでもとてらしばく]|ので|から|けど)、$")
"""A part of a Japanese sentence that goes on after its comma."""
_SHORT_BEFORE = 120
"""Maximum number of characters before a sentence that has no subject of its own: "I looked at the tests. They are slow."."""
_SHORTEST_CLAUSE = 2
"""Minimum number of content terms of a part of a sentence that is kept alone."""
_UNDOING = lazy_pattern(
    r"^\W*(?:(?:no|nope|please|wait|actually|sorry|ok|just)\W+)*(?:(?:revert|undo|ignore|remove|put|roll|stop|try|do|keep|leave|change|move|go"
    r"|rename|use|make|set|call)\b.*"
    r"\b(?:this|that|these|those|it|them|back)\b|don't do (?:this|that)\b|(?:that|this)(?:'s| is)? (?:wrong|not (?:right|correct)),? i\b|(?:revert|undo)\b)"
    r"|(?:元|もと)に戻|取り消し",
    "i",
)
"""Corrections that have no meaning without the turn that they answer."""

_OF_THE_PERSON = lazy_pattern(
    r"^\W*(?:(?:and|but|so|also|btw|fyi|personally|well)\b\W*)*i(?:['’]m| am)? (?:\w+ly )?(?:myself )?(?:always|never|usually|mostly|normally|generally"
    r"|mainly|often|only|tend to|personally)\b (?!want|expect|like|prefer|need|ask|hate|require|insist|love"
    r"|wish|appreciate|mean|say|said|told|review|merge|accept)"
    r"(?!.*\b(?:you|your|we|our|us|please|claude|agents?|everyone|anyone|repo|project|code ?base|give|show)\b)"
    r"|^\W*(?:ちなみに|あと|なお)?[、 ]?(?:私|僕|俺|自分|わたし)は(?!.*(?:ください|下さい|ほしい|欲しい|お願い|うち|チーム"
    r"|プロジェクト|リポジトリ|すること|[てで]ね)).*(?:いつも|普段|ふだん|必ず|常に|基本|たいてい|大体|主に|絶対)",
    "i",
)
"""Matches what only the person does ("I always use tabs"): a fact about them, not a rule of the project."""
_ORDERS = lazy_pattern(
    r"(?:^|[,;:.–—-] |\b(?:so|and|but|because|since) )(?:(?:so|and|but|then|please|pls|just)\b,? ){0,3}"
    r"(?:(?:never|do not|don['’]?t) (?!(?:mind|worry|forget|remember|know|think|have|has|need|in|on|at|for|by|from|with|when|while|once|the|an?|been|was)\b)\w"
    r"|always (?!(?:in|on|at|for|by|from|with|the|an?|been)\b|\w+(?:s|ed|ing)\b)\w|(?:please|pls) (?:ask|leave|keep|use|stay|treat|only)\b"
    r"|avoid \w|no more \w|stop \w+ing\b)",
    "i",
)
"""Matches an order to do or not to do something, in any part of a sentence: "main is protected, never push to it"."""


def statements(prompt: str, before_it: str = "") -> list[Statement]:
    """Return at most eight statements of the person who typed `prompt`, in order. Corrections count only if they say what is wanted.

    before_it: what the person typed before in the same session. What only details a request there states nothing.
    """
    if instructs(prompt):
        return []
    corrected = corrections(prompt)
    found: dict[str, Statement] = {}
    before = ""
    # "I take that back, never …" goes back to a rule, and what it says comes after the comma.
    turned = [without_turn(one) if binds_again(one) else one for one in sentences(typed(prompt))]
    as_typed = {meant: one for one in turned if (meant := repaired(one)) != one}
    typed_in, announced = unlabelled([repaired(one) for one in turned], _items)
    unstated: Unstated | None = None
    for number, sentence in enumerate(typed_in):
        if sentence in found:
            continue
        kind, said = _stated(sentence, before, is_announced=number in announced)
        if said == sentence:
            kind, said = _with_neighbour(kind, sentence, before, found)
        if kind in (None, ENVIRONMENT) and (clause := of_oneself(sentence)):
            kind, said = PREFERENCE, clause
        if before and said != before and said.startswith(before):
            found.pop(before, None)
        elif kind == ENVIRONMENT and before in found and only_answers(before):
            found[before].text = joined((found[before].text, sentence))  # why it is so says what it is about
            kind = None
        # What a sentence is about is read only where it matters: most sentences of a long prompt state nothing.
        complained = complaint(said)[0]
        about = _about(said) or complained.split() if kind is not None or said in corrected or complained else []
        if kind is None and (complained or len(about) >= _LEAST_CORRECTION) and not _holds(_UNDOING, said):
            kind = CORRECTION
        if kind is not None and about and unstated is None:
            from memorybank.text.prompts.unstated import Unstated  # late: most prompts state nothing

            unstated = Unstated(typed_in, sentences(typed(before_it)), announced, typed(prompt))
        if kind is not None and about and unstated is not None and not unstated.contains(number, kind, said):
            written = without_connective(_as_typed(said, as_typed))
            found[said] = Statement(kind, written[:_LONGEST_TEXT], subject_of_oneself(said) or subject_of(about))
        if announced.get(number) == SEVERAL and (said in found or is_reason(sentence)):
            announced[number + 1] = SEVERAL
        # A reason speaks of the same as the sentence before it, and so does what follows it. "They are slow." is about what that one is about.
        if not before or not is_reason(sentence):
            is_more = kind is None and before and lacks_subject(said) and len(before) < _SHORT_BEFORE
            before = said if not is_more else before if before in found else joined((before, said))
    orders = [one for said, one in found.items() if one.kind != CORRECTION or said in corrected or not complaint(said)[0]]
    return (orders or list(found.values()))[:_MOST]  # an order beside a complaint says what is wanted


def _as_typed(said: str, as_typed: Mapping[str, str]) -> str:
    """Return what a sentence states in the person's spelling. as_typed: {repaired sentence: the typed one}"""
    for meant, one in as_typed.items():
        said = one if meant == said else said.replace(meant, one)
    return said


def _items(sentence: str) -> list[str]:
    """Return the parts of a list in one sentence: "no emojis, squash before merging". A part that does not stand alone stays with the one before it."""
    found: list[str] = []
    for part in filter(None, _LISTED.split(sentence)):
        if found and _UNFINISHED.search(found[-1]) is None and _is_item(part.strip()):
            found[-1] = found[-1].rstrip(",;、； ")
            found.append(part.strip())
        else:
            found = [*found[:-1], "".join(found[-1:]) + part]
    return found


def _is_item(part: str) -> bool:
    is_kept = kind_of(part, ENOUGH if limits(part) else 0) is not None
    return is_kept and bool(_about(part)) and not (lacks_object(part) or is_reason(part))


def _stated(sentence: str, before: str, *, is_announced: bool) -> tuple[str | None, str]:
    """Return (the kind of what a sentence states, its text). Some sentences only say something about the one before: that it lasts, or is said again.

    is_announced: whether a label says that it lasts.
    """
    if len(sentence) > LONGEST_SENTENCE:
        return None, sentence
    if _holds(_ONLY_REPEATED, sentence) and not complaint(sentence)[0]:
        return kind_of(before, SAID_AGAIN), before
    if before:
        if _holds(_ONLY_REMEMBER, sentence):
            return kind_of(before) or ENVIRONMENT, before
        if len(before) <= LONGEST_SENTENCE and not table_for(before).asks(before):
            if _holds(_ONLY_ALWAYS, sentence):
                return kind_of(before) or PREFERENCE, before
            if _holds(_LIMITS_BEFORE, sentence) and takes_back(before):
                return CORRECTION, joined((before, sentence))
            if permission_of(sentence) == UNSAID and takes_back(before) and not is_end_of_rule(before):
                return CORRECTION, joined((before, sentence))
            if _holds(_ABOUT_BEFORE, sentence) and not table_for(sentence).asks(sentence):
                return kind_of(sentence) or kind_of(before) or CONSTRAINT, joined((before, sentence))
    kind = kind_of(sentence, ENOUGH if is_announced else 0)
    if kind == ENVIRONMENT and is_announced:
        kind = PREFERENCE
    if kind is None and not table_for(sentence).asks(sentence):
        if takes_back(sentence) or returns(sentence) or reverses(sentence):
            return CORRECTION, sentence
        if forbids_again(sentence):
            return CONSTRAINT, sentence
    if kind is None and (clause := bound(sentence)) and not table_for(sentence).asks(sentence):
        found = table_for(clause).find(clause, ENOUGH)
        if len(_about(clause)) >= _SHORTEST_CLAUSE and sum(evidence.weight for evidence in found) >= 0:
            said = kind_of(clause, ENOUGH)
            return PREFERENCE if said in (None, ENVIRONMENT) else said, sentence[sentence.index(clause) :]
    return _clause(sentence) if kind is None else _without_request(kind, sentence)


def _without_request(kind: str, sentence: str) -> tuple[str, str]:
    """Return (kind, text) of a sentence that lasts, without what it asks for now: "fix the login, and never touch the schema"."""
    parts = clauses(sentence)
    if len(parts) > 1 and any(evidence.what == FOR_NOW for evidence in table_for(sentence).find(sentence[slice(*parts[0])], ENOUGH)):
        rest = sentence[parts[1][0] :]
        if (said := _kind_of_part(rest)) is not None and not lacks_object(rest):
            return said, rest
    return kind, sentence


def _with_neighbour(kind: str | None, sentence: str, before: str, found: Mapping[str, Statement]) -> tuple[str | None, str]:
    """Return (kind, text) of a sentence, with the one before it if only that one says what it is about. Where nothing says so, it states nothing.

    found: the statements so far.
    """
    if _belongs_to(sentence, before, kind, is_kept=before in found):
        both = joined((before, sentence))
        earlier = found[before].kind if before in found else None
        is_fact = earlier == ENVIRONMENT and is_fragment(sentence)
        return (ENVIRONMENT if is_fact else kind or earlier or kind_of(both)), both
    return None if kind is not None and is_unnamed(sentence) else kind, sentence


def _belongs_to(sentence: str, before: str, kind: str | None, *, is_kept: bool) -> bool:
    """Return whether only the sentence before it says what a sentence orders or forbids, or it goes on with that one. kind: what it states
    is_kept: whether the sentence before it is a statement itself.
    """
    if not before or len(before) + len(sentence) >= _LONGEST_TEXT:
        return False
    if is_fragment(sentence):
        limited = limits(before) and all(evidence.what != A_FAULT for evidence in table_for(before).find(before, ENOUGH))
        return is_kept or (limited and kind_of(joined((before, sentence))) is not None)
    return (is_kept and adds(sentence)) or (kind is not None and lacks_object(sentence) and not opens(before) and bool(_about(before)))


def _clause(sentence: str) -> tuple[str | None, str]:
    """Return (kind, text) of what in a sentence lasts although the sentence does not: "one remark, good so far: handlers never panic".

    The text reaches from the first part that lasts or orders something to the last one, so that no order is lost. It is all of the sentence where only the
    rest of it says what a part is about: "icons.ts comes from a script - never edit it by hand".
    """
    parts = clauses(sentence) if len(sentence) <= LONGEST_SENTENCE else []
    if parts and any(evidence.what in OF_THE_SENTENCE for evidence in table_for(sentence).find(sentence)):
        parts = orders_beside(sentence)
    kinds = [_kind_of_part(sentence[slice(*part)]) for part in parts]
    kept = [part for part, kind in zip(parts, kinds, strict=True) if kind is not None or _holds(_ORDERS, sentence[slice(*part)])]
    said = list(filter(None, kinds))
    if not said:
        return None, sentence
    needs_rest = any(lacks_object(sentence[slice(*part)]) for part in kept)
    return CONSTRAINT if CONSTRAINT in said else said[0], sentence if needs_rest else sentence[kept[0][0] : kept[-1][1]]


def _kind_of_part(part: str) -> str | None:
    return kind_of(part) if part.count("`") % 2 == 0 and len(_about(part)) >= _SHORTEST_CLAUSE else None


def subject_of(about: list[str]) -> str:
    """Return the key of a sentence with these terms: at most six, identifiers before words and long ones before short ones, then sorted."""
    ranked = sorted(about, key=lambda term: (term.isascii() and term.isalpha(), -len(term), term))
    return " ".join(sorted(ranked[:_SUBJECT_TERMS]))


def subject(sentence: str) -> str:
    """Return the key of one sentence, "" when it has none."""
    return subject_of(_about(sentence))


def _about(sentence: str) -> list[str]:
    found = [term for term in content_terms(sentence) if term not in _POLARITY and term not in ASKING and term not in ASKING_JAPANESE]
    return found or [name.lower() for name in _NAMED.findall(sentence)]


_NAMED = lazy_pattern(r"(?<=`)[A-Za-z][\w.-]*|(?<![\w`])[a-z][\w-]*(?= [~./-])")
"""Matches a command, whose name may also be a common word: "`find`", "find ~"."""
_POLARITY = frozenset(
    str.split("""alwai never must allow forbidden prohibit prefer want us anymor ever everywher instead without befor after whenev everi onli everyth anyth
    actual realli fail flaki broken error also mind refer futur forget nope done sure ensur better rather thei don won isn aren shouldn mustn cannot no not
    必ず 絶対 常に 毎回 今後 以後 禁止 二度 一切 決し 決して 前に 後に 覚え 忘れ 記憶""")
)


def kind_of(sentence: str, further: int = 0) -> str | None:
    """Return the kind of one sentence read alone, None if it is not durable. Corrections need the entire prompt (`corrections`).

    further: weight of what other sentences say for it.
    """
    if len(sentence) > LONGEST_SENTENCE or sentence.rstrip().endswith((":", "：")):
        return None
    found = table_for(sentence).enough(sentence, further)
    if not found or is_reprimand(sentence) or blames(sentence):
        return None
    if _holds(_OF_THE_PERSON, sentence):
        return ENVIRONMENT
    # A fact says how something is. What also says what to do is a rule.
    votes = dict.fromkeys((CONSTRAINT, PREFERENCE, PROCEDURE, ENVIRONMENT), 0)
    for evidence in found:
        if evidence.kind:
            votes[evidence.kind] += max(evidence.weight, 1)
    facts = votes.pop(ENVIRONMENT)
    is_fact = facts >= sum(votes.values()) and not (any(votes.values()) and _holds(_ORDERS, sentence))
    return ENVIRONMENT if is_fact else max(votes, key=votes.__getitem__)


def table_for(sentence: str) -> EvidenceTable:
    """Return the table of the language in which a sentence is written."""
    if is_japanese(sentence):
        from memorybank.text.prompts.evidence_japanese import JAPANESE

        return JAPANESE
    from memorybank.text.prompts.evidence_english import ENGLISH

    return ENGLISH


def _holds(pattern: re.Pattern[str], sentence: str) -> bool:
    return pattern.search(sentence) is not None

"""Selects the rules that agents read at every start. They get few tokens, so each has to be proven, and understandable without its conversation.

The other rules apply at a request like the one after which a person stated them.
"""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import SAID
from memorybank.cycle.know.search import IS_SEEN
from memorybank.reasons.reason import Reason
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.discussing import orders_to_discuss
from memorybank.text.prompts.stated import LASTING, lacks_subject
from memorybank.text.prompts.themes import DISCUSS
from memorybank.text.words.pointing import demonstrates
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.rules import Rule
    from memorybank.cycle.know.search import Passage

_SAME_REQUEST = 0.6
"""Least share of a prompt that an earlier request has in common with it, so that what a person said after the one holds for the other."""
_MOST_REQUESTS = 8

PROVEN = 3
"""Number of sessions in which people must have asked for something before agents read it at every start."""
_SIGNS = 2
"""Number of sessions in which a person must have said a rule that does not say itself that it lasts. Of 30 such sentences in 1,550 prompts, one in six
applied to more than its task; with words that say so, one in two."""
_MOST_MODEL_RULES = 3
_AN_ORDER, _OF_EVERY_LINE = 4, 20
"""A person's order counts as much as a request that came up in this many sessions; characters that every line takes besides its words."""
_ORDERS = lazy_pattern(
    r"^\W*(?:(?:also|and|but|so|then|ok(?:ay)?|no|yes|please|from now on|in (?:the )?future|as a rule|generally)\W+)*"
    r"(?:(?:you|we|i|claude|agents?)(?: (?:should|must|need to|have to))? )?(?:always|never|don['’]?t|do not|must not|cannot|remember|keep in mind|make sure"
    r"|ensure|avoid|prefer|use|stop|no(?= ))\b|\b(?:you|we|i) (?:should |must |need to |have to )?(?:always|never) (?!want|expect)"
    r"|\b(?:not|never)\b.{0,400}\bever\b|\beverywhere\b|\bplease\W*$"
    r"|必ず|常に|いつも|絶対|禁止|(?:ては|では)(?:いけない|ならない|だめ|ダメ)|(?:ない|ぬ)(?:で|こと)|覚えて|忘れないで|[てで](?:ください|下さい|ほしい)|お願い(?:します|です)?[。！!]*$",
    "i",
)
"""Matches a sentence that says how to work, not how the product behaves."""
_BINDS = lazy_pattern(
    r"(?:^|[,;:] )(?:and |but |so |or )?(?:no(?! need| problem| idea)|never|don['’]?t|do not|nothing|nobody|only|always|every|each|all) \w"
    r"|\b(?:must not|may not|cannot|as always|as usual|forbidden|off limits)\b|ナシ|なしで|しか[^。、]{0,400}ない|だけは|のは(?:やめ|だめ|ダメ)",
    "i",
)
"""Matches a sentence with an order or a prohibition that holds for a kind of things, in any of its parts."""
_WITH_OBJECT = lazy_pattern(
    r"^.*?(?<![^\s])(?:never|always|don['’]?t|do not|must(?: not)?|stop|avoid)(?: ever)? (?!be\b|have\b)\w+"
    r" (?!(?:it|them|this|that|these|those|here|there|so|one|ones)\b)[^,;:–—]*",
    "i",
)
"""Matches a sentence up to the end of a clause with an order, its verb and an object of its own."""
_IN_COMMON = 0.5
"""Minimum share of a saying's words in the request of another session for which the saying can stand."""
WITHOUT_SUBJECT, SAID_ONCE, LOADED = Reason("recall.without_subject"), Reason("recall.said_once"), Reason("recall.in_instructions")
_SAME_AS_READ = 0.75
"""Least share of a rule's words in one line of the instructions that says it."""
_WRITING = frozenset(
    ("update", "add", "write", "mention", "document", "claude", "agents", "gemini", "md", "claude.md", "agents.md", "gemini.md", "追記", "追加")
)
"""Terms of a request to write something into the instructions."""


def ranked(found: Sequence[Rule]) -> list[Rule]:
    """Return the rules in force in the order in which they deserve the tokens of a start.

    The request that comes up most often is the first, then the check that fails most often when people run it. The others follow by what speaks for them,
    for each character that they take: the sessions of a request or of a repeated statement, and that a person said how to work. Rules that a model worded
    are the last.
    """
    of_people = [rule for rule in found if not rule.made_by]
    by_model = [rule for rule in found if rule.made_by][:_MOST_MODEL_RULES]
    others = sorted(of_people, key=lambda rule: -_weight(rule) / (_OF_EVERY_LINE + len(rule.shown)))
    asked = [rule for rule in of_people if rule.is_expected and not rule.is_failing_check]
    first = [*asked[:1], *[rule for rule in of_people if rule.is_failing_check][:1]]
    return list(dict.fromkeys((*first, *others, *by_model)))


def _weight(rule: Rule) -> int:
    said = rule.sayings[0]
    if rule.is_expected and not rule.is_failing_check:
        return rule.sessions
    return rule.sessions + (_AN_ORDER if rule.is_failing_check or _is_order(rule) or _BINDS.search(said) else 0)


def _is_order(rule: Rule) -> bool:
    return not rule.is_expected and _ORDERS.search(rule.sayings[0]) is not None


def why_not(rule: Rule, instructions: str) -> Reason | None:
    """Return why agents do not read a rule at every start; None when they do. instructions: what their host loads itself."""
    if rule.is_failing_check:
        return None
    if rule.is_expected:
        if rule.subject == DISCUSS and not orders_to_discuss(rule.sayings[0]):  # "no code yet" would stop the work of every session
            return WITHOUT_SUBJECT
        # What each session asked for in words of its own may be one task of each. It takes one session more. To discuss is about no task.
        least = PROVEN if rule.subject == DISCUSS or _sessions_alike(rule) > 1 else PROVEN + 1
        return Reason("recall.unproven", count=rule.sessions, least=least) if rule.sessions < least else None
    said = rule.sayings[0]
    if lacks_subject(said) or (not _is_order(rule) and demonstrates(_claim(said))):
        return WITHOUT_SUBJECT
    if not rule.made_by and rule.sessions < _SIGNS and all(LASTING not in one.traits for one in rule.stated):
        return SAID_ONCE
    return LOADED if _is_in(instructions, said) else None


def _claim(said: str) -> str:
    """Return a sentence up to the end of the clause that orders something with an object of its own. What follows it may point at what it names."""
    found = _WITH_OBJECT.search(said)
    return said if found is None else found[0]


def _is_in(instructions: str, said: str) -> bool:
    """Return whether a line of the instructions says what a person said."""
    terms = [term for term in content_terms(said) if term.lower() not in _WRITING]
    longest = max(terms, key=len, default="").lower()
    lines = (line for line in instructions.split("\n") if longest in line.lower()) if longest else iter(())
    return any(len(set(terms).intersection(content_terms(line))) >= _SAME_AS_READ * len(terms) for line in lines)


def _sessions_alike(rule: Rule) -> int:
    """Return in how many sessions people asked for something in the words of an expectation's first saying."""
    wanted = set(content_terms(rule.sayings[0]))
    return len({one.session for one in rule.stated if len(wanted & one.words) >= _IN_COMMON * min(len(wanted), len(one.words))})


def said_after(earlier: Earlier, requests: Sequence[Passage]) -> list[str]:
    """Return the statements that people made right after earlier requests which ask the same, the most similar first.

    requests: earlier requests, with the share of the prompt that each has in common.
    """
    found: dict[str, None] = {}
    for request in [request for request in requests if request.share >= _SAME_REQUEST][:_MOST_REQUESTS]:
        rows = earlier.connection.execute(
            f"SELECT text FROM statements WHERE session IS NOT ? AND at <= ? AND {IS_SEEN} AND (file, offset) ="
            " (SELECT n.file, min(n.offset) FROM turns t JOIN turns n ON n.file = t.file AND n.offset > t.offset WHERE t.id = ?)",
            (earlier.own, earlier.now, request.turn),
        )
        found.update(dict.fromkeys(row[0] for row in rows))
    return list(found)


def rules_in(connection: Connection, memory: str, least: float = 0.0) -> set[str]:
    """Return the ids of the rules that a passage with this id quotes. least: the share of its text that a rule quotes."""
    from memorybank.cycle.fold.stated import Stated
    from memorybank.cycle.know.rules import Rule
    from memorybank.text.prompts.stated import Statement

    asked = (
        "SELECT s.kind, s.subject, s.text, s.traits FROM statements s JOIN passages p ON p.file = s.file AND p.offset = s.offset"
        " WHERE p.memory = ? AND p.kind = ? AND (instr(s.text, p.text) OR (instr(p.text, s.text) AND length(s.text) >= ? * length(p.text)))"
    )
    rows = connection.execute(asked, (memory, SAID, least))
    stated = (Stated(0, "", Statement(kind, text, subject), (), traits=traits.split()) for kind, subject, text, traits in rows)
    return {Rule(one.statement.kind, [one.statement.text], [one]).memory for one in stated}


def stated_in(connection: Connection, passage: Passage, *, kind: str = "", trait: str = "") -> list[str]:
    """Return the lasting statements in a passage that a person typed, in force or not. kind, trait: those that they must have; "" for any."""
    if passage.kind != SAID:
        return []
    asked = "SELECT s.text, s.kind, s.traits FROM statements s JOIN passages p ON p.file = s.file AND p.offset = s.offset WHERE p.id = ?"
    said = ((text, traits) for text, of_kind, traits in connection.execute(asked, (passage.id,)) if kind in ("", of_kind))
    return [text for text, traits in said if trait in traits and (text in passage.text or passage.text in text)]

"""Sentences of a note that say how a kind of thing is to be, wherever it occurs: "Money is integer cents everywhere", 「日時はすべて UTC で保存」; and the
words that a glossary explains: "**hold**: a slot kept for somebody who is paying".

Code calls a thing by its name or by a near synonym, so the sentence is found by the words of its subject and of the concepts that these stand for.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.conventions import LONGEST, PAST, sentences_of
from memorybank.text.words import concepts
from memorybank.text.words.everyday import is_name
from memorybank.text.words.ordinary import COMMON, share_of
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_MOST_SYNONYMS, _LEAST = 6, 3
"""English words of a concept whose words mean nearly the same, and letters of one that is looked for in code."""
_MOST_TERMS, _MOST_DEFINED = 12, 3
"""Terms that show what a sentence is about, and words that a glossary explains at once."""
OF_MANY = frozenset(str.split("index main mod init packag setup config configur set util helper type"))
"""Terms of the names of files that every project has, which name nothing."""
_SIGNS = tuple(
    str.split("""convention rule guide style standard agreement principle quirk formats units everywhere always never only must should not instead
    規約 規則 ルール 決まり 約束 癖 くせ 形式 単位 書き方 作法 すべて 全て 必ず 常に いつも だけ のみ ない 禁止 こと 統一 どこでも 固定""")
)
"""One of these is in every text with such a sentence, or nearly. Patterns take a hook long to load."""
_HOUSE = lazy_pattern(
    r"\b(?:conventions?|rules?|guide ?lines?|guide|styles?|standards?|agreements?|principles?|quirks?|formats?|units?|how we)\b"
    r"|規約|規則|ルール|決まり|約束|癖|くせ|形式|単位|書き方|作法",
    "i",
)
"""Matches the heading of a list of conventions, where each sentence is one."""
_GENERAL = lazy_pattern(
    r"^\W*(?:all|every|each|no)\b|\b(?:everywhere|always|never|only|must|should|not|has to|have to|at (?:most|least)|instead)\b"
    r"|すべて|全て|必ず|常に|いつも|だけ|のみ|しない|ない。?$|禁止|こと。?$|統一|どこでも|固定",
    "i",
)
_OF_CODE = lazy_pattern(
    r"`|\b(?:(?:stor|sav|nam|typ|hash|round|format|log|print|pars|return|pass|represent|comput|quot|encod|escap|validat|convert|seriali[sz]|encrypt|test|mock|stub"
    r"|rais|us|delet|prefix|suffix|sort|throw)(?:e[sd]?|s|g?ed)?|keep|kept|writ(?:e|ten)|read|sent|carry|carries|thrown|int|integers?|floats?|decimals?|strings?"
    r"|cents|pence|utc|iso|ascii|ids?|uuids?|json|null|negative|positive|unique|(?:milli)?seconds|bytes|characters|digits"
    r"|(?:upper|lower|kebab|snake|camel|pascal)[ -]?case|enums?|plain ?text|endpoints?|functions?|class(?:es)?|methods?|columns?|tables?|fields?|rows?"
    r"|variables?|exceptions?|errors?)\b"
    r"|保存|保持|格納|持[つたちっ]|扱[うわい]|書[くかき]|入れ|名付け|命名|丸め|変換|返[すさし]|渡[すさし]|投げ|記録|出力|ログ|使[うわい]|テスト|検証|整数|小数|文字|桁"
    r"|税抜|税込|単位|形式|マイナス|負の|平文|暗号|ハッシュ|エスケープ|型|関数|クラス|メソッド|テーブル|フィールド|列|例外",
    "i",
)
"""Matches what an order about data or code says of it: how a value is kept, named, written, tested."""
_BE = (
    r"(?:is|are|must|should|shall|has|have|gets?|go(?:es)?|lives?|stays?|uses?|needs?|carry|carries|comes?|begins?|starts?|ends?|never|always|only|may|cannot)"
)
_OF = "(?: (?:of|in|from|for|on|that|which|we) [^.:;]{1,40}?)"
_SUBJECT = lazy_pattern(
    rf"^\W*(?:(?:all|every|each|any|the|our|both) )*((?:\w[\w`’'-]{{0,30}} ){{0,2}}?\w[\w`’'-]{{0,30}}){_OF}? {_BE}\b",
    "i",
)
_ORDERED = lazy_pattern(
    r"^\W*(?:(?:always|never|do not|don['’]t|please) )*(?:store|keep|write|save|send|log|print|format|parse|round|return|read|pass|treat|name|show|represent"
    r"|compute|quote|encode|use [^.;]{1,40}? for) (?:(?:all|every|each|any|the) )*((?:\w[\w`-]{0,30} ){0,2}?\w[\w`-]{0,30})"
    r"(?= (?:as|in|with|to|through|via|by|only|at|into|from|without|of)\b|[.,;:]|$)",
    "i",
)
_TOPIC = lazy_pattern(r"^\W*(?:すべての|全ての|全|各)?([^はをがの、。\n]{1,12}(?:の[^はをがの、。\n]{1,8})?)(?:は|を|には|では)")
"""Match what a sentence orders something about: its subject, the object of an order, and the topic of one in Japanese."""
_PATH = lazy_pattern(r"(?<![\w./-])[\w.-]{0,80}/[\w./-]{0,120}")
_DEFINED = lazy_pattern(r"^(?:[-*+・]\s+)?\*\*([^*:：]{1,40})\*\*\s*(?:[:：]|[—–-] )|^[-*+・]\s+\*\*([^*:：]{1,40})[:：]\*\*")
_CLAUSES = lazy_pattern(r"[;:。、；：—–]|[,.](?=\s|$)|\b(?:but|without|unless|except|until|other than)\b", "i")
"""Matches between the parts of a sentence of which one may be negated and another is not."""
_EXCLUDED = lazy_pattern(
    r"(?:\b(?:never|not(?! only)|no|nor|avoid|instead of|rather than)\b|n['’]t\b).*"
    r"|^.*(?:ではなく|でなく|じゃなく|の代わり|[せわかさたまらがばな]ず(?!つ)|ないで)",
    "i",
)
"""Matches what a part of a sentence excludes."""
_FORBIDS = lazy_pattern(
    r"\b(?:forbidden|deprecated|banned|prohibited|disallowed|obsolete|discouraged|replaced|no longer|stop using)\b"
    r"|\b(?:must|should|may|can|is|are|will|shall)(?:(?: ?not(?! only)| never)\b|n['’]t\b) "
    r"|^(?!.*(?:以外|しか|なけれ|なくて(?!も?[よい])|ないと)).*(?:ない(?!で)|なくても?[よい]|置き換え|ません|禁止|厳禁|避け|やめ|不可|だめ|ダメ|\bNG|非推奨|廃止|[うくぐすつぬぶむる]な\W*$)",
    "i",
)
"""Matches a part that says of what it names before and behind that it is not to be."""
_ANOTHER = lazy_pattern(r"\s*(?:(?:and|or|nor) )?[\w`.-]{1,40}(?: (?:and|or|nor) [\w`.-]{1,40})?\s*")
"""Matches a part that continues or begins a list."""
_QUOTED = lazy_pattern(r"`[^`]{1,80}`")
_VERBS = frozenset(str.split("hash encod encrypt mock stub serial suffix mask sanit trim strip cast fetch export commit"))
"""Terms that say what is done with a thing, and occur in code whatever it is done with."""


def of_note(body: str) -> list[tuple[Sequence[str], str]]:
    """Return (terms, sentence) for the sentences of a note's Markdown that order something about a kind of thing, in order. One of the terms in the name of a
    file or in code shows that this is about such a thing; one with "=" in front only if it is the whole name."""
    lowered = body.lower()
    if not any(sign in lowered for sign in _SIGNS) and not any(sign in body for sign in ("All ", "Every ", "Each ")):
        return []
    found = []
    title = next((line for line in body.splitlines() if line.startswith("#")), "")
    is_house, last = _HOUSE.search(title) is not None, title
    below = is_house
    for heading, sentence in sentences_of(body):
        if heading != last:
            below, last = is_house or _HOUSE.search(heading) is not None, heading
        if not 8 <= len(sentence) <= LONGEST or not (below or (_GENERAL.search(sentence) and _OF_CODE.search(sentence))):
            continue
        terms = _terms(subject(sentence))
        if terms and PAST.search(sentence) is None:
            found.append((terms, sentence))
    return found


def defined_in(body: str) -> list[tuple[str, str]]:
    """Return (term, line) for the words that a note explains as a glossary does, each in a line of its own."""
    if body.count("**") < 2 * _MOST_DEFINED:
        return []
    lines = [(match[1] or match[2], line.strip()) for line in body.splitlines() if (match := _DEFINED.match(line.strip()))]
    if len(lines) < _MOST_DEFINED:
        return []
    return [(term, line) for label, line in lines for term in _name_of(label) if len(line) <= 2 * LONGEST]


def _name_of(label: str) -> Iterator[str]:
    """Yield the terms of a label that has one or two, unless the last one is common in texts about software."""
    terms = content_terms(label)
    if 0 < len(terms) <= 2 and share_of(terms[-1]) < COMMON:
        yield " ".join(terms)


def subject(sentence: str) -> str:
    """Return what a sentence says something about, as far as its form shows that; "" otherwise."""
    found = (_SUBJECT.match(sentence) or _ORDERED.match(sentence)) if sentence.isascii() or _TOPIC.match(sentence) is None else _TOPIC.match(sentence)
    return found[1] if found is not None else ""


def _terms(named: str) -> Sequence[str]:
    """Return the terms by which code shows that it is about a subject: its last word with its synonyms, and the names among its words."""
    named = _PATH.sub(" ", named).replace("`", " ")  # a note is found by the files and folders that it names anyway
    terms = content_terms(named)
    telling = [term for term in terms if share_of(term) < COMMON]
    if not OF_MANY.isdisjoint((telling or terms)[-1:]):
        return []
    if not telling:
        return [f"={term}" for term in terms[:1] if len(terms) == 1]
    chosen = dict.fromkeys([telling[-1], *(term for term in telling if is_name(term))])
    found = dict.fromkeys(term for term in chosen if term.isascii())
    if not share_of(telling[-1]):
        known = concepts.known()
        numbers = [one for one in known.in_text(telling[-1] if named.isascii() else named) if not named.isascii() or known.lines[one].split()[0] == telling[-1]]
        groups = [_synonyms(number) for number in numbers]
        near = sorted((group for group in groups if len(group) <= _MOST_SYNONYMS), key=len)
        found.update(dict.fromkeys(near[0] if near else ()))
    found.update(dict.fromkeys(term for term in chosen if not term.isascii()))
    return [term for term in found if term not in OF_MANY][:_MOST_TERMS]


def _synonyms(number: int) -> Sequence[str]:
    """Return the English words of a concept that may stand for it in code."""
    words = [word for word in concepts.known().lines[number].split() if word.isascii() and "_" not in word]
    return [word for word in words if len(word) >= _LEAST and share_of(word) < COMMON]


def is_followed(sentence: str, term: str, added: Collection[str]) -> bool:
    """Return whether an edit that adds these terms has what a sentence about the thing with this term wants: a name that stands in it, and none of those that
    it excludes. In doubt it has not."""
    wanted, excluded = _names_of(sentence)
    return not any(one in added for one in excluded - wanted - {term}) and any(one in added for one in wanted - {term} - _VERBS if one.isascii())


def _names_of(sentence: str) -> tuple[set[str], set[str]]:
    """Return the names in a sentence that it wants, and those that it excludes: "argon2id, never md5 or sha1"."""
    wanted: set[str] = set()
    excluded: set[str] = set()
    listed = ""
    is_excluding = False
    for clause in _CLAUSES.split(sentence):
        continues = _ANOTHER.fullmatch(clause) is not None
        forbids = _FORBIDS.search(clause) is not None
        negated = _EXCLUDED.search(clause)
        is_excluding = forbids or negated is not None or (is_excluding and continues)
        left_out = clause if forbids else negated[0] if negated is not None else clause if is_excluding else ""
        excluded.update(_names(f"{listed} {left_out}" if forbids else left_out), *map(content_terms, _QUOTED.findall(left_out)))
        wanted.update(_names(clause.replace(left_out, " ", 1)))
        listed = f"{listed} {clause}" if continues and not is_excluding else ""
        wanted.difference_update(_names(listed))
    return wanted, excluded


def _names(text: str) -> Iterator[str]:
    return filter(is_name, content_terms(text))

"""Reads one sentence as a decision. Questions, proposals, examples, quotations and reports of the past decide nothing."""

from __future__ import annotations

__light__ = True

from memorybank.decisions import words
from memorybank.decisions.decision import Clause, Decision
from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.signs import WordSigns
from memorybank.text.words.word_terms import MAY_BE_DIGITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

LONGEST = 200
"""Maximum length of a sentence in characters; a longer one says more than one thing."""
_MOST_CLAUSES, _MOST_NAMES = 3, 14
_LONGEST_ORDER, _MOST_NAMES_OF_ORDER = 60, 4
_QUOTED = lazy_pattern(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|「[^」\n]{1,200}」|『[^』\n]{1,200}』|&quot;.{0,200}?&quot;")
_LINK = lazy_pattern(r"!?\[([^\[\]\n]{0,200})\]\([^()\n]{0,300}\)|\[\[(?:[^\[\]\n|]{0,200}\|)?([^\[\]\n|]{0,200})\]\]")
_EMPHASIS = lazy_pattern(r"[*_](?:(?<=\*)\*|(?<=_)_|(?<!\w[*_])(?=\w)|(?<=\w[*_])(?!\w))")
_MARKS = lazy_pattern(r"^\s*(?:(?:[-*+•・]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+")
_ASKS = lazy_pattern(r"\s*(?=[sdiacwh])(?:should|shall|do|does|is|are|can|could|would|why|how|what|when|who)\s+(?:we|i|you|the|it|they)\b")
"""Matches how a question or a proposal begins."""
_REFUSED = lazy_pattern(
    r"\b(?:may(?! not\b)|maybe|perhaps|might|could|would|consider(?:ing|ed)?|propos(?:al|als|e|es|ed|ing)|suggest\w*|ideas?|wonder\w*"
    r"|plan(?:s|ned|ning)? to|planned"
    r"|will|going to|next (?:week|month|quarter|year|sprint)|let['’]?s|tbd|todo|not sure|unclear|discuss(?:ed|ing)?|thinking|eventually"
    r"|someday|experiment\w*|trial"
    r"|(?:not|n['’]t)\b[^.]{0,80}\byet|we should (?:\w+ )?(?:move|switch|migrate|replace|drop|change|try)|need not|not necessary|(?:not"
    r"|n['’]t) (?:have|need) to|optional(?:ly)?|e\.g|for (?:example|instance)|such as|imagine|suppose|unlike|compared|instead of this|whether)\b|^\s*if\b"
)
_REFUSED_JAPANESE = lazy_pattern(
    r"例えば|たとえば|例[：:]|（例|かもしれ|案(?:が|だ|です|を|として|[：:]|で)|提案|検討|予定|たい(?:と|です|。|$)|だろう|でしょう|と思|ようか|ましょう"
    r"|ますか[?？。]?\s*$|ですか[?？。]?\s*$|のだろうか[?？。]?\s*$|よいか[?？。]?\s*$|いいか[?？。]?\s*$|べきか[?？。]?\s*$"
    r"|もし|場合|なら|仮に|つもり|可能性|しなくて(?:も)?(?:よ|い)|必要は?(?:な|あり)|未定|試しに|とは限らない|わけではない",
)
_CHANGED_BY = lazy_pattern(
    r"\b(?:was|were|has been|have been|had been|is|are)\s+(?:\w+ly\s+|now\s+)?(?:moved|migrated|switched|changed|replaced|reverted"
    r"|ported|converted|decided|agreed)\b"
)
_PAST = lazy_pattern(r"\b(?:used to|previously|formerly|was|were|had|until|originally|at first|in the past|took|initially|earlier|in those days)\b")
_PAST_JAPANESE = lazy_pattern(r"以前|かつて|だった|していた|でした|当初|元々|もともと|従来|最初は")
_DENIES = lazy_pattern(
    r"\b(?:never|not(?! only\b)|cannot|avoid(?:s|ed)?|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:ed)?|no longer"
    r"|stop(?:ped)?(?= \w+ing\b)|nobody|no one)\b|n['’]t\b|(?<![a-z])ng(?![a-z])",
)
_DENIES_JAPANESE = lazy_pattern(
    r"しない|せず|させない|ない(?:こと|で|もの)|"
    r"さない(?=[。、\s]|$)|わない(?=[。、\s]|$)|らない(?=[。、\s]|$)|かない(?=[。、\s]|$)|がない(?=[。、\s]|$)|たない(?=[。、\s]|$)|まない(?=[。、\s]|$)|ばない(?=[。、\s]|$)"
    r"|ません|禁止|不可|厳禁|やめ|避け|廃止|だめ|ダメ",
)
_AFFIRMS = lazy_pattern(
    r"(?:なけれ|なくて|ないと)(?:ば|は)?(?:なら|いけ|だめ|ダメ)(?:な|ません)\w?|(?:欠かせ|忘れ)ない(?:で|こと)?|\bnot only\b"
    r"|\bdo not forget to\b|\bdon['’]t forget to\b"
)
_FIRM = lazy_pattern(r"\b(?:always|must|never|only|required?|ever|every|all|do not|don['’]t)\b")
_FIRM_JAPANESE = lazy_pattern(r"必ず|常に|いつも|絶対|すべて|全て|こと(?=[。\s]|$)|禁止|だけ|のみ")
_CHANGES = lazy_pattern(
    r"\b(?:only|now|from now on|no longer|any ?more|instead|moved?|moves|migrated?|switch(?:ed|es)?|chang(?:ed|es)|replac(?:ed|es)"
    r"|revert(?:ed|s)?|back to|dropp?ed|as of)\b",
)
_CHANGES_JAPANESE = lazy_pattern(r"だけ|のみ|今後|以後|これから|変更|移行|切り?替|置き換|代わり|ではなく|やめ|に戻")
_ADDS = lazy_pattern(r"\b(?:also|too|additionally|in addition|as well|both|either|another|second(?:ary)?|besides|or|sometimes|usually|fallback)\b")
_ADDS_JAPANESE = lazy_pattern(r"にも|でも|さらに|加えて|または|もしくは|追加|併用|も(?=使|利用|デプロイ|実行|行)")
_SUBORDINATE = lazy_pattern(r"\b(?:when(?:ever)?|before|after|if|unless|until|while|once|because|since|so that)\b.*")
_REASON = lazy_pattern(r"(?:[,，]|(?<!\s))\s*\b(?:because|since|so that|as (?:it|they|the|this|that)\b|which)\b.*|(?:ので|ため|から)、")
_MAY_GIVE_REASON = lazy_pattern(r"[bsaw](?:ecause|ince|o that|s (?:it|they|the|this|that)|hich)\b")
_TELLS = lazy_pattern(
    r"\W*+(?=[iyhstgrwl])(?:i|you|he|she|it|they|this|that|these|those|there|his|her|my|your|their|its|glad|thanks?|thank|so|really|wow|yeah|life)\b"
)
"""Matches how a sentence begins that tells or describes something."""
_ENDS_OF_TELLING = ("だ", "です", "ある", "いる", "いた", "った", "れる", "れた", "なる", "できる")
_TELLS_JAPANESE = lazy_pattern(rf"(?:{'|'.join(_ENDS_OF_TELLING)})\W*$")
"""Matches how it ends in Japanese."""
_AFTER_SENTENCES = "。.!！?？」』）) "
_LABEL = lazy_pattern(
    r"^\W*+(?=[drnicoua2決ル規注重結更])(?:(?:decision|decided|rule|note|important|conclusion|outcome|update|answer|20\d\d-\d\d-\d\d)(?: \d+)?"
    r"|決定|決定事項|ルール|規則|注意|重要|結論|更新)\W*[:：.。]\W*"
)
_CLAUSE_END = lazy_pattern(r"(?:[,;:]|(?<! ) )(?:(?<! ) +| *(?<= )(?:[-–—]|but|and then) +)")
"""A text in which it is looked for contains no other white space than spaces."""
_NAME = r"(?:the |our )?[\w./+#`-]+(?: [\w./+#`-]+){0,2}?"
_NAME_JAPANESE = r"(`[^`\n]+`|[a-z][\w./+#-]{0,60}(?: [a-z][\w./+#-]{0,60})?|[ァ-ヴー]{2,60}|[一-龥々]{2,60})"
_MOVED = r"[へに]\s*(?:の)?(?:移行|変更|切り?替|置き換|移し|移す|乗り換|戻)"
_INSTEAD_JAPANESE = ("ではなく", "じゃなく", "でなく", "の代わりに", "に代えて", "をやめ", "はやめ", "を廃止")
_BUT_NOT = lazy_pattern(rf"(?:, (?:and |but )?| but | and )not (?:with |by |in |on |to )?({_NAME})(?=\s*(?:[,.;:)]|$))")
_FROM, _REPLACING, _REPLACED, _FAVOURS, _PREFERS, _NOT, _REFUSES, _TELLS_PAST, _FIRM_WORD, _CHANGE, _DENIAL, _VALUE, _REASONS, _ADDITION = (
    1 << n for n in range(14)
)
_JAPANESE = 1 << 14
_ANY = (1 << 15) - 1
_LEFT = (
    (_FROM, lazy_pattern(rf"\b(?:mov|migrat|switch|chang|port|convert|revert|transition|upgrad)\w*\b[^.;]{{0,60}}?\bfrom ({_NAME}) (?:to|onto|back to)\b")),
    (_REPLACING, lazy_pattern(rf"\breplac(?:e|es|ed|ing) ({_NAME}) (?:with|by)\b")),
    (_REPLACED, lazy_pattern(rf"^\W*+({_NAME}) (?:was|were|is|are|has been|have been) (?:replaced|swapped|superseded) (?:with|by)\b")),
    (_FAVOURS, lazy_pattern(rf"\b(?:dropped|abandoned|retired|removed|gave up|ditched) ({_NAME}) in favou?r of\b")),
    (
        _PREFERS,
        lazy_pattern(
            rf"\b(?:instead of|rather than|in place of|in favou?r of [\w./+-]+ over) ({_NAME})(?=\s*(?:[,.;:)]|$|\b(?:for|to|in|when|on|at|as|with)\b))"
        ),
    ),
    (_NOT, _BUT_NOT),
    (_JAPANESE, lazy_pattern(rf"{_NAME_JAPANESE}\s*から\s*[^。、]{{1,40}}?{_MOVED}")),
    (_JAPANESE, lazy_pattern(rf"{_NAME_JAPANESE}\s*(?:{'|'.join(_INSTEAD_JAPANESE)})")),
)
"""(sign, what a sentence says that is no longer used)"""
_MOVED_JAPANESE = lazy_pattern(_MOVED)
_ANY_LEFT = _FROM | _REPLACING | _REPLACED | _FAVOURS | _PREFERS | _NOT | _JAPANESE
_DENIAL_OR_VALUE_JAPANESE = lazy_pattern(
    rf"ない|せず|ません|禁止|不可|厳禁|やめ|避け|廃止|だめ|ダメ|曜|{'|'.join(member for member in words.FAMILY_OF if not member.isascii())}"
)
"""Matches every Japanese text in which a clause denies something or has a value. Digits and Latin words are signs by themselves."""
_NOTHING: frozenset[str] = frozenset()
_MAY_BE_DECISION = _ANY_LEFT | _CHANGE | _FIRM_WORD | _DENIAL | _VALUE | _REASONS
"""The signs without which a sentence that is too long for an order decides nothing. What a reason leaves of a sentence may be short enough."""
_CJK = lazy_pattern("[\u3001-\U0010ffff]")


class _SentenceSigns(WordSigns):
    """The signs without which the patterns of this module match nothing."""

    word = lazy_pattern(rf"[a-z{MAY_BE_DIGITS}](?:(?<=[a-z])[a-z]*|(?<=\d))")
    """A word or a digit."""

    def bits_of(self, word: str) -> int:
        return super().bits_of(word) | (_VALUE if word.isdecimal() or words.is_value(word) else 0)

    def of_other_scripts(self, text: str) -> int:
        found = super().of_other_scripts(text)
        return found | _JAPANESE if _CJK.search(text) is not None else found


_SIGNS = _SentenceSigns(
    "from",
    "replac*",
    "replaced swapped superseded",
    "favor favour",
    "instead rather place favor favour",
    "not",
    "may maybe perhaps might could would consider considering considered propos* suggest* idea ideas wonder* plan plans planned planning will going next let"
    " lets tbd todo sure unclear discuss discussed discussing thinking eventually someday experiment* trial yet should need necessary have optional"
    " optionally g example instance such imagine suppose unlike compared instead whether if",
    "used previously formerly was were had until originally first past took initially earlier those",
    "always must never only require required ever every all do don",
    "only now longer any anymore instead move moved moves migrate migrated switch* chang* replac* revert* back drop* as",
    "never not cannot avoid avoids avoided forbid* prohibit* disallow* no stop stopped nobody t ng",
    "",
    "because since so as which",
    "also too additionally addition well both either another second secondary besides or sometimes usually fallback",
)


def decision(sentence: str, line: int, context: frozenset[str], day: str) -> Decision | None:
    """Return the decision of a sentence, None when it decides nothing that could be contradicted."""
    # No sign of a list begins with a letter, and most sentences do.
    shown = " ".join((sentence if sentence[:1].isalpha() else _without_marks(sentence)).split())
    if not 3 < len(shown) <= LONGEST:
        return None
    said = _plain(shown).lower() if "[" in shown or "*" in shown or "_" in shown else shown.lower()
    if not said[:1].isalpha():
        said = _without_marks(said)
    signs = _SIGNS.of(said)
    label = _LABEL.match(said)
    # Half of all sentences are sorted out here, before a slow pattern looks at them.
    if not signs & _MAY_BE_DECISION and len(said) > _LONGEST_ORDER and label is None:
        return None
    if _QUOTED.search(shown) is not None:
        return None
    told = _told(said if label is None else said[label.end() :], signs)
    if told not in said:
        signs = _ANY  # a reason was in the middle, and what was before and after it can form other words
    left, remaining = _left(told, signs) if signs & _ANY_LEFT else (_NOTHING, told)
    is_change = bool(signs & (_CHANGE | _JAPANESE)) and _says(_CHANGES, _CHANGES_JAPANESE, _CHANGE, told, signs)
    is_firm = bool(signs & (_FIRM_WORD | _JAPANESE)) and _says(_FIRM, _FIRM_JAPANESE, _FIRM_WORD, told, signs)
    # The pattern of what is refused is slow, so most sentences are sorted out before.
    if not (left or is_change or is_firm or _may_deny_or_have_value(told, signs) or _may_be_order(told, signs)) or _is_refused(said, signs):
        return None
    # What remains without the names that are left can contain parts of words, which no sign stands for.
    signs_of_clauses = _ANY if left else signs
    # Every end of a clause contains a space.
    parts = _CLAUSE_END.split(remaining) if " " in remaining else (remaining,)
    clauses = tuple(clause for part in parts if (clause := _clause(part, bool(left), signs_of_clauses)) is not None)
    if not clauses or len(clauses) > _MOST_CLAUSES or sum(len(clause.words.names) for clause in clauses) > _MOST_NAMES:
        return None
    if not (left or is_change or is_firm or any(clause.denies or clause.words.values for clause in clauses) or _is_order(told, clauses, signs)):
        return None
    return Decision._make((shown, line, day, context, clauses, left, is_change, is_firm, _says(_ADDS, _ADDS_JAPANESE, _ADDITION, told, signs)))


def _says(english: re.Pattern[str], japanese: re.Pattern[str], sign: int, text: str, signs: int) -> bool:
    """Return whether one of two patterns matches. The English one does so only in a text with its sign, the Japanese one only in a Japanese text."""
    if signs & sign and english.search(text) is not None:
        return True
    return signs & _JAPANESE != 0 and japanese.search(text) is not None


def _told(told: str, signs: int) -> str:
    """Return a sentence without its reason."""
    may_give_reason = (signs & _REASONS and _MAY_GIVE_REASON.search(told) is not None) or (signs & _JAPANESE and "、" in told)
    return _REASON.sub("", told) if may_give_reason else told


def _may_deny_or_have_value(told: str, signs: int) -> bool:
    return bool(signs & (_DENIAL | _VALUE)) or (bool(signs & _JAPANESE) and _DENIAL_OR_VALUE_JAPANESE.search(told) is not None)


def _without_marks(text: str) -> str:
    """Return a sentence without the signs of a list before it."""
    marks = _MARKS.match(text)
    return text[marks.end() :] if marks is not None else text


def _is_refused(said: str, signs: int) -> bool:
    """Return whether a sentence asks, proposes, gives an example or describes the past."""
    if said.rstrip().endswith(("?", "？")) or _ASKS.match(said) is not None or _says(_REFUSED, _REFUSED_JAPANESE, _REFUSES, said, signs):
        return True
    return _says(_PAST, _PAST_JAPANESE, _TELLS_PAST, said, signs) and _CHANGED_BY.search(said) is None


def _plain(text: str) -> str:
    """Return a sentence without Markdown: the texts of its links, no emphasis."""
    if "[" in text:
        text = _LINK.sub(lambda found: found[1] or found[2] or " ", text)
    return _EMPHASIS.sub("", text) if "*" in text or "_" in text else text


def _left(said: str, signs: int) -> tuple[frozenset[str], str]:
    """Return (names that a sentence says are no longer used, the sentence without them)."""
    left, remaining = _NOTHING, said
    # Without one of these, neither Japanese pattern matches, and both are slow.
    if signs & _JAPANESE and not ("から" in said and _MOVED_JAPANESE.search(said) is not None) and not any(word in said for word in _INSTEAD_JAPANESE):
        signs &= ~_JAPANESE
    if not signs & _ANY_LEFT:
        return left, remaining
    for sign, pattern in _LEFT:
        for found in pattern.finditer(said) if signs & sign else ():
            left |= words.read(found[1]).names
            # The word before the name goes with it: what follows "not" is not denied, but left.
            remaining = remaining.replace(found[0], found[0].replace(found[1], " ", 1) if pattern is not _BUT_NOT else " ", 1)
    return left, remaining


def head(text: str) -> frozenset[str]:
    """Return the words of a statement without those of its conditions (when, before, after …)."""
    return words.read(_SUBORDINATE.sub("", _plain(text).lower())).names


def _clause(text: str, leaves: bool, signs: int) -> Clause | None:
    """Return a clause; None for one without words. leaves: whether the sentence says what is no longer used, so that やめ denies nothing else."""
    found = words.read(text)
    if not found.names:
        return None
    denied = _denial(text, signs) if signs & (_DENIAL | _JAPANESE) else ""
    if denied:
        denied = _denial(_AFFIRMS.sub(" ", text), signs)
    return Clause._make((found, denied != "" and not (leaves and denied in ("やめ", "廃止"))))


def _denial(text: str, signs: int) -> str:
    """Return the first words of a clause that deny something, "" if none do."""
    english = _DENIES.search(text) if signs & _DENIAL else None
    japanese = _DENIES_JAPANESE.search(text) if signs & _JAPANESE else None
    first = japanese if english is None or (japanese is not None and japanese.start() < english.start()) else english
    return first[0] if first is not None else ""


def _may_be_order(said: str, signs: int) -> bool:
    """Return whether a sentence is short enough to be an order, and tells or describes nothing. Most others do, or say where something is."""
    if len(said) > _LONGEST_ORDER or "/" in said or _TELLS.match(said) is not None or said.rstrip().endswith("!"):
        return False
    return not signs & _JAPANESE or not _tells_in_japanese(said)


def _tells_in_japanese(said: str) -> bool:
    """Return whether `_TELLS_JAPANESE` matches, which most sentences show by their last character that belongs to a word."""
    end = said.rstrip(_AFTER_SENTENCES)
    return end.endswith(_ENDS_OF_TELLING) if end[-1:].isalnum() else _TELLS_JAPANESE.search(said) is not None


def _is_order(said: str, clauses: tuple[Clause, ...], signs: int) -> bool:
    """Return whether a sentence may be an order or a rule in few words, which a later one can deny."""
    return len(clauses) == 1 and 2 <= len(clauses[0].words.names) <= _MOST_NAMES_OF_ORDER and _may_be_order(said, signs)

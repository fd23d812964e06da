"""What a later answer makes of an earlier one: which values both give for the same thing, and what a text says to be no longer so.

A value belongs to a frame: the names before it in its clause, and what it counts. Two texts with one frame and different values contradict each other, and the
later one is in force. In doubt a sentence has no frame: of two answers that are about different things, none may be hidden.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.about import amounts, denies, is_among, names
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.word_terms import ENGLISH
from memorybank.values import NamedTuple, lru_cache

_LONGEST = 400
"""Characters of a sentence that is read."""
_LEAST_NAMES, _LEAST_BEFORE_NAME = 2, 3
"""Names in the frame of an amount, and of another value in English."""
_STATES = (
    r"(?:is|are|uses?|takes?|lasts?|lives?|costs?|has|have|allows?|runs? (?:on|at|in|with)|listens? (?:on|at)|stored in|goes (?:to|through)|go (?:to|through)"
    r"|set to|stays?)"
)
_CLAUSE = lazy_pattern(r"(?<=[.;:!?])\s+|,\s+|[。、；：]\s*|\s[-–—]+\s")
_WHICH_IS = lazy_pattern(rf"(?<![\w`])(`?\w+`?(?: [a-z]+)?), which ({_STATES}\b[^,;:()]{{1,60}})", "i")
"""Matches a thing and its value within a sentence about something else: "once it exceeds LIMIT, which is 3 metres"."""
_STATED = lazy_pattern(rf"\b{_STATES}\b|=\s*$|[はが][^はがをに]{{0,12}}$", "i")
"""Matches, before an amount, what makes it the value of something."""
_NAMED = lazy_pattern(rf"^(.*?\b{_STATES}\b(?: now)?(?: the| an?)?(?: [a-z]+)?) [`\"]?([\w.@/-]*\w)[`\"]?(?: now| again| only)*$", "i")
_KIND_AND_NAME = lazy_pattern(rf"\b{_STATES}\b(?: now)?(?: the| an?) [a-z]+$", "i")
_IDENTIFIER = lazy_pattern(r"[\d_./@-]|[a-z][A-Z]|^[A-Z]{2}")
_NAMED_JAPANESE = lazy_pattern(
    r"^(.{2,60}?)[はを]\s*([^はがを、。\s（(]{2,16}?)(?:[（(][^）)]*[）)])?"
    r"(?:です|にし(?:ました|ます)|になりました|に変(?:更し|え)ました|に戻しました|のままです|を使(?:い|用し)ます)$"
)
_ELSEWHEN = lazy_pattern(
    r"\b(?:was|were|had|until|before|previously|formerly|used to|would|could|might|should|if|unless|e\.g|for example)\b"
    r"|でした|だった|以前|まで(?:は|の|$)|なら|れば|たら|場合|かもしれ|例えば|たとえば|予定",
    "i",
)
"""Matches what was so once, may be so, or is so in some cases."""
_LABEL = lazy_pattern(
    r"(?:\b(?:step|phase|stage|part|issue|pr|item|option|task|row|lines?|version|level|chapter|section|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|sessions?|tests?|files?|commits?|on)|ステップ|第|バージョン|[#v])\s*$",
    "i",
)
"""Matches, before a number, what makes it a name, a date or a count of work."""
_LABELLED = lazy_pattern(r"\s?(?:tests?|files?|commits?|lines?|errors?|problems?|warnings?|passed|failed|of\b|月|日|件|行|番目|/|-\d|:\d)", "i")
_OWN_NAME = lazy_pattern(r"(?=\S*[_./-])(?=\S*[A-Za-z])\S+$")
_NO_VALUE = lazy_pattern(r"\d|から|まで|より|(?:ため|とき|こと|もの|の|よう|同じ|可能|必要|不要|完了)$")
_AND = lazy_pattern(r" and (?:the )?|(?<=[一-龥ァ-ヶーA-Za-z])と(?=[一-龥ァ-ヶーA-Za-z])")
_FILLERS = frozenset(str.split("chang fyi note noted correct understood current mean actual"))
_YEAR = lazy_pattern(r"^(?:19|20)\d\d$")
_X, _Y = r"(?P<x>[`\w][\w`./+-]*(?: [`\w][\w`./+-]*){0,5}?)", r"(?P<y>[`\w][\w`./+-]*(?: [`\w][\w`./+-]*){0,2}?)"
_END = r"(?=[,.;:!)]|\s(?:for|in|on|since|because|as|now|from|at|and|with|again)\b|$)"
_J = r"[^、。はがを「」\s]"
_CODE = r"`<?[A-Za-z_.][\w./-]{3,80}?(?:\(\))?(?: ?/?>)?`"
_CODES = rf"{_CODE}(?:(?:, (?:and )?| and | ?(?:、|と|および) ?){_CODE}){{0,4}}"
_PART = (
    r"(?:components?|functions?|class(?:es)?|helpers?|modules?|types?|hooks?|methods?|constants?|interfaces?|enums?|structs?|tables?|columns?|commands?|endpoints?"
    r"|routes?|pages?|views?|services?)"
)
_CODE_IS_LEFT = tuple(
    lazy_pattern(pattern, "i")
    for pattern in (
        rf"^\W{{0,4}}(?:(?:and|also|I|we|have|then|completely|fully|entirely) )*(?:removed|deleted|dropped|replaced|renamed) (?:the )?"
        rf"(?:(?:old|unused|now-unused|dead|legacy|obsolete|entire|whole|custom|local) )*(?:{_PART} )?(?P<x>{_CODES})(?: {_PART})?"
        rf"(?=\s*(?:$|[,;:.!(—–→+]|- |(?:entirely|completely|altogether|everywhere|too)\b)|\s(?:with|by|to|in favou?r of)\b)"
        rf"(?:[^`]{{0,80}}?(?:\b(?:with|by|to|of)\b|→)[^`]{{0,30}}(?P<y>{_CODE}))?",
        rf"^\W{{0,4}}(?:the |our )?(?:{_PART} )?(?P<x>{_CODES})(?: {_PART})? (?:is|are|was|were|has been|have been) (?:now )?(?:completely |fully )?"
        rf"(?:removed|deleted|dropped|gone|retired|(?:replaced|renamed|merged)(?: (?:with|by|to|into) [^`]{{0,20}}(?P<y>{_CODE}))?)",
        rf"(?P<x>{_CODES})\s?[をは]\s?[^`、。]{{0,12}}(?:削除|廃止|撤去|除去|消)[しさ]",
        rf"(?P<x>{_CODES})\s?[をは]\s?(?P<y>{_CODE})\s?[にへ](?:置き?換え|改名|リネーム|統合|差し替え|変更)",
    )
)
"""Match identifiers that a sentence reports as removed, replaced or renamed."""
_IDENTIFIER_PARTS = lazy_pattern(r"[a-z][A-Z]|[A-Z][A-Z][a-z]|[_/]|\(\)|\w\.\w|/>")
_FIRST_NAMES = 3
"""Of the names of a sentence, those by which it is about something in the code."""
_LEFT = tuple(
    lazy_pattern(pattern, "i")
    for pattern in (
        rf"\b(?:chang|switch|mov|migrat|revert|rais|lower|increas|reduc|went|gone|goes|turn)\w*\b[^.;]{{0,60}}?\bfrom (?:the )?{_X} (?:back )?to"
        rf" (?:the )?{_Y}{_END}",
        rf"\breplac(?:ed|es) (?:the )?{_X} (?:with|by) (?:the )?{_Y}{_END}",
        rf"\b(?:no longer (?:use[sd]? |using |on |in )(?:the )?|stopped using (?:the )?|got rid of (?:the )?){_X}{_END}",
        rf"^(?:the |our )?{_X} (?:is|was|are|were|has been|have been) (?:now )?(?:reverted|undone|rolled back)\b",
        rf"^(?:I |we )?(?:have )?(?:reverted|undid|rolled back) (?:the |our )?{_X}{_END}",
        r"^(?:the |our )?(?P<x>[\w`/-]+[./_][\w`./-]+)"
        r"(?: and the [\w ]{1,40})? (?:is|are|was|were|has been|have been) (?:now )?(?:removed|deleted|dropped|gone|retired)\b",
        rf"(?P<x>{_J}{{2,20}}?)から(?P<y>{_J}{{2,24}}?)(?:[（(][^）)]*[）)])?[にへ](?:変|切り?替|置き?換|戻|移|改名)",
        rf"(?P<x>{_J}{{2,20}}?)を?(?:やめ|廃止し|取りやめ)(?:て|ました|ます|、|。|$)(?:、?(?P<y>{_J}{{2,16}}?)に)?",
        rf"(?P<x>{_J}{{2,40}}?)\s?(?:への(?:変更|移行|切り?替え))?を(?:取り消し|元に戻し|削除し|消し)(?:て|ました|ます)",
        rf"(?P<x>{_J}{{2,40}}?)\s?を\s?(?P<y>{_J}{{2,40}}?)\s?に(?:改名|変更|置き?換え|切り?替え)(?:し|て|ま)",
        rf"(?P<x>{_J}{{2,20}}?)(?:ではなく|の代わりに)、?(?P<y>{_J}{{2,20}}?)(?:に変|に切|を使うように|に戻)",
    )
)
_CHANGE = frozenset(
    str.split("""変更 変 対応 追加 取 消 戻 元 削除 廃止 chang commit revert remov delet undon undid roll back drop gone retir move switch migrat replac longer
    stop us""")
)
_IN_NAMES = tuple("_.-/@#0123456789")


class FrameValue(NamedTuple):
    """A value and its frame. frame: what it is the value of, as sorted names; value: in lower case"""

    frame: str
    value: str


class PassageChange(NamedTuple):
    """What a text says to be no longer so.

    words: what was so, as it is written
    left, become: names of what was so and of what is so instead
    about: the other names of the sentence
    thing: those of them that come before what was so
    is_named: whether what was so has a name of its own, as a file or a library has
    is_code: whether it is something in the code, which an earlier sentence is about if it is one of the first names there
    """

    words: str
    left: tuple[str, ...]
    become: tuple[str, ...]
    about: tuple[str, ...]
    thing: tuple[str, ...]
    is_named: bool
    is_code: bool = False


def values_of(text: str) -> list[FrameValue]:
    """Return the values that a text gives, each with its frame."""
    found = []
    for sentence in _statements(text):
        for clause in (*_CLAUSE.split(sentence), *(f"{thing} {value}" for thing, value in _WHICH_IS.findall(sentence))):
            if _ELSEWHEN.search(clause) is None and not denies(clause):
                found += _amounts_of(clause) or _name_of(clause)
    return list(dict.fromkeys(found))


def changes_of(text: str) -> list[PassageChange]:
    """Return what a text says to be no longer so."""
    return [change for sentence in _statements(text) for change in _changes_in(sentence)]


@lru_cache(maxsize=64)
def _changes_in(sentence: str) -> list[PassageChange]:
    if "`" in sentence and (gone := _code_left_in(sentence)):
        return gone
    match = next(filter(None, (pattern.search(sentence) for pattern in _LEFT)), None)
    if match is None:
        return []
    groups = match.groupdict()
    become = _said(groups.get("y") or "")
    found = []
    for part in _AND.split(groups["x"]):
        left = _named(part)
        if left and not set(left) & set(become) and not all(map(_YEAR.match, left)):
            about = tuple(word for word in _named(sentence) if word not in left and word not in become)
            found.append(PassageChange(part, left, become, about, _named(sentence[: match.start("x")]), _OWN_NAME.match(part.strip("`")) is not None))
    return found


def _code_left_in(sentence: str) -> list[PassageChange]:
    match = next(filter(None, (pattern.search(sentence) for pattern in _CODE_IS_LEFT)), None)
    if match is None:
        return []
    become = _said(match.groupdict().get("y") or "")
    parts = match["x"].split("`")[1::2]
    named = [(part, _said(part)) for part in parts if _IDENTIFIER_PARTS.search(part) is not None]
    return [PassageChange(part, left, become, (), (), is_named=True, is_code=True) for part, left in named if left and left != become]


def is_left(change: PassageChange, text: str) -> bool:
    """Return whether an earlier text says what is no longer so, of the same thing and as something that is so."""
    for sentence in _statements(text):
        said = _said(sentence)
        if not is_among(change.left, said) or any(is_among((word,), said) for word in change.become):
            continue
        if denies(sentence) or _ELSEWHEN.search(sentence) is not None or any(is_among(one.left, change.left) for one in _changes_in(sentence)):
            continue
        if change.is_code:
            if is_among(change.left, said[:_FIRST_NAMES]):
                return True
            continue
        rest = [word for word in said if word not in change.left]
        shared = [word for word in change.about if is_among((word,), rest)] + [word for word in rest if is_among((word,), change.about)]
        # Without what is so instead, the sentence must be about nothing else.
        is_same = is_among(change.thing, rest) if change.thing else not change.become and not change.about and len(change.left) >= _LEAST_NAMES
        if is_same or (change.become and len(set(shared)) >= _LEAST_NAMES) or (change.is_named and not change.become):
            return True
    return False


@lru_cache(maxsize=64)
def _statements(text: str) -> list[str]:
    return [one.rstrip(" 。.！!") for one in sentences(text) if len(one) <= _LONGEST and not one.rstrip().endswith(("?", "？"))]


@lru_cache(maxsize=256)
def _said(text: str) -> tuple[str, ...]:
    """Return the names of a text, those of an English one without function words."""
    return tuple(word for word in names(text) if word not in ENGLISH and word not in _FILLERS and (len(word) > 1 or not word.isascii()))


def _named(text: str) -> tuple[str, ...]:
    return tuple(word for word in _said(text) if word not in _CHANGE)


def _amounts_of(clause: str) -> list[FrameValue]:
    """Return the first amount of a clause if it is the value of something that has a name."""
    value, kinds = next(iter(amounts(clause).items()), ("", frozenset[str]()))
    place = clause.find(value) if value[:1].isdigit() else -1
    if place < 0:
        return []
    before, after = clause[:place], clause[place + len(value) :]
    if before[-1:] in _IN_NAMES or _STATED.search(before) is None or _LABEL.search(before) is not None or _LABELLED.match(after) is not None:
        return []
    frame = _said(before)
    if len(frame) < _LEAST_NAMES and not any("_" in word for word in frame):
        return []
    return [FrameValue(" ".join((*sorted(frame), "#", *sorted(kinds))), value)]


def _name_of(clause: str) -> list[FrameValue]:
    """Return the identifier or name that ends a clause, if it is the value of something."""
    if (found := _NAMED.search(clause)) is not None:
        before, value = found.groups()
        is_value = _IDENTIFIER.search(value) is not None or _KIND_AND_NAME.search(before) is not None
        frame = _said(before)
        least = _LEAST_BEFORE_NAME
    elif (found := _NAMED_JAPANESE.search(clause)) is not None:
        before, value = found.groups()
        is_value, frame, least = _NO_VALUE.search(value) is None, _said(before), _LEAST_NAMES
    else:
        return []
    return [FrameValue(" ".join((*sorted(frame), "=")), value.lower())] if is_value and len(frame) >= least else []

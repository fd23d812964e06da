"""What a sentence is about, and whether another one is about the same: its clauses, the names in them, and what comes last as a value.

In doubt, two sentences are about different things. Then both are kept.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.lasting import GIVEN_UP, GIVEN_UP_JA
from memorybank.text.prompts.spelling import repaired
from memorybank.text.words.word_terms import ENGLISH, stem_of
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_WORD = lazy_pattern(r"[A-Za-z0-9_](?:[\w@+#]|[./:](?=\w))*|[ァ-ヴー]+|[一-龥々]+", "a")
DIRECTIONS = frozenset(str.split("off out down up from without before after outside inside below under above over during between within against"))
"""Function words that tell two sentences apart: "copy from production", "turn off"."""
_BINDING_WORDS = frozenset(
    str.split("""alwai never ever must may might shall forbidden forbid prohibit ban avoid stop anyth everyth someth anybodi anyon nobodi everywher anywher
    actual realli simpli freeli just directli yourself manual first instead rather also too okai ok fine pleas thank hei claud sure good ye no not cannot won
    rule rememb forget today hand local use run execut have do noth one it gui way pretti mandatori compulsori let go keep repo repositori here project now
    afraid scare wari nervou uneasi uncomfort bear annoi bother fyi btw said told mention us dont re ve ll hm safe approv allow there everi each
    一応 念 必 絶対 常 毎回 今後 以後 以降 次回 今度 決 一切 二度 勝手 直接 禁止 不可 許可 解禁 不要 必要 問題 大丈夫 構 要 良 願 下 頂 全 全部 今 次
    実行 使用 利用 使 行 再 際 時 用 等 的 中 内 入 流 付 側 形 事 物 方 駄目 徹底 基本 是非 困 怖 嫌 迷惑""")
)
"""Words that say how strictly, how long, where or by what general verb, and not what a rule is about."""
UNITS = {
    **dict.fromkeys(str.split("ms s sec secs min mins h hr d 秒 分 時 日 週 月 年 ヶ ヵ か daily hourly weekly monthly yearly"), "time"),
    **{f"{one}{end}": "time" for one in str.split("millisecond second minute hour day week month year") for end in ("", "s")},
    **dict.fromkeys(str.split("b byte bytes kb mb gb tb kib mib gib"), "size"),
}
"""What numbers count, by kind."""
_COUNTED = frozenset(
    str.split("dai minut second percent line char charact space time column request token byte fp fps 時間 行 文字 件 回 円 個 人 点 字")
).union(UNITS)
_NUMBER = lazy_pattern(
    r"(?<![A-Za-z_\d./@-])(\d[\d,.:]{0,40}\d|\d)(?![\d_]|\.\d|[A-Za-z]\d)|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen"
    r"|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|once|twice|(?:dai|hour|week|month|year)ly)\b",
    "i",
)
_MEASURES = frozenset(UNITS.values())
SMALL = frozenset(("one", "two", "once"))
"""Numbers that are often no value."""
_COUNTS_MORE = lazy_pattern(r"\b(?:more|another|others?|also|too|still|left|again)\b|あと|もう|他に|ほかに|まだ", "i")
_NEAR = 8
"""Characters around a number within which a word says that it counts further things: "3 more files"."""
_UNIT = lazy_pattern(
    r"[ -]?(?!(?:since|[io]n|at|for|per|now|there|and|or|of|is|was|are|everywhere|though|not|as|to|from|by|with|after|before|again|if|when)\b)"
    r"([A-Za-z%]+)(?:[ -]([A-Za-z]+))?|\s?([一-龥ァ-ヶー]{1,2}|つ|か(?=月))",
    "i",
)
_WEEKDAYS = lazy_pattern(r"\b((?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|([月火水木金土日])曜", "i")
_LEAST_SHARED = 2
_UNIT_LETTERS = 3
_CLAUSE = lazy_pattern(
    r"(?<=[.;:!?])\s+|,\s+|[。！？、，；]\s*|\s[-–—]+\s|\s(?=(?:instead of|rather than)\b)"
    r"|\s(?=(?:and|but) (?:never|always|don['’]?t|do not|not|please)\b)|(?<=ではなく)",
    "i",
)
_OPENS = lazy_pattern(
    r"^\W*(?:(?:and|but|so|also|please)\s+)*(?:in|for|on|when|whenever|if|before|after|with|during|as|at|from|while|once|inside|to|unless|under)\b"
    r"|(?<!ない)[はにでもがら]$",
    "i",
)
"""Matches a clause that says for what the next one holds."""
_ORDERED_TWICE = lazy_pattern(r"(?:don['’]?t|do not|never) forget|忘れ(?:ないで|ずに)|な(?:ければ|いと|くては)(?:なら|いけ|だめ|ダメ)\S*", "i")
"""Matches two negations that order something."""
_DENIES = lazy_pattern(
    r"\b(?:never|not(?! only\b)|cannot|avoid|forbid(?:den)?|prohibit(?:ed)?|stop|ban(?:ned)?|nobody|instead of|rather than"
    rf"|no(?! (?:matter|longer|need)\b)|{GIVEN_UP})\b|n['’]t\b|\bdont\b"
    r"|\b(?:afraid|scared|wary|nervous|uneasy|uncomfortable) (?:to let you|(?:of|about|with) (?:letting )?you)\b|\b(?:annoys|bothers) me (?:when|that|if)\b"
    r"|れ(?:ると|るの[はが])[^、。]{0,6}(?:困|迷惑|嫌|怖|不安)"
    rf"|ない|ません|せず|禁止|不可|やめ|避け|だめ|ダメ|駄目|るな(?:[。よ]|$)|ではなく|じゃなく|{GIVEN_UP_JA}",
    "i",
)
_CHANGES = lazy_pattern(
    r"\b(?:instead|no longer|no more|anymore|any more|from now on|now|switched|moved|changed|actually|ran out|replaced)\b|もう|これから|今後|代わり"
    r"|ではなく|じゃなく|変え(?:た|まし)|[にへ]変更|変更(?:した|しまし|され|にな)|やめ|移行|移し|廃止|引き継|今[はの]|やっぱり",
    "i",
)
_LEAVES = lazy_pattern(
    r"\b(?:no longer|no more|any ?more|moved|moving|switched|migrated|handed|dropped|replaced|ran out|expired|retired|left|instead of)\b"
    r"|(?<!never )(?<!not )(?<!n't )\bforget(?: about)?\b(?! to\b)|廃止|移行|移し|移り|引き継|退職|やめ|ではなく|じゃなく|捨て",
    "i",
)
"""Matches a sentence that says what is no longer so."""
_NOT_ANY_MORE = lazy_pattern(
    r"\b(?:and not|but not|not|instead of|rather than) (?:on |at |in |after |every )?[\w-]+|[^、。]{0,200}(?:では|じゃ)(?=な[くい])", "i"
)
"""Matches the value that a sentence says not to be the one."""
_ADDS = lazy_pattern(r"\b(?:also|too|as well|additionally|besides|in addition|either)\b|(?<=[一-龥ァ-ヶーA-Za-z0-9])も(?!う|っと|ちろん|の)", "i")
_SCOPE = lazy_pattern(
    r"\b(?:for|in|on|from|during|when|if|except|only) (?:the |an? |our )?[\w.-]+|[一-龥ァ-ヶーA-Za-z0-9]{1,60}(?=では|だけ|のみ|の場合|以外|の[時と])", "i"
)
"""Matches the case for which a sentence holds."""
_ALL = lazy_pattern(r"\beverything\b|全部|すべて|全て", "i")
_FROM_NOW = lazy_pattern(r"\bfrom (?:now|here) on\b|\bafter all\b", "i")
_APART = lazy_pattern(r"\bfrom (?:now|here) on\b|\bafter all\b|\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|[月火水木金土日]曜日?", "i")
"""Matches what is no name in a sentence that has a value."""
_VALUE = lazy_pattern(
    r"\b(?:is|are|was|called|named|(?:runs?|lives?|stored) (?:on|in)|call me)\b|[:=]\s|\b(?:takes?|lasts?|costs?|has|have)\b(?= \d)"
    r"|(?:は|が)(?=[^はが、]*(?:です|である|だ|[\d０-９]|[A-Za-z])\S{0,6}[。]?$)",
    "i",
)
"""Matches what comes between a thing and its value."""


@lru_cache(maxsize=1024)
def names(text: str) -> tuple[str, ...]:
    """Return the words of a text that say what it is about, in order: stems, identifiers, and runs of kanji or katakana."""
    found = []
    is_english = text.isascii()
    for word in _WORD.findall(text.replace("-", " ").replace("’", "'")):
        lowered = word.lower().rstrip("/.:")
        if lowered.isascii() and lowered.isalpha():
            if len(lowered) == 1 or (is_english and lowered in ENGLISH and lowered not in DIRECTIONS):
                continue
            lowered = lowered if lowered in DIRECTIONS else stem_of(lowered)
        if lowered and lowered not in _BINDING_WORDS:
            found.append(lowered)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=512)
def clauses(text: str) -> list[str]:
    """Return the clauses of a text, each with what opens it: "In api/, never use print" is one."""
    found: list[str] = []
    opening = ""
    for part in _CLAUSE.split(text):
        if not part or not part.strip():
            continue
        whole = f"{opening} {part}".strip()
        if _OPENS.search(part.strip()) is not None and not (found and part.isascii()):
            opening = whole
            continue
        found.append(whole.rstrip(".。 "))
        opening = ""
    return [*found, opening] if opening else found


@lru_cache(maxsize=512)
def denies(text: str) -> bool:
    """Return whether a text forbids or denies something."""
    text = repaired(text)
    if _DENIES.search(text) is None:
        return False
    return _ORDERED_TWICE.search(text) is None or _DENIES.search(_ORDERED_TWICE.sub(" ", text)) is not None


@lru_cache(maxsize=512)
def says_change(text: str) -> bool:
    """Return whether a sentence says that something has changed."""
    return _CHANGES.search(text) is not None


def adds(text: str) -> bool:
    """Return whether a sentence says that it holds next to others."""
    return _ADDS.search(text) is not None


def is_among(words: Collection[str], known: Collection[str]) -> bool:
    """Return whether all words are among the known ones, or parts of Japanese compounds among these."""
    return all(word in known or (len(word) > 1 and not word.isascii() and any(word in one for one in known)) for word in words)


def differ(one: str, other: str) -> bool:
    """Return whether two sentences name different things: each has a word that the other lacks, other than a value that only one of them can have."""
    mine, theirs = _subject(one), _subject(other)
    if not mine or not theirs:
        return False
    if is_among(theirs, mine):
        return _is_narrower(one, theirs, [])
    if is_among(mine, theirs):
        return _is_narrower(other, mine, [])
    return not (has_another_value(one, other) or has_another_value(other, one))


def has_another_value(new: str, old: str) -> bool:
    """Return whether a sentence gives another value than an earlier one for the same thing. A prohibition has no value: another is another prohibition."""
    # What is found out of one sentence comes before the names of two: at a start some hundred pairs are compared.
    if not _may_give_value(new) or set(names(new)).isdisjoint(names(old)):
        return False
    is_left = _LEAVES.search(new) is not None
    stays = _NOT_ANY_MORE.sub(" ", new)
    if adds(new) or ((denies(old) or denies(stays)) and not is_left):
        return False
    thing, value = _parts(old, is_changed=says_change(new))
    mine = [word for word in names(_APART.sub(" ", new)) if not _is_amount(word)]
    shared = [word for word in thing if is_among((word,), mine)]
    kept = [word for word in value or thing[-1:] if is_among((word,), mine)]
    counted = amounts(old)
    has_amount = has_other_amount(amounts(stays), counted)
    if not has_amount and is_among(names(_APART.sub(" ", new)), names(old)):
        return False
    if is_left and kept and (len(kept) == len(value or thing[-1:]) or len(shared) >= _LEAST_SHARED):
        is_same = bool(shared) if _VALUE.search(old) is not None else len(shared) == len(thing)
        # "Use pnpm for the packages instead of npm" has the new value before the thing.
        is_as_broad = "instead of" in new or not _is_narrower(new, thing, value)
        return (is_same and bool(thing) and is_as_broad) or _ALL.search(new) is not None
    if has_amount:
        thing = [word for word in thing + value if not any(word in unit for unit in counted.values())]
        shared += kept if value else []
    elif not value or len(kept) == len(value) or not (_VALUE.search(new) or says_change(new)):
        return False
    further = [word for word in mine if not is_among((word,), thing)]
    if not shared or (len(shared) < len(thing) and (further or len(shared) < _LEAST_SHARED)):
        return False
    if has_amount and any(is_among(names(scope), further) for scope in _SCOPE.findall(new) if names(scope)):
        return False
    return not _is_narrower(new, thing, value)


@lru_cache(maxsize=512)
def _may_give_value(text: str) -> bool:
    """Return whether a sentence contains words for a value, an amount, or what is no longer so. Without them it gives no other value."""
    return any(pattern.search(text) is not None for pattern in (_VALUE, _CHANGES, _LEAVES, _NUMBER, _WEEKDAYS))


def _is_narrower(text: str, thing: list[str], value: list[str]) -> bool:
    """Return whether a sentence has another name before those of a thing, or among them: "the upload timeout" is narrower than "the timeout"."""
    every = [[word for word in names(_LEAVES.sub(" ", _APART.sub(" ", clause))) if not _is_amount(word)] for clause in clauses(text)]
    said = max(every, key=lambda words: sum(is_among((word,), thing) for word in words), default=[])
    places = [place for place, word in enumerate(said) if is_among((word,), thing)]
    last = places[:1] if says_change(text) else places[-1:]
    return any(not is_among((word,), [*thing, *value]) for word in said[: sum(last)])


@lru_cache(maxsize=512)
def _parts(text: str, *, is_changed: bool) -> tuple[list[str], list[str]]:
    """Return the names of the thing that a sentence is about, and those of its value, which comes last. is_changed: whether a later sentence changes it"""
    plain = _APART.sub(" ", text)
    every = _subject(text, apart=True)
    found = _VALUE.search(plain)
    if found is None:
        return (every[:-1], every[-1:]) if is_changed and len(every) > 1 else (every, [])
    thing = names(plain[: found.end()])
    return [word for word in every if word in thing], [word for word in every if word not in thing]


@lru_cache(maxsize=512)
def _subject(text: str, *, apart: bool = False) -> list[str]:
    """Return the names of the first clause that has any, without numbers and units. apart: also without weekdays, which may be values"""
    every = ([word for word in names((_APART if apart else _FROM_NOW).sub(" ", clause)) if not _is_amount(word)] for clause in clauses(text))
    return next(filter(None, every), [])


def _is_amount(word: str) -> bool:
    return word in _COUNTED or (word[0].isdigit() and len(word.lstrip("0123456789.,:")) < _UNIT_LETTERS)


@lru_cache(maxsize=512)
def amounts(text: str) -> dict[str, frozenset[str]]:
    """Return {a number or weekday: what it counts, as words or their kind}."""
    found = {"".join(day).lower().rstrip("s"): frozenset(("weekday",)) for day in _WEEKDAYS.findall(text)}
    for one in _NUMBER.finditer(text):
        if _COUNTS_MORE.search(text[max(one.start() - _NEAR, 0) : one.end() + _NEAR]) is not None:
            continue
        value = one[0].lower()
        unit = _UNIT.match(text, one.end())
        words = [value, *(part for part in unit.groups() if part)] if unit is not None else [value]
        classes = [known for word in words if (known := UNITS.get(word.lower()) or UNITS.get("" if word.isascii() else word[0]))]
        kinds = [kind for word in words[1:] for kind in (names(word) if word.isascii() else word[0])]
        if not found.get(value):  # "5 metres … with 3 metres, and 4 % with 5" is about metres
            found[value] = frozenset(classes[:1] or kinds)
    return found


def has_other_amount(own: dict[str, frozenset[str]], known: dict[str, frozenset[str]]) -> bool:
    """Return whether a text has an amount that another one does not have, of a kind of which that one has one that the text does not have."""
    left = [unit for value, unit in known.items() if value not in own]
    new = [unit for value, unit in own.items() if value not in known]
    return any(not unit or unit & other or (not other and unit <= _MEASURES) for unit in new for other in left)

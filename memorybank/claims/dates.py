"""Finds how long a sentence says that it holds: "until Friday", "by the end of March", 3月末まで, or only "for now" and 当面.

A wrong mark is worse than none, so a sentence about the past, about something that recurs, or about an event ("until the build passes") says nothing.
`expiry` turns what is found here into a day.
"""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import DATE, Claim
from memorybank.claims.past import is_of_the_past
from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.word_terms import MAY_BE_DIGITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

UNTIL, DUE, VAGUE = "until", "due", "vague"
"""What a sentence says about a date: it holds until then, something has to be done by then, or it holds for an unknown time."""

_MONTH = "Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t|tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
_WEEKDAY = "[Mm]onday|[Tt]uesday|[Ww]ednesday|[Tt]hursday|[Ff]riday|[Ss]aturday|[Ss]unday"
_END_OF_PHRASE = r"(?=\s*(?:$|[.,;:!?)—–|])|\s+(?:and|or|because|while|so|unless|as|since|for|with|in|on|at|only|morning|noon|evening)\b)"
_UNTIL = lazy_pattern(
    r"\b(?P<lead>[Uu]ntil|[Tt]ill|[Bb]y|[Ee]xpires?(?: on| in| at)?|[Vv]alid (?:through|to))\s+"
    rf"(?:(?:{_WEEKDAY}),? (?:the )?(?=[\dA-Z]))?(?:"
    r"(?P<iso>20\d\d-\d\d(?:-\d\d)?)(?![-\d])"
    rf"|(?P<month>{_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year>20\d\d)\b)?"
    rf"|(?:the )?(?P<day_>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month_>{_MONTH})\b(?:,? (?P<year_>20\d\d)\b)?"
    rf"|(?P<end>(?:the )?end of )?(?P<entire>{_MONTH})\b(?:,? (?P<of>20\d\d)\b)?{_END_OF_PHRASE}"
    rf"|(?:the )?end of (?:(?P<which>the|this|next) (?P<unit>week|month|year)|(?P<all>20\d\d)){_END_OF_PHRASE}"
    rf"|next (?P<following>week|month|year){_END_OF_PHRASE}|(?P<next>[Nn]ext |[Tt]his )?(?P<weekday>{_WEEKDAY})(?!, (?:\d|{_MONTH})){_END_OF_PHRASE}"
    rf"|(?P<tomorrow>tomorrow){_END_OF_PHRASE}"
    r")(?!['’]s)"
)
_MUST = lazy_pattern(
    r"\b(?:must|has to|have to|needs? to|should|shall|will|to be|due|deadline|TODO)\b|^(?:[-*+•]\s+)?(?:\[ \]\s+)?(?:Rotate|Fix|Finish|Migrate|Move|Remove"
    r"|Delete|Update|Upgrade|Replace|Switch|Renew|Send|Ship|Release|Write|Merge|Drop|Deploy|Check|Review|Close|Decide|Answer|Test|Publish|Submit)\b"
)
_RECURRING = lazy_pattern(rf"\b(?:every|each|daily|weekly|monthly|yearly|usually|normally|always|from (?:{_WEEKDAY})|(?:{_WEEKDAY}) until)\b|毎|曜日?から", "i")
_OF_EVERY_WEEK = lazy_pattern(rf"\b(?:(?:{_WEEKDAY})s?|Sat|Sun|Fri|[Ww]eekends?|[Ww]hen(?:ever)?|[Ii]f)\b|[月火水木金土日]曜|土日|週末|平日|休日|祝日|連休")
"""Matches what, beside a weekday as the end, makes a fact of every week: "Saturday parcels get no number until Monday"."""
_OF_THIS_WEEK = lazy_pattern(
    r"(?:^(?:[-*+•]\s+)?(?:\[ \]\s+)?|[,;:—–] |\b(?:so|then|please) )(?:please|let['’]s|do not|don['’]t|never|freeze|keep|leave|hold|stop|skip|wait|pause"
    r"|block|disable|avoid|postpone|delay|close|lock|turn|switch|use|stay|put|merge|deploy|release|ship|send|run)\b"
    rf"|\b(?:today|tonight|this (?:week|weekend|once)|it(?: is|['’]s) (?:{_WEEKDAY}))\b"
    r"|今日|本日|今週|今回|(?:て|ないで|こと|禁止|ください|下さい|願います|お願いします|くれ|ほしい|欲しい|たい|おく|おきます|せよ|しろ)[。！!]?\s*$",
    "i",
)
"""Matches an order, or what else is about one week."""
_PAST = lazy_pattern(
    r"\b(?:was|were|had|did|didn['’]t|wasn['’]t|weren['’]t|went|ran|kept|lasted|came|got|made|held|broke|fell|took|began|became|could|would|ago|used)\b"
)
_PARTICIPLE = lazy_pattern(r"\b(?:(\w+)\s+)?\b(\w+ed)\b")
_NOT_PAST_AFTER = frozenset(
    str.split("""is are be been being stay stays remain remains keep keeps get gets must not only still temporarily currently now the a an our this that its
    their your no all any to of and or""")
)
_NO_VERBS = frozenset(str.split("need speed feed seed indeed exceed proceed embed shed bed red"))
_OPEN = lazy_pattern(
    r"\b(?:(?:is|are|be) (?:only |just |still )?temporary(?!\s+\w)|[Tt]emporary (?:workaround|fix|hack|solution|measure|exception|limit|rule|patch|pin)"
    r"|(?<![Yy]ou )[Tt]emporarily (?:disabled|skipped|pinned|patched|hardcoded|allowed|raised|lowered|off|switched off|turned off|commented out)"
    r"|(?:[Ii]nterim|[Pp]rovisional|[Ss]top-?gap) (?:fix|solution|measure|workaround|arrangement|rule|limit)|[Ff]or the time being|[Ff]or now(?!\())\b"
    rf"|\b[Aa]s of (?:(?P<iso>20\d\d-\d\d(?:-\d\d)?)(?![-\d])|(?P<month>{_MONTH})(?: \d{{1,2}},?)? (?P<year>20\d\d)\b)"
    r"|暫定(?:的に|的な|対応|措置)|当面(?:は|の間|、)|今のところ|現時点(?:では|で、)|一時的な(?:回避策|対応|措置|制限)"
    r"|一時的に(?:無効|固定|停止し|外し|止め|上げ|下げ|許可|スキップ)|(?P<of_year>20\d\d)年(?P<of_month>\d{1,2})月(?:\d{1,2}日)?(?:時点|現在)"
)
_UNTIL_JAPANESE = lazy_pattern(
    r"(?:(?P<y>20\d\d)年(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日|末)?|(?<![\d/-])(?P<y_>20\d\d)[/-](?P<m_>\d{1,2})[/-](?P<d_>\d{1,2})"
    r"|(?<![\d年])(?P<m__>\d{1,2})月(?:(?P<d__>\d{1,2})日|末)"
    r"|(?<![先毎])(?P<rel>今週末?|来週末?|今月末?|来月末?|年内|年末|明日)(?=まで)|(?P<next>来週の?)?(?<!先週の)(?<!先週)(?P<w>[月火水木金土日])曜日?)"
    r"(?P<lead>までに|まで)"
)
_PAST_JAPANESE = lazy_pattern(r"(?:た|だ)[。！]?\s*$|済")
_DECIDED_JAPANESE = lazy_pattern(r"(?:とした|ことにした|と決めた|に決めた|延長した|だ)[。！]?\s*$")
_QUOTED = lazy_pattern(r"`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]{0,400}”|「[^」\n]{0,400}」|『[^』\n]{0,400}』")
_LEADS = ("ntil", "till", "by", "By", "alid to", "alid through")
_SIGN = lazy_pattern(
    "|".join(rf"{lead}\s+(?:(?:the )?(?:\d|end of)|{_MONTH}|{_WEEKDAY}|[Nn]ext |[Tt]his |tomorrow)" for lead in _LEADS)
    + rf"|xpires?(?: on| in| at)?\s|Till\s|emporar|nterim |rovisional |gap |or now|or the time|s of (?:20|{_MONTH})"
    r"|暫定|当面|今のところ|時点|現在|一時的"
)
"""Matches a part of every sentence that says something about a date or an unknown time, unless a quotation stands between a word and its date."""
_SIGN_JAPANESE = lazy_pattern(rf"[年月日末週内火水木金土曜{MAY_BE_DIGITS}]まで")
_SIGNS = (
    "ntil ", "till ", "by ", "by\n", "xpire", "alid t", "empora", "nterim ", "ovisional ", "gap ", "or now", "e being", "s of ",
    "ntil\n", "まで", "暫定", "当面", "今のところ", "時点", "現在", "一時的",
)  # fmt: skip
"""What a sentence about a date or an unknown time contains. Looking for each is faster than a pattern."""
_QUOTATION_MARKS = ("`", '"', "“", "「", "『")
_RELATIVE = {"今週": "week", "来週": "week+", "今月": "month", "来月": "month+", "年内": "year", "年末": "year", "明日": "tomorrow"}
_DAYS = {"月": "monday", "火": "tuesday", "水": "wednesday", "木": "thursday", "金": "friday", "土": "saturday", "日": "sunday"}


def dates(text: str, line: int) -> Iterator[Claim]:
    """Yield how long a sentence says that it holds. `place` is one of the words above and what `expiry` reads: `until 2026-03-01`, `due friday`, `vague`."""
    if not may_say(text):
        return
    bare = _QUOTED.sub(lambda match: " " * len(match[0]), text)
    if "example" in bare or _RECURRING.search(bare) is not None or _is_past(bare):
        return
    for match in _UNTIL.finditer(bare):
        lead = match["lead"].lower()
        if match["weekday"] and not match["next"] and _recurs(bare, match):
            continue
        if lead != "by" or _MUST.search(bare) is not None:
            yield _claim(DUE if lead == "by" else UNTIL, _when(match), match, text, line)
    for match in _UNTIL_JAPANESE.finditer(bare):
        if match["w"] and not match["next"] and _recurs(bare, match):
            continue
        yield _claim(DUE if match["lead"] == "までに" else UNTIL, _when_japanese(match), match, text, line)
    if not is_of_the_past(bare):
        for match in _OPEN.finditer(bare):
            yield _claim(VAGUE, _since(match), match, text, line)


def may_say(text: str) -> bool:
    """Return whether a text can contain a sentence that says how long it holds. Most texts cannot, and are not read."""
    if not any([sign in text for sign in _SIGNS]):
        return False
    if _SIGN.search(text) is not None or ("まで" in text and _SIGN_JAPANESE.search(text) is not None):
        return True
    return any([mark in text for mark in _QUOTATION_MARKS])


def _recurs(text: str, match: re.Match[str]) -> bool:
    """Return whether a weekday is the end of something that happens every week."""
    is_of_every_week = _OF_EVERY_WEEK.search(text[: match.start()]) or _OF_EVERY_WEEK.search(text[match.end() :])
    return is_of_every_week is not None and _OF_THIS_WEEK.search(text) is None


def _is_past(text: str) -> bool:
    """Return whether a sentence tells what was, rather than what is or has to be done."""
    if _PAST.search(text) is not None or (_PAST_JAPANESE.search(text) is not None and _DECIDED_JAPANESE.search(text) is None):
        return True
    for match in _PARTICIPLE.finditer(text):
        before, verb = (match[1] or "").lower(), match[2].lower()
        if before and before not in _NOT_PAST_AFTER and verb not in _NO_VERBS:
            return True
    return False


def _claim(says: str, when: str, match: re.Match[str], text: str, line: int) -> Claim:
    subject = " ".join(text[match.start() : match.end()].split()).removesuffix("、")
    return Claim(DATE, subject, line + text.count("\n", 0, match.start()), f"{says} {when}".rstrip())


def _when(match: re.Match[str]) -> str:
    """Return an English date in the form that `expiry` reads."""
    if match["iso"]:
        return match["iso"]
    for month, day, year in (("month", "day", "year"), ("month_", "day_", "year_")):
        if match[month]:
            return _written(match[year], _month(match[month]), match[day])
    if match["entire"]:
        return _written(match["of"], _month(match["entire"])) + ("" if match["of"] or match["end"] else "+")
    if match["all"]:
        return f"{match['all']}-12"
    if match["unit"]:
        return match["unit"] + ("+" if match["which"] == "next" else "")
    if match["following"]:
        return match["following"] + "+"
    return match["weekday"].lower() + ("+" if (match["next"] or "").lower() == "next " else "") if match["weekday"] else "tomorrow"


def _when_japanese(match: re.Match[str]) -> str:
    """Return a Japanese date in the form that `expiry` reads."""
    if match["y"] or match["y_"]:
        return _written(match["y"] or match["y_"], int(match["m"] or match["m_"]), match["d"] or match["d_"])
    if match["m__"]:
        return _written(None, int(match["m__"]), match["d__"])
    if match["rel"]:
        return _RELATIVE.get(match["rel"]) or _RELATIVE[match["rel"][:2]]
    return _DAYS[match["w"]] + ("+" if match["next"] else "")


def _since(match: re.Match[str]) -> str:
    """Return the month for which a statement is said to hold; "" if it names none."""
    if match["iso"]:
        return match["iso"]
    if match["month"]:
        return _written(match["year"], _month(match["month"]))
    return _written(match["of_year"], int(match["of_month"])) if match["of_year"] else ""


def _month(name: str) -> int:
    return "janfebmaraprmayjunjulaugsepoctnovdec".index(name[:3].lower()) // 3 + 1


def _written(year: str | None, month: int, day: str | None = None) -> str:
    """Return `2026-03-01`, `2026-03`, and without a year `--03-01` or `--03`."""
    return f"{int(year) if year else '-'}-{month:02}" + (f"-{int(day):02}" if day else "")

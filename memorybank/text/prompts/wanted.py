"""Recognises what kind of answer a question wants, and which texts contain one: a time, a number, a place, a person or a reason."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

TIME, NUMBER, PLACE, PERSON, REASON = "time", "number", "place", "person", "reason"
VALUES = (TIME, NUMBER, PLACE)
"""Kinds of which a later answer replaces an earlier one."""
_WANTS: dict[str, re.Pattern[str]] = {
    REASON: lazy_pattern(
        r"\bwhy\b|\bhow come\b|\breason(?:s|ing)?\b|\bwhat (?:caused|made|was wrong|went wrong|is behind|was behind)\b|\bcome from\b|\bculprit\b|\bcause\b"
        r"|なぜ|何故|どうして|なんで|理由|原因|何が(?:悪|まず|駄目|だめ)",
        "i",
    ),
    TIME: lazy_pattern(r"\bwhen\b|\b(?:what|which) (?:time|hour|day|date|weekday)\b|何時|いつ(?!も|の間)|何曜|何月|何日(?!間)", "i"),
    NUMBER: lazy_pattern(
        r"\bhow (?:many|much|often|long|large|big|small|fast|slow|far|high|low|old|cold|hot|warm|deep|wide|strict|late|early)\b"
        r"|\b(?:limit|cut-?off|threshold|maximum|minimum|(?:big|larg|small|low|high|long|short|fast|slow)est|at (?:most|least)|which port|what speed|rate"
        r"|charge|cost|price)\b"
        r"|いくつ|いくら|何[件回個分秒冊人度枚台倍円%％番]|何(?:日間?|時間|か月|ヶ月|週)|どれ(?:くらい|ぐらい|だけ)|どの(?:くらい|ぐらい)|上限|下限|しきい値|閾値",
        "i",
    ),
    PLACE: lazy_pattern(
        r"\bwhere(?!as)\b|\bwhich (?:file|folder|directory|module|table|host|port|bucket|branch|server)\b"
        r"|どこ|どの(?:ファイル|フォルダ|テーブル|画面|ブランチ|サーバ)|場所",
        "i",
    ),
    PERSON: lazy_pattern(r"^\W{0,3}(?:and |so |ok |hey )?who(?:m|se)?\b|[,;:] who\b|誰|だれ|どなた|どの人", "i"),
}
_CONTAINS: dict[str, re.Pattern[str]] = {
    REASON: lazy_pattern(
        r"\b(?:because|since|so that|so as|therefore|otherwise|caused?|due to|reasons?|turned out|in order|depend(?:s|ed) on|would (?:be|have)|no longer"
        r"|only|never)\b|\btoo \w{2,20} (?:to|for)\b|\bso (?:it|the|that|a)\b"
        r"|ため|ので|から|原因|理由|せい(?:で|だ)|なり(?:ます|ました)|でした|(?:ていま|でき)(?:した|せん)|ません",
        "i",
    ),
    TIME: lazy_pattern(
        r"\b\d{1,2}:\d\d\b|\b\d{1,2} ?(?:am|pm|utc|o['’]clock)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b\d{4}-\d\d-\d\d\b|\bmidnight\b|\bnoon\b"
        r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\bnight(?:ly)?\b|\bcron\b"
        r"|\d時|[月火水木金土日]曜|\d月|\d日|毎[日時週月晩朝]|翌[朝日]|正午|深夜",
        "i",
    ),
    NUMBER: lazy_pattern(
        r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|half)\b|[一二三四五六七八九十半][件回個日分秒冊人度枚台倍]", "i"
    ),
    PLACE: lazy_pattern(
        r"`[\w.-]{0,80}[/._-]|\w/\w|\w\.[a-z]{2,5}\b|https?:|[a-z]_[a-z]|\b(?:delet|remov|dropp|moved|renam|lives?\b|stored|kept in|folder|bucket|table)"
        r"|削除|消し|移し|移動|廃止|改名|置い|置き|保存|にあり|フォルダ|バケット|テーブル",
        "i",
    ),
    PERSON: lazy_pattern(r"\b(?:only|role|owner|admin|team|responsible|maintain|asks?\b|by )|`\w{2,40}`|さん|だけ|権限|担当|責任|本部|店長|管理者", "i"),
}
_AROUND = lazy_pattern(
    r"\b(?:these days|nowadays|at the moment|at present|right now|by now|back then|at the time|any ?more|no longer|in the end|last (?:week|month|year|time)"
    r"|this (?:week|month|year|spring|summer|autumn|winter)|how (?:many|much|often|long|come)|what (?:time|hour|day)|turn(?:s|ed) out|what happens"
    r"|where (?:is|are|was|does|do|did)|remind me(?: of)?|the (?:reason|cause)|what was (?:behind|wrong|it)|want(?:s|ed)? to know|stuff"
    r"|lives?(?=\W*$)|things?)\b|今(?:は|の|って|も)?|現在|前に|以前|結局|もう?一[回度]|教えて|何時間|何時|何[件回個日分秒冊人度枚台倍円]|いくつ|いくら"
    r"|どのくらい|どれくらい|どれだけ|どこ|誰",
    "i",
)


def kinds_wanted(question: str) -> list[str]:
    """Return the kinds of answers that a question wants, [] if it tells none."""
    return [kind for kind, pattern in _WANTS.items() if pattern.search(question) is not None]


def contains(kind: str, text: str) -> bool:
    """Return whether a text contains an answer of a kind."""
    return _CONTAINS[kind].search(text) is not None


def subject(question: str) -> str:
    """Return a question without what says that it is one, and of which time it asks."""
    return _AROUND.sub(" ", question)

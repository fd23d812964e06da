"""Makes a passage readable without the answer that it is from: without the number and the name of its section, Markdown's emphasis and words that only
turn to something.

An agent reads an excerpt alone, so it should begin with what it says.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.emphasis import without_emphasis
from memorybank.text.pattern import lazy_pattern

_MARKS = r"[\s…✅✔☑✓❌⚠🎉✨🚀\ufe0f]+|\*\*(?=(?-i:[A-Z\"“「\u3041-\u9fff]))"
_NUMBER = r"(?:(?:step|part|option|issue|bug|手順|ステップ|その) ?\d+|\d{1,2}(?=[.)．）]))(?:[.):：．）]+(?=\s|[^\x00-\x7f])|\s+[-–—:])\s*(?=\S)"
"""Matches the number of a section: "Step 3 - ", "2. "."""
_SECTION = (
    r"(?:(?:summary|overview|list)(?: of [^:：`]{1,40})?"
    r"|(?:the |key |main |all |other |code |frontend |backend )*(?:changes?|fixes|modifications|updates)(?: (?:made|needed|required|summary))?"
    r"|(?:all |key )?files?(?: (?:changed|modified|created|added|updated|touched))?|(?:changed|modified|updated) files"
    r"|(?:unit |integration )*tests? (?:added|updated)|implementation|solution|results?|details|conclusion|tl;?dr"
    r"|まとめ|概要|要約|結果|結論|回答|変更(?:内容|点|(?:した)?ファイル)|(?:修正|対応|実装)内容)(?: ?[(（][^()（）]{1,20}[)）])?\s*[:：]\s*(?=\S)"
)
"""Matches the name of a section of most answers, which says nothing about its content: "Changes made: "."""
_TURNS = (
    r"(?:wait|actually|hmm+|oh|ah|interesting|right|(?:good|great|nice)(?: catch| point| question)?|perfect|you['’]?re (?:absolutely )?right"
    r"|i (?:can )?(?:now )?see(?: (?:the|what the) (?:issue|problem|bug|error)(?: is)?)?|found (?:it|the (?:issue|problem|bug)))"
    r"(?:[,.!:…]+\s+|\s+[-–—]\s+)(?=\S)|(?:あっ?|おっと|なるほど|実は|わかりました|分かりました)[、。！]\s*(?=\S)"
)
_OPENS = lazy_pattern(f"(?:{_MARKS}|{_NUMBER}|{_SECTION}|{_TURNS})+", "i")


def readable(text: str) -> str:
    """Return a passage as it is shown."""
    text = without_emphasis(text)
    opens = _OPENS.match(text)
    return text[opens.end() :] if opens is not None else text


def readable_heading(text: str) -> str:
    """Return a heading as it is shown; "" if it only names a section."""
    text = without_emphasis(text).rstrip(":： ")
    return readable(f"{text}: .")[:-3] if text else ""

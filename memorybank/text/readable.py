"""Makes a passage readable without the answer that it is from: without the number and the name of its section, Markdown's emphasis and words that only
turn to something.

An agent reads an excerpt alone, so it should begin with what it says.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.openers import answer_first
from memorybank.text.pattern import lazy_pattern

_MARKS = lazy_pattern(r"^(?:[\s…✅✔☑✓❌⚠🎉✨🚀\ufe0f]|\*\*(?!\*))+")
_NUMBER = lazy_pattern(
    r"^(?:(?:step|part|option|issue|bug|手順|ステップ|その) ?\d+|\d{1,2}(?=[.)．）]))(?:[.):：．）]+(?=\s|[^\x00-\x7f])|\s+[-–—:])\s*(?=\S)", "i"
)
"""Matches the number of a section: "Step 3 - ", "2. "."""
_SECTION = (
    r"(?:(?:summary|overview|list)(?: of [^:：`]{1,40})?"
    r"|(?:the |key |main |all |other |code |frontend |backend )*(?:changes?|fixes|modifications|updates)(?: (?:made|needed|required|summary))?"
    r"|(?:all |key )?files?(?: (?:changed|modified|created|added|updated|touched))?|(?:changed|modified|updated) files"
    r"|(?:unit |integration )*tests? (?:added|updated)|implementation|solution|results?|details|conclusion|tl;?dr"
    r"|まとめ|概要|要約|結果|結論|回答|変更(?:内容|点|(?:した)?ファイル)|(?:修正|対応|実装)内容)(?: ?[(（][^()（）]{1,20}[)）])?"
)
"""Matches the name of a section of most answers, which says nothing about its content."""
_IS_SECTION = lazy_pattern(rf"{_SECTION}\W*\Z", "i")
_OF_SECTION = lazy_pattern(rf"^{_SECTION}\s*[:：]\s*(?=\S)", "i")
_TURNS = lazy_pattern(r"^(?:(?:wait|actually|hmm+|oh|ah|interesting|right)(?:[,.!:…]+\s+|\s+[-–—]\s+)|(?:あっ?|おっと|なるほど|実は)[、。！]\s*)+(?=\S)", "i")
_EMPHASIS = lazy_pattern(r"(?<![\w/`*])\*\*(?=[^\s*/])([^*\n]{1,200}?)(?<=[^\s*/])\*\*(?![\w/*])")


def readable(text: str) -> str:
    """Return a passage as it is shown."""
    # A function: a template would import `re`, which takes a tenth of a hook.
    text = _unnumbered(_EMPHASIS.sub(lambda found: found[1], text) if "**" in text else text)
    return answer_first(_TURNS.sub("", _OF_SECTION.sub("", text)))


def readable_heading(text: str) -> str:
    """Return a heading as it is shown; "" if it only names a section."""
    text = _unnumbered(text.replace("**", ""))
    return "" if _IS_SECTION.match(text) else text.rstrip(":： ")


def _unnumbered(text: str) -> str:
    return _MARKS.sub("", _NUMBER.sub("", _MARKS.sub("", text)))

"""What a short reply chooses of the agent's last message: the option whose number or letter it names, or the question to which it says yes.

The reply alone has no words to search for. The option says what the next turn is about.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.accepting import only_accepts
from memorybank.text.prompts.sentences import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_OPTION = 240
_READ_CHARACTERS = 8_000
_CHOICE = lazy_pattern(
    r"^\W*(?:(?:ok|okay|yes|sure|please|let['’]?s|i(?:['’]d| would)? (?:choose|prefer|pick|like|want)|(?:go|do|start|try|proceed|continue)(?: with| for)?"
    r"|use|take|はい|では|じゃあ|まず(?:は)?)\b[ ,、。]*){0,3}(?:(?:option|choice|number|plan|no\.)\s?|#|案|選択肢|オプション|プラン|方法)?"
    r"(?P<key>[1-9１-９]|(?-i:[A-FＡ-Ｆ]))(?:\W{0,3}$|(?:[.,]|,? please\b|番|案|[でをがにから]"
    r"(?![^。]*(?:完了|終わ|済|なく|失敗|エラー|[だダ][めメ])))[^0-9０-９]{0,30}$)",
    "i",
)
"""Matches a reply that names one number or letter: "2", "option B please", 「Aで進めたい」."""
_WIDE = str.maketrans("１２３４５６７８９ＡＢＣＤＥＦ", "123456789ABCDEF")
_ITEM = lazy_pattern(
    r"^[\s>*#-]*(?:(?:option|choice|plan|案|選択肢|オプション|プラン)\s?)?(?P<key>[1-9１-９A-FＡ-Ｆ])(?:\ufe0f?\u20e3|[\]).:：．）]|\*\*[:：.]?|案)[\s*:：]*(?P<text>\S.*)$",
    "im",
)
"""Matches an option of a list."""
_ASKS = ("?", "？")


def chosen(reply: str, last_message: Callable[[], str]) -> str:
    """Return the option of an agent's last message that a short reply chooses, or the question to which it says yes; "" for none."""
    found = _CHOICE.match(reply)
    if found is None and not only_accepts(reply):
        return ""
    said = last_message()[-_READ_CHARACTERS:]
    if found is None:
        asked = [one for one in sentences(said) if one.rstrip(" *`)）」").endswith(_ASKS)]
        return asked[-1][:_LONGEST_OPTION] if asked else ""
    key = found["key"].translate(_WIDE).upper()
    options = [one["text"] for one in _ITEM.finditer(said) if one["key"].translate(_WIDE).upper() == key]
    return options[-1].strip(" *")[:_LONGEST_OPTION] if options else ""

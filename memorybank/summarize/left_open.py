"""What an answer leaves to do: the sentences that name it, and the headings below which it is listed."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.open_points import names_open

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_POINTS = lazy_pattern(
    r"^\W*(?:it|that|this(?! (?:repo|project|branch|bank)\w*)|they|these|those|both|the (?:former|latter|same|other)s?)\b(?!['’]s? (?:why|how))"
    r"|\b(?:for|of|with|about|from|on|to|after|before|by|like|than|do|does|doing|did|fix|fixing|handle|need|needs|test) (?:that|this|those"
    r"|these)(?=\W*$|[,.;:)]| (?:and|but|yet|too|later|first|next|either|as well)\b)"
    r"|^\W*(?:そ(?:れ|の|こ|ちら|ちらの)|こ(?:れ|の(?!リポジトリ|プロジェクト|ブランチ)|こ|ちら)|あ(?:れ|の)|同様|上記|前述|両方|いずれも)"
    r"|(?:それ|これ|そちら|そこ|上記|前述|後述)(?=[はがをもにのとだで]|以外|だけ)",
    "i",
)
"""Matches a word that points to something outside of its sentence."""
_LABEL = 24
"""Maximum characters of a label before its colon: `残り:`, `Still to do:`."""
_NOTHING = frozenset(("none", "nothing", "nothing left", "n/a", "-", "0", "なし", "無し", "ありません", "特になし", "特にありません", "ない", "ゼロ"))
_HEADINGS = frozenset(
    (
        *("next steps", "next step", "remaining", "remaining work", "to do", "todo", "still to do", "open questions"),
        *("残り", "今後", "残課題", "次のステップ", "今後の課題"),
    )
)
_AROUND = " :：*_#."
"""Characters that may surround the text of a heading."""


def left_in(sentences: Iterable[str]) -> list[str]:
    """Return the sentences of an answer that name work which is left and can be understood alone."""
    return [sentence for sentence in sentences if names_open(sentence) and not _says_nothing(sentence) and not _points(sentence)]


def without_plans(text: str) -> str:
    """Return an answer without the parts under headings such as "Next steps"."""
    kept: list[str] = []
    passed_over = False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith("#") or (bare.startswith("**") and bare.rstrip("：: ").endswith("**")):
            passed_over = _is_heading(bare)
        if not passed_over:
            kept.append(line)
    return "\n".join(kept)


def _is_heading(line: str) -> bool:
    return line.lower().strip(_AROUND) in _HEADINGS


def _points(sentence: str) -> bool:
    """Return whether a sentence points outside of itself. A later clause may point to the first one: "the limit cuts it; returns need a rule for that"."""
    return _POINTS.search(sentence.partition(";")[0]) is not None


def _after_label(sentence: str) -> str:
    """Return the text after a label such as `残り:` or `Still to do:`; "" for a sentence that does not begin with one."""
    label, colon, rest = sentence.replace("：", ":").partition(":")
    return rest.strip() if colon and len(label) <= _LABEL and names_open(f"{label}:") else ""


def _says_nothing(sentence: str) -> bool:
    """Return whether a sentence says that nothing is left (`Remaining: none`, `残り: なし`), or is a label or a heading with nothing below it."""
    return sentence.endswith((":", "：")) or _is_heading(sentence) or _after_label(sentence).lower().strip(" .。、!！*_`") in _NOTHING

"""What an answer leaves to do: the sentences that name it, and the headings below which it is listed."""

from __future__ import annotations

__light__ = True

from memorybank.text.prose.open_points import FENCES, heads_what_is_left, names_open, without_open_sections
from memorybank.text.words.pointing import opens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LABEL = 24
"""Maximum characters of a label before its colon: `残り:`, `Still to do:`."""
_NOTHING = frozenset(("none", "nothing", "nothing left", "n/a", "-", "0", "なし", "無し", "ありません", "特になし", "特にありません", "ない", "ゼロ"))


def left_in(sentences: Iterable[str]) -> list[str]:
    """Return the sentences of an answer that name work which is left and can be understood alone."""
    return [sentence for sentence in sentences if names_open(sentence) and not _says_nothing(sentence) and not opens(sentence)]


def without_plans(text: str) -> str:
    """Return an answer without the parts under headings such as "Next steps". Other headings end with a colon."""
    kept = []
    is_code = False
    for line in without_open_sections(text).split("\n"):
        is_code ^= line.lstrip().startswith(FENCES)
        kept.append(f"{line.strip().rstrip(':：')}:" if line.lstrip().startswith("#") and not is_code else line)
    return "\n".join(kept)


def _after_label(sentence: str) -> str:
    """Return the text after a label such as `残り:` or `Still to do:`; "" for a sentence that does not begin with one."""
    label, colon, rest = sentence.replace("：", ":").partition(":")
    return rest.strip() if colon and len(label) <= _LABEL and names_open(f"{label}:") else ""


def _says_nothing(sentence: str) -> bool:
    """Return whether a sentence says that nothing is left (`Remaining: none`, `残り: なし`), or is a label or a heading with nothing below it."""
    return sentence.endswith((":", "：")) or heads_what_is_left(sentence) or _after_label(sentence).lower().strip(" .。、!！*_`") in _NOTHING

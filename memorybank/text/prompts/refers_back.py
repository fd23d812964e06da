"""Recognises what refers to an earlier time: something happens again, is still so, or was done before ("slow again", 「また遅い」, 「どうやってたっけ」).

"Again" and "still" refer to an earlier session only where one begins; later on, to what was said a moment ago. "Last time" and 前回 always do.
"Run the tests again" refers to nothing that was said, so whatever a prompt refers to has to be found in an earlier turn too.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

LONGEST = 600
"""Characters of a prompt above which it is about many things, so that few words in common with an earlier time mean little."""
_STRONG = lazy_pattern(
    r"\b(?:as (?:before|always|usual|last time)|like (?:last time|before)|last time|regress(?:ed|ion|ions|es)?|remind (?:me|us)"
    r"|(?:how|where|what|why|which|when) did (?:we|you|i)|what was (?:the|that|our)"
    r"|(?:we|you|i)(?:'ve| have)? (?:already )?(?:had|fixed|solved|decided|said|told|discussed|agreed|did) (?:that|this|it|you|before|already|earlier)"
    r"|as (?:i|we) said|you know that|how many times|all over again|i thought we|we (?:had )?agreed|the one from (?:yesterday|last \w+))\b"
    r"|再発|(?<![日週年月か間分])前(?:に(?:も|直|言|や|作|決|聞|話)|回|と同じ|も(?:言|聞|や|直))|以前(?:に|も|の|から|は)|いつもの|っけ(?![ぁ-んー])|毎回"
    r"|(?:昨日|先日|先週|この前|この間|こないだ)(?:言|話|決|直|の(?:やつ|件))"
    r"|[のた](?:とき|時)(?:も|と同じ)|同じ(?=[^\s、。]{1,4})|(?:言っ|持って|あっ|し|やっ|直し)た(?:はず|でしょ|よね|のに)|あるでしょ",
    "i",
)
_WEAK = lazy_pattern(
    r"\b(?:again|once more|still|same as|the same (?:error|problem|issue|bug|thing|failure)|(?:is|are|came) back|re-?appear\w*)\b"
    r"|また(?![はがぎ、])|再び|再度|相変わらず|やっぱりまだ|まだ(?:直|出|落|遅|残|おか|だめ|ダメ)",
    "i",
)


def referring(prompt: str, *, is_first: bool) -> list[str]:
    """Return the prompt and each of its sentences that refer to an earlier session, without the words that do so; [] when nothing refers to one,
    or the prompt is long.

    is_first: whether the prompt begins its session.
    """
    found = [pattern for pattern in (_STRONG, *((_WEAK,) if is_first else ())) if pattern.search(prompt) is not None]
    if len(prompt) > LONGEST or not found:
        return []
    parts = [part for part in sentences(prompt) if any(pattern.search(part) is not None for pattern in found)]
    return [_without(found, part) for part in dict.fromkeys((prompt, *parts))]


def _without(patterns: Sequence[re.Pattern[str]], text: str) -> str:
    for pattern in patterns:
        text = pattern.sub(" ", text)
    return text

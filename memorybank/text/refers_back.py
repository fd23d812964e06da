"""Recognises what refers to an earlier time: something happens again, is still so, or was done before ("slow again", 「また遅い」, 「どうやってたっけ」).

"Run the tests again" refers to nothing that was said before, so whatever a prompt refers to has to be found in an earlier turn too.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.sentences import sentences

_REFERS = lazy_pattern(
    r"\b(?:again|once more|still|as (?:before|always|usual|last time)|like (?:last time|before)|last time|same as"
    r"|the same (?:error|problem|issue|bug|thing|failure)|regress(?:ed|ion|ions|es)?|(?:is|are|came) back|re-?appear\w*"
    r"|remind (?:me|us)|(?:how|where|what|why|which|when) did (?:we|you|i)|what was (?:the|that|our)"
    r"|(?:we|you|i)(?:'ve| have)? (?:already )?(?:had|fixed|solved|decided|said|told|discussed|agreed|did) (?:that|this|it|you|before|already|earlier)"
    r"|as (?:i|we) said|you know that|how many times)\b"
    r"|また(?![はがぎ、])|再び|再度|再発|(?<![日週年月か間分])前(?:に(?:も|直|言|や|作|決|聞|話)|回|と同じ|も(?:言|聞|や|直))|以前(?:に|も|の|から|は)"
    r"|相変わらず|いつもの|でし?たっけ|だっけ|毎回|[のた](?:とき|時)(?:も|と同じ)|同じ(?=[^\s、。]{1,4})"
    r"|やっぱりまだ|まだ(?:直|出|落|遅|残|おか|だめ|ダメ)|(?:言っ|持って|あっ|し|やっ|直し)た(?:はず|でしょ|よね|のに)|あるでしょ",
    "i",
)


_SIGNS = (
    *("again", "once more", "still", "as before", "as always", "as usual", "as last", "as i ", "as we ", "like before", "last time", "same", "regress", " back"),
    *("appear", "remind", " did ", "what was", " had ", "fixed", "solved", "decided", " said", " told", "discussed", "agreed", "know that", "many times"),
    *("また", "再", "前", "いつもの", "相変わらず", "っけ", "毎回", "とき", "時", "同じ", "まだ", "はず", "でしょ", "よね", "のに"),
)
"""One of these is in everything that `_REFERS` matches. Most prompts contain none, and to look for them takes less time than to load the pattern."""


def referring(prompt: str) -> list[str]:
    """Return the prompt and each of its sentences that refer to an earlier time, without the words that do so; [] when nothing refers to one."""
    lowered = prompt.lower()
    if not any(sign in lowered for sign in _SIGNS) or _REFERS.search(prompt) is None:
        return []
    parts = [part for part in sentences(prompt) if _REFERS.search(part) is not None]
    return [_REFERS.sub(" ", part) for part in dict.fromkeys((prompt, *parts))]

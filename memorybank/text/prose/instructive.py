"""Recognises the sentences that still help when their session is over: those that explain, warn, instruct or limit.

Most sentences of an answer report what was changed, and what was wrong that day. They were news in their session, and say little to one that has the code.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.passages import BETWEEN_ITEMS, SENTENCE_END
from memorybank.text.words.endings import polite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TELLS = lazy_pattern(
    r"\b(?:never|not|cannot|only|must|unless|without|otherwise|always|exactly|needs?|requires?|required|ha(?:s|ve) to|should|refuses?d?|fails|breaks?|hangs?"
    r"|crash(?:es)?|wins? over|by hand|manually|because|since|so that|until|instead of|rather than|generated|expects?|wants?|no longer|unlike|whereas|will"
    r"|stale|wrong|misleading|broken|too (?:old|new|small|large|long|short)|(?:doesn|isn|aren|don|won|can)(?:['’]?t)?)\b|, so \b"
    r"|ない|ません|必要|だけ|のみ|しか|ため|ので|から[、。]|禁止|場合は|ください|必ず|まま|手で|によって|ではなく|てあ[るり]",
    "i",
)
"""Matches what says how something is, or must be: a limit, a condition, a cause, a contrast."""
_REPORTS = lazy_pattern(
    r"^\W*+(?:step \d+\W+)?(?:[\w./`()\[\]:*, -]{0,80}?(?:\s[-–—]\s|:\s)\W{0,20})?(?:i(?:['’]ve| have)? |we )?(?:now |also |then )?\W{0,20}"
    r"(?:(?!need|embed|based|shared|used)[a-z]+ed|adds?|updates?|removes?|creates?|pass(?:es)?|renames?|moves?|replaces?|changes?|extracts?|use|make|split"
    r"|rewrote|set|built|wrote|ran|made)\b(?! (?:by|in)\b)",
    "i",
)
"""Matches a sentence that begins with what was done, perhaps after the name of what was changed."""
_DID = lazy_pattern(
    r"^\W*`[^`]+`(?:(?: in| of) `[^`]+`)? (?:also |always |never |only |no longer )?(?!need|embed|based|shared|used)[a-z]+ed\b(?! (?:by|in)\b)", "i"
)
"""Matches a sentence that says what code did before it was changed: "`serve` ignored the header"."""
_BINDS = lazy_pattern(r"\b(?:(?:always|never)(?! (?:have|had|\w+ed)\b)|must|cannot|by hand)\b|必ず|絶対|禁止|必要があ", "i")
"""Matches what holds for good, whatever the sentence begins with: "Emulated builds crash, so always …"."""
_ITEM_OF_CHANGES = lazy_pattern(
    r"^\W{0,40}?(?:\d+\W{1,20})?[`*]{1,6}[\w./@+-]{1,200}\.\w{1,12}(?::[\d-]+)?[`*]{1,6}\W{0,20}(?:\([^)]{0,200}\))?\W{0,20}[—–:-]\s"
)
"""Matches an item of a list of changed files: "`src/app.tsx` — …"."""
_SAYS_WHY = lazy_pattern(r"\bbecause\b|ため[です、]", "i")
_REPORTS_IN_JAPANESE = lazy_pattern(r"(?:ました|済み(?:です)?)[。)）]*$")
_GIVES_REASON_IN_JAPANESE = lazy_pattern("ため|ので|ない|だけ")
_PLANS = lazy_pattern(
    r"\b(?:i(?:['’]ll| will| need| should| can)|let me|let['’]s|we need|(?:can|could) (?:u|you)|please|pls|want me|should i|would|tell me)\b"
    r"|(?:いて|って|して|んで)[。！!]*$|して(?:ください|おいて|ほしい)|お願い",
    "i",
)
"""Matches what somebody wanted at that moment."""
_OF_THAT_DAY = lazy_pattern(
    r"\b(?:the|this|these|those|my|your) (?:\w+ )?(?:issue|problem|bug|tests?|fix) (?:is|are|was|were|fail\w*|should)\b|\bcurrently\b"
    r"|\bhere['’]s what\b|\bneeds? (?:fixing|to change)\b|\bbeing\b|\bpre-?existing\b|\b(?:unrelated|not related)\b|\buncommitted\b|\bstaged\b|\bshould now\b"
    r"|\bfails?\W*$|既存の|未コミット",
    "i",
)
"""Matches what was wrong, or not finished, when it was said."""
_CONSIDERS = lazy_pattern(
    r"^\W*(?:options?|alternative|approach|proposal) [A-E1-9]\b(?=\W{0,3}(?:[:：—–(]| would\b| - ))|^[^.\n]{0,80}?\bi(?:['’]d| would)?"
    r" (?:(?:strongly|also|still|personally|rather) )?(?:recommend|suggest|propose|lean(?: towards?)?|opt for|vote for)\b"
    r"|\bi(?:['’]d| would) (?:go with|pick|choose|favou?r|do|use|start with|keep)\b"
    r"|\bmy (?:recommendation|suggestion|pick|vote|preference) (?:is|would be)\b|\bshould (?:adopt|mirror)\b"
    r"|\b(?:we|you|i) should (?:consider|move to|switch to)\b"
    r"|(?:お(?:すすめ|勧め|薦め)|推奨)(?:です|します|は)|を(?:ご)?提案(?:し(?:ます|ています)|いたします|です)|(?:の|方|ほう)が(?:よさそう|良さそう|(?:よい|良い|いい)(?:です|でしょう|と思))"
    r"|^\W*(?:案|オプション) ?[A-EＡ-Ｅ1-9１-９]\W{0,3}[:：はが（(](?![^。]{0,20}(?:採用|決ま|決定|済み|選[ばん]))"
    r"|^(?![^:：.\n]{0,80}\b(?:chosen|accepted|adopted|taken|implemented|merged|rejected|decided)\b)\W*(?:(?:the|my|our|some|other|two|three|four|several)\W+)*(?:options?|alternatives?|recommendations?|suggestions?|proposals?"
    r"|(?:possible|potential|proposed|suggested|recommended|best|alternative) (?:\w+ )?(?:scenario|solution|option|approach|fix|logic|design|cause|change|way"
    r"|plan|idea|improvement|strateg|step)\w*)\b(?:[^:：.\n]{0,40}[:：]|\W*$)"
    r"|^\W*(?:(?:考えられる|ありうる|ありえる)(?:原因|対応|方法|案|シナリオ)|(?:対応|修正|改善|解決|設計)?(?:案|候補|選択肢|提案)(?:\w{0,4}(?:つ|件|個))?(?:は|[:：]))",
    "i",
)
"""Matches a proposal, and the beginning of a list of what was possible. What was decided is said elsewhere."""


def tells(sentence: str) -> bool:
    """Return whether a sentence explains, warns, instructs or limits."""
    return _TELLS.search(polite(sentence)) is not None and not is_news(sentence)


def is_news(sentence: str) -> bool:
    """Return whether a sentence asks, reports what was done, or says what was wrong or wanted on that day."""
    if sentence.rstrip().endswith(("?", "？")):
        return True
    sentence = polite(sentence)
    if _REPORTS_IN_JAPANESE.search(sentence) is not None and _GIVES_REASON_IN_JAPANESE.search(sentence) is None:
        return True
    if _OF_THAT_DAY.search(sentence) is not None or (_ITEM_OF_CHANGES.match(sentence) is not None and _SAYS_WHY.search(sentence) is None):
        return True
    return not holds_for_good(sentence) and bool(_REPORTS.match(sentence) or _DID.match(sentence) or _PLANS.search(sentence))


def considers(text: str) -> bool:
    """Return whether a text lists scenarios, proposals or options, or is one, which were true of nothing yet."""
    return _CONSIDERS.search(text) is not None


def holds_for_good(text: str) -> bool:
    """Return whether a text says what always, never, or necessarily is so."""
    return _BINDS.search(text) is not None


def parts_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield (part, what of it must tell something) of a passage: sentences, items of a list in one, and sentences with the one after them."""
    sentences = SENTENCE_END.split(text)
    for place, sentence in enumerate(sentences):
        yield sentence, sentence
        items = sentence.split(BETWEEN_ITEMS)
        if items[1:] and _PLANS.search(items[0]) is None:  # "Let me fix both: …" is about each of them
            yield from zip(items, items, strict=True)
        if place + 1 < len(sentences) and _ITEM_OF_CHANGES.match(sentence) is None:
            yield f"{sentence} {sentences[place + 1]}", sentences[place + 1]

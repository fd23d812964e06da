"""Finds corrections of the turn that a prompt answers: "no, use tabs", "that's wrong", 「違います」, "undo that".

English is judged by the beginning of a sentence, Japanese by words in it and by its ending. Precision matters more than
recall, because a correction counts against the turn that it answers. Questions, quotations and pasted text do not count.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import LONGEST_SENTENCE, sentences
from memorybank.text.prompts.typed import typed
from memorybank.values import lru_cache

_SHORT = 24
_LONGEST_CORRECTION = 80
_SIGNS = dict.fromkeys(map(ord, ',.!?;:"`*()[]“”–—'), " ")
_DASH = " - "

# English is matched in lower case without punctuation except apostrophes, at the beginning of a sentence, after fillers.
_FILLERS = lazy_pattern(
    r"^(?:(?:please|pls|ok|okay|alright|and|also|but|so|well|hey|hmm?|oh|ah|sorry|claude|then|again|just|uh|ugh|wait|no wait|one more thing|note"
    r"|important|reminder|in general|generally|thanks|thank you|great) (?!$))+"
)
_WRONG = lazy_pattern(
    r"^(?:(?:that's|that is|this is|that was) wrong|wrong (?:file|place|approach|direction|branch)|(?:that|this) isn't right|(?:that's"
    r"|that is) incorrect|(?:that's|that is|this is) not (?:right|correct)|(?:(?:(?:that's|that is|this is) |)not|(?:that|this) isn't) what i"
    r"|(?:that's|that is) not how|not like (?:that|this)|don't do (?:that|this)|do not do that|stop (?:doing|adding|using|changing|removing|creating"
    r"|editing|writing)|undo (?:that|this|it|your|the last)|revert (?:that|this|it|your)|roll (?:that|it|this) back|(?:put|change) it back"
    r"|you (?:broke|forgot|missed|ignored|misunderstood|misread|(?:were|weren't) supposed|(?:should|shouldn't|should not) have|(?:deleted|removed"
    r"|changed|edited) the wrong|(?:didn't|did not) do what)|i (?:said|told you|already (?:told|said)|asked (?:for|you to)|(?:didn't|did not"
    r"|never) ask(?:ed)?|meant|(?:didn't|did not) mean)|why (?:did|would) you|actually no) "
)
_ALONE = ("no ", "nope ", "wrong ", "incorrect ", "not that ", "not this ", "stop ", "that's wrong ", "that is wrong ", "this is wrong ")
"""Complete sentences that say no; the next sentence says what the person wants."""
_NO = lazy_pattern(r"^(?:no no|no|nope|nah) ")
_NO_GOES_ON = lazy_pattern(
    r"^(?!(?:it's (?:fine|ok|okay|good|not needed)|that's (?:fine|ok|good|all|it)|it is fine|go ahead|keep (?:going|it)|leave it|do it later"
    r"|not (?:yet|now|really|needed|necessary)) )(?:use|don't|do not|not|it (?:should|must|needs|is not)|(?:that|this)(?:'s| is| isn't)(?: wrong"
    r"| not|(?<=n't))|i (?:said|meant|wanted|want|asked)|put|make|instead|you (?:should|must|need|misunderstood|forgot)|wrong|the other|only"
    r"|just use|keep|leave|change|move|rename|remove|revert|undo|stop|we (?:use|don't|do not|removed|already)|actually|it's (?:not|the|called"
    r"|supposed|in)|rather|try|do it|go back|read|write|call|set|add|without|ignore|let's|these|those|that one) "
)
_DIRECTIONS = lazy_pattern(r"^(?:(?:actually )?use|(?:make|call|put|do|write) it|(?:it )?should be|go with) ")

_REQUESTS = tuple(
    str.split("""して ください 下さい お願い お願いします おねがい ないで ように すること しよう 使って 使おう 使え 書いて やって やめて べき
    べきだ べきです 欲しい ほしい ほしいです 欲しいです 頼む 頼みます 禁止 禁止です 直して 変えて 戻して 入れて 付けて つけて 出して 置いて おいて
    いこう いきましょう しましょう くれ 読んで 呼んで 守って 見せて 保って 分けて 残して 消して 見て 確かめて 調べて 答えて 話して 返して 任せて
    待って 聞いて 通して うこと ること くこと すこと つこと""")
)
"""Endings of a Japanese sentence that requests something, without a final `ね`, `よ` or `な`."""
_JAPANESE_WRONG_STARTS = tuple(
    str.split("""違う 違います ちがう ちがいます 違くて そうじゃな そうではな そこじゃな そこではな それじゃな それではな いや、そう いや、違
    いえ、違 間違って 間違えて 間違いです 元に戻して もとに戻して 元に戻せ やり直し やりなおし 勝手に 余計な 頼んだのは お願いしたのは 言ったのは""")
)
_JAPANESE_WRONG = tuple(str.split("頼んでない 頼んでいない 頼んでいません そうじゃない そうではない 勝手に変え 勝手に消 勝手に直 勝手に追加 違うよ 違いますよ"))
_JAPANESE_REPEATED_ORDER = tuple(
    str.split("って言った って言いました と言ったはず と言いました と言ったでしょう と言ったのに って言ったのに って言ったでしょ と言いましたよ")
)
"""Endings of a sentence that repeats an earlier order."""
_JAPANESE_INSTEAD = tuple(str.split("ではなく じゃなくて じゃなく の代わりに のかわりに やっぱり やはり"))


def corrections(prompt: str) -> list[str]:
    """Return the corrections in a prompt, as typed. After a short sentence (`No.`, 違います。) the next one, which says what is wanted, is included."""
    return list(_corrections(prompt))


@lru_cache(maxsize=4)
def _corrections(prompt: str) -> tuple[str, ...]:
    """Return the same. They are wanted for the signals of a prompt, and for the statements in it."""
    carried: dict[str, None] = {}
    said = sentences(typed(prompt))
    for number, sentence in enumerate(said):
        following = said[number + 1] if number + 1 < len(said) else ""
        if len(sentence) <= LONGEST_SENTENCE and _corrects(sentence, following, first=number == 0):
            carried[sentence] = None
            if len(sentence) <= _SHORT and following:
                carried[following] = None
    return tuple(carried)


def _corrects(sentence: str, following: str, *, first: bool) -> bool:
    if not sentence.isascii() and any("\u3041" <= sign <= "\u30ff" for sign in sentence):
        return _japanese(sentence)
    return _english(sentence, _plain(following), first)


def _plain(sentence: str) -> str:
    """Return the sentence in lower case without punctuation, with one space between words and one at the end."""
    return " ".join(sentence.lower().replace(_DASH, " ").translate(_SIGNS).split()) + " "


def _english(sentence: str, following: str, first: bool) -> bool:
    lowered = _plain(sentence)
    plain = _FILLERS.sub("", lowered)
    question = sentence.endswith("?")
    said_no = _NO.match(lowered) if not question else None
    if said_no is not None:
        rest = _FILLERS.sub("", lowered[said_no.end() :])
        # A bare "No." may only answer a question of the agent, so the following words have to continue with a correction.
        return (bool(rest) or first) and _NO_GOES_ON.match(rest or following) is not None
    if lowered in _ALONE:
        return first or bool(following.strip())
    if _WRONG.match(plain) is not None:
        return not question or plain.startswith(("why did you ", "why would you "))
    is_instead = plain.endswith(" instead ") or " instead of " in plain or " rather than " in plain
    return first and not question and is_instead and _DIRECTIONS.match(plain) is not None


def _japanese(sentence: str) -> bool:
    plain = sentence.strip(" 　。！!.、…「」\"'`")
    if plain.endswith(("?", "？", "か", "かな", "かね", "の？")):
        return False
    plain = plain.rstrip("ねよなー〜～")
    if len(sentence) <= _LONGEST_CORRECTION and (
        plain.startswith(_JAPANESE_WRONG_STARTS) or plain.endswith(_JAPANESE_REPEATED_ORDER) or any(word in plain for word in _JAPANESE_WRONG)
    ):
        return True
    return plain.endswith(_REQUESTS) and any(word in plain for word in _JAPANESE_INSTEAD)

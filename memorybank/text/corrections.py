"""Finds corrections of the turn that a prompt answers: "no, use tabs", "that's wrong", 「違います」, "undo that".

English is judged by the beginning of a sentence, Japanese by words in it and by its ending. Precision matters more than
recall, because a correction counts against the turn that it answers. Questions, quotations and pasted text do not count.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.sentences import LONGEST_SENTENCE, sentences
from memorybank.text.typed import typed
from memorybank.values import lru_cache

_SHORT = 24
_LONGEST_CORRECTION = 80
_SIGNS = dict.fromkeys(map(ord, ',.!?;:"`*()[]“”–—'), " ")
_DASH = " - "


def _phrases(text: str) -> tuple[str, ...]:
    """Split at slashes and end each phrase with a space, so that a match ends at the end of a word."""
    return tuple([phrase.strip() + " " for phrase in text.split("/")])


# English phrases are lower case without punctuation except apostrophes, and match at the beginning of a sentence, after fillers.
_FILLERS = _phrases("""please / pls / ok / okay / alright / and / also / but / so / well / hey / hm / hmm / oh / ah / sorry / claude / then /
    again / just / uh / ugh / wait / no wait / one more thing / note / important / reminder / in general / generally / thanks / thank you / great""")
_WRONG = _phrases("""that's wrong / that is wrong / this is wrong / that was wrong / wrong file / wrong place / wrong approach / wrong direction /
    wrong branch / that's not right / that is not right / this is not right / that isn't right / this isn't right / that's incorrect /
    that is incorrect / this is not correct / that is not correct / that's not correct / that's not what i /
    that is not what i / that isn't what i / this is not what i / this isn't what i / not what i /
    that's not how / that is not how / not like that / not like this / don't do that / do not do that / don't do this / stop doing / stop adding /
    stop using / stop changing / stop removing / stop creating / stop editing / stop writing / undo that / undo this / undo it / undo your /
    undo the last / revert that / revert this / revert it / revert your / roll that back / roll it back / roll this back / put it back /
    change it back / you broke / you forgot / you missed / you ignored / you misunderstood / you misread / you were supposed / you weren't supposed /
    you should have / you shouldn't have / you should not have / you deleted the wrong / you removed the wrong / you changed the wrong /
    you edited the wrong / you didn't do what / you did not do what / i said / i told you / i already told / i already said / i asked for /
    i asked you to / i didn't ask / i did not ask / i never asked / i meant / i didn't mean / i did not mean / why did you / why would you /
    actually no""")
_ALONE = ("no ", "nope ", "wrong ", "incorrect ", "not that ", "not this ", "stop ", "that's wrong ", "that is wrong ", "this is wrong ")
"""Complete sentences that say no; the next sentence says what the person wants."""
_NO = _phrases("no / nope / no no / nah")
_NO_GOES_ON = _phrases("""use / don't / do not / not / it should / it must / it needs / that's wrong / that is wrong / that's not / that is not /
    that isn't / this is wrong / this is not / this isn't / i said / i meant / i want / i wanted / i asked / put / make / instead / you should /
    you must / you need / wrong / the other / only / just use / keep / leave / change / move / rename / remove / revert / undo / stop / we use /
    we don't / we do not / actually / it's not / it's the / it's called / it's supposed / it's in / it is not / rather / try / do it / go back /
    read / write / call / set / add / without / you misunderstood / you forgot / ignore / we removed / we already / let's / these / those / that one""")
_NO_IS_FINE = _phrases("""it's fine / it's ok / it's okay / it's good / that's fine / that's ok / that's good / that's all / that's it /
    it is fine / go ahead / keep going / keep it / leave it / do it later / not yet / not now / not really / not needed / not necessary /
    it's not needed""")
_DIRECTIONS = _phrases("use / actually use / make it / call it / put it / it should be / should be / do it / go with / write it")

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
    plain = _without_fillers(lowered)
    question = sentence.endswith("?")
    if lowered.startswith(_NO) and not question:
        rest = _without_fillers(_without(lowered, _NO))
        # A bare "No." may only answer a question of the agent, so the following words have to continue with a correction.
        if not rest.strip():
            return first and following.startswith(_NO_GOES_ON) and not following.startswith(_NO_IS_FINE)
        return rest.startswith(_NO_GOES_ON) and not rest.startswith(_NO_IS_FINE)
    if lowered in _ALONE:
        return first or bool(following.strip())
    if plain.startswith(_WRONG):
        return not question or plain.startswith(("why did you ", "why would you "))
    return first and not question and plain.startswith(_DIRECTIONS) and (plain.endswith(" instead ") or " instead of " in plain or " rather than " in plain)


def _without(text: str, beginnings: tuple[str, ...]) -> str:
    """Return `text` without the longest of `beginnings` that it starts with."""
    if not text.startswith(beginnings):  # nearly every sentence; asking for all of them at once takes a twentieth of the time
        return text
    return text.removeprefix(max((beginning for beginning in beginnings if text.startswith(beginning)), key=len, default=""))


def _without_fillers(text: str) -> str:
    """Return `text` without the fillers that it starts with. A text that consists of fillers keeps its last one."""
    while (rest := _without(text, _FILLERS)) not in (text, ""):
        text = rest
    return text


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

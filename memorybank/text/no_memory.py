"""Recognises a request for a session without memory: "No memory in this session", `memorybank: off`, "Please don't remember this session",
このセッションは覚えないでください. docs/memory.md lists the forms.

A request is a sentence, or a clause of one with a reason next to it. What is quoted, pasted, asked about or said of a program ("when the user logs
out, don't remember this session") requests nothing.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_HINTS = ("memory", "memori", "remember", "record", "save", "store", "記憶", "覚え", "記録", "保存", "残さ", "メモリ", "オフレコ")
_SUBJECTS = ("session", "conversation", "chat", "memorybank", "セッション", "会話", "今回", "チャット", "やり取り", "やりとり")
"""Words of which a request has one, besides a hint: most prompts have none, and then no pattern is loaded."""
_LONGEST = 240
_FIXED = lazy_pattern(
    r"(?:please,? )?(?:no memory (?:in|for) this session|memorybank: ?off)(?:,? please)?[.!]?"
    r"|このセッション(?:では|は)、?記憶なし(?:で(?:お願いします)?|にして(?:ください)?)?[。！]?",
    "i",
)
"""The forms that messages of memorybank recommend. They also count in quotation marks, in which a person may copy them."""
_TALK = r"(?:this|our|the\ current|today's)\ (?:conversation|chat)"
_THIS = r"(?:this|our|the\ current|today's)\ (?:session|conversation|chat)"
_OF_THIS = rf"(?:any(?:thing)?\ (?:of|from|in|about)\ |what\ (?:I|we)\ (?:say|write|do|discuss)\ (?:in|during)\ )?{_THIS}"
_MEMORY = r"(?:your\ |the\ )?memory"
_ENGLISH = lazy_pattern(
    rf"""(?:(?P<before>[^?]{{2,}}),\ (?:(?:and|but|so)\ )?)?
    (?:(?:please|ok(?:ay)?|also|hey|note),?\ )*(?P<polite>(?:can|could|would|will)\ you\ (?:please\ )?)?
    (?:
      (?:(?(polite)not|(?:do\ not|don't|dont|never|not))\ (?:please\ )?)
        (?:(?:remember|memori[sz]e|record)\ {_OF_THIS}|(?:save|store|keep)\ (?:{_TALK}|{_OF_THIS}\ (?:in|to)\ {_MEMORY}))
      |(?:I\ )?(?:do\ not|don't|dont)\ want\ (?:you\ to\ (?:remember|memori[sz]e|record)\ {_OF_THIS}|{_THIS}\ (?:to\ be\ )?(?:remembered|recorded))
      |(?:keep|leave)\ {_THIS}\ (?:out\ of\ {_MEMORY}|off\ the\ record)
      |(?:(?:turn|switch)\ (?:off\ {_MEMORY}|{_MEMORY}\ off)|disable\ {_MEMORY})\ (?:for|in|during)\ {_THIS}
      |{_THIS}\ (?:is|stays|(?:should|must)\ (?:be|stay))\ (?:off\ the\ record|not\ to\ be\ (?:remembered|recorded)|out\ of\ {_MEMORY})
      |{_THIS}\ (?:should|must)\ not\ be\ (?:remembered|recorded)
      |(?:remember|record)\ nothing\ (?:of|from|in|about)\ {_THIS}
      |(?:no\ memory|memory\ off|off\ the\ record)(?:\ (?:in|for|during)|:)\ {_THIS}
    )
    (?:,?\ (?:please|thanks|thank\ you))*(?P<agreed>,\ ok(?:ay)?)?
    (?:,?\ (?:because|since|as|it(?:'s|\ is|\ has|\ contains)|there(?:'s|\ is|\ are)|we|I|and|but)\ [^?]*|(?::|;|\ [-—–]|—)\ [^?]+|\ \([^?]+\))?
    [.!]*(?P<asks>\?)?""",
    "ix",
)
_JAPANESE = lazy_pattern(
    r"""(?:(?P<before>.+?)、)?
    (?:すみませんが|できれば|お願いですが|あと|また|なお)?、?
    (?:(?:この|今回の|今日の|ここでの)(?P<talk>セッション|会話|チャット|やり取り|やりとり)(?:の?(?:内容|こと))?|(?P<now>今回)(?:の(?:こと|内容|件))?)
    (?:だけ)?(?:では|には|は|を|について(?:は)?)?、?
    (?:一切|絶対に|何も|なにも)?
    (?P<verb>
      (?:記憶|メモリ|記録)(?:に|には)(?:残さ|保存し|入れ)ない|覚え(?:ておか)?ない|記憶(?:を)?しない
      |(?P<vague>記録しない|残さない|保存しない)
      |(?P<state>記憶(?:は)?(?:なし|オフ)|オフレコ)
    )
    (?(state)(?:で(?:お願い(?:いた)?します|いこう)?|にして(?:ください|下さい)?|です)?
      |(?:で(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?|(?P<polite>(?:くれ|もらえ|いただけ)ますか)|お願い(?:いた)?します)?
        |よう(?:に(?:して(?:ください|下さい)?|お願い(?:いた)?します)?)?|こと))
    (?:ね|よ)?(?:（[^）]*）)?[。！!]*(?P<asks>[？?])?""",
    "x",
)
_OF_A_CASE = lazy_pattern(
    r"\b(?:if|when|whenever|unless|once|after|where|whether|says?|called|named|button|label|text)\b|場合|とき|時は|たら|なら|れば|すると|ボタン|文言", "i"
)
"""A clause before the request that makes it one about a program or a text."""
_QUOTED = lazy_pattern(r'"[^"]*"|“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|`[^`]*`')
_OF_A_TEXT = lazy_pattern(
    r"(?i:translate|text|message|label|sentence|button|title|string|prompt|phrase|word|mean|say|says|write|document)"
    r"|訳|文|言|ボタン|ラベル|表示|メッセージ|意味"
)
"""What is in a line that ends in a colon if a text follows that is spoken about."""


def is_asked(prompt: str) -> bool:
    """Return whether a sentence that the person typed requests a session without memory. Quoted and pasted text and questions do not count."""
    folded = prompt.lower()
    if not any(hint in folded for hint in _HINTS) or not any(subject in folded for subject in _SUBJECTS):
        return False
    from memorybank.text.sentences import sentences
    from memorybank.text.typed import typed

    said = typed(prompt)
    if any(_FIXED.fullmatch(sentence.strip("\"'`*_ ")) for sentence in sentences(said)):
        return True
    return any(_requests(sentence.strip("*_ ")) for sentence in sentences(_QUOTED.sub("…", _own(said))) if len(sentence) <= _LONGEST)


def _own(text: str) -> str:
    """Return the text without the paragraphs that a line announces as a text to work on ("Translate this:")."""
    kept: list[str] = []
    is_announced = False
    for line in text.replace("’", "'").split("\n"):
        is_announced = bool(line.strip()) and (is_announced or _announces(kept[-1].strip() if kept else ""))
        if not is_announced:
            kept.append(line)
    return "\n".join(kept)


def _announces(line: str) -> bool:
    return line.endswith((":", "：")) and _OF_A_TEXT.search(line) is not None


def _requests(sentence: str) -> bool:
    found = _ENGLISH.fullmatch(sentence)
    if found is not None:
        is_question = found["asks"] is not None and found["polite"] is None and found["agreed"] is None
        return not is_question and _OF_A_CASE.search(found["before"] or "") is None
    found = _JAPANESE.fullmatch(sentence)
    if found is None or _OF_A_CASE.search(found["before"] or "") is not None:
        return False
    # 「今回は保存しないで」 may speak of a file, and 「このセッションは保存しないで」 of a program's sessions.
    if found["vague"] is not None and (found["talk"] is None or (found["talk"] == "セッション" and found["vague"] == "保存しない")):
        return False
    return found["asks"] is None or found["polite"] is not None

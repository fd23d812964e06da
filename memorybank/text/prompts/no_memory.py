"""Recognises a request for a session without memory: "No memory in this session", `memorybank: off`, "Please don't remember this session",
このセッションは覚えないでください. docs/memory.md lists the forms.

A request is a sentence, or a clause of one with a reason next to it. What is quoted, pasted, asked about or said of a program ("when the user logs
out, don't remember this session") requests nothing.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.values import lru_cache

_HINTS = (
    *("memory", "memori", "remember", "record", "save", "store", "stored", "storing", "retain", "keep", "kept", "note", "trace", "learn", "forget"),
    *("記憶", "覚え", "記録", "保存", "残さ", "メモ", "オフレコ", "忘れ"),
)
_SUBJECTS = ("session", "conversation", "chat", "memorybank", "セッション", "会話", "今回", "チャット", "やり取り", "やりとり")
"""Words of which the sentence of a request has one, and its prompt a hint: for the others no pattern is loaded."""
_LONGEST = 240
_FIXED = lazy_pattern(
    r"(?:please,? )?(?:no memory (?:in|for) this session|memorybank: ?off)(?:,? please)?[.!]?"
    r"|このセッション(?:では|は)、?記憶なし(?:で(?:お願いします)?|にして(?:ください)?)?[。！]?",
    "i",
)
"""The forms that messages of memorybank recommend. They also count in quotation marks, in which a person may copy them."""
_TALK = r"(?:this|our|the\ current|today's)\ (?:conversation|chat)"
_THIS = r"(?:this|our|the\ current|today's)\ (?:session|conversation|chat)"
_SAID = (
    r"(?:I|we|you)(?:'ll|\ will|(?:\ am|\ are|'re)\ going\ to)?\ (?:say|said|write|wrote|do|discuss|tell|told|share|paste|type|mention|talk\ about)(?:\ you)?"
)
_PARTS = r"(?:any(?:thing)?|(?:any|a\ single)\ (?:part|word|detail|details|bit)|a\ thing|a\ word)"
_OF_THIS = rf"(?:{_PARTS}\ (?:of|from|in|about|during)\ |(?:{_PARTS}|what|whatever)\ (?:that\ )?{_SAID}\ (?:here\ )?(?:in|during)\ )?{_THIS}"
_NOT = r"(?:do\ not|don't|never|not)"
_KEPT = r"(?:remembered|recorded|stored|saved|kept|memori[sz]ed|retained)"
_RECORD = r"(?:record|records|memory|memories|notes?|trace|traces|history)\ (?:of|about|on|from)"
_EVERYTHING = rf"(?:every(?:thing)?|all)\ (?:of|from|in|about|during)\ {_THIS}|(?:everything|all)\ (?:that\ )?{_SAID}\ (?:in|during)\ {_THIS}"
_MEMORY = r"(?:your\ |the\ )?memory"
_ENGLISH = lazy_pattern(
    rf"""(?:(?P<before>[^?]{{2,}}),\ (?:(?:and|but|so)\ )?)?
    (?:(?:please|ok(?:ay)?|also|hey|note|so|and|then|by\ the\ way),?\ )*(?P<polite>(?:can|could|would|will)\ you\ (?:please\ )?)?
    (?:
      (?:(?(polite)not|(?:do\ not|don't|never|not|(?:there(?:'s|\ is)\ )?no\ need\ to|you\ (?:do\ not|don't)\ (?:have|need)\ to))\ (?:please\ )?)
        (?:(?:ever\ )?(?:remember|memori[sz]e|record|retain)\ {_OF_THIS}|(?:save|store|keep)\ (?:{_TALK}|{_OF_THIS}\ (?:in|to)\ {_MEMORY})
          |(?:save|store|keep)\ (?=any|a\ |what){_OF_THIS}|(?P<vague>(?:save|store)\ {_THIS})
          |(?:keep|make|take|store|save|write|leave)\ (?:(?:any|a|your)\ )?{_RECORD}\ {_THIS}|learn\ (?:anything\ )?from\ {_THIS})
      |(?:keep|make|take|store|leave|have)\ no\ {_RECORD}\ {_THIS}|no\ {_RECORD}\ {_THIS}
      |(?:in|during|for)\ {_THIS},?\ (?:please\ )?{_NOT}\ (?:remember|memori[sz]e|record|store|save|keep)\ (?:{_PARTS}|what\ {_SAID})(?:\ (?:that\ )?{_SAID})?
      |nothing\ (?:(?:of|from|in|about)|(?:that\ )?{_SAID}\ (?:in|during))\ {_THIS}\ (?:should|must|may|is\ to)\ be\ {_KEPT}
      |forget\ (?:{_EVERYTHING})(?:\ (?:afterwards|later|when\ (?:we\ are|we're|it\ is|it's)\ (?:done|over)))?
      |I(?:'d|\ would)\ (?:rather|prefer(?:\ it)?(?:\ if|\ that)?)\ (?:you\ (?:did\ not|didn't|do\ not|don't)\ (?:remember|record|store|save|keep)\ {_OF_THIS}
        |{_THIS}\ (?:were|was|is|be)\ not\ {_KEPT}|{_THIS}\ not\ be\ {_KEPT})
      |I(?:'d|\ would)\ like\ you\ (?:not\ to|to\ not)\ (?:remember|record|store|save|keep)\ {_OF_THIS}
      |(?:I\ )?(?:do\ not|don't)\ want\ (?:you\ to\ (?:remember|memori[sz]e|record)\ {_OF_THIS}|{_THIS}\ (?:to\ be\ )?(?:remembered|recorded))
      |(?:keep|leave)\ {_THIS}\ (?:out\ of\ {_MEMORY}|off\ the\ record)
      |(?:(?:turn|switch)\ (?:off\ {_MEMORY}|{_MEMORY}\ off)|(?:disable|skip)\ {_MEMORY})\ (?:for|in|during)\ {_THIS}
      |{_THIS}\ (?:is|stays|(?:should|must)\ (?:be|stay))\ (?:off\ the\ record|not\ to\ be\ {_KEPT}|without\ memory|out\ of\ {_MEMORY})
      |{_THIS}\ (?:should\ not|shouldn't|must\ not|mustn't|may\ not)\ be\ {_KEPT}
      |(?:remember|record|keep|store|save)\ nothing\ (?:(?:of|from|in|about)|(?:that\ )?{_SAID}\ (?:in|during))\ {_THIS}
      |(?:no\ memory|memory\ off|off\ the\ record)(?:\ (?:in|for|during)|:)\ {_THIS}
    )
    (?:\ (?:anywhere|at\ all|in\ any\ way|in\ any\ form|afterwards|for\ later|(?:in|to|from)\ {_MEMORY}))?
    (?:,?\ (?:please|thanks|thank\ you))*(?P<agreed>,?\ ok(?:ay)?)?
    (?P<rest>,?\ (?:because|since|as|it(?:'s|\ is|\ has|\ contains)|there(?:'s|\ is|\ are)|we|I|and|but)\ [^?]*|(?::|;|\ [-—–]|—)\ [^?]+|\ \([^?]+\))?
    [.!]*(?P<asks>\?)?""",
    "ix",
)
_JAPANESE = lazy_pattern(
    r"""(?:(?P<before>.+?)、)?
    (?:すみませんが|できれば|お願いですが|あと|また|なお)?、?
    (?:(?:この|今回の|今日の|ここでの)(?P<talk>セッション|会話|チャット|やり取り|やりとり)
      (?:(?:の中)?(?:で|中に|の間に)、?(?:(?:私|わたし|僕|俺|こちら|ユーザー)[がの])?(?:言っ|話し|書い|入力し|伝え|お伝えし|貼っ|共有し)た(?:こと|内容|もの)|の?(?:内容|こと|記録|記憶|メモ|履歴))?
      |(?P<now>今回)(?:の(?:こと|内容|件))?)
    (?:だけ)?(?:では|には|は|を|も|について(?:は|の)?)?、?
    (?:一切|絶対に|何も|なにも|どこにも|記録を|メモを|全て|すべて|全部)?
    (?P<verb>
      (?:記憶|メモリ|記録|メモ)(?:に|には)(?:残さ|保存し|入れ|取ら|とら)ない|覚え(?:ておか)?ない|記憶(?:を)?しない|メモらない|(?<=を)(?:取ら|とら|作ら)ない
      |(?P<needless>(?:覚え(?:ておか)?|記憶(?:を)?し|記録(?:を)?し|(?:記憶|記録|メモ)に(?:残さ|とら|取ら)|(?<=を)(?:取ら|とら)|メモら)なくて)
      |(?P<vague>記録しない|残さない|保存しない)
      |(?P<state>記憶(?:は)?(?:なし|オフ)|オフレコ|(?(talk)|(?:(?<=全て)|(?<=全部)|(?<=すべて)))忘れて)
    )
    (?(state)(?:で(?:お願い(?:(?:いた)?します)?|いこう)?|にして(?:ください|下さい)?|です|ください|下さい|ほしい(?:です)?|欲しい(?:です)?)?
      |(?(needless)も?(?:いい|良い|よい|大丈夫|結構)(?:です)?|(?:で(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?|(?P<polite>(?:くれ|もらえ|いただけ)(?:ますか|る))|お願い(?:いた)?します)?
        |よう(?:に(?:して(?:ください|下さい)?|お願い(?:いた)?します)?)?|こと)))
    (?:ね|よ)?(?:（[^）]*）)?[。！!]*(?P<asks>[？?])?""",
    "x",
)
_SPELLINGS = (
    (lazy_pattern(r"\b(?:pls|plz|kindly)\b", "i"), "please"),
    (lazy_pattern(r"nt\b(?:(?<=\b(?:do|is)nt)|(?<=\b(?:did|was)nt)|(?<=\bmustnt)|(?<=\bshouldnt))", "i"), "n't"),
    (lazy_pattern(r"(?<=この)session|(?<=今回の)session", "i"), "セッション"),
    (lazy_pattern(r"(?<=この)chat|(?<=今回の)chat", "i"), "チャット"),
)
"""Spellings of people in a hurry, with the one that the patterns know. No spelling refers to a group: for that, Python imports `re`."""
_OF_A_CASE = lazy_pattern(
    r"\b(?:if|when|whenever|unless|once|after|where|whether|says?|called|named|button|label|text)\b|場合|とき|時は|たら|なら|れば|すると|ボタン|文言", "i"
)
"""A clause before the request that makes it one about a program or a text."""
_OF_A_PROGRAM = lazy_pattern(r"(?:in|on|at|for|with|after|before) [^\n]*\n|[^\n]*\n,? (?:and|but) ", "i")
"""What stands before or after "do not store this session" if that is about a program: "in the login view, …", "… and log the user out"."""
_QUOTED = lazy_pattern(r'"[^"]*"|“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|`[^`]*`')
_OF_A_TEXT = lazy_pattern(
    r"(?i:translate|text|message|label|sentence|button|title|string|prompt|phrase|word|mean|say|says|write|document)"
    r"|訳|文|言|ボタン|ラベル|表示|メッセージ|意味"
)
"""What is in a line that ends in a colon if a text follows that is spoken about."""


@lru_cache(maxsize=2)
def is_asked(prompt: str) -> bool:
    """Return whether a sentence that the person typed requests a session without memory. Quoted and pasted text and questions do not count."""
    folded = prompt.lower()
    if not any(hint in folded for hint in _HINTS) or not _has_subject(folded):
        return False
    from memorybank.text.prompts.sentences import sentences
    from memorybank.text.prompts.typed import typed

    said = typed(prompt)
    if any(_FIXED.fullmatch(sentence.strip("\"'`*_ ")) for sentence in sentences(said) if _has_subject(sentence.lower())):
        return True
    own = (sentence for sentence in sentences(_QUOTED.sub("…", _own(said))) if len(sentence) <= _LONGEST and _has_subject(sentence.lower()))
    return any(_requests(sentence.strip("*_ ")) for sentence in own)


def _has_subject(folded: str) -> bool:
    return any(subject in folded for subject in _SUBJECTS)


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
    for pattern, spelling in _SPELLINGS:
        sentence = pattern.sub(spelling, sentence)
    found = _ENGLISH.fullmatch(sentence)
    if found is not None:
        is_question = found["asks"] is not None and found["polite"] is None and found["agreed"] is None
        is_of_a_program = found["vague"] is not None and _OF_A_PROGRAM.match(f"{found['before'] or ''}\n{found['rest'] or ''}") is not None
        return not (is_question or is_of_a_program) and _OF_A_CASE.search(found["before"] or "") is None
    found = _JAPANESE.fullmatch(sentence)
    if found is None or _OF_A_CASE.search(found["before"] or "") is not None:
        return False
    if found["vague"] is not None and found["talk"] is None:  # 「今回は保存しないで」 may speak of a file
        return False
    return found["asks"] is None or found["polite"] is not None

"""Labels that only announce what a person wants: "two things for good: …", "one more rule: …", 「今後のお願い：…」. They do not belong to the statement.

A label consists of words for requests in general. One that names something ("commits: …") says what the statement is about, and stays. The order to write
something into the instructions of agents ("add to CLAUDE.md that …", 「…と AGENTS.md に書いて」) is a label, too: what it wants written is to last.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ONE, SEVERAL = "one", "several"
"""How many lasting statements a label announces."""
_FOR_HOW_LONG = (
    r"(?:for good|forever|(?:from|as of) (?:now|here) on|for (?:the |all )?future|in (?:the )?future|going forward|always|to (?:remember|keep in mind))"
)
_LABEL = lazy_pattern(
    r"^\W*(?:(?:for|in) (?:this|the|our) (?:repo|repository|project|code ?base),? )?(?:"
    r"(?:(?:one|two|three|four|five|some|several|an?|few|couple|of|other|another|more|last|final|first|new|general|quick|short|small|important|house"
    r"|team|project|standing|permanent|lasting|my|our|and|also|ok|here|are|is|please|there|\d)[ ,]+)*"
    r"(?:rules?|things?|notes?|points?|requests?|reminders?|conventions?|guidelines?|preferences?|wish(?:es)?|remarks?|agreements?)"
    rf"(?:,? (?:{_FOR_HOW_LONG}|up ?front|in advance|first|before (?:we|you) (?:start|begin)|to (?:start|begin)(?: with)?|for (?:you|us|(?:this|the"
    rf"|our) (?:repo|repository|project|code ?base|team))))*|(?:(?:and|also|so|ok|please)[ ,]+)*{_FOR_HOW_LONG}) ?[:：] *"
    r"|^\W*(?:(?:(?:今後|これから|以後|次回から|今度から|ずっと守る|恒久的|最初|先|はじめ|初め|もう|あと|それと|また|最後|大事|重要|新しい|追加|チーム|全体"
    r"|(?:この)?(?:プロジェクト|リポジトリ))(?:の|な|に|は|で|、)?|(?:[一二三四五]|\d)(?:つ|点|個)(?:だけ|ほど)?の?|いくつか(?:の)?)*"
    r"(?:お願い|ルール|決まり|決め事|約束(?:事|ごと)?|方針|要望|注意(?:点|事項)?|覚えて(?:おいて)?(?:ほしい|欲しい)こと)"
    r"(?:(?:が|は|を)?(?:(?:[一二三四五]|\d)(?:つ|点|個)|いくつか)?(?:あります|です|追加)?)(?:[:：]|(?<=です)。|(?<=ます)。)"
    r"|(?:今後|これから|以後)は?[:：])[ 　]*",
    "i",
)
_FILE = r"(?:(?:the|our|my) )?`?[\w./-]{0,40}(?:claude|agents|gemini)\.(?:local\.)?md`?"
_POLITE = r"^\W*(?:(?:can|could|would|will|should) (?:you|we) |please |pls |let['’]?s |and |also |then |ok,? |you (?:can|should) ){0,4}"
_INTO_JAPANESE = rf"^\W*(?:また|あと|それと|ついでに)?、?{_FILE} ?にも?、?"
_WRITES = r"(?:書|追記|追加|足|入れ|記載|メモ|載せ)[^、。]{0,14}[。！]?$"
_THAT = "、?(?:って|と|ということを|旨を|旨)"
_INTO_INSTRUCTIONS = lazy_pattern(
    rf"{_POLITE}(?:update|extend|change|amend) {_FILE}(?: (?:so|to (?:say|state|mention|note)))? that (?=\w)"
    rf"|{_POLITE}(?:add|note|write|put|record|document|mention|say|state)(?: (?:this|it|down|a (?:note|line|rule|sentence)))?(?: down)? (?:to|in|into) {_FILE}"
    r"(?: (?:that|saying(?: that)?) | ?[:：—–-] ?)(?=\w)"
    rf"|{_INTO_JAPANESE}(?P<said>[^「」]{{4,160}}?){_THAT}{_WRITES}|{_INTO_JAPANESE}「(?P<quoted>[^「」]{{4,160}})」(?:って|と|を)?{_WRITES}"
    rf"|^(?P<first>[^「」]{{4,160}}?){_THAT}、?{_FILE} ?にも?{_WRITES}",
    "i",
)
"""Matches an order to write something into the instructions of agents: in English what precedes it, in Japanese the sentence, with what is to be written
in a group."""
_TAG = lazy_pattern(
    r"[（(](?:(?:please|pls|and|also)\b,? )*(?:(?:update|add|save|put|write|note|keep)\b[^()（）]{0,40}?\b(?:memor\w{1,2}|mind|(?:claude|agents|gemini)\.md)"
    r"|remember\b(?! to\b)|[^()（）]{0,12}(?:覚えて|記憶|メモ))[^()（）]{0,30}[)）][.。!！]*$",
    "i",
)
"""Matches an order at the end of a sentence to remember what it says, in parentheses."""
_LASTS = lazy_pattern(
    rf"\b(?:rules?|conventions?|guidelines?|preferences?|standing|permanent|lasting|{_FOR_HOW_LONG})\b"
    r"|今後|これから|以後|次回から|今度から|ずっと|恒久|ルール|決ま|決め|約束|方針|覚えて",
    "i",
)
_ALONE = lazy_pattern(r"\b(?:one|an?|another|rule|convention|guideline|preference|thing|note|point|reminder)\b|一つ|[1一](?:つ|点|個)", "i")
_SEVERAL = lazy_pattern(r"\b(?:few|couple|some|several|two|three)\b", "i")


def unlabelled(found: Sequence[str], items: Callable[[str], list[str]] | None = None) -> tuple[list[str], dict[int, str]]:
    """Return (sentences without labels, {place of one that a label announces as lasting: `ONE` or `SEVERAL`}). A label alone announces the next sentence.

    items: returns the parts of a sentence that are statements of their own, for a list in one sentence.
    """
    kept: list[str] = []
    announced: dict[int, str] = {}
    for sentence in found:
        written = _INTO_INSTRUCTIONS.match(sentence) if ".md" in sentence.lower() else None
        if written is not None:
            announced[len(kept)] = ONE
            kept.append(next((said for said in written.groups() if said), sentence[written.end() :]))
            continue
        if sentence.endswith((")", "）", ".", "。")) and (tag := _TAG.search(sentence)) is not None:
            announced[len(kept)] = ONE
            kept.append(sentence[: tag.start()].rstrip())
            continue
        label = _LABEL.match(sentence)
        rest = sentence[label.end() :] if label is not None else sentence
        if label is not None and _LASTS.search(label[0]) is not None:
            is_one = _ALONE.search(label[0]) is not None and _SEVERAL.search(label[0]) is None
            announced[len(kept)] = ONE if is_one else SEVERAL
        kept += items(rest) if items is not None and announced.get(len(kept)) == SEVERAL else [rest] if rest else []
    return kept, announced

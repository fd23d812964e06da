"""Recognises a sentence that cautions: it says what to mind about a thing, also when its session is over.

It states a requirement, a limit, a unit or format, a trap, or why something fails. What was done, or is still open, does not count.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.instructive import is_news

_FUTURE = lazy_pattern(
    r"\b(?:when(?:ever)?|if|before|once|until) (?:somebody|someone|anybody|anyone|you|we|one|they)(?: ever)? (?!(?:are|were|did|had|was|is|could|want)\b)\w+"
    r"|\bwhoever\b|\banyone who\b|\bwhen (?:adding|changing|writing|reading|building|importing|loading)\b|\bkeep in mind\b|\bmind that\b|\bbe careful\b"
    r"|\bwatch out\b|\bcareful with\b|\bha(?:s|ve) the same (?:problem|issue|trap)\b"
    r"|(?:する|作る|使う|書く|足す|変える|読む|読み込む|取り込む|追加する|増やす|入れる|呼ぶ)(?:とき|時|際|場合)[はにも]|注意|気をつけ|気を付け",
    "i",
)
"""Matches what is said to somebody who will do it later."""
_UNITS = (
    r"(?:utc|local|cents?|milli\w+|micro\w+|seconds?|minutes?|bytes?|met(?:re|er)s?|feet|inches|grams?|kilo\w+|pixels?|degrees?|radians?|percent|utf-?\d+|latin-?1"
    r"|shift_jis|cp\d+|europe/\w+|asia/\w+|america/\w+|(?:big|little)-?endian)"
)
_DEMANDS = lazy_pattern(
    r"\b(?:must|never|otherwise|or else|unless|at most|at least|no more than|maximum|minimum|exactly|requires?|needs? (?:to be|an? |the )|ha(?:s|ve) to"
    r"|only (?:accepts?|allows?|works?|takes?|knows?|one|if|when|then|once|with|after|in|as|via|up to)"
    r"|(?:accepts?|allows?|works?|takes?|supports?|reads?|knows?) only"
    r"|cannot|can['’]?t|(?:does|do|is|are)(?:n['’]?t| not)(?! \w+ing\b)|ha(?:s|ve) no|without an? |limit(?:ed)?|rejects?|refuses?|ignores?|expects?|assumes?"
    r"|silently|truncate[sd]?|overwrites?|drops?|loses?|swallows?|breaks?|fails?|crash(?:es)?|hangs?|ends? the|wraps? (?:around|at)|overflows?|exceeds?|beyond"
    r"|(?:longer|larger|more) than|case-sensitive|recommend(?:ed)?"
    rf"|(?:counts?|comes?|sent|sends?|given|stored|returned|returns?|read|measured|is|are|times?|values?|amounts?) (?:in|as) (?:the )?{_UNITS})\b"
    r"|必要|必須|必ず|禁止|だけ(?!で(?:な|は)く)|のみ|しか|上限|下限|最大|最小|以内|以下|以上|まで(?:です|しか|に)|前提|ではなく|対象外|勧め|推奨"
    r"|ないと|なければ|できな|使えな|効かな|読めな|消え[てる]|落ち(?:る|ます)|壊れ|失敗し|失われ|ずれ(?:る|ます)|化け|重複し|二重に|無視され"
    r"|切り捨てられ|上書きされ|置き換わ|展開され|止ま(?:る|ります)|拒否"
    r"|(?:UTC|JST|cp932|Shift_?JIS|UTF-?8|ミリ秒|マイクロ秒|税込|税抜|セント|ゼロ埋め|単位|表記|形式|区切り|エンコード|文字コード)"
    r"(?:です|なので| ?で(?:来|届|入|返|送|記録|保存)|の(?:ため|まま))|そのまま[^。]{1,30}(?:と|ば|たら)",
    "i",
)
"""Matches a requirement, a limit, a unit or format, or what goes wrong."""
_OF_THE_DAY = lazy_pattern(
    r"\b(?:yet|still|for now|remaining|left (?:it|out|open)|open|next|later|tests?|this (?:session|time|change|commit|branch|pr)|earlier|previously)\b"
    r"|^\W*(?:i|we)\b(?! (?:must|cannot|can['’]t|never))|\bi['’](?:ve|ll|d|m)\b|\b(?:was|were)\b"
    r"|まだ|残り|残って|次は|今回は|テスト|確認済み|(?:ました|です)か",
    "i",
)
"""Matches what was open, or done, on the day of the sentence."""
_DESCRIBES = lazy_pattern(r"^[\s*•・-]{0,8}`[^`]{1,120}`(?: \([^)]{0,120}\))?[*`]{0,4}(?: [—–-]|[:：])\s")
"""Matches an item of a list that says what a piece of code does: "`parse(text)` — rejects …"."""


def is_for_later(sentence: str) -> bool:
    """Return whether a sentence speaks to somebody who does something later: "when somebody adds them", 「作るときは」."""
    return _FUTURE.search(sentence) is not None and not sentence.rstrip().endswith(("?", "？"))


def cautions(sentence: str) -> bool:
    """Return whether a sentence says what to mind about a thing."""
    if is_for_later(sentence):
        return True
    if _DESCRIBES.match(sentence) is not None:
        return False
    return _DEMANDS.search(sentence) is not None and _OF_THE_DAY.search(sentence) is None and not is_news(sentence)

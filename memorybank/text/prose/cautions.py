"""Recognises a sentence that cautions: it says what to mind about a thing, also when its session is over.

It states a requirement, a limit, a unit or format, a trap, or why something fails. What was done, or is still open, is no caution.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.instructive import is_news

_FUTURE = lazy_pattern(
    r"\b(?:when(?:ever)?|if|before|once|until) (?:somebody|someone|anybody|anyone|you|we|one|they)(?: ever)? (?!are\b|were\b|did\b|had\b|was\b|is\b)\w+"
    r"|\b(?:whoever|anyone who|when (?:adding|changing|writing|reading|building|importing|loading|you))\b|\bkeep in mind\b|\bmind that\b|\bbe careful\b|\bbeware\b"
    r"|\bwatch out\b|\bcareful with\b|\b(?:has|have) the same (?:problem|issue|trap)\b"
    r"|(?:する|作る|使う|書く|足す|変える|読む|読み込む|取り込む|追加する|増やす|入れる|呼ぶ)(?:とき|時|際|場合)(?:は|に|も)|注意|気をつけ|気を付け",
    "i",
)
"""Matches what is said to somebody who will do it later."""
_DEMANDS = lazy_pattern(
    r"\b(?:must|never|otherwise|or else|unless|at most|at least|no more than|maximum|minimum|exactly|requires?|needs? (?:to be|an? |the )|ha(?:s|ve) to"
    r"|only (?:accepts?|allows?|works?|takes?|knows?|one|if|when|with|after|in|as|via|up to)|(?:accepts?|allows?|works?|takes?|supports?|reads?|knows?) only"
    r"|cannot|can['’]?t|(?:does|do|is|are)(?:n['’]?t| not)|ha(?:s|ve) no|without an? |limit(?:ed)?|rejects?|refuses?|ignores?|expects?|assumes?|silently|truncate[sd]?|overwrites?"
    r"|drops?|loses?|swallows?|breaks?|fails?|crash(?:es)?|hangs?|ends? the|wraps? (?:around|at)|overflows?|exceeds?|beyond|longer than|larger than|more than"
    r"|case-sensitive|(?:counts?|comes?|sent|sends?|given|stored|returned|returns?|read|measured|is|are|times?|values?|amounts?) (?:in|as) (?:the )?"
    r"(?:utc|local|cents?|milli\w+|micro\w+|seconds?|minutes?|bytes?|metres?|meters?|feet|inches|grams?|kilo\w+|pixels?|degrees?|radians?|percent|utf-?\d+|latin-?1"
    r"|shift_jis|cp\d+|europe/\w+|asia/\w+|america/\w+|big-?endian|little-?endian))\b"
    r"|必要|必須|必ず|禁止|だけ(?!で(?:な|は)く)|のみ|しか|上限|下限|最大|最小|以内|以下|以上|まで(?:です|しか|に)|前提|ではなく"
    r"|ないと|なければ|でないと|(?:できな|使えな|効かな|読めな|消えて|消える|落ちる|落ちます|壊れ|失敗し|失われ|ずれる|ずれます|化け|重複し|二重に|無視され|切り捨てられ|上書きされ|置き換わ|展開され|止まる|止まります|拒否)"
    r"|(?:UTC|JST|cp932|Shift_?JIS|UTF-?8|ミリ秒|マイクロ秒|税込|税抜|円単位|セント|先頭0|ゼロ埋め)(?:です|なので| ?で(?:来|届|入|返|送|記録|保存)|の(?:ため|まま))"
    r"|(?:単位|表記|形式|区切り|エンコード|文字コード|改行コード)(?:です|なので|で(?:す|来|届|入|返|送))|そのまま[^。]{1,30}(?:と|ば|たら)|対象外",
    "i",
)
"""Matches a requirement, a limit, a unit or format, or what goes wrong."""
_OF_THE_DAY = lazy_pattern(
    r"\b(?:not yet|yet|still|for now|remaining|left (?:it|out|open)|open|next|later|tests?|this (?:session|time|change|commit|branch|pr)|earlier|previously)\b"
    r"|^\W*(?:i|we)\b(?! (?:must|cannot|can['’]t|never))|\bi['’](?:ve|ll|d|m)\b|\bwas\b(?!.*\b(?:because|since|so)\b)|\bwere\b(?!.*\b(?:because|since|so)\b)"
    r"|まだ|残り|残って|次は|今回は|テスト|確認済み|(?:ました|です)か",
    "i",
)
"""Matches what was open, or done, on the day of the sentence."""


def is_for_later(sentence: str) -> bool:
    """Return whether a sentence speaks to somebody who does something later: "when somebody adds them", 「作るときは」."""
    return _FUTURE.search(sentence) is not None and not sentence.rstrip().endswith(("?", "？"))


def cautions(sentence: str) -> bool:
    """Return whether a sentence says what to mind about a thing."""
    if is_for_later(sentence):
        return True
    return _DEMANDS.search(sentence) is not None and _OF_THE_DAY.search(sentence) is None and not is_news(sentence)

"""Recognises the sentence with which an agent names what is left to do, and tells it from reports of what is done, promises and suppositions.

"Left of the plan: phase 4" leaves something, and so does 「次は並行稼働です」. "The remaining tests pass now", 「残りも対応しました」, "nothing is left to do",
「今後は英語で書きます」 and 「前日の CSV がまだ出ていない可能性があります」 leave nothing.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.words.endings import polite

_LONGEST_HEADING = 90
_NAMES = lazy_pattern(
    r"\btodos?\b|\b(?:not|cannot|\w{1,8}n['’]t)\b[^.;]{0,60}\byet\b|\b(?:remaining|unfinished)\b|\bstill (?:needs?|fails?|to do|open|missing|to be done)\b"
    r"|\bstill need|\bstill fail|\bnext (?:step|phase|up)|\bfollow-ups?\b|\bleft (?:to do|of|open|for)\b|\bopen (?:question|point)|\bopen\s*[:：]"
    r"|\bdid not finish\b|\bremains? (?:open|missing|to (?:be )?do(?:ne)?|failing|unfinished|unresolved)\b|\b(?:is|are) (?:still )?(?:missing|unfinished)\b"
    r"|\b(?:is|are|comes?|come) next\b|^\W*(?:next|left|remaining|missing|to ?do|not done|open)\W*[:：]|\bknown (?:issue|bug)s?\b|\bfiled\b"
    r"|既知の|起票|未解決|未完|未対応|未実装|未着手|残り|残って|残課題|残タスク|課題|(?<![ざたさま])まだ|(?<![目順年月一二三四五六七八九\d])次は"
    r"|(?:今後|これから)[^。]{0,40}(?:予定|必要|検討|実装|着手|作業|取りかか|取り掛か)",
    "i",
)
"""Matches what names work that is left. 今後 and これから name none alone, and neither does まだ within ままだ."""
_REPORTS = lazy_pattern(
    r"\b(?:no|nothing|none|zero)\b[^.;]{0,40}\b(?:remaining|remains?|todos?|open|left|unfinished|missing|follow-ups?)\b"
    r"|\b(?:remaining|unfinished|open|last|missing|known|follow-ups?|todos?)\b[^.;:]{0,50}\b(?:is|are|was|were|has been|have been|got|get)"
    r" (?:now |all |also |both )*"
    r"(?:fixed|done|closed|resolved|finished|gone|merged|removed|migrated|ported|converted|implemented|complete|completed|covered|green|answered)\b"
    r"|\b(?:fixed|fixes|closed|closes|resolved|resolves|finished|completed|implemented|removed|ported|migrated|converted|cleared|answered)"
    r" (?:all |the |of |both |every |three |two |last |also )*(?:remaining|unfinished|open|missing|todos?|follow-ups?|known)\b"
    r"|\b(?:remaining|unfinished|missing)\b[^.;:]{0,40}\b(?:pass|passes|passed|work|works|succeed|succeeded)\b(?! only)"
    r"|(?:残り|残って|残課題|残タスク|未解決|未完|未対応|未実装|未着手|課題|既知の)[^。]{0,20}(?:(?<!では)(?<!じゃ)ありません|なし|ゼロ)(?:です|でした)?[。!！]?$"
    r"|(?:修正|対応|解消|解決|完了|実装|追加|削除|変更|更新|移行|反映|処理|統一|終了|クローズ)(?:しました|済みです|されました|した)[。!！]?$|(?:完了|解消|解決)です[。!！]?$"
    r"|(?:直りました|直しました|なくなりました|消えました|埋めました|片付けました|片付きました|終わりました|終えました|済みました|済みです|通りました|置き換えました|通ります)[。!！]?$",
    "i",
)
_PUT_OFF = lazy_pattern(
    r"(?:todo|課題|issue|チケット|リスト|バックログ|backlog|readme)[^。]{0,12}(?:追加|登録)|だけ|のみ|以外|一部|次は|まで(?:修正|対応|完了|実装|移行)", "i"
)
"""Matches in a report of what is done that some of it is left: it was only listed, or only a part is done."""
_PROMISES = lazy_pattern(
    r"\b(?:from now on|in (?:the )?future|going forward|keep (?:that|this|it) in mind|i(?:['’]ll| will) (?:remember|make sure|always|never))\b"
    r"|ようにし(?:ます|たい)|よう(?:気をつけ|気を付け|注意)|気をつけます|気を付けます|注意します|心がけ|徹底し|覚えておき",
    "i",
)
_SUPPOSES = lazy_pattern(
    r"\b(?:may|might|could)\b[^.;]{0,30}\byet\b|まだ[^。]{0,40}(?:可能性|かもしれ|場合|ときは|時は)"
    r"|\b(?:whose|if|when|whenever|unless|where)\b[^.;,]{0,60}\b(?:is|are) (?:missing|unfinished)\b",
    "i",
)
"""Matches what may be, and a condition: "a file whose trailer is missing is refused" leaves nothing."""

_IS_OPEN = lazy_pattern(
    r"\W*(?:\d+\W+)?(?:the |possible |suggested |recommended |proposed )?"
    r"(?:next(?: steps?| up| tasks?)?|what['’]?s (?:next|left)|what (?:is|remains) (?:left|next|open|to do)"
    r"|(?:still )?(?:remaining|open|outstanding|left|unfinished|pending)(?: to do)?(?: (?:steps?|tasks?|work|items?|points?|issues?|questions?|phases?))?"
    r"|to ?dos?|follow-?ups?|not (?:yet )?(?:done|included|covered)|future work)(?: (?:are|is)| \([^)]{0,30}\))?\W*$"
    r"|\W*(?:次(?:の|に)?(?:ステップ|作業|やること|すること|タスク|対応)?|今後の?(?:予定|課題|作業|タスク|対応)?|残り?(?:の?(?:タスク|作業|課題|対応|項目))?|残っている(?:作業|もの|課題)"
    r"|未(?:対応|完了?|実装|着手)(?:の(?:もの|項目|作業))?|やり残し)(?:は?以下(?:の通り)?(?:です)?)?\W*$",
    "i",
)
"""Matches a heading or label above what is left."""
_OF_BOLD, _OF_LABEL = 7, 8
"""Ranks of headings below those with one to six `#`. A section ends at a heading of its rank or a higher one; what a label announces ends with its list."""
FENCES = ("```", "~~~")
_OF_LIST = lazy_pattern(r"\s*(?:[-*+•・]|\d{1,3}[.)])\s|\s{2,}\S|\s*$")


def heads_what_is_left(line: str) -> bool:
    """Return whether a line is a heading or label above what is left, and nothing else."""
    return len(line) <= _LONGEST_HEADING and _IS_OPEN.match(line) is not None


def without_open_sections(text: str) -> str:
    """Return an answer without the sections under a heading that names what is left ("### Next steps", 「残タスク：」): nothing in them is done."""
    if not any(map(heads_what_is_left, text.split("\n"))):
        return text
    kept = []
    is_open: dict[int, bool] = {}
    is_code = False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith(FENCES)
        is_code ^= is_fence
        rank = None if is_code or is_fence else _rank(line.strip())
        if rank is not None:
            is_open = {above: left for above, left in is_open.items() if above < rank} | {rank: heads_what_is_left(line)}
        elif not is_code and not is_fence and _OF_LIST.match(line) is None:
            is_open.pop(_OF_LABEL, None)
        if not any(is_open.values()):
            kept.append(line)
    return "\n".join(kept)


def _rank(line: str) -> int | None:
    """Return the rank of a heading or label, None for another line."""
    if line.startswith("#"):
        return min(len(line) - len(line.lstrip("#")), _OF_BOLD - 1)
    if line.startswith("**") and line.rstrip("：: ").endswith("**"):
        return _OF_BOLD
    return _OF_LABEL if line.endswith((":", "：")) and len(line) <= _LONGEST_HEADING and line[0] not in "-*|>`" else None


def names_open(sentence: str) -> bool:
    """Return whether a sentence names work that is left."""
    sentence = polite(sentence)
    if _NAMES.search(sentence) is None or _PROMISES.search(sentence) is not None or _SUPPOSES.search(sentence) is not None:
        return False
    return _REPORTS.search(sentence) is None or _PUT_OFF.search(sentence) is not None

"""Recognises a question for something that somebody knows: "which library renders the invoices?", 「在庫はどのテーブルにありますか」.

A request in the form of a question ("can you run the tests?", 「直してもらえますか」) asks for work, and is answered differently each time.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import sentences
from memorybank.text.words.pointing import points

_ASKS = lazy_pattern(
    r"[?？](?:\s*$|(?=[ぁ-んァ-ヶ一-龥]))|^\W*(?:\w+ ){0,2}?(?:what|which|where|who|whom|whose|when|why|how)(?:['’]?s)?\b|\b(?:tell|remind) (?:me|us)\b"
    r"|\b(?:wants? to know|wonder(?:s|ing)?|asks?|asked)\b[^.]{0,40}\b(?:what|which|where|who|when|why|how|if|whether)\b"
    r"|[,;:.…] (?:and |so |but )?(?:what|how|why|where|when|which|who) (?:did|do|does|was|were|is|are|made|caused|fixed|solved|cured|helped|came)\b"
    r"|^\W*(?:for|at|to|in|on|from|by|and|so|ok|hey|wait|since) (?:what|which|whom?|how|when|where|why)\b"
    r"|^\W*(?:can|may|must|is|are|does|do|did|was|were|has|have(?! an? )) (?:the|an?|any\w*|our|those|these|[a-z]{3,}s)\b"
    r"|(?:です|でした|でしょう|ます|ました)か。?\s*$|っけ。?\s*$|教えて|た(?:よ)?ね。?$|(?:んだ|の)ろう。?$|知りたい"
    r"|(?:何|どこ|いつ|誰|どう|なぜ|どれ|いくつ|どの|どんな)[^。]{0,30}(?:の|んだ|か)。?$|を忘れた",
    "i",
)
_WANTS_WORK = lazy_pattern(
    r"^\W*(?:(?:please|now|just|then) )?(?:kill|stop|fix|remove|delete|revert|undo|change|update|commit|push|run|keep|use|do) what(?:ever)?(?:['’]s)?\b|"
    r"^\W*(?!(?:for |to )?how (?:can|could|do) i\b|for how )(?:\w+\W+){0,3}?(?:(?:can|could|would|will|should|shall|may|might)"
    r" (?:you(?! (?:please )?(?:tell|remind) )|we|i|it|this|that|the)\b|(?:how|what) about\b|what if\b)"
    r"|[,;:] (?:(?:and|so|then|but) )?(?:can|could|would|will) you (?:please|kindly) (?!tell|remind|explain|say)"
    r"|(?:もら|いただ|頂|くれ|ください|下さい)[^。]{0,8}(?:か|[?？])|(?:ましょう|すべきです)か",
    "i",
)

_REPORTS = lazy_pattern(
    r"n['’]t\b|\b(?:does|is|wo|ca|did|are|was|has)nt\b|\bnot\b|\bno longer\b"
    r"|\b(?:fail|error|broke|crash|slow|wrong|stuck|missing|weird|strange|odd|hang|freez|frozen|lost|los[ei]|leak|flak|timeout)\w*"
    r"|エラー|失敗|落ち|遅|重い|重く|おかし|ない(?!で)|ません|壊|止ま|消え|固ま|化け|変(?:だ|に|な)|ダメ|だめ|ずれ",
    "i",
)

_ORDERS = lazy_pattern(
    r"^\W*(?:please |pls |now |let['’]?s |can you |could you |i (?:want|need)|i['’]?d like)|^\W*(?:\w+\W+)?(?:add|create|make|write|build|implement"
    r"|draft|design|support|allow)\b|(?:追加|作成|実装)し|作って|作り|ほしい|欲しい|したい|ようにして",
    "i",
)
"""Matches a prompt that wants something new."""
_PROPOSES = lazy_pattern(
    r"^\W*(?:(?:and|so|or|ok|hey|maybe|perhaps)\W+)?"
    r"(?:(?:could|should|shall|might) (?:we|i)\b|(?:what|how) about\b|what if\b|why not\b|why do(?:n['’]t| not) we\b)"
    r"|のはどう|たらどう|(?:ほう|方)が[^。]{1,16}(?:思|いかが|でしょうか|かな)|ませんか|てもいい(?:ですか|[?？])|ていい(?:ですか|[?？])",
    "i",
)
_IN_GENERAL = lazy_pattern(
    r"\bdifferences? between\b|\bhow (?:does one|do you)\b|\bwhat(?:['’]?s| is| are) (?:a |an |some |the best |good |the usual )|\b(?:pros and cons"
    r"|in general|best practices?)\b"
    r"|\b(?:recommend|suggest)\b|\bwould you\b|違い|ちがい|ちがうの|違うの|使い分け|一般(?:論|的[にな])|おすすめ|お勧め|とは何|書き方"
    r"|(?:する|やる|書く)には[?？]*$|って何[?？ですか]*$",
    "i",
)

_LEANS = lazy_pattern(
    r"\b(?:ones?|same|other|another|too|again|instead|else)\b|^\W*(?:and|or|but|also|then|so|what about|how about|what if|why not|even|only|not)\b"
    r"|さっき|先ほど|先程|上記|同じ|ほかに|他に|別の|もう一|続き|^\W*(?:じゃあ?|では|でも|それ|あと|また|なら|ちなみに|で[、,])"
    r"|^[^、。]{1,16}(?:は|も|の方は?|のほうは?)\s*[?？]|^[^、。]{1,10}(?:だと|なら|だったら|の場合)",
    "i",
)
"""Matches what only the prompts before a question explain: a comparison, a beginning that goes on, or a topic without a verb (「本番は？」)."""
_ASKS_THE_AGENT = lazy_pattern(
    r"\W*(?:(?:and|so|ok(?:ay)?|wait|but|hey|hmm+|also|then|now|sorry)\W+){0,2}(?:did|didn['’]t|have|haven['’]t|are|aren['’]t|were) you\b"
    r"(?! (?:ever|sure|certain|able|aware|familiar|know|remember|recall|any|got|seen?|heard?|found|find|figured?|encountered|met|decided?|chosen?|choose"
    r"|settled?|agreed?|sa(?:y|id)|tell|told|mention(?:ed)?|not(?:e|ed)|writ(?:e|ten))\b)"
    r"(?![^?]*\b(?:why|what|which|when|where|who|how|causes?|reasons?|before)\b)[^?]*\?(?:\W*(?:and|then|or)\b[^?]{0,60}\?)?\W*$"
    r"|(?![^。？?]{0,60}(?:どう|なぜ|何|なん|いつ|どこ|どれ|どの|誰"
    r"|原因|理由|決ま|決め|(?:分|わ)か[りっ]|判明|直[りっ]|なくな|(?:され|われ)な?[たく]))[^。？?]{0,60}"
    r"(?:てくれ(?:た|ました)|もう[^。？?]{0,30}(?:た|ました)(?=か|の|[？?]))(?:か|の|んですか)?[？?。]?\s*$",
    "i",
)
_ASKS_FOR_OPEN = lazy_pattern(
    r"\b(?:what|which|anything|something|is|are|was|were|how much|did we|do we|have we)\b[^.?!]{0,60}\b(?:left|next|open|missing|remaining|pending"
    r"|unfinished|outstanding|to ?do|undecided|yet)\b"
    r"|\b(?:rest of|remaining|unfinished|left off|outstanding|todos?|still (?:open|missing|to do|left))\b|\b(?:is|are) missing\b|\bwhere (?:are|were"
    r"|did) we\b|\bhow far\b|\b(?:the )?(?:current )?(?:status|state) of\b|^\W*(?:next|continue|go on|carry on|resume)\b"
    r"|残り|残って|残作業|未決|未対応|未完|未着手|未実装|やり残し|続き|どこまで|(?:次|つぎ)は|まだ[^。]{0,30}(?:か|？|\?)|(?:状況|進捗|状態)[はをが]",
    "i",
)
_ASKS_FOR_PARTS = lazy_pattern(
    r"\b(?:overview|structur\w*|architectur\w*|layout|code ?base|organi[sz]ed|modules?|components?"
    r"|which (?:files?|modules?|parts?)|what (?:files?|parts?|modules?)"
    r"|where (?:is|are|do|does|did|can|should)|how is (?:it|this|the (?:code|project|repo\w*)) (?:built|organi[sz]ed|laid out)|tour|walk me through"
    r"|what(?:['’]s| is) in)\b|構成|構造|全体像|全体の|アーキテクチャ|どのファイル|どのモジュール|どこ(?:に|で)|概要|一覧|何が(?:入|あ)",
    "i",
)
_ASKS_WHAT = lazy_pattern(r"\W*(?:what|which|where|whom?|whose|when|how)\b", "i")
_LEAST_WRITTEN = 4
"""Words of a question in English that says what it is about. In Japanese, twice as many characters."""


def stands_alone(text: str) -> bool:
    """Return whether a prompt is a question of its own, which nothing that was said before it explains."""
    if not (asks(text) or _ASKS_WHAT.match(text)) or leans(text):
        return False
    return len(text.split()) >= _LEAST_WRITTEN if text.isascii() else len(text) >= 2 * _LEAST_WRITTEN


def leans(text: str) -> bool:
    """Return whether only what was said before explains a text: it points at something, or goes on."""
    return points(text) or _LEANS.search(text) is not None


def proposes(text: str) -> bool:
    """Return whether a prompt asks whether something should be done, about which somebody may have decided already."""
    return _PROPOSES.search(text) is not None


def is_general(text: str) -> bool:
    """Return whether a question is one for what is known of software everywhere, not of this project."""
    return _IN_GENERAL.search(text) is not None


def reports_problem(text: str) -> bool:
    """Return whether a prompt tells what does not work, which an earlier session may have found the cause of."""
    return _REPORTS.search(text) is not None and _ORDERS.search(text) is None


def asks(text: str) -> bool:
    """Return whether a sentence of a prompt asks for something that somebody knows."""
    return any(_ASKS.search(sentence) is not None and _WANTS_WORK.search(sentence) is None for sentence in sentences(text))


def asks_the_agent(text: str) -> bool:
    """Return whether a prompt only asks what the agent does or did, which nobody else knows: "did you push?", 「もうコミットしてくれた？」. What it found or
    decided, an earlier session may know, too."""
    return _ASKS_THE_AGENT.match(text) is not None


def asks_for_open(prompt: str) -> bool:
    """Return whether a prompt asks for what is left, next or open."""
    return _ASKS_FOR_OPEN.search(prompt) is not None


def asks_for_parts(prompt: str) -> bool:
    """Return whether a prompt asks how a project is built, or where in it something is."""
    return _ASKS_FOR_PARTS.search(prompt) is not None

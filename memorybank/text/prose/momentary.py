"""Recognises the sentences of an answer that say nothing later: how things stood at that moment, and causes that were only supposed.

"The worker is still missing", "I can write a backfill", "fix/zones is ready to merge" and 「email の扱いだけ未決です」 are over once work went on.
"If the file does not exist yet, it is created", "a known issue: …" and "nothing was committed yet, so the hook failed" hold or explain something, and stay.
"It seems that the cache is stale" does not count as a finding, like what an agent says about its own tools, unless a later sentence confirms it.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.instructive import considers
from memorybank.text.prose.open_points import names_open
from memorybank.text.prose.passages import sentences
from memorybank.text.prose.plans import plans
from memorybank.text.words.endings import polite
from memorybank.text.words.pointing import opens
from memorybank.values import Memo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_ASIDE = lazy_pattern(r"`[^`\n]*`|\([^()\n]{0,120}\)|（[^（）\n]{0,120}）|\"[^\"\n]{0,80}\"|「[^」\n]{0,80}」")
"""Matches code, quotations and what stands in parentheses, which a sentence does not state."""
_LASTS = lazy_pattern(
    r"\bknown (?:issue|bug|limit)|\bfiled\b|既知の|起票"
    r"|\b(?:if|when|whenever|while|until|unless|once|as long as|in case|because|since|so that|so the|so it|which is why|hence|therefore)\b"
    r"|\b(?:was|were|had|wasn['’]t|weren['’]t|hadn['’]t)\b[^.;]{0,60}\b(?:yet|still|missing|open|pending|left)\b"
    r"|(?<!is )(?<!are )(?<!still )\bremaining\b(?!\W*[:：*]| (?:work|steps?|tasks?|items?|phases?|todos?|points?|questions?|issues?|problems?|gaps?"
    r"|pieces?|failures?|two|three|four|five)\b)|\b(?:whichever|whatever|which)\b[^.;,]{0,30}\b(?:is|are) (?:missing|unfinished|next)\b"
    r"|\b(?:is|are|stays?|stayed|be|was|were|get|gets) left (?:open|as|out|in|to right|alone|untouched|empty|unchanged|blank)\b"
    r"|残り(?:時間|日数|回数|容量|高|件数|枚数|文字|秒|のバイト|の行|の列|ページ)|残高|ように、"
    r"|残りの(?!作業|タスク|項目|課題|フェーズ|ステップ|対応|テスト|画面|修正|箇所|部分|機能|ファイル|[\d０-９一二三四五六七八九])"
    r"|場合|とき[はに、]|時[はに、]|たら|(?:れ|え|け|せ|て|め|べ|げ|ね)ば|ので|ため|から、|からです|間は|うちは|前に|ませんでした|でした(?:が)?[。]?$|なかった|たのが|たのは|ていたの",
    "i",
)
"""Matches a condition, a cause, the past, or what is called so in the code: the sentence says more than how things stand."""
_MOMENT = lazy_pattern(
    r"\bno\b[^.;]{0,40}\byet\b|\b(?:so far(?! as)|at the moment|as of now)\b|\bfor now\b(?=[^.;]{0,20}$)"
    r"|\bready (?:to|for)(?: be)? (?:merge|review|ship|deploy|release|land|push|commit|publish|test|go)\w*"
    r"|\b(?:undecided|tbd|to be decided|not (?:been )?decided|up to you|your call)\b|\b(?:needs?|awaits?|awaiting) (?:your|a|an|their|the team['’]?s?) "
    r"(?:decision|review|approval|answer|ok|go)\b"
    r"|\b(?:we|i)(?:['’]re| are|['’]m| am)?(?: still)? waiting (?:for|on)\b|\bwaiting (?:for|on) (?:your|review|approval|an? (?:answer|reply|review)"
    r"|the (?:reply|answer|review|team))"
    r"|\b(?:is|are) (?:still )?(?:pending|in progress|under way|underway|planned|unmerged|untested|undocumented)\b|\bpending (?:review|approval|your)\b"
    r"|\bblocked (?:on|until)\b|\b(?:is|are) (?:only |just |still |currently )*an? (?:stub|placeholder)\b"
    r"|\bstill (?:an? (?:stub|placeholder|draft|todo)|lacks?|unmerged|untested|red|to come|has to|have to|no tests?|without (?:a |any )?tests?"
    r"|not (?:done|wired|merged|tested|covered))\b|\b(?:nobody|no one|nothing) has\b|\b(?:left|postponed|deferred|put off)\b[^.;]{0,60}\bfor later\b"
    r"|(?<!who )(?<!that )(?<!which )\b(?:hasn['’]t|haven['’]t|has not|have not)\b(?! to\b| changed\b)",
    "i",
)
_STANDS = lazy_pattern(
    r"\b(?:we|i|nobody|no one)(?: have| has|['’]ve)? never (?:got (?:around )?to |actually )?"
    r"(?:corrected|fixed|repaired|migrated|cleaned|backfilled|updated|removed|finished|tested|documented|merged|ported|implemented|wrote|written"
    r"|converted|deleted)\b"
    r"|\bcan (?:now )?be (?:merged|released|deployed|shipped|reviewed)\b|\b(?:ci|the (?:build|pipeline|tests?|job|deploy\w*)) (?:is|are) still running\b"
    r"|\b(?:changes?|work|branch|fix|commits?) (?:is|are) not (?:committed|pushed|merged|deployed|released)\b|\b(?:i|we) (?:plan|intend|still have) to\b"
    r"|^\W*what(?:['’]s| is) (?:missing|left|next|open)\b|^\W*not (?:covered|done|tested|included)\W*[:：]"
    r"|^\W*(?:tomorrow|later today|next week)\b|^\W*(?:only|just)\b[^.;]{0,60}\bso far\b"
    r"|\bonly remaining\b|\blooks? (?:correct|good|fine|right|ok(?:ay)?|great)\b(?=\W*$|[,;.!])",
    "i",
)
_IS_PUSHED = lazy_pattern(
    r"\b(?:everything|all|branch|tree|changes?) (?:is|are) (?:already |now |all )*(?:pushed|clean|committed|up[ -]to[ -]date)\b(?! (?:by|to|via|with))"
    r"|\bworking (?:tree|directory|copy) (?:is )?clean\b|\bnothing to commit\b|\bcommits? (?:is|are) (?:pushed|on ``)|\b(?:pushed|committed) and clean\b"
    r"|^\W*lines? \d+\b"
    r"|\b(?:errors?|problem|issue|warning|message|bug)s? (?:is|are) (?:still|not (?:yet )?(?:fixed|resolved|gone)|NOT (?:yet )?(?:fixed|resolved))\b",
    "i",
)
_MOMENT_JA = lazy_pattern(
    r"未決(?!済)|未定(?!義)|未確認|未マージ|未検証|未着手|未適用|未反映|未コミット|未デプロイ|未リリース|後回し|次のステップは|^次回は|保留(?:中|にして|のまま|です)|(?:レビュー|承認|確認|返事|返信|回答|連絡|結果)(?:待ち|を待っ)|待ちの状態"
    r"|(?:対応|作業|調査|検討|検証|準備|移行|実装|進行|確認|レビュー)中(?:です|。|$)|途中です|(?:今|いま)のところ|現時点では|(?:まだ)?決まっていません|決めかね"
    r"|予定(?:です|でいます|しています|に(?:して|なって))|予定[。]?$|この(?:あと|後)[^。]{0,40}(?:ます|予定)[。]?$|(?:後ほど|後日|明日)[^。]{0,40}(?:ます|予定)[。]?$"
    r"|これから[^。のは]{0,30}ます[。]?$|^(?:これから|次に|続いて)(?!は)[^。]{0,60}(?:ます|です)[。]?$|(?:スタブ|仮実装|仮の(?:実装|値))(?:の(?:まま)?)?です|マージできる状態|リリースできる状態"
)
"""Match how things stand at a moment, besides the work that is left (`open_points`)."""
_MOMENTS = (_MOMENT, _STANDS, _IS_PUSHED, _MOMENT_JA)
"""Several patterns, because few sentences contain a word of each one."""
_FAILS = lazy_pattern(
    r"^(?!.*\b(?:if|when|whenever|until|unless|each time|by design)\b)"
    r".{0,80}?(?:\b(?:is|are|keeps?|['’]s|['’]re) (?:now |still |currently |also |just )*(?:failing|crashing|hanging|timing out|throwing|erroring"
    r"|(?:(?:being )?blocked(?! by)|broken|not working)(?! (?:on|in|with|for|under|without)\b))\b"
    r"|\b(?:now|but) there(?:['’]s| is| are)(?: \w+){0,4}? (?:errors?|exceptions?|failures?|mismatch\w*)\b|\bnow (?:fails|crashes|throws)\b"
    r"|\b(?:error|problem|issue)s? (?:is|are) still (?:occurring|appearing|happening|showing|there)\b)"
    r"|^(?!.*(?:場合|と、|とき|時[はに、]|たら|れば|いつも|必ず|のは|[月火水木金土日]曜)).{0,80}?(?:(?:失敗し|落ち|クラッシュし|タイムアウトし|固まっ|こけ)て(?:い)?(?:ます|る)"
    r"|(?:エラー|例外)(?:が|に)(?:出|発生し|なっ)て(?:い)?(?:ます|る))"
    r"|^(?!.*(?:場合|と、|とき|時[はに、]|たら|れば|いつも|必ず|のは|[月火水木金土日]曜|では)).{0,80}?(?:(?:停止し|止まっ|壊れ)て(?:い)?(?:ます|る)"
    r"|(?:動い|動作し|機能し|起動し|通っ)ていません)",
    "i",
)
"""Matches what fails at the moment when it is said, in the midst of work on it, with its cause. That it fails under a condition is known for good."""
_INSTEAD = lazy_pattern(
    r", so (?!(?:i|nothing|nobody|no|let)\b|.{0,120}(?:\bnot\b|n['’]t\b|\bcannot\b|\bfail|\bwill\b|['’]ll\b|\bneed))"
    r"|(?:ので|ため)、(?!.{0,80}(?:ません|ない|失敗|確認|調べ|修正|直し))",
    "i",
)
"""Matches what is done because something fails, which holds as long as that does."""
_OFFERS = lazy_pattern(
    r"\b(?:i|we) (?:can|could)(?: also| then| now)? (?:write|add|create|make|do|fix|implement|extend|backfill|prepare|draft|open|set up|change|update"
    r"|move|split|port|remove|look into|generate|send|clean|convert|turn|try|continue|start|go|squash|rename|document)\b"
    r"|^\W*(?:want to|ready to|should we|sound good|what do you think|thoughts|does (?:this|that) (?:work|look))\b[^.?]{0,80}\?\W*$"
    r"|\b(?:one|another|\d) (?:more )?(?:things?|points?|questions?) (?:(?:for you )?to (?:confirm|check|verify|decide|answer)|for you)\b(?![:：] [^?]{0,200}$)"
    r"|^\W*(?:[\w ]{1,30}: )?say (?:when|if|which|whether|so|the word)\b"
    r"|\b(?:want me to|shall i|should i|let me know|would you like|do you want|do you prefer|tell me (?:which|whether|if|what|when|how)"
    r"|if you(?:['’]d)? (?:like|want|prefer|wish|agree)|is there anything else|feel free to|happy to help)\b"
    r"|(?:ましょうか|でしょうか|ますか|ですか|よいですか)[。？?]?$|(?<!に)(?:決めて|選んで|教えて|知らせて|お知らせ|ご確認|ご判断|ご検討|指示して)(?:くだ|下)さい|(?:教えて|知らせて|共有して|送って|貼って|見せて|試して)(?:もらえれば|いただければ|頂ければ|くだされば|くれれば)|(?:必要|希望)(?:なら|であれば|でしたら)[^。]{0,40}"
    r"(?:でき|書け|出せ|追加し|対応し|直し|作り|用意し|足し)ます|^(?:よければ|よろしければ)"
    r"|^\W*(?:once|if|when|as soon as) you\b[^.;]{0,60}\bi(?:['’]ll| will| can)\b",
    "i",
)
"""Matches an offer, or a question to the person. What holds from now on is neither, nor a plan (`_FOR_GOOD`)."""
_WAYS = lazy_pattern(
    r"\b(?:if you (?:need|want|wish|prefer|ever|later)\b[^.:]{0,80}, )?you (?:can (?:also |either )?(?:either\b|choose\b|(?=[^.]{0,60}:$))"
    r"|have (?:two|three|four|several|a few|\d) (?:options|choices|ways)\b)",
    "i",
)
"""Matches an offer of several ways to go on. With a reason they are known for good."""
_POLITE = lazy_pattern(
    r"\banything else\b[^.?]{0,60}\?\W*$|\b(?:let me know if|feel free to|happy to help)\b|(?:ほかに|他に)(?:何か)?[^。？?]{0,20}(?:ありますか|ございますか)",
    "i",
)
"""Matches an offer of nothing in particular."""
_FOR_GOOD = lazy_pattern(
    r"\b(?:from now on|in (?:the )?future|going forward|always|never|every time|keep (?:that|this|it) in mind|remember)\b"
    r"|今後は|これからは|次回から|以後|毎回|常に",
    "i",
)
_REASON = lazy_pattern(r"\b(?:because|since|so that)\b|ため|ので、", "i")
_SUPPOSES = lazy_pattern(
    r"\b(?:it|this|that|there|which|the \w+(?: \w+)?) (?:still |also )?(?:seems?|appears?)(?: (?:that|to|like|as if|the|we|it|there)\b)|^\W*it seems\b"
    r"|\b(?:is|was|are|looks?|seems?|quite|very|rather|bit) (?:puzzling|strange|weird|odd|confusing|mysterious)"
    r"(?= ?[.,;:!)]| (?:that|because|since|as|to|how|why)\b|$)"
    r"|^\W*(?:puzzling|strange|odd|mysterious)ly\b"
    r"|\bseems? (?:to be|like|that)\b|\blooks like\b|\b(?:probably|presumably|apparently|perhaps|maybe|most likely|very likely|quite likely)\b"
    r"|\b(?:issue|cause|problem|reason|bug|error|failure) (?:is|was) likely\b|\blikely (?:because|due|caused|the (?:cause|reason|issue|problem))\b"
    r"|\bi(?:['’]d)? (?:would )?(?:suspect|guess|assume|suppose)\b|\bmy (?:guess|suspicion|hunch)\b|\bi (?:think|believe) (?:it|this|that|the|there"
    r"|we)\b(?! should)"
    r"|\b(?:might|may|could) be (?:because|due|caused|related|the (?:cause|reason|problem|culprit)|that|why)\b|\bnot (?:entirely |quite |yet )?sure\b"
    r"|\b(?:fix(?:es)?|changes?|this|that|it|which|workflow|tests?|ci|build) should (?:now )?(?:resolve|fix|solve|work|pass|eliminate|succeed|run)\b"
    r"|\bcould be too\b"
    r"|かもしれ(?:ません|ない)|(?:の|る|た|い|ない|な)ようです|よう(?:に見えます|に思われます)|と思われ(?:ます|る)|と(?:推測|推定|想定)(?:しています|します|されます|される)"
    r"|と考えられます|原因[^。]{0,30}可能性|可能性が(?:高い|高く)|おそらく|恐らく|たぶん|多分|(?:らしい|みたい)です|(?:だ|る|た|い)と思います|気がします|不思議(?:です|だ|な(?:こと|の))|謎(?:です|だ)|(?:不可解|奇妙)(?:です|だ|なこと)",
    "i",
)
_OF_TOOLS = lazy_pattern(
    r"\b(?:edit|read|write|multi-?edit|str_replace|notebook-?edit|grep|glob|bash|search-and-replace)(?: file)? tool\b|\bstring to replace\b|\bold_string\b"
    r"|\b(?:replacement|edit)(?:'s)? (?:did|does)(?:n['’]t| not) (?:match|apply)\b|(?:Edit|Read|Write|編集|置換|書き込み)\s?ツール|置換対象の文字列",
    "i",
)
"""Matches what an agent says of the tools of its host."""
_PROPOSES = lazy_pattern(r"\bshould\b|\bwould\b|\bbetter\b|\bprefer|\bworth\b|べき|ほうがよ|方がよ|ほうが良|方が良|推奨|おすすめ|お勧め", "i")
"""Matches an opinion about what to do, which states no cause."""
_CONFIRMS = lazy_pattern(
    r"\b(?:confirmed|confirms|indeed|verified|reproduced|reproduces|turn(?:s|ed) out|root cause|the (?:actual |real )?(?:cause|reason|culprit|problem"
    r"|bug) (?:is|was)|fixed|proves|proved)\b"
    r"|確認でき|確認しました|確かめ|再現(?:しました|でき|します)|判明|原因(?:は|でした)|やはり|特定し|修正しました|直しました|裏付け",
    "i",
)
_KEPT = ("|", ">")
_JAPANESE_ENDS = ("。", "！", "？")
_ITEM = lazy_pattern(r"\s*(?:[-*+・•]\s+|\d{1,3}[.)]\s+)")


def is_momentary(sentence: str) -> bool:
    """Return whether a sentence only states how things stood, or what was offered, at the moment when it was said."""
    return _momentary[_stated(sentence)]


def fails_now(sentence: str) -> bool:
    """Return whether a sentence says that something fails at that moment, whatever cause it names."""
    return _fails(_stated(sentence))


def _fails(said: str) -> bool:
    return _FAILS.search(said) is not None and _FOR_GOOD.search(said) is None and _INSTEAD.search(said) is None


def _stated(sentence: str) -> str:
    """Return a sentence as the patterns read it: without its asides, in polite form."""
    return polite(_ASIDE.sub("``", sentence))


def _is_momentary(said: str) -> bool:
    if _OFFERS.search(said) is not None or plans(said) or considers(said):
        return _FOR_GOOD.search(said) is None and _REASON.search(said) is None
    if _fails(said):
        return True
    return (any(pattern.search(said) is not None for pattern in _MOMENTS) or names_open(said)) and _LASTS.search(said) is None


_momentary = Memo(_is_momentary, 256)
"""Cache of `_is_momentary` for the latest sentences: a start reads a summary for its names, its result and its length."""


def is_supposed(sentence: str) -> bool:
    """Return whether a sentence only supposes a cause, or speaks of the agent's own tools."""
    return _is_supposed(_stated(sentence))


def _is_supposed(said: str) -> bool:
    return _OF_TOOLS.search(said) is not None or (_SUPPOSES.search(said) is not None and _PROPOSES.search(said) is None)


def lasting(text: str, is_over: Callable[[str], bool] = lambda sentence: True) -> str:
    """Return a text without the sentences that say nothing later, the items below them, and the sentences whose subject stands in them ("It calls …"); "" if
    nothing else is in it. What was supposed stays if a later sentence confirms it.

    is_over: returns whether how things stood according to a sentence is over.
    """
    confirmed = Memo(_confirmed, 1)  # few texts suppose anything
    kept: list[str] = []
    is_below = False
    for line in text.split("\n"):
        said = sentences(line)
        if is_below and _ITEM.match(line) is not None:
            continue
        if not said or line.lstrip().startswith(_KEPT):
            kept.append(line)
            continue
        rest, is_gone = [], False
        for one in said:
            stated, is_polite = _stated(one), _is_polite(one)
            is_passing = (_is_supposed(stated) and one not in confirmed[text]) or is_polite or (_momentary[stated] and is_over(one))
            goes = is_passing or (is_gone and opens(one) and not _stands_alone(stated))
            rest += [] if goes else [one]
            is_gone = goes and not is_polite  # nothing hangs on an offer of nothing
        is_below = not rest and line.rstrip().endswith((":", "："))
        kept += [line] if rest == said else [_joined(line, rest)] if rest else []
    left = "\n".join(kept).strip("\n")
    return left if left != text.strip("\n") else text


def _is_polite(sentence: str) -> bool:
    """Return whether a sentence only offers something, at whatever time it is read."""
    if _WAYS.search(sentence) is not None and (sentence.endswith(":") or _REASON.search(sentence) is None):
        return True
    return _POLITE.search(sentence) is not None


def _stands_alone(said: str) -> bool:
    """Return whether a sentence states a cause, a reason, or what holds for good, whatever it begins with."""
    return any(pattern.search(said) is not None for pattern in (_CONFIRMS, _REASON, _FOR_GOOD))


def _confirmed(text: str) -> set[str]:
    """Return the sentences of a text before one that confirms what was supposed."""
    every = sentences(text)
    return set(every[: max((place for place, one in enumerate(every) if _CONFIRMS.search(polite(one))), default=0)])


def _joined(line: str, rest: Sequence[str]) -> str:
    """Return the rest of the sentences of a line, with its mark of a list."""
    item = _ITEM.match(line)
    mark = item[0] if item is not None and not rest[0].startswith(item[0].strip()) else ""
    return mark + "".join(one if one.endswith(_JAPANESE_ENDS) else f"{one} " for one in rest).rstrip()


def without_supposed(text: str) -> str:
    """Return a text without the sentences that only suppose something."""
    return lasting(text, lambda sentence: False)

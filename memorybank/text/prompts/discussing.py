"""Requests to plan, explain or agree before anything is changed: "explain both options before you change anything", 「実装する前に方針を教えて」.

Only what holds for changes as such counts. "Don't change the port yet", "ask me before you push" and 「変更前に確認画面を出す」 are about one thing, or about
the product.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_BEGINS = (
    r"(?:^\W*|[,;:.(–—-]\s+|\b(?:and|but|so|please|pls|just|first|then|now|ok|okay|also|always|can you|could you|you (?:should|must|need to)|i want you to"
    r"|i(?:['’]d| would) like you to)\s+)"
)
_ANYTHING = (
    r"(?:any ?thing(?: else)?|any (?:of (?:the|this|my) )?(?:code|changes?|files?|edits?|more code)|(?:the |this |my |more )?code|changes|edits|files|it"
    r"|this|that"
    r"|the (?:changes?|fix|implementation))"
)
_CHANGE = (
    r"(?:(?:(?:start|begin|rush into|jump (?:straight )?(?:in)?to|dive into|go|go and|go ahead and) )?"
    rf"(?:(?:writ|mak|chang|edit|modify|touch|do|fix|implement|apply|try|cod|build)(?:e|ing)?(?: {_ANYTHING})?|code|coding|implementing|implementation)"
    r"|(?:start|begin|proceed|act)(?:ning|ing)?(?: (?:on|with|to) (?:it|this|that|work))?)"
)
_BEFORE = (
    rf"\bbefore (?:(?:you|we|actually|even|ever) )*(?:try(?:ing)? to )?(?:(?:writ|mak|chang|edit|modify|touch|do|fix|implement"
    rf"|apply|try)(?:e|ing)?(?: (?:{_ANYTHING}|one(?: of them)?"
    rf"|either|them)|(?=\W*$))"
    r"|(?:start(?:ing)?|begin(?:ning)?|go|proceed(?:ing)?|continu(?:e|ing))(?: (?:on|with|to) (?:it|this|that))?(?= (?:cod|implement|writ|chang|edit|fix"
    r"|mak|work)|\W*$|[,;])"
    r"|(?:you|we) (?:code|implement|act)\b|coding|implementing|implementation)\b(?! (?:to|of|in|from) )"
)
_PLAN = r"(?:a |an |the |your |some |me |both |all )*(?:\w+ ){0,2}?(?:plan|options?|proposals?|outline|overview|design|approach(?:es)?|alternatives|ideas?)\b"
_TELLS = (
    rf"(?:explain\b|(?:tell|show) me (?:what|how|which|why|{_PLAN})|(?:present|propose|outline|give me|suggest|describe|draft|discuss) {_PLAN}"
    rf"|walk me through\b"
    r"|run (?:it|this|that) by me\b|talk to me\b|(?:ask|check|confirm)(?: with)?(?: me| us)?(?: first)?(?= before)|(?:get|wait for) (?:my )?(?:approval"
    r"|ok(?:ay)?)\b"
    r"|discuss (?:it|this|the \w+)(?: with me)?|let me (?:see|review|approve|read|check) (?:it|this|that|the|your)\b)"
)
_TOGETHER = r"(?:discuss|talk(?! to (?!each))|think|plan(?! for \d)|brainstorm|agree|align|reason)\b"
_ENGLISH = (
    rf"{_BEGINS}(?:don['’]?t|do not)(?: (?:you|even|just|yet))* {_CHANGE}(?: (?:for me|at all|here|please|just))*,? (?:yet|for now|right now|just now"
    rf"|at this (?:time|point)"
    r"|(?:until|unless|before) (?:i|my|(?:we|you)(?:['’]ve| have)? (?:agree|discuss|talk|expl|decide|plan|t[eo]ll?d?|show|ask)\w*)\b)"
    rf"|{_BEGINS}(?:(?:don['’]?t|do not) (?:just |ever )?(?:rush|jump|dive|race) (?:straight |right |directly )?(?:in)?to|hold off (?:on|with))(?: the| any)?"
    r" (?:cod(?:e|ing)|implement\w*|fix\w*|chang\w*|edit\w*|writing code)\b"
    r"|\bexplain first,? (?:what|how) (?:you|we)\b"
    r"|\bi (?:don['’]?t|do not) want (?:you to (?:do|make|write) )?any (?:code|coding|changes|code changes|edits)(?: yet"
    r"| for now| right now| at this (?:time|point))\b"
    r"|\b(?:just|only) (?:plan|explain|discuss|analy[sz]e|think)\b[^.;]{0,20}[,;–—-] ?(?:no (?:code|coding|changes|edits|implementation)|(?:don['’]?t"
    r"|do not) (?:implement|change|edit|touch|write|make)\b)"
    r"|\b(?:explain|(?:tell|show) me) (?:what|how) you(?:['’]re| are|['’]ll| will|['’]d| would| want| intend| plan)\b(?:[^.;]{0,60}?\bfirst(?=\W*$|[,.;]))"
    rf"|{_BEGINS}(?:don['’]?t|do not) (?:writ|mak|chang|edit|modify|touch|do)e? {_ANYTHING}[,;:. –—-]+(?:just |only )+(?:explain|analy[sz]e|plan|think"
    rf"|discuss|tell me"
    r"|describe|answer|propose|suggest)\b"
    r"|(?:^\W*|[,;:.]\s+|\b(?:and|but|please|ok)\s+)no (?:work on (?:the |any )?)?(?:code|coding|edits?"
    r"|implementation)(?: changes?)?,? (?:yet|for now|right now|at this (?:time|point)"
    r"|until (?:i|we|you)\b|just (?:explain|plan|think|discuss|analy[sz]e)\b)"
    r"|\b(?:let['’]?s|lets|let us|can we|could we|we (?:should|need to|have to|must)|i(?:['’]d| would) like (?:us )?to|i want (?:us )?to) "
    rf"(?:first (?:\w+ )?{_TOGETHER}|(?:\w+ ){{0,2}}?{_TOGETHER}(?![^.;]{{0,60}}\btests?\b)[^.;]{{0,60}}?(?:\bfirst(?=\W*$|[,.;])|\btogether(?=\W*$"
    rf"|[,.;]| (?:about|how|what|on|before|first)\b)|{_BEFORE}))"
    rf"|{_BEGINS}{_TELLS}[^.;]{{0,80}}?{_BEFORE}"
    rf"|^\W*(?:(?:please|and|but|so|always)\W+)*{_BEFORE}[^.;]{{0,40}}?\b(?:explain\b|(?:tell|show|give|ask) me\b|propose\b|outline\b"
    rf"|let['’]s (?:discuss|talk|agree|plan)|walk me\b"
    r"|(?:make|discuss|describe|write) (?:a|the|your) (?:\w+ )?(?:plan|options|approach|design))"
    rf"|{_BEGINS}(?:plan|think)(?: (?:it|this|that))?(?: (?:out|through))? (?:first(?=\W*$|[,.;]| (?:then|and|before|please)\b)|{_BEFORE})"
    rf"|\b(?:make|create|write|give me|show me|propose|come up with|present|draft|outline|see|read|approve) (?:a|an|the|your) (?:\w+ )?(?:plan|proposal"
    rf"|design|outline)\b(?! (?:page|document|table|card|for (?:\w+ )?(?:customers|users)))"
    r"[^.;,]{0,20}\bfirst(?=\W*$|[,.;]| (?:then|and|before|please)\b)"
    r"|^\W*(?:(?:please|so|ok|okay|then|and)\W+)*first,? (?:please )?(?:make|create|write|give me|show me|propose|come up with|present|draft|outline"
    r"|prepare) (?:me )?(?:a |the |your |an )(?:\w+ )?"
    r"plan\b(?! (?:page|document|table|card|in|on|called|named|type|object)\b)"
    rf"|{_BEGINS}wait (?:for my (?:ok|okay|approval|go|go[- ]ahead|confirmation|review|feedback|answer|decision|green light)\b(?! (?:to|in|of|on the"
    rf"|before (?:you )?(?:pus|deplo|merg|commit|releas|publish|delet)))"
    r"|until i (?:say (?:so|go|ok|yes)|(?:ok|approve|confirm|agree|decide|(?:have |['’]ve )(?:read|reviewed|approved|confirmed|agreed))(?: (?:it|that"
    r"|(?:to |with )?the (?:plan|design)))?(?=\W*$|[.;])))"
)
_WORK = r"(?:実装|修正|変更|編集|着手|コーディング|作業|改修)"
_WHAT = r"(?:計画|方針|プラン|設計案?|やり方|進め方|アプローチ|(?<![提名議起草])案|案)"
_NOT_DONE = r"(?:(?:を|は|も)?(?:し|始め|書か|触ら|付け|つけ|変え|直さ|変更し|実装し|修正し|編集し)ないで)(?!(?:済|すむ|い[るたて]))"
_SAY = r"(?:教え|説明し|見せ|提示し|提案し|相談(?:し|させ)|共有し|聞かせ|出し|立て|考え|まとめ)て(?!くれ[たて])"
_JAPANESE = (
    rf"(?:まだ|いったん|一旦|とりあえず)(?:何も|絶対に?)?、?(?:{_WORK}|コード(?:の?(?:変更|修正))?|手|何も(?:{_WORK})?)(?:を|は|も|に)?{_NOT_DONE}"
    rf"|(?:^|[、。,\s])(?:{_WORK}|コード(?:の?(?:変更|修正))?)(?:は|も)(?:まだ|いったん|一旦){_NOT_DONE}"
    rf"|(?:^|[、。,\s])(?:コード|何|{_WORK})(?:は|を|も)?(?:まだ)?(?:書かず|変更せず|変えず|せず|直さず)に?、?[^。]{{0,10}}{_WHAT}[^。、]{{0,8}}{_SAY}"
    rf"|(?:^|[、。,\s])(?:必ず|いつも|毎回)?(?:(?:コード|何か|ファイル)を?)?(?:{_WORK}|書く|書き始める|触る|変える|直す|始める)(?:する|に入る|を(?:始め"
    rf"|加え|開始す|す)る|の|を書く)?(?:前|まえ)に(?:は|、)?"
    rf"(?:[^。]{{0,24}}?{_WHAT}[^。、]{{0,8}}?{_SAY}|(?![^。]{{0,24}}(?:てい|だっ|起き)た)[^。]{{0,24}}?(?:教え|説明し|相談し)て(?!(?:い|あ)る)|(?:必ず"
    rf"|一度|いったん|まず|私に|僕に|こちらに|、)*(?:確認|レビュー|承認)(?:を(?:取|と)っ|をもらっ|し)て(?!い))"
    rf"|(?:まず|先に|最初に)は?[^。]{{0,20}}?{_WHAT}(?:を|だけ|から)(?:\d+つ|[二三]つ|いくつか|簡単に|一緒に)?{_SAY}|(?:まず|先に"
    rf"|最初に)は?(?:[^。、]{{0,8}}計画を作って|[^。]{{0,16}}一緒に考え(?:て|よう|ましょう|たい))"
    rf"|勝手に(?:(?:コード|ファイル|何か)を?)?(?:(?:実装|変更|修正|編集)(?:を?(?:し|始め|進め))|進め|直さ|変え|書き換え|いじら|触ら)ないで(?!(?:済|すむ"
    rf"|い[るたて]))"
    rf"|いきなり(?:(?:コード|実装|修正|ファイル)を?)?(?:(?:{_WORK}|リファクタ\S{{0,4}})?(?:し|を?始め)|書か|直さ|変え|触ら)ないで"
    r"|(?:(?:相談|合意|承認|許可)し|(?:合意|承認|許可|確認)(?:を得|を取っ|をとっ|をもらっ|をし))てから(?:、)?(?:実装|変更|修正|着手|コード|作業|進め"
    r"|始め|編集)(?:し|を?書い|を?始め|に入っ|を?進め)?て(?!い)"
    rf"|(?:承認|許可|OK|確認|合意|返事|指示|ゴー)(?:を?出)?(?:す|する)まで(?:、|は|絶対に?|何も)*(?:(?:{_WORK}|コード|手)(?:を|は|も)?(?:し|始め|書か"
    rf"|進め|付け|入ら)|進め|触ら)ないで"
    rf"|(?:計画|方針|調査|説明|設計|分析)(?:だけ|のみ)[^。]{{0,14}}(?:、|て)[^。、]{{0,6}}(?:{_WORK}|コード)(?:は|も|を)?(?:まだ)?(?:し|書か)ないで"
)
DISCUSSES = f"{_ENGLISH}|{_JAPANESE}"
_DISCUSSES = lazy_pattern(DISCUSSES, "i")
_MAY_DISCUSS = lazy_pattern(
    r"\b(?:before|yet|until|unless|first|together|now|point|time|wait|hold|rush|jump|dive|race|no|just|only)\b"
    r"|(?:前|まえ)に|まで|まだ|一旦|いったん|とりあえず|まず|先に|最初に|勝手に|いきなり|てから|ないで|[せかえさ]ず",
    "i",
)
"""Matches a word of which every such request contains one. Most sentences have none, and the other pattern takes twenty times as long."""
_IS_ORDER = lazy_pattern(
    r"^(?!\W*(?:can|could|let['’]?s|lets|let us|i(?:['’]d| would)|i want us|we)\b).*\b(?:before|until)\b"
    r"|^(?!.*(?:たい|よう|ましょう|ませんか)(?:です)?[。！!？?]*$).*(?:(?:前|まえ)に|てから|まで|いきなり|勝手に|まず|先に|最初に)",
    "i",
)


def asks_to_discuss(sentence: str) -> bool:
    """Return whether a sentence asks to plan, explain or agree before anything is changed."""
    return _MAY_DISCUSS.search(sentence) is not None and _DISCUSSES.search(sentence) is not None


def orders_to_discuss(sentence: str) -> bool:
    """Return whether such a request says what comes before what. "No code yet" is about its moment, and "can we think about it first?" about its matter."""
    return _IS_ORDER.search(sentence) is not None

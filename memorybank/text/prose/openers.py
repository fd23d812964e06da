"""Skips openers, the phrases before the actual answer: "Done.", "All tests pass.", "Here's a summary of the changes:", 「完了しました。」."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.values import Memo

_MOST_ASKED = 256
"""Texts that a table remembers."""
_QUIET = r"(?:`[^`\n]*`|[^.!:\n`])"
"""A character that does not end the sentence, or a quoted name."""
_NO_TURN = r"(?![^.!\n]{0,300}\b(?:but|except|because|although|however|only|fail\w*|still|unless|until|not|never)\b|[^.!\n]{0,300}n['’]t\b)"
"""A status report that then says what is wrong is not an opener."""
_END = r"(?:[.!]+(?=\s|\*|$)|:|\s+[—–-](?=\s)|(?=\n|$))"

_MARKS = r"[\s*_#>✅✔☑✓🎉✨🚀🎯🔧🐛📝💡🔍📊\ufe0f-]*+"
"""Matches what may precede an opener: Markdown, a horizontal rule, a sign of success."""
_INTERJECTIONS = (
    r"(?:all |and |it's |that's |now )?(?:done|fixed|finished|complete|completed|perfect|excellent|great|nice|awesome|wonderful|fantastic|interesting)"
    r"(?: (?:job|work|approach|news))?(?:[.!,:]+(?=\s|\*|$)|\s+[—–-](?=\s))",
    r"(?:sure(?: thing)?|ok(?:ay)?|alright|absolutely|certainly|of course|got it|understood|hi|hello|hey|thanks|thank you|sorry)"
    r"(?: (?:for|about)[^.!,:\n`]{0,50})?[.!,:]+(?=\s|\*|$)",
    r"(?:very )?(?:good|great|excellent|fair|nice) (?:question|catch|point|thinking|call|idea|find)[.!,:]+(?=\s|\*|$)",
    r"(?:and |but )?(?:i |we )?(?:sincerely |deeply )?(?:(?:my )?apologies|apologi[sz]e)\b[^.!\n`]{0,90}[.!](?=\s|\*|$)",
    r"you(?:'|’)?(?: a)?re (?:absolutely |completely |quite )?right(?: to [^.!\n`]{0,50})?(?:[.!,:]+(?=\s|\*|$)|\s+[—–-](?=\s))",
    r"i (?:got|was|am) (?:confused|wrong|mistaken|too hasty)(?: (?:there|here|by my own \w+))?[.!](?=\s|\*|$)",
)
_STATUS = (
    rf"{_NO_TURN}(?:(?:the|all|both|your|my|everything|every)\b\s?)?(?:(?:of|the|these|requested|code|\d+)\s+)*"
    r"(?:changes?|fix(?:es)?|implementation|refactor(?:ing)?|work|tasks?|updates?|features?|todos?|steps|edits|migration|investigation|analysis|review)?\s{0,3}"
    rf"(?:is|are|was|were|has been|have been) (?:now |all )*(?:complete|completed|done|in place|finished|implemented|applied|ready)(?: successfully)?{_END}",
    rf"{_NO_TURN}(?:(?:the|this|that|your|our|all|both|any|everything|every)\b\s?)?(?:[\w-]{{1,20}} )?"
    r"(?:issues?|problems?|bugs?|errors?|app(?:lication)?|bot|server|site|service|containers?|system|project|code(?:base)?|feature|it|everything)\s{0,3}"
    r"(?:is|are|was|were|has been|have been|should be) (?:now |all |both |up and |currently |fully |successfully |completely ){0,3}"
    r"(?:fixed|resolved|solved|gone|running|working(?: correctly)?|operational|live|good to go)"
    rf"(?: (?:now|again|correctly|as expected|successfully|properly|fine|well|perfectly|without (?:any )?(?:errors|issues|problems))){{0,2}}{_END}",
    rf"(?-i:(?:[A-Z][\w-]{{0,20}} ){{1,5}})(?:is )?(?:now )?(?:fully )?(?:complete|completed|fixed|finished|successful|implemented|resolved){_END}",
    rf"{_NO_TURN}(?:(?:all|both|every|the|pre-commit|\d[\d,]*)\s+)*(?:existing |unit |integration |new |of the )*"
    r"(?:tests?|checks?|lint(?:er|ing)?|type ?checks?|builds?|suite|hooks?)\b"
    rf"[^.!:\n`]{{0,60}}?\b(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?)\b[^.!:\n`]{{0,40}}?{_END}",
    rf"(?:i(?:'ve| have)? )?(?:the )?(?:commit (?:succeeded|successful|(?:was )?created(?: successfully)?)"
    rf"|committed(?: and pushed)?(?: successfully)?(?: as `?[0-9a-f]{{7,40}}`?)?|pushed(?: successfully)?|all (?:fixed|set|good)){_END}",
)
_CHEERS = (
    rf"{_NO_TURN}(?!(?:yes|no)\b)(?:\d[\d,/]*\s)?"
    r"(?![^!\n]{0,160}(?:\b(?:not|no|never|nothing|none|nobody|cannot|without|before|after|when(?:ever)?|if|since|so|by|must|needs?|warning)\b|n['’]t\b"
    r"|(?<!\ball )(?<!\bphase )(?<!\bstep )(?<!\btask )(?<![\d,/])(?!100 ?%)\d))"
    r"(?:(?:[^.!\n`]|\.(?=\w)){0,110}?\b(?:fixed|resolved|solved|completed?|success(?:ful(?:ly)?)?|working|implemented|done|ready|pass(?:ed|ing)"
    r"|achieved|accomplished|operational|live|improved|deployed)|(?:[\w'’-]+ ){0,3}(?:updated|added|created))"
    r"(?: (?:now|again|correctly|successfully|properly|perfectly|as expected|and (?:working|ready|tested|verified|deployed|pushed))){0,2}!+(?=\s|\*|$)",
    r"(?![^！!\n]{0,60}(?:ない|ません|まで|ため|ので|から|たら|れば|ただし|[がと]、|ずに|[\d０-９`]))"
    r"[^。！!\n`]{0,40}(?:完了|成功|達成|解決|直り|直っ|でき|終わ[りっ])(?:(?:いた)?しました|した|です|ました|た)?[！!]+",
)
"""Matches a headline or sentence that shouts that something succeeded, whatever it names. What it denies, a value, a cause or a condition makes it an
answer."""
_INTRODUCTIONS = (
    rf"(?:so |now |and |below,? )?here(?:'s|’s| is| are| it is)\b{_QUIET}{{0,110}}(?::|\.(?=\s*\n))",
    rf"(?:below|the following) (?:is|are|was|were){_QUIET}{{0,110}}[:.]",
    rf"{_QUIET}{{0,80}}\b(?:is|are) (?:listed|shown|described|summari[sz]ed|outlined|explained) below[:.](?=\s|$)",
    rf"(?:and )?let me (?:summari[sz]e|explain|create|show|walk|trace|think|give|describe|break){_QUIET}{{0,90}}(?::|\.(?=\s|$))",
    rf"i(?:'ll| will) (?:now )?(?:summari[sz]e|explain|walk|show|describe|give){_QUIET}{{0,90}}(?::|\.(?=\s|$))",
    r"(?:now )?i (?:now )?(?:(?:can )?see|understand|know|have (?:a |the |enough )(?:now )?(?:full|complete|clear|whole|good|context|information|picture))\b"
    r"[^.!:\n`\d]{0,70}[.!:](?=\s|$)",
    r"i(?:['’]ve| have)? (?:now |just |thoroughly |carefully |fully |successfully |also ){0,2}"
    r"(?:looked|dug|went|gone|checked|investigated|analy[sz]ed|reviewed|read|searched|traced)\b"
    r"(?![^.!:\n]{0,300}\b(?:and (?:can|confirmed|discovered|found|i|identified|is|it|now|the|there|we)|that|because|so)\b)[^.!:,\n`\d]{0,80}[.!:](?=\s|$)",
    r"(?:based on|looking at|after (?:looking|reviewing|checking|reading|investigating|digging|tracing))[^.!:,\n`]{0,60}[,:](?=\s)",
)
_HEADING = (
    r"(?:summary(?: of (?:the |all )?(?:changes|fixes|fix|work|findings|implementation)(?: (?:made|applied|implemented|completed|done))?)?"
    r"|(?:key |main )?(?:results?|findings?)|(?:short )?answer"
    r"|overview|conclusion|(?:implementation|fix|review) summary|changes(?: made)?|what (?:i )?(?:changed|did|found|happened)|tl;?dr|bottom line"
    r"|まとめ|概要|結果|回答|結論|変更内容|変更点|調査結果|サマリー|要約)\s*(?::|：|(?=\*|\n|$))"
)
_BELOW = r"(?<![^\Wぁ-ん])(?:以下|下記)"
"""What points to a list. After a number or a name it says how much at most, or where: 5秒以下の値, src以下のファイル."""
_TELLS_NOTHING = (
    r"(?![^。\n]{0,160}(?:ない|ません|禁止|不[可要]|非推奨|必[ずす須]|毎|まで|だけ|のみ|しか|ため(?!の)|ので|理由|場合|とき|エラー|失敗"
    r"|避け|除外|対象外|廃止|専用|自動|未|誤|古|危険|保護|削除|(?<!\d)\d{2}|\d(?:分|秒|時間)))"
)
"""An introduction that forbids something, or says when, why or how much, is part of the answer: without it, the list below it would say something else."""
_TONE = r"(?:んやで|んや|やで|で|ぜ|ぞ|わ|な|ね|よ)?"
_JAPANESE = (
    r"(?:おう|おお|よし|よっしゃー?|おっしゃー?|やった(?:で|ぜ|ぞ|わ)?|せやな|ほな|まかせとき|任せとき)[！!、。〜ー]+",
    r"(?:承知(?:いた)?しました|了解(?:です|しました)|(?:わか|分か)りました|なるほど(?:です)?|ありがとうございます|お待たせ(?:いた)?しました|お疲れ(?:様|さま)です"
    r"|(?:いい|良い|よい)(?:ご?質問|ご?指摘)です(?:ね)?|(?:完全に|まさに|全く|まったく|本当に)?(?:ご指摘|おっしゃる|その)(?:の)?(?:通り|とおり)です(?:ね)?"
    r"|(?:大変|誠に|本当に)?(?:申し訳(?:ありません|ございません)(?:でした)?|失礼(?:いた)?しました|すみません(?:でした)?)|かしこまりました|もちろんです|完璧です|素晴らしい(?:です)?(?:ね)?|いいですね)[。！!、,]+",
    r"(?:(?:すべて|全て|全部|作業|実装|修正|対応|変更|調査|確認|分析|更新|追加|移行|原因|必要な|ご依頼の|の|が|は|を|も|、|無事)){0,8}"
    r"(?:(?:完了|終了|実施|対応|修正|調査|確認|実装|コミット|プッシュ|分析|特定|判明)(?:いた)?(?:しました|した|です|や|だ|済みです|済みや|できました|できた)|できました|できた"
    rf"|終わりました|終わった|調べました|調べた|直りました|直った|直しました|直した|わかりました|分かりました|わかった|分かった){_TONE}[。！!：:]+",
    r"(?![^。\n]*(?:が、|けれど|ただし|除い))(?:すべて|全て|全部|全)?の?(?:[\d,]+件の?)?(?:テスト|型検査|型チェック|lint|リント|チェック|ビルド|フック)"
    rf"[^。！\n`]{{0,30}}(?:通りました|通った|通っています|通過しました|成功しました|成功した|成功です|成功や|パスしました|パスした|合格(?:です|しました|や|した)){_TONE}[。！!]+",
    r"[^。！\n`、：:]{0,24}(?<![^\Wぁ-ん])(?:以下|下記|次)(?:の(?:通り|とおり|ように)|に)[^。：:\n`]{0,25}[。：:]+",
    r"[^。！\n`：:]{0,80}を(?:以下|下記|次)に(?:示し|まとめ|挙げ|記し|記載し|説明し|紹介し)(?:ます|ました)[。：:]+",
    rf"{_TELLS_NOTHING}[^。、\n`]{{0,20}}、?{_BELOW}の[^。、\n]{{1,12}}を[^。、\n]{{0,80}}(?:ました|ます)[。：:]+",
    rf"{_BELOW}(?:は|が)、?[^。\n]{{0,160}}(?:例|案|アイディア|アイデア|スクリプト|コード|手順|方法|概要|流れ|まとめ|(?:変更|修正|改善)点)です[。：:]+",
    rf"{_TELLS_NOTHING}{_BELOW}(?:は|が|に)、?[^。\n`]{{0,110}}(?:です|ます|ました)[。：:]+",
    rf"{_TELLS_NOTHING}{_BELOW}の(?:ような?|よう[なに])?[^。、\n`]{{0,60}}(?:です|(?:でき|あり|なり|行い)ます|しました|ください)[。：:]+",
    r"(?:結論(?:から(?:言う|申し上げる)と|として(?:は)?)|まとめると|調査の結果|調べたところ|確認したところ)[、,]",
)
_OPENER = lazy_pattern(
    rf"{_MARKS}(?:{'|'.join((*_INTERJECTIONS, *_STATUS, *_CHEERS, *_INTRODUCTIONS, _HEADING, *_JAPANESE))})\**(?=\s|$|(?<=[。！：:、,]))\s*", "i"
)
_RULERS = lazy_pattern(r"(?:-{3,}\s*\n\s*)*")
_FOR_AN_AGENT = lazy_pattern(
    r"^[\W_]{0,4}(?P<label>role[\W_]{1,4}you are\b|役割[：:]\s?あなたは)"
    r"|^[\W_]{0,4}(?:you are (?:an? |the )(?:[\w-]+ ){0,4}?(?:agent|assistant|engineer|developer|architect|expert|specialist|reviewer|analyst|planner|tester)\b"
    r"|あなたは[^。\n]{0,40}(?:エージェント|アシスタント|エンジニア|専門家|開発者|レビュアー)(?:です|とし))",
    "im",
)
_TASK = lazy_pattern(
    r"^[\W_]{0,4}(?:your )?(?:task|goal|project|context|instructions|rules|steps|setup|output)\b[^:\n]{0,30}:|^(?:タスク|目的|手順|指示|制約|課題)[：:]", "im"
)
"""Match the beginning of a text that an agent wrote for another agent to follow, and what it has to do."""


def answer_first(text: str) -> str:
    """Return `text` from the point where it answers: without greetings, praise, reports of completion or passing tests, and introductions. It ends where a text
    for another agent begins.

    A text that consists of openers only is returned as it is, without surrounding white space, and "" for one that is all for another agent. Otherwise the
    rest keeps its line ends and Markdown.
    """
    begin = 0
    while (found := _OPENER.match(text, begin)) is not None:
        begin = found.end()
    if (ruler := _RULERS.match(text, begin)) is not None:
        begin = ruler.end()
    said = _without_text_for_agents(text)
    rest = said[begin:].strip()
    return rest if any(map(str.isalnum, rest)) else said.strip()


def _without_text_for_agents(text: str) -> str:
    """Return the text up to a role and task for another agent; all of it if that is in a block of code, after which the answer may go on."""
    found = _FOR_AN_AGENT.search(text)
    if found is None or text.count("```", 0, found.end()) % 2:
        return text
    return text[: found.start()] if found["label"] or _TASK.search(text, found.end()) is not None else text


def only_opens(text: str) -> bool:
    """Return whether `answer_first` would skip this text if another one followed it. Also true for a text without words."""
    return _only_opens[text]


def _opens(text: str) -> bool:
    return answer_first(f"{text}\n\nx") == "x" or not any(map(str.isalnum, text))


_only_opens = Memo(_opens, _MOST_ASKED)
"""Cache of `only_opens`. Each sentence of an answer is asked for what it is worth, what it carries and how it leads in."""

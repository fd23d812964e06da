"""The patterns of `text.statements` about tools and commands: what replaced what, what has to run before or after what, and by what alone something is done.

They follow those of `text.statement_patterns`, in the same form, English and Japanese.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.statement_patterns import CONSTRAINT, ENVIRONMENT, IT, PREFERENCE, PROCEDURE, table

_COMMAND = (
    r"(?-i:`[^`]{2,60}`|(?<![\w./-])(?:\./)?[\w-]+/[\w./-]*[\w-]|\b(?:make|npm run|npx|yarn|pnpm|bun run|mise run|just|task|rake|cargo|go|docker|uv run|buf) "
    r"[a-z][\w:./-]*)"
)
_TOOL = rf"(?:{_COMMAND}|(?!(?:the|an?|my|your|our|this|that|it|everything|nothing|something|one|all|which|we|you|i|he|she|they|there)\b)[\w.-]+)"
_GONE = (
    r"(?:gone|out|dead|dropped|removed|retired|deprecated|obsolete|discontinued|closed|blocked|forbidden|banned|slow|broken|replaced"
    r"|not (?:configured|used|supported|allowed|available|installed)|no longer \w+)\b"
)
_LAST = r"(?:is|are|was|were|has been|have been|got)(?: now)?"
_WE_USE = r"(?:we (?:\w+ )?(?:\w+ )?(?:use|with|through|via|by)\b|please use\b|use\b|run\b|always\b|it's\b|\S+ (?:runs|does|checks|starts|handles|builds)\b)"
_END = r"[ねよなー〜～。!！、\s」』)）]*$"
_NAME = r"(?:[`「][^`」]{2,60}[`」]|[A-Za-z.][\w./:@-]*(?: [A-Za-z-][\w./:-]*)*)"
"""In Japanese text: a command, a tool or a path is what is written in Latin letters."""
_NO_FILE = r"(?!.*\.(?:py|ts|tsx|js|jsx|go|rs|java|rb|md|json|ya?ml|toml|css|html)\b)"
_DONE = r"(?:[いきしちにびみりっんえけせてねめれべげ]て|[んい]で)"
_WANTED = (
    rf"(?:{_DONE}(?:ください|下さい|ほしい|おいて)?|すること|うこと|くこと|すこと|通すこと|ようにして\S{{0,4}}|お願いします|です|ます|する|決まり\S{{0,3}})"
)

ENGLISH = table(
    (
        PREFERENCE,
        ("gone", " out", "dead", "dropped", "removed", "retired", "deprecated", "obsolete", "closed", "blocked", "broken", "slow", "not ", "no longer", "repl"),
        rf"{_TOOL}(?: [\w-]+)?,? {_LAST} {_GONE}.*(?:[,;:.] ?{_WE_USE}|\b(?:instead|from now on|these days|any ?more)\b|\bhere\W*$|\bby {_COMMAND})"
        rf"|(?!{IT}).*\S[,;:] ?{_TOOL} {_LAST} {_GONE}\W*(?:\w+ \w+)?\W*$",
    ),
    (
        ENVIRONMENT,
        ("switched", "moved", "migrated", "standardi", "we are on", "we're on"),
        r"we(?: have|'ve)? (?:switched|moved|migrated|standardi[sz]ed)(?! on\b)(?: over)?(?: [^.,;]{1,40}?)? (?:to|on) "
        r"(?!(?:the|a|this|that|another|my|your) (?:next|other|new|branch|ticket|task|same|topic)\b)\S"
        r"|we(?:'re| are) on (?!the\b|a\b|an\b|it\b|this\b|that\b|track|schedule|our\b|my\b|your\b)[\w.-]+(?: [\w.]+)? (?:in|for|here)\b",
    ),
    (
        CONSTRAINT,
        ("through", " via ", "only with", "only by", "only from"),
        rf"(?!{IT}|i\b)(?:.*\s)?(?:only (?:through|via|by|with|using|from)|(?:goes?|runs?|commit|deploy|release|publish|install|test"
        rf"|build) (?:through|via)) {_COMMAND}",
    ),
    (
        ENVIRONMENT,
        ("there is a", "there's a", "there is an", "there is now", "there's now"),
        rf"(?:there is|there's) (?:now )?an? (?:[\w-]+ )?(?:script|wrapper|command|target|task|tool|alias|recipe"
        rf"|shortcut)\b[^.?]{{0,50}}[:,] ?(?:use |it's |called )?"
        rf"{_COMMAND}",
    ),
    (
        PROCEDURE,
        (" to run", " must ", " to pass", " to be ", " needs to", "has to", "have to"),
        rf"(?!{IT})(?:(?:after|before|when|whenever|once|if) (?:you|we|anyone|somebody) [^,]{{3,60}}, ?)?{_COMMAND} (?:has to|must|needs? to) "
        r"(?:always )?(?:run|pass|come|finish|succeed|be (?:run|called|started|up|done|executed|green))\b(?! again| now)",
    ),
    (
        PROCEDURE,
        ("before", "after", "whenever", "every time", "each time", "if you"),
        rf"(?!i\b|{IT})(?:.*\s)?{_COMMAND}\W* (?:\w+ ){{0,3}}?(?:before|after|whenever|every time|each time) (?:before |after )?(?:you |we )?"
        rf"(?:\w+ing\b|touch|edit|chang|deploy|releas|restart|run\b|start\b)(?! (?:it|this|that)\b)"
        rf"|(?:before|after|when|whenever|if you|once you) (?:you )?(?!we\b|i\b)(?:touch|edit|chang|modif|restart|upgrad|bump|add|regenerat|mov"
        rf"|renam)\w*\b[^,]{{2,60}}, "
        rf"?(?!.*\b(?:this|that|these|it)\b)(?:please )?\w+\b.*(?:{_COMMAND}|afterwards|as well)",
    ),
    (
        PREFERENCE,
        ("whenever", "every time", "each time"),
        r"(?!i (?:get|got|see|saw)|it\b|why\b|how\b|what\b)(?!.*\b(?:fail|crash|break|error|happen|hang|show|freez)\w*).*\b(?:whenever|every time|each time) "
        r"(?:before |after |when )?(?:you|we) (?!see|saw|have|get|are\b)\w+",
    ),
)  # fmt: skip

JAPANESE = table(
    (
        PREFERENCE,
        ("使いません", "使っていません", "使わない", "使えません", "やめ", "廃止", "なくなり", "閉じ", "非推奨", "禁止", "壊"),
        rf"{_NO_FILE}.*{_NAME}\s*(?:は|を)(?:もう)?(?:使いません|使っていません|使わないで\S{{0,6}}|使わないこと|使えません|やめました|廃止\S{{0,6}}|なくなりました|閉じました"
        rf"|非推奨\S{{0,4}}|禁止\S{{0,3}}){_END}"
        rf"|{_NO_FILE}.*{_NAME}\s*(?:は|を)\S{{0,6}}?(?:廃止|やめ|なくな)\S{{0,6}}(?:ので|から|ため)、?.*{_NAME}.*{_WANTED}{_END}",
    ),
    (
        PREFERENCE,
        ("変わり", "乗り換え", "移行し", "切り替え", "移りました"),
        rf"{_NO_FILE}(?!.*(?:ブランチ|branch)).*{_NAME}\s*(?:に|へ)(?:変わりました|乗り換えました|移行しました|切り替えました|切り替わりました|移りました){_END}",
    ),
    (
        PREFERENCE,
        ("ではなく", "じゃなく"),
        rf"{_NO_FILE}.*{_NAME}\s*(?:ではなく|じゃなく)(?:て)?、?\s*{_NAME}\s*(?:です|だ|にします|になりました|を使います){_END}",
    ),
    (
        ENVIRONMENT,
        ("この", "うちの", "当"),
        rf"(?:この|うちの|当)(?:プロジェクト|リポジトリ|チーム|環境)は\s*{_NAME}\s*(?:です|を使\S{{1,6}}|に統一\S{{0,6}}){_END}",
    ),
    (
        CONSTRAINT,
        ("だけ", "のみ", "経由", "任せ", "通し", "通す", "直接"),
        rf".*{_NAME}\s*(?:だけ|のみ)(?:で|から)?\S{{0,8}}?{_WANTED}?{_END}|.*{_NAME}\s*からのみ\S{{0,8}}{_END}|.*{_NAME}\s*経由(?:で|に)\S{{0,8}}?{_WANTED}{_END}"
        rf"|.*は\s*{_NAME}\s*に任せ\S{{0,8}}{_END}|(?!.*(?:ここ|これ|それ|この)).*直接\S{{0,6}}(?:ず|ないで)、?.*{_WANTED}{_END}",
    ),
    (
        PROCEDURE,
        ("前に", "前は", "変えたら", "変更したら", "編集したら", "後に", "後は", "たび", "ごとに"),
        rf"(?!.*(?:これ|それ|この|その|今回)).*(?:前に(?:は)?|前は|変えたら|変更したら|編集したら|した(?:後|あと)[にで]?は?|のたびに|ごとに)、?\s*(?:必ず)?{_NAME}.*{_WANTED}{_END}",
    ),
    (
        PREFERENCE,
        ("今日から", "本日から", "明日から", "来週から", "今月から", "来月から"),
        rf".*(?:今日|本日|明日|来週|今月|来月)から.*(?:{_WANTED}|にします|になります){_END}",
    ),
    (
        PREFERENCE,
        ("は", "で"),
        rf"(?!.*(?:これ|それ|この|その|今回|まず|次)).{{1,25}}は\s*(?:[`「][^`」]{{2,60}}[`」]|[a-z.][\w.-]*[/ ][\w./: -]+|[a-z][\w-]{{2,}})\s*で"
        rf"(?:\S{{1,6}}ます|\S{{0,6}}{_DONE}(?:ください|下さい)){_END}"
        rf"|(?!.*(?:これ|それ|この|その|今回|まず|次)).{{1,25}}は\s*{_NAME}\s*を使(?:って(?:ください|下さい)?|うこと|います){_END}",
    ),
    (
        CONSTRAINT,
        ("ないで", "ずに"),
        rf"(?!.*(?:ここ|これ|それ|この|その|まだ)).*(?:絶対|手で|決して|二度と).*(?:ないで|ずに)[、,]\s*.*{_NAME}.*{_WANTED}{_END}",
    ),
)  # fmt: skip

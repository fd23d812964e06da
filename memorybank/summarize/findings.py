"""Judges how informative a sentence of an answer is: values, names and causes count, reports that all went well do not."""

from __future__ import annotations

__light__ = True


from memorybank.text.pattern import lazy_pattern
from memorybank.text.prose.openers import only_opens
from memorybank.text.words.endings import polite
from memorybank.text.words.terms import content_terms
from memorybank.values import Memo

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_MOST_JUDGED = 256
"""Sentences that a table remembers."""
_VALUE = (
    r"`[^`\n]+`|(?<![\w.])v?\d[\d,.:]*(?:\s?%|\s?[a-zA-Zµ]{1,3}\b)?|\b\w+_\w+|\b[a-z]+[A-Z]\w+|",
    r"\b[\w-]{1,80}\.[a-z]{2,5}\b|(?<!\w)--?[a-z][\w-]+|\b[A-Z][A-Z0-9]{2,}\b|\"[^\"\n]{3,}\"|「[^」\n]{2,400}」",
)
"""Something concrete: quoted code, a number with its unit, an identifier, (a path,) a file, an option, an abbreviation, a quotation."""
_WITH_PATH, _WITHOUT_PATH = lazy_pattern(rf"{_VALUE[0]}(?:[\w.-]{{1,80}}/){{1,20}}[\w.-]+|{_VALUE[1]}"), lazy_pattern("".join(_VALUE))
_CAUSE = lazy_pattern(
    r"\b(?:because|caused?|causes|due to|root cause|reason|turn(?:s|ed) out|since|the (?:bug|issue|problem|fix|answer) (?:is|was)|so that|instead of"
    r"|rather than|fix(?:ed|es)? by|never|only when|whenever)\b|原因|理由|ため|ので|によ(?:り|って)|せいで|判明|ことにし|の代わりに|ではなく|だけ",
    "i",
)
_REASON = lazy_pattern(
    r"\b(?:because|since|due to|so that|instead of|rather than|rejected|decided)\b|ため(?:です|に|、)|からです|ので、|によ(?:り|って)|ではなく|代わりに", "i"
)
_DECIDES = lazy_pattern(
    r"\b(?:must not|must never|chose|opted for|went with|go with|reverted|ruled out|in favou?r of)\b|にしました|を選び|を選ん|採用|見送|却下|使わず|をやめ", "i"
)
_CHANGES = lazy_pattern(
    r"(?<!^)(?<!\bfor )(?<!\bright )(?<!\bby )(?<!\buntil )(?<!\bup to )\bnow\b(?! (?:that|and then)\b)"
    r"|\bno longer\b|\bnot\b[^.;]{0,60}\b(?:any ?more|any longer)\b"
    r"|\b(?:set|raised|lowered|reduced|increased|limited|capped|shortened|extended|changed|switched|doubled|halved) (?:(?:from|by) [^.;]{1,40} )?to\b"
    r"|\bdefaults? (?:is|to)\b|\b(?:we|you|they) (?:agreed|decided|settled)\b"
    r"|(?:[\d０-９][^、。]{0,8}|[^ようこと、。])(?:に|へ)(?:しました|した|変更|変え|統一|切り替え|上げ|下げ|増や|減ら|延ば|短縮|決め|決ま|なりました)"
    r"|よう(?:に|な)(?:しました|なりました|変更|変え)|なくなりました|(?:やめ|廃止し|見送り|見送ることに|使わないことに)(?:ました|た)|ことに(?:しました|なりました|決)",
    "i",
)
"""Matches what holds from then on: a new value, a changed behaviour, or what was agreed."""
_LIMITS = lazy_pattern(
    r"\b(?:never|cannot|can['’]?t|may not|must not|must never|not (?:possible|allowed|available|supported)|impossible|forbidden|no longer|off limits"
    r"|(?:is|are|does|do)(?:n['’]t| not))\b|禁止|不可|(?-i:(?<![A-Za-z])NG(?![A-Za-z]))|だめ|ダメ|できない|使えない|ないで(?!す|し)|ない(?:から|ので|ため)",
    "i",
)
_SUPPOSES = lazy_pattern(
    r"\b(?:i|i['’](?:m|d|ve|ll)|me|my|maybe|perhaps|probably|seems?|hmm+|please|let['’]?s|you)\b|かも|たぶん|多分|気がする|みたい|っぽい|思[いうっ]"
    r"|ください|お願い|(?:し|出し|書き|変え)たい|ほしい|欲しい",
    "i",
)
"""Matches what a person only supposes, tells or wants done now."""
_ASKS_WHY = lazy_pattern(
    r"\b(?:why|how come|reasons?|decided?|decision|chosen|chose|anything against|remind (?:me|us)|could (?:it|we|this) not|couldn['’]t (?:it|we|this))\b"
    r"|\b(?:switch|replace|migrate|change|move)\b.{1,80}\b(?:to|with|by|for|from)\b"
    r"|なぜ|なんで|どうして|理由|経緯|背景|決め|決定|だめ(?:です|でしょう)?か|変え(?:たい|ても|られ)|置き換え|切り替え|問題(?:は|が)?(?:あり|ない)",
    "i",
)
_ASKS = lazy_pattern(
    r"[?？][^\w?？]*$|^\W*(?:why|how|what|find|check|look|see|can|could|please|remind)\b"
    r"|\basks? (?:why|what|how)\b|(?:て|ください|下さい|ますか|ですか)[。！!]?$",
    "i",
)
_ROUTINE = lazy_pattern(
    r"^(?:pre-?commit|lint|typecheck|ci|tests?|all\b|build|committed|commit\b|no other|let me know|would you|do you want|you can (?:now )?run|next"
    r"|(?:please |now )?(?:try|go ahead|feel free)\b|(?:you|users) can (?:now )?(?:try|test|see|use|ask)\b)"
    r"|^\W*(?:i|we)(?:['’]ve| have)? (?:now |also |just |already )*(?:successfully|properly|thoroughly|carefully|fully) \w+(?:ed|ilt|ade|rote)\b"
    r"(?!.*\b(?:because|by \w+ing|so that|instead of|since|from|to \d)\b)"
    r"|\b(?:is there anything else|feel free|happy to help|share your|whenever you(?:['’]re| are| want| like))\b"
    r"|\b(?:should now (?:be|run|work|pass|resolve|succeed)\w*|should (?:resolve|fix|eliminate) (?:all|the|this))\b"
    r"|^\W*(?:created|switched|pushed|committed|merged|opened)(?: and \w+)?(?: to)? (?:the |a |an )?(?:new )?"
    r"(?:pull request|pr|branch|commit|`[\w/.-]+`)[^,;]{0,40}$"
    r"|^\W*(?:the )?(?:push|commit|merge|deploy\w*|build) (?:completed|succeeded|was successful|went through)\b|\bnext steps\b[^.]{0,40}$"
    r"|\bwarnings? (?:is|are) (?:just|only|harmless|expected)\b|\bsafe(?:ly)? (?:to )?ignored?\b|\balready up[ -]to[ -]date\b"
    r"|\bnothing (?:left |else )?to (?:stage|commit|push)\b|\bcommit is\b|^the commit\b|^`\["
    r"|\b(?:is|are|was|were) (?:already |now |all )*(?:committed|pushed)\b"
    r"|\b(?:is|are) (?:now )?(?:complete|completed|done|finished|ready|in place)[.!]?$|すべて(?:動|完了)"
    r"|\b(?:tests?|lint(?:ing|er)?|build|type-?check(?:s|ing)?|all checks) (?:still |now |all |both )*"
    r"(?:pass(?:es)?|succeeds?|completes?|compiles?|(?:is|are) (?:now )?(?:clean|green|successful))\b(?! ?[,;–—])"
    r"|\bpass(?:es|ed)?\b[^.]{0,40}\b(?:0|zero) (?:issues|errors|warnings)\b"
    r"|[-–—:] \W{0,20}(?-i:PASS|OK)\b|\b(?:passed|lint(?:ing)? clean|no (?:lint(?:ing|er)?|type|new) (?:issues|errors|warnings)"
    r"|linted successfully|would you like|should i\b|want me to)\b|(?:テスト|試験|ビルド|コンパイル).{0,20}(?:通|成功|合格)|コミットしました|でしょうか|ますか",
    "i",
)
_PASSES = lazy_pattern(
    r"^\W*(?:once|after|when) (?:that|this|it)(?:['’]s| is| has been) [^,.]{1,30}, [^.]{0,80}\bshould\b"
    r"|^\W*(?:i|we)(?:['’]ve| have)? (?:now |also |just )*successfully \w+(?:ed|ilt|ade|rote) (?:all|every)\b"
    r"|^\W*(?:i|we)(?:['’]ve| have)? (?:now |also |just )*(?:created|written|wrote|prepared) (?:a|an|the) (?:[\w-]+ ){0,3}(?:reports?|summary|overview)"
    r"(?=\W*$| (?:at|in) `[^`]{1,80}\.md`| (?:of|about) (?:the |my )?(?:changes|findings|work)\b)"
    r"|\bhas been (?:updated|restarted|redeployed|deployed) and is (?:now )?(?:running|live|up|online)\W*$"
    r"|^\W*i(?:['’]ll| will) (?:now )?(?:proceed|continue|move on|start)\b(?!.*, not )|^[^.]{1,80}\bis (?:now )?(?:at )?`(?=[a-f]{0,39}\d)[0-9a-f]{7,40}`"
    r"|^\W*(?:the )?merge[ -]base of\b|^\W*(?:your|the|this) branch is \d+ commits? (?:ahead|behind)\b"
    r"|\b(?:clean and pushed|pushed and clean)\b|^\W*you(?:['’]re| are) (?:now |back )?on (?:branch )?`[^`]{1,80}`(?:\W*$|,? tracking\b)"
    r"|^(?:\W*(?:yes, |no, )?(?:(?:in |with )?the (?:current|present|existing) (?:implementation|code|setup|version)|currently,?) (?=\w)"
    r"|(?:はい|いいえ)?、?(?:現在|現状|今)の(?:実装|コード|設定|状態|処理)(?:では|は|で|だと|において))"
    r"(?!.*(?:\d|\b(?:no|not|never|only|cannot|must|until|at most)\b|n['’]t\b|ない|ません|(?<![まは])ず[、に]|だけ|のみ|しか|まで|必須|必要|禁止))"
    r"|^それが[^、。]{1,12}ば、.{0,80}はず(?:です|だ)|(?:レポート|報告書|要約)を(?:[^`\d]{0,80}| ?`[^`]{1,80}\.md` ?に)(?:作成|用意)(?:しました|した)"
    r"|を更新し(?:て)?、(?:再)?起動しました|コミット(?:進んで|遅れて|先行して)い|^\W*`[^`]{1,80}`\s?ブランチに切り替え(?:まし|た)",
    "i",
)
"""Matches a hope, a report that work was done, a plan, or how the branches of git stood. Without a cause it says nothing to another session."""
_LOOKED = (
    r"(?:review|analys[ie]s|exploration|investigation|audit|research|assessment|examination|study|check|search|report|summary|overview|plan|understanding)"
)
"""What an agent does before it answers."""
_ANNOUNCES = lazy_pattern(
    r"^\W*(?:after [^,]{3,80}, )?i(?:['’]ve| have)? (?:now |just |also |thoroughly |successfully )*"
    r"(?:(?:explored|analy[sz]ed|reviewed|examined|investigated|gathered|identified the (?:root )?cause)\b"
    rf"|(?:completed|finished|conducted|performed|prepared|put together|provided)\b[^.,;:]{{0,60}}\b{_LOOKED}s?\b"
    r"|(?:completed|finished) (?:all|every|everything|the (?:requested|task|work|fix|changes?|implementation))\b)"
    r"(?![^.]{0,200}(?::\s|;|, (?:so|which|and)\b|\b(?:because|is|was|were|that|found|fixed|depends?|takes?)\b|\bas an?\b))"
    r"|^\W*i can now (?:provide|explain|help|give|answer)\b(?![^.]{0,200}:\s)"
    r"|^\W*(?:the )?user\b(?!.*, so\b) (?:is (?:reporting|asking|requesting|saying) (?!too\b)|(?:reports|reported|asks|asked|says|said) "
    r"(?:that|me|us|for|about|why|how|what|if|whether|an?|the|it)\b|wants (?:me|us|to know|an?)\b)"
    r"|^\W*you(?:['’]d like| would like|['’]re asking| are asking| asked| want(?:ed)?\b(?!.*[`\d]))\b"
    r"(?!.*(?:, (?:so|but)\b|[:;—]\s|n['’]t\b|\b(?:because|since|before|after|until|unless|otherwise|always|never|not|without|only|rather than"
    r"|to (?:avoid|make sure|ensure))\b))"
    r"(?= (?:me |us )?(?:to|for|about|if|whether|an?|the|how|what|why)\b)|(?:と|する)の(?:こと|ご?要望|ご?依頼)ですね。?$"
    r"|^\W*(?:the )?user['’]s (?:request|question|goal|concern) (?:is|was)\b|^ユーザー(?:様|さん)?のご?(?:依頼|要望|質問)は"
    r"|^(?:(?:ユーザー|ご依頼者)(?:様|さん)?(?:は|が|から)[^。]{0,120}(?:報告し|依頼し|要望し|質問し|希望し|指摘し|言っ|述べ|求め|困っ)て(?:い|おり)ます"
    r"|(?:問題|原因|エラー|状況|内容|ログ)(?:点)?(?:の原因)?(?:が|を)(?:明確になり|把握し|確認し|理解し|特定し|特定でき|(?:わか|分か)り)ました"
    r"|(?!.*(?:こと|[`\d]))[^。、]{1,30}を(?:詳しく|詳細に|徹底的に|完全に|十分に|一通り)(?:調査|分析|把握|理解|確認|精査|検証|レビュー)(?:いた)?しました)[。！!]?$",
    "i",
)
"""Matches what says that something was looked into, or what the person asked for, and nothing of what was found."""
_CHEERING = lazy_pattern(
    r"\b(?:success\w*|perfect\w*|great|awesome|amazing|fantastic|wonderful|excellent|beautiful\w*|flawless\w*|seamless\w*|smooth\w*|nice\w*|happy|enjoy"
    r"|congrat\w*|ready|done|fixed|resolved|finished|complete[d]?|working|works|operational|good to go|all set)\b"
    r"(?:[^!]{0,25}|(?:(?!\b(?:and|when(?:ever)?|that|so|which|is|are|if|while|as)\b)[^!]){26,60})!\W*$"
    r"|(?:完了|完璧|成功|でき[たま]|直っ|直り|動くよう|動作す|動きます|ばっちり|バッチリ|ガチ|最高|やった|よっしゃ|スムーズ|終わ|安心|解決|言って|じゃねー|いこう|行こう)[^！!]{0,25}[！!]\W*$",
    "i",
)
"""Matches a sentence that cheers. Without a value or a cause it says only that it went well."""
_RESTRICTS = lazy_pattern(r"\b(?:not|never|only|before|until|fail\w*|without|by)\b|n['’]t\b|ない|ません|必要|前に|壊れ|だけ", "i")
"""Matches what says more than a cheer: what does not hold, or under which condition."""
_ITEM_TELLS = lazy_pattern(
    r"(?:^|[—–:-] )\W{0,6}(?:\w{1,20}ly )?(?:\w{2,30}(?:ed|ado|ada|ido|ida)|built|made|wrote|rewrote|set|split|now)\b|^[^:]{2,60}: (?=.*[`\"\d/_])|[→⇒]"
    r"|\b(?:is|are|was|were|has|have|does|not|no longer|now|cannot|must|returns?|reads?|uses?|needs?|because)\b|n['’]t\b"
    r"|[はがをにへ]|(?:修正|追加|削除|変更|実装|対応|作成|統一|解決|更新)",
    "i",
)
"""Matches what an item of a list needs to say something alone: a verb, a label before a value, an arrow."""
_OUTPUT = lazy_pattern(
    r"^\s*[\"'][\w .-]{1,60}[\"']:\s+(?:[^\s,]+|[\"'].*[\"']|.*[\[{,])\s*,?\s*(?:(?://|#).*)?$"
    r"|^\W{0,80}(?:=== (?:run|pause|cont)\b|(?-i:PASS|FAIL|FAILED|ok|not ok)(?::|\s+(?:\S+\s+)?[\d.]+m?s$|\s+\S{0,200}test\S{0,200}$)"
    r"|(?:debug|info|warn|trace)\s+\S+\s|[\w./@~+-]+\.\w{1,10}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)):? (?:\S+:? )?(?:error|warning|note)\b"
    r"|[\w./@~+-]+\.\w{1,10}:\d+:\d+: |(?:error|warning)(?: TS\d+|\[\w+\]):"
    r"|(?:found |tests?:? |checks?:? |total:? )?\d+ (?:tests? |files? |specs? )?(?:errors?|warnings?|problems?|issues?"
    r"|pass(?:ed|es|ing)?|fail(?:ed|ures?|ing)?|skipped)\b[^.;:]{0,60}[.!]?$|(?:[0-9a-f]{7,40}\W+)?\d+ files? changed\b"
    r"|\d+\s?(?:件|個)の?(?:エラー|警告|問題|指摘)(?:が(?:見つか|出|あ)り?(?:ました|ります|た)?|を検出)?[^、]{0,6}。?$|(?:エラー|警告|指摘|成功|失敗)[：:は]?\s?\d+\s?(?:件|個).{0,12}$)",
    "i",
)
"""A line of data, or of a test runner, type checker, linter or git, quoted in an answer. It says how a run went, not what came of the session."""
_MANY_TIMES = 3
"""Answers that contain the same plain words from which these are a manner of speaking, whatever they are about."""
_LEAST_UNKNOWN = 5
"""Content words of a sentence that says something without a value or a cause, in a language whose ordinary words are not known."""
_PAIRS = (("(", ")"), ("（", "）"), ("「", "」"), ("“", "”"))
PLAIN = 1.0
"""The worth of a complete sentence without a value or a cause."""
CHEERS = 0.25
"""The worth of a complete sentence that only says that all went well."""
TELLS = 0.7
"""The least worth of a sentence that states a result."""
_MOST_VALUES = 4
_PER_VALUE, _PER_CAUSE, _FOR_QUESTION, _FOR_FRAGMENT = 0.5, 0.75, 0.4, 0.4
_ENDS = tuple(".!。！）)」…")
"""The endings of complete sentences. Items of a list, rows of a table and headings end otherwise."""


def decides(text: str) -> bool:
    """Return whether a text states a cause, or what was chosen or ruled out. A question does not, and neither does a request to find it out."""
    said = polite(text)
    return (_REASON.search(said) is not None or _DECIDES.search(said) is not None) and _ASKS.search(text) is None


def changes(sentence: str) -> bool:
    """Return whether a sentence of an answer says what holds from then on: a new value, a changed behaviour, or what was decided."""
    sentence = polite(sentence)
    return (_CHANGES.search(sentence) is not None or _DECIDES.search(sentence) is not None) and _ASKS.search(sentence) is None


def limits(text: str) -> bool:
    """Return whether a person says what is not possible, not allowed, or never so. That is known of the project, not wanted of the agent."""
    return _LIMITS.search(text) is not None and _ASKS.search(text) is None and _SUPPOSES.search(text) is None


def asks_why(prompt: str) -> bool:
    """Return whether a prompt asks for the reason of something, or wants to change it, so that an earlier decision about it matters."""
    return _ASKS_WHY.search(prompt) is not None


def tells(sentence: str) -> bool:
    """Return whether a sentence states a result: whether its `worth` is at least `TELLS`. What decides most sentences is looked for first."""
    is_cause = _CAUSE.search(sentence) is not None
    if is_whole := sentence.rstrip("`*\"'”").endswith(_ENDS):
        needed = (3 if is_cause else _MOST_VALUES) if _ROUTINE.search(sentence) else int(_cheers(sentence, is_cause))
    else:
        needed = 0 if is_cause else 2
    found = _value_in(sentence).finditer(sentence) if needed else iter(())
    if not all(next(found, None) for _ in range(needed)) or (not is_whole and _ROUTINE.search(sentence)):
        return False
    return not only_opens(sentence) and (is_cause or _OUTPUT.match(sentence) is None)


def passes(sentence: str) -> bool:
    """Return whether a sentence only says how the work of its moment stood: a hope, a report, a plan, a state of git."""
    return (_PASSES.search(sentence) is not None and _CAUSE.search(sentence) is None) or _ANNOUNCES.search(sentence) is not None


def carries(sentence: str) -> bool:
    """Return whether a sentence of an answer has anything that another session can use: a value, a cause, a restriction, or a word that is rare in texts about
    software.
    "The app should be displaying normally now." and "El código está bien." have none, and neither has an item of a list without a verb or a label."""
    if only_opens(sentence) or sentence.endswith((":", "：", "?", "？")) or worth(sentence) <= CHEERS or passes(sentence):
        return False
    if sentence.count("`") % 2 or any(sentence.count(begin) != sentence.count(end) for begin, end in _PAIRS):
        return False
    if not sentence.rstrip("`*\"'”)）").endswith(_ENDS) and _ITEM_TELLS.search(sentence) is None:
        return False
    if _values[sentence] or _CAUSE.search(sentence) is not None or _RESTRICTS.search(sentence) is not None:
        return True
    from memorybank.text.words.ordinary import SHARES  # late, as the next one: most sentences have a value
    from memorybank.text.words.word_terms import ENGLISH, FIRST_CJK

    rare = set(content_terms(sentence)).difference(SHARES)
    is_known = any(FIRST_CJK <= sign <= "\uffef" for sign in sentence) or not ENGLISH.isdisjoint(word for word in sentence.lower().split() if len(word) > 2)
    return len(rare) >= (1 if is_known else _LEAST_UNKNOWN)


def is_manner(sentence: str, times: int, about: set[str]) -> bool:
    """Return whether a sentence is only a manner of speaking: plain words that several answers repeat, and that are not about what was worked on.

    times: the answers that contain it.
    about: terms of what was worked on.
    """
    is_repeated = times >= _MANY_TIMES or (times > 1 and about.isdisjoint(content_terms(sentence)))
    return is_repeated and worth(sentence) <= PLAIN


def _cheers(sentence: str, is_cause: bool) -> bool:
    return not is_cause and _CHEERING.search(sentence) is not None and _RESTRICTS.search(sentence) is None


_PROBLEM = lazy_pattern(r"\W*(?:(?:the )?(?:problem|issue|symptom|error|bug)s?|問題点?|課題|症状|不具合|エラー)\**\s*[:：]", "i")
_REMEDY = lazy_pattern(r"(?:^|[\s*(。;；])(?:solution|fix|fixed|resolution|remedy|解決策?|対応策?|対処|修正)\**\s*[:：]", "i")
"""Match a line with a label that says what was wrong, and a text with one that says what ended it."""
_FOR_PROBLEM = 0.4


def worth(sentence: str) -> float:
    """Return how informative a sentence is.

    0 for a sentence that only opens or introduces, and for a line of a program's output; 1 for plain words; more for each concrete value and for a
    cause; less for routine reports, questions and incomplete sentences.
    """
    return _worths[sentence]


def _worth(sentence: str) -> float:
    is_cause = _CAUSE.search(sentence) is not None
    if only_opens(sentence) or (not is_cause and _OUTPUT.match(sentence) is not None):
        return 0.0
    values = _values[sentence]
    found = PLAIN + _PER_VALUE * values + _PER_CAUSE * is_cause
    if _ROUTINE.search(sentence) or (not values and _cheers(sentence, is_cause)):
        found *= CHEERS / PLAIN
    if sentence.endswith(("?", "？")):
        found *= _FOR_QUESTION
    elif _REMEDY.search(sentence) is None:
        if not sentence.rstrip("`*\"'”").endswith(_ENDS):
            found *= _FOR_FRAGMENT
        if _PROBLEM.match(sentence) is not None:
            found *= _FOR_PROBLEM
    return found


def _value_in(sentence: str) -> re.Pattern[str]:
    """Return the pattern of what is concrete in a sentence. Looking for a path at each of its characters takes longer than everything else in it."""
    return _WITH_PATH if "/" in sentence else _WITHOUT_PATH


def _count(sentence: str) -> int:
    """Return how many concrete values a sentence has, at most `_MOST_VALUES`."""
    return sum(1 for _ in zip(range(_MOST_VALUES), _value_in(sentence).finditer(sentence), strict=False))


_values = Memo(_count, _MOST_JUDGED)
"""Cache of `_count`: what a sentence is worth and whether it carries anything are asked one after the other."""
_worths = Memo(_worth, _MOST_JUDGED)
"""Cache of `worth`: what an answer says is chosen by it, and then asked what it carries."""

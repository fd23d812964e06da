"""Reports of a fault: what goes wrong, and what is to be repaired. They are true until somebody repairs it, and say nothing about later work."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_GOES_WRONG = lazy_pattern(
    r"\b(?:when|whenever|if|once|as soon as|every time|each time|while)\b.{4,}?"
    r"(?:, (?:the |our |an? )?(?:[\w-]+ ){1,3}?|\b(?:we|they|you|i|it|users?|customers?) )(?:(?:just|then|always|also|silently|sometimes|simply) )?"
    r"(?:(?:lose|miss|fail|crash|hang|freeze|die|leak|stall|block|break|flicker|disappear|vanish)(?:e?s)?|times? out|ends? up|runs? out"
    r"|(?:get|see|return|throw|show)s? (?:an? |the |only )?(?:\w+ )?(?:errors?|exceptions?|timeouts?|nothing|nulls?|[45]\d\d))\b"
    r"(?!.*\b(?:must|should|always \w+ (?:it|them)|never|please|don['’]?t|do not|make sure)\b)"
    r"|(?:と|ときに?|時に?|たら|れば|場合)、?[^。、]{1,24}(?:を|が|は)(?:失(?:い|う|わ)|消え|落ち|止ま|固ま|漏れ|欠け|壊れ|失敗し?)(?:る|て(?:しま(?:う|い)|い(?:る|ま))?|ます?)*"
    r"(?:んです(?:が|けど)?|ようです)?[。！!]*$"
    r"|(?:たび|度|ごと)に、?[^。、]{0,40}(?:が|は|も)[^。、]{0,24}?(?:飛んで|出て|現れて|鳴って)?(?:くる|来る|きます|来ます|消える|消えます|落ちる|落ちます|止まる|止まります"
    r"|固まる|固まります|起きる|起きます|現れる|現れます|鳴る|鳴ります|遅くなる|重くなる|壊れる|壊れます|失われる|戻る|戻ります)(?:んです(?:が|けど)?|ようです|の?です)?[。！!]*$"
    r"|(?:(?:とき|時|際)に?|場合に?|と|たら)、?(?![^。]*(?:ないで|ように|こと|必ず|ルール|方針|が(?:要|い)るん|必要|求め))[^。はを]{0,24}が[^。はを]{1,24}"
    r"(?:[うくすつぬむるぐぶ]|た|ない)ん(?:だ|です)(?:けど|けれど(?:も)?|が)[。！!…]*$"
    r"|(?:(?:とき|時|際)に?|場合に?|と|たら)、?(?:(?!コミット|プッシュ|マージ|レビュー|テスト|ビルド|デプロイ|リリース|フォーマット|チェック|ログイン)[ァ-ヶー]{2,8}"
    r"(?:する|つく|る|した|ついた|った)|固まる|止まる|落ちる|消える|重くなる|遅くなる)ん(?:だ|です)(?:けど|けれど(?:も)?|が)[。！!…]*$",
    "i",
)
"""Matches what happens to people or programs under a condition: "when an endpoint is down we lose the event". What they do about it is a habit."""
_CASUALLY = lazy_pattern(
    r"^(?!.*\b(?:so|therefore|must|should|never|please|pls|don['’]?t|do not|use|run|instead|make sure|otherwise|by design|on purpose|that['’]s why|known"
    r"|expected|need(?:s|ed)? to|have to|without)\b)"
    r"(?!\W*(?:never|always|do|don['’]?t|please|pls|if|when\w*|before|after|unless|only|no|make|use|run|keep|avoid|ask|stop|skip|treat|restart|let|we"
    r"|you|i|nobody)\b)(?:\S+ ){1,8}?(?:(?:sometimes|occasionally|randomly|often|always|still|just|constantly|again|usually|only|also|now|silently) )*"
    r"(?:(?:fail|crash|hang|freeze|die|leak|stall|break|flake)(?:e?s)?|times? out|(?:gets?|got) stuck|keeps? \w+ing|takes? (?:ages|forever|(?:far "
    r"|way )?too long)|stopped working|(?:does|do)(?:n['’]?t| not) (?:seem|appear) to|seems? (?:broken|stuck|down|slow|frozen)"
    r"|(?:does not|doesn['’]?t|do not|don['’]?t|won['’]?t) (?:work|start|load|show up|respond|terminate)"
    r"|(?:is|are|was|were|gets?) (?:(?:sometimes|always|still|so|very|really|too|again|often|randomly|constantly|all) )*"
    r"(?:flaky|slow|broken|red|down|stuck|unresponsive|garbled|failing|crashing|hanging))\b"
    r"|(?:fail|エラー|error|warning|警告|timeout|タイムアウト|クラッシュ|crash|落ち|こけ|コケ|固ま|止ま|壊れ|消え|化け|ずれ|ズレ|崩れ|hang|ハング|フリーズ|重く|遅く|flaky)"
    r"[^。、]{0,8}?(?:する|した|なる|なった|出る|出た|ってる|って(?:い)?る|[てで]い?(?:る|ます|た)|れる|ちる|ける|まる|える|ち(?:ます|た)|け(?:ます|た)|まり?(?:ます|った)"
    r"|え(?:ます|た)|します|なります|出ます|ちゃう|(?:て|で)しまう|がち)(?:ん(?:だ|です|や)?|の(?:です)?)?(?:けど|けれど|が|よね?|ね|な)?[。！!…]*$"
    r"|(?:が|も|は)[^。、]{0,6}(?:効か|きか|動か|出|通ら|反映され|表示され|開か|つながら|繋がら|更新され|届か|終わら)(?:ない|ません)(?:ん(?:だ|です))?(?:けど|けれど|が|よね?)?[。！!…]*$"
    r"|(?<!た)はず(?:です|だ|なん(?:だ|です)|なの)?(?:けど|が|に|よね?)?[。！!…]*$|(?:遅|重|おかし)い(?:ん(?:だ|です))?(?:けど|けれど|が|よね?)?[。！!…]*$",
    "i",
)
"""Matches a report of a fault by its predicate, with how often it comes: "the export sometimes dies on CI", 「CIでたまにfailする」."""
_ORDERS_JA = lazy_pattern(
    r"禁止|必ず[^。]{0,80}(?:こと|て(?:ください|ね)?)[。！!]*$|(?:ように|よう)する|[てで]も?(?:いい|OK|かまわ|構わ)|前提|仕様|ものとする|(?:べき|こと)(?:です|だ)?[。！!]*$"
)
_TO_BE_REPAIRED = lazy_pattern(
    r"^\W*(?:(?:please|pls|can you|could you|so|and|first)\b\W*)*(?:find (?:out|the (?:cause|reason|bug|problem))|figure out"
    r"|look into|investigate|debug|fix|repair|(?:check|see|tell me) why|why\b|any idea|make (?:it|them) (?:pass|stable|work|green))"
    r"|^[^。]{0,16}(?:調べて|調査して|直して|修正して|原因を|なぜ|どうして)",
    "i",
)
"""Requests to repair what the sentence before them reports: "CI is flaky. Find out why." reports a fault of the day."""

_WHERE_SEEN = (
    r"(?:(?:logs?|console|sentry|stderr|stdout|output|trace)(?: (?:on|in|of|from) [\w.-]+)?"
    r"|(?:prod|production|staging|live|ci)(?= (?:logs?|says?|shows?|prints?)\b))"
)
_SEEN = lazy_pattern(
    r"^(?!.*\b(?:never|always (?!(?:on|in|at|when|after|during|with|the)\b)\w|must|should|only|please|pls"
    r"|don['’]?t|do not|no longer|use|run|avoid|ask|by design|on purpose|expected)\b)"
    rf"\W*+(?:\w[\w.-]* ){{0,3}}?{_WHERE_SEEN}(?: logs?)?(?: (?:says?|shows?|prints?|has))?: .{{0,200}}?"
    r"(?:\b(?:does not|doesn['’]t|cannot|can['’]t|could not|couldn['’]t|unable to|failed|timed out|refused|denied|not found|no such|undefined"
    r"|(?:has|have|shows?|gets?) (?:(?:an?|the) )?(?:no|nothing|empty|wrong|missing|blank|duplicate\w*)"
    r"|(?:is|are) (?:empty|missing|wrong|blank|gone|duplicated))\b)"
    r"|^[^。、：:]{0,12}(?:ログ|ステージング|コンソール|画面|本番|(?<![A-Za-z])(?:prod|staging|stderr|log)(?![A-Za-z]))[^。、：:]{0,8}[:：]"
    r"(?![^。]{0,200}(?:ので|ため|場合|使[いうっ]|ないで|禁止|こと[。！!]*$|必ず|絶対|のみ|だけ|仕様))[^。]{0,120}?"
    r"(?:存在し(?:ない|ません)|見つか(?:らない|りません)|出てい?(?:る|ます)|空(?:です|だ|[。！!]*$)"
    r"|refused|timed? ?out|タイムアウト|not found|does not|cannot)",
    "i",
)
"""Matches where something was seen, and what is not as it should be: "db log on prod: relation x does not exist"."""


def goes_wrong(sentence: str) -> bool:
    """Return whether a sentence says what goes wrong under a condition."""
    return _GOES_WRONG.search(sentence) is not None


def is_fault(sentence: str) -> bool:
    """Return whether a sentence that states a rule by its words only reports what does not work."""
    return _CASUALLY.search(sentence) is not None and _ORDERS_JA.search(sentence) is None


def is_seen(sentence: str) -> bool:
    """Return whether a sentence reports what a log, a console or a running system shows."""
    return _SEEN.search(sentence) is not None


def asks_for_repair(sentence: str) -> bool:
    """Return whether a sentence asks to repair what the one before it reports."""
    return _TO_BE_REPAIRED.search(sentence) is not None

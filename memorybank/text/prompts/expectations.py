"""Finds recurring requests of a person: "did you add tests too?", "can we check for duplicates", 「テストも書いて」.

One such sentence concerns only its task; the same theme in several sessions is a standing expectation. Each request is therefore
returned with a theme (`themes`) that merges paraphrases: the good practices it names (tests, duplicates, the changelog), without the task's subject.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.announced import unlabelled
from memorybank.text.prompts.discussing import DISCUSSES, asks_to_discuss
from memorybank.text.prompts.failing_checks import ended_check, failing_check
from memorybank.text.prompts.permissions import permission_of
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.stated import EXPECTATION, Statement
from memorybank.text.prompts.themes import DISCUSS, ENDED, FIRST, of_check
from memorybank.text.prompts.typed import typed
from memorybank.text.words.scripts import has_kana
from memorybank.text.words.terms import content_terms
from memorybank.text.words.word_terms import ASKING

_MOST = 3
_LONGEST = 240
_LONGEST_TEXT = 300
_REQUEST = lazy_pattern(
    r"(?:(?:please|pls|ok|okay|yes|yeah|no|and|also|but|so|then|now|hmm+|ah|next|great|cool)[,:;.!]?\s+)*(?:"
    r"(?:can|could|would|will|should|shall) (?:you|we|i)\b|did you\b|have you\b|do (?:we|you|these|those|any|the \w+s)\b|does (?:it|this|that|the|\S+)\b"
    r"|are\b|is\b|was (?:it|that|there)\b|where are\b|what about\b|how about\b|what is the test\b|let's\b|lets\b|don't forget\b|do not forget\b|remember to\b"
    r"|make sure\b|ensure\b|please\b|i'd like\b|i want\b|i would like\b"
    r"|we (?:should|need|must)\b|you (?:should|need|must|forgot)\b|it (?:should|needs)\b|there should\b|commit\b|add\b|write\b|create\b|update\b|run\b"
    r"|check\b|remove\b|delete\b|test\b|use\b|review\b|format\b|lint\b|document\b"
    r"|clean\b|simplify\b|rename\b|fix\b|generate\b|reuse\b|deduplicate\b|refactor\b|drop\b|any\b|no\b|not\b|those tests\b|these tests\b|the tests?\b)",
    "i",
)
_DILIGENCE = lazy_pattern(r"^(?:(?:ok|and|also|but|so)[,]?\s+)*(?:did you|have you|don't forget to|do not forget to|remember to|you forgot to)\b", "i")
_JAPANESE_REQUEST = lazy_pattern(
    r"(?:て(?:ください|下さい|ほしい|欲しい|くれ(?:る|ます)?|もらえ(?:る|ます)?|おいて|ある|あります|ました|た)?|ないで(?:ください|下さい)?|た|ました"
    r"|ます|お願い(?:します)?|しよう|しましょう|たい(?:です)?|ですか|ますか|ましたか|ませんか|ある|いる|る|よう|は|も)[ねよなかの]*[?？。!！、\s]*$",
)

_WANTED = (
    r"\b(?:add|adds|added|adding|writ\w+|wrote|creat\w+|have|has|had|need|needs|includ\w+|are there|is there|craft|more|new|missing|without"
    r"|cover\w*|extend|updat\w+|forget|forgot|do)\b"
)
_ADDRESS = lazy_pattern(r"https?://\S+")
_PRACTICES = (
    (DISCUSS, DISCUSSES),
    (
        FIRST,
        r"\btdd\b|test[- ]driven|\btests? first\b|\bfail\w*\b(?=.{0,240}\b(?:before|first|right now|without)\b)|\bfirst (?:write|add|craft|create|setup"
        r"|set up)\b.{0,40}\btests?|テスト駆動|テストを?(?:先|まず)|失敗する(?:こと|テスト)|(?:まず|先に).{0,10}テスト",
    ),
    (
        "useful",
        r"\btest(?:s|ing)?\b.{0,120}\b(?:(?:go|language|core|basic|standard|framework|std)[- ](?:functionality|functions?|internals?|librar\w+|lib|features?"
        r"|behaviou?r)|internals)\b|\buse(?:ful|less)\b(?=.{0,240}\btests?)"
        r"|\btests?\b.{0,60}\b(?:use(?:ful|less)?|meaningful|really testing|just testing|testing something|worth)\b|標準ライブラリ[^。]{0,20}テスト"
        r"|テスト[^。]{0,20}標準ライブラリ|意味のある?テスト|テスト[^。]{0,20}意味がない",
    ),
    (
        "duplicate",
        r"\bduplicat\w*|\bdedup\w*|\bdupes?\b|\bcopy[- ]?past\w*|\breplicat\w*|\brepeated (?:code|logic)|\bredundan\w*"
        r"|コピペ|(?:重複|二重)(?:した|する|の)?(?:コード|実装|処理|定義|ロジック|関数)|二重に(?:書|実装|定義)"
        r"|重複(?:が|は|も|を|して|し)(?:な|い|あ|確認|避|消|削|チェック|見)",
    ),
    (
        "remove",
        r"\b(?:complete?ly|fully|entirely)\s+(?:remov|delet|drop)\w*|\b(?:remov|delet|drop)\w*\b.{0,60}\b(?:complete?le?y|entirely|altogether)"
        r"|\bdeprecat\w*|\bunused\b|\bdead code\b|\bstill used\b|\bused anywhere\b|完全に(?:削除|消)|非推奨|未使用|使われていない",
    ),
    (
        "changelog",
        r"\bchange ?log(?:\.md)?\b|\brelease notes?\b|(?:変更履歴|チェンジログ|リリースノート)(?:\.md)?[にもを]?.{0,10}(?:書|追加|更新|足|載|入れ|記)",
    ),
    ("message", r"\bcommit messages? (?:should|must|in|with|style|format)\b|\bconventional commits?\b|コミットメッセージ"),
    (
        "documentation",
        r"\b(?:add|updat\w*|write|mention|reflect|needs?|contains?|put)\b.{0,50}\b(?:docs?\b(?:/\w+)?(?![./])|documentation\b|readme\b|claude\.md"
        r"|agents\.md|adr\b)|\bdocument (?:this|that|it|the)\b|(?:ドキュメント|説明書|README).{0,10}(?:更新|追加|書|直)",
    ),
    (
        "lint",
        r"\blint(?:er|ing|s|ed)?\b|\bfmt\b|\b(?:code )?format(?:ter|ted|ting)\b|\btype-?check\w*|\bprettier\b|\beslint\b|\bruff\b|\bmypy\b|静的解析"
        r"|フォーマット|型チェック|リント",
    ),
    ("helper", r"\bhelpers?\b|\bshared (?:function|method|util\w*)|\breuse\w*|\bexisting (?:function|method)s?\b|共通化|再利用|ヘルパー"),
    ("simplify", r"\bsimplif\w*|\bsimpler\b|\byagni\b|\bover-?engineer\w*|簡素|シンプルに|単純化"),
    ("log", r"\b(?:add|with|some|more) (?:debug )?log(?:s|ging)?\b|(?<!ダイア)(?<!カタ)(?<!ブ)(?<!バック)ログを?(?:追加|出|入れ)"),
    ("edge", r"\bedge[- ]cases?\b|\bcorner cases?\b|境界|エッジケース"),
    ("run", r"\b(?:run|ran|rerun)\b.{0,30}\b(?:tests?|test suite|checks|build)\b|テストを?(?:実行|走らせ|回)"),
    (
        "review",
        r"\bcode review\b|\breview (?:your|the|all|these|my|this)\b.{0,20}\b(?:changes?|branch|code|work|diff)\b|\bdouble[- ]check again\b"
        r"|\bself[- ]review\b|見直し|レビュー|再確認",
    ),
    (
        "test",
        rf"(?<!\bin ){_WANTED}(?:(?!\b(?:in|inside|within|from)\b).){{0,40}}\btests?\b(?!(?: (?:repo|harness|script|data)|[:_./-]\w))"
        r"|\btest coverage\b|\bcovered by\b|\b(?:un)?tested\b|\bspecs\b"
        r"|(?:テスト|試験)(?:(?:コード|ケース)|の(?:ほう|方))?(?:[もをはが、]|まで|って|と(?=実装|コード))?[^。、]{0,10}?"
        r"(?:書|足[しすさ]|追加|作|用意|増や|入れ|付け|あ[るり]|ない|無い|忘れ|カバー|通し|更新|修正|整備|必要|欲し|ほし|お願い|[しす](?:て|た|る|まし))"
        r"|テスト(?:の?カバレッジ|の?網羅)",
    ),
)
_MADE = frozenset(("test", "documentation", "changelog", "log"))
_WITHOUT = lazy_pattern(
    r"\b(?:delet|remov|skip|drop|disabl|omit)\w*\b[^.,;]{0,30}?\b(?:tests?|specs?|docs?|documentation|change ?log|logs?|logging)\b"
    r"|(?:テスト|ドキュメント|変更履歴|ログ)(?!(?:用|の?(?:データ|環境)))[^。、]{0,12}?(?:削除|消[しすさ]|飛ばし|スキップ|無効|外し|省|(?:付け|つけ|書[きく]|入れ)\S{0,3}(?:やめ|のは?(?:禁止|なし)))",
    "i",
)
"""Matches a request to do away with what these practices make, or not to do so: neither asks for the practice."""
_OF_DISCUSSING = lazy_pattern(
    r"\b(?:ask|check with|confirm with|wait for|explain\w*|discuss\w*|plans?|propos\w+|approv\w+)\b(?=.{0,80}\b(?:first|before|me|any ?more|any longer)\b)"
    r"|(?:確認|相談|承認|許可|説明|計画)(?:なしで|せず|し(?:て|なくて)|は?(?:不要|いら|要ら)|を?(?:待た|取ら|得)[^。]{0,6}(?:なくて|ず))",
    "i",
)
_RECOGNIZED = [(practice, lazy_pattern(words, "i")) for practice, words in _PRACTICES]
_GENERAL = ("test", "review", "run")
"""Practices that a theme contains only if the sentence names no other. (`_PRACTICES` are pairs of a practice and its pattern.)"""
_ONCE = lazy_pattern(
    r"\b(?:pull request|pr comments?|comments? (?:on|in)|conflicts?|mise run|failing(?! tests?\b)|fails?\b(?!.{0,240}\b(?:before|first|right now"
    r"|without)\b)|explain|why|what does|how does|where is|what was|what is|what are|show me|take a look|tell me|skill|repo skill|test repo"
    r"|test-repo|latest commit|last commit|today(?!['’]s)|tonight|tomorrow|right away)\b"
    r"|(?:テスト|試験)[^。、]{0,10}?(?:が|は|も)[^。]{0,30}?(?:落ち|失敗し|通ら|壊れ|遅[いく]|こけ|止ま|不安定)"
    r"|(?:今日|本日)(?!の)|今すぐ|なぜ|どうして|説明して|失敗して|落ちて|教えて",
    "i",
)
"""Requests about the matter at hand, whatever practice they name."""


def asks(prompt: str) -> list[Statement]:
    """Return at most three expectations that the person who typed `prompt` states as a request or question; `subject` is the theme."""
    found: dict[str, Statement] = {}
    for sentence in unlabelled(sentences(typed(prompt)))[0]:
        if len(sentence) <= _LONGEST and len(found) < _MOST:
            theme = theme_of(sentence)
            if theme:
                found.setdefault(theme, Statement(EXPECTATION, sentence[:_LONGEST_TEXT], theme))
    return list(found.values())


def theme_of(sentence: str) -> str:
    """Return the theme of a sentence as sorted words; "" when it requests nothing that people ask for repeatedly."""
    if asks_to_discuss(sentence) and not permission_of(sentence):
        return DISCUSS
    if check := failing_check(sentence):
        return of_check(check)
    if check := ended_check(sentence):
        return of_check(check, ENDED)
    japanese = has_kana(sentence)
    asked = _JAPANESE_REQUEST.search(sentence) if japanese else _REQUEST.match(sentence)
    diligent = not japanese and _DILIGENCE.match(sentence) is not None
    if asked is None or (not diligent and _ONCE.search(sentence)) or permission_of(sentence):
        return ""
    plain = _ADDRESS.sub("", sentence)
    named = [practice for practice, pattern in _RECOGNIZED if pattern.search(plain)]
    if not _MADE.isdisjoint(named) and _WITHOUT.search(plain):
        named = [practice for practice in named if practice not in _MADE]
    # Practices make paraphrases equal. Without one, only an explicit reminder ("don't forget to …") is specific enough to have a theme.
    if named:
        particular = [practice for practice in named if practice not in _GENERAL]
        return " ".join(sorted(particular or named))
    return " ".join(sorted(_stems(sentence))) if diligent else ""


def practices_of(sentence: str) -> set[str]:
    """Return the practices that a sentence is about which ends one: "no need to ask me first any more", 「もうテストは書かなくていいです」."""
    found = {practice for practice, pattern in _RECOGNIZED if pattern.search(sentence)}
    return found | ({DISCUSS} if _OF_DISCUSSING.search(sentence) is not None else set())


def _stems(sentence: str) -> list[str]:
    return [term for term in content_terms(sentence) if term not in ASKING and term.isalpha() and term not in ("forgot", DISCUSS)][:4]

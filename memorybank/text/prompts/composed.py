"""Text that a person wants written into a file or a message, or wants read over. What it says is not a statement of the person.

"Write in the README that users must always set a password", "the warning should read: never …", "review this plan: 1. Always …". Files of instructions
for agents are excepted: what is to be written there is a rule.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import LONGEST_SENTENCE, sentences
from memorybank.text.prompts.spelling import repaired
from memorybank.text.words.scripts import has_kana

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_FOR_AGENTS = lazy_pattern(
    r"\b(?:CLAUDE|AGENTS|GEMINI|copilot|cursor)\b|\byour (?:\w+ )?(?:memory|memories|rules?|instructions?|notes?)\b|(?:指示|ルール)ファイル|メモリ|覚え", "i"
)
_PLEASE = (
    r"(?:(?:please|pls|plz|(?:can|could|would) you|now|and|also|then|let['’]?s|ok|okay|i want you to|i(?:['’]d| would) like you to|you (?:can|should)"
    r"|go ahead and)\W+)*"
)
_TEXT = (
    r"(?<!commit )(?<!pr )(?<!request )(?:readme|docs?|documentation|faq|changelog|contributing|[\w-]+\.(?:md|txt|rst|adoc|html)|wiki|manual|guide|tutorial"
    r"|handbook|page"
    r"|site|e-?mail|mail|letter|message|reply|announcement|tweet|post|slack|comment|docstring|section|paragraph|sentence|chapter|banner|tooltip|label"
    r"|placeholder|title|headline|heading|text|template|prompt|description|summary|release notes|ticket|issue|story|poem|song|slogan|speech|hint|warning"
    r"|caption|copy|footer|header|error|line|note|dialog|popup)"
)
_SAYS = r"(?:explains?|says?|tells?|describes?|shows?|names?|links?|points?|gives?|states?|is|has|was|are)"
_WRITTEN = lazy_pattern(
    rf"^\W*{_PLEASE}(?:(?:write|add|put|insert|include|append|document|mention|state|draft|compose|say|print|log|display|change|set|update|make"
    rf"|note (?=in|on|under))\b[^:\"“]{{0,80}}?\b{_TEXT}\b[^:\"“]{{0,40}}?(?:\bthat\b(?! {_SAYS}\b)|[:：](?=\s|$)|\b(?:to say|saying)\b|[\"“])"
    r"|(?:create|add|save|store|put|paste)\b(?=[^:?!]{0,120}\b(?:file|text|[\w-]+\.(?:md|txt|rst|adoc|html))\b)"
    r"(?![^:?!]{0,120}\b(?:rules?|conventions?|guidelines?)\b)(?:[^.:?!]|\.(?=\w)){0,80}\b(?:below|following|this)\b[^.:?!]{0,30}(?:[:：]|(?<=\w))$"
    rf"|(?:document|mention|explain) that\b)|\b(?:the|this|its?|that|an?) (?:[\w-]+ ){{0,3}}?{_TEXT}(?: (?:for|of|in|on) [\w -]{{1,30}}?)?"
    r" (?:should|must|needs to|has to|shall|can|could|ought to|may) (?:now |just |simply |only |instead )*"
    r"(?:(?:say|read|state|contain|mention|explain|include|tell (?:the )?(?:users?|people|them|readers?))(?: that\b|[:：]|,? [\"“'])|be:? [\"“])",
    "i",
)
"""Matches the beginning of a sentence that says what a text is to say, up to what it says."""
_READ_OVER = lazy_pattern(
    rf"^\W*{_PLEASE}(?:(?:translate|reword|rephrase|proofread|correct|shorten|polish|summari[sz]e|rewrite|convert)\b[^:.?!]{{0,80}}:(?=\s|$)"
    r"|(?:review|check|read|look (?:at|over)|go (?:through|over)|comment on|give (?:me )?(?:some )?feedback on|critique|assess|evaluate|rate|what do you think"
    r" (?:of|about)|improve)\b[^.:?!]{0,60}\b(?:plans?|drafts?|proposals?|texts?|spec|specification|design|document|outline|policy|guidelines?|rules?|letter"
    r"|e?-?mail|post|article|ideas?|minutes|description|template|prompt|ticket|issue|story|requirements?|announcement)\b[^.:?!]{0,40}(?:[:：]|(?<=\w)$)"
    r"|(?:(?:and|so|ok|hi)\W+)*(?:here(?:['’]s| is| are)|this is|below is)\b[^.:?!]{0,40}\b(?:draft|proposal|text|e?-?mail|letter|post|article|ticket|issue"
    r"|story|spec|template|plan|transcript|announcement)\b[^.:?!]{0,40}(?:[:：]|(?<=\w)$))",
    "i",
)
"""Matches the beginning of a request to read or change a text that follows, in the same line or in the next."""
_COLLECTED = (
    r"(?:errors?|issues?|problems?|faults?|bugs?|findings?|mistakes|inconsistencies|gaps|concerns|nits|review comments?|(?:review|user|customer) feedback)"
)
_LISTED = lazy_pattern(
    r"^\W*(?:(?:some|the|these|more|other|further|remaining|minor|major|critical|factual|quality|logic|style|security|code|copilot|reviewer['’]s|review)\W+)*"
    rf"{_COLLECTED}(?: (?:in|with|from|of|on|about|found) (?![^.:?!]*\byour?\b)[^.:?!]{{1,60}})?(?:[:：]|(?<=\w))$"
    r"|\b(?:agent|reviewer|copilot|codex|review|colleague|auditor)(?:['’]s)? (?:(?:has |just |also )*(?:reviewed|found|flagged|says|said|reported|noted"
    r"|commented))\b[^.:?!]{0,60}[:：]$"
    r"|(?:^\W*|\b(?:help me|please|(?:can|could|would) you) )(?:categori[sz]e|structure|organi[sz]e|group|cluster|triage)\b[^.:?!]{0,40}"
    rf"\b(?:feedback|notes|comments|ideas|responses|thoughts|{_COLLECTED})\b"
    r"|^\W*(?:(?:レビュー|仕様書?|文書|設計書?|ドキュメント|コード|主な|残りの|その他の)の?)*(?:指摘|問題点|不具合|誤り|レビュー結果|フィードバック)(?:事項|一覧)?"
    r"(?:は?(?:以下|次)の(?:通り|とおり))?(?:です)?[：:。]?$|(?:フィードバック|意見|感想|メモ|コメント)[^。、]{0,12}(?:分類|整理|グループ|まとめ)[^。]{0,20}$",
    "i",
)
"""Matches the heading of a list of faults that a reviewer found, and the request to sort what was collected: the list is nobody's rule."""
_SPECIFIED = lazy_pattern(
    r"^(?!.*\b(?:from now on|always|whenever|every|rules?|conventions?)\b)(?=.*\b(?:implement|change|build|create|add|fix|render|set|update|compute|sort)\b)"
    r".*\b(?:as follows|like this|the following(?: \w+){0,2}):$"
    r"|^(?!.*(?:今後|これから|ルール|規約|必ず|毎回|常に)).*(?:次|以下|下記)の(?:よう|通り|とおり|仕様|手順)[にで]?[^。]{0,24}"
    r"(?:設定|変更|修正|実装|追加|作成|改修|更新|計算)(?:し|を)(?:て|お願い)[^。]{0,8}[：:。]?$",
    "i",
)
"""Matches the heading of a list that says how the thing that is asked for works."""
_TEXT_JA = (
    r"(?:README|ドキュメント|文書|マニュアル|手順書|ヘルプ|FAQ|メール|メッセージ|警告|文面|文言|コメント|docstring|節|セクション|章|段落|見出し|タイトル"
    r"|説明文?|注意(?:書き|文)?|案内|お知らせ|告知|通知|ラベル|ツールチップ|プレースホルダー?|ページ|テンプレート|プロンプト|チケット|リリースノート"
    r"|CHANGELOG|CONTRIBUTING|[Ww]iki|Slack|ブログ|記事|本文|(?<![A-Za-z_-])[A-Za-z_-]{1,40}\.(?:md|txt|rst))"
)
_WRITES_JA = (
    r"(?:書(?:い|き(?:足し|加え|込ん|直し|換え))|追記し|追加し|記載し|入れ|載せ|明記し|加え|足し|表示し|出し|変え|変更し|直し|置き換え|送っ|投稿し)"
    r"(?:[てで]|たい|とい)"
)
_WRITTEN_JA = lazy_pattern(
    rf"{_TEXT_JA}[^。]{{0,20}}?(?:に|へ|は|で|を)[^。]{{0,200}}(?:と|って|旨を?|ことを?|という[^。、]{{1,10}}を?)[、\s]?も?{_WRITES_JA}"
    rf"|(?:{_TEXT_JA}|文)[^。「]{{0,12}}(?:は|を|に|には|に、)「[^」]{{1,200}}」(?:に|と)?(?:し[てた]|{_WRITES_JA})"
    rf"|{_TEXT_JA}[^。：:]{{0,24}}(?:[てで](?:ください|下さい|くれ|ほしい|欲しい)?|たい)[：:]",
    "i",
)
_READ_OVER_JA = lazy_pattern(
    r"(?:訳し|翻訳し|要約し|添削し|校正し|書き直し|言い換え|レビューし|推敲し)て?(?:ください|下さい|くれ(?:る|ますか)?|ほしい)?[：:]"
    r"|(?:計画|案|プラン|文章|文面|下書き|原稿|仕様書?|設計|提案|ドラフト|方針|メール)(?:を|は|について|に)?(?:[^。？?、]{0,12}"
    r"(?:見て|見直し|レビュー|確認し|添削|チェック|読んで|評価|意見|どう)[^。？?]{0,12}|(?:はこれ|は以下)(?:です)?)(?:[：:]|$)"
)
_LASTING = lazy_pattern(r"\b(?:always|every|each|whenever|never|from now on)\b|必ず|絶対|禁止|常に|毎回|いつも|今後|たびに|ごとに", "i")
_SPEAKS = lazy_pattern(
    r"^\W*(?:also|and|but|btw|by the way|please|oh|one more|besides|apart from|separately|ps|p\.s|then)\b|[?？][\"'”」』)）\s]{0,4}$"
    r"|^(?:あと|それと|ちなみに|なお|また|それから|別件)|(?:教えて|ください|下さい)[。！!]*$",
    "i",
)
"""Matches a sentence in which the person speaks again after a text."""
_FROM_NOW = lazy_pattern(r"\b(?:from now on|going forward|in future)\b|今後|今度から|次回から|これからは", "i")
"""Matches what nobody says who lists faults."""
_ITEM = lazy_pattern(r"\s*(?:[-*+•・]|\d{1,3}[.)]) ")


def composed(said: Sequence[str]) -> set[int]:
    """Return the places of the sentences of a prompt that say what a text is to say, or belong to a text that is to be read over."""
    found: set[int] = set()
    is_text = False
    for place, sentence in enumerate(said):
        if is_text and not _SPEAKS.search(sentence):
            found.add(place)
            continue
        announced = _announced(sentence)
        is_text = ":" in announced or "：" in announced or _is_before_text(sentence, announced)
        if announced:
            found.add(place)
    return found


def reviewed(text: str) -> set[str]:
    """Return the sentences of list items below a heading that announces faults or how something works, or below a request to sort. A list ends at a blank
    line, or at a line that is not an item. A sentence that also stands outside the list belongs to the person."""
    found: set[str] = set()
    own: set[str] = set()
    is_list = is_sorted = is_begun = False
    for line in text.split("\n"):
        if not line.strip():
            is_list = is_list and not is_begun
        elif is_list and (_ITEM.match(line) is not None or (is_sorted and line[-1] not in ".!。！" and _LASTING.search(line) is None)):
            found.update(repaired(one) for one in sentences(line) if _FROM_NOW.search(one) is None)
            is_begun = True
        else:
            own.update(map(repaired, sentences(line)))
            is_list = len(line) <= LONGEST_SENTENCE and any(heading.search(line) is not None for heading in (_LISTED, _SPECIFIED))
            is_begun = False
            is_sorted = line.endswith((":", "：")) or "?" in line or "？" in line
    return found - own


def _announced(sentence: str) -> str:
    """Return the part of a sentence that announces a text, "" if none does. A rule about every such text announces none."""
    if len(sentence) > LONGEST_SENTENCE or _FOR_AGENTS.search(sentence):
        return ""
    patterns = (_WRITTEN_JA, _READ_OVER_JA) if has_kana(sentence) else (_WRITTEN, _READ_OVER)
    written, read_over = (pattern.search(sentence) for pattern in patterns)
    if read_over is not None:
        return read_over[0]
    if written is None or (patterns[0] is _WRITTEN and _LASTING.search(sentence[: written.end()])):
        return ""
    return written[0]


def _is_before_text(sentence: str, announced: str) -> bool:
    """Return whether an announcement ends its line, so that the text is in the lines after it."""
    return bool(announced) and sentence.endswith(announced) and sentence[-1] not in ".!?。！？"

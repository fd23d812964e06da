"""Sentences that only detail what the same prompt asks for: 「モデルを作って。金額は税抜で」, "bump vite and eslint, one commit each", "yes, only for stats".

A topic and its value after a request hold for what is requested. They last if the sentence says so (always, every, 必ず, 今後, a prohibition, a team),
or if the topic recurs in all work (commits, tests, names of branches). One name or text for it (「名前はfix/cronで」) belongs to the request again.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.english_work import TASK
from memorybank.text.words.scripts import has_kana

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

_LONGEST = 160
"""Maximum number of characters of a sentence that is read: a longer one is more than a detail."""
_LASTS = (
    r"\b(?:always|never|ever|every\w*|all|any\w*|from (?:now|here) on|going forward|in (?:the )?future|as a rule|by default|usually|generally|whenever|again"
    r"|don['’]?t|do not|no|not|nothing|nobody|avoid|must|shall|should|we|our|rules?|conventions?|prefer|remember|team|repo|repository|project|code ?base)\b"
)
_RECURS = (
    r"\b(?:commits?|messages?|prs?|pull requests?|tests?|comments?|docstrings?|branch(?:es)?|(?:variable|function|class|file) names?|answers?|repl(?:y|ies)"
    r"|explanations?|identifiers?|code(?! (?:samples?|examples?|snippets?))|docs|documentation|changelog|dependenc(?:y|ies)|imports?|migrations?|deploys?"
    r"|releases?|reviews?|functions?|lines?|chars|characters|summar(?:y|ies))\b"
)
_AGREES = r"(?:(?:yes|yep|yeah|yup|sure|ok(?:ay)?|alright|fine|right|good|go ahead|do (?:it|that)|please|pls|plz|but|and|then)\b\W*+)"
_ASKS = (
    rf"^(?!.*{_LASTS})\W*+(?:(?:please|pls|plz|ok(?:ay)?|yes|so|now|and|also|then|let['’]?s|(?:can|could|would) you|i(?:['’]d like| want) (?:you )?to"
    rf"|we need to)\b\W*+)*+(?:{TASK}|write|build|bump|upgrade|port|translate|split|draw|plot|draft|extend|convert|migrate|dump|wire|extract|scaffold|introduce"
    r"|switch|turn|drop)\b"
)
_DIVIDED = (
    r"(?:(?:in|as|with) )?(?:(?:one|an?|(?:a )?(?:single|separate)|(?:its|their) own)(?: separate| own| single)? [\w-]+(?: [\w-]+)?"
    r" (?:each|apiece|for each)|separate [\w-]+s)"
)
_END = r"(?: please| pls)?[^\w-]*$"
_REQUEST = lazy_pattern(_ASKS, "i")
_IN_REQUEST = lazy_pattern(rf"{_ASKS}[^.;]*?(?:,|;| -| –| and)(?: and| but)? (?:{_DIVIDED}|one [\w-]+ per [\w-]+){_END}", "i")
"""Matches a request and how it is divided: "bump vite and eslint, one commit each"."""
_ANSWER = lazy_pattern(
    rf"^(?!.*{_LASTS})\W*+{_AGREES}++(?:only|just) (?:(?:for|in|on|at|to|with|from|the|this|that|these|those) )+[\w./-]+(?: [\w./-]+)?{_END}", "i"
)
"""Matches the answer to a proposal, with what it is limited to: "yes pls only for stats"."""
_DETAIL = lazy_pattern(
    rf"^\W*+(?:(?:and|but|please|also|with)\b\W*+)*+(?:{_DIVIDED}{_END}"
    rf"|(?!.*{_RECURS})(?:(?:max(?:imum)?|at most|up to|min(?:imum)?|at least) (?:of )?\d[^.;]{{0,40}}$"
    rf"|(?!.*{_LASTS})(?:(?:keep|leave|make|put|use|set|call|name) the [\w-]+(?: [\w-]+)? (?:in|as|at|to|under|with) [^,.;]{{2,30}}$"
    r"|[\w-]+(?: [\w-]+)? (?:in|as|with|without|only)(?: (?!(?:is|are|was|has|have|goes|go|lives?|runs?|uses?|needs?)\b)[\w./%-]+){0,3}"
    rf"{_END})))",
    "i",
)
"""Matches, after a request, how it is divided, its limit, how one part of it is to be, and a thing with its form: "dates in UTC please"."""
_ALWAYS_JA = (
    r"必ず|常に|いつも|毎回|毎度|今後|これから|以[後降]|次(?:回)?から|今度から|ずっと|原則|基本的?に|ルール|規約|方針|統一|徹底|たび|とき|時[はに]|場合|際[はに]"
    r"|なら|たら|ない|ません|禁止|NG|不可|ずに|やめ|避け|絶対|一切|覚え|うち[はのでも]"
)
_LASTS_JA = (
    rf"{_ALWAYS_JA}|基本|デフォルト|既定|規則|決まり|決め|全部|すべて|全て|どれも|全体|各|ごと|(?<!名)前[には]|後[には]|なし|ナシ|無し"
    r"|チーム|弊社|当社|社内|リポジトリ|プロジェクト|みんな|ではなく|じゃなく|しか|ので|から|ため"
)
_RECURS_JA = (
    r"(?:コミット|プルリク|(?-i:PR)|テスト(?!データ|用|環境)|ブランチ|コメント|docstring|ドキュメント|(?:変数|関数|クラス|ファイル|メソッド|型)\S?の?名"
    r"|命名|返[答事信]|回答|説明|報告|会話|(?<![ンーレ字])コード|ソース|レビュー|(?:エラー|例外)\S{0,2}メッセージ|ログ(?!イン|出力)|import|依存|マイグレーション|デプロイ|リリース|マージ|チケット)"
)
_ONE_NAME = r"(?:名前?|メッセージ|タイトル|ブランチ|ファイル)は(?:「[^」]+」|`[^`]+`|[\w-]*[/.][\w./-]*\w)(?:で|に|$)"
_DIVIDED_JA = r"(?:別々|それぞれ|個別|別|[1一]つずつ|ひとつずつ)"
_VALUE_JA = r"[^、。はが？?]{1,24}は[^、。はが？?]{1,32}"
_POLITELY = r"(?:お願い(?:します|いたします|したい\S{0,4}|ね)?|頼みます|頼む|よろしく\S{0,8}|ください|下さい|ほしい(?:です)?|欲しい(?:です)?|ね|よ)?[。！!]*$"
_FORM_JA = rf"(?:{_VALUE_JA}、){{0,3}}{_VALUE_JA}(?:で|に|まで|だけ|のみ|(?:[しきいけせっえめ]|出|見)て|んで){_POLITELY}"
_ASKS_JA = (
    r"(?:(?:[しきいけせっえめりびちげべれねてみじぎ]|出|見|[一-龥])て|[いんっ]で)(?:おいて|みて|から)?"
    r"(?:ください|下さい|くれ(?:る|ます(?:か)?|ませんか)?|もらえ(?:る|ます(?:か)?|ませんか)?|ほしい(?:です)?|欲しい(?:です)?|ね|よ|お願いします)?"
)
_IS_DETAIL_JA = rf"(?:(?=.*(?:{_ONE_NAME}|{_DIVIDED_JA}(?:で|に)))|(?![^。]*{_RECURS_JA})){_FORM_JA}"
_REQUEST_JA = lazy_pattern(
    rf"^(?!.*(?:{_ALWAYS_JA}))(?![^、。]{{1,16}}は)[^。]*"
    rf"(?:{_ASKS_JA}|(?:を|も)?お願い(?:します|できますか)?|たい(?:です)?|(?:追加|作成|修正|実装|変更|更新|削除|対応|設定)(?:する)?)[。！!？?]*$"
)
_DETAIL_JA = lazy_pattern(rf"^(?:(?:あと|それと|また|なお|ちなみに|で)[、,]?)?(?!.*(?:{_LASTS_JA})){_IS_DETAIL_JA}", "i")
_IN_REQUEST_JA = lazy_pattern(rf"^(?!.*(?:{_LASTS_JA}))(?![^、。]{{1,16}}は)[^。、]{{2,60}}{_ASKS_JA}、{_IS_DETAIL_JA}", "i")


def details(said: Sequence[str], before: Sequence[str] = ()) -> set[int]:
    """Return the places of the sentences of a prompt that only detail what the prompt, or what it answers, asks for.

    before: the sentences of the prompt before it.
    """
    found: set[int] = set()
    is_asked = any(len(sentence) <= _LONGEST and _patterns(sentence)[0].search(sentence) is not None for sentence in before)
    for place, sentence in enumerate(said):
        if len(sentence) > _LONGEST:
            continue
        request, detail, *alone = _patterns(sentence)
        if (is_asked and detail.search(sentence) is not None) or any(pattern.search(sentence) is not None for pattern in alone):
            found.add(place)
        is_asked = is_asked or request.search(sentence) is not None
    return found


def _patterns(sentence: str) -> Sequence[re.Pattern[str]]:
    """Return the patterns for a request, for a detail after one, and for a detail alone, in the language of a sentence."""
    is_japanese = has_kana(sentence)
    return (_REQUEST_JA, _DETAIL_JA, _IN_REQUEST_JA) if is_japanese else (_REQUEST, _DETAIL, _IN_REQUEST, _ANSWER)

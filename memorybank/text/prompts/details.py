"""Sentences that only detail what is asked for: 「モデルを作って。金額は税抜で」, "bump vite and eslint, one commit each", "yes, only for stats".

They last if they say so (always, 必ず), or if their topic recurs in all work (commits, tests). English topics with a value ("dates in UTC") are not listed:
starts do not show them.
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
_DIVIDED = (
    r"(?:in|as|with )?(?:(?:one|an?|(?:a )?(?:single|separate)|(?:its|their) own)(?: separate| own| single)? [\w-]+(?: [\w-]+)? (?:each|apiece|for each)"
    r"|one [\w-]+ per [\w-]+)(?: please| pls)?[^\w-]*$"
)
_LIMIT = (
    r"(?!.*\b(?:lines?|chars|characters|functions?|commits?|tests?|messages?)\b)(?:max(?:imum)?|at most|up to|min(?:imum)?|at least) (?:of )?\d[^.;]{0,40}$"
)
_REQUEST = (
    rf"^(?!.*{_LASTS})\W*+(?:(?:please|pls|ok(?:ay)?|yes|so|now|and|also|then|let['’]?s|(?:can|could|would) you|i(?:['’]d like| want) (?:you )?to)\b\W*+)*+"
    rf"(?:{TASK}|write|build|bump|upgrade|port|split|convert|migrate|extract)\b"
)
_ANSWER = (
    rf"^(?!.*{_LASTS})\W*+(?:(?:yes|yep|yeah|yup|sure|ok(?:ay)?|fine|go ahead|please|pls|but|and)\b\W*+)++"
    r"(?:only|just) (?:(?:for|in|on|at|to|with|from|the|this|that|these|those) )+[\w./-]+(?: [\w./-]+)?(?: please| pls)?[^\w-]*$"
)
_ENGLISH = (
    lazy_pattern(_REQUEST, "i"),
    lazy_pattern(rf"^\W*+(?:(?:and|but|please|with) )*+(?:{_DIVIDED}|{_LIMIT})", "i"),
    lazy_pattern(rf"{_REQUEST}[^.;]*?(?:,|;| -| –| and)(?: and| but)? {_DIVIDED}|{_ANSWER}", "i"),
)
_ALWAYS_JA = (
    r"必ず|常に|いつも|毎回|毎度|今後|これから|以[後降]|次(?:回)?から|今度から|ずっと|原則|基本|ルール|規約|方針|統一|徹底|たび|とき|時[はに]|場合|際[はに]"
    r"|なら|たら|ない|ません|禁止|NG|不可|ずに|やめ|避け|絶対|一切|覚え|うち[はのでも]"
)
_LASTS_JA = (
    rf"{_ALWAYS_JA}|デフォルト|既定|規則|決まり|決め|全部|すべて|全て|どれも|全体|各|ごと|(?<!名)前[には]|後[には]|なし|ナシ|無し"
    r"|チーム|弊社|当社|社内|リポジトリ|プロジェクト|みんな|ではなく|じゃなく|しか|ので|から|ため"
)
_RECURS_JA = (
    r"(?:コミット|プルリク|(?-i:PR)|テスト(?!データ|用|環境)|ブランチ|コメント|docstring|ドキュメント|(?:変数|関数|クラス|ファイル|メソッド|型)\S?の?名"
    r"|命名|返[答事信]|回答|説明|報告|会話|(?<![ンーレ字])コード|ソース|レビュー|(?:エラー|例外)\S{0,2}メッセージ|ログ(?!イン|出力)|import|依存|マイグレーション|デプロイ|リリース|マージ|チケット)"
)
_VALUE_JA = r"[^、。はが？?]{1,24}は[^、。はが？?]{1,32}"
_DETAIL_IS_JA = (
    rf"(?:(?=.*(?:別々|それぞれ|個別|[1一]つずつ|ひとつずつ)(?:で|に))|(?![^。]*{_RECURS_JA}))(?:{_VALUE_JA}、){{0,3}}{_VALUE_JA}(?:で|に|まで|だけ|のみ)"
    r"(?:お願い(?:します|いたします)?|頼みます|頼む|ください|下さい|ほしい(?:です)?|欲しい(?:です)?|ね|よ)?[。！!]*$"
)
_ASKS_JA = (
    r"(?:(?:[しきいけせっえめりびちげべれねてみじぎ]|出|見|[一-龥])て|[いんっ]で)(?:おいて|みて|から)?"
    r"(?:ください|下さい|くれ(?:る|ます(?:か)?|ませんか)?|もらえ(?:る|ます(?:か)?|ませんか)?|ほしい(?:です)?|欲しい(?:です)?|ね|よ|お願いします)?"
)
_JAPANESE = (
    lazy_pattern(
        rf"^(?!.*(?:{_ALWAYS_JA}))(?![^、。]{{1,16}}は)[^。]*"
        rf"(?:{_ASKS_JA}|(?:を|も)?お願い(?:します|できますか)?|たい(?:です)?|(?:追加|作成|修正|実装|変更|更新|削除|対応|設定)(?:する)?)[。！!？?]*$"
    ),
    lazy_pattern(rf"^(?:(?:あと|それと|また|なお|ちなみに|で)[、,]?)?(?!.*(?:{_LASTS_JA})){_DETAIL_IS_JA}", "i"),
    lazy_pattern(rf"^(?!.*(?:{_LASTS_JA}))(?![^、。]{{1,16}}は)[^。、]{{2,60}}{_ASKS_JA}、{_DETAIL_IS_JA}", "i"),
)


def details(said: Sequence[str], before: Sequence[str] = ()) -> set[int]:
    """Return the places of the sentences of a prompt that only detail what the prompt, or the one before it, asks for.

    before: the sentences of the prompt before it.
    """
    found: set[int] = set()
    is_asked = any(len(sentence) <= _LONGEST and _patterns(sentence)[0].search(sentence) is not None for sentence in before)
    for place, sentence in enumerate(said):
        if len(sentence) > _LONGEST:
            continue
        request, detail, alone = _patterns(sentence)
        if (is_asked and detail.search(sentence) is not None) or alone.search(sentence) is not None:
            found.add(place)
        is_asked = is_asked or request.search(sentence) is not None
    return found


def _patterns(sentence: str) -> Sequence[re.Pattern[str]]:
    """Return the patterns for a request, for a detail after one, and for a detail alone, in the language of a sentence."""
    return _JAPANESE if has_kana(sentence) else _ENGLISH

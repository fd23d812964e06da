"""Recognises a request to make or change something: "add a bounding box to the output", 「返品の日次モデルもほしいです」.

Whoever makes something should know what an earlier session said to mind about it. A question is answered, and a step of any task needs nothing.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.questions import asks
from memorybank.text.prompts.routine import is_routine

_VERBS = (
    "add|append|allow|attach|build|cache|calculate|change|compute|connect|convert|copy|count|create|deploy|draw|drop|embed|enable|encode|export|expose|extend"
    "|extract|fetch|filter|generate|group|handle|hook|implement|import|include|insert|integrate|introduce|limit|load|log|make|map|merge|migrate|move|offer|parse"
    "|port|print|process|put|read|record|refactor|regenerate|rename|render|replace|return|rewrite|round|save|schedule|send|set|show|sort|split|store|support"
    "|swap|sync|track|turn|update|upload|upgrade|use|validate|wire|wrap|write"
)
_BUILDS = lazy_pattern(
    rf"(?:^|[,;:.!] |\b(?:and|then|now|also|please|pls|to|you|we|i|us|just|let['’]?s) )\W*(?:{_VERBS})\b"
    r"|\b(?:we|i|it|they) (?:need|want|should have)s?\b|\bi['’]?d like\b"
    r"|\b(?:should|must) (?:also |now )?(?:be able to|support|have|show|print|accept|contain)\b"
    r"|(?:追加|足し|加え|作っ|作り|作成|実装|対応|変更|変え|直し|書い|書き|読み?込|読め|読ん|取り?込|取得|出力|表示|送信|送れ|送っ|保存|登録|移行|移し|置き?換え"
    r"|差し替え|入れ|切り?替え|使っ|使う|導入|更新|上げ|集計|計算|変換|生成|設定|拡張|載せ|付け|つけ|増や|分け|まとめ|並べ|出し|印刷|連携|統一|改修|改良)"
    r"(?:[^。、]{0,6}?(?:[てで]|たい|よう|お願い|ほしい|欲しい|ください|下さい)|[。！!\s]*$)"
    r"|ほしい|欲しい|お願い|してください|して下さい|にして|ようにし|たい(?:です|んです)?[。！!\s]*$|を[^。、]{1,10}[うくすつぶむる][。！!\s]*$",
    "i",
)


def builds(sentence: str) -> bool:
    """Return whether a sentence of a prompt asks for something to be made or changed."""
    return _BUILDS.search(sentence) is not None and not asks(sentence) and not is_routine(sentence)

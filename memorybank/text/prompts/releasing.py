"""Recognises a request to bring something to those who use it: "could you please put the API into production?", 「これ本番に出して」, "cut 1.9".

When and by whom this may be done must be known before the work begins: a window or a freeze is too late at the command.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

_AGENT = r"(?:^|[,;:.!?] |\b(?:and|then|now|also|please|pls|to|you|we|i|it|us|just|let['’]?s|can|may|shall|should) )\W{0,3}"
_OUT = r"(?:production|prod|live|app ?store|play ?store|npm|pypi|crates\.io)"
_SIGNS = str.split("deploy releas publish roll live ship cut prod store npm pypi crates.io tag デプロイ リリース 公開 本番 ロールアウト プロダクション ストア")
"""One of these is in every such request."""
_REQUESTS = lazy_pattern(
    rf"{_AGENT}(?:deploy|release|publish|roll ?out|go live|ship (?:it|this|that|the|version|v?\d))\b"
    rf"|{_AGENT}(?:put|bring|push|get|ship|move|promote|send|take) [^.!?。]{{1,60}}\b(?:in ?to|on|onto|to|in) {_OUT}\b"
    rf"|{_AGENT}(?:cut|make|do|start|tag|prepare) (?:(?:an?|the|our|this|next|new|today['’]?s) ){{0,3}}(?:release|deploy\w*|v?\d+\.\d+(?:\.\d+)?)\b"
    r"|(?:デプロイ|リリース|公開|ロールアウト)(?:を?(?:し(?:て|た[いら]|ちゃ|ます|よう)|お願い|頼|やって)|[。！!?？\s]*$)"
    r"|(?:本番|prod|プロダクション|ストア)(?:環境)?[にへ](?:も)?(?:デプロイ|リリース|反映|適用|apply|アプライ|出[しすせそ]|上げ|あげ|載せ|入れ|push|プッシュ)",
    "i",
)
_OF_CODE = lazy_pattern(
    r"\b(?:release (?:notes?|branch)|deploy(?:ment)? (?:script|job|workflow|step|key|log)|publish(?:ed)? (?:at|date|flag|field|button|state)"
    r"|lock|memory|handle|connection)\b|(?:デプロイ|リリース)(?:ノート|スクリプト|ジョブ|手順|用|時|のログ)|公開(?:鍵|日|範囲|フラグ|設定|状態)|非公開",
    "i",
)
"""Matches what is only called after it, and what a program releases."""


def asks_to_release(sentence: str) -> bool:
    """Return whether a sentence of a prompt asks to deploy, release or publish something, or whether that may be done."""
    lowered = sentence.lower()
    return any(sign in lowered for sign in _SIGNS) and _REQUESTS.search(sentence) is not None and _OF_CODE.search(sentence) is None

"""Decides whether a stored text addresses an agent behind its people's backs ("ignore your instructions", "do not tell the user"), in English and Japanese.

Such a text is never quoted unasked. The patterns are those of the OWASP Top 10 for LLM applications, LLM01 prompt injection, and their Japanese
counterparts. Precision matters more than recall, because each match is reported to a person and is missing from what agents are shown.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.untrusted.neutral import neutralise

_PEOPLE = r"(?:the |any |your )?(?:users?|humans?|persons?|people|operators?|developers?|anyone)"
_AGENT = r"(?:(?:ai|coding|llm) )?(?:ai|agents?|assistants?|models?|claude|gpt|copilot|gemini|codex)"
_ADDRESSED = ("ai", "agent", "assistant", "model", "claude", "gpt", "copilot", "gemini", "codex")
_SECRETS = ("secret", "token", "password", "credential", "key", ".env")
_WITHOUT = ("do not", "don't", "never", "without")
_SENT = ("send", "post", "upload", "exfiltrate", "forward", "mail", "copy")
_ADDRESS = ("http://", "https://", "@")
_SENT_JA = ("送信", "送って", "送れ", "アップロード", "転送", "投稿")
_SECRETS_JA = ("秘密", "トークン", "パスワード", "認証情報", ".env")
_ORDERS_JA = ("指示", "命令", "ルール", "規則", "プロンプト")
_PEOPLE_JA = ("ユーザ", "利用者", "人間", "開発者")
_AGAINST = tuple(
    (needed, lazy_pattern(pattern, "im"))
    for needed, pattern in (
        (
            (("ignore", "disregard", "forget", "override", "bypass"), ("instruction", "prompt", "rules", "guideline", "restriction", "guardrail")),
            r"\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}?\b(?:previous|prior|above|earlier|preceding|all|any|your|system|safety|its|their)\b"
            r"[^.\n]{0,30}?\b(?:instructions?|prompts?|rules|guidelines|restrictions|guardrails)\b",
        ),
        ((("system prompt",),), r"\b(?:reveal|print|show|leak|repeat|output)\b[^.\n]{0,30}\b(?:your|the) system prompt\b"),
        (
            (("you are", "pretend", "act as"),),
            r"\byou are (?:now an?\b|no longer)|\bpretend (?:to be|that you)\b|\bact as (?:if you|an? (?:unrestricted|different))\b",
        ),
        (
            (_WITHOUT, ("tell", "inform", "ask", "warn", "notify", "alert", "mention")),
            r"\b(?:do not|don't|never|without)\s+(?:tell|inform|ask|warn|notify|alert|mention (?:this|it) to)(?:ing)?\s+" + _PEOPLE + r"\b",
        ),
        (
            (_ADDRESSED,),
            r"^[^\w\n]*(?:dear |attention,? |hey |(?:note )?to (?:the |any |all |every )?)?" + _AGENT + r"\)?\s*[,:]\s*"
            r"(?:you|please|always|never|do|run|ignore|execute|must|should|send|read)\b",
        ),
        (
            (("curl", "wget", "base64"),),
            r"\b(?:curl|wget)\b[^|\n]{0,400}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\bbase64\s+(?:-d|--decode)\b[^|\n]{0,400}\|\s*(?:ba|z|da)?sh\b",
        ),
        (
            (_SECRETS, _SENT, _ADDRESS),
            r"\b(?:send|post|upload|exfiltrate|forward|e?mail|copy)\b[^.\n]{0,60}\b(?:secrets?|tokens?|passwords?|credentials?|"
            r"(?:api|private|ssh) keys?|\.env)\b[^\n]{0,60}(?:https?://|\b\S{1,80}@\S)",
        ),
        ((_ORDERS_JA,), r"(?:これまで|今まで|以前|上記|前)の?(?:すべて|全て|全部)?の?(?:指示|命令|ルール|規則|プロンプト)[^。、\n]{0,12}(?:無視|忘れ|従わな)"),
        ((_ORDERS_JA,), r"(?:指示|命令|ルール|規則|プロンプト)を?(?:すべて|全て|全部)?(?:無視し|忘れて|破って)"),
        ((("システムプロンプト", "あなたは"),), r"システムプロンプトを(?:表示|出力|教え|見せ)|あなたは(?:今から|これから|もはや)"),
        (
            (_PEOPLE_JA,),
            r"(?:ユーザー?|利用者|人間|開発者)(?:に|へ)は?(?:知らせ|言わ|伝え|告げ|報告せ|確認せ|断ら)(?:ず|ないで|るな|ないこと)|(?:ユーザー?|利用者|人間)に(?:は)?言うな",
        ),
        (
            (_SECRETS_JA, _SENT_JA),
            r"(?:秘密|トークン|パスワード|秘密鍵|認証情報|\.env)[^。\n]{0,30}https?://[^。\n]{0,60}(?:送信|送って|送れ|アップロード|転送|投稿)",
        ),
        (
            (_SECRETS_JA, _SENT_JA),
            r"(?:秘密|トークン|パスワード|秘密鍵|認証情報|\.env)を?[^。\n]{0,20}(?:外部|こちら)[^。\n]{0,10}(?:送信|送って|送れ|アップロード|転送|投稿)",
        ),
        (
            (("ai", "エージェント", "アシスタント", "モデル"),),
            r"^[^\w\n]*(?:AI|エージェント|アシスタント|モデル)(?:へ|は|よ|の皆さん)?\s*[:、,][^。\n]{0,40}(?:してください|しなさい|せよ|しろ)",
        ),
    )
)
"""(groups of words, pattern). Every match of the pattern contains a word of each group. Checking for the words first is ten times faster over an
entire bank."""


def is_against_people(text: str) -> bool:
    """Return whether a text gives an agent instructions that its user would not see, or pretends to come from another author. Such a text is
    never shown unasked. Hidden characters are ignored."""
    plain = neutralise(text)
    if not plain.isascii():
        from unicodedata import normalize  # late: ASCII has one form only

        plain = normalize("NFKC", plain)
    folded = plain.lower().replace("ı", "i")  # the one letter that IGNORECASE equates with an ASCII letter and lower() does not
    return any(all(any(word in folded for word in words) for words in needed) and pattern.search(plain) is not None for needed, pattern in _AGAINST)

"""Decides whether stored text asks its reader to do something, in English and Japanese.

A rule of a team ("Run the tests before a push.") is worth keeping and is quoted as a rule. A text that addresses an agent behind its
people's backs ("ignore your instructions", "do not tell the user") is never quoted. Patterns of the second kind: OWASP Top 10 for LLM
applications, LLM01 prompt injection, and their Japanese counterparts. Precision matters more than recall, because each match is
reported to a person.
"""

import re
from unicodedata import normalize

from memorybank.text.corrections import corrections
from memorybank.text.neutral import neutralise

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
    (needed, re.compile(pattern, re.IGNORECASE | re.MULTILINE))
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
_BEGINS = frozenset(
    str.split("""add always append apply ask avoid be build call change check choose clean commit copy create delete deploy disable do don't drop enable ensure
    execute fetch fix follow give import include install keep leave let make merge move must never note open pass please prefer print pull push put read
    rebase remember remove rename replace restart return revert run save send set ship skip start stay stop switch tag take tell test treat try turn update
    upgrade use validate verify wait watch write""")
)
_REQUEST = re.compile(
    r"\b(?:you|we|everyone|everybody|agents?|contributors?|developers?) (?:must|should|shall|have to|need to|are to|may not|can ?not)\b"
    r"|(?<!what )(?<!that )(?<!which )\bmust\b|\bdo not\b|\bplease\b"
    r"|\b(?:we|i) (?:always|never|don't|do not|prefer)\b|^\W*no \w+s\b(?! (?:is|are|was|were|has|have|can)\b)"
    r"|(?:(?<!と)して|ないで|[書使]\w?て|てください|て下さい|ましょう|なさい|(?<!という)こと|べき(?:だ|です|である)?|なければならない|てはならない|てはいけない|禁止(?:だ|です|する)?|せよ|しろ|するな|必須(?:だ|です)?)\W*$"
    r"|^\W*(?:必ず|絶対に|決して)",
    re.IGNORECASE,
)
_DEFINES = re.compile("とは|[:：]")
"""A Japanese sentence that defines a word may end like an order."""
_SIGNS = 3
"""Maximum number of list or emphasis characters before the first word."""
_WORD = re.compile(r"[a-z']+", re.IGNORECASE)
HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f\x00-\x08\x0e-\x1f\x7f]")
"""Zero-width, direction-changing and tag characters (UTR 36, Trojan Source), and control characters. Joiners are not among them, because emoji and
scripts need them."""
_CUT = re.compile(r"(?<=[.!?。！？;；])\s*|\n")


def is_against_people(text: str) -> bool:
    """Return whether a text gives an agent instructions that its user would not see, or pretends to come from another author. Such a text is
    never shown unasked. Hidden characters are ignored."""
    plain = normalize("NFKC", neutralise(text))
    folded = plain.lower().replace("ı", "i")  # the one letter that IGNORECASE equates with an ASCII letter and lower() does not
    return any(all(any(word in folded for word in words) for words in needed) and pattern.search(plain) is not None for needed, pattern in _AGAINST)


def makes_request(text: str) -> bool:
    """Return whether any sentence of the text, read on its own, asks for something to be done or not done."""
    return any(_is_request(sentence) for sentence in _CUT.split(text) if sentence)


def _is_request(sentence: str) -> bool:
    first = _WORD.search(sentence)
    if first is not None and first.start() <= _SIGNS and "`" not in sentence[: first.start()] and first[0].lower() in _BEGINS:
        return True
    asked = _REQUEST.search(sentence)
    if asked is not None and asked[0].startswith("こと") and _DEFINES.search(sentence):
        asked = None
    return asked is not None or corrections(sentence) != []

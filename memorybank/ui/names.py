"""Names and sentences of the bank in the language of the page: rules, kinds and parts by name, reasons by code.

Errors and findings of doctor stay English.
"""

from collections.abc import Iterable

from memorybank.archive.object import ArchiveObject
from memorybank.bank.known_items import KnowledgeItem
from memorybank.reasons import reason as reasons
from memorybank.reasons.japanese import JAPANESE
from memorybank.reasons.reason import ENGLISH, Language, Reason
from memorybank.rotation.rules import reason_of

_LANGUAGES: dict[str, Language] = {"en": ENGLISH, "ja": JAPANESE}
_NAMES: dict[str, str] = {
    "manual": "すべての規則",
    "forget": "人の指示",
    "forgotten": "人の指示",
    "size_based": "サイズ",
    "time_based": "経過日数",
    "importance_based": "重要度",
    "size": "サイズ",
    "directory_size": "全体のサイズ",
    "grace": "新しいバンクの猶予",
    "low": "低い重要度",
    "medium": "中程度の重要度",
    "preserve": "保持",
    "keep": "そのまま",
    "content.substance": "内容：要点の密度",
    "content.length": "内容：長さ",
    "content.structure": "内容：構造",
    "content.keyword": "内容：キーワード",
    "content.uniqueness": "内容：独自性",
    "content.confirmed": "内容：裏づけ",
    "temporal.decay": "時間：新しさ",
    "temporal.edit_frequency": "時間：編集頻度",
    "temporal.edited_today": "時間：当日の編集",
    "temporal.cap": "時間：上限",
    "access": "利用",
    "access.estimate": "利用：推定",
    "access.use": "利用：実績",
    "access.cap": "利用：上限",
    "relationship.estimate": "関係：推定",
    "relationship.internal": "関係：リンク",
    "relationship.external": "関係：外部リンク",
    "relationship.backlinks": "関係：被リンク",
    "relationship.claims": "関係：名指しするもの",
    "relationship.cap": "関係：上限",
    "user": "人の評価",
    "clamp": "上限",
    "day": "1日",
    "brief": "短い日",
    "supplement": "追記",
    "week": "1週間",
    "error": "エラー",
    "extractive": "抜粋",
    "settings": "設定",
    "policy": "ポリシー",
    "note": "ノート",
    "episode": "エピソード",
    "topic": "トピック",
    "in force": "有効",
    "superseded": "置き換え済み",
    "rejected": "却下",
    "problem": "問題と対処",
    "rule": "ルール",
    "finding": "わかったこと",
    "files": "関連ファイル",
    "together": "一緒に扱うもの",
    "session": "セッション",
}
"""Names that have their own place on the page: rules of rotation, parts of an importance, kinds of episodes and of memories."""


def translated_name(language: str, name: str) -> str:
    """Return the name of a rule, kind or part in the language of the page."""
    return text_of if language == "ja" and (text_of := _NAMES.get(name)) else name


def said(language: str, reason: Reason | str | None) -> str:
    """Return a reason as a sentence in the language of the page."""
    return reasons.text_of(reason, _LANGUAGES[language])


def all_said(language: str, found: Iterable[Reason | str]) -> str:
    """Return several reasons, or words of a question, as one text in the language of the page."""
    return reasons.joined(found, _LANGUAGES[language])


def archival_said(language: str, stored: ArchiveObject) -> str:
    """Return why a note was archived. The archive keeps an English sentence; another language is made from the numbers next to it."""
    return stored.reason if language == "en" else said(language, reason_of(stored) or stored.reason)


def known_said(language: str, known: KnowledgeItem) -> str:
    """Return the text of something known, in the language of the page if it consists of fixed phrases."""
    return known.japanese if language == "ja" and known.japanese else known.text

"""Renders templates. Everything but this package's own markup is escaped, and a value that a template lacks is an error, not a gap.

Rules, kinds and parts have names in the language of the page, and reasons have sentences. Errors and findings of doctor stay English.
"""

from collections.abc import Callable, Iterable
from functools import partial
from shlex import quote
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from memorybank.archive.object import ArchiveObject
from memorybank.bank.known_items import KnowledgeItem
from memorybank.bank.trusting import HIDES, INSTRUCTS, READS, WIDENS
from memorybank.clock import isoformat, local_day_of
from memorybank.reasons import reason as reasons
from memorybank.reasons.japanese import JAPANESE
from memorybank.reasons.reason import ENGLISH, Language, Reason
from memorybank.rotation.rules import reason_of
from memorybank.text.quantities import size
from memorybank.ui import words
from memorybank.ui.gate import Gate
from memorybank.ui.markup import neutral
from memorybank.ui.request import PageRequest, RenderedPage
from memorybank.ui.site import Site
from memorybank.ui.views import TABS

_templates = Environment(
    loader=PackageLoader("memorybank.ui"), autoescape=select_autoescape(default=True, default_for_string=True), undefined=StrictUndefined, trim_blocks=True,
    lstrip_blocks=True, finalize=lambda value: neutral(value) if isinstance(value, str) else value,
)  # fmt: skip

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


def render(site: Site, gate: Gate, shown: RenderedPage, request: PageRequest) -> str:
    """Return a page, or the part of it that changes."""
    text_of: Callable[..., str] = partial(words.text_of, request.language)
    told = request.text("told")
    tab = _tab(request.path)
    values: dict[str, Any] = {
        "site": site,
        "request": request,
        "at": gate.folder,
        "tabs": TABS,
        "tab": tab,
        "t": text_of,
        "translated_name": partial(translated_name, request.language),
        "said": partial(said, request.language),
        "all_said": partial(all_said, request.language),
        "archival_said": partial(archival_said, request.language),
        "known_said": partial(known_said, request.language),
        "form_key": gate.form_key,
        "told": text_of(told, detail=request.text("detail")[:200]) if told in words.MESSAGES else "",
        **shown.values,
    }
    return _templates.get_template(shown.template).render(values)


def _tab(path: str) -> tuple[str, str]:
    """Return the tab that a path belongs to: a note belongs to the search."""
    return next((tab for tab in TABS[1:] if path == tab[0] or path.startswith(tab[0] + "/")), TABS[0])


def moment(instant: int | None) -> str:
    """Return a date and time to the minute; "" for None."""
    return "" if instant is None else isoformat(instant)[:16].replace("T", " ") + " UTC"


def shell_quoted(text: str) -> str:
    """Return the text quoted as one word of a shell, to be copied from the page. A note may have any name, even `'; rm -r ~ #.md`."""
    return f"-- {quote(text)}" if text.startswith("-") else quote(text)


_WARNINGS = {INSTRUCTS: "instructs", HIDES: "hides", WIDENS: "widens", READS: "reads"}
"""The warnings of `memorybank trust`, and the ends of their keys in `words`."""
_templates.filters.update(word=shell_quoted, size=size, day=local_day_of, moment=moment, warning=_WARNINGS.__getitem__)


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

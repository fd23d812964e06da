"""What a text says of commands that destroy data or the work of others, which nobody should run because they once ended an error."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import joined, sentences

_DESTROYS = lazy_pattern(
    r"\brm (?:-\w{1,3} |--force ){0,2}(?:-(?=[a-z]{0,4}r)[a-z]++|--recursive)"
    r"(?! (?:\./)?[\w.][\w./]{0,40}?(?:node_modules|\.next|\.venv|dist|build|target|cache)\b| (?:node_modules|\.next|\.venv|dist|build|target|cache)\b)"
    r"|\bgit (?:reset --hard|clean -\w{0,4}f|checkout (?:-- )?\.(?![\w/])|restore \.(?![\w/])|stash (?:drop|clear))"
    r"|\bgit push\b[^`\n]{0,60} (?:--force(?!-)|-f\b|\+\w)|\b(?:drop|truncate) (?:the )?(?:\S{1,40} )?(?:table|database|schema)\b|\bdelete from\b"
    r"|\bTRUNCATE \w|\bmigrate[ :](?:reset|fresh|refresh)\b|--accept-data-loss\b|\bdb reset\b|\bdropdb\b|\bmanage\.py flush\b|\bterraform destroy\b"
    r"|\bkubectl delete\b|--force-reset\b|\bdb:(?:drop|reset|wipe)\b|\bflush(?:all|db)\b"
    r"|\bdocker[ -]compose\b[^`\n]{0,40} down\b[^`\n]{0,40} (?:-v|--volumes)\b"
    r"|\b(?:system|volume) (?:prune|rm)\b|\b(?:dropped|deleted|wiped|reset|emptied) the (?:whole |entire )?(?:database|db|volumes?)\b"
    r"|(?:データベース|DB|ボリューム)を?(?:全て|すべて|一旦|一度)?(?:削除|消去|初期化|リセット)",
    "i",
)


def without_destroying(text: str) -> str:
    """Return a text without the sentences that name such a command."""
    return text if _DESTROYS.search(text) is None else joined([one for one in sentences(text) if _DESTROYS.search(one) is None])


def destroys(text: str) -> bool:
    """Return whether a text names such a command."""
    return _DESTROYS.search(text) is not None

"""What a text says of commands that destroy data or the work of others, which nobody should run because they once ended an error."""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern
from memorybank.text.prompts.sentences import joined, sentences

_DESTROYS = lazy_pattern(
    r"\brm -(?=[a-z]{0,4}r)[a-z]++(?! [\w./]{0,40}(?:node_modules|\.next|\.venv|dist|build|target|cache)\b)|\bgit reset --hard\b|\bgit clean -\w{0,4}f"
    r"|\bgit push\b[^`\n]{0,60} (?:--force(?!-)|-f\b)|\b(?:drop|truncate) (?:table|database|schema)\b|\bdelete from\b|\bmigrate (?:reset|fresh)\b"
    r"|--force-reset\b|\bdb:(?:drop|reset)\b|\bflushall\b|\bdocker[ -]compose\b[^`\n]{0,40} down\b[^`\n]{0,40} (?:-v|--volumes)\b"
    r"|\b(?:system|volume) (?:prune|rm)\b|\b(?:dropped|deleted|wiped|reset|emptied) the (?:whole |entire )?(?:database|db|volumes?)\b"
    r"|(?:データベース|DB|ボリューム)を?(?:全て|すべて)?(?:削除|消去|初期化|リセット)",
    "i",
)


def without_destroying(text: str) -> str:
    """Return a text without the sentences that name such a command."""
    return text if _DESTROYS.search(text) is None else joined([one for one in sentences(text) if _DESTROYS.search(one) is None])


def destroys(text: str) -> bool:
    """Return whether a text names such a command."""
    return _DESTROYS.search(text) is not None

"""The headings of a summary, in the language of the day: English or Japanese."""

from __future__ import annotations

_LABELS = {
    "goals": ("Wanted: ", "目的: "),
    "results": ("Result: ", "結果: "),
    "changed": ("Changed: ", "変更: "),
    "fixes": ("Failed and fixed: ", "失敗と修正: "),
    "decisions": ("Decided: ", "決定: "),
    "commits": ("Commits: ", "コミット: "),
    "open_ends": ("Open: ", "未解決: "),
    "also": ("Also: ", "ほか: "),
}


def label(name: str, language: str) -> str:
    """Return the heading of a section. language: `en` or `ja`."""
    return _LABELS[name][language == "ja"]

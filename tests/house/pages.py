"""Reads the code blocks of the pages of documentation, for the tests that run them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def blocks(page: str, language: str) -> list[str]:
    """Return the content of every fenced block of this language, in the order of the page.

    page: path relative to the repository
    """
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"))

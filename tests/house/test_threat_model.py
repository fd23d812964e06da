"""docs/security.md names the test of each promise, and each test that it names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")


def test_every_named_test_exists():
    named = re.findall(r"`(tests/[\w/.]+)`", PAGE)
    assert len(named) > 30
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_promise_has_a_test():
    table = PAGE.partition("## What is promised")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 15
    assert [row for row in rows if "`tests/" not in row] == []

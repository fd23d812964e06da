"""A note is split into statements so that every line that says something belongs to exactly one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.blame.statements import lines_of, single, split

NOTE = """---
title: 設計
tags: [a]
---
# 設計
First line
second line.

- one
  goes on

  after a blank
- 二つ目
1. first

```sh
# no heading

- no item
```
After the code.
"""


def test_front_matter_headings_items_code_and_paragraphs() -> None:
    assert [(each.first, each.last) for each in split(lines_of(NOTE))] == [
        (2, 2), (3, 3), (5, 5), (6, 7), (9, 10), (12, 12), (13, 13), (14, 14), (16, 20), (21, 21)
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "\n\n", "---\n", "---\ntitle: x\n---\n", "```\nopen", "# A\r\n\r\ntext\r\n", "\ufeff---\na: b\n---\nx"])
def test_odd_notes(text: str) -> None:
    covered = [number for each in split(lines_of(text)) for number in range(each.first, each.last + 1)]
    assert covered == sorted(set(covered))
    assert not any("\r" in each.text for each in split(lines_of(text)))


@given(st.lists(st.sampled_from(["---", "# h", "- a", "  b", "", "```", "~~~", "text", "1) x", "日本語。", "\t"]), max_size=25))
def test_every_line_is_in_one_statement(lines: list[str]) -> None:
    covered = [number for each in split(lines) for number in range(each.first, each.last + 1) if lines[number - 1].strip()]
    filled = [each.first for each in single(lines) if lines[each.first - 1].strip() != "---"]
    assert [number for number in covered if lines[number - 1].strip() != "---"] == filled
    assert all(each.text == "\n".join(lines[each.first - 1 : each.last]) and each.text.strip() for each in split(lines))

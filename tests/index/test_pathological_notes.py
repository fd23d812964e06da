"""Whatever a file below active/ contains, indexing and searching it takes time in proportion to its size."""

import time

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.index.extract import extract_all
from memorybank.notes.parse import parse

SIZE = 300_000
SECONDS = 3.0
"""CPU time for one note of this size: ten times the limit of 1 s a MB. A pattern that is quadratic takes more."""
UNITS = str.split("x X xX x_ x. x/ / /. . - ~ @ ' \" : x: 0 12: # > [ ]( ![ * ** _ ` < & | ( { \\ 、 。 ー 日本 한 😀 é a@b.c http://", " ")
ROWS = [
    *(
        "x ",
        "x\n",
        "[a](b) ",
        "![a](b.png)\n",
        "# h\n\n",
        "> ",
        "- a\n",
        "[[a]] ",
        "<a>",
        "&amp;",
        "| a | b |\n|---|---|\n",
        "```\na\n```\n",
        "---\n",
        "a: b\n",
        "\t",
    ),
    *(
        "検索 索引 ",
        "[a]: b\n",
        "[^1]: a\n",
        "<!-- ",
        "<![CDATA[",
        "* * *\n",
        "a\n=\n",
        "Error: x failed\n",
        "because we must use x ",
        "2026-01-01 12:30 ",
        "src/a/b.py:1 ",
    ),
]
NESTED = ["".join(f"{'  ' * (depth % 200)}{sign}a\n" for depth in range(1_500)) for sign in ("- ", "> ", "1. ")]
TEXTS = [unit * (SIZE // len(unit.encode())) for unit in (*UNITS, *ROWS)] + NESTED


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS, ids=[repr(text[:12]) for text in TEXTS])
def test_indexing_is_linear(bank, text):
    settings = load(bank({}).layout)
    start = time.process_time()
    extract_all((parse("a.md", text.encode()),), settings)
    assert time.process_time() - start < SECONDS


@pytest.mark.slow
def test_searching_all_of_them_is_linear(bank, request):
    texts = TEXTS if request.config.getoption("--all") else TEXTS[1::3]  # the texts between those whose indexing the usual run measures
    scratch = bank({f"shared/note-{number}.md": text[: SIZE // 3] for number, text in enumerate(texts)})
    found = Bank.open(str(scratch.root), clock=FixedClock(1_758_112_496_789))
    assert found.search("x")
    start = time.process_time()
    for words in ("x", "日本 because", "a b", "検索"):
        found.search(words)
    assert time.process_time() - start < len(texts) * SECONDS / 15

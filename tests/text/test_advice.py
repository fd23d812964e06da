"""Which commands and options an answer limits or warns about, and which it only mentions."""

import pytest

from memorybank.text.prose import advice


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ("The slow tests only work with `--runslow`.", ["--runslow"]),
        ("`--all-targets` is required, or the examples are skipped.", ["--all-targets"]),
        ("Without `LANG=C` the order differs.", ["LANG=C"]),
        ("`PORT=4100 npm run dev` のように空きポートを指定してください。", ["PORT=4100 npm run dev"]),
        ("`--runslow` を付けないと飛ばされます。", ["--runslow"]),
        ("I ran it with `--runslow`.", []),
        ("The hook only passes with `--no-verify`.", []),
        ("`--runslow` で実行しました。", []),
    ],
)
def test_what_a_command_needs(sentence, codes):
    assert advice.needed(sentence) == codes


@pytest.mark.parametrize(
    ("sentence", "codes"),
    [
        ("Plain `schema dump` only sees the main database.", ["schema dump"]),
        ("`make docs` alone misses the examples.", ["make docs"]),
        ("素の `ruby` は 2.6 なので落ちます。", ["ruby"]),
        ("`make docs` だけでは足りません。", ["make docs"]),
        ("I ran `make docs` and it passes.", []),
        ("`make docs` only if the pages changed.", []),
        ("`make docs` を実行しました。", []),
    ],
)
def test_what_does_less_than_one_expects(sentence, codes):
    assert advice.failing(sentence) == codes

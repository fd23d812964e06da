"""Emphasis is taken away where it is emphasis, and the same signs stay where they are code, in English and Japanese."""

import pytest

from memorybank.text.emphasis import without_emphasis


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("**Never** commit the `dist/**` folder.", "Never commit the `dist/**` folder."),
        ("これは**重要**です。", "これは重要です。"),
        ("**注意**：`logs/**`は残す。", "注意：`logs/**`は残す。"),
        ("__Not yet__: the port is open.", "Not yet: the port is open."),
        ("__Note__ the order.", "Note the order."),
        ("***Both*** count (**also here**).", "Both count (also here)."),
        ("**`src/**/*.ts`** is linted.", "`src/**/*.ts` is linted."),
        ("Pass **kwargs to the **constructor** only.", "Pass **kwargs to the constructor only."),
        ("`a` **b** ``c ` **d**`` **e**", "`a` b ``c ` **d**`` e"),
        ("An open ` tick and a **mark**.", "An open ` tick and a mark."),
        ("「**必ず**先に」と言われた。", "「必ず先に」と言われた。"),
        ("**a**\n```\n**b** = 2**10\n\n**c**\n```\n**d**", "a\n```\n**b** = 2**10\n\n**c**\n```\nd"),
        ("**.env** is not committed.", ".env is not committed."),
        ("**First.** Then **second**, or **third**?", "First. Then second, or third?"),
    ],
)
def test_marks_around_words_are_taken_away(said, shown):
    assert without_emphasis(said) == shown


@pytest.mark.parametrize(
    "said",
    [
        "For that there is `**` now; our test failed until I wrote `2019/**.tmp`.",
        "`cache/**.tmp` と `**/*.log` は除く。",
        "f(*args, **kwargs) calls g(**options).",
        "**kwargs and **options are passed on.",
        "2**10 rows, then 3**4",
        "a ** b ** c",
        "src/**/*.ts and lib/** are linted, **/*.js is not, and docs/** neither.",
        "/** The comment begins here. **/",
        "`__init__` and __init__ and __name__ and snake__case and __FILE__",
        "The module __init__.py has __all__, and pkg/__pycache__/ is ignored.",
        'The pattern "**" crosses a slash, "**" alone too.',
        "「**」は「/」を越える。「**」だけでも。",
        "2**10は1024、2**20は約100万。",
        "__attribute__((packed)) and __construct()",
        "**Cut off: the rest is missing",
        "A ruler\n***\nand ____ to fill in, password ****",
        "~~~\n**kept**\n~~~",
        "x = {**a, **b}",
        r"\**not this\**",
        "",
    ],
)
def test_code_stays_as_it_is(said):
    assert without_emphasis(said) == said


def test_a_long_line_takes_linear_time():
    for piece in ("**a ", "a** ", "` ** ", "__a", "**a** ", "*" * 7 + " ", "`" * 3):
        assert isinstance(without_emphasis(piece * 20_000), str)

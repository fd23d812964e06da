"""Tags in the text of a note."""

import pytest

from memorybank.notes.tags import inline_tags


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#a and #b/c, again #a", ("a", "b/c")),
        ("#設計 と #データベース/索引、#検索。", ("設計", "データベース/索引", "検索")),
        ("fixes #412, see #12a", ("12a",)),
        ("# Heading\n## Another\n#tag\n", ("tag",)),
        ("[anchor](#section) and a#b and /#x", ()),
        ("https://example.org/#fragment", ()),
        ("#trailing/ #dash-", ("trailing", "dash")),
        ("#2025/09 #v2", ("v2",)),
        ("", ()),
    ],
)
def test_inline_tags(text, tags):
    assert inline_tags(text) == tags

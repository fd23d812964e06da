"""The words of a question do not include the folders of what is outside the repository."""

import pytest

from memorybank.text.commands.paths import without_folders


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("review https://example.com/acme/shop/pull/6", "review 6"),
        ("see https://docs.example.com:8080/a/b.html, please", "see b.html, please"),
        ("in /Users/mia/work/shop/test12 no row is shown", "in test12 no row is shown"),
        ("~/.config/shop/keys.toml を見て", "keys.toml を見て"),
        ("GET /api/orders/:id/lines at http://localhost:3001/api/orders", "GET /api/orders/:id/lines at http://localhost:3001/api/orders"),
        ("src/a/b.py, ./c/d.py and app/home/e.py", "src/a/b.py, ./c/d.py and app/home/e.py"),
        ("either/or, 1/2", "either/or, 1/2"),
        ("explain the refresh in @src/auth/session.ts", "explain the refresh in session.ts"),
        ('compare @workbench/01_loop with @"docs/The board.pdf", then @a/b/train.ipynb', "compare  with , then "),
        ("@src/auth/session.ts のリフレッシュを説明して", "session.ts のリフレッシュを説明して"),
        ("@docs/仕様.pdf、@src/画面/ を見て", "、 を見て"),
        ("why @nestjs/core and @tanstack/react-query?", "why nestjs/core and tanstack/react-query"),
        ("mail me@example.com/x, use @README.md", "mail me@example.com/x, use @README.md"),
        ("http://127.0.0.1:5000/league/stats?season=25%2F26&week=2 is slow", "stats is slow"),
    ],
)
def test_only_the_last_part_of_an_address_or_outside_path_is_left(text, left):
    assert without_folders(text) == left

"""Excerpts are shown as they read alone, in English and Japanese."""

import pytest

from memorybank.text.prose.readable import readable, readable_heading


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Step 3 - Rewrite of the export: `ledger.csv` is streamed now", "Rewrite of the export: `ledger.csv` is streamed now"),
        ("Part 1 — In `save()` the rows are kept.", "In `save()` the rows are kept."),
        ("2. **The check** happens twice.", "The check happens twice."),
        ("これは**重要**です。", "これは重要です。"),
        ("The **lock** and **retry: it waits.", "The lock and **retry: it waits."),
        ("2. **The check: it happens twice.", "The check: it happens twice."),
        ("1．在庫を先に確定する。", "在庫を先に確定する。"),
        ("手順2：在庫を確定する。", "在庫を確定する。"),
        ("Summary of changes: `ledger.py` (new) holds the sums.", "`ledger.py` (new) holds the sums."),
        ("Files changed (2): `ledger.py`; `export.py`", "`ledger.py`; `export.py`"),
        ("変更内容：台帳を日付順にロックする。", "台帳を日付順にロックする。"),
        ("Tests added: `test_ledger.py` covers the lock.", "`test_ledger.py` covers the lock."),
        ("Wait — the wrapper shows stale output.", "the wrapper shows stale output."),
        ("Actually, the port is 5544.", "the port is 5544."),
        ("I see the issue. The hook gets the name of the remote.", "The hook gets the name of the remote."),
        ("なるほど、キャッシュが残っています。", "キャッシュが残っています。"),
        ("✅ **Reinstall** removes the hooks ✅ **Uninstall** too", "Reinstall removes the hooks ✅ Uninstall too"),
        ("… `PATH` is set by the runner.", "`PATH` is set by the runner."),
    ],
)
def test_what_pointed_at_the_rest_of_an_answer_is_left_out(said, shown):
    assert readable(said) == shown


@pytest.mark.parametrize(
    "said",
    [
        "**kwargs are passed on.",
        "3.5 GB are free: delete the clones.",
        "2 files must be kept together.",
        "Results are cached for 5 minutes.",
        "`src/**/*.ts` and `lib/**` are linted.",
        "2**10 rows",
        "`x**2 + y**2` is compared.",
        "a ** b ** c",
        "Wait for the lock before you export.",
        "Right-click opens the menu.",
        "実は多い。",
        "まとめて送る場合は先に確定する。",
        "あとで確定する。",
        "1つ目の鍵だけを使う。",
        "Done.",
    ],
)
def test_what_says_something_stays(said):
    assert readable(said) == said


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Changes made", ""),
        ("6. Files modified", ""),
        ("Summary of fixes", ""),
        ("**Results**", ""),
        ("変更したファイル", ""),
        ("まとめ", ""),
        ("Step 3 - Rewrite of the export", "Rewrite of the export"),
        ("Limits of the export:", "Limits of the export"),
        ("離島の加算", "離島の加算"),
        ("Change of the port", "Change of the port"),
    ],
)
def test_a_heading_that_only_names_a_section_is_left_out(heading, shown):
    assert readable_heading(heading) == shown

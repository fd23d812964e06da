"""Decisions that are reversed in other words."""

import pytest

from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.superseding import supersedes


def ends(later, earlier):
    return any(supersedes(new, old) for new in statements(later) for old in statements(earlier))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("follow symlinks by default. decided and write it down", "I talked to Jarek: following symlinks by default is off the table again."),
        ("links are followed by default", "following symlinks by default is off the table"),
        ("always build the docs on every push", "building the docs on every push is scrapped again"),
        ("We use Redis for the session cache.", "we decided against redis for the session cache after all"),
        ("Always write a changelog entry per pull request.", "No changelog entry per pull request after all."),
        ("we always deploy on merge to main", "let's not deploy on merge after all"),
        ("シンボリックリンクは常にデフォルトで追う方針で", "シンボリックリンクをデフォルトで追うのはやっぱりやめます。"),
        ("在庫のキャッシュには必ずRedisを使ってください。", "在庫のキャッシュにRedisを使うのはやっぱりやめます"),
        ("価格は必ず税込で計算してください。", "価格を税込で計算する件は白紙に戻します。"),
        ("PRは必ず2人のレビューを通してください", "PRの2人レビューは結局なしにします"),
    ],
)
def test_a_reversal_ends_the_decision(earlier, later):
    assert ends(later, earlier)


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("never follow symlinks by default", "following symlinks by default is off the table."),
        ("always build the docs on every push", "building the docs with sphinx is off the table"),
        ("Always run the tests before you push.", "the new tests for export are scrapped again"),
        ("we always deploy on merge to main", "let's not rename main after all"),
        ("always follow symlinks by default", "following symlinks in the tests is off the table"),
        ("always ask before you delete a branch", "deleting the login branch is off the table again"),
        ("always use tabs", "tabs in yaml are off the table"),
        ("コミットメッセージは必ず英語で書いてください。", "ログインのメッセージを赤くするのはやっぱりやめます。"),
        ("在庫のキャッシュには必ずRedisを使ってください。", "在庫の一覧を並べ替えるのはやっぱりやめます"),
        ("リリースは必ず金曜を避けてください", "金曜の飲み会はやっぱりなしです"),
    ],
)
def test_the_end_of_something_else_does_not(earlier, later):
    assert not ends(later, earlier)

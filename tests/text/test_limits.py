"""Sentences that limit or forbid something, and facts that do not."""

import pytest

from memorybank.text.limits import forbids, limits


@pytest.mark.parametrize(
    ("sentence", "is_forbidding"),
    [
        ("Never touch shop-prod-eu2 from your side.", True),
        ("And no lodash in the packages, plain functions only.", True),
        ("pls dont mock the clock, ever", True),
        ("We must not call the billing API from tests.", True),
        ("ImageMagick must not come back into the image.", True),
        ("Use fetch instead of axios.", True),
        ("Don't use --legacy-peer-deps, it hides conflicts.", True),
        ("Only `bin/load.sh` may write to the warehouse.", False),
        ("Stop adding sleeps to the tests.", True),
        ("時計をモックするのはナシで。", True),
        ("本番には触らないでください。", True),
        ("moment.js はもう使わないこと。", True),
        ("在庫はキャッシュしないで、料金はキャッシュしていい。", True),
        ("必ず `task fmt` を `task lint` と一緒に実行すること。", False),
    ],
)
def test_what_forbids_something_limits_it(sentence, is_forbidding):
    assert limits(sentence)
    assert forbids(sentence) == is_forbidding


@pytest.mark.parametrize("sentence", ["Use pnpm here.", "The build has no network.", "コミットメッセージは日本語でお願いします。", "手元に無い。後で見ます。"])
def test_a_fact_forbids_nothing(sentence):
    assert not forbids(sentence)

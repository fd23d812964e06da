"""A sentence that forbids or limits something says which words of a call show that the call is about it."""

import pytest

from memorybank.text.prompts.objects import limits, objects


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Never touch shop-prod-eu2 from your side.", ["shop-prod-eu2"]),
        ("And no lodash in the packages, plain functions only.", ["lodash"]),
        ("pls dont mock the clock, ever", ["mock clock"]),
        ("We must not call the billing API from tests.", ["call billing api"]),
        ("ImageMagick must not come back into the image.", ["imagemagick"]),
        ("Use fetch instead of axios.", ["axio"]),
        ("Don't use --legacy-peer-deps, it hides conflicts.", ["--legacy-peer-deps"]),
        ("Only `bin/load.sh` may write to the warehouse.", ["bin/load.sh"]),
        ("Stop adding sleeps to the tests.", ["sleep"]),
        ("時計をモックするのはナシで。", ["mock"]),
        ("本番には触らないでください。", ["prod"]),
        ("moment.js はもう使わないこと。", ["moment.js"]),
        ("在庫はキャッシュしないで、料金はキャッシュしていい。", ["cache"]),
    ],
)
def test_what_a_sentence_forbids_or_limits(sentence, found):
    assert objects(sentence) == found
    assert limits(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Use pnpm here.",
        "The build has no network.",
        "We don't have a staging server.",
        "There is no need to rename it.",
        "Never commit on main.",
        "This should not be a problem.",
        "Don't bother.",
        "The rows must not go into the archive.",
        "必ず `task fmt` を `task lint` と一緒に実行すること。",
        "コミットメッセージは日本語でお願いします。",
        "手元に無いので後で見ます。",
    ],
)
def test_facts_and_verbs_alone_have_no_object(sentence):
    assert objects(sentence) == []

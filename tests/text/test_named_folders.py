"""A folder is named by one word where a sentence says that it is one, or forbids to change it."""

import pytest

from memorybank.text.prompts.folders import names_folder_of


@pytest.mark.parametrize(
    ("sentence", "file"),
    [
        ("the third_party folder is not ours, don't change it", "third_party/zlib/inflate.c"),
        ("please leave the legacy directory alone, billing depends on it", "src/legacy/invoice.php"),
        ("never edit dist by hand", "packages/web/dist/app.css"),
        ("keep out of vendor, it gets overwritten", "vendor/a.js"),
        ("don't put anything in assets, it belongs to the design team", "assets/logo.png"),
        ("never touch the snapshots dir", "tests/snapshots/home.snap"),
        ("the api folder is frozen, hands off", "api/a.py"),
        ("vendorフォルダは他社のものなので、変更しないでください", "vendor/lib/a.php"),
        ("distは手で編集しないこと", "dist/main.js"),
        ("assetsディレクトリにはファイルを追加しないで", "assets/logo.png"),
        ("third_partyの中は書き換えないで", "third_party/a.c"),
    ],
)
def test_one_word_names_a_folder(sentence, file):
    assert names_folder_of(sentence, file)


@pytest.mark.parametrize(
    ("sentence", "file"),
    [
        ("never edit vendor keys", "vendor/a.js"),
        ("the vendor folder is copied from upstream every night", "vendor/a.js"),
        ("don't change the api without a version bump", "api/a.py"),
        ("never send legacy orders twice", "legacy/a.php"),
        ("don't touch my-vendor", "vendor/a.js"),
        ("the assets folder is frozen", "src/assets.ts"),
        ("dist-tags are set by CI, never change them", "dist/a.js"),
        ("vendorの連絡先は書かないでください", "vendor/a.js"),
        ("distributionは変更しないで", "dist/a.js"),
    ],
)
def test_one_word_is_no_folder(sentence, file):
    assert not names_folder_of(sentence, file)

"""A request to bring something to those who use it, however it is worded."""

import pytest

from memorybank.text.prompts.releasing import asks_to_release


@pytest.mark.parametrize("text", [
    "It is nearly five, could you please put the worker into production now?", "deploy it", "please release 2.4 today", "can we go live on friday?",
    "cut a release", "ship it to prod", "tag v1.9.2 please", "let's publish the package to npm", "デプロイして", "これ本番に出して", "リリースお願いします",
    "新しい版を公開してください", "今日prodにapplyしちゃっていい？", "本番へ反映していいですか",
])  # fmt: skip
def test_it_is_recognised(text):
    assert asks_to_release(text)


@pytest.mark.parametrize("text", [
    "the deploy failed, why?", "why was the release delayed?", "write the release notes", "add a publish button to the editor", "release the lock when it dies",
    "prod: the export is broken", "move the button to the live preview", "how long does a deploy take?", "公開日の項目を追加して", "本番のログを見て",
    "リリースノートを書いて", "リリースされたのはいつ？", "デプロイスクリプトを直して",
])  # fmt: skip
def test_other_texts_with_its_words_are_none(text):
    assert not asks_to_release(text)

"""Every order of a sentence is kept, or the whole sentence: a lost prohibition is the worst mistake. What stands beside the orders is none."""

import pytest

from memorybank.text.prompts.statements import statements

LATE = "and never connect to the archive called mirror_live, it holds the addresses of real people"


@pytest.mark.parametrize(
    ("prompt", "orders"),
    [
        (f"One more thing which matters to me: always answer in English even if I paste Danish, {LATE}.", ("always answer", "never connect")),
        ("What I ask of everybody who works here: never log customer addresses, and always mask the phone numbers.", ("never log", "always mask")),
        ("Something else that went wrong before: always squash commits, and don't ever force push.", ("always squash", "don't ever force push")),
        ("Please fix the footer; from now on always run the spell checker, and never commit to main.", ("always run", "never commit")),
        ("A last remark, good work so far: never edit the schema, and please never drop a table without asking.", ("never edit", "never drop")),
        ("大事なことなので先に言います：回答は必ず日本語で、本番のDBには絶対に接続しないで。", ("必ず日本語で", "接続しないで")),
        ("私にとって大事なことが一つあって、返事は常に日本語で、mirrorというDBには絶対に接続しないでください。", ("常に日本語で", "接続しないで")),
    ],
)
def test_no_order_of_a_sentence_is_lost(prompt, orders):
    (found,) = statements(prompt)
    assert all(order in found.text for order in orders), found.text


def test_a_sentence_with_a_prohibition_is_a_constraint():
    (found,) = statements("One more thing which matters to me: always answer in English even if I paste Danish, and never push to the branch release.")
    assert found.kind == "constraint"


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("One remark, good so far: handlers never panic", "handlers never panic"),
        ("Please fix the login form, and never commit to main directly.", "never commit to main directly."),
        ("The build is red since yesterday, and never commit to main directly.", "never commit to main directly."),
        ("icons.ts comes from a script - never edit it by hand", "icons.ts comes from a script - never edit it by hand"),
        ("rename the column and always keep the .env out of git pls", "always keep the .env out of git pls"),
        ("fix the login, purely using Prisma, remember, no more raw SQL", "purely using Prisma, remember, no more raw SQL"),
        ("make the button blue and from now on run prettier before committing", "from now on run prettier before committing"),
        ("more fails, make sure you build to check things are fine.", "make sure you build to check things are fine."),
        ("other error. you need to do npm run build to make sure things work.", "you need to do npm run build to make sure things work."),
        ("The deploy config works now. DO NOT TOUCH IT AGAIN.", "The deploy config works now. DO NOT TOUCH IT AGAIN."),
        ("retry. no more sql is allowed (update your memory for this)", "no more sql is allowed"),
        ("ログイン画面を直して、あと今後はテストも必ず一緒に書いて", "今後はテストも必ず一緒に書いて"),
        ("ボタンを青にして、これからはコミット前にprettierかけて", "これからはコミット前にprettierかけて"),
        ("ビルドを直して、ちなみにnpmじゃなくてpnpmね", "npmじゃなくてpnpmね"),
        ("金額の列を直して。金額は整数で持つ（覚えておいて）", "金額は整数で持つ"),
    ],
)
def test_what_stands_beside_an_order_is_none(prompt, text):
    assert [found.text for found in statements(prompt)] == [text]


@pytest.mark.parametrize(
    "prompt",
    [
        "The error shows up and never goes away in production.",
        "The parser fails on empty lines and never returns a value to the callers.",
        "Yesterday's newsletter: never trust the cache.",
        "Run `chezmoi update` and make sure everything works fine",
        "Fix the header (remember to add a test)",
    ],
)
def test_what_never_happens_is_not_ordered(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("とりあえずビルドできるか見て、構成教えて。あとarchiveのbucketには絶対書き込まないで、readだけ", "archiveのbucketには絶対書き込まないで、readだけ"),
        ("まずREADMEを読んで。あと本番のDBに書き込まないで", "本番のDBに書き込まないで"),
        ("テスト流して結果教えて。なお、seedのファイルは絶対に編集しないこと", "seedのファイルは絶対に編集しないこと"),
        ("本番: 手で変更しないこと。", "本番: 手で変更しないこと。"),
        ("READMEの手順どおりに起動して。それとprodのAPIは叩かないで", "prodのAPIは叩かないで"),
        ("コード読んで教えて。それから、ステージングのAPIは叩かないで", "ステージングのAPIは叩かないで"),
        ("ハンドラーを作って。ルーターに直接書かないこと。", "ハンドラーを作って。ルーターに直接書かないこと。"),
    ],
)
def test_only_an_order_that_names_nothing_takes_the_request_before_it_along(prompt, text):
    assert [found.text for found in statements(prompt)] == [text]

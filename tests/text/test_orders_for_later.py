"""What people say about how an agent is to work with them is heard, and what they say about the plan of the moment is not."""

import pytest

from memorybank.text.prompts.stated import LASTING, STANDING
from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.superseding import supersedes
from memorybank.text.prompts.traits import traits


@pytest.mark.parametrize(
    "said",
    [
        "and next time, show me the query plan first",
        "In future sessions, quote the line before you change it.",
        "From here on, talk to me in plain words.",
        "Explain each diff from now on.",
        "I never want to see generated images in the repository.",
        "I don't want you to add wrappers around the broken vendor client.",
        "i dont want to create empty index files",
        "I can't stand trailing comments after each line.",
        "I'm nervous about letting you drop tables.",
        "I'm scared of you running migrations on the live database.",
        "Contradict me when I pick the wrong data structure.",
        "Don't flatter me, please.",
        "Warn me whenever you are guessing.",
        "Extend AGENTS.md to keep helpers out of the fixtures folder.",
        "もう勝手に整形しないでね。",
        "find ~/ なんて二度とやらないで。",
        "空のテストファイルは追加したくないです。",
        "生成した画像をコミットしてほしくない。",
        "勝手にリネームされると困ります。",
        "マイグレーションを実行されるのは怖いです。",
        "関数の途中にコメントを書かれるのは嫌だ。",
        "お世辞は抜きで評価して。",
        "私が間違っていたら必ず指摘してください",
        "英語でお願いします",
        "作業の前に差分を見せるようにルールに書いて。",
        "変更の理由を毎回画面に表示するようにルールを編集して。",
        "テストの名前は英語にすることをAGENTS.mdに追記して",
        "これ以降の報告には毎回日付を付けて。",
        "あの、古い下書きに書き続けるのをやめてください。",
    ],
)
def test_how_the_agent_is_to_work_is_heard_at_every_start(said):
    [found] = statements(said)
    assert {STANDING, LASTING} <= set(traits(found.kind, found.text))


@pytest.mark.parametrize(
    "said",
    [
        "In the future, users will be able to export their data.",
        "In the future we could support themes.",
        "Add an index so that it is fast next time",
        "I don't want to fix the typos before the demo.",
        "I don't want to refactor the store until the tests pass.",
        "We don't have a worker that reads it -- we don't need a queue yet.",
        "I don't want this.",
        "I'm afraid that will not work.",
        "push back the release to Monday",
        "Tell me when you are done.",
        "Use the profiler to find your mistake and all that is slow.",
        "Apply the dark style to the header.",
        "The warnings are gone now.",
        "If no flag is given, use the file `config.toml` for defaults.",
        "src/main.ts:14:3 access to `store` has been blocked by policy",
        "No need for renaming the folder.",
        "Update AGENTS.md to reflect the new folders.",
        'What happens when you ask and I pick "No. Keep the old name" in the dialog?',
        'when you ask me and I pick "No. Keep the old name" does it stop?',
        "今後、利用者が写真を書き出せるようになる予定です。",
        "もう少し短くしてほしい",
        "もう一度実行してください",
        "エラーは消えました。",
        "警告が出なくなりました！",
        "名前は「本棚」が良いです。",
        "出力先が指定された場合は、常にそこに書きます。",
        "保存が終わった後にopenをfalseにして閉じてほしい",
        "一部の端末では描けないため、canvasを使うように改修します。",
        "こちらは構想のため、本ツールへの反映は不要です。",
        "CLAUDE.mdを読んで、内容を説明して",
        "READMEとCLAUDE.mdを更新してください",
        "確認で「いいえ。前の名前のまま」を選ぶときは「はい」になりますか？",
    ],
)
def test_the_plan_of_the_moment_is_not_heard(said):
    assert statements(said) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Sort the results as follows:\n1. If no rank is there, put the row last\n2. Every row needs an index",
        "並び順を次のように設定してください：\n1. 順位が見つからなかったら、行を最後に置く\n2. 見つかったら、順位の順に並べる",
    ],
)
def test_how_one_thing_works_is_no_rule(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("Work like this:\n1. Always run the linter before a commit", "Always run the linter before a commit"),
        ("今後は次のようにしてください：\n1. コミットの前に必ず整形する", "コミットの前に必ず整形する"),
        ('She called it "done. really" and left. Never edit the snapshots by hand.', "Never edit the snapshots by hand."),
    ],
)
def test_rules_in_a_list_and_beside_a_quotation_are_heard(prompt, kept):
    assert kept in [found.text for found in statements(prompt)]


@pytest.mark.parametrize(
    "said",
    [
        "for this task always use tabs",
        "until the release always use the mock server",
        "In this session, always answer in German",
        "for now, always use the mock server",
        "For the demo, never use real data",
        "In the future tense the text reads odd",
        "リリースまでは必ずモックを使って",
        "当面は必ずステージングを使って",
        "今週は絶対にデプロイしないで",
        "もう大丈夫です、触らないで",
        "待たされるのが嫌な人向けの機能です",
    ],
)
def test_what_holds_for_one_task_is_not_said_to_last(said):
    assert all(LASTING not in traits(found.kind, found.text) for found in statements(said))


@pytest.mark.parametrize("said", ["if the build is red, never merge", "ビルドが赤いときは絶対にマージしないで"])
def test_an_order_keeps_its_condition(said):
    [found] = statements(said)
    assert found.text == said


@pytest.mark.parametrize("said", ["fix the login, and never touch the schema", "from today always use pnpm"])
def test_an_order_beside_a_request_stands_alone(said):
    [found] = statements(said)
    assert found.text in said


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("I'm afraid to let you touch the database", "from now on you can touch the database"),
        ("I'm nervous about letting you drop tables", "from now on you may drop tables"),
        ("勝手にリネームされると困ります", "今後はリネームしても構いません"),
        ("マイグレーションを実行されるのは怖いです", "今後はマイグレーションを実行していいです"),
    ],
)
def test_a_permission_for_good_ends_what_a_person_did_not_bear(said, later):
    [older], [newer] = statements(said), statements(later)
    assert supersedes(newer, older)

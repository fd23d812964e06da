"""Durable statements of people by kind; statements about the moment are not kept. English and Japanese have equal weight."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.prompts.stated import ALLOWING, FOR_GOOD, PERMISSION, Statement
from memorybank.text.prompts.stated import CONSTRAINT as CONSTRAINT_KIND
from memorybank.text.prompts.stated import ENVIRONMENT as ENVIRONMENT_KIND
from memorybank.text.prompts.statements import kind_of, statements
from memorybank.text.prompts.superseding import supersedes
from memorybank.text.prompts.traits import traits

CONSTRAINT = [
    "the legacy tables should not be altered ever",
    "do not rebase anything",
    'I allow you to push with "--force-with-lease"',
    "We need to make sure that once there is a second shop the receipt won't say \"Otter\" but the shop's name.",
    "never touch the vendored folder",
    "Don't push anything without asking me first.",
    "you are allowed to run the migrations on the dev database",
    "The payments table must never be truncated.",
    "nobody should edit files under gen/ by hand",
    "the public API must not change in a patch release",
    "We should not log e-mail addresses.",
    "Force pushing is forbidden here",
    "You must ask before you install anything.",
    "Only the release job may write to the bucket.",
    "every handler must validate its input",
    "All timestamps are stored in UTC",
    "make sure the exporter never writes outside its folder",
    "never merge without a green build",
    "tests should never hit the network",
    "don't add comments to the code unless it is really needed",
    "スキーマは絶対に変更しないでください",
    "mainへの直接プッシュは禁止です",
    "本番データベースには触ってはいけません",
    "勝手にパッケージを追加しないで",
    "`--no-verify` でコミットしてもいいです",
    "APIのレスポンス形式を変えてはいけない",
    "公開APIは変更不可です",
    "Under no circumstances should the agent delete branches.",
    "Secrets must not end up in the logs.",
    "Do not use any in TypeScript.",
    "please don't ever use git add -A",
    "Migrations may not be edited after they are merged.",
    "Never add co-author lines to commits",
    "We never use default exports.",
    "テストでネットワークを使わないでください",
    "mainブランチでは作業しないこと",
    "レビューなしでマージしないでください",
    "Generated clients must never be edited by hand",
    "You may delete the sandbox database whenever you like",
    "no direct writes to the ledger table, ever",
    "we cannot touch the billing API before the audit",
    "the CSV format has to stay backwards compatible",
    "please never bump major versions on your own",
    "nothing in core/ may import from ui/",
    "Only maintainers can approve releases",
    "it is fine to skip the hooks for docs-only commits",
    "設定ファイルを直接編集してはいけません",
    "秘密鍵は絶対にコミットしないこと",
]
PREFERENCE = [
    "We follow conventional commits",
    "we squash commits when merging",
    "British English everywhere please",
    "drop it for good, no need to deprecate it",
    "I prefer early returns over nested ifs",
    "I'd rather have one long test than five tiny ones",
    "We don't want any new dependencies for this",
    "please use British spelling",
    "No emojis in commit messages.",
    "no abbreviations in variable names please",
    "I don't like comments that repeat the code",
    "I hate barrel files",
    "always show me the plan first",
    "by default use the dark theme in screenshots",
    "keep functions under forty lines, in general",
    "Answer in Japanese please",
    "In this project we write docs in Markdown",
    "always run make fmt together with make lint",
    "Commit messages must start with the ticket number.",
    "I want small commits, always",
    "今後は英語でコミットメッセージを書いて",
    "コメントは日本語で統一してください",
    "短い関数のほうが好みです",
    "絵文字は不要です",
    "テストは毎回書いてください",
    "変数名は省略しないほうがいいです",
    "I want you to always write the test first",
    "Always ask before running anything destructive",
    "Let's stick with tabs everywhere",
    "I like short function names",
    "Use conventional commits",
    "Run `bun test` instead of `npm test` in this repo.",
    "don't create summary markdown files",
    "no mocks in integration tests please",
    "Don't use emojis in the code",
    "stop writing comments that explain the obvious",
    "Please write all docs in American English",
    "from here on, no more inline styles",
    "we want the CLI to stay dependency free",
    "I do not want generated files in the repository",
    "コミットメッセージは英語で書いてください",
    "必ずPRを経由してください",
    "依存パッケージは増やさないでほしい",
    "関数名はスネークケースで統一",
    "I want commits to be atomic",
    "Please be brief in your answers",
    "I'd like all messages in sentence case",
    "we favour composition over inheritance",
    "use snake_case for file names",
    "stick to the existing naming scheme",
    "imports should be sorted alphabetically",
    "Always pull before you start",
    "for database changes always write a migration",
    "返答は短くしてください",
    "テスト名は日本語でお願いします",
    "今後はconsole.logを使わないでください",
]
ENVIRONMENT = [
    "we use pnpm, not npm",
    "We are using Postgres 16 in production",
    "our CI runs on self-hosted runners",
    '"make check" is failing since the upgrade',
    "pnpm test:e2e is flaky",
    "The staging server is called heron",
    "the config lives in etc/heron.toml",
    "we don't have Docker on the build machines",
    "I'm on macOS with fish",
    "`old-sync` is deprecated",
    "The API is rate limited to ten requests a second.",
    "the database runs on port 5433",
    "we deploy from the release branch every Tuesday",
    "legacy/ is read-only",
    "FYI the linter config is generated by the build",
    "my machine has only 8 GB of memory",
    "remember that Mia owns the billing module",
    "パッケージ管理には pnpm を使っています",
    "CIはGitHub Actionsで動いています",
    "設定ファイルは config/ にあります",
    "Dockerは使っていません",
    "`npm run e2e` が失敗します",
    "旧APIは非推奨です",
    "検証サーバーはherokuで運用しています",
    "ステージングのURLは覚えておいて: stg.example.org",
    "The frontend lives in web/",
    "the e2e suite needs a running redis on port 6380",
    "`make lint` doesn't work on Windows",
    "our monorepo uses turborepo",
    "The mobile app isn't maintained anymore",
    "this project targets Python 3.11 only",
    "デプロイは金曜日にはしません",
    "ローカルのDBはポート5433で動いています",
    "このリポジトリではyarnを使います",
    "私はWindowsを使っています",
    "The worker needs Redis 7 or newer",
    "node_modules is checked in on purpose",
    "the old dashboard was retired in March, ignore it",
    "tests only pass with TZ=UTC",
    "`make docs` takes about ten minutes",
    "We host everything at Hetzner",
    "docker is not installed on this machine",
    "release notes go into docs/releases",
    "ビルドには20分かかります",
    "開発環境はDockerのみです",
    "このプロジェクトのNodeは22です",
]
PROCEDURE = [
    "before you commit, run the formatter",
    "After changing the schema run `just gen`",
    "Bump the version before releasing",
    "when you add a new endpoint, update the OpenAPI file",
    "to run the tests use ./dev test",
    "whenever you edit a migration, ask me",
    "Remember to rebuild the index after a pull.",
    "you need to start the emulator first before the tests",
    "コミット前に必ず lint を通してください",
    "マージしたら変更履歴を更新して",
    "リリースする際はバージョンを上げること",
    "After every change to the proto files you have to run buf generate",
    "Before pushing, rebase onto main",
    "keep the README in sync with the flags whenever you change them",
    "コードを変更したら必ずドキュメントも更新してください",
    "Run codegen after every schema change",
    "Once a feature is merged, delete its branch",
    "リリース前に必ずCHANGELOGを更新",
    "PRを出す前にテストを通すこと",
]
NOTHING = [
    "島嶼部の加算額を880→990にしてほしいとサポートから。",
    "件数が経理の手元の数と合わない。",
    "通知が端末に出ないんですが、",
    "can you explain why the build is slow?",
    "let's go with option 2",
    "commit this",
    "yes",
    "don't change anything yet, just tell me",
    "don't fix anything, only check",
    "please revert that",
    "The page is blank when I log in",
    "I got this error when running the app",
    "it still doesn't work",
    "we should add a button to the header",
    "can we make it a bit wider?",
    "I think we should rename this to cleanup",
    "maybe we should never show this",
    'what does "never" mean in the docs?',
    "is the cache always cleared?",
    "should we always use UTC?",
    "I wonder if we use this anywhere",
    "add a field called always_on",
    "rename the never-used variable",
    "never mind, continue",
    "I never saw this error before",
    "It never returns",
    "the loader always spins",
    "use the factory in src/app.py",
    "Please remove the button",
    "The first run took ten minutes",
    "now it works, thanks",
    "I tried it again and got the same result",
    "we have a bug in the parser",
    "we need to fix the header now",
    "we need a new endpoint for the export",
    "the issue is that the id is missing",
    "the problem is in the loader",
    "how do we deploy this?",
    "did we merge that already?",
    "The tests pass now",
    "tests are failing",
    "Can you look at the logs?",
    "create a new branch from main",
    "Write a script that prints the time",
    "I have updated the file, check again",
    "this is not what the design shows",
    "for now use the mock",
    "don't commit yet",
    "this time use the old layout",
    "let's try the second approach",
    "I like the second proposal",
    "show the total everywhere?",
    "where is this used everywhere",
    "there should be a space before the icon",
    "it should not be in the sidebar but under the title",
    "sort by date",
    "the branch is behind main",
    "we just merged it",
    "we got a report that it crashed",
    "I'm going to lunch",
    "I'm running the tests now",
    "can you run the linter",
    "push it",
    "Great, that looks good.",
    "テストを直して",
    "この関数を説明してください",
    "なぜ失敗するのですか？",
    "ログイン画面を追加して",
    "今回はテストを書かないで",
    "とりあえず動くようにして",
    "テストが落ちています",
    "昨日の変更を確認して",
    "これは何ですか",
    "必ず必要ですか？",
    "ボタンを右に移動して",
    "いつも使っているのはどれ？",
    "コミットして",
    "プッシュしてください",
    "名前を変えてください",
    "エラーが出ます",
    "次の修正をお願いします",
    "画面が白くなります",
    "ありがとう、動きました",
    "どこで使っているか調べて",
    "設定ファイルはどこにありますか",
    "このファイルを消して",
    "Use the blue color for the header",
    "Never got around to it, sorry",
    "can we use pnpm for this?",
    "The tests should pass now",
    "we run into an error when starting the app",
    "we use the wrong id here, please fix",
    "When I click the button nothing happens",
    "After the last change the page is empty",
    "before I forget, the header is too large",
    "I prefer option 2",
    "I'd rather go with the first proposal",
    "we have now three buttons, remove one",
    "The list should only show open items",
    "the modal must close when I press escape",
    "make sure the button works",
    "Ensure the text is readable in dark mode",
    "it should always be the last tab",
    "we should not show the spinner here",
    "Do you always do it like this?",
    "do not remove the footer",
    "don't use the old component here",
    "the header is now too high, it should be 40px",
    "no need to change the tests",
    "the api is down",
    "I always get a 404",
    "テストを実行して",
    "ヘッダーを消してください",
    "ここでは使わないで",
    "前のコミットに戻して",
    "Can you increase the font size?",
    "add pagination to the list",
    "it says connection refused",
    "the second one please",
    "what do you suggest?",
    "I see two buttons now",
    "let's merge it",
    "which file did you change",
    "I don't see the change",
    "Looks good, but the margin is off",
    "rename it to Ledger",
    "Now do the same for the other page",
    "the tests in ledger_test are red",
    "Could you write a summary of the changes?",
    "move it above the title",
    "the title must be bold",
    "Only show it on mobile",
    "run it again",
    "I restarted the server and it's the same",
    "this is weird, it worked before",
    "don't forget the footer",
    "please check the console",
    "show me the diff",
    "I need a script that exports the users",
    "we should move this into a service",
    "The import should be faster",
    "why is there a never type here",
    "there is always one row missing",
    "you always forget the semicolon",
    "もう一度実行してください",
    "文字を大きくして",
    "二番目でお願いします",
    "これで大丈夫です",
    "この行は不要なので消して",
    "どのファイルを変えましたか",
    "前に戻ってください",
    "一覧にページ送りを追加",
]

KINDS = {"constraint": CONSTRAINT, "preference": PREFERENCE, "environment": ENVIRONMENT, "procedure": PROCEDURE}


def kinds(prompt: str) -> list[str]:
    return [statement.kind for statement in statements(prompt)]


@pytest.mark.parametrize(("kind", "prompt"), [(kind, prompt) for kind, prompts in KINDS.items() for prompt in prompts])
def test_what_lasts_is_kept_with_its_kind(kind, prompt):
    (found,) = statements(prompt)
    assert found.text == prompt
    # Whether a rule is a constraint, a preference or a procedure changes nothing but its label; a fact is recalled elsewhere than a rule.
    assert (found.kind == "environment") == (kind == "environment")
    assert found.subject


@pytest.mark.parametrize("prompt", NOTHING)
def test_what_is_of_the_moment_is_not_kept(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize("prompt", [*CONSTRAINT, *PREFERENCE])
def test_a_question_about_it_states_nothing(prompt):
    japanese = any("ぁ" <= sign <= "ヿ" for sign in prompt)
    assert statements(prompt.rstrip(".。") + ("のですか？" if japanese else ", right?")) == []


def test_the_sentence_is_told_from_its_neighbours():
    prompt = "The page loads now. We deploy from the release branch. Then fix the footer!"
    assert [statement.text for statement in statements(prompt)] == ["We deploy from the release branch."]
    prompt = "画面は出ました。今後は共通のクライアントを使ってください。次にフッターを直して。"
    assert [statement.text for statement in statements(prompt)] == ["今後は共通のクライアントを使ってください。"]


def test_several_are_kept_in_order():
    assert kinds("We use pnpm here. Never commit the lock file of npm. I prefer small commits.") == ["environment", "constraint", "preference"]


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [
        ("No unwrap in a route! I said that already.", ["No unwrap in a route!"]),
        ("Squash the migrations of a branch. As always.", ["Squash the migrations of a branch."]),
        ("You left three unwraps. You know that.", []),
        ("I said that already.", []),
        ("How many times?", []),
        ("DBのテストは結合で。前にも言いました。", ["DBのテストは結合で。"]),
        ("画面が白い。さっきも言った。", []),
        ("前にも言いました。", []),
    ],
)
def test_what_is_said_again_is_the_sentence_before(prompt, texts):
    assert [statement.text for statement in statements(prompt)] == texts


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("You delete the log in the fixture. Don't do that in future.", "You delete the log in the fixture. Don't do that in future."),
        ("「修正: 〜」というコメントは消して。gitを見ればわかるんで。今後も書かないで。", "「修正: 〜」というコメントは消して。今後も書かないで。"),
    ],
)
def test_what_holds_from_now_on_is_the_sentence_before(prompt, text):
    assert [statement.text for statement in statements(prompt)] == [text]


@pytest.mark.parametrize(
    ("prompt", "texts"),
    [
        ("and that try/except in the view - errors go thru the handler, remove", ["errors go thru the handler, remove"]),
        ("He says in the review: never use globals in handlers.", []),
    ],
)
def test_a_part_of_a_sentence_can_last(prompt, texts):
    assert [statement.text for statement in statements(prompt)] == texts


def test_what_is_to_be_remembered_is_the_sentence_before():
    assert [statement.text for statement in statements("The staging host is heron. Please remember that.")] == ["The staging host is heron."]
    assert [statement.text for statement in statements("本番のホストは鷺です。覚えておいてください。")] == ["本番のホストは鷺です。"]


def test_a_correction_is_kept_when_it_says_what_is_wanted():
    assert kinds("No, it should be forty requests a second") == ["correction"]
    assert kinds("違います。制限は四十リクエストです。") == ["correction"]
    for told_nothing in ("stop", "No.", "wrong", "please revert that", "undo it", "違います", "元に戻して"):
        assert statements(told_nothing) == []


def test_pasted_text_states_nothing():
    rule = "Never push to main."
    assert kinds(rule) == ["constraint"]
    for prompt in (
        f"Implement the following plan:\n\n# Plan\n\n- {rule}",
        f"look at this\n```\n{rule}\n```",
        f"> {rule}",
        f"# Guide\n\n{rule}\n\n## More\n\n{rule}",
        f"<task-notification>{rule}</task-notification>",
    ):
        assert statements(prompt) == [], prompt


def test_a_long_sentence_is_kept_whole_and_a_longer_one_was_pasted():
    (found,) = statements("We never use " + "the generated client " * 15 + "here.")
    assert found.text.endswith("here.")
    assert statements("We never use " + "the generated client " * 40 + "here.") == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We use npm.", "We use pnpm instead of npm now."),
        ("Indent with tabs everywhere.", "From now on, indent with spaces."),
        ("Never push to main.", "you are allowed to push to main from now on"),
        ("コメントは日本語で統一してください", "今後はコメントは英語で統一してください"),
        ("The staging server is called heron.", "The staging server is called otter."),
        ("Always squash when merging pull requests.", "Never squash, use merge commits."),
        ("Always use yarn in this repo.", "Use pnpm from now on."),
        ("Always use tabs for indentation.", "From now on we indent with spaces."),
        ("パッケージは必ず yarn で入れてください", "今後は pnpm を使ってください"),
        ("CI runs on Jenkins.", "CI no longer runs on Jenkins, it runs on GitHub Actions."),
    ],
)
def test_a_later_statement_on_the_same_subject_supersedes(old, new):
    (older,), (newer,) = statements(old), statements(new)
    assert supersedes(newer, older)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Never push to main.", "Never push to a release branch."),
        ("`make lint` is failing", "`make docs` is failing"),
        ("I prefer small commits.", "I prefer early returns over nested ifs."),
        ("We use pnpm here.", "The staging server is called otter."),
        ("コメントは日本語で統一してください", "関数名はスネークケースで統一"),
        ("Always run the tests.", "Never run the tests on a Friday evening."),
        ("Always squash commits.", "Never squash commits on release branches."),
        ("Always run yarn lint before a commit.", "Use pnpm from now on."),
        ("Always use yarn in this repo.", "Always use pnpm in apps/web."),
        ("Always use yarn in this repo.", "Use bun as well from now on."),
    ],
)
def test_another_subject_stays(old, new):
    (older,), (newer,) = statements(old), statements(new)
    assert not supersedes(newer, older)


def test_expectations_supersede_nothing():
    stated = Statement("constraint", "Never push to main.", "main push")
    assert not supersedes(Statement("expectation", "did you push to main?", "main push"), stated)


@given(st.text(max_size=300))
def test_any_text_is_taken(text):
    found = statements(text)
    assert len(found) <= 8
    assert all(len(statement.text) <= 400 and statement.subject == " ".join(sorted(statement.subject.split())) for statement in found)


PIECES = [
    "we never ",
    "should ",
    "always ",
    "not ",
    "make sure ",
    "commit ",
    "before ",
    ", ",
    ": ",
    '"',
    "`a` ",
    "a.",
    "\n",
    "  ",
    "は",
    "ないで",
    "こと",
    "。",
    "x" * 50,
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6), st.booleans())
def test_a_hundred_kilobytes_are_read_in_bounded_time(pieces, lines):
    piece = "".join(pieces) + ("\n" if lines else "")
    text = piece * (100_000 // len(piece))
    started = time.process_time()
    statements(text)
    assert time.process_time() - started < 5


def test_a_sentence_without_end_is_nobodys():
    started = time.process_time()
    assert kind_of("we should never " * 10_000) is None
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        ("Use bin/image instead of docker build, it sets the platform. Always.", "Use bin/image instead of docker build, it sets the platform."),
        ("イメージは bin/image で作って。いつも。", "イメージは bin/image で作って。"),
        ("We moved to pixi, always add libraries with it.", "We moved to pixi, always add libraries with it."),
        ("Always py-spy, cProfile distorts everything.", "Always py-spy, cProfile distorts everything."),
    ],
)
def test_what_is_always_wanted_is_a_preference(prompt, said):
    assert [(statement.kind, statement.text) for statement in statements(prompt)] == [("preference", said)]


@pytest.mark.parametrize("prompt", ["Does it crash on every start? Always.", "always"])
def test_always_alone_says_nothing(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Jest is gone; vitest runs the tests now.",
        "We switched to bun, please stop using pnpm.",
        "There is a wrapper for terraform: bin/tf.",
        "bin/migrate has to run before the tests, they fail on an old schema.",
        "Production logs only through bin/audit-logs.",
        "terraform は bin/tf 経由で呼んでください。",
        "jest は廃止したので vitest で実行してください。",
        "テストの前に docker compose up db を実行してください。",
        "今日から yarn ではなく pnpm にします。",
        "cargo test ではなく cargo nextest です。",
    ],
)
def test_what_is_said_about_tools_lasts(sentence):
    assert len(statements(sentence)) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "We moved on to the next ticket.",
        "Is there a script for that?",
        "The button should be gone after the click.",
        "Please add a flag --dry-run to bin/ship.",
        "Use foo.ts for this one, not bar.ts.",
        "Before we continue, show me the diff.",
        "ブランチを feature/x に切り替えました。続けて。",
        "src/a.py ではなく src/b.py です。",
        "--dry-run を bin/ship に追加してください。",
        "消す前に差分を見せてください。",
    ],
)
def test_what_is_said_about_the_task_at_hand_does_not_last(sentence):
    assert statements(sentence) == []


@pytest.mark.parametrize(
    "said",
    [
        "You should never have deleted that file.",
        "You never should have pushed to main.",
        "You should have run the tests before committing.",
        "That must never have been committed to main, it should not have been pushed.",
        "スキーマを勝手に変更すべきではなかったのに。",
        "必ず先にテストを実行するべきだった。",
    ],
)
def test_a_reprimand_is_at_most_a_correction(said):
    assert all(statement.kind == "correction" for statement in statements(said))


@pytest.mark.parametrize(
    "prompt",
    [
        "test_cart in CI fails every fifth run or so: the port is taken. locally never. please find the cause",
        "the export hangs every second night. on my machine never. find out why",
    ],
)
def test_a_report_that_says_where_it_never_happens_is_no_rule(prompt):
    assert statements(prompt) == []


def test_what_ends_one_rule_and_gives_another_is_a_rule():
    (found,) = statements("海外の人も読むので、変更履歴はもう日本語で書かなくていいです。これからは英語で書いてください")
    assert {PERMISSION, FOR_GOOD, ALLOWING}.isdisjoint(traits(found.kind, found.text))


@pytest.mark.parametrize(
    ("prompt", "kind"),
    [
        ("there is no staging in this project", ENVIRONMENT_KIND),
        ("there's no origin here", ENVIRONMENT_KIND),
        ("TODOs always carry the number of an issue", CONSTRAINT_KIND),
        ("there is no error here", None),
        ("users always get a 404", None),
    ],
)
def test_what_a_project_lacks_is_a_fact_and_what_a_kind_always_has_is_a_rule(prompt, kind):
    found = statements(prompt)
    assert len(found) == (kind is not None)
    assert [one.kind == ENVIRONMENT_KIND for one in found] == ([kind == ENVIRONMENT_KIND] if kind else [])


@pytest.mark.parametrize(
    "prompt",
    [
        "Unless you're trying to say everything we did is wrong and we need to start over at phase 0",
        "2.3 is checked in and merged to main.",
        "[plugin:vite:css] [postcss] ENOENT: no such file or directory, open 'D:\\work\\site\\theme'",
        "NOTHING LOOKS EVEN REMOTELY LIKE THE SKETCH, LET ALONE LIKE A GOOD PAGE.",
        "Stop rewriting and explain your choice of colours.",
        "After a short time, throughput drops to .2MB/s with 3 open streams.",
        "when a new frame is drawn there are no handles or other means to move it.",
        "Your changes are not fixing it at all",
        "実装をやめて、設計の理由を説明して",
        "ok phase 4 is done and pushed to main",
        "新しい 12.md を作成するべきです。",
        "従来の書式に従うべきだ。",
        "（もちろん実行順は圧縮が終了した後だ）",
        "Saved page ... が同時に出るので意味をなしていません。",
        "索引もしくは別表と言ったファイルをリンクできれば解決できたりしないか。",
        "元の表は残すべきではないと言いたいのなら、索引は絶対に消すべきです。",
    ],
)
def test_what_is_done_due_or_supposed_now_does_not_last(prompt):
    assert not statements(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Unless I say otherwise, never push to main.",
        "Feature branches are merged into develop.",
        "テストは常に書くべきです。",
        "変更したら履歴を更新するべきです。",
        "規約に従うべきです。",
        "コミット時にはテストを実行する",
        "新しい機能にはテストを追加するべきです。",
        "すべての関数に型を追加すべきです。",
        "従来の書き方は禁止です。",
        "Stop committing to main and always use branches.",
        "Nothing is ever committed to main.",
        "After merging, the branch is deleted.",
        "コメントを書くのをやめて、今後は関数名で説明して",
        "同時に二つのマイグレーションを走らせないでください。",
        "意味がないコメントは書かないでください。",
        "破壊的な変更ということなら、必ず先に聞いてください。",
        "コミット前に、変更履歴を更新したか。",
        "If you are trying to run the tests, always use docker.",
        "Unless you mean the legacy API, always use /v2.",
    ],
)
def test_what_holds_beyond_the_moment_lasts(prompt):
    assert [one.text for one in statements(prompt)] == [prompt]


def test_a_particle_after_a_full_stop_begins_the_next_sentence():
    assert [one.text for one in statements("Always use uv. がんばって")] == ["Always use uv."]
    assert [one.text for one in statements("mainには絶対にpushしない. で、READMEも直して")] == ["mainには絶対にpushしない."]

"""A permission ends only the rule that it names, and rules about different things stay apart: in doubt both are kept."""

import pytest

from memorybank.text.about import differ
from memorybank.text.ending import ends
from memorybank.text.permissions import LASTING, only_allows, permission_of
from memorybank.text.sentences import sentences
from memorybank.text.stated import CONSTRAINT, Statement
from memorybank.text.statements import statements, subject
from memorybank.text.superseding import supersedes

STAYS = [
    ("Never delete customer records.", "You can delete test records from now on."),
    ("Never delete customer records.", "You can delete the log files from now on."),
    ("Never delete customer records.", "You can delete records from now on."),
    ("Never delete records.", "You can delete test records from now on."),
    ("Never commit directly to main.", "You can commit directly to develop from now on."),
    ("Never run the load test against production.", "You can run the load test against staging from now on."),
    ("Never restart the payment service during the day.", "You can restart the search service during the day from now on."),
    ("Never force-push to a shared branch.", "It's fine to force-push to your own branch again."),
    ("Never force push to main.", "You can push again from now on."),
    ("Never push to main, always open a pull request.", "You can push to develop from now on."),
    ("Never push to main, and never delete customer records.", "You can push to main from now on."),
    ("Never push to main; always run the tests before you commit.", "You can push to main from now on."),
    ("Never copy data to production.", "You can copy data from production from now on."),
    ("Never turn off the linter.", "You can turn up the linter from now on."),
    ("Never use print for logging, use structlog.", "You can use structlog from now on."),
    ("Never use print for logging, use structlog.", "You can use structlog without asking from now on."),
    ("Please use uv, not pip, for everything here.", "You can use pip inside the Dockerfile from now on."),
    ("Always ask before you add a dependency.", "You don't need to ask before you add a test any more."),
    ("Always ask before you add a dependency.", "You don't need to ask any more."),
    ("Always run the full test suite before a release.", "We no longer need the release notes before a release."),
    ("Never commit without a ticket number.", "You can commit without a changelog entry from now on."),
    ("Only write to app/messages.py.", "You can write to app/messages.py from now on."),
    ("Never push to main.", "You can push to main from now on, but not on Fridays."),
    ("Never write migrations by hand.", "Forget the rule about writing tests by hand."),
    ("Don't edit the schema of the ledger.", "In the playground you can edit the schema of the ledger from now on."),
    ("本番のログは絶対にダウンロードしないでください。", "ステージングのログは今後ダウンロードしてもいいです。"),
    ("本番のログは絶対にダウンロードしないでください。", "今後はダウンロードしてもいいです。"),
    ("顧客のデータは絶対に削除しないでください。", "今後はテストのデータは削除してもいいです。"),
    ("顧客のデータは絶対に削除しないでください。", "今後はデータを削除してもいいです。"),
    ("本番のデータベースには絶対に直接接続しないでください。", "開発のデータベースには今後は直接接続してもいいです。"),
    ("mainに直接コミットしないでください。", "今後は設定ファイルもコミットしていいです。"),
    ("mainに直接コミットしないでください。", "もうdevelopに直接コミットしていいです。"),
    ("mainに直接プッシュしないでください。", "今後はプッシュしていいです。"),
    ("新しいライブラリを追加する前に必ず聞いてください。", "今後はテストを追加する前に聞かなくてもいいです。"),
    ("コミットの前に必ず make lint を実行してください。", "make test はもう不要です。"),
    ("説明は短くしてください。", "コミットメッセージはもう短くしなくていいです。"),
    ("変更履歴は必ず更新してください。", "翻訳ファイルはもう更新しなくていいです。"),
    ("ファイルをまとめないでください。", "今後はファイルをわけていいです。"),
    ("テストデータを消さないでください。", "今後はデータを消していいです。"),
    ("本番には触らないこと。", "今後は検証には触っていいです。"),
    ("mainにプッシュしないで、顧客のデータも消さないでください。", "もうmainにプッシュしていいです。"),
    ("テスト用のデータは本番からコピーしないでください。", "今後は検証からコピーしてもいいです。"),
    ("画像は必ず圧縮してください。", "動画の圧縮はもう不要です。"),
    ("請求の設定を変更しないでください。", "もう検索の設定を変更していいです。"),
    ("社外にメールを送らないでください。", "今後は社内にメールを送っていいです。"),
    ("mainへのプッシュは禁止です。", "タグのプッシュ禁止のルールは忘れてください。"),
    ("コメントは英語で書いてください。", "READMEはもう英語で書かなくていいです。"),
    ("mainにプッシュしないでください。", "今後はmainにプッシュしていいです。ただし金曜は除きます。"),
    ("レビューなしでマージしないでください。", "今後はテストなしでマージしていいです。"),
    ("依存関係は勝手に追加しないでください。", "依存関係の更新は今後は勝手にしていいです。"),
]
STAYS += [
    ("Never delete customer records.", "Forget the rule about records."),
    ("Never push to main.", "I changed my mind on pushing to develop, it's fine."),
    ("Never call the payment API from tests.", "The payment API has a new sandbox. You can call it as often as you like."),
    ("Never restart the postgres container.", "Tell me whenever you restart the postgres container."),
    ("No deploys on Fridays.", "Fridays are fine for merging again."),
    ("Never edit generated files.", "The generated files can be edited again once the codegen is gone."),
    ("Never merge without a review.", "You can merge documentation without a review from now on."),
    ("Never use eval in templates.", "The ban on eval in scripts is lifted."),
    ("Never deploy without approval.", "We no longer need approval for staging deploys."),
    ("本番のDBは触らないで。", "検証のDBはもう触っていいです。"),
    ("Never push to main.", "You can push to main from now on. But not on Fridays."),
]
ENDS = [
    ("テスト用のデータは本番からコピーしないでください。", "今後は本番からコピーしてもいいです。"),
    ("Never call the payment API from tests.", "The payment API has a new sandbox. Tests may call it now, as often as they like."),
    ("Never commit directly to main.", "Actually, you can commit directly to main from now on."),
    ("Never push to main, always open a pull request.", "You can push to main directly from now on."),
    ("And never push to main directly, open a pull request, even for one-line changes.", "You can push to main directly from now on."),
    ("And never push to main directly, open a pull request, even for one-line changes.", "Forget the rule about pushing to main."),
    ("And never push to main directly, open a pull request, even for one-line changes.", "It's fine to push to main directly again."),
    ("We don't deploy on Fridays, by the way, nobody is on call on Saturday.", "You can deploy on Fridays from now on."),
    ("But please use uv, not pip, for everything here.", "You can use pip from now on."),
    ("Use uv instead of pip.", "You can use pip from now on, the mirror works."),
    ("Never run migrations by hand, not even locally.", "You can run migrations by hand from now on."),
    ("Don't touch app/payment.py, Kenji is rewriting the payment module.", "You can touch app/payment.py from now on."),
    ("Don't touch app/payment.py, Kenji is rewriting the payment module.", "Forget the rule about app/payment.py, Kenji is done."),
    ("Never delete customer records, ask legal first.", "You can delete customer records from now on."),
    ("Never commit directly to main, because CI does not run there.", "Since CI runs there, you can commit directly to main from now on."),
    ("Always update CHANGELOG.md before you commit.", "We no longer need to update CHANGELOG.md, release-please does it."),
    ("Always update the changelog.", "You don't need to update the changelog any more."),
    ("Always ask before you push.", "You can push without asking from now on."),
    ("Never merge without a review.", "You can merge without a review from now on."),
    ("Force pushing to release is forbidden.", "You may force-push to release from now on."),
    ("Don't forget to tag the release.", "You no longer need to tag the release."),
    ("Never edit the vendored files.", "The ban on editing the vendored files no longer applies."),
    ("mainに直接コミットしないでください。", "もうmainに直接コミットしていいです。"),
    ("mainに直接コミットしないでください。", "mainへの直接コミット禁止のルールは忘れてください。"),
    ("日本語のエラーメッセージは必ず app/messages.py にだけ書いてください。ルーターに直接書かないこと。", "もうルーターに直接書いていいです。"),
    (
        "日本語のエラーメッセージは必ず app/messages.py にだけ書いてください。ルーターに直接書かないこと。",
        "日本語のエラーメッセージは今後はルーターに直接書いてもいいです。",
    ),
    ("テスト用のデータは本番からコピーしないでください。", "今後はテスト用のデータを本番からコピーしてもいいです。"),
    ("コミットの前に必ず make lint-ja を実行してください。", "make lint-ja はもう不要です。"),
    ("コミットの前に必ず make lint-ja を実行してください。", "コミットの前の make lint-ja はもう実行しなくていいです。"),
    ("変更履歴は必ず更新してください。", "変更履歴の更新はもう不要です。"),
    ("変更履歴は必ず更新してください。", "変更履歴はもう更新しなくていいです。"),
    ("説明は短くしてください。", "説明はもう短くしなくていいです。"),
    ("顧客のデータは絶対に削除しないでください。", "今後は顧客のデータを削除してもいいです。"),
    ("本番のログは絶対にダウンロードしないでください。", "本番のログは今後ダウンロードしても構いません。"),
    ("pipではなくuvを使ってください。", "もうpipを使っていいです。"),
    ("レビューなしでマージしないでください。", "今後はレビューなしでマージしていいです。"),
    ("ファイルをまとめないでください。", "今後はファイルをまとめていいです。"),
    ("金曜にデプロイしないで、月曜にしてください。", "もう金曜にデプロイしていいです。"),
    ("スキーマを変更しないでください。", "移行が終わったので、もうスキーマを変更していいです。"),
    ("画像は必ず圧縮してください。", "画像の圧縮はもう不要です。"),
    ("コミットメッセージは必ず英語で書いてください。", "コミットメッセージはもう英語で書かなくていいです。"),
    ("社外にメールを送らないでください。", "これからは社外にメールを送ってもいいです。"),
]
OTHER_THINGS = [
    ("The billing service must always be restarted with make billing.", "The search service must always be restarted with make search."),
    ("本番のDBには直接接続しないでください。", "検証のDBには直接書き込まないでください。"),
    ("Never deploy to production on Fridays.", "Never deploy to staging on Mondays."),
    ("Never delete customer records.", "Never delete test records."),
    ("Always use port 8081 for the billing service.", "Always use port 8092 for the search service."),
    ("APIのエラーは必ず英語で返してください。", "画面のエラーは必ず日本語で返してください。"),
    ("We use Jest for the frontend tests.", "We use pytest for the backend tests."),
    ("顧客のデータは削除しないでください。", "注文のデータは削除しないでください。"),
    ("The production server is called heron.", "The staging server is called otter."),
    ("From now on, restart the billing service with make billing.", "From now on, restart the search service with make search."),
]
SAME_THING = [
    ("Indent with tabs everywhere.", "From now on, indent with spaces."),
    ("The staging server is called heron.", "The staging server is called otter."),
    ("コメントは日本語で統一してください", "今後はコメントは英語で統一してください"),
    ("Never push to main.", "Never push to main directly, please."),
    ("Keep lines under 100 characters.", "Keep lines under 120 columns."),
    ("本番のサーバーは鷺です。", "本番のサーバーは鶴です。"),
]


@pytest.mark.parametrize(("rule", "permission"), STAYS)
def test_a_rule_that_a_permission_does_not_name_stays(rule, permission):
    assert not ends(permission, rule)


@pytest.mark.parametrize(("rule", "permission"), ENDS)
def test_a_permission_that_names_the_rule_ends_it(rule, permission):
    assert permission_of(permission) == LASTING
    assert ends(permission, rule)


@pytest.mark.parametrize(("one", "other"), OTHER_THINGS)
def test_sentences_that_name_different_things_differ(one, other):
    assert differ(one, other) and differ(other, one)


@pytest.mark.parametrize(("older", "newer"), SAME_THING)
def test_another_value_of_the_same_thing_is_no_other_thing(older, newer):
    assert not differ(newer, older)


KEPT_BOTH = [
    ("Always restart the billing service with make restart.", "Never restart the search service with make restart."),
    ("The timeout is 30 seconds.", "The upload timeout is now 60 seconds."),
    ("Our hosting is on Heroku.", "We moved all logs off Heroku to Datadog."),
    ("インフラはHeroku。", "ログはHerokuからDatadogに移行しました。"),
    ("The database is PostgreSQL 16.", "The test database is SQLite now."),
    ("Don't deploy on Fridays.", "Don't deploy on Mondays."),
    ("Deploys happen on Fridays.", "Staging deploys happen on Mondays."),
    ("The lead for ingest is Marta.", "Marta is now also the lead for billing."),
    ("Never use more than 4 workers.", "Never use more than 8 threads."),
    ("DBのタイムアウトは30秒です。", "APIのタイムアウトは今は60秒です。"),
    ("Use port 8080 for the API.", "Use port 9090 for the metrics of the API."),
    ("The worker retries 3 times.", "The mail worker now retries 5 times."),
    ("The API key lives in Vault.", "The signing key moved from Vault to KMS."),
    ("公開APIは変更しないでください。", "内部実装は自由に変えて大丈夫ですが、公開APIは引き続き変更しないでください。"),
]
REPLACED = [
    ("Sprint planning is on Mondays.", "Sprint planning got moved to Tuesdays."),
    ("Our hosting is on Heroku.", "We finished moving everything off Heroku, it all runs on Fly.io."),
    ("病棟一覧の更新間隔は5分です。", "病棟一覧の更新間隔は60秒に縮めました。"),
    ("Call me Alexander.", "Just call me Alex."),
    ("ビルドはmake allで", "make allは廃止、ビルドはjust buildで"),
]


def said(text):
    return Statement(CONSTRAINT, text, subject(text))


@pytest.mark.parametrize(("older", "newer"), KEPT_BOTH)
def test_what_is_narrower_or_holds_besides_replaces_nothing(older, newer):
    assert not supersedes(said(newer), said(older))


@pytest.mark.parametrize(("older", "newer"), REPLACED)
def test_another_value_of_the_same_thing_replaces_it(older, newer):
    assert supersedes(said(newer), said(older)) and not supersedes(said(older), said(older))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You can push to main from now on.", True),
        ("You don't need to update CHANGELOG.md for this one, it is only a typo.", True),
        ("Run the linter whenever you change a file.", False),
        ("The cache can be cleared now with make clean.", False),
        ("Tests must pass before you can merge.", False),
        ("見出しはいらない、次から", False),
    ],
)
def test_only_what_allows_something_is_a_permission(text, expected):
    assert only_allows(text) is expected


RUNS = [
    "SQLは必ず app/queries にまとめてください。他の場所には書かないでください。",
    "The clients in sdk/ are generated from openapi.yaml. Never edit them by hand. Run make sdk instead.",
    "ログに個人情報を出さないでください。メールアドレスも含みます。電話番号も同じです。",
    "環境変数は config/env.yaml に書きます。.env には絶対に書かないこと。",
    "I looked at the tests. They are slow. Always run them with -n auto, please.",
    "Releases are cut by Aiko. Don't do it yourself. Ask her on Slack first, she is in UTC+9.",
    "You can push to main from now on. But not on Fridays.",
]


@pytest.mark.parametrize("prompt", RUNS)
def test_what_goes_on_with_an_order_or_lacks_its_object_is_kept_with_it(prompt):
    assert [one.text for one in statements(prompt)] == [prompt] and len(sentences(prompt)) > 1


def test_what_points_at_nothing_is_no_statement():
    assert statements("That column is deprecated. Never write to it.") == []

"""A permission ends only the rule that it names, and rules about different things stay apart: in doubt both are kept."""

import pytest

from memorybank.text.about import differ
from memorybank.text.permissions import LASTING, ends, permission_of

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
ENDS = [
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

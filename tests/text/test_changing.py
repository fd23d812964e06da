"""What an answer gives as the value of something, and what it says to be no longer so."""

import pytest

from memorybank.text.prompts.changing import changes_of, is_left, values_of
from memorybank.text.prompts.reporters import without_reporters

SAME_FRAME = (
    ("The lease of a lock is 30 seconds.", "The lease of a lock is now 45 seconds, because the disks are slow."),
    ("The admin console listens on port 7001.", "Moved: the admin console listens on port 7100 now."),
    ("The weekly digests use the template plain.", "The weekly digests use the template rich."),
    ("Thumbnails of products are 240 px wide.", "Right, thumbnails of products are 320 px wide."),
    ("検索サーバーのタイムアウトは10秒です。", "検索サーバーのタイムアウトは25秒になりました。"),
    ("帳票の用紙はA判です。", "帳票の用紙はB判にしました。"),
    ("A node counts as lost once it misses GRACE_BEATS, which is 3 beats.", "GRACE_BEATS is 5 beats now, as the field trial showed."),
)
OTHER_FRAMES = (
    ("The lease of a lock is 30 seconds.", "The lease of a session is 45 seconds."),
    ("The upload timeout is 30 seconds.", "The upload limit is 45 MB."),
    ("The old importer was 30 seconds slower.", "The old importer is 45 seconds slower."),
    ("The suite has 12 tests.", "The suite has 14 tests."),
    ("If the queue is full, the delay of a retry is 5 seconds.", "The delay of a retry is not 9 seconds."),
    ("The release is planned on 3 May.", "The release is planned on 9 May."),
    ("検索サーバーのタイムアウトは10秒です。", "検索サーバーの上限は25件です。"),
    ("以前はキャッシュの期限は10分でした。", "キャッシュの期限は25分なら足ります。"),
)
LEFT = (
    ("Invoices are rounded down per line.", "I changed the rounding of invoices from down to half-up.", False),
    ("Sessions are stored in memcached.", "Sessions moved from memcached to postgres.", True),
    ("The exporter writes its rows with pandas.", "The exporter no longer uses pandas.", True),
    ("tools/legacy_sync.py copies the orders at night.", "tools/legacy_sync.py is gone, because the shop was closed.", True),
    ("The batch mailer keeps failed mails in a ring buffer.", "The ring buffer is reverted.", True),
    ("The batch mailer keeps failed mails in a list.", "The ring buffer is reverted.", False),
    ("We never used pandas in the exporter.", "The exporter no longer uses pandas.", False),
    ("送料の計算は重量制にしました。", "送料の計算を重量制から定額制に変更しました。", True),
    ("ログの保存先はNFSです。", "ログの保存先をNFSからS3に切り替えました。", True),
    ("在庫の引当は先入れ方式にしました。", "在庫の引当は先入れ方式をやめて、期限順に変更します。", True),
    ("tools/old_sync.py が夜に注文を写します。", "店を閉めたので tools/old_sync.py を削除しました。", True),
    ("給与の計算は重量制とは関係ありません。", "送料の計算を重量制から定額制に変更しました。", False),
)
PANEL = "The `TariffPanel` is redesigned: one row for each zone, and the surcharge below."
CODE = (
    (PANEL, "- Replaced `<TariffPanel />` + the list below it with a single `<TariffTable rows={rows} />`", True),
    (PANEL, "Removed the `TariffPanel` component, `useTariff` and its tests.", True),
    (PANEL, "`TariffPanel` was merged into `TariffTable`.", True),
    (PANEL, "`TariffPanel` を `TariffTable` に置き換えました。", True),
    (PANEL, "`TariffPanel` は削除しました。", True),
    (PANEL, "Removed `TariffPanel` import from the footer", False),
    (PANEL, "Removed `TariffPanel` calls in `main.ts`", False),
    (PANEL, "The footer uses `TariffTable` instead of `TariffPanel`.", False),
    (PANEL, "Remove `TariffPanel` once the table is stable.", False),
    ("The zones are sorted before `TariffPanel` gets them.", "Removed `TariffPanel`.", False),
    ("`load_tariffs` は起動時に一度だけ読みます。", "`load_tariffs` と `tariff_cache` を削除しました。", True),
    ("起動時に一度だけ読むのは、画面と帳票と夜間の処理で同じ料金を使うためで、`load_tariffs` です。", "`load_tariffs` を削除しました。", False),
)


@pytest.mark.parametrize(("older", "newer"), SAME_FRAME)
def test_two_values_of_the_same_thing_have_one_frame(older, newer):
    (one,), (other,) = values_of(older), values_of(newer)
    assert one.frame == other.frame and one.value != other.value


@pytest.mark.parametrize(("older", "newer"), OTHER_FRAMES)
def test_what_is_of_another_thing_another_time_or_only_counted_has_no_common_frame(older, newer):
    assert {value.frame for value in values_of(older)}.isdisjoint(value.frame for value in values_of(newer))


@pytest.mark.parametrize(("older", "newer", "expected"), LEFT)
def test_what_is_said_to_be_no_longer_so_is_left(older, newer, expected):
    assert any(is_left(change, older) for change in changes_of(newer)) is expected


def test_a_text_that_tells_the_change_is_not_left_by_it():
    told = "Sessions moved from memcached to postgres."
    assert not any(is_left(change, told) for change in changes_of(told))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Mara from sales says the invoice is one cent short", "the invoice is one cent short"),
        ("It says the disk is full", "It says the disk is full"),
        ("倉庫の田中さんの指示で在庫の並びを変えます", "在庫の並びを変えます"),
        ("広報から連絡がありました。画像が出ません", "。画像が出ません"),
        ("画像から文字を読みます", "画像から文字を読みます"),
        ("A colleague from sales asks how long a hold lasts", "how long a hold lasts"),
        *((same, same) for same in ("Why does the checkout page of the shop ask for the address twice?", "The installer told us the port is taken")),
        *((same, same) for same in ("cronから、失敗の通知と問い合わせのメールが二重に出る", "決済画面から、お問い合わせフォームへの質問リンクが切れている")),
        ("お客様から、期限は何分前に切れるのかと聞かれました", "期限は何分前に切れるのかと聞かれました"),
    ],
)
def test_who_reported_something_is_not_what_it_is_about(text, rest):
    assert without_reporters(text).strip() == rest


@pytest.mark.parametrize(("older", "newer", "expected"), CODE)
def test_what_is_no_longer_in_the_code_is_left_where_a_sentence_is_about_it(older, newer, expected):
    assert any(is_left(change, older) for change in changes_of(newer)) == expected

"""Which findings say the same: retold ones do, corrected ones do not, in English and in Japanese."""

import pytest

from memorybank.cycle.know import sameness

UPLOAD = "The flaky upload came from the proxy, which drops idle connections after 30 seconds."
アップロード = "アップロードが失敗する原因は、30秒でアイドル接続を切るプロキシです。"
決済 = "決済の二重送信は、再送キューが同じ注文番号を再利用するために起きる。"


@pytest.mark.parametrize(
    ("rejected", "told"),
    [
        (UPLOAD, UPLOAD),
        (UPLOAD, "The uploads were flaky because the proxy drops idle connections after 30 s."),
        (UPLOAD, "Idle connections are dropped by the proxy after 30 seconds, so uploads flake."),
        (UPLOAD, "Root cause found: the proxy drops idle connections after 30 seconds, and that is why the upload was flaky."),
        (アップロード, "プロキシが30秒でアイドル接続を切るため、アップロードが失敗していました。"),
        (アップロード, "プロキシがアイドル状態の接続を30秒で切断することが、アップロード失敗の原因でした。"),
        (決済, "再送キューが同じ注文番号を再利用するため、決済が二重送信される。"),
        ("It works.", "it works"),
    ],
)
def test_what_is_retold_says_the_same(rejected, told):
    assert sameness.says_same(sameness.of_text(rejected), sameness.of_text(told))


@pytest.mark.parametrize(
    ("rejected", "told"),
    [
        (UPLOAD, "The flaky upload came from the load balancer, which drops idle connections after 60 seconds."),
        (UPLOAD, "The flaky upload came from the balancer, which drops idle connections after 30 seconds."),
        (UPLOAD, "The uploads were flaky because the proxy drops idle connections after 90 s."),
        (UPLOAD, "The flaky upload never came from the proxy, which drops idle connections after 30 seconds."),
        (UPLOAD, "The upload test passes now; the proxy is configured in deploy/proxy.yml."),
        (アップロード, "アップロードが失敗する原因は、30秒でアイドル接続を切るロードバランサーです。"),
        (アップロード, "アップロードが失敗する原因は、60秒でアイドル接続を切るプロキシです。"),
        (アップロード, "アップロードが失敗する原因はプロキシではなく、30秒でアイドル接続を切る設定です。"),
        (決済, "決済の二重送信は、画面のボタンが二回押せるために起きる。"),
        ("It works.", "It works since the proxy was restarted."),
        ("", ""),
    ],
)
def test_what_is_corrected_denied_or_about_something_else_does_not(rejected, told):
    assert not sameness.says_same(sameness.of_text(rejected), sameness.of_text(told))
    assert not sameness.says_same(sameness.of_text(told), sameness.of_text(rejected))


@pytest.mark.parametrize("text", [UPLOAD, アップロード])
def test_digests_compare_as_their_words_do_and_contain_none(text):
    one = sameness.of_text(text).keyed(b"k" * 32)
    other = sameness.of_json(one.to_json())
    assert other is not None
    assert sameness.says_same(one, other)
    assert not sameness.says_same(sameness.of_text(text).keyed(b"x" * 32), other)
    assert not set(sameness.of_text(text).terms) & set(one.terms)


@pytest.mark.parametrize("value", [None, [], {"terms": "x"}, {"terms": [1], "names": []}, {"terms": []}])
def test_words_that_cannot_be_read_are_none(value):
    assert sameness.of_json(value) is None

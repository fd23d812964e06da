"""The names that the message of an error is about, by which two errors are the same."""

import pytest

from memorybank.text.commands.error_names import are_of_one_error, is_about, message_of, names_of


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Error: print: Error: ENOENT: no such file, open '/a/node_modules/pdfkit/js/data/Helvetica.afm'", ["helvetica.afm", "pdfkit"]),
        (r"ENOENT: open 'D:\ROOT\node_modules\pdfkit\js\data\Helvetica.afm'", ["helvetica.afm", "pdfkit"]),
        ("./a/b.tsx:1:2 Type error: Property 'data' does not exist on type 'QuickTab'.", ["quicktab"]),
        ("./a.ts:1:2 Type error: Type 'number' is not assignable to type 'string'.", []),
        ("zsh: command not found: ccusage", ["ccusage"]),
        ("bash: psql: command not found", ["psql"]),
        ("ModuleNotFoundError: No module named 'yaml'", ["yaml"]),
        ("モジュール '../utils/logger.js' が見つかりません。", ["logger.js"]),
    ],
)
def test_the_names_of_a_message(line, names):
    assert names_of(line) == names


def test_the_message_is_without_its_place_and_what_failed_before_the_cause():
    assert message_of("./a.ts:1:2 Error printing: Error: ENOENT: no such file") == "ENOENT: no such file"


def test_errors_that_differ_in_a_name_are_two_and_a_port_is_no_name():
    assert are_of_one_error("error: port 5300 in use by samovar", "error: port 80 in use by samovar")
    assert not are_of_one_error("no column 'total' in table 'orders'", "no column 'price' in table 'orders'")


def test_a_text_is_about_an_error_if_it_has_the_first_name_or_two_others():
    names = ["helvetica.afm", "pdfkit", "fontkit"]
    assert is_about("`Helvetica.afm` is missing", names)
    assert is_about("pdfkit needs fontkit", names)
    assert not is_about("pdfkit was installed", names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Error: connect ECONNREFUSED 127.0.0.1:6379", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
        ("Error: Request failed with status code 500", "Error: Request failed with status code 401"),
        ("HTTP error 403 at https://api.shop.test", "HTTP error 404 at https://api.shop.test"),
        ("エラー: ステータスコード 500 が返りました", "エラー: ステータスコード 401 が返りました"),
        ("エラー: localhost:6379 に接続できません", "エラー: localhost:5432 に接続できません"),
    ],
)
def test_a_status_and_the_port_of_a_service_distinguish_errors(one, other):
    assert not are_of_one_error(one, other)
    assert are_of_one_error(one, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Error: listen EADDRINUSE: address already in use :::3000", "Error: listen EADDRINUSE: address already in use :::3001"),
        ("エラー: ポート 3000 は使用中です", "エラー: ポート 3001 は使用中です"),
        ("TypeError: x is undefined (error 12)", "TypeError: x is undefined"),
    ],
)
def test_other_numbers_do_not(one, other):
    assert are_of_one_error(one, other)

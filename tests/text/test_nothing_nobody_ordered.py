"""What nobody ordered is no rule: reports, faults, answers alone and requests to be told something. What was ordered is one."""

import pytest

from memorybank.cycle.fold.stated import Stated
from memorybank.cycle.know.rules import Rule
from memorybank.cycle.know.standing import WITHOUT_SUBJECT, why_not
from memorybank.text.prompts.stated import CONSTRAINT, PREFERENCE, PROCEDURE, lacks_subject
from memorybank.text.prompts.statements import statements
from memorybank.text.prompts.traits import traits

_RULES = (CONSTRAINT, PREFERENCE, PROCEDURE)


def rules(prompt):
    return [one.text for one in statements(prompt) if one.kind in _RULES and not lacks_subject(one.text)]


@pytest.mark.parametrize(
    "prompt",
    [
        "時価を取得したあと、出港不可期間も取得してください",
        "変数にしている部分は、berth_kind を参照してください",
        "潮位を取得したい。具体的には、必ず前日の値から計算し、差が大きい場合は平均にしてください。",
        "表を作ってもらったけど、取得できる値が日本語でしかとれない",
    ],
)
def test_what_one_request_spells_out_is_no_rule(prompt):
    assert rules(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        *("本番への直接の書き込みは不可です", "変数名は英語しか使わないでください", "今後は必ず前日の値から計算してください"),
        *("つまり、main には絶対に push しないでください", "具体的には、コミット前に必ず lint を実行してください", "すなわち、外部APIは必ずモックすること"),
        *("認証の部分は変更しないでください", "日付を扱っているところは必ずUTCにしてください", "CIではpnpmしか使えないので注意"),
        *("つまり、コードは全部TypeScriptで書いてください", "具体的には、関数は30行以内にすること", "共通の部分はutilsに置くこと"),
        *("変更はdocs以下しか許されない", "コメントに絵文字はいれない"),
    ],
)
def test_what_is_forbidden_or_holds_from_now_on_is_one(prompt):
    assert rules(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "佐伯さんに電話した、口座ごとに一回で合ってるって。進めて",
        "物流に問い合わせたら、伝票は毎回3回まで再送するって",
        "経理に確認しました、請求書は必ず月末締めとのことです。",
        "I asked the bank, they say a file must never have more than 500 lines.",
        "talked to Nina on the phone, every order needs a customer number according to her",
        "I called the carrier: labels always have to be A6.",
        "Checked with accounting, invoices must be closed by the 5th.",
        "spoke with our tax adviser, we only need one rounding per rate",
    ],
)
def test_a_report_of_what_somebody_said_is_no_rule(prompt):
    assert rules(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "I spoke with legal: never store full card numbers.",
        "法務と話しました。カード番号は絶対に保存しないでください。",
        "always ask the bank before changing the file format",
        "仕様を変えるときは先に佐伯先生に確認すること",
        "本番のDBに触る前に必ず佐伯さんに電話してください。",
        "だからmomentは入れないでって。",
    ],
)
def test_a_decision_with_somebody_and_an_order_to_ask_are_rules(prompt):
    assert rules(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "予約のテスト足したんだけどCIでたまにfailする。",
        "ログインのたびにsessionが消えてる",
        "buildするたびにwarningがいっぱい出る",
        "CIでだけ毎回timeoutする",
        "端末を開くたびに、何かの警告の通知が飛んでくる。",
        "起動するたびに、ウィンドウの配置が消える",
        "通知は1人に1回だけ送るはずです",
        "tests on windows are always red",
        "every build on CI takes ages since yesterday",
        "our nightly job keeps timing out",
    ],
)
def test_a_fault_in_casual_words_is_no_rule(prompt):
    assert rules(prompt) == []


@pytest.mark.parametrize(
    "prompt", ["保存するときに行が消えるんだけど", "スクロールするときに見出しが揺れるんだけど", "Every time I open the list it flickers."]
)
def test_what_happens_under_a_condition_is_no_rule(prompt):
    assert rules(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "コミットするときに英語で書いてるんだけど",
        "デプロイするときに承認が要るんだけど",
        "マージする際に2人の承認が必要になるんですけど",
        "Every time you open a pull request, add a label.",
    ],
)
def test_what_work_needs_under_a_condition_is_stated(prompt):
    assert statements(prompt)


@pytest.mark.parametrize("prompt", ["I would like to have a central list of the berths", "I'd like to have a dark mode in the harbour view"])
def test_a_wish_for_one_thing_is_no_preference(prompt):
    assert rules(prompt) == []


@pytest.mark.parametrize("prompt", ["I like to have small commits", "I'd like to have tests for every slice"])
def test_what_a_person_likes_of_all_work_is_one(prompt):
    assert rules(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Never merge when the build is red.",
        "リリースするたびに、タグは署名して",
        "flakyなテストは絶対にretryでごまかさないで",
        "flakyって書いてskipするのはナシで",
        "we don't work on the main branch directly",
        "生成されたファイルは絶対に編集しないでと言ったはずです。",
    ],
)
def test_what_to_do_about_faults_is_a_rule(prompt):
    assert rules(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "ok follow by default. decided",
        "yes, skip by default",
        "sure, on by default please",
        "yes always the first one",
        "はい、デフォルトでいいです",
        "はい、常に2番目で",
        "OK、デフォルトでオンにして",
        "Prepare what you can and tell me what I must do by hand and when.",
        "read the diff and tell me if something must be tested again.",
        "write down what every team has to prepare for the move, I'll send it",
        "リリースに必要な作業をまとめて、手動でやらなければならないことも教えて",
        "if we ever do it again then opt in with --jobs, default 1.",
        "if it ever comes back we must use the old one",
    ],
)
def test_what_holds_for_the_moment_is_no_rule(prompt):
    assert rules(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "yes, always use pnpm here",
        "yes and never push to main directly",
        "ok no emojis in commits please",
        "はい、コミットメッセージは今後英語でお願いします",
        "OK、今後はnpmではなくpnpmを使ってください",
        "Whenever you finish, list what I must do by hand.",
        "変更するときは必ず影響範囲を教えて",
        "if you change the schema, always run make gen",
        "If a migration is needed, ask me first.",
        "tabs by default, spaces only in yaml",
    ],
)
def test_an_answer_with_an_order_and_a_request_for_each_time_are_rules(prompt):
    assert rules(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        'db log on prod: relation "slots_view" does not exist, once a minute.',
        "redis on prod says: MISCONF cannot persist to disk, all the time",
        "Sentry shows: TypeError: Cannot read properties of null, always on checkout",
        "Cannot query over partitioned table without a filter",
        "Must specify a partition key before the query",
        "本番のログ：connection refused が5分ごとに出ています。",
        "本番のログ: テーブル slots_view が存在しません、1分に1回",
    ],
)
def test_what_a_log_or_a_message_says_is_no_rule(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "prod: never run migrations by hand.",
        "Prod: read only, never write to the bucket.",
        "staging: always deploy with make stage, never by hand.",
        "You cannot push to main without a review.",
        "Queries must have a partition filter.",
        "本番: 手で変更しないこと。",
        "本番のログ：顧客の住所は絶対に出力しないこと。",
    ],
)
def test_an_order_about_a_running_system_is_a_rule(prompt):
    assert rules(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "Anna proposed Kafka, I would prefer not to run another broker.",
        "My colleague suggested Redis, but I'd rather not run one more service.",
        "高橋さんはRedisを提案していましたが、運用するサービスを増やすのは避けてほしいです。",
        "レビューでGraphQLを勧められたけど、RESTのほうが好きです。",
        "The team lead wants to use Terraform for it; I prefer our shell wrapper.",
        "Run also the browser tests before I push.",
        "Once more run all the tests before I deploy.",
        "Please run all tests again before I push.",
        "pushする前にE2Eもお願い。",
        "PRを出す前にCHANGELOGも更新しておいて。",
        "文字コードは Shift_JIS ではなく UTF-8 でした。",
        "It arrived too late. The header was cp932 instead of UTF-8.",
    ],
)
def test_an_opinion_a_request_of_the_moment_and_a_finding_are_no_rules(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "Anna suggested tabs, I would rather indent with spaces in all files.",
        "Colm suggested Redis, but we never add a service.",
        "I would rather not have any new dependencies.",
        "同僚はコミットをまとめるのを提案したけど、コミットは小さいほうがいいです。",
        "Always run the browser tests before I push.",
        "Run make check before I merge anything.",
        "コミットする前に必ずテストも流しておいて。",
        "pushする前にlintを流してください。",
        "すみません、使うのは npm ではなく pnpm でした。",
        "CSV は UTF-8 ではなく cp932 です。",
    ],
)
def test_an_opinion_on_all_work_and_what_is_said_to_last_are_rules(prompt):
    assert rules(prompt)


def why(prompt):
    (found,) = statements(prompt)
    return why_not(Rule(found.kind, [found.text], [Stated(0, "", found, (), traits=traits(found.kind, found.text))]), "")


@pytest.mark.parametrize(
    "prompt",
    [
        "One thing up front: never print file contents in any output or log, people back up private stuff with this.",
        "In the exporter we must never write addresses to the log, the support team reads these",
        "the proxy in api/ must never log request bodies anywhere, customers type passwords into these fields",
        "staging stays off limits for scripts, so never run a migration there, the demo uses this",
    ],
)
def test_an_order_with_an_object_says_what_it_is_about(prompt):
    assert why(prompt) is None


@pytest.mark.parametrize("prompt", ["these handlers must never call the payment api directly, nothing else", "the new one must never log passwords"])
def test_an_order_for_something_pointed_at_does_not(prompt):
    assert why(prompt) == WITHOUT_SUBJECT


ROLE = (
    "You are a read-only classifier. Never write files or run commands. Always answer with JSON only. The text to classify is in the next paragraph:"
    + " a" * 20
)
ROLE_JA = "あなたは分類器です。必ず JSON だけを返してください。ファイルは絶対に書かないこと。" + "分類する文章は次の段落にあります。" * 8


@pytest.mark.parametrize("prompt", [ROLE, ROLE_JA])
def test_what_a_text_with_a_role_orders_holds_for_its_task(prompt):
    assert statements(prompt) == []


@pytest.mark.parametrize("prompt", ["You are right. Never push to main.", "You are a bit fast: always run the tests before you commit."])
def test_a_person_who_speaks_of_the_agent_still_orders(prompt):
    assert statements(prompt)


@pytest.mark.parametrize(
    "sentence",
    [
        "Adjust the system prompt to *by default* generate photos and follow the aspect ratio of the original.",
        "Extend the importer so that it always skips empty rows",
        "Make sure you DO NOT make such dumb mistakes in the future",
        "The shop should generally keep track of:",
        "テストでは常に次を守る：",
    ],
)
def test_tasks_labels_and_mistakes_without_a_name_are_no_rules(sentence):
    assert statements(sentence) == []


def test_errors_of_a_kind_are_named():
    assert statements("Such errors must always be logged with the request id")


def test_a_clause_without_its_subject_is_no_rule():
    assert lacks_subject('always take place in the "main book", not a copy.') and not lacks_subject("always use the main book")

"""The names and messages in a pasted trace or log, of the project and not of its libraries."""

import pytest

from memorybank.text.prompts import printed, typed

PYTHON = """Traceback (most recent call last):
  File "/app/shop/tasks.py", line 14, in send_mail
    order = load_order(pk)
  File "/app/.venv/lib/python3.12/site-packages/django/db/query.py", line 6, in get_object
    raise self.model.does_not_exist(
shop.models.Order.DoesNotExist: Order matching query does not exist."""
JAVASCRIPT = """Error: 予約を保存できません
    at closeRange (/var/task/.next/server/chunks/881.js:1:2210)
    at runLayer (/app/node_modules/express/lib/router.js:95:5)
  code: 'P2034'"""
RUST = """thread 'blob_resume' panicked at crates/oci/tests/resume.rs:37:10:
called `Result::unwrap()` on an `Err` value: TimedOut
   at /rustc/9fc6b431/library/core/src/result.rs:1654:5
      2: core::result::unwrap_failed"""


def names_of(prompt):
    lines = typed.pasted(prompt)
    return printed.names_of(typed.typed(prompt), lines, printed.error_of(lines))


@pytest.mark.parametrize(
    ("text", "own", "foreign"),
    [
        (PYTHON, {"send_mail", "load_order", "DoesNotExist"}, {"get_object", "does_not_exist"}),
        (JAVASCRIPT, {"closeRange", "P2034"}, {"runLayer"}),
        (RUST, {"blob_resume"}, {"unwrap_failed"}),
    ],
    ids=["python", "javascript", "rust"],
)
def test_names_are_those_of_the_project(text, own, foreign):
    names = set(names_of(text))
    assert own <= names
    assert not foreign & names


def test_a_log_says_what_failed_and_why():
    line = 'Jun 24 04:12:09 node-3 runtime[118]: level=error msg="pull failed" error="failed to open: unexpected status code 200 OK" host=a.example'
    assert printed.messages_of(printed.error_of([line])) == ["pull failed", "failed to open", "unexpected status code 200 OK"]


@pytest.mark.parametrize("line", ["Error: src/a.py:12", "error: Rewind output:"])
def test_a_place_or_a_heading_is_no_message(line):
    assert printed.messages_of([line]) == []


@pytest.mark.parametrize(
    ("prompt", "lines"),
    [
        ("still red\n\nJun 24 04:12:09 node-3 runtime[118]: failed\n\nwhy?", ["Jun 24 04:12:09 node-3 runtime[118]: failed"]),
        ("落ちた\n\n```\nType error: Cannot find name\n```\n直して", ["```", "Type error: Cannot find name", "```"]),
        ("it says\n\nFAIL src/a.test.ts\nexpected 1 to be 2\n\nplease fix it", ["FAIL src/a.test.ts", "expected 1 to be 2"]),
        ("please rename the field", []),
        ("FAIL src/a.test.ts\ncan you fix it?", ["FAIL src/a.test.ts"]),
    ],
)
def test_the_pasted_lines_of_a_prompt(prompt, lines):
    assert typed.pasted(prompt) == lines


def test_a_line_of_a_system_log_was_not_typed():
    assert typed.typed("Look at the pods, please.\n\nJun 24 04:12:09 node-3 runtime[118]: failed") == "Look at the pods, please."


@pytest.mark.parametrize(
    "place",
    [
        *("site-packages/app.py", "dist-packages/app.py", "node_modules/app.js", "node:fs", "~/.cargo/app.rs", "/rustc/app.rs", "/pkg/mod/app.go"),
        *("/usr/lib/app.py", "/usr/local/go/app.go", "/usr/share/app.py", "/lib/python3/app.py", "<frozen app>", "/.venv/app.py", "/vendor/app.php"),
        *("/gems/app.rb", "at java.app", "at javax.app", "at sun.app", "at jdk.app", "at kotlin.app", "at scala.app", "at org.junit.app"),
        *("at org.springframework.app", "at org.apache.app"),
    ],
)
def test_a_line_about_each_kind_of_library_names_nothing_of_the_project(place):
    assert names_of("in src by parse_rows()") == ["parse_rows"]
    assert names_of(f"in {place} by parse_rows()") == []


def test_a_log_names_only_what_is_wrong_and_the_request_what_it_is_about():
    log = "[sync] loaded tide_table\n[sync] opened lock_gate\nERROR KeelError: no depth for berth_row\n[sync] closed lock_gate"
    assert names_of(f"the sync of `moor_list` stops here\n```\n{log}\n```") == ["moor_list", "KeelError", "berth_row"]
    assert names_of("同期の記録です。`moor_list` が遅い\n```\n[sync] loaded tide_table\n[sync] opened lock_gate\n```") == ["moor_list"]

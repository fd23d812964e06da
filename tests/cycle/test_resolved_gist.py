"""The gist of a session that ended resolved says how, also where a failure was long, and whatever a person rejected of it."""

import pytest

from memorybank import Bank
from memorybank.cycle.finish import sessions
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.cycle.know.results import LONGEST_RESULT
from memorybank.log import events
from tests.cycle.recalling import Remembering, start

LONG = "E   sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to server at localhost (127.0.0.1), port 5432 failed: Connection refused."


@pytest.fixture
def remembering(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


def webhook(remembering, asked, answer=""):
    work = remembering.session("22222222-1", days_ago=1)
    work.prompt(asked)
    work.run("pytest tests/test_webhook.py", error=f"{LONG}\nIs the server running on that host and accepting TCP/IP connections?")
    work.run("docker compose up -d testdb")
    work.run("pytest tests/test_webhook.py")
    work.turn_end(answer or "Done.")
    work.end()
    return [LogEvent(line) for line in events.read(remembering.scratch.layout, events.name_of("22222222-1"))]


@pytest.mark.parametrize("asked", ["Why do the webhook tests fail on a fresh checkout?", "新しいチェックアウトでwebhookのテストが落ちる理由を調べてください。"])
def test_it_says_what_fixed_a_failure_however_long_that_was(remembering, asked):
    summary = sessions.summarise(webhook(remembering, asked))
    (said,) = [item.text for item in summary.gist]
    assert "OperationalError" in said and len(said.partition(" → ")[2]) <= LONGEST_RESULT
    assert "docker compose up -d testdb" in said


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "Why do the webhook tests fail on a fresh checkout?",
            "The webhook tests need the test database: `docker compose up -d testdb` starts it, because the fixture connects at import.",
        ),
        (
            "新しいチェックアウトでwebhookのテストが落ちる理由を調べてください。",
            "webhookのテストはテスト用DBに接続するので、先に `docker compose up -d testdb` で起動する必要があります。",
        ),
    ],
)
def test_a_rejected_answer_does_not_make_it_a_failure(remembering, asked, answer):
    webhook(remembering, asked, answer)
    remembering.fold()
    before = remembering.preview(start()).injection
    assert before is not None
    bank = Bank.open(str(remembering.scratch.root), clock=remembering.clock)
    (found,) = [item for item in bank.knowledge.list("finding") if "testdb" in item.text and item.id.startswith("answer:")]
    bank.knowledge.reject(found.id)
    after = remembering.preview(start()).injection
    shown = after.text if after is not None else ""
    assert "testdb" in shown or ("failed" not in shown and "失敗" not in shown)

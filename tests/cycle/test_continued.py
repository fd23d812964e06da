"""A first prompt that only asks to go on is shown what the last session left: its result, and what it named as next."""

import pytest

from tests.cycle.recalling import Remembering, prompt, start


@pytest.fixture
def played(bank, fixed_clock):
    """played((days ago, task, request, answer, …), …, start=) → a bank in which each was a session, and the current session has begun."""

    def make(*sessions, task=None, start=False):
        remembering = Remembering(bank({}), fixed_clock)
        for number, (ago, of_task, *texts) in enumerate(sessions):
            session = remembering.session(f"earlier-{number}", days_ago=ago)
            for request, answer in zip(texts[::2], texts[1::2], strict=True):
                session.prompt(request, task_id=of_task)
                session.turn_end(answer, task_id=of_task)
            session.end(task_id=of_task)
        now = remembering.session("now")
        now.line("session_start", source="startup", task_id=task)
        return remembering.fold()

    return make


def shown(remembering, text):
    injection = remembering.ask(prompt(text))
    return "" if injection is None else injection.text


BILLING = (6, None, "Build the billing export, rows first.", "The rows are done: the billing export reads pages of 100 rows. The files are next.")
LOGO = (2, None, "Draw the logo.", "The logo is drawn as one SVG path, because the printer merges shapes. The dark variant is still missing.")


@pytest.mark.parametrize(
    "text", ["go on", "ok, continue please", "what's next?", "anything left?", "続けて", "続きお願いします", "次は何だっけ？", "where were we?"]
)
def test_go_on_shows_what_the_last_session_left(played, text):
    said = shown(played(BILLING, LOGO), text)
    assert "one SVG path" in said and "dark variant is still missing" in said and "pages of 100" not in said, said


def test_the_last_session_of_the_same_task_comes_first(played):
    other = (5, "billing", "Add the export.", "The export reads pages of 100 rows, because larger ones are cut. The retry is still missing.")
    assert "The retry is still missing" in shown(played(other, LOGO, task="billing"), "go on")
    assert "SVG" in shown(played(other, LOGO), "go on")


def test_work_that_nobody_knows_is_not_guessed(played):
    assert shown(played(BILLING, LOGO), "continue with the tokenizer") == ""


@pytest.mark.parametrize("text", ["go on", "what's next?", "続けて"])
def test_what_the_start_has_shown_is_not_repeated(played, text):
    remembering = played(LOGO)
    started = remembering.ask(start())
    assert started is not None and "one SVG path" in started.text and "still missing" in started.text
    assert shown(remembering, text) == ""


@pytest.mark.parametrize("text", ["go on", "続けて", "what's next?"])
def test_within_a_session_the_agent_knows_what_is_meant(played, text):
    remembering = played(BILLING, LOGO)
    remembering.session("now").prompt("look at the mails please")
    assert shown(remembering, text) == ""


def test_what_is_shown_is_short(played):
    long = (
        2,
        None,
        "Draw the logo.",
        "The logo is drawn as one SVG path, because the printer merges shapes. " * 3 + "The dark variant of it is still missing. " * 5,
    )
    assert len(shown(played(long), "go on")) < 800


@pytest.mark.parametrize(
    ("opened", "closed", "text", "result", "left"),
    [
        (
            ("Add the billing export.", "The billing export reads pages of 100 rows. The refusal to overwrite files is still missing."),
            ("Protect the files of the billing export.", "The billing export has the refusal to overwrite files, unless `--force` is given."),
            "go on with the billing export",
            "--force",
            "still missing",
        ),
        (
            ("請求の出力を作って", "請求の出力は100行ずつ読みます。既存ファイルの上書き拒否がまだ残っています。"),
            ("請求の既存ファイルを守って", "請求の既存ファイルの上書き拒否を入れました。`--force` で上書きします。"),
            "請求の続き",
            "--force",
            "まだ残って",
        ),
    ],
)
def test_an_open_point_that_a_later_session_closed_is_over(played, opened, closed, text, result, left):
    said = shown(played((6, None, *opened), (4, None, *closed), LOGO), text)
    assert result in said and left not in said and "SVG" not in said, said

"""Two processes that end a session at the same moment finish it once."""

import threading

import pytest

from memorybank.log import organize


def end_twice(host, number):
    """A short session, then two hooks for its end at once."""
    host.session = f"session-{number}"
    host.fire(host.payload("UserPromptSubmit", prompt=f"Make part {number} faster", prompt_id=f"p{number}"))
    host.fire(host.tool(number, "Edit", file_path=f"{host.project}/src/part{number}.py", old_string="slow", new_string="fast"))
    host.fire(host.payload("Stop", last_assistant_message="It is faster now.", stop_hook_active=False))
    start = threading.Barrier(2)

    def end():
        start.wait()
        host.fire(host.payload("SessionEnd", reason="other"))

    ends = [threading.Thread(target=end) for _ in range(2)]
    for thread in ends:
        thread.start()
    for thread in ends:
        thread.join()


def check(host, sessions):
    host.session = "afterwards"
    host.fire(host.payload("SessionStart", source="startup"))
    steps = [(step.session, step.step) for step in organize.read(host.bank.layout)]
    for number in range(sessions):
        assert steps.count((f"session-{number}", "sync")) == 1, "one round"
        assert steps.count((f"session-{number}", "note")) == 1
    notes = list((host.bank.active / "sync" / "sessions").glob("*.md"))
    assert len(notes) == sessions


@pytest.mark.slow
def test_two_ends_at_once_are_one_round_and_one_note(host):
    for number in range(3):
        end_twice(host, number)
    check(host, 3)


@pytest.mark.full
def test_two_ends_at_once_two_hundred_times(host):
    for number in range(200):
        end_twice(host, number)
    check(host, 200)

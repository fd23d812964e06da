"""A bar for work that takes over a second: on a terminal only, on stderr, removed before anything is printed."""

import sys

import pytest

from memorybank.cli import output, progress
from memorybank.cli.progress import PATIENCE_SECONDS, ProgressBar
from memorybank.clock import FixedClock

NOW = 1_758_112_496_789


class Drawn:
    """What would be drawn by rich."""

    def __init__(self) -> None:
        self.steps: list = []
        self.task_ids = [0]

    def add_task(self, label: str, total: int) -> None:
        self.steps.append(label)

    def update(self, task: int, completed: int, total: int) -> None:
        self.steps.append((completed, total))

    def stop(self) -> None:
        self.steps.append("gone")


class Passing(FixedClock):
    seconds = 0.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def drawn(monkeypatch, capsys):
    """Every step of every bar, in order, on something that is a terminal."""
    bar = Drawn()
    monkeypatch.setattr(progress, "_start", lambda: bar)
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: stream is sys.stderr)
    return bar.steps


def test_work_of_less_than_a_second_shows_nothing(drawn):
    bar = ProgressBar("indexing", Passing(NOW))
    for done in range(1, 11):
        bar(done, 10)
    assert drawn == []


def test_longer_work_shows_a_bar_that_goes_when_everything_is_done_and_comes_for_the_next(drawn):
    clock = Passing(NOW)
    bar = ProgressBar("索引", clock)
    bar(1, 4)
    clock.seconds += PATIENCE_SECONDS
    for done in (2, 3, 4):
        bar(done, 4)
    assert drawn == ["索引", (2, 4), (3, 4), "gone"]
    drawn.clear()
    bar(1, 2)
    assert drawn == [], "a second of patience for each"


def test_who_has_seen_a_bar_need_not_wait_for_that_of_the_next_step(drawn):
    clock = Passing(NOW)
    with progress.progress_of_steps(clock) as step:
        step("reading", 0, 9)
        step("folding", 0, 2)
        assert drawn == []
        clock.seconds += PATIENCE_SECONDS
        step("folding", 1, 2)
        step("finishing", 0, 1)
        assert drawn == ["folding", (1, 2), "gone", "finishing", (0, 1)]


def test_towards_a_pipe_nothing_is_drawn(drawn, monkeypatch):
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: False)
    clock = Passing(NOW)
    bar = ProgressBar("indexing", clock)
    bar(1, 4)
    clock.seconds += 60
    bar(2, 4)
    assert drawn == []


@pytest.mark.parametrize("work", [(), (RuntimeError,)], ids=["ended", "failed"])
def test_a_bar_that_stays_is_closed_with_its_work(drawn, work):
    clock = Passing(NOW)
    try:
        with progress.progress("playing", clock) as step:
            clock.seconds += PATIENCE_SECONDS
            step(4, 4)
            assert drawn == ["playing", (4, 4)]
            for error in work:
                raise error
    except RuntimeError:
        pass
    assert drawn[-1] == "gone"


COMMANDS = [["status"], ["metrics"], ["list"], ["search", "note", "--fresh"], ["rotate", "--dry-run"], ["score"], ["maintain"]]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_whichever_command_finds_the_index_long_behind_shows_it(bank, run, drawn, monkeypatch, arguments):
    """A fresh clone of a large bank: the first command reads every note. Its output comes after the bar is removed."""
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    scratch = bank({f"shared/{number}.md": f"# note {number}\n" for number in range(200)})
    real = output.write
    monkeypatch.setattr(output, "write", lambda text: (drawn.append("printed"), real(text)))
    assert run(scratch, *arguments).code == 0
    assert drawn[0] == "indexing" and (128, 200) in drawn
    assert "printed" not in drawn[: drawn.index("gone")]


def test_a_fold_that_fails_leaves_no_bar(bank, run, drawn, monkeypatch):
    from memorybank.index import links

    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(links, "settle", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    assert run(bank({f"{number}.md": "# 語\n" for number in range(200)}), "status").code == 130
    assert drawn[-1] == "gone"

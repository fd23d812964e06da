"""Reading with workers gives what reading without them gives, and a worker that dies costs time only."""

import os
import signal

import pytest

from memorybank.config.settings import load
from memorybank.errors import Problem
from memorybank.index import apply, workers
from memorybank.notes import scan


@pytest.fixture
def many(bank):
    notes = {
        f"shared/ノート-{number:03d}.md": f"---\ntags: [a{number % 3}]\n---\n# {number}\n\n検索 and words, see [[ノート-{number // 2:03d}]]\n"
        for number in range(300)
    }
    return bank(notes)


def outcomes(scratch, known=None):
    layout = scratch.layout
    return list(apply.read_files(layout, load(layout), scan.sweep(layout).found, known or {}))


def with_workers(monkeypatch, number: int = 2) -> None:
    monkeypatch.setattr(apply, "PARALLEL_FROM", 1)
    monkeypatch.setattr(apply, "_processors", lambda: number)


@pytest.mark.slow
def test_workers_give_the_same_outcomes_in_the_same_order(many, monkeypatch):
    alone = outcomes(many)
    known = {found.key: outcome.digest for found, outcome in alone[::2]}
    alone_known = outcomes(many, known)
    with_workers(monkeypatch, 3)
    assert outcomes(many) == alone
    assert outcomes(many, known) == alone_known
    assert [outcome for _, outcome in alone_known[::2]] == [None] * 150


def test_what_a_worker_cannot_read_is_the_same_problem(many, monkeypatch):
    layout = many.layout
    found = scan.sweep(layout).found
    (many.active / "shared/ノート-007.md").unlink()
    with_workers(monkeypatch)
    (outcome,) = [outcome for item, outcome in apply.read_files(layout, load(layout), found, {}) if item.key.endswith("007.md")]
    assert isinstance(outcome, Problem) and outcome.code == "vanished"


@pytest.mark.slow
@pytest.mark.parametrize("fate", ["killed", "never started"])
def test_a_worker_that_dies_costs_time_only(many, monkeypatch, fate):
    alone = outcomes(many)
    with_workers(monkeypatch)
    real = workers.subprocess.Popen

    def start(*arguments, **options):
        if fate == "never started":
            raise OSError("no more processes")
        process = real(*arguments, **options)
        os.kill(process.pid, signal.SIGKILL)
        return process

    monkeypatch.setattr(workers.subprocess, "Popen", start)
    assert outcomes(many) == alone


def test_an_interrupted_reading_leaves_no_process(many, monkeypatch):
    with_workers(monkeypatch)
    started = []
    real = workers.subprocess.Popen
    monkeypatch.setattr(workers.subprocess, "Popen", lambda *arguments, **options: started.append(real(*arguments, **options)) or started[-1])
    layout = many.layout
    half = apply.read_files(layout, load(layout), scan.sweep(layout).found, {})
    next(half)
    half.close()
    assert len(started) == 2 and None not in [process.poll() for process in started]

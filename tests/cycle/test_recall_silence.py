"""Silence is a good answer: unrelated prompts bring nothing, prompts about a note bring it, and every item says why (acceptance 4)."""

import importlib.util
import sys
from pathlib import Path

import pytest

from tests.conftest import NOW
from tests.cycle.recalling import Remembering

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"


def module(name):
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture
def judged(bank, fixed_clock, monkeypatch):
    """judged(notes, prompts, seed) → the verdict on a generated bank of so many notes."""
    monkeypatch.syspath_prepend(str(BENCH))

    def judge(notes, prompts, seed):
        scratch = bank()
        module("generate").generate(scratch.root, notes, seed, 400.0)
        Remembering(scratch, fixed_clock).index()
        judge = module("judge")
        return judge.judge(judge.base_of(str(scratch.root), NOW), seed, prompts, subjects=1)

    return judge


def hold(verdict):
    assert verdict.silent_in_all >= 0.95, verdict.loud
    assert verdict.found_in_all >= 0.90, verdict.missed
    assert min(*verdict.silent.values(), *verdict.found.values()) >= 0.85, (verdict.silent, verdict.found)
    assert verdict.unexplained == 0


def test_unrelated_prompts_bring_nothing_and_prompts_about_a_note_bring_it(judged):
    hold(judged(500, 80, 21))


@pytest.mark.full
def test_the_same_with_ten_thousand_notes(judged):
    """200 prompts of each kind, subjects and seeds that nothing was tuned on."""
    hold(judged(10_000, 200, 22))


def test_the_subjects_judged_are_not_those_tuned_on(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    prompts = module("prompts")
    assert not set(prompts.unrelated(1, 100, 0)) & set(prompts.unrelated(1, 100, 1))
    assert prompts.unrelated(5, 50, 1) == prompts.unrelated(5, 50, 1)

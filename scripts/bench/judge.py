"""Measure on a generated bank how often recall is silent when it should be, and how often it finds what a prompt is about.

Prompts go the same way as from a hook (`cycle.recollect`), without writing. Needs an indexed bank.
"""

import os
import random
from dataclasses import dataclass

import prompts

from memorybank.clock import FixedClock
from memorybank.cycle import base as bases
from memorybank.cycle import event as events
from memorybank.cycle.base import CycleContext
from memorybank.cycle.event import Event
from memorybank.cycle.recall import recollect
from memorybank.cycle.recall.recollect import Composed
from memorybank.storage.layout import describe


@dataclass
class SilenceScore:
    """silent: share of unrelated prompts at which nothing is shown; found: share of prompts about a note at which it is shown, by
    language; loud, missed: the prompts that went wrong; unexplained: shown items without an anchor or a word that earned them."""

    silent: dict[str, float]
    found: dict[str, float]
    loud: list[tuple[str, list[str]]]
    missed: list[tuple[str, str]]
    unexplained: int

    @property
    def silent_in_all(self) -> float:
        return sum(self.silent.values()) / len(self.silent)

    @property
    def found_in_all(self) -> float:
        return sum(self.found.values()) / len(self.found)


def base_of(bank: str, now: int) -> CycleContext:
    return bases.describe(describe(os.path.realpath(bank)), FixedClock(now))


def ask(base: CycleContext, prompt: str) -> Composed:
    event = Event(host="claude-code", name=events.PROMPT, session_id="judged", prompt=prompt, cwd=base.root, delivery=True)
    draft, composed = recollect.preview(base, event, events.PROMPT, base.clock.now())
    draft.sources.close()
    return composed


def judge(base: CycleContext, seed: int, count: int, *, subjects: int) -> SilenceScore:
    """Ask `count` unrelated prompts, and one prompt about each of `count` notes. subjects: which set of unrelated subjects."""
    silent: dict[str, list[bool]] = {"en": [], "ja": []}
    found: dict[str, list[bool]] = {"en": [], "ja": []}
    loud, missed, unexplained = [], [], 0
    for prompt in prompts.unrelated(seed, count, subjects):
        composed = ask(base, prompt)
        silent[_language(prompt)].append(composed.injection is None)
        unexplained += _unexplained(composed)
        if composed.injection is not None:
            loud.append((prompt, [f"{recollection.memory.memory} for {', '.join(recollection.memory.matched)}" for recollection in composed.shown]))
    for key, prompt in _about(base, seed, count):
        composed = ask(base, prompt)
        hit = f"note:{key}" in {recollection.memory.memory for recollection in composed.shown}
        found[_language(prompt)].append(hit)
        unexplained += _unexplained(composed)
        if not hit:
            missed.append((key, prompt))
    return SilenceScore(_shares(silent), _shares(found), loud, missed, unexplained)


def _unexplained(composed: Composed) -> int:
    """Return the number of shown items whose last line names no anchor or word."""
    text = composed.injection.text if composed.injection is not None else ""
    return len(composed.shown) - text.count("; recalled for ")


def _about(base: CycleContext, seed: int, count: int) -> list[tuple[str, str]]:
    """Return (key, prompt about it) for `count` notes drawn at random."""
    chance = random.Random(f"about {seed}")
    keys = sorted(os.path.relpath(os.path.join(folder, name), base.layout.active) for folder, _, names in os.walk(base.layout.active) for name in names)
    chance.shuffle(keys)
    asked: list[tuple[str, str]] = []
    for key in keys:
        if len(asked) == count:
            break
        with open(os.path.join(base.layout.active, key), encoding="utf-8") as stream:
            text = stream.read()
        title = next((line[2:] for line in text.split("\n") if line.startswith("# ")), "")
        prompt = prompts.about(text, chance, title)
        if prompt:
            asked.append((key, prompt))
    return asked


def _language(prompt: str) -> str:
    return "ja" if any("\u3041" <= sign <= "\u9fff" for sign in prompt) else "en"


def _shares(outcomes: dict[str, list[bool]]) -> dict[str, float]:
    return {language: sum(listed) / len(listed) for language, listed in outcomes.items() if listed}

"""Folding step by step gives what folding everything anew gives, byte for byte, at the same `now`."""

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memorybank.clock import DAY, HOUR, FixedClock
from memorybank.config.settings import load
from memorybank.index.fold import fold
from memorybank.index.publish import publish
from memorybank.index.working import open_index
from memorybank.log import access
from memorybank.log.access import AccessLine
from memorybank.storage.layout import Layout, describe

START = 1_750_000_000_000
KEYS = ("planning/overview.md", "planning/plan.md", "shared/用語集.md", "shared/notes/plan.md", "sync/設計.md", "top.md")
BODIES = (
    "",
    "# Overview\n\nSee [the plan](plan.md) and [[用語集]]. TODO check https://example.org/a.\n\n- one\n- two\n",
    "# 用語集\n\n検索と索引の用語。詳細は設計.mdを参照。\n\n```\ncode\n```\n",
    "# Plan\n\n" + "The rotation keeps what matters and archives the rest. " * 20 + "\n\nshared/notes/plan.md\n",
    "# Plan\n\n" + "The rotation keeps what matters and archives the rest. " * 20 + "\n\nshared/notes/plan.md, again\n",
    "---\ntitle: Rated\ntags: [decision, 設計]\nrating: 9\nupdated: 2025-06-01\n---\n"
    "# Rated\n\n"
    "[link](../shared/用語集.md) [[overview]] [code](../../../../src/main.py)\r\n",
    "---\ntitle: Rated too\ntags: [decision]\ncreated: 2025-05-01\n---\nplain prose, no structure\n",
    "---\nNote: this is prose\n\nnot a mapping",
)


def published(layout: Layout) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for folder in (layout.indexes, layout.metadata) for path in sorted(Path(folder).glob("*.json"))}


def bring_up_to_date(layout: Layout, now: int) -> dict[str, bytes]:
    with open_index(layout, load(layout), FixedClock(now)) as index:
        fold(index)
        publish(index)
    return published(layout)


class IncrementalEqualsFull(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.layout = describe(self.folder)
        os.mkdir(self.layout.active)
        self.now = START

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def path(self, key: str) -> str:
        path = self.layout.note_path(key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    @rule(key=st.sampled_from(KEYS), body=st.sampled_from(BODIES), age=st.integers(0, 40))
    def write(self, key: str, body: str, age: int) -> None:
        path = self.path(key)
        with open(path, "wb") as stream:
            stream.write(body.encode())
        modified = (self.now - age * DAY - HOUR) * 1_000_000
        os.utime(path, ns=(modified, modified))

    @rule(source=st.sampled_from(KEYS), renamed=st.sampled_from(KEYS))
    def rename(self, source: str, renamed: str) -> None:
        if os.path.exists(self.path(source)):
            os.rename(self.path(source), self.path(renamed))

    @rule(key=st.sampled_from(KEYS))
    def delete(self, key: str) -> None:
        if os.path.exists(self.path(key)):
            os.unlink(self.path(key))

    @rule(key=st.sampled_from(KEYS), ago=st.integers(1, 50))
    def touch(self, key: str, ago: int) -> None:
        if os.path.exists(self.path(key)):
            moment = (self.now - ago * HOUR) * 1_000_000
            os.utime(self.path(key), ns=(moment, moment))

    @rule(hours=st.sampled_from((1, 7, 24, 24 * 6, 24 * 31, 24 * 70)))
    def wait(self, hours: int) -> None:
        self.now += hours * HOUR

    @rule(key=st.sampled_from(KEYS), kind=st.sampled_from(("view", "share", "dwell")), times=st.integers(1, 12))
    def use(self, key: str, kind: str, times: int) -> None:
        access.append(self.layout, [AccessLine(kind, key, self.now, minutes=2.5)] * times, FixedClock(self.now))

    @rule()
    def fold_now(self) -> None:
        bring_up_to_date(self.layout, self.now)

    @rule()
    def compare(self) -> None:
        step_by_step = bring_up_to_date(self.layout, self.now)
        shutil.rmtree(self.layout.cache)
        shutil.rmtree(self.layout.indexes)
        log = Path(access.path(self.layout)).read_bytes() if os.path.exists(access.path(self.layout)) else b""
        anew = bring_up_to_date(self.layout, self.now)
        assert step_by_step == anew
        assert log == (Path(access.path(self.layout)).read_bytes() if os.path.exists(access.path(self.layout)) else b""), "a lost cache appends no line"


TestIncrementalEqualsFull = IncrementalEqualsFull.TestCase

"""What an agent wrote into a note is in the index at the end of its turn."""

import sqlite3
from contextlib import closing

import pytest

from memorybank.bank import Bank
from memorybank.clock import Clock
from memorybank.cycle import base as bases
from memorybank.cycle.router import HookRouter
from memorybank.hosts.claude_code import ClaudeCode
from memorybank.index import glance


class Unhurried(Clock):
    """No deadline passes, however busy the machine is."""

    def monotonic(self):
        return 0.0


@pytest.mark.parametrize("key", ["shared/staging.md", "設計/検証環境.md"])
def test_a_note_edited_in_place_is_found_after_the_turn_in_a_bank_of_any_size(host, monkeypatch, key):
    """In a large bank the folder's time says nothing of it; that the call named it does."""
    for number in range(8):
        host.bank.write(f"planning/n{number}.md", f"# Plan {number}\n")
    host.bank.write(key, "# 検証環境 Staging\n\nReset every Monday.\n")
    Bank.open(str(host.bank.root)).index.update()
    monkeypatch.setattr(glance, "SMALL", 5)
    path = host.bank.active / key
    with open(path, "a", encoding="utf-8") as stream:
        stream.write("\nThe flamingo server holds its dumps. 控えはペンギン。\n")
    for payload in (
        host.tool(1, "Edit", file_path=str(path), old_string="a", new_string="b"),
        host.payload("Stop", last_assistant_message="Noted.", stop_hook_active=False),
    ):
        event = ClaudeCode().to_event(payload, host.environment(), None)
        base = bases.describe(host.bank.layout, Unhurried())
        router = HookRouter(base, frozenset())
        router.answer(event)
        router.finish(event)
    with closing(sqlite3.connect(f"file:{host.bank.layout.database}?mode=ro", uri=True)) as connection, connection:
        size = connection.execute("SELECT size FROM notes WHERE key = ?", (key,)).fetchone()
    assert size == (path.stat().st_size,)

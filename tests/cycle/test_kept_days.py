"""What a start computed of a day is kept in the cache of hooks: the next start reads it, other code computes it again, and nothing but the text counts."""

import json

import pytest

from memorybank import bytecode
from memorybank.clock import day_of
from memorybank.cycle.fold import cache
from tests.conftest import DAY, NOW
from tests.cycle.recalling import Remembering, start

ENGLISH = "- “Make the uploads retry” → The retry waits 5 s because the proxy drops idle connections.\n- “Sort the table” → It is sorted by date in 3 places."
JAPANESE = "- 「再送を直して」 → 待ち時間は5秒です。プロキシが古い接続を切るためです。\n- 「表を並べ替えて」 → 3か所で日付順に並べました。"


@pytest.fixture
def memory(bank, fixed_clock):
    def make(text):
        remembering = Remembering(bank(), fixed_clock)
        dates = [day_of(NOW - ago * DAY) for ago in (3, 2, 1)]
        remembering.scratch.episodes(
            *({"date": date, "summary": f"{text}\n- {date}", "covers": [{"date": date, "source": "events/one", "digest": "d"}]} for date in dates)
        )
        remembering.session("lately").prompt("Let the parser read ranges of dates with any tilde.")
        return remembering.fold()

    return make


def kept(remembering):
    with cache.CacheConnection(remembering.base.layout) as connection:
        rows = connection.execute("SELECT session, body FROM renderings WHERE session LIKE 'day:%' ORDER BY session").fetchall()
    cache.close()
    return dict(rows)


def begun(remembering, name):
    return remembering.ask(start(name)).text


@pytest.mark.parametrize("text", [ENGLISH, JAPANESE])
def test_the_next_start_reads_what_the_first_one_computed(memory, monkeypatch, text):
    remembering = memory(text)
    without = begun(remembering, "one")
    assert not kept(remembering), "a process without the compiled file of hooks keeps nothing"
    monkeypatch.setattr(bytecode, "version", lambda: "this code")
    assert begun(remembering, "two") == without
    rows = kept(remembering)
    assert len(rows) >= 3
    assert begun(remembering, "three") == without
    assert kept(remembering) == rows
    with cache.CacheConnection(remembering.base.layout) as connection:
        for key, body in rows.items():
            told = json.loads(body)
            connection.execute("UPDATE renderings SET body = ? WHERE session = ?", (json.dumps({**told, "start": "kept words"}), key))
    assert "kept words" in begun(remembering, "four")
    monkeypatch.setattr(bytecode, "version", lambda: "other code")
    assert begun(remembering, "five") == without


def test_what_a_changing_package_computed_is_not_kept(memory, monkeypatch):
    """A source that changes while a start runs makes the file of hooks stale: some of its modules may be the old ones, some the new ones."""
    remembering = memory(ENGLISH)
    versions = iter(("this code", ""))
    monkeypatch.setattr(bytecode, "version", lambda: next(versions))
    assert "5 s" in begun(remembering, "one")
    assert not kept(remembering)


def test_a_day_that_changed_is_told_anew(memory, monkeypatch):
    monkeypatch.setattr(bytecode, "version", lambda: "this code")
    remembering = memory(ENGLISH)
    assert "Retries wait 9 s" not in begun(remembering, "one")
    date = day_of(NOW - DAY)
    covers = [{"date": date, "source": "events/one", "digest": "d"}]
    remembering.scratch.episodes({"date": date, "summary": "Retries wait 9 s since the proxy was replaced.", "covers": covers})
    assert "Retries wait 9 s" in begun(remembering, "two")

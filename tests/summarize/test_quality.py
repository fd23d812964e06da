"""How much summaries keep of the recall of full texts, on public data: see scripts/bench/summaries, which prints the numbers in docs/episodes.md."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench" / "summaries"
DATA = os.environ.get("MEMORYBANK_EVAL_DATA")
TRANSCRIPTS = os.environ.get("MEMORYBANK_TRANSCRIPTS")
LATER = 1_790_000_000_000
"""After every transcript."""


@pytest.mark.full
@pytest.mark.skipif(not DATA, reason="MEMORYBANK_EVAL_DATA is not set: what summaries keep is not measured")
def test_summaries_keep_85_percent_of_the_recall_at_20_percent_of_the_characters():
    done = subprocess.run([sys.executable, str(SCRIPT), "--data", str(DATA), "--days", "20"], capture_output=True, encoding="utf-8", timeout=1_200)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not TRANSCRIPTS, reason="MEMORYBANK_TRANSCRIPTS is not set: whether real days can be retold is not checked")
def test_a_real_day_tells_of_each_session_what_was_wanted_and_every_commit(bank, monkeypatch, capsys):
    """Also for three sessions of one day about three things, in at most 1,200 characters."""
    from memorybank.bank import Bank
    from memorybank.cli.main import run
    from memorybank.clock import FixedClock
    from memorybank.summarize.summarizer import COMMITS, GOALS

    scratch = bank()
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo"}')
    monkeypatch.chdir(scratch.repository)
    assert run(("import", "claude-code", str(TRANSCRIPTS))) == 0
    episodes = Bank.open(str(scratch.root), clock=FixedClock(LATER)).episodes
    episodes.update()
    days = {entry.date: entry.summary for entry in episodes.readable() if entry.is_showable}
    sessions = 0
    for source in episodes.sources():
        for date in sorted(set(source.digests()) & set(days)):
            told = [what for _, what in source.material(source.read(date).messages).items]
            assert len(days[date]) <= 1_200
            assert any(part.text[:16] in days[date] for part in told if part.section == GOALS), (date, source.name)
            missing = [part.text for part in told if part.section == COMMITS and " ".join(part.text.split()[:3]) not in days[date]]
            assert not missing, (date, missing)
            sessions += 1
    assert sessions >= 6

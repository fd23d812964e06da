"""What summaries keep of the recall of full texts, on public data: see scripts/bench/summaries, which prints the numbers of docs/episodes.md."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench" / "summaries"
DATA = os.environ.get("MEMORYBANK_EVAL_DATA")


@pytest.mark.full
@pytest.mark.skipif(not DATA, reason="MEMORYBANK_EVAL_DATA is not set: what summaries keep is not measured")
def test_summaries_keep_85_percent_of_the_recall_at_20_percent_of_the_characters():
    done = subprocess.run([sys.executable, str(SCRIPT), "--data", str(DATA), "--days", "20"], capture_output=True, encoding="utf-8", timeout=1_200)
    assert done.returncode == 0, done.stdout + done.stderr

"""Random histories of a team in real clones.

No text is lost, no file that only memorybank writes has a conflict, every clone verifies, and one tree has one index.

A plain run plays a dozen short histories, `--all` longer ones too. `scripts/bench/merges` plays as many as somebody wants.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts" / "bench"))

from team_history import HistoryFailure, TeamHistory

from memorybank.merging import bookmarks, driver
from memorybank.merging.sides import FileVersions

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(80))
def test_with_the_drivers_nothing_is_lost_and_no_file_of_the_machine_conflicts(tmp_path, seed, request):
    TeamHistory(tmp_path, 10_000 + seed, size=2 + seed % 2).play(25 if request.config.getoption("--all") else 8)


@pytest.mark.parametrize("seed", range(40))
def test_without_the_drivers_resolve_recovers_everything(tmp_path, seed, request):
    TeamHistory(tmp_path, 20_000 + seed, is_installed=False, size=2 + seed % 2).play(25 if request.config.getoption("--all") else 8)


def ours_alone(versions: FileVersions) -> bytes:
    return versions.ours


def test_a_merge_that_loses_bookmarks_is_noticed(tmp_path, monkeypatch):
    """The histories can fail: without drivers, the merges of bookmarks run in this process, and this one drops the other side."""
    monkeypatch.setattr(bookmarks, "merge", ours_alone)
    assert driver.merge.__module__ == "memorybank.merging.driver"
    with pytest.raises(HistoryFailure, match="bookmarks lost"):
        for seed in range(8, 28):  # the first of them already loses one
            (tmp_path / str(seed)).mkdir()
            TeamHistory(tmp_path / str(seed), 30_000 + seed, is_installed=False).play(25)

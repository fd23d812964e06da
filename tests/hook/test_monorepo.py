"""An agent in a subfolder of a monorepo gets the memory of the nearest bank above it, and records there; with the real hook."""

import pytest

from memorybank.storage.create_bank import create_bank
from tests.trust.machines import JAPANESE, NOTE, Machine, canaries, commit

ROOT, API = ".claude/memory", "services/api/.claude/memory"


@pytest.fixture
def projects(tmp_path):
    """(machine, the root of a repository with a bank at its root and one in services/api)."""
    machine = Machine(tmp_path / "home")
    root = tmp_path / "home" / "mono"
    (root / "services/api/src").mkdir(parents=True)
    (root / "services/web").mkdir()
    machine.git(root, "init", "-q", "-b", "main")
    for bank, name, text in ((ROOT, "staging.md", NOTE), (API, "検証.md", JAPANESE)):
        create_bank(str(root / bank), "UTC")
        (root / bank / "active/shared").mkdir(parents=True, exist_ok=True)
        (root / bank / "active/shared" / name).write_text(text, encoding="utf-8")
    commit(machine, root, "two banks")
    for folder in (root, root / "services/api"):
        assert machine.memorybank(folder, "search", "staging", MEMORYBANK_TRUST="all").returncode == 0
    return machine, root


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "expected"), [(".", ["wombat"]), ("services/web", ["wombat"]), ("services/api", ["カナリア"]), ("services/api/src", ["カナリア"])]
)
def test_an_agent_gets_the_memory_of_the_nearest_bank(projects, folder, expected):
    machine, root = projects
    assert canaries(machine.shown(root / folder, MEMORYBANK_TRUST="all")) == expected
    recorded = {bank: bool(list((root / bank / "log/events").glob("*.jsonl"))) for bank in (ROOT, API)}
    assert recorded == {ROOT: expected == ["wombat"], API: expected == ["カナリア"]}


@pytest.mark.slow
def test_the_project_that_the_host_names_counts_before_the_working_folder(projects):
    """An agent that was started at the root and then works in services/api keeps the memory of the root; without a bank there, that of the folder."""
    machine, root = projects
    assert canaries(machine.shown(root / "services/api", MEMORYBANK_TRUST="all", CLAUDE_PROJECT_DIR=str(root))) == ["wombat"]
    (root / ROOT).rename(root / "elsewhere")
    assert canaries(machine.shown(root / "services/api", "second", MEMORYBANK_TRUST="all", CLAUDE_PROJECT_DIR=str(root))) == ["カナリア"]

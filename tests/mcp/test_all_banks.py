"""`search` with `all_banks`, and `read` of what it found: every bank of the repository by its own access rules and trust, each hit naming its bank."""

import json
import subprocess

import pytest

from memorybank.bank import Bank
from memorybank.errors import NotFound
from memorybank.mcp.answers import ToolRequest
from memorybank.storage.create_bank import create_bank

from .conftest import TOOLS

ROOT, API, PAY = ".claude/memory", "services/api/.claude/memory", "services/支払い/.claude/memory"


class Projects:
    """A repository with three banks, for agents that work in the one of `services/api`."""

    def __init__(self, root, clock):
        self.root, self.clock = root, clock
        self.git("init", "-q", "-b", "main")
        for bank in (ROOT, API, PAY):
            create_bank(str(root / bank), "UTC")

    def write(self, bank, name, text):
        path = self.root / bank / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "notes")

    def bank(self, bank=API):
        return Bank.open(str(self.root / bank), clock=self.clock)

    def ask(self, tool, role=None, **given):
        return ToolRequest(self.bank(), role).call(TOOLS[tool], given)

    def ids(self, **given):
        return sorted(item["id"] for item in self.ask("search", all_banks=True, **given).fields["items"])


@pytest.fixture
def projects(tmp_path, fixed_clock):
    root = tmp_path / "mono"
    root.mkdir()
    made = Projects(root, fixed_clock)
    made.write(ROOT, "active/shared/overview.md", "# Overview\n\nEvery retry is logged.\n")
    made.write(API, "active/shared/overview.md", "# Retry policy\n\nA retry of an upload happens three times.\n")
    made.write(PAY, "active/shared/再試行.md", "# 再試行の方針\n\n決済の retry は一回だけ。\n")
    made.write(PAY, "active/private.md", "---\nacl: agent\nagent_created: reviewer\n---\n# Retry of reviewers\n\nretry\n")
    made.commit()
    return made


def test_hits_of_all_banks_name_their_project_and_can_be_read(projects):
    assert projects.ids(query="retry") == ["note:shared/overview.md", "note:shared/overview.md@.", "note:shared/再試行.md@services/支払い"]
    assert [item["id"] for item in projects.ask("search", query="retry").fields["items"]] == ["note:shared/overview.md"], "unless asked, its own bank alone"
    texts = {"note:shared/overview.md": "three times", "note:shared/overview.md@.": "is logged", "note:shared/再試行.md@services/支払い": "一回だけ"}
    for name, text in texts.items():
        result = projects.ask("read", id=name)
        assert text in result.text and [item["id"] for item in result.fields["items"]] == [name]
    found = projects.ask("search", all_banks=True, query="retry")
    assert "note:shared/再試行.md@services/支払い" in found.text


def test_access_rules_are_those_of_each_bank(projects):
    assert "note:private.md@services/支払い" not in projects.ids(query="retry")
    with pytest.raises(NotFound, match="there is no memory"):
        projects.ask("read", id="note:private.md@services/支払い")
    found = projects.ask("search", role="reviewer", all_banks=True, query="retry")
    assert "note:private.md@services/支払い" in [item["id"] for item in found.fields["items"]]
    assert "Retry of reviewers" in projects.ask("read", role="reviewer", id="note:private.md@services/支払い").text


@pytest.mark.parametrize("name", ["note:shared/overview.md@../..", "note:shared/overview.md@services", "note:x.md@/etc", "note:a@b.md", "@.", "note:@."])
def test_an_id_is_never_a_path(projects, name):
    with pytest.raises(NotFound):
        projects.ask("read", id=name)


def test_a_bank_that_nobody_accepted_is_left_out_and_named(projects, monkeypatch, tmp_path):
    monkeypatch.delenv("MEMORYBANK_TRUST", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    projects.bank().trust.accept()
    result = projects.ask("search", all_banks=True, query="retry")
    assert [item["id"] for item in result.fields["items"]] == ["note:shared/overview.md"]
    assert "services/支払い" in result.fields["notice"] and "memorybank --bank" in result.fields["notice"]
    with pytest.raises(NotFound, match="waits until a person accepts it"):
        projects.ask("read", id="note:shared/再試行.md@services/支払い")
    projects.bank(PAY).trust.accept()
    assert "note:shared/再試行.md@services/支払い" in projects.ids(query="retry")
    # What others commit to it later waits there, too.
    projects.write(PAY, "active/shared/再試行.md", "# 再試行の方針\n\n決済の retry は quail の後。\n")
    projects.git("commit", "-q", "-a", "-m", "theirs")
    logs = projects.root / ".git/logs/HEAD"
    logs.write_text(logs.read_text().replace("commit: theirs", "pull: Fast-forward"))
    assert "note:shared/再試行.md@services/支払い" not in projects.ids(query="retry")
    with pytest.raises(NotFound, match="waits until a person accepts it"):
        projects.ask("read", id="note:shared/再試行.md@services/支払い")


def test_days_and_filters_of_other_banks(projects):
    projects.write(PAY, "episodes/episodic_memory.json", json.dumps([{"date": "2025-09-10", "summary": "retry 決済"}]))
    assert "episode:2025-09-10@services/支払い" in projects.ids(query="retry")
    assert "決済" in projects.ask("read", id="episode:2025-09-10@services/支払い").text
    assert projects.ids(kinds=["episode"]) == ["episode:2025-09-10@services/支払い"]


def test_outside_git_there_are_no_other_banks(tmp_path, fixed_clock):
    create_bank(str(tmp_path / "plain" / ROOT), "UTC")
    (tmp_path / "plain" / ROOT / "active" / "a@b.md").write_text("# A\n\nretry\n")
    request = ToolRequest(Bank.open(str(tmp_path / "plain" / ROOT), clock=fixed_clock), None)
    with pytest.raises(NotFound, match="no other banks"):
        request.call(TOOLS["search"], {"query": "retry", "all_banks": True})
    assert "retry" in request.call(TOOLS["read"], {"id": "note:a@b.md"}).text

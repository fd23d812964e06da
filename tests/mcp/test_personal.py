"""The tools of MCP and the person's own bank: `recall` shows it as a hook does, `search` finds it with `all_banks`, `read` returns it by its id."""

import json

import pytest

from memorybank.bank import Bank
from memorybank.errors import NotFound
from memorybank.mcp.answers import ToolRequest

from .conftest import TOOLS

NOTES = {"shared/staging.md": "# Staging\n\nThe staging database is reset every Monday.\n"}
FACT = "# VPN\n\nThe capybara VPN needs a new token every Monday; 社内のヘルプデスクが発行する。\n"


class Asking:
    """An agent in a repository, and the person's own bank."""

    def __init__(self, scratch, folder, clock):
        self.scratch, self.folder, self.clock = scratch, folder, clock

    def ask(self, tool, role=None, **given):
        return ToolRequest(Bank.open(str(self.scratch.root), clock=self.clock), role).call(TOOLS[tool], given)

    def ids(self, tool, **given):
        return [item["id"] for item in self.ask(tool, **given).fields["items"]]


@pytest.fixture
def asking(bank, tmp_path, monkeypatch, fixed_clock):
    monkeypatch.setenv("MEMORYBANK_PERSONAL", str(tmp_path / "mine"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    own = Bank.create(str(tmp_path / "mine"), clock=fixed_clock)
    (tmp_path / "mine/active/shared/vpn.md").write_text(FACT, encoding="utf-8")
    (tmp_path / "mine/active/shared/hidden.md").write_text("---\nprivacy: private\n---\n# Hidden VPN\n\nA hidden capybara VPN token.\n", encoding="utf-8")
    own.index.sweep()
    return Asking(bank(NOTES, git=True), tmp_path / "mine", fixed_clock)


def test_recall_names_a_personal_note_that_can_be_read(asking):
    found = asking.ask("recall", situation="the VPN asks for a new token, where do I get one?")
    assert "capybara" in found.text
    assert [item["id"] for item in found.fields["items"]] == ["personal:shared/vpn.md"]
    read = asking.ask("read", id="personal:shared/vpn.md")
    assert "社内のヘルプデスク" in read.text
    assert [item["id"] for item in read.fields["items"]] == ["personal:shared/vpn.md"]


def test_search_finds_it_only_when_all_banks_are_asked(asking):
    assert asking.ids("search", query="VPN token") == []
    assert asking.ids("search", query="VPN token", all_banks=True) == ["personal:shared/vpn.md"]
    assert asking.ids("search", query="staging database", all_banks=True) == ["note:shared/staging.md"]


def test_what_the_agent_may_not_see_is_not_read(asking):
    for name in ("personal:shared/hidden.md", "personal:shared/missing.md", "personal:../vpn.md"):
        with pytest.raises(NotFound):
            asking.ask("read", id=name)


def test_where_it_is_switched_off_there_is_no_such_memory(asking, tmp_path):
    (tmp_path / "config/memorybank").mkdir(parents=True)
    (tmp_path / "config/memorybank/config.json").write_text(json.dumps({"personal": {"off_in": [str(asking.scratch.repository)]}}))
    assert asking.ids("search", query="VPN token", all_banks=True) == []
    assert asking.ids("recall", situation="the VPN asks for a new token, where do I get one?") == []
    with pytest.raises(NotFound):
        asking.ask("read", id="personal:shared/vpn.md")


def test_one_that_nobody_accepted_says_nothing(asking, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another machine"))
    monkeypatch.delenv("MEMORYBANK_TRUST")
    assert asking.ids("recall", situation="the VPN asks for a new token, where do I get one?") == []
    assert "memorybank --personal trust" in asking.ask("search", query="VPN token", all_banks=True).text
    with pytest.raises(NotFound, match="waits"):
        asking.ask("read", id="personal:shared/vpn.md")

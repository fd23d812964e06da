"""The Claude Code plugin: the same hooks as in the settings, in the form of a plugin. (`tests/real_hosts` runs Claude Code itself.)"""

import json
import sys
from pathlib import Path

import pytest

from memorybank.errors import Conflict
from memorybank.hosts import plugin
from memorybank.hosts.program import command
from memorybank.hosts.registration import TABLE

VERSION = "1.2.3"
ROOT = Path(__file__).resolve().parents[2]


def test_its_hooks_are_those_of_the_table():
    files = plugin.files(VERSION)
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]
    assert list(hooks) == [registered.event for registered in TABLE["claude-code"].events]
    for registered in TABLE["claude-code"].events:
        ((hook,),) = (entry["hooks"] for entry in hooks[registered.event])
        assert hook["command"] == command(None, "claude-code", None, notifies=registered.event == "Stop")


def test_its_manifest_and_readme_are_what_claude_code_asks_for():
    files = plugin.files(VERSION)
    manifest = json.loads(files[".claude-plugin/plugin.json"])
    assert (manifest["name"], manifest["version"]) == ("memorybank", VERSION)
    assert len(files["README.md"].split()) >= 40


def test_writing_it_twice_changes_nothing(tmp_path):
    folder = str(tmp_path / "new" / "plugin")
    plugin.write(folder, plugin.plan(folder, VERSION))
    assert {name: (tmp_path / "new" / "plugin" / name).read_text() for name in plugin.files(VERSION)} == plugin.files(VERSION)
    assert all(file.unchanged for file in plugin.plan(folder, VERSION))


def test_an_older_version_is_renewed_and_a_foreign_folder_refused(tmp_path):
    folder = tmp_path / "plugin"
    plugin.write(str(folder), plugin.plan(str(folder), VERSION))
    (folder / ".claude-plugin" / "plugin.json").write_text('{"name": "memorybank", "version": "0.0.1"}')
    assert [file.name for file in plugin.plan(str(folder), VERSION) if not file.unchanged] == [".claude-plugin/plugin.json"]
    for text in ('{"name": "another"}', "{", "[]"):
        (folder / ".claude-plugin" / "plugin.json").write_text(text)
        with pytest.raises(Conflict):
            plugin.plan(str(folder), VERSION)


def test_the_extension_of_gemini_has_the_hooks_of_the_table_and_names_its_server():
    files = plugin.files(VERSION, "gemini")
    hooks = json.loads(files["hooks/hooks.json"])["hooks"]
    assert list(hooks) == [registered.event for registered in TABLE["gemini"].events]
    for registered in TABLE["gemini"].events:
        ((hook,),) = (entry["hooks"] for entry in hooks[registered.event])
        assert hook["command"] == command(None, "gemini", registered.event if TABLE["gemini"].names_event else None, notifies=registered.notifies)
    manifest = json.loads(files["gemini-extension.json"])
    assert (manifest["name"], manifest["version"], manifest["mcpServers"]["memorybank"]["command"]) == ("memorybank", VERSION, "memorybank")


@pytest.mark.parametrize("host", plugin.MANIFESTS)
def test_servers_are_named_in_the_manifest_alone(host):
    """A `.mcp.json` in the folder would be read as the settings of the project that contains it."""
    files = plugin.files(VERSION, host)
    assert ".mcp.json" not in files and "mcpServers" in json.loads(files[plugin.MANIFESTS[host]])


def test_the_folder_plugins_of_the_repository_is_what_the_command_writes(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import plugins

    assert plugins.outdated() == [], "run python scripts/plugins.py"
    sys.modules.pop("plugins")
    assert not list(ROOT.glob("plugins/**/.mcp.json"))


def test_a_folder_of_the_other_host_is_refused(tmp_path):
    folder = str(tmp_path / "plugin")
    plugin.write(folder, plugin.plan(folder, VERSION, "gemini"))
    assert all(file.unchanged for file in plugin.plan(folder, VERSION, "gemini"))
    with pytest.raises(Conflict, match="for claude-code"):
        plugin.plan(folder, VERSION)

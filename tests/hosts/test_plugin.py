"""The Claude Code plugin: the same hooks as in the settings, in the form of a plugin. (`tests/real_hosts` runs Claude Code itself.)"""

import json

import pytest

from memorybank.errors import Conflict
from memorybank.hosts import plugin
from memorybank.hosts.program import command
from memorybank.hosts.registration import TABLE

VERSION = "1.2.3"


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

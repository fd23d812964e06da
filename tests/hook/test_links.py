"""A hook in a bank with a folder that leads elsewhere: it is silent, ends with 0, and records nothing outside the bank."""

import os

import pytest

FOLDERS = ("log", "log/events", "log/spool", "cache", "config", "active", "active/shared", "episodes", "archive", "backups")


def content(folder):
    return {os.path.relpath(os.path.join(top, name), folder) for top, _, names in os.walk(folder) for name in names}


@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_hook_writes_nothing_behind_a_link(host, tmp_path, folder):
    outside = tmp_path / "outside"
    host.bank.lead_away(folder, outside)
    before = content(outside)
    payloads = (
        host.payload("SessionStart", source="startup"),
        host.payload("UserPromptSubmit", prompt="When is the staging database reset? 検証用のデータベース。", prompt_id="p1"),
        host.tool(1, command="ls"),
        host.tool(2, failed="Exit code 1", command="pytest"),
        host.payload("Stop", stop_hook_active=False, last_assistant_message="Done."),
        host.payload("SessionEnd", reason="exit"),
    )
    for payload in payloads:
        done = host.fire(payload)
        assert (done.returncode, done.stderr) == (0, b""), payload["hook_event_name"]
        assert content(outside) == before, payload["hook_event_name"]


def test_a_hook_records_in_a_bank_whose_project_is_behind_a_link(host, lines, tmp_path):
    link = tmp_path / "work"
    link.symlink_to(host.project)
    for name in ("CLAUDE_PROJECT_DIR", "PWD"):
        done = host.fire(host.payload("UserPromptSubmit", prompt=f"a prompt through a link, {name}", cwd=str(link)), **{name: str(link)})
        assert (done.returncode, done.stderr) == (0, b"")
    assert [line["event"] for line in lines() if line["event"] == "prompt"] == ["prompt", "prompt"]

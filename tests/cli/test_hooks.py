"""`memorybank hooks`: what it prints, what it leaves alone, how it fails."""

import json
import os

import pytest

from memorybank.installed import extra_command


@pytest.fixture
def empty_home(tmp_path, monkeypatch):
    """A home of this test alone: what hooks are registered in it is registered in no other test."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def project(bank, empty_home):
    """A bank in a project, and an empty home."""
    return bank({"shared/a.md": "# A\n"})


def files(project):
    """The files of a project, without the index that installing brings up to date."""
    derived = (project.root / "cache", project.root / "log")
    found = (path for path in project.repository.rglob("*") if path.is_file() and path.parent not in derived)
    return sorted(str(path.relative_to(project.repository)) for path in found)


@pytest.mark.slow
def test_install_indexes_the_notes_of_a_clone(run, project):
    assert "would register" in run(project, "hooks", "install", "--dry-run").out and not (project.root / "cache").exists()
    notes = sum(1 for _ in project.active.rglob("*.md"))
    assert f"indexed {notes} note" in run(project, "hooks", "install").out
    assert "indexed" not in run(project, "hooks", "install").out
    project.write("planning/another.md", "# Another\n")
    assert json.loads(run(project, "hooks", "install", "--format", "json").out)["indexed"] == 1


def test_install_without_a_bank_indexes_nothing(run, empty_home, tmp_path):
    class Elsewhere:
        repository = tmp_path / "elsewhere"

    Elsewhere.repository.mkdir()
    done = run(Elsewhere, "hooks", "install", "--scope", "user")
    assert (done.code, "indexed" in done.out, "not indexed" in done.err) == (0, False, False)


def test_install_says_what_it_did_what_is_left_to_do_and_that_notes_are_committed(run, project):
    done = run(project, "hooks", "install")
    assert done.code == 0
    assert "registered 11 events in .claude/settings.local.json" in done.out
    assert "trust" in done.out and "keep it out of git" in done.out and "meant to be committed" in done.out
    assert "nothing changed" in run(project, "hooks", "install").out


def test_a_second_scope_says_that_every_event_starts_two_hooks_and_how_to_take_one_out(run, project):
    first = run(project, "hooks", "install").out
    assert "for each" not in first and "for each" not in run(project, "hooks", "status").out
    planned = run(project, "hooks", "install", "--scope", "user", "--dry-run").out
    assert "every event would start one for each registration" in planned
    second = run(project, "hooks", "install", "--scope", "user").out
    assert ".claude/settings.local.json (scope local) also registers the hook, so every event starts one for each registration" in second
    assert "'memorybank hooks uninstall --host claude-code --scope local'" in second
    told = json.loads(run(project, "hooks", "install", "--scope", "user", "--format", "json").out)
    assert any("scope local" in ask for ask in told["still_to_do"])
    shown = run(project, "hooks", "status").out
    assert "Claude Code is registered 2 times" in shown and "'memorybank hooks uninstall --host claude-code --scope user'" in shown
    run(project, "hooks", "uninstall", "--scope", "local")
    assert "for each" not in run(project, "hooks", "install", "--scope", "user").out
    assert "registered 2 times" not in run(project, "hooks", "status").out


def test_status_can_be_read_on_a_narrow_page(run, project, monkeypatch):
    run(project, "hooks", "install")
    monkeypatch.setenv("COLUMNS", "40")
    shown = run(project, "hooks", "status").out
    assert all(len(line) <= 40 for line in shown.splitlines()) and "11 events in" in shown and ".claude/settings.local.json" in shown


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_settings_that_are_no_file_are_refused_with_what_to_do(run, project, kind):
    path = project.repository / ".claude" / "settings.local.json"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    refused = run(project, "hooks", "install")
    assert refused.code == 9 and "not a regular file" in refused.err and "move it away" in refused.err
    assert "not a regular file" in run(project, "hooks", "status").out


def test_a_dry_run_shows_the_change_and_makes_none(run, project):
    before = files(project)
    for words in (("install",), ("install", "--host", "opencode", "--scope", "project"), ("install", "--host", "gemini", "--scope", "user")):
        shown = run(project, "hooks", *words, "--dry-run")
        assert shown.code == 0 and "would register" in shown.out and "\n+" in shown.out
    assert files(project) == before
    run(project, "hooks", "install")
    shown = run(project, "hooks", "uninstall", "--dry-run")
    assert "would remove .claude/settings.local.json" in shown.out and "\n-" in shown.out
    assert len(files(project)) == len(before) + 1


def test_uninstall_takes_out_what_install_put_in(run, project):
    before = files(project)
    run(project, "hooks", "install")
    assert "removed .claude/settings.local.json" in run(project, "hooks", "uninstall").out
    assert files(project) == before
    assert "nothing changed" in run(project, "hooks", "uninstall").out
    settings = project.repository / ".claude" / "settings.json"
    settings.write_text('{"model": "x"}')
    assert "the file before the change: ~/.local/state/memorybank/hosts/settings.json-" in run(project, "hooks", "install", "--scope", "project").out
    assert "removed memorybank's entries from" in run(project, "hooks", "uninstall", "--scope", "project").out
    assert settings.read_text() == '{"model": "x"}'


def test_a_switch_that_keeps_the_hook_from_running_is_said_at_once(run, project):
    settings = project.repository / ".claude" / "settings.local.json"
    settings.write_text('{"disableAllHooks": true}')
    assert "'disableAllHooks' in .claude/settings.local.json disables every hook" in run(project, "hooks", "install").out
    settings.write_text('{"disableAllHooks": false}')
    assert "disableAllHooks" not in run(project, "hooks", "install").out


def with_timeouts_changed(file):
    text = file.read_text()
    assert '"timeout": 10' in text
    file.write_text(text.replace('"timeout": 10', '"timeout": 11'))


def test_status_says_once_what_a_host_cannot_and_names_the_whole_command_that_renews(run, project):
    for scope in ("project", "user"):
        run(project, "hooks", "install", "--host", "cursor", "--scope", scope)
    with_timeouts_changed(project.repository.parent / "home" / ".cursor" / "hooks.json")
    shown = run(project, "hooks", "status").out
    assert shown.count("Cursor documents no way to add memory to a prompt") == 1
    assert "Cursor (user): the entries are outdated; 'memorybank hooks install --host cursor --scope user' updates them" in shown


def test_a_project_registration_says_that_this_machine_lacks_the_program(run, project, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "'memorybank' is not on the PATH here, so nothing is recorded" in run(project, "hooks", "install", "--scope", "project").out
    status = run(project, "hooks", "status").out
    assert "(not on the PATH) is missing here, so the hook does nothing; install memorybank in a folder on the PATH" in status
    program = tmp_path / "memorybank"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert "not on the PATH here" not in run(project, "hooks", "install", "--scope", "project").out


def test_json(run, project):
    shown = json.loads(run(project, "hooks", "install", "--host", "cursor", "--scope", "project", "--format", "json").out)
    assert (shown["host"], shown["scope"], shown["changed"], shown["dry_run"]) == ("cursor", "project", True, False)
    assert set(shown["not_delivered"]) == {"prompt", "tool_before", "subagent_start", "failure"}
    assert shown["events"] and shown["still_to_do"] and shown["session_notes"] and shown["diff"].startswith("--- /dev/null")
    rows = json.loads(run(project, "hooks", "status", "--format", "json").out)
    assert {row["state"] for row in rows if row["host"] == "cursor" and row["scope"] == "project"} <= {"installed", "broken"}
    assert len(rows) == 14
    gone = json.loads(run(project, "hooks", "uninstall", "--host", "cursor", "--scope", "project", "--format", "json").out)
    assert gone["changed"]


def test_status_names_what_is_registered_and_what_cannot_be_delivered(run, project):
    assert "no hook is registered" in run(project, "hooks", "status").out
    run(project, "hooks", "install")
    run(project, "hooks", "install", "--host", "codex", "--scope", "user")
    shown = run(project, "hooks", "status").out
    assert "installed" in shown and "~/.codex/hooks.json" in shown
    assert "does not report whether a command failed" in shown
    assert "No hooks are registered in: Gemini CLI, Copilot CLI, Cursor, opencode" in shown


def test_settings_that_cannot_be_understood_end_in_exit_code_9_and_stay(run, project):
    settings = project.repository / ".claude" / "settings.local.json"
    settings.write_text("{\n  // mine\n}\n")
    done = run(project, "hooks", "install")
    assert done.code == 9 and "line 2: comments are not valid JSON" in done.err and "next:" in done.err
    assert settings.read_text() == "{\n  // mine\n}\n"
    assert run(project, "hooks", "status").code == 0


def test_a_scope_that_a_host_lacks_is_a_usage_error(run, project):
    done = run(project, "hooks", "install", "--host", "codex", "--scope", "local")
    assert done.code == 2 and "--scope project or --scope user" in done.err


def test_without_a_scope_a_host_that_has_no_local_one_is_registered_in_the_project(run, project):
    assert "registered 10 events in .codex/hooks.json" in run(project, "hooks", "install", "--host", "codex").out
    assert "removed .codex/hooks.json" in run(project, "hooks", "uninstall", "--host", "codex").out


def test_without_a_bank_only_the_persons_own_settings_can_be_meant(run, project, tmp_path):
    class Nowhere:
        repository = tmp_path / "nowhere"

    Nowhere.repository.mkdir()
    assert run(Nowhere, "hooks", "install").code == 3
    assert run(Nowhere, "hooks", "install", "--scope", "user").code == 0
    assert "user" in run(Nowhere, "hooks", "status").out


def test_from_a_sub_folder_the_projects_own_settings_are_meant(run, project, monkeypatch):
    below = project.repository / "src" / "deep"
    below.mkdir(parents=True)

    class Below:
        repository = below

    assert run(Below, "hooks", "install").code == 0
    assert (project.repository / ".claude" / "settings.local.json").exists()
    assert not any(below.iterdir())


def test_the_plugin_is_written_where_it_was_asked_for(run, project):
    shown = run(project, "hooks", "plugin", "out", "--dry-run")
    assert shown.code == 0 and "would write out/hooks/hooks.json" in shown.out
    assert not os.path.exists(project.repository / "out")
    assert run(project, "hooks", "plugin", "out").code == 0
    assert (project.repository / "out" / ".claude-plugin" / "plugin.json").exists()
    assert "unchanged" in run(project, "hooks", "plugin", "out").out
    assert run(project, "hooks", "plugin", ".").code == 1


def test_nothing_is_registered_in_this_repository_itself():
    from pathlib import Path

    root = Path(__file__).resolve().parents[2]
    assert not list((root / ".claude").glob("settings*.json")) and not (root / ".mcp.json").exists()


def test_install_for_a_project_registers_the_mcp_server_too(run, project):
    path = project.repository / ".mcp.json"
    planned = run(project, "hooks", "install", "--scope", "project", "--dry-run")
    assert "would register the MCP server in .mcp.json" in planned.out and '+  "mcpServers"' in planned.out and not path.exists()
    assert "registered the MCP server in .mcp.json" in run(project, "hooks", "install", "--scope", "project").out
    assert json.loads(path.read_text())["mcpServers"]["memorybank"] == {"type": "stdio", "command": "memorybank", "args": ["mcp"]}
    told = json.loads(run(project, "hooks", "install", "--scope", "project", "--format", "json").out)
    assert told["mcp_server"] == {"file": str(path.resolve()), "changed": False}
    assert "removed the MCP server from .mcp.json" in run(project, "hooks", "uninstall", "--scope", "project").out
    assert not path.exists()


def test_install_for_one_machine_says_what_to_type_for_the_mcp_server(run, project):
    before = files(project)
    assert "run: claude mcp add --scope local memorybank -- " in run(project, "hooks", "install").out
    assert set(files(project)) - set(before) == {".claude/settings.local.json"}
    assert "mcp add" not in run(project, "hooks", "install", "--no-mcp").out
    assert "codex mcp add" in run(project, "hooks", "install", "--host", "codex", "--scope", "user").out
    assert "in all your projects" in run(project, "hooks", "install", "--host", "copilot", "--scope", "local").out


def test_hooks_and_server_of_one_file_are_one_change(run, project):
    """Gemini CLI keeps both in its settings: one diff, and the file is what it was when both are out again."""
    path = project.repository / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text('{\n\t"theme": "x"\n}')
    planned = run(project, "hooks", "install", "--host", "gemini", "--dry-run").out
    assert planned.count("+++ ") == 1 and '"mcpServers"' in planned and '"hooks"' in planned
    shown = run(project, "hooks", "install", "--host", "gemini").out
    assert "registered 5 events in .gemini/settings.json" in shown and "registered the MCP server in .gemini/settings.json" in shown
    assert set(json.loads(path.read_text())) == {"theme", "hooks", "mcpServers"}
    again = run(project, "hooks", "install", "--host", "gemini").out
    assert "nothing changed" in again and "the MCP server is registered in" in again
    assert "removed the MCP server from .gemini/settings.json" in run(project, "hooks", "uninstall", "--host", "gemini").out
    assert path.read_text() == '{\n\t"theme": "x"\n}'
    path.unlink()
    run(project, "hooks", "install", "--host", "gemini")
    gone = run(project, "hooks", "uninstall", "--host", "gemini").out
    assert "removed .gemini/settings.json, which memorybank had created" in gone and "MCP" not in gone and not path.exists()
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"mcpServers": {"memorybank": {"command": "memorybank", "args": ["mcp"]}}}')
    assert "no memorybank hook in .gemini/settings.json\n" in (gone := run(project, "hooks", "uninstall", "--host", "gemini").out)
    assert "removed the MCP server from" in gone and json.loads(path.read_text()) == {}


@pytest.mark.parametrize(("host", "name", "text"), [("opencode", "opencode.json", "{\n  // mine\n}\n"), ("claude-code", ".mcp.json", "<<<<<<< ours\n")])
def test_a_servers_file_that_cannot_be_edited_keeps_only_the_server_out(run, project, host, name, text):
    """opencode allows comments in its settings, so they cannot be edited. The hooks are installed and removed nevertheless; --mcp is refused."""
    path = project.repository / name
    path.write_text(text)
    for words in (("install",), ("uninstall",)):
        done = run(project, "hooks", *words, "--host", host, "--scope", "project")
        assert done.code == 0 and f"The MCP server is left as it is: {path.resolve()}: " in done.out.replace("\n", " ") and path.read_text() == text
    assert run(project, "hooks", "install", "--host", host, "--scope", "project", "--mcp").code == 9
    assert not (project.repository / ".opencode").exists() and not (project.repository / ".claude" / "settings.json").exists()


def test_status_shows_the_server_wherever_it_is_registered_and_what_it_lacks(run, project, monkeypatch, tmp_path):
    program = tmp_path / "bin" / "memorybank"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    run(project, "hooks", "install", "--scope", "project")
    by_hand = {"projects": {str(project.repository.resolve()): {"mcpServers": {"memorybank": {"command": str(program), "args": ["mcp", "--as", "main"]}}}}}
    (tmp_path / "home" / ".claude.json").write_text(json.dumps(by_hand))
    lines = run(project, "hooks", "status").out.splitlines()
    assert [line.split() for line in lines if "MCP server" in line] == [
        ["Claude", "Code", "local", "MCP", "server", "installed", "-", "~/.claude.json"],
        ["Claude", "Code", "project", "MCP", "server", "installed", "-", ".mcp.json"],
    ]
    program.unlink()
    shown = run(project, "hooks", "status").out
    assert f"Claude Code (local): the MCP server cannot start, because {program} is missing here" in shown
    assert "Claude Code (project): the MCP server cannot start, because the command memorybank (not on the PATH) is missing here" in shown
    rows = {(row["host"], row["scope"]): row["mcp_server"] for row in json.loads(run(project, "hooks", "status", "--format", "json").out)}
    assert rows["claude-code", "local"]["command"] == [str(program), "mcp", "--as", "main"] and rows["claude-code", "local"]["state"] == "broken"
    assert rows["codex", "project"] is None
    monkeypatch.setenv("COLUMNS", "40")
    assert all(len(line) <= 40 for line in run(project, "hooks", "status").out.splitlines())


def test_a_server_alone_is_shown_too(run, project):
    (project.repository / ".mcp.json").write_text('{"mcpServers": {"memorybank": {"command": "memorybank", "args": ["mcp"]}}}')
    shown = run(project, "hooks", "status").out
    assert "MCP server" in shown and "no hook is registered" not in shown and "No hooks are registered in: Claude Code" in shown


def test_without_the_extra_no_server_is_registered(run, project, monkeypatch):
    monkeypatch.setattr("memorybank.hosts.servers.find_spec", lambda name: None)
    assert "MCP server" not in run(project, "hooks", "install", "--scope", "project").out
    assert not (project.repository / ".mcp.json").exists()
    refused = run(project, "hooks", "install", "--scope", "project", "--mcp")
    assert refused.code == 5 and extra_command("mcp") in refused.err
    assert not (project.repository / ".mcp.json").exists()


def test_a_backup_is_named_only_of_a_file_that_was_there(run, project):
    install = ("hooks", "install", "--scope", "project", "--no-mcp")
    assert "backup" not in run(project, *install).out
    assert "backup" not in run(project, *install).out, "memorybank created the file"
    run(project, "hooks", "uninstall", "--scope", "project")
    settings = project.repository / ".claude/settings.json"
    settings.write_text('{"model": "opus"}\n', encoding="utf-8")
    for _ in range(2):
        assert "the file before the change" in run(project, *install).out

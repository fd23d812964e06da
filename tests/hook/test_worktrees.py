"""Two linked worktrees of one repository remember for each other; notes stay each worktree's own."""

import json
import subprocess

import pytest


@pytest.fixture
def linked(host, tmp_path_factory):
    """A second worktree of the host's repository, with the committed bank in it."""
    (host.bank.root / ".gitignore").write_text("log/\nbackups/\ncache/\nindexes/\nmetadata/\n")
    folder = tmp_path_factory.mktemp("linked") / "feature"
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "bank"], ["worktree", "add", "-q", str(folder), "-b", "feature/x"]):
        subprocess.run(["git", *arguments], cwd=host.project, check=True)
    return folder


@pytest.mark.slow
def test_what_failed_in_one_worktree_is_recalled_in_the_other(host, linked):
    main = host.project
    host.project = linked
    for session in ("linked-one", "linked-two"):
        host.session = session
        host.fire(host.payload("UserPromptSubmit", prompt="run the zebra migration", prompt_id="p1"))
        host.fire(host.tool(1, command="make zebra-migrate", failed="Exit code 1\nZebraLockError: stripes are held by worker 7"))
        host.fire(host.tool(2, command="make zebra-unlock", output="unlocked"))
        host.fire(host.tool(3, command="make zebra-migrate", output="migrated"))
        host.fire(host.payload("Stop", last_assistant_message="Migrated.", stop_hook_active=False))
        host.fire(host.payload("SessionEnd", reason="other"))
    assert not (linked / ".claude" / "memory" / "log").exists(), "the log is the main worktree's"
    assert (main / ".claude" / "memory" / "log" / "events").is_dir()
    host.project, host.session = main, "in-the-main-worktree"
    assert "make zebra-unlock" in host.said("SessionStart", source="startup")
    host.session = "in-the-main-worktree-too"
    again = host.tool(9, command="make zebra-migrate", failed="Exit code 1\nZebraLockError: stripes are held by worker 9")
    said = host.said(**{"event" if name == "hook_event_name" else name: value for name, value in again.items()})
    assert "make zebra-unlock" in said


def test_a_note_of_one_worktree_is_not_put_before_an_agent_in_the_other(host, linked):
    note = linked / ".claude" / "memory" / "active" / "shared" / "quokka.md"
    note.write_text("# Quokka deploy\n\nThe quokka deploy needs the amber token from the vault rotation sheet.\n")
    question = "What does the quokka deploy need from the vault rotation sheet?"
    main = host.project
    for project in (linked, main):  # a busy machine does not skip the work of a turn's end
        config = project / ".claude" / "memory" / "config" / "cycle_config.json"
        config.parent.mkdir(exist_ok=True)
        config.write_text('{"deadlines_ms": {"process": 10000, "outbox_turn_end": 8000}}')
    for project, session in ((linked, "one"), (main, "two")):
        host.project, host.session = project, session
        host.fire(host.payload("SessionStart", source="startup"))
        host.fire(host.payload("Stop", last_assistant_message="ok", stop_hook_active=False))
    host.project, host.session = linked, "three"
    assert "amber token" in host.said("UserPromptSubmit", prompt=question, prompt_id="p1")
    host.project, host.session = main, "four"
    done = host.fire(host.payload("UserPromptSubmit", prompt=question, prompt_id="p2"))
    assert b"amber" not in done.stdout
    json.loads(done.stdout or b"{}")


def test_a_session_starts_with_what_was_done_in_another_worktree(host, linked):
    """This worktree's cache has not seen it: the start takes it in first."""
    host.session = "in-the-main-worktree"
    host.fire(host.payload("UserPromptSubmit", prompt="シマウマの移行を直して", prompt_id="p1"))
    host.fire(host.tool(1, "Edit", file_path=str(host.project / "zebra" / "locks.py"), old_string="stripes = 7", new_string="stripes = 9"))
    host.fire(host.payload("Stop", last_assistant_message="直しました。", stop_hook_active=False))
    host.fire(host.payload("SessionEnd", reason="other"))
    host.project, host.session = linked, "in-the-linked-worktree"
    said = host.said("SessionStart", source="startup")
    assert "シマウマの移行を直して" in said and "`stripes = 7` → `stripes = 9`" in said

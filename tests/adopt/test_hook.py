"""The hook's own process answers from what was adopted: an ADR of the repository, a note of a vault, and never what the host loads itself."""

import json

import pytest

from tests.hook.conftest import Host

RETRY = "how many times are uploads retried, with which backoff?"


@pytest.fixture
def agent(world):
    def start(*layouts: str) -> Host:
        made = world(*layouts)
        host = Host(made.project)
        host.world = made
        return host

    return start


def asked(host: Host, text: str, number: int = 1) -> str:
    return host.said("UserPromptSubmit", prompt=text, prompt_id=f"p{number}")


def asked_of_codex(host: Host, text: str) -> str:
    payload = {"session_id": host.session, "turn_id": "t1", "cwd": str(host.project), "hook_event_name": "UserPromptSubmit", "prompt": text, "model": "m"}
    done = host.fire({**payload, "transcript_path": "/x/sessions/2026/rollout-1.jsonl", "permission_mode": "default"}, host="codex")
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""


def test_an_adr_of_the_repository(agent):
    host = agent("documentation")
    assert asked(host, RETRY) == ""
    host.world.adopt("adr")
    host.session = "second"
    shown = asked(host, RETRY)
    assert "four times with exponential backoff" in shown
    assert "[file docs/adr/0002-retry-with-jitter.md;" in shown
    host.world.run("adopt", "--undo")
    host.session = "third"
    assert asked(host, RETRY) == ""


def test_an_adr_before_its_file_is_touched(agent):
    """A path in a document is an anchor: reading src/upload.py recalls the decision that names it."""
    host = agent("documentation")
    host.world.write(
        host.project / "docs/adr/0003-chunks.md", "# 3. Chunks\n\nThe size of a chunk is set in `src/upload.py` and must stay a multiple of 4 KiB.\n"
    )
    host.world.adopt("adr")
    path = str(host.project / "src" / "upload.py")
    assert "multiple of 4 KiB" in host.said("PreToolUse", tool_name="Read", tool_input={"file_path": path}, tool_use_id="t1")


def test_a_note_of_a_vault(agent):
    host = agent("obsidian")
    host.world.adopt("vault")
    shown = asked(host, "which firmware does the label printer in hall B need?")
    assert "needs firmware 4.12" in shown
    assert f"[file {host.world.home}/Vault/Projects/parcels/Hardware/Label printer.md;" in shown
    assert "三回まで" in asked(host, "配送通知の再送は何回まで？", 2)


def test_rows_of_a_database(agent):
    host = agent("claude-mem")
    host.world.adopt("claude-mem")
    assert "300 seconds" in asked(host, "why did webhook signature verification fail, and what tolerance has it?")


def test_what_a_host_loads_itself_is_recalled_in_the_others_only(agent):
    host = agent("instructions")
    host.world.adopt("--all")
    printer, uv = "which port does the label printer use for ZPL?", "may I call pip directly for the parcel tracker tests, or uv?"
    assert asked(host, uv) == "", "Claude Code has CLAUDE.md already"
    assert "port 9100" in asked(host, printer, 2)
    host.session = "0aa9f6a5-1111-4222-8333-44445555aaaa"
    assert asked_of_codex(host, printer) == "", "Codex has AGENTS.md already"
    host.session = "0aa9f6a5-1111-4222-8333-44445555bbbb"
    assert "uv run pytest" in asked_of_codex(host, uv)
    for query in (printer, uv):
        assert host.world.run("search", query).out.count(".md") >= 1, "it is searched everywhere"


def test_what_instructions_import_is_loaded_too(agent):
    host = agent("instructions")
    host.world.write(host.project / "docs" / "placeholder.md", "# Placeholder\n\nNothing.\n")
    question = "what happens in the release checklist after the commit is tagged?"
    host.world.write(host.project / "docs" / "release.md", (host.project / "docs-for-agents.md").read_text(encoding="utf-8"))
    host.world.adopt("docs")
    assert "smoke test" in asked(host, question)
    host.world.run("adopt", "--undo")
    host.world.write(host.project / "CLAUDE.md", "# Parcel tracker\n\nSee @docs/release.md for the checklist.\n")
    host.world.adopt("docs", "claude")
    host.session = "another"
    assert asked(host, question) == ""


def test_the_same_text_under_another_name_is_not_recalled(agent):
    host = agent()
    text = "# Rules\n\nThe frobnicator needs the flag --quux in staging.\n"
    host.world.write(host.project / "CLAUDE.md", text)
    host.world.write(host.project / "AGENTS.md", text)
    host.world.adopt("--all")
    assert asked(host, "which flag does the frobnicator need in staging?") == ""


def test_a_new_file_is_recalled_in_the_same_session_and_a_deleted_one_is_not(agent):
    host = agent("documentation")
    host.world.adopt("adr")
    path = host.world.write(host.project / "docs/adr/0009-kafka.md", "# 9. Kafka topics\n\nTopics for parcels have twelve partitions.\n")
    host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message="done"))
    assert "twelve partitions" in asked(host, "how many partitions do the Kafka topics for parcels have?")
    path.unlink()
    host.session = "another"
    host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message="done"))
    assert asked(host, "how many partitions do the Kafka topics for parcels have?") == ""


@pytest.mark.slow
def test_private_text_stays_out_of_everything_that_is_committed(agent):
    host = agent("obsidian")
    host.world.run("add", "A note of the bank", "--body", "Parcels are sorted by [[Label printer]] size.")
    host.world.adopt("vault")
    asked(host, "which firmware does the label printer in hall B need?")
    host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message="It needs the current one."))
    host.fire(host.payload("SessionEnd", reason="other"))
    for command in (["index"], ["summary", "refresh"], ["maintain", "--yes"], ["rotate", "--yes"], ["episodes", "update"], ["metrics"]):
        host.world.run(*command)
    host.world.git("add", "-A")
    for path in (host.project / ".claude").rglob("*"):
        if path.is_file() and not {"log", "cache"} & set(path.relative_to(host.world.root).parts):
            data = path.read_bytes()
            assert b"4.12" not in data, path
            assert b"Vault" not in data, path
            assert "三回まで".encode() not in data, path


def test_a_document_edited_in_place_in_a_large_bank(agent, monkeypatch):
    """Above some size only folders are compared; what the session's own calls named is examined all the same."""
    from memorybank.index import glance

    host = agent("documentation")
    host.world.adopt("adr")
    path = host.project / "docs/adr/0002-retry-with-jitter.md"
    path.write_text("# 2. Retry\n\nNow five attempts.\n", encoding="utf-8")
    monkeypatch.setattr(glance, "SMALL", 0)
    key = "./docs/adr/0002-retry-with-jitter.md"
    assert glance.suspects(host.world.layout) == []
    assert glance.suspects(host.world.layout, [key, "./README.md", "./docs/index.md", "../x.md", "./../x.md"]) == [key]
    path.unlink()
    assert key in glance.suspects(host.world.layout)


def test_the_keys_that_a_session_named(agent):
    from memorybank.clock import FixedClock
    from memorybank.cycle.base import describe
    from memorybank.cycle.phases import organize
    from tests.conftest import NOW

    host = agent("documentation")
    path = str(host.project / "docs/adr/0002-retry-with-jitter.md")
    host.fire(host.tool(1, "Edit", file_path=path, old_string="a", new_string="b"))
    assert organize._named(describe(host.world.layout, FixedClock(NOW)), host.session) == ["./docs/adr/0002-retry-with-jitter.md"]


def test_a_document_says_who_may_see_it(agent):
    """`acl` and `privacy` of a document's front matter hold for it as for a note."""
    host = agent("documentation")
    text = "# Okapi\n\nThe okapi gateway listens on port 4711 in staging.\n"
    path = host.world.write(host.project / "docs/adr/0010-okapi.md", f"---\nprivacy: private\n---\n{text}")
    host.world.adopt("adr")
    assert asked(host, "which port does the okapi gateway listen on?") == ""
    path.write_text(text, encoding="utf-8")
    host.world.run("index")
    assert "4711" in asked(host, "which port does the okapi gateway listen on?", 2)


@pytest.mark.slow
def test_recalls_count_for_a_document_as_for_a_note(agent):
    host = agent("documentation")
    host.world.adopt("adr")
    assert "four times" in asked(host, RETRY)
    path = str(host.project / "docs/adr/0002-retry-with-jitter.md")
    host.fire(host.tool(1, "Read", file_path=path))
    host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message="Four times."))
    host.fire(host.payload("SessionEnd", reason="other"))
    host.world.run("index")
    lines = [json.loads(line) for line in (host.world.root / "log/access.jsonl").read_text(encoding="utf-8").split("\n") if line]
    kinds = {line["kind"] for line in lines if "./docs/adr/0002-retry-with-jitter.md" in line.values()}
    assert {"seen", "shown", "helped"} <= kinds

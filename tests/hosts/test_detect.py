"""Detecting the host: the payload decides, whatever the environment and the command line say, and a wrong guess does no harm."""

import pytest

from memorybank.hosts.detect import HOSTS, detect, dialect
from tests.hosts.captured import ALL

FOREIGN = {
    "nothing": {},
    "everything": {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_SESSION_ID": "somebody-else",
        "CLAUDE_PROJECT_DIR": "/p",
        "COPILOT_CLI": "1",
        "COPILOT_PROJECT_DIR": "/p",
        "GEMINI_SESSION_ID": "another-one",
        "GEMINI_PROJECT_DIR": "/p",
        "CURSOR_VERSION": "2.0",
    },
    "claude-code": {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "somebody-else", "CLAUDE_PROJECT_DIR": "/p"},
    "copilot": {"COPILOT_CLI": "1", "COPILOT_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"},
    "gemini": {"GEMINI_SESSION_ID": "another-one", "GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"},
}


@pytest.mark.parametrize("inherited", FOREIGN)
@pytest.mark.parametrize("hint", [None, *HOSTS])
def test_every_recorded_payload_is_its_hosts_whoever_registered_the_hook_and_whatever_shell_it_came_from(inherited, hint):
    wrong = [
        f"{hook.case} {hook.number}"
        for hook in ALL
        for environ in (FOREIGN[inherited], {**FOREIGN[inherited], **hook.environ})
        if detect(hook.payload, environ, hint).host != hook.host
    ]
    assert wrong == []


def test_payloads_that_were_not_recorded_from_a_client():
    assert detect({"conversation_id": "c", "hook_event_name": "stop"}, {}, "claude-code").host == "cursor"
    assert detect({"cursor_version": "2", "hook_event_name": "Stop", "session_id": "s"}, {}, "claude-code").host == "cursor"
    assert detect({"memorybank": 1, "hook_event_name": "prompt"}, {"COPILOT_CLI": "1"}, None).host == "opencode"
    assert detect({"hook_event_name": "SessionEnd", "session_id": "s", "transcript_path": None, "cwd": "/p", "reason": "other"}, {}, None).host == "codex"


def test_what_the_payload_leaves_open_the_environment_and_then_the_command_line_decide():
    bare = {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup"}
    assert detect(bare, {}, None).host == "claude-code"
    assert detect(bare, {}, "codex").host == "codex"
    assert detect(bare, {}, "no such host").host == "claude-code"
    assert detect(bare, {"CLAUDE_CODE_SESSION_ID": "s"}, "codex").host == "claude-code"
    assert detect(bare, {"GEMINI_SESSION_ID": "s"}, "claude-code").host == "gemini"
    assert detect(bare, {"COPILOT_CLI": "1"}, "claude-code").host == "copilot"
    assert detect(bare, {"CLAUDECODE": "1"}, "codex").host == "codex", "a Codex started in Claude Code's shell inherits it"


@pytest.mark.parametrize("payload", [None, 1, "text", [], [{}], True])
def test_what_is_no_object_is_nobodys(payload):
    assert detect(payload, {}, "claude-code") is None


def test_every_host_has_a_dialect_of_its_own():
    assert [dialect(host).host for host in HOSTS] == list(HOSTS)


@pytest.mark.parametrize("guess", HOSTS)
def test_a_wrong_guess_gives_an_event_or_none_and_a_reply_that_is_one_json_object(guess):
    """No dialect raises for another host's payload."""
    wrong = dialect(guess)
    for hook in ALL:
        event = wrong.to_event(hook.payload, hook.environ, hook.hint)
        if event is not None:
            reply = wrong.reply(event, "text")
            assert reply is None or (reply.startswith(b"{") and reply.endswith(b"}"))

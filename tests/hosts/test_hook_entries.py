"""memorybank's entries in arbitrary settings: added once, renewed, removed, with everything else unchanged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import ValidationFailed
from memorybank.hosts import hook_entries
from memorybank.hosts.program import Program
from memorybank.hosts.registration import TABLE
from tests.hosts.odd_json import documents

PROGRAM = Program("/opt/it's here/python", "/opt/it's here/memorybank/hook.py")
OLDER = Program("/old/python", "/old/memorybank/hook.py")
hosts = st.sampled_from([TABLE[host] for host in TABLE if host != "opencode"])
programs = st.sampled_from([PROGRAM, OLDER, None])


def foreign(text, registration):
    """The settings without memorybank's entries, computed independently from the parsed value."""
    value = json.loads(text.lstrip("\ufeff"))
    hooks = value.get("hooks")
    if isinstance(hooks, dict):
        for event, groups in list(hooks.items()):
            hooks[event] = [group for group in groups if "--host " not in json.dumps(group)] if isinstance(groups, list) else groups
            if not hooks[event]:
                del hooks[event]
        if not hooks:
            del value["hooks"]
    return {key: each for key, each in value.items() if (key, each) not in registration.head}


@given(documents(hooks=True), hosts, programs)
def test_put_in_and_taken_out_again_is_the_same_bytes(text, registration, program):
    """Excludes files with an empty list, which removing entries would delete too."""
    put = hook_entries.put(text, registration, program)
    assert foreign(put, registration) == foreign(text, registration)
    out = hook_entries.take_out(put, registration)
    if registration.head:
        assert foreign(out, registration) == foreign(text, registration)
    elif json.loads(text.lstrip("\ufeff")):
        assert out == text


@given(documents(hooks=True), hosts, programs)
def test_twice_is_once(text, registration, program):
    once = hook_entries.put(text, registration, program)
    assert hook_entries.put(once, registration, program) == once


@given(documents(hooks=True), hosts, programs, programs)
def test_an_upgrade_replaces_the_entries_of_the_older_one(text, registration, before, after):
    upgraded = hook_entries.put(hook_entries.put(text, registration, before), registration, after)
    assert json.loads(upgraded.lstrip("\ufeff")) == json.loads(hook_entries.put(text, registration, after).lstrip("\ufeff"))
    different = {(each.event if registration.names_event else "", each.notifies) for each in registration.events}
    assert len(hook_entries.commands(upgraded, registration)) == len(different)


@pytest.mark.parametrize("host", [host for host in TABLE if host != "opencode"])
def test_a_new_file_holds_every_moment_once_in_the_hosts_own_form(host):
    registration = TABLE[host]
    value = json.loads(hook_entries.put("", registration, PROGRAM))
    assert set(value) == {"hooks", *dict(registration.head)}
    assert list(value["hooks"]) == [registered.event for registered in registration.events]
    for registered in registration.events:
        (entry,) = value["hooks"][registered.event]
        (hook,) = entry["hooks"] if registration.nested else (entry,)
        assert entry.get("matcher") == registered.matcher
        assert hook[registration.time_key] == registered.seconds * (1000 if host == "gemini" else 1)
        line = hook[registration.command_key]
        assert line.endswith(f" --host {host}" + (f" --event {registered.event}" if host == "copilot" else ""))


def test_a_group_that_is_also_somebody_elses_keeps_their_hook():
    registration = TABLE["claude-code"]
    ours = hook_entries.entry(registration, registration.events[0], OLDER)["hooks"][0]
    theirs = {"type": "command", "command": "make lint"}
    text = json.dumps({"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [theirs, ours]}]}}, indent=2)
    assert json.loads(hook_entries.take_out(text, registration)) == {"hooks": {"SessionStart": [{"matcher": "startup", "hooks": [theirs]}]}}
    put = json.loads(hook_entries.put(text, registration, PROGRAM))
    assert put["hooks"]["SessionStart"][0] == {"matcher": "startup", "hooks": [theirs]}
    assert len(put["hooks"]["SessionStart"]) == 2


def test_hooks_of_other_people_that_speak_of_memorybank_are_theirs():
    theirs = ["memorybank search x", "echo memorybank/hook.py", "memorybank hooks status", "python3 hook.py --host localhost", "exec memorybank mcp --host a"]
    text = json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line} for line in theirs]}]}})
    assert hook_entries.take_out(text, TABLE["claude-code"]) == text


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": 7}', '{"hooks": {"SessionStart": {}}}', '{"hooks": {"SessionStart": "x"}}'])
def test_settings_of_another_form_are_refused(text):
    with pytest.raises(ValidationFailed, match="hooks"):
        hook_entries.put(text, TABLE["claude-code"], PROGRAM)


def test_what_else_stands_among_the_hooks_is_left_alone():
    text = '{"hooks": {"disabled": true, "Stop": [7, null, {"hooks": 3}, {"matcher": "x"}]}}'
    assert hook_entries.take_out(hook_entries.put(text, TABLE["claude-code"], PROGRAM), TABLE["claude-code"]) == text


def test_an_empty_list_of_somebody_else_stays():
    text = '{"hooks": {"Stop": [], "Notification": []}}'
    put = hook_entries.put(text, TABLE["claude-code"], PROGRAM)
    assert json.loads(hook_entries.take_out(put, TABLE["claude-code"])) == {"hooks": {"Notification": []}}, "Stop was ours in the meantime"
    assert hook_entries.take_out(text, TABLE["claude-code"]) == text


def test_of_repeated_keys_the_one_that_counts_is_edited():
    text = '{"hooks": {"Stop": [1]}, "hooks": {"Stop": [2]}}'
    put = hook_entries.put(text, TABLE["claude-code"], PROGRAM)
    assert put.startswith('{"hooks": {"Stop": [1]}, "hooks": {"Stop": [2')
    assert hook_entries.take_out(put, TABLE["claude-code"]) == text

"""Registering the MCP server: one entry in the file that a project commits, everything else byte for byte; elsewhere a command to type."""

import json

import pytest

from memorybank.errors import Conflict, ValidationFailed
from memorybank.hosts import install, servers
from memorybank.hosts.program import Program
from memorybank.hosts.registration import SCOPES, TABLE

PROGRAM = Program("/opt/my python", "/opt/memorybank/hook.py")
FILES = [(host, "project") for host, place in servers.PLACES.items() if place.file is not None]
OTHERS = '{\n    "mcpServers": {\n        "other": { "command": "x",  "args": [] }\n    },\r\n    "more": [1,2]\n}\n'


@pytest.fixture
def place(tmp_path, monkeypatch):
    home, project = tmp_path / "home", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    return project


def do(place, host, plan):
    change = plan(host, "project", str(place), {})
    install.execute(change, {})
    return change


def of(place, host):
    return place / servers.PLACES[host].file.path


@pytest.mark.parametrize(("host", "scope"), FILES)
def test_a_new_file_holds_the_server_and_goes_again(place, host, scope):
    assert do(place, host, servers.plan_install).changes
    assert json.loads(of(place, host).read_text()) == {"mcpServers": {"memorybank": {"type": "stdio", "command": "memorybank", "args": ["mcp"]}}}
    assert not do(place, host, servers.plan_install).changes
    assert do(place, host, servers.plan_uninstall).after is None
    assert not of(place, host).exists()
    assert not do(place, host, servers.plan_uninstall).changes


@pytest.mark.parametrize("text", [OTHERS, "{}\n", "{}", '{"mcpServers": {}}', "", '{"a":1}', '\ufeff{"mcpServers":{"x":{}}}'])
def test_what_was_there_comes_back_byte_for_byte(place, text):
    path = of(place, "claude-code")
    path.write_bytes(text.encode())
    do(place, "claude-code", servers.plan_install)
    assert json.loads(path.read_bytes().decode("utf-8-sig"))["mcpServers"]["memorybank"]["args"] == ["mcp"]
    do(place, "claude-code", servers.plan_uninstall)
    assert path.read_bytes() == text.encode()


def test_what_somebody_added_since_stays(place):
    path = of(place, "claude-code")
    do(place, "claude-code", servers.plan_install)
    fields = json.loads(path.read_text())
    fields["mcpServers"]["new"] = {"command": "y"}
    path.write_text(json.dumps(fields))
    do(place, "claude-code", servers.plan_uninstall)
    assert json.loads(path.read_text()) == {"mcpServers": {"new": {"command": "y"}}}


EDITED = {"command": "/opt/bin/memorybank", "args": ["mcp", "--as", "reviewer", "--allow-write"]}


def test_an_entry_that_a_person_wrote_stays_as_it_is(place):
    path = of(place, "claude-code")
    text = json.dumps({"mcpServers": {"memorybank": EDITED}})
    path.write_text(text)
    assert not do(place, "claude-code", servers.plan_install).changes
    assert not do(place, "claude-code", servers.plan_uninstall).changes
    assert path.read_text() == text


def test_our_entry_that_a_person_edited_stays_and_goes_with_us(place):
    """`--as`, `--allow-write` and the path of a program are choices: installing again keeps them."""
    path = of(place, "claude-code")
    do(place, "claude-code", servers.plan_install)
    path.write_text(json.dumps({"mcpServers": {"memorybank": EDITED, "other": {}}}))
    assert not do(place, "claude-code", servers.plan_install).changes
    path.write_text(path.read_text() + "\n")
    do(place, "claude-code", servers.plan_uninstall)
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {}}}


def test_a_server_of_somebody_else_with_our_name_stays(place):
    path = of(place, "claude-code")
    path.write_text('{"mcpServers": {"memorybank": {"command": "npx", "args": ["@other/memory"]}}}')
    for plan in (servers.plan_install, servers.plan_uninstall):
        assert not do(place, "claude-code", plan).changes


@pytest.mark.parametrize("text", ["{ // a comment\n}", "[]", '{"mcpServers": []}', '{"mcpServers": ', "\ud800"])
def test_a_file_that_is_not_understood_is_refused_untouched(place, text):
    path = of(place, "claude-code")
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for plan in (servers.plan_install, servers.plan_uninstall):
        with pytest.raises(ValidationFailed):
            do(place, "claude-code", plan)
    assert path.read_bytes() == text.encode("utf-8", "surrogatepass")


def test_a_link_out_of_the_project_is_refused(place, tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    of(place, "claude-code").symlink_to(outside)
    with pytest.raises(Conflict):
        servers.plan_install("claude-code", "project", str(place), {})
    assert outside.read_text() == "{}"


@pytest.mark.parametrize("host", TABLE)
@pytest.mark.parametrize("scope", SCOPES)
def test_each_scope_has_a_file_or_a_command_or_nothing(place, host, scope, monkeypatch):
    """Files of a person that their client rewrites are left to that client's own command."""
    monkeypatch.setattr(servers, "on_path", lambda name: False)
    change = servers.plan_install(host, scope, str(place), {})
    typed = servers.to_type(host, scope, PROGRAM)
    assert change is None or not typed
    assert (change is not None) == ((host, scope) in FILES)
    if typed:
        assert "'/opt/my python' -P -m memorybank mcp" in typed
    monkeypatch.setattr(servers, "on_path", lambda name: True)
    assert not typed or servers.to_type(host, scope, PROGRAM).endswith("memorybank mcp")

"""Registering the MCP server: one entry in a file edited as text, the rest unchanged byte for byte; elsewhere a command to type."""

import json
import tomllib

import pytest

from memorybank.errors import Conflict, ValidationFailed
from memorybank.hosts import install, server_entries, servers
from memorybank.hosts.program import Program
from memorybank.hosts.registration import PROJECT, SCOPES, TABLE, USER
from memorybank.installed import extra_command

PROGRAM = Program("/opt/my python", "/opt/memorybank/hook.py")
EDITED = [(host, scope) for (host, scope), place in servers.SERVER_LOCATIONS.items() if not place.typed]
IN_PROJECTS = [host for host, scope in EDITED if scope == PROJECT]
OTHERS = '{\n    "mcpServers": {\n        "other": { "command": "x",  "args": [] }\n    },\r\n    "more": [1,2]\n}\n'


@pytest.fixture
def place(project, monkeypatch):
    monkeypatch.setattr(servers, "on_path", lambda name: True)
    monkeypatch.setattr(servers, "has_extra", lambda: True)
    return project


def put(place, host, scope=PROJECT):
    given = (host, scope, str(place), PROGRAM, {})
    return do(servers.plan_install(*given, install.plan_install(*given)))


def take(place, host, scope=PROJECT):
    given = (host, scope, str(place), {})
    return do(servers.plan_uninstall(*given, install.plan_uninstall(*given)))


def do(plan):
    for change in plan.changes:
        install.execute(change, {})
    return plan


def of(place, host, scope=PROJECT):
    from pathlib import Path

    return Path(install.path_of(servers.SERVER_LOCATIONS[host, scope].file, str(place), {}))


def registered(place, host, scope=PROJECT):
    """The entry as the host's own parser reads it."""
    text, form = of(place, host, scope).read_text(encoding="utf-8-sig"), servers.SERVER_LOCATIONS[host, scope].form
    return (tomllib.loads(text) if form.toml else json.loads(text))[form.key]["memorybank"]


def everything(folder):
    return {path.relative_to(folder): path.read_bytes() if path.is_file() else None for path in folder.rglob("*") if ".local" not in path.parts}


@pytest.mark.parametrize(("host", "scope"), EDITED)
def test_hooks_and_server_come_together_and_go_without_a_trace(place, host, scope):
    """Also where hooks and server share a file, and including every folder that was created for them."""
    assert put(place, host, scope).changes_server
    assert registered(place, host, scope) == {
        "codex": {"command": "memorybank", "args": ["mcp"]},
        "opencode": {"type": "local", "command": ["memorybank", "mcp"], "enabled": True},
    }.get(host, {"type": "stdio", "command": "memorybank", "args": ["mcp"]})
    again = put(place, host, scope)
    assert not again.changes_server and not any(change.changes for change in again.changes)
    assert take(place, host, scope).changes_server
    assert everything(place.parent) == {place.relative_to(place.parent): None, (place.parent / "home").relative_to(place.parent): None}
    gone = take(place, host, scope)
    assert not gone.changes_server and not any(change.changes for change in gone.changes)


@pytest.mark.parametrize("host", IN_PROJECTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_was_there_comes_back_byte_for_byte(place, host, end):
    form = servers.SERVER_LOCATIONS[host, PROJECT].form
    other = (
        f'[{form.key}.other]\ncommand = "x"  # 急須\n\n[more]\nn = [1,\n 2]\n' if form.toml else OTHERS.replace("mcpServers", form.key).replace("\r\n", "\n")
    )
    for text in (other, other.rstrip("\n"), "" if form.toml else "{}\n"):
        text = text.replace("\n", end)
        path = of(place, host)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode())
        put(place, host)
        assert registered(place, host) and path.read_bytes().startswith(text.rstrip("}\r\n \t").encode()[:60])
        take(place, host)
        assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("text", [OTHERS, "{}\n", "{}", '{"mcpServers": {}}', "", '{"a":1}', '\ufeff{"mcpServers":{"x":{}}}'])
def test_json_of_every_shape_comes_back_byte_for_byte(place, text):
    path = of(place, "claude-code")
    path.write_bytes(text.encode())
    put(place, "claude-code")
    assert registered(place, "claude-code")["args"] == ["mcp"]
    take(place, "claude-code")
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("host", IN_PROJECTS)
def test_what_somebody_added_since_stays(place, host):
    put(place, host)
    path, form = of(place, host), servers.SERVER_LOCATIONS[host, PROJECT].form
    if form.toml:
        path.write_text('# mine\nmodel = "x"\n\n' + path.read_text() + '[mcp_servers.memorybank.env]\nA = "1"\n\n[mcp_servers.new]\ncommand = "y"\n')
    else:
        fields = json.loads(path.read_text())
        fields[form.key]["new"] = {"command": "y"}
        path.write_text(json.dumps(fields))
    take(place, host)
    left = tomllib.loads(path.read_text()) if form.toml else json.loads(path.read_text())
    assert left[form.key] == {"new": {"command": "y"}}
    assert not form.toml or path.read_text() == '# mine\nmodel = "x"\n\n[mcp_servers.new]\ncommand = "y"\n'


CHOSEN = ["/opt/bin/memorybank", "mcp", "--as", "reviewer", "--allow-write"]


@pytest.mark.parametrize("host", IN_PROJECTS)
def test_an_entry_that_a_person_wrote_stays_as_it_is(place, host):
    path, form = of(place, host), servers.SERVER_LOCATIONS[host, PROJECT].form
    path.parent.mkdir(exist_ok=True)
    path.write_text(server_entries.put(form, "", CHOSEN))
    before = path.read_text()
    assert not put(place, host).changes_server
    assert registered(place, host) == server_entries.entry(form, CHOSEN)
    assert not take(place, host).changes_server
    assert path.read_text() == before


def test_our_entry_that_a_person_edited_stays_and_goes_with_us(place):
    """`--as`, `--allow-write` and the path of a program are choices that installing again keeps."""
    path = of(place, "claude-code")
    put(place, "claude-code")
    path.write_text(json.dumps({"mcpServers": {"memorybank": {"command": CHOSEN[0], "args": CHOSEN[1:]}, "other": {}}}))
    assert not put(place, "claude-code").changes_server
    path.write_text(path.read_text() + "\n")
    take(place, "claude-code")
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {}}}


@pytest.mark.parametrize("host", IN_PROJECTS)
def test_a_server_of_somebody_else_with_our_name_stays(place, host):
    path, form = of(place, host), servers.SERVER_LOCATIONS[host, PROJECT].form
    path.parent.mkdir(exist_ok=True)
    path.write_text(server_entries.put(form, "", ["npx", "@other/memory"]))
    for plan in (put, take):
        assert not plan(place, host).changes_server
    assert not [each for each in servers.server_statuses(str(place), {}) if each.scope == PROJECT]


@pytest.mark.parametrize("text", ["{ // a comment\n}", "[]", '{"mcpServers": []}', '{"mcpServers": ', "\ud800", "[" * 100_000])
def test_a_file_that_is_not_understood_is_refused_untouched(place, text):
    path = of(place, "claude-code")
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    for plan in (put, take):
        with pytest.raises(ValidationFailed, match=r"\.mcp\.json"):
            plan(place, "claude-code")
    assert path.read_bytes() == text.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    "text", ["<<<<<<< ours\n", 'mcp_servers = { other = { command = "x" } }\n', "[[mcp_servers]]\n", "a = 1\na = 2\n", "a = " + "[" * 100_000]
)
def test_toml_that_cannot_take_a_table_is_refused_untouched(place, text):
    path = of(place, "codex")
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ValidationFailed, match=r"config\.toml"):
        put(place, "codex")
    assert path.read_text() == text


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { memorybank = { command = "memorybank", args = ["mcp"] } }\n',
        'mcp_servers.memorybank.command = "memorybank"\nmcp_servers.memorybank.args = ["mcp"]\n',
    ],
)
def test_toml_that_only_a_person_can_take_us_out_of_is_left_to_a_person(place, text):
    path = of(place, "codex")
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ValidationFailed, match="cannot be removed automatically"):
        take(place, "codex")
    assert path.read_text() == text


def test_a_text_that_looks_like_our_table_is_none(place):
    text = 'note = """\n[mcp_servers.memorybank]\n"""\n[mcp_servers.memorybank]\ncommand = "memorybank"\nargs = ["mcp"]\n'
    of(place, "codex").parent.mkdir()
    of(place, "codex").write_text(text)
    with pytest.raises(ValidationFailed):
        take(place, "codex")
    assert of(place, "codex").read_text() == text


def test_a_link_out_of_the_project_is_refused(place, tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_text("{}")
    of(place, "claude-code").symlink_to(outside)
    with pytest.raises(Conflict):
        put(place, "claude-code")
    assert outside.read_text() == "{}"


@pytest.mark.parametrize("host", TABLE)
@pytest.mark.parametrize("scope", SCOPES)
def test_each_scope_that_takes_hooks_has_a_file_or_a_command_for_the_server(place, host, scope, monkeypatch):
    """Files that a client rewrites are left to that client's own command."""
    if scope not in TABLE[host].files:
        assert (host, scope) not in servers.SERVER_LOCATIONS
        return
    monkeypatch.setattr(servers, "on_path", lambda name: False)
    typed = servers.add_command(host, scope, PROGRAM)
    assert (put(place, host, scope).server is None) == bool(typed) == ((host, scope) not in EDITED)
    if typed:
        assert "'/opt/my python' -P -m memorybank mcp" in typed
    elif scope == USER:
        assert server_entries.command_line(registered(place, host, scope)) == ["/opt/my python", "-P", "-m", "memorybank", "mcp"]
    monkeypatch.setattr(servers, "on_path", lambda name: True)
    assert not typed or servers.add_command(host, scope, PROGRAM).endswith("memorybank mcp")


def test_what_is_registered_is_found_wherever_it_was_registered(place, monkeypatch):
    """By memorybank, and by a person with the host's own command, in files that memorybank never writes."""
    for host, scope in EDITED:
        put(place, host, scope)
    by_hand = {"type": "stdio", "command": "/gone/memorybank", "args": ["mcp"]}
    home = place.parent / "home"
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"memorybank": by_hand}, "projects": {str(place): {"mcpServers": {"memorybank": by_hand}}}}))
    (home / ".codex").mkdir(exist_ok=True)
    (home / ".codex/config.toml").write_text('[mcp_servers.memorybank]\ncommand = "memorybank"\nargs = ["mcp", "--as", "main"]\n')
    (home / ".copilot").mkdir(exist_ok=True)
    (home / ".copilot/mcp-config.json").write_text("{ memorybank")
    found = {(each.host, each.scope): each for each in servers.server_statuses(str(place), {})}
    assert set(found) == set(servers.SERVER_LOCATIONS)
    assert {key for key, each in found.items() if each.state == "broken"} == {("claude-code", "local"), ("claude-code", "user")}
    assert found["claude-code", "user"].missing[0].thing == "/gone/memorybank"
    assert found["codex", "user"].words == ("memorybank", "mcp", "--as", "main")
    assert (found["copilot", "user"].state, found["copilot", "user"].words) == ("unreadable", ())
    assert {each.scope for each in servers.server_statuses(None, {})} == {"user"}


def test_libraries_of_this_installation_say_nothing_of_another_one(place, monkeypatch, tmp_path):
    put(place, "claude-code")
    monkeypatch.setattr(servers, "has_extra", lambda: False)
    program = tmp_path / "bin" / "memorybank"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert [each.state for each in servers.server_statuses(str(place), {})] == ["installed"]
    monkeypatch.setattr("sys.executable", str(program.parent / "python"))
    assert [[missing.step for missing in each.missing] for each in servers.server_statuses(str(place), {})] == [[extra_command("mcp")]]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [each.missing[0].step for each in servers.server_statuses(str(place), {})] == [extra_command("mcp")]


def test_what_a_person_typed_already_is_not_asked_for_again(place):
    assert servers.add_command("claude-code", "local", PROGRAM) == "claude mcp add --scope local memorybank -- memorybank mcp"
    by_hand = {"projects": {str(place): {"mcpServers": {"memorybank": {"command": "memorybank", "args": ["mcp"]}}}}}
    (place.parent / "home" / ".claude.json").write_text(json.dumps(by_hand))
    assert servers.add_command("claude-code", "local", PROGRAM, servers.server_statuses(str(place), {})) == ""
    assert servers.add_command("claude-code", "user", PROGRAM, servers.server_statuses(str(place), {}))
    assert servers.remove_command("claude-code", "local", servers.server_statuses(str(place), {})) == "claude mcp remove --scope local memorybank"
    assert not servers.remove_command("claude-code", "user", servers.server_statuses(str(place), {}))


def test_files_that_do_not_name_memorybank_are_nobodys_problem(place):
    (place / ".mcp.json").write_text("{ broken")
    (place / "opencode.json").write_text('{ // mine\n "mcp": {} }')
    assert list(servers.server_statuses(str(place), {})) == []

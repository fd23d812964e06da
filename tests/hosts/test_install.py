"""Installing and uninstalling on disk: the file is restored byte for byte, nothing is left behind, and unreadable files are left alone."""

import json
import os
from pathlib import Path

import pytest

from memorybank.errors import Conflict, UsageError, ValidationFailed
from memorybank.hosts import install, originals
from memorybank.hosts.program import Program
from memorybank.hosts.registration import SCOPES, TABLE
from memorybank.hosts.status import hook_statuses

PROGRAM = Program("/opt/python", "/opt/memorybank/hook.py")
NEWER = Program("/opt/v2/python", "/opt/v2/memorybank/hook.py")
PLACES = [(host, scope) for host, registration in TABLE.items() for scope in SCOPES if scope in registration.files]


@pytest.fixture
def place(project):
    """(project, environ)"""
    return project, {}


def do_install(place, host="claude-code", scope="local", program=PROGRAM):
    change = install.plan_install(host, scope, str(place[0]), program, place[1])
    install.execute(change, place[1])
    return change


def do_uninstall(place, host="claude-code", scope="local"):
    change = install.plan_uninstall(host, scope, str(place[0]), place[1])
    install.execute(change, place[1])
    return change


def everything(folder):
    return {os.path.relpath(path, folder): os.path.isfile(path) and Path(path).read_bytes() for path in map(str, folder.rglob("*"))}


def settings(place, host="claude-code", scope="local"):
    return install.settings_path(TABLE[host], scope, str(place[0]), place[1])


@pytest.mark.parametrize(("host", "scope"), PLACES)
def test_uninstalling_leaves_no_file_and_no_folder_that_was_not_there(place, host, scope):
    parent = place[0].parent
    before = everything(parent)
    change = do_install(place, host, scope)
    assert change.changes and os.path.isfile(change.path)
    do_uninstall(place, host, scope)
    after = everything(parent)
    state = {name for name in after if name.startswith("home/.local")}
    assert {name: value for name, value in after.items() if name not in state} == before
    assert not any(after[name] for name in state)


@pytest.mark.parametrize("text", ["{}", "{ }\n", "", " \n", '{"hooks":{}}', '{"hooks": {"Stop": []}}', '\ufeff{"model":"設定"}\r\n', '{\n\t"a" : [ ]\n}'])
@pytest.mark.parametrize("host", ["claude-code", "codex", "gemini", "cursor"])
def test_uninstalling_gives_back_every_byte(place, host, text):
    path = settings(place, host, "project")
    os.makedirs(os.path.dirname(path))
    Path(path).write_bytes(text.encode())
    os.chmod(path, 0o640)
    do_install(place, host, "project")
    do_install(place, host, "project", NEWER)
    assert os.stat(path).st_mode & 0o777 == 0o640
    do_uninstall(place, host, "project")
    assert Path(path).read_bytes() == text.encode()
    assert os.stat(path).st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("host", "scope"), PLACES)
def test_twice_is_once_and_a_new_path_replaces_the_old_one(place, host, scope):
    do_install(place, host, scope)
    path = settings(place, host, scope)
    first = Path(path).read_bytes()
    assert not do_install(place, host, scope).changes
    assert Path(path).read_bytes() == first
    renewed = do_install(place, host, scope, NEWER)
    now = Path(path).read_text(encoding="utf-8")
    assert renewed.changes == (scope != "project")
    if scope == "project":
        assert "/opt" not in now, "what others clone names no path of this machine"
    else:
        assert "/opt/v2/memorybank/hook.py" in now and "'/opt/memorybank/hook.py'" not in now and '"/opt/memorybank/hook.py"' not in now


def test_what_somebody_changed_in_between_stays(place):
    path = settings(place)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text('{\n  "model": "a"\n}\n')
    do_install(place)
    text = Path(path).read_text().replace('"model": "a"', '"model": "b"')
    Path(path).write_text(text)
    do_uninstall(place)
    assert Path(path).read_text() == '{\n  "model": "b"\n}\n'


def test_a_file_we_made_and_somebody_wrote_into_stays_with_what_they_wrote(place):
    do_install(place)
    path = settings(place)
    value = {**json.loads(Path(path).read_text()), "model": "theirs"}
    Path(path).write_text(json.dumps(value))
    do_install(place, program=NEWER)
    do_uninstall(place)
    assert json.loads(Path(path).read_text()) == {"model": "theirs"}


def test_a_file_we_made_and_somebody_only_formatted_goes(place):
    do_install(place)
    path = settings(place)
    Path(path).write_text(json.dumps(json.loads(Path(path).read_text()), indent=4))
    do_uninstall(place)
    assert not os.path.exists(path)


def test_entries_that_a_colleague_committed_are_taken_out_without_any_record(place):
    do_install(place, "claude-code", "project")
    path = settings(place, "claude-code", "project")
    originals.forget(path, place[1])
    do_uninstall(place, "claude-code", "project")
    assert json.loads(Path(path).read_text()) == {}
    do_install(place, "copilot", "project")
    originals.forget(settings(place, "copilot", "project"), place[1])
    do_uninstall(place, "copilot", "project")
    assert not os.path.exists(settings(place, "copilot", "project")), "a file of our own name with nothing but ours in it"


def test_uninstalling_where_nothing_is_installed_changes_nothing(place):
    path = settings(place)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text('{"hooks": {"Stop": []}}')
    assert not do_uninstall(place).changes
    assert Path(path).read_text() == '{"hooks": {"Stop": []}}'
    assert not do_uninstall(place, "codex", "user").changes


@pytest.mark.parametrize("bad", ['{"a": 1,}', "// jsonc\n{}", "[]", '{"hooks": []}', "{\xff}"])
def test_a_file_that_cannot_be_understood_is_refused_and_not_touched(place, bad):
    path = settings(place)
    os.makedirs(os.path.dirname(path))
    data = bad.encode("latin-1")
    Path(path).write_bytes(data)
    with pytest.raises(ValidationFailed) as refused:
        do_install(place)
    assert path in refused.value.message and refused.value.next_step
    assert Path(path).read_bytes() == data
    assert not os.path.exists(originals.path_of(path, place[1]))


def test_the_original_is_kept_where_nobody_else_reads_it(place):
    path = settings(place)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text('{"env": {"KEY": "secret"}}')
    do_install(place)
    kept = originals.path_of(path, place[1])
    assert os.stat(kept).st_mode & 0o777 == 0o600
    assert str(place[0]) not in kept, "not in the project, where it could be committed"
    assert originals.load(path, place[1]).text == '{"env": {"KEY": "secret"}}'
    do_uninstall(place)
    assert not os.path.exists(kept)


def test_a_record_that_is_damaged_counts_as_none(place):
    do_install(place)
    path = settings(place)
    for junk in ("", "{}", "[]", '{"original": 7, "installed": "x", "made": []}', '{"original": null, "installed": "x", "made": 3}'):
        Path(originals.path_of(path, place[1])).write_text(junk)
        assert originals.load(path, place[1]) is None
    do_uninstall(place)
    assert json.loads(Path(path).read_text()) == {}


def test_a_crash_between_record_and_settings_is_mended_by_doing_it_again(place, monkeypatch):
    path = settings(place)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text('{"a":1}')
    change = install.plan_install("claude-code", "local", str(place[0]), PROGRAM, place[1])
    originals.save(path, change.original, place[1])
    assert not do_uninstall(place).changes
    originals.save(path, change.original, place[1])
    do_install(place)
    do_uninstall(place)
    assert Path(path).read_text() == '{"a":1}'


def test_a_link_to_dotfiles_is_followed_and_stays_a_link(place):
    real = place[0].parent / "dotfiles" / "settings.json"
    real.parent.mkdir()
    real.write_text('{"a": 1}')
    link = place[0].parent / "home" / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(real)
    do_install(place, scope="user")
    assert link.is_symlink() and "hooks" in json.loads(real.read_text())
    do_uninstall(place, scope="user")
    assert link.is_symlink() and real.read_text() == '{"a": 1}'


def test_a_link_out_of_a_project_is_refused(place):
    """A repository may come from a stranger: its links must not decide which file of this machine changes."""
    outside = place[0].parent / "outside.json"
    outside.write_text("{}")
    (place[0] / ".claude").mkdir()
    (place[0] / ".claude" / "settings.local.json").symlink_to(outside)
    with pytest.raises(Conflict, match="link"):
        do_install(place)
    assert outside.read_text() == "{}"


@pytest.mark.parametrize(("host", "scope"), [("codex", "local"), ("gemini", "local"), ("cursor", "local"), ("opencode", "local")])
def test_a_scope_that_a_host_lacks_is_said_with_the_ones_it_has(place, host, scope):
    with pytest.raises(UsageError) as refused:
        do_install(place, host, scope)
    assert "--scope project or --scope user" in refused.value.next_step


@pytest.mark.parametrize(
    ("host", "variable", "below"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/memorybank.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/memorybank.js"),
    ],
)
def test_a_hosts_own_folder_is_where_its_variable_says(place, tmp_path, host, variable, below):
    elsewhere = tmp_path / "else where"
    assert install.settings_path(TABLE[host], "user", None, {variable: str(elsewhere)}) == str(elsewhere / below)


def test_a_foreign_plugin_of_opencode_is_not_replaced(place):
    path = settings(place, "opencode", "project")
    os.makedirs(os.path.dirname(path))
    Path(path).write_text("export const Mine = async () => ({})\n")
    with pytest.raises(Conflict):
        do_install(place, "opencode", "project")
    assert not do_uninstall(place, "opencode", "project").changes
    assert Path(path).read_text() == "export const Mine = async () => ({})\n"


def states(place, program=PROGRAM):
    return {(each.registration.host, each.scope): each.state for each in hook_statuses(str(place[0]), program, place[1]) if each.state != "not installed"}


def test_status_tells_installed_outdated_broken_and_unreadable(place, tmp_path):
    there = Program(str(tmp_path / "python"), str(tmp_path / "memorybank" / "hook.py"))
    (tmp_path / "memorybank").mkdir()
    for path in there:
        Path(path).touch()
    for host, scope in PLACES:
        if scope != "project":
            do_install(place, host, scope, there)
    assert set(states(place, there).values()) == {"installed"}
    assert len(states(place, there)) == len([scope for _, scope in PLACES if scope != "project"])
    assert set(states(place, NEWER).values()) == {"outdated"}
    os.unlink(there.hook)
    assert set(states(place, there).values()) == {"broken"}
    Path(settings(place)).write_text("{")
    assert states(place, there)[("claude-code", "local")] == "unreadable"


def test_status_changes_nothing(place):
    do_install(place)
    before = everything(place[0].parent)
    assert states(place)
    assert everything(place[0].parent) == before


def test_an_edit_between_plan_and_execution_wins(place):
    do_install(place)
    path = settings(place)
    change = install.plan_uninstall("claude-code", "local", str(place[0]), place[1])
    Path(path).write_text('{"theirs": 1}')
    with pytest.raises(Conflict, match="was changed by somebody else"):
        install.execute(change, place[1])
    assert Path(path).read_text() == '{"theirs": 1}'


def test_hooks_that_are_switched_off_as_a_whole_are_said(place, tmp_path):
    (tmp_path / "memorybank").mkdir()
    there = Program(str(tmp_path / "python"), str(tmp_path / "memorybank" / "hook.py"))
    for name in there:
        Path(name).touch()
    path = settings(place)
    os.makedirs(os.path.dirname(path))
    Path(path).write_text('{"disableAllHooks": true}')
    do_install(place, program=there)
    assert states(place, there) == {("claude-code", "local"): "switched off"}

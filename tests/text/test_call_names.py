"""The names that a call brings in."""

import pytest

from memorybank.text.commands import call_names


def names(tool, inputs, folder="/repo"):
    return call_names.of_call(tool, inputs, "/repo", folder)


def texts(tool, inputs, **fields):
    return [name.text for name in names(tool, inputs, **fields)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat scripts/reset.JLinkScript | head -5", ["reset.JLinkScript", "scripts/reset.JLinkScript"]),
        ("docker buildx build --platform linux/amd64 .", ["docker buildx build", "docker buildx", "--platform", "amd64", "linux/amd64"]),
        ("docker compose exec -T db mysql", ["db", "mysql"]),
        ("docker compose -f ci.yml up", ["ci.yml"]),
        ("rtk git add src/store/rotate.cpp", ["rtk git add", "rtk git"]),
        ("git tag -a fw-1.8.0 -m 'the `secret_name` of it'", ["git tag"]),
        ("git grep EnsureSetup", ["git grep", "EnsureSetup"]),
        ("curl https://example.org/secret_name", []),
        (f"python -c '{'secret_name ' * 40}'", []),
        ("hilctl power b --channel 3", ["hilctl power b", "hilctl power", "--channel"]),
        ("cat .git/sessions/2026-01-21-ae4b7c68-f73a-4514-8fb2-1842ef3a21d6.json", []),
        ("bash /tmp/scratch/deep/sync_wandb.sh", ["sync_wandb.sh"]),
        ("", []),
        ("'", []),
    ],
)
def test_of_a_command(command, expected):
    assert [name for name in texts("Bash", {"command": command}) if name not in ("curl", "python", "bash")] == expected


@pytest.mark.parametrize("tool", ["Read", "Edit"])
def test_of_a_file(tool):
    found = names(tool, {"file_path": "/repo/src/telemetry/gen/uplink.hpp"})
    assert [name.text for name in found] == ["uplink.hpp", "src/telemetry/gen/uplink.hpp", "src/telemetry/gen"]
    assert {name.file for name in found} == {"src/telemetry/gen/uplink.hpp"}


def test_a_file_elsewhere_is_none_of_the_repository():
    assert texts("Read", {"file_path": "/elsewhere/src/uplink.hpp"}) == []


def test_of_an_edit_only_what_it_adds():
    edit = {"file_path": "/repo/ch2.c", "old_string": "int old_buffer;", "new_string": "int old_buffer, total; read(cv2.imdecode, newName)"}
    added = [name for name in names("Edit", edit) if name.is_added]
    assert [name.text for name in added] == ["cv2.imdecode", "newName"]
    assert all(name.is_code for name in added)


def test_of_a_patch_its_new_lines():
    assert [name.text for name in names("Edit", {"file_path": "/repo/a.c", "patch": "-old_name\n+new_name\n same_name"}) if name.is_added] == ["new_name"]


def test_prose_mentions_names_without_using_them():
    assert texts("Write", {"file_path": "/repo/notes.md", "content": "cv2.imdecode"}) == ["notes.md"]


def test_of_a_search_the_place_is_no_name():
    found = names("Grep", {"pattern": "def create_booking\\(|createBooking", "path": "/repo/apps"})
    assert [(name.text, name.is_named) for name in found] == [("def", True), ("create_booking", True), ("createBooking", True), ("apps", False)]


@pytest.mark.parametrize(("text", "is_code"), [("create_booking", True), ("createBooking", True), ("a100", True), ("--qos", True), ("booking", False)])
def test_what_is_written_like_code(text, is_code):
    assert [name.is_code for name in names("Grep", {"pattern": text})] == [is_code]


@pytest.mark.parametrize("inputs", [{}, {"command": 3}, {"file_path": None}, {"pattern": ["a"]}])
def test_inputs_of_another_form_name_nothing(inputs):
    assert all(texts(tool, inputs) == [] for tool in ("Bash", "Edit", "Grep", "Task", None))

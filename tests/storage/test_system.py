"""`storage.system` is `os` wherever it answers itself, in a process that has loaded `os` and in one that has not."""

import os
import posixpath
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.storage import system

ROOT = Path(__file__).resolve().parents[2]
PATHS = st.lists(st.sampled_from(["a", "b.py", "..", ".", "", "日本", "~", "a b"]), max_size=6).flatmap(
    lambda parts: st.sampled_from(["/".join(parts), "/" + "/".join(parts), "//" + "/".join(parts), "///" + "/".join(parts)])
)


@given(PATHS)
def test_one_path_is_taken_apart_as_os_does(path):
    assert system.path.basename(path) == posixpath.basename(path)
    assert system.path.dirname(path) == posixpath.dirname(path)
    assert system.path.normpath(path) == posixpath.normpath(path)
    assert system.path.expanduser(path) == posixpath.expanduser(path)


@given(PATHS, st.lists(PATHS, max_size=3))
def test_paths_are_joined_as_os_does(path, parts):
    assert system.path.join(path, *parts) == posixpath.join(path, *parts)


@given(PATHS.filter(bool), PATHS.filter(bool))
def test_a_path_is_made_relative_as_os_does(path, start):
    assert system.path.relpath(path, start) == posixpath.relpath(path, start)


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "folder" / "file").write_text("four")
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "folder" / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    return str(tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "folder",
        "folder/",
        "folder/inner",
        "folder/file",
        "folder/file/x",
        "link",
        "link/inner",
        "link/../link",
        "folder/dangling",
        "loop",
        "gone/x",
        "a\0b",
    ],
)
def test_the_disk_is_seen_as_os_sees_it(tree, name):
    path = f"{tree}/{name}"
    for question in ("exists", "lexists", "isdir", "isfile", "islink"):
        assert getattr(system.path, question)(path) == getattr(os.path, question)(path), question
    if "\0" not in name:
        assert system.path.realpath(path) == os.path.realpath(path)


def test_a_relative_path_is_made_real_from_the_working_folder(tree, monkeypatch):
    monkeypatch.chdir(tree)
    assert system.path.realpath("link/inner") == os.path.realpath("folder/inner")


def test_other_names_are_those_of_os(tree):
    assert (system.open, system.O_NOFOLLOW, system.listdir, system._exit) == (os.open, os.O_NOFOLLOW, os.listdir, os._exit)
    assert system.path.getsize(f"{tree}/folder/file") == 4
    with pytest.raises(AttributeError):
        system.no_such_name  # noqa: B018


@given(st.binary(max_size=8))
def test_names_become_bytes_and_text_as_with_os(name):
    assert system.fsdecode(name) == os.fsdecode(name)
    assert system.fsencode(os.fsdecode(name)) == name


def test_the_environment_is_that_of_os_where_it_is_loaded(monkeypatch):
    monkeypatch.setenv("MEMORYBANK_TASK", "T-1")
    assert system.environ["MEMORYBANK_TASK"] == "T-1"


PROBE = """
import sys
sys.path.append(sys.argv[1])
from memorybank.storage import system
print(system.environ["SAID"], ascii(system.environ["ODD"]), system.path.expanduser("~"), system.path.realpath("/"))
print(*(name in sys.modules for name in ("os", "posixpath")))
"""


def test_a_hook_knows_its_environment_without_loading_os():
    environment = {**os.environ, "SAID": "日本", "HOME": "/home/somebody/", "LC_ALL": "C.UTF-8"}
    raw = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()} | {b"ODD": b"\xff"}
    done = subprocess.run([sys.executable, "-I", "-S", "-c", PROBE, str(ROOT)], env=raw, capture_output=True, encoding="utf-8", timeout=60, check=True)
    assert done.stdout.split() == ["日本", "'\\udcff'", "/home/somebody", "/", "False", "False"]

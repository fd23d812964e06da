"""The command of a hint fits the installation: pip, uv pip, uv tool, pipx; from an index, a folder or a URL."""

import json
import shlex
import sys

import pytest

from memorybank import installed
from memorybank.installed import InstallationRecord


@pytest.fixture
def environment(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(installed, "_direct_url", dict)
    return tmp_path


@pytest.mark.parametrize(
    ("entry", "command"),
    [
        ('{ name = "memorybank" }', "uv tool install 'memorybank[mcp]'"),
        ('{ name = "memorybank", extras = ["ui"] }', "uv tool install 'memorybank[mcp,ui]'"),
        (
            '{ name = "other" }, { name = "memorybank", git = "https://example.org/m.git?rev=1" }',
            "uv tool install 'memorybank[mcp] @ git+https://example.org/m.git?rev=1'",
        ),
        ('{ name = "memorybank", directory = "/src/me mory" }', "uv tool install '/src/me mory[mcp]'"),
        ('{ name = "memorybank", editable = "/src/m" }', "uv tool install -e '/src/m[mcp]'"),
        ('{ name = "memorybank", directory = "/src/m", editable = true }', "uv tool install -e '/src/m[mcp]'"),
        ('{ name = "other" }', "uv tool install 'memorybank[mcp]'"),
        ("broken", "uv tool install 'memorybank[mcp]'"),
    ],
)
def test_uv_tool(environment, entry, command):
    (environment / "uv-receipt.toml").write_text(f"[tool]\nrequirements = [{entry}]\n")
    assert installed.extra_command("mcp") == command
    assert installed.library_command("click>=8.1") == "uv tool upgrade --reinstall memorybank"


@pytest.mark.parametrize(
    ("main", "command"),
    [
        ({"package_or_url": "memorybank"}, "pipx install --force 'memorybank[ui]'"),
        ({"package_or_url": "memorybank[mcp]==1.2"}, "pipx install --force 'memorybank[mcp,ui]'"),
        ({"package_or_url": "/src/m", "pip_args": ["--editable"]}, "pipx install --force --editable '/src/m[ui]'"),
        ({"package_or_url": "git+https://example.org/m.git"}, "pipx install --force 'memorybank[ui] @ git+https://example.org/m.git'"),
        ({"package_or_url": "memorybank[mcp] @ git+https://example.org/m.git"}, "pipx install --force 'memorybank[mcp,ui] @ git+https://example.org/m.git'"),
        ({}, "pipx install --force 'memorybank[ui]'"),
        ([], "pipx install --force 'memorybank[ui]'"),
    ],
)
def test_pipx(environment, main, command):
    (environment / "pipx_metadata.json").write_text(json.dumps({"main_package": main}))
    assert installed.extra_command("ui") == command
    assert installed.library_command("click>=8.1") == "pipx reinstall memorybank"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\udcff"])
def test_a_record_that_cannot_be_read_is_a_plain_installation(environment, text):
    (environment / "pipx_metadata.json").write_text(text, errors="surrogateescape")
    assert installed.read_record(str(environment)) == InstallationRecord("pipx")


def test_pip_names_the_interpreter_that_runs(environment, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: object())
    monkeypatch.setenv("PATH", "")
    assert installed.extra_command("llm") == f"{shlex.quote(sys.executable)} -m pip install 'memorybank[llm]'"
    (environment / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(environment))
    monkeypatch.setattr(sys, "executable", str(environment / "python"))
    assert installed.extra_command("llm") == "python -m pip install 'memorybank[llm]'"
    assert installed.library_command("click>=8.1") == "python -m pip install 'click>=8.1'"


def test_an_environment_of_uv_has_no_pip(environment, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert installed.extra_command("llm") == f"uv pip install --python {shlex.quote(sys.executable)} 'memorybank[llm]'"


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ({"url": "file:///src/m%20y", "dir_info": {"editable": True}}, "-e '/src/m y[mcp]'"),
        ({"url": "file:///src/m", "dir_info": {}}, "'/src/m[mcp]'"),
        ({"url": "https://example.org/m.git", "vcs_info": {"vcs": "git"}}, "'memorybank[mcp] @ git+https://example.org/m.git'"),
        ({"url": "https://example.org/m.whl", "archive_info": {}}, "'memorybank[mcp] @ https://example.org/m.whl'"),
    ],
)
def test_pip_from_a_folder_or_a_url(environment, monkeypatch, url, wanted):
    monkeypatch.setattr(installed, "_direct_url", lambda: url)
    assert installed.extra_command("mcp").endswith(f" install {wanted}") or wanted in installed.extra_command("mcp")

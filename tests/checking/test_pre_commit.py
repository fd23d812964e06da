"""The hook of `.pre-commit-hooks.yaml` under the real pre-commit framework, from a clone of this repository. Needs the package index: runs under --all."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import TOKEN, CheckedProject

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.full
_NEEDED = ("memorybank", "config", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")


@pytest.fixture(scope="module")
def framework(tmp_path_factory) -> Path:
    """The program `pre-commit`, installed into an environment of its own."""
    folder = tmp_path_factory.mktemp("framework")
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    subprocess.run([str(folder / "venv/bin/pip"), "install", "-q", "--disable-pip-version-check", "pre-commit>=3.2"], check=True)
    return folder / "venv" / "bin" / "pre-commit"


@pytest.fixture(scope="module")
def hooks(tmp_path_factory) -> Path:
    """A local repository with this working tree, from which the framework installs the hook."""
    folder = tmp_path_factory.mktemp("hooks") / "memorybank"
    folder.mkdir()
    for name in _NEEDED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "all"), ("tag", "v0.1")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    return folder


def test_the_framework_stops_bad_memory(framework: Path, hooks: Path, project: CheckedProject, monkeypatch, tmp_path_factory) -> None:
    """In a commit, after edits of what was staged, for a removal alone, and for all files, as CI runs it."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("PATH", f"{framework.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("PYTHONPATH")
    config = f"repos:\n  - repo: {hooks}\n    rev: v0.1\n    hooks:\n      - id: memorybank-check\n"
    (project.root / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
    (project.root / "README.md").write_text("# Project\n", encoding="utf-8")
    project.git("add", "-A")
    subprocess.run([str(framework), "install"], cwd=project.root, check=True, capture_output=True)
    project.git("commit", "-qm", "begin")
    project.stage("active/共有/鍵 置き場.md", f"# 鍵\n\n{TOKEN}\n")
    project.write("active/共有/鍵 置き場.md", "# 鍵\n")
    assert "鍵 置き場.md:3: secret:" in project.git("commit", "-qm", "secret", code=1)
    project.stage("active/共有/鍵 置き場.md", "# 鍵\n")
    assert "b.md:3: front_matter_invalid" in _refused(project, "active/shared/b.md", "---\ntitle: [\n---\n")
    project.stage("active/shared/b.md", "[鍵](<../共有/鍵 置き場.md>)\n")
    project.git("commit", "-qm", "notes")
    project.git("rm", "-q", str(project.bank / "active/共有/鍵 置き場.md"))
    assert "b.md:1: broken_link:" in project.git("commit", "-qm", "removal", code=1)
    project.git("reset", "-q", "--hard")
    project.stage("active/shared/c.md", TOKEN)
    project.git("commit", "-qm", "past the hook", "--no-verify")
    done = subprocess.run([str(framework), "run", "--all-files"], cwd=project.root, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 1 and "c.md:1: secret:" in done.stdout and "b.md" not in done.stdout
    linked = CheckedProject(project.root.parent / "linked")
    project.git("worktree", "add", "-q", str(linked.root), "-b", "side")
    assert "d.md:1: secret:" in _refused(linked, "active/shared/d.md", TOKEN)


def _refused(project: CheckedProject, path: str, text: str) -> str:
    project.stage(path, text)
    return project.git("commit", "-qm", "refused", code=1)

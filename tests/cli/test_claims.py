"""`memorybank claims`: its table, JSON, exit codes, and a bank that cannot be written or is not in git."""

import json
from types import SimpleNamespace

import pytest

from tests.claims.conftest import PlantedRepository


@pytest.fixture
def repository(tmp_path):
    made = PlantedRepository(tmp_path)
    made.commit(0, add=["src/upload.py", "src/parser.py", "src/main.py"])
    made.commit(10, rename={"src/upload.py": "src/transfer.py"}, delete=["src/parser.py"])
    return made


def test_the_table_says_where_to_and_since_when(repository, run):
    repository.note("planning/upload.md", "# Upload\n\nRetried in `src/upload.py`.\n", 5)
    repository.note("planning/設計.md", "構文解析は `src/parser.py`、入口は `src/main.py`。\n", 5)
    said = run(repository, "claims")
    assert said.code == 0
    commit = repository.git("rev-parse", "HEAD")[:7]
    assert [line.split() for line in said.out.splitlines()] == [
        ["note", "state", "claim", "now", "since"],
        ["planning/upload.md:3", "moved", "src/upload.py", "src/transfer.py", commit, "2025-06-19"],
        ["planning/設計.md:1", "gone", "src/parser.py", "-", commit, "2025-06-19"],
    ]


def test_json_has_the_evidence(repository, run):
    repository.note("a.md", "Retried in `src/upload.py`, started by `src/main.py`.\n", 5)
    commit = repository.git("rev-parse", "HEAD").strip()
    found = json.loads(run(repository, "claims", "a", "--all", "--format", "json").out)
    assert found[0] == {
        "key": "a.md",
        "line": 1,
        "kind": "path",
        "claim": "src/upload.py",
        "state": "moved",
        "target": "src/transfer.py",
        "commit": commit,
        "at": "2025-06-19T12:34:56.000Z",
        "sentence": f"src/upload.py was renamed to src/transfer.py in {commit[:7]}",
    }
    assert [(each["claim"], each["state"], each["commit"], each["sentence"]) for each in found[1:]] == [("src/main.py", "holds", None, None)]


def test_options_select(repository, run):
    repository.note("a.md", "See `src/upload.py`, `src/parser.py`, `src/main.py` and branch `main`.\n", 5)
    assert [row["claim"] for row in json.loads(run(repository, "claims", "--state", "gone", "--json").out)] == ["src/parser.py"]
    assert [row["claim"] for row in json.loads(run(repository, "claims", "--kind", "branch", "--all", "--json").out)] == ["main"]
    assert run(repository, "claims", "--kind", "branch").out == "no claim of a note is known to be outdated\n"
    assert run(repository, "claims", "--all", "--state", "gone").code == 2
    assert run(repository, "claims", "--state", "lost").code == 2


def test_check_ends_with_9(repository, run):
    repository.note("a.md", "Started by `src/main.py`.\n", 5)
    assert run(repository, "claims", "--check").code == 0
    repository.note("a.md", "Retried in `src/upload.py`.\n", 5)
    said = run(repository, "claims", "--check")
    assert said.code == 9
    assert "src/transfer.py" in said.out and "memorybank edit" in said.err
    assert run(repository, "claims", "--check", "--state", "gone").code == 0


def test_an_unknown_note_ends_with_3(repository, run):
    assert run(repository, "claims", "nothing").code == 3


def test_a_bank_outside_git_knows_what_exists(tmp_path, run):
    (tmp_path / ".claude" / "memory" / "active").mkdir(parents=True)
    (tmp_path / "main.py").write_text("")
    (tmp_path / ".claude" / "memory" / "active" / "a.md").write_text("`main.py` calls `src/parser.py`.")
    found = json.loads(run(SimpleNamespace(repository=tmp_path), "--bank", ".claude/memory", "claims", "--all", "--json").out)
    assert [(row["claim"], row["state"]) for row in found] == [("main.py", "holds"), ("src/parser.py", "unknown")]


def test_an_empty_bank_and_a_repository_without_a_commit(tmp_path, run):
    repository = PlantedRepository(tmp_path)
    assert run(repository, "claims").code == 0
    repository.note("a.md", "`src/parser.py`", 5)
    assert [row["state"] for row in json.loads(run(repository, "claims", "--all", "--json").out)] == ["unknown"]


def test_nothing_in_the_repository_changes(repository, run):
    repository.note("a.md", "Retried in `src/upload.py`.\n", 5)
    run(repository, "claims")
    before = {path: path.stat().st_mtime_ns for path in repository.root.rglob("*") if "cache" not in path.parts and "log" not in path.parts}
    repository.note("a.md", "Retried in `src/upload.py` and `src/parser.py`.\n", 5)
    run(repository, "claims")
    after = {path: path.stat().st_mtime_ns for path in repository.root.rglob("*") if "cache" not in path.parts and "log" not in path.parts}
    assert after == {**before, repository.active / "a.md": after[repository.active / "a.md"]}


def test_a_rotation_says_what_was_deleted(repository, run):
    repository.note("a.md", "# Parser\n\nThe parser is `src/parser.py`, run by `src/main.py`.\n", 1)
    found = json.loads(run(repository, "rotate", "--dry-run", "--no-grace", "--json").out)
    assert found["decisions"][0]["reason"].endswith("; deleted: 1 of 2 files that it names")
    assert "deleted: 1 of 2 files that it names" in run(repository, "rotate", "--dry-run", "--no-grace").out

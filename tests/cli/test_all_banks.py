"""Several banks in one repository: one search over all of them, each with its own access rules, settings and trust; `status` names the others."""

import json
import subprocess

import pytest

from memorybank.storage.create_bank import create_bank

API, PAY = "services/api/.claude/memory", "services/支払い/.claude/memory"


class Monorepo:
    """A repository with a bank at its root and two more. repository: the folder in which commands run"""

    def __init__(self, root):
        self.root = self.repository = root
        for bank in (".claude/memory", API, PAY):
            create_bank(str(root / bank), "UTC")

    def write(self, bank, key, text):
        path = self.root / bank / "active" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *arguments):
        return subprocess.run(["git", *arguments], cwd=self.root, check=True, capture_output=True, encoding="utf-8").stdout

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "notes")


@pytest.fixture
def mono(tmp_path):
    root = tmp_path / "mono"
    root.mkdir()
    made = Monorepo(root)
    made.git("init", "-q", "-b", "main")
    made.write(".claude/memory", "shared/overview.md", "# Overview\n\nThe services are deployed together.\n")
    made.write(API, "shared/retry.md", "# Retry policy\n\nUploads are retried three times.\n")
    made.write(PAY, "shared/再試行.md", "# 再試行の方針\n\n決済の再試行は一回だけ。\n")
    made.commit()
    return made


def hits(result):
    return [(hit["bank"], hit["key"]) for hit in json.loads(result.out)["hits"]]


def test_hits_name_their_bank(mono, run):
    result = run(mono, "search", "--all-banks", "uploads retried")
    assert result.code == 0 and "services/api: shared/retry.md:1-3" in result.out
    found = json.loads(run(mono, "search", "--all-banks", "再試行", "--json").out)
    assert found["banks"] == [".claude/memory", API, PAY] and found["left_out"] == []
    (hit,) = found["hits"]
    assert (hit["bank"], hit["path"]) == (PAY, f"{PAY}/active/shared/再試行.md")
    assert (mono.root / hit["path"]).is_file()


@pytest.mark.slow
@pytest.mark.parametrize("form", ["table", "summary", "markdown"])
def test_every_form_names_the_bank(mono, run, form, monkeypatch):
    for columns in ("", "60"):
        monkeypatch.setenv("COLUMNS", columns)
        assert "services/api: shared/retry.md:3" in run(mono, "search", "--all-banks", "uploads", "--format", form).out
    mono.write(".claude/memory", "shared/uploads.md", "# Uploads\n")
    assert ".: shared/uploads.md:" in run(mono, "search", "--all-banks", "uploads", "--format", form).out


def test_a_search_of_one_bank_is_as_before(mono, run):
    assert "services" not in run(mono, "search", "deployed").out.replace("The services are deployed", "")
    assert "bank" not in json.loads(run(mono, "search", "deployed", "--json").out)["hits"][0]


def test_a_large_bank_does_not_drown_a_small_one(mono, run):
    """A word is rarer in a bank of eighty notes than in one of a single note, so its raw scores are several times as high."""
    for number in range(80):
        mono.write(".claude/memory", f"shared/n{number}.md", f"# Note {number}\n\nThe service {number} writes logs.\n")
    mono.write(".claude/memory", "shared/deploy.md", "# Retry policy of deployments\n\nA deployment is tried twice.\n")
    found = json.loads(run(mono, "search", "--all-banks", "retry policy uploads", "--json").out)["hits"]
    assert [hit["bank"] for hit in found] == [API, ".claude/memory"]
    assert found[0]["score"] < found[1]["score"] and not found[1]["weak"]


def test_the_limit_and_the_order_of_dates_hold_for_all_banks_together(mono, run):
    assert len(hits(run(mono, "search", "--all-banks", "--type", "recent", "--json", "-n", "2"))) == 2
    assert len(hits(run(mono, "search", "--all-banks", "--type", "importance", "--json"))) == 3
    (line,) = json.loads(run(mono, "search", "--all-banks", "--type", "content", "再試行は", "--json").out)["hits"]
    assert (line["bank"], line["file_path"], line["line_number"]) == (PAY, f"{PAY}/active/shared/再試行.md", 3)


def test_each_bank_has_its_own_access_rules(mono, run):
    mono.write(API, "shared/plan.md", "---\nagent_created: planner\nacl: agent\n---\n# Uploads\n\nUploads are planned.\n")
    assert (API, "shared/plan.md") in hits(run(mono, "search", "--all-banks", "uploads", "--json"))
    assert (API, "shared/plan.md") in hits(run(mono, "search", "--all-banks", "uploads", "--json", "--as", "planner"))
    assert hits(run(mono, "search", "--all-banks", "uploads", "--json", "--as", "coder")) == [(API, "shared/retry.md")]


def test_archived_notes_name_a_command_that_restores_them(mono, run):
    assert run(mono, "--bank", API, "forget", "shared/retry.md").code == 0
    (hit,) = json.loads(run(mono, "search", "--all-banks", "--archive", "uploads", "--json").out)["hits"]
    assert hit["restore"].startswith(f"memorybank --bank {API} archive restore ")
    assert run(mono, *hit["restore"].split()[1:]).code == 0
    assert (mono.root / API / "active/shared/retry.md").is_file()


def test_a_bank_with_broken_settings_is_left_out_and_named(mono, run):
    (mono.root / PAY / "config").mkdir(exist_ok=True)
    (mono.root / PAY / "config/index_config.json").write_text("{", encoding="utf-8")
    result = run(mono, "search", "--all-banks", "uploads", "--json")
    assert hits(result) == [(API, "shared/retry.md")]
    assert [each["bank"] for each in json.loads(result.out)["left_out"]] == [PAY]
    assert f"{PAY} was left out: " in result.err


def test_a_document_that_two_banks_read_in_place_is_one_hit(mono, run):
    (mono.root / "docs").mkdir()
    (mono.root / "docs/guide.md").write_text("# Guide\n\nThe wombat is fed at noon.\n", encoding="utf-8")
    for bank in (API, PAY):
        (mono.root / bank / "config").mkdir(exist_ok=True)
        (mono.root / bank / "config/sources_config.json").write_text('{"sources": [{"name": "docs", "kind": "docs", "path": "docs"}]}', encoding="utf-8")
    found = json.loads(run(mono, "search", "--all-banks", "wombat", "--json").out)["hits"]
    assert [hit["path"] for hit in found] == ["docs/guide.md"]


def test_a_bank_that_nobody_accepted_is_left_out(mono, run, monkeypatch, tmp_path):
    """As are the files that others changed since it was accepted. The bank of the working folder is searched as it always is."""
    monkeypatch.delenv("MEMORYBANK_TRUST")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / ".config"))
    subprocess.run(["git", "clone", "-q", str(mono.root), str(tmp_path / "clone")], check=True)
    clone = Monorepo.__new__(Monorepo)
    clone.root = clone.repository = tmp_path / "clone"
    result = run(clone, "search", "--all-banks", "services uploads 再試行", "--json")
    assert {bank for bank, _ in hits(result)} == {".claude/memory"}
    assert json.loads(result.out)["banks"] == [".claude/memory"]
    assert [each["bank"] for each in json.loads(result.out)["left_out"]] == [API, PAY]
    assert f"memorybank --bank {API} trust" in result.err
    assert run(clone, "--bank", API, "trust", "--show").out.startswith("Agents are shown nothing from this bank")
    accepted = run(clone, "--bank", API, "trust", "--yes")
    assert accepted.code == 0 and "It contains" in accepted.out and "Agents are shown nothing" not in accepted.out
    assert (API, "shared/retry.md") in hits(run(clone, "search", "--all-banks", "uploads", "--json"))
    mono.write(API, "shared/retry.md", "# Retry policy\n\nUploads are retried by a stranger.\n")
    mono.write(API, "shared/fine.md", "# Uploads\n")
    mono.commit()
    clone.git("pull", "-q")
    result = run(clone, "search", "--all-banks", "uploads", "--json")
    assert "stranger" not in result.out and [each["bank"] for each in json.loads(result.out)["left_out"]] == [API, PAY]


def test_from_a_folder_without_a_bank(mono, run, tmp_path):
    for name in ("bookmarks.json", "dates.jsonl"):
        (mono.root / ".claude/memory" / name).unlink(missing_ok=True)
    mono.git("rm", "-rqf", ".claude")
    subprocess.run(["rm", "-rf", str(mono.root / ".claude")], check=True)
    assert hits(run(mono, "search", "--all-banks", "uploads", "--json")) == [(API, "shared/retry.md")]
    assert run(mono, "search", "uploads").code == 3


def test_wrong_calls(mono, run, bank):
    assert run(mono, "search", "--all-banks").code == 2
    assert run(mono, "search", "--all-banks", '"', "--type", "keyword").code == 2
    assert run(mono, "--bank", "nowhere", "search", "--all-banks", "x").code == 3
    alone = bank({"a.md": "# A\n"})
    (alone.repository / ".git").rmdir()
    result = run(alone, "search", "--all-banks", "x")
    assert result.code == 3 and "--bank DIR" in result.err


def test_status_names_the_other_banks(mono, run):
    result = run(mono, "status")
    assert f"2 banks in this repository: {API}, {PAY}" in result.out
    assert json.loads(run(mono, "--bank", API, "status", "--json").out)["other_banks"] == [".claude/memory", PAY]


def test_status_of_a_single_bank_does_not(bank, run):
    assert "other banks" not in run(bank({"a.md": "# A\n"}, git=True), "status").out

"""`memorybank banks` and `search --all`: the banks of this machine that a person registered, and one search over them."""

import json
import shutil

import pytest

from memorybank.storage.create_bank import create_bank


class Project:
    """A project below the home folder. repository: the folder in which commands run"""

    def __init__(self, repository, **notes):
        self.repository = repository
        (repository / ".git").mkdir(parents=True)
        create_bank(str(repository / ".claude/memory"), "UTC")
        for key, text in notes.items():
            (repository / f".claude/memory/active/shared/{key}.md").write_text(text, encoding="utf-8")


@pytest.fixture
def api(home):
    return Project(home / "work/api", retry="# Retry policy\n\nUploads are retried three times.\n")


@pytest.fixture
def pay(home):
    return Project(home / "work/支払い", 再試行="# 再試行の方針\n\n決済の再試行は一回だけ。\n", retry="# Retry of payments\n\nPayments are retried once.\n")


@pytest.fixture
def registered(api, pay, run):
    assert run(api, "banks", "add").code == 0
    assert run(api, "banks", "add", str(pay.repository)).code == 0


def hits(result):
    assert result.code == 0, result.err
    return [(hit["bank"], hit["key"]) for hit in json.loads(result.out)["hits"]]


def test_nothing_is_registered_without_a_person(api, run):
    assert run(api, "init").code == 0
    assert json.loads(run(api, "banks", "--format", "json").out) == []
    assert "banks add" in run(api, "banks").out


def test_add_list_and_remove(api, pay, run, home):
    assert run(api, "banks", "add").out == "added: ~/work/api/.claude/memory\n"
    assert run(api, "banks", "add", ".").out == "already there: ~/work/api/.claude/memory\n"
    assert run(api, "banks", "add", "~/work/支払い/.claude/memory").out == "added: ~/work/支払い/.claude/memory\n"
    listed = json.loads(run(api, "banks", "list", "--format", "json").out)
    assert [(each["bank"], each["is_usable"]) for each in listed] == [("~/work/api/.claude/memory", True), ("~/work/支払い/.claude/memory", True)]
    own = home / ".config/memorybank/config.json"
    assert own.stat().st_mode & 0o777 == 0o600
    assert run(api, "banks", "remove", "~/work/支払い").code == 0
    assert run(api, "banks", "remove").code == 0
    assert not own.exists()
    assert run(api, "banks", "remove").code == 3


def test_what_is_no_bank_is_not_registered(api, run, home):
    (home / "empty").mkdir()
    for place in ("nowhere", str(home / "empty")):
        assert run(api, "banks", "add", place).code == 3
    assert run(api, "--personal", "init").code == 0
    assert "always searched" in run(api, "banks", "add", "~/.local/share/memorybank/personal").err
    assert not (home / ".config").exists()


def test_hits_of_all_banks_name_theirs(api, pay, registered, run):
    result = run(api, "search", "--all", "retried")
    assert "~/work/api: shared/retry.md:" in result.out
    assert "~/work/支払い: shared/retry.md:" in result.out
    found = json.loads(run(api, "search", "--all", "再試行", "--format", "json").out)
    (hit,) = found["hits"]
    assert (hit["bank"], hit["path"]) == ("~/work/支払い/.claude/memory", str(pay.repository / ".claude/memory/active/shared/再試行.md"))
    assert found["banks"] == ["~/work/api/.claude/memory", "~/work/支払い/.claude/memory"]
    assert found["left_out"] == []


def test_the_personal_bank_and_that_of_the_folder_are_always_among_them(api, pay, run):
    assert run(api, "init", "--personal").code == 0
    assert run(api, "--personal", "remember", "Retry by hand: 再試行は手で。").code == 0
    assert set(hits(run(api, "search", "--all", "retry", "--format", "json"))) == {
        ("~/work/api/.claude/memory", "shared/retry.md"),
        ("personal", "shared/retry-by-hand-再試行は手で.md"),
    }
    assert "personal: shared/retry-by-hand" in run(api, "search", "--all", "by hand").out


def test_from_a_folder_without_a_bank(api, registered, run, home):
    class Elsewhere:
        repository = home

    assert len(hits(run(Elsewhere, "search", "--all", "retried", "--format", "json"))) == 2


def test_without_any_bank_it_says_what_to_do(home, run):
    class Elsewhere:
        repository = home

    failed = run(Elsewhere, "search", "--all", "retry")
    assert failed.code == 3
    assert "memorybank banks add" in failed.err


def test_a_bank_that_is_gone_or_broken_is_named_and_fails_nothing(api, pay, registered, run, home):
    broken = Project(home / "work/broken", retry="# Retry\n\nNever retried.\n")
    (broken.repository / ".claude/memory/config").mkdir(exist_ok=True)
    (broken.repository / ".claude/memory/config/scoring_config.json").write_text("{")
    assert run(api, "banks", "add", str(broken.repository)).code == 0
    shutil.rmtree(pay.repository)
    result = run(api, "search", "--all", "retried", "--format", "json")
    assert hits(result) == [("~/work/api/.claude/memory", "shared/retry.md")]
    left_out = {each["bank"]: each for each in json.loads(result.out)["left_out"]}
    assert set(left_out) == {"~/work/支払い/.claude/memory", "~/work/broken/.claude/memory"}
    assert left_out["~/work/支払い/.claude/memory"]["reason"] == "it does not exist"
    assert run(api, *left_out["~/work/支払い/.claude/memory"]["next_step"].replace("'", "").split()[1:]).code == 0
    assert "left out" in result.err


def test_a_bank_that_nobody_accepted_is_left_out(api, pay, registered, run, monkeypatch):
    monkeypatch.delenv("MEMORYBANK_TRUST")
    result = run(api, "search", "--all", "retried", "--format", "json")
    assert hits(result) == [("~/work/api/.claude/memory", "shared/retry.md")], "the bank of the folder is searched as on its own"
    (left,) = json.loads(result.out)["left_out"]
    assert left["next_step"].endswith("trust")


def test_the_access_rules_of_each_bank_hold(api, pay, registered, run):
    (pay.repository / ".claude/memory/active/shared/hidden.md").write_text("---\nprivacy: private\n---\n# Hidden\n\nThe secret retry is retried.\n")
    shown = hits(run(api, "search", "--all", "retried", "--as", "reviewer", "--format", "json"))
    assert ("~/work/支払い/.claude/memory", "shared/hidden.md") not in shown
    assert len(shown) == 2


def test_this_repository_or_this_machine(api, run):
    assert run(api, "search", "--all", "--all-banks", "x").code == 2


def test_the_command_that_restores_an_archived_note_can_be_typed(api, pay, registered, run):
    assert run(pay, "forget", "shared/retry.md", "--yes").code == 0
    found = json.loads(run(api, "search", "--all", "--archive", "payments retried", "--format", "json").out)
    (restore,) = [hit["restore"] for hit in found["hits"] if "restore" in hit]
    assert restore.startswith("memorybank --bank ~/'work/支払い/.claude/memory' archive restore ")


@pytest.mark.parametrize("text", ["{", '{"banks": "x"}', '{"banks": [3]}'])
def test_settings_that_cannot_be_read_are_not_replaced(api, run, home, text):
    own = home / ".config/memorybank/config.json"
    own.parent.mkdir(parents=True)
    own.write_text(text)
    for arguments in (("banks", "add"), ("banks",), ("search", "--all", "retry")):
        assert run(api, *arguments).code == 6
    assert own.read_text() == text

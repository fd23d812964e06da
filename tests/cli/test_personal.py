"""`--personal` and `memorybank personal`: a person's own bank, what a repository is shown of it, switching it off, and copying into it."""

import json
import os

import pytest

from memorybank.config import personal_bank

RULE, JAPANESE = "Always answer in British English", "コメントは敬体で書く"
NOTE = "# Staging database\n\nThe staging database is reset every Monday.\n"


@pytest.fixture
def scratch(bank, home):
    return bank({"shared/staging.md": NOTE}, git=True)


@pytest.fixture
def personal(scratch, home, run):
    """The folder of a personal bank with two rules, one of them in Japanese, and a fact."""
    assert run(scratch, "init", "--personal").code == 0
    assert run(scratch, "--personal", "add", RULE, "--tag", "rule", "--rating", "9").code == 0
    assert run(scratch, "--personal", "add", JAPANESE, "--tag", "規則").code == 0
    assert run(scratch, "--personal", "remember", "The VPN needs a new token every Monday.").code == 0
    return home / ".local/share/memorybank/personal"


def shown(run, scratch):
    return json.loads(run(scratch, "personal", "--format", "json").out)


class TestTheOption:
    def test_init_creates_it_once_and_says_what_to_do_next(self, scratch, home, run):
        made = run(scratch, "init", "--personal")
        assert made.code == 0
        assert made.out.startswith("~/.local/share/memorybank/personal: created ")
        assert "memorybank --personal add" in made.out
        assert "git add" not in made.out
        assert "already complete" in run(scratch, "--personal", "init").out
        assert "\n*\n" in (home / ".local/share/memorybank/personal/.gitignore").read_text(encoding="utf-8")

    def test_commands_work_on_it_and_not_on_the_repository(self, scratch, personal, run):
        assert "VPN" in run(scratch, "--personal", "search", "VPN token").out
        assert run(scratch, "search", "VPN").out.strip() == "no hits"
        assert "3 active" in run(scratch, "--personal", "status").out
        assert run(scratch, "--personal", "rate", "the-vpn-needs-a-new-token-every-monday", "8").code == 0
        assert run(scratch, "--personal", "rotate", "--dry-run").code == 0
        assert sorted(path.name for path in scratch.active.rglob("*.md")) == ["staging.md"]

    def test_without_one_it_says_how_to_create_it_and_creates_nothing(self, scratch, home, run):
        for arguments in (("--personal", "list"), ("personal",), ("--personal", "add", "x"), ("personal", "copy", "staging")):
            failed = run(scratch, *arguments)
            assert failed.code == 3
            assert "memorybank init --personal" in failed.err
        assert not list(home.iterdir())

    def test_two_banks_at_once_are_refused(self, scratch, home, run):
        assert run(scratch, "--bank", ".", "--personal", "list").code == 2
        assert run(scratch, "--bank", ".", "init", "--personal").code == 2
        assert not (home / ".local").exists()

    def test_hooks_belong_to_a_project(self, scratch, personal, run):
        failed = run(scratch, "--personal", "hooks", "install")
        assert failed.code == 2
        assert "without --personal" in failed.err

    def test_switched_off_by_the_environment(self, scratch, personal, run, monkeypatch):
        monkeypatch.setenv(personal_bank.VARIABLE, "off")
        assert "MEMORYBANK_PERSONAL is off" in run(scratch, "--personal", "list").err
        assert run(scratch, "personal").code == 2


class TestWhatARepositoryIsShown:
    def test_the_rules_in_order_and_why_one_is_left_out(self, scratch, personal, run):
        run(scratch, "--personal", "add", "Long", "--tag", "rules", "--rating", "1", "--body", "word " * 400)
        found = shown(run, scratch)
        assert (found["notes"], found["is_read_here"], found["reason"]) == (4, True, None)
        assert [(each["title"], each["is_shown"]) for each in found["rules"]][:2] == [(RULE, True), (JAPANESE, True)]
        assert run(scratch, "recall").out.index(RULE) < run(scratch, "recall").out.index(JAPANESE)
        (scratch.root / "config").mkdir(exist_ok=True)
        (scratch.root / "config/cycle_config.json").write_text(json.dumps({"memory": {"enabled": True}, "budgets": {"personal": 150}}))
        left_out = shown(run, scratch)["rules"][-1]
        assert not left_out["is_shown"]
        assert "budgets.personal" in left_out["reason"]

    def test_the_budget_of_the_repository_switches_it_off(self, scratch, personal, run):
        (scratch.root / "config").mkdir(exist_ok=True)
        (scratch.root / "config/cycle_config.json").write_text(json.dumps({"memory": {"enabled": True}, "budgets": {"personal": 0}}))
        found = shown(run, scratch)
        assert not found["is_read_here"]
        assert "budgets.personal is 0" in found["reason"]
        assert RULE not in run(scratch, "recall").out

    def test_outside_a_repository_only_the_rules_are_listed(self, scratch, personal, run, monkeypatch):
        class Elsewhere:
            repository = personal.parent

        found = run(Elsewhere, "personal")
        assert found.code == 0
        assert "no other bank in this folder" in found.out
        assert RULE in found.out

    def test_recall_explains_what_comes_from_it(self, scratch, personal, run):
        explained = run(scratch, "recall", "where do I get a new VPN token?", "--explain")
        assert "[personal note shared/" in explained.out
        assert "personal:shared/the-vpn" in explained.out


class TestSwitching:
    def test_off_and_on_in_one_repository(self, scratch, personal, run, home, bank):
        own = home / ".config/memorybank/config.json"
        assert run(scratch, "personal", "off").out == f"{scratch.repository}: nothing of your personal bank is shown\n"
        assert run(scratch, "personal", "off").out.endswith(", as before\n")
        assert json.loads(own.read_text()) == {"personal": {"off_in": [str(scratch.repository)]}}
        assert shown(run, scratch)["reason"] == f"switched off in {scratch.repository}"
        assert RULE not in run(scratch, "recall").out
        assert RULE in run(bank({}, git=True), "recall").out
        assert run(scratch, "personal", "on").code == 0
        assert not own.exists()
        assert RULE in run(scratch, "recall").out

    def test_a_folder_above_and_the_rest_of_the_settings(self, scratch, personal, run, home, tmp_path):
        own = home / ".config/memorybank/config.json"
        own.parent.mkdir(parents=True)
        own.write_text(json.dumps({"trust": {"folders": ["~/work"]}}))
        assert run(scratch, "personal", "off", str(tmp_path)).code == 0
        refused = run(scratch, "personal", "on")
        assert refused.code == 2
        assert f"memorybank personal on {tmp_path}" in refused.err
        assert run(scratch, "personal", "on", str(tmp_path)).code == 0
        assert json.loads(own.read_text()) == {"trust": {"folders": ["~/work"]}}

    def test_a_folder_that_is_missing_changes_nothing(self, scratch, personal, run, home):
        assert run(scratch, "personal", "off", "nowhere").code == 3
        assert not (home / ".config").exists()

    @pytest.mark.parametrize("text", ["{", '{"personal": {"off_in": "x"}}', '{"personal": 3}'])
    def test_settings_that_cannot_be_read_are_not_replaced(self, scratch, personal, run, home, text):
        own = home / ".config/memorybank/config.json"
        own.parent.mkdir(parents=True)
        own.write_text(text)
        assert run(scratch, "personal", "off").code == 6
        assert own.read_text() == text
        assert not shown(run, scratch)["is_read_here"]


class TestCopying:
    def test_a_note_is_copied_byte_for_byte_and_taken_back(self, scratch, personal, run):
        scratch.write("shared/手順.md", "---\r\ntags: [手順]\r\n---\r\n# 検証環境の手順\r\n\r\n月曜日に初期化する。\r\n".encode())
        copied = json.loads(run(scratch, "personal", "copy", "手順", "--format", "json").out)
        assert copied["key"] == "shared/手順.md"
        assert (personal / "active/shared/手順.md").read_bytes() == (scratch.active / "shared/手順.md").read_bytes()
        again = run(scratch, "personal", "copy", "手順")
        assert "already" in again.err
        assert run(scratch, "--personal", "undo", copied["change"]).code == 0
        assert not (personal / "active/shared/手順.md").exists()
        assert (scratch.active / "shared/手順.md").exists()

    def test_as_a_rule_it_opens_every_session(self, scratch, personal, run, bank):
        assert run(scratch, "personal", "copy", "staging", "--rule").code == 0
        assert "The staging database is reset every Monday." in run(bank({}, git=True), "recall").out

    def test_another_note_with_its_name_is_never_replaced(self, scratch, personal, run):
        mine = personal / "active/shared/staging.md"
        mine.write_text("# Mine\n", encoding="utf-8")
        assert run(scratch, "personal", "copy", "staging").out == "shared/staging-2.md\n"
        assert mine.read_text(encoding="utf-8") == "# Mine\n"

    def test_what_cannot_be_copied(self, scratch, personal, run):
        assert run(scratch, "personal", "copy", "nothing").code == 3
        assert run(scratch, "personal", "copy", "rule:00000000").code == 3
        assert run(scratch, "--personal", "personal", "copy", "the-vpn").code == 3
        assert len(list(personal.glob("active/**/*.md"))) == 3

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_personal_bank_that_cannot_be_written(self, scratch, personal, run):
        (personal / "active/shared").chmod(0o555)
        assert run(scratch, "personal", "copy", "staging").code == 4


class TestStatus:
    def test_one_line_says_whether_it_is_read_here(self, scratch, personal, run):
        assert "~/.local/share/memorybank/personal is read here" in run(scratch, "status").out
        run(scratch, "personal", "off")
        assert f"is not read here: switched off in {scratch.repository}" in run(scratch, "status").out
        assert json.loads(run(scratch, "status", "--format", "json").out)["personal"]["is_read_here"] is False

    def test_nothing_without_one_and_for_itself(self, scratch, personal, run, monkeypatch):
        assert "personal bank" not in run(scratch, "--personal", "status").out
        monkeypatch.setenv(personal_bank.VARIABLE, "off")
        assert "personal bank" not in run(scratch, "status").out


def test_a_rule_whose_day_has_passed_says_so(scratch, personal, run):
    text = "---\ntags: [rule]\ncreated: 2025-08-01T00:00:00Z\nupdated: 2025-08-01T00:00:00Z\n---\n# Freeze\n\nNo deploys until 2025-09-10.\n"
    (personal / "active/shared/freeze.md").write_text(text, encoding="utf-8")
    assert run(scratch, "--personal", "list").code == 0
    assert "Freeze: No deploys until 2025-09-10. (said to hold until 2025-09-10)" in run(scratch, "recall").out

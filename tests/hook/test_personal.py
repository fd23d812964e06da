"""A person's own bank in real hook processes: its rules open every session and its facts answer prompts, in each repository, and nothing flows back."""

import json
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from memorybank.cycle.recall import another
from memorybank.storage.create_bank import create_bank
from tests.hook import forked
from tests.trust.machines import Machine

pytestmark = pytest.mark.slow

RULE = "Always answer in British English; 日本語のコメントは敬体で"
FACT = "The capybara VPN needs a new token every Monday; the helpdesk portal issues it."
JAPANESE = "社内プロキシのアルマジロ証明書は三か月ごとに更新する。"
ABOUT_FACT, ABOUT_JAPANESE = "the VPN asks for a new token, where do I get one?", "社内プロキシの証明書はいつ更新する？"
START = {"hook_event_name": "SessionStart", "source": "startup"}


def prompt(text: str) -> dict[str, object]:
    return {"hook_event_name": "UserPromptSubmit", "prompt": text}


class Person(Machine):
    """A machine with repositories, on which a person keeps a bank of their own."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.environment["MEMORYBANK_TRUST"] = "all"
        self.bank = home / ".local/share/memorybank/personal"
        self._made = 0

    def run(self, *arguments: str, folder: Path | None = None, code: int = 0, **environment: str) -> str:
        done = self.memorybank(folder or self.home, *arguments, **environment)
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    def repository(self, **notes: str) -> Path:
        """Return a new repository with a bank that contains these notes."""
        self._made += 1
        root = self.home / f"project-{self._made}"
        root.mkdir()
        self.git(root, "init", "-q", "-b", "main")
        create_bank(str(root / ".claude/memory"), "UTC")
        for key, text in notes.items():
            (root / f".claude/memory/active/shared/{key}.md").write_text(text, encoding="utf-8")
        if notes:
            self.run("index", folder=root)
        return root

    def keep(self) -> "Person":
        """Create the personal bank: one rule, and a fact in English and in Japanese."""
        self.run("init", "--personal")
        self.run("--personal", "add", RULE, "--tag", "rule")
        for name, text in (("vpn", FACT), ("プロキシ", JAPANESE)):
            (self.bank / f"active/shared/{name}.md").write_text(f"# {text.split()[0]}\n\n{text}\n", encoding="utf-8")
        self.run("--personal", "index")
        return self

    def fire(self, folder: Path, payload: dict[str, object], session: str = "s1", **environment: str | None) -> str:
        """Return what the model is shown; the hook must end with 0 and print no error."""
        given = {**self.environment, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": str(folder), **environment}
        done = forked.fire(
            ["--host", "claude-code"],
            json.dumps({"session_id": session, "cwd": str(folder), "transcript_path": "/nowhere.jsonl", **payload}).encode(),
            folder,
            {name: value for name, value in given.items() if value is not None},
        )
        assert (done.returncode, done.stderr) == (0, b"")
        errors = folder / ".claude/memory/log/hook_errors.jsonl"
        assert not errors.exists(), errors.read_text(encoding="utf-8")
        reply = json.loads(done.stdout) if done.stdout else {}
        return str(reply.get("hookSpecificOutput", {}).get("additionalContext", ""))


@pytest.fixture
def machine(tmp_path):
    return Person(tmp_path / "home")


@pytest.fixture(scope="module")
def person(tmp_path_factory):
    """A person whose bank and settings no test changes."""
    return Person(tmp_path_factory.mktemp("person") / "home").keep()


@pytest.fixture
def changing(machine):
    """A person of one test, which may change the bank and the settings."""
    return machine.keep()


def test_a_rule_opens_sessions_in_two_repositories_and_facts_answer_prompts(person):
    for _ in range(2):
        root = person.repository()
        shown = person.fire(root, START)
        assert f"{another.PERSONAL_BANK.heading}\n\n{another.PERSONAL_BANK.intro}\n\n- {RULE}\n" in shown
        assert "capybara" not in shown
        assert "アルマジロ" not in shown
        said = person.fire(root, prompt(ABOUT_FACT))
        assert FACT in said
        assert "[personal note shared/" in said
        assert JAPANESE in person.fire(root, prompt(ABOUT_JAPANESE))
        assert person.fire(root, prompt(f"{ABOUT_FACT} once more")) == "", "what was shown is not shown again"
        assert person.fire(root, prompt("please rename the function that parses dates")) == ""


def test_the_repositorys_own_memories_come_first_and_are_those_without_a_personal_bank(machine):
    root = machine.repository(vpn="# VPN of the project\n\nThe VPN of this project needs no token, it uses a new key from the vault.\n")
    (root / ".claude/memory/summary.md").write_text("---\nupdated_at: 2025-09-17T09:30:00Z\n---\nWe deploy on Mondays.\n", encoding="utf-8")
    before = [machine.fire(root, payload, "s1") for payload in (START, prompt(ABOUT_FACT))]
    machine.run("init", "--personal")
    machine.run("--personal", "add", RULE, "--tag", "ルール")
    machine.run("--personal", "remember", FACT)
    start, said = (machine.fire(root, payload, "s2") for payload in (START, prompt(ABOUT_FACT)))
    assert start.startswith(before[0].removesuffix("</memorybank-memory>"))
    assert start.index("We deploy on Mondays") < start.index(another.PERSONAL_BANK.heading)
    assert said.startswith(before[1].removesuffix("</memorybank-memory>"))
    assert said.index("uses a new key from the vault") < said.index("capybara")


def test_what_the_repository_says_itself_is_not_repeated(person):
    root = person.repository()
    (root / ".claude/memory/summary.md").write_text(f"---\nupdated_at: 2025-09-17T09:30:00Z\n---\n- {RULE}.\n", encoding="utf-8")
    (root / ".claude/memory/active/shared/copied.md").write_bytes((person.bank / "active/shared/vpn.md").read_bytes())
    person.run("index", folder=root)
    assert person.fire(root, START).count(RULE) == 1
    said = person.fire(root, prompt(ABOUT_FACT))
    assert said.count("capybara") == 1
    assert "[note shared/copied.md" in said
    explained = person.run("recall", ABOUT_FACT, "--explain", folder=root)
    assert "this repository says the same itself" in explained


def test_a_word_of_a_rule_in_the_repositorys_text_does_not_hide_it(changing):
    root = changing.repository(vpn="# VPN\n", staging="# VPN token\n\nToken.\n")
    (root / ".claude/memory/summary.md").write_text("---\nupdated_at: 2025-09-17T09:30:00Z\n---\nCommits name the ticket.\n", encoding="utf-8")
    (changing.bank / "active/shared/commits.md").write_text("---\ntags: [rule]\n---\n# Commits\n\nSign each of them.\n", encoding="utf-8")
    changing.run("--personal", "index")
    assert "- Commits: Sign each of them.\n" in changing.fire(root, START)
    assert "capybara" in changing.fire(root, prompt(ABOUT_FACT))


def test_nothing_of_the_personal_bank_reaches_a_file_that_git_sees(person):
    root = person.repository()
    for payload in (START, prompt(ABOUT_FACT), prompt(ABOUT_JAPANESE)):
        assert person.fire(root, payload)
    person.fire(root, {"hook_event_name": "Stop", "last_assistant_message": "Done.", "stop_hook_active": False})
    person.fire(root, {"hook_event_name": "SessionEnd", "reason": "other"})
    person.run("rebuild", folder=root)
    person.run("summary", "refresh", folder=root)
    person.git(root, "add", "-A")
    person.git(root, "commit", "-q", "-m", "everything")
    tracked = person.git(root, "ls-files", "-z").split("\0")
    texts = b"\n".join((root / path).read_bytes() for path in tracked if path)
    for canary in (RULE, "British English", "capybara", "アルマジロ", "personal:"):
        assert canary.encode() not in texts
    local = b"\n".join(path.read_bytes() for path in (root / ".claude/memory").rglob("*") if path.is_file() and "cache" not in path.parts)
    assert b"capybara VPN" not in local, "the log contains ids, never a text"


def test_the_log_of_the_personal_bank_stays_empty(person):
    root = person.repository()
    person.fire(root, START)
    person.fire(root, prompt(ABOUT_FACT))
    assert not list(person.bank.glob("log/events/*"))
    assert list((root / ".claude/memory/log/events").glob("*.jsonl"))


@pytest.mark.parametrize("how", ["off_here", "off_above", "environment", "budget", "moment", "unreadable", "recall"])
def test_a_person_or_the_repository_switches_it_off(changing, how):
    root = changing.repository()
    environment = {}
    settings = root / ".claude/memory/config/cycle_config.json"
    own = changing.home / ".config/memorybank/config.json"
    own.parent.mkdir(parents=True, exist_ok=True)
    if how in ("off_here", "off_above"):
        own.write_text(json.dumps({"personal": {"off_in": [f"~/{root.name}" if how == "off_here" else str(changing.home)]}}))
    elif how == "environment":
        environment["MEMORYBANK_PERSONAL"] = "off"
    elif how == "unreadable":
        own.write_text("{")
    elif how == "budget":
        settings.write_text(json.dumps({"memory": {"enabled": True}, "budgets": {"personal": 0}}))
    else:
        changed = {"recall": {"enabled": {"session_start": False, "prompt": False}}} if how == "moment" else {"phases": {"recall": False}}
        settings.write_text(json.dumps({"memory": {"enabled": True}, **changed}))
    assert changing.fire(root, START, **environment) == ""
    assert changing.fire(root, prompt(ABOUT_FACT), **environment) == ""
    if how == "off_here":
        assert RULE in changing.fire(changing.repository(), START)


def test_a_note_that_only_a_role_may_see_stays_with_that_role(changing):
    path = changing.bank / "active/shared/reviewers.md"
    path.write_text("---\ntags: [rule]\nprivacy: private\nacl: session\n---\n# Axolotl rule\n\nReview the axolotl VPN token first.\n", encoding="utf-8")
    changing.run("--personal", "index")
    root = changing.repository()
    assert "xolotl" not in changing.fire(root, START)
    assert "xolotl" not in changing.fire(root, prompt(ABOUT_FACT))


def test_a_compact_shows_the_rules_again_and_a_resume_does_not(person):
    root = person.repository()
    assert RULE in person.fire(root, START)
    assert RULE not in person.fire(root, {**START, "source": "resume"})
    assert RULE in person.fire(root, {**START, "source": "compact"})


def test_a_sub_agent_is_shown_the_facts_about_its_task(person):
    root = person.repository()
    task = {"description": "vpn", "prompt": ABOUT_FACT, "subagent_type": "helper"}
    person.fire(root, {"hook_event_name": "PreToolUse", "tool_name": "Task", "tool_input": task, "tool_use_id": "t1"})
    assert "capybara" in person.fire(root, {"hook_event_name": "SubagentStart", "agent_id": "a1", "agent_type": "helper"})


def test_a_note_that_was_written_in_an_editor_is_recalled_from_the_next_session_on(changing):
    root = changing.repository()
    (changing.bank / "active/shared/numbat.md").write_text("---\ntags: [rule]\n---\n# Numbat rule\n\nCommit messages name the numbat.\n", encoding="utf-8")
    changing.fire(root, START, "s1")
    assert "Numbat rule: Commit messages name the numbat." in changing.fire(root, START, "s2")
    next(changing.bank.glob("active/shared/always*.md")).unlink()
    assert RULE not in changing.fire(root, START, "s3"), "a rule whose note is gone is not shown from the index"


@pytest.mark.parametrize("index", ["of another version", "missing"])
def test_the_first_session_after_an_upgrade_is_shown_the_rules(changing, index):
    root = changing.repository()
    path = changing.bank / "cache/bank.sqlite3"
    if index == "missing":
        shutil.rmtree(path.parent)
    else:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 1")
    assert RULE in changing.fire(root, START, "s1")
    assert "capybara" in changing.fire(root, prompt(ABOUT_FACT), "s1") and "アルマジロ" in changing.fire(root, prompt(ABOUT_JAPANESE), "s1")


def test_a_personal_bank_that_came_from_elsewhere_waits_for_the_person(changing):
    root = changing.repository()
    del changing.environment["MEMORYBANK_TRUST"]
    shutil.rmtree(changing.home / ".local/state/memorybank", ignore_errors=True)
    shutil.rmtree(changing.bank / "log", ignore_errors=True)
    assert RULE not in changing.fire(root, START, "s1")
    assert changing.fire(root, prompt(ABOUT_FACT), "s1") == ""
    changing.run("--personal", "trust", "--yes")
    assert RULE in changing.fire(root, START, "s2")


def test_the_personal_bank_itself_as_the_bank_of_a_session_is_shown_once(person):
    root = person.repository()
    said = person.fire(root, prompt(ABOUT_FACT), MEMORYBANK_DIR=str(person.bank))
    assert said.count("capybara") == 1
    assert "personal note" not in said


class TestPlaces:
    def test_a_symlinked_data_folder(self, machine):
        (machine.home / "disk").mkdir()
        (machine.home / ".local").mkdir()
        (machine.home / ".local/share").symlink_to(machine.home / "disk")
        machine.run("init", "--personal")
        machine.run("--personal", "add", RULE, "--tag", "rule")
        assert (machine.home / "disk/memorybank/personal/active").is_dir()
        assert RULE in machine.fire(machine.repository(), START)

    def test_the_folder_that_the_variable_names(self, machine):
        folder = machine.home / "notes"
        machine.run("init", "--personal", MEMORYBANK_PERSONAL="~/notes")
        machine.run("--personal", "add", RULE, "--tag", "rule", MEMORYBANK_PERSONAL=str(folder))
        root = machine.repository()
        assert RULE in machine.fire(root, START, MEMORYBANK_PERSONAL=str(folder))
        assert RULE not in machine.fire(root, START, "s2")
        assert "not an absolute path" in machine.run("--personal", "list", code=2, MEMORYBANK_PERSONAL="notes")
        assert machine.fire(root, START, "s3", MEMORYBANK_PERSONAL="notes") == ""

    def test_without_home_or_with_one_that_is_missing(self, person):
        root = person.repository()
        person.fire(root, START, "s1", HOME=None)
        assert person.fire(root, START, "s2", HOME=str(person.home / "missing")) == ""
        assert RULE in person.fire(
            root, START, "s3", HOME=None, XDG_DATA_HOME=str(person.home / ".local/share"), XDG_STATE_HOME=str(person.home / ".local/state")
        )

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
    def test_a_home_folder_that_cannot_be_written(self, changing):
        self.check_read_only(changing)

    def test_a_damaged_index_is_built_again_before_the_start_is_answered(self, changing):
        root = changing.repository()
        (changing.bank / "cache/bank.sqlite3").write_bytes(b"no database" * 500)
        assert RULE in changing.fire(root, START)
        assert RULE in changing.fire(root, START, "s2")

    def check_read_only(self, person):
        root = person.repository()
        folders = [path for path in (person.bank, *person.bank.rglob("*")) if path.is_dir()]
        for path in folders:
            path.chmod(0o555)
        try:
            assert RULE in person.fire(root, START)
            assert "capybara" in person.fire(root, prompt(ABOUT_FACT))
        finally:
            for path in folders:
                path.chmod(0o755)

    def test_a_folder_inside_a_repository_is_refused(self, machine):
        root = machine.repository()
        assert "is inside the repository" in machine.run("init", "--personal", code=2, MEMORYBANK_PERSONAL=str(root / "mine"))
        assert not (root / "mine").exists()

    def test_a_home_folder_that_is_a_repository_does_not_commit_it(self, machine):
        machine.git(machine.home, "init", "-q")
        machine.run("init", "--personal")
        machine.run("--personal", "add", RULE, "--tag", "rule")
        assert machine.git(machine.home, "status", "--porcelain", "-uall", "--", ".local") == ""
        assert RULE in machine.fire(machine.repository(), START)


def test_two_sessions_at_once(changing):
    roots = [changing.repository(), changing.repository()]
    (changing.bank / "active/shared/numbat.md").write_text("---\ntags: [rule]\n---\n# Numbat rule\n", encoding="utf-8")
    with ThreadPoolExecutor(4) as pool:
        shown = list(pool.map(lambda number: changing.fire(roots[number % 2], START, f"s{number}"), range(8)))
    assert all(RULE in text for text in shown)
    assert "Numbat" in changing.fire(roots[0], START, "last")


@pytest.mark.parametrize("notes", [300, pytest.param(3_000, marks=pytest.mark.full)])
def test_a_large_personal_bank(changing, notes):
    folder = changing.bank / "active/many"
    folder.mkdir()
    for number in range(notes):
        (folder / f"note-{number}.md").write_text(f"# Subject {number}\n\nWhat machine number {number} needs: a cable, and the manual of {number * 7}.\n")
    for number in range(60):
        (folder / f"rule-{number}.md").write_text(
            f"---\ntags: [rule]\n---\n# Rule {number}\n\nWrite every answer so that reader number {number} understands it.\n"
        )
    changing.run("--personal", "rate", "many/rule-7.md", "9")
    changing.run("--personal", "index")
    root = changing.repository()
    shown = changing.fire(root, START)
    begin = shown.index(another.PERSONAL_BANK.heading)
    assert "- Rule 7: Write every answer" in shown[begin:].split("\n\n")[2].split("\n")[0], "the rule with the highest importance is the first"
    assert len(shown[begin:].encode("utf-16-le")) // 2 < 900
    assert "capybara" in changing.fire(root, prompt(ABOUT_FACT))

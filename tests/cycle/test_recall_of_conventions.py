"""A command that commits, pushes, tests … is shown the sentence of a note of people that says how that is done here, once."""

import pytest

from memorybank.cycle.recall import shown
from tests.cycle.recalling import Remembering, before, prompt

ENGLISH = {
    "shared/conventions.md": "# Conventions\n\n## Code\n\n- No `unwrap()` in `src/`.\n\n## Commits\n\n- `area: what it does`, imperative. One topic each.\n"
    "- Changes that users see get a line in CHANGELOG.md under \"Unreleased\".\n\n## Tests\n\nThey run with `SHOP_SETTINGS=test` only.\n",
    "planning/incident.md": "# Incident\n\nThe last commit broke the build. Somebody pushed a manifest that was cut.\n",
}  # fmt: skip
JAPANESE = {
    "shared/規約.md": "# 開発の規約\n\n## お金\n\n- 金額は整数\n\n## Git\n\n- コミットは「領域: 内容」（例「在庫: 解放を追加」）\n- main に直接 push しない\n",
}


@pytest.fixture
def asked(bank, fixed_clock):
    def ask(notes, command, session="now"):
        remembering = Remembering(bank(notes), fixed_clock).index()
        injection = remembering.ask(before("Bash", {"command": command}, session=session))
        return "" if injection is None else injection.text

    return ask


@pytest.mark.parametrize(("notes", "command", "said"), [
    (ENGLISH, 'git add -A && git commit -m "fix it"', "`area: what it does`"),
    (ENGLISH, 'git commit -m "walk: skip sockets"', "get a line in CHANGELOG.md"),
    (ENGLISH, "git commit", "`area: what it does`"),
    (ENGLISH, "python -m pytest -q", "SHOP_SETTINGS=test"),
    (JAPANESE, 'git commit -qm "バッジを追加"', "コミットは「領域: 内容」"),
    (JAPANESE, "git push origin main", "main に直接 push しない"),
])  # fmt: skip
def test_a_command_is_shown_how_it_is_done_here(asked, notes, command, said):
    text = asked(notes, command)
    assert said in text
    assert "unwrap" not in text and "金額" not in text, "only this sentence"


@pytest.mark.parametrize(("notes", "command"), [
    (ENGLISH, "git status"),
    (ENGLISH, "git log --grep commit"),
    (ENGLISH, "git push"),
    (ENGLISH, "cat tests/test_commit.py"),
    ({"planning/incident.md": ENGLISH["planning/incident.md"]}, "git commit -m x"),
    (JAPANESE, 'git commit -m "在庫: バッジを追加"'),
    (JAPANESE, "pytest"),
])  # fmt: skip
def test_other_commands_and_those_that_follow_it_are_shown_nothing(asked, notes, command):
    assert asked(notes, command) == ""


def test_a_file_that_the_session_changed_needs_no_reminder(bank, fixed_clock):
    remembering = Remembering(bank(ENGLISH), fixed_clock).index()
    remembering.session("now").edit("CHANGELOG.md", "", "- Sockets are skipped")
    assert remembering.ask(before("Bash", {"command": 'git commit -m "walk: skip sockets"'})) is None


def test_of_a_note_that_names_a_file_the_sentence_about_the_file_is_shown(bank, fixed_clock):
    remembering = Remembering(bank(ENGLISH), fixed_clock).index()
    text = remembering.ask(before("Edit", {"file_path": f"{remembering.root()}/CHANGELOG.md"})).text
    assert "get a line in CHANGELOG.md" in text
    assert "unwrap" not in text


def test_it_is_shown_once_in_a_context(bank, fixed_clock):
    remembering = Remembering(bank(ENGLISH), fixed_clock).index()
    assert remembering.ask(before("Bash", {"command": "git commit"})) is not None
    assert remembering.ask(before("Bash", {"command": "git commit"})) is None
    assert remembering.ask(before("Bash", {"command": "git commit"}, session="other")) is not None


def test_a_prompt_that_was_shown_the_note_needs_it_no_more(bank, fixed_clock):
    remembering = Remembering(bank(JAPANESE), fixed_clock).index()
    assert "領域" in remembering.ask(prompt("コミットの領域には何を書きますか")).text
    assert remembering.ask(before("Bash", {"command": "git commit -m x"})) is None


def test_no_note_is_read_where_none_has_such_a_sentence(bank, fixed_clock, monkeypatch):
    remembering = Remembering(bank({"shared/glossary.md": "# Glossary\n\n- **drift**: a changed sum\n"}), fixed_clock).index()
    monkeypatch.setattr(shown, "data_of", None)
    assert remembering.ask(before("Bash", {"command": "git commit -m x"})) is None


def test_what_a_session_wrote_is_no_convention(bank, fixed_clock):
    note = "---\nsession_id: s1\nagent_created: main\n---\n# Work\n\nCommits: `area: what it does`\n"
    remembering = Remembering(bank({"sync/sessions/2025-08-01-s1.md": note}), fixed_clock).index()
    assert remembering.ask(before("Bash", {"command": "git commit -m x"})) is None


def test_a_command_reads_only_the_most_important_notes(bank, fixed_clock, monkeypatch):
    notes = {f"shared/style-{number}.md": f"# Style {number}\n\nCommits: `area: what it does`\n" for number in range(20)}
    remembering = Remembering(bank(notes), fixed_clock).index()
    read = []
    monkeypatch.setattr(shown, "read", lambda memory, base: read.append(memory.key) or "nothing of the kind")
    assert remembering.ask(before("Bash", {"command": "git commit -m x"})) is None
    assert len(read) == 8


@pytest.mark.parametrize(("note", "command", "is_shown"), [
    ("Commits: `KB-12 area: what changed`, without a ticket `KB-0`.", 'git commit -m "search: faster"', True),
    ("Commits: `KB-12 area: what changed`, without a ticket `KB-0`.", 'git commit -m "KB-0 search: faster"', False),
    ("コミットの件名は「種別(範囲): 内容」。", 'git commit -m "fix: 文字化け"', True),
    ("コミットの件名は「種別(範囲): 内容」。", 'git commit -m "fix(取込): 文字化け"', False),
])  # fmt: skip
def test_a_message_follows_a_format_with_its_ticket_and_its_scope(asked, note, command, is_shown):
    assert (asked({"shared/rules.md": f"# Rules\n\n- {note}\n"}, command) != "") is is_shown

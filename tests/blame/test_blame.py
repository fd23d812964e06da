"""Who wrote a statement: people by their commits, agents by the calls of their sessions, commands by what they changed."""

import shutil

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, MINUTE
from memorybank.errors import MemorybankError, NotFound

from ..house.hooked import hooked

NOTE = "# 設計\n\nThe index is built at night.\n\nバックアップは毎週取る。\n"


def test_people_by_their_commits(story) -> None:
    story.write("planning/設計.md", NOTE)
    first = story.commit("Ann", "Begin the design")
    story.write("planning/設計.md", NOTE.replace("at night", "every hour"))
    second = story.commit("田中")
    assert [entry[:2] for entry in story.told("設計")] == [("# 設計", "Ann"), ("The index is built every hour.", "田中"), ("バックアップは毎週取る。", "Ann")]
    commits = [statement.origins[0].commit for statement in story.bank.blame("設計").statements]
    assert commits == [first, second, first]
    assert story.bank.blame("設計").statements[0].origins[0].summary == "Begin the design"


def test_sessions_by_what_they_wrote(story) -> None:
    """Before and after the commit of a person: the session that wrote the line is named, the other lines keep their author."""
    story.write("planning/設計.md", NOTE)
    story.commit("Ann")
    story.session_writes("session-one", "planning/設計.md", "The index is built every hour.", old="The index is built at night.")
    told = [
        ("# 設計", "Ann", "", "", ""),
        ("The index is built every hour.", "", "session-one", "Edit", "text"),
        ("バックアップは毎週取る。", "Ann", "", "", ""),
    ]
    assert story.told("設計") == told
    story.commit("Ben")
    told[1] = ("The index is built every hour.", "Ben", "session-one", "Edit", "text")
    assert story.told("設計") == told
    assert story.bank.blame("設計").statements[1].origins[0].host == "claude-code"


def test_a_new_note_of_a_session(story) -> None:
    story.session_writes("session-one", "planning/new.md", NOTE)
    assert {entry[1:] for entry in story.told("new")} == {("", "session-one", "Write", "text")}


def test_a_long_text_is_known_by_the_time_alone(story) -> None:
    """The log keeps the beginning and the end of a long text. Two sessions in question name none."""
    middle = "\n\n".join(f"Statement {number} about the importer." for number in range(60))
    story.session_writes("session-one", "planning/long.md", f"# Long\n\n{middle}\n")
    story.commit("Ann")
    told = dict((entry[0], entry[2:]) for entry in story.told("long"))
    assert told["# Long"] == ("session-one", "Write", "text")
    assert told["Statement 30 about the importer."] == ("session-one", "Write", "time")
    story.session_writes("session-two", "planning/other.md", f"# Other\n\n{middle}\n")
    story.session_writes("session-three", "planning/other.md", f"# Other\n\n{middle}\n")
    assert dict((entry[0], entry[2:]) for entry in story.told("other"))["Statement 30 about the importer."] == ("", "", "")


def test_a_hand_edit_is_not_ascribed_to_a_session_that_is_fully_known(story) -> None:
    story.session_writes("session-one", "planning/a.md", "# A\n\nBy the agent.\n")
    story.write("planning/a.md", "# A\n\nBy the agent.\n\nBy hand.\n")
    assert story.told("a")[1:] == [("By the agent.", "", "session-one", "Write", "text"), ("By hand.", "", "", "", "")]


def test_an_earlier_commit_bounds_what_a_later_one_contains(story) -> None:
    """A session that worked before the commit before last did not write what the last commit added, although no line of that commit is left."""
    middle = "\n\n".join(f"Statement {number} about the importer." for number in range(60))
    story.session_writes("session-one", "planning/a.md", f"# A\n\n{middle}\n")
    story.commit("Ann")
    story.write("planning/a.md", "# A\n\nBy hand.\n")
    story.commit("Ben")
    assert story.told("a")[1] == ("By hand.", "Ben", "", "", "")


def test_commands(story) -> None:
    story.write("planning/a.md", "---\ntags: [old]\n---\n# A\n\nText.\n")
    story.commit("Ann")
    story.clock.instant += MINUTE
    story.bank.notes.rate("planning/a.md", 8)
    story.clock.instant += MINUTE
    story.bank.notes.rename_tag(story.bank.notes.plan_tags("old", "new"))
    assert story.told("a") == [
        ("tags: [new]", "", "", "memorybank tags rename", "text"),
        ("rating: 8", "", "", "memorybank rate", "text"),
        ("# A", "Ann", "", "", ""),
        ("Text.", "Ann", "", "", ""),
    ]
    story.commit("Ben")
    assert story.told("a")[0] == ("tags: [new]", "Ben", "", "memorybank tags rename", "text")


def test_commands_whose_versions_are_no_longer_kept(story) -> None:
    """A rating wrote the line of the rating and no other, even when it is the only recorded change."""
    story.write("planning/a.md", "# A\n\nText.\n")
    story.commit("Ann")
    story.bank.notes.rate("planning/a.md", 8)
    story.write("planning/a.md", "---\nrating: 8\n---\n# A\n\nText by hand.\n")
    shutil.rmtree(story.scratch.root / "backups" / "changes")
    assert [(text, command) for text, _, _, command, _ in story.told("a")] == [("rating: 8", "memorybank rate"), ("# A", ""), ("Text by hand.", "")]


def test_documents_that_are_read_in_place(story) -> None:
    story.scratch.root.joinpath("config").mkdir(exist_ok=True)
    story.scratch.root.joinpath("config/sources_config.json").write_text('{"sources": [{"name": "docs", "kind": "docs", "path": "docs"}]}', encoding="utf-8")
    folder = story.scratch.repository / "docs"
    folder.mkdir()
    folder.joinpath("guide.md").write_text("# Guide\n\nFirst.\n", encoding="utf-8")
    story.commit("Ann")
    folder.joinpath("guide.md").write_text("# Guide\n\nSecond, by an agent.\n", encoding="utf-8")
    story.call("session-one", "Edit", {"file_path": str(folder / "guide.md"), "old_string": "First.", "new_string": "Second, by an agent."})
    assert [entry[:3] for entry in story.told("docs/guide.md")] == [("# Guide", "Ann", ""), ("Second, by an agent.", "", "session-one")]


def test_commands_that_an_agent_ran(story) -> None:
    story.write("planning/a.md", "# A\n\nText.\n")
    story.commit("Ann")
    story.bank.notes.rate("planning/a.md", 8)
    story.call("session-one", "Bash", {"command": "memorybank rate planning/a.md 8", "description": "rate"})
    assert story.told("a")[0] == ("rating: 8", "", "session-one", "memorybank rate", "text")
    key = story.bank.notes.remember("The staging database is reset every Monday.")
    story.call("session-two", "Bash", {"command": "memorybank remember 'The staging database is reset every Monday.'"})
    assert ("The staging database is reset every Monday.", "", "session-two", "memorybank remember", "text") in [entry for entry in story.told(key)]


def test_renames_are_followed(story) -> None:
    story.write("planning/a.md", NOTE)
    story.commit("Ann")
    story.session_writes("session-one", "planning/a.md", "every hour", old="at night")
    story.commit("Ben")
    story.bank.notes.rename("planning/a.md", "shared/設計 図.md")
    told = story.told("shared/設計 図.md")
    assert [entry[1:3] for entry in told] == [("Ann", ""), ("Ben", "session-one"), ("Ann", "")]
    story.commit("Ben")
    assert story.told("設計 図") == told
    story.git("mv", ".claude/memory/active/shared/設計 図.md", ".claude/memory/active/shared/by-git.md")
    story.commit("Cem")
    assert [entry[1:3] for entry in story.told("by-git")] == [("Ann", ""), ("Ben", "session-one"), ("Ann", "")]


def test_archived_notes(story) -> None:
    """Before and after the removal is committed, by key and by a short name; the latest of several with one key."""
    story.write("planning/設計.md", NOTE)
    story.commit("Ann")
    told = story.told("設計")
    rotation = story.bank.rotation
    rotation.execute(rotation.plan_forget(["planning/設計.md"]))
    for name in ("planning/設計.md", "設計", story.bank.archive.list()[0].id):
        assert story.told(name) == told
    story.commit("Ben")
    found = story.bank.blame("設計")
    assert (found.key, found.archive_id) == ("planning/設計.md", story.bank.archive.list()[0].id)
    assert story.told("設計") == told


@pytest.mark.parametrize("ages", [0, 40])
def test_private_sessions_stay_hidden(story, ages: int) -> None:
    """What a rule of the settings makes private is never named, neither by its text nor by its time, however old it is."""
    story.scratch.configure("cycle", '{"memory": {}, "privacy_rules": ["**/planning/**"]}')
    story.session_writes("session-one", "planning/設計.md", NOTE)
    story.clock.instant += ages * DAY
    assert {entry[1:] for entry in story.told("設計")} == {("", "", "", "")}
    assert "session-one" not in str(story.bank.blame("設計"))


def test_sessions_of_a_role_are_named_for_that_role(story) -> None:
    """A sub-agent's calls are shown to its role, and after 30 days to all, unless the settings switch that off."""
    story.session_writes("session-one", "planning/設計.md", NOTE, agent_type="planner", agent_id="a1")
    assert story.told("設計")[0][2] == ""
    assert story.told("設計", role="planner")[0][2] == "session-one"
    assert story.told("設計", role="coder")[0][2] == ""
    story.clock.instant += 40 * DAY
    assert story.told("設計")[0][2] == "session-one"
    story.scratch.configure("cycle", '{"memory": {}, "timed_release": false}')
    assert story.told("設計")[0][2] == ""


def test_a_hidden_session_is_not_ascribed_to_another(story) -> None:
    """Two sessions in question, one of them hidden: the time alone names none."""
    middle = "\n\n".join(f"Statement {number} about the importer." for number in range(60))
    story.session_writes("session-one", "planning/a.md", f"# A\n\n{middle}\n", agent_type="planner", agent_id="a1")
    story.session_writes("session-two", "planning/a.md", f"# A\n\n{middle}\n\nEnd.\n")
    assert dict((entry[0], entry[2]) for entry in story.told("a"))["Statement 30 about the importer."] == ""


def test_a_note_that_the_role_may_not_see(story) -> None:
    story.write("planning/a.md", "---\nagent_created: planner\nacl: agent\n---\n# A\n")
    assert story.told("a", role="planner")
    with pytest.raises(NotFound):
        story.bank.blame("a", role="coder")


def test_nothing_is_changed_and_no_view_recorded(story) -> None:
    story.write("planning/a.md", NOTE)
    story.commit("Ann")
    story.bank.index.update()
    before = story.scratch.snapshot()
    Bank.open(str(story.scratch.root), clock=story.clock, read_only=True).blame("a")
    assert story.scratch.snapshot() == before


def test_text_that_only_looks_like_output_of_git(story) -> None:
    """Lines of the note cannot pass for lines of the answer, whatever they contain."""
    text = "\t0123456789012345678901234567890123456789 1 1 1\nauthor Mallory\nfilename x\n\n" + "a" * 40 + " 1 1\n"
    story.write("planning/a.md", text)
    story.commit("Ann author 1 1")
    assert {entry[1] for entry in story.told("a", by_line=True)} == {"Ann author 1 1"}


def test_commits_that_only_reformatted_are_passed_over(story) -> None:
    """As git is configured; a file of ignored revisions that is missing is an error that says what to do."""
    story.write("planning/a.md", NOTE)
    story.commit("Ann")
    story.write("planning/a.md", NOTE.replace("# ", "## "))
    reformatted = story.commit("Formatter")
    (story.scratch.repository / "ignored").write_text(reformatted + "\n", encoding="utf-8")
    assert story.told("a")[0][1] == "Formatter"
    story.git("config", "blame.ignoreRevsFile", "ignored")
    assert story.told("a")[0][1] == "Ann"
    story.git("config", "blame.ignoreRevsFile", "missing")
    with pytest.raises(MemorybankError, match="git could not say who wrote this note"):
        story.bank.blame("a")


def test_outside_git_the_logs_alone_answer(story) -> None:
    shutil.rmtree(story.scratch.repository / ".git")
    story.session_writes("session-one", "planning/a.md", NOTE)
    assert story.told("a")[0][1:3] == ("", "session-one")


def test_a_shallow_clone_says_so(story, tmp_path) -> None:
    story.write("planning/a.md", NOTE)
    story.commit("Ann")
    story.write("planning/b.md", NOTE)
    story.commit("Ben")
    story.git("clone", "-q", "--depth=1", f"file://{story.scratch.repository}", str(tmp_path / "clone"))
    found = Bank.open(str(tmp_path / "clone/.claude/memory"), clock=story.clock).blame("planning/a.md")
    assert {(origin.author, origin.is_boundary) for statement in found.statements for origin in statement.origins} == {("", True)}, "Ben wrote none of it"
    whole = Bank.open(str(story.scratch.root), clock=story.clock).blame("planning/a.md")
    assert {(origin.author, origin.is_boundary) for statement in whole.statements for origin in statement.origins} == {("Ann", False)}


def test_other_line_ends_make_nobody_the_author(story) -> None:
    story.write("planning/設計.md", NOTE)
    story.commit("Ann")
    path = story.scratch.active / "planning/設計.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n") + "\r\n最後の行\r\n".encode())
    story.commit("Ben")
    found = Bank.open(str(story.scratch.root), clock=story.clock).blame("planning/設計.md")
    assert [statement.origins[0].author for statement in found.statements] == ["Ann"] * (len(found.statements) - 1) + ["Ben"]


@pytest.mark.slow
def test_learned_notes_name_the_sessions_that_they_were_made_from(bank, fixed_clock) -> None:
    scratch = bank(git=True)
    hooked(scratch, fixed_clock, of_clients=False)
    opened = Bank.open(str(scratch.root), clock=fixed_clock)
    key = next(note.key for note in opened.notes.list() if note.key.startswith("learned/problem-"))
    found = opened.blame(key)
    assert {source.session for source in found.sources} >= {"tea-1", "tea-2", "tea-3"}
    assert {statement.origins[0].command for statement in found.statements} == {"end of a session"}
    session_note = next(note.key for note in opened.notes.list() if note.key.startswith("sync/sessions/"))
    found = opened.blame(session_note)
    assert found.session and {(each.origins[0].command, each.origins[0].session) for each in found.statements} == {("end of the session", found.session)}

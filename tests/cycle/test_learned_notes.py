"""Learned notes: proven memories become files, nobody's edit is lost, and only a person's removal rejects a memory."""

import re
import subprocess

import pytest

from memorybank.bank import Bank
from memorybank.config.cycle import CycleSettings
from memorybank.config.settings import load
from memorybank.cycle.base import CycleContext
from memorybank.cycle.finish import announcing, macro, outbox
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.know import rejected
from memorybank.cycle.know.learned import memory_of
from memorybank.cycle.recall import query, ranking
from memorybank.errors import PermissionRefused
from memorybank.index import fold as index_fold
from memorybank.index.working import open_index
from memorybank.log import learned
from memorybank.notes import parse
from memorybank.storage import database
from memorybank.storage.layout import describe
from memorybank.text import generated
from tests.conftest import DAY, NOW

from .conftest import Session
from .recalling import Remembering, failure, prompt, start

ENOUGH = 200.0
"""Milliseconds in which learned notes fit, and the heavy steps of notes do not."""
RULE = "Never edit the generated schema by hand."


class Project:
    """A bank in a git repository in which sessions end."""

    def __init__(self, scratch, clock, settings=None, layout=None):
        self.scratch, self.clock = scratch, clock
        self.layout = layout or scratch.layout
        self.base = CycleContext(self.layout, settings or CycleSettings(session_notes=False, session_episodes=False), clock)
        self.count = 0

    def work(self, name, *, says="Build it, please.", fails=True, **fields):
        self.count += 1
        session = Session(self.layout, self.clock, name, NOW - (40 - self.count) * DAY)
        session.prompt(says, **fields)
        if fails:
            session.run("rtk bun run build", error="error: unrecognized subcommand 'bun'", **fields)
            session.run("bun run build", **fields)
        session.turn_end("The build works now that the compiler runs without its wrapper.", **fields)
        session.end()
        return self.end(name)

    def end(self, name="", milliseconds=ENOUGH):
        connection = database.open_writable(schema.path(self.layout), schema.TABLES, schema.VERSION)
        try:
            outbox.gather(self.base, connection, lambda: milliseconds, name or None)
            macro.finish(self.base, connection, lambda: milliseconds, name or None)
        finally:
            connection.close()
        return self

    def again(self):
        """Another session ends, about other things."""
        return self.work(f"other-{self.count}", says="Look around.", fails=False)

    @property
    def folder(self):
        return self.scratch.active / "learned"

    def notes(self):
        return sorted(path.name for path in self.folder.glob("*")) if self.folder.exists() else []

    def problem(self):
        (name,) = (name for name in self.notes() if name.startswith("problem-"))
        return self.folder / name

    def commit(self, message="work"):
        self.scratch.git("add", "-A")
        self.scratch.git("commit", "-qm", message)

    def rejections(self):
        return rejected.rejections(self.layout)


@pytest.fixture
def project(bank, fixed_clock):
    """A committed bank without a learned note."""
    scratch = bank({"planning/plan.md": "# Plan\n\nNothing yet.\n"}, git=True)
    (scratch.root / ".gitignore").write_text("log/\ncache/\nindexes/\nmetadata/\nbackups/\n", encoding="utf-8")
    made = Project(scratch, fixed_clock)
    made.commit("begin")
    return made


@pytest.fixture
def proven(project):
    """The same bank with the note of a problem that three sessions proved, not committed."""
    for number in range(3):
        project.work(f"s{number}")
    assert len(project.notes()) == 1
    return project


def test_the_first_note_is_announced_once(project):
    project.work("s0").work("s1")
    assert announcing.announce(project.base) == ""
    project.work("s2")
    said = announcing.announce(project.base)
    assert "memorybank learned: Use `bun run build`: `rtk bun run build` fails here." in said and project.problem().name in said
    assert announcing.announce(project.base) == ""
    assert [note.key for note in learned.read(project.layout).values()] == [f"learned/{project.problem().name}"]


def test_a_note_that_was_rejected_before_anybody_saw_it_is_not_announced(proven):
    Bank.open(str(proven.scratch.root), clock=proven.clock).knowledge.reject(memory_of(f"learned/{proven.problem().name}"))
    assert announcing.announce(proven.base) == ""


def test_a_bank_that_cannot_be_written_announces_nothing(proven, monkeypatch):
    monkeypatch.setattr(learned, "append_announced", lambda *_: (_ for _ in ()).throw(PermissionRefused("read-only")))
    assert announcing.announce(proven.base) == ""


def test_a_problem_becomes_a_note_with_its_third_session(project):
    for number, expected in enumerate((0, 0, 1, 1)):
        assert len(project.work(f"s{number}").notes()) == expected
    path = project.problem()
    text = path.read_text(encoding="utf-8")
    note = parse.parse(f"learned/{path.name}", path.read_bytes())
    assert note.problems == () and note.title == "Use `bun run build`: `rtk bun run build` fails here"
    assert path.name.startswith("problem-rtk-bun-run-build-") and f"memory: {memory_of(note.key)}\n" in text.replace('"', "")
    assert "version: 1\n" in text and "agent_created: main\n" in text and note.front.tags == ("learned", "problem")
    assert "unrecognized subcommand" in text and "Failed in 4 sessions, first on 2025-08-09, 2025-08-10, 2025-08-11." in text


def test_an_error_that_differs_each_time_is_not_told(project):
    for number, error in enumerate(("error: a is missing", "fatal: b is locked", "panic: c is empty")):
        session = Session(project.layout, project.clock, f"s{number}", NOW - (20 - number) * DAY)
        session.run("rtk bun run build", error=error)
        session.run("bun run build")
        session.end()
        project.end(f"s{number}")
    text = project.problem().read_text(encoding="utf-8")
    assert not [word for word in ("missing", "locked", "empty") if word in text]


def test_counts_are_rounded_so_that_a_note_changes_rarely(proven):
    for number in range(3, 6):
        proven.work(f"s{number}")
    before = proven.problem().read_bytes()
    assert b"Failed in 5+ sessions" in before
    for number in range(6, 9):
        proven.work(f"s{number}")
    assert proven.problem().read_bytes() == before


def test_what_a_person_states_becomes_a_note_at_once_in_their_words(project):
    (name,) = project.work("s1", says=f"Add the endpoint, please. {RULE}", fails=False).notes()
    text = (project.folder / name).read_text(encoding="utf-8")
    assert name.startswith("rule-") and f"> {RULE}\n" in text and "Stated by a person on 2025-08-09." in text
    assert "Add the endpoint" not in text, "never the whole prompt"
    (japanese,) = set(project.work("s2", says="コミットの前に必ずテストを実行してください。", fails=False).notes()) - {name}
    assert "に利用者が述べた。" in (project.folder / japanese).read_text(encoding="utf-8")


@pytest.mark.parametrize("says", ["I'm dyslexic, keep it short", "I'm new to Rust", "色弱なので、色だけで区別しないで", "Rustは初めてなので解説してください"])
def test_what_a_person_says_of_themself_becomes_no_note_that_others_read(project, says):
    assert project.work("s1", says=says, fails=False).notes() == []


@pytest.mark.parametrize(
    ("says", "is_rule"),
    [
        ("I allow you to commit with --no-verify.", False),
        ("From now on you may not commit with --no-verify.", True),
        ("It is never allowed to commit with --no-verify.", True),
        ("今後は --no-verify でコミットしてもいいです。", False),
        ("今後は許可なく --no-verify でコミットしないでください。", True),
    ],
)
def test_a_permission_becomes_no_note_and_a_prohibition_does(project, says, is_rule):
    assert len(project.work("s1", says=says, fails=False).notes()) == is_rule


def test_what_is_asked_for_in_three_sessions_becomes_a_note(project):
    for number, expected in enumerate((0, 0, 1)):
        project.work(f"s{number}", says="Did you add tests for that?", fails=False)
        assert len(project.notes()) == expected
    assert "Asked for in 3 sessions, first on" in (project.folder / project.notes()[0]).read_text(encoding="utf-8")


def test_a_later_statement_takes_the_place_of_the_note_of_the_earlier(project):
    (old,) = project.work("s1", says="Always use npm for the packages.", fails=False).notes()
    (new,) = project.work("s2", says="From now on always use pnpm for the packages instead of npm.", fails=False).notes()
    assert old != new and "pnpm" in (project.folder / new).read_text(encoding="utf-8")


def test_only_what_everybody_may_see_becomes_a_note(project):
    for number in range(3):
        project.work(f"s{number}", says="Never mention the merger with Acme.", acl="agent", privacy="agent-only")
    assert project.notes() == []


def test_no_secret_and_no_place_of_a_machine_stands_in_a_note(project, monkeypatch):
    monkeypatch.setenv("HOME", "/home/ann")
    token = "ghp_" + "A1b2C3d4E5" * 3 + "F6g7H8"
    project.work("s1", says=f"Always deploy with token {token} from /home/ann/deploy and /Users/bob/deploy.", fails=False)
    text = "".join((project.folder / name).read_text(encoding="utf-8") for name in project.notes())
    assert "deploy" in text and token not in text and "/home/ann" not in text and "/Users/bob" not in text


def test_one_switch_turns_them_off(project):
    project.base = CycleContext(project.layout, CycleSettings(learned_notes=False), project.clock)
    for number in range(3):
        project.work(f"s{number}")
    assert project.notes() == []


def test_the_same_sessions_write_the_same_bytes_in_another_clone(proven, bank, fixed_clock):
    other = Project(bank(git=True), fixed_clock)
    for number in range(3):
        other.work(f"s{number}")
    assert other.problem().name == proven.problem().name and other.problem().read_bytes() == proven.problem().read_bytes()


def test_an_edited_note_is_theirs_for_ever(proven):
    path = proven.problem()
    path.write_text(path.read_text(encoding="utf-8") + "\nOnly on Linux.\n", encoding="utf-8")
    mine = path.read_bytes()
    for number in range(3, 9):
        proven.work(f"s{number}")
    assert path.read_bytes() == mine
    Bank.open(str(proven.scratch.root), clock=proven.clock).knowledge.reject(memory_of(f"learned/{path.name}"))
    assert path.read_bytes() == mine, "rejected, and still a person's file"


def test_a_file_that_was_there_before_is_nobodys_to_replace(project, proven):
    name = proven.problem().name
    proven.problem().write_text("a colleague's", encoding="utf-8")
    learned_log = learned.path(proven.layout)
    subprocess.run(["rm", learned_log], check=True)
    proven.work("s3")
    assert (proven.folder / name).read_text(encoding="utf-8") == "a colleague's"


def of_colleague(project, count: str) -> bytes:
    """The same note with another count, as the clone of a colleague wrote it."""
    return generated.sealed(re.sub(rb"Failed in \S+ sessions", f"Failed in {count} sessions".encode(), project.problem().read_bytes()))


def test_a_note_of_another_clone_is_counted_up_and_never_down(proven):
    path = proven.problem()
    path.write_bytes(of_colleague(proven, "4"))
    proven.work("s3")
    assert b"Failed in 4 sessions" in path.read_bytes(), "as many as theirs: nothing to write"
    path.write_bytes(of_colleague(proven, "10+"))
    greater = path.read_bytes()
    for number in range(4, 8):
        proven.work(f"s{number}")
    assert path.read_bytes() == greater
    assert b"Failed in 10+ sessions" in greater
    path.write_bytes(generated.sealed(of_colleague(proven, "3").replace(b"2025-08-09", b"2025-08-01")))
    proven.work("s8")
    text = path.read_text(encoding="utf-8")
    assert "Failed in 5+ sessions, first on 2025-08-01, 2025-08-09, 2025-08-10." in text and generated.is_sealed(path.read_bytes())


def test_an_edited_note_of_another_clone_is_not_counted_up(proven):
    path = proven.problem()
    path.write_bytes(of_colleague(proven, "4") + "自分の補足\n".encode())
    mine = path.read_bytes()
    for number in range(3, 8):
        proven.work(f"s{number}")
    assert path.read_bytes() == mine


@pytest.mark.parametrize("edited", [False, True])
def test_reject_removes_the_note_that_another_clone_wrote_unless_somebody_edited_it(proven, edited):
    path = proven.problem()
    path.write_bytes(of_colleague(proven, "7") + (b"mine\n" if edited else b""))
    subprocess.run(["rm", learned.path(proven.layout)], check=True)
    Bank.open(str(proven.scratch.root), clock=proven.clock).knowledge.reject(memory_of(f"learned/{path.name}"))
    assert path.exists() == edited and len(proven.rejections()) == 1


def test_a_commit_that_removes_it_is_a_rejection_that_lasts(proven):
    path = proven.problem()
    proven.commit()
    path.unlink()
    proven.commit("not true any more")
    proven.again()
    memory = memory_of(f"learned/{path.name}")
    assert proven.notes() == [] and set(proven.rejections()) == {memory}
    assert proven.rejections()[memory].by.startswith("commit ") and "bun run build" in proven.rejections()[memory].what
    proven.work("s7")
    assert proven.notes() == []


def test_a_restored_memory_is_written_again_though_a_commit_had_removed_it(proven):
    path = proven.problem()
    proven.commit()
    path.unlink()
    proven.commit("not true any more")
    proven.again()
    proven.clock.instant += 400 * DAY * 10  # after the date of that commit
    Bank.open(str(proven.scratch.root), clock=proven.clock).knowledge.undo()
    proven.again()
    assert path.exists() and proven.rejections() == {}


def test_reject_removes_the_note_and_undo_brings_it_back(proven):
    name = proven.problem().name
    knowledge = Bank.open(str(proven.scratch.root), clock=proven.clock).knowledge
    knowledge.reject(memory_of(f"learned/{name}"))
    assert proven.notes() == []
    assert proven.again().notes() == []
    knowledge.undo()
    assert proven.again().notes() == [name]


def test_a_removal_that_is_not_committed_is_no_rejection_and_is_left(proven):
    """Whoever removes a file may commit the removal next, so the file is not written again meanwhile."""
    proven.commit()
    proven.problem().unlink()
    proven.again()
    assert proven.notes() == [] and proven.rejections() == {}


def test_what_git_never_held_is_written_again(proven):
    name = proven.problem().name
    proven.problem().unlink()
    proven.again()
    assert proven.notes() == [name] and proven.rejections() == {}


def test_a_checkout_is_no_rejection(proven):
    """On a branch without the note nothing is written: the note returns with the other branch."""
    name = proven.problem().name
    proven.scratch.git("checkout", "-qb", "feature")
    proven.commit()
    proven.scratch.git("checkout", "-q", "main")
    assert proven.notes() == []
    proven.again()
    assert proven.notes() == [] and proven.rejections() == {}
    proven.scratch.git("checkout", "-q", "feature")
    assert proven.notes() == [name]


def test_a_stash_is_no_rejection(proven):
    """The stash contains the note and can be applied again."""
    name = proven.problem().name
    proven.scratch.git("stash", "-q", "--include-untracked")
    assert proven.notes() == []
    proven.again()
    assert proven.notes() == [] and proven.rejections() == {}
    proven.scratch.git("stash", "pop", "-q")
    assert proven.notes() == [name]


@pytest.mark.parametrize("committed", [True, False])
def test_a_note_under_another_name_is_left_there(proven, committed):
    proven.commit()
    target = proven.scratch.active / "shared" / "building.md"
    target.parent.mkdir(exist_ok=True)
    path = proven.problem()
    mine = path.read_bytes()
    if committed:
        proven.scratch.git("mv", str(path), str(target))
        proven.commit("rename")
    else:
        path.rename(target)
    for number in range(3, 6):
        proven.work(f"s{number}")
    assert proven.notes() == [] and proven.rejections() == {} and target.read_bytes() == mine


def test_an_archived_note_is_left_in_the_archive(proven):
    bank = Bank.open(str(proven.scratch.root), clock=proven.clock)
    path = proven.problem()
    proven.clock.instant += 900 * DAY
    plan = bank.rotation.plan()
    assert f"learned/{path.name}" in {decision.key for decision in plan.leaving}
    bank.rotation.execute(plan, yes=True)
    assert proven.notes() == []
    proven.again()
    assert proven.notes() == [] and proven.rejections() == {}


def test_another_worktree_keeps_the_note_that_it_has(proven, tmp_path):
    linked = tmp_path / "linked"
    proven.scratch.git("worktree", "add", "-q", str(linked), "-b", "beside")
    layout = describe(str((linked / ".claude" / "memory").resolve()))
    Project(proven.scratch, proven.clock, layout=layout).again()
    assert not (linked / ".claude" / "memory" / "active" / "learned").exists() and len(proven.notes()) == 1


def test_without_time_nothing_is_begun(project):
    for number in range(3):
        project.work(f"s{number}", fails=True)
    project.problem().unlink()
    session = Session(project.layout, project.clock, "late", NOW - DAY)
    session.prompt("Look around.")
    session.end()
    project.end("late", 40.0)
    assert project.notes() == []


ASKED = "how do I run rtk bun run build here, and why does it end in an unrecognized subcommand?"


def indexed(project):
    """The bank as agents are reminded of it, with its learned notes in the index."""
    cache.close()
    with open_index(project.layout, load(project.layout), project.clock) as index:
        index_fold.fold(index)
    return Remembering(project.scratch, project.clock)


def test_a_note_and_the_memory_it_was_made_from_are_shown_once(proven):
    memory, here = memory_of(f"learned/{proven.problem().name}"), indexed(proven)
    asked = here.preview(prompt(ASKED))
    failed = here.preview(failure("Bash", {"command": "rtk bun run build"}, "error: unrecognized subcommand 'bun'"), query.FAILURE)
    assert [one.memory.memory for one in (*asked.shown, *asked.left_out)].count(memory) == 1
    assert [one.memory.memory for one in failed.shown].count(memory) == 1
    assert not [one for one in (*asked.shown, *failed.shown) if one.memory.memory.startswith("note:learned/")]
    here.ask(prompt(ASKED))
    later = here.preview(failure("Bash", {"command": "rtk bun run build"}, "error: unrecognized subcommand 'bun'"), query.FAILURE)
    given = memory in [one.memory.memory for one in asked.shown]
    assert not given or memory not in [one.memory.memory for one in later.shown]
    rejected.add(proven.layout, memory, is_rejected=True, by=rejected.COMMAND, what="", clock=proven.clock)
    after = here.preview(prompt(ASKED, session="new"))
    assert memory not in [one.memory.memory for one in after.shown]


def test_what_a_start_told_is_not_told_again_by_its_note(proven):
    memory, here = memory_of(f"learned/{proven.problem().name}"), indexed(proven)
    assert memory in here.preview(prompt(ASKED)).injection.sizes
    assert memory in here.ask(start()).sizes
    later = here.preview(prompt(ASKED))
    assert [(one.memory.kind, one.why) for one in later.left_out if one.memory.memory == memory] == [(ranking.NOTE, ranking.ALREADY_SHOWN)]
    assert later.injection is None or memory not in later.injection.sizes


def test_status_announces_them_and_says_how_to_be_rid_of_them(proven):
    name = proven.problem().name
    assert Bank.open(str(proven.scratch.root), clock=proven.clock).status().learned == (f"learned/{name}",)


def test_the_drafted_summary_does_not_repeat_them(proven):
    refreshed = Bank.open(str(proven.scratch.root), clock=proven.clock).memory.refresh(dry_run=True)
    assert "bun run build" not in str(refreshed)


def test_purge_takes_a_note_that_nobody_edited_away_and_names_one_that_somebody_did(project):
    project.work("s1", says="Never deploy to heron-cluster-7 on Fridays.", fails=False)
    project.work("s2", says="Always call the heron-cluster-7 nodes by their alias.", fails=False)
    first, second = (project.folder / name for name in project.notes())
    second.write_text(second.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    bank = Bank.open(str(project.scratch.root), clock=project.clock)
    planned = bank.purge("heron-cluster-7", dry_run=True)
    assert [place.path for place in planned.remaining] == [f"active/learned/{second.name}"]
    report = bank.purge("heron-cluster-7")
    assert not first.exists() and second.exists() and [place.path for place in report.remaining] == [f"active/learned/{second.name}"]


@pytest.mark.parametrize(
    ("says", "name"),
    [
        ("Never commit directly to main.", "rule-never-commit-directly-to-main-"),
        ("Always write commit messages in English, because the auditors read them.", "rule-always-write-commit-messages-in-english-"),
        ("コミットメッセージは日本語で書いてください。", "rule-コミットメッセージは-"),
        ("必ず`make check`を実行してからコミットしてください。", "rule-必ず-make-check-"),
    ],
)
def test_the_name_of_a_note_is_made_of_the_words_that_were_said(project, says, name):
    (found,) = project.work("s1", says=says, fails=False).notes()
    assert re.fullmatch(re.escape(name) + r"[0-9a-f]{8}\.md", found), found


def test_a_note_that_exists_keeps_its_name(proven, bank, fixed_clock):
    """Named by an earlier version or another clone: the digits of the merge id say which note it is."""
    old = proven.problem()
    digits = old.stem.rpartition("-")[2]
    named = old.with_name(f"problem-bun-rtk-run-{digits}.md")
    proven.scratch.git("add", "-A")
    proven.scratch.git("mv", str(old), str(named))
    proven.commit()
    learned.path(proven.layout)
    subprocess.run(["rm", learned.path(proven.layout)], check=True)
    for number in range(3, 6):
        proven.work(f"s{number}")
    assert proven.notes() == [named.name] and b"Failed in 5+ sessions" in named.read_bytes()


def test_a_removal_under_an_earlier_name_is_a_rejection(proven):
    old = proven.problem()
    memory = memory_of(f"learned/{old.name}")
    named = old.with_name(f"problem-bun-rtk-run-{old.stem.rpartition('-')[2]}.md")
    old.rename(named)
    proven.commit()
    proven.scratch.git("rm", "-q", str(named))
    proven.commit("no")
    subprocess.run(["rm", learned.path(proven.layout)], check=True)
    proven.again()
    assert proven.notes() == [] and memory in proven.rejections()


def test_two_clones_that_name_a_note_differently_keep_one(proven):
    path = proven.problem()
    other = path.with_name(f"problem-bun-{path.stem.rpartition('-')[2]}.md")
    other.write_bytes(path.read_bytes())
    proven.commit()
    assert proven.again().notes() == [other.name]
    path.write_text(other.read_text(encoding="utf-8") + "\nMine.\n", encoding="utf-8")
    assert proven.again().notes() == [other.name, path.name], "what a person edited stays"


@pytest.mark.parametrize(
    "says",
    [
        "You should never have deleted that file. Restore it.",
        "You never should have pushed to main. Revert the push.",
        "You should have run the tests before committing.",
        "I always use tabs.",
        "I usually work in vim.",
        "スキーマを勝手に変更すべきではなかったのに。元に戻してください。",
        "先に必ずテストを実行するべきだった。",
        "私は普段vimを使っています。",
        "私はコミットメッセージを必ず英語で書く。",
    ],
)
def test_a_reprimand_and_a_persons_own_habit_are_no_rules(project, says):
    assert project.work("s1", says=says, fails=False).notes() == []
    assert Bank.open(str(project.scratch.root), clock=project.clock).knowledge.list("rule") == []


@pytest.mark.parametrize(
    "says",
    [
        "You should have asked, never push to main without asking.",
        "I prefer tabs.",
        "I prefer small commits.",
        "Never delete generated files.",
        "コミットメッセージは必ず英語で書いてください。",
        "報告に見出しはいらないです。次からそれで",
        "We don't need headings in the release notes from now on, always leave them out.",
    ],
)
def test_what_orders_something_for_later_is_a_rule(project, says):
    assert len(project.work("s1", says=says, fails=False).notes()) == 1


@pytest.mark.parametrize(
    ("rule", "end"),
    [
        ("Always update the changelog.", "We no longer need to update the changelog."),
        ("Always update the changelog.", "You don't need to update the changelog any more."),
        ("Never commit directly to main, because CI does not run there.", "It's fine to commit directly to main again."),
        ("変更履歴は必ず更新してください。", "変更履歴の更新はもう不要です。"),
        ("変更履歴は必ず更新してください。", "変更履歴はもう更新しなくていいです。"),
        ("Never push to main, always open a pull request.", "You can push to main directly from now on."),
        ("Never push to main, always open a pull request.", "Forget the rule about pushing to main."),
        ("日本語のエラーメッセージは必ず app/messages.py にだけ書いてください。ルーターに直接書かないこと。", "もうルーターに直接書いていいです。"),
        ("コミットの前に必ず make lint-ja を実行してください。", "make lint-ja はもう不要です。"),
    ],
)
def test_the_end_of_a_duty_withdraws_its_note_and_becomes_none(project, rule, end):
    assert len(project.work("s1", says=rule, fails=False).notes()) == 1
    assert project.work("s2", says=end, fails=False).notes() == []


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("Always update the changelog.", "You don't need to update the changelog this time."),
        ("Never push to the release branch.", "You can push to main from now on."),
        ("Never force push to main.", "You can push again from now on."),
        ("mainに直接コミットしないでください。", "今後は設定ファイルもコミットしていいです。"),
        ("変更履歴は必ず更新してください。", "今回は変更履歴を更新しなくていいです。"),
        ("Never delete customer records.", "You can delete test records from now on."),
        ("Never commit directly to main.", "You can commit directly to develop from now on."),
        ("Never push to main, and never delete customer records.", "You can push to main from now on."),
        ("顧客のデータは絶対に削除しないでください。", "今後はテストのデータは削除してもいいです。"),
        ("本番のログは絶対にダウンロードしないでください。", "ステージングのログは今後ダウンロードしてもいいです。"),
        ("Never delete customer records.", "Never delete test records."),
        ("The billing service must always be restarted with make billing.", "The search service must always be restarted with make search."),
        ("本番のDBには直接接続しないでください。", "検証のDBには直接書き込まないでください。"),
    ],
)
def test_another_subject_or_one_case_withdraws_nothing(project, rule, said):
    (name,) = project.work("s1", says=rule, fails=False).notes()
    assert name in project.work("s2", says=said, fails=False).notes()


@pytest.mark.parametrize(
    "says", ["You can push to main directly from now on.", "You don't need to ask before you add a test any more.", "今後はmainに直接プッシュしてもいいです。"]
)
def test_a_permission_is_not_listed_as_a_rule(project, says):
    knowledge = Bank.open(str(project.work("s1", says=says, fails=False).scratch.root), clock=project.clock).knowledge
    assert knowledge.list("rule") == [] and [item.text for item in knowledge.list("rule", every=True)] != []


@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Every commit message must be written in Japanese.", "Commit messages no longer need to be written in Japanese."),
        ("Never push to the release branch.", "From now on you may push to the release branch."),
        ("コミットメッセージは必ず日本語で書いてください。", "コミットメッセージはもう日本語でなくていいです。"),
        ("本番のログは絶対にダウンロードしないでください。", "今後は本番のログをダウンロードしてもいいです。"),
    ],
)
def test_a_permission_is_listed_as_one_and_has_an_id_of_its_own(project, rule, permission):
    project.work("s1", says=rule, fails=False)
    bank = Bank.open(str(project.work("s2", says=permission, fails=False).scratch.root), clock=project.clock)
    listed = {item.text.strip('"'): item for item in bank.knowledge.list("rule", every=True)}
    assert {text: item.status for text, item in listed.items()} == {permission: "permission", rule: "superseded"}
    assert listed[permission].id != listed[rule].id
    bank.knowledge.reject(listed[permission].id)
    assert {item.text.strip('"'): item.status for item in bank.knowledge.list("rule", every=True)} == {permission: "rejected", rule: "superseded"}


@pytest.mark.parametrize(
    ("rule", "permission"),
    [
        ("Never commit directly to main.", "You can commit directly to main from now on."),
        ("mainに直接コミットしないでください。", "もうmainに直接コミットしていいです。"),
    ],
)
def test_a_rule_that_was_taken_back_can_be_stated_again_although_the_removal_was_committed(project, rule, permission):
    (name,) = project.work("s1", says=rule, fails=False).notes()
    project.commit()
    assert project.work("s2", says=permission, fails=False).notes() == []
    project.commit()
    assert project.again().notes() == [] and not project.rejections()
    assert project.work("s3", says=rule, fails=False).notes() == [name] and not project.rejections()


@pytest.mark.parametrize("said", ["`make check` is failing", "`make check` が失敗しています"])
def test_a_check_that_fails_for_a_person_becomes_no_note(bank, fixed_clock, said):
    project = Project(bank({}), fixed_clock)
    for number in range(4):
        project.work(f"s{number}", says=said, fails=False)
    assert not project.notes()

"""States stay right while notes and the repository change: each step looks up only what it can have changed, and gives what looking everything up gives."""

import os
import random

import pytest

from memorybank import git
from memorybank.clock import FixedClock
from memorybank.config.settings import load
from memorybank.errors import LockTimeout
from memorybank.index import claim_states, meta
from memorybank.index.fold import fold
from memorybank.index.working import open_index
from tests.claims.conftest import DAY, FIRST, NOW

STATES = "SELECT n.key, c.subject, c.state, c.target, c.commit_id, c.at FROM claims c JOIN notes n ON n.id = c.note ORDER BY 1, 2"


def states(repository, **options):
    """Fold and look up as a command does; return the rows."""
    layout = repository.bank().layout
    with open_index(layout, load(layout), FixedClock(NOW)) as index:
        fold(index)
        assert claim_states.refresh(index, **options) is None
        return index.connection.execute(STATES).fetchall()


def state(repository, subject: str = "src/a.py") -> tuple[str, str]:
    """Return (state, target) of a claim as a person is shown it."""
    return next((each.found.state, each.found.target) for each in repository.bank().claims.list() if each.claim.subject == subject)


@pytest.fixture
def repository(planted):
    made = planted()
    made.commit(0, add=["src/a.py", "src/b.py", "lib/c.py"])
    made.note("a.md", "The limit is in `src/a.py`, the rest in `src/b.py` and `lib/`.", 1)
    return made


def test_a_commit_changes_only_what_it_touches(repository):
    assert state(repository) == ("holds", "")
    repository.commit(5, rename={"src/a.py": "src/x.py"})
    assert state(repository) == ("moved", "src/x.py")
    repository.commit(6, rename={"src/x.py": "src/y.py"})
    assert state(repository) == ("moved", "src/y.py")
    repository.commit(7, delete=["src/y.py"])
    assert state(repository) == ("gone", "")
    repository.commit(8, add=["src/a.py"])
    assert state(repository) == ("holds", "")
    repository.commit(9, delete=["lib/c.py"])
    assert state(repository, "lib") == ("gone", "")


def test_an_edited_note_is_looked_up_again(repository):
    repository.commit(5, delete=["src/a.py"])
    assert state(repository) == ("gone", "")
    repository.note("a.md", "The limit is in `src/b.py`.", 2)
    assert state(repository, "src/b.py") == ("holds", "")
    repository.note("b.md", "The limit is in `src/a.py`.", 3)
    assert state(repository) == ("gone", "")


def test_a_file_that_is_back_on_the_disk_holds_before_any_commit(repository):
    repository.commit(5, delete=["src/a.py"])
    assert state(repository) == ("gone", "")
    repository.write("src/a.py")
    assert state(repository) == ("holds", "")


def test_a_change_that_is_not_committed_is_unknown_at_most(repository):
    (repository.root / "src/a.py").unlink()
    assert state(repository)[0] == "holds"
    repository.git("rm", "-q", "--cached", "src/a.py")
    repository.note("b.md", "The limit is in `src/a.py`.", 2)
    assert {row[2] for row in states(repository) if row[0] == "b.md"} == {"unknown"}


def test_another_history_is_read_from_its_beginning(repository):
    kept = repository.git("rev-parse", "HEAD").strip()
    repository.commit(5, delete=["src/a.py"])
    assert state(repository) == ("gone", "")
    repository.git("reset", "-q", "--hard", kept)
    assert state(repository) == ("holds", "")
    repository.commit(6, rename={"src/a.py": "src/z.py"})
    assert state(repository) == ("moved", "src/z.py")


def test_a_note_that_a_link_means_is_found_again(repository):
    repository.write(".claude/memory/active/planning/retry.md", "# Retry\n")
    repository.commit(2, add={".claude/memory/active/planning/retry.md": "# Retry\n"})
    repository.note("b.md", "See [[planning/retry]].", 3)
    assert state(repository, "planning/retry") == ("holds", "")
    repository.commit(5, delete=[".claude/memory/active/planning/retry.md"])
    assert state(repository, "planning/retry") == ("gone", "")
    repository.note("planning/retry.md", "# Retry\n", 6)
    assert state(repository, "planning/retry") == ("holds", "")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_steps_give_what_looking_everything_up_gives(planted, seed):
    dice = random.Random(seed)
    repository = planted()
    folders = ["src", "lib", "src/deep", "docs"]
    names = [f"{dice.choice(folders)}/{name}.py" for name in "abcdefghij"]
    alive = set(names)
    repository.commit(0, add=sorted(alive))
    for day in range(1, 15):
        mentioned = dice.sample(names, 3)
        repository.note(f"{dice.randrange(6)}.md", f"See `{mentioned[0]}`, {mentioned[1].rpartition('/')[2]} and {mentioned[2].rpartition('/')[0]}/.", day)
        for step in range(dice.randrange(1, 4)):
            kind, path = dice.random(), dice.choice(sorted(alive))
            new = f"{dice.choice(folders)}/{dice.choice('abcdefghijklm')}.py"
            if kind < 0.5 and new not in alive:
                repository.commit(day + step / 10, rename={path: new})
                alive = alive - {path} | {new}
                names.append(new)
            elif kind < 0.8 and len(alive) > 2:
                repository.commit(day + step / 10, delete=[path])
                alive -= {path}
            elif new not in alive:
                repository.commit(day + step / 10, add=[new])
                alive |= {new}
        stepped = states(repository)
        assert stepped == states(repository, anew=True)


def test_a_view_changes_a_score_and_asks_git_nothing(repository, monkeypatch):
    layout, clock = repository.bank().layout, FixedClock(NOW)
    states(repository)
    repository.bank().notes.viewed("a.md")
    with open_index(layout, load(layout), clock) as index:
        before = meta.integer(index.connection, "revision")
        assert fold(index).rescored == 1 and meta.integer(index.connection, "revision") != before
        monkeypatch.setattr(git, "run", lambda *arguments, **options: pytest.fail("git was asked"))
        assert claim_states.refresh(index) is None


def test_a_note_that_comes_or_goes_changes_the_claims_about_it(repository):
    repository.note("b.md", "See [[other]].", 1)
    assert state(repository, "other") == ("unknown", "")
    repository.note("other.md", "Other.", 1)
    assert state(repository, "other") == ("holds", "")
    (repository.active / "other.md").unlink()
    assert state(repository, "other")[0] != "holds"


def test_the_claims_of_a_changed_note_are_looked_up_without_a_look_at_all_others(repository):
    """Claims of every kind are looked up, among them those that the clock, a commit or another note can change."""
    repository.note("b.md", "Since `npm test` and React 17.0.2, see [[a]] and the branch `fast`, commit `0a1b2c3d4e`. Valid until 2030-01-01.", 1)
    states(repository)
    repository.note("a.md", "The limit is in `src/b.py`.", 2)
    layout, statements = repository.bank().layout, []
    with open_index(layout, load(layout), FixedClock(NOW)) as index:
        assert fold(index).changed == 1
        index.connection.set_trace_callback(statements.append)
        assert claim_states.refresh(index) is None
        index.connection.set_trace_callback(None)
        asked = [each for each in statements if each.startswith(("SELECT", "UPDATE", "DELETE")) and "claims" in each and "earlier_states" not in each]
        assert len(asked) > 6, "the look-up was not heard"
        scanned = {each for each in asked for row in index.connection.execute(f"EXPLAIN QUERY PLAN {each}") if row[3] in ("SCAN claims", "SCAN c")}
    assert scanned == set()


def test_slow_git_is_not_asked_again_at_the_same_commit(repository, monkeypatch):
    calls = []

    def slow(repository, *arguments, seconds=None, data=b""):
        calls.append((arguments, seconds))
        raise LockTimeout("slow")

    layout = repository.bank().layout
    with open_index(layout, load(layout), FixedClock(NOW)) as index:
        fold(index)
        with monkeypatch.context() as patch:
            patch.setattr(git, "run", slow)
            assert claim_states.refresh(index).code == "stale.claims_slow"
            count = len(calls)
            assert claim_states.refresh(index).code == "stale.claims_slow"
            assert len(calls) == count
            assert claim_states.refresh(index, claim_states.PATIENT_SECONDS).code == "stale.claims_slow"
            assert len(calls) > count
        assert claim_states.refresh(index, claim_states.PATIENT_SECONDS) is None
        assert claim_states.refresh(index) is None


def test_a_bank_that_is_only_read_is_answered_from_memory(repository):
    repository.commit(5, delete=["src/a.py"])
    before = sorted(path for path in repository.active.parent.rglob("*"))
    found = {each.claim.subject: each.found.state for each in repository.bank(read_only=True).claims.list()}
    assert found["src/a.py"] == "gone"
    assert sorted(path for path in repository.active.parent.rglob("*")) == before


def test_what_left_before_the_note_was_written_says_nothing(repository):
    repository.commit(5, delete=["src/a.py"])
    repository.note("later.md", "The other project has `src/a.py`.", 6)
    found = {(each.key, each.claim.subject): each.found for each in repository.bank().claims.list()}
    assert found["a.md", "src/a.py"].state == "gone" and found["a.md", "src/a.py"].at == (FIRST + 5 * DAY) // 1000 * 1000
    assert found["later.md", "src/a.py"].state == "unknown"


def test_a_file_name_that_is_not_utf8_stops_nothing(repository):
    name = os.fsdecode(b"src/caf\xe9.py")
    repository.commit(3, add={name: "coffee"})
    repository.commit(5, delete=[name, "src/a.py"])
    assert state(repository) == ("gone", "")


def test_git_lists_branches_only_when_one_is_to_be_looked_up(repository, monkeypatch):
    """A new claim about a branch is looked up without a new commit, and every branch after a commit, which can have merged any."""
    asked, real = [], git.run

    def run(where, *arguments, **options):
        asked.append(arguments[0])
        return real(where, *arguments, **options)

    assert state(repository) == ("holds", "")
    monkeypatch.setattr(git, "run", run)
    repository.git("branch", "newlimits")
    repository.note("a.md", "The limit is in `src/a.py` alone.", 2)
    assert state(repository) == ("holds", "") and "ls-files" in asked and "for-each-ref" not in asked
    repository.note("a.md", "The limit of `src/a.py` changes on the branch `newlimits`.", 3)
    assert state(repository, "newlimits") == ("holds", "") and asked.count("for-each-ref") == 1
    repository.note("b.md", "Nothing but `src/b.py`.", 3)
    assert state(repository, "src/b.py") == ("holds", "") and asked.count("for-each-ref") == 1
    repository.git("branch", "-D", "newlimits")
    repository.merge(5, "newlimits")
    assert state(repository, "newlimits")[0] == "gone" and asked.count("for-each-ref") == 2

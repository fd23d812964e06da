"""What an agent is shown: the mark right behind the statement, and derived memories about deleted files only when asked for."""

from types import SimpleNamespace

import pytest

from memorybank.claims.marking import with_marks
from memorybank.config.settings import load
from memorybank.cycle.event import TURN_END, Event
from memorybank.cycle.fold import cache
from memorybank.cycle.router import HookRouter
from memorybank.index import claim_states
from memorybank.index.working import open_index
from tests.cycle.recalling import Remembering, before, prompt
from tests.cycle.test_comes_up_again import ASKED_AND_FOUND

MARKED = "(src/upload.py was renamed to src/transfer.py in {commit})"


class Told(Remembering):
    """A planted repository as a bank with memories. `look_up` does what a command does."""

    def __init__(self, repository, clock):
        repository.layout = repository.bank().layout
        super().__init__(SimpleNamespace(layout=repository.layout), clock)
        self.repository = repository

    def look_up(self):
        self.index()
        with open_index(self.base.layout, load(self.base.layout), self.clock) as index:
            assert claim_states.refresh(index) is None
        return self

    def text(self, said, **options):
        found = self.ask(prompt(said, **options))
        return "" if found is None else found.text


@pytest.fixture
def told(planted, fixed_clock):
    repository = planted()
    repository.commit(0, add=["src/upload.py", "src/parser.py", "jobs/stock_sync.py", "docs/preview.md"])
    return Told(repository, fixed_clock)


@pytest.mark.parametrize(
    ("text", "asked", "shown"),
    [
        (
            "# Upload retries\n\nUploads are retried three times with jitter in `src/upload.py`. The gateway waits 30 s.\n",
            "how many retries with jitter do uploads make?",
            "in `src/upload.py`. (src/upload.py was renamed to src/transfer.py in {commit}) The gateway",
        ),
        (
            "# 再送の上限\n\nアップロードの再送は `src/upload.py` で三回まで。ゲートウェイは30秒待つ。\n",
            "再送の上限はアップロードで何回？",
            "三回まで。(src/upload.py は {commit} で src/transfer.py に改名されました)ゲートウェイ",
        ),
    ],
)
def test_the_mark_follows_the_statement(told, text, asked, shown):
    told.repository.note("planning/retry.md", text, 5)
    told.look_up()
    assert "renamed" not in told.text(asked)
    commit = told.repository.commit(10, rename={"src/upload.py": "src/transfer.py"})
    told.look_up()
    assert shown.format(commit=commit[:7]) in told.text(asked, session="later")


def test_a_removed_function_is_marked(told):
    told.repository.commit(1, add={"src/plan.py": "def parse_plan(text):\n    return text\n", "src/queue.py": "MAIL_LIMIT = 3\n"})
    told.repository.note("planning/plan.md", "# Plans\n\nPlans with jitter are read by `parse_plan()`. 上限は `MAIL_LIMIT` で決める。続き。\n", 5)
    commit = told.repository.commit(10, write={"src/plan.py": "X = 1\n", "src/queue.py": "X = 1\n"})
    shown = told.look_up().text("how are plans with jitter read?")
    assert f"read by `parse_plan()`. (parse_plan was removed in {commit[:7]}) 上限は" in shown
    assert f"`MAIL_LIMIT` で決める。(MAIL_LIMIT was removed in {commit[:7]})続き。" in shown


@pytest.mark.parametrize(
    ("text", "asked", "shown"),
    [
        (
            "# Deploys\n\nNo deploys to production until 2025-09-12. The audit team decides.\n",
            "may I do deploys to production, what does the audit team say?",
            "until 2025-09-12. (said to hold until 2025-09-12) The audit",
        ),
        (
            "# 本番デプロイ\n\n本番デプロイは9月12日まで禁止。監査チームが決める。\n",
            "本番デプロイは禁止？監査チームは？",
            "まで禁止。(2025-09-12 までとある)監査",
        ),
    ],
)
def test_a_date_that_passed_is_marked(told, text, asked, shown):
    told.repository.note("planning/deploys.md", f"---\nupdated: 2025-09-10\n---\n{text}", 90)
    told.look_up()
    assert shown in told.text(asked)


def test_a_call_that_touches_the_old_file_brings_the_note_with_its_mark(told):
    told.repository.note("planning/retry.md", "# Upload retries\n\nUploads are retried three times in `src/upload.py`.\n", 5)
    commit = told.repository.commit(10, rename={"src/upload.py": "src/transfer.py"})
    told.look_up()
    found = told.ask(before("Read", {"file_path": str(told.repository.root / "src" / "upload.py")}))
    assert MARKED.format(commit=commit[:7]) in found.text


def test_a_file_that_came_back_is_not_marked(told):
    told.repository.note("planning/retry.md", "# Upload retries\n\nUploads are retried three times with jitter in `src/upload.py`.\n", 5)
    told.repository.commit(10, rename={"src/upload.py": "src/transfer.py"})
    told.look_up()
    told.repository.write("src/upload.py")
    assert "src/upload.py" in told.text("how many retries with jitter do uploads make?")
    assert "renamed" not in told.text("how many retries with jitter do uploads make?", session="later")


@pytest.fixture
def found_earlier(told):
    """Two sessions found something fifty days ago, each about one file."""
    for number, (asked, found, *_) in enumerate(ASKED_AND_FOUND[:2]):
        session = told.session(f"earlier-{number}", days_ago=50)
        session.prompt(asked)
        session.turn_end(found)
        session.end()
    return told.fold()


AGAIN = ASKED_AND_FOUND[0][2]


def test_a_finding_about_a_deleted_file_is_not_shown_unless_the_prompt_names_it(found_earlier):
    found_earlier.look_up()
    assert "pool_recycle" in found_earlier.text(AGAIN)
    commit = found_earlier.repository.commit(80, delete=["jobs/stock_sync.py"])
    found_earlier.look_up()
    composed = found_earlier.preview(prompt(AGAIN, session="later"))
    assert "pool_recycle" not in (composed.injection.text if composed.injection else "")
    assert f"it is about jobs/stock_sync.py, which was deleted in {commit[:7]}" in [str(one.why) for one in composed.left_out]
    named = found_earlier.text(f"{AGAIN} It was jobs/stock_sync.py.", session="named")
    assert "pool_recycle" in named and f"(jobs/stock_sync.py was deleted in {commit[:7]})" in named


def test_a_finding_about_a_renamed_file_is_shown_with_its_mark(found_earlier):
    commit = found_earlier.repository.commit(80, rename={"jobs/stock_sync.py": "jobs/stock/sync.py"})
    found_earlier.look_up()
    assert f"(jobs/stock_sync.py was renamed to jobs/stock/sync.py in {commit[:7]})" in found_earlier.text(AGAIN)


def test_a_finding_from_after_the_deletion_is_shown(found_earlier):
    """What it names left before, so it means something else."""
    found_earlier.repository.commit(10, delete=["jobs/stock_sync.py"])
    found_earlier.look_up()
    assert "pool_recycle" in found_earlier.text(AGAIN)


def test_the_end_of_a_turn_looks_up_after_a_commit(told):
    told.repository.note("planning/retry.md", "# Upload retries\n\nUploads are retried three times with jitter in `src/upload.py`.\n", 5)
    told.look_up()
    commit = told.repository.commit(10, rename={"src/upload.py": "src/transfer.py"})
    assert "renamed" not in told.text("how many retries with jitter do uploads make?")
    router = HookRouter(told.base, frozenset())
    router.finish(Event(host="claude-code", name=TURN_END, session_id="now", last_message="Done."))
    cache.close()
    assert MARKED.format(commit=commit[:7]) in told.text("how many retries with jitter do uploads make?", session="later")


def test_a_bank_that_was_never_looked_up_says_nothing(told):
    told.repository.note("planning/retry.md", "# Upload retries\n\nUploads are retried three times with jitter in `src/upload.py`.\n", 5)
    told.repository.commit(10, rename={"src/upload.py": "src/transfer.py"})
    told.index()
    assert "src/upload.py" in told.text("how many retries with jitter do uploads make?")
    assert "renamed" not in told.text("how many retries with jitter do uploads make?", session="later")


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("It is in `a/b.py`. More.", "It is in `a/b.py`. (gone) More."),
        ("It is in `a/b.py`", "It is in `a/b.py` (gone)"),
        ("それは`a/b.py`にある。続き。", "それは`a/b.py`にある。(gone)続き。"),
        ("- `a/b.py`: one\n- two", "- `a/b.py`: one (gone)\n- two"),
        ("| `a/b.py` | 3 |", "| `a/b.py` (gone) | 3 |"),
        ("It is in x/a/b.py and a/b.pyi and a/b.py.bak.", "It is in x/a/b.py and a/b.pyi and a/b.py.bak."),
        ("Version 1.2 of a/b.py needs 3.4 s, e.g. here. Next.", "Version 1.2 of a/b.py needs 3.4 s, e.g. here. (gone) Next."),
        ("nothing", "nothing"),
    ],
)
def test_marks_in_texts(text, marked):
    assert with_marks(text, [("a/b.py", "gone")]) == marked


def test_two_marks_of_one_statement_are_one_bracket():
    assert with_marks("From a.py to b.py. Next.", [("a.py", "A"), ("b.py", "B")]) == "From a.py to b.py. (A; B) Next."

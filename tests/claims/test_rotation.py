"""A rotation names outdated claims as a reason, and they alone rotate nothing."""

import pytest

from memorybank.reasons.japanese import JAPANESE
from memorybank.reasons.reason import text_of
from memorybank.ui.pages import said

POOR = "# Upload\n\nThe upload is in `src/upload.py`.\n\nSee `src/queue.py`, `src/mail.py` and `src/main.py` too.\n"


@pytest.fixture
def repository(planted):
    made = planted()
    made.commit(0, add=["src/upload.py", "src/queue.py", "src/mail.py", "src/main.py"])
    for name in ("upload", "queue", "mail"):
        made.git("rm", "-q", f"src/{name}.py")
    made.note("old.md", POOR, 1)
    made.commit(5, delete=[])
    return made


def decisions(repository, **options):
    plan = repository.bank(read_only=True).rotation.plan(ignore_grace=True, **options)
    return {decision.key: decision for decision in plan.decisions}


def test_the_reason_names_what_was_deleted(repository):
    found = decisions(repository)["old.md"]
    assert (found.action, found.rule) == ("archive", "medium")
    assert str(found.reason).endswith("; deleted: 3 of 4 files that it names")
    assert text_of(found.reason, JAPANESE).endswith("。名指しするファイル 4 件のうち 3 件が削除された")
    assert said("ja", found.reason) == text_of(found.reason, JAPANESE)


def test_a_mixture_is_called_outdated(repository):
    repository.note("mixed.md", POOR, 1)
    repository.commit(7, rename={"src/main.py": "src/begin.py"})
    assert str(decisions(repository)["mixed.md"].reason).endswith("; outdated: 4 of 4 things that it names")


def test_outdated_claims_alone_rotate_nothing(repository):
    """A recent note, a pinned one and a rated one stay, and in the grace every note stays."""
    repository.note("recent.md", POOR, 97)
    repository.note("pinned.md", "---\nbookmarked: true\n---\n" + POOR, 1)
    repository.note("rated.md", "---\nrating: 8\n---\n" + POOR, 1)
    repository.note("half.md", POOR, 85)
    found = decisions(repository)
    assert {key: found[key].action for key in ("recent.md", "pinned.md", "rated.md", "half.md")} == {
        "recent.md": "preserve",
        "pinned.md": "preserve",
        "rated.md": "preserve",
        "half.md": "keep",
    }


def test_a_note_without_outdated_claims_has_the_plain_reason(repository):
    repository.note("true.md", "# Start\n\nThe start is in `src/main.py`.\n", 1)
    assert ";" not in str(decisions(repository)["true.md"].reason)


def test_a_plan_for_an_earlier_day_names_what_was_outdated_then(repository):
    repository.note("later.md", "# Start\n\nThe start is in `src/main.py`.\n", 1)
    repository.commit(80, delete=["src/main.py"])
    assert "deleted" in str(decisions(repository)["later.md"].reason)
    assert "deleted" not in str(decisions(repository, as_of="2025-08-01")["later.md"].reason)

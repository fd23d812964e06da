"""A drafted summary that nobody edited tells an agent only what its sources still say; `status` and `doctor` name what a start leaves out."""

import json
import subprocess
import sys

import pytest

from memorybank.episodes import fitting
from tests.hook.test_taken_back import session

NOTES = {
    "port": "# Staging\n\nThe staging API runs on port 8080.\n",
    "refunds": "# Refunds\n\nRefunds above 100 euros need an approval of the shop manager.\n",
    "printer": "# Drucker\n\nラベルプリンターにはドライバー7が必要。\n",
    "kept": "# Backups\n\nBackups run at three in the morning.\n",
}
EPISODE = {
    "date": "2025-09-16",
    "summary": "Wanted: Never push to the release branch. Result: it is noted.",
    "created_at": "2025-09-17T00:00:00Z",
    "kind": "day",
}


@pytest.fixture
def host(host_with_a_plan):
    return host_with_a_plan


@pytest.fixture
def drafted(host):
    for name, text in NOTES.items():
        host.bank.write(f"planning/{name}.md", text)
    host.bank.episodes(EPISODE)
    session(host, 1, "Never push to the release branch. Please add a readme.")
    host.command("summary", "refresh")
    return host


def started(host, number=90):
    host.session = f"{number:08d}-1111-4222-8333-444455556666"
    return host.said("SessionStart", source="startup").partition("## Resident")[2].partition(f"\n{fitting.HEADING}")[0].partition("\n## Known here")[0]


def withdrawn(host):
    return json.loads(host.command("summary", "show", "--format", "json"))["withdrawn"]


def test_a_page_whose_sources_are_as_they_were_is_shown_whole(drafted):
    told = started(drafted)
    assert all(said in told for said in ("port 8080", "above 100 euros", "ドライバー7", "Backups run", "Never push to the release"))
    assert withdrawn(drafted) == [] and json.loads(drafted.command("status", "--format", "json"))["summary_withdrawn"] == 0


def test_a_note_that_was_changed_or_removed_is_not_quoted_any_longer(drafted):
    planning = drafted.bank.active / "planning"
    (planning / "port.md").write_text(NOTES["port"].replace("8080", "7070"), encoding="utf-8")
    (planning / "printer.md").unlink()
    drafted.command("forget", "planning/refunds.md", "--yes")
    told = started(drafted)
    assert "Backups run at three" in told and not any(said in told for said in ("8080", "100 euros", "ドライバー7"))
    assert len(withdrawn(drafted)) == 3
    assert "3 lines of the drafted page are left out" in drafted.command("status") and "summary refresh" in drafted.command("status")
    assert "3 lines of the drafted page" in doctor(drafted)
    drafted.command("summary", "refresh")
    assert withdrawn(drafted) == [] and "7070" in started(drafted, 91)


def doctor(host):
    """What `doctor` prints; in a scratch repository it finds other things too, so its exit code says nothing here."""
    return subprocess.run([sys.executable, "-m", "memorybank", "doctor"], cwd=host.project, capture_output=True, encoding="utf-8", check=False).stdout


def test_a_rating_leaves_the_line_of_a_note(drafted):
    drafted.command("rate", "planning/port.md", "9")
    assert "port 8080" in started(drafted)


def test_a_rule_that_a_person_takes_back_is_not_quoted_any_longer(drafted):
    session(drafted, 2, "From now on you may push to the release branch.")
    told = started(drafted)
    assert "Never push" not in told and "port 8080" in told and "## Recent days" not in told


def test_a_later_note_replaces_the_line_of_an_earlier_one(drafted):
    drafted.bank.write("planning/later.md", "# Staging\n\nThe staging API runs on port 9090 since the move.\n", days_old=1)
    drafted.command("index")
    assert "runs on port 8080." not in started(drafted)


def test_a_page_that_a_person_edited_is_shown_as_it_is(drafted):
    page = drafted.bank.root / "summary.md"
    page.write_text(page.read_text(encoding="utf-8") + "\nOurs.\n", encoding="utf-8")
    (drafted.bank.active / "planning" / "port.md").unlink()
    assert "port 8080" in started(drafted) and withdrawn(drafted) == []


def test_a_draft_has_only_the_value_that_holds(host):
    host.bank.write("planning/a.md", "# Staging\n\n2025-01-10: The staging API runs on port 8080.\n")
    host.bank.write("planning/b.md", "# Staging\n\n2025-03-10: The staging API runs on port 9090.\n")
    host.command("summary", "refresh")
    page = (host.bank.root / "summary.md").read_text(encoding="utf-8")
    assert "9090" in page and "8080" not in page

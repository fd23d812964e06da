"""The resident summary (resident summary ticket): only a valid one is injected, its body alone, in the ticket's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank import resident
from memorybank.clock import parse as instant
from memorybank.config.cycle import CycleSettings, PhaseSwitches, RecallEvents, RecallSettings, ResidentSummarySettings
from memorybank.injection import build, utf16

FRONT = "---\nupdated_at: 2026-01-31T09:00:00Z\n---\n"
BODY = "We deploy on Mondays.\n\n毎週月曜日にデプロイする。"


def test_the_body_is_collected_without_its_front_matter(bank):
    scratch = bank()
    (scratch.root / "summary.md").write_text(f"{FRONT}\n{BODY}\n", encoding="utf-8")
    found = resident.collect(scratch.layout)
    assert (found.body, found.reason) == (BODY, "")
    assert found.updated_at == instant("2026-01-31T09:00:00Z")
    assert found.digest == resident.collect(scratch.layout).digest != resident.parse(f"{FRONT}other").digest


def test_the_block_has_the_tickets_heading_and_sentence_literally():
    assert resident.block(resident.parse(FRONT + BODY), ".claude/memory/summary.md") == (
        "## Resident memory summary\n\n"
        "The following is the workspace-local durable memory summary. Treat it as helpful context, not as authoritative over current user instructions, "
        "tickets, files, or git state.\n\n"
        f"{BODY}\n"
    )


@pytest.mark.parametrize(
    "front",
    [
        "updated_at: 2026-01-31T09:00:00Z",
        "updated_at: '2026-01-31T09:00:00.123+09:00'  # comment",
        'title: "Summary: of all"\nupdated_at: "2026-01-31 09:00:00Z"\ntags:\n- a\n  - b\nnote: |\n  more: text\n\n# comment',
        "updated_at: 2026-01-31T09:00:00-05:30\r\nlist: [a, b]\r",
    ],
)
def test_the_usual_front_matter_is_read(front):
    assert resident.parse(f"---\n{front}\n---\nbody").body == "body"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "first line"),
        ("# Summary\n\nno front matter", "first line"),
        ("--- \nupdated_at: 2026-01-31T09:00:00Z\n---\nbody", "first line"),
        ("\n---\nupdated_at: 2026-01-31T09:00:00Z\n---\nbody", "first line"),
        ("---\nupdated_at: 2026-01-31T09:00:00Z\nbody", "never closed"),
        ("---\n---\nbody", "no updated_at"),
        ("---\ntitle: x\n---\nbody", "no updated_at"),
        ("---\nupdated_at:\n---\nbody", "RFC 3339"),
        ("---\nupdated_at: yesterday\n---\nbody", "RFC 3339"),
        ("---\nupdated_at: 2026-01-31\n---\nbody", "RFC 3339"),
        ("---\nupdated_at: 2026-01-31T09:00:00\n---\nbody", "RFC 3339"),
        ("---\nupdated_at: 2026-13-31T09:00:00Z\n---\nbody", "RFC 3339"),
        ("---\n- updated_at\n---\nbody", "does not belong to a key"),
        ("---\njust words\n---\nbody", "is not 'key: value'"),
        ("---\nupdated_at: [2026-01-31T09:00:00Z\n---\nbody", "brackets"),
        ("---\nupdated_at: '2026-01-31T09:00:00Z\n---\nbody", "quotes"),
        ("---\na: b: c\nupdated_at: 2026-01-31T09:00:00Z\n---\nbody", "needs quotes"),
        ("---\nupdated_at: 2026-01-31T09:00:00Z\nupdated_at: 2026-01-31T09:00:00Z\n---\nbody", "twice"),
        ("---\n\tupdated_at: 2026-01-31T09:00:00Z\n---\nbody", "tab"),
        ("---\nupdated_at: 2026-01-31T09:00:00Z\n---\n", "empty"),
        ("---\nupdated_at: 2026-01-31T09:00:00Z\n---\n  \n\u200b\n", "empty"),
    ],
)
def test_what_is_not_valid_is_not_injected_and_says_why(text, reason):
    found = resident.parse(text)
    assert found.body == ""
    assert reason in found.reason
    assert resident.block(found, "") == ""


def test_a_summary_that_cannot_be_read_fails_nothing(bank, tmp_path):
    scratch = bank()
    assert "no summary.md" in resident.collect(scratch.layout).reason
    target = tmp_path / "elsewhere.md"
    target.write_text(FRONT + BODY)
    (scratch.root / "summary.md").symlink_to(target)
    assert "cannot be read" in resident.collect(scratch.layout).reason
    (scratch.root / "summary.md").unlink()
    (scratch.root / "summary.md").write_bytes(FRONT.encode() + b"\xff\xfe")
    assert "UTF-8" in resident.collect(scratch.layout).reason
    (scratch.root / "summary.md").unlink()
    (scratch.root / "summary.md").mkdir()
    assert "cannot be read" in resident.collect(scratch.layout).reason


@given(st.text(alphabet=st.sampled_from("---\n:abupdated_at2026-01T:Z[]{}'\"#|> \t記"), max_size=80))
def test_parsing_never_raises(text):
    for candidate in (text, "---\n" + text, f"---\n{text}\n---\nbody"):
        found = resident.parse(candidate)
        assert bool(found.body) != bool(found.reason)


@given(st.lists(st.text(alphabet="abc 記憶😀", min_size=1, max_size=300), min_size=1, max_size=12))
def test_a_long_summary_is_cut_at_a_paragraph_with_a_note(paragraphs):
    found = resident.parse(FRONT + "\n\n".join(paragraphs))
    if not found.body:
        return
    section = resident.section(found.body, "summary.md", 600)
    injected = build([section], 900)
    assert injected is not None
    assert injected.utf16 <= 900
    whole = resident.block(found, "summary.md").split("\n\n", 2)[2].strip()
    cut = utf16(whole) > 600 - utf16(f"\n{section.heading}\n\n{section.intro}\n\n") - 1
    assert injected.truncated == cut
    assert ("[cut for space; the rest is in summary.md]" in injected.text) == cut


def test_every_switch_is_named_when_it_is_off():
    assert resident.why_off(CycleSettings()) == ""
    for settings, word in (
        (CycleSettings(memory=ResidentSummarySettings(enabled=False)), "memory.enabled"),
        (CycleSettings(memory=ResidentSummarySettings(inject_summary=False)), "memory.inject_summary"),
        (CycleSettings(phases=PhaseSwitches(recall=False)), "phases.recall"),
        (CycleSettings(recall=RecallSettings(enabled=RecallEvents(session_start=False))), "session_start"),
    ):
        assert word in resident.why_off(settings)
    assert 'no "memory" section' in resident.why_off(CycleSettings(memory=ResidentSummarySettings(enabled=False)), has_section=False)


@pytest.mark.parametrize("begins", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(begins, line_end):
    found = resident.parse(begins + (FRONT + BODY).replace("\n", line_end))
    assert (found.reason, found.body) == ("", BODY)


@pytest.mark.parametrize("said", [("Reset on Friday.", "Reset on Monday."), ("金曜日に初期化する。", "月曜日に初期化する。")])
def test_a_summary_with_a_git_conflict_is_shown_to_no_session_and_says_why(said):
    head = "---\nupdated_at: 2026-01-31T09:00:00Z\n---\n# Summary\n\n"
    found = resident.parse(f"{head}<<<<<<< HEAD\n{said[0]}\n=======\n{said[1]}\n>>>>>>> a\n")
    assert found.body == "" and found.reason == "line 6 begins an unresolved git conflict: keep one side, and remove git's markers"
    example = f"{head}```\n<<<<<<< HEAD\n{said[0]}\n=======\n{said[1]}\n>>>>>>> a\n```\n"
    assert resident.parse(example).reason == ""

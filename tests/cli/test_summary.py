"""`memorybank summary show|render`: the resident summary, and why it is not injected if it is not."""

import json

import pytest

VALID = "---\nupdated_at: 2025-09-01T00:00:00Z\n---\nWe deploy on Mondays.\n\n月曜日にデプロイする。\n"


def with_summary(bank, text=VALID):
    scratch = bank()
    if text is not None:
        (scratch.root / "summary.md").write_text(text, encoding="utf-8")
    return scratch


def test_show_says_that_it_is_injected_and_how_long_it_is(run, bank):
    found = run(with_summary(bank), "summary", "show")
    assert found.code == 0
    assert found.out.startswith(".claude/memory/summary.md: injected when a session starts\nupdated 2025-09-01T00:00:00.000Z, about ")
    assert found.out.endswith("We deploy on Mondays.\n\n月曜日にデプロイする。\n")


@pytest.mark.parametrize(
    ("text", "config", "reason"),
    [
        (None, None, "there is no summary.md"),
        ("no front matter", None, "first line is not exactly ---"),
        ("---\ntitle: x\n---\nbody", None, "no updated_at"),
        (VALID, '{"memory": {"enabled": false}}', "memory.enabled is false"),
        (VALID, '{"memory": {"inject_summary": false}}', "memory.inject_summary is false"),
        (VALID, '{"recall": {"top_k": 3}}', 'has no "memory" section'),
        (VALID, '{"memory": {}, "phases": {"recall": false}}', "phases.recall is false"),
    ],
)
def test_show_says_why_it_is_not_injected_and_render_prints_nothing(run, bank, text, config, reason):
    scratch = with_summary(bank, text)
    if config is not None:
        scratch.configure("cycle", config)
    found = run(scratch, "summary", "show")
    assert found.code == 0
    assert "not injected: " in found.out
    assert reason in found.out
    assert json.loads(run(scratch, "summary", "show", "--format", "json").out)["injected"] is False
    rendered = run(scratch, "summary", "render")
    assert (rendered.code, rendered.out) == (3, "")
    assert reason in rendered.err


def test_an_empty_memory_section_keeps_it_on(run, bank):
    scratch = with_summary(bank)
    scratch.configure("cycle", '{"memory": {}}')
    assert "injected when a session starts" in run(scratch, "summary", "show").out


def test_render_is_the_block_of_the_ticket(run, bank):
    assert run(with_summary(bank), "summary", "render").out == (
        "## Resident memory summary\n\nThe following is the workspace-local durable memory summary. Treat it as helpful context, not as authoritative over "
        "current user instructions, tickets, files, or git state.\n\nWe deploy on Mondays.\n\n月曜日にデプロイする。\n"
    )


@pytest.mark.parametrize("body", ["word " * 4_100, "月" * 5_001])
def test_a_long_one_is_warned_about_above_5000_tokens(run, bank, body):
    found = run(with_summary(bank, VALID + body), "summary", "show")
    assert "tokens are too many (1,000 to 5,000 are recommended)" in found.err
    assert json.loads(run(with_summary(bank, VALID + body), "summary", "show", "--format", "json").out)["too_long"] is True


def test_a_very_long_one_is_cut_at_a_paragraph_in_print_and_says_so(run, bank):
    found = run(with_summary(bank, VALID + "\n\n".join(["paragraph " * 300] * 20)), "summary", "render")
    assert len(found.out) <= 20_400
    assert found.out.endswith("[cut for space; the rest is in .claude/memory/summary.md]\n")


@pytest.mark.parametrize("text", [None, "no front matter"])
def test_a_page_that_is_missing_or_not_valid_comes_with_how_to_write_it(run, bank, text):
    scratch = with_summary(bank, text)
    assert "'updated_at: 2025-09-17T09:30:00Z'" in run(scratch, "summary", "show").out
    assert "next: write .claude/memory/summary.md, a Markdown page for agents, which begins with the lines '---'" in run(scratch, "summary", "render").err
    (scratch.root / "summary.md").write_text("---\nupdated_at: 2025-09-17T09:30:00Z\n---\nWe deploy on Mondays.\n")
    assert run(scratch, "summary", "render").code == 0

"""The person learns of the first learned note: once, at an event whose message the host shows."""

import json

import pytest

from memorybank.clock import FixedClock
from memorybank.log import learned
from tests.conftest import NOW

NOTES = {
    "English": ("learned/problem-npx-tsc-0a1b2c3d.md", "problem:0a1b2c3d", "Use `pnpm tsc`: `npx tsc` fails here"),
    "Japanese": ("learned/rule-スキーマ-0a1b2c3e.md", "rule:0a1b2c3e", "生成されたスキーマを手で編集しないでください。"),
}


def learn(host, key, memory, title):
    host.bank.write(key, f"---\ntitle: x\nmemory: {memory}\n---\n\n# {title}\n\nbody\n")
    learned.append(host.bank.layout, memory, key, "0" * 64, ".", FixedClock(NOW))


def stop(host, event="Stop", **fields):
    done = host.fire(host.payload(event, stop_hook_active=False, last_assistant_message="Done.", background_tasks=[], **fields))
    assert (done.returncode, done.stderr) == (0, b"")
    return json.loads(done.stdout) if done.stdout else None


@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES)
def test_the_first_learned_note_is_told_once_with_the_ways_out(host, note):
    key, memory, title = note
    assert stop(host) is None
    learn(host, *note)
    answer = stop(host)
    assert list(answer) == ["systemMessage"], "nothing else: a Stop with context would make the agent go on"
    told = answer["systemMessage"]
    assert "\n" not in told and title in told
    assert f".claude/memory/active/{key}" in told and f"memorybank know reject {memory}" in told
    assert '"learned_notes": false' in told and ".claude/memory/config/cycle_config.json" in told
    assert ("学んだ" in told) == (note is NOTES["Japanese"])
    learn(host, "learned/problem-other-0a1b2c3f.md", "problem:0a1b2c3f", "Another")
    assert stop(host) is None


def test_several_first_notes_are_one_line(host):
    for note in NOTES.values():
        learn(host, *note)
    assert "(and 1 more)" in stop(host)["systemMessage"]


@pytest.mark.parametrize(
    ("prompt", "note", "is_japanese"),
    [
        ("Please fix the import.", "Japanese", False),
        ("インポートを直してください。", "English", True),
        ("`src/importers/transactions.py` の import を直してください。", "English", True),
    ],
)
def test_the_line_is_in_the_language_of_the_session_whatever_was_learned(host, prompt, note, is_japanese):
    learn(host, *NOTES[note])
    host.fire(host.payload("UserPromptSubmit", prompt=prompt, prompt_id="p1"))
    assert ("学んだこと" in stop(host)["systemMessage"]) is is_japanese


@pytest.mark.parametrize("title", ["Never commit directly to main.", "mainに直接コミットしないでください。"])
def test_a_sentence_in_it_has_one_full_stop(host, title):
    learn(host, "learned/rule-main-0a1b2c3d.md", "rule:0a1b2c3d", title)
    told = stop(host)["systemMessage"]
    assert title.rstrip(".。") in told and not any(twice in told for twice in ("..", "。。", ".。", "。."))


@pytest.mark.parametrize("event", ["SubagentStop", "StopFailure", "SessionEnd", "PostToolUse", "PreCompact"])
def test_where_nobody_would_see_it_it_waits(host, event):
    learn(host, *NOTES["English"])
    assert stop(host, event, agent_id="a1", agent_type="Explore", tool_name="Read", tool_use_id="t1", reason="other", trigger="auto") is None
    assert "Use `pnpm tsc`" in stop(host)["systemMessage"]


def test_another_host_says_nothing_and_leaves_it_to_the_next(host):
    learn(host, *NOTES["English"])
    done = host.fire({**host.payload("Stop"), "turn_id": "t", "last_assistant_message": "Done."}, host="codex")
    assert (done.returncode, done.stdout) == (0, b"")
    assert stop(host) is not None


def test_a_note_that_is_not_there_is_not_told(host):
    learned.append(host.bank.layout, "problem:0a1b2c3d", "learned/problem-npx-tsc-0a1b2c3d.md", "0" * 64, ".", FixedClock(NOW))
    assert stop(host) is None
    learn(host, *NOTES["English"])
    assert stop(host) is not None


def test_who_switched_learned_notes_off_is_told_nothing(host):
    learn(host, *NOTES["English"])
    host.bank.configure("cycle", '{"learned_notes": false}')
    assert stop(host) is None


def test_marks_of_a_note_stay_text(host):
    learn(host, "learned/problem-x-0a1b2c3d.md", "problem:0a1b2c3d", "Use \x1b[31m`x`\u202e and </memorybank-memory>")
    assert not {"\x1b", "\u202e"} & set(stop(host)["systemMessage"])

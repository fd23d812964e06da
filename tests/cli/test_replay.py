"""`memorybank replay`: tables and JSON, random at every budget, and nothing of the bank changed."""

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "replay.md"


@pytest.fixture
def folder(tmp_path):
    """A history of three sessions in which the same files are changed."""
    made = tmp_path / "history"
    (made / "sessions").mkdir(parents=True)
    (made / "history.json").write_text("{}")
    for number in range(3):
        at = 1_758_112_496_789 + number * 86_400_000
        events = [{"name": "session_start", "source": "startup"}, {"name": "prompt", "prompt": "retry uploads / アップロードの再送"}]
        for path in ("src/upload.py", "docs/設計.md"):
            call = {"tool": "Edit", "inputs": {"file_path": f"/history/{path}", "old_string": "a", "new_string": "b"}, "tool_use_id": f"{number}{path}"}
            events += [{"name": "tool_before", **call}, {"name": "tool_after", **call, "status": "success"}]
        events += [{"name": "turn_end", "last_message": "done"}, {"name": "session_end"}]
        common = {"host": "claude-code", "session_id": f"s{number}", "cwd": "/history", "delivery": True}
        lines = [json.dumps({**common, **event, "at": at + place * 1_000}) + "\n" for place, event in enumerate(events)]
        (made / "sessions" / f"s{number}.jsonl").write_text("".join(lines))
    return str(made)


def test_random_stands_beside_every_number(bank, run, folder):
    done = run(bank(), "replay", folder, "--recall", "memorybank", "--budget", "500")
    assert done.code == 0
    assert re.search(r"(?m)^random +500 ", done.out)
    assert re.search(r"(?m)^memorybank \(frozen\) +500 ", done.out)
    assert "keyword" not in done.out
    assert "a replay cannot change what happened" in done.out
    assert "No number shows what an agent would have done instead" in done.out


def test_a_narrow_terminal_folds_and_cuts_nothing(bank, run, folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    out = run(bank(), "replay", folder, "--recall", "memorybank", "--budget", "500").out
    assert max(map(len, out.splitlines()[1:])) <= 100
    words = out.split()
    for told in ("memorybank", "budget", "precision", "silent", "fixes", "inconclusive", "4/4"):
        assert told in words


def test_without_a_budget_the_standard_ones_are_run(bank, run, folder):
    rows = json.loads(run(bank(), "replay", folder, "--recall", "recent", "--format", "json").out)["rows"]
    assert [(row["arm"], row["budget"]) for row in rows] == [(arm, budget) for budget in (250, 500, 1000, 2000, 4000) for arm in ("random", "recent")]


def test_both_policies_are_compared(bank, run, folder):
    done = run(bank(), "replay", folder, "--policy", "frozen", "--policy", "learning", "--recall", "memorybank", "--budget", "500", "--format", "markdown")
    assert "| memorybank (learning) | memorybank (frozen) |" in done.out


def test_every_field_of_the_report_is_documented(bank, run, folder):
    page = set(re.findall(r"`([a-z_]+)`", PAGE.read_text(encoding="utf-8")))

    def names(value):
        if isinstance(value, dict):
            return {*value, *(name for item in value.values() for name in names(item))}
        return {name for item in value for name in names(item)} if isinstance(value, list) else set()

    found = names(json.loads(run(bank(), "replay", folder, "--budget", "500", "--format", "json").out))
    assert found - page == set()


def test_the_bank_is_left_alone(bank, run, folder):
    mine = bank({"planning/a.md": "# A\n"})
    before = mine.snapshot()
    assert run(mine, "replay", folder, "--budget", "500").code == 0
    assert run(mine, "replay", "--budget", "500").code == 3
    assert mine.snapshot() == before


def test_what_is_none_of_the_three_is_said(bank, run, tmp_path):
    (tmp_path / "empty").mkdir()
    done = run(bank(), "replay", str(tmp_path / "empty"))
    assert done.code == 3
    assert "no transcripts" in done.err
    assert "contains no recorded session" in run(bank(), "replay").err


def test_what_is_shown_can_be_written_with_and_without_episodes(bank, run, folder, tmp_path):
    written = {}
    for options in ((), ("--episodes",)):
        path = tmp_path / f"shown{len(options)}.jsonl"
        assert run(bank(), "replay", folder, "--shown", str(path), *options).code == 0
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        written[bool(options)] = [line for line in lines if line["moment"] == "start"]
    assert not any(line["episode_tokens"] for line in written[False])
    (*_, last) = [line for line in written[True] if line["text"]]
    assert 0 < last["episode_tokens"] <= last["tokens"] and "## Episodic memory" in last["text"] and "アップロードの再送" in last["text"]


def test_episodes_alone_are_refused_with_the_next_step(bank, run, folder):
    done = run(bank(), "replay", folder, "--episodes")
    assert done.code == 2 and "--shown FILE" in done.err and done.out == ""


def test_a_note_of_any_size_is_replayed_and_one_that_cannot_be_read_is_named(bank, run, folder, monkeypatch):
    """Every other command takes such a note, so a replay of the bank's own log does too."""
    from memorybank.replay import sources

    scratch = bank({"shared/huge.md": "# Huge\n\n" + "word " * 300_000, "shared/lost.md": "# Lost\n"})
    real = sources.disk.read

    def read(path, limit):
        if path.endswith("lost.md"):
            raise FileNotFoundError(path)
        return real(path, limit)

    monkeypatch.setattr(sources.disk, "read", read)
    source = sources.of_log(scratch.layout)
    assert [note.key for note in source.notes] == ["shared/huge.md"] and source.skipped == ["shared/lost.md: it is not there any more"]
    monkeypatch.setattr(sources, "of_log", lambda layout: sources.of_history(folder)._replace(skipped=source.skipped))
    done = run(scratch, "replay", "--recall", "recent", "--budget", "500")
    assert done.code == 0 and "left out of the replay: shared/lost.md" in done.err


def test_a_note_over_the_limit_is_named_and_the_rest_is_replayed(bank, run, folder):
    """The sweep leaves such a file out, so only its problem can name it; the same holds for a generated history and for `list` and `show`."""
    from memorybank.replay import sources
    from memorybank.storage.layout import MAX_NOTE_BYTES

    scratch = bank({"shared/fine.md": "# Fine\n", "shared/大.md": "# 大\n"})
    with open(scratch.active / "shared" / "大.md", "r+b") as stream:
        stream.truncate(MAX_NOTE_BYTES + 1)
    source = sources.of_log(scratch.layout)
    assert [note.key for note in source.notes] == ["shared/fine.md"]
    assert source.skipped == ["shared/大.md: over the limit of 64 MiB, so it is not read"]
    notes = Path(folder) / "notes"
    notes.mkdir(exist_ok=True)
    with open(notes / "big.md", "wb") as stream:
        stream.truncate(MAX_NOTE_BYTES + 1)
    done = run(scratch, "replay", folder, "--recall", "recent", "--budget", "500")
    assert done.code == 0 and f"left out of the replay: {notes / 'big.md'}: " in done.err and "over the limit" in done.err
    listed = run(scratch, "list")
    assert listed.code == 0 and "shared/大.md is not listed: over the limit of 64 MiB" in listed.err and "shared/fine.md" in listed.out
    for name in ("shared/大.md", "大", str(scratch.active / "shared" / "大.md")):
        shown = run(scratch, "show", name)
        assert shown.code == 3 and "shared/大.md is not a note: over the limit of 64 MiB" in shown.err and "split the note" in shown.err, name
    assert "is not a note" not in run(scratch, "show", "other").err and "is not listed" not in run(bank(), "list").err

"""recall stats: firings and silences, what was injected and used, how turns ended. A rebuilt cache gives the same numbers and the same recall."""

import shutil

import pytest

from memorybank.cycle.fold import cache
from memorybank.cycle.rebuild import rebuild
from memorybank.cycle.recall import outcomes
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, before, failure, prompt, start


@pytest.fixture
def remembering(bank, fixed_clock):
    """One session is shown a note and then touches its file; another one is shown it and does not."""
    made = Remembering(bank({"a.md": "# Upload retries\n\nUploads are retried with jitter, see src/upload.py.\n"}), fixed_clock).index()
    for name, touched in (("one", "src/upload.py"), ("two", "src/other.py")):
        session = made.session(name)
        session.line("session_start", source="startup")
        session.prompt("how are uploads retried?")
        made.ask(prompt("how are uploads retried?", session=name))
        session.prompt("カレーの作り方")
        made.ask(prompt("カレーの作り方", session=name))
        session.before("Edit", "t1", anchors=[f"file:{touched}"], inputs={"file_path": touched})
        session.edit(touched, "a", "b")
        session.run("npm test", error="Error: no")
        session.run("npm test", output="ok")
        session.turn_end("done", status="success" if name == "one" else "failure")
        session.end()
    return made.fold()


def test_the_numbers_are_those_of_the_sessions(remembering):
    found = outcomes.collect_stats(cache.writable(remembering.scratch.layout), NOW)
    cache.close()
    rows = {row.moment: row for row in found.moments}
    at_prompt = rows["prompt"]
    assert (at_prompt.firings, at_prompt.injected, at_prompt.abstentions) == (4, 2, 2)
    assert (at_prompt.memories, at_prompt.used, at_prompt.precision) == (2, 1, 0.5)
    assert at_prompt.tokens > 0
    assert (rows["tool_before"].firings, rows["tool_before"].injected) == (2, 0)
    assert rows["failure"].firings == 2
    assert rows["subagent_start"].firings is rows["subagent_start"].abstentions is None
    assert (found.turns, found.successes) == (2, 1)
    assert found.fingerprints == 4
    assert found.first_time == 2
    assert found.attempts == 6


def test_what_lies_behind_an_instant_does_not_count(remembering):
    found = outcomes.collect_stats(cache.writable(remembering.scratch.layout), 0)
    cache.close()
    assert sum(row.memories for row in found.moments) == found.turns == found.fingerprints == 0
    assert found.to_json()["turns_in_success"] is None


MOMENTS = (
    (prompt("how are uploads retried?", session="later"), "prompt"),
    (prompt("アップロードの再送", session="later"), "prompt"),
    (before("Edit", {"file_path": "src/upload.py"}, session="later"), "tool_before"),
    (prompt("why did uploads stall behind the proxy?", session="later"), "prompt"),
    (before("Bash", {"command": "wrap npm test"}, session="later"), "tool_before"),
    (failure("Bash", {"command": "wrap npm test"}, "Error: no", session="later"), "failure"),
    (start("later"), "session_start"),
)


def answers(remembering):
    found = []
    for event, moment in MOMENTS:
        composed = remembering.preview(event, moment)
        scores = [(recollection.memory.memory, round(recollection.sum, 9)) for recollection in (*composed.shown, *composed.left_out)]
        found.append((composed.injection.text if composed.injection is not None else None, scores))
    return found


def test_a_rebuilt_cache_recalls_the_same(remembering):
    """Acceptance 10: everything derived is deleted and built again; the output for a fixed moment is the same, and the log does not change."""
    for name in ("three", "four"):
        session = remembering.session(name, days_ago=1)
        session.prompt("Why do uploads stall behind the proxy? Never buffer them.")
        session.run("wrap npm test", error="Error: no", tool_use_id="t1")
        session.run("npm test", output="ok")
        remark = {"after": "t1", "text": "The wrapper fails because it uses a shell without npm."}
        session.turn_end(f"Uploads stall behind the proxy of {name}, because it buffers them.", remarks=[remark])
        session.end()
    remembering.fold()
    cache.close()
    log = remembering.scratch.snapshot("log")
    asked = answers(remembering)
    assert sum(text is not None for text, _ in asked) >= 6
    shutil.rmtree(remembering.scratch.root / "cache")
    rebuild(remembering.base)
    cache.close()
    remembering.index()
    assert answers(remembering) == asked
    assert {name: found for name, found in remembering.scratch.snapshot("log").items() if name != "."}.items() >= {
        name: found for name, found in log.items() if name.startswith("log/events/")
    }.items()

"""What an agent says within a turn: the same from an imported transcript and from one that is still being written."""

import json
import random

import pytest

from memorybank.hosts import turn
from memorybank.hosts.transcripts import claude_code
from tests.imports.written import SESSION, Transcript


def live(tmp_path, transcript, *, data=None):
    """The remarks that the hook reads from the end of a transcript."""
    path = tmp_path / "transcript.jsonl"
    path.write_bytes(b"".join(transcript.encoded()) if data is None else data)
    return turn.remarks(str(path), transcript.session, transcript.agent or "main")


def imported(transcript):
    """The remarks of the last turn according to an import."""
    reading = claude_code.read(transcript.encoded(), agent=transcript.agent or "main")
    return [told.event.remarks for told in reading.events if told.event.name == "turn_end"][-1]


def kettle(**more):
    day = Transcript(**more).prompt("mend the kettle")
    day.say("I look at the kettle first.").bash("cat kettle.py", "heat = 0")
    return day


def test_each_remark_has_the_call_before_it(tmp_path):
    day = kettle().say("It is cold because heat is 0.").edit("kettle.py", "0", "100").say("Mended.")
    expected = [("", "I look at the kettle first."), ("toolu_0001_main_1", "It is cold because heat is 0.")]
    assert live(tmp_path, day) == imported(day) == expected


def test_the_last_words_are_no_remark_whether_they_are_written_yet_or_not(tmp_path):
    day = kettle()
    before = live(tmp_path, day)
    assert before == live(tmp_path, day.say("Mended.")) == [("", "I look at the kettle first.")]


VARIANTS = {
    "an earlier turn": lambda: Transcript().prompt("one").say("First.").bash("ls").say("Done.").prompt("two").say("Second.").bash("ls").say("Done."),
    "nothing was said": lambda: Transcript().prompt("one").bash("ls").say("Done."),
    "parts of one message": lambda: (
        Transcript().prompt("one").assistant({"type": "text", "text": "It is"}, {"type": "text", "text": "cold."}).bash("ls").say("Done.")
    ),
    "a failure": lambda: kettle().say("Now the test.").bash("pytest", error="Exit code 1\ncold").say("It fails: stale cache.").bash("pytest").say("Done."),
    "compacted": lambda: kettle().say("Kept.").bash("ls").compact().say("On.").bash("ls").say("Done."),
    "a queued prompt": lambda: kettle().queue("enqueue", "faster").say("Soon.").queue("remove", "faster", reason="absorbed_mid_turn").bash("ls").say("Done."),
    "a local command": lambda: kettle().user("<command-name>/model</command-name>").say("On.").bash("ls").say("Done."),
    "notices": lambda: kettle().user("Stop hook feedback: go on", isMeta=True).say("On.").bash("ls").say("Done."),
    "interrupted before": lambda: kettle().user([{"type": "text", "text": "[Request interrupted by user]"}]).say("On.").bash("ls").say("Done."),
    "an error of the service": lambda: kettle().say("API Error", isApiErrorMessage=True).say("On.").bash("ls").say("Done."),
    "a sub-agent's file": lambda: Transcript(agent="a1").user("your task").say("I search.").bash("grep x").say("Found it.").bash("ls").say("Done."),
    "Japanese": lambda: Transcript().prompt("直して").say("原因は空のキャッシュです。").bash("ls").say("直しました。"),
}


@pytest.mark.parametrize("make", VARIANTS.values(), ids=VARIANTS)
def test_an_import_tells_the_same(make, tmp_path):
    day = make()
    assert live(tmp_path, day) == imported(day)


def test_other_agents_and_sessions_in_the_same_file_are_not_heard(tmp_path):
    day = kettle()
    side = Transcript(agent="a1").say("I am another.").bash("ls")
    stray = Transcript("5e1f0c2a-0000-4000-8000-000000000009").say("Another day.").bash("ls")
    day.lines += [*side.lines, *stray.lines]
    day.say("Mended.")
    assert live(tmp_path, day) == [("", "I look at the kettle first.")]


@pytest.mark.parametrize("blocks", ["[Request interrupted by user]", "[Request interrupted by user for tool use]"])
def test_an_interrupted_turn_keeps_what_was_said(blocks):
    day = kettle().say("It is cold because heat is 0.").bash("ls").say("Now I").user([{"type": "text", "text": blocks}])
    ended = [told.event for told in claude_code.read(day.encoded()).events if told.event.name == "turn_end"]
    assert [(event.reason, event.last_message, [text for _, text in event.remarks]) for event in ended] == [
        ("interrupted", "Now I", ["I look at the kettle first.", "It is cold because heat is 0."])
    ]


def test_a_turn_that_ends_in_an_error_keeps_what_was_said():
    day = kettle().say("API Error: overloaded", isApiErrorMessage=True, error="overloaded")
    (ended,) = [told.event for told in claude_code.read(day.encoded()).events if told.event.name == "turn_end"]
    assert (ended.reason, ended.remarks) == ("error", [("", "I look at the kettle first.")])


def test_only_the_end_of_a_long_transcript_is_read(tmp_path, monkeypatch):
    day = Transcript().prompt("go").say("Far away.")
    for number in range(40):
        day.bash("make", "x" * 1_000).say(f"Step {number}.")
    monkeypatch.setattr(turn, "MOST_BYTES", 10_000)
    found = live(tmp_path, day)
    assert 0 < len(found) < 20
    assert imported(day)[-len(found) :] == found


def test_results_of_many_megabytes_hide_nothing_that_was_said_before_them(tmp_path):
    day = kettle().say("It is cold because heat is 0.")
    for _ in range(5):
        day.bash("cat heat.log", "cold\n" * 150_000)
    day.say("Mended.")
    assert sum(map(len, day.encoded())) > 3 * turn.BLOCK
    assert live(tmp_path, day) == imported(day) == [("", "I look at the kettle first."), ("toolu_0001_main_1", "It is cold because heat is 0.")]


@pytest.mark.parametrize("size", [1, 7, 64, 500, 4_096])
@pytest.mark.parametrize("name", ["an earlier turn", "a failure", "Japanese"])
def test_where_blocks_meet_nothing_is_lost(name, size, tmp_path, monkeypatch):
    monkeypatch.setattr(turn, "BLOCK", size)
    day = VARIANTS[name]()
    assert live(tmp_path, day) == imported(day)


@pytest.mark.parametrize("odd", ["", "/nowhere/at/all.jsonl", "/", "/dev/null", "a\0b", "relative.jsonl"])
def test_what_is_no_transcript_tells_nothing(odd):
    assert turn.remarks(odd, SESSION) == []


def test_a_pipe_is_not_waited_for(tmp_path):
    import os

    os.mkfifo(tmp_path / "pipe")
    assert turn.remarks(str(tmp_path / "pipe"), SESSION) == []


def test_no_damage_raises(tmp_path):
    """Cut at any place, with bytes that are not UTF-8, and with fields of any type."""
    day = kettle().say("It is cold.").bash("ls").say("Mended.")
    data = b"".join(day.encoded())
    lot = random.Random(5)
    whole = live(tmp_path, day)
    for _ in range(60):
        cut = lot.randrange(len(data))
        assert all(remark in whole for remark in live(tmp_path, day, data=data[:cut]))
        live(tmp_path, day, data=data[:cut] + b"\xff\x00" + data[cut:])
    for line in day.lines:
        for name in (*line, "message.content", "message.id"):
            for value in (None, True, 7, "text", [], [None, 3, {"type": 4}], {}, {"content": [{"type": "text", "text": 3}]}):
                odd = json.loads(json.dumps(line))
                (odd["message"] if name.startswith("message.") else odd)[name.rpartition(".")[2]] = value
                live(tmp_path, day, data=data + json.dumps(odd).encode() + b"\n")

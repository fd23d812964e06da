"""Fixes: what repaired the same error in two sessions, in handwritten histories."""

import pytest

from memorybank.replay.fixes import core, fixes
from memorybank.replay.sources import of_history

from .told import DAY, NOW, Told

UNKNOWN = "error: no such subcommand: weave"


@pytest.fixture
def wanted(history):
    """wanted(*sessions) → (fixes, events)."""

    def found(*told):
        events = of_history(str(history(*told))).events
        return fixes(events), events

    return found


def session(number):
    return Told(f"s{number}", NOW + number * DAY)


def test_the_command_that_worked_instead_is_wanted_from_the_second_session_on(wanted):
    told = [session(number).run("shim loom weave 2>&1 | tail -5", error=UNKNOWN).run("cd app && loom weave").end() for number in range(2)]
    (fix,), events = wanted(*told)
    assert (fix.kind, fix.session) == ("fix", "s1")
    assert [(way.phrase, way.inside) for way in fix.ways] == [("loom weave", "shim loom weave")]
    assert events[fix.position].name == "tool_before"
    assert events[fix.position].inputs["command"] == "cd app && loom weave", "it must be shown before the agent finds it again"


def test_an_edit_on_the_way_is_wanted_by_its_file_and_words(wanted):
    def mended(number, new):
        told = session(number).run("loom check", error="error: warp is not declared")
        told.call("Edit", file_path="/history/src/warp.py", old_string="weft", new_string=new)
        return told.run("loom check").end()

    (fix,), _ = wanted(mended(0, "weft declares warp tension"), mended(1, "weft declares warp colour"))
    assert [(way.phrase, way.words) for way in fix.ways] == [("warp.py", {"declar", "warp"})]
    assert wanted(mended(0, "weft selvedge bobbin"), mended(1, "weft heddle treadle"))[0] == [], "another edit of the same file mended it"


def test_commands_that_differ_behind_a_folder_are_the_same_step(wanted):
    told = [
        session(number).run("loom pack", error="error: left-overs found").run(f"scour --all tmp/run-{number}x").run("loom pack").end() for number in range(2)
    ]
    (fix,), _ = wanted(*told)
    assert [way.phrase for way in fix.ways] == ["scour --all tmp"]


@pytest.mark.parametrize(
    "second",
    [
        lambda told: told.run("shim loom weave", error="error: out of thread").run("loom weave"),  # another error
        lambda told: told.run("shim loom weave", error=UNKNOWN),  # nothing repaired it
        lambda told: told.run("shim loom weave", error=UNKNOWN).run("loom weave | tail -3", output="error: out of thread"),  # a pipe hid the failure
        lambda told: told.run("shim loom weave", error=UNKNOWN).run("git status").run("shim loom weave"),  # the same command again: there is nothing to show
        lambda told: told.run("loom weave"),  # never failed
    ],
)
def test_what_no_text_could_have_mended_is_not_wanted(wanted, second):
    first = session(0).run("shim loom weave", error=UNKNOWN).run("loom weave").end()
    assert wanted(first, second(session(1)).end())[0] == []


def test_a_session_does_not_teach_itself(wanted):
    told = session(0).run("shim loom weave", error=UNKNOWN).run("loom weave").run("shim loom weave", error=UNKNOWN).run("loom weave")
    assert wanted(told.end())[0] == []


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("cd app && timeout 60 loom weave 2>&1 | tail -5", "timeout 60 loom weave"),
        ('loom weave "two words"', "loom weave two words"),
        ("/replayed/bin/loom weave", "bin/loom weave"),
        ("ls | head", ""),
        ("A=1 && loom weave " + "x" * 300, ""),
    ],
)
def test_looks_folders_and_quotes_are_left_out_of_a_command(command, left):
    assert core(command) == left

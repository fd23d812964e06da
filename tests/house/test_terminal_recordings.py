"""docs/terminal/ shows what the commands print: a generated bank, a clock that stands still, three widths."""

import pytest

from memorybank.cli import output
from tests.scripts import loaded

script = loaded("terminal_recordings.py")


@pytest.mark.parametrize("count", [30, pytest.param(6_000, marks=[pytest.mark.slow, pytest.mark.full])])
def test_the_recordings_are_what_the_commands_print(count, monkeypatch):
    """After an intended change of output, run python scripts/terminal_recordings.py and read the difference.

    The same script writes the recordings of 6,000 notes, so those are compared only under --all.
    """
    monkeypatch.delenv("MEMORYBANK_DIR", raising=False)
    for name, text in script.recordings(count):
        assert (script.FOLDER / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize("width", script.WIDTHS)
def test_every_line_fits(width):
    for path in script.FOLDER.glob(f"*-{width}-columns.txt"):
        command, *lines = path.read_text(encoding="utf-8").splitlines()
        assert command.startswith("$ memorybank ") and lines
        assert max(map(output.width, lines)) <= width, path.name


def test_no_recording_is_left_over():
    names = {f"{name}-{count}-notes-{width}-columns.txt" for name in script.COMMANDS for count in script.SIZES for width in script.WIDTHS}
    assert {path.name for path in script.FOLDER.iterdir()} == names

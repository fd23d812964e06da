"""docs/pictures/tuesday.svg is what scripts/recording.py makes today, with real processes of the hook."""

import re
from xml.etree import ElementTree

import pytest

from tests.scripts import loaded

script = loaded("recording.py")


@pytest.mark.slow
def test_the_recording_is_what_the_session_gives():
    """After an intended change, run python scripts/recording.py and look at the picture."""
    pieces = list(script.session())
    assert "The upload failed because the proxy refuses" in next(piece.text for piece in pieces if piece.who == "shown")
    assert pieces[-1].who == "silent"
    assert script.picture(pieces) == script.PICTURE.read_text(encoding="utf-8")


def test_the_picture_is_small_readable_in_light_and_dark_and_loads_nothing():
    text = script.PICTURE.read_text(encoding="utf-8")
    assert len(text.encode()) < 150_000
    assert "prefers-color-scheme: dark" in text and "prefers-reduced-motion" in text
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]
    drawing = ElementTree.fromstring(text)
    assert drawing.find("{*}title").text and "proxy" in drawing.find("{*}desc").text


@pytest.mark.parametrize("who", ["you", "agent", "output", "shown", "silent", "day"])
def test_every_piece_appears_with_its_text(who):
    drawing = ElementTree.fromstring(script.picture([script.Spoken("day", "Monday"), script.Spoken(who, "a <b> & c\n日本語")]))
    told = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a <b> & c", "日本語"} <= {*told}

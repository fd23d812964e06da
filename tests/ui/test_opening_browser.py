"""`memorybank ui` opens the browser through a file that only its owner can read, and never names the link in the arguments of a program."""

import os
import stat
import webbrowser
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner

from memorybank.cli import ui
from memorybank.cli.call import CommandCall
from memorybank.ui import opening

LINK = "http://127.0.0.1:8765/#secret-<&>"


def test_the_browser_gets_a_private_file_that_leads_to_the_link(monkeypatch):
    given, came = [], Event()

    def browser(address: str) -> bool:
        path = address.removeprefix("file://")
        given.append((address, os.stat(path).st_mode, os.stat(os.path.dirname(path)).st_mode, Path(path).read_text(encoding="utf-8")))
        came.set()
        return True

    monkeypatch.setattr(webbrowser, "open", browser)
    with opening.opened(LINK):
        assert came.wait(30)
    [(address, mode, folder, text)] = given
    assert "secret" not in address and stat.S_IMODE(mode) == 0o600 and stat.S_IMODE(folder) == 0o700
    assert 'content="0;url=http://127.0.0.1:8765/#secret-&lt;&amp;&gt;"' in text
    assert not os.path.exists(address.removeprefix("file://"))


@pytest.mark.parametrize(
    ("environ", "is_terminal", "is_opened"),
    [({"DISPLAY": ":0"}, True, True), ({"WAYLAND_DISPLAY": "w"}, True, True), ({"DISPLAY": ":0"}, False, False), ({}, True, False)],
)
def test_without_a_display_or_a_terminal_nothing_is_opened(monkeypatch, environ, is_terminal, is_opened):
    monkeypatch.setattr(opening.sys, "platform", "linux")
    assert opening.has_display(environ, is_terminal=is_terminal) is is_opened


@pytest.mark.parametrize(("arguments", "opened"), [([], [LINK]), (["--no-open"], [])])
def test_no_open_only_prints_the_link(bank, monkeypatch, arguments, opened):
    from contextlib import nullcontext

    found: list[str] = []

    def serve(_, port, *, allow_write, say):
        say(LINK)

    monkeypatch.setattr(ui, "_server", lambda: serve)
    monkeypatch.setattr(opening, "has_display", lambda environ, *, is_terminal: True)
    monkeypatch.setattr(opening, "opened", lambda link: (found.append(link), nullcontext())[1])
    done = CliRunner().invoke(ui.command, arguments, obj=CommandCall(str(bank().root)), standalone_mode=False)
    assert done.exception is None and LINK in done.output and found == opened

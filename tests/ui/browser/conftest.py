"""A real browser on the real page: Debian's Chromium, driven by Playwright. A browser that is not there fails; it never skips."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from . import town

CHROMIUM = os.environ.get("MEMORYBANK_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
EXPECTED = "status of (401|404|409)|htmx:(afterRequest|sendError|sendAbort)|ERR_INTERNET_DISCONNECTED"
"""The login, a page that does not exist and a plan that changed are answers, not errors; and
a question that a newer one, a reload or the end of the page overtakes ends without one."""
ROOT = Path(__file__).resolve().parents[3]
_PATIENCE = 30_000
"""Milliseconds that the browser waits for what a test expects: a busy machine needs seconds for what takes a moment otherwise."""
AXE = "4.10.3"
"""Version of axe-core, which checks pages for what keeps people from using them (MPL-2.0, used in tests only)."""
_AXE_SCRIPT = Path("node_modules/axe-core/axe.min.js")
PICTURES = os.environ.get("MEMORYBANK_PICTURES")
"""A folder: then every picture that a test takes is kept there."""


@pytest.fixture(scope="module")
def browser():
    """Closed before the next module: while the driver is there, nobody else in this thread can have an event loop."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=_PATIENCE)

    assert CHROMIUM, "no Chromium: apt-get install chromium fonts-noto-cjk, or name one in MEMORYBANK_CHROMIUM"
    with sync_playwright() as driver:
        opened = _launched(driver)
        yield opened
        opened.close()


def _launched(driver):
    """Start Chromium, and once more if it ends while it starts. The error has its output of both times."""
    from playwright.sync_api import Error

    # Without a time limit: it answers or ends, however busy the machine is.
    options = {"executable_path": CHROMIUM, "args": ["--no-sandbox"] if os.geteuid() == 0 else [], "timeout": 0}
    try:
        return driver.chromium.launch(**options)
    except Error as first:
        try:
            return driver.chromium.launch(**options)
        except Error as second:
            raise AssertionError(f"Chromium did not start, twice:\n{first}\n{second}") from None


@dataclass
class Served:
    """A page that answers. link: what `memorybank ui` prints; scratch: its bank; update: what a run of episodes does instead of the command."""

    link: str
    scratch: object
    clock: object


@pytest.fixture
def town_of(bank, fixed_clock, browser):
    """town_of(allow_write=True) → a served page of the town's bank, in a thread of this process, at the tests' own time."""
    from memorybank.ui import serve
    from memorybank.ui.app import PageApp
    from memorybank.ui.gate import Gate
    from memorybank.ui.serve import PageServer
    from memorybank.ui.site import BankOpener, Site, UpdateRunner

    running = []

    def made(*, allow_write: bool = True, update: str | None = None, built: bool = True) -> Served:
        scratch = bank()
        if built:
            town.build(scratch, fixed_clock)
        listening = serve._listen(0)
        gate = Gate.fresh(listening.getsockname()[1])
        command = [sys.executable, "-c", update, str(scratch.root)] if update is not None else UpdateRunner.of(str(scratch.root))._command
        site = Site(BankOpener(str(scratch.root), fixed_clock, allow_write=allow_write), "ferry", allow_write, UpdateRunner(command))
        server = PageServer(PageApp(site, gate), gate)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        running.append((server, thread, listening))
        return Served(f"http://127.0.0.1:{gate.port}/#{gate.token}", scratch, fixed_clock)

    yield made
    for server, thread, listening in running:
        server.should_exit = True
        thread.join()  # the server itself limits how long its connections may take to end
        listening.close()


@pytest.fixture
def visit(browser):
    """visit(served, width=…, dark=…, language=…) → a tab of a fresh browser profile, logged in. What its console says is an error of the test."""
    opened, complaints = [], []

    def made(served: Served, *, width: int = 1200, height: int = 900, dark: bool = False, language: str = "en-GB", javascript: bool = True):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=language,
            java_script_enabled=javascript,
            reduced_motion="reduce",
        )
        context.set_default_timeout(_PATIENCE)
        opened.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") and "favicon" not in message.text else None)
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        if javascript:
            tab.goto(served.link)
            tab.wait_for_selector("#q")
        else:
            address, _, token = served.link.partition("#")
            tab.goto(address)
            tab.fill("input[name=token]", token)
            tab.click("#login button")
        return tab

    yield made
    for context in opened:
        context.close()
    assert [text for text in complaints if not re.search(EXPECTED, text)] == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, installed once with npm next to the real coding agents. It is never part of the project."""
    folder = Path(os.environ.get("MEMORYBANK_HOSTS_DIR") or ROOT / ".hosts")
    place = folder / f"axe-core-{AXE}"
    if not (place / _AXE_SCRIPT).exists():
        npm = shutil.which("npm")
        assert npm, "npm is not on PATH: install Node.js 20 or newer"
        folder.mkdir(parents=True, exist_ok=True)
        said = [_install_axe(npm, place)]
        if not (place / _AXE_SCRIPT).exists():
            said.append(_install_axe(npm, place))
        assert (place / _AXE_SCRIPT).exists(), "npm did not install axe-core, twice:\n" + "\n".join(said)
    return (place / _AXE_SCRIPT).read_text(encoding="utf-8")


def _install_axe(npm: str, place: Path) -> str:
    """Install axe-core beside its place and move it there when it is complete: another run may be looking. Return what npm said."""
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        made = Path(folder) / place.name
        made.mkdir()
        command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(made), f"axe-core@{AXE}"]
        done = subprocess.run(command, cwd=made, capture_output=True, text=True)
        if (made / _AXE_SCRIPT).exists() and not (place / _AXE_SCRIPT).exists():
            shutil.rmtree(place, ignore_errors=True)
            made.rename(place)
    return f"exit code {done.returncode}: {done.stdout}{done.stderr}"


@pytest.fixture
def picture(tmp_path):
    """picture(tab, name): a picture of the whole page, kept where MEMORYBANK_PICTURES says."""

    def taken(tab, name: str, *, full: bool = True) -> Path:
        folder = Path(PICTURES) if PICTURES else tmp_path
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        tab.screenshot(path=path, full_page=full)
        return path

    return taken

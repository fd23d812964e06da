"""mem0 keeps the passages of a bank: in and out, deletion, purge, rebuild, access rules, and nobody else is asked. With real stores."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.byte_scanner import TextForms, scan
from tests.meaning.conftest import NOTES

PRIVATE = "---\nprivacy: private\n---\n\n# Wage\n\nGEHEIM-CANARY salary pay wage.\n"
LEAK = "correct horse battery"


def holds(bank, rows, *texts) -> list[str]:
    """Return the texts that the store contains: any file of the person's state folder, or any row of the server."""
    everything = rows()
    files = [path.read_bytes() for path in bank.state.rglob("*") if path.is_file()]
    return [text for text in texts if text in everything or any(text.encode() in data for data in files)]


def kept(bank, rows) -> int:
    """Return the number of passages in the store."""
    if everything := rows():
        return len(everything.splitlines())
    (path,) = bank.state.rglob("storage.sqlite")
    return sqlite3.connect(path).execute("SELECT count(*) FROM points").fetchone()[0]


def test_a_bank_goes_in_and_comes_out(mem0_bank, rows):
    bank = mem0_bank({**NOTES, "wage.md": PRIVATE})
    report = bank.embed()
    assert (report["embedded"], report["passages"], report["dimension"]) == (8, 8, 8)
    assert holds(bank, rows, "Book the automobile", "access token", "GEHEIM-CANARY") == ["Book the automobile", "access token"]
    assert bank.search("vehicle")[0]["key"] == "planning/car.md" and bank.search("vehicle", "hybrid")[0]["found_by"] == "meaning"
    assert "wage.md" not in [hit["key"] for hit in bank.search("salary", "hybrid", "--as", "agent")]
    again = bank.embed()
    assert (again["embedded"], again["reused"], again["removed"], again["passages"]) == (0, 0, 0, 8)


def test_changes_deletions_and_access_reach_the_store(mem0_bank, rows):
    bank = mem0_bank(NOTES)
    bank.embed()
    active = bank.root / "active" / "planning"
    (active / "tea.md").unlink()
    (active / "lamp.md").write_text("# Lamp\n\nThe chandelier in room 5 hums.\n")
    (active / "car.md").write_text("---\nprivacy: private\n---\n\n# Parking\n\nBook the automobile in the shared calendar.\n")
    assert "planning/car.md" not in [hit["key"] for hit in bank.search("vehicle", "semantic", "--as", "agent")]
    report = bank.embed()
    assert (report["embedded"], report["removed"], report["passages"]) == (1, 3, 6)
    assert holds(bank, rows, "Green leaves", "flickers", "automobile", "chandelier") == ["chandelier"]


def test_a_purge_leaves_nothing(mem0_bank, rows):
    bank = mem0_bank({**NOTES, "leak.md": f"# Leak\n\nThe passphrase is {LEAK}.\n"})
    bank.embed()
    assert holds(bank, rows, LEAK) == [LEAK]
    (bank.root / "active" / "leak.md").write_text("# Leak\n\nGone.\n")
    bank.run("purge", LEAK)
    assert LEAK not in rows()
    assert scan(TextForms(LEAK, "passphrase"), str(bank.state), str(bank.root), str(bank.home)) == {}
    assert bank.embed()["embedded"] == 9 and bank.search("vehicle")[0]["key"] == "planning/car.md"


def test_everything_is_made_again_from_the_notes(mem0_bank, rows):
    bank = mem0_bank(NOTES)
    bank.embed()
    first = bank.search("login", "hybrid")
    shutil.rmtree(bank.root / "cache")
    assert bank.embed()["embedded"] == 0 and bank.search("login", "hybrid") == first
    bank.run("index", "--no-meaning")
    assert holds(bank, rows, "automobile", "access token") == [] and not list(bank.state.rglob("*.sqlite"))
    assert bank.embed()["embedded"] == 8 and bank.search("login", "hybrid") == first


def test_a_killed_run_leaves_each_passage_once(mem0_bank, rows):
    bank = mem0_bank({f"n{number}.md": f"# Note {number}\n\nText-{number:03}-end.\n" for number in range(30)})
    program = (
        "import os, sys, signal\nfrom memorybank.meaning.mem0_memories import Mem0Memories as M\nadd, calls = M.add, []\n"
        "def dying(self, *a):\n    calls.append(1)\n    if len(calls) == 12: os.kill(os.getpid(), signal.SIGKILL)\n    return add(self, *a)\n"
        "M.add = dying\nfrom memorybank.__main__ import main\nmain()"
    )
    bank.run("--bank", str(bank.root), "index", "--meaning", "--yes", program=program, code=-signal.SIGKILL)
    assert bank.embed()["passages"] == 30
    assert kept(bank, rows) == 30
    hits = bank.search("Text", "semantic", "-n", "50")
    assert len(hits) == len({hit["key"] for hit in hits}) == 30


def test_nobody_but_the_embedder_and_the_store_is_asked(mem0_bank):
    """libpq opens its connection in C, where it is not recorded; mem0's telemetry and downloads are Python."""
    bank = mem0_bank(NOTES)
    before = {path for path in Path(os.environ["HOME"]).rglob("*")}
    bank.embed()
    bank.search("vehicle", "hybrid")
    bank.run("index", "--no-meaning")
    assert any("127.0.0.1" in line for line in bank.addresses())
    assert bank.foreign() == set()
    assert list(bank.home.iterdir()) == [] and {path for path in Path(os.environ["HOME"]).rglob("*")} == before


TELEMETRY = (
    "import socket, sys\n"
    "def nowhere(*a, **k): raise OSError('no network in tests')\n"
    "sys.addaudithook(lambda event, a: nowhere() if event == 'socket.getaddrinfo' else None)\n"
    "import mem0.memory.telemetry as t\nt.client_telemetry.capture_event('x', {}, user_email='x')\nt.client_telemetry.close()\n"
)


@pytest.mark.parametrize("provider", ["qdrant"])
def test_the_recorder_sees_the_telemetry_that_is_switched_off_here(mem0_bank):
    """The control of the test above."""
    bank = mem0_bank({})
    bank.run(program=TELEMETRY)
    assert any("posthog" in line for line in bank.foreign())


SPACY = """import os, types
def download(*a): open(os.environ["MARK"], "a").write("spacy\\n")
util = types.SimpleNamespace(is_package=lambda name: False)
def load(*a, **k): raise OSError("no model")
"""
"""A library whose model would have to be downloaded: it writes down that mem0 wanted it."""


@pytest.mark.parametrize("provider", ["qdrant"])
def test_no_model_is_downloaded_for_mem0_even_if_spacy_is_installed(mem0_bank):
    bank = mem0_bank(NOTES)
    libraries = bank.folder / "libraries"
    libraries.mkdir()
    (libraries / "spacy").mkdir()
    (libraries / "spacy" / "__init__.py").write_text(SPACY)
    (libraries / "spacy" / "cli.py").write_text("from spacy import download\n")
    bank.more = {"PYTHONPATH": f"{os.environ['PYTHONPATH']}{os.pathsep}{libraries}", "MARK": str(bank.folder / "mark")}
    bank.embed()
    bank.search("vehicle")
    assert not (bank.folder / "mark").exists()
    asked = "from mem0.utils.lemmatization import lemmatize_for_bm25 as f\nf('words')\n"
    bank.run(program=asked)  # the control
    assert (bank.folder / "mark").read_text().startswith("spacy")


@pytest.mark.parametrize("provider", ["qdrant"])
def test_a_process_that_already_uses_mem0_with_telemetry_is_refused(mem0_bank):
    bank = mem0_bank(NOTES)
    program = (
        "import sys, types\nimport os\nos.environ['MEM0_TELEMETRY'] = 'False'\nimport mem0.memory.telemetry as t\nt.MEM0_TELEMETRY = True\n"
        "from memorybank.__main__ import main\nmain()"
    )
    bank.run("--bank", str(bank.root), "index", "--meaning", "--yes", program=program, code=1)
    assert "MEM0_TELEMETRY=False" in bank.errors


@pytest.mark.parametrize("provider", ["qdrant"])
def test_a_search_during_a_run_finds_by_words(mem0_bank):
    bank = mem0_bank(NOTES)
    bank.embed()
    program = (
        "import sys\nfrom memorybank.bank.bank import Bank\nbank = Bank.open(sys.argv[1])\n"
        "with bank.meaning.store().open_store(bank.layout, bank.clock) as stored:\n"
        "    stored.begin(stored.identity)\n    print('open', flush=True)\n    sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(bank.root)], env=bank.environment, stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout is not None and other.stdin is not None and other.stdout.readline() == "open\n"
        data = json.loads(bank.run("search", "--type", "hybrid", "automobile", "--format", "json"))
        other.stdin.close()
        assert other.wait(60) == 0
    assert data["hits"][0]["key"] == "planning/car.md" and str(other.pid) in json.dumps(data)


@pytest.mark.parametrize("provider", ["pgvector"])
def test_a_server_that_is_gone_is_reported_without_its_password(mem0_bank):
    bank = mem0_bank(NOTES)
    bank.more = {"TEST_POSTGRES": "postgresql://someone:hunter2hunter2@127.0.0.1:9/none"}
    bank.run("index", "--meaning", "--yes", code=1)
    assert "next:" in bank.errors and "hunter2" not in bank.errors and "Traceback" not in bank.errors


@pytest.mark.parametrize("provider", ["nonsense"])
def test_a_vector_store_that_mem0_does_not_know_is_reported(mem0_bank):
    bank = mem0_bank(NOTES)
    bank.run("index", "--meaning", "--yes", code=1)
    assert "nonsense" in bank.errors and "Traceback" not in bank.errors


@pytest.mark.full
def test_ten_thousand_memories(mem0_bank, rows):
    bank = mem0_bank({f"shared/n{number}.md": f"# Note {number}\n\n{'login ' * (number % 7)}text {number:05}.\n" for number in range(10_000)})
    assert bank.embed()["passages"] == 10_000
    hits = bank.search("login", "semantic", "-n", "50")
    assert len(hits) == 50
    for number in range(0, 10_000, 50):
        (bank.root / "active" / "shared" / f"n{number}.md").unlink()
    report = bank.embed()
    assert (report["removed"], report["passages"]) == (200, 9_800)
    assert holds(bank, rows, "text 00050.", "text 00051.") == ["text 00051."]

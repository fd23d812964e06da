"""scripts/bench/needs: halves of sessions, the table of two commits, texts for the eye, on a small made-up data folder.

The scorers here are stand-ins: the real ones lie beside the labels, outside the repository.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scripts import loaded

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "bench" / "needs"
EVEN, ODD = "aaaaaaaa-0000-4000-8000-00000000000{}", "bbbbbbbb-0000-4000-8000-00000000000{}"
SCORER = """
def tokens(text):
    return len(text) / 4

def wilson(met, of):
    return 0.0, 1.0

def themes(needs):
    return [need["theme"] for need in needs]

def shuffle(rows, seed):
    return [dict(row, text="") for row in rows]

def score(labels, rows):
    needs = [label for label in labels if label["kind"] != "quiet"]
    quiet = [label for label in labels if label["kind"] == "quiet"]
    texts = {}
    for row in rows:
        texts.setdefault(row["session"], []).append(row)
    held = lambda need: any(need["term"] in row["text"] for row in texts.get(need["session"], ()))
    return {labels[0]["project"]: {
        "needs": [(need, held(need), False) for need in needs],
        "wide": [[row["moment"] for row in texts.get(label["session"], ()) if row["text"]] for label in quiet],
        "each": sorted(sum(tokens(row["text"]) for row in rows) for rows in texts.values()),
    }} if rows else {}
"""
WORK = "print('  0.25  told by a stand-in')\nprint('  recall 0.50  precision 0.10  shown')\n"


@pytest.fixture(scope="module")
def needs():
    return loaded("bench/needs")


def row(session, moment, text, at=1, agent="main"):
    return {"session": session, "at": at, "moment": moment, "agent": agent, "text": text, "tokens": len(text) // 4, "memories": []}


def label(session, kind="fix", strength=3, term="loom", theme=0):
    return {"project": "made", "session": session, "kind": kind, "strength": strength, "term": term, "theme": theme, "at": "2026-01-01T00:00:00Z"}


def line(session, number, kind, content):
    common = {"sessionId": session, "cwd": "/home/me/app", "gitBranch": "main", "version": "2.1.0", "isSidechain": False, "type": kind}
    at = f"2026-01-0{1 + int(session[-1])}T00:00:{number:02}Z"
    return json.dumps({**common, "uuid": f"{session}-{number}", "timestamp": at, "message": {"role": kind, "content": content}}) + "\n"


@pytest.fixture
def data(tmp_path):
    """A project of four sessions in which the same file is edited, labels of both halves, stand-ins for the scorers."""
    folder = tmp_path / "data"
    (folder / "eval" / "needs").mkdir(parents=True)
    (folder / "transcripts" / "made").mkdir(parents=True)
    (folder / "eval" / "needs" / "needs.py").write_text(SCORER)
    (folder / "eval" / "needs" / "work.py").write_text(WORK)
    labels = []
    for number in range(4):
        session = (ODD if number % 2 else EVEN).format(number)
        given = {"file_path": "/home/me/app/src/loom.py", "old_string": "a", "new_string": "b"}
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "Edit", "input": given}
        answer = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "ok"}
        told = [("user", f"weave pattern {number}"), ("assistant", [call]), ("user", [answer])]
        told.append(("assistant", [{"type": "text", "text": "Woven."}]))
        (folder / "transcripts" / "made" / f"{session}.jsonl").write_text("".join(line(session, at, *each) for at, each in enumerate(told)))
        labels += [label(session, term="loom.py"), label(session, "files", 1, "warp", 1), label(session, "quiet")]
    (folder / "eval" / "needs" / "needs_dev.jsonl").write_text("".join(json.dumps(each) + "\n" for each in labels))
    return folder


def called(data, *options):
    command = [sys.executable, str(SCRIPT), "--data", str(data), "--work", str(data / "work"), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_session_belongs_to_one_half_by_its_last_hex_digit(needs):
    for number in range(4):
        halves = [half for half in ("dev", "held") if needs.is_of(EVEN.format(number), half)]
        assert halves == (["held"] if number % 2 else ["dev"])
        assert needs.is_of(EVEN.format(number), "all")


def test_needs_are_grouped_by_strength_and_kind(needs):
    met = [(label("s"), True), (label("s", "rule", 2), False), (label("s", "rule", 1), True)]
    assert needs.groups(met) == {
        **{"strength 2–3": (1, 2), "all": (2, 3), "strength 1": (1, 1), "strength 2": (0, 1), "strength 3": (1, 1)},
        **{"fix": (1, 1), "rule": (1, 2)},
    }


def test_the_labels_of_the_other_half_count_nowhere(needs, data):
    """Texts of all sessions hold the answer; only those of the half are scored, and their tokens alone are counted."""
    shown = data / "shown.jsonl"
    rows = [row(EVEN.format(0), "start", "x" * 40), row(EVEN.format(0), "start", "loom.py", agent="sub"), row(EVEN.format(2), "prompt", "loom.py")]
    shown.write_text("".join(json.dumps(each) + "\n" for each in [*rows, row(ODD.format(1), "prompt", "loom.py warp" * 50)]))
    found = needs.Scorer(data, "dev").score("made", data / "transcripts" / "made", shown)
    assert found.groups["all"] == (2, 4)
    assert found.groups["strength 2–3"] == (2, 2)
    assert found.themes == (1.0, 1)
    assert (found.floor, found.strong_floor) == ((0, 0), (0, 0))
    assert found.quiet == (1, 2), "a start text keeps a moment quiet"
    assert (found.sessions, found.start_tokens, found.tokens) == (2, 5, (47 + 7) / 8)
    assert found.work == {"earlier work: told by a stand-in": "0.25", "likely files: shown": "0.50 at 0.10"}


def test_the_table_has_two_commits_side_by_side(needs, data):
    scorer = needs.Scorer(data, "all")
    shown = data / "shown.jsonl"
    scores = {}
    for name, text in (("this checkout", "loom.py"), ("before", "")):
        shown.write_text(json.dumps(row(EVEN.format(0), "prompt", text)) + "\n")
        scores[name] = scorer.score("made", data / "transcripts" / "made", shown)
    table = {name: cells for name, *cells in needs.lines(scorer, scores)}
    assert table["strength 2–3"] == ["1/4 0.25 [0.00 1.00]", "0/4 0.00 [0.00 1.00]"]
    assert table["quiet moments kept, to the next prompt"] == ["3/4 0.75 [0.00 1.00]", "4/4 1.00 [0.00 1.00]"]
    assert all(len(cells) == 2 for cells in table.values())


def test_transcripts_are_played_and_scored(data):
    done = called(data, "--half", "all", "--format", "json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["made"]["this checkout"]
    assert found["sessions"] == 4
    assert found["groups"]["fix"][1] == 4
    assert not list((data / "work").iterdir()), "texts of a checkout that changes are not kept"


@pytest.mark.skipif(not (SCRIPT.parents[2] / ".git").exists(), reason="no repository, so no other commit")
def test_another_commit_is_unpacked_played_and_kept(needs, data):
    (data / "work").mkdir()
    place = data / "transcripts" / "made"
    shown = needs.against("HEAD", [place], data / "work")["made"]
    assert {row["session"] for row in map(json.loads, shown.read_text().splitlines())} == {path.stem for path in place.iterdir()}
    shown.write_text("")
    assert needs.against("HEAD", [place], data / "work")["made"].read_text() == "", "it is played once"


def test_texts_for_the_eye_are_drawn_from_the_half_by_the_seed(needs, tmp_path):
    shown = tmp_path / "shown.jsonl"
    rows = [row((ODD if number % 2 else EVEN).format(number % 10), "prompt", f"text {number}" if number % 3 else "", at=number) for number in range(60)]
    shown.write_text("".join(json.dumps(each) + "\n" for each in rows))
    found = needs.drawn(shown, "dev", 5, 4)
    assert found == needs.drawn(shown, "dev", 5, 4) != needs.drawn(shown, "dev", 5, 5)
    assert len(found) == 5
    assert all(each["text"] and needs.is_of(each["session"], "dev") for each in found)
    assert len(needs.drawn(shown, "all", 100, 1)) == 40


def test_a_text_for_the_eye_stands_below_what_was_asked_and_called(needs, data):
    events = needs.sources.of_paths([str(data / "transcripts" / "made")]).events
    call = next(event for event in events if event.name == "tool_before" and event.session_id == EVEN.format(2))
    printed = "\n".join(needs.by_eye([row(call.session_id, "call", "the loom jams", at=call.at)], events))
    assert "last prompt: weave pattern 2" in printed
    assert "call: Edit" in printed
    assert printed.index("src/loom.py") < printed.index("the loom jams")


def test_an_unknown_commit_and_one_without_the_option_are_said(needs, data, tmp_path):
    assert "is no commit" in called(data, "--against", "no-such-revision").stderr
    package = tmp_path / "old" / "memorybank"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text("import sys\nsys.exit('Error: No such option: --shown')\n")
    with pytest.raises(SystemExit, match="it has no `replay --shown`"):
        needs.shown_by(tmp_path / "old", data / "transcripts" / "made", tmp_path / "shown.jsonl")

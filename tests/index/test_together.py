"""How many notes are read, and written, together changes no row."""

import pytest

from memorybank.config.settings import load
from memorybank.index import extract, pending_rows
from memorybank.notes import scan
from memorybank.notes.parse import parse

TABLES = (
    "notes", "tokens", "folded", "keywords", "note_entries", "links", "tags", "anchors", "claims", "decisions", "decision_keys", "replacements", "fingerprints",
    "problems", "frequencies", "superseding", "crowded_keys", "sightings",
)  # fmt: skip
NOTES = {
    f"shared/{number:02d}.md": f"---\ntags: [a{number % 3}]\n---\n# ノート {number}\n\nNever deploy on {('Monday', 'Friday')[number % 2]}"
    f" with `make go{number}`. See [[{number // 2:02d}]] and src/a{number}.py.\n\n検索の順位は必ず日付で決める。\n"
    for number in range(30)
}
NOTES["shared/broken.md"] = "---\ntags: [\n---\nReplaced by [[03]].\n"


def rows(index):
    return {table: sorted(index.connection.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}


@pytest.mark.parametrize("at_once", [1, 2, 7])
def test_rows_are_the_same_whenever_they_are_written(bank, folded, monkeypatch, at_once):
    scratch = bank(NOTES)
    edits = {"shared/04.md": "# Another\n\nNever deploy on Sunday.\n", "shared/40.md": NOTES["shared/05.md"], "shared/05.md": "# Five\n\nSee [[40]].\n"}
    found = []
    for number in (at_once, 1_000):
        monkeypatch.setattr(pending_rows, "AT_ONCE", number)
        for key, text in NOTES.items():
            scratch.write(key, text, days_old=10)
        (scratch.active / "shared/40.md").unlink(missing_ok=True)
        with folded(scratch, anew=True) as index:
            first = rows(index)
        for key, text in edits.items():
            scratch.write(key, text, days_old=2)
        (scratch.active / "shared/07.md").unlink()
        with folded(scratch) as index:
            found.append(({**first, "notes": [], "sightings": []}, {**rows(index), "notes": [], "sightings": []}))
    assert found[0] == found[1]


@pytest.mark.parametrize(("notes", "size"), [(1, 1 << 20), (3, 1 << 20), (64, 300)])
def test_notes_that_are_read_together_are_read_as_alone(bank, monkeypatch, notes, size):
    scratch = bank(NOTES)
    settings, files = load(scratch.layout), list(scan.sweep(scratch.layout).found)
    alone = [extract.extract_all((parse(found.key, NOTES[found.key].encode()),), settings)[0] for found in files]
    monkeypatch.setattr(extract, "_MOST_TOGETHER", notes)
    monkeypatch.setattr(extract, "_MOST_BYTES", size)
    assert list(extract.outcomes_of(scratch.layout, settings, files, [None] * len(files))) == alone
    known = [outcome.digest if at % 3 else None for at, outcome in enumerate(alone)]
    (scratch.active / files[0].key).unlink()
    outcomes = list(extract.outcomes_of(scratch.layout, settings, files, known))
    assert outcomes[0].code == "vanished"
    assert outcomes[1:] == [None if digest else outcome for outcome, digest in zip(alone[1:], known[1:], strict=True)]


def test_a_large_note_is_read_alone(bank, monkeypatch):
    scratch = bank({f"{number}.md": f"# {number}\n\n" + "word " * (400 if number == 2 else 1) for number in range(5)})
    sizes = []
    real = extract.extract_all
    monkeypatch.setattr(extract, "extract_all", lambda notes, settings: sizes.append(len(notes)) or real(notes, settings))
    monkeypatch.setattr(extract, "_MOST_BYTES", 1_000)
    files = list(scan.sweep(scratch.layout).found)
    list(extract.outcomes_of(scratch.layout, load(scratch.layout), files, [None] * 5))
    assert 1 in sizes and sum(sizes) == 5 and len(sizes) >= 2

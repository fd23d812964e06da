"""How the page asks the bank: it examines the notes once in each request, and a read-only page reads a changed note once."""

import pytest

from memorybank.notes import scan


@pytest.fixture
def looks(monkeypatch):
    """Names of what was swept (`*`) and read since the last `clear()`."""
    seen: list[str] = []
    sweep, read = scan.sweep, scan.read
    monkeypatch.setattr(scan, "sweep", lambda layout: (seen.append("*"), sweep(layout))[1])
    monkeypatch.setattr(scan, "read", lambda layout, found: (seen.append(found.key), read(layout, found))[1])
    return seen


NOTES = {f"planning/note-{number}.md": f"# Note {number}\n\nfog over berth {number}\n" for number in range(5)}


def test_a_page_that_only_shows_reads_a_changed_note_once(serve, bank, looks):
    """The note is not read again in each request: what was folded stays in memory, and nothing below the bank changes."""
    scratch = bank(NOTES)
    page = serve(scratch, allow_write=False)
    assert page.get("/health").status == 200
    assert looks.count("planning/note-3.md") == 1
    before = scratch.snapshot()
    looks.clear()
    page.get("/health")
    assert [key for key in looks if key != "*"] == []
    scratch.write("planning/note-3.md", "# Note 3\n\nゆりかもめ gulls\n", days_old=1)
    looks.clear()
    assert "<mark>gulls</mark>" in page.get("/notes", q="gulls").text
    assert "<mark>gulls</mark>" in page.get("/notes", q="gulls").text
    assert [key for key in looks if key != "*"] == ["planning/note-3.md"]
    (scratch.active / "planning/note-3.md").unlink()
    assert "No hits" in page.get("/notes", q="gulls").text
    assert set(scratch.snapshot()) == set(before) - {"active/planning/note-3.md"}, "no cache was written"


def test_typing_is_quick_in_a_large_bank_and_enter_is_thorough(serve, bank, fixed_clock):
    """While one types, the answer says what it did not look at; who presses Enter, or loads the page, is answered from every note."""
    scratch = bank({f"planning/note-{number}.md": f"# Note {number}\n\nfog\n" for number in range(4)})
    scratch.configure("index", '{"freshness": {"max_sweep_notes": 2}}')
    for allow_write in (True, False):
        page = serve(scratch, allow_write=allow_write)
        page.get("/notes", q="fog")
        fixed_clock.instant += 2000
        path = scratch.active / "planning/note-0.md"
        path.write_text(f"# Note 0\n\nゆりかもめ {allow_write}\n", encoding="utf-8")
        typed = page.get("/notes?q=" + str(allow_write), ("hx-request", "true")).text
        assert "No hits" in typed and "Press Enter to check every note first" in typed and "--fresh" not in typed
        assert "note-0.md" in page.get(f"/notes?q={allow_write}&fresh=yes", ("hx-request", "true")).text
        assert "note-0.md" in page.get("/notes", q=str(allow_write)).text


def test_settings_that_change_while_the_page_is_open_count(serve, bank):
    scratch = bank(NOTES, days_old=90)
    page = serve(scratch, allow_write=False)
    assert "5 of 5 notes" in page.get("/rotation").text
    scratch.configure("rotation", '{"rotation_strategy": {"preservation_rules": {"recent_files": {"preserve_days": 365}}}}')
    assert "No note would be archived" in page.get("/rotation").text


def test_time_goes_on_for_a_page_that_only_shows(serve, bank, fixed_clock):
    scratch = bank(NOTES, days_old=1)
    page = serve(scratch, allow_write=False)
    assert "No note would be archived" in page.get("/rotation").text
    fixed_clock.instant += 90 * 86_400_000
    assert "5 of 5 notes" in page.get("/rotation").text


@pytest.mark.parametrize(
    ("path", "sweeps"), [("/health", 1), ("/links", 1), ("/note?key=planning/note-1.md", 1), ("/rotation", 1), ("/", 1), ("/notes", 1), ("/claims", 1)]
)
@pytest.mark.parametrize("allow_write", [True, False])
def test_one_request_looks_at_the_notes_once(serve, bank, looks, path, sweeps, allow_write):
    """The overview also looks for what no index knows: names that are no notes, and how far the index is from the disk."""
    page = serve(bank(NOTES), allow_write=allow_write)
    page.get(path)
    looks.clear()
    page.get(path)
    assert looks.count("*") == sweeps and len([key for key in looks if key != "*"]) == (1 if "note?" in path else 0)

"""Files that a look at all notes found become values late, and are compared with rows without a value of each."""

import tracemalloc

from memorybank.clock import LARGEST_STORABLE
from memorybank.notes.note_files import ListedNotes, NoteFile, NoteSweep


def listed(*folders):
    found = ListedNotes("/bank/active", {})
    for prefix, notes in folders:
        found.add(prefix, [name.encode() for name in notes], [number for state in notes.values() for number in state])
    return found


def test_files_are_sorted_by_key_whatever_the_order_of_folders():
    files = listed(("sync/", {"b.md": (1, 2, 3, 4), "語.md": (5, 6, 7, 8)}), ("", {"z.md": (9, 9, 9, 9)}), ("a/", {})).files()
    expected = [
        NoteFile("sync/b.md", "/bank/active/sync/b.md", 1, 2, 3, 4),
        NoteFile("sync/語.md", "/bank/active/sync/語.md", 5, 6, 7, 8),
        NoteFile("z.md", "/bank/active/z.md", 9, 9, 9, 9),
    ]
    assert list(files) == expected and files[1:] == expected[1:] and len(files) == 3


def test_numbers_that_cannot_be_stored_are_clamped():
    (found,) = listed(("", {"a.md": (1, -5, 2**63 - 1, 2**64 - 1)})).files()
    assert found.state == (1, -5, LARGEST_STORABLE, LARGEST_STORABLE)


def test_only_files_with_another_state_and_rows_without_a_file_are_told():
    files = listed(("", {"a.md": (1, 1, 1, 1), "b.md": (2, 2, 2, 2), "c.md": (3, 3, 3, 3), "d.md": (4, 4, 4, 4)})).files()
    gone: list[str] = []
    rows = [("b.md", (2, 2, 2, 2)), ("c.md", (3, 9, 3, 3)), ("d.md", (None, 4, 4, 4)), ("gone.md", (1, 1, 1, 1))]
    assert [found.key for found in files.different(rows, gone)] == ["a.md", "c.md", "d.md"] and gone == ["gone.md"]
    assert files.different([], []) is files


def test_a_note_takes_little_memory_until_it_is_asked_for():
    names = {f"a-note-with-a-name-of-usual-length-{number}.md": (3_000 + number, 10**18 + number, 10**18, 10**7 + number) for number in range(20_000)}
    tracemalloc.start()
    try:
        swept = NoteSweep(listed(("planning/", names)), {}, [])
        count = sum(1 for _ in swept.files)
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert count == swept.count == 20_000
    assert taken < 20_000 * 200, "as values, they take 500 bytes each"

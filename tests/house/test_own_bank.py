"""This repository's own bank has enough notes, in both languages, with working links and without problems."""

import os
from pathlib import Path

from memorybank.notes import scan
from memorybank.notes.parse import parse
from memorybank.storage.layout import describe
from memorybank.text.words import language

ROOT = Path(__file__).resolve().parents[2]
BANK = ROOT / ".claude" / "memory"
NOTES = [parse(found.key, Path(found.path).read_bytes()) for found in scan.sweep(describe(str(BANK))).found]


def test_it_holds_what_the_next_person_needs():
    assert len(NOTES) >= 20
    assert sum(language.identify(note.text) == "ja" for note in NOTES) >= 6
    assert {note.key.split("/")[0] for note in NOTES} == {"planning", "implementation", "sync", "shared"}


def test_its_notes_have_no_problems():
    assert [problem for note in NOTES for problem in note.problems] == []
    assert [note.key for note in NOTES if not note.front.title or not note.front.tags] == []


def test_its_links_lead_somewhere():
    """Relative targets exist, and wiki links name a note."""
    stems = {Path(note.key).stem for note in NOTES}
    broken = []
    for note in NOTES:
        folder = BANK / "active" / os.path.dirname(note.key)
        for link in note.links:
            if link.kind == "link" and not (folder / link.target).exists():
                broken.append((note.key, link.target))
            if link.kind == "wiki" and Path(link.target).stem not in stems:
                broken.append((note.key, link.target))
    assert broken == []


def test_it_is_committed_without_local_files():
    ignored = (BANK / ".gitignore").read_text(encoding="utf-8").split()
    assert {"log/", "backups/", "cache/", "indexes/", "metadata/"} <= set(ignored)

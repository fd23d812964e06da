"""Markdown catalogues of the archive."""

import random

from memorybank.archive import catalogues
from memorybank.scoring import importance
from tests.archive.test_object import NOW, described
from tests.archive.test_store import write

OBJECTS = [
    described(original_path="a.md", title="A *title* [with] `marks`", topics=("Search", "検索")),
    described(original_path="b.md", title="新しい", topics=("search",), archived_at=NOW + 86_400_000, importance=4.0),
    described(original_path="c.md", title="C", topics=(), gist="", importance=9.5),
]


def test_pages_by_importance_and_topic():
    pages = catalogues.render(OBJECTS)
    assert {path for path in pages if path.startswith("by_importance")} == {"by_importance/low.md", "by_importance/medium.md", "by_importance/critical.md"}
    assert {path for path in pages if path.startswith("by_topic")} == {"by_topic/search.md", "by_topic/検索.md", "by_topic/untitled.md"}
    search = pages["by_topic/search.md"]
    assert search.index("新しい") < search.index("A \\*title\\*"), "newest first"
    assert f"`{OBJECTS[0].id}`" in search and "2025-09-17" in search and "`a.md`" in search and "What it is." in search


def test_the_order_of_the_objects_does_not_matter():
    shuffled = list(OBJECTS)
    random.Random(1).shuffle(shuffled)
    assert catalogues.render(shuffled) == catalogues.render(OBJECTS)


def test_buckets_are_those_of_the_scores():
    assert [catalogues.bucket_of(tenth / 10) for tenth in range(101)] == [importance.bucket(tenth / 10) for tenth in range(101)]


def test_writing_follows_the_archive(bank):
    scratch = bank()
    write(scratch.layout, b"x", topics=("one", "../../evil", "a/b"))
    catalogues.write(scratch.layout)
    names = sorted(path.name for path in (scratch.root / "archive" / "by_topic").iterdir())
    assert names == ["a-b.md", "evil.md", "one.md"]
    stale = scratch.root / "archive" / "by_topic" / "gone.md"
    stale.write_text("old")
    before = scratch.snapshot("archive/by_topic")
    catalogues.write(scratch.layout)
    assert not stale.exists()
    after = scratch.snapshot("archive/by_topic")
    assert after["archive/by_topic/one.md"] == before["archive/by_topic/one.md"], "an unchanged page is not written again"


def test_an_empty_archive_makes_no_folders(bank):
    scratch = bank()
    catalogues.write(scratch.layout)
    assert not (scratch.root / "archive").exists()

"""What links point at."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.notes.note import Link
from memorybank.notes.targets import RepositoryFile, name_of, resolve, waiting_name


def bank(*keys: str) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for key in keys:
        names.setdefault(name_of(key), []).append(key)
    return names


KEYS = bank(
    "planning/overview.md",
    "planning/設計.md",
    "shared/API設計.md",
    "shared/用語集.md",
    "shared/まとめ.md",
    "sync/overview.md",
    "sync/_draft.md",
    "top.md",
    "a b.md",
    "shared/" + normalize("NFD", "ガイド.md"),
)
GUIDE = "shared/" + normalize("NFD", "ガイド.md")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("overview.md", "planning/overview.md"),
        ("./overview.md", "planning/overview.md"),
        ("../sync/overview.md", "sync/overview.md"),
        ("../top.md", "top.md"),
        ("../a b.md", "a b.md"),
        ("設計.md", "planning/設計.md"),
        ("../shared/ガイド.md", GUIDE),
        ("/.claude/memory/active/top.md", "top.md"),
        ("missing.md", None),
        ("../sync", None),
        ("..", None),
        ("../../summary.md", RepositoryFile(".claude/memory/summary.md")),
        ("../../../../src/main.py", RepositoryFile("src/main.py")),
        ("/docs/x.md", RepositoryFile("docs/x.md")),
        ("../../../../..", None),
        ("../../../../../other/x.md", None),
        ("../../../../", None),
        ("/", None),
        ("/../x", None),
        ("a\0b", None),
    ],
)
def test_relative_links(target: str, expected: object) -> None:
    assert resolve("planning/source.md", Link("link", target), KEYS) == expected


def test_a_bank_elsewhere_in_the_repository() -> None:
    assert resolve("a/x.md", Link("link", "../../README.md"), KEYS, "notes/active") == RepositoryFile("notes/README.md")
    assert resolve("a/x.md", Link("link", "../../../README.md"), KEYS, "notes/active") == RepositoryFile("README.md")
    assert resolve("a/x.md", Link("link", "../../../../README.md"), KEYS, "notes/active") is None
    assert resolve("a/x.md", Link("link", "../top.md"), KEYS, "notes/active") == "top.md"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("planning/overview.md", "planning/overview.md"),
        ("planning/overview", "planning/overview.md"),
        ("overview", None),
        ("top", "top.md"),
        ("top.md", "top.md"),
        ("用語集", "shared/用語集.md"),
        ("API設計", "shared/API設計.md"),
        ("設計", "planning/設計.md"),
        ("計", None),
        ("ガイド", GUIDE),
        ("shared/ガイド", GUIDE),
        ("other/用語集", None),
        ("a b", "a b.md"),
        ("_draft", "sync/_draft.md"),
        ("draft", None),
    ],
)
def test_wiki_links(target: str, expected: str | None) -> None:
    assert resolve("x.md", Link("wiki", target), KEYS) == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("planning/overview.md", "planning/overview.md"),
        ("overview.md", None),
        ("top.md", "top.md"),
        ("./top.md", "top.md"),
        ("stop.md", None),
        ("docs/top.md", None),
        ("active/top.md", "top.md"),
        (".claude/memory/active/planning/設計.md", "planning/設計.md"),
        ("/home/u/repo/.claude/memory/active/top.md", "top.md"),
        ("interactive/top.md", None),
        ("設計.md", "planning/設計.md"),
        ("詳細は設計.md", "planning/設計.md"),
        ("詳細はplanning/設計.md", "planning/設計.md"),
        ("詳細はactive/planning/設計.md", "planning/設計.md"),
        ("詳細はdocs/設計.md", None),
        ("API設計.md", "shared/API設計.md"),
        ("新しいAPI設計.md", "shared/API設計.md"),
        ("REST設計.md", "planning/設計.md"),
        ("基本設計.md", None),
        ("詳細はまとめ.md", "shared/まとめ.md"),
        ("これはtop.md", "top.md"),
        ("_draft.md", "sync/_draft.md"),
        ("_top.md", "top.md"),
        ("__top.md", "top.md"),
        ("これは_draft.md", "sync/_draft.md"),
        ("これは_top.md", "top.md"),
        ("snake_top.md", None),
        ("ガイド.md", GUIDE),
        ("次のガイド.md", GUIDE),
    ],
)
def test_mentions(target: str, expected: str | None) -> None:
    assert resolve("x.md", Link("mention", target), KEYS) == expected


def test_a_note_never_links_to_itself() -> None:
    for link in (Link("link", "top.md"), Link("wiki", "top"), Link("mention", "top.md")):
        assert resolve("top.md", link, KEYS) is None


def test_external_links_point_at_no_note() -> None:
    assert resolve("x.md", Link("external", "https://e.org/top.md"), KEYS) is None
    assert waiting_name(Link("external", "https://e.org/top.md")) == ""


def test_twins_that_differ_only_in_normalization_are_told_apart_by_the_exact_form() -> None:
    composed, decomposed = "ガ.md", normalize("NFD", "ガ.md")
    twins = bank(composed, decomposed)
    assert resolve("x.md", Link("link", composed), twins) == composed
    assert resolve("x.md", Link("link", decomposed), twins) == decomposed
    assert resolve("x.md", Link("wiki", "ガ"), twins) == composed


TEXT = st.text(st.sampled_from("abZ_~-1.はをのかめ設計語ガー /é"), min_size=1, max_size=10)


class _NoBuckets(dict[str, list[str]]):
    """Every key under every name."""

    def __init__(self, keys: list[str]) -> None:
        super().__init__()
        self.keys_of_all = keys

    def get(self, name: str, default: object = ()) -> list[str]:  # type: ignore[override]
        return self.keys_of_all


@given(st.lists(TEXT, min_size=1, max_size=4), TEXT, TEXT, st.sampled_from(["link", "wiki", "mention"]))
def test_the_notes_of_one_name_decide_what_a_link_means(stems: list[str], prefix: str, end: str, kind: str) -> None:
    """The promise that the index lives by: asking all notes gives the same answer as asking those under the waiting name."""
    keys = sorted({f"{stem.strip('/ ') or 'n'}.md".replace("//", "/") for stem in stems})
    for target in (*keys, *(prefix + key for key in keys), *(key.removesuffix(".md") for key in keys), end + ".md"):
        link = Link(kind, target)
        assert resolve("source/s.md", link, bank(*keys)) == resolve("source/s.md", link, _NoBuckets(keys)), target


@given(st.lists(TEXT, min_size=1, max_size=4), TEXT)
def test_resolving_never_raises(stems: list[str], target: str) -> None:
    names = bank(*(f"{stem}.md" for stem in stems))
    for kind in ("link", "wiki", "mention"):
        resolve("s.md", Link(kind, target), names)
        resolve("s.md", Link(kind, target + ".md"), names)

"""Claims on the page: the list with its filters, and those of one note, in both languages and without a script."""

import html
import re
from types import SimpleNamespace

import pytest

from memorybank.claims.claim import KINDS, STATES
from memorybank.ui import words
from tests.claims.conftest import PlantedRepository

from .conftest import visible


@pytest.fixture
def repository(tmp_path):
    made = PlantedRepository(tmp_path / "repository")
    made.commit(0, add=["src/upload.py", "src/parser.py", "src/main.py"])
    made.commit(10, rename={"src/upload.py": "src/transfer.py"}, delete=["src/parser.py"])
    made.note("planning/upload.md", "# Upload\n\nRetried in `src/upload.py`, started by `src/main.py`.\n", 5)
    made.note("planning/設計.md", "# 設計\n\n構文解析は `src/parser.py`。鍵は2025年9月1日まで有効。\n", 5)
    return made


@pytest.fixture
def scratch(repository):
    return SimpleNamespace(root=repository.active.parent)


def rows(text: str) -> list[str]:
    """Return the rows of the tables as texts."""
    return [" ".join(visible(row).split()) for row in re.findall(r"<tr>.*?</tr>", text.partition("<tbody>")[2], re.S)]


def test_the_list_says_what_is_outdated_and_why(serve, scratch, repository):
    commit = repository.git("rev-parse", "HEAD")[:7]
    shown = serve(scratch).get("/claims")
    assert shown.status == 200
    assert rows(shown.text) == [
        f"planning/upload.md 3 moved path src/upload.py src/upload.py was renamed to src/transfer.py in {commit}",
        f"planning/設計.md 3 gone path src/parser.py src/parser.py was deleted in {commit}",
        "planning/設計.md 3 expired date 2025年9月1日まで said to hold until 2025-09-01",
    ]


def test_filters_are_a_form_that_needs_no_script(serve, scratch):
    page = serve(scratch)
    shown = page.get("/claims", state="gone").text
    assert [row.split()[0] for row in rows(shown)] == ["planning/設計.md"]
    assert '<option value="gone" selected>' in shown and '<form method="get"' in shown
    assert len(rows(page.get("/claims", kind="date").text)) == 1
    assert [row.split()[4] for row in rows(page.get("/claims", state="holds").text)] == ["src/main.py"]
    assert "There are no claims of this state and kind." in page.get("/claims", state="changed").text
    assert page.get("/claims", state="lost").status == 400
    assert page.get("/claims", kind="<script>").status == 400


def test_japanese(serve, scratch, repository):
    shown = serve(scratch, languages="ja").get("/claims").text
    assert "期限切れ" in shown and "2025-09-01 までとある" in shown and "なくなった" in shown
    assert "名指しするもの" in serve(scratch, languages="ja").get("/note", key="planning/upload.md").text


def test_a_note_has_its_claims_with_states(serve, scratch):
    shown = html.unescape(serve(scratch).get("/note", key="planning/upload.md").text)
    assert "What it names in the repository" in shown
    section = shown.partition("What it names in the repository")[2]
    assert [row.split()[1:4] for row in rows(section)[:2]] == [["moved", "path", "src/upload.py"], ["holds", "path", "src/main.py"]]


def test_the_overview_links_to_it_and_a_bank_without_claims_has_an_empty_list(serve, bank):
    page = serve(bank({"a.md": "# A\n\nText.\n"}))
    assert "/claims" in page.get("/").text
    assert "There are no claims of this state and kind." in page.get("/claims").text
    assert "What it names" not in page.get("/note", key="a.md").text


def test_every_state_and_kind_has_a_name_in_both_languages():
    for name in (*(f"claim_state.{state}" for state in STATES), *(f"claim_kind.{kind}" for kind in KINDS)):
        assert words.text_of("en", name) and words.text_of("ja", name) != words.text_of("en", name)

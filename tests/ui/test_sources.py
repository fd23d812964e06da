"""Files that are read in place, on the page: found, shown and linked, but without the forms that would change them."""

import json

import pytest

from .conftest import visible


@pytest.fixture
def documents(bank):
    scratch = bank({"planning/proxy.md": "# The proxy\n\nIt cuts uploads, see docs/adr/0001-uploads.md.\n"})
    adr = scratch.repository / "docs" / "adr"
    adr.mkdir(parents=True)
    (adr / "0001-uploads.md").write_text("# Uploads are resumed\n\nA quokka decided so.\n", encoding="utf-8")
    scratch.configure("sources", json.dumps({"sources": [{"name": "adr", "kind": "decisions", "path": "docs/adr"}]}))
    return scratch


def test_a_source_is_found_and_shown_without_forms(serve, documents):
    page = serve(documents)
    assert "<mark>quokka</mark>" in page.get("/notes", q="quokka").text
    shown = page.get("/note", key="./docs/adr/0001-uploads.md")
    assert shown.status == 200
    assert "belongs to the source adr" in visible(shown.text)
    assert 'action="/note/rate"' not in shown.text
    assert 'action="/note/bookmark"' not in shown.text
    assert "planning/proxy.md" in shown.text, "the note that links to it"
    assert 'action="/note/rate"' in page.get("/note", key="planning/proxy.md").text


def test_a_form_sent_all_the_same_is_refused(serve, documents):
    page = serve(documents)
    path = documents.repository / "docs/adr/0001-uploads.md"
    before = path.read_bytes()
    for form in ({"rating": "9"},):
        answer = page.post("/note/rate", key="./docs/adr/0001-uploads.md", **form)
        assert answer.status >= 400
        assert "only read" in answer.text
    assert page.post("/note/bookmark", key="./docs/adr/0001-uploads.md").status >= 400
    assert path.read_bytes() == before


def test_the_overview_lists_sources_in_both_languages(serve, documents):
    assert "Read in place" in visible(serve(documents).get("/health").text)
    assert "元の場所で読むファイル" in visible(serve(documents, languages="ja").get("/health").text)
    assert "adr" in visible(serve(documents).get("/health").text)


def test_the_drawing_of_links_has_sources_too(serve, documents):
    drawn = serve(documents).get("/links")
    assert drawn.status == 200
    assert "docs/adr/0001-uploads.md" in drawn.text

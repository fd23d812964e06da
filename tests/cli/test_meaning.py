"""`memorybank index --meaning` and searches by meaning on the command line: consent, output, messages."""

import json
import sys

import pytest

from tests.meaning.conftest import NOTES


@pytest.fixture
def scratch(bank, server, choose_embedder):
    choose_embedder(use="endpoint", url=server.url, model="concepts")
    return bank(NOTES)


def test_nothing_is_sent_before_a_person_agrees(run, scratch, server):
    refused = run(scratch, "index", "--meaning")
    assert refused.code == 2 and "8 passages" in refused.err and f"127.0.0.1:{server.port}" in refused.err and "--yes" in refused.err
    assert server.requests == []
    agreed = run(scratch, "index", "--meaning", "--yes")
    assert (agreed.code, agreed.out.splitlines()[-1]) == (0, "8 passages of 8 documents: 8 embedded")
    again = run(scratch, "index", "--meaning")
    assert again.out.splitlines()[-1] == "8 passages of 8 documents: nothing changed" and len(server.requests) == 1


@pytest.mark.parametrize(("answer", "code"), [(b"y\n", 0), (b"n\n", 130)])
def test_a_person_is_asked_in_a_terminal(run, scratch, server, monkeypatch, answer, code):
    import io

    terminal = io.TextIOWrapper(io.BytesIO(answer))
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "stdin", terminal)
    assert run(scratch, "index", "--meaning").code == code
    assert bool(server.requests) == (code == 0)


def test_search_prints_how_hits_were_found(run, scratch):
    run(scratch, "index", "--meaning", "--yes")
    table = run(scratch, "search", "--type", "hybrid", "vehicle", "fern", "-n", "2")
    assert table.code == 0 and "meaning" in table.out
    data = json.loads(run(scratch, "search", "--type", "semantic", "vehicle", "--format", "json").out)
    assert data["type"] == "semantic" and data["hits"][0]["key"] == "planning/car.md" and data["hits"][0]["found_by"] == "meaning"


def test_messages_say_what_to_do(run, bank, choose_embedder):
    choose_embedder()
    plain = bank(NOTES)
    for arguments in (("search", "--type", "semantic", "x"), ("index", "--meaning")):
        result = run(plain, *arguments)
        assert result.code == 6 and "no embedder is configured" in result.err and "config.json" in result.err
    hybrid = run(plain, "search", "--type", "hybrid", "automobile")
    assert hybrid.code == 0 and hybrid.err.count("searched by words only") == 1 and "planning/car.md" in hybrid.out


def test_vectors_are_deleted_and_reported(run, scratch):
    run(scratch, "index", "--meaning", "--yes")
    assert run(scratch, "index", "--no-meaning").out.endswith("the vectors are deleted\n")
    assert run(scratch, "index", "--no-meaning").out.endswith("there were no vectors\n")
    assert json.loads(run(scratch, "index", "--meaning", "--format", "json").out)["meaning"]["passages"] == 8


@pytest.mark.parametrize("wrong", [("--check", "--meaning"), ("--yes",), ("--no-meaning", "--yes")])
def test_options_that_exclude_each_other(run, scratch, wrong):
    assert run(scratch, "index", *wrong).code == 2


def test_one_search_over_all_banks(run, bank, server, choose_embedder):
    """Each bank has its own vectors or none; shares of a full match are compared."""
    choose_embedder(use="endpoint", url=server.url, model="concepts")
    scratch = bank(NOTES, git=True)
    run(scratch, "index", "--meaning", "--yes")
    other = scratch.repository / "services" / "api" / ".claude" / "memory" / "active"
    other.mkdir(parents=True)
    (other / "van.md").write_text("# Van\n\nThe vehicle of the service.\n", encoding="utf-8")
    found = run(scratch, "search", "--all-banks", "--type", "hybrid", "vehicle", "--format", "json")
    assert found.code == 0, found.err
    hits = {hit["key"]: (hit["bank"], hit["found_by"]) for hit in json.loads(found.out)["hits"][:2]}
    assert hits == {"van.md": ("services/api/.claude/memory", "words"), "planning/car.md": (".claude/memory", "meaning")}
    assert "searched by words only" in found.err

"""Eight layouts of real projects: what is found, that originals never change, that answers come from them, and that taking it back is exact."""

import json
import re

import pytest

from tests.adopt.conftest import DATA, LAYOUTS

ANSWERS = {
    "basic-memory": [("reciprocal rank fusion", "Search Ranking.md"), ("quoted phrases", "query-parser.md"), ("日本語 bigrams", "Tokenizer.md")],
    "claude-code": [("invoice numbers reused", "invoices.md"), ("small commits", "MEMORY.md")],
    "claude-mem": [("webhook signature tolerance seconds", "observation-1.md"), ("署名の検証 ヘッダー", "summary-1.md")],
    "codex": [("cache warm-up health check", "cache_warmup.md"), ("make check", "AGENTS.md")],
    "documentation": [
        ("exponential backoff jitter", "docs/adr/0002-retry-with-jitter.md"),
        ("断片だけを再送", "docs/guides/アップロード.md"),
        ("connection pool gateway", "CHANGELOG.md"),
        ("port 9443 busy", ".learnings/LEARNINGS.md"),
    ],
    "instructions": [
        ("uv pip", "CLAUDE.md"),
        ("label printer transcode", "AGENTS.md"),
        ("日付はUTCで保存", "GEMINI.md"),
        ("concurrent index migration", ".cursor/rules/sql.mdc"),
    ],
    "memory-bank": [("ferry overbooking", "memory-bank/projectbrief.md"), ("乗船券 出港", "memory-bank/productContext.md")],
    "obsidian": [("label printer firmware", "Label printer.md"), ("再送は三回", "再送の方針.md")],
}
FOREIGN = ("payroll", "confidential", "dentist", "secret plans", "unrelated", "thrown away", "not documentation of this project", "diary")
"""Words of other projects' files, deleted files and installed packages."""


@pytest.fixture(params=LAYOUTS)
def laid_out(request, world):
    made = world(request.param)
    made.name = request.param
    return made


def every_name(made) -> list[str]:
    return [found["name"] for found in json.loads(made.run("adopt", "--json").out)["found"]]


def anywhere(text: str, made) -> str:
    """The text without what depends on where the tests run: the name of the folder, the sizes of files that contain it, and the widths of columns."""
    text = text.replace(re.sub("[^A-Za-z0-9]", "-", str(made.project)), "{SLUG}")
    return re.sub(" {2,}", "  ", re.sub(r" *\d+ B", "  SIZE", text))


def test_the_preview(laid_out, request):
    before = laid_out.truth()
    shown = laid_out.run("adopt")
    assert shown.code == 0
    assert laid_out.truth() == before, "a preview changes nothing"
    golden = DATA / laid_out.name / "preview.txt"
    text = anywhere(shown.out, laid_out)
    if request.config.getoption("--rewrite"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.slow
def test_in_place_and_back(laid_out):
    truth, originals = laid_out.truth(), laid_out.originals()
    laid_out.adopt(*every_name(laid_out))
    assert laid_out.run("index").code == 0
    for query, name in ANSWERS[laid_out.name]:
        found = laid_out.run("search", query)
        assert found.code == 0
        assert name in found.out.split("\n")[1], (query, found.out)
    everything = laid_out.run("search", "", "--type", "recent", "--limit", "100").out.lower()
    listed = laid_out.run("list", "--sources", "--json").out.lower()
    for word in FOREIGN:
        assert word not in everything
        assert word not in laid_out.run("search", word).out.lower()
    assert "node_modules" not in listed
    assert laid_out.run("index", "--check").out == "index and notes agree\n"
    assert "config.sources" not in laid_out.run("doctor").out
    assert laid_out.originals() == originals, "reading in place changes neither a byte nor a date"
    undone = laid_out.run("adopt", "--undo")
    assert undone.code == 0, undone.err
    assert laid_out.truth() == truth
    assert laid_out.run("list", "--sources").out.startswith("nothing is read in place")
    for query, name in ANSWERS[laid_out.name]:
        assert name not in laid_out.run("search", query).out


def test_copied_and_back(laid_out):
    truth, originals = laid_out.truth(), laid_out.originals()
    laid_out.adopt(*every_name(laid_out), "--copy")
    assert laid_out.originals() == originals
    notes = laid_out.run("list", "--all").out
    for query, name in ANSWERS[laid_out.name]:
        stem = name.rpartition("/")[2].rpartition(".")[0]
        found = laid_out.run("search", query)
        assert stem in found.out.split("\n")[1], (query, found.out)
        assert stem in notes
    some = next(path for path in sorted((laid_out.root / "active").rglob("*.md")))
    assert "origin: " in some.read_text(encoding="utf-8").partition("\n---")[0]
    assert '"kind":"adopt"' in (laid_out.root / "dates.jsonl").read_text(encoding="utf-8").replace(" ", ""), "a grace begins for what was copied"
    assert laid_out.run("adopt", "--undo").code == 0
    assert laid_out.truth() == truth


def test_outside_the_repository_only_by_name(laid_out):
    private = {found["name"] for found in json.loads(laid_out.run("adopt", "--json").out)["found"] if found["private"]}
    laid_out.run("adopt", "--all", "--yes")
    adopted = laid_out.run("list", "--sources", "--json").out
    assert not [name for name in private if f'"name": "{name}"' in adopted]
    assert not laid_out.own_settings.exists()
    for name in private:
        laid_out.adopt(name)
    if private:
        assert str(laid_out.root) in laid_out.own_settings.read_text(encoding="utf-8")
        committed = laid_out.root / "config" / "sources_config.json"
        assert not committed.exists() or str(laid_out.home) not in committed.read_text(encoding="utf-8")

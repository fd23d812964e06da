"""The generated banks are what the benchmark says they are, and its table can be read by a program."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.scripts import loaded

pytestmark = pytest.mark.slow

BENCH = Path(__file__).resolve().parents[2] / "scripts" / "bench"


@pytest.fixture(scope="module")
def generate():
    return loaded("bench/generate.py")


@pytest.fixture(scope="module")
def notes(generate):
    generator = generate.Generator(7)
    return dict(generator.note() for _ in range(400))


def test_the_same_seed_gives_the_same_notes(generate, notes):
    again = generate.Generator(7)
    assert [again.note() for _ in range(50)] == [*notes.items()][:50]
    assert generate.Generator(8).note() not in notes.items()
    assert generate.queries(7) == generate.queries(7)


def test_notes_are_bilingual_and_about_three_kilobytes(notes):
    japanese = sum(len(re.findall("[ぁ-ん]", text)) > 100 for text in notes.values())
    assert 0.3 < japanese / len(notes) < 0.5
    assert 2_900 < sum(len(text.encode()) for text in notes.values()) / len(notes) < 3_700


def test_words_are_distributed_as_in_language(notes):
    """Half of the words of a text come from a few frequent ones, and many words come only once."""
    words = re.findall(r"[A-Za-z]+", " ".join(notes.values()).lower())
    times = Counter(words)
    counts = sorted((times[word] for word in set(words[:4000])), reverse=True)
    assert counts[0] > 20 * counts[len(counts) // 2]
    assert len(set(words)) > 5_000


def test_links_lead_to_notes_that_exist(notes):
    linked = re.findall(r"\[\[([^\]]+)\]\]", "\n".join(notes.values()))
    relative = re.findall(r"\]\(\.\./\.\./([^)]+)\)", "\n".join(notes.values()))
    assert len(linked) > 50 and len(relative) > 50
    assert {*linked, *relative} <= notes.keys()


def test_every_query_has_words_of_the_notes(generate):
    asked = generate.queries(7)
    assert set(asked) == {f"{kind} {rank}" for kind in ("keyword", "content") for rank in ("common", "middling", "rare")}
    for queries in asked.values():
        assert any(query.isascii() for query in queries)
        assert any(not query.isascii() for query in queries)


def test_the_table_can_be_read_by_a_program(tmp_path):
    command = [sys.executable, str(BENCH / "bank"), "--sizes", "20", "--rounds", "1", "--rows", "start", "--format", "json", "--work", str(tmp_path)]
    result = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert [row["operation"] for row in result["rows"]] == ["--help", "--version"]
    assert all(row["ratio"] > 0 for row in result["rows"])


@pytest.mark.parametrize("parts", [pytest.param("peers", id="one"), pytest.param("growth,commands-large,page,peers", id="four", marks=pytest.mark.full)])
def test_one_command_collects_the_rows_of_several_benchmarks(tmp_path, monkeypatch, parts):
    """Each row has a figure; a benchmark that cannot run is a row that says so, and the others still run."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    result = subprocess.run(
        [sys.executable, str(BENCH / "all"), "--small", "--parts", parts, "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    rows = json.loads(result.stdout)["rows"]
    assert {row["part"] for row in rows} == set(parts.split(","))
    assert all(row["measured"] and row["verdict"] != "failed" for row in rows)
    assert any(row["operation"] == "memorybank, question Japanese" and row["measured"].endswith("hit@5 1.00") for row in rows)
    broken = loaded("bench/all")
    broken.PARTS["nothing"] = broken.Part((), (), (), broken.of_bank)
    assert [(row.verdict, "No such file" in row.measured) for row in broken.run("nothing", "small")] == [("failed", True)]


def test_what_is_not_installed_is_a_row_that_says_how_to_install_it():
    rows = [*loaded("bench/all").of_peers({"notes": 50, "rows": [], "missing": {"ripgrep": "apt-get install ripgrep"}})]
    assert rows == [("ripgrep", "not installed: apt-get install ripgrep", "", "left out")]


def test_every_size_of_a_run_has_options_that_its_benchmark_knows():
    for name, part in loaded("bench/all").PARTS.items():
        told = subprocess.run([sys.executable, str(BENCH / (part.program or name)), "--help"], capture_output=True, text=True, check=True).stdout
        assert all(option in told for option in (*part.full, *part.quick, *part.small) if option.startswith("--")), name


@pytest.fixture(scope="module")
def sessions():
    return loaded("bench/sessions.py")


def test_generated_sessions_are_what_hooks_would_have_written(sessions, bank):
    """Both languages, failures that are mended, chained lines that verify; the same events for the same seed."""
    from memorybank.log import chain, events

    scratch = bank()
    wanted = 200
    lines = sessions.generate(scratch.root, wanted, 7, 30.0)
    written = [line.fields for name in events.names(scratch.layout) for line in events.read(scratch.layout, name)]
    assert wanted <= lines == len(written)
    assert {check.state for check in chain.check(scratch.layout)} == {"whole"}
    assert {"session_start", "prompt", "tool_before", "tool_after", "turn_end", "session_end"} == {line["event"] for line in written}
    prompts = [line["inputs"]["text"] for line in written if line["event"] == "prompt"]
    japanese = sum(bool(re.search("[ぁ-んァ-ヶ一-龯]", text)) for text in prompts)
    assert 0 < japanese < len(prompts)
    failures = [line for line in written if line["status"] == "failure"]
    assert 0.05 < len(failures) / sum(line["event"] == "tool_after" for line in written) < 0.2
    assert sessions.Sessions(7, "/r").session(0) == sessions.Sessions(7, "/r").session(0) != sessions.Sessions(8, "/r").session(0)


@pytest.mark.parametrize(
    ("parts", "count"),
    [pytest.param("micro,start", 10, id="two"), pytest.param("record,micro,recall,start", 19, id="four", marks=pytest.mark.full)],
)
def test_the_bench_of_hooks_measures_hooks_that_do_something(tmp_path, parts, count):
    """Every row has a ratio, and a session's start has an answer: a hook that failed silently would be very fast."""
    command = [sys.executable, str(BENCH / "hooks"), "--notes", "20", "--events", "60", "--rounds", "2", "--rows", parts]
    result = json.loads(subprocess.run([*command, "--format", "json", "--work", str(tmp_path)], capture_output=True, text=True, check=True).stdout)
    rows = {row["operation"]: row for row in result["rows"]}
    assert len(rows) == count
    assert all(row["verdict"] != "failed" for row in rows.values())
    assert all(row["ratio"] > 0 for operation, row in rows.items() if not operation.endswith("what it adds")), "a difference of two may be none"
    assert rows["session start"]["remark"].endswith("2 of 2 answered")
    log = tmp_path / "hooks-git-20-60-1" / "repository" / ".claude" / "memory" / "log"
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in log.glob("events/bench-micro-*.jsonl")) == 5 * 4
    assert not (log / "hook_errors.jsonl").exists()


def test_every_kind_of_large_text_has_its_size_and_the_same_bytes_each_time():
    sys.path.insert(0, str(BENCH))
    import large_texts

    sys.path.remove(str(BENCH))
    for kind in large_texts.KINDS:
        data = large_texts.text(kind, 40_000)
        assert 39_990 < len(data) <= 40_000 and data.decode() and data == large_texts.text(kind, 40_000), kind

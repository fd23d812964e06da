"""score, index, rebuild, config, completion."""

import json
import os

import pytest

NOTES = {f"planning/{name}.md": f"# {name}\n\nText of {name}. TODO\n\n- [a](a.md)\n" for name in ("a", "b", "c")} | {"shared/語.md": "# 語\n\n日本語の本文。\n"}


def test_scores_come_most_important_first(bank, run):
    scored = json.loads(run(bank(NOTES), "score", "--format", "json").out)
    assert [note["importance"] for note in scored] == sorted((note["importance"] for note in scored), reverse=True)
    assert len(json.loads(run(bank(NOTES), "score", "--limit", "2", "--format", "json").out)) == 2


def test_explained_parts_add_up(bank, run):
    """The contributions, printed with four decimals, sum to the value that is rounded to the importance."""
    for note in json.loads(run(bank(NOTES), "score", "--explain", "--format", "json").out):
        total = sum(part["contribution"] for part in note["contributions"])
        assert abs(total - note["importance"]) <= 0.0501
        assert all(part["reason"] and part["code"].startswith("score.") for part in note["contributions"])


def test_explain_prints_the_sum_and_the_score(bank, run):
    text = run(bank(NOTES), "score", "planning/a.md", "--explain").out
    assert text.startswith("planning/a.md: ") and "\nsum " in text and ", rounded " in text


def test_as_of_another_day_changes_scores_but_not_the_published_ones(bank, run):
    scratch = bank(NOTES)
    run(scratch, "index")
    today = json.loads(run(scratch, "score", "--format", "json").out)
    before = scratch.snapshot("indexes")
    later = json.loads(run(scratch, "score", "--as-of", "+60d", "--format", "json").out)
    assert sum(note["importance"] for note in later) < sum(note["importance"] for note in today)
    assert scratch.snapshot("indexes") == before
    assert json.loads(run(scratch, "score", "--format", "json").out) == today


def test_index_publishes_the_four_documents(bank, run):
    scratch = bank(NOTES)
    assert json.loads(run(scratch, "index", "--format", "json").out)["added"] == len(NOTES)
    assert sorted(os.listdir(scratch.root / "indexes")) == [f"{name}_index.json" for name in ("content", "importance", "keyword", "temporal")]
    assert json.loads(run(scratch, "index", "--format", "json").out)["read"] == 0


def test_check_exits_9_when_index_and_notes_differ(bank, run):
    scratch = bank(NOTES)
    run(scratch, "index")
    assert run(scratch, "index", "--check").code == 0
    scratch.write("planning/d.md", "new\n")
    before = scratch.snapshot()
    result = run(scratch, "index", "--check")
    assert result.code == 9 and "planning/d.md" in result.out and "memorybank index" in result.err
    assert scratch.snapshot() == before, "a check only reads"


def test_selective_needs_paths_and_paths_need_selective(bank, run):
    scratch = bank(NOTES)
    assert run(scratch, "index", "--mode", "selective").code == 2
    assert run(scratch, "index", "planning/a.md").code == 2
    assert run(scratch, "index", "--mode", "selective", "planning/a.md").code == 0


def test_optimize_keeps_the_answers(bank, run):
    scratch = bank(NOTES)
    before = run(scratch, "score").out
    assert run(scratch, "index", "--optimize").code == 0
    assert run(scratch, "score").out == before


def test_rebuild_as_of_is_the_same_twice(bank, run):
    """Everything derived deleted in between: byte for byte the same documents."""
    import shutil

    scratch = bank(NOTES)
    run(scratch, "rebuild", "--as-of", "2025-12-31T00:00:00Z")
    first = {path: digest for path, (digest, _) in scratch.snapshot().items() if path.startswith(("indexes", "metadata"))}
    for folder in ("indexes", "metadata", "cache"):
        shutil.rmtree(scratch.root / folder)
    run(scratch, "rebuild", "--as-of", "2025-12-31T00:00:00Z")
    assert {path: digest for path, (digest, _) in scratch.snapshot().items() if path.startswith(("indexes", "metadata"))} == first
    assert len(first) > 5


def test_config_show_has_the_shape_of_the_files(bank, run):
    scratch = bank({})
    scratch.configure("rotation", '{"backup_policy": {"backup_retention_days": 60}}')
    assert json.loads(run(scratch, "config", "show", "--changed", "--format", "json").out) == {
        "version": 1,
        "rotation": {"backup_policy": {"backup_retention_days": 60}},
    }
    assert ["rotation.backup_policy.backup_retention_days", "60"] in [line.split() for line in run(scratch, "config", "show", "rotation").out.splitlines()]
    assert "scoring" not in json.loads(run(scratch, "config", "show", "rotation", "--format", "json").out)


def test_config_validate_lists_every_error_and_is_exit_6(bank, run):
    scratch = bank({})
    assert run(scratch, "config", "validate").out == "the settings are valid\n"
    scratch.configure("scoring", '{\n"thresholds": {"high_importance": "x"},\n"nonsense": 1}')
    result = run(scratch, "config", "validate", "--format", "json")
    assert result.code == 6
    assert {problem["code"] for problem in json.loads(result.out)} == {"config_type", "config_unknown_key"}
    assert run(scratch, "list").code == 6


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(bank, process, shell):
    result = process(bank({}), "completion", shell)
    assert result.code == 0 and "_MEMORYBANK_COMPLETE" in result.out


def test_commands_options_and_keys_complete(bank, process):
    scratch = bank(NOTES)

    def complete(words: str, number: int) -> set[str]:
        result = process(scratch, COMP_WORDS=words, COMP_CWORD=str(number), _MEMORYBANK_COMPLETE="bash_complete")
        return {line.split(",", 1)[1] for line in result.out.splitlines() if line}

    assert {"search", "show", "score"} <= complete("memorybank s", 1)
    assert complete("memorybank show planning/", 2) == {"planning/a.md", "planning/b.md", "planning/c.md"}
    assert complete("memorybank show 共有", 2) == set()
    assert "keyword" in complete("memorybank search --type ", 3)


def test_completion_in_a_folder_without_a_bank_is_empty(tmp_path, process):
    class Place:
        repository = tmp_path

    (tmp_path / ".git").mkdir()
    assert process(Place, COMP_WORDS="memorybank show x", COMP_CWORD="2", _MEMORYBANK_COMPLETE="bash_complete").out.strip() == ""


def test_a_file_beside_the_bank_does_not_hide_the_key_that_is_spelt_like_it(bank, run):
    scratch = bank(NOTES)
    (scratch.repository / "planning").mkdir()
    (scratch.repository / "planning/a.md").write_text("no note")
    assert run(scratch, "index", "--mode", "selective", "planning/a.md").code == 0


def test_check_looks_into_every_document(bank, run):
    scratch = bank(NOTES)
    run(scratch, "index")
    assert run(scratch, "index", "--check").code == 0
    for name in ("content", "keyword", "importance", "temporal"):
        document = scratch.root / f"indexes/{name}_index.json"
        whole = document.read_bytes()
        document.write_text("{}")
        result = run(scratch, "index", "--check")
        assert result.code == 9 and f"{name}_index.json" in result.out and "in 1 place\n" in result.err
        document.write_bytes(whole)

"""What claims do to an importance: little when they hold, more when they are outdated, nothing when nothing is known."""

import json
import random
from pathlib import Path

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from tests.claims.conftest import NOW

TEXT = "# Upload\n\nUploads are retried three times in `src/upload.py`, because the gateway drops connections. The queue is `src/queue.py`.\n"


@pytest.fixture
def repository(planted):
    made = planted()
    made.commit(0, add=["src/upload.py", "src/queue.py", "src/mail.py"])
    made.note("a.md", TEXT, 1)
    return made


def parts(repository, key="a.md", **options):
    """Return ({name of a contribution: (value, sentence)}, importance)."""
    found = repository.bank(**options).scores.explain(key)
    return {each.name: (round(each.value, 4), str(each.reason)) for each in found.contributions}, found.note.importance


def test_claims_that_hold_add_little(repository):
    found, _ = parts(repository)
    assert found["relationship.claims"] == (0.25, "2 things that it names: nothing is outdated")


def test_outdated_claims_take_more_and_say_so(repository):
    _, before = parts(repository)
    repository.commit(5, delete=["src/upload.py"])
    found, after = parts(repository)
    assert found["relationship.claims"] == (-2.0, "outdated: 1 of 2 things that it names")
    repository.commit(6, delete=["src/queue.py"])
    assert parts(repository)[1] <= after < before


def test_a_person_who_pins_or_rates_a_note_outweighs_its_claims(repository):
    repository.note("rated.md", "---\nrating: 8\n---\n" + TEXT, 1)
    repository.note("pinned.md", "---\nbookmarked: true\n---\n" + TEXT, 1)
    repository.commit(5, delete=["src/upload.py", "src/queue.py"])
    for key in ("rated.md", "pinned.md"):
        found, importance = parts(repository, key)
        assert "relationship.claims" not in found
        assert importance > parts(repository)[1]


def test_unknown_claims_count_as_nothing(repository):
    repository.note("b.md", "# Upload\n\nThe other project has `lib/upload.rs` and `lib/queue.rs`.\n", 1)
    assert "relationship.claims" not in parts(repository, "b.md")[0]


def test_a_central_claim_weighs_more(repository):
    repository.note("title.md", "# Why upload.py retries\n\nThe queue is in `src/queue.py`.\n\nThe rest is in `src/upload.py`.\n", 1)
    repository.note("lead.md", "# Why\n\nThe queue is in `src/queue.py`.\n\nThe rest is in `src/upload.py`.\n", 1)
    repository.commit(5, delete=["src/upload.py"])
    assert parts(repository, "title.md")[0]["relationship.claims"][0] == pytest.approx(-4 * 2 / 3, abs=1e-3)
    assert parts(repository, "lead.md")[0]["relationship.claims"][0] == pytest.approx(-4 / 3, abs=1e-3)


def test_a_renamed_file_counts_half(repository):
    repository.note("c.md", "# C\n\nSee `src/mail.py`.\n", 1)
    repository.commit(5, rename={"src/mail.py": "src/post.py"})
    assert parts(repository, "c.md")[0]["relationship.claims"][0] == -2.0


def test_a_commit_changes_the_score_without_an_edit_and_back(repository):
    before = parts(repository)
    kept = repository.git("rev-parse", "HEAD").strip()
    repository.commit(5, delete=["src/upload.py"])
    assert parts(repository) != before
    repository.git("reset", "-q", "--hard", kept)
    assert parts(repository) == before


def test_another_day_counts_what_was_outdated_then(repository):
    before = parts(repository)[0]["relationship.claims"]
    repository.commit(50, delete=["src/upload.py"])
    bank = repository.bank()
    then = bank.scores.explain("a.md", as_of="2025-07-19")
    assert {each.name: (each.value, str(each.reason)) for each in then.contributions}["relationship.claims"] == before
    assert parts(repository)[0]["relationship.claims"][0] == -2.0


def test_the_trend_shows_what_became_outdated_this_week(repository):
    repository.commit(98, delete=["src/upload.py", "src/queue.py"])
    bank = repository.bank()
    bank.index.rebuild()
    published = json.loads((Path(bank.layout.indexes) / "importance_index.json").read_text(encoding="utf-8"))
    assert "declining" in json.dumps(published)


def test_the_specifications_formulas_know_no_claims(repository):
    config = repository.active.parent / "config"
    config.mkdir()
    (config / "scoring_config.json").write_text('{"calibration": {"enabled": false}}', encoding="utf-8")
    repository.commit(5, delete=["src/upload.py"])
    assert "relationship.claims" not in parts(repository)[0]


def test_outside_git_nothing_counts(tmp_path):
    bank = Bank.create(tmp_path / "notes")
    (Path(bank.layout.active) / "a.md").write_text("See `a.md` and `config/scoring_config.json`.\n", encoding="utf-8")
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    found = Bank.open(bank.layout.root, clock=FixedClock(NOW)).scores.explain("a.md")
    assert "relationship.claims" not in {each.name for each in found.contributions}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_steps_score_as_a_rebuild_does(planted, seed):
    """The same tree gives the same scores, byte for byte, whichever steps led there."""
    dice = random.Random(seed)
    repository = planted()
    names = [f"src/{letter}.py" for letter in "abcdefgh"]
    repository.commit(0, add=names)
    alive = list(names)
    for day in range(1, 8):
        repository.note(f"{dice.randrange(4)}.md", f"# N\n\nSee `{dice.choice(names)}`.\n\nAnd `{dice.choice(names)}`, `{dice.choice(names)}`.\n", day)
        victim = alive.pop(dice.randrange(len(alive)))
        repository.commit(day + 0.5, **({"delete": [victim]} if dice.random() < 0.5 else {"rename": {victim: victim.replace("src", "lib")}}))
        repository.bank().scores.score()
    bank = repository.bank()
    bank.index.update()
    stepped = {path.name: path.read_bytes() for path in Path(bank.layout.indexes).glob("*.json")}
    bank.index.rebuild()
    assert stepped == {path.name: path.read_bytes() for path in Path(bank.layout.indexes).glob("*.json")} and stepped

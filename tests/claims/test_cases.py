"""Every labelled case of tests/data/claims in a real repository: the claims that are found, and their states."""

import json
from pathlib import Path

import pytest

CASES = json.loads((Path(__file__).resolve().parents[1] / "data" / "claims" / "cases.json").read_text(encoding="utf-8"))


@pytest.fixture
def labelled(planted):
    repository = planted()
    for commit in CASES["commits"]:
        if "merge" in commit:
            repository.merge(commit["day"], commit["merge"])
        else:
            repository.commit(**commit)
    for number, note in enumerate(CASES["notes"]):
        repository.note(f"case/{number:02}.md", note["text"], note["day"])
    return repository


def test_each_case_has_its_states(labelled):
    found = labelled.bank().claims.list()
    wrong = []
    for number, note in enumerate(CASES["notes"]):
        states = {each.claim.subject: [each.found.state, each.found.target] for each in found if each.key == f"case/{number:02}.md"}
        if states != note["claims"]:
            wrong.append((note["text"], states, note["claims"]))
    assert wrong == [], "\n".join(map(str, wrong))


def test_each_untrue_claim_names_its_commit(labelled):
    commits = {line.partition(" ")[0]: line.partition(" ")[2] for line in labelled.git("log", "--format=%H %s").splitlines()}
    found = {(each.key, each.claim.subject): commits.get(each.found.commit) for each in labelled.bank().claims.list() if each.found.commit}
    assert found["case/00.md", "src/upload.py"] == "Name the module after what it does"
    assert found["case/04.md", "src/parser.py"] == "The parser is not needed"
    assert found["case/09.md", "routes/login.ts"] == "Login moves twice, once"
    assert found["case/13.md", "lib/cache.ts"] == "Cache moves and then goes: second"
    assert None not in found.values()

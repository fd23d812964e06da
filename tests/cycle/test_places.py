"""The record of a session contains no path of this machine: in summaries, failures, passages and statements, paths start at the repository or at `~`."""

import pytest

from memorybank.cycle.finish import macro
from memorybank.cycle.fold import logs, wording
from memorybank.cycle.fold.recorded import LogEvent
from memorybank.log import events

from .conftest import content

HOME = "/home/ann"


@pytest.fixture(autouse=True)
def _at_home(monkeypatch):
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize("name", ["src/search.py", "src/検索.py"], ids=["English", "Japanese"])
def test_everything_that_is_kept_tells_paths_from_the_repository(base, session, cache, name):
    work = session()
    script = f"{base.root}/{name}"
    command = f"cd {base.root} && python {script} --data {HOME}/data.csv"
    work.run(command, error=f'File "{script}", line 3\nFileNotFoundError: {HOME}/data.csv')
    work.run(f"sed -i s/5/60/ {script}")
    work.run(command, output=f"read {HOME}/data.csv")
    work.prompt(f"Always run {script} from {HOME}/bin.")
    work.turn_end(f"The search in {script} reads {HOME}/data.csv.", remarks=[{"after": "", "text": f"It failed because {HOME}/data.csv was missing."}])
    work.end()
    logs.fold(base, cache, wait=True)
    macro.finish(base, cache, lambda: 60_000)
    known = content(cache)
    kept = [repr(row) for table in ("failures", "passages", "passage_terms", "statements", "turns", "remedies", "summaries") for row in known[table]]
    assert not [text for text in kept if base.root in text or "/home" in text]
    assert f"`python {name} --data ~/data.csv`" in cache.execute("SELECT text FROM summaries").fetchone()[0]
    assert cache.execute("SELECT said FROM failures").fetchall() == [(f'File "{name}", line 3\nFileNotFoundError: ~/data.csv',)]
    passages = dict(cache.execute("SELECT kind, text FROM passages"))
    assert passages == {
        "said": f"Always run {name} from ~/bin.",
        "answer": f"The search in {name} reads ~/data.csv.",
        "remark": "It failed because ~/data.csv was missing.",
        "fix": f"`sed -i s/5/60/ {name}`",
    }
    assert [row[0] for row in cache.execute("SELECT text FROM statements")] == [f"Always run {name} from ~/bin."]


def called(base):
    """Return the calls of the session in words."""
    lines = [LogEvent(line) for line in events.read(base.layout, events.name_of("s1"))]
    for line in lines:
        line.leave_out(base.places)
    return [wording.call(line) for line in lines]


def test_what_a_command_runs_elsewhere_keeps_where(base, session):
    work = session()
    work.run(f"cd {base.root}/docs && make html")
    work.run("cd /srv/other && make html", fingerprint="make other")
    assert called(base) == ["`cd docs && make html`", "`cd /srv/other && make html`"]


def test_full_text_finds_a_passage_by_its_path_and_not_by_the_machine(base, session, cache):
    session().prompt(f"Read {HOME}/project-x/notes.txt before you answer.")
    logs.fold(base, cache, wait=True)
    terms = {row[0] for row in cache.execute("SELECT term FROM frequencies")}
    assert "note" in terms and "ann" not in terms


def test_a_command_in_the_repository_says_no_cd(base, session):
    session().run(f"cd {base.root} && make")
    assert called(base) == ["`make`"]

"""What is told of a call names no place of this machine: groups and lessons, as summaries do; paths start at the repository or at `~`."""

import pytest

HOME = "/home/ann"


@pytest.fixture(autouse=True)
def _at_home(monkeypatch):
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize("name", ["src/search.py", "src/検索.py"], ids=["English", "Japanese"])
def test_groups_and_lessons_tell_paths_from_the_repository(base, session, memories, name):
    work = session()
    script = f"{base.root}/{name}"
    command = f"cd {base.root} && python {script} --data {HOME}/data.csv"
    work.run(command, error=f'File "{script}", line 3\nFileNotFoundError: {HOME}/data.csv')
    work.run(f"sed -i s/5/60/ {script}")
    work.run(command, output=f"read {HOME}/data.csv")
    work.prompt(f"always run {script} from {HOME}/bin", lessons=[f"always run {script} from {HOME}/bin"], signal=1)
    groups, lessons = memories("group"), memories("lesson")
    told = [row[column] for row in (*groups, *lessons) for column in ("text", "detail")]
    assert not [text for text in told if base.root in text or HOME in text]
    assert any(row["text"].startswith(f"`python {name} --data ~/data.csv` failed: FileNotFoundError: ~/data.csv") for row in lessons)
    assert any(row["text"] == f"always run {name} from ~/bin" for row in lessons)
    assert any(row["text"].startswith(f"`python {name} --data ~/data.csv`") for row in groups)


def test_what_a_command_runs_elsewhere_keeps_where(base, session, memories):
    work = session()
    work.run(f"cd {base.root}/docs && make html")
    work.run("cd /srv/other && make html", fingerprint="make other")
    assert sorted(row["text"] for row in memories("group")) == ["`cd /srv/other && make html`", "`cd docs && make html`"]


def test_full_text_finds_a_call_by_its_path_and_not_by_the_machine(base, session, memories, cache):
    work = session()
    work.run(f"cat {HOME}/project-x/notes.txt")
    memories("group")
    terms = {row[0] for row in cache.execute("SELECT term FROM memory_terms")}
    assert "note" in terms and "ann" not in terms


def test_a_command_in_the_repository_says_no_cd(base, session, memories):
    work = session()
    work.run(f"cd {base.root} && make")
    (row,) = memories("group")
    assert row["text"] == "`make`"

"""git merges the files of a bank in real clones: with the drivers, and without them with `memorybank git resolve`."""

import os
import subprocess
import sys

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.errors import Conflict
from memorybank.merging import driver, resolve
from memorybank.notes.bookmarks import load
from tests.conftest import NOW

from .conftest import BANK, SCRIPT, learned

pytestmark = pytest.mark.slow
NOTE = "---\ntags: [a]\nrating: 1\n---\n# 設計\n\none\n\ntwo\n"
LEARNED = "active/learned/problem-uv-00000001.md"
CLOCK = FixedClock(NOW)


def bookmarks(*paths: str) -> str:
    return '{\n  "version": "1.0",\n  "bookmarks": [\n' + ",\n".join(f'    {{"path": "{path}", "added_at": "", "note": ""}}' for path in paths) + "\n  ]\n}\n"


def change_everything(clone, name: str, rating: int) -> None:
    clone.write("active/planning/設計.md", NOTE.replace("[a]", f"[a, {name}]").replace("rating: 1", f"rating: {rating}"))
    clone.write("bookmarks.json", bookmarks("x.md", f"{name}.md"))
    clone.write("rejected.jsonl", f'{{"memory":"rule:{name}","verdict":"rejected","at":"2025-01-0{rating}T00:00:00.000Z"}}\n')
    clone.write(LEARNED, learned(days=f"2025-09-0{rating}"))
    clone.commit()


FILES = {"active/planning/設計.md": NOTE, "bookmarks.json": bookmarks("x.md")}


def test_with_the_drivers_nothing_is_left_to_a_person_and_both_ways_give_the_same_tree(clones):
    one, two = clones(FILES, installed=True)
    change_everything(one, "ann", 2)
    change_everything(two, "ben", 3)
    before = one.git("rev-parse", "HEAD").stdout.strip()
    assert one.merge(two).returncode == 0 and one.unmerged() == []
    two.git("fetch", "-q", str(one.path), before)
    assert two.git("merge", "-q", "--no-edit", "FETCH_HEAD", check=False).returncode == 0
    assert one.git("rev-parse", "HEAD^{tree}").stdout == two.git("rev-parse", "HEAD^{tree}").stdout
    assert "tags: [a, ann, ben]\nrating: 3\n" in one.read("active/planning/設計.md")
    assert [each.path for each in load(one.layout).entries] == ["x.md", "ann.md", "ben.md"]
    assert one.read("rejected.jsonl").count("rejected") == 2 and "in 5+ sessions" in one.read(LEARNED)


def test_without_the_drivers_git_stops_and_resolve_gives_the_same_bytes(clones):
    one, two = clones(FILES, installed=False)
    change_everything(one, "ann", 2)
    change_everything(two, "ben", 3)
    assert one.merge(two).returncode == 1 and f"{BANK}/bookmarks.json" in one.unmerged()
    planned = {file.path: file.outcome for file in resolve.plan(one.layout)}
    assert set(planned.values()) == {resolve.RESOLVED} and one.unmerged(), "a plan changes nothing"
    resolve.resolve(one.layout, CLOCK)
    assert one.unmerged() == []
    one.git("commit", "-q", "--no-edit")
    assert "tags: [a, ann, ben]\nrating: 3\n" in one.read("active/planning/設計.md")
    assert [each.path for each in load(one.layout).entries] == ["x.md", "ann.md", "ben.md"] and "in 5+ sessions" in one.read(LEARNED)
    assert resolve.resolve(one.layout, CLOCK) == []


@pytest.mark.parametrize("installed", [True, False])
def test_a_learned_note_that_one_side_deleted_is_deleted_for_both_unless_a_person_edited_it(clones, installed):
    one, two = clones({LEARNED: learned()}, installed=installed)
    (one.root / LEARNED).unlink()
    one.commit()
    two.write(LEARNED, learned(sessions="4")).commit()
    assert one.merge(two).returncode == 1, "git asks about a deleted and changed file; no driver is called"
    (file,) = resolve.resolve(one.layout, CLOCK)
    assert file.outcome == resolve.DELETED and not (one.root / LEARNED).exists() and one.unmerged() == []
    one.git("commit", "-q", "--no-edit")
    two.write(LEARNED, learned(sessions="4") + "\n私の補足\n").commit()
    assert two.merge(one).returncode == 1
    (file,) = resolve.resolve(two.layout, CLOCK)
    assert file.outcome == resolve.LEFT and "a person edited it" in file.why and "私の補足" in two.read(LEARNED)


def test_an_archived_note_that_somebody_edited_is_left_to_a_person(clones):
    one, two = clones({"active/planning/設計.md": NOTE}, installed=True)
    (one.root / "active/planning/設計.md").unlink()
    one.commit()
    two.write("active/planning/設計.md", NOTE + "\nmore\n").commit()
    assert one.merge(two).returncode == 1
    (file,) = resolve.resolve(one.layout, CLOCK)
    assert file.outcome == resolve.LEFT and "archived" in file.why and "more" in one.read("active/planning/設計.md")


SMALL = "# 締切\n\nThe deadline is Friday, 17:00. "


@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.parametrize("archives", ["one", "two"])
@pytest.mark.parametrize("exists", [False, True])
def test_a_small_note_that_one_side_archived_and_the_other_edited_is_not_merged_into_its_copy(clones, installed, archives, exists):
    """git takes the compressed copy of a small note for the renamed note, and puts the edited text where the copy belongs."""
    one, two = clones({"active/shared/締切.md": SMALL + "x\n"}, installed=installed)
    archiving, editing = (one, two) if archives == "one" else (two, one)
    bank = Bank.open(str(archiving.root), clock=CLOCK)
    bank.rotation.execute(bank.rotation.plan_forget(["shared/締切.md"]), yes=True)
    archiving.commit()
    editing.write("active/shared/締切.md", SMALL + "y\n").commit()
    assert one.merge(two).returncode == 1
    (unmerged,) = one.git("-c", "core.quotePath=false", "diff", "--name-only", "--diff-filter=U").stdout.split()
    assert unmerged.endswith(".md.zst"), "what git does without our rules"
    if exists:
        one.write("active/shared/締切.md", "# 締切\n\nanother\n")
        (left,) = resolve.resolve(one.layout, CLOCK)
        assert left.outcome == resolve.LEFT and "active/shared/締切.md" in left.why and "another" in one.read("active/shared/締切.md")
        return
    assert [(file.path[:7], file.outcome) for file in resolve.resolve(one.layout, CLOCK)] == [("active/", "resolved"), ("archive", "resolved")]
    assert one.read("active/shared/締切.md") == SMALL + "y\n" and one.unmerged() == []
    report = Bank.open(str(one.root), clock=CLOCK).archive.verify()
    assert report.is_sound and not report.findings


@pytest.mark.parametrize("installed", [True, False])
def test_the_same_note_archived_in_two_clones_in_one_second_verifies_in_both(clones, installed):
    one, two = clones({"active/planning/設計.md": NOTE}, installed=installed)
    for clone, at in ((one, NOW), (two, NOW + 100)):
        bank = Bank.open(str(clone.root), clock=FixedClock(at))
        bank.rotation.execute(bank.rotation.plan_forget(["planning/設計.md"]), yes=True)
        clone.commit()
    assert one.git("ls-files", "*.json").stdout == two.git("ls-files", "*.json").stdout, "one name"
    assert (one.merge(two).returncode == 0) == installed
    if not installed:
        assert {file.outcome for file in resolve.resolve(one.layout, CLOCK)} == {resolve.RESOLVED}
        one.git("commit", "-q", "--no-edit")
    assert two.merge(one).returncode == 0
    reports = [Bank.open(str(clone.root), clock=CLOCK).archive.verify() for clone in (one, two)]
    assert all(report.is_sound for report in reports)
    assert sorted(finding.code for report in reports for finding in report.findings) == ["sidecar_of_colleague"]


def test_marks_stay_in_a_persons_text_and_resolve_leaves_what_the_person_decided(clones):
    one, two = clones({"active/a.md": NOTE}, installed=True)
    one.write("active/a.md", NOTE.replace("one", "ours")).commit()
    two.write("active/a.md", NOTE.replace("one", "theirs").replace("rating: 1", "rating: 9")).commit()
    assert one.merge(two).returncode == 1
    text = one.read("active/a.md")
    assert "<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n" in text and "rating: 9" in text, "the front matter is merged all the same"
    assert resolve.resolve(one.layout, CLOCK)[0].outcome == resolve.LEFT
    one.write("active/a.md", NOTE.replace("one", "both"))
    (file,) = resolve.resolve(one.layout, CLOCK)
    assert file.outcome == resolve.LEFT and "git add" in file.why and "both" in one.read("active/a.md")


def test_a_file_that_cannot_be_read_stays_on_our_side_without_marks_and_the_merge_stops(clones):
    one, two = clones({"bookmarks.json": bookmarks("a.md")}, installed=True)
    one.write("bookmarks.json", bookmarks("a.md", "b.md")).commit()
    two.write("bookmarks.json", "{").commit()
    done = one.merge(two)
    assert done.returncode == 1 and one.unmerged() == [f"{BANK}/bookmarks.json"] and one.read("bookmarks.json") == bookmarks("a.md", "b.md")
    assert "git checkout --theirs" in done.stderr + done.stdout


def test_resolve_refuses_what_somebody_saved_meanwhile(clones, monkeypatch):
    one, two = clones({"bookmarks.json": bookmarks("a.md")}, installed=False)
    one.write("bookmarks.json", bookmarks("a.md", "b.md")).commit()
    two.write("bookmarks.json", bookmarks("a.md", "c.md")).commit()
    assert one.merge(two).returncode == 1
    planned = resolve.plan(one.layout)
    one.write("bookmarks.json", bookmarks("mine.md"))
    with pytest.raises(Conflict):
        resolve.carry_out(one.layout, planned, CLOCK)
    assert one.read("bookmarks.json") == bookmarks("mine.md")


def test_nothing_in_the_repository_runs_as_part_of_the_driver(clones, tmp_path):
    """The working folder is not on Python's import path, and variables of the environment do not add to it."""
    one, two = clones({"bookmarks.json": bookmarks("a.md")}, installed=True)
    mark = tmp_path / "ran"
    for name in ("json.py", "re.py", "memorybank.py", "sitecustomize.py"):
        (one.path / name).write_text(f"open({str(mark)!r}, 'w')\n")
    one.write("bookmarks.json", bookmarks("a.md", "b.md")).commit()
    two.write("bookmarks.json", bookmarks("a.md", "c.md")).commit()
    environment = {**os.environ, "PYTHONPATH": str(one.path)}
    one.git("fetch", "-q", str(two.path), "HEAD")
    done = subprocess.run(["git", "merge", "-q", "--no-edit", "FETCH_HEAD"], cwd=one.path, env=environment, capture_output=True)
    assert done.returncode == 0 and not mark.exists() and len(load(one.layout).entries) == 3


@pytest.mark.parametrize(("name", "expected"), [("src/a.txt", "a\nb\nc\n"), ("dates.jsonl.txt", "a\nb\nc\n")])
def test_a_driver_that_attributes_name_for_another_file_merges_it_as_text(tmp_path, name, expected):
    for side, text in (("base", "b\n"), ("ours", "a\nb\n"), ("theirs", "b\nc\n")):
        (tmp_path / side).write_text(text)
    done = subprocess.run([sys.executable, "-I", "-S", SCRIPT, "merge-driver", "dates", *(str(tmp_path / each) for each in ("base", "ours", "theirs")), name])
    assert done.returncode == 0 and (tmp_path / "ours").read_text() == expected


def test_a_driver_that_fails_merges_as_text_and_never_leaves_our_side_alone(tmp_path, monkeypatch, capfd):
    for side, text in (("base", "a\n"), ("ours", "b\n"), ("theirs", "c\n")):
        (tmp_path / side).write_text(text)
    monkeypatch.setattr(driver, "merge", lambda *_: 1 / 0)
    code = driver.run(["bookmarks", *(str(tmp_path / side) for side in ("base", "ours", "theirs")), f"{BANK}/bookmarks.json"])
    assert code == 1 and (tmp_path / "ours").read_text() == "<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n"
    assert "merged as text: ZeroDivisionError" in capfd.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["merge-driver"], ["merge-driver", "nonsense", "a", "b", "c", "d"], ["refresh"], ["x"]])
def test_a_wrong_call_ends_with_2(arguments):
    assert subprocess.run([sys.executable, "-I", "-S", SCRIPT, *arguments], capture_output=True).returncode == 2


def test_without_the_installed_program_git_merges_as_text(clones):
    """A conflict of text, with both sides in the file; never ours alone, as after a driver that fails."""
    one, two = clones({"bookmarks.json": bookmarks("a.md")}, installed=True)
    key = "merge.memorybank-bookmarks.driver"
    one.git("config", key, one.git("config", key).stdout.strip().replace(SCRIPT, "/nowhere/for_git.py"))
    one.write("bookmarks.json", bookmarks("a.md", "b.md")).commit()
    two.write("bookmarks.json", bookmarks("a.md", "c.md")).commit()
    assert one.merge(two).returncode == 1
    assert '"b.md"' in one.read("bookmarks.json") and '"c.md"' in one.read("bookmarks.json") and "<<<<<<< ours" in one.read("bookmarks.json")

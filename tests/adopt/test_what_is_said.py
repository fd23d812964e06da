"""What `adopt` and `undo --list` say about an adoption: what was done when it was done, and how much of it is back."""

import json

import pytest


def listed(made):
    """The adoptions of `undo --list`: (number of files, number of files that are as before), the newest first."""
    found = json.loads(made.run("undo", "--list", "--json").out)
    return [(len(set(each["changed"])), each["files_returned"]) for each in found if each["trigger"] == "memorybank adopt"]


@pytest.mark.parametrize(("how", "said"), [((), "are read in place and never changed"), (("--copy",), "were copied into active/")])
def test_an_adoption_that_was_made_is_not_told_as_a_plan(world, how, said):
    made = world("documentation")
    assert "would be " in made.run("adopt", "adr", *how).out
    done = made.run("adopt", "adr", *how, "--yes").out
    assert said in done and "would" not in done and "adopted: adr" in done
    assert ("adopted docs/adr" in " ".join(done.split())) == (not how), "a source that was copied stays available"


def test_the_list_says_that_an_adoption_is_taken_back(world):
    made = world("documentation")
    made.adopt("adr")
    [(files, back)] = listed(made)
    assert files and back == 0
    assert made.run("adopt", "--undo").code == 0
    assert listed(made) == [(files, files)]


def test_the_list_says_so_although_a_later_adoption_changed_the_same_file(world):
    made = world("documentation")
    first = json.loads(made.run("adopt", "adr", "--yes", "--json").out)["id"]
    made.adopt("docs")
    assert made.run("adopt", "--undo", first).code == 0
    assert sorted(back > 0 for _, back in listed(made)) == [False, True]


def test_an_edit_that_was_taken_back_and_made_again_is_not_back(world):
    made = world("documentation")
    made.run("remember", "The okapi gateway listens on 4711.")
    note = next((made.project / ".claude/memory/active").rglob("*.md"))
    key = note.relative_to(made.project / ".claude/memory/active").as_posix()
    made.run("mv", key, "planning/b.md")
    assert made.run("undo").code == 0
    made.run("mv", key, "planning/b.md")
    returned = [each["files_returned"] for each in json.loads(made.run("undo", "--list", "--json").out)]
    assert sorted(returned) == [0, 1]


def test_a_name_that_is_not_listed_leads_to_the_command_that_adopts_it(world):
    made = world("documentation")
    of_path, of_name = made.run("adopt", "../my vault", "--yes"), made.run("adopt", "vault", "--yes")
    assert (of_path.code, of_name.code) == (3, 3)
    assert "next: 'memorybank adopt --from '../my vault'' adopts any other file or folder" in of_path.err
    assert "next: name one of " in of_name.err and "adopt --from PATH" in of_name.err

"""`memorybank mv --links`: one change that a person can take back."""

import errno
import json
from unicodedata import normalize

import pytest

from memorybank.clock import DAY
from memorybank.errors import Conflict, ResourceExhausted

OLD, NEW = "planning/設計.md", "shared/深い/新 名.md"
NOTES = {
    OLD: "---\ntags: [decision]\n---\r\n# 設計\r\n\r\n[self](設計.md) [b](b.md) [top](../top.md)\r\n".encode(),
    "planning/b.md": "# B\n\n[A](設計.md), [[設計|名]]\n",
    "top.md": "# Top\n\nSee planning/設計.md.\n",
    "shared/other.md": "# Other\n\n[b](../planning/b.md)\n",
}
MOVED = "---\ntags: [decision]\n---\r\n# 設計\r\n\r\n[self](新%20名.md) [b](../../planning/b.md) [top](../../top.md)\r\n".encode()
LINKED = "# B\n\n[A](../shared/深い/新%20名.md), [[新 名|名]]\n"


def files(scratch) -> dict[str, bytes]:
    return {path.relative_to(scratch.active).as_posix(): path.read_bytes() for path in scratch.active.rglob("*.md")}


def dates(scratch, run) -> dict[str, tuple]:
    return {note["key"]: (note["created_at"], note["modified_at"]) for note in json.loads(run(scratch, "list", "--format", "json").out)}


def test_links_follow_and_undo_takes_all_of_it_back(bank, run, fixed_clock):
    scratch = bank(NOTES)
    before, dated = files(scratch), dates(scratch, run)
    fixed_clock.instant += DAY
    done = run(scratch, "mv", OLD, NEW, "--links")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:-1] == [
        f"renamed: {OLD} -> {NEW}",
        "  2 links rewritten in planning/b.md",
        f"  3 links rewritten in {OLD}",
        "  stays as written in top.md: planning/設計.md",
    ]
    after = files(scratch)
    assert after == {NEW: MOVED, "planning/b.md": LINKED.encode(), "top.md": before["top.md"], "shared/other.md": before["shared/other.md"]}
    assert dates(scratch, run) == {(NEW if key == OLD else key): value for key, value in dated.items()}, "a rewritten link is no edit"
    undone = run(scratch, "undo")
    assert undone.code == 0 and undone.out.count("as before") == 3
    assert files(scratch) == before and dates(scratch, run) == dated
    assert run(scratch, "undo").code == 0 and files(scratch) == before


def test_the_plan_is_what_happens(bank, run):
    scratch = bank(NOTES)
    before = scratch.snapshot()
    planned = json.loads(run(scratch, "mv", OLD, NEW, "--links", "--dry-run", "--json").out)
    assert scratch.snapshot() == before
    assert planned == {
        "version": 1,
        "key": OLD,
        "new_key": NEW,
        "change": None,
        "rewritten": [{"key": "planning/b.md", "links": 2}, {"key": OLD, "links": 3}],
        "left": [{"key": "top.md", "targets": ["planning/設計.md"]}],
    }
    done = json.loads(run(scratch, "mv", OLD, NEW, "--links", "--json").out)
    assert {**done, "change": None} == planned and done["change"]


def test_a_short_name_and_a_folder_without_a_slash(bank, run):
    scratch = bank(NOTES)
    assert run(scratch, "mv", "設計", "shared", "--links", "-q") == (0, "", "")
    assert set(files(scratch)) == {"shared/設計.md", "planning/b.md", "top.md", "shared/other.md"}
    assert files(scratch)["planning/b.md"].decode() == "# B\n\n[A](../shared/設計.md), [[設計|名]]\n"


def test_without_links_the_notes_that_link_to_it_are_listed(bank, run):
    scratch = bank(NOTES)
    told = run(scratch, "mv", OLD, NEW, "--dry-run").out
    assert "linked from planning/b.md" in told and "--links rewrites them" in told


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        (Conflict("somebody saved it"), 1),
        (ResourceExhausted("disk full", next_step="free some space"), 8),
        (OSError(errno.ENOSPC, "No space left on device"), 8),
        (KeyboardInterrupt(), 130),
    ],
)
@pytest.mark.parametrize("at", [0, 1, 2])
def test_whatever_fails_on_the_way_all_notes_are_as_before(bank, run, monkeypatch, failure, code, at):
    from memorybank.editing.write import NoteWriter

    scratch = bank(NOTES)
    run(scratch, "rate", "top.md", "3")
    offered = run(scratch, "undo", "--list", "--json").out
    before, done = files(scratch), []
    methods = {name: getattr(NoteWriter, name) for name in ("replace", "rename")}

    def failing(name):
        def call(writer, *arguments, **named):
            done.append(name)
            if len(done) == at + 1:
                raise failure
            return methods[name](writer, *arguments, **named)

        return call

    for name in methods:
        monkeypatch.setattr(NoteWriter, name, failing(name))
    failed = run(scratch, "mv", OLD, NEW, "--links")
    assert failed.code == code and len(done) > at
    for name, method in methods.items():
        monkeypatch.setattr(NoteWriter, name, method)
    assert files(scratch) == before
    assert run(scratch, "undo", "--list", "--json").out == offered, "a failed change is not offered for undo"
    assert run(scratch, "mv", OLD, NEW, "--links").code == 0 and files(scratch)[NEW] == MOVED


def test_a_note_that_changes_in_between_stops_everything(bank, run, monkeypatch):
    from memorybank.bank import rewriting

    scratch = bank(NOTES)
    planned = rewriting.plan_links

    def then_edited(*arguments):
        plan = planned(*arguments)
        (scratch.active / "planning/b.md").write_text("theirs", encoding="utf-8")
        return plan

    monkeypatch.setattr(rewriting, "plan_links", then_edited)
    refused = run(scratch, "mv", OLD, NEW, "--links")
    assert refused.code == 1 and "planning/b.md was changed by somebody else" in refused.err
    assert files(scratch) == {**{key: value if isinstance(value, bytes) else value.encode() for key, value in NOTES.items()}, "planning/b.md": b"theirs"}


def test_undo_leaves_a_note_that_was_edited_since(bank, run):
    scratch = bank(NOTES)
    run(scratch, "mv", OLD, NEW, "--links")
    (scratch.active / "planning/b.md").write_text("theirs", encoding="utf-8")
    undone = run(scratch, "undo")
    assert undone.code == 1 and "stayed: planning/b.md" in undone.out
    assert files(scratch)[OLD] == NOTES[OLD] and files(scratch)["planning/b.md"] == b"theirs"


@pytest.mark.parametrize("new", ["PLANNING/設計.md", normalize("NFD", "planning/が.md")])
def test_a_name_that_differs_only_in_case_or_form_is_another_name(bank, run, new):
    """On Linux they are. There a note is never replaced either."""
    scratch = bank({**NOTES, normalize("NFC", "planning/が.md"): "# NFC\n"})
    assert run(scratch, "mv", OLD, new, "--links").code == 0
    assert new in files(scratch) and files(scratch)[normalize("NFC", "planning/が.md")] == b"# NFC\n"


@pytest.mark.slow
def test_hundreds_of_linking_notes_are_one_change(bank, run):
    scratch = bank({OLD: "# 設計\n", **{f"n/{number}.md": f"# {number}\n\n[[設計]]\n" for number in range(100)}})
    before = files(scratch)
    done = json.loads(run(scratch, "mv", OLD, NEW, "--links", "--json").out)
    assert len(done["rewritten"]) == 100 and all(text.endswith("[[新 名]]\n".encode()) for key, text in files(scratch).items() if key != NEW)
    assert run(scratch, "undo", "-q").code == 0 and files(scratch) == before

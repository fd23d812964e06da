"""`memorybank edit` and `open`: a person's editor on a copy, and nothing that anybody wrote is lost."""

import json
import os
import sys

import pytest

KEY = "planning/設計.md"
OLD = b"\xef\xbb\xbf---\r\ntitle: A\r\n---\r\nText \r\n"


@pytest.fixture
def editor(tmp_path, monkeypatch):
    """Set $VISUAL to a program that runs the given Python on the path `p`."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("EDITOR", raising=False)

    def set_editor(code: str) -> str:
        script = tmp_path / "an editor.py"
        script.write_text(f"import os, sys\np = sys.argv[-1]\n{code}\n", encoding="utf-8")
        monkeypatch.setenv("VISUAL", f"{sys.executable} '{script}'")
        return f"{sys.executable} '{script}'"

    return set_editor


APPEND = "open(p, 'ab').write('追記\\r\\n'.encode())"


def kept(scratch) -> list[bytes]:
    return [path.read_bytes() for path in (scratch.root / "backups").rglob("*") if path.is_file()]


def test_an_edit_is_saved_and_the_rest_of_the_note_stays_byte_for_byte(bank, run, editor):
    scratch = bank({KEY: OLD})
    os.chmod(scratch.active / KEY, 0o664)
    editor(APPEND)
    done = run(scratch, "edit", KEY)
    assert (done.code, done.err) == (0, "") and done.out.startswith(f"saved: {KEY}\n")
    assert (scratch.active / KEY).read_bytes() == OLD + "追記\r\n".encode()
    assert (scratch.active / KEY).stat().st_mode & 0o777 == 0o664
    assert not (scratch.root / "backups/edits").exists()
    assert json.loads(run(scratch, "search", "--format", "json", "追記").out)


def test_undo_takes_an_edit_back_unless_the_note_changed_since(bank, run, editor):
    scratch = bank({KEY: OLD})
    editor(APPEND)
    first = run(scratch, "edit", KEY).out.split()[-1]
    listed = json.loads(run(scratch, "undo", "--list", "--format", "json").out)
    assert [(each["rotation_id"], each["trigger"]) for each in listed] == [(first, "memorybank edit")]
    assert run(scratch, "undo").code == 0
    assert (scratch.active / KEY).read_bytes() == OLD
    assert run(scratch, "undo", first).code == 0  # twice has the effect of once
    second = run(scratch, "edit", KEY).out.split()[-1]
    (scratch.active / KEY).write_bytes(b"theirs")
    refused = run(scratch, "undo", second)
    assert refused.code == 1 and "changed" in refused.err
    assert (scratch.active / KEY).read_bytes() == b"theirs"


def test_without_an_edit_nothing_changes(bank, run, editor):
    scratch = bank({KEY: OLD})
    editor("pass")
    before = scratch.snapshot("active")
    assert json.loads(run(scratch, "edit", KEY, "--format", "json").out) == {"version": 1, "key": KEY, "is_changed": False, "change": None}
    assert scratch.snapshot("active") == before and kept(scratch) == []


def test_a_note_that_changed_meanwhile_stays_and_the_persons_text_is_kept(bank, run, editor):
    scratch = bank({KEY: OLD})
    editor(f"{APPEND}\nopen({str(scratch.active / KEY)!r}, 'ab').write(b'theirs')")
    done = run(scratch, "edit", KEY, "--format", "json")
    error = json.loads(done.err)["error"]
    assert done.code == 1 and error["code"] == "conflict" and "your text is kept in .claude/memory/backups/edits/" in error["message"]
    assert (scratch.active / KEY).read_bytes() == OLD + b"theirs"
    path = error["message"].rpartition(" kept in ")[2]
    assert (scratch.repository / path).read_bytes() == OLD + "追記\r\n".encode()


def test_a_note_that_was_deleted_meanwhile_is_not_created_again(bank, run, editor):
    scratch = bank({KEY: OLD})
    editor(f"{APPEND}\nos.unlink({str(scratch.active / KEY)!r})")
    done = run(scratch, "edit", KEY)
    assert done.code == 3 and "your text is kept in" in done.err
    assert OLD + "追記\r\n".encode() in kept(scratch)


def test_an_editor_that_fails_changes_nothing_and_keeps_the_text(bank, run, editor):
    scratch = bank({KEY: OLD})
    editor("sys.exit(3)")
    done = run(scratch, "edit", KEY)
    assert done.code == 1 and "status 3" in done.err and kept(scratch) == []
    editor(f"{APPEND}\nsys.exit(1)")
    done = run(scratch, "edit", KEY)
    assert done.code == 1 and "your text is kept in" in done.err
    assert (scratch.active / KEY).read_bytes() == OLD and kept(scratch) == [OLD + "追記\r\n".encode()]
    assert run(scratch, "edit", KEY, "--editor", "no-such-editor-anywhere").code == 1


def test_the_editor_is_chosen_by_gits_rules(monkeypatch):
    from memorybank.cli import edit
    from memorybank.errors import UsageError

    environment = {"TERM": "xterm", "VISUAL": "emacs", "EDITOR": "ed"}
    assert edit.chosen_editor("code --wait", environment) == "code --wait"
    assert edit.chosen_editor(None, environment) == "emacs"
    assert edit.chosen_editor(None, {**environment, "TERM": "dumb"}) == "ed"
    assert edit.chosen_editor(None, {"TERM": "xterm"}) == "vi"
    for given, other in ((None, {"TERM": "dumb"}), (None, {}), ("", environment)):
        with pytest.raises(UsageError):
            edit.chosen_editor(given, other)


def test_two_edits_at_once_lose_nothing(bank, run, editor, tmp_path):
    """The second person saves while the first one still edits."""
    scratch = bank({KEY: OLD})
    other = tmp_path / "other.py"
    other.write_text("import sys\nopen(sys.argv[-1], 'ab').write(b'second')\n")
    inner = [sys.executable, "-m", "memorybank", "edit", KEY, "--editor", f"{sys.executable} {other}"]
    editor(f"open(p, 'ab').write(b'first')\nimport subprocess\nsubprocess.run({inner!r}, check=True)")
    done = run(scratch, "edit", KEY)
    assert done.code == 1
    assert (scratch.active / KEY).read_bytes() == OLD + b"second"
    assert OLD + b"first" in kept(scratch)


def test_unknown_notes_and_links_are_refused_before_the_editor_starts(bank, run, editor, tmp_path):
    scratch = bank({KEY: OLD})
    (scratch.active / "link.md").symlink_to(tmp_path / "x.md")
    editor(f"open({str(tmp_path / 'started')!r}, 'w')")
    for key in ("planning/nowhere.md", "link.md"):
        for command in ("edit", "open"):
            assert run(scratch, command, key).code == 3
    assert not (tmp_path / "started").exists()


def test_open_prints_the_path_or_opens_the_file_itself(bank, run, editor):
    scratch = bank({KEY: OLD})
    before = scratch.snapshot()
    assert run(scratch, "open", KEY, "--path").out == f"{scratch.active / KEY}\n"
    assert run(scratch, "open", KEY, "--path", "--editor", "vi").code == 2
    assert scratch.snapshot() == before
    editor(APPEND)
    assert run(scratch, "open", KEY).code == 0
    assert (scratch.active / KEY).read_bytes() == OLD + "追記\r\n".encode()
    assert '"view"' in (scratch.root / "log/access.jsonl").read_text(encoding="utf-8")


def test_an_edit_is_taken_back_once(bank, run, editor):
    scratch = bank({"a.md": "# A\n"})
    editor(APPEND)
    change = run(scratch, "edit", "a.md").out.split()[-1]
    assert run(scratch, "undo").out == "as before: a.md\n"
    assert run(scratch, "undo").out.startswith("nothing to restore: everything")
    assert json.loads(run(scratch, "undo", "--json").out) == {"version": 1, "change": change, "returned": [], "errors": []}
    assert run(scratch, "undo", change).out == "as before: a.md\n", "an id names one change, however often it is undone"


def test_a_change_that_cannot_be_taken_back_says_how_to_reach_an_older_one(bank, run, editor, fixed_clock):
    scratch = bank({"a.md": "# A\n", "b.md": "# B\n"})
    run(scratch, "mv", "b.md", "c.md")
    fixed_clock.instant += 86_400_000
    editor(APPEND)
    run(scratch, "edit", "a.md")
    (scratch.active / "a.md").write_text("# theirs\n", encoding="utf-8")
    refused = run(scratch, "undo")
    assert refused.code == 1 and "memorybank undo ID" in refused.err and (scratch.active / "a.md").read_text() == "# theirs\n"
    older = json.loads(run(scratch, "undo", "--list", "--json").out)[-1]["rotation_id"]
    assert run(scratch, "undo", older).code == 0 and (scratch.active / "b.md").exists()

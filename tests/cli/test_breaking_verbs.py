"""Whatever a person does with the everyday verbs: no note is lost, a refusal says what to do next, and then nothing has changed."""

import json
import os
import select
import signal
import subprocess
import sys
from unicodedata import normalize

import pytest

from .read_only import read_only
from .terminal import ROOT

KEY, OTHER = "planning/設計 メモ.md", "shared/b.md"
NOTES = {
    KEY: "\ufeff---\r\ntags: [db/postgres, 決定]\r\n---\r\n# 設計\r\n\r\n本文。\r\n",
    OTHER: "---\ntags: [db]\n---\n# B\n\n[設計](../planning/設計%20メモ.md), [[設計 メモ]]\n",
    "shared/c.md": "# C\n",
}
VERBS = {
    "list": ("list", "--json"),
    "show": ("show", KEY, "--json"),
    "open": ("open", KEY, "--path"),
    "search": ("search", "--tag", "db", "--json"),
    "tags": ("tags", "--json"),
    "edit": ("edit", KEY, "--json"),
    "rate": ("rate", KEY, "7", "--json"),
    "bookmark": ("bookmark", "add", KEY, "--json"),
    "bookmarks": ("bookmark", "list", "--json"),
    "mv": ("mv", KEY, "新.md", "--json"),
    "mv --links": ("mv", KEY, "深い/新.md", "--links", "--json"),
    "tags rename": ("tags", "rename", "db", "データ", "--json"),
    "forget": ("forget", "shared/c.md", "--json"),
    "add": ("add", "T", "--json"),
    "remember": ("remember", "x", "--json"),
    "undo --list": ("undo", "--list", "--json"),
}
READING = ("list", "show", "open", "search", "tags", "bookmarks", "undo --list")


@pytest.fixture
def editor(tmp_path, monkeypatch):
    """Set $VISUAL to a program that runs the given Python on the path `p`."""
    monkeypatch.setenv("TERM", "xterm")

    def set_editor(code: str) -> None:
        script = tmp_path / "my editor.py"
        script.write_text(f"import os, sys\np = sys.argv[-1]\n{code}\n", encoding="utf-8")
        monkeypatch.setenv("VISUAL", f"{sys.executable} '{script}'")

    set_editor("open(p, 'ab').write('追記\\r\\n'.encode())")
    return set_editor


def files(scratch) -> dict[str, bytes]:
    return {path.relative_to(scratch.active).as_posix(): path.read_bytes() for path in scratch.active.rglob("*.md") if path.is_file()}


def kept(scratch) -> set[bytes]:
    return {path.read_bytes() for path in (scratch.root / "backups").rglob("*") if path.is_file()}


@pytest.mark.parametrize("verb", VERBS)
def test_json_of_each_verb_is_one_document_with_a_version(bank, run, editor, verb):
    done = run(bank(NOTES), *VERBS[verb])
    assert (done.code, done.err) == (0, "")
    if verb == "open":
        assert done.out.endswith("設計 メモ.md\n")
        return
    document = json.loads(done.out)
    assert isinstance(document, list) or next(iter(document.items())) == ("version", 1)


def test_a_read_only_bank_reads_and_refuses_to_write(bank, run, editor):
    warm = bank(NOTES)
    for arguments in VERBS.values():  # modules are loaded while they can be read
        run(warm, *arguments)
    scratch = bank(NOTES)
    run(scratch, "index")
    with read_only(scratch):
        results = {verb: run(scratch, *arguments) for verb, arguments in VERBS.items()}
    assert {verb: done for verb, done in results.items() if done.code != (0 if verb in READING else 4)} == {}
    for verb in set(VERBS) - set(READING):
        error = json.loads(results[verb].err.splitlines()[-1])["error"]
        assert error["code"] == "permission" and error["next_step"], verb


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("edit",), 2), (("edit", "nowhere"), 3), (("edit", "a", "b"), 2), (("edit", KEY, "--editor", ""), 2), (("edit", ""), 3),
        (("open", "nowhere"), 3), (("open", KEY, "--editor", "true", "--path"), 2),
        (("mv", KEY), 2), (("mv", KEY, OTHER, "--links"), 1), (("mv", KEY, "../x.md", "--links"), 2), (("mv", KEY, ""), 2),
        (("mv", KEY, "a\x1bb\n", "--links"), 2),
        (("mv", "nowhere", "x", "--links"), 3), (("mv", "shared", "x"), 3), (("mv", KEY, "x" * 300, "--links"), 2),
        (("forget",), 2), (("forget", "nowhere"), 3), (("forget", KEY, "nowhere"), 3),
        (("tags", "rename"), 2), (("tags", "rename", "none", "x"), 3), (("tags", "rename", "db", "a,b"), 2), (("tags", "nosuch"), 2),
        (("rate", KEY), 2), (("rate", KEY, "11"), 2), (("rate", "nowhere", "3"), 3),
        (("undo", "nowhere"), 3), (("undo", "--list", "x"), 2), (("list", "--since", "soon"), 2), (("list", "--all", "-n", "3"), 2), (("list", "-n", "0"), 2),
        (("search", "--tag", "db", "--kind", "x"), 2), (("search",), 2), 
        (("search", "--until", "soon", "x"), 2), (("show", "shared"), 3), (("bookmark", "remove", "nowhere"), 3),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_wrong_call_changes_nothing_and_says_what_to_do_next(bank, run, editor, arguments, code, form):
    scratch = bank(NOTES)
    before = scratch.snapshot("active")
    if form and arguments[0] == "open":
        return  # prints a path, or nothing
    refused = run(scratch, *arguments, *form)
    assert refused.code == code and refused.out == "", refused
    if form:
        error = json.loads(refused.err)["error"]
        assert error["exit_code"] == code and error["message"] and error["next_step"]
    else:
        assert refused.err.startswith("memorybank: ") and "\n  next: " in refused.err
    assert scratch.snapshot("active") == before and not kept(scratch)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("t = p + '~new'; open(t, 'wb').write(b'# new\\n'); os.replace(t, p)", b"# new\n"),
        ("os.rename(p, p + '~'); open(p, 'wb').write(b'# new\\n')", b"# new\n"),
        ("open(p, 'wb').close()", b""),
        ("d = open(p, 'rb').read(); open(p, 'wb').write(d.replace(b'\\r\\n', b'\\n'))", NOTES[KEY].replace("\r\n", "\n").encode()),
        ("d = open(p, 'rb').read(); open(p, 'wb').write(d[3:])", NOTES[KEY].encode()[3:]),
        ("open(p, 'ab').write(b'\\xff\\xfe\\0')", NOTES[KEY].encode() + b"\xff\xfe\0"),
        ("os.chmod(p, 0o400); os.chmod(p, 0o600); open(p, 'ab').write(b'x')", NOTES[KEY].encode() + b"x"),
    ],
    ids=["saves by rename", "keeps a backup by rename", "empties it", "changes line ends", "drops the BOM", "writes bytes", "changes the mode"],
)
def test_what_an_editor_leaves_is_saved_byte_for_byte_and_undo_takes_it_back(bank, run, editor, code, expected):
    scratch = bank(NOTES)
    editor(code)
    done = run(scratch, "edit", KEY, "--json")
    assert done.code == 0 and json.loads(done.out)["is_changed"]
    assert files(scratch)[KEY] == expected
    assert NOTES[KEY].encode() in kept(scratch)
    assert run(scratch, "list", "--problems").code == 0
    assert run(scratch, "undo", "-q") == (0, "", "") and files(scratch)[KEY] == NOTES[KEY].encode()


@pytest.mark.parametrize(
    "code", ["os.unlink(p)", "os.unlink(p); os.mkdir(p)", "os.unlink(p); os.symlink('/etc/passwd', p)", "sys.exit(1)", "os.kill(os.getpid(), 9)"]
)
def test_an_editor_that_leaves_no_text_changes_no_note(bank, run, editor, code):
    scratch = bank(NOTES)
    before = scratch.snapshot("active")
    editor(code)
    done = run(scratch, "edit", KEY)
    assert done.code in (1, 9) and done.err.startswith("memorybank: ") and "\n  next: " in done.err
    assert scratch.snapshot("active") == before


def test_ctrl_c_in_an_editor_reaches_the_editor_alone(bank, tmp_path):
    """A real process group: the editor handles the signal as vi does, saves, and ends; the command then saves the note."""
    scratch = bank(NOTES)
    ready = tmp_path / "ready"
    os.mkfifo(ready)
    reading = os.open(ready, os.O_RDONLY | os.O_NONBLOCK)
    script = tmp_path / "editor.py"
    script.write_text(
        "import signal, sys, threading\n"
        "def interrupted(number, frame):\n    open(sys.argv[-1], 'ab').write(b'saved after Ctrl-C')\n    sys.exit(0)\n"
        f"signal.signal(signal.SIGINT, interrupted)\nopen({str(ready)!r}, 'w').close()\nwhile True: threading.Event().wait(0.05)\n"
    )
    command = [sys.executable, "-m", "memorybank", "edit", KEY, "--editor", f"{sys.executable} {script}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=scratch.repository, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    select.select([reading], [], [], 60)  # readable when the editor has closed its end
    os.close(reading)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"") and out.startswith(b"saved: ")
    assert files(scratch)[KEY] == NOTES[KEY].encode() + b"saved after Ctrl-C"


def test_two_editors_at_once_lose_neither_text(bank, run, editor, tmp_path):
    scratch = bank(NOTES)
    other = tmp_path / "other.py"
    other.write_text("import sys\nopen(sys.argv[-1], 'ab').write(b'second')\n")
    inner = [sys.executable, "-m", "memorybank", "edit", KEY, "--editor", f"{sys.executable} {other}"]
    editor(f"open(p, 'ab').write(b'first')\nimport subprocess\nsubprocess.run({inner!r}, check=True)")
    done = run(scratch, "edit", KEY)
    assert done.code == 1 and "changed by somebody else" in done.err and "your text is kept in" in done.err
    assert files(scratch)[KEY] == NOTES[KEY].encode() + b"second" and NOTES[KEY].encode() + b"first" in kept(scratch)


def test_a_note_that_is_moved_while_it_is_edited(bank, run, editor):
    scratch = bank(NOTES)
    inner = [sys.executable, "-m", "memorybank", "mv", KEY, "新.md", "--links"]
    editor(f"open(p, 'ab').write(b'mine')\nimport subprocess\nsubprocess.run({inner!r}, check=True)")
    done = run(scratch, "edit", KEY)
    assert done.code == 3 and "your text is kept in" in done.err
    assert files(scratch)["新.md"] == NOTES[KEY].encode() and NOTES[KEY].encode() + b"mine" in kept(scratch)


def test_a_name_as_long_as_the_file_system_permits(bank, run, editor):
    longest = "あ" * 84 + ".md"  # 255 bytes
    scratch = bank({longest: "# 長い\n", "b.md": f"# B\n\n[[{longest.removesuffix('.md')}]]\n"})
    before = files(scratch)
    assert run(scratch, "edit", longest, "-h").code == 0 and run(scratch, "edit", longest).code == 0
    assert run(scratch, "rate", longest, "8").code == 0
    assert run(scratch, "mv", longest, "い" * 84, "--links").code == 0
    assert set(files(scratch)) == {"い" * 84 + ".md", "b.md"}
    assert run(scratch, "undo").code == 0 and set(files(scratch)) == set(before) and files(scratch)["b.md"] == before["b.md"]
    refused = run(scratch, "mv", longest, "う" * 85)
    assert refused.code == 2 and "258 bytes is too long" in refused.err
    assert run(scratch, "edit", longest).code == 0, "a refused name does not stop later changes"


NFC, NFD = normalize("NFC", "shared/がぎ.md"), normalize("NFD", "shared/がぎ.md")


def test_names_that_differ_only_in_case_or_unicode_form(bank, run, editor):
    """The exact name wins; a name that could mean two notes is refused."""
    scratch = bank({"shared/A.md": "# Upper\n", "shared/a.md": "# Lower\n", NFC: "# NFC\n", NFD: "# NFD\n"})
    for key in ("shared/A.md", "shared/a.md", NFC, NFD):
        assert json.loads(run(scratch, "edit", key, "--json").out)["key"] == key
        assert files(scratch)[key].endswith("追記\r\n".encode())
    assert all(text.count("追記".encode()) == 1 for text in files(scratch).values())
    assert run(scratch, "mv", NFD, NFC).code == 1
    alone = bank({NFD: "# NFD\n"})
    assert json.loads(run(alone, "edit", NFC, "--json").out)["key"] == NFD
    assert run(alone, "mv", NFC, NFC).code == 0 and set(files(alone)) == {NFC}


def test_a_note_that_is_a_symbolic_link_is_left_alone(bank, run, editor, tmp_path):
    scratch = bank(NOTES)
    outside = tmp_path / "outside.md"
    outside.write_text("---\ntags: [db]\n---\n[[設計 メモ]]\n", encoding="utf-8")
    (scratch.active / "link.md").symlink_to(outside)
    (scratch.active / "inner.md").symlink_to(scratch.active / OTHER)
    for arguments in (("edit", "link.md"), ("forget", "link.md"), ("mv", "link.md", "x"), ("rate", "link.md", "3"), ("edit", "inner.md")):
        refused = run(scratch, *arguments)
        assert refused.code == 3 and "\n  next: " in refused.err, arguments
    assert run(scratch, "mv", KEY, "新.md", "--links").code == 0 and run(scratch, "tags", "rename", "db", "x").code == 0
    assert outside.read_text(encoding="utf-8") == "---\ntags: [db]\n---\n[[設計 メモ]]\n" and (scratch.active / "inner.md").is_symlink()


@pytest.mark.slow
def test_thousands_of_notes(bank, run, editor, request):
    count = 3_000 if request.config.getoption("--all") else 600
    tagged = [len(range(tag, count, 7)) for tag in range(7)]
    scratch = bank({f"n/ノート {number}.md": f"---\ntags: [t{number % 7}]\n---\n# ノート {number}\n\n本文 {number}。\n" for number in range(count)})
    run(scratch, "index")
    assert len(json.loads(run(scratch, "list", "--json").out)) == count
    assert len(run(scratch, "list").out.splitlines()) == 51
    assert run(scratch, "edit", f"ノート {count - 1}", "-h").code == 0
    assert json.loads(run(scratch, "edit", f"ノート {count - 1}", "--json").out)["key"] == f"n/ノート {count - 1}.md"
    assert json.loads(run(scratch, "mv", "ノート 7", "x/", "--links", "--json").out)["new_key"] == "x/ノート 7.md"
    assert run(scratch, "forget", "n/ノート 8.md", "-y").code == 0
    assert [each["notes"] for each in json.loads(run(scratch, "tags", "--json").out)] == sorted([tagged[0], tagged[1] - 1, *tagged[2:]], reverse=True)
    for _ in range(3):
        assert run(scratch, "undo", json.loads(run(scratch, "undo", "--list", "--json").out)[0]["rotation_id"], "-q").code == 0
    assert len(files(scratch)) == count

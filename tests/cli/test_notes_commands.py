"""add, remember, show, list, rate, bookmark: what they print, change, and leave alone."""

import json

import pytest

from .read_only import read_only

NOTES = {
    "planning/alpha.md": "---\ntitle: Alpha\ntags: [decision, storage]\n---\n# Alpha\n\nThe staging database.\n",
    "planning/beta.md": "# Beta\n\nSee [alpha](alpha.md).\n",
    "shared/用語集.md": "---\ntags: [用語]\n---\n# 用語集\n\n索引と検索。\n",
}


def test_list_shows_every_note_by_key(bank, run):
    result = run(bank(NOTES), "list")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines()] == ["key", *sorted(NOTES)]


def test_list_in_json_is_for_programs(bank, run):
    listed = json.loads(run(bank(NOTES), "list", "--format", "json").out)
    assert [note["key"] for note in listed] == sorted(NOTES)
    assert listed[0]["title"] == "Alpha" and listed[0]["tags"] == ["decision", "storage"]
    assert listed[0]["path"] == ".claude/memory/active/planning/alpha.md"
    assert listed[0]["modified_at"] == "2025-09-07T12:34:56.789Z"


@pytest.mark.parametrize(
    ("filters", "keys"),
    [
        (["--category", "planning"], ["planning/alpha.md", "planning/beta.md"]),
        (["--category", "plan"], []),
        (["--tag", "DECISION"], ["planning/alpha.md"]),
        (["--tag", "decision", "--tag", "用語"], []),
        (["--tag", "用語"], ["shared/用語集.md"]),
        (["--since", "-11d"], sorted(NOTES)),
        (["--since", "-9d"], []),
        (["--until", "2025-09-07"], sorted(NOTES)),
        (["--until", "2025-09-06"], []),
        (["--min-importance", "9.5"], []),
    ],
)
def test_list_filters(bank, run, filters, keys):
    assert [note["key"] for note in json.loads(run(bank(NOTES), "list", "--format", "json", *filters).out)] == keys


def test_list_problems_names_code_and_line(bank, run):
    scratch = bank({**NOTES, "sync/odd.md": "---\ntitle: Odd\nrating: eleven\n---\nx\n"})
    [problem] = json.loads(run(scratch, "list", "--problems", "--format", "json").out)
    assert problem["path"] == "sync/odd.md" and problem["code"] == "front_matter_value" and problem["line"] == 3
    assert run(scratch, "list", "--problems").code == 0


def test_show_prints_the_note_as_it_is(bank, run):
    scratch = bank(NOTES)
    for spelling in ("shared/用語集.md", "active/shared/用語集.md", ".claude/memory/active/shared/用語集.md", str(scratch.active / "shared" / "用語集.md")):
        assert run(scratch, "show", spelling).out == NOTES["shared/用語集.md"]


def test_show_records_a_reading_unless_told_not_to(bank, run):
    scratch = bank(NOTES)
    log = scratch.root / "log" / "access.jsonl"
    run(scratch, "show", "--no-record", "planning/alpha.md")
    assert not log.exists() or '"view"' not in log.read_text()
    run(scratch, "show", "planning/alpha.md")
    assert log.read_text().count('"view"') == 1


def test_a_missing_note_is_exit_3_with_candidates(bank, run):
    result = run(bank(NOTES), "show", "planning/alfa.md", "--format", "json")
    assert result.code == 3
    assert json.loads(result.err)["error"]["code"] == "not_found"


def test_add_makes_a_note_and_never_replaces_one(bank, run):
    scratch = bank({})
    first = run(scratch, "add", "Why SQLite?", "--folder", "planning", "--tag", "decision", "--rating", "7", "--body", "One file.")
    second = run(scratch, "add", "Why SQLite?", "--folder", "planning")
    assert first.code == second.code == 0 and first.out != second.out
    text = (scratch.active / first.out.strip()).read_text()
    assert "Why SQLite?" in text and "decision" in text and "One file." in text
    [listed] = [note for note in json.loads(run(scratch, "list", "--format", "json").out) if note["key"] == first.out.strip()]
    assert listed["title"] == "Why SQLite?" and listed["tags"] == ["decision"] and listed["rating"] == 7


def test_add_takes_a_japanese_title(bank, run):
    scratch = bank({})
    key = run(scratch, "add", "設計の理由", "--folder", "共有").out.strip()
    assert key.startswith("共有/") and (scratch.active / key).is_file()


@pytest.mark.parametrize("folder", ["../outside", "/etc", "a/../../b"])
def test_add_stays_inside_the_bank(bank, run, folder):
    scratch = bank({})
    before = scratch.snapshot()
    assert run(scratch, "add", "x", "--folder", folder).code == 2
    assert {path for path in scratch.snapshot() if path.endswith(".md")} == {path for path in before if path.endswith(".md")}


def test_remember_keeps_the_words_and_reads_standard_input(bank, run, process):
    scratch = bank({})
    key = run(scratch, "remember", "The", "staging", "database", "is", "reset").out.strip()
    assert "The staging database is reset" in (scratch.active / key).read_text()
    piped = process(scratch, "remember", "-", stdin="認証トークンは失効する\n二行目\n").out.strip()
    assert "二行目" in (scratch.active / piped).read_text(encoding="utf-8")
    assert run(scratch, "remember", "  ").code == 2


def test_rate_changes_one_line_and_nothing_else(bank, run):
    scratch = bank({"planning/crlf.md": b"\xef\xbb\xbf---\r\ntitle: A # why\r\nrating: 3\r\n---\r\nText \r\n"})
    assert run(scratch, "rate", "planning/crlf.md", "8.5").code == 0
    assert (scratch.active / "planning/crlf.md").read_bytes() == b"\xef\xbb\xbf---\r\ntitle: A # why\r\nrating: 8.5\r\n---\r\nText \r\n"


def test_a_rating_is_no_edit(bank, run):
    scratch = bank(NOTES)
    before = json.loads(run(scratch, "list", "--format", "json").out)[0]["modified_at"]
    run(scratch, "rate", "planning/alpha.md", "9")
    assert json.loads(run(scratch, "list", "--format", "json").out)[0]["modified_at"] == before


@pytest.mark.parametrize("rating", ["11", "-1", "nan", "high"])
def test_a_rating_out_of_range_is_refused(bank, run, rating):
    scratch = bank(NOTES)
    before = scratch.snapshot("active")
    assert run(scratch, "rate", "planning/alpha.md", "--", rating).code == 2
    assert scratch.snapshot("active") == before


def test_bookmarks_are_added_listed_and_removed(bank, run):
    scratch = bank(NOTES)
    assert run(scratch, "bookmark", "add", "planning/alpha.md", "--note", "read first").code == 0
    assert "no note matches" in run(scratch, "bookmark", "add", "nowhere/*.md").err
    assert [mark["path"] for mark in json.loads(run(scratch, "bookmark", "list", "--format", "json").out)] == ["planning/alpha.md", "nowhere/*.md"]
    assert run(scratch, "bookmark", "remove", "nowhere/*.md").code == 0
    assert run(scratch, "bookmark", "remove", "nowhere/*.md").code == 3


def test_a_malformed_list_of_bookmarks_is_said_and_left_alone(bank, run):
    scratch = bank(NOTES)
    (scratch.root / "bookmarks.json").write_text("{")
    assert run(scratch, "bookmark", "list").code == 9
    assert run(scratch, "bookmark", "add", "planning/alpha.md").code == 9
    assert (scratch.root / "bookmarks.json").read_text() == "{"


def test_reading_commands_change_no_note(bank, run):
    """SHA-256 and mtime of every note are the same before and after."""
    scratch = bank({**NOTES, "sync/latin.md": b"caf\xe9 \x00\n", "sync/empty.md": ""})
    before = scratch.snapshot("active")
    for arguments in (
        ["list"],
        ["list", "--problems"],
        ["show", "planning/beta.md"],
        ["score"],
        ["score", "--as-of", "+60d"],
        ["index"],
        ["index", "--check"],
        ["rebuild"],
    ):
        assert run(scratch, *arguments).code == 0, arguments
    assert scratch.snapshot("active") == before


def test_a_read_only_bank_answers(bank, run):
    """Everything but writing works for a user who may only read, and no path, byte or mtime changes."""
    warm = bank(NOTES)
    for arguments, _ in READING:  # modules are loaded while they can be read: the unprivileged user may not see this interpreter
        run(warm, *arguments)
    scratch = bank(NOTES)
    run(scratch, "index")
    with read_only(scratch):
        results = [(arguments, code, run(scratch, *arguments)) for arguments, code in READING]
    assert [(arguments, result) for arguments, code, result in results if result.code != code] == []


READING = [
    (["list"], 0),
    (["list", "--problems"], 0),
    (["show", "planning/alpha.md"], 0),
    (["score", "--explain"], 0),
    (["search", "staging"], 0),
    (["search", "--type", "content", "索引"], 0),
    (["config", "show"], 0),
    (["bookmark", "list"], 0),
    (["index", "--check"], 0),
    (["rate", "planning/alpha.md", "5"], 4),
    (["remember", "x"], 4),
]


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", ""),
        ("add", "x", "--folder", "../.."),
        ("add", "x", "--folder", "/tmp"),
        ("add", "x", "--tag", "t" * 20_000),
        ("bookmark", "add", ""),
        ("bookmark", "add", "../x"),
    ],
)
def test_a_refused_request_says_what_to_do_instead(bank, run, arguments):
    scratch = bank(NOTES)
    before = scratch.snapshot()
    refused = run(scratch, *arguments)
    assert refused.code == 2 and "\n  next: " in refused.err
    assert scratch.snapshot() == before


def test_show_prints_a_day_by_the_name_that_search_gives_it(bank, run):
    scratch = bank({"a.md": "# A\n"})
    scratch.episodes(
        {"date": "2025-09-10", "summary": "Uploads were mended.", "by": "extractive"},
        {"date": "2025-09-10", "kind": "supplement", "summary": "再送も直した。"},
        {"date": "2025-08-04~2025-08-10", "kind": "week", "summary": "A week."},
    )
    before = scratch.snapshot()
    shown = run(scratch, "show", "episode:2025-09-10")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == "# 2025-09-10 (day, by extractive)\n\nUploads were mended.\n\n# 2025-09-10 (supplement, by unknown)\n\n再送も直した。\n"
    for name in ("episode:2025-08-04~2025-08-10", "episode:2025-08-06", "episode: 2025-08-04 〜 2025-08-10"):
        assert run(scratch, "show", name).out == "# 2025-08-04~2025-08-10 (week, by unknown)\n\nA week.\n"
    whole = json.loads(run(scratch, "show", "episode:2025-09-10", "--format", "json").out)
    assert [entry["summary"] for entry in whole["entries"]] == ["Uploads were mended.", "再送も直した。"]
    assert scratch.snapshot() == before


@pytest.mark.parametrize("name", ["episode:2025-09-11", "episode:", "episode:soon", "episode:2025-09-10~2025-09-01", "episode:2025-08-04~2025-08-09"])
def test_a_day_that_nobody_tells_of_is_exit_3(bank, run, name):
    scratch = bank()
    scratch.episodes({"date": "2025-08-04~2025-08-10", "kind": "week", "summary": "A week."})
    done = run(scratch, "show", name)
    assert (done.code, done.out) == (3, "")
    assert "episodes list" in done.err
    (scratch.root / "episodes" / "episodic_memory.json").write_text("[", encoding="utf-8")
    assert run(scratch, "show", "episode:2025-08-06").code == 9


def test_the_same_sentence_again_says_that_it_was_there(bank, run):
    scratch = bank({})
    assert run(scratch, "remember", "Use tabs here.").err == ""
    again = run(scratch, "remember", "Use tabs here.")
    assert again.out == "shared/use-tabs-here-2.md\n"
    assert "shared/use-tabs-here.md has the same text already; to archive this copy: memorybank forget shared/use-tabs-here-2.md" in again.err
    assert run(scratch, "add", "Use tabs here", "--body", "But not in YAML.").err == "", "another text under the same name"
    assert run(scratch, "add", "Phase-2", "--body", "x").err == "", "a title that ends with a number"


NEARLY = [
    ("The staging database is reset every Monday at 6:00.", "The staging database is reset every Monday at 7:00."),
    ("We deploy on Fridays.", "We never deploy on Fridays."),
    ("ステージングのDBは毎週月曜6時に初期化される。", "ステージングのDBは毎週月曜の6時に初期化されます。"),
    ("認証トークンは24時間で失効する", "認証トークンは12時間で失効する"),
]
APART = [
    ("The orders service timeout is 30 seconds.", "The mail service timeout is 30 seconds."),
    ("Printer 2 is on floor 3.", "Printer 3 is on floor 4."),
    ("サーバー2のIPは10.0.0.2です", "サーバー3のIPは10.0.0.3です"),
    ("注文サービスのタイムアウトは30秒です。", "通知サービスのタイムアウトは30秒です。"),
]


@pytest.mark.parametrize(("first", "second"), NEARLY)
def test_a_sentence_that_nearly_repeats_a_note_names_it_and_is_kept(bank, run, first, second):
    scratch = bank({"planning/other.md": "# Other\n\nNothing of that kind.\n"})
    run(scratch, "list")
    kept = run(scratch, "remember", first)
    assert kept.err == ""
    again = run(scratch, "remember", second)
    assert again.code == 0 and (scratch.active / again.out.strip()).is_file()
    assert f"{kept.out.strip()} says nearly the same; if the new note replaces it, archive it: memorybank forget {kept.out.strip()}" in again.err
    assert run(scratch, "remember", "--quiet", f"{second} ").err == ""


@pytest.mark.parametrize(("first", "second"), APART)
def test_the_same_words_about_another_thing_are_no_repetition(bank, run, first, second):
    scratch = bank({"planning/other.md": "# Other\n\nNothing of that kind.\n"})
    run(scratch, "list")
    run(scratch, "remember", first)
    assert run(scratch, "remember", second).err == ""


def test_the_same_text_under_another_name_is_named(bank, run):
    scratch = bank({"planning/tabs.md": "# Indentation\n\nUse tabs here, and spaces in YAML files.\n"})
    run(scratch, "list")
    assert "planning/tabs.md" in run(scratch, "add", "How we indent", "--body", "Use tabs here, and spaces in YAML files.").err

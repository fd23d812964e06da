"""search, as a person and as a program ask."""

import json

import pytest

NOTES = {
    "planning/storage.md": "---\ntitle: Why SQLite\ntags: [decision]\n---\n# Why SQLite\n\nOne file, no server. The staging database is reset every Monday.\n",
    "implementation/index.md": "# Index\n\nTokens are stored beside the full text.\n\n## Japanese\n\n検索の索引は二文字組で作る。\n",
    "shared/用語集.md": "---\ntags: [用語, decision]\n---\n# 用語集\n\n検索：ノートを見つけること。E_TIMEOUT を見よ。\n",
    "sync/secret.md": "---\nacl: agent\nagent_created: planner\n---\n# Secret\n\nOnly the planner may see the staging password.\n",
}


def hits(result):
    assert result.code == 0, result.err
    return json.loads(result.out)["hits"]


def keys(result):
    return [hit["key"] for hit in hits(result)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        (["staging", "monday"], "planning/storage.md"),
        (["why did we choose sqlite?"], "planning/storage.md"),
        (["検索"], "shared/用語集.md"),
        (["二文字組"], "implementation/index.md"),
        (['"full text"'], "implementation/index.md"),
        (["e_timeout"], "shared/用語集.md"),
    ],
)
def test_words_find_notes_in_both_languages(bank, run, query, first):
    assert keys(run(bank(NOTES), "search", "--format", "json", *query))[0] == first


def test_a_hit_names_its_passage_and_what_matched(bank, run):
    [hit] = hits(run(bank(NOTES), "search", "--format", "json", "Monday"))
    line = NOTES["planning/storage.md"].split("\n")[hit["lines"][0] - 1]
    assert hit["snippet"] in line
    assert [hit["snippet"][start:end] for start, end in hit["marks"]] == ["Monday"]


def test_content_search_has_the_fields_of_the_specification(bank, run):
    """Literal, any script, mid-word, front matter too."""
    scratch = bank(NOTES)
    [hit] = hits(run(scratch, "search", "--type", "content", "--format", "json", "IMEOUT を"))
    assert {"file_path", "line_number", "content_snippet", "importance_score", "file_size", "match_type"} <= hit.keys()
    assert NOTES["shared/用語集.md"].split("\n")[hit["line_number"] - 1] == hit["content_snippet"]
    assert len(hits(run(scratch, "search", "--type", "content", "--format", "json", "title: why"))) == 1


def test_regular_expressions_are_opt_in(bank, run):
    scratch = bank(NOTES)
    assert hits(run(scratch, "search", "--type", "content", "--format", "json", "M.nday")) == []
    assert len(hits(run(scratch, "search", "--type", "content", "--regex", "--format", "json", "M.nday"))) == 1
    assert run(scratch, "search", "--type", "content", "--regex", "(").code == 2
    assert run(scratch, "search", "--regex", "x").code == 2


def test_importance_and_recent_need_no_query(bank, run):
    scratch = bank(NOTES)
    scratch.write("planning/new.md", "# New\n", days_old=1)
    assert keys(run(scratch, "search", "--type", "recent", "--format", "json"))[0] == "planning/new.md"
    scores = [hit["importance"] for hit in hits(run(scratch, "search", "--type", "importance", "--format", "json"))]
    assert len(scores) == 5 and scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("kind", ["keyword", "content", "semantic", "hybrid"])
def test_the_other_types_need_one(bank, run, kind):
    assert run(bank(NOTES), "search", "--type", kind).code == 2
    assert run(bank(NOTES), "search", "--type", kind, "  ").code == 2


def test_an_unknown_type_is_refused(bank, run):
    result = run(bank(NOTES), "search", "--type", "nonsense", "x")
    assert result.code == 2 and "keyword" in result.err


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["--category", "shared"], {"shared/用語集.md"}),
        (["--tag", "decision"], {"planning/storage.md", "shared/用語集.md"}),
        (["--tag", "decision", "--tag", "用語"], {"shared/用語集.md"}),
        (["--since", "-1d"], set()),
        (["--until", "2025-09-06"], set()),
        (["--until", "2025-09-07"], set(NOTES)),
        (["--min-importance", "9.9"], set()),
        (["--as", "guest"], set(NOTES) - {"sync/secret.md"}),
        (["--as", "planner"], set(NOTES)),
        (["--limit", "1"], {"shared/用語集.md"}),
    ],
)
def test_filters(bank, run, filters, expected):
    scratch = bank(NOTES)
    found = keys(run(scratch, "search", "--type", "importance", "--format", "json", *filters))
    assert len(found) == len(expected) and (set(found) == expected or filters[0] == "--limit")


def test_nothing_found_says_so_and_is_no_error(bank, run):
    scratch = bank(NOTES)
    for form, said in (("table", "no hits\n"), ("summary", "no hits\n"), ("markdown", "No hits.\n")):
        result = run(scratch, "search", "--format", form, "zzzyqx")
        assert (result.code, result.out) == (0, said)
    assert hits(run(scratch, "search", "--format", "json", "zzzyqx")) == []


def test_a_query_that_looks_like_an_option_works_after_the_dashes(bank, run):
    scratch = bank({"planning/a.md": "use --dry-run first\n"})
    assert keys(run(scratch, "search", "--format", "json", "--", "--dry-run")) == ["planning/a.md"]
    assert run(scratch, "search", "--dry-run").code == 2


def test_every_form_names_note_and_line(bank, run):
    scratch = bank(NOTES)
    for form in ("table", "markdown", "summary"):
        assert "planning/storage.md:7" in run(scratch, "search", "--format", form, "Monday").out


def test_on_a_page_the_passage_has_the_whole_width(bank, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    text = run(bank(NOTES), "search", "Monday").out
    assert "planning/storage.md:7\n" in text and max(map(len, text.splitlines())) <= 60 and not any(line.endswith(" ") for line in text.splitlines())


def test_escape_sequences_of_a_note_do_not_reach_the_screen(bank, run):
    scratch = bank({"planning/evil.md": "# \x1b[2J\x1b]0;owned\x07 title\n\npayload \x1b[31mred\u202e text\n"})
    for form in ("table", "markdown", "summary"):
        assert not {"\x1b", "\x07", "\u202e"} & set(run(scratch, "search", "--format", form, "payload").out)


def test_a_note_that_changed_is_found_at_once(bank, run):
    """No index command in between, for a new note, an edit and a deletion."""
    scratch = bank(NOTES)
    assert keys(run(scratch, "search", "--format", "json", "aardvark")) == []
    path = scratch.write("planning/new.md", "# Aardvark\n")
    assert keys(run(scratch, "search", "--format", "json", "aardvark")) == ["planning/new.md"]
    scratch.write("planning/new.md", "# Okapi\n", days_old=9)
    assert keys(run(scratch, "search", "--format", "json", "aardvark")) == []
    path.unlink()
    assert keys(run(scratch, "search", "--format", "json", "okapi")) == []


def test_archived_notes_are_found_and_name_the_way_back(bank, run, fixed_clock):
    from memorybank import Bank

    scratch = bank(NOTES, days_old=90)
    facade = Bank.open(str(scratch.root), clock=fixed_clock)
    facade.rotation.execute(facade.rotation.plan(), yes=True)
    assert keys(run(scratch, "search", "--format", "json", "Monday")) == []
    [hit] = hits(run(scratch, "search", "--archive", "--format", "json", "Monday"))
    assert hit["key"] == "planning/storage.md" and hit["restore"] == f"memorybank archive restore {hit['archive_id']}"
    assert hit["restore"] in run(scratch, "search", "--archive", "Monday").out


DAYS = (
    {"date": "2025-09-10", "summary": "Wanted: a staging database that survives Mondays.\nDecided: nightly dumps."},
    {"date": "2025-09-11", "summary": "目的: 検索の索引を直す。"},
)


def test_kinds_are_said_repeated_or_in_one_list(bank, run):
    scratch = bank(NOTES)
    scratch.episodes(*DAYS)
    both = hits(run(scratch, "search", "staging", "--format", "json"))
    assert {(hit["kind"], hit["key"]) for hit in both} >= {("note", "planning/storage.md"), ("episode", "episode:2025-09-10")}
    assert keys(run(scratch, "search", "--kind", "episode", "検索", "--format", "json")) == ["episode:2025-09-11"]
    assert {hit["kind"] for hit in hits(run(scratch, "search", "--kind", "note", "staging", "--format", "json"))} == {"note"}
    for kinds in (["--kind", "note,episode"], ["--kind", "note", "--kind", "episode"], ["--kind", " episode , note "]):
        assert hits(run(scratch, "search", *kinds, "staging", "--format", "json")) == both


@pytest.mark.parametrize(
    "arguments",
    [
        ["--kind", "day", "x"],
        ["--kind", "note,", "x"],
        ["--kind", "", "x"],
        ["--kind", "episode", "--type", "importance"],
        ["--kind", "episode", "--category", "planning", "x"],
        ["--kind", "episode", "--tag", "decision", "x"],
        ["--kind", "episode", "--min-importance", "3", "x"],
        ["--kind", "episode", "--archive", "x"],
    ],
)
def test_what_no_episode_has_is_refused_with_what_to_do_instead(bank, run, arguments):
    scratch = bank(NOTES)
    scratch.episodes(*DAYS)
    done = run(scratch, "search", *arguments)
    assert (done.code, done.out) == (2, "")
    assert "next: " in done.err


def test_the_table_names_the_kind_and_gives_no_importance_to_a_day(bank, run):
    scratch = bank(NOTES)
    scratch.episodes(*DAYS)
    lines = run(scratch, "search", "staging").out.splitlines()
    assert lines[0].split() == ["rank", "match", "importance", "kind", "where", "passage"]
    [day] = [line for line in lines if "episode:" in line]
    assert day.split()[1:5] == ["good", "-", "episode", "episode:2025-09-10:1-2"]
    assert "episode:2025-09-10:1-2  episode\n" in run(scratch, "search", "staging", "--format", "summary").out


def test_a_bank_without_episodes_says_nothing_of_them(bank, run):
    assert run(bank(NOTES), "search", "--kind", "episode", "staging").out.strip() == "no hits"


def test_without_hits_it_says_where_sessions_are_asked(bank, run):
    scratch = bank(NOTES)
    assert "recall" not in run(scratch, "search", "kubernetes").err
    (scratch.root / "log/events").mkdir(parents=True)
    (scratch.root / "log/events/s1.jsonl").touch()
    without = run(scratch, "search", "kubernetes")
    assert without.out.strip() == "no hits" and "memorybank recall" in without.err
    assert [run(scratch, "search", *query).err for query in (["staging"], ["kubernetes", "--format", "json"])] == ["", ""]
    assert run(scratch, "search", "--tag", "none").err == "memorybank: no note has the tag none; 'memorybank tags' lists the tags\n"


def test_without_hits_it_says_that_the_archive_was_not_searched(bank, run):
    scratch = bank({**NOTES, "sync/kiln.md": "# The kiln\n\nThe kiln is hot on Mondays.\n"})
    assert run(scratch, "search", "kubernetes").err == ""
    assert run(scratch, "forget", "sync/kiln.md", "--yes").code == 0
    without = run(scratch, "search", "kiln")
    assert (without.out, without.err) == ("no hits\n", "memorybank: archived notes are not searched; '--archive' searches them too\n")
    assert [run(scratch, "search", *query).err for query in (["staging"], ["kiln", "--archive"], ["kiln", "--json"])] == ["", "", ""]


def test_weak_matches_are_marked_in_every_form(bank, run, monkeypatch):
    """The second note has one common word of four; the first has them all."""
    scratch = bank(
        {
            "planning/reset.md": "# Reset\n\nThe staging database is reset every Monday.\n",
            "planning/other.md": "# Other\n\nWe also have a database of customers.\n",
            "sync/third.md": "# Third\n\nA database of birds.\n",
        }
    )
    asked = ("staging", "database", "reset", "monday")
    assert [hit["weak"] for hit in hits(run(scratch, "search", *asked, "--format", "json"))] == [False, True, True]
    lines = run(scratch, "search", *asked).out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["1", "good"], ["2", "weak"], ["3", "weak"]]
    for form in ("markdown", "summary"):
        assert run(scratch, "search", *asked, "--format", form).out.count("weak match") == 2
    alone = run(scratch, "search", "kubernetes", "certificate", "database", "expiry")
    assert "only weak matches" in alone.err and "weak" in alone.out
    monkeypatch.setenv("COLUMNS", "60")
    page = run(scratch, "search", *asked).out
    assert page.startswith("1.  planning/reset.md:1-3\n    importance") and page.count("weak match, importance") == 2


@pytest.mark.parametrize(
    ("query", "weak"),
    [
        ("検索の索引", False),
        ("索引の検索方法", False),
        ("設定変更手順", False),
        ("障害対応の連絡網と索引", True),
        ("authentcation", False),
        ("authenti", False),
    ],
)
def test_another_wording_is_not_a_weak_match(bank, run, query, weak):
    """Pairs of characters across words, compounds, misspelled and unfinished words do not make a match weak."""
    scratch = bank(
        {"a.md": "# A\n\n検索では索引を使う。方法は二つ。\n", "b.md": "# B\n\n設定を変更する。手順は三つ。\n", "c.md": "# C\n\nauthentication token\n"}
    )
    assert hits(run(scratch, "search", query, "--format", "json"))[0]["weak"] is weak


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (["--tag", "decision"], ["planning/new.md", "planning/storage.md", "shared/用語集.md"]),
        (["--tag", "用語"], ["shared/用語集.md"]),
        (["--since", "3 days ago"], ["planning/new.md"]),
        (["--category", "sync"], ["sync/secret.md"]),
        (["--tag", "nothing"], []),
    ],
)
def test_filters_without_words_list_the_newest_first(bank, run, filters, expected):
    scratch = bank(NOTES)
    scratch.write("planning/new.md", "---\ntags: [decision]\n---\n# New\n", days_old=1)
    found = run(scratch, "search", *filters, "--format", "json")
    assert keys(found)[0:1] == expected[0:1] and sorted(keys(found)) == sorted(expected)
    assert json.loads(found.out)["type"] == "recent"
    assert run(scratch, "search").code == 2 and "--tag" in run(scratch, "search").err


def test_a_note_without_text_shows_its_title(bank, run):
    scratch = bank({"空.md": "---\ntitle: 空のノート\n---\n", "b.md": "---\ntags: [x]\n---"})
    hits = json.loads(run(scratch, "search", "--since", "2020-01-01", "--format", "json").out)["hits"]
    assert {hit["snippet"] for hit in hits} == {"空のノート", "b"}


def test_a_folder_or_tag_that_no_note_has_is_named(bank, run):
    scratch = bank({"planning/a.md": "---\ntags: [storage]\n---\n# A\n", "shared/b.md": "# B\n"})
    missing = run(scratch, "search", "--category", "nope")
    assert (missing.code, missing.out) == (0, "no hits\n")
    assert "no note is in a folder nope of active/; folders with notes: planning, shared" in missing.err
    assert "no note has the tag nope; 'memorybank tags' lists the tags" in run(scratch, "search", "--tag", "nope", "--tag", "storage", "a").err
    there = run(scratch, "search", "--category", "shared", "--tag", "storage")
    assert there.out == "no hits\n" and "no note" not in there.err

"""Front matter: what is read, what is a Problem, and that the fast reader means what YAML means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.notes import frontmatter, simple_yaml, yaml_reader
from memorybank.notes.note import FrontMatter, Note
from memorybank.notes.parse import parse


def note(front: str, body: str = "body\n") -> Note:
    return parse("planning/x.md", f"---\n{front}\n---\n{body}".encode())


def codes(parsed: Note) -> list[str]:
    return [problem.code for problem in parsed.problems]


def test_every_key_is_read() -> None:
    front = note(
        "title: 設計の決定\ntags: [decision, 設計]\ntopics:\n  - storage\n  - locks\nrating: 7.5\ncreated: 2025-09-01\nupdated: 2025-09-17T12:34:56.789+09:00\n"
        "language: ja\nagent_created: planner\nsession_id: session_12345\nacl: agent\nprivacy: agent-only\nbookmarked: true\nunknown: kept"
    ).front
    assert front == FrontMatter(
        title="設計の決定",
        tags=("decision", "設計"),
        topics=("storage", "locks"),
        rating=7.5,
        created=1_756_684_800_000,
        updated=1_758_080_096_789,
        language="ja",
        agent_created="planner",
        session_id="session_12345",
        acl="agent",
        privacy="agent-only",
        bookmarked=True,
    )


@pytest.mark.parametrize(
    ("written", "rating"),
    [("0", 0.0), ("10", 10.0), ("8", 8.0), ("7.25", 7.25), ('"6"', 6.0), ("10.0", 10.0), ("  4  ", 4.0), ("5 # mine", 5.0)],
)
def test_a_rating_is_a_plain_decimal_from_0_to_10(written: str, rating: float) -> None:
    assert note(f"rating: {written}").front.rating == rating
    assert note(f"importance: {written}").front.rating == rating


@pytest.mark.parametrize(
    "written",
    [
        ".nan",
        ".inf",
        "-.inf",
        "nan",
        "true",
        "yes",
        "010",
        "0x8",
        "0b11",
        "0o7",
        "1_0",
        "12:30:00",
        "0:07",
        "12:30:00.5",
        "-1",
        "+5",
        "10.1",
        "11",
        "1e1",
        "5.",
        ".5",
        "1e400",
        "high",
        "高い",
        "[5]",
        "{a: 5}",
        "5, 6",
        "2025-09-17",
        "!!float 5x",
        "!!python/object:os.system x",
        "٥",
        "５",
    ],
)
def test_what_is_no_such_decimal_is_a_problem_and_never_a_score(written: str) -> None:
    parsed = note(f"title: kept\nrating: {written}")
    assert parsed.front.rating is None
    assert codes(parsed) == ["front_matter_value"]
    assert parsed.problems[0].line == 3
    assert parsed.front.title == "kept"


def test_rating_wins_over_importance_even_when_it_is_odd() -> None:
    assert note("importance: 3\nrating: 8").front.rating == 8.0
    assert note("rating: 8\nimportance: 3").front.rating == 8.0
    assert note("rating: often\nimportance: 3").front.rating is None


@pytest.mark.parametrize("written", ["", "null", "~", "Null", "NULL"])
def test_a_missing_or_null_value_is_absent_without_a_problem(written: str) -> None:
    for key in ("title", "tags", "topics", "rating", "created", "updated", "language", "acl", "privacy", "bookmarked"):
        parsed = note(f"{key}: {written}")
        assert parsed.front == FrontMatter() and not parsed.problems


@pytest.mark.parametrize(
    "written",
    ["2025-13-45", "2025-02-30", "0001-01-01+14:00", "0001-01-01T00:00+14:00", "yesterday", "昨日", "12:30:00", "20250917", "[2025-09-17]", "99999-01-01"],
)
def test_an_impossible_date_costs_only_itself(written: str) -> None:
    parsed = note(f"created: {written}\nupdated: {written}\nrating: 9")
    assert (parsed.front.created, parsed.front.updated, parsed.front.rating) == (None, None, 9.0)
    assert codes(parsed) == ["front_matter_value", "front_matter_value"]


def test_naive_dates_are_utc() -> None:
    written = ("2025-09-17", "2025-09-17T00:00:00Z", "2025-09-17 09:00 +09:00")
    assert {note(f"created: {date}").front.created for date in written} == {1_758_067_200_000}


def test_tags_come_as_list_or_as_text_with_commas_each_once() -> None:
    assert note("tags: a, b、設計，a").front.tags == ("a", "b", "設計")
    assert note('tags: ["#a", b c, null, ""]').front.tags == ("a", "b c")
    parsed = note("tags: [a, [b], {c: d}]")
    assert parsed.front.tags == ("a",) and codes(parsed) == ["front_matter_value"] * 2
    assert codes(note("tags: {a: b}")) == ["front_matter_value"]


def test_words_that_yaml_would_turn_into_something_else_stay_words() -> None:
    front = note("title: 12:30:00\ntags: [yes, 010, 2025-09-17, 1.50]\nlanguage: no\nsession_id: 0123").front
    assert front == FrontMatter(title="12:30:00", tags=("yes", "010", "2025-09-17", "1.50"), language="no", session_id="0123")


@pytest.mark.parametrize(("key", "strictest"), [("acl", "session"), ("privacy", "private")])
@pytest.mark.parametrize("written", ["secret", "[a]", "7", "{a: b}"])
def test_an_odd_guard_is_taken_as_the_strictest(key: str, strictest: str, written: str) -> None:
    parsed = note(f"{key}: {written}")
    assert getattr(parsed.front, key) == strictest
    assert codes(parsed) == ["front_matter_value"]


def test_an_odd_bookmark_keeps_the_note() -> None:
    assert note("bookmarked: forever").front.bookmarked and codes(note("bookmarked: forever")) == ["front_matter_value"]
    assert not note("bookmarked: no").front.bookmarked
    assert note("bookmarked: Yes").front.bookmarked


@pytest.mark.parametrize("broken", ["title: a: b", "tags: [", 'title: "open', "a: *b", "x: " + "[" * 30 + "]" * 30, "\x01: x", "k: @x", "- a\nb: c"])
def test_guards_in_a_block_that_cannot_be_read_count_as_strict(broken: str) -> None:
    parsed = note(f"privacy: public\nacl: user\nbookmarked: false\n{broken}")
    assert (parsed.front.acl, parsed.front.privacy, parsed.front.bookmarked) == ("session", "private", True)
    assert len(parsed.problems) == 1
    assert parsed.body == parsed.text


def test_a_refused_block_is_text_but_not_a_heading() -> None:
    parsed = note("title: Decision: use SQLite", "# The decision\n")
    assert codes(parsed) == ["front_matter_invalid"]
    assert parsed.problems[0].line == 2
    assert parsed.title == "The decision" and parsed.headings == ("The decision",)
    assert "use SQLite" in parsed.prose and parsed.body_line == 1


@pytest.mark.parametrize("key", ["title", "rating", "created", "tags", "unknown"])
def test_a_key_given_twice_is_a_problem_and_not_used(key: str) -> None:
    parsed = note(f"{key}: 2\nlanguage: ja\n{key}: 3")
    assert parsed.front == FrontMatter(language="ja")
    assert codes(parsed) == ["front_matter_duplicate_key"]


def test_contradicting_guards_count_as_the_strictest() -> None:
    front = note("privacy: public\nprivacy: private\nbookmarked: true\nbookmarked: false\nacl: user\nacl: user").front
    assert (front.acl, front.privacy, front.bookmarked) == ("session", "private", True)


def test_reserved_names_of_the_front_matter_library_are_ordinary_keys() -> None:
    parsed = note("content: x\nhandler: y\nmetadata: &anchor {a: b}\ntitle: T")
    assert parsed.title == "T" and not parsed.problems and parsed.body == "body\n"


@pytest.mark.parametrize(
    "text", ['{"title": "json"}\n', "{a: b}", "+++\ntitle = 'x'\n+++\n", "----\ntitle: x\n----\n", " ---\ntitle: x\n---\n", "--- \x0c\ntitle: x\n---\n", "---"]
)
def test_only_three_dashes_open_a_front_matter(text: str) -> None:
    parsed = parse("x.md", text.encode())
    assert parsed.body == text and parsed.front == FrontMatter() and not parsed.problems


def test_prose_between_two_rules_is_body() -> None:
    text = "---\nThis is prose.\n\nMore of it.\n---\n\nrest\n"
    parsed = parse("x.md", text.encode())
    assert parsed.body == text and not parsed.problems and "prose" in parsed.prose


def test_prose_that_looks_like_a_mapping_stays_in_the_text() -> None:
    parsed = parse("x.md", b"---\nNote: this is prose\n---\nrest\n")
    assert parsed.body == "rest\n" and "this is prose" in parsed.text and not parsed.problems


def test_a_rule_above_prose_is_no_front_matter() -> None:
    parsed = parse("x.md", b"---\n\nSome prose without any end.\n")
    assert parsed.body_line == 1 and not parsed.problems


def test_an_unclosed_front_matter_is_named() -> None:
    parsed = parse("x.md", b"---\ntitle: lost\nprivacy: public\n\n# Heading\n")
    assert codes(parsed) == ["front_matter_unclosed"] and parsed.front.privacy == "private" and "lost" in parsed.body


def test_an_empty_block_is_a_front_matter_without_keys() -> None:
    for block in ("", "\n", "# only a comment\n", "  \n\n"):
        parsed = parse("x.md", f"---\n{block}---\nbody".encode())
        assert parsed.body == "body" and not parsed.problems


def test_the_cap_is_on_bytes_of_the_block() -> None:
    fits = "title: " + "x" * (frontmatter.MAX_BLOCK_BYTES - 8) + "\n"
    assert len(fits) == frontmatter.MAX_BLOCK_BYTES
    assert parse("x.md", f"---\n{fits}---\n".encode()).front.title is not None
    over = parse("x.md", f"---\nx{fits}---\n# H\n".encode())
    assert codes(over) == ["front_matter_too_large"] and over.title == "H" and over.body == over.text
    japanese = "title: " + "設" * (frontmatter.MAX_BLOCK_BYTES // 3) + "\n"
    assert codes(parse("x.md", f"---\n{japanese}---\n".encode())) == ["front_matter_too_large"]


@pytest.mark.parametrize("extra", range(-12, 13))
def test_the_closing_fence_is_found_at_every_place_around_the_cap(extra: int) -> None:
    block = "a: " + "x" * (frontmatter.MAX_BLOCK_BYTES - 4 + extra) + "\n"
    for tail in ("", "\n", "\r\n", "\nrest", "x", "--\n", " \t\nrest", " " * 100, " " * 100 + "x"):
        found = frontmatter.find_block(f"---\n{block}---{tail}")
        closes = not tail.endswith(("x", "--\n"))
        assert isinstance(found, frontmatter.FrontMatterBlock) is (closes and extra <= 0), (tail, found)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_of_both_kinds_are_read_and_kept(end: str) -> None:
    text = end.join(("---", "title: 設計", "tags:", "  - a", "---", "", "# H", "body", ""))
    parsed = parse("x.md", text.encode())
    assert parsed.text == text and parsed.title == "設計" and parsed.front.tags == ("a",)
    assert parsed.body == end.join(("", "# H", "body", "")) and parsed.body_line == 6 and parsed.headings == ("H",)


def test_a_bom_is_stripped_first() -> None:
    parsed = parse("x.md", "\ufeff---\ntitle: T\n---\nbody".encode())
    assert parsed.title == "T" and parsed.text.startswith("---") and parsed.size == 24


def test_depth_and_aliases_are_refused_before_anything_is_built() -> None:
    assert codes(note("a: " + "[" * 19 + "]" * 19)) == []
    assert codes(note("a: " + "[" * 20 + "]" * 20)) == ["front_matter_too_deep"]
    assert codes(note("a: &x [1]\nb: [*x, *x]")) == ["front_matter_alias"]
    assert codes(note("a: &x b")) == []


def test_deep_nesting_within_the_cap_is_refused_quickly() -> None:
    assert codes(note("a: " + "[" * 16_000)) == ["front_matter_too_deep"]
    assert codes(note("a: " + "{b: " * 4_000)) == ["front_matter_too_deep"]


VALUES = [
    "",
    "a",
    "設計",
    "a b",
    '"q q"',
    "'s'",
    "[a, b]",
    "[]",
    "[ 'x', \"y\" ]",
    "null",
    "~",
    "true",
    "010",
    "12:30:00",
    "2025-09-17T10:00:00Z",
    "a:b",
    "a#b",
    "a #c",
    "a: b",
    "*x",
    "&x y",
    "!!str 5",
    "|",
    ">",
    "- a",
    "{a: b}",
    "[a, [b]]",
    '"a\\n"',
    "'it''s'",
    "a\tb",
    "a\u3000",
    "\u3000a",
    "\u0085",
    "x\u2028y",
    "@a",
    "`a`",
    "%a",
    "?a",
    "? a",
    "😀",
    "a,b",
    "[a,]",
    "[a b: c]",
]
LINES = st.one_of(
    st.builds(
        "{}{}:{}{}".format,
        st.sampled_from(["", "", " "]),
        st.sampled_from(["title", "a", "b-c", "_d", "null", "y", "タグ"]),
        st.sampled_from([" ", "", "  "]),
        st.sampled_from(VALUES),
    ),
    st.builds("{}-{}{}".format, st.sampled_from(["", " ", "  "]), st.sampled_from([" ", "  ", ""]), st.sampled_from(VALUES)),
    st.sampled_from(["", "  ", "# c", "  # c", "...", "--- a", "%YAML 1.1", "\t", "<<: {a: b}", "  continued"]),
    st.text(st.sampled_from("ab設 :-#\"'[]{},\t&*!|>%@`~?\\"), max_size=8),
    st.builds("a: {}".format, st.text(max_size=6)),
)


@given(st.lists(LINES, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_the_fast_reader_agrees_with_yaml_on_all_it_accepts(lines: list[str], end: str) -> None:
    block = end.join([*lines, ""])
    usual = simple_yaml.read(block)
    if usual is not None:
        assert yaml_reader.read(block) == yaml_reader.YamlMapping(*usual, ())


def test_the_fast_reader_accepts_the_usual_front_matter() -> None:
    block = 'title: "A, B"\ntags: [a, b c]\nlist:\n- x\n- y\n\n# comment\ncreated: 2025-09-17T10:00:00Z\nurl: https://example.org/a#b\nnone:\n'
    assert simple_yaml.read(block) is not None


@given(st.text(max_size=200))
def test_no_block_makes_the_readers_raise(block: str) -> None:
    simple_yaml.read(block)
    yaml_reader.read(block)


@given(st.text(st.sampled_from("-\n\r :a#設\t x"), max_size=60))
def test_front_matter_and_body_are_the_text(text: str) -> None:
    parsed = parse("x.md", ("---\n" + text).encode())
    assert parsed.text.endswith(parsed.body)
    before = parsed.text[: len(parsed.text) - len(parsed.body)]
    assert parsed.body_line == before.count("\n") + 1


@pytest.mark.parametrize("broken", ["---\ntitle: No end\n{}\n\nText", "---\ntitle: [odd\n{}\n---\n\nText"])
def test_a_rating_that_keeps_a_note_counts_in_a_block_that_cannot_be_read(broken: str) -> None:
    """It is as the person wrote it; a lower one would only make the note leave sooner."""
    found = {
        line: parse("a.md", broken.format(line).encode()).front.rating
        for line in ("rating: 9", 'rating: "8.5"', "importance: 10", "rating: 2", "rating: 99", "x: 9")
    }
    assert found == {"rating: 9": 9, 'rating: "8.5"': 8.5, "importance: 10": 10, "rating: 2": None, "rating: 99": None, "x: 9": None}


def test_a_note_with_such_a_rating_does_not_leave(bank, fixed_clock) -> None:
    from memorybank.bank import Bank

    scratch = bank({"planning/a.md": "---\ntitle: No end\nrating: 9\n\nText", "planning/b.md": "# B\n\nText\n"}, days_old=400)
    leaving = Bank.open(scratch.root, clock=fixed_clock).rotation.plan(ignore_grace=True).leaving
    assert [each.key for each in leaving] == ["planning/b.md"]

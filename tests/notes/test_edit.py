"""Setting one front-matter key changes that value and no other byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import UsageError, ValidationFailed
from memorybank.notes.edit import set_front_matter
from memorybank.notes.parse import parse


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"", b"---\nrating: 8\n---\n"),
        (b"# T\n", b"---\nrating: 8\n---\n# T\n"),
        (b"# T\r\nx\n", b"---\r\nrating: 8\r\n---\r\n# T\r\nx\n"),
        (b"no line end", b"---\nrating: 8\n---\nno line end"),
        (b"\xef\xbb\xbf# T\n", b"\xef\xbb\xbf---\nrating: 8\n---\n# T\n"),
        (b"---\n---\n", b"---\nrating: 8\n---\n"),
        (b"---\n# c\n---\n", b"---\n# c\nrating: 8\n---\n"),
        (b"---\ntitle: T\n---\nx", b"---\ntitle: T\nrating: 8\n---\nx"),
        (b"---\r\ntitle: T\r\n---\r\nx", b"---\r\ntitle: T\r\nrating: 8\r\n---\r\nx"),
        (b"---\nrating: 3\n---\n", b"---\nrating: 8\n---\n"),
        (b"---\nrating:    3   # mine\n---\n", b"---\nrating:    8   # mine\n---\n"),
        (b"---\nrating:\n---\n", b"---\nrating: 8\n---\n"),
        (b"---\nrating: # none yet\n---\n", b"---\nrating: 8 # none yet\n---\n"),
        (b'---\nrating: "3"\ntitle: x\n---\n', b"---\nrating: 8\ntitle: x\n---\n"),
        (b"---\n'rating': 3\n---\n", b"---\n'rating': 8\n---\n"),
        (b"---\nrating: !!int 3\n---\n", b"---\nrating: 8\n---\n"),
        (b"---\nrating: |\n  long\n  text\n\n# c\ntitle: x\n---\n", b"---\nrating: 8\n\n# c\ntitle: x\n---\n"),
        (b"---\nrating:\n  - a\n  # inner\n  - b # last\n# c\ntitle: x\n---\n", b"---\nrating:\n  8 # last\n# c\ntitle: x\n---\n"),
        (b"---\nrating: {a: [b,\n  c]} # c\n---\n", b"---\nrating: 8 # c\n---\n"),
        (b"---\n{title: T}\n---\n", b"---\n{rating: 8, title: T}\n---\n"),
        (b"---\n{ }\n---\n", b"---\n{rating: 8 }\n---\n"),
        (b"---\n{title: T, rating: 3}\n---\n", b"---\n{title: T, rating: 8}\n---\n"),
        (b"---\n  title: T\n---\n", b"---\n  title: T\n  rating: 8\n---\n"),
        (b"---\nouter:\n  rating: 3\n---\n", b"---\nouter:\n  rating: 3\nrating: 8\n---\n"),
        (b"---\ntext: |\n  rating: 3\n---\n", b"---\ntext: |\n  rating: 3\nrating: 8\n---\n"),
        ("---\ntitle: 設計 # 注\nrating: 3\n---\n本文\n".encode(), "---\ntitle: 設計 # 注\nrating: 8\n---\n本文\n".encode()),
        (b"---\ntitle: caf\xe9\nrating: 3 # \xff\n---\n\xff\xfe\n", b"---\ntitle: caf\xe9\nrating: 8 # \xff\n---\n\xff\xfe\n"),
        (b"---\nprose between rules\n---\n", b"---\nrating: 8\n---\n---\nprose between rules\n---\n"),
        (b"---\n\nprose below a rule\n", b"---\nrating: 8\n---\n---\n\nprose below a rule\n"),
    ],
)
def test_one_value_changes_and_every_other_byte_stays(before: bytes, after: bytes) -> None:
    assert set_front_matter(before, "rating", 8.0) == after
    assert parse("x.md", after).front.rating == 8.0
    assert set_front_matter(after, "rating", 8.0) == after


@pytest.mark.parametrize(
    "data",
    [
        b"---\ntitle: a: b\n---\n",
        b"---\na: &x 1\nb: *x\n---\n",
        b"---\nrating: 1\nrating: 2\n---\n",
        b"---\ntitle: unclosed\n",
        b"---\ntitle: " + b"x" * 20_000 + b"\n---\n",
        b"---\nx: " + b"[" * 50 + b"\n---\n",
        b"---\n{rating, a: b}\n---\n",
        b"---\n\x07: bell\n---\n",
    ],
)
def test_what_cannot_be_read_is_refused_with_a_next_step(data: bytes) -> None:
    with pytest.raises(ValidationFailed) as refused:
        set_front_matter(data, "rating", 8)
    assert refused.value.next_step


def test_a_block_that_would_pass_the_cap_is_refused() -> None:
    data = b"---\ntitle: " + b"x" * (16 * 1024 - 8) + b"\n---\n"
    assert parse("x.md", data).front.title
    with pytest.raises(ValidationFailed):
        set_front_matter(data, "rating", 8)


@pytest.mark.parametrize("name", ["", "a b", "a:", "0", "rating: 1\nacl", "タグ"])
def test_only_plain_keys_are_set(name: str) -> None:
    with pytest.raises(UsageError):
        set_front_matter(b"", name, 8)


@pytest.mark.parametrize("value", [True, False, None, 0, 10, 7.25, "text", "true", "a: b", "設計", ["a", "b, c", "設計"], [], "line\nline"])
def test_every_kind_of_value(value) -> None:
    for data in (b"---\ntitle: T\n---\nbody\n", b"---\nx: [1]\ntitle: T\n---\nbody\n", b"body\n"):
        edited = set_front_matter(data, "x", value)
        assert edited.endswith(b"body\n")
        assert set_front_matter(edited, "x", value) == edited


BLOCKS = st.lists(
    st.sampled_from(
        [
            "title: T",
            "rating: 3",
            "rating:",
            'rating: "3" # c',
            "rating: [1, 2]",
            "rating:\n  - 1\n  - 2",
            "rating: >\n  folded\n  text",
            "# comment",
            "",
            "tags:\n- a",
            "x: {a: b}",
            "設計: 決定",
            "y: 'q: r'",
            "rating : 5",
            "- a",
            "z: a: b",
        ]
    ),
    max_size=5,
)


@given(
    BLOCKS,
    st.sampled_from([b"\n", b"\r\n"]),
    st.binary(max_size=20),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.sampled_from([8, 2.5, True, "a # b", None, ["x", "y z"]]),
)
def test_an_edit_is_refused_or_touches_one_value_only(lines: list[str], end: bytes, body: bytes, bom: bytes, value) -> None:
    block = "\n".join([*lines, ""]).encode().replace(b"\n", end)
    data = bom + b"---" + end + block + b"---" + end + body
    before = parse("x.md", data)
    try:
        edited = set_front_matter(data, "rating", value)
    except ValidationFailed:
        return
    after = parse("x.md", edited)
    assert edited.startswith(bom) and edited.endswith(body)
    assert (after.front.title, after.front.tags) == (before.front.title, before.front.tags)
    if value in (8, 2.5):
        assert after.front.rating == value
    removed = [line for line in data.split(b"\n") if line not in edited.split(b"\n")]
    assert all(line.lstrip().startswith((b"rating", b"- ", b"folded", b"text")) for line in removed)


@given(st.binary(max_size=60))
def test_any_bytes_are_edited_or_refused(data: bytes) -> None:
    for given_data in (data, b"---\n" + data + b"\n---\n"):
        try:
            edited = set_front_matter(given_data, "rating", 8)
        except ValidationFailed:
            continue
        assert parse("x.md", edited).front.rating == 8.0

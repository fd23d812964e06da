"""Names and sidecars of archive objects."""

import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.archive import object as objects
from memorybank.archive.object import ArchiveObject
from memorybank.clock import DAY
from memorybank.errors import NewerFormat, ValidationFailed

NOW = 1_758_112_496_789
DIGEST = sha256(b"text").hexdigest()


def described(**changes) -> ArchiveObject:
    key, archived_at, digest = changes.pop("original_path", "planning/概要.md"), changes.pop("archived_at", NOW), changes.pop("sha256", DIGEST)
    fields = {
        "id": objects.id_of(archived_at, key, digest),
        "original_path": key,
        "title": "概要",
        "topics": ("計画", "planning"),
        "gist": "What it is.",
        "importance": 1.5,
        "rule": "low",
        "reason": "importance 1.5",
        "sha256": digest,
        "size": 4,
        "mtime_ns": 1_754_656_496_123_456_789,
        "archived_at": archived_at,
        "delete_after": NOW + 90 * DAY,
        "rotation_id": "20250917T123456789Z-1a2b3c",
        "compressed": True,
        "object_sha256": "f" * 64,
        "object_size": 17,
    }
    return ArchiveObject(**{**fields, **changes})


def test_names_carry_date_slug_and_digest():
    made = described()
    expected = sha256("planning/概要.md".encode() + b"\0" + DIGEST.encode()).hexdigest()[:8]
    assert made.object_path == f"archive/by_date/2025/09/20250917T123456Z-概要-{expected}.md.zst"
    assert made.sidecar_path == f"archive/by_date/2025/09/20250917T123456Z-概要-{expected}.json"
    assert described(compressed=False).object_path.endswith(f"-{expected}.md")


@pytest.mark.parametrize(
    ("key", "slug"),
    [
        ("a/Overview of it.md", "Overview-of-it"),
        ("設計 メモ（二）.md", "設計-メモ-二"),
        ("か\u3099.md", "が"),
        ("--.md", "note"),
        ("..md", "note"),
        ("\U0001f600.md", "note"),
        ("हिन्दी.md", "हिन्दी"),
        ("a\nb\x00c.md", "a-b-c"),
        ("../../etc/passwd.md", "passwd"),
        ("x" * 300 + ".md", "x" * 80),
        ("日" * 100 + ".md", "日" * 26),
    ],
)
def test_slugs(key, slug):
    assert objects.slug(key) == slug


@given(st.text(min_size=1).filter(lambda text: text.isprintable() or True))
def test_a_slug_is_always_a_safe_name(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    made = objects.slug(text + ".md")
    assert 1 <= len(made.encode()) <= 80
    assert not set(made) & set("/\\\0\n.") and not made.startswith("-")


def test_a_sidecar_reads_back_as_it_was_written():
    for made in (described(), described(delete_after=None, topics=(), compressed=False, importance=0.0)):
        assert objects.parse(objects.render(made.fields()), made.sidecar_path) == made


def test_the_fields_of_a_sidecar():
    fields = json.loads(objects.render(described().fields()))
    assert set(fields) == {
        "version", "original_path", "title", "topics", "gist", "importance", "rule", "reason", "sha256", "size", "mtime", "mtime_ns",
        "archived_at", "delete_after", "rotation_id", "object", "object_sha256", "object_size", "checksum",
    }  # fmt: skip
    assert fields["mtime"] == "2025-08-08T12:34:56.123Z" and fields["archived_at"] == "2025-09-17T12:34:56.789Z"
    assert objects.render(described().fields()).decode().startswith('{\n  "archived_at"')


@given(st.text(), st.lists(st.text(), max_size=60), st.text(), st.integers(-(2**62), 2**62), st.integers(0, 100))
def test_any_text_makes_a_readable_sidecar(title, topics, prose, mtime_ns, tenth):
    made = described(
        title=objects.title_of(title), topics=objects.topics_of(tuple(topics)), gist=objects.gist_of(prose), mtime_ns=mtime_ns, importance=tenth / 10
    )
    data = objects.render(made.fields())
    assert objects.parse(data, made.sidecar_path) == made
    assert len(data) < objects.MAX_SIDECAR_BYTES


@given(st.binary(max_size=300))
def test_garbage_is_a_validation_error(data):
    with pytest.raises(ValidationFailed):
        objects.parse(data, "archive/by_date/2025/09/x.json")


leaves = st.none() | st.booleans() | st.floats() | st.integers() | st.text()


@given(st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))
def test_any_value_in_any_field_is_a_validation_error_or_fine(value):
    for name in described().fields():
        fields = {**described().fields(), name: value}
        fields.pop("checksum", None)
        try:
            fields["checksum"] = sha256(objects.render(fields)).hexdigest()
            data = objects.render(fields)
        except ValueError:
            continue
        try:
            objects.parse(data, described().sidecar_path)
        except (ValidationFailed, NewerFormat):
            continue


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"{}",
        b"null",
        b"[]",
        b'{"checksum": 1}',
        b"\xff\xfe",
        b'{"a": 1e999}',
        b'{"size": ' + b"9" * 5000 + b"}",
        objects.render({"checksum": "x"}),
    ],
)
def test_hostile_sidecars(data):
    with pytest.raises(ValidationFailed):
        objects.parse(data, "archive/by_date/2025/09/x.json")


def resigned(**changes) -> bytes:
    fields = {**described().fields(), **changes}
    del fields["checksum"]
    fields["checksum"] = sha256(objects.render(fields)).hexdigest()
    return objects.render(fields)


@pytest.mark.parametrize(
    "changes",
    [
        {"original_path": "../../../etc/passwd.md"},
        {"original_path": "/etc/passwd"},
        {"original_path": "a/../b.md"},
        {"original_path": "other.md"},
        {"object": "../../x.md.zst"},
        {"object": "x.txt"},
        {"size": -1},
        {"size": 1 << 40},
        {"size": True},
        {"object_size": 1 << 40},
        {"mtime_ns": 1 << 70},
        {"version": 0},
        {"topics": [1]},
        {"archived_at": "yesterday"},
        {"delete_after": "soon"},
        {"sha256": "0" * 64},
    ],
)
def test_a_well_signed_sidecar_is_still_not_trusted(changes):
    """A sidecar can come from a stranger's pull request."""
    with pytest.raises(ValidationFailed):
        objects.parse(resigned(**changes), described().sidecar_path)


def test_gists_are_the_first_running_text():
    assert objects.gist_of("\n# Heading\n\n- first point\n- second") == "first point"
    assert objects.gist_of("# Only a heading\n") == ""
    assert objects.gist_of("検索" * 200) == ("検索" * 200)[:159] + "…"
    assert objects.gist_of("a\u202eb\x1b[31mc") == "ab[31mc"

"""Every kind of committed file is merged without losing anything, and with the same bytes whichever side merges the other."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.archive.object import ArchiveObject, id_of, render
from memorybank.episodes import archive as weeks
from memorybank.episodes import entry as entries
from memorybank.episodes import list_file
from memorybank.merging import driver, kinds
from memorybank.merging.sides import FileVersions
from memorybank.resident import seal_of
from memorybank.text import generated

from .conftest import learned

LEARNED = "active/learned/problem-uv-00000001.md"


def merged(path: str, base: str | bytes, ours: str | bytes, theirs: str | bytes) -> str:
    """Merge both ways, and return the clean result."""
    kind = kinds.of_path(path)
    assert kind is not None
    sides = [side.encode() if isinstance(side, str) else side for side in (base, ours, theirs)]
    one = driver.merge(kind, FileVersions(path, *sides))
    other = driver.merge(kind, FileVersions(path, sides[0], sides[2], sides[1]))
    assert one.is_clean and other.is_clean, one.data.decode()
    assert one.data == other.data, "the direction of a merge changes the bytes"
    return one.data.decode()


def refused(path: str, base: str, ours: str, theirs: str) -> str:
    kind = kinds.of_path(path)
    assert kind is not None
    result = driver.merge(kind, FileVersions(path, base.encode(), ours.encode(), theirs.encode()))
    assert not result.is_clean
    return result.data.decode()


def test_the_last_matching_pattern_is_the_kind_of_a_file_as_in_git():
    named = {path: kind.name if (kind := kinds.of_path(path)) else None for path in ("active/a.md", "active/b/c.md", LEARNED, "active/sync/sessions/x.md")}
    assert list(named.values()) == ["note", "note", "learned", "session"]
    assert kinds.of_path("episodes/archives/2025-W38.json").name == "week"
    assert kinds.of_path("episodes/archives/replaced/2025-09-17-00.json") is None, "the name is the digest of the content"
    assert kinds.of_path("archive/by_date/2025/09/x.md.zst").name == "archive" and kinds.of_path("src/a.py") is None


def bookmarks(*paths: str, **notes: str) -> str:
    return json.dumps({"version": "1.0", "bookmarks": [{"path": path, "added_at": "2025-01-01", "note": notes.get(path, "")} for path in paths]})


def listed(text: str) -> list[str]:
    return [each["path"] for each in json.loads(text)["bookmarks"]]


def test_bookmarks_of_both_sides_stay_and_a_removed_one_does_not():
    assert listed(merged("bookmarks.json", bookmarks("a.md", "b.md"), bookmarks("a.md", "b.md", "設計.md"), bookmarks("b.md", "c/"))) == [
        "b.md",
        "c/",
        "設計.md",
    ]


def test_a_bookmark_that_one_side_changed_and_the_other_removed_stays():
    assert listed(merged("bookmarks.json", bookmarks("a.md"), bookmarks(), bookmarks("a.md", **{"a.md": "keep"}))) == ["a.md"]


@pytest.mark.parametrize(
    "theirs", ["{", '{"version": "2.0", "bookmarks": []}', '{"bookmarks": [], "bookmarks": []}', '{"bookmarks": [{"path": "../x"}]}', "[" * 5000]
)
def test_bookmarks_that_cannot_be_understood_are_never_replaced_or_marked(theirs):
    ours = bookmarks("a.md")
    assert refused("bookmarks.json", bookmarks(), ours, theirs) == ours


PATHS = st.lists(st.sampled_from(["a.md", "b.md", "c/", "設計.md", "shared/*.md"]), unique=True)


@given(PATHS, PATHS, PATHS)
def test_no_bookmark_is_lost_or_invented(base, ours, theirs):
    found = listed(merged("bookmarks.json", bookmarks(*base), bookmarks(*ours), bookmarks(*theirs)))
    assert set(found) == {path for path in {*ours, *theirs} if (path in ours and path in theirs) or path not in base} and len(set(found)) == len(found)


def verdict(memory: str, verdict: str, at: str) -> str:
    return json.dumps({"memory": memory, "verdict": verdict, "at": f"2025-01-{at}T00:00:00.000Z"}) + "\n"


def test_verdicts_are_those_of_both_sides_by_date():
    base = verdict("rule:1", "rejected", "01")
    found = merged("rejected.jsonl", base, base + verdict("rule:2", "rejected", "05"), base + verdict("rule:1", "restored", "03"))
    assert found == base + verdict("rule:1", "restored", "03") + verdict("rule:2", "rejected", "05")


def test_verdicts_of_one_instant_keep_their_order():
    """`know undo` right after `know reject` writes the same instant, and the last line counts."""
    undone = verdict("rule:1", "rejected", "02") + verdict("rule:1", "restored", "02")
    assert merged("rejected.jsonl", "", undone, verdict("rule:2", "rejected", "02")).index("restored") > 0
    lines = merged("rejected.jsonl", "", undone, verdict("rule:2", "rejected", "02")).splitlines()
    assert [line for line in lines if "rule:1" in line] == undone.splitlines()


def test_a_line_that_purge_changed_on_one_side_does_not_come_back():
    leaked, purged = (
        '{"memory":"rule:1","verdict":"rejected","at":"1","what":"s3cret"}\n',
        '{"memory":"rule:1","verdict":"rejected","at":"1","what":"[PURGED]"}\n',
    )
    assert "s3cret" not in merged("rejected.jsonl", leaked, purged, leaked + verdict("rule:2", "rejected", "02"))


def test_marks_of_an_earlier_conflict_are_dropped():
    base = '{"path":"a.md","sha256":"00","created":"1","modified":"2"}\n'
    assert merged("dates.jsonl", base, f"<<<<<<< HEAD\n{base}=======\n", base + base.replace("a.md", "b.md")) == base + base.replace("a.md", "b.md")


def test_dates_stay_in_the_order_in_which_they_are_written():
    first, second = '{"path":"b.md","sha256":"00"}\n', '{"kind":"init","at":"2025"}\n{"path":"a.md","sha256":"00"}\n'
    assert merged("dates.jsonl", "", first, second) == second + first


def episode(date: str, text: str, source: str, **more) -> entries.Episode:
    return entries.made(date, text, "2025-09-20T00:00:00+00:00", kind=entries.DAY, by="extractive", covers=[(date, source, "d")], **more)


def episodes(*found: entries.Episode) -> str:
    return entries.file_text(entries.sort(found))


EPISODES = "episodes/episodic_memory.json"
MONDAY, TUESDAY, OTHER = episode("2025-09-15", "月曜", "events/a"), episode("2025-09-16", "火曜", "events/b"), episode("2025-09-16", "Tuesday", "events/c")


def test_the_days_of_both_sides_are_in_the_list():
    found = merged(EPISODES, episodes(MONDAY), episodes(MONDAY, TUESDAY), episodes(MONDAY, OTHER))
    assert {each.summary for each in list_file.parse(found.encode()).entries} == {"月曜", "火曜", "Tuesday"}
    assert "<<<<" not in found and found == episodes(*list_file.parse(found.encode()).entries), "in the list's own format"


def test_an_entry_that_one_side_replaced_does_not_come_back():
    better = TUESDAY.with_fields(summary="better")
    assert "火曜" not in merged(EPISODES, episodes(MONDAY, TUESDAY), episodes(MONDAY, better), episodes(MONDAY, TUESDAY, OTHER))


def test_two_texts_about_the_same_messages_stay_in_the_file_and_readers_see_the_better_one():
    draft = episode("2025-09-16", "a draft", "events/b", draft=True)
    found = list_file.parse(merged(EPISODES, "", episodes(draft), episodes(TUESDAY)).encode())
    assert [each.summary for each in found.entries] == ["火曜"] and [each.summary for each in found.dropped] == ["a draft"] and not found.merged


def test_a_list_of_a_newer_memorybank_stays_as_it_is():
    ours = episodes(MONDAY)
    assert refused(EPISODES, episodes(), ours, '{"version": "2.0", "episodes": []}') == ours


def test_a_merged_weeks_archive_has_the_entries_of_both_sides():
    path = "episodes/archives/2025-W38.json"
    found = merged(path, "", weeks.rendered("2025-W38", [MONDAY]), weeks.rendered("2025-W38", [TUESDAY]))
    assert found.encode() == weeks.rendered("2025-W38", [MONDAY, TUESDAY])
    damaged = weeks.rendered("2025-W38", [TUESDAY]).decode().replace("火曜", "水曜")
    assert refused(path, "", weeks.rendered("2025-W38", [MONDAY]).decode(), damaged) == weeks.rendered("2025-W38", [MONDAY]).decode()


def topics(*labels: str | None, updated: str = "2025-09-01") -> str:
    clusters = [
        {"cluster_id": f"cluster_{at}", "auto_label": "x", "persona_label": label, "episode_ids": [f"e{at}"], "episode_dates": ["2025-09-01"]}
        for at, label in enumerate(labels)
    ]
    return json.dumps({"version": "1.0", "last_updated": updated, "clusters": clusters})


def labels(text: str) -> list[str]:
    value = json.loads(text)
    return [topic["persona_label"] for topic in (*value["clusters"], *value["retired"])]


def test_names_that_people_gave_topics_are_kept_from_both_sides():
    path = "episodes/topic_clusters.json"
    assert labels(merged(path, topics(None, None), topics("検索", None), topics(None, "deploys", updated="2025-09-02"))) == ["検索", "deploys"]
    assert sorted(labels(merged(path, topics(None), topics("ours"), topics("theirs", updated="2025-09-02")))) == ["ours", "theirs"]
    assert labels(merged(path, topics("old"), topics("new", updated="2025-09-02"), topics("old", updated="2025-09-03"))) == ["new"], (
        "a renamed topic has one name"
    )


def sidecar(object_sha: str, **more) -> tuple[str, bytes]:
    made = ArchiveObject(
        id=id_of(1_758_112_496_789, "a.md", "0" * 64), original_path="a.md", title="A", topics=(), gist="", importance=1.0, rule="low", reason="",
        sha256="0" * 64, size=1, mtime_ns=0, archived_at=1_758_112_496_789, delete_after=None, compressed=True, object_sha256=object_sha, object_size=1, **more,
    )  # fmt: skip
    return made.sidecar_path, render(made.fields())


def test_two_archived_copies_of_one_second_keep_a_sidecar_that_describes_its_object():
    first, second = b"object of one", b"object of another"
    from hashlib import sha256

    path, one = sidecar(sha256(first).hexdigest(), rotation_id="r1")
    _, other = sidecar(sha256(second).hexdigest(), rotation_id="r2")
    kept = merged(path, "", one, other)
    stored = merged(path.replace(".json", ".md.zst"), "", first, second)
    assert json.loads(kept)["object_sha256"] == sha256(stored.encode()).hexdigest()
    assert merged(path, "", one, b"{}").encode() == one, "a sidecar that can be read wins"


def test_the_front_matter_of_a_note_is_merged_by_keys_and_its_text_by_lines():
    base = "---\ntitle: A\ntags: [db, old]\nrating: 3\nupdated: 2025-01-01\n---\n# 設計\n\nfirst\n\n二番目\n"
    ours = base.replace("old]", "old, 検索]").replace("rating: 3", "rating: 7").replace("2025-01-01", "2025-02-01").replace("first", "first, changed")
    theirs = base.replace("[db, old]", "[db, api]").replace("rating: 3", "rating: 5").replace("2025-01-01", "2025-03-01").replace("二番目", "二番目です")
    assert merged("active/a.md", base, ours, theirs) == (
        "---\ntitle: A\ntags: [db, api, 検索]\nrating: 7\nupdated: 2025-03-01\n---\n# 設計\n\nfirst, changed\n\n二番目です\n"
    )


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("acl: user", "acl: agent", "acl: session", "acl: session"),
        ("privacy: public", "privacy: agent-only", "privacy: secret", "privacy: secret"),
        ("bookmarked: no", "bookmarked: true", "bookmarked: off", "bookmarked: true"),
        ("created: 2025-01-02", "created: 2025-01-03", "created: 2024-12-31", "created: 2024-12-31"),
        ("tags:\n  - a\n  - b", "tags:\n  - a\n  - b\n  - c", "tags:\n  - a", "tags: [a, c]"),
        ("tags: a, b", "tags: a, b, c", "tags: [b]", "tags: [b, c]"),
        ("mine: 1", "mine: 2", "mine: 1\nother: [1,  2]  # as written", "mine: 2\nother: [1,  2]  # as written"),
        ("a: 1\nb: 2", "a: 1", "a: 1\nb: 2\nc: 3", "a: 1\nc: 3"),
    ],
)
def test_keys_have_rules(base, ours, theirs, expected):
    note = "---\n{}\n---\ntext\n"
    assert merged("active/a.md", note.format(base), note.format(ours), note.format(theirs)) == note.format(expected)


def test_line_ends_and_text_without_front_matter_stay():
    base = "---\r\nrating: 1\r\n---\r\none\r\n\r\n\r\n\r\ntwo\r\n"
    assert merged("active/a.md", base, base.replace("rating: 1", "rating: 2"), base.replace("two", "三")) == base.replace("rating: 1", "rating: 2").replace(
        "two", "三"
    )
    assert merged("active/a.md", "one\n\n\ntwo\n", "---\nrating: 2\n---\none\n\n\ntwo\n", "one\n\n\n二\n") == "---\nrating: 2\n---\none\n\n\n二\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        ("---\ntitle: A\n---\nx\n", "---\ntitle: B\n---\nx\n", "---\ntitle: C\n---\nx\n"),
        ("---\nrating: 1\n---\nx\n", "---\nrating: 2\n---\nours\n", "---\nrating: 3\n---\ntheirs\n"),
        ("---\na: {b: 1}\n---\nx\n", "---\na: {b: 2}\n---\nx\n", "---\na: {b: 3}\n---\nx\n"),
        ("---\nunclosed: 1\n", "---\nunclosed: 2\n", "---\nunclosed: 3\n"),
    ],
)
def test_what_only_a_person_can_decide_has_gits_marks(base, ours, theirs):
    assert "<<<<<<< ours" in refused("active/a.md", base, ours, theirs)


def test_a_note_with_bytes_that_are_no_text_stays_on_our_side():
    kind = kinds.named("note")
    result = driver.merge(kind, FileVersions("active/a.md", b"a\0", b"b\0", b"c\0"))
    assert not result.is_clean and result.data == b"b\0"


FIELDS = st.dictionaries(st.sampled_from(["tags", "rating", "acl", "mine"]), st.sampled_from(["1", "2", "[a, b]", "user", "[b, 設計]", ""]), max_size=3)


@given(FIELDS, FIELDS, FIELDS)
def test_a_merge_of_front_matter_is_the_same_both_ways(base, ours, theirs):
    def note(fields):
        return f"---\n{''.join(f'{key}: {value}'.rstrip() + chr(10) for key, value in fields.items())}---\ntext\n".encode()

    kind = kinds.named("note")
    one = driver.merge(kind, FileVersions("active/a.md", note(base), note(ours), note(theirs)))
    other = driver.merge(kind, FileVersions("active/a.md", note(base), note(theirs), note(ours)))
    assert one.is_clean == other.is_clean and (not one.is_clean or one.data == other.data)


def test_two_agents_that_learned_the_same_have_one_note_with_the_sessions_of_both():
    found = merged(LEARNED, "", learned(days="2025-09-01, 2025-09-03"), learned(sessions="4", days="2025-08-20", created="2025-08-20"))
    assert (
        "Failed in 5+ sessions, first on 2025-08-20, 2025-09-01, 2025-09-03." in found
        and "created: 2025-08-20" in found
        and generated.is_sealed(found.encode())
    )


def test_counts_since_the_common_note_are_added_up():
    base = learned()
    found = merged(LEARNED, base, learned(sessions="5+"), learned(sessions="10+", days="2025-08-01"))
    assert "in 10+ sessions, first on 2025-08-01, 2025-09-01." in found
    assert "in 4 sessions" in merged(LEARNED, "", learned(sessions="3"), learned(sessions="4")), "the same first day: the same sessions, imported twice"


def test_japanese_counts_are_merged_too():
    text = "---\nmemory: rule:00000001\nversion: 1\n---\n\n# 規則\n\n{}セッションで求められた（最初は {}）。\n"
    one, other = (generated.sealed(text.format(*each).encode()) for each in (("3", "2025-09-01"), ("3", "2025-09-02")))
    assert "5+セッションで求められた（最初は 2025-09-01, 2025-09-02）。" in merged("active/learned/rule-規則-00000001.md", "", one, other)


def test_a_persons_edit_of_a_learned_note_wins():
    edited = learned() + "\nOnly on Linux.\n"
    assert merged(LEARNED, learned(), edited, learned(sessions="4")) == edited
    assert merged(LEARNED, "", edited, learned(sessions="20+", days="2025-01-01")) == edited


def test_two_peoples_edits_of_a_learned_note_are_merged_as_text():
    base = learned() + "\na\n\nb\n"
    assert merged(LEARNED, base, base.replace("\na\n", "\nA\n"), base.replace("\nb\n", "\nB\n")).endswith("\nA\n\nB\n")


def test_another_memory_under_a_renamed_path_does_not_replace_the_note():
    """Learned notes are short and alike, so git takes a deleted one and a new one for a renamed file."""
    other = learned("problem:00000002", sessions="4")
    assert merged(LEARNED, learned("problem:00000002"), learned(), other) == learned()


def test_line_ends_that_git_converted_do_not_make_a_note_a_persons():
    assert generated.is_sealed(learned().replace("\n", "\r\n").encode()) and not generated.is_sealed(learned().replace("3", "4").encode())


def test_the_later_session_note_wins_unless_a_person_edited_one():
    def note(updated: str, text: str) -> bytes:
        return generated.sealed(f"---\nsession_id: s\nupdated: {updated}\n---\n\n{text}\n".encode())

    path = "active/sync/sessions/2025-09-01-00000000.md"
    assert "later" in merged(path, note("2025-09-01", "x"), note("2025-09-02", "earlier"), note("2025-09-03", "later"))
    edited = note("2025-09-02", "earlier") + b"mine\n"
    assert merged(path, note("2025-09-01", "x"), edited, note("2025-09-03", "later")) == edited.decode()


def test_a_persons_summary_wins_over_a_draft_and_the_later_draft_over_the_earlier():
    def page(updated: str, body: str, *, is_drafted: bool) -> str:
        return f"---\nupdated_at: {updated}T00:00:00Z\n{f'generated: {seal_of(body)}' if is_drafted else 'of: ann'}\n---\n\n{body}\n"

    draft, later, own = (
        page("2025-09-02", "- a", is_drafted=True),
        page("2025-09-03", "- b", is_drafted=True),
        page("2025-09-01", "- 私の要約", is_drafted=False),
    )
    assert merged("summary.md", "", draft, later) == later and merged("summary.md", draft, own, later) == own
    assert "<<<<<<<" in refused("summary.md", draft, own, own.replace("私の要約", "mine"))


def test_settings_of_both_sides_are_merged_by_members():
    def text(value):
        return json.dumps(value, indent=2) + "\n"

    base, ours, theirs = {"a": 1}, {"a": 1, "recall": {"x": 1}}, {"a": 1, "recall": {"y": None}}
    assert json.loads(merged("config/cycle_config.json", text(base), text(ours), text(theirs))) == {"a": 1, "recall": {"x": 1, "y": None}}
    sources = [{"sources": [{"name": "docs", "path": "docs"}, {"name": name, "path": name}]} for name in ("adr", "仕様")]
    found = merged("config/sources_config.json", text({"sources": [{"name": "docs", "path": "docs"}]}), *map(text, sources))
    assert {each["name"] for each in json.loads(found)["sources"]} == {"docs", "adr", "仕様"}
    assert "<<<<<<<" in refused("config/cycle_config.json", text({"a": 1}), text({"a": 2}), text({"a": 3}))


BYTES = st.binary(max_size=60) | st.sampled_from(
    [b"", b"---\n", b"{}", b"[]", b'{"bookmarks": [1]}', b"---\na: 1\n---\n", b"\xff\xfe", b"null", b"[[[[", b'[{"date": {}}]']
)


@given(st.sampled_from([kind for kind in kinds.KINDS if kind.name not in ("note", "settings")]), BYTES, BYTES, BYTES)
def test_no_content_stops_a_driver(kind, base, ours, theirs):
    path = {"archive": "archive/by_date/2025/09/x.json", "week": "episodes/archives/x.json"}.get(kind.name, kind.pattern.replace("*", "x"))
    result = driver.merge(kind, FileVersions(path, base, ours, theirs))
    assert result.is_clean or kind.is_of_people or result.data == ours

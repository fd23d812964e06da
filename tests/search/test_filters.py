"""Filters hold for every type of search, and decide before the limit counts."""

from unicodedata import normalize

import pytest

from memorybank import clock
from memorybank.visibility import Origin, Viewer, visible

NOTES = {
    "planning/a.md": "---\ntags: [Auth, 認証]\nupdated: 2025-09-01\nrating: 9\n---\nzebra\n",
    "planning/b.md": "---\ntags: [other]\nupdated: 2025-08-01\n---\nzebra\n",
    "sync/c.md": "---\nupdated: 2025-07-01\nagent_created: planner\nacl: agent\n---\nzebra\n",
    "sync/d.md": "---\nupdated: 2025-06-01\nagent_created: builder\nprivacy: agent-only\n---\nzebra\n",
    "e.md": "---\nupdated: 2025-05-01\nprivacy: private\nagent_created: planner\n---\nzebra\n",
}
TYPES = ("keyword", "content", "importance", "recent")


@pytest.fixture
def asked(ask):
    return ask(NOTES)


def found(answer):
    return {hit.key[-4] for hit in answer.hits}


@pytest.mark.parametrize("type", TYPES)
@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "abcde"),
        ({"category": "planning"}, "ab"),
        ({"category": ""}, "e"),
        ({"category": "nowhere"}, ""),
        ({"tags": ("auth",)}, "a"),
        ({"tags": ("認証", "Auth")}, "a"),
        ({"tags": ("ＡＵＴＨ",)}, "a"),
        ({"tags": ("auth", "other")}, ""),
        ({"since": clock.parse("2025-07-01")}, "abc"),
        ({"until": clock.parse("2025-07-01")}, "de"),
        ({"since": clock.parse("2025-06-01"), "until": clock.parse("2025-08-01")}, "cd"),
        ({"min_importance": 10.0}, ""),
        ({"min_importance": 0.0}, "abcde"),
        ({"viewer": Viewer(role="planner")}, "abc"),
        ({"viewer": Viewer(role="builder")}, "abd"),
        ({"viewer": Viewer(role="planner", agent="planner")}, "abce"),
        ({"viewer": Viewer()}, "ab"),
    ],
)
def test_a_filter_lets_through_what_it_names(asked, type, filters, expected):
    assert found(asked("zebra", type=type, **filters)) == set(expected)


@pytest.mark.parametrize("type", TYPES)
def test_filters_decide_before_the_limit(asked, type):
    assert found(asked("zebra", type=type, limit=1, category="sync", since=clock.parse("2025-06-15"))) == {"c"}


def test_recent_and_important_need_no_query(asked):
    assert [hit.key for hit in asked(type="recent").hits] == list(NOTES)
    important = asked(type="importance").hits
    assert [hit.importance for hit in important] == sorted((hit.importance for hit in important), reverse=True)
    assert asked("nothing", type="recent").hits == ()


def test_listing_by_a_common_word_asks_each_note_in_order(asked, monkeypatch):
    from memorybank.search import lookup

    monkeypatch.setattr(lookup, "POSTINGS", 1)
    assert [hit.key for hit in asked("zebra", type="recent", limit=3).hits] == list(NOTES)[:3]


ORIGIN = Origin(role="planner", session="s1", agent="a1")
SAME = Viewer(role="planner", session="s1", agent="a1")


@pytest.mark.parametrize("acl", [None, "user", "agent", "session", "misspelt"])
@pytest.mark.parametrize("privacy", [None, "public", "agent-only", "private", "misspelt"])
@pytest.mark.parametrize("viewer", [SAME, Viewer(role="planner"), Viewer(session="s1"), Viewer(agent="a1"), Viewer("builder", "s2", "a2"), Viewer()], ids=repr)
def test_both_filters_must_pass_and_unknown_values_are_the_narrowest(acl, privacy, viewer):
    by_acl = {None: True, "user": True, "agent": viewer.role == "planner"}.get(acl, viewer.session == "s1")
    by_privacy = {None: True, "public": True, "agent-only": viewer.role == "planner"}.get(privacy, viewer.agent == "a1")
    assert visible(acl, privacy, ORIGIN, viewer) is (by_acl and by_privacy)


def test_null_equals_nobody():
    assert not visible("agent", None, Origin(), Viewer())
    assert not visible(None, "private", Origin(), Viewer())


@pytest.mark.parametrize("type", TYPES)
def test_folders_and_tags_are_found_in_either_unicode_form(ask, type):
    """macOS writes NFD, keyboards NFC."""
    folder, tag = "ガイド", "パス・É"
    asked = ask({f"{normalize('NFD', folder)}/a.md": f"---\ntags: [{normalize('NFD', tag)}]\n---\nzebra\n", "b.md": "zebra\n"})
    for form in ("NFC", "NFD"):
        assert found(asked("zebra", type=type, category=normalize(form, folder))) == {"a"}
        assert found(asked("zebra", type=type, tags=(normalize(form, tag.lower()),))) == {"a"}


@pytest.mark.parametrize("type", TYPES)
def test_a_tag_contains_those_below_it_and_not_those_that_begin_alike(ask, type):
    asked = ask(
        {"a.md": "---\ntags: [db/postgres]\n---\nzebra\n", "b.md": "---\ntags: [dbase, 設計]\n---\nzebra\n", "c.md": "---\ntags: [設計/索引]\n---\nzebra\n"}
    )
    assert found(asked("zebra", type=type, tags=("db",))) == {"a"}
    assert found(asked("zebra", type=type, tags=("設計",))) == {"b", "c"}
    assert found(asked("zebra", type=type, tags=("設",))) == set()

"""Episodes are found beside notes, each for themselves: nothing that is asked of notes changes by them."""

import json

import pytest

from memorybank.bank.bank import Bank
from memorybank.clock import isoformat
from memorybank.errors import UsageError
from memorybank.search.hit import SearchAnswer
from memorybank.search.render import RENDERERS
from tests.conftest import DAY, NOW

NOTES = {
    "planning/uploads.md": "---\ntags: [upload]\n---\n# Uploads\n\nUploads are retried three times, with a pause between.\n",
    "shared/用語集.md": "# 用語集\n\n認証：トークンで本人を確かめること。\n",
}
EPISODES = (
    {"date": "2025-09-10", "summary": "Wanted: uploads that survive a flaky network.\nFailed and fixed: the retry counted twice.\nChanged: src/upload.py."},
    {"date": "2025-09-10", "kind": "supplement", "summary": "The staging bucket was renamed to media-staging."},
    {"date": "2025-09-11", "summary": "目的: 認証トークンの更新を直す。\n失敗と修正: 期限が秒とミリ秒で混ざっていた。"},
    {"date": "2025-09-12", "kind": "brief", "summary": "ok, thanks for the upload"},
    {"date": "2025-08-04~2025-08-10", "kind": "week", "summary": "Week of the billing export: rounding moved to Decimal."},
    {"date": "2025-09-13", "kind": "error", "summary": "（エラーにより要約できませんでした）"},
    {"date": "yesterday or so", "summary": "uploads at a time that nobody can read"},
)


@pytest.fixture
def opened(bank):
    scratch = bank(NOTES)
    scratch.episodes(*EPISODES)
    found = Bank.open(str(scratch.root))
    found.scratch = scratch
    return found


def keys(answer):
    return [hit.key for hit in answer.hits]


@pytest.mark.parametrize(
    ("text", "episode"),
    [
        ("flaky network", "episode:2025-09-10"),
        ("media-staging", "episode:2025-09-10"),
        ("認証トークンの更新", "episode:2025-09-11"),
        ("ミリ秒", "episode:2025-09-11"),
        ("rounding", "episode:2025-08-04~2025-08-10"),
        ("2025-09-11", "episode:2025-09-11"),
        ("11 September 2025", "episode:2025-09-11"),
        ("2025年8月6日", "episode:2025-08-04~2025-08-10"),
        ("billling", "episode:2025-08-04~2025-08-10"),
    ],
)
def test_words_and_dates_find_days_in_both_languages(opened, text, episode):
    assert keys(opened.search(text, kinds=["episode"]))[0] == episode
    assert episode in keys(opened.search(text))


def test_one_date_is_one_document_with_everything_that_came_late(opened):
    [hit] = opened.search("staging bucket", kinds=["episode"]).hits
    assert (hit.key, hit.kind, hit.title, hit.importance) == ("episode:2025-09-10", "episode", "2025-09-10", None)
    assert hit.path == ".claude/memory/episodes/episodic_memory.json"
    assert hit.snippet.startswith("The staging bucket")


def test_what_says_that_there_is_no_summary_or_has_no_date_is_no_episode(opened):
    assert keys(opened.search("要約できませんでした", type="content")) == []
    assert keys(opened.search("nobody can read")) == []


@pytest.mark.parametrize("text", ["uploads", "upload retries pause", "トークン", "認証", "flaky uploads"])
def test_notes_keep_their_scores_and_their_order(bank, text):
    alone = Bank.open(str(bank(NOTES).root))
    beside = bank(NOTES)
    beside.episodes(*EPISODES)
    together = Bank.open(str(beside.root)).search(text)
    of_notes = [hit for hit in together.hits if hit.kind == "note"]
    assert of_notes == list(alone.search(text).hits) == list(Bank.open(str(beside.root)).search(text, kinds=["note"]).hits)


def test_an_episode_that_holds_all_comes_before_a_note_that_holds_some(opened):
    for text, first, second in (
        ("uploads flaky network counted twice", "episode:2025-09-10", "planning/uploads.md"),
        ("uploads retried three times pause", "planning/uploads.md", "episode:2025-09-10"),
    ):
        found = keys(opened.search(text))
        assert found[0] == first
        assert second in found


def test_literal_text_is_found_line_by_line(opened):
    hits = opened.search("アクセス", type="content").hits
    assert hits == ()
    [line] = opened.search("ミリ", type="content").hits
    assert (line.key, line.lines, line.snippet) == ("episode:2025-09-11", (2, 2), "失敗と修正: 期限が秒とミリ秒で混ざっていた。")
    both = opened.search("upload", type="content").hits
    assert [hit.kind for hit in both] == ["note", "note", "note", "episode", "episode", "episode"][: len(both)]
    assert next(hit.key for hit in both if hit.kind == "episode") == "episode:2025-09-12"
    assert [hit.lines[0] for hit in opened.search("RE.RY", type="content", regex=True, kinds=["episode"]).hits] == [2]


def test_the_newest_are_listed_together(opened):
    listed = opened.search(type="recent").hits
    assert [hit.modified for hit in listed] == sorted((hit.modified for hit in listed), reverse=True)
    assert keys(opened.search(type="recent", kinds=["episode"])) == [
        "episode:2025-09-12",
        "episode:2025-09-11",
        "episode:2025-09-10",
        "episode:2025-08-04~2025-08-10",
    ]
    assert keys(opened.search("uploads", type="recent", kinds=["episode"])) == ["episode:2025-09-12", "episode:2025-09-10"]


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"type": "importance"}, "an importance"),
        ({"min_importance": 1.0}, "an importance"),
        ({"category": "planning"}, "a folder"),
        ({"tags": ("upload",)}, "tags"),
    ],
)
def test_what_only_notes_have_finds_notes_only(opened, asked, what):
    assert {hit.kind for hit in opened.search("uploads", **asked).hits} <= {"note"}
    with pytest.raises(UsageError, match=what):
        opened.search("uploads", kinds=["episode"], **asked)


def test_a_kind_that_nobody_knows_is_an_error(opened):
    with pytest.raises(UsageError, match="'notes'"):
        opened.search("uploads", kinds=["notes"])
    with pytest.raises(UsageError, match="archive"):
        opened.search("uploads", kinds=["episode"], archive=True)


def test_an_episode_is_of_a_span_of_time(opened):
    def between(since, until):
        return keys(opened.search(type="recent", kinds=["episode"], since=isoformat(since), until=isoformat(until)))

    midnight = NOW - NOW % DAY - 7 * DAY  # 2025-09-10T00:00Z
    assert between(midnight, midnight + DAY - 1) == ["episode:2025-09-10"]
    assert between(midnight - 35 * DAY, midnight - 34 * DAY) == ["episode:2025-08-04~2025-08-10"]


def test_days_are_those_of_the_banks_zone(bank):
    scratch = bank()
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo"}')
    scratch.episodes(EPISODES[0])
    opened = Bank.open(str(scratch.root))
    [hit] = opened.search(type="recent", kinds=["episode"]).hits
    assert hit.modified == NOW - NOW % DAY - 6 * DAY - 9 * 3_600_000 - 1
    scratch.configure("episodes", '{"timezone": "UTC"}')
    [moved] = Bank.open(str(scratch.root)).search(type="recent", kinds=["episode"]).hits
    assert moved.modified - hit.modified == 9 * 3_600_000


def test_everybody_may_see_an_episode(opened):
    assert "episode:2025-09-10" in keys(opened.search("flaky", role="stranger"))


def test_a_list_that_cannot_be_read_is_said_and_nothing_of_it_is_found(opened):
    path = opened.scratch.root / "episodes" / "episodic_memory.json"
    assert keys(opened.search("flaky")) == ["episode:2025-09-10"]
    path.write_text("[{", encoding="utf-8")
    for _ in range(2):
        answer = opened.search("flaky")
        assert keys(answer) == []
        assert "is not JSON" in str(answer.stale[0])
        assert "episodes repair" in str(answer.stale[0])
    path.unlink()
    assert opened.search("flaky") == SearchAnswer("flaky", "keyword", ())


def test_a_bank_that_nobody_may_write_answers_all_the_same(opened):
    before = opened.scratch.snapshot()
    reading = Bank.open(str(opened.scratch.root), read_only=True)
    assert keys(reading.search("flaky")) == ["episode:2025-09-10"]
    assert opened.scratch.snapshot() == before


def test_texts_of_any_kind_are_taken(bank):
    scratch = bank()
    texts = ("half a pair \ud83d here", "crlf\r\nline two\r\n", "\u0000nul")
    path = scratch.episodes()
    path.write_text(json.dumps([{"date": f"2025-09-1{number}", "summary": text} for number, text in enumerate(texts)]), encoding="utf-8")
    opened = Bank.open(str(scratch.root))
    assert keys(opened.search("half a pair")) == ["episode:2025-09-10"]
    [hit] = opened.search("line two", type="content").hits
    assert (hit.lines, hit.snippet) == ((2, 2), "line two")
    assert keys(opened.search("nul")) == ["episode:2025-09-12"]


@pytest.mark.parametrize("form", ["json", "markdown", "summary"])
def test_every_form_says_what_it_is(opened, form):
    text = RENDERERS[form](opened.search("flaky network"))
    assert "episode:2025-09-10" in text
    if form == "json":
        [hit] = [hit for hit in json.loads(text)["hits"] if hit["key"].startswith("episode:")]
        assert (hit["kind"], hit["importance"]) == ("episode", None)
        [line] = json.loads(RENDERERS["json"](opened.search("flaky", type="content")))["hits"]
        assert (line["kind"], line["importance_score"]) == ("episode", None)

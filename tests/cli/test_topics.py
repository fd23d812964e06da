"""`memorybank episodes topics`: what it says, writes and refuses; 0.3 and two at most on every path."""

import json
import os
from pathlib import Path

import pytest

from memorybank.bank import Bank
from memorybank.clock import FixedClock
from memorybank.episodes import list_file
from memorybank.episodes.running import EpisodesLock
from memorybank.episodes.topics.vectors import counts
from tests.episodes import themes

NOW = 1_758_112_496_789
LANGUAGES = pytest.mark.parametrize("language", ["en", "ja"])


def filled(scratch, language="en", **more):
    scratch.episodes(*(entry.raw for entry in themes.episodes([text for text, _ in themes.texts(language, **more)])))
    return scratch


@pytest.fixture(scope="module")
def written():
    """{language: the file of topics that the first update of such a bank wrote}"""
    return {}


@pytest.fixture
def grouped(bank, run, written):
    """grouped(language) → a bank after its first update, which only the first test waits for."""

    def make(language="en"):
        scratch = filled(bank(), language)
        if language in written:
            topics_file(scratch).write_bytes(written[language])
        else:
            run(scratch, "episodes", "topics", "update")
            written[language] = topics_file(scratch).read_bytes()
        return scratch

    return make


def topics_file(scratch):
    return scratch.root / "episodes" / "topic_clusters.json"


def listed(run, scratch):
    return json.loads(run(scratch, "episodes", "topics", "list", "--format", "json").out)


def words_of(scratch, topic):
    """Words that a topic alone is about, as a question would have them."""
    clusters = json.loads(topics_file(scratch).read_text(encoding="utf-8"))
    weights = clusters["words"]
    centroid = next(raw["centroid"] for raw in clusters["clusters"] if raw["cluster_id"] == topic["cluster_id"])
    return " ".join(sorted(centroid, key=lambda term: -centroid[term] * weights[term])[:4])


def test_an_empty_bank_says_what_comes_first(bank, run):
    scratch = bank()
    assert run(scratch, "episodes", "topics", "list").out == "no topics yet; 'memorybank episodes topics update' finds them\n"
    assert run(scratch, "episodes", "topics", "update").out.startswith("no episodes yet; 'memorybank episodes update' writes them")
    assert run(scratch, "episodes", "topics", "search", "anything").out == "no topic is similar enough\n"
    code, _, err = run(scratch, "episodes", "topics", "label", "cluster_001", "mine")
    assert code == 3 and "there is none yet" in err


@pytest.mark.slow
@LANGUAGES
def test_update_writes_once_and_a_second_one_nothing(bank, run, language):
    scratch = filled(bank(), language)
    code, out, _ = run(scratch, "episodes", "topics", "update")
    assert code == 0 and "4 topics of 36 episodes; 0 without a topic" in out
    assert [topic["episode_count"] for topic in listed(run, scratch)] == [9, 9, 9, 9]
    before = scratch.snapshot("episodes")
    assert json.loads(run(scratch, "episodes", "topics", "update", "--format", "json").out)["changed"] is False
    assert scratch.snapshot("episodes") == before


def test_a_dry_run_prints_the_same_topics_and_changes_nothing(bank, run):
    scratch = filled(bank())
    before = scratch.snapshot()
    shown = run(scratch, "episodes", "topics", "update", "--dry-run").out
    assert scratch.snapshot() == before
    assert run(scratch, "episodes", "topics", "update").out == shown


def test_list_says_when_the_episodes_are_others(grouped, run):
    scratch = grouped()
    assert run(scratch, "episodes", "topics", "list").err == ""
    filled(scratch, days=10)
    assert "has changed since" in run(scratch, "episodes", "topics", "list").err


@LANGUAGES
def test_search_finds_the_topic_and_nothing_for_anything_else(grouped, run, language):
    scratch = grouped(language)
    for topic in listed(run, scratch):
        question = words_of(scratch, topic)
        found = json.loads(run(scratch, "episodes", "topics", "search", question, "--format", "json").out)
        assert found[0]["cluster_id"] == topic["cluster_id"] and 0.3 <= found[0]["similarity"] <= 1 and len(found) <= 2
        text = run(scratch, "episodes", "topics", "search", question).out
        assert topic["cluster_id"] in text and "[2025-" in text
    nothing = "夕食の献立を考えて" if language == "ja" else "what shall we cook for dinner tonight"
    assert json.loads(run(scratch, "episodes", "topics", "search", nothing, "--format", "json").out) == []


@pytest.mark.slow
@LANGUAGES
def test_the_threshold_is_the_same_on_every_path(bank, run, language):
    """Questions of one to eight words, near and far: command, Python and recall agree on which topics are near enough."""
    scratch = filled(bank(), language, themes=6, days=10)
    run(scratch, "episodes", "topics", "update")
    scratch.configure("episodes", '{"topics": {"inject": true}}')
    facade = Bank.open(str(scratch.root), clock=FixedClock(NOW), read_only=True)
    pool = [term for text, _ in themes.texts(language, themes=6, days=10)[:12] for term in counts(text) if len(term) > 1]
    near = 0
    for begin in range(0, 48, 3):
        question = " ".join(pool[begin : begin + 1 + begin % 8])
        found = facade.episodes.topics.search(question)
        printed = json.loads(run(scratch, "episodes", "topics", "search", question, "--format", "json").out)
        recalled = json.loads(run(scratch, "recall", question, "--format", "json").out)
        names = [match.topic.id for match in found]
        assert [topic["cluster_id"] for topic in printed] == names and len(names) <= 2
        assert all(match.similarity >= 0.3 for match in found)
        told = [item["memory"] for item in (*recalled["shown"], *recalled["near"]) if item["memory"].startswith("topic:")]
        assert set(told) <= {f"topic:{name}" for name in names}
        near += len(names)
    assert near, "the questions must reach some topic, or nothing is tested"


def test_a_name_of_ones_own_stays_and_goes_back(grouped, run):
    scratch = grouped()
    assert run(scratch, "episodes", "topics", "label", "cluster_002", "支払いの書き出し").out == "cluster_002 is now called 支払いの書き出し\n"
    filled(scratch, days=9)
    run(scratch, "episodes", "topics", "update")
    assert listed(run, scratch)[1]["persona_label"] == "支払いの書き出し"
    assert run(scratch, "episodes", "topics", "label", "支払いの書き出し", "--clear").code == 0
    assert listed(run, scratch)[1]["persona_label"] is None


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["cluster_001"], 2),
        (["cluster_001", "x", "--clear"], 2),
        (["cluster_001", " "], 2),
        (["cluster_001", "x" * 121], 2),
        (["cluster_001", "a\u202eb"], 2),
        (["cluster_777", "x"], 3),
        (["cluster_001", "taken"], 2),
    ],
)
def test_what_is_no_label_changes_nothing(grouped, run, arguments, code):
    scratch = grouped()
    run(scratch, "episodes", "topics", "label", "cluster_002", "taken")
    before = topics_file(scratch).read_bytes()
    found = run(scratch, "episodes", "topics", "label", *arguments)
    assert found.code == code and found.err
    assert topics_file(scratch).read_bytes() == before


def test_a_secret_in_a_label_is_not_written(grouped, run):
    scratch = grouped()
    secret = "ghp_" + "R4nd0mT0k3nF0rT3st1ngPurp0s3s0nly12"
    run(scratch, "episodes", "topics", "label", "cluster_001", f"token {secret}")
    assert secret not in topics_file(scratch).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_second_run_waits_for_nobody_and_says_who_is_at_work(bank, run):
    scratch = filled(bank())
    with EpisodesLock(scratch.layout, "memorybank episodes update", FixedClock(NOW)):
        code, _, err = run(scratch, "episodes", "topics", "update")
        assert code == 7 and "memorybank episodes update" in err
        assert run(scratch, "episodes", "topics", "label", "cluster_001", "x").code == 7
        assert run(scratch, "episodes", "topics", "search", "x").code == 0
    assert not topics_file(scratch).exists()


def test_a_file_that_cannot_be_read_is_kept_and_made_again(grouped, run):
    scratch = grouped()
    topics_file(scratch).write_bytes(b'{"clusters": [')
    for command in (["list"], ["search", "x"], ["label", "cluster_001", "x"]):
        code, _, err = run(scratch, "episodes", "topics", *command)
        assert code == 9 and "topics update" in err
    assert topics_file(scratch).read_bytes() == b'{"clusters": ['
    code, _, err = run(scratch, "episodes", "topics", "update")
    assert code == 0 and "topic_clusters.broken-" in err
    assert [path.read_bytes() for path in topics_file(scratch).parent.glob("topic_clusters.broken-*")] == [b'{"clusters": [']
    assert len(listed(run, scratch)) == 4


def test_a_list_of_episodes_that_cannot_be_read_leaves_the_topics_alone(grouped, run):
    scratch = grouped()
    Path(list_file.path_of(scratch.layout)).write_text("[", encoding="utf-8")
    before = topics_file(scratch).read_bytes()
    assert run(scratch, "episodes", "topics", "update").code == 9
    assert topics_file(scratch).read_bytes() == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_said(bank, run):
    scratch = filled(bank())
    folder = scratch.root / "episodes"
    folder.chmod(0o500)
    try:
        assert run(scratch, "episodes", "topics", "update").code == 8
    finally:
        folder.chmod(0o700)


def test_fixed_topics_come_from_the_settings(grouped, run):
    scratch = grouped()
    name = words_of(scratch, listed(run, scratch)[2])
    scratch.configure("episodes", json.dumps({"topics": {"fixed": [name, "nothing like it"]}}))
    _, out, err = run(scratch, "episodes", "topics", "update")
    assert "cluster_fixed_01" in out and "no episode is similar enough to the fixed topic 'nothing like it'" in err
    assert listed(run, scratch)[0]["is_fixed"] is True


@LANGUAGES
def test_a_prompt_brings_up_its_topic_only_where_it_was_asked_for(grouped, run, language):
    """It comes after the episodes that contain its words, if these leave budget. A policy may exclude it like any derived memory."""
    scratch = grouped(language)
    scratch.configure("cycle", '{"recall": {"top_k": 20}, "budgets": {"prompt": 9500, "session_tokens": 0}}')
    question = words_of(scratch, listed(run, scratch)[0])

    def recalled(*more):
        found = json.loads(run(scratch, "recall", question, *more, "--format", "json").out)
        return [item["memory"] for item in found["shown"]], found

    assert not any(memory.startswith("topic:") for memory in recalled()[0])
    scratch.configure("episodes", '{"topics": {"inject": true}}')
    memories, found = recalled()
    assert memories[-1] == "topic:cluster_001"
    assert found["utf16"] <= 9_500 and "topic of 9 episodes" in found["text"]
    assert not any(memory.startswith("topic:") for memory in recalled("--moment", "subagent_start")[0])
    run(scratch, "policy", "set", "exclusions", "topic@prompt")
    memories, found = recalled()
    assert "topic:cluster_001" not in memories
    assert {item["memory"]: item["why"] for item in found["near"]}["topic:cluster_001"] == ["suppressed by policy 1, which excludes topic@prompt"]
    scratch.configure("episodes", '{"topics": {"inject": true}')
    assert run(scratch, "recall", question).code == 6, "settings that cannot be read are said, and nothing is injected"


def test_topics_take_no_room_from_what_has_evidence(grouped, run):
    """They come last, within the same number."""
    scratch = grouped()
    question = words_of(scratch, listed(run, scratch)[0])
    for number in range(3):
        scratch.write(f"planning/n{number}.md", f"# {question}\n\n{question} {number}\n")
    run(scratch, "index")
    plain = json.loads(run(scratch, "recall", question, "--format", "json").out)["shown"]
    scratch.configure("episodes", '{"topics": {"inject": true}}')
    more = json.loads(run(scratch, "recall", question, "--format", "json").out)["shown"]
    assert [item["memory"] for item in more][: len(plain)] == [item["memory"] for item in plain]


def test_a_purged_text_leaves_no_word_in_the_topics(bank, run):
    leaked = "zyxvunleaked secretphrasing"
    texts = [f"{text} {leaked}." if theme == 1 else text for text, theme in themes.texts("en")]
    scratch = bank()
    scratch.episodes(*(entry.raw for entry in themes.episodes(texts)))
    run(scratch, "episodes", "topics", "update")
    assert "zyxvunleak" in topics_file(scratch).read_text(encoding="utf-8")
    Bank.open(str(scratch.root), clock=FixedClock(NOW)).purge(leaked)
    assert "zyxvunleak" not in topics_file(scratch).read_text(encoding="utf-8")

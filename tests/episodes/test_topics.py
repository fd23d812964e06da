"""Topics: planted themes are found without names, weak groups are not topics, names stay, and 0.3 means the same in every bank."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memorybank.clock import FixedClock
from memorybank.episodes.entry import made
from memorybank.episodes.topics import clusters, labelling, similarity, store, update
from memorybank.episodes.topics.similarity import MOST_TOPICS, RELATED, SAME, calibrated, search
from memorybank.episodes.topics.store import StoredTopics
from memorybank.episodes.topics.topic import Topic
from memorybank.episodes.topics.vectors import VectorSpace, counts

from . import themes

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = pytest.mark.parametrize("language", ["en", "ja"])
NOW, LATER = "2025-12-02T00:00:00.000Z", "2025-12-03T00:00:00.000Z"


def planted(language, **more):
    found = themes.texts(language, **more)
    return themes.episodes([text for text, _ in found]), [theme for _, theme in found]


def run(episodes, before=None, fixed=(), now=NOW):
    return update.update(before or StoredTopics(), episodes, fixed, now)


def about(stored, episodes, true):
    """Return {topic: the themes of its episodes}."""
    theme = {episode.id: kind for episode, kind in zip(episodes, true, strict=True)}
    return {topic.id: Counter(theme[name] for name in topic.episodes) for topic in stored.topics}


@LANGUAGES
def test_planted_themes_are_found_though_they_share_half_of_their_words(language):
    episodes, true = planted(language)
    found = about(run(episodes), episodes, true)
    assert sorted(max(kinds) for kinds in found.values()) == [0, 1, 2, 3]
    assert all(len(kinds) == 1 for kinds in found.values())


@LANGUAGES
def test_days_about_nothing_in_particular_make_no_topic(language):
    assert run(themes.episodes(themes.without_theme(language))).topics == ()


@pytest.mark.parametrize("count", range(4))
def test_a_few_episodes_make_no_topic_and_no_error(count):
    episodes, _ = planted("en")
    assert len(run(episodes[:count]).topics) <= count // 3


def test_what_is_not_put_before_an_agent_makes_no_topic():
    """Brief days and records of failed days contain nothing to group."""
    texts = [text for text, _ in themes.texts("en")]
    briefs = [made(themes.date(at), text, NOW, kind="brief", by="x", covers=[]) for at, text in enumerate(texts)]
    errors = [made(themes.date(at), "（エラーにより要約できませんでした）", NOW, kind="error", by="x", covers=[]) for at in range(9)]
    assert run([*briefs, *errors]).topics == ()


@LANGUAGES
def test_dates_in_texts_bring_nothing_together(language):
    dated = "2025-09-17 2025年9月17日 10:30 8/5 " if language == "ja" else "On 2025-09-17 at 10:30. "
    assert counts(dated + "alpha beta") == counts("alpha beta") or language == "en"
    assert not any(character.isdigit() for term in counts(dated) for character in term)


def test_headings_of_summaries_are_no_words():
    assert counts("Wanted: alpha\n変更: beta\nAlso: gamma") == Counter(["alpha", "beta", "gamma"])


@pytest.mark.slow
def test_the_same_list_gives_the_same_bytes_whatever_the_hash_seed(tmp_path):
    """Sets and dicts of texts have any order; the file has one."""
    program = (
        "import sys; sys.path[:0] = sys.argv[1:3]\n"
        "import themes\n"
        "from memorybank.episodes.topics import store, update\n"
        "found = themes.episodes([text for text, _ in themes.texts('ja')])\n"
        "print(store.body(update.update(store.StoredTopics(), found, ('山川',), 'now')))"
    )
    (tmp_path / "themes.py").write_text((Path(__file__).parent / "themes.py").read_text(encoding="utf-8"), encoding="utf-8")
    texts = {
        subprocess.run(
            [sys.executable, "-c", program, str(ROOT), str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "77")
    }
    assert len(texts) == 1


# names that stay


@pytest.mark.slow
@LANGUAGES
def test_a_second_run_changes_nothing(language):
    episodes, _ = planted(language)
    once = run(episodes)
    again = run(episodes, store.parse(store.body(once).encode()), now=LATER)
    assert store.body(again) == store.body(once)


@pytest.mark.slow
@LANGUAGES
def test_a_persons_name_stays_when_days_come_and_go(language):
    episodes, true = planted(language, days=12)
    first = run(episodes[:36])
    named = first.changed(topics=[topic.with_fields(persona_label=f"mine {topic.id}") for topic in first.topics])
    before = about(named, episodes, true)
    second = run(episodes[4:], named, now=LATER)
    after = about(second, episodes, true)
    assert {topic.id for topic in second.topics} == {topic.id for topic in first.topics}
    for topic in second.topics:
        assert topic.persona_label == f"mine {topic.id}"
        assert after[topic.id].keys() == before[topic.id].keys()
    assert second.updated == LATER


def test_a_merged_week_goes_on_with_the_topic_of_its_days():
    def topic(name, numbers):
        return Topic(
            {"cluster_id": name, "episode_ids": [f"id{at}" for at in numbers], "episode_dates": [themes.date(at) for at in numbers], "persona_label": "x"}
        )

    week = made(f"{themes.date(0)}~{themes.date(6)}", "a week", NOW, kind="week", by="x", covers=[])
    other = [themes.episode(at, "text") for at in range(7, 10)]
    groups = [frozenset([week.id, other[0].id]), frozenset(entry.id for entry in other[1:])]
    assert update.continued(groups, [topic("cluster_001", range(7))], [week, *other])[0].id == "cluster_001"


@pytest.mark.parametrize(("kept", "goes_on"), [(5, True), (4, False)])
def test_half_of_the_episodes_decide_whether_it_is_the_same_topic(kept, goes_on):
    episodes = [themes.episode(at, f"text {at}") for at in range(20)]
    topic = Topic({"cluster_id": "cluster_001", "episode_ids": [entry.id for entry in episodes[:10]], "episode_dates": [entry.date for entry in episodes[:10]]})
    group = frozenset(entry.id for entry in episodes[10 - kept :])
    rest = frozenset()
    assert bool(update.continued([group, rest], [topic], episodes)) is goes_on


def test_when_two_topics_become_one_the_name_that_is_left_over_waits():
    episodes, _ = planted("en")
    first = run(episodes)
    one, other = first.topics[0], first.topics[1]
    halves = [
        one.with_fields(cluster_id="cluster_008", episode_ids=list(one.episodes[:5]), episode_dates=list(one.written[:5]), persona_label="larger"),
        one.with_fields(cluster_id="cluster_009", episode_ids=list(one.episodes[5:]), episode_dates=list(one.written[5:]), persona_label="smaller"),
        other,
    ]
    after = run(episodes, first.changed(topics=halves))
    assert [topic.persona_label for topic in after.topics if topic.persona_label] == ["larger"]
    assert [topic.persona_label for topic in after.retired] == ["smaller"]
    again = run(episodes, after.changed(topics=[topic for topic in after.topics if topic.persona_label != "larger"]))
    assert "smaller" in {topic.persona_label for topic in again.topics}, "the name comes back with its episodes"


def test_numbers_are_never_given_twice():
    episodes, _ = planted("en")
    first = run(episodes)
    gone = first.changed(topics=[], retired=[Topic({"cluster_id": "cluster_041", "persona_label": "kept"})])
    assert {topic.id for topic in run(episodes, gone).topics} == {f"cluster_{number:03d}" for number in range(42, 46)}


# fixed topics


@pytest.mark.slow
@LANGUAGES
def test_a_fixed_topic_takes_its_episodes_before_others_are_found(language):
    episodes, true = planted(language)
    plain = run(episodes)
    theme = next(iter(about(plain, episodes, true).values()))
    wanted = [episode for episode, kind in zip(episodes, true, strict=True) if kind == max(theme)]
    common = set.intersection(*(set(counts(episode.summary)) for episode in episodes[:8]))
    own = Counter(term for episode in wanted for term in counts(episode.summary) if term not in common and update.is_asked(term))
    name = " ".join(term for term, _ in own.most_common(40) if sum(term in counts(episode.summary) for episode in episodes) <= len(wanted))
    found = run(episodes, fixed=(" ".join(name.split()[:4]),))
    fixed = [topic for topic in found.topics if topic.is_fixed]
    assert len(fixed) == 1 and fixed[0] is found.topics[0]
    assert set(fixed[0].episodes) == {episode.id for episode in wanted}
    assert len(found.topics) == 4 and not any(set(topic.episodes) & set(fixed[0].episodes) for topic in found.topics[1:])


@pytest.mark.parametrize("name", ["zzz unheard of", "の", "   ", "2025", "未知の言葉"])
def test_a_fixed_topic_that_nothing_is_near_to_is_left_out(name):
    episodes, _ = planted("en")
    assert not any(topic.is_fixed for topic in run(episodes, fixed=(name,)).topics)


def test_a_fixed_topic_taken_out_of_the_settings_keeps_a_persons_name_for_later():
    episodes, _ = planted("en")
    word = run(episodes).topics[0].auto_label.split(",")[0]
    with_it = run(episodes, fixed=(word,))
    assert with_it.topics[0].is_fixed
    named = with_it.changed(topics=[with_it.topics[0].with_fields(persona_label="mine"), *with_it.topics[1:]])
    without = run(episodes, named)
    assert [topic.persona_label for topic in without.retired] == ["mine"]
    assert run(episodes, without, fixed=(word,)).topics[0].persona_label == "mine"


# search


@LANGUAGES
def test_a_question_finds_its_topic_and_nothing_else_does(language):
    episodes, true = planted(language)
    stored = run(episodes)
    kinds = about(stored, episodes, true)
    for topic in stored.topics:
        best = sorted((term for term in topic.middle), key=lambda term: -topic.middle[term] * stored.measure.weights[term])[:3]
        found = search(" ".join(best), stored.topics, stored.measure)
        assert found and found[0].topic.id == topic.id, kinds
    assert search("completely unrelated kettle of herrings" if language == "en" else "全然関係無い鰊の薬缶", stored.topics, stored.measure) == []


@given(st.text(max_size=80))
@example("")
@example("the and of")
@example("のをに")
def test_a_match_is_one_of_two_and_near_enough(question):
    stored = _stored()
    words = " ".join(list(stored.measure.weights)[:40])
    for asked_for in (question, f"{question} {words}"):
        found = search(asked_for, stored.topics, stored.measure)
        assert len(found) <= MOST_TOPICS
        assert all(RELATED <= match.similarity <= 1 for match in found)
        assert found == sorted(found, key=lambda match: -match.similarity)


_KEPT = []


def _stored():
    if not _KEPT:
        _KEPT.append(run(planted("en")[0]))
    return _KEPT[0]


@given(st.floats(0, 1), st.floats(0, 1), st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_the_scale_never_turns_back(one, other, percentiles):
    low, high = sorted((one, other))
    assert 0 <= calibrated(low, percentiles) <= calibrated(high, percentiles) <= 1


@pytest.mark.parametrize(("cosine", "expected"), [(0, 0), (0.05, 0.15), (0.1, RELATED), (0.2, SAME), (1, 1), (-0.5, 0)])
def test_the_percentiles_are_three_and_six_tenths(cosine, expected):
    assert calibrated(cosine, (0.1, 0.2)) == pytest.approx(expected)


@pytest.mark.slow
@LANGUAGES
def test_five_of_a_hundred_questions_about_something_else_are_near_enough(language):
    """Words of episodes as questions to the topics that do not contain them, with other random draws than those of the scale."""
    episodes, _ = planted(language, themes=8, days=12)
    stored = run(episodes)
    holding = {name: topic.id for topic in stored.topics for name in topic.episodes}
    import random

    chance = random.Random("another seed")
    wrong = total = 0
    for length in (2, 4, 8):
        for episode in episodes:
            question = " ".join(update.question(counts(episode.summary), length, chance))
            others = [topic for topic in stored.topics if topic.id != holding.get(episode.id)]
            wrong += bool(search(question, others, stored.measure))
            total += 1
    assert wrong / total <= 0.12, f"{wrong} of {total}"


def test_the_scale_of_a_bank_that_says_nothing_is_the_known_one():
    assert update.mixed([], (0.1, 0.2)) == (0.1, 0.2)
    assert similarity.scale_of({}, 3) == similarity.PRIOR[1]


# labels


def test_a_label_says_who_what_and_when():
    lines = ["Caroline: The kiln and the glaze are ready.", "Melanie: I glazed two bowls from the kiln.", "USER: fine"]
    episodes = [made(f"2025-{month:02d}-03", "\n".join(lines), NOW, kind="day", by="x", covers=[]) for month in (9, 10, 11)]
    label = labelling.label(episodes, {"kiln": 0.8, "glaze": 0.6}, {"kiln": 1.0, "glaze": 1.0})
    assert label.startswith("Caroline, Melanie: kiln, glaze") and label.endswith("(2025-09 – 2025-11)")
    assert "USER" not in label


def test_a_label_within_one_month_names_days():
    episodes = [themes.episode(at, "alpha beta") for at in range(3)]
    assert labelling.span(episodes) == "2025-01-01 – 2025-01-03"
    assert labelling.span(episodes[:1]) == "2025-01-01"


@LANGUAGES
def test_a_summary_is_whole_sentences_of_its_episodes_with_their_dates(language):
    for topic in run(planted(language)[0]).topics:
        assert topic.summary and len(topic.summary) <= labelling.SUMMARY_CHARACTERS
        assert topic.summary.startswith("[2025-")


# the file


def test_members_of_the_file_that_nobody_knows_stay():
    episodes, _ = planted("en")
    raw = json.loads(store.body(run(episodes)))
    raw["embedding_model"] = "of another program"
    raw["clusters"][0]["colour"] = "green"
    before = store.parse(json.dumps(raw).encode())
    after = json.loads(store.body(run(episodes, before)))
    assert after["embedding_model"] == "of another program" and after["clusters"][0]["colour"] == "green"


def test_the_file_of_the_program_it_comes_from_is_read():
    raw = {"version": "1.0", "clusters": [{"cluster_id": "cluster_000", "persona_label": "庭", "centroid_embedding": [0.1], "episode_dates": ["2025-01-01"]}]}
    stored = store.parse(json.dumps(raw).encode())
    assert not stored.broken and stored.topics[0].label == "庭"
    assert search("庭", stored.topics, stored.measure) == []


@given(st.one_of(st.binary(max_size=60), st.text(max_size=60).map(str.encode)))
@example(b"[]")
@example(b'{"clusters": 3}')
@example(b'{"clusters": [3, null, {"centroid": {"a": true, "b": "x", "c": -1}, "episode_ids": [1], "cluster_id": 5}], "words": [], "scale": {"1": [1]}}')
@example(b'{"clusters": [], "retired": {}, "rarest_word": true, "scale": {"1": ["a", "b"], "2": [1, 1e400]}}')
def test_reading_never_raises(data):
    stored = store.parse(data)
    for topic in stored.topics:
        assert isinstance(topic.label, str) and topic.first <= topic.last
    assert search("anything at all", stored.topics, stored.measure) == []


def test_git_s_conflict_marks_keep_the_names_of_both_sides():
    episodes, _ = planted("en")
    stored = run(episodes)

    def called(name):
        return store.body(stored.changed(topics=[stored.topics[0].with_fields(persona_label=name), *stored.topics[1:]]))

    ours, theirs = called("ours").split("\n"), called("theirs").split("\n")
    text = "\n".join(line if line == other else f"<<<<<<< HEAD\n{line}\n=======\n{other}\n>>>>>>> branch" for line, other in zip(ours, theirs, strict=True))
    merged = store.parse(text.encode())
    assert merged.merged and not merged.broken
    after = run(episodes, merged, now=LATER)
    assert after.topics[0].persona_label == "ours"
    assert [topic.persona_label for topic in after.retired] == ["theirs"]
    assert not store.parse(store.body(after).encode()).merged


def test_a_text_that_must_disappear_leaves_no_word_behind(bank):
    """Its single words are in the file, normalised, where a search for the entire text does not find them."""
    scratch = bank()
    episodes, _ = planted("en")
    stored = run(episodes)
    store.change(scratch.layout, FixedClock(0), lambda _: stored.changed(topics=[topic.with_fields(persona_label="mine") for topic in stored.topics]))
    assert store.forget_words(scratch.layout, FixedClock(0))
    after = Path(store.path_of(scratch.layout)).read_text(encoding="utf-8")
    assert not any(term in after for term in stored.measure.weights)
    assert [topic.persona_label for topic in store.read(scratch.layout).topics] == ["mine"] * 4
    made_again = run(episodes, store.read(scratch.layout))
    assert [topic.middle for topic in made_again.topics] == [topic.middle for topic in stored.topics]
    assert [topic.id for topic in made_again.topics] == [topic.id for topic in stored.topics]


# size


def test_comparing_costs_no_more_than_its_budget(monkeypatch):
    """The most common words are left out first, and the others still give groups."""
    from memorybank.episodes.topics import vectors

    episodes, true = planted("en")
    listed = [counts(episode.summary) for episode in episodes]
    whole = VectorSpace(listed)
    spread = Counter(term for counted in listed for term in counted)
    monkeypatch.setattr(vectors, "MOST_PRODUCTS", sum(count * count for term, count in spread.items() if count <= 9))
    small = VectorSpace(listed)
    assert small.weights.keys() < whole.weights.keys()
    assert sum(spread[term] ** 2 for term in small.weights) <= vectors.MOST_PRODUCTS
    groups = clusters.group(listed).groups
    assert len(groups) == 4 and all(len({true[at] for at in group}) == 1 for group in groups)


def test_a_question_is_read_up_to_a_limit():
    assert "omega" not in similarity.question_terms("alpha " * 100_000 + "omega")


def test_a_broken_file_is_kept_under_the_first_free_name(bank):
    scratch = bank()
    folder = Path(store.path_of(scratch.layout)).parent
    folder.mkdir(parents=True, exist_ok=True)
    clock = FixedClock(1_758_112_496_789)
    names = {}
    for data in (b"{ no json", b"{ no json", b"{ other"):  # the second command finds the copy of the first, which was interrupted
        (folder / store.NAME).write_bytes(data)
        names[data] = store.change(scratch.layout, clock, lambda stored: stored, renew=True)
    assert len({*names.values()}) == 2 and all((folder / name).read_bytes() == data for data, name in names.items())

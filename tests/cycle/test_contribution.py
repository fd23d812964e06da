"""The worth of a memory on an occasion: a moving average that forgets slowly, for that moment alone."""

import pytest

from memorybank.cycle.fold import schema
from memorybank.cycle.improve import occasions
from memorybank.storage import database

AT = 1_758_112_496_789


@pytest.fixture
def judged():
    """judged(memory, kind, moment, *samples) writes exposures one second apart, oldest first; `.connection` is the cache with them."""
    connection = database.in_memory(schema.TABLES, schema.VERSION)
    count = 0

    def write(memory, kind, moment, *samples, shown=1, excluded=0):
        nonlocal count
        for sample in samples:
            count += 1
            connection.execute(
                "INSERT INTO exposures (memory, file, offset, rank, session, agent, epoch, at, event, shown, excluded, score, tokens, parts, match,"
                " anchored, kind, policy, terms, awaited, sample) VALUES (?, 0, ?, 1, 's', 'main', 1, ?, ?, ?, ?, 0, 0, '{}', 0, 0, ?, 0, '', 1, ?)",
                (memory, count, AT + 1_000 * count, moment, shown, excluded, kind, sample),
            )

    write.connection = connection
    yield write
    connection.close()


def test_a_memory_that_nobody_judged_is_neutral(judged):
    worth = occasions.at_occasion(judged.connection, "answer:1", "prompt")
    assert (worth.average, worth.count, worth.is_worthless) == (0.5, 0, False)


def test_it_falls_with_the_sixth_time_for_nothing_and_says_when(judged):
    judged("answer:1", "finding", "prompt", *[0.0] * 5)
    assert not occasions.at_occasion(judged.connection, "answer:1", "prompt").is_worthless
    judged("answer:1", "finding", "prompt", 0.0, 0.0)
    worth = occasions.at_occasion(judged.connection, "answer:1", "prompt")
    assert worth.is_worthless and (worth.count, worth.since) == (7, AT + 6_000)


def test_what_its_shadows_would_have_been_used_for_brings_it_back(judged):
    judged("answer:1", "finding", "prompt", *[0.0] * 6)
    judged("answer:1", "finding", "prompt", 0.5, shown=0, excluded=1)
    assert not occasions.at_occasion(judged.connection, "answer:1", "prompt").is_worthless


def test_moments_are_judged_apart(judged):
    judged("answer:1", "finding", "failure", *[0.0] * 6)
    assert not occasions.at_occasion(judged.connection, "answer:1", "prompt").is_worthless


def test_the_list_of_what_is_worthless_names_memory_and_moment(judged):
    """Only memories of the given kinds are listed. Exposures without a sample, and shadows, do not count."""
    judged("session:a", "session", "session_start", *[0.0] * 6)
    judged("answer:1", "finding", "prompt", *[0.0] * 6)
    judged("answer:1", "finding", "failure", *[0.0] * 6)
    judged("answer:2", "finding", "prompt", *[0.0] * 5, None, None)
    judged("answer:3", "finding", "prompt", *[0.0] * 6, shown=0)
    judged("answer:4", "finding", "prompt", *[0.0] * 9, 0.5)
    judged("rule:1", "rule", "session_start", *[0.0] * 9)
    found = occasions.worthless(judged.connection, ("finding", "session"))
    assert [(memory, moment, worth.count) for memory, moment, worth in found] == [
        ("answer:1", "failure", 6),
        ("answer:1", "prompt", 6),
        ("session:a", "session_start", 6),
    ]

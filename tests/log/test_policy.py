"""The policy log: only what memorybank wrote is in force; every other line is refused and reported by its number."""

import shutil

import pytest

from memorybank.errors import LockTimeout
from memorybank.log import lines, policy, purge
from memorybank.storage import appending
from memorybank.text.secrets.needle import PurgeNeedle

KEY = b"k" * 32


@pytest.fixture
def layout(bank):
    return bank().layout


@pytest.fixture
def write(layout, fixed_clock):
    def append(**fields):
        return policy.append(layout, KEY, lambda _: {"reason": "because", **fields}, fixed_clock)

    return append


def text(layout):
    with open(policy.path(layout), encoding="utf-8") as stream:
        return stream.read()


def overwrite(layout, data):
    with open(policy.path(layout), "w", encoding="utf-8") as stream:
        stream.write(data)


def versions(layout, key=KEY):
    return [fields["version"] for fields in policy.read(layout, key)[0]]


def test_records_count_from_one_and_follow_each_other(layout, write):
    assert policy.latest(layout, KEY) is None and policy.read(layout, KEY) == ([], [])
    first, second = write(top_k=3), write(top_k=4)
    assert (first["version"], first["prev"]) == (1, "") and (second["version"], second["prev"]) == (2, first["signature"])
    assert policy.latest(layout, KEY)["top_k"] == 4


def test_a_line_edited_by_hand_is_refused_by_its_number(layout, write):
    for number in (3, 4, 5):
        write(top_k=number)
    overwrite(layout, text(layout).replace('"top_k":5', '"top_k":9'))
    assert versions(layout) == [1, 2] and [line.line for line in policy.read(layout, KEY)[1]] == [3]
    assert policy.latest(layout, KEY)["top_k"] == 4


def test_a_line_with_a_checksum_and_no_signature_is_refused(layout, write):
    """An attacker who knows the format but not the key."""
    write(top_k=3)
    with open(policy.path(layout), "ab") as stream:
        stream.write(lines.encode({"version": 2, "prev": "", "top_k": 20, "signature": "0" * 64}))
    (refused,) = policy.read(layout, KEY)[1]
    assert refused.line == 2 and "by hand" in refused.why
    assert policy.latest(layout, KEY)["top_k"] == 3


def test_an_old_record_copied_to_the_end_is_not_in_force(layout, write):
    write(top_k=3)
    write(top_k=4)
    whole = text(layout)
    overwrite(layout, whole + whole.splitlines(keepends=True)[0])
    assert policy.latest(layout, KEY)["top_k"] == 4 and versions(layout) == [1, 2]
    assert "does not follow" in policy.read(layout, KEY)[1][0].why


def test_a_removed_record_is_reported_and_the_later_ones_stay_in_force(layout, write):
    for number in (3, 4, 5):
        write(top_k=number)
    assert policy.gaps(layout, KEY) == []
    first, _, third = text(layout).splitlines(keepends=True)
    overwrite(layout, first + third)
    assert policy.gaps(layout, KEY) == [3] and policy.latest(layout, KEY)["top_k"] == 5
    overwrite(layout, third)
    assert policy.gaps(layout, KEY) == [3], "a missing beginning is noticed too"


def test_reordered_records_are_reported(layout, write):
    for number in (3, 4, 5):
        write(top_k=number)
    first, second, third = text(layout).splitlines(keepends=True)
    overwrite(layout, first + third + second)
    assert policy.gaps(layout, KEY) == [3] and [line.line for line in policy.read(layout, KEY)[1]] == [3]


def test_a_record_that_follows_an_unreadable_line_leaves_no_gap(layout, write):
    """`append` names the last valid record, so a torn line in between is reported once, as a refused line."""
    write(top_k=3)
    with open(policy.path(layout), "ab") as stream:
        stream.write(b'{"version":2,"top')
    write(top_k=5)
    assert policy.gaps(layout, KEY) == []


def test_the_key_of_another_bank_puts_nothing_in_force(layout, write):
    write(top_k=3)
    assert policy.latest(layout, b"other" * 8) is None and policy.latest(layout, None) is None
    assert versions(layout, b"other" * 8) == [] and "key" in policy.read(layout, None)[1][0].why


def test_a_torn_line_costs_itself_alone(layout, write):
    write(top_k=3)
    with open(policy.path(layout), "ab") as stream:
        stream.write(b'{"version":2,"top')
    assert policy.latest(layout, KEY)["top_k"] == 3
    assert write(top_k=5)["version"] == 2 and policy.latest(layout, KEY)["top_k"] == 5
    assert [line.line for line in policy.read(layout, KEY)[1]] == [2]


def test_the_end_of_a_long_log_says_what_the_whole_says(layout, write, fixed_clock):
    for number in range(60):
        write(top_k=number, reason="x" * 1_500)
    assert policy.latest(layout, KEY) == policy.read(layout, KEY)[0][-1]
    overwrite(layout, text(layout) + "garbage " * 6_000 + "\n")
    assert policy.latest(layout, KEY)["top_k"] == 59


def test_nothing_is_written_when_there_is_nothing_to_say(layout, fixed_clock):
    assert policy.append(layout, KEY, lambda _: None, fixed_clock) is None
    assert policy.read(layout, KEY) == ([], [])


def test_two_writers_make_two_versions(layout, write, fixed_clock):
    write(top_k=3)
    with appending.Appending(policy.path(layout), fixed_clock, 1), pytest.raises(LockTimeout):
        policy.append(layout, KEY, lambda _: {"top_k": 9}, fixed_clock, timeout=0)
    write(top_k=4)
    assert versions(layout) == [1, 2]


def test_without_a_log_folder_it_is_made(layout, write):
    shutil.rmtree(layout.log, ignore_errors=True)
    assert write(top_k=3)["version"] == 1


def test_purging_a_text_from_a_reason_leaves_the_record_in_force(layout, write, fixed_clock):
    write(top_k=3, reason="Kanako said so")
    purge.purge(layout, PurgeNeedle("Kanako"), fixed_clock)
    assert "Kanako" not in text(layout)
    assert policy.latest(layout, KEY)["top_k"] == 3 and policy.read(layout, KEY)[1] == []

"""A number or a letter decides which of several notes with equal titles is shown first."""

import pytest

from memorybank.cycle.recall import labels
from tests.cycle.recalling import Remembering, prompt


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock)


def first_shown(memory, question):
    return memory.index().preview(prompt(question)).shown[0].memory.memory


@pytest.mark.parametrize("number", [1, 3, 8])
@pytest.mark.parametrize("question", ["which floor is printer number {} on?", "on which floor is printer {}?", "which floor is Printer #{} on?"])
def test_the_number_in_the_title_comes_first(memory, question, number):
    for each in range(1, 9):
        memory.note(f"shared/printer-{each}.md", f"# Printer number {each}\n\nThe printer is on floor {each + 10}. It is an office printer.")
    assert first_shown(memory, question.format(number)) == f"note:shared/printer-{number}.md"


def test_a_number_is_found_among_more_equal_titles_than_are_compared(memory):
    for each in range(1, 40):
        memory.note(f"shared/printer-{each}.md", f"# Printer number {each}\n\nThe printer is on a floor of the office.")
    for each in range(160):
        memory.note(f"planning/invoice-{each}.md", f"# Invoice {each + 900}\n\nIt was paid by transfer, and filed under the year.")
    assert first_shown(memory, "which floor is printer number 7 on?") == "note:shared/printer-7.md"


@pytest.mark.parametrize("number", ["1", "2", "２"])
def test_the_number_of_a_japanese_title_comes_first(memory, number):
    for each in "12":
        memory.note(f"shared/server-{each}.md", f"# サーバー{each}\n\nIPは10.0.0.{each}。")
    assert first_shown(memory, f"サーバー{number}のIPは？") == f"note:shared/server-{int(number)}.md"


@pytest.mark.parametrize("letter", "AB")
def test_the_letter_of_a_title_comes_first(memory, letter):
    for each in "AB":
        memory.note(f"shared/customer-{each.lower()}.md", f"# Customer {each}\n\nThe rate limit is {ord(each)} requests a minute.")
    assert first_shown(memory, f"what is the rate limit of customer {letter}?") == f"note:shared/customer-{letter.lower()}.md"


@pytest.mark.parametrize(
    ("title", "said", "question"),
    [
        ("{}社の支払期限", "支払期限は毎月のうちに決まる。{}の分は経理が見る。", "{}社の支払期限は？"),
        ("第{}工場の出荷時刻", "出荷時刻は{}の倉庫と同じ。", "第{}工場の出荷時刻は？"),
        ("{}号機のメモリ", "メモリは棚{}の表にある。", "{}号機のメモリは？"),
        ("Plan {} includes users", "The number of users is in table {}.", "How many users does plan {} include?"),
    ],
)
@pytest.mark.parametrize("names", ["AB", "12"])
def test_one_character_that_tells_titles_apart_decides(memory, title, said, question, names):
    for each in names:
        memory.note(f"shared/{each.lower()}.md", f"# {title.format(each)}\n\n{said.format(each)}")
    for each in names:
        assert first_shown(memory, question.format(each)) == f"note:shared/{each.lower()}.md"


@pytest.mark.parametrize("text", ["what is a rate limit?", "Is A good idea", "can I see it", "3 replicas", ", ".join(f"step {each}" for each in range(9))])
def test_articles_counts_and_lists_are_no_labels(text):
    assert labels.of_text(text) == ()

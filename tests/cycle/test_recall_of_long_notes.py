"""A long document answers by its passages: where words of a prompt stand together, never because it contains each of them somewhere."""

import pytest

from memorybank.cycle.recall import matching
from tests.cycle.recalling import Remembering, prompt

OTHER = {f"shared/other-{number}.md": f"# Calendar {number}\n\nThe train of week {number} leaves on Thursday.\n" for number in range(20)}
FILLER = "The warehouse counts pallets, and the ledger is balanced by the accountants of the harbour.\n\n" * 30
埋め草 = "倉庫では荷物を数え、帳簿は港の経理係が締める。昼休みのあとで棚を見回る。\n\n" * 20
LONG = {
    "scattered": f"# Handbook\n\nUploads are logged.\n\n{FILLER}The quota is fair.\n\n{FILLER}Nobody exceeds anything.\n",
    "together": f"# Handbook\n\n{FILLER}Uploads that exceed the quota are moved to the slow queue.\n\n{FILLER}",
    "離れた": f"# 手引き\n\n送信は記録される。\n\n{埋め草}割当は公平である。\n\n{埋め草}超過した例はない。\n",
    "一か所": f"# 手引き\n\n{埋め草}割当を超過した送信は、遅い列に移される。\n\n{埋め草}",
}


@pytest.fixture
def asked(bank, fixed_clock):
    """(text of a handbook, prompt) → what the agent is shown of it, or None."""

    def ask(text, question):
        return Remembering(bank({**OTHER, "shared/handbook.md": text}), fixed_clock).index().ask(prompt(question))

    return ask


@pytest.mark.parametrize(("name", "question"), [("scattered", "What happens to uploads that exceed the quota?"), ("離れた", "割当を超過した送信はどうなる？")])
def test_words_that_are_far_apart_say_nothing(asked, name, question):
    assert asked(LONG[name], question) is None


@pytest.mark.parametrize(
    ("name", "question", "answer"),
    [
        ("together", "What happens to uploads that exceed the quota?", "moved to the slow queue"),
        ("一か所", "割当を超過した送信はどうなる？", "遅い列に移される"),
    ],
)
def test_the_passage_in_which_they_stand_together_is_shown(asked, name, question, answer):
    found = asked(LONG[name], question)
    assert answer in found.text
    assert "pallets" not in found.text and "荷物" not in found.text


@pytest.mark.parametrize(("begin", "between", "question"), [
    ("Uploads are logged.", FILLER[:700], "What happens to uploads that exceed the quota?"),
    ("送信は記録される。", 埋め草[:300], "割当を超過した送信はどうなる？"),
])  # fmt: skip
def test_words_in_neighbouring_paragraphs_say_nothing(asked, begin, between, question):
    end = "The quota is fair. Nobody exceeds it." if begin.isascii() else "割当は公平である。超過した例はない。"
    filler = FILLER if begin.isascii() else 埋め草
    assert asked(f"# Handbook 手引き\n\n{filler}{begin}\n\n{between}\n\n{end}\n\n{filler}", question) is None
    assert asked(f"# Handbook 手引き\n\n{filler}{begin}\n\n{end}\n\n{filler}", question) is not None


@pytest.mark.slow
@pytest.mark.parametrize(("japanese", "is_found"), [(15, False), (200, True)])
def test_a_japanese_word_names_a_subject_only_if_it_is_rare_among_japanese_texts(bank, fixed_clock, japanese, is_found):
    """In an English bank with some Japanese notes each of their words is in few notes."""
    notes = {f"shared/ledger-{number}.md": f"# Ledger {number}\n\nWeek {number} is balanced.\n" for number in range(200)}
    notes |= {f"共有/暦-{number}.md": f"# 暦 {number}\n\n第{number}週の列車は木曜に出発します。\n" for number in range(japanese)}
    notes |= {f"共有/台帳-{number}.md": f"# 台帳 {number}\n\nクレーンは港で動きます。\n" for number in range(3)}
    found = Remembering(bank(notes), fixed_clock).index().ask(prompt("クレーンを追加してください"))
    assert (found is not None) == is_found


def test_a_passage_across_the_border_of_two_windows_is_found(asked):
    for shift in range(0, matching.PASSAGE, matching.PASSAGE // 8):
        text = f"# Handbook\n\n{'x ' * (shift // 2)}\n\nUploads that exceed the quota are moved to the slow queue.\n\n{FILLER}"
        assert "slow queue" in asked(text, "What happens to uploads that exceed the quota?").text, shift


@pytest.mark.parametrize(("title", "question"), [("How to release", "How do I release the next version?"), ("公開の手順", "次の版を公開する手順を教えて")])
def test_a_title_says_more_than_a_passage(bank, fixed_clock, title, question):
    words = "We release the next version when all is done." if title.isascii() else "次の版の公開は手順が終わってから。"
    notes = {**OTHER, "shared/a.md": f"# Diary\n\n{words}\n", "sync/b.md": f"# {title}\n\n{words}\n"}
    found = Remembering(bank(notes), fixed_clock).index().ask(prompt(question))
    assert found.sources[0] == "note:sync/b.md"


@pytest.mark.parametrize(
    ("heading", "question", "answer"),
    [
        ("Restore an archived parcel", "How do I restore an archived parcel?", "Type the number twice."),
        ("保管した荷物を復元する", "保管した荷物を復元するには？", "番号を二度入力する。"),
    ],
)
def test_the_heading_of_a_section_says_what_the_section_is_about(bank, fixed_clock, heading, question, answer):
    """The words are common in this bank, so that only the heading tells the section from any other text."""
    filler, common = (FILLER, "We restore each archived parcel.") if heading.isascii() else (埋め草.replace("荷物", "樽"), "保管した荷物は復元できる。")
    others = {f"shared/other-{number}.md": f"# Calendar {number}\n\n{common}\n\n{filler}" for number in range(40)}
    text = f"# Handbook\n\n{filler}## {heading}\n\n{answer}\n\n{filler}"
    found = Remembering(bank({**others, "shared/handbook.md": text}), fixed_clock).index().ask(prompt(question))
    assert found is not None and found.sources[0] == "note:shared/handbook.md" and answer in found.text


def test_the_second_heading_is_not_taken_for_the_tags(bank, fixed_clock):
    """A word in the tags counts wherever it stands. One in a heading counts only near the others, or with another one in the same heading."""
    for opening, is_found in (("---\ntags: [quota]\n---\n# Handbook\n\n## Pallets\n\n", True), ("# Handbook\n\n## Quota\n\n", False)):
        text = f"{opening}{FILLER}{FILLER}Uploads wait.\n\n{FILLER}"
        found = Remembering(bank({**OTHER, "shared/handbook.md": text}), fixed_clock).index().ask(prompt("Do uploads wait for the quota?"))
        assert (found is not None) == is_found


def test_a_passage_contains_three_words_of_a_prompt_or_all(asked):
    text = f"# Handbook\n\n{FILLER}Uploads over the quota wait.\n\n{FILLER}"
    assert "Uploads over" in asked(text, "Is there a quota for uploads?").text
    assert asked(text, "Plot the uploads below the quota as a histogram") is None


@pytest.mark.parametrize("question", ["How many uploads may a ledger take?", "Might two ledgers be rather much?"])
def test_words_that_modify_others_are_no_evidence(bank, fixed_clock, question):
    text = "# Trains\n\nIt may rain. Many might come, rather much for two.\n"
    assert Remembering(bank({**OTHER, "shared/trains.md": text}), fixed_clock).index().ask(prompt(question)) is None


def test_a_missing_file_is_named_only_beside_the_text_that_names_it(bank, fixed_clock):
    text = f"# Handbook\n\nSee src/gone.py.\n\n{FILLER}Uploads that exceed the quota are moved to the slow queue.\n"
    scratch = bank({**OTHER, "shared/handbook.md": text})
    (scratch.repository / "src").mkdir()
    remembering = Remembering(scratch, fixed_clock).index()
    assert "possibly stale" not in remembering.ask(prompt("What happens to uploads that exceed the quota?")).text

"""Excerpts of a note: the part in which the words of a query stand together, not just the beginning of a long paragraph."""

import pytest

from memorybank.text.prose.excerpt import excerpt

TABLE = (
    "# Codes\n\n| code | meaning |\n| ---: | --- |\n"
    + "".join(f"| {number} | reason {number} of the shop |\n" for number in range(60))
    + "| 61 | the lock is held |\n"
)
LIST = (
    "# Release\n\n"
    + "".join(f"{number}. Step {number} of many, in which nothing special happens at all.\n" for number in range(1, 12))
    + "12. Push the tag.\n    Never force it.\n"
)
PROSE = "# Clock\n\n" + "The tower is old and made of stone. " * 20 + "Its clock stops in frost, so wind it twice. " + "The bell is new. " * 20


@pytest.mark.parametrize(
    ("text", "labels", "begins"),
    [
        (TABLE, ["lock", "held"], "… | 61 | the lock is held |"),
        (LIST, ["push", "tag"], "… 12. Push the tag.\n    Never force it."),
        (PROSE, ["clock", "frost"], "… Its clock stops in frost, so wind it twice. The bell is new."),
        (
            "# 時計\n\n" + "塔は古く、石でできている。" * 30 + "時計は霜で止まるので二度巻く。" + "鐘は新しい。" * 30,
            ["霜", "巻く"],
            "… 時計は霜で止まるので二度巻く。鐘は新しい。",
        ),
    ],
)
def test_a_long_paragraph_is_shown_from_the_row_item_or_sentence_that_answers(text, labels, begins):
    said = excerpt(text, "Codes", labels, 200)
    assert begins in said
    assert len(said) < 260


def test_a_rare_word_decides_between_paragraphs_with_as_many_hits():
    text = "# Shop\n\n" + "The order is kept in the shop.\n\n" * 8 + "An order over the quota waits.\n\nThe shop keeps the order.\n"
    assert excerpt(text, "Shop", ["order", "shop", "quota"], 200) == "An order over the quota waits."


def test_a_heading_counts_as_part_of_its_paragraphs():
    text = "# Shop\n\n## Opening\n\nWe open at nine.\n\n## Refunds\n\nAsk the manager within a week.\n"
    assert excerpt(text, "Shop", ["refund"], 200) == "Refunds: Ask the manager within a week."


def test_a_section_about_a_word_wins_over_one_that_mentions_it():
    text = "# Shop\n\n## Adopt\n\nNothing is rotated; the shop forgets it.\n\n## Forget\n\nEvery box is checked, as in a rotation.\n"
    assert excerpt(text, "Shop", ["forget", "rotat"], 200) == "Forget: Every box is checked, as in a rotation."
    assert excerpt("# Shop forget\n\nOpen.\n\n## Hours\n\nThe shop forgets rotation.\n", "Shop forget", ["forget", "rotat"], 200).startswith("Hours: ")


def test_a_comment_in_code_is_not_a_heading():
    text = "# Shop\n\n## Hours\n\n```sh\nopen\n\n# close the shop at night\nclose\n```\n\nWe close at nine.\n"
    assert excerpt(text, "Shop", ["close", "nine"], 200) == "Hours: We close at nine."


@pytest.mark.parametrize("text", ["", "# Only a title\n", "```\ncode\n```\n", "|---|---|\n"])
def test_a_note_without_prose_has_no_excerpt_or_a_short_one(text):
    assert len(excerpt(text, "Only a title", ["code"], 200)) < 20


def test_an_endless_line_is_cut():
    said = excerpt("# X\n\n" + "a" * 5_000 + " needle " + "b" * 5_000, "X", ["needle"], 200)
    assert "needle" in said and len(said) < 220


def test_the_headings_of_outer_sections_count_too():
    table = "| secret | from |\n|---|---|\n| `CERT_A` | vault |"
    text = f"# Releases\n\n## Windows signing\n\n### Inputs\n\n{table}\n\n## Signing on macOS\n\n### Inputs\n\n{table.replace('CERT_A', 'CERT_B')}\n"
    assert "CERT_B" in excerpt(text, "Releases", ["secret", "maco", "sign"], 200)
    assert "CERT_A" in excerpt(text, "Releases", ["secret", "window", "sign"], 200)


@pytest.mark.parametrize(("text", "label", "shown"), [
    ("# A\n\nThe limits of uploads are:\n\n- 5 MB for guests\n- 90 MB for members\n", "limit", "- 90 MB for members"),
    ("# A\n\nThe limits are set with:\n\n```bash\nlimit --guests 5\n```\n\nNext.\n", "limit", "limit --guests 5"),
    ("# A\n\n送信の上限は次のとおり：\n\n- 訪問者は5件\n", "上限", "- 訪問者は5件"),
])  # fmt: skip
def test_a_lead_in_is_shown_with_what_it_leads_in_to(text, label, shown):
    said = excerpt(text, "A", [label], 200)
    assert shown in said and "```" not in said and "Next" not in said


def test_a_long_list_is_cut_between_its_items():
    items = [f"- item number {number} of the uploads" for number in range(40)]
    said = excerpt("# A\n\nThe limits are:\n\n" + "\n".join(items) + "\n", "A", ["limit"], 120)
    assert len(said) <= 120 and said.split("\n")[1:] == items[: len(said.split("\n")) - 1] and len(said.split("\n")) > 1


def test_a_label_is_found_where_a_word_begins():
    text = "# A\n\nThe threshold of the relationship is important.\n\nShip the old port.\n"
    for label in ("old", "ship", "port"):
        assert excerpt(text, "A", [label], 200) == "Ship the old port.", label
    assert excerpt("# A\n\nNothing.\n\nThe keys are in the safe.\n", "A", ["kei"], 200) == "The keys are in the safe."


def test_prose_wins_over_the_middle_of_a_block_of_code():
    text = "# A\n\n```bash\nbegin\n\n# the retry limit of uploads\nrun\n```\n\nThe retry limit of uploads is five.\n"
    assert excerpt(text, "A", ["retri", "limit", "upload"], 200) == "The retry limit of uploads is five."


def test_of_a_list_of_any_length_as_many_items_are_shown_as_fit():
    """Whether they fit is not asked of each item for each other one, or a note of 60 kB would hang every prompt that it answers."""
    text = "# A\n\n" + "".join(f"- item {number} is nothing\n" for number in range(60_000)) + "- the port is 6380\n- it is ours\n"
    assert excerpt(text, "A", ["port"], 60) == "… - the port is 6380\n- it is ours"
    assert excerpt(text, "A", ["item"], 60).startswith("- item 0 is nothing\n- item 1 is nothing\n")

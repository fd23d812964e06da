"""The first notes of a bank are found by people's own words, however few notes say how rare a word is; ordinary prompts bring nothing."""

import os

import pytest

from memorybank.index.readiness import YOUNG
from tests.conftest import NOW
from tests.cycle.recalling import Remembering, prompt

ENGLISH = {
    "shared/deploy.md": "# Deploys wait for the pilot\n\nThe pilot boards at nine. Run `make board` and watch the tower.\n",
    "shared/lint.md": "# Style of our tests\n\nA test has one assertion and a docstring in the present tense.\n",
}
JAPANESE = {
    "shared/deploy.md": "# 出港は水先案内人を待つ\n\n水先案内人は九時に乗船する。`make board` を実行する。\n",
    "shared/lint.md": "# 帳票の書き方\n\nエラーの文言は日本語で書き、表に一行ずつ並べる。\n",
}
OTHERS = {f"others/{number}.md": f"# Orchard {number}\n\nRow {number} is pruned. 果樹園の{number}列は剪定した。\n" for number in range(YOUNG)}


@pytest.fixture
def young(bank, fixed_clock):
    """young(notes) → a bank with these notes, which no command has indexed."""
    return lambda notes: Remembering(bank(notes), fixed_clock)


@pytest.fixture(params=["indexed", "written"])
def asked(request, young):
    """asked(notes, question) → what is shown, from the index or, where there is none yet, from the files."""

    def ask(notes, question):
        remembering = young(notes)
        return (remembering.index() if request.param == "indexed" else remembering).ask(prompt(question))

    return ask


@pytest.mark.parametrize(("notes", "question"), [
    (ENGLISH, "is the pilot on deck before we deploy the zeppelin to Lisbon?"),
    (JAPANESE, "リスボンに出港する飛行船の水先案内人は誰？"),
])  # fmt: skip
@pytest.mark.parametrize("count", [1, 2])
def test_words_that_the_bank_does_not_know_do_not_hide_its_first_note(asked, notes, question, count):
    found = asked(dict(list(notes.items())[:count]), question)
    assert found is not None and found.sources == ("note:shared/deploy.md",)


@pytest.mark.parametrize(("notes", "question"), [
    (ENGLISH, "write a docstring for the slugify helper"),
    (ENGLISH, "run the tests and watch the output"),
    (ENGLISH, "sort the style of the zebra table and test the gorilla"),
    (JAPANESE, "エラーの一覧を表示する関数を実行して"),
    (JAPANESE, "表の行を並べ替えるテストを追加して"),
])  # fmt: skip
def test_ordinary_words_in_common_bring_nothing(asked, notes, question):
    assert asked(notes, question) is None


@pytest.mark.parametrize(("notes", "question"), [(ENGLISH, "book a hotel for the pilot in Lisbon"), (JAPANESE, "水先に使うリスボンの宿の予約")])
def test_one_rare_word_in_a_title_names_the_subject_of_a_young_bank_only(young, notes, question):
    assert young(notes).index().ask(prompt(question)) is not None
    assert young({**notes, **OTHERS}).index().ask(prompt(question)) is None


@pytest.mark.parametrize(("notes", "question"), [(ENGLISH, "sort the style sheet by hue"), (JAPANESE, "帳票の余白を縮めて")])
@pytest.mark.parametrize("others", [0, YOUNG - 10])
def test_an_ordinary_word_of_a_title_names_nothing(young, notes, question, others):
    notes = {**notes, "shared/margin.md": "# 余白の規則\n\n方眼に合わせる。\n" if notes is JAPANESE else "# Style of the menu\n\nServed cold.\n"}
    remembering = young({**notes, **dict(list(OTHERS.items())[:others])}).index()
    shown = [one.memory.key for one in remembering.preview(prompt(question)).shown]
    assert "shared/margin.md" not in shown


def test_two_halves_of_a_japanese_word_are_one_word(asked):
    assert asked(JAPANESE, "バナーを日本語にして") is None
    assert asked(JAPANESE, "帳票を日本語にして") is not None


@pytest.mark.parametrize("identifier", ["zeppelin_gas_pressure", "zeppelinGasPressure"])
def test_an_identifier_counts_once_beside_its_parts(young, identifier):
    remembering = young(ENGLISH).index()
    whole = remembering.preview(prompt(f"does the pilot check {identifier} at deploys")).shown[0].memory.match
    parts = remembering.preview(prompt("does the pilot check zeppelin gas pressure at deploys")).shown[0].memory.match
    assert whole == pytest.approx(parts)


@pytest.mark.parametrize("notes", [{}, OTHERS])
def test_a_note_written_after_the_index_was_made_is_found_in_a_young_bank(young, notes):
    remembering = young({**notes, "shared/one.md": "# One\n\nx\n"}).index().note("shared/deploy.md", ENGLISH["shared/deploy.md"])
    found = remembering.ask(prompt("when does the pilot board?"))
    assert (found is not None and "make board" in found.text and "index lacks" not in found.text) == (not notes)


def test_a_note_edited_after_the_index_was_made_is_found_by_its_new_words_and_shown_once(young):
    remembering = young({"shared/deploy.md": "# Deploys\n\nTo be written.\n"}).index()
    remembering.note("shared/deploy.md", ENGLISH["shared/deploy.md"])
    os.utime(remembering.scratch.active / "shared/deploy.md", ns=((NOW + 1) * 1_000_000,) * 2)
    found = remembering.ask(prompt("when does the pilot board for our deploys?"))
    assert found is not None and found.text.count("[note shared/deploy.md;") == 1 and "make board" in found.text


def test_a_note_that_answers_a_question_is_shown_whatever_was_asked_before(young):
    """And a person who recalls for the session sees it."""
    notes = {"shared/support.md": "# 問い合わせの返し方\n\n- 返品: きのこは生鮮なので不可。ただし傷みの写真があれば再送\n- 解約: マイページから\n"}
    question = "返品を受け付けるかの質問が来ています。いつもどう返していますか。"
    remembering = young(notes).index()
    session = remembering.session("now")
    session.line("session_start", source="startup")
    session.prompt("軽減税率の対象外のギフト箱を food から goods に移したいです。")
    remembering.fold()
    assert [one.memory.key for one in remembering.preview(prompt(question)).shown] == ["shared/support.md"]
    assert [one.memory.key for one in remembering.preview(prompt("返品もそれでいいですか")).shown] == []
    assert "きのこは生鮮" in remembering.ask(prompt(question)).text

"""A compound of two verbs (取り置き) is a word that notes and turns are found by, in each of its spellings."""

import pytest

from tests.cycle.recalling import Remembering, prompt

HELD = "shared/取り置き.md"
NOTES = {
    HELD: "# 取り置き\n\n店頭で渡す品を奥の棚に分けておく。三日を過ぎたら棚へ返す。\n",
    "shared/用語.md": "# 用語\n\n- **引当て**: 注文ごとに在庫を確保すること\n- **締切**: 午後三時\n",
    "shared/梱包.md": "# 箱の扱い\n\n箱を取り、台に置き、ふたを閉じる。\n",
}
TOLD = ("棚の作業を整理して", "整理しました。売り越しが出た日は、店長が朝に仕入れ先へ電話します。")
OTHER = ("ログの書式を JSON にして", "ログは JSON で出ます。時刻は UTC のままなので、読むときに変換してください。")


@pytest.fixture(params=["indexed", "written"])
def shown(request, bank, fixed_clock):
    """shown(question) → the keys of the notes that a prompt brings, from the index or, where there is none yet, from the files."""
    remembering = Remembering(bank(NOTES), fixed_clock)
    if request.param == "indexed":
        remembering.index()

    def ask(question):
        found = remembering.ask(prompt(question))
        return [] if found is None else [source.removeprefix("note:") for source in found.sources]

    return ask


@pytest.mark.parametrize("question", ["取り置きとは何ですか", "取置きのルールは？", "取置について", "この品の取り置きを頼まれました"])
def test_a_note_is_found_by_each_spelling_of_its_title(shown, question):
    assert shown(question) == [HELD]


@pytest.mark.parametrize("question", ["引き当てと締め切りを教えて", "引当と締切を教えて"])
def test_a_note_is_found_by_the_compounds_in_its_text(shown, question):
    assert "shared/用語.md" in shown(question)


@pytest.mark.parametrize("question", ["値を取り出して別の場所に置き換えて", "取り込みを直して動かして", "取ったものを置いて", "割り当てを当て直して"])
def test_the_verbs_of_a_compound_alone_bring_nothing(shown, question):
    assert shown(question) == []


@pytest.mark.parametrize(("question", "is_shown"), [
    ("売り越しの日は誰が仕入れ先に電話しますか", True),
    ("売越の日に電話するのは店長ですか", True),
    ("売り場の棚を越えて表示して", False),
])  # fmt: skip
def test_a_turn_is_found_by_a_compound(bank, fixed_clock, question, is_shown):
    remembering = Remembering(bank({}), fixed_clock)
    for number, (request, answer) in enumerate((TOLD, OTHER)):
        session = remembering.session(f"earlier-{number}", days_ago=2 + number)
        session.prompt(request)
        session.turn_end(answer)
        session.end()
    remembering.session("now").line("session_start", source="startup")
    found = remembering.fold().ask(prompt(question))
    assert (found is not None and "売り越し" in found.text) == is_shown

"""A prompt that seeks a file is shown what an earlier session said of its being renamed, moved or removed."""

import pytest

from tests.cycle.recalling import Remembering, prompt

ENGLISH = ("The component Ledger should be called Journal from the next release on.", "Ledger.tsx is Journal.tsx now and the component has the same name.")
JAPANESE = ("名前がわかりにくいので整理して", "features.py を signals.py に変えました。")


@pytest.fixture
def shown(bank, fixed_clock):
    """shown(prompt, session, …, many=) → what is shown after these sessions and `many` others, in which the names occur too."""

    def ask(text, *sessions, many=0):
        remembering = Remembering(bank({}), fixed_clock)
        others = [(f"Fix sum {number} of the page.", f"Ledger.tsx and features.py round sum {number} up; its test passes.") for number in range(many)]
        for number, (asked, answer) in enumerate((*sessions, *others)):
            session = remembering.session(f"earlier-{number}", days_ago=2 + number / 100)
            session.prompt(asked)
            session.turn_end(answer)
            session.end()
        remembering.session("now").line("session_start", source="startup")
        injection = remembering.fold().ask(prompt(text))
        return "" if injection is None else injection.text

    return ask


@pytest.mark.parametrize("many", [0, 90])
@pytest.mark.parametrize("text", ["Where is the file Ledger.tsx? I have an old branch that changes it", "what happened to src/pages/Ledger.tsx?"])
def test_in_english(shown, text, many):
    assert "Ledger.tsx is Journal.tsx now" in shown(text, ENGLISH, many=many)


@pytest.mark.parametrize("many", [0, 90])
@pytest.mark.parametrize("text", ["features.pyどこいった？", "features.py が見当たりません"])
def test_in_japanese(shown, text, many):
    assert "features.py を signals.py に変えました" in shown(text, JAPANESE, many=many)


def test_the_last_word_on_it_counts(shown):
    first = ("Rename it.", "Ledger.tsx was moved to apps/shared.")
    said = shown("where did Ledger.tsx go?", ENGLISH, first, many=90)  # the first one is the newer one
    assert "Journal.tsx" in said and "apps/shared" not in said, said


@pytest.mark.parametrize("text", ["Where is Ledger.tsx?", "features.pyどこ？"])
def test_where_nothing_of_the_kind_was_said_nothing_is_shown(shown, text):
    assert shown(text, ("Move the limit.", "Moved the limit from Ledger.tsx to limits.ts, and 定数を features.py に移しました。"), many=90) == ""

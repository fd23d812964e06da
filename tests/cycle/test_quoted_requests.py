"""The request before a result is quoted without the greeting before it."""

import pytest

from tests.cycle.recalling import Remembering, prompt


@pytest.mark.parametrize(
    ("greeting", "asked", "text"),
    [
        ("Good morning.", "The search for free rooms takes four seconds.", "go on"),
        ("Hi Claude!", "The search for free rooms takes four seconds.", "go on"),
        ("おはようございます。", "空き部屋の検索が4秒かかります。", "続けて"),
        ("お疲れ様です。", "空き部屋の検索が4秒かかります。", "続けて"),
    ],
)
def test_a_greeting_is_not_quoted_as_the_request(bank, fixed_clock, greeting, asked, text):
    said = _after(bank, fixed_clock, f"{greeting} {asked}", "The index on rooms was missing, because the migration had dropped it.", text)
    assert asked.rstrip(".。") in said and greeting.rstrip(".。!") not in said, said


def _after(bank, fixed_clock, asked, answer, text):
    """Return what is shown at the first prompt of a session after one with this request and answer."""
    remembering = Remembering(bank({}), fixed_clock)
    session = remembering.session("earlier", days_ago=2)
    session.prompt(asked)
    session.turn_end(answer)
    session.end()
    remembering.session("now").line("session_start", source="startup")
    injection = remembering.fold().ask(prompt(text))
    return "" if injection is None else injection.text

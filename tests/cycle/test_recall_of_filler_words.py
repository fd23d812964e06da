"""Words of everyday language in common with an earlier request are no evidence that a prompt is about it."""

import pytest

from tests.cycle.recalling import Remembering, prompt

SESSIONS = {
    "English": [
        ("Could you please give the guests a quarter of an hour instead of the ten minutes, and check that nothing else depends on the old value?",
         "LEASE_MINUTES in src/leases.ts is 15 now, because a transfer may take 12 minutes. Nothing else used the value of the API."),
        ("Two members wrote that their phone rings twice for each parcel. Can you find out why?", "The webhook came twice; the second is dropped now."),
    ],
    "Japanese": [
        ("棚の割り当ての条件を変えて、空の棚だけにしてください", "RackPicker は空の棚だけを返します。条件は rack_rules.py にあります。"),
    ],
}  # fmt: skip
"""{language: (what was asked, what was answered)}"""


@pytest.fixture
def asked(bank, fixed_clock):
    def ask(language, text):
        remembering = Remembering(bank({}), fixed_clock)
        for number, (request, answer) in enumerate(SESSIONS[language]):
            session = remembering.session(f"old-{number}", days_ago=2 + number)
            session.prompt(request)
            session.turn_end(answer)
            session.end()
        remembering.session("now").line("session_start", source="startup")
        found = remembering.fold().ask(prompt(text))
        return "" if found is None else found.text

    return ask


@pytest.mark.parametrize(("language", "text"), [
    ("English", "Good morning! It is twenty to ten, could you please bring the API to the new machine, if nothing speaks against it?"),
    ("English", "Thank you. Please do not touch those, Ines will phone the members."),
    ("Japanese", "どういう条件のときに色が変わるのか、画面に書いてください"),
])  # fmt: skip
def test_they_bring_nothing(asked, language, text):
    assert asked(language, text) == ""


@pytest.mark.parametrize(("language", "text", "said"), [
    ("English", "the lease of ten minutes is too short for transfers, please check LEASE_MINUTES", "is 15 now"),
    ("Japanese", "RackPicker はどの条件で棚を返しますか", "空の棚だけ"),
])  # fmt: skip
def test_what_is_named_brings_it(asked, language, text, said):
    assert said in asked(language, text)

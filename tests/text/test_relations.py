"""What a later sentence does to an earlier one: ends a rule, refutes an answer, replaces a statement; and what is no rule of the person who types it.

Two authors wrote the first cases without seeing the code. Those of `requests` and `relayed` were written with it.

The worst error hides something valid, so none is allowed there. The floors of what is found say how much is understood today.
"""

import json
from pathlib import Path

import pytest

from memorybank.cycle.fold.stated import Stated
from memorybank.cycle.know.stating import grouped
from memorybank.text.prompts.refuting import refutes
from memorybank.text.prompts.sentences import sentences
from memorybank.text.prompts.stated import CONSTRAINT, Statement
from memorybank.text.prompts.statements import statements, subject
from memorybank.text.words.terms import content_terms

FOLDER = Path(__file__).resolve().parents[1] / "data" / "relations"
FLOORS = {
    "permissions": {"en": 9, "ja": 8},
    "refutations": {"en": 13, "ja": 8},
    "superseding": {"en": 19, "ja": 15},
    "requests": {"en": 5, "ja": 5},
    "relayed": {"en": 46, "ja": 36},
}


def cases(name):
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def stated(text, session, at, *, always=True):
    """The statements of a prompt; where it has none and `always`, its first sentence."""
    found = statements(text) or [Statement(CONSTRAINT, one, subject(one)) for one in sentences(text)[:1] if always]
    return [Stated(at, session, one, content_terms(one.text)) for one in reversed(found)]


def takes_the_place(first, second, *, always):
    folded = [(one, []) for one in stated(first, "earlier", 1)]
    for number, (one, _) in enumerate(folded, 1):
        one.row = number
    return any(one.row > 0 for one, _ in grouped(folded, stated(second, "later", 2, always=always))[1])


JUDGED = {
    "permissions": ("ends", lambda case: takes_the_place(case["rule"], case["later"], always=False)),
    "refutations": ("refuted", lambda case: refutes(case["next"], case["answer"], case["agent_reply"], case["question"])),
    "requests": ("ends", lambda case: takes_the_place(case["rule"], case["later"], always=True)),
    "relayed": ("none", lambda case: not statements(case["said"])),
    "superseding": ("replaces", lambda case: takes_the_place(case["first"], case["second"], always=True)),
}


@pytest.mark.parametrize("name", JUDGED)
def test_nothing_valid_is_hidden_and_most_of_the_rest_is_understood(name):
    expected, judge = JUDGED[name]
    every = cases(name)
    wrong = [case for case in every if case["expect"] != expected and judge(case)]
    missed = [case for case in every if case["expect"] == expected and not judge(case)]
    found = {language: sum(case["lang"] == language and case["expect"] == expected and case not in missed for case in every) for language in ("en", "ja")}
    print(name, "found", found, "of", {language: sum(case["lang"] == language and case["expect"] == expected for case in every) for language in found})
    assert wrong == []
    assert all(found[language] >= least for language, least in FLOORS[name].items()), (found, missed)


@pytest.mark.parametrize("name", JUDGED)
def test_the_cases_are_in_both_languages_and_of_both_kinds(name):
    every = cases(name)
    assert len(every) >= 40 and len({case["id"] for case in every}) == len(every)
    assert {(case["lang"], case["expect"] == JUDGED[name][0]) for case in every} == {(language, kind) for language in ("en", "ja") for kind in (True, False)}


def test_a_request_of_the_moment_is_no_rule():
    assert [case["later"] for case in cases("requests") if case["expect"] == "stays" and statements(case["later"])] == []

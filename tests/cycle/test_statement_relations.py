"""What a later statement does to an earlier one is stored when they are folded, whichever comes second, and counts for those who see both."""

import itertools

import pytest

from memorybank.cycle.fold import logs, statement_rows
from memorybank.cycle.know import rules
from memorybank.cycle.know.search import NEWEST
from memorybank.cycle.know.stating import allowed_in

from .conftest import MINUTE, NOW, content

NEVER, AGAIN, ENDED = "Never commit directly to main.", "Never commit directly to main!", "You can commit directly to main from now on."


@pytest.fixture
def cycle(cache):
    """The cache, with a reader who sees what everybody may see."""
    cache.create_function("sees", 8, lambda *columns: False)
    return cache


def said_in_turn(session, *prompts, **fields):
    """Each prompt in another session, a minute later. Return the sessions."""
    sessions = []
    for number, text in enumerate(prompts):
        sessions.append(session(f"s{number}", at=NOW - (60 - number) * MINUTE))
        sessions[-1].prompt(text, **fields)
    return sessions


def relations(cache):
    asked = "SELECT o.text, n.text, relation FROM relations JOIN statements o ON o.id = older JOIN statements n ON n.id = newer ORDER BY o.at, n.at"
    return cache.execute(asked).fetchall()


def in_force(cache, own="now", now=NOW):
    return [rule.sayings[0] for rule in rules.find(cache, own, now) if not rule.is_permission]


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_relations_do_not_depend_on_the_order_of_folding(base, cycle, session, order):
    sessions = said_in_turn(session, NEVER, AGAIN, ENDED)
    for number in order:
        logs.fold(base, cycle, session=sessions[number].session, wait=True)
    assert relations(cycle) == [(NEVER, AGAIN, "repeats"), (NEVER, ENDED, "replaces"), (AGAIN, ENDED, "replaces")]
    assert in_force(cycle) == []


def test_what_the_reader_may_not_see_replaces_nothing(base, cycle, session):
    said_in_turn(session, NEVER)
    session("hidden", at=NOW - MINUTE).prompt(ENDED, acl="session", privacy="private")
    logs.fold(base, cycle, wait=True)
    assert [row[2] for row in relations(cycle)] == ["replaces"] and in_force(cycle) == [NEVER]
    cycle.create_function("sees", 8, lambda *columns: True)
    assert in_force(cycle) == []


def test_neither_the_own_session_nor_the_future_replaces_anything(base, cycle, session):
    said_in_turn(session, NEVER, ENDED)
    logs.fold(base, cycle, wait=True)
    assert in_force(cycle) == []
    assert len(in_force(cycle, own="s1")) == 1
    assert len(in_force(cycle, now=NOW - 60 * MINUTE)) == 1


def test_what_is_not_among_the_newest_statements_is_repeated_by_nothing(base, cycle, session):
    """What repeats a statement that is not read any more is a rule that was said once."""
    said_in_turn(session, NEVER)
    logs.fold(base, cycle, wait=True)
    row = dict(zip(("file", "session", "cell", "acl", "privacy", "hold"), (9, "many", "", "user", "public", 0), strict=True))
    for number in range(NEWEST):
        stated = {"kind": "constraint", "subject": f"area{number}", "text": f"Never touch area{number}."}
        statement_rows.write(cycle, {**row, "offset": number, "place": 0, "at": NOW - 30_000 + number, **stated})
    stated = {"kind": "constraint", "subject": "commit directli main", "text": AGAIN}
    statement_rows.write(cycle, {**row, "offset": NEWEST, "place": 0, "at": NOW - 20_000, **stated})
    assert (NEVER, AGAIN, "repeats") in relations(cycle) and len(in_force(cycle)) == NEWEST
    assert [rule.sessions for rule in rules.find(cycle, "now", NOW) if rule.sayings == [AGAIN]] == [1]


def test_a_command_that_is_learned_later_changes_what_a_statement_does(base, cycle, session):
    """The prompts share no subject. What ran after each shows that both are about the same command, when that is folded."""
    corrections = (("flake8 .", "No, run black instead.", "black ."), ("black .", "No, not black: ruff format it is.", "ruff format ."))
    for number, (usual, wish, wanted) in enumerate(corrections):
        work = session(f"s{number}", at=NOW - (60 - 20 * number) * MINUTE)
        work.prompt("Tidy the code please")
        work.run(usual)
        work.turn_end("Done.")
        work.prompt(wish)
        logs.fold(base, cycle, wait=True)
        before = content(cycle)["relations"]
        work.run(wanted)
        logs.fold(base, cycle, wait=True)
    assert before == [] and [row[2] for row in relations(cycle)] == ["replaces"]
    assert "black instead" not in " ".join(rule.sayings[0] for rule in rules.stated(cycle, "now", NOW))


def test_expectations_are_not_compared(base, cycle, session):
    said_in_turn(session, "Did you add a test for the tokenizer?", "Did you add a test for the tokenizer?")
    logs.fold(base, cycle, wait=True)
    assert content(cycle)["statements"] and not content(cycle)["statement_terms"] and not content(cycle)["relations"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_permission_is_compared_with_statements_of_other_subjects(cycle, order):
    """A rule of two sentences has the subject of the first."""
    said = (("releas branch", f"Releases have a branch. {NEVER}"), ("commit directli main", ENDED))
    for place in order:
        row = dict(zip(("file", "session", "cell", "acl", "privacy", "hold"), (place, f"s{place}", "", "user", "public", 0), strict=True))
        stated = {"kind": "constraint", "subject": said[place][0], "text": said[place][1]}
        statement_rows.write(cycle, {**row, "offset": 0, "place": 0, "at": NOW - MINUTE + place, **stated})
    assert [row[2] for row in relations(cycle)] == ["replaces"]


EMOJI, FORGET, BACK = "No emojis in commit messages.", "forget that emoji rule", "the emoji rule is back"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ((EMOJI, FORGET), []),
        ((EMOJI, FORGET, BACK), [EMOJI]),
        ((EMOJI, FORGET, BACK, FORGET), []),
        ((EMOJI, FORGET, EMOJI), [EMOJI]),
        ((FORGET, EMOJI), [EMOJI]),
        ((BACK,), []),
        ((EMOJI, "Never use emojis in the changelog.", FORGET), [EMOJI, "Never use emojis in the changelog."]),
        ((EMOJI, FORGET, "Never use emojis in the changelog.", FORGET), []),
        ((NEVER, ENDED, "I take that back, never commit directly to main again."), [NEVER]),
        (("台帳の列名は変更しないこと。", "さっきの台帳のルールはなしで"), []),
        (("台帳の列名は変更しないこと。", "さっきの台帳のルールはなしで", "台帳のルールは復活で"), ["台帳の列名は変更しないこと。"]),
    ],
)
def test_a_name_stands_for_the_only_rule_that_has_it(base, cycle, session, said, left):
    said_in_turn(session, *said)
    logs.fold(base, cycle, wait=True)
    assert sorted(in_force(cycle)) == sorted(left)


@pytest.mark.parametrize("order", [*itertools.permutations(range(3))])
def test_names_do_not_depend_on_the_order_of_folding(base, cycle, session, order):
    sessions = said_in_turn(session, EMOJI, FORGET, BACK)
    for number in order:
        logs.fold(base, cycle, session=sessions[number].session, wait=True)
    assert in_force(cycle) == [EMOJI]


def test_a_rule_that_was_named_is_withdrawn_before_the_prompt_is_folded(base, cycle, session):
    said_in_turn(session, EMOJI)
    logs.fold(base, cycle, wait=True)
    assert rules.find(cycle, "now", NOW, allowed_in([FORGET], "now", NOW)) == []
    assert rules.taken_back(cycle, NOW, allowed_in([FORGET], "now", NOW)) == [(EMOJI, NOW)]


@pytest.mark.parametrize(
    ("said", "wording"),
    [
        (("you need to run the build to make sure things work", "again you forgot to run the build"), "you need to run the build to make sure things work"),
        (
            ("you need to do npm run build to make sure things work.", "make sure you build to check things are fine."),
            "you need to do npm run build to make sure things work.",
        ),
        (("again you forgot to run the build", "you forgot to run the build"), "you forgot to run the build"),
        (("I told you not to touch the lockfile", "Never touch the lockfile."), "Never touch the lockfile."),
        (("why do you keep using any", "you keep using any"), "you keep using any"),
        (("テストも必ず一緒に書いて", "またテストを書いてない"), "テストも必ず一緒に書いて"),
        (("またnpm使ってる", "またnpm使ってる。"), "またnpm使ってる"),
    ],
)
def test_what_a_person_complains_about_again_is_a_rule_in_the_words_of_the_order(base, cycle, session, said, wording):
    said_in_turn(session, *said)
    logs.fold(base, cycle, wait=True)
    (rule,) = rules.find(cycle, "now", NOW)
    assert (rule.sayings, rule.sessions) == ([wording], 2)


@pytest.mark.parametrize("said", ["you forgot to run the build", "またnpm使ってる", "I told you not to touch the lockfile"])
def test_one_complaint_is_about_its_session(base, cycle, session, said):
    said_in_turn(session, said)
    logs.fold(base, cycle, wait=True)
    assert rules.find(cycle, "now", NOW) == [] and [rule.sayings for rule in rules.stated(cycle, "now", NOW)] == [[said]]


@pytest.mark.parametrize(
    "said",
    [
        ("Always run the tests with pnpm.", "again no tests"),
        ("The tests run on port 4000.", "no tests again"),
        ("Always run the tests with pnpm.", "you didn't run the tests again"),
        ("テストは必ずpnpmで実行すること。", "またテストを実行してない"),
    ],
)
def test_a_complaint_does_not_end_the_order_that_it_is_about(base, cycle, session, said):
    said_in_turn(session, *said)
    logs.fold(base, cycle, wait=True)
    assert "replaces" not in [row[2] for row in relations(cycle)]


def test_what_an_agent_never_does_repeats_a_prohibition(base, cycle, session):
    said_in_turn(session, "Never edit the generated files.", "You never edit the generated files.")
    logs.fold(base, cycle, wait=True)
    assert [row[2] for row in relations(cycle)] == ["repeats"]


@pytest.mark.parametrize("said", [("Never run the build.", "you forgot to run the build"), ("Use npm for the docs.", "またnpm使ってる")])
def test_a_complaint_does_not_repeat_the_opposite(base, cycle, session, said):
    said_in_turn(session, *said)
    logs.fold(base, cycle, wait=True)
    assert "repeats" not in [row[2] for row in relations(cycle)]

"""Before an agent does what the person does by hand, it reads the person's words on it; a start says who the person is."""

import pytest

from tests.cycle.recalling import Remembering, before, start


@pytest.fixture
def memory(bank, fixed_clock):
    return Remembering(bank({}), fixed_clock).index()


def said(memory, *prompts, session, days_ago=0, ran=""):
    work = memory.session(session, days_ago=days_ago)
    for prompt in prompts:
        work.prompt(prompt)
        if ran:
            work.run(ran)
        work.turn_end("Done.")
    memory.fold()


def at(memory, command, session="now"):
    injection = memory.ask(before("Bash", {"command": command}, session=session))
    return injection.text if injection is not None else ""


@pytest.mark.parametrize(("first", "second"), [("I committed it", "I've already committed the rest"), ("コミットしました", "残りもコミットは済みです")])
def test_what_a_person_did_in_two_sessions_is_said_before_the_call(memory, first, second):
    said(memory, first, session="one", days_ago=3)
    assert at(memory, "git commit -m x", "early") == ""
    said(memory, second, session="two", days_ago=2)
    assert second in at(memory, "git commit -m x")
    assert at(memory, "git commit -m y") == ""  # once in a conversation
    assert at(memory, "git status", "other") == ""


@pytest.mark.parametrize("words", ["I pushed it myself", "手動でプッシュしました"])
def test_words_for_oneself_suffice_once_until_the_agent_is_asked_or_does_it(memory, words):
    said(memory, words, session="one", days_ago=4)
    assert words in at(memory, "git push origin main", "early")
    said(memory, "fix the typo", session="two", days_ago=3, ran="git push origin main")
    assert at(memory, "git push origin main") == ""


@pytest.mark.parametrize(
    ("words", "order"),
    [
        ("I deployed it by hand", "deploy it, please"),
        ("手動でデプロイしました", "デプロイしてください"),
        ("I deployed it by hand", "from now on you can deploy"),
        ("手動でデプロイしました", "今後はデプロイしていいです"),
    ],
)
def test_an_order_silences_it(memory, words, order):
    said(memory, words, session="one", days_ago=4)
    said(memory, order, session="two", days_ago=3)
    assert at(memory, "npm run deploy") == ""


@pytest.mark.parametrize(("words", "later"), [("I'm new to Elixir", "I'm not new to Elixir any more"), ("Elixirは初めてです", "Elixirにはもう慣れました")])
def test_a_start_says_who_the_person_is_by_now(memory, words, later):
    said(memory, words, session="one", days_ago=4)
    said(memory, later, session="two", days_ago=3)
    known = memory.ask(start()).text.partition("## Known here")[2]
    assert later in known and f'"{words[:10]}' not in known

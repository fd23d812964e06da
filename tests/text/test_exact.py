"""The exact command behind a form: shown as it ran if it was the same each time, else what the commands have in common."""

import itertools

import pytest

from memorybank.text.commands import exact, forms


def shown(*commands):
    """What is shown of commands whose last parts have one form."""
    parts = [forms.parts(command)[-1] for command in commands]
    (form,) = {form for form, _ in parts}
    return exact.shown(exact.common(exact.of_words(words) for _, words in parts), form)


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        (["docker compose up -d testdb"] * 3, "docker compose up -d testdb"),
        (["docker compose up -d testdb", "docker compose up -d cache"], "docker compose up -d …"),
        (["docker compose up -d testdb", "docker compose up"], "docker compose up"),
        (["make test", "make test"], "make test"),
        (["pytest tests/test_a.py", "pytest -x"], "pytest"),
        (["cd app && npm run build -- --mode ci 2>&1 | tail -3"], "npm run build -- --mode ci"),
        (["psql -c 'drop table orders' shop"], "psql -c 'drop table orders' shop"),
        (['npm run seed -- --name "it\'s"'], 'npm run seed -- --name "it\'s"'),
        (["npm run seed -- $FIXTURE last"], "npm run seed -- …"),
        (["npm run seed -- --to /Users/ann/db", "npm run seed -- --to /Users/ann/db"], "npm run seed -- --to …"),
        (["npm run seed -- --key=[REDACTED:github:0a1b2c3d]"], "npm run seed -- …"),
        (["npm run seed -- " + "very-long-argument " * 9], "npm run seed"),
        (["npm run seed -- --label 'テスト用'"], "npm run seed -- --label 'テスト用'"),
    ],
)
def test_what_is_shown_of_several_commands(commands, expected):
    assert shown(*commands) == expected


def test_the_order_in_which_commands_are_compared_does_not_matter():
    commands = [exact.of_words(words.split()) for words in ("up -d a b", "up -d a c", "up -d a", "up -d ab", "up --build")]
    every = set()
    for order in itertools.permutations(commands):
        folded = order[0]
        for command in order[1:]:
            folded = exact.common((folded, command))
        every |= {folded, exact.common(order)}
    assert every == {"up\n…"}


@pytest.mark.parametrize(
    ("commands", "expected"),
    [
        (["cd web && make deps"], "cd web && make deps"),
        (["cd web && npm run build -- --mode test", "cd web && npm run build -- --mode live"], "cd web && npm run build -- --mode …"),
        (["cd web && make deps", "make deps"], "make deps"),
        (["cd . && make deps"], "make deps"),
        (["cd ../web && make deps"], "make deps"),
        (["cd /srv/web && make deps"], "make deps"),
    ],
)
def test_a_command_keeps_the_folder_of_the_repository_in_which_it_ran_each_time(commands, expected):
    (form,) = exact.by_form(commands[0])
    assert exact.shown(exact.common(exact.by_form(command)[form] for command in commands), form) == expected

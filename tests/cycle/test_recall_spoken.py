"""What a person said about commands comes back at the command (user signals): by the names of programs, whatever else the words are."""

import pytest

from memorybank.cycle.fold.spoken import asked_in, named_by, named_in
from memorybank.text.anchors import PROGRAMS
from tests.cycle.recalling import Remembering, before, failure, prompt

CASES = [
    ("Always run make clean before make wheel.", "make wheel", "make clean"),
    ("use uv instead of pip", "pip install requests", "uv"),
    ("use uv instead of pip", "python3 -m pip install -r requirements.txt", "uv"),
    ("pip ではなく uv を使って", "pip install requests", "uv"),
    ("テストは必ず make test で実行して", "cd app && make test 2>&1 | tail -5", "make test"),
    ("いつも「npm run lint」を先に実行してください。", "npm run lint", "npm run lint"),
    ("Never use `git push --force`.", "git push origin main", "force"),
    ("Always run manage.py migrate with --plan first.", "python manage.py migrate", "--plan"),
]


@pytest.fixture
def told(bank, fixed_clock):
    """told(sentence) → a bank where a person said it in an earlier session, among other work."""

    def make(*sentences, days_ago=40.0):
        remembering = Remembering(bank(), fixed_clock)
        earlier = remembering.session("earlier", days_ago=days_ago)
        for sentence in sentences:
            earlier.prompt(sentence, lessons=[sentence], signal=1)
        for number in range(40):
            earlier.run(f"python manage.py check --step {number}", fingerprint=f"python manage.py check --step # {number}", output="ok")
            earlier.run("make docs", output="ok")
        earlier.end()
        return remembering.fold()

    return make


@pytest.mark.parametrize(("sentence", "command", "part"), CASES)
def test_a_preference_comes_back_at_its_command_however_old(told, sentence, command, part):
    found = told(sentence).ask(before("Bash", {"command": command}))
    assert found is not None
    assert part in found.text
    assert len(found.sources) == 1
    assert found.sources[0].startswith("lesson:")


@pytest.mark.parametrize(("sentence", "command", "part"), CASES)
def test_it_is_said_once_a_context(told, sentence, command, part):
    remembering = told(sentence)
    assert remembering.ask(before("Bash", {"command": command})) is not None
    for _ in range(3):
        assert remembering.ask(before("Bash", {"command": command})) is None


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("Always run make clean before make wheel.", "make docs"),
        ("Always make sure that the docs are built.", "make docs"),
        ("Never use `git push --force`.", "git status"),
        ("use uv instead of pip", "pytest -q tests"),
        ("pip ではなく uv を使って", "make docs"),
        ("Never go on without asking.", "go test ./..."),
        ("テストは必ず make test で実行して", "make docs"),
    ],
)
def test_it_stays_away_from_other_commands(told, sentence, command):
    assert told(sentence).ask(before("Bash", {"command": command})) is None


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("use uv instead of pip", "please install requests with pip"),
        ("pip ではなく uv を使って", "pip で requests を入れて"),
        ("Always deploy the warehouse importer from the gateway machine.", "how is the importer of the warehouse deployed?"),
        ("倉庫連携は必ず検証環境で試して", "倉庫連携を動かして"),
    ],
)
def test_it_comes_back_at_a_prompt(told, sentence, text):
    assert sentence.rstrip("。.") in told(sentence).ask(prompt(text)).text


def test_it_comes_back_when_the_command_fails(told):
    found = told("use uv instead of pip").ask(failure("Bash", {"command": "pip install requests"}, "ERROR: externally-managed-environment"), "failure")
    assert "uv instead of pip" in found.text


def test_calls_that_only_went_well_are_not_told_before_a_call(told):
    """`python manage.py check` went well forty times: neither it nor its program's name is worth a word before `manage.py migrate`."""
    remembering = told("Always run manage.py migrate with --plan first.")
    shown = remembering.ask(before("Bash", {"command": "python manage.py migrate"}))
    assert [source.partition(":")[0] for source in shown.sources] == ["lesson"]
    assert remembering.ask(before("Bash", {"command": "python manage.py makemigrations"}, session="other")) is None


def test_the_names_are_no_use_of_a_memory(told):
    """Anchors of what was said stand in no line of the log: an exposure awaits none of them."""
    remembering = told("use uv instead of pip")
    remembering.ask(before("Bash", {"command": "pip install requests"}))
    (line,) = remembering.lines("now")
    assert line["exposures"][0]["why"][0] == "say:pip"
    assert line["exposures"][0]["anchors"] == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("use uv instead of pip", {"say:uv", "say:pip"}),
        ("pip ではなく uv を使って", {"say:uv", "say:pip"}),
        ("Run `git push` only on Fridays", {"say:git push"}),
        ("use git instead of svn", {"say:git", "say:svn"}),
        ("テストは必ず make test で", {"say:make test"}),
    ],
)
def test_what_a_sentence_names(sentence, expected):
    assert expected <= set(named_in(sentence))
    assert not {"say:make", "say:of", "say:test"} & set(named_in(sentence))


def test_a_program_of_many_commands_is_not_named_by_one_of_them():
    assert "say:git" not in named_in("Never use git push without asking.")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("make wheel", ["say:make wheel"]),
        ("cd app && uv run pytest -q", ["say:uv run", "say:run pytest", "say:uv", "say:pytest"]),
        ("PYTHONPATH=. python3 manage.py migrate | tail -3", ["say:python manage.py", "say:manage.py migrate", "say:python"]),
        ("echo $(", []),
        ("", []),
    ],
)
def test_what_a_command_asks_for(command, expected):
    assert named_by(command) == expected


def test_what_a_prompt_asks_for():
    assert asked_in("pip と npm を使って make it work", PROGRAMS) == ["say:pip", "say:npm"]

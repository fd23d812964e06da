"""Which commands and folders a sentence names, in English and Japanese."""

import pytest

from memorybank.text.commands import forms


@pytest.mark.parametrize(
    ("sentence", "command", "names"),
    [
        ("flake8 is not configured here.", "flake8 app", {"flake8"}),
        ("Production logs only through bin/logs.", "bin/logs --masked --since 1h", {"bin/logs"}),
        ("型検査は常に mypy --strict でお願いします。", "mypy --strict app", {"mypy", "--strict"}),
        ("make clean を先に実行してください。", "make clean && make wheel", {"make clean"}),
        ("Make the button clean.", "make clean", set()),
        ("now run mise run lint", "mise run lint", {"mise", "mise run", "mise run lint"}),
        ("Take the black one.", "ruff format app", set()),
    ],
)
def test_the_words_by_which_a_sentence_names_a_command(sentence, command, names):
    assert {name for _, found in forms.parts_named_in(sentence, command) for name in found} == names


@pytest.mark.parametrize(
    ("form", "purpose"),
    [
        ("flake8 app", "flake8"),
        ("pip install httpx", "pip install"),
        ("docker compose up", "docker compose up"),
        ("mise run test", "mise run test"),
        ("git", "git"),
    ],
)
def test_the_purpose_of_a_command_is_independent_of_what_it_is_applied_to(form, purpose):
    assert forms.purpose(form) == purpose

"""How a command starts its programs, and which of them the shell did not find."""

import pytest

from memorybank.text.commands.launching import BY_NAME, launches, missing


@pytest.mark.parametrize(
    ("command", "started"),
    [
        ("kotare build --all", {"kotare": BY_NAME}),
        ("cd app && kotare build | jq .", {"kotare": BY_NAME, "jq": BY_NAME}),
        (". tools/env.sh; kotare build", {"kotare": ". tools/env.sh && kotare"}),
        ('export PATH="$HOME/.kotare/bin:$PATH" && cd 港 && kotare build', {"kotare": 'export PATH="$HOME/.kotare/bin:$PATH" && kotare'}),
        ("KOTARE_PATH=lib kotare build", {"kotare": "KOTARE_PATH=lib kotare"}),
        ("node_modules/.bin/kotare build", {"kotare": "node_modules/.bin/kotare"}),
        ("/home/mio/.kotare/bin/kotare build", {"kotare": "~/.kotare/bin/kotare"}),
        ("$HOME/.kotare/bin/kotare build", {"kotare": "$HOME/.kotare/bin/kotare"}),
        ("timeout 60 uv run kotare build", {"uv": BY_NAME, "kotare": "uv run kotare"}),
        ("source 環境/bin/activate && kotare build", {"kotare": "source 環境/bin/activate && kotare"}),
        ("python3 tides.py", {"python": "python3"}),
        ("python -m kotare", {"python -m kotare": BY_NAME, "kotare": "python -m kotare"}),
        ("pip3 install --user kotare", {"pip install": BY_NAME}),
        ("python3 -m pip install kotare", {"pip install": BY_NAME}),
        (".venv/bin/python -m pip install kotare", {"pip install": ".venv/bin/python -m pip install"}),
        ("source venv/bin/activate && which kotare", {"kotare": "source venv/bin/activate && kotare"}),
        ("nvm use 22 && npm test", {"nvm": BY_NAME, "npm": "nvm use 22 && npm"}),
    ],
)
def test_a_command_starts_its_programs_by_name_or_in_another_way(command, started):
    assert launches(command) == started


@pytest.mark.parametrize(
    "command",
    [
        "kotare --version || brew install kotare",
        "scripts/kotare.sh",
        'git commit -m "source venv/bin/activate && kotare"',
        "export TOKEN=REDACTED && echo kotare",
    ],
)
def test_what_shows_no_way_starts_nothing_in_another_one(command):
    assert set(launches(command).values()) <= {BY_NAME} and "kotare" not in launches(command)


@pytest.mark.parametrize("start", ["source [REDACTED:token]/bin/activate && kotare x", "export PATH=" + "a" * 180 + " && kotare x", "`pwd`/bin/kotare x"])
def test_a_secret_and_what_only_that_shell_knows_are_not_told(start):
    assert launches(start).get("kotare", BY_NAME) == BY_NAME


@pytest.mark.parametrize(
    ("command", "output", "found"),
    [
        ("kotare build", "(eval):1: command not found: kotare", {"kotare"}),
        ("cat a.json | kotare .", "/bin/bash: line 1: kotare: command not found", {"kotare"}),
        ("kotare build", "bash: kotare: コマンドが見つかりません", {"kotare"}),
        ("kotare --version || echo none", "zsh: command not found: kotare\nnone", {"kotare"}),
        ("which kotare", "", {"kotare"}),
        ("which kotare && kotare x", "kotare not found", {"kotare"}),
        ("python3 -m kotare", "/usr/bin/python3: No module named kotare", {"python -m kotare"}),
        ("pip3 install kotare", "error: externally-managed-environment", {"pip install"}),
        ("cat notes.txt", "zsh: command not found: kotare", set()),
        ("kotare build", "tide.toml: file not found", set()),
        ("uv run kotare", "sh: kotare: command not found", {"kotare"}),
    ],
)
def test_the_output_of_a_command_says_which_of_its_programs_were_not_found(command, output, found):
    assert missing(command, output) == found

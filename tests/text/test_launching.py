"""How a command starts its programs, and which of them the shell did not find."""

import pytest

from memorybank.text.commands.launching import BY_NAME, gone, hides_errors, launches, missing

UNTOLD = (
    "V=.venv; $V/bin/kotare x",
    "E=/opt/e; source $E/bin/activate && kotare x",
    "$(npm bin)/kotare x",
    '"$HOME"/.kotare/bin/kotare x',
    'eval "$(op signin --raw hunter2)" && kotare x',
    "source tools/env.sh 本番 && kotare x",
    "if [ -f e/b ]; then source e/b; fi; kotare x",
    "/tmp/潮/kotare x",
    "/mnt/c/Users/mio/bin/kotare x",
    "sudo kotare x",
    "source [REDACTED:token]/bin/activate && kotare x",
    "export PATH=" + "a" * 180 + " && kotare x",
    "`pwd`/bin/kotare x",
)


@pytest.mark.parametrize(
    ("command", "started"),
    [
        ("kotare build --all", {"kotare": BY_NAME}),
        ("cd app && kotare build | jq .", {"kotare": BY_NAME, "jq": BY_NAME}),
        (". tools/env.sh; kotare build", {"kotare": ". tools/env.sh && kotare"}),
        ('export PATH="$HOME/.kotare/bin:$PATH" && cd 港 && kotare build', {"kotare": 'export PATH="$HOME/.kotare/bin:$PATH" && kotare'}),
        ("PYTHONPATH=lib kotare build", {"kotare": "PYTHONPATH=lib kotare"}),
        ("node_modules/.bin/kotare build", {"kotare": "node_modules/.bin/kotare"}),
        ("/home/mio/.kotare/bin/kotare build", {"kotare": "~/.kotare/bin/kotare"}),
        ("$HOME/.kotare/bin/kotare build", {"kotare": "$HOME/.kotare/bin/kotare"}),
        ("timeout 60 uv run kotare build", {"uv": BY_NAME, "kotare": "uv run kotare"}),
        ("source 環境/bin/activate && kotare build", {"kotare": "source 環境/bin/activate && kotare"}),
        ("python3 tides.py", {"python": "python3"}),
        ("python -m kotare", {"python": BY_NAME, "python -m kotare": BY_NAME, "kotare": "python -m kotare"}),
        ("pip3 install --user kotare", {"pip": "pip3", "pip install": BY_NAME}),
        ("python3 -m pip install kotare", {"python": "python3", "pip install": BY_NAME}),
        (".venv/bin/python -m pip install kotare", {"python": ".venv/bin/python", "pip install": ".venv/bin/python -m pip install"}),
        ("source venv/bin/activate && which kotare", {"kotare": "source venv/bin/activate && kotare"}),
        ("nvm use 22 && npm test", {"nvm": BY_NAME, "npm": "nvm use 22 && npm"}),
        ("cd 潮 && source venv/bin/activate && kotare x", {"kotare": "cd 潮 && source venv/bin/activate && kotare"}),
        ("cd . && source venv/bin/activate && cd app && kotare x", {"kotare": "source venv/bin/activate && kotare"}),
        ('cd 潮 && PATH="$PWD/bin:$PATH" kotare x', {"kotare": 'cd 潮 && PATH="$PWD/bin:$PATH" kotare'}),
        ("pushd app && export PATH=bin:$PATH && kotare x", {"kotare": "cd app && export PATH=bin:$PATH && kotare"}),
        ("cd app && nvm use && npm test", {"nvm": BY_NAME, "npm": "cd app && nvm use && npm"}),
        ("cd app && npx kotare x", {"npx": BY_NAME, "kotare": "cd app && npx kotare"}),
        ('export PATH="/home/mio/.kotare/bin:$PATH" && kotare x', {"kotare": 'export PATH="$HOME/.kotare/bin:$PATH" && kotare'}),
        ("/c/Users/mio/kotare/bin/kotare x", {"kotare": "~/kotare/bin/kotare"}),
        ('eval "$(direnv export bash)" && kotare x', {"eval": BY_NAME, "kotare": 'eval "$(direnv export bash)" && kotare'}),
        ("source $(tides env --path)/bin/activate && kotare", {"kotare": "source $(tides env --path)/bin/activate && kotare"}),
        ("PYTHONPATH=lib kotare x && jq .", {"kotare": "PYTHONPATH=lib kotare", "jq": BY_NAME}),
        ("kotare x; source e/bin/activate && echo kotare", {"kotare": BY_NAME, "echo": "source e/bin/activate && echo"}),
        ("cat > 実行.sh <<'END'\nsource venv/bin/activate\nkotare\nEND\nkotare x", {"cat": BY_NAME, "kotare": BY_NAME}),
        ('ssh tide "cd x && source v/bin/activate && y" && kotare x', {"ssh": BY_NAME, "kotare": BY_NAME}),
        ("export API_HOME=s3cr3t && kotare x", {"kotare": BY_NAME}),
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


@pytest.mark.parametrize(
    "start", [*UNTOLD, "source [REDACTED:token]/bin/activate && kotare x", "export PATH=" + "a" * 180 + " && kotare x", "`pwd`/bin/kotare x"]
)
def test_a_secret_and_what_only_that_shell_knows_are_not_told(start):
    assert "kotare" not in launches(start)


@pytest.mark.parametrize(
    ("command", "output", "found"),
    [
        ("kotare build", "Error: (eval):1: command not found: kotare", {"kotare"}),
        ("pip install kotare", "bash: pip: command not found", {"pip"}),
        ("python -m kotare", "zsh: command not found: python", {"python"}),
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
        ("kotare build", "記録.md:3: zsh: command not found: kotare", set()),
        ("kotare log", "ab12 Fix: kotare: command not found", set()),
        ("kotare build", "bash: 行 1: kotare: コマンドが見つかりません", {"kotare"}),
        ("sudo kotare build", "sudo: kotare: command not found", set()),
        ("python -m kotare", "No module named 'kotare.tides'", set()),
    ],
)
def test_the_output_of_a_command_says_which_of_its_programs_were_not_found(command, output, found):
    assert set(missing(command, output)) == found


def test_a_text_that_a_command_shows_may_quote_an_error():
    for shown in ("cat notes.txt && kotare x", "grep -n found 記録.md; kotare x"):
        assert not missing(shown, "bash: kotare: command not found\n3 built", failed=False)
    assert missing("kotare x | tail -3", "bash: kotare: command not found", failed=False) == {"kotare": BY_NAME}


@pytest.mark.parametrize(
    ("command", "output", "is_gone"),
    [
        ("source e/bin/activate && kotare x", "bash: e/bin/activate: No such file or directory", True),
        ("source 環境/bin/activate && kotare x", "bash: 環境/bin/activate: そのようなファイルやディレクトリはありません", True),
        ("$HOME/.kotare/bin/kotare x", "zsh: no such file or directory: ~/.kotare/bin/kotare", True),
        ("source e/bin/activate && kotare x", "kotare: tides.toml: No such file or directory", False),
        ("kotare x", "bash: kotare: No such file or directory", False),
    ],
)
def test_an_output_says_that_a_way_is_gone(command, output, is_gone):
    assert bool(gone(launches(command), output)) == is_gone


@pytest.mark.parametrize(
    ("command", "hides"),
    [
        ("kotare x 2>/dev/null", True),
        ("kotare x > 記録.txt 2>&1", True),
        ("kotare x &> log.txt", True),
        ("kotare serve &", True),
        ("kotare x 2>&1 | tail -3 && jq .", False),
        ("kotare x > out.txt", False),
        ("curl 'localhost/?a=1&b=2'", False),
    ],
)
def test_a_command_hides_what_its_shell_says(command, hides):
    assert hides_errors(command) == hides

"""The packages that a command installs or removes."""

import pytest

from memorybank.text.commands.packages import brought, removed


@pytest.mark.parametrize(
    "command",
    [
        "python -m pip install zod",
        "npm --prefix web install zod",
        "pnpm --filter web add zod@3",
        "yarn workspace web add zod",
        "sudo npm install -g zod",
        "poetry add -G dev zod",
        "npm i -D zod",
        "dotnet add package zod",
    ],
)
def test_what_a_command_installs(command):
    assert brought(command) == ["zod"]


def test_the_value_of_an_option_is_no_package():
    assert removed("npm rm -w web left-pad") == ["left-pad"]
    assert brought("npm install --prefix web") == []

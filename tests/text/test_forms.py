"""Forms of commands: what calls with the same purpose have in common."""

import pytest

from memorybank.text.commands import forms


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cd app && rtk bun run test 2>&1 | tail", ["rtk bun run test"]),
        ("mise run lint && mise run test:ci -- -v", ["mise run lint", "mise run test:ci"]),
        ("./gradlew assembleDebug", ["./gradlew assembleDebug"]),
        ("gradle :app:lintRelease --info", ["gradle :app:lintRelease"]),
        ("make CC=gcc all", ["make"]),
        ("python Build.py", ["python"]),
        ("git -C ../other status", ["git -C"]),
        ("rm -rf tmp/clones/agents-DtKspd", ["rm -rf tmp/clones"]),
        ("cat notes.md", []),
        ("pnpm -r publish --dry-run", ["pnpm publish"]),
        ("terraform -chdir=infra force-unlock 12", ["terraform force-unlock"]),
        ("kubectl -n shop delete pod web-1", ["kubectl delete pod web-1"]),
        ("docker --context prod ps", ["docker ps"]),
        ("mytool -o out build", ["mytool"]),
    ],
)
def test_the_form_of_a_command_has_its_program_and_what_it_is_told_to_do(command, expected):
    assert forms.of_command(command) == expected

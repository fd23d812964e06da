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
        ("python Build.py", ["python Build.py"]),
        ("bash scripts/lint.sh src/", ["bash scripts/lint.sh"]),
        ("bash -eu scripts/lint.sh", ["bash scripts/lint.sh"]),
        ("python manage.py migrate --fake", ["python manage.py migrate"]),
        ("python -u tools/gen.py", ["python tools/gen.py"]),
        ("uv run python tools/gen.py", ["uv run python tools/gen.py"]),
        ("npx tsx scripts/seed.ts", ["npx tsx scripts/seed.ts"]),
        ("bun run scripts/seed.ts", ["bun scripts/seed.ts"]),
        ("sh ツール/集計.sh", ["sh ツール/集計.sh"]),
        ("bash /tmp/a.sh", ["bash"]),
        ("bash ../other/a.sh", ["bash"]),
        ("bash -c true", ["bash"]),
        ("bash $script", ["bash"]),
        ("node -e 'a.b()'", ["node"]),
        ("python -m unittest tests/a.py", ["python -m unittest"]),
        ("node --test tests/a.js", ["node"]),
        ("perl -pe s/a/b/ x.txt", ["perl"]),
        ("bun run build", ["bun run build"]),
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


@pytest.mark.parametrize(
    ("sentence", "wanted", "unwanted"),
    [
        ("just run it with `quay`, not `bun run`.", "quay list --json", "bun run src/index.ts list"),
        ("use `pnpm` instead of `npm`", "pnpm install", "npm install"),
        ("don't use `npm`, use `pnpm`", "pnpm add chart", "npm add chart"),
        ("`npm` ではなく `pnpm` を使って", "pnpm add chart", "npm i chart"),
        ("`pnpm` を使って、`npm` は使わないで", "pnpm add chart", "npm i chart"),
    ],
)
def test_a_call_that_runs_what_is_wanted_follows_the_contrast(sentence, wanted, unwanted):
    assert forms.is_done_by(sentence, forms.of_command(wanted))
    assert not forms.is_done_by(sentence, forms.of_command(unwanted))

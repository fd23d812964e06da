"""Whether a command that worked is a failed one in another form."""

import pytest

from memorybank.text.commands.corrected import corrects

FORMS = [
    ("docker compose exec -T db psql -U shop -c 'select 1'", "docker compose exec db psql -U shop -c 'select zone from berths'"),
    ("cd batch && mise exec -- go test ./...", "cd batch && go vet ./... && go test ./internal/fee/..."),
    ("psql postgres://shop@localhost:5433/shop -c '\\d invoices'", "psql -h localhost -U shop shop -c '\\d invoices'"),
    ("TOKEN=$(pass show staging) scripts/pull.sh staging", "scripts/pull.sh prod"),
    ("LEFTHOOK_EXCLUDE=biome git commit -m 'fix: 端数'", "git commit -m 'fix: 料金の端数を直す'"),
    ("pnpm --filter @shop/web add zod", "pnpm add zod"),
    ("git push -u origin HEAD", "git push"),
    ("uv run --extra dev pytest tests/a.py", "pytest tests/a.py"),
    ("pytest tests/b.py -x", "pytest tests/a.py"),
    ("E2E_PORT=3110 pnpm e2e", "pnpm e2e"),
    ("kubectl --context stg -n edge get pods", "kubectl --context stg -n shop get pods"),
    ("python3 集計.py --month 6", "python3 集計.py"),
]
OTHERS = [
    ("git commit -m 'two'", "git commit -m 'one'", "only the message differs"),
    ("pytest tests/b.py", "pytest tests/a.py", "another test"),
    ("pytest tests/a.py | tail -3", "pytest tests/a.py -q", "only what is shown differs"),
    ("bun run codegen", "bun run build", "another script"),
    ("make typecheck", "uv run mypy app", "another program"),
    ("cat report.py", "python report.py", "a viewer"),
    ("rm -rf node_modules && npm ci", "npm ci", "something else ran first"),
    ("git commit --no-verify -m one", "git commit -m one", "a check was bypassed"),
    ("HUSKY=0 git commit -m one", "git commit -m one", "a check was bypassed"),
    ("git push --force", "git push", "a refusal was bypassed"),
    ("sudo make install", "make install", "more rights"),
    ("npm install --legacy-peer-deps", "npm install", "a conflict was ignored"),
    ("ls", "", "nothing failed"),
    ("AWS_PROFILE=stg terraform plan", "AWS_PROFILE=stg terraform plan", "the variable was there already"),
]


@pytest.mark.parametrize(("worked", "failed"), FORMS)
def test_an_option_a_variable_or_a_program_in_front_is_another_form(worked, failed):
    assert corrects(worked, failed)
    assert not corrects(failed, failed)


@pytest.mark.parametrize(("worked", "failed", "why"), OTHERS)
def test_another_command_corrects_nothing(worked, failed, why):
    assert not corrects(worked, failed), why

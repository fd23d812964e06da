"""Fingerprints: the same intent yields the same text, different intents do not. The commands are invented, in the style of agents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.commands.error_excerpt import error_signature
from memorybank.text.commands.fingerprint import action, command, command_files, command_parts, family, is_read_only, written_files

ROOT = "/srv/shop"


def mark(text, folder=""):
    return command(text, ROOT, folder)


EQUAL = [
    [
        "npm test",
        "npm test 2>&1",
        "npm test 2>&1 | tail -20",
        "cd /srv/shop && npm test",
        "CI=1 npm test | grep -v warn | head -50",
        "time npm test",
        "npm --prefix . test",
    ],
    [
        "pytest tests/test_cart.py",
        "python -m pytest tests/test_cart.py",
        "python3.12 -m pytest -q tests/test_cart.py",
        "uv run pytest tests/test_cart.py -v",
        ".venv/bin/pytest tests/test_cart.py",
        "/srv/shop/.venv/bin/python -m pytest /srv/shop/tests/test_cart.py",
        "timeout 60 pytest ./tests/test_cart.py",
        "cd tests && pytest test_cart.py",
        "poetry run pytest tests/test_cart.py 2>&1 | tail -5",
        "bash -lc 'pytest tests/test_cart.py'",
        "PYTHONPATH=. pytest tests/test_cart.py",
    ],
    [
        "git push",
        "git push 2>&1",
        "git -C /srv/shop push",
        "git add a.py && git commit -m 'x' && git push",
    ],
    [
        "git commit -m 'add cart'",
        "git commit -m \"$(cat <<'EOF'\nfix: it's done (yes)\n\nEOF\n)\"",
        "git add -A && git commit -m 'other' && git status",
    ],
    [
        "git log --oneline -20",
        "git log --oneline -3",
        "git --no-pager log --oneline -5",
    ],
    [
        "task42 show shop-12",
        "task42 show shop-7",
        "task42 show shop-1 2>/dev/null",
    ],
    [
        "task42 close a b c",
        "task42 close d",
    ],
    [
        "task42 update x --status=open",
        "task42 update y --status done",
    ],
    [
        "npx vitest run",
        "vitest run",
        "pnpm exec vitest run --silent",
    ],
    [
        "mix test test/cart_test.exs",
        "mix test test/cart_test.exs:42",
    ],
    [
        "make -j8 build",
        "make -j4 build",
    ],
    [
        "sed -i 's/a/b/' src/a.py",
        "sed -i 's/c/d/g' src/a.py",
    ],
    [
        "cat > src/new.py <<'EOF'\nimport os\nEOF",
        "echo 'x' > src/new.py",
        "printf '%s' x > /srv/shop/src/new.py",
    ],
    [
        "node assets/build.js",
        "cd /srv/shop/assets && node build.js",
        "(cd assets; node ./build.js)",
    ],
    [
        "./scripts/deploy --dry-run",
        "bash scripts/deploy --dry-run",
        "sh ./scripts/deploy --dry-run",
    ],
    [
        "psql -c 'select 1' shop",
        "psql -c 'delete from x' shop",
    ],
    [
        "docker compose up -d",
        "docker-compose up -d",
        "docker compose -f docker-compose.yml up -d",
    ],
    [
        "alembic upgrade 3f2a9c1b7e",
        "alembic upgrade 77aa0bc12d",
    ],
    [
        "cp db/2026010112000000_a.sql backup",
        "cp db/2026020212000000_a.sql backup",
    ],
    [
        "grep -rn cart src | head -5",
        "grep -rn 'other thing' src/ | wc -l",
    ],
]
DIFFERENT = """
npm test
npm run build
npm install
npm run lint
pytest tests/test_a.py
pytest tests/test_b.py
pytest
pytest --lf
git push
git pull
git push --force
git stash
git stash pop
docker compose up
docker compose down
docker build .
mix test
mix ecto.migrate
mix compile
mix compile --warnings-as-errors
make
make test
make lint test
rm src/a.py
rm -rf src
cargo build
cargo test
kubectl get pods
kubectl delete pod x
python manage.py migrate
python manage.py
ls src
cat src/a.py
mypy src
ruff check src
ruff format src
gh pr list
gh pr view 3
""".strip().splitlines()


@pytest.mark.parametrize("commands", EQUAL, ids=lambda commands: commands[0])
def test_equal_intents_are_equal(commands):
    assert {text: mark(text) for text in commands} == dict.fromkeys(commands, mark(commands[0]))


def test_different_intents_are_different():
    marks = {text: mark(text) for text in DIFFERENT}
    assert len(set(marks.values())) == len(DIFFERENT), sorted(marks.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cd app && timeout 60 npx vitest run src/a.test.ts --reporter=json 2>&1 | tail -5", "vitest run --reporter app/src/a.test.ts _"),
        ("git commit --no-verify -m x", "git commit --no-verify -m _"),
        ("npm install --save-dev happy-dom", "npm install --save-dev _"),
        ("npm install highlight.js", "npm install _"),
        ("npm test src/a.test.ts", "npm test src/a.test.ts"),
        ("mise run test:ci -- -v", "mise run test:ci"),
        ("turbo run build --filter=web", "turbo run build --filter _"),
        ("composer run-script lint", "composer run-script lint"),
        ("./gradlew :app:lintRelease assembleDebug", "gradlew :app:lintRelease assembleDebug"),
        ("gradle test --tests Foo", "gradle test --tests _"),
        ("pip install -r requirements.txt", "pip install -r requirements.txt"),
        ("git checkout -b feature/cart", "git checkout -b _"),
        ("git add src/a.py src/b.py", "git add src/a.py src/b.py"),
        ("kill -9 48213", "kill #"),
        ("git show 3f2a9c1b", "git show #"),
        ("curl -s https://example.org/x.json", "curl -s _"),
        ("rm /etc/hosts ~/x", "rm ~/x _"),
        ("find src -name '*.py' | head", "find -name src _"),
        ("grep -n cart src/a.py || echo none", "grep -n src/a.py _"),
        ("echo '---'; cat src/a.py; echo '==='", "cat src/a.py"),
        ("for f in a b; do python check.py $f; done", "python check.py _"),
        ("if true; then make; fi", "make"),
        ("sudo -u app systemctl restart web", "systemctl restart _"),
        ("python -c 'print(1)'", "python -c _"),
        ("python3 - <<'EOF'\nprint(1)\nEOF", "python _"),
        ("export A=1", ""),
        ("cd src", ""),
        ("", ""),
        ("テスト実行 --全部", "テスト実行 --全部"),
        ("pytest -k 'cart and not slow' tests", "pytest -k tests _"),
        ("pytest tests/test_a.py::test_b", "pytest tests/test_a.py"),
        ("xargs -n 1 rm < list.txt", "rm"),
        ("$EDITOR src/a.py", "_ src/a.py"),
    ],
)
def test_forms(text, expected):
    assert mark(text) == expected


def test_each_part_has_one():
    assert command_parts("cd a && make build && ./run --fast | tee log; git status", ROOT) == ["make build", "a/run --fast", "git status"]
    assert command_parts("grep x src/a.py | head", ROOT) == ["grep src/a.py _"]
    assert command_parts("cd a", ROOT) == []


def test_files_of_a_command():
    assert command_files("cd src && python a.py ../tests/t.py && cat *.md > /srv/shop/out.txt", ROOT) == ["src/a.py", "tests/t.py", "out.txt"]
    assert command_files("rm /etc/hosts", ROOT) == []


@pytest.mark.parametrize(
    ("tool", "inputs", "expected"),
    [
        ("Bash", {"command": "npm test 2>&1 | tail"}, "npm test"),
        ("Edit", {"file_path": "/srv/shop/src/a.py", "old_string": "x"}, "edit src/a.py"),
        ("Write", {"file_path": "src/a.py"}, "write src/a.py"),
        ("NotebookEdit", {"file_path": "/srv/shop/n.ipynb"}, "edit n.ipynb"),
        ("Read", {"file_path": "/srv/shop/設計/方針.md"}, "read 設計/方針.md"),
        ("Read", {"file_path": "/etc/hosts"}, "read _"),
        ("Read", {}, "read _"),
        ("Grep", {"pattern": "cart", "path": "/srv/shop/src"}, "grep _ src"),
        ("Grep", {"pattern": "cart"}, "grep _ ."),
        ("Glob", {"pattern": "src/**/*.ts"}, "glob src/**/*.ts"),
        ("WebFetch", {"url": "https://user:x@Docs.example.org:8080/a?b"}, "fetch docs.example.org"),
        ("WebSearch", {"query": "x"}, "WebSearch"),
        ("Agent", {"subagent_type": "explorer", "prompt": "x"}, "agent explorer"),
        ("mcp__db__query", {"other": {"sql": "x"}}, "mcp__db__query"),
        ("", {}, None),
        ("Bash", {"command": "cd src"}, None),
        ("Bash", {"command": 3}, "Bash"),
    ],
)
def test_actions(tool, inputs, expected):
    assert action(tool, inputs, ROOT) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git push --set-upstream _", "git push"),
        ("pytest tests/a.py _", "pytest"),
        ("mix ecto.migrate", "mix ecto.migrate"),
        ("scripts/x.sh --all", "scripts/x.sh"),
        ("", ""),
    ],
)
def test_the_family_of_a_fingerprint(text, expected):
    assert family(text) == expected


def test_what_only_looks():
    for text in (
        "git status",
        "ls -la src",
        "cat a | grep b",
        "git log -3 && echo done",
        "python --version",
        "gh pr list",
        "git branch",
        "kubectl get pods",
        "cd x && pwd",
    ):
        assert is_read_only("Bash", text), text
    for text in ("git push", "npm test", "cat a > b", "sed -i s/a/b/ c", "git branch -D x", "git tag v1", "rm x", "git status && rm x", "docker ps; make"):
        assert not is_read_only("Bash", text), text
    assert is_read_only("Read") and is_read_only("Grep") and not is_read_only("Edit") and not is_read_only("Bash") and not is_read_only("mcp__x__y")


@given(st.text("abcdef ./-_='\"\\$(){}<>|&;\n`#0123é語~*", max_size=60))
def test_any_command_is_taken_and_short(text):
    found = mark(text)
    assert len(found) <= 240 and "\0" not in found and "\n" not in found
    assert is_read_only("Bash", text) in (True, False)
    assert family(found) == found[: len(family(found))]


def test_it_is_the_same_in_another_worktree():
    text = "cd {0}/app && npx vitest run {0}/app/a.test.ts"
    assert (
        command(text.format("/srv/one"), "/srv/one", "/srv/one") == command(text.format("/tmp/two"), "/tmp/two", "/tmp/two/app") == "vitest run app/a.test.ts"
    )


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            'Exit code 1\nTraceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nValueError: bad value 17',
            "Bash: ValueError: bad value #",
        ),
        ("Exit code 128\nfatal: The current branch x has no upstream branch.\nTo push …", "Bash: fatal: The current branch x has no upstream branch."),
        ("(eval):1: command not found: tree", "Bash: (eval):1: command not found: tree"),
        ("Compiling 4 files\n\n  error: undefined function get/2\n", "Bash: error: undefined function get/2"),
        (
            "  1) test a\n     ** (RuntimeError) no :key configuration found in Shop.Endpoint.",
            "Bash: ** (RuntimeError) no :key configuration found in Shop.Endpoint.",
        ),
        ('\x1b[31m✘ [ERROR] Could not resolve "js/app.js"\x1b[0m', 'Bash: [ERROR] Could not resolve "js/app.js"'),
        ("src/a.ts(12,3): error TS2322: Type 'x' is wrong", "Bash: src/a.ts: error TS2322: Type 'x' is wrong"),
        ("FAILED tests/a.py::test_b - AssertionError: 3 != 4\nE   AssertionError: 3 != 4", "Bash: FAILED tests/a.py - AssertionError: # != #"),
        ("0 errors, 0 failed\nconnection refused by 10.0.0.7:5432", "Bash: connection refused by #"),
        ("Pre-commit failed:\n\n[FORMAT] Code is not formatted.", "Bash: Pre-commit failed: [FORMAT] Code is not formatted."),
        ("Pre-commit failed:\\n\\n[FORMAT] Code is not formatted.", "Bash: Pre-commit failed: [FORMAT] Code is not formatted."),
        ("<tool_use_error>File does not exist.</tool_use_error>", "Bash: File does not exist."),
        ("エラー: ファイル /srv/shop/設定/app.yml が見つかりません", "Bash: エラー: ファイル 設定/app.yml が見つかりません"),
        ("something odd", "Bash: something odd"),
        ("object at 0x7f8e0edb2f20 failed after 12ms in job 3f2a9c1b77", "Bash: object at # failed after # in job #"),
        ("", None),
        ("Exit code 1", None),
        (None, None),
    ],
)
def test_error_signatures(error, expected):
    assert error_signature("Bash", error, ROOT) == expected


def test_the_same_error_of_two_runs_has_one_signature():
    error = "Running with seed {0}, took {1}s\n  worker-{0} (pid {0}) failed: {2}/lib/a.py:{1}: KeyError: 'cart'\n"
    assert error_signature("Bash", error.format(48213, 3, "/srv/a"), "/srv/a") == error_signature("Bash", error.format(991, 12, "/srv/b"), "/srv/b")


@given(st.text(max_size=200))
def test_any_error_is_taken(text):
    found = error_signature("Bash", text)
    assert found is None or (found.startswith("Bash: ") and len(found) <= 160 and "\n" not in found)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("sed -i s/1/2/ vendor/lib/a.py", ["vendor/lib/a.py"]),
        ("cd vendor && perl -pi -e s/a/b/ lib/a.py", ["vendor/lib/a.py"]),
        ("python gen.py > vendor/lib/a.py", ["vendor/lib/a.py"]),
        ("cat x.py | tee vendor/lib/a.py", ["vendor/lib/a.py"]),
        ("cp a.js vendor/lib/", ["vendor/lib"]),
        ("bash -c 'rm vendor/lib/a.js'", ["vendor/lib/a.js"]),
        ("git checkout -- vendor/lib/a.js", ["vendor/lib/a.js"]),
        ("npx prettier --write vendor/lib/a.js", ["vendor/lib/a.js"]),
        ("npx prettier --check vendor/lib/a.js", []),
        ("sed -n 1p vendor/lib/a.py", []),
        ("cp vendor/lib/a.py /tmp/a.py", []),
        ("git diff vendor/lib/a.js", []),
        ("ls vendor/lib > /dev/null", []),
    ],
)
def test_the_files_that_a_command_writes(text, written):
    assert written_files(text, "/repository") == written

"""The outcome of a shell command is read from its output where its exit status says nothing."""

import time
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.commands.error_excerpt import error_excerpt_lines, error_signature
from memorybank.text.commands.outcomes import FAILURE, error_of, status_of


class Read(NamedTuple):
    status: str
    error: str


def read(command: str, output: str, error: str | None, status: str | None) -> Read:
    """Judge a call as the recorder does."""
    ended = status_of(command, output, error or "", status)
    return Read(ended, error_of(error or output) if ended == FAILURE else "")


BUN_PASSED = """$ bun test
bun test v1.3.0 (abc)

cart.test.ts:
[Cart] Warning: no price
error: price service is down

 31 pass
 0 fail
Ran 31 tests across 4 files. [0.1s]"""
BUN_FAILED = """$ bun test
cart.test.ts:
error: price service is down
12 | expect(total).toBe(3)
                   ^
error: expect(received).toBe(expected)

Expected: 3
Received: 4

      at <anonymous> (/srv/cart.test.ts:12:3)
(fail) cart > adds a kettle [0.21ms]
[Cart] closed

 30 pass
 1 fail
error: script "test" exited with code 1"""
BUN_TOLD = """(fail) cart > adds a kettle [0.21ms]
error: expect(received).toBe(expected)
Expected: 3
Received: 4
1 fail
error: script "test" exited with code 1"""
GO_FAILED = """=== RUN   TestTea
--- PASS: TestTea (0.00s)
--- FAIL: TestKettle (0.01s)
    kettle_test.go:31: Boil() = 80, want 100
FAIL
FAIL\tshop.example/kettle\t0.012s
ok  \tshop.example/tea\t(cached)
FAIL"""
PYTEST_FAILED = """..F.                                                  [100%]
=================================== FAILURES ===================================
____________________________ test_boils ____________________________
    def test_boils():
>       assert boil() == 100
E       assert 80 == 100

tests/test_kettle.py:9: AssertionError
=========================== short test summary info ============================
FAILED tests/test_kettle.py::test_boils - assert 80 == 100
========================= 1 failed, 3 passed in 0.12s ========================="""
CARGO_FAILED = """   Compiling kettle v0.1.0 (/srv/kettle)
error[E0308]: mismatched types
 --> src/main.rs:3:18
  |
3 |     let x: u32 = "hot";
  |                  ^^^^^ expected `u32`, found `&str`
error: could not compile `kettle` (bin "kettle") due to 1 previous error"""
MIX_FAILED = """Compiling 2 files (.ex)
..

  1) test boils (KettleTest)
     test/kettle_test.exs:4
     Assertion with == failed
     code:  assert Kettle.boil() == 100
     left:  80
     right: 100

Finished in 0.03 seconds
3 tests, 1 failure"""
JEST_FAILED = """ FAIL  src/kettle.test.ts
  ● kettle › boils

    expect(received).toBe(expected)

    Expected: 100
    Received: 80

Tests:       1 failed, 4 passed, 5 total"""
VITEST_PASSED = " ✓ src/kettle.test.ts (4 tests) 12ms\n\n Test Files  1 passed (1)\n      Tests  4 passed (4)\n   Duration  310ms"
ESLINT_FAILED = "\n/srv/shop/src/kettle.ts\n  12:5  error  'hot' is never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)\n"
BIOME_FAILED = """$ biome check
 at src/kettle.ts:12:5 lint/correctness/noUnusedImports  FIXABLE  ━━━━━━━━━━━━━

  × This import is unused.

    11 │ import a from "a";

Checked 31 files in 12ms. No fixes applied.
Found 1 error."""
GOLANGCI_FAILED = "kettle.go:31:2: Error return value is not checked (errcheck)\n\tboil()\n\t^\n1 issues:\n* errcheck: 1"
HUSKY_FAILED = (
    BUN_PASSED
    + "\n$ tsc --noEmit\nsrc/kettle.ts(7,3): error TS2322: Type 'string' is not assignable to type 'number'.\nhusky - pre-commit script failed (code 2)"
)
PRE_COMMIT_FAILED = """trim trailing whitespace.................................................Passed
ruff.....................................................................Failed
- hook id: ruff
- exit code: 1

kettle.py:3:8: F401 `os` imported but unused
Found 1 error."""
DOCKER_FAILED = (
    '#8 [4/5] RUN npm ci\n#8 3.211 npm error code ENOTFOUND\nERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1'
)
MAKE_FAILED = "cc -c kettle.c\nkettle.c:3:5: error: unknown type name 'hot'\nmake: *** [Makefile:4: kettle.o] Error 1"
TRACEBACK = 'Traceback (most recent call last):\n  File "boil.py", line 3, in <module>\n    boil()\nValueError: too cold'
RUST_PANIC = """running 2 tests
test tea ... ok
test kettle ... FAILED

failures:

---- kettle stdout ----
thread 'kettle' panicked at src/lib.rs:9:5:
assertion `left == right` failed
  left: 80
 right: 100

test result: FAILED. 1 passed; 1 failed"""

MASKED = [
    # test runners
    ("bun test 2>&1 | tail -30", BUN_PASSED, "success"),
    ("bun test 2>&1 | tail -30", BUN_FAILED, "failure"),
    ("bun test | tail -1", "Ran 31 tests across 4 files. [0.1s]", "unknown"),
    ("bun test 2>&1 | grep -E '(pass|fail)$'", " 31 pass\n 0 fail", "success"),
    ("bun test 2>&1 | grep error", "error: price service is down", "unknown"),
    ("bun test 2>&1 | head -5", "$ bun test\nbun test v1.3.0\ncart.test.ts:\nerror: price service is down\n[Cart] closed", "unknown"),
    ("go test ./... 2>&1 | tail -5", GO_FAILED, "failure"),
    ("go test ./... | tail -5", "ok  \tshop.example/tea\t0.3s\n?   \tshop.example/cup\t[no test files]", "success"),
    ("go test -v ./... | head -2", "=== RUN   TestTea\n--- PASS: TestTea (0.00s)", "unknown"),
    ("go test ./... | head -2", "ok  \tshop.example/tea\t0.3s\nok  \tshop.example/cup\t0.1s", "unknown"),
    ("pytest -q | tail -5", PYTEST_FAILED, "failure"),
    ("pytest -q 2>&1 | tail -2", "....\n4 passed in 0.12s", "success"),
    ("pytest || true", "1 failed, 3 passed in 0.12s", "failure"),
    ("pytest -q; echo done", "==== 3 passed, 1 skipped in 1.20s ====\ndone", "success"),
    ("pytest -q tests | tail -3", "ERROR tests/test_a.py - ImportError: no tea\n1 error in 0.10s", "failure"),
    ("python -m unittest 2>&1 | tail -3", "Ran 3 tests in 0.001s\n\nFAILED (failures=1)", "failure"),
    ("python -m unittest 2>&1 | tail -3", "Ran 3 tests in 0.001s\n\nOK", "success"),
    ("cargo test 2>&1 | tail -20", RUST_PANIC, "failure"),
    ("cargo test 2>&1 | tail -3", "test tea ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored", "success"),
    ("cargo build 2>&1 | tail -20", CARGO_FAILED, "failure"),
    ("cargo build 2>&1 | tail -2", "   Compiling kettle v0.1.0\n    Finished `dev` profile [unoptimized] target(s) in 0.5s", "success"),
    ("mix test | tail -20", MIX_FAILED, "failure"),
    ("mix test | tail -3", "Finished in 0.03 seconds\n3 tests, 0 failures", "success"),
    ("npx jest 2>&1 | tail -15", JEST_FAILED, "failure"),
    ("npx vitest run 2>&1 | tail -8", VITEST_PASSED, "success"),
    ("npm test 2>&1 | tail -4", "npm ERR! Test failed.  See above for more details.", "failure"),
    ("bundle exec rspec | tail -2", "5 examples, 1 failure\n\nrspec ./spec/kettle_spec.rb:3 # Kettle boils", "failure"),
    ("bundle exec rspec | tail -2", "Finished in 0.1 seconds\n5 examples, 0 failures", "success"),
    ("mvn -q test | tail -5", "[ERROR] Tests run: 3, Failures: 1, Errors: 0\n[INFO] BUILD FAILURE", "failure"),
    ("mvn package | tail -5", "[INFO] BUILD SUCCESS\n[INFO] Total time: 1.2 s", "success"),
    ("./gradlew build | tail -3", "BUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed", "success"),
    # compilers and linters
    ("go build ./... 2>&1 | head -20", "# shop.example/kettle\nkettle/kettle.go:9:2: undefined: boil", "failure"),
    ("go build ./... 2>&1 | head -20", "", "success"),
    ("go build ./... 2>/dev/null | head -20", "", "unknown"),
    ("npx tsc --noEmit | head", "src/kettle.ts(7,3): error TS2322: Type 'string' is not assignable to type 'number'.", "failure"),
    ("npx tsc --noEmit 2>&1 | head", "", "success"),
    ("bun run typecheck 2>&1 | tail -5", "$ tsc --noEmit", "success"),
    ("npx eslint src | tail -5", ESLINT_FAILED, "failure"),
    ("npx eslint src | tail -5", "✖ 2 problems (0 errors, 2 warnings)", "success"),
    ("npx biome check 2>&1 | tail -20", BIOME_FAILED, "failure"),
    ("npx biome check | tail -2", "Checked 31 files in 12ms. No fixes applied.", "success"),
    ("golangci-lint run 2>&1 | head -20", GOLANGCI_FAILED, "failure"),
    ("golangci-lint run 2>&1 | head -20", "0 issues.", "success"),
    ("ruff check . | tail -3", "All checks passed!", "success"),
    ("ruff check . | tail -3", "kettle.py:3:8: F401 `os` imported but unused\nFound 1 error.", "failure"),
    ("ruff check --fix . | tail -1", "Found 3 errors (3 fixed, 0 remaining).", "unknown"),
    ("mypy . | tail -2", "kettle.py:9: error: Incompatible types in assignment\nFound 1 error in 1 file (checked 3 source files)", "failure"),
    ("mypy . | tail -2", "Success: no issues found in 3 source files", "success"),
    ("make 2>&1 | tail -5", MAKE_FAILED, "failure"),
    ("npm run build 2>&1 | tail", "✓ built in 1.20s", "success"),
    # git and its hooks, packages, containers
    ("git commit -m 'Boil' 2>&1 | tail -5", "[main 1a2b3c4] Boil\n 1 file changed, 2 insertions(+)", "success"),
    ("git commit -m 'Boil' 2>&1 | tail -40", HUSKY_FAILED, "failure"),
    ("git commit -m 'Boil' 2>&1 | tail -40", PRE_COMMIT_FAILED, "failure"),
    ("git push 2>&1 | tail -2", "To example.org:shop.git\n   1a2b3c4..5d6e7f8  main -> main", "success"),
    ("git push 2>&1 | tail -3", " ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to 'example.org:shop.git'", "failure"),
    ("git merge next; git status --short", "CONFLICT (content): Merge conflict in kettle.py\nUU kettle.py", "failure"),
    ("npm ci 2>&1 | tail -3", "added 31 packages, and audited 32 packages in 2s\nfound 0 vulnerabilities", "success"),
    ("pip install kettle | tail -1", "Successfully installed kettle-1.0", "success"),
    ("docker build . 2>&1 | tail -3", DOCKER_FAILED, "failure"),
    ("kubectl apply -f shop.yml | tail -2", "deployment.apps/shop configured", "success"),
    ("kubectl apply -f shop.yml 2>&1 | tail -2", "Error from server (NotFound): namespaces \"shop\" not found", "failure"),
    ("terraform plan | tail -3", "Error: Unsupported argument", "failure"),
    # the shell itself
    ("kettle boil 2>&1 | tail", "bash: line 1: kettle: command not found", "failure"),
    ("kettle boil | head", "zsh: command not found: kettle", "failure"),
    ("python boil.py | tail -3", TRACEBACK, "failure"),
    ("./boil.sh | tail -3", "water is hot", "unknown"),
    ("./boil.sh; echo \"exit: $?\"", "boiling\nexit: 1", "failure"),
    ("./boil.sh; echo $?", "boiling\n0", "success"),
    ("./boil.sh | tail -1; echo \"exit: $?\"", "boiling\nexit: 0", "unknown"),
    ("./boil.sh | tail -1; echo \"exit: ${PIPESTATUS[0]}\"", "boiling\nexit: 0", "success"),
    ("./boil.sh >/dev/null 2>&1 && echo HOT || echo COLD", "HOT", "success"),
    ("./boil.sh >/dev/null 2>&1 && echo HOT || echo COLD", "COLD", "failure"),
    ("./boil.sh | grep hot || echo 'nothing hot'", "nothing hot", "unknown"),
    ("if ./boil.sh; then touch hot; fi", "", "unknown"),
    ("bash -c 'pytest -q | tail -1'", "1 failed in 0.1s", "failure"),
    ("./start.sh &", "", "unknown"),
    # Japanese
    ("kettle boil | tail -1", "bash: kettle: コマンドが見つかりません", "failure"),
    ("python 沸かす.py | tail -1", "エラー: 設定が見つかりません", "failure"),
    ("./デプロイ.sh | tail -1", "デプロイが完了しました", "success"),
    ("cat 設定.yml | head", "cat: 設定.yml: そのようなファイルやディレクトリはありません", "failure"),
    # looking
    ("grep -rn 'error:' src | head", "src/kettle.py:3: raise Cold('error: cold')", "success"),
    ("grep -rn kettle src | head", "", "unknown"),
    ("git log --oneline | head -3", "1a2b3c4 FAILED: the kettle\n5d6e7f8 error: fixed", "success"),
    ("git show nowhere | head", "fatal: ambiguous argument 'nowhere': unknown revision\nUse '--' to separate paths", "failure"),
    ("ls a b 2>&1 | head", "ls: a: No such file or directory\nb", "partial"),
    ("ls kettle.py 2>/dev/null || echo 'not there'", "not there", "unknown"),
    ("cat kettle.log | tail -3", "FAIL\nerror: cold", "success"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "output", "expected"), MASKED, ids=[f"{number}-{case[0][:30]}" for number, case in enumerate(MASKED)])
def test_where_the_status_says_nothing_the_output_decides(command, output, expected):
    assert read(command, output, None, "success").status == expected


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("make", "warning: unused\nerror: not one of mine"),
        ("cd app && npm test", "logs of a test: 3 failed"),
        ("set -o pipefail; pytest -q | tail -3", "whatever"),
        ("set -euo pipefail\npytest | tail -3", "whatever"),
        ("git add -A; git commit -m x", "[main 1a2b3c4] x"),
        ("pytest || exit 1", ""),
        ("mkdir -p out; cp a out; pytest -q", ""),
        ("cat > a.py <<'EOF'\nprint('FAILED: x')\nEOF\npython a.py", "fine"),
        ("(cd app && make)", ""),
        ("a && (b)", ""),
        ("timeout 60 uv run pytest -q 2>&1", ""),
        ("pytest -q && git diff | head", "diff --git a/x b/x"),
        ("grep -c kettle a.py", "3"),
        ("git commit -m x", "[Cart] Warning\n 2 fail\n[main 1a2b3c4] x"),
    ],
)  # fmt: skip
def test_a_status_that_speaks_is_believed(command, output):
    assert read(command, output, None, "success").status == "success"


@pytest.mark.parametrize(
    "output",
    [
        "ok ✓ 2 files changed\nFAILED: git commit\n" + HUSKY_FAILED,
        "OUTPUT (last 3 lines):\n  30 pass\n  1 fail\n  error: script \"test\" exited with code 1",
    ],
)  # fmt: skip
def test_a_wrapper_that_hides_a_failure_is_not_believed(output):
    found = read("wrap git add a.py && wrap git commit -m x", output, None, "success")
    assert (found.status, bool(found.error)) == ("failure", True)


@pytest.mark.parametrize(
    ("command", "error", "expected"),
    [
        ("make", "Exit code 2\nmake: *** No rule to make target 'tea'.", "failure"),
        ("npm run build", "", "failure"),
        ("grep kettle src/a.py", "Exit code 1", "unknown"),
        ("go build ./... && grep kettle a.py", "Exit code 1", "unknown"),
        ("go build ./... && grep kettle a.py", "Exit code 1\na.go:3:4: undefined: tea", "failure"),
        ("grep kettle nowhere.py", "Exit code 2\ngrep: nowhere.py: No such file or directory", "failure"),
        ("diff a b", "Exit code 1\n1c1\n< hot\n---\n> cold", "success"),
        ("which kettle", "Exit code 1", "unknown"),
        ("[ -f kettle.py ]", "Exit code 1", "unknown"),
        ("ls nowhere", "Exit code 1\nls: nowhere: No such file or directory", "failure"),
        ("ls *.tea", "Exit code 1\n(eval):1: no matches found: *.tea", "failure"),
        ("grepp kettle", "Exit code 127\nbash: grepp: command not found", "failure"),
        ("find . -name tea", "Permission to use Bash with command find has been denied.", "failure"),
        ("make", "Sibling tool call errored", "unknown"),
    ],
)  # fmt: skip
def test_a_failure_of_the_host_stays_one_unless_a_search_found_nothing(command, error, expected):
    found = read(command, error.partition("\n")[2], error, "failure")
    assert found.status == expected
    assert bool(found.error) == ((expected == "failure" and "\n" in error) or "denied" in error)


@pytest.mark.parametrize(
    ("command", "output", "status", "expected"),
    [
        ("make | tail", "1 failed in 0.1s", "partial", "partial"),
        ("pytest -q", "3 passed in 0.1s", "unknown", "success"),
        ("pytest -q", "1 failed in 0.1s", None, "failure"),
        ("pytest -q", "", None, "unknown"),
        ("echo hot; exit 3", "hot", "unknown", "unknown"),
        ("cat a.py", "print()", "unknown", "unknown"),
    ],
)
def test_what_the_host_does_not_know_the_output_may_tell(command, output, status, expected):
    assert read(command, output, None, status).status == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (
            BUN_FAILED,
            BUN_TOLD.splitlines(),
        ),
        (GO_FAILED, ["FAIL: TestKettle (0.01s)", "kettle_test.go:31: Boil() = 80, want 100", "FAIL\tshop.example/kettle\t0.012s", "FAIL"]),
        (HUSKY_FAILED, ["src/kettle.ts(7,3): error TS2322: Type 'string' is not assignable to type 'number'.", "husky - pre-commit script failed (code 2)"]),
        (ESLINT_FAILED, ["/srv/shop/src/kettle.ts", "12:5  error  'hot' is never used  no-unused-vars", "1 problem (1 error, 0 warnings)"]),
        (BIOME_FAILED, ["at src/kettle.ts:12:5 lint/correctness/noUnusedImports  FIXABLE", "This import is unused.", "Found 1 error."]),
        (TRACEBACK, ["ValueError: too cold"]),
        (MAKE_FAILED, ["kettle.c:3:5: error: unknown type name 'hot'", "make: *** [Makefile:4: kettle.o] Error 1"]),
        (MIX_FAILED, ["1) test boils (KettleTest)", "Assertion with == failed", "left:  80", "right: 100", "3 tests, 1 failure"]),
        (CARGO_FAILED, ["error[E0308]: mismatched types", "--> src/main.rs:3:18", 'error: could not compile `kettle` (bin "kettle") due to 1 previous error']),
        ("2026-01-02T10:00:00Z INFO boiling\nfatal: not a git repository", ["fatal: not a git repository"]),
        ("✓ tea\nsomething odd\nok  \tx\t0.1s", ["something odd"]),
        ("FAILED: git add\nThese paths are ignored:\n.cache", ["These paths are ignored:", ".cache", "FAILED: git add"]),
        ("エラー: 湯が冷たい\n", ["エラー: 湯が冷たい"]),
        ("error: price service failed\n31 pass\n1 error\nerror: script \"test\" exited with code 1", ["1 error", 'error: script "test" exited with code 1']),
        ("", []),
    ],
)  # fmt: skip
def test_the_error_is_what_says_what_is_wrong(output, expected):
    assert error_excerpt_lines(output) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (BUN_FAILED, "Bash: (fail) cart > adds a kettle [#]"),
        (HUSKY_FAILED, "Bash: src/kettle.ts: error TS2322: Type 'string' is not assignable to type 'number'."),
        (PYTEST_FAILED, "Bash: FAILED tests/test_kettle.py - assert # == #"),
        (JEST_FAILED, "Bash: FAIL src/kettle.test.ts"),
        (RUST_PANIC, "Bash: test kettle ... FAILED"),
        (PRE_COMMIT_FAILED, "Bash: kettle.py: F401 `os` imported but unused"),
        (MIX_FAILED, "Bash: #) test boils (KettleTest)"),
    ],
)
def test_a_signature_begins_with_what_failed(output, expected):
    assert error_signature("Bash", output) == expected


def test_telling_lines_say_the_same_when_they_are_read_again():
    for output in (BUN_FAILED, GO_FAILED, HUSKY_FAILED, JEST_FAILED, CARGO_FAILED, MAKE_FAILED, TRACEBACK):
        once = error_excerpt_lines(output)
        assert error_excerpt_lines("\n".join(once))[:2] == once[:2]


def test_an_error_has_at_most_fifteen_hundred_characters():
    output = "\n".join(f"src/kettle.go:{line}:2: undefined: boil{line}" for line in range(900))
    error = read("go build ./...", output, None, "failure").error
    assert len(error) <= 1_500 and error.startswith("src/kettle.go:0:2: undefined: boil0\nsrc/kettle.go:1:2")


PIECES = st.lists(
    st.sampled_from(
        ["FAIL", "ok  \tx\t1s", "error: x", "(fail) a", "1 passed in 0.1s", "::", "a.go:1:2: x", "E   x", "\x1b[31m", "│", ":", "エラー:", "\\n", " "]
    )
    | st.text(max_size=12),
    max_size=30,
).map("\n".join)
COMMANDS = st.text("ab |&;\n()'\"$?<>", max_size=30) | st.sampled_from([case[0] for case in MASKED])
STATUSES = st.sampled_from(["success", "failure", "partial", "unknown", None])


@given(COMMANDS, PIECES, st.none() | PIECES, STATUSES)
def test_anything_is_read(command, output, error, status):
    found = read(command, output, error, status)
    assert found.status in ("success", "failure", "partial", "unknown")
    assert len(found.error) <= 1_500 and (found.status == "failure" or found.error == "")


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["error: x\n", "a::", ". ", "1 a, ", "src/a.go:1:2: x\n", "[x] ", "\x1b[", "-->\n", "x" * 700 + "\n", "FAIL: x:\n"])
def test_eight_hundred_kilobytes_take_no_longer_than_their_ends(piece):
    """Only a limited part of an output is read; a backtracking pattern would take minutes on such a line."""
    output = piece * (800_000 // len(piece))
    began = time.process_time()
    read("make 2>&1 | tail -5", output, None, "success")
    read("make", output, output, "failure")
    assert time.process_time() - began < 5


@pytest.mark.parametrize("mark", ["#", "ℹ"])
@pytest.mark.parametrize(("failed", "status"), [(0, "success"), (2, "failure")])
def test_the_counts_of_nodes_test_runner_say_how_a_piped_run_ended(mark, failed, status):
    output = "\n".join(f"{mark} {name}" for name in ("tests 3", "suites 0", f"pass {3 - failed}", f"fail {failed}", "cancelled 0", "skipped 0"))
    assert read("make test 2>&1 | tail -12", output, None, "success").status == status

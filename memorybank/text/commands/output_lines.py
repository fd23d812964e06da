"""Classifies one line of a program's output by what it says about the run: test runners, compilers, linters, package managers, git, shells.

Data and regular expressions for English and Japanese. The module is loaded only for an output that has to be read.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import lazy_pattern

VERDICT = "verdict"
"""The entire run failed: `FAIL`, `2 failed, 3 passed in 0.1s`, `error: script "lint" exited with code 1`, `make: *** …`."""
FAILED = "failed"
"""One named test failed: `--- FAIL: TestCart`, `(fail) cart > adds`, `FAILED tests/test_cart.py::test_adds`."""
CROSSED = "crossed"
"""A line after a cross (`✗ cart adds`): a failed test in some runners, mere decoration in other programs."""
PLACE = "place"
"""A diagnostic with its location: `src/a.ts(3,4): error TS2322: …`, `cart.go:3:4: undefined: x`, `a.py:3: error: …`."""
SAID = "said"
"""An error message that a passing test may log as well: `error: …`, `ValueError: …`, `sh: x: command not found`."""
DETAIL = "detail"
"""A detail of an error: `Expected: 3`, `E   assert 3 == 4`, `--> src/main.rs:3:5`."""
DONE = "done"
"""The entire run succeeded: `ok  	pkg	0.3s`, `3 passed in 0.1s`, `All checks passed!`, `[main 1a2b3c4] message`."""
RUNNING = "running"
"""Progress of a run, and logs: passing tests, echoed commands, lines with a time and `INFO`."""

_BEGINNING, _END = 20_000, 60_000
_CLEAN = lazy_pattern(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b")
_PREFIX = lazy_pattern(r"\[[a-z][\w:./-]*\]\s+(?=\S)|#\d+\s+(?:\d+\.\d+\s+)?(?=ERROR|error)")
"""Prefixes that task runners put before each line: `[lint] …`, `#12 3.41 …`."""

# `kind` returns the first kind that matches, so the order decides: certain failures before successes, and vague messages last.
_KINDS = {
    VERDICT: (
        r"error: .{0,200}\b(?:exited|failed) with (?:exit )?(?:code|status) [1-9]",
        r".{0,200}\bscript failed \(code \d+\)",
        r"husky - .{0,80}(?:failed|exited with code [1-9])",
        r"FAILED: \S|Failed!\s",
        r"FAIL(?:$|\t|:?\s+\S+\s+(?:[\d.]+s|\[))",
        r"ERROR task failed",
        r"(?:\[ERROR\]\s+)?(?:BUILD (?:FAILED|FAILURE)|Build failed|Build FAILED)",
        r"Build error occurred|\[?Error: \w+ build failed with \d",
        r".{0,80}Failed to compile\.?$",
        r"(?:[✗✘✕×❌✖]\s*)?(?:(?:ERROR|Error): )?(?:Migration|Build|Compilation|Deployment|Installation|Lint|Tests?)"
        r" (?:failed[!.]?\s*$|completed with errors?(?:[!.]|$))",
        r"[1-9]\d* (?:fail|errors?)$",
        r"Tests?(?: Files| Suites)?:?\s+(?:\d+ \w+,?\s|\|\s)*[1-9]\d* failed",
        r"(?:=+ )?(?:\d+ \w+, )*[1-9]\d* (?:failed|errors?)\b.{0,80} in [\d.]+",
        r"[1-9]\d* (?:failed|failures?)(?:,|$| of )",
        r"(?:\d+ \w+, )+[1-9]\d* (?:failures?|failed)",
        r"\d+ passed,? (?:and )?[1-9]\d* failed",
        r"test result: FAILED",
        r"FAILED \((?:failures|errors)=",
        r"[#ℹ] fail [1-9]",
        r"Tests run:.{0,60}(?:Failures|Errors): [1-9]",
        r"Found [1-9]\d* (?:errors?|problems?|issues?)\b(?!.{0,80}\b0 remaining)",
        r"✖ [1-9]\d* problems? \((?!0 errors)",
        r"[1-9]\d* issues?:$",
        r"\w{1,20}: [1-9]\d* errors?\b",
        r"(?:g?make)(?:\[\d+\])?: \*\*\*",
        r"npm (?:ERR!|error)(?:$|\s(?!Missing |enoent Could|notarget |404 |[A-Z]\w*Error:|Could not |Conflicting |peer ))",
        r".{0,60}(?:ELIFECYCLE|ERR_PNPM_)",
        r"error: (?:could not compile|aborting due to|test failed|build failed|[Rr]ecipe )",
        r".{0,120}\b(?:[Cc]ommand|[Pp]rocess|[Tt]ask|[Jj]ob|[Ss]cript|[Ww]orker)\b.{0,80} (?:failed|exited|completed) with (?:exit )?(?:code|status):? [1-9]",
        r"exit (?:status|code):? [1-9]\d*$",
        r"Some errors were emitted",
        r"[×✖] Some (?:errors|warnings) were emitted",
        r'ERROR: (?:failed to (?:solve|build)|process ")',
        r"[1-9]\d* files? would be reformatted",
        r"Code style issues (?:found )?in ",
        r".{0,80}\b(?:pre-commit|pre-push|commit-msg)\b.{0,40}\b(?:failed|rejected|FAILED)",
        r"error: failed to push",
        r"テスト(?:が|に)?失敗|ビルド(?:が|に)?失敗",
    ),
    FAILED: (
        r"\(fail\)\s",
        r"--- FAIL:",
        r"FAILED\s+\S+(?:::|\.\w+)",
        r"ERROR\s+\S+\.py\b",
        r"FAIL:?\s+\S",
        r"(?:ERROR|FAIL): \w+ \([\w.]+\)",
        r"\[ERROR\]\s.{0,200}<<< (?:FAILURE|ERROR)!",
        r"Failed \S.{0,200} \[[<\d., ]+ ?m?s\]$",
        r"Failure/Error:",
        r"test\s\S.{0,200}\s\.\.\.\sFAILED",
        r"\S{1,200}::\S{1,200}\s+FAILED",
        r"not ok\s\d",
        r"●\s.{1,200} › ",
        r"● Test suite failed",
        r"\d+\) test\s",
        r"rspec \./",
        r"\[\s+FAILED\s+\]",
        r"# Unhandled error between tests",
        r"\S.{0,120}\.{4,}Failed$",
        r"thread '.{0,200}'(?: \(\d+\))? panicked at",
        r"panic: ",
    ),
    PLACE: (
        r"(?:at\s|⏺\s|>\s)?[\w./@~+\[\]-]{1,200}\.\w{1,10}:\d+:\d+:?\s+(?!(?:warning|note|info|hint)\b)\S",
        r"(?:[A-Za-z]:[\\/][^:]{1,240}|[\w./\\@~+-]{1,200})\(\d+(?:,\d+)?\): (?:fatal )?error\b",
        r"[\w./@~+-]{1,200}\.\w{1,10}:\d+: (?:fatal |\w+: )?(?:error|Error|syntax error)\b",
        r"\d+:\d+\s+[Ee]rror:?\s",
        r"(?:\S{1,200}\s+-\s+)?error TS\d+",
        r"error\[\w+\]:",
        r"(?:at\s)?[\w./@~+-]{1,200}\s(?:format|organizeImports|assist|lint|parse|check|ci) ━",
        r"[A-Z]{1,5}\d{3,4} (?:\[\*\] )?\S.{10,}",
        r"\*\* \(\w[\w.]*\)",
        r"Would reformat:? |would reformat ",
    ),
    DONE: (
        r"ok\s+\S+\s+(?:[\d.]+s|\(cached\))",
        r"PASS$",
        r"0 fail$|\d+ pass$|[#ℹ] fail 0$",
        r"Tests?(?: Files| Suites)?:?\s+(?:\d+ (?:skipped|todo|pending),?\s|\|\s)*\d+ passed",
        r"(?:=+ )?\d+ passed\b.{0,80} in [\d.]+",
        r"(?:\d+ \w+, )+0 fail(?:ures|ed)?\b",
        r"\d+ (?:tests? )?passed(?:, 0 failed|$| \()",
        r"OK(?: \(.{0,60}\))?$",
        r"test result: ok",
        r"(?:\[INFO\]\s+)?(?:BUILD SUCCESS(?:FUL)?|Tests run: \d+, Failures: 0, Errors: 0)",
        r"(?:[✨🎉✅✓]\s*)?All (?:\d+ )?(?:checks|tests|files|specs)\b.{0,40}\bpass(?:ed)?",
        r"All matched files use",
        r"Success: no issues",
        r"Passed!\s+- Failed:\s+0\b|Build succeeded\b|0 (?:Warning|Error)\(s\)",
        r"(?:Found )?(?:0|[Nn]o) (?:errors?|issues?|problems?|vulnerabilities)(?: found)?\b",
        r"✔ No ",
        r"Checked \d+ files? in",
        r"\d+ files? (?:already formatted|left unchanged|reformatted|unchanged)",
        r"Finished (?:`|dev|release|test|bench)",
        r"(?:✓ )?built in [\d.]+",
        r"(?:✓ )?Compiled (?:successfully|in )",
        r"Successfully \w",
        r"added \d+ packages?|up to date,|changed \d+ packages?",
        r"\d+ packages? (?:installed|added)",
        r"\[[\w./@#+-]+(?: HEAD)?(?: \(root-commit\))? [0-9a-f]{7,40}\]",
        r"Already up[ -]to[ -]date|Everything up-to-date|Fast-forward|Switched to |Already on '",
        r"\+?\s?[0-9a-f]{6,40}\.\.\.?[0-9a-f]{6,40}\s+\S+\s+-> \S",
        r"\* \[new (?:branch|tag)\]",
        r"HEAD is now at ",
        r"Saved working directory",
        r"[a-z][\w.-]*/[\w.-]+ (?:created|configured|unchanged|deleted|patched|scaled|restarted)\b",
        r".{0,80}\bsuccessfully rolled out",
        r"(?:✨\s+)?Done(?: in [\d.]+|[.!]$|$)",
        r"https://github\.com/\S+/(?:pull|issues)/\d+$",
        r"[✓✔✅] (?:Build|Built|Deploy\w*|Compiled|Published|Installed|Done)\b",
        r"✖ \d+ problems? \(0 errors",
        r".{0,60}(?:成功しました|完了しました|すべて成功|問題はありません)",
    ),
    RUNNING: (
        r"[✓✔√☑✅]\s",
        r"\(pass\)\s",
        r"--- (?:PASS|SKIP):",
        r"=== +(?:RUN|PAUSE|CONT|NAME)\b",
        r"\?\s+\S+\s+\[no test files\]",
        r"bun test v",
        r"\$\s\S",
        r"> \S{1,200}@\S+ ",
        r"test\s\S.{0,200}\s\.\.\.\s(?:ok|ignored)$",
        r"\S{1,200}::\S.{0,200} (?:PASSED|SKIPPED|XFAIL)\b",
        r"\S+\.(?:py|rb)\s[.sxFE]+\s*(?:\[\s*\d+%\])?$",
        r"[.sxFE]{3,}\s*(?:\[\s*\d+%\])?$",
        r"ok\s\d+\s",
        r"PASS\s\S",
        r"Ran \d+ tests? across|Time Elapsed \d",
        r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d\S*\s+\[?(?:INFO|DEBUG|WARN|WARNING|TRACE|NOTICE|info|debug|warn)\b",
        r"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s(?!.{0,20}\b(?:ERROR|FATAL)\b)",
        r"\[?(?:INFO|DEBUG|TRACE|WARN|WARNING)\]?[\s:]",
        r"[Ww]arning[\s:]",
        r"\[(?!Error|Fail)[A-Z][a-z][A-Za-z]*\]\s",
        r"\S.{0,120}\.{4,}(?:Passed|Skipped)",
        r"(?:Compiling|Downloading|Downloaded|Checking|Fresh|Resolving|Collecting|Installing|Preparing|Building|Generated|Running|Using)\s",
        r"(?!Missing|Failing|Aborting)[A-Z][a-z]{1,20}ing\b[^:]{0,120}(?:\.{3}|…)$",
        r"[\d\s]+\|",
        r"[═=─━_*~-]{4,}$",
    ),
    CROSSED: (r"[✗✘✕×❌✖]\s*\S",),
    SAID: (
        r"(?:\[?(?:[Ee]rror|ERROR|[Ff]atal(?: [Ee]rror)?|FATAL|PANIC|ERR!|CRITICAL)\]?|エラー|致命的エラー|致命的|例外)\s?[:：]",
        r"(?:\w{1,20} )?\[?ERROR\]?\s",
        r"[A-Z][a-z]{2,20} [Ee]rror: \S|Error (?:[a-z-]{1,20} ){0,4}[a-z-]{1,20}: \S|E[A-Z]{4,14}: \S",
        r"Module not found: |npm (?:ERR!|error)\s",
        r"(?:Uncaught |Unhandled |raise )?[\w.]{0,80}(?:Error|Exception|Interrupt|Exit)(?: [\[(]\w+[\])])?(?:\s?:\s|$)",
        r"(?:[a-z_]\w{0,40}\.){1,8}[A-Z]\w{0,60}: \S|(?:[A-Z]\w{0,40}::){1,6}[A-Z]\w{0,60}:(?:\s|$)",
        r"(?:Caused by|Exception in thread|Uncaught|Unhandled exception|Error from server)\b",
        r".{0,160}(?:command not found|No such file or directory|[Pp]ermission denied|Operation not permitted|[Nn]ot a git repository)",
        r"\S{1,40}: (?:line )?\d+: .{1,80}: not found",
        r".{0,120}(?:[Cc]onnection refused|Could not resolve host|No space left on device|Segmentation fault|core dumped)",
        r"(?:Killed|Aborted|Terminated|Bus error)\b",
        r"curl: \(\d+\)",
        r"CONFLICT \(|! \[(?:remote )?rejected\]|Automatic merge failed|Aborting",
        r"(?:Cannot|Could not|Couldn't|Can't|Failed to|Unable to|Failed|[Uu]nknown (?:command|flag|option|subcommand|argument|column|field)"
        r"|[Uu]nrecognized|[Ii]nvalid option)\b",
        r"flag provided but not defined",
        r".{0,80}?(?:\bThe (?:term|token)|用語|トークン) '[^']{1,60}' (?:is not |は、)|'[^']{1,60}' (?:is not recognized|は、内部コマンド)",
        r"package \S+(?: is not in |: \S)|no required module provides|directory not found",
        r".{0,160}(?:コマンドが見つかりません|そのようなファイルやディレクトリはありません|許可がありません|失敗しました|が見つかりません|できません(?:でした)?[。.]?$|エラーが発生)",
    ),
    DETAIL: (
        r"(?:[Ee]xpected|[Rr]eceived|[Aa]ctual|[Gg]ot|[Ww]ant|left|right|Messages?|期待値|実際)\s*[:：=]",
        r"E\s{2,}\S",
        r"(?:-->|→)\s\S",
        r"Error Message:$",
        r"[\w./-]{1,120}\.(?:go|py|ts|tsx|js|rs|rb|ex|exs|java|kt|c|cc|cpp):\d+:(?!.{0,80}\bINFO\b)",
        r"Assertion\b",
        r"assert\b",
    ),
}
_LINES = [(name, lazy_pattern("|".join(patterns))) for name, patterns in _KINDS.items()]
"""One expression per kind, so that a line which is an error does not need those of the later kinds."""


def window(text: str) -> str:
    """Return the part of an output that is read: its first 20,000 and last 60,000 characters, in complete lines."""
    if len(text) <= _BEGINNING + _END:
        return text
    return text[: text.rfind("\n", 0, _BEGINNING) + 1] + text[max(text.find("\n", len(text) - _END) + 1, len(text) - _END) :]


def plain(line: str) -> str:
    """Return the line without colours, without surrounding spaces and without the name that a task runner put before it."""
    line = (_CLEAN.sub("", line) if "\x1b" in line else line).strip()
    found = _PREFIX.match(line) if line[:1] in ("[", "#") else None
    return line[found.end() :] if found else line


def kind(line: str) -> str:
    """Return what a line from `plain` says: `VERDICT`, `FAILED` … `RUNNING`; "" for anything else."""
    return next((name for name, pattern in _LINES if pattern.match(line)), "") if line else ""

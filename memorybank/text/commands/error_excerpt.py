"""Selects the lines of an output that say what is wrong: failed tests, diagnostics, messages; neither progress nor the logs of passing tests.

An error signature is the line of an error message that says what went wrong, without the parts that differ between runs.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import output_lines, paths
from memorybank.text.commands.output_lines import CROSSED, DETAIL, DONE, FAILED, PLACE, RUNNING, SAID, VERDICT
from memorybank.text.pattern import lazy_pattern
from memorybank.text.secrets.redact import MARK, redact
from memorybank.values import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LONGEST_COMPARED = 600
_LONGEST = 160
_SHARP = (
    "error:", "error[", "error ts", "[error]", "exception:", "fatal:", "panic:", "panicked at", "** (", "err!", "command not found",
    "エラー:", "エラー：", "例外:", "例外：",
)  # fmt: skip
_SHELLS = ("bash:", "sh:", "zsh:", "/bin/", "(eval)")
_LONGEST_TEXT = 20_000
_OPENERS, _CLOSERS = "\"'`([{<“「『", "\"'`)]}>”」』.,;:!?…"
_HEX = frozenset("0123456789abcdefABCDEF-")

_MOST = 40
_DETAILS = 4
"""Maximum number of lines about one failed test in addition to its name."""
_NEAR = 25
"""Maximum distance of a message from the name of its test, in lines."""
_VERDICTS = 2
_FEW = 6
"""Maximum number of unmarked lines of a failed run that are returned as they are."""
_NAMED_LAST = ("(fail)", "--- FAIL:")
_LOGS_FOLLOW = ("(fail)",)
_THROWN = ("panic: ",)
_MARGIN = "E   "
"""Before what pytest says about a failed test."""
_IN_SUMMARY = " - "
"""Between the name of a test and its message, in pytest's summary, which cuts the message."""
_ARROW = "→ "
_BARE = ("Error:", "Failure:", "Error Message:")
_COMPARES = ("assert", "expect", "期待")
"""Words of a message that says what a test compared."""
_ENDS = (FAILED, CROSSED, DONE, VERDICT)
_PASSED = ("(pass)", "--- PASS", "--- SKIP", "=== RUN", "✓", "✔")
_FRAMES = ("exit code", "traceback (most recent", 'file "')
_PLACED = lazy_pattern(r"[^\s\d:+|]{1,12}\s\S.{0,300}?:\d+ ?[^\s\d:]{1,12} ?: ?\d+$|Au caractère Ligne:\d+ : \d+$")
"""Matches the line in which PowerShell says where the error is; the call follows it, after a `+`, then the sentence or the kind of the error."""
_ONLY_PLACE = lazy_pattern(r"[\w./@~+()\[\]-]{1,200}\.\w{1,10}:\d+:\d+")
_DRIVE = lazy_pattern(r"\b[A-Za-z]:\\\w")
"""Matches the start of a Windows path in unescaped output. A `\\n` in such a path does not stand for a line break."""
_NEWLINE = lazy_pattern(r"\\n(?!ul\b)")
"""Matches an escaped line break, not the device `\\nul`."""
_BEGINS_KIND, _ENDS_KIND = "+ CategoryInfo", "+ FullyQualifiedErrorId"
_CODE = "│"
"""Follows the line number where a linter shows code."""
_LONGEST_LINE = 600
_ERROR_WORDS = (
    "error", "exception", "no such file", "permission denied", "not found", "does not exist", "cannot ", "can't ", "could not", "unable to", "failed",
    "failure", "undefined", "refused", "timed out", "timeout", "denied", "invalid", "unexpected", "missing", "not allowed", "exceeds", "conflict",
    "エラー", "失敗", "例外", "見つかりません", "できません", "ありません", "不正", "拒否",
)  # fmt: skip
_TAGS = ("<tool_use_error>", "</tool_use_error>", "<error>", "</error>")

COUNTS = (" 0 error", " 0 fail", "0 errors", "0 failed", "no errors", "without error")
"""Phrases that no error message contains."""
_MARKS = "✘✗✖×❌⚠>│┃╷╵|•-=: \t"
_RULE = "━─ "


def error_excerpt_lines(error: str) -> list[str]:
    """Return the lines that say what is wrong, in order: failed tests with what was expected, diagnostics, messages, then how the run ended.

    Progress, echoed commands, passing tests and their logs are left out. If no line is marked as an error, the result starts at the
    first line that sounds like one. Returns at most 40 lines; selecting again from the result changes nothing that matters.
    """
    return [line.text for line in _excerpt(error)]


def cause_lines(error: str) -> list[str]:
    """Return these lines from the one that says why: the error that a test met (`NameError: …`) instead of the test's name. The name stays before what the
    test compared, since other tests compare the same values."""
    lines = _excerpt(error)
    names = next((place for place, line in enumerate(lines) if not line.is_name()), 0)
    cause = names if lines and lines[names].is_cause() else 0
    return [line.text for line in lines[cause:] if line.kind != VERDICT] or [line.text for line in lines]


@lru_cache(maxsize=8)
def _excerpt(error: str) -> tuple[_Line, ...]:
    """Return the same lines. An error is read when its event is recorded, when it is folded, and when something is looked for that helps."""
    lines = _read(error)
    found: dict[str, _Line] = {}
    for index in _Choice(lines).chosen():
        found.setdefault(lines[index].text, lines[index])
    return tuple(found.values())[:_MOST]


class _Line:
    """One line of output. text: as it is returned; raw: with the marks before it, which determine its kind."""

    __slots__ = ("kind", "raw", "text")

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = raw if raw.startswith("-->") else without_marks(raw)
        self.kind = output_lines.kind(self.text if raw.startswith(_MARGIN) else raw)

    def is_name(self) -> bool:
        """Return whether the line only says which test failed, or that something did."""
        return (self.kind in (FAILED, CROSSED) and not self.raw.startswith(_THROWN)) or self.text in _BARE or self.raw.startswith(_ARROW)

    def is_cause(self) -> bool:
        lowered = self.text.lower().replace("unexpected", "")
        return self.kind in (SAID, PLACE) and not any(word in lowered for word in _COMPARES)


def _read(text: str) -> list[_Line]:
    for tag in _TAGS:
        text = text.replace(tag, "")
    if "\\n" in text and not _DRIVE.search(text):
        text = _NEWLINE.sub("\n", text)
    read = (output_lines.plain(line[:_LONGEST_LINE]) for line in output_lines.window(text).splitlines())
    lines = map(_Line, _with_places(line for line in read if line))
    found = [line for line in lines if line.text and not line.text.lower().startswith(_FRAMES)]
    return _without_place(found) if _ENDS_KIND in text or any(_PLACED.match(line.raw) for line in found) else found


def _with_places(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, each one that is only a place (`./lib/cart.ts:53:76`) with the message below it."""
    place = ""
    for line in lines:
        if place and not _ONLY_PLACE.fullmatch(line):
            line = f"{place} {line}"
        elif place:
            yield place
        place = line if _ONLY_PLACE.fullmatch(line) else ""
        if not place:
            yield line
    if place:
        yield place


def _without_place(lines: list[_Line]) -> list[_Line]:
    """Return the lines of an error of PowerShell without its place, the call, and its kind, which may be broken into several lines."""
    kept, is_kind = [], False
    for line in lines:
        is_kind = line.raw.startswith(_BEGINS_KIND) or (is_kind and not line.raw.startswith("+ "))
        if not is_kind and not line.raw.startswith("+ ") and not _PLACED.match(line.raw):
            kept.append(line)
    return kept


class _Choice:
    """The selection of the lines that say what is wrong."""

    __slots__ = ("lines", "taken")

    def __init__(self, lines: list[_Line]) -> None:
        self.lines = lines
        self.taken: set[int] = set()

    def chosen(self) -> list[int]:
        """Return the indexes of the selected lines: first those that say what is wrong, then the last ones that say that the run failed."""
        lines = self.lines
        failed = [index for index, line in enumerate(lines) if line.kind in (FAILED, CROSSED)]
        done = max((index for index, line in enumerate(lines) if line.kind == DONE), default=-1)
        blocks = [self._test(index) for index in failed if index not in self.taken]
        for index, line in enumerate(lines):
            if index not in self.taken and (line.kind == PLACE or (line.kind == SAID and not failed and index > done)):
                blocks.append(self._message(index))
        verdicts = [index for index, line in enumerate(lines) if line.kind == VERDICT]
        found = [index for block in sorted(blocks) for index in block] or self._without_marks(done, bool(verdicts))
        return [*found, *(index for index in verdicts[-_VERDICTS:] if index not in found)]

    def _test(self, index: int) -> list[int]:
        """Return a failed test and its message, which follows the name, or precedes it if the runner prints the name last."""
        named_last = self.lines[index].raw.startswith(_NAMED_LAST)
        before = self._before(index) if named_last else self._above_summary(index)
        self.taken.update((index, *before))
        return [index, *before, *self._behind(index, 1 if self.lines[index].raw.startswith(_LOGS_FOLLOW) else _NEAR)]

    def _before(self, index: int) -> list[int]:
        """Return the nearest message before the name of a test, with its details."""
        found: list[int] = []
        for at in range(index - 1, max(-1, index - _NEAR), -1):
            line = self.lines[at]
            if at in self.taken or line.kind in (FAILED, DONE) or line.raw.startswith(_PASSED) or len(found) == _DETAILS:
                break
            if line.kind in (SAID, DETAIL):
                found.append(at)
                if line.kind == SAID:
                    break
        return found[::-1]

    def _above_summary(self, index: int) -> list[int]:
        """Return the complete message above a line of a summary that begins with it."""
        begins = self.lines[index].raw.partition(_IN_SUMMARY)[2].removesuffix("...")
        found = (at for at in range(index) if begins and self.lines[at].raw.startswith(_MARGIN) and self.lines[at].text.startswith(begins))
        return list(found)[:1]

    def _behind(self, index: int, reach: int) -> list[int]:
        """Return the messages and details that follow, with at most `reach - 1` other lines in between."""
        found: list[int] = []
        last = index
        for at in range(index + 1, len(self.lines)):
            line = self.lines[at]
            if at - last > reach or line.kind in _ENDS or line.raw.startswith(_PASSED):
                break
            if line.kind in (SAID, DETAIL, PLACE) or (self.lines[last].text.endswith(":") and _CODE not in line.raw):
                found.append(at)
                last = at
        self.taken.update(found)
        return found if len(found) <= _DETAILS else [found[0], *found[1 - _DETAILS :]]

    def _message(self, index: int) -> list[int]:
        """Return a diagnostic with the next line if that explains it, and with eslint's line above that names the file."""
        line = self.lines[index]
        block = [index]
        if line.raw[:1].isdecimal():
            heading = next((at for at in range(index - 1, -1, -1) if self.lines[at].kind != PLACE), None)
            if heading is not None and "/" in self.lines[heading].raw and " " not in self.lines[heading].raw:
                block.insert(0, heading)
        if index + 1 < len(self.lines):
            follows = self.lines[index + 1]
            if follows.kind not in (DONE, RUNNING) and (line.raw.endswith((":", "：", "━")) or follows.raw.startswith("-->")):
                block.append(index + 1)
        self.taken.update(block)
        return block

    def _without_marks(self, done: int, has_verdict: bool) -> list[int]:
        """Select from an output without failed tests and diagnostics: messages after the last success, else what sounds like an error,
        else everything but progress.

        has_verdict: whether a line says that the run failed
        """
        lines = self.lines
        quiet = [index for index, line in enumerate(lines) if line.kind not in (RUNNING, DONE, VERDICT)]
        # If a line says that the run failed, messages before the last success are only the logs of tests that passed.
        marked = [index for index in quiet if lines[index].kind in (DETAIL, SAID) and (index > done or not has_verdict)]
        if marked:
            return marked[-_DETAILS:]
        if has_verdict and done >= 0:
            return []  # what precedes a success is its log
        for index in quiet:
            lowered = lines[index].text.lower()
            if sounds_like_error(lowered) and _CODE not in lines[index].raw and not any(count in lowered for count in COUNTS):
                return [at for at in quiet if at >= index][:_DETAILS]
        if has_verdict:
            return quiet if len(quiet) <= _FEW else []
        return quiet or list(range(len(lines)))


def sounds_like_error(line: str) -> bool:
    """Return whether a line has a word of errors in it."""
    return any(map(line.lower().__contains__, _ERROR_WORDS))


def is_about_code(error: str) -> bool:
    """Return whether an error is about the code that is being changed: diagnostics with their place, or tests that failed."""
    return any(line.kind in (PLACE, FAILED, CROSSED) for line in _read(error))


def without_marks(line: str) -> str:
    """Return a line without the crosses, bars and rules that programs put around it, and without pytest's margin."""
    line = line.lstrip(_MARKS).rstrip(_RULE)
    return line[1:].lstrip() if line.startswith(_MARGIN) else line


def error_signature(tool: str, error: str | None, root: str = "") -> str | None:
    """Return the tool and the first line that says what is wrong, normalised: `Bash: fatal: not a git repository`; None without a text.

    Numbers and hashes become `#` and secrets `_`. Paths are relative to root; of other paths only the name remains. A line that
    ends in a colon includes the next line.
    """
    if not error or not error.strip():
        return None
    lines = cause_lines(error)
    if not lines:
        return None
    text = lines[0]
    if text.endswith((":", "：")) and len(lines) > 1:
        text += " " + lines[1]
    words = redact(text, None).split()
    return f"{tool}: {' '.join('_' if MARK in word else _steady(word, root) for word in words)}"[:_LONGEST].rstrip()


def first_error_line(text: str) -> str | None:
    """Return the first line of a text that certainly is an error (`error:`, `fatal:`, `ValueError: …`), as written; None if there is none."""
    for line in text[:_LONGEST_TEXT].splitlines():
        line = without_marks(output_lines.plain(line[:_LONGEST_COMPARED]))
        if line and _is_sharp(line, _beginning(line.lower())):
            return line
    return None


def _beginning(lowered: str) -> str:
    """Return the first two words, because later in a line `error:` is part of a sentence; a shell's message (`sh: x: command not found`) in full."""
    return lowered if lowered.startswith(_SHELLS) else " ".join(lowered.split(" ", 2)[:2])


def _is_sharp(line: str, lowered: str) -> bool:
    if any(count in lowered for count in COUNTS):
        return False
    if any(word in lowered for word in _SHARP):
        return True
    name = line.split(":", 1)[0].split("(", 1)[0]
    return name.endswith(("Error", "Exception")) and name.replace(".", "").replace("_", "").isalnum()


def _steady(word: str, root: str) -> str:
    """Normalise one word of the line. Brackets and quotes around it stay."""
    start, end = 0, len(word)
    while start < end and word[start] in _OPENERS:
        start += 1
    while end > start and word[end - 1] in _CLOSERS:
        end -= 1
    core = word[start:end]
    steady = _core(core, root) if core else ""
    closing = word[end:].lstrip(")") if "(" in core and "(" not in steady else word[end:]
    return word[:start] + steady + closing


def _core(core: str, root: str) -> str:
    plain = paths.without_line(core)
    if "/" in plain and "://" not in plain and paths.looks_like_path(plain):
        where = paths.relative(plain, root) if root or not plain.startswith("/") else ""
        return where if where and not where.startswith(".") else plain.rstrip("/").rpartition("/")[2]
    if plain != core and paths.looks_like_path(plain):
        return plain
    # A long word that starts with a digit and has mostly other characters is a name, such as `2fa_enabled`, not a quantity.
    if core[0].isdecimal() or (core[0] in "+-~#@" and core[1:2].isdecimal()):
        return "#" if sum(sign.isdecimal() for sign in core) * 2 >= len(core) or len(core) < 8 else core
    if core.startswith("0x") or (len(core) >= 7 and all(sign in _HEX for sign in core) and any(sign.isdecimal() for sign in core)):
        return "#"
    return _without_long_numbers(core)


def _without_long_numbers(core: str) -> str:
    """Replace long numbers: `worker-48213` becomes `worker-#`. Short numbers are part of names (`utf8`, `get/2`)."""
    letters = core.rstrip("0123456789")
    if sum(sign.isdecimal() for sign in core) < 3 or (letters.isalpha() and letters.isupper() and len(letters) <= 5):
        return core  # `TS2322`, `E0308`: the number identifies the error
    return paths.without_long_numbers(core, 3)

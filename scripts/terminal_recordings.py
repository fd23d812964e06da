"""Record what `list`, `rotate --dry-run` and `status` print at 60, 80 and 120 columns, with 30 and with 6,000 notes, in docs/terminal/.

python scripts/terminal_recordings.py            write the recordings
python scripts/terminal_recordings.py --check    end with exit code 1 if they differ from what the commands print

The bank is generated, and the clock shows the same instant for every command, so that the same code prints the same bytes.
"""

import contextlib
import io
import os
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from memorybank.cli.call import CommandCall
from memorybank.cli.main import run
from memorybank.clock import DAY, FixedClock
from memorybank.doctor import run as doctor

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "terminal"
NOW = 1_758_112_496_789
SIZES = (30, 6_000)
WIDTHS = (60, 80, 120)
COMMANDS = {"list": ("list",), "rotate": ("rotate", "--dry-run"), "status": ("status",)}
_SUBJECTS = (
    "the staging database", "retries of the upload", "認証トークンの期限", "release steps", "用語集", "the cache in front of search", "定例会議の議事録",
    "why there is no server", "エラー処理の方針", "the migration of accounts", "監視と警報", "naming of branches",
)  # fmt: skip
_KINDS = (
    ("planning", "Decision about {}", "We decided this because the alternative failed twice. See the incident and its remedy.\n"),
    ("implementation", "How {} works, with everything that was tried before it worked", "- first step\n- second step\n\n```sh\nmake test\n```\n"),
    ("sync", "{}", "議事録。担当と期限を決めた。\n"),
    ("shared", "{}: rules that everybody must know before they change anything", "**Never** change it on a Friday.\n"),
)


def recordings(count: int) -> Iterator[tuple[str, str]]:
    """Yield (file name, text) for every command and width over a bank of this many notes."""
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        active = Path(place, "project/.claude/memory/active")
        _write_notes(active, count)
        os.chdir(active.parents[2])
        # What doctor finds depends on the machine: its programs, libraries and free space.
        with patch.object(doctor, "quick", lambda layout, clock: []):
            for name, arguments in COMMANDS.items():
                for width in WIDTHS:
                    yield f"{name}-{count}-notes-{width}-columns.txt", f"$ memorybank {' '.join(arguments)}\n{_printed(arguments, width)}"


def _write_notes(active: Path, count: int) -> None:
    chance = random.Random(f"terminal {count}")
    for number in range(count):
        subject = _SUBJECTS[number % len(_SUBJECTS)]
        folder, title, text = _KINDS[chance.randrange(len(_KINDS))]
        path = active / folder / f"{subject.replace(' ', '-')}-{number:04}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {title.format(subject)}\n\n{number}. {text * chance.randrange(1, 5)}", encoding="utf-8")
        instant = NOW - chance.randrange(2 * 3_600_000, 90 * DAY)
        os.utime(path, ns=(instant * 1_000_000, instant * 1_000_000))


def _printed(arguments: tuple[str, ...], width: int) -> str:
    printed = io.StringIO()
    with patch.dict(os.environ, COLUMNS=str(width), LINES="50", TZ="UTC", NO_COLOR="1"), contextlib.redirect_stdout(printed):
        code = run(arguments, CommandCall(clock=FixedClock(NOW)))
    assert code == 0, (arguments, code)
    return printed.getvalue()


def main(arguments: list[str]) -> int:
    different = []
    for count in SIZES:
        for name, text in recordings(count):
            path = FOLDER / name
            if path.exists() and path.read_text(encoding="utf-8") == text:
                continue
            different.append(name)
            if "--check" not in arguments:
                FOLDER.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
    if different:
        print(f"docs/terminal: {', '.join(different)} {'differ; run python scripts/terminal_recordings.py' if '--check' in arguments else 'written'}")
    return 1 if different and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

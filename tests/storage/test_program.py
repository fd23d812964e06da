"""Programs are started and their output is returned, without the package `subprocess`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.storage import program


def answer(*command: str, seconds: float = 60.0) -> tuple[int, bytes]:
    return program.answer(command, {"PATH": os.environ["PATH"], "GREETING": "hello"}, seconds)


def code(text: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", text)


def test_the_exit_code_and_all_of_the_output_are_returned() -> None:
    written = "import os, sys; os.write(1, b'x' * 300_000); os.write(2, b'y' * 300_000); sys.exit(3)"
    assert answer(*code(written)) == (3, b"x" * 300_000)


def test_a_program_reads_nothing_and_gets_this_environment_alone() -> None:
    told = "import os, sys; print(sys.stdin.read() == '', os.environ['GREETING'], 'HOME' in os.environ)"
    assert answer(*code(told)) == (0, b"True hello False\n")


def test_a_program_inherits_no_file_and_no_ignored_signal(tmp_path: Path) -> None:
    with open(tmp_path / "open", "wb") as stream:
        told = f"import os, signal\ntry:\n os.fstat({stream.fileno()})\nexcept OSError:\n print(signal.getsignal(signal.SIGXFSZ) == signal.SIG_IGN)"
        assert answer(*code(told)) == (0, b"True\n"), "Python ignores it itself"
        shown = answer("/bin/sh", "-c", "grep SigIgn /proc/self/status") if os.path.exists("/proc/self/status") else (0, b"SigIgn:\t0\n")
    assert int(shown[1].split()[1], 16) & (1 << 12 | 1 << 24) == 0


@pytest.mark.parametrize("text", ["exec sleep 600", "exec >&-; exec sleep 600", "echo begun; exec sleep 600"], ids=["silent", "closed", "begun"])
def test_a_program_that_does_not_end_in_time_is_ended(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    real = program._started

    def remembered(*arguments: object) -> int:
        started.append(real(*arguments))  # type: ignore[arg-type]  # passed on as they are
        return started[-1]

    monkeypatch.setattr(program, "_started", remembered)
    with pytest.raises(TimeoutError):
        answer("/bin/sh", "-c", text, seconds=0.05)
    with pytest.raises(ChildProcessError):
        os.waitpid(started[0], os.WNOHANG)


def test_a_program_that_is_killed_has_a_negative_code_as_in_subprocess() -> None:
    assert answer("/bin/sh", "-c", "kill -9 $$") == (-9, b"")


def test_a_missing_program_is_an_error_of_the_system_and_leaves_no_file_open() -> None:
    before = os.listdir("/dev/fd")
    with pytest.raises(FileNotFoundError):
        answer("no-such-program-here")
    assert len(os.listdir("/dev/fd")) == len(before)


def test_subprocess_is_not_imported() -> None:
    probe = (
        "import sys; sys.path.insert(0, sys.argv[1]); from memorybank.storage import program; "
        "program.answer(('true',), {'PATH': '/bin:/usr/bin'}, 60.0); print(*{'subprocess', 'signal', 'selectors', 'threading'} & set(sys.modules))"
    )
    root = str(Path(program.__file__).parents[2])
    done = subprocess.run([sys.executable, "-I", "-S", "-c", probe, root], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_program_that_reads_gets_its_input() -> None:
    assert program.answer_to(b"z" * 300_000, ("cat",), {"PATH": os.environ["PATH"]}, 60.0) == (0, b"z" * 300_000)

"""A command as the operating system sees it: closed pipes, full devices, odd locales, interrupts."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.cli.call import CommandCall
from memorybank.cli.main import run as run_command

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NOTES = {"shared/用語集.md": "---\ntitle: 用語集\n---\n# 用語集\n\n検索の索引。\n", "planning/a.md": "# A\n"}


def start(bank, *arguments, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **options.pop("env", {})}
    return subprocess.Popen([sys.executable, "-m", "memorybank", *arguments], cwd=bank.repository, stderr=subprocess.PIPE, env=environment, **options)


@pytest.mark.parametrize("arguments", [["list"], ["list", "--format", "json"], ["show", "planning/a.md"], ["--help"], ["nonsense"]])
def test_a_reader_that_left_ends_the_command_quietly(bank, arguments):
    """`memorybank list | head -0`: no message about the pipe, no traceback."""
    scratch = bank(NOTES)
    reading, writing = os.pipe()
    os.close(reading)
    done = start(scratch, *arguments, stdout=writing)
    os.close(writing)
    said = done.communicate(timeout=60)[1].decode()
    assert "Traceback" not in said and "Broken" not in said and "ipe" not in said
    assert done.returncode == (2 if arguments == ["nonsense"] else 0)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_below_the_output_is_exit_8(bank):
    with open("/dev/full", "wb") as full:
        done = start(bank(NOTES), "list", stdout=full)
        said = done.communicate(timeout=60)[1].decode()
    assert done.returncode == 8 and "Traceback" not in said and "No space left" in said


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}], ids=str
)
def test_output_is_utf_8_whatever_the_locale_says(bank, process, locale):
    scratch = bank(NOTES)
    for arguments in (["list"], ["show", "shared/用語集.md"], ["list", "--format", "json"]):
        result = process(scratch, *arguments, **locale)
        assert result.code == 0 and "用語集" in result.out, result.err


def test_a_name_that_is_no_utf_8_stops_nothing(bank, process):
    """It is listed as a problem, in every format."""
    scratch = bank(NOTES)
    path = os.fsencode(scratch.active) + b"/planning/caf\xe9.md"
    with open(path, "wb") as stream:
        stream.write(b"# x\n")
    for form in ("table", "json", "markdown"):
        result = process(scratch, "list", "--problems", "--format", form)
        assert result.code == 0 and "name_not_utf8" in result.out, result.err
        assert process(scratch, "list", "--format", form).code == 0


def test_an_interrupt_is_130_and_says_that_running_again_finishes(bank, monkeypatch, capsys):
    def interrupted(self, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CommandCall, "open", interrupted)
    assert run_command(["list"]) == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_bug_in_a_command_is_exit_70_without_traceback(monkeypatch, capsys, tmp_path):
    def broken(self, **_):
        raise ZeroDivisionError("the text of a note")

    monkeypatch.setattr(CommandCall, "open", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run_command(["list"]) == 70
    said = capsys.readouterr().err
    assert "ZeroDivisionError" in said and "the text of a note" not in said and "Traceback" not in said


def test_windows_is_told_at_start(monkeypatch, capsys):
    """Before anything that needs POSIX is imported."""
    from memorybank.__main__ import main

    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 1
    assert "Windows" in capsys.readouterr().err


def test_results_go_to_stdout_and_errors_to_stderr(bank, run):
    scratch = bank(NOTES)
    assert run(scratch, "list").err == ""
    failed = run(scratch, "show", "nowhere.md")
    assert failed.out == "" and failed.err.startswith("memorybank: ")


def test_an_interrupt_while_the_program_loads_is_no_traceback():
    program = """
import sys
class CtrlC:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt
sys.meta_path.insert(0, CtrlC())
from memorybank.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (130, "")

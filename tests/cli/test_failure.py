"""Every error is a sentence with the next step and its exit code; a bug never shows a traceback."""

import json
import os
import sqlite3
import tempfile
from pathlib import Path

import click
import pytest

from memorybank import errors
from memorybank.cli import failure
from memorybank.cli.main import run as run_command


def every_class(base=errors.MemorybankError):
    yield base
    for below in base.__subclasses__():
        if below.__module__.startswith("memorybank"):
            yield from every_class(below)


@pytest.mark.parametrize("kind", sorted(set(every_class()), key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__)
def test_every_typed_error_becomes_a_sentence_and_its_exit_code(kind, capsys):
    error = errors.MemorybankError.__new__(kind)
    errors.MemorybankError.__init__(error, "it is so", next_step="do this")
    assert failure.report(error, []) == kind.exit_code
    assert capsys.readouterr().err == "memorybank: it is so\n  next: do this\n"


@pytest.mark.parametrize("words", [[], ["hooks"], ["log"], ["summary"], ["config"]])
def test_a_command_of_commands_without_one_shows_its_help_line_by_line(bank, run, words):
    found = run(bank(), *words)
    shown = found.out + found.err
    assert shown.startswith(f"Usage: {' '.join(['memorybank', *words])} ")
    assert "\n\nCommands:\n" in shown or "\n\nNotes:\n" in shown
    assert "  next:" not in shown


def test_json_errors_are_one_object_on_stderr(capsys):
    assert failure.report(errors.NotFound("no bank", next_step="make one"), ["list", "--format", "json"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert json.loads(captured.err) == {"version": 1, "error": {"code": "not_found", "exit_code": 3, "message": "no bank", "next_step": "make one"}}


def test_format_json_after_the_double_dash_is_a_query(capsys):
    failure.report(errors.NotFound("x"), ["search", "--", "--format", "json"])
    assert capsys.readouterr().err == "memorybank: x\n  next: 'memorybank list' shows the notes, and 'memorybank doctor' checks the bank\n"


@pytest.mark.parametrize("kind", [errors.MemorybankError, errors.UsageError, errors.NotFound, errors.ResourceExhausted, errors.ValidationFailed])
def test_every_error_says_what_to_do_next(capsys, kind):
    failure.report(kind("x"), ["list"])
    assert "\n  next: " in capsys.readouterr().err
    failure.report(kind("x"), ["list", "--json"])
    assert json.loads(capsys.readouterr().err)["error"]["next_step"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PermissionError(13, "Permission denied", "/x"), 4),
        (OSError(28, "No space left on device", "/x"), 8),
        (OSError(30, "Read-only file system", "/x"), 4),
        (FileNotFoundError(2, "No such file or directory", "/x"), 1),
        (MemoryError(), 8),
        (click.UsageError("bad"), 2),
        (click.BadParameter("bad"), 2),
        (click.exceptions.Abort(), 130),
        (KeyboardInterrupt(), 130),
        (sqlite3.OperationalError("odd"), 1),
    ],
)
def test_foreign_errors_have_exit_codes_too(error, code, capsys):
    assert failure.report(error, []) == code
    assert "Traceback" not in capsys.readouterr().err


def test_a_bug_leaves_a_report_without_anything_of_the_users(capsys, monkeypatch, tmp_path):
    """Versions and code positions only: no message, no value, no path of the machine."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    secret = "hunter2"
    try:
        raise RuntimeError(f"cannot parse {secret} in {Path.home()}")
    except RuntimeError as error:
        assert failure.report(error, []) == 70
    said = capsys.readouterr().err
    assert "Traceback" not in said and secret not in said and "RuntimeError" in said
    [report] = list(tmp_path.iterdir())
    assert str(report) in said
    text = report.read_text()
    assert "memorybank 0" in text and "builtins.RuntimeError" in text and "test_a_bug_leaves" in text
    assert secret not in text and str(Path.home()) not in text and os.getcwd() not in text
    assert report.stat().st_mode & 0o777 == 0o600


def test_a_bug_without_room_for_a_report_is_still_a_sentence(capsys, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    assert failure.report(RuntimeError("x"), []) == 70
    assert "please report" in capsys.readouterr().err


def test_unknown_commands_and_options_are_usage_errors(bank, run):
    scratch = bank({})
    assert run(scratch, "serch").code == 2
    assert "did you mean 'search'" in run(scratch, "serch").err
    assert run(scratch, "list", "--nope").code == 2
    assert "'memorybank list --help'" in run(scratch, "list", "--nope").err


def test_no_bank_is_exit_3_with_the_way_out(tmp_path, monkeypatch, capsys):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run_command(["list"]) == 3
    assert "memorybank init" in capsys.readouterr().err

"""click as commands import it: nobody notices the stand-ins, except by the modules that are not loaded."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.cli import light_click
from memorybank.cli.main import SECTIONS

ROOT = Path(__file__).resolve().parents[2]
LATE = {"inspect", "ast", "dis", "tokenize", "uuid", "platform", "datetime", "gettext", "locale"}


def run(program: str) -> str:
    """Return what a program prints that has loaded click as commands do."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from memorybank.cli import light_click; light_click.load(); import click\n{program}"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(Path(click.__file__).parents[1])]), "PYTHONDONTWRITEBYTECODE": "1"}


def test_an_option_is_declared_without_the_modules_that_click_names():
    program = "click.command()(click.option('--name', help='''A name.\\n\\n    Of something.''')(lambda name: None))\nprint(*sys.modules)"
    assert not LATE & set(run(program).split())


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ("from click import core; core.inspect.isfunction(run := lambda: 0); import inspect; print(core.inspect.isfunction is inspect.isfunction)", "True"),
        ("import uuid; print(click.types.uuid.UUID is uuid.UUID, isinstance(click.UUID.convert('0' * 32, None, None), uuid.UUID))", "True True"),
        ("import inspect; print(inspect.__file__ is not None, inspect.isclass(int))", "True True"),
        (
            "import gettext, locale; print(gettext.gettext('Usage'), gettext.NullTranslations().ngettext('one', 'many', 2), locale.LC_ALL is not None)",
            "Usage many True",
        ),
        ("import datetime; print(repr(click.DateTime().convert('2025-09-17', None, None)))", "datetime.datetime(2025, 9, 17, 0, 0)"),
        ("import datetime as real; day = real.datetime(2025, 9, 17); print(click.DateTime().convert(day, None, None) is day)", "True"),
        ("from click.testing import CliRunner; print(CliRunner().invoke(click.command()(lambda: click.echo('done'))).output)", "done"),
        ("print(hasattr(click.core.inspect, '__path__'), hasattr(click.core.inspect, 'nothing'))", "False False"),
    ],
)
def test_whatever_else_click_needs_is_the_real_module(program, printed):
    assert run(program) == printed


@pytest.mark.parametrize("number", [0, 1, 2])
def test_messages_are_those_of_the_real_modules(number):
    program = (
        "from click.testing import CliRunner\n"
        "run = click.command()(click.option('--pair', nargs=2, help='Two values.')(click.option('--at', type=click.DateTime())(lambda pair, at: None)))\n"
        f"print(*[CliRunner().invoke(run, each).output for each in (['--pair', *'ab'[:{number}]], ['--help'], ['--at', 'x'], ['--nothing'])])"
    )
    real = f"import click\n{program}"
    done = subprocess.run([sys.executable, "-S", "-c", real], capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=True, timeout=60)
    assert run(program) == done.stdout.strip()


def test_modules_that_are_loaded_already_are_used_as_they_are():
    code = "import sys, inspect, uuid; from memorybank.cli import light_click; light_click.load(); import click; print(click.core.inspect is inspect)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=ENVIRONMENT, check=True, timeout=60)
    assert done.stdout == "True\n"


@given(st.text("ab \n\t", max_size=60))
def test_indentation_is_removed_as_the_real_module_does_it(text):
    assert light_click.cleandoc(text) == inspect.cleandoc(text)


@pytest.mark.parametrize("name", [name for rows in SECTIONS.values() for name in rows])
def test_the_help_of_every_command_is_the_same(name):
    command = next(rows[name] for rows in SECTIONS.values() if name in rows).load()
    texts = [command.help or "", command.epilog or "", *(option.help or "" for option in command.params if isinstance(option, click.Option))]
    assert [light_click.cleandoc(text) for text in texts] == [inspect.cleandoc(text) for text in texts]

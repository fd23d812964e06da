"""The C module of pyromark is loaded without its package, and the package as usual where that is not possible."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READ = "from memorybank.notes import structure; found = structure.read('# A *b*\\n\\n- c\\n').headings; assert found == ('A b',), found; "


def run(code: str) -> str:
    """Run a program that reads a note in a process of its own, in which nothing is loaded yet."""
    done = subprocess.run([sys.executable, "-c", f"import sys; {code}"], capture_output=True, encoding="utf-8", cwd=ROOT, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_note_is_read_without_the_package() -> None:
    assert run(f"{READ}print('pyromark' in sys.modules, 'pyromark._pyromark' in sys.modules)") == "False True\n"


def test_the_package_can_be_imported_afterwards_and_has_the_same_c_module() -> None:
    code = f"{READ}import pyromark; from memorybank.notes import commonmark; print(pyromark.html('*a*').strip(), commonmark.parser() is pyromark, "
    assert run(f"{code}pyromark.events_with_range is sys.modules['pyromark._pyromark'].events_with_range)") == "<p><em>a</em></p> True True\n"


@pytest.mark.parametrize(
    "unusual",
    [
        "import _imp; _imp.extension_suffixes = list; ",
        "import os; sys.path = [each for each in sys.path if not os.path.isdir(each + '/pyromark')]; sys.meta_path.append(Elsewhere); ",
    ],
    ids=["no C module of a known form", "not in a folder of the path"],
)
def test_where_that_is_not_possible_the_package_is_imported(unusual: str) -> None:
    elsewhere = "\nfrom importlib.machinery import PathFinder\nfolders = list(sys.path)\nclass Elsewhere:\n"
    elsewhere += "    def find_spec(name, path=None, target=None): return PathFinder.find_spec(name, path or folders, target)\n"
    assert run(f"{elsewhere}{unusual}{READ}print('pyromark' in sys.modules)") == "True\n"

"""SQLite's C module comes alone, and whoever needs `functools` afterwards gets the real one."""

import subprocess
import sys
from pathlib import Path

from tests.house.test_light_path import EVERY_PYTHON

ROOT = Path(__file__).resolve().parents[2]
ALONE = """
import sys
sys.path.append(sys.argv[1])
from memorybank.storage.sqlite import sqlite3
loaded = "functools" in sys.modules or "collections" in sys.modules
connection = sqlite3.connect(":memory:")
for _ in range(3):
    for number in range(200):
        assert connection.execute(f"SELECT {number}").fetchone() == (number,)
import functools
assert functools.partial(int, "7")() == 7 and functools.lru_cache(maxsize=1)(len)("abc") == 3
import sqlite3 as package
assert package.connect(":memory:").execute("SELECT 1").fetchone() == (1,)
print(loaded)
"""
AFTER = """
import functools, sys
sys.path.append(sys.argv[1])
from memorybank.storage.sqlite import sqlite3
assert sys.modules["functools"] is functools
print("ok")
"""


@EVERY_PYTHON
def test_nothing_comes_along(python):
    done = subprocess.run([python, "-I", "-S", "-c", ALONE, str(ROOT)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\n", "")


def test_where_functools_is_there_already_it_is_left_alone():
    done = subprocess.run([sys.executable, "-I", "-S", "-c", AFTER, str(ROOT)], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("ok\n", "")

"""The text functions that a hook calls need no expensive import."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ALLOWED = {"os", "stat", "posixpath", "genericpath", "unicodedata", "__future__", "_operator", "_sha2", "_sha256"}
PROBE = "import sys, os; before = set(sys.modules); sys.path.insert(0, sys.argv[1]); __import__(sys.argv[2]); print(*(set(sys.modules) - before))"


@pytest.mark.parametrize("module", ["secrets.redact", "commands.fingerprint", "commands.anchors", "words.terms"])
def test_a_hook_can_afford_it(module):
    """They import only this project's light modules and those that the interpreter has loaded anyway."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE, str(ROOT), f"memorybank.text.{module}"], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = {name for name in done.stdout.split() if not name.startswith("memorybank")}
    assert loaded <= ALLOWED

"""The paths that a privacy rule matches."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.text.commands.private_paths import matches


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        (".env", ".env*", True),
        ("app/.env.local", ".env*", True),
        ("app/env.py", ".env*", False),
        ("certs/server.pem", "*.pem", True),
        ("server.pem.txt", "*.pem", False),
        ("deploy/secrets/prod.yaml", "**/secrets/**", True),
        ("secrets/a/b.txt", "**/secrets/**", True),
        ("secretsauce/a.txt", "**/secrets/**", False),
        ("設定/秘密/鍵.txt", "設定/**", True),
        ("src/a.py", "src/*.py", True),
        ("src/b/a.py", "src/*.py", False),
        ("src/b/c/a.py", "src/**/a.py", True),
        ("src/a.py", "src/**/a.py", True),
        ("~/.ssh/id_rsa", "**/.ssh/**", True),
        ("a.py", "?.py", True),
        ("ab.py", "?.py", False),
        ("a", "", False),
    ],
)
def test_globs(path, pattern, expected):
    assert matches(path, pattern) is expected


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=8))
def test_one_part_matches_as_the_shell_does(pattern, text):
    assert matches(text or "x", pattern or "y") == fnmatch.fnmatchcase(text or "x", pattern or "y")


def test_many_stars_take_no_time():
    assert not matches("a" * 2_000 + "/b", "*a" * 500 + "b/c")

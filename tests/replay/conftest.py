"""Handwritten histories as folders."""

import pytest

from .told import written


@pytest.fixture
def history(tmp_path):
    """history(*sessions, notes=None) → the history's folder."""
    made = 0

    def make(*sessions, notes=None):
        nonlocal made
        made += 1
        return written(tmp_path / f"history{made}", *sessions, notes=notes)

    return make

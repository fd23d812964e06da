"""`world`: a bank's episodes with logs in memory."""

import pytest

from .worlds import World


@pytest.fixture
def world(bank):
    return World(bank().layout)

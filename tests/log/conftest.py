import pytest

from memorybank.storage.layout import Layout


@pytest.fixture
def layout(tmp_path):
    return Layout(str(tmp_path / "memory"))

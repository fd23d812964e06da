"""ask(notes, …) → a function that searches a bank of these notes through the real index."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from memorybank.clock import Clock
from memorybank.config import settings
from memorybank.index import fold, working
from memorybank.search.hit import SearchAnswer
from memorybank.search.query import Query
from memorybank.search.search import search

Ask = Callable[..., Callable[..., SearchAnswer]]


@pytest.fixture
def ask(bank) -> Iterator[Ask]:
    yield from _asking(bank)


@pytest.fixture(scope="module")
def shared_ask(shared_bank) -> Iterator[Ask]:
    """As `ask`, for a bank that all tests of a module search."""
    yield from _asking(shared_bank)


def _asking(bank) -> Iterator[Ask]:
    opened = []

    def make(notes: Mapping[str, str | bytes], **options: object) -> Callable[..., SearchAnswer]:
        layout = bank(notes, **options).layout
        index = working.open_index(layout, settings.load(layout), Clock())
        opened.append(index)
        fold.refresh(index, fresh=True)

        def asked(text: str = "", type: str = "keyword", **filters: object) -> SearchAnswer:
            return search(index, Query(text, type, **filters), index.now)

        asked.index = index
        return asked

    yield make
    for index in opened:
        index.close()

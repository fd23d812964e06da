"""Packed vectors are as similar as the originals, with numpy and without."""

import random
import sys
from importlib import import_module

import pytest

from memorybank.meaning import vectors


def direction(source, dimension=384):
    return vectors.normalised([source.gauss(0, 1) for _ in range(dimension)])


@pytest.fixture(params=["python", "numpy"])
def way(request, monkeypatch):
    if request.param == "python":
        monkeypatch.setitem(sys.modules, "numpy", None)
    else:
        import_module("numpy")  # without it the other way would be tested twice


def test_similarities_are_those_of_the_full_vectors(way):
    source = random.Random(1)
    query = direction(source)
    documents = [[direction(source) for _ in range(count)] for count in (1, 3, 1, 7, 2)]
    data = b"".join(vectors.packed(each) for document in documents for each in document)
    found = vectors.best_of_documents(query, data, [len(document) for document in documents])
    for document, best in zip(documents, found, strict=True):
        exact = [sum(a * b for a, b in zip(query, each, strict=True)) for each in document]
        assert best.similarity == pytest.approx(max(exact), abs=0.003) and best.at == exact.index(max(exact))


def test_the_same_direction_is_1_whatever_its_length(way):
    query = direction(random.Random(2))
    data = vectors.packed([number * 40 for number in query]) + vectors.packed([-number for number in query])
    assert [round(found.similarity, 3) for found in vectors.best_of_documents(query, data, [1, 1])] == [1.0, -1.0]


def test_nothing_has_no_best(way):
    assert vectors.best_of_documents([1.0], b"", []) == []


def test_a_vector_takes_a_byte_for_each_dimension():
    assert len(vectors.packed([0.5] * 384)) == 388

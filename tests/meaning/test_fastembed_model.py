"""A model that fastembed runs: how it is asked for vectors, and what is said when it cannot be. The library is replaced; the real one was tried by hand."""

import os
import sys
from types import ModuleType

import pytest

from memorybank.clock import FixedClock
from memorybank.config import own
from memorybank.errors import ConfigInvalid, MissingExtra
from memorybank.meaning import choosing
from memorybank.meaning.embedder import PASSAGE, QUERY, EmbedderRefused, EmbedderUnusable

MODEL = "BAAI/bge-small-en-v1.5"


class Vector(list):
    """What of an array the embedder uses."""

    def tolist(self):
        return list(self)


class Library:
    """fastembed's class `TextEmbedding`. made: the arguments of each model; asked: (texts, batch size) of each call; vector: the answer for each text"""

    def __init__(self):
        self.made, self.asked, self.vector, self.is_here = [], [], (1.0, 2.0), True

    def list_supported_models(self):
        return [{"model": MODEL}, {"model": "intfloat/multilingual-e5-large"}]

    def __call__(self, model, **options):
        self.made.append((model, options))
        if not self.is_here:
            raise ValueError(f"Could not load model {model} from any source.\nmore")
        return self

    def embed(self, texts, batch_size):
        self.asked.append((texts, batch_size))
        return (Vector(self.vector) for _ in texts)


@pytest.fixture
def library(monkeypatch):
    module = ModuleType("fastembed")
    module.TextEmbedding = Library()
    monkeypatch.setitem(sys.modules, "fastembed", module)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    return module.TextEmbedding


@pytest.fixture
def built(choose_embedder, tmp_path):
    def make(model=MODEL, **settings):
        choose_embedder(use="fastembed", **({"model": model} if model else {}), **settings)
        values = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "own")}
        choice = choosing.choose(own.load(values), values)
        return choice, choice.build(FixedClock(0))

    return make


def test_texts_become_vectors_in_this_process_and_nothing_is_downloaded(built, library):
    choice, embedder = built(batch=3)
    assert (choice.name, choice.leaves_by, embedder.name) == (f"fastembed:{MODEL}",) * 3
    assert embedder.embed(["a", "b"], PASSAGE) == [[1.0, 2.0], [1.0, 2.0]]
    assert embedder.embed(["c"], QUERY) == [[1.0, 2.0]]
    assert library.made == [(MODEL, {"local_files_only": True})]
    assert (os.environ["ORT_DISABLE_TELEMETRY"], os.environ["HF_HUB_OFFLINE"]) == ("1", "1"), "before onnxruntime is imported"
    assert library.asked == [(["a", "b"], 3), (["Represent this sentence for searching relevant passages: c"], 3)]


def test_a_folder_holds_the_files(built, library):
    built(folder="~/models/bge")
    assert library.made == [(MODEL, {"local_files_only": True, "specific_model_path": os.path.expanduser("~/models/bge")})]


def test_another_model_makes_other_vectors(built, library):
    first, other, in_folder = (built(**change)[0].identity for change in ({}, {"model": "intfloat/multilingual-e5-large"}, {"folder": "/x"}))
    assert first != other and first == in_folder


def test_without_the_library_it_says_how_to_install_it(built, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastembed", None)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    with pytest.raises(MissingExtra) as caught:
        built()
    assert "fastembed" in caught.value.message and "[fastembed]" in caught.value.next_step


def test_a_model_that_is_not_on_this_machine_is_not_downloaded(built, library):
    library.is_here = False
    with pytest.raises(EmbedderUnusable) as caught:
        built()
    assert caught.value.message == f"the model {MODEL} cannot be loaded on this machine: Could not load model {MODEL} from any source."
    assert f'fastembed.TextEmbedding("{MODEL}")' in caught.value.next_step and "embedder.folder" in caught.value.next_step


def test_a_model_that_fastembed_does_not_know(built, library):
    with pytest.raises(EmbedderUnusable, match="does not support the model nobody/nothing"):
        built("nobody/nothing")
    assert library.made == []


def test_a_model_must_be_named(built, library):
    with pytest.raises(ConfigInvalid, match="'fastembed' has no model"):
        built("")


def test_a_vector_of_zeros_is_refused(built, library):
    library.vector = (0.0, 0.0)
    with pytest.raises(EmbedderRefused, match="a vector of zeros"):
        built()[1].embed(["a"], PASSAGE)

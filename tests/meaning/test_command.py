"""A program as embedder: JSON lines in, JSON lines out."""

import json
import sys

import pytest

from memorybank.meaning.command import CommandEmbedder
from memorybank.meaning.embedder import PASSAGE, QUERY, EmbedderBusy, EmbedderRefused, EmbedderUnusable
from memorybank.meaning.prefixes import EmbeddingPrefixes

GOOD = """
import json, os, sys
for line in sys.stdin:
    said = json.loads(line)
    print(json.dumps({"embedding": [len(said["text"]), said["kind"] == "query", os.environ["MEMORYBANK_INTERNAL"] == "1"]}))
"""


NO_PREFIXES = EmbeddingPrefixes()


@pytest.fixture
def embedder(tmp_path):
    def make(program, prefixes=NO_PREFIXES, **options):
        path = tmp_path / "program.py"
        path.write_text(program, encoding="utf-8")
        return CommandEmbedder((sys.executable, str(path)), {"PATH": "/usr/bin:/bin"}, prefixes, 8, **options)

    return make


def test_each_line_is_answered_by_a_vector(embedder):
    assert embedder(GOOD).embed(["ab", "日本\n語"], PASSAGE) == [[2.0, 0.0, 1.0], [4.0, 0.0, 1.0]]
    assert embedder(GOOD, EmbeddingPrefixes("query: ")).embed(["ab"], QUERY) == [[9.0, 1.0, 1.0]]


def test_a_line_may_be_the_list_itself(embedder):
    assert embedder("import sys\nfor line in sys.stdin: print([1, 2])").embed(["a", "b"], PASSAGE) == [[1.0, 2.0], [1.0, 2.0]]


@pytest.mark.parametrize("output", ["hello", json.dumps({"vector": [1]}), json.dumps(["a"]), "7", "[1, 2]\n[3, 4]"])
def test_anything_else_is_refused(embedder, output):
    with pytest.raises(EmbedderRefused):
        embedder(f"import sys\nsys.stdin.read()\nprint({output!r})").embed(["a"], PASSAGE)


def test_a_program_that_fails(embedder):
    with pytest.raises(EmbedderBusy, match="no model here"):
        embedder("import sys\nsys.exit('no model here')").embed(["a"], PASSAGE)


def test_a_program_that_hangs(embedder):
    with pytest.raises(EmbedderBusy, match="longer than"):
        embedder("import time\ntime.sleep(60)", timeout=0.3).embed(["a"], PASSAGE)


def test_a_program_that_does_not_exist():
    with pytest.raises(EmbedderUnusable, match="cannot be started"):
        CommandEmbedder(("/nowhere/program",), {}, NO_PREFIXES, 8).embed(["a"], PASSAGE)

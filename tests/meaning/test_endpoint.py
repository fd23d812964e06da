"""The embeddings API: order, retries, refusals, prefixes. Nothing but vectors is accepted as an answer."""

import pytest

from memorybank.meaning.embedder import PASSAGE, QUERY, EmbedderBusy, EmbedderRefused, EmbedderUnusable
from memorybank.meaning.endpoint import EndpointEmbedder
from memorybank.meaning.prefixes import EmbeddingPrefixes
from memorybank.summarize.calling import Endpoint
from tests.summarize.conftest import error

from .conftest import embeddings, vector_of

NO_PREFIXES = EmbeddingPrefixes()


@pytest.fixture
def embedder(server, counting_clock):
    def make(prefixes=NO_PREFIXES, patient=True):
        return EndpointEmbedder(Endpoint(server.url, f"127.0.0.1:{server.port}", "m", True, "in a drawer"), "", prefixes, 4, counting_clock, patient=patient)

    return make


def with_data(data):
    return 200, {}, {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def item(at, vector):
    return {"object": "embedding", "index": at, "embedding": vector}


def test_vectors_come_in_the_order_of_the_texts(server, embedder):
    server.answers = [with_data([item(1, [0.0, 1.0]), item(0, [1.0, 0.0])])]
    assert embedder().embed(["a", "日本"], PASSAGE) == [[1.0, 0.0], [0.0, 1.0]]
    assert server.requests[0]["input"] == ["a", "日本"] and server.requests[0]["encoding_format"] == "float" and "input_type" not in server.requests[0]


def test_prefixes_are_put_before_texts(server, embedder):
    made = embedder(EmbeddingPrefixes("query: ", "passage: "))
    assert made.embed(["x"], QUERY) == [pytest.approx(vector_of("query: x"))]
    made.embed(["x"], PASSAGE)
    assert server.texts == ["query: x", "passage: x"]


def test_the_kind_can_be_a_parameter(server, embedder):
    made = embedder(EmbeddingPrefixes(as_parameter=True))
    made.embed(["x"], QUERY)
    made.embed(["x"], PASSAGE)
    assert [request["input_type"] for request in server.requests] == ["query", "passage"]


def test_a_busy_server_is_asked_again(server, embedder, counting_clock):
    server.answers = [(429, {"Retry-After": "7"}, error()), (503, {}, error()), embeddings]
    assert len(embedder().embed(["x"], PASSAGE)) == 1
    assert counting_clock.waits == [7.0, 2.0]


@pytest.mark.parametrize("answer", ["reset", (500, {}, error()), (200, {}, b"<html>"), (200, {}, {"object": "list"})])
def test_a_server_that_stays_busy_is_given_up(server, embedder, counting_clock, answer):
    server.answers = [answer]
    with pytest.raises(EmbedderBusy, match="3 attempts"):
        embedder().embed(["x"], PASSAGE)
    assert len(server.requests) == 3


def test_a_search_does_not_wait(server, embedder, counting_clock):
    server.answers = [(503, {}, error())]
    with pytest.raises(EmbedderBusy):
        embedder(patient=False).embed(["x"], QUERY)
    assert len(server.requests) == 1 and counting_clock.waits == []


@pytest.mark.parametrize(
    ("answer", "kind"), [((401, {}, error("bad sk-1")), "key"), ((404, {}, error("no such model")), "not_found"), ((402, {}, error()), "quota")]
)
def test_what_a_person_has_to_repair_is_said(server, embedder, answer, kind):
    server.answers = [answer]
    with pytest.raises(EmbedderUnusable) as raised:
        embedder().embed(["x"], PASSAGE)
    assert raised.value.kind == kind and raised.value.next_step and len(server.requests) == 1


def test_nobody_there(server, embedder):
    made = embedder()
    server.close()
    with pytest.raises(EmbedderUnusable) as raised:
        made.embed(["x"], PASSAGE)
    assert raised.value.kind == "unreachable" and f"127.0.0.1:{server.port}" in raised.value.next_step


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([item(0, [1.0, 0.0])], "1 vectors for 2 texts"),
        ([item(0, [1.0, 0.0]), item(1, [1.0])], "different lengths"),
        ([item(0, []), item(1, [])], "different lengths"),
        ([item(0, [0.0, 0.0]), item(1, [1.0, 0.0])], "zeros"),
    ],
)
def test_anything_but_vectors_is_refused(server, embedder, data, said):
    server.answers = [with_data(data)]
    with pytest.raises(EmbedderRefused, match=said):
        embedder().embed(["x", "y"], PASSAGE)


def test_numbers_must_be_finite(server, embedder):
    server.answers = [(200, {}, b'{"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[1e999, 1.0]}]}')]
    with pytest.raises(EmbedderRefused, match="not finite"):
        embedder().embed(["x"], PASSAGE)


def test_a_batch_that_is_too_large_is_halved(server, embedder):
    def answer(request):
        return embeddings(request) if len(request["input"]) < 2 else (413, {}, error("too large"))

    server.answers = [answer]
    assert embedder().embed(["a", "b", "c"], PASSAGE) == [pytest.approx(vector_of(text)) for text in "abc"]


def test_a_text_that_is_too_long_is_shortened(server, embedder):
    def answer(request):
        return embeddings(request) if max(map(len, request["input"])) <= 300 else (400, {}, error("maximum context length exceeded"))

    server.answers = [answer]
    assert embedder().embed(["a", "b" * 1_000], PASSAGE) == [pytest.approx(vector_of("a")), pytest.approx(vector_of("b" * 250))]


def test_one_short_text_that_is_too_long_is_refused(server, embedder):
    server.answers = [(413, {}, error("input is too long"))]
    with pytest.raises(EmbedderRefused, match="status 413"):
        embedder().embed(["a"], PASSAGE)

"""Every way in which a chat API can fail, with the real client and a real socket: the resulting error, the number of requests, and the time waited.

Requests are counted where they arrive; seconds are those of the clock that was passed in.
"""

import socket
from email.utils import formatdate

import pytest

from memorybank.summarize.calling import Endpoint
from memorybank.summarize.llm import LlmSummarizer
from memorybank.summarize.summarizer import SummarizerBusy, SummarizerUnusable, SummaryRefused

from .conftest import NOW, completion, error

pytestmark = pytest.mark.slow

KEY = "sk-proj-Zq8vT2mK4xWc7Rj1Nb5Yd9Lh3Gf6Ps0A"
HTML = ({"Content-Type": "text/html"}, b"<html><body>Sign in to the network</body></html>")


def llm(server, clock, *, timeout=20.0, key=KEY):
    endpoint = Endpoint(server.url, f"127.0.0.1:{server.port}", "test-model", True, "it is read from TEST_KEY")
    return LlmSummarizer(endpoint, key, clock, timeout)


PASSING = {
    **{str(status): ((status, {}, error(code=str(status))), [1.0, 2.0]) for status in (408, 409, 500, 502, 503, 504, 529)},
    "429": ((429, {}, error("slow down", "rate_limit_exceeded")), [10.0, 10.0]),
    "429 retry-after 7": ((429, {"Retry-After": "7"}, error()), [7.0, 7.0]),
    "429 retry-after 3600": ((429, {"Retry-After": "3600"}, error()), [60.0, 60.0]),
    "429 retry-after date": ((429, {"Retry-After": formatdate((NOW + 30_211) / 1000, usegmt=True)}, error()), None),
    "429 retry-after nonsense": ((429, {"Retry-After": "soon"}, error()), [10.0, 10.0]),
    "429 retry-after negative": ((429, {"Retry-After": "-5"}, error()), [10.0, 10.0]),
    "429 retry-after nan": ((429, {"Retry-After": "nan"}, error()), [10.0, 10.0]),
    "503 retry-after 4": ((503, {"Retry-After": "4"}, error()), [4.0, 4.0]),
    "503 html": ((503, *HTML), [1.0, 2.0]),
    "reset": ("reset", [1.0, 2.0]),
    "timeout": ("silence", [1.0, 2.0]),
    "malformed json": ((200, {}, b'{"choices": [{"index": 0, "mess'), [1.0, 2.0]),
    "no body": ((200, {}, b""), [1.0, 2.0]),
    "json that is a list": ((200, {}, b"[1, 2]"), [1.0, 2.0]),
    "json that is a string": ((200, {}, b'"overloaded"'), [1.0, 2.0]),
    "html 200": ((200, *HTML), [1.0, 2.0]),
    "error inside a 200": ((200, {}, error("upstream died", "502")), [1.0, 2.0]),
    "choices null": ((200, {}, {**completion(), "choices": None}), [1.0, 2.0]),
    "choices that are text": ((200, {}, {**completion(), "choices": "none"}), [1.0, 2.0]),
    "a choice without a message": ((200, {}, {**completion(), "choices": [{"index": 0, "finish_reason": "stop", "message": None}]}), [1.0, 2.0]),
    "a choice that is null": ((200, {}, {**completion(), "choices": [None]}), [1.0, 2.0]),
    "content that is a number": ((200, {}, completion(5)), [1.0, 2.0]),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", PASSING)
def test_what_passes_is_tried_three_times(server, counting_clock, day, name):
    """Transient: three requests, the specified waits, nothing to save."""
    answer, waits = PASSING[name]
    server.answers = [answer]
    with pytest.raises(SummarizerBusy) as raised:
        llm(server, counting_clock, timeout=0.4 if answer == "silence" else 20.0).summarise(day)
    for _ in range(3):
        assert server.arrived.acquire(timeout=60), "on a busy machine a request may be read after its client gave up"
    assert (len(server.requests), raised.value.attempts) == (3, 3)
    if waits is None:
        assert 29 <= counting_clock.waits[0] <= 31 and counting_clock.waits[1] <= 1
    else:
        assert counting_clock.waits == waits
    assert raised.value.exit_code == 1 and "memorybank" in raised.value.next_step


@pytest.mark.parametrize("name", ["429 retry-after 7", "reset", "malformed json", "choices null", "503 html"])
def test_a_fault_that_passes_costs_a_wait_and_no_summary(server, counting_clock, day, name):
    answer, waits = PASSING[name]
    server.answers = [answer, (200, {}, completion())]
    summary = llm(server, counting_clock).summarise(day)
    assert summary.text == "The parser was fixed." and counting_clock.waits == waits[:1] and len(server.requests) == 2


LASTING = {
    "400": ((400, {}, error("the request is malformed")), "rejected", 1),
    "422": ((422, {}, error("cannot be processed")), "rejected", 1),
    "413": ((413, {}, error("too large")), "too_long", 2),
    "413 html": ((413, *HTML), "too_long", 2),
    "400 context length": (
        (400, {}, error("This model's maximum context length is 4096 tokens, reduce messages or max_tokens", "context_length_exceeded")),
        "too_long",
        2,
    ),
    "400 policy": ((400, {}, error("stopped by the content management policy", "content_filter")), "content_filter", 1),
    "refusal": ((200, {}, completion(None, refusal="I will not.")), "refusal", 1),
    "content_filter": ((200, {}, completion("half of", "content_filter")), "content_filter", 1),
    "empty": ((200, {}, completion("")), "empty", 1),
    "blank": ((200, {}, completion(" \n")), "empty", 1),
    "null content": ((200, {}, completion(None)), "empty", 1),
    "no choice": ((200, {}, {**completion(), "choices": []}), "empty", 1),
    "only thoughts": ((200, {}, completion("<think>hm</think>")), "empty", 1),
    "length twice without a word": ((200, {}, completion("", "length")), "empty", 2),
}


@pytest.mark.parametrize("name", LASTING)
def test_what_lasts_is_not_tried_again(server, counting_clock, day, name):
    """Permanent for the day: one request (a digest that is too long is halved once), no wait."""
    answer, kind, requests = LASTING[name]
    server.answers = [answer]
    with pytest.raises(SummaryRefused) as raised:
        llm(server, counting_clock).summarise(day)
    assert (raised.value.kind, len(server.requests), counting_clock.waits) == (kind, requests, [])


ENDING = {
    "401": ((401, {}, error(f"Incorrect API key provided: {KEY[:10]}***{KEY[-4:]}", "invalid_api_key")), "key"),
    "403": ((403, {}, error("not allowed")), "key"),
    "400 with a wrong key (Gemini)": ((400, {}, error("API key not valid. Please pass a valid API key.", "400")), "key"),
    "404": ((404, {}, error("The model does not exist", "model_not_found")), "not_found"),
    "insufficient_quota": ((429, {}, error("You exceeded your current quota", "insufficient_quota", "insufficient_quota")), "quota"),
    "insufficient_quota inside a 200": ((200, {}, error("You exceeded your current quota", "insufficient_quota")), "quota"),
    "402": ((402, {}, error("pay first")), "quota"),
    "405": ((405, {}, error("not here")), "address"),
    "redirect": ((307, {"Location": "http://127.0.0.1:9/v1/chat/completions"}, b""), "address"),
}


@pytest.mark.parametrize("name", ENDING)
def test_what_no_other_day_can_cure_ends_the_run(server, counting_clock, day, name):
    """Fatal: one request, no wait, exit code 6 and a next step. Redirects are not followed."""
    answer, kind = ENDING[name]
    server.answers = [answer]
    with pytest.raises(SummarizerUnusable) as raised:
        llm(server, counting_clock).summarise(day)
    assert (raised.value.kind, len(server.requests), counting_clock.waits) == (kind, 1, [])
    assert raised.value.exit_code == 6 and raised.value.next_step


def test_nobody_there_at_the_first_call_ends_the_run_later_it_passes(server, counting_clock, day):
    model = llm(server, counting_clock)
    model.summarise(day)
    server.close()
    with pytest.raises(SummarizerBusy):
        model.summarise(day)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server.port = free.getsockname()[1]
    server.url = f"http://127.0.0.1:{server.port}/v1/"
    counting_clock.waits.clear()
    with pytest.raises(SummarizerUnusable) as raised:
        llm(server, counting_clock).summarise(day)
    assert raised.value.kind == "unreachable" and counting_clock.waits == []


def test_a_host_without_an_address_ends_the_run(counting_clock, day, monkeypatch):
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    model = LlmSummarizer(Endpoint("http://nowhere.invalid/v1/", "nowhere.invalid", "m", True, "…"), KEY, counting_clock, 5.0)
    with pytest.raises(SummarizerUnusable) as raised:
        model.summarise(day)
    assert raised.value.kind == "unreachable"


def test_a_server_that_knows_no_max_tokens_is_asked_once_more(server, counting_clock, day):
    """Once with max_completion_tokens; later requests of the run use it at once."""
    told = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    server.answers = [(400, {}, error(told, "unsupported_parameter", param="max_tokens")), (200, {}, completion())]
    model = llm(server, counting_clock)
    model.summarise(day)
    model.summarise(day)
    limits = [[name for name in request if "tokens" in name] for request in server.requests]
    assert limits == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]] and counting_clock.waits == []


def test_a_server_that_refuses_either_name_is_not_asked_for_ever(server, counting_clock, day):
    server.answers = [(400, {}, error("max_tokens is wrong", param="max_tokens"))]
    with pytest.raises(SummaryRefused) as raised:
        llm(server, counting_clock).summarise(day)
    assert raised.value.kind == "rejected" and len(server.requests) == 2


def test_a_model_with_one_temperature_is_asked_without(server, counting_clock, day):
    told = "Unsupported value: 'temperature' does not support 0 with this model."
    server.answers = [(400, {}, error(told, "unsupported_value", param="temperature")), (200, {}, completion())]
    llm(server, counting_clock).summarise(day)
    assert ["temperature" in request for request in server.requests] == [True, False]


def test_a_request_has_four_parameters_and_nothing_else(server, counting_clock, day):
    llm(server, counting_clock).summarise(day)
    [request] = server.requests
    assert set(request) == {"model", "messages", "temperature", "max_tokens"}
    assert request["model"] == "test-model" and request["temperature"] == 0 and [m["role"] for m in request["messages"]] == ["system", "user"]


def test_an_answer_that_broke_off_is_asked_for_once_more_and_shorter(server, counting_clock, day):
    server.answers = [(200, {}, completion("The tokenizer takes Japanese dates. The ca", "length")), (200, {}, completion("Dates work."))]
    summary = llm(server, counting_clock).summarise(day)
    assert (summary.text, summary.truncated) == ("Dates work.", False)
    first, second = server.requests
    assert second["max_tokens"] < first["max_tokens"] and first["messages"][0] != second["messages"][0] and first["messages"][1] == second["messages"][1]
    assert summary.tokens is not None and (summary.tokens.prompt, summary.tokens.completion, summary.tokens.estimated) == (22, 14, False)


@pytest.mark.parametrize(
    ("said", "kept"), [("Dates work. The calendar is pro", "Dates work."), ("和暦の日付に対応した。暦は先発グレ", "和暦の日付に対応した。")]
)
def test_an_answer_that_broke_off_twice_is_kept_up_to_its_last_sentence(server, counting_clock, day, said, kept):
    server.answers = [(200, {}, completion(said, "length"))]
    summary = llm(server, counting_clock).summarise(day)
    assert (summary.text, summary.truncated, len(server.requests)) == (kept, True, 2)


def test_a_digest_too_long_for_the_model_is_halved_once(server, counting_clock, day):
    server.answers = [(400, {}, error("maximum context length is 10 tokens", "context_length_exceeded")), (200, {}, completion())]
    llm(server, counting_clock).summarise(day)
    first, second = (len(request["messages"][1]["content"]) for request in server.requests)
    assert second < first * 0.75


def test_an_answer_without_usage_is_estimated(server, counting_clock, day):
    server.answers = [(200, {}, {name: value for name, value in completion("日付。").items() if name != "usage"})]
    tokens = llm(server, counting_clock).summarise(day).tokens
    assert tokens is not None and tokens.estimated and tokens.completion == 3 and tokens.prompt > 50


def test_an_answer_longer_than_asked_is_cut_at_a_sentence(server, counting_clock, day):
    sentence = "和暦の日付を検索で使えるようにした。" if day.language == "ja" else "The tokenizer takes Japanese dates in queries. "
    server.answers = [(200, {}, completion(sentence * 60))]
    summary = llm(server, counting_clock).summarise(day)
    assert summary.truncated and day.budget * 0.8 <= len(summary.text) <= day.budget and summary.text.endswith((".", "。"))


@pytest.mark.parametrize("name", ENDING | LASTING | PASSING)
def test_no_error_tells_the_key(server, counting_clock, day, name):
    """Neither in its message nor in what is attached to it: no cause, no visible context, no local text with the key."""
    answer = {**ENDING, **LASTING, **PASSING}[name][0]
    if answer in ("silence", "reset"):
        answer = (500, {}, error(f"key {KEY} died"))
    if isinstance(answer, tuple) and isinstance(answer[2], dict) and "error" in answer[2]:
        answer = (answer[0], answer[1], {"error": {**answer[2]["error"], "message": f"{answer[2]['error']['message']} with {KEY} and Bearer {KEY}"}})
    server.answers = [answer]
    with pytest.raises((SummarizerUnusable, SummaryRefused, SummarizerBusy)) as raised:
        llm(server, counting_clock).summarise(day)
    told = f"{raised.value} {raised.value.next_step} {raised.value!r} {raised.value.args}"
    assert KEY not in told and KEY[:12] not in told and KEY[-6:] not in told
    assert raised.value.__cause__ is None and raised.value.__context__ is None


def test_the_key_goes_into_the_header_alone(server, counting_clock, day):
    llm(server, counting_clock).summarise(day)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(server.requests) and KEY not in repr(llm(server, counting_clock).endpoint)


def test_names_of_another_account_do_not_travel(server, counting_clock, day, monkeypatch):
    """OPENAI_ORG_ID and OPENAI_PROJECT_ID are for OpenAI; a proxy in the environment is not for this machine."""
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-secret")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9/")
    llm(server, counting_clock).summarise(day)
    assert "secret" not in str(server.headers)


def test_secrets_leave_neither_way(server, counting_clock):
    """Both the prompt and the answer are redacted."""
    from memorybank.summarize.summarizer import ChatText, DayText

    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
    server.answers = [(200, {}, completion(f"The token {secret} was used."))]
    summary = llm(server, counting_clock).summarise(
        DayText("2025-09-16", "en", 300, said=(ChatText("USER", f"Deploy the site with the token {secret} tonight."),))
    )
    assert secret not in str(server.requests) and "[REDACTED:" in str(server.requests)
    assert secret not in summary.text and "[REDACTED:" in summary.text


def test_no_half_of_a_secret_leaves(server, counting_clock):
    """A secret can be where a sentence is cut, so it is redacted before."""
    from memorybank.summarize.summarizer import ChatText, DayText

    secret = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2"
    said = tuple(ChatText("USER", "x " * padding + secret + " tail" * 900) for padding in range(900, 1_040))
    llm(server, counting_clock).summarise(DayText("2025-09-16", "en", 300, said=said))
    assert secret[:12] not in str(server.requests)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("<think>first I</think>\n\nDates work.", "Dates work."),
        ("no tag opened</think>Dates work.", "Dates work."),
        ("```text\nDates work.\n```", "Dates work."),
        ("Dates\u202e work.\x1b\n\n\n\nIndeed.", "Dates work.\nIndeed."),
        ("日付に対応した。\r\n", "日付に対応した。"),
    ],
)
def test_what_models_put_around_a_summary_is_taken_off(server, counting_clock, day, said, kept):
    server.answers = [(200, {}, completion(said))]
    assert llm(server, counting_clock).summarise(day).text == kept

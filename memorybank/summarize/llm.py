"""A model behind an OpenAI-compatible chat API as a summarizer; `calling` makes the calls."""

from __future__ import annotations

from typing import Any, NoReturn

from memorybank.clock import Clock
from memorybank.injection import estimate_tokens
from memorybank.summarize import model_text, outcomes
from memorybank.summarize.calling import CallFailed, Endpoint, ModelApi, error_of
from memorybank.summarize.outcomes import CallVerdict
from memorybank.summarize.summarizer import (
    DIGEST_CHARACTERS,
    DaySummary,
    DayText,
    ModelReply,
    ModelRequest,
    SummarizerBusy,
    SummarizerUnusable,
    SummaryRefused,
    Tokens,
)

TIMEOUT_SECONDS = 60.0
EXTRA_TOKENS = 4_096
"""Tokens in addition to one for each character of the budget: models that think first count their thoughts."""
_FILTERED = ("content_filter", "safety", "recitation", "prohibited_content", "blocklist")


class LlmSummarizer:
    """The model as a summarizer. key: "" for a server without keys; timeout: seconds for one call."""

    def __init__(self, endpoint: Endpoint, key: str, clock: Clock, timeout: float = TIMEOUT_SECONDS) -> None:
        self.endpoint = endpoint
        self.name = f"llm:{endpoint.model}"
        self._api = ModelApi(endpoint, key, clock, timeout)

    def summarise(self, day: DayText) -> DaySummary:
        """Return a summary of at most `day.budget` characters.

        When the digest is too long for the model, it is halved once. When an answer breaks off, a shorter one is requested once.
        """
        request = model_text.of_day(day)
        reply, text = self._halving(request)
        tokens = reply.tokens
        broke_off = False
        if reply.cut:
            shorter = self._ask(request, text, day.budget // 2)
            tokens += shorter.tokens
            broke_off = shorter.cut
            reply = shorter if shorter.text or not reply.text else reply
        summary, cut = model_text.summary_of(model_text.whole_sentences(reply.text) if broke_off else reply.text, day.budget)
        if not summary:
            raise SummaryRefused(f"{self.name} at {self.endpoint.host} gave an empty answer for {day.date}", kind="empty")
        return DaySummary(summary, self.name, truncated=broke_off or cut, tokens=tokens)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the answer to a request. When the record is too long for the model, it is halved once."""
        return self._halving(request)[0]

    def _halving(self, request: ModelRequest) -> tuple[ModelReply, str]:
        text = request.record(DIGEST_CHARACTERS)
        try:
            return self._ask(request, text, request.budget), text
        except SummaryRefused as error:
            if error.kind != "too_long":
                raise
        half = request.record(min(len(text), DIGEST_CHARACTERS) // 2)
        return self._ask(request, half, request.budget), half

    def _ask(self, request: ModelRequest, text: str, budget: int) -> ModelReply:
        messages = [
            {"role": "system", "content": request.instructions(budget)},
            {"role": "user", "content": model_text.record(request.title, text)},
        ]
        found = self._api.call(lambda client: client.chat.completions.create(**self._request(messages, budget)), lambda answer: self._reply(answer, messages))
        if isinstance(found, CallFailed):
            self._fail(found, request.title)
        return found

    def _request(self, messages: list[dict[str, str]], budget: int) -> dict[str, Any]:
        """Return the four parameters that every server accepts. A parameter that this server has refused by name is left out or renamed from then on."""
        request: dict[str, Any] = {"model": self.endpoint.model, "messages": messages}
        if "temperature" not in self._api.adapted:
            request["temperature"] = 0
        request["max_completion_tokens" if "max_tokens" in self._api.adapted else "max_tokens"] = max(1, budget) + EXTRA_TOKENS
        return request

    def _reply(self, completion: Any, messages: list[dict[str, str]]) -> ModelReply | CallVerdict:
        """Return the content of an answer with status 200, or why it has none."""
        error = error_of(completion)
        if error is not None:
            return error
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list):
            return CallVerdict(outcomes.TRANSIENT, "malformed", "an answer without choices")
        if not choices:
            return CallVerdict(outcomes.PERMANENT, "empty", "no answer")
        message, finish = choices[0].message, str(choices[0].finish_reason or "").lower()
        text = message.content
        if text is not None and not isinstance(text, str):
            return CallVerdict(outcomes.TRANSIENT, "malformed", "an answer that is not text")
        if message.refusal:
            return CallVerdict(outcomes.PERMANENT, "refusal", "the model refused")
        if finish in _FILTERED:
            return CallVerdict(outcomes.PERMANENT, "content_filter", "the provider's filter stopped the answer")
        cut = finish == "length"
        if not cut and not (text or "").strip():
            return CallVerdict(outcomes.PERMANENT, "empty", "an empty answer")
        return ModelReply(text or "", cut, _tokens(completion, messages, text or ""))

    def _fail(self, failed: CallFailed, title: str) -> NoReturn:
        """Raise the error for a failed call, without a cause."""
        at, verdict = f"{self.name} at {self.endpoint.host}", failed.verdict
        if verdict.ending == outcomes.FATAL:
            step = self._api.next_step(verdict, "run with --summarizer extractive")
            raise SummarizerUnusable(f"{at}: {verdict.what}", kind=verdict.kind, next_step=step) from None
        if verdict.ending == outcomes.TRANSIENT:
            raise SummarizerBusy(f"{at}: {verdict.what} ({title}, {failed.attempts} attempts)", attempts=failed.attempts) from None
        kind = "rejected" if verdict.ending == outcomes.ADAPT else verdict.kind
        raise SummaryRefused(f"{at}: {verdict.what} ({title})", kind=kind) from None


def _tokens(completion: Any, messages: list[dict[str, str]], text: str) -> Tokens:
    usage = getattr(completion, "usage", None)
    used, made = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if isinstance(used, int) and isinstance(made, int):
        return Tokens(used, made)
    return Tokens(sum(estimate_tokens(message["content"]) for message in messages), estimate_tokens(text), estimated=True)

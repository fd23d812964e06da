"""Judges how a call of a chat API ended, by the server's answer.

A transient failure may pass in a moment, a permanent one lasts for this day, and a fatal one for every day until a person acts. The specification names
429, 500 and 503 as transient and policy violations as permanent (Nexus Ark episodic memory specification, Phase 10). The rest follows from what OpenAI,
Gemini, Anthropic and local servers send, including status 400 for a wrong key (Gemini).
"""

from __future__ import annotations

from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import isfinite

from memorybank.clock import SECOND

TRANSIENT, PERMANENT, FATAL, ADAPT = "transient", "permanent", "fatal", "adapt"
ATTEMPTS = 3
WAITS = (1.0, 2.0)
"""Seconds before the second and the third attempt."""
RATE_LIMIT_WAIT = 10.0
LONGEST_WAIT = 60.0

_PASSING = frozenset((408, 409, 429))
_OF_THE_DAY = frozenset((400, 413, 422))
_QUOTA = ("insufficient_quota", "credit balance", "insufficient balance", "billing_hard_limit", "exceeded your current quota, please check your plan")
_KEY = ("api key not valid", "api_key_invalid", "invalid_api_key", "invalid api key", "incorrect api key", "invalid x-api-key")
_TOO_LONG = (
    *("context_length_exceeded", "context length", "maximum context", "context window", "prompt is too long", "input is too long", "too many tokens"),
    *("exceeds the maximum number of tokens", "exceed_context_size", "request_too_large"),
)
_ADAPTED = ("max_tokens", "temperature")


@dataclass(frozen=True, slots=True)
class CallVerdict:
    """The verdict on a call.

    ending: transient, permanent, fatal or adapt
    kind: the `kind` of SummaryRefused or SummarizerUnusable, or the parameter to adapt
    what: the fault as part of a sentence, for the message
    """

    ending: str
    kind: str
    what: str


def of_status(status: int, code: str, parameter: str, message: str) -> CallVerdict:
    """Return the verdict on an HTTP error. code, parameter, message: from the error object in the answer, "" when missing."""
    said = f"{code} {message}".lower()
    what = f"status {status}" + (f" ({code})" if code and code != str(status) else "")
    if any(sign in said for sign in _QUOTA) or status == 402:
        return CallVerdict(FATAL, "quota", what)
    if status in (401, 403) or (status == 400 and any(sign in said for sign in _KEY)):
        return CallVerdict(FATAL, "key", f"the key was refused (status {status})")
    if status in _PASSING or status >= 500:
        return CallVerdict(TRANSIENT, "status", what)
    if status in _OF_THE_DAY:
        return _of_the_day(status, parameter, said, what)
    return CallVerdict(FATAL, "not_found" if status == 404 else "address", what)


def _of_the_day(status: int, parameter: str, said: str, what: str) -> CallVerdict:
    if status == 413 or any(sign in said for sign in _TOO_LONG):
        return CallVerdict(PERMANENT, "too_long", what)
    named = next((name for name in _ADAPTED if name in (parameter, *said.replace("'", " ").replace("`", " ").replace('"', " ").split())), "")
    if named:
        return CallVerdict(ADAPT, named, what)
    filtered = "content_filter" in said or "content management policy" in said or "content_policy" in said
    return CallVerdict(PERMANENT, "content_filter" if filtered else "rejected", what)


def of_body(code: str, message: str) -> CallVerdict:
    """Return the verdict on an error in an answer with status 200."""
    said = f"{code} {message}".lower()
    if any(sign in said for sign in _QUOTA):
        return CallVerdict(FATAL, "quota", f"error {code}".rstrip())
    if any(sign in said for sign in _KEY):
        return CallVerdict(FATAL, "key", f"error {code}".rstrip())
    return CallVerdict(TRANSIENT, "malformed", "an error in an answer with status 200")


def wait(attempt: int, status: int, retry_after: str, now: int) -> float:
    """Return the seconds to wait after an attempt (1, 2, …): what the server requests, at most 60; else 1 and 2, and 10 for status 429.

    retry_after: the header, seconds or an HTTP date (RFC 9110, section 10.2.3), "" when missing
    now: ms
    """
    asked = _seconds(retry_after.strip(), now)
    if asked is not None:
        return min(asked, LONGEST_WAIT)
    return RATE_LIMIT_WAIT if status == 429 else WAITS[min(attempt, len(WAITS)) - 1]


def _seconds(value: str, now: int) -> float | None:
    """Return the seconds of a Retry-After header; None when it is missing or invalid."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - now / SECOND
        except (ValueError, OverflowError, TypeError):
            return None
        return max(0.0, seconds)
    return seconds if isfinite(seconds) and seconds >= 0 else None

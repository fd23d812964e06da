"""One model behind an OpenAI-compatible API, through the `openai` package (extra `llm` or `meaning`), which is loaded on first use.

One call at a time, without the library's own retries: at most a few attempts, with waits through the clock, so that the duration of a run is known and
testable. Redirects are not followed, because the person consented to one host. No message, log or traceback contains a key.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeVar

from memorybank.clock import Clock
from memorybank.errors import MissingExtra
from memorybank.installed import extra_command
from memorybank.summarize import outcomes
from memorybank.summarize.outcomes import CallVerdict
from memorybank.text.prose.snippets import shown
from memorybank.text.secrets.redact import redact

_MESSAGE_CHARACTERS = 160
_NEXT = {
    "key": "check the key for {host}: {keys}",
    "quota": "add credit with the provider of {host}, or {instead}",
    "not_found": "check the model's name and the address in your flags, environment or own config.json; 'memorybank config show' does not list them",
    "unreachable": "start the server at {host}, or check its address and the network",
    "address": "check the address of the API; redirects are not followed, because you consented to {host} only",
}

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The API of a model.

    url: base address
    host: the host to which the person consented
    local: whether it is on this machine
    keys: a sentence that says where the key is looked for
    """

    url: str
    host: str
    model: str
    local: bool
    keys: str


@dataclass(frozen=True, slots=True)
class CallFailed:
    """A call that ended without an answer. A value, because an exception would stay attached to the error that is raised for it, with the request and the
    key in it. attempts: number of calls made
    """

    verdict: CallVerdict
    attempts: int


class ModelApi:
    """The API of one model.

    key: "" for a server without keys
    timeout: seconds for one call
    extra: the extra that installs the package `openai`
    attempts: maximum number of calls for one answer
    """

    def __init__(self, endpoint: Endpoint, key: str, clock: Clock, timeout: float, extra: str = "llm", attempts: int = outcomes.ATTEMPTS) -> None:
        self.endpoint = endpoint
        self.clock = clock
        self.adapted: set[str] = set()
        """The parameters that this server refused by name."""
        self._openai = _library(extra)
        self._key = key
        self._client = _client(self._openai, endpoint, key, timeout)
        self._answered = False
        self._attempts = attempts

    def call(self, request: Callable[[Any], Any], read: Callable[[Any], T | CallVerdict]) -> T | CallFailed:
        """Return what `read` returns for the answer, or how the call failed.

        request: makes one call with the library's client
        read: returns the content of an answer with status 200, or the verdict on it
        """
        attempt = 0
        while True:
            attempt += 1
            status, retry_after = 0, ""
            try:
                answer = request(self._client)
                self._answered = True
                found = read(answer)
                if not isinstance(found, CallVerdict):
                    return found
                verdict = found
            except self._openai.APIStatusError as error:
                self._answered = True
                status, retry_after = error.status_code, error.response.headers.get("retry-after", "")
                verdict = self._of_status(error)
            except self._openai.APITimeoutError:
                verdict = CallVerdict(outcomes.TRANSIENT, "timeout", "no answer in time")
            except self._openai.APIConnectionError as error:
                verdict = self._of_connection(error)
            except (self._openai.OpenAIError, ValueError, TypeError, AttributeError):  # how the library reports an invalid answer
                self._answered = True
                verdict = CallVerdict(outcomes.TRANSIENT, "malformed", "an answer that does not follow the API")
            # Not an attempt of its own: the next request leaves out the refused parameter. Each parameter is adapted only once, so this ends.
            if verdict.ending == outcomes.ADAPT and verdict.kind not in self.adapted:
                self.adapted.add(verdict.kind)
                attempt -= 1
                continue
            if verdict.ending == outcomes.TRANSIENT and attempt < self._attempts:
                self.clock.sleep(outcomes.wait(attempt, status, retry_after, self.clock.now()))
                continue
            return CallFailed(verdict, attempt)

    def next_step(self, verdict: CallVerdict, instead: str) -> str:
        """Return what the person can do about a fatal verdict. instead: what works without the model"""
        return _NEXT[verdict.kind].format(host=self.endpoint.host, keys=self.endpoint.keys, instead=instead)

    def _of_status(self, error: Any) -> CallVerdict:
        body = error.body if isinstance(error.body, dict) else {}
        code, parameter = str(body.get("code") or body.get("type") or ""), str(body.get("param") or "")
        said = str(body.get("message") or "") or str(error.message)
        verdict = outcomes.of_status(error.status_code, self._shown(code), parameter, said)
        if verdict.kind == "key" or verdict.ending == outcomes.TRANSIENT:
            return verdict  # servers quote a part of the key in messages about it
        detail = self._shown(str(body.get("message") or ""))
        return CallVerdict(verdict.ending, verdict.kind, f"{verdict.what}: {detail}" if detail else verdict.what)

    def _of_connection(self, error: BaseException) -> CallVerdict:
        """Return the verdict on a failed connection. At the first call it means a wrong address or a server that is not running; later it is a temporary
        fault.
        """
        if not self._answered and _nobody_there(error):
            return CallVerdict(outcomes.FATAL, "unreachable", "no server answers at this address")
        return CallVerdict(outcomes.TRANSIENT, "connection", "the connection failed")

    def _shown(self, said: str) -> str:
        """Return a server's message, ready to be shown: one line, short, without the key or any other secret."""
        if self._key:
            said = said.replace(self._key, "[key]")
        return redact(shown(said), None)[:_MESSAGE_CHARACTERS]


def error_of(answer: Any) -> CallVerdict | None:
    """Return the verdict on an error in an answer with status 200; None without one."""
    error = getattr(answer, "error", None)
    if not error:
        return None
    found = error if isinstance(error, dict) else {"message": error}
    return outcomes.of_body(str(found.get("code") or found.get("type") or ""), str(found.get("message") or ""))


def _library(extra: str) -> ModuleType:
    try:
        return importlib.import_module("openai")
    except ImportError:
        raise MissingExtra("the package 'openai' is not installed", next_step=f"install it with: {extra_command(extra)}") from None


def _client(openai: ModuleType, endpoint: Endpoint, key: str, timeout: float) -> Any:
    """Return the library's client, bound to one address: no redirects, and no proxy from the environment for this machine."""
    plain = endpoint.local and endpoint.url.startswith("http:")  # the certificates, which take some 30 ms to load, would check no connection
    http = openai.DefaultHttpxClient(follow_redirects=False, trust_env=not endpoint.local, verify=not plain, timeout=timeout)
    client = openai.OpenAI(api_key=key or "none", base_url=endpoint.url, max_retries=0, timeout=timeout, http_client=http)
    client.organization = client.project = None  # from the environment, they would reveal the person's account with another provider
    return client


def _nobody_there(error: BaseException) -> bool:
    """Return whether a connection was refused or its host has no address, anywhere in the chain of causes."""
    from socket import gaierror

    current: BaseException | None = error
    while current is not None:
        if isinstance(current, ConnectionRefusedError | gaierror):
            return True
        current = current.__cause__ or current.__context__
    return False

"""The interface of all summarizers, and of the models behind them: their input, their output, and the ways in which a call can fail.

How a run uses this package:

    own = choosing.read_own(os.environ)                              # the person's own settings; ConfigInvalid when malformed
    choice = choosing.choose(own, os.environ, summarizer="gemini")   # flags > environment > own settings; never a bank
    if choice.leaves_by is not None and not consent.is_given(own.folder, bank_root, choice.leaves_by):
        …print choice.leaves_by, the days and their characters, ask once…
        consent.give(own.folder, bank_root, choice.leaves_by, clock)
    summarizer = choice.build(clock)                                 # MissingExtra, ConfigInvalid
    summary = summarizer.summarise(day)                              # SummarizerBusy, SummaryRefused, SummarizerUnusable
    cost = choice.price.of(summary.tokens)                           # None without a configured price

`bank_root` is the bank's path on this machine; `leaves_by` is the host (`api.openai.com`, `localhost:11434`) or `command:<program>`.
`ExtractiveSummarizer()` needs none of this: no choice, no consent, no I/O. `weaker(by, than)` says whether an entry is a draft.

    try: summary = summarizer.summarise(day)
    except SummarizerBusy:  skip the day, save nothing; the third such day in a row ends the run
    except SummaryRefused as error:  save the error record with error.kind and its message
    except SummarizerUnusable: raise   (exit code 6; save nothing)

Sources: Nexus Ark episodic memory specification, section 4 A (retries, permanent errors, `SUMMARIZATION_MODEL`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from memorybank.errors import ConfigInvalid, MemorybankError

EXTRACTIVE = "extractive"
GOALS, RESULTS, CHANGED, FIXES = "goals", "results", "changed", "fixes"
DECISIONS, COMMITS, OPEN_ENDS = "decisions", "commits", "open_ends"
GIST = "gist"
"""The section of the one line that says what a session was about and what came of it. It is used on days of many sessions instead of the others."""
SECTIONS = (RESULTS, DECISIONS, OPEN_ENDS, GOALS, CHANGED, COMMITS, FIXES)
"""The questions that an episode answers, in the order of the text: how it ended, what was decided, what is open, what was wanted, what was changed where,
what failed and what fixed it.
"""
BRIEF_BUDGET = 200
"""Characters that a summary may always have: a fifth of a short day would hold no more than the request."""
DIGEST_CHARACTERS = 24_000
"""Maximum characters of a day that a model gets."""


@dataclass(frozen=True, slots=True)
class SessionItem:
    """One item of a session's summary.

    section: one of SECTIONS, or GIST
    text: one line; for goals and results, running text or Markdown of any length
    session: which of the day's sessions it is from, "" when that does not matter
    """

    section: str
    text: str
    session: str = ""


@dataclass(frozen=True, slots=True)
class ChatText:
    """One message of a chat. who: the name for the reader, "" when unknown; text: as written, Markdown or plain, of any length."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class DayText:
    """One day to summarise: redacted text that everybody may see. `parts` and `said` are in the order of time; either may be empty.

    date: YYYY-MM-DD, or A~B
    language: `en` or `ja`, the language of the summary
    budget: maximum characters of the summary
    parts: items of the summaries of sessions
    said: messages of plain chats
    """

    date: str
    language: str
    budget: int
    parts: tuple[SessionItem, ...] = ()
    said: tuple[ChatText, ...] = ()

    @property
    def characters(self) -> int:
        """Number of characters of the day's text."""
        return sum(len(part.text) for part in self.parts) + sum(len(message.text) for message in self.said)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a call. estimated: counted from the texts, because the server did not report them ("≈")."""

    prompt: int
    completion: int
    estimated: bool = False

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.prompt + other.prompt, self.completion + other.completion, self.estimated or other.estimated)

    def to_json(self) -> dict[str, int | bool]:
        return {"prompt": self.prompt, "completion": self.completion, "estimated": self.estimated}


@dataclass(frozen=True, slots=True)
class TokenPrice:
    """The price of a million tokens, in the person's own currency; None when not configured."""

    prompt: float | None = None
    completion: float | None = None

    def of(self, tokens: Tokens | None) -> float | None:
        """Return the price of some tokens, None when it is not configured or the tokens are unknown."""
        if tokens is None or self.prompt is None or self.completion is None:
            return None
        return (tokens.prompt * self.prompt + tokens.completion * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True)
class DaySummary:
    """A summary within the day's budget.

    by: `extractive`, `llm:<model>` or `command:<program>`
    truncated: whether the model's text was cut
    """

    text: str
    by: str
    truncated: bool = False
    tokens: Tokens | None = None


class Summarizer(Protocol):
    """The interface of a summarizer, which makes one summary of one day. The caller prints, saves, waits between days and counts failures."""

    @property
    def name(self) -> str:
        """The later `DaySummary.by`."""

    def summarise(self, day: DayText) -> DaySummary:
        """Return the summary of a day. Raises SummarizerBusy, SummaryRefused or SummarizerUnusable."""


class SummarizerBusy(MemorybankError):
    """The summarizer cannot answer now: the day is skipped, nothing is saved, and the day stays due. attempts: number of calls made."""

    code = "summarizer_busy"
    next_step = "run 'memorybank episodes update' again later: the skipped days are still due"

    def __init__(self, message: str, *, attempts: int) -> None:
        super().__init__(message)
        self.attempts = attempts


class SummaryRefused(MemorybankError):
    """The summarizer will not answer for this day. kind: `rejected`, `too_long`, `refusal`, `content_filter`, `empty`."""

    code = "summary_refused"
    next_step = "the day is tried again at the next update; 'memorybank episodes update --summarizer extractive' needs no model"

    def __init__(self, message: str, *, kind: str) -> None:
        super().__init__(message)
        self.kind = kind


class ModelUnusable(ConfigInvalid):
    """A model or program of the person's choice cannot be used as it is configured.

    kind: `key`, `quota`, `not_found`, `unreachable`, `address`, `program`
    """

    def __init__(self, message: str, *, kind: str, next_step: str) -> None:
        super().__init__(message, next_step=next_step)
        self.kind = kind


class SummarizerUnusable(ModelUnusable):
    """The summarizer cannot be used as it is configured: the run ends, and nothing is saved."""

    code = "summarizer_unusable"


def weaker(by: str, than: str) -> bool:
    """Return whether a summary made `by` one summarizer is a draft for a person who configured the other."""
    return by == EXTRACTIVE and than != EXTRACTIVE


def budget_of(characters: int, most: int = 1_200) -> int:
    """Return the length of a day's summary: a fifth of the day, at least 200 characters (or the entire day if that is shorter), at most `most`."""
    return min(max(characters // 5, min(characters, BRIEF_BUDGET)), most)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model.

    title: the subject of the record, a date or a session, also for messages
    instructions: returns the instructions for an answer of at most this many characters
    record: returns the record in at most this many characters, redacted
    budget: maximum characters of the answer
    """

    title: str
    instructions: Callable[[int], str]
    record: Callable[[int], str]
    budget: int


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer of a model as it was given, including thoughts and wrappers. cut: whether it was stopped by a length limit."""

    text: str
    cut: bool
    tokens: Tokens


class LanguageModel(Protocol):
    """A model behind an API, or a program of the person's choice."""

    @property
    def name(self) -> str:
        """`llm:<model>` or `command:<program>`."""

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the answer. Raises SummarizerBusy, SummaryRefused or SummarizerUnusable."""

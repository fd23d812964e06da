"""The grace of a new bank: for some days after `init` or `adopt`, no note leaves by its age.

The age of a note that existed before says when somebody wrote it, not that nobody needs it. During the grace, people and agents use the bank,
and their uses and links show which notes matter. Rules that do not depend on age apply all the time.

Unattended rotation also waits this long on each machine, so that maintenance in a fresh clone archives nothing at first.
"""

from __future__ import annotations

from typing import Any

from memorybank.clock import DAY, day_of, isoformat
from memorybank.config.settings import Settings
from memorybank.index import observations
from memorybank.index.working import Index
from memorybank.notes import date_record
from memorybank.notes.date_record import BankStart
from memorybank.reasons.reason import Reason, text_of
from memorybank.storage.layout import Layout
from memorybank.values import Value

BY_AGE = ("low", "medium")
"""The rules that depend on the age of a note."""
_RULES = {"low": Reason("rule.low"), "medium": Reason("rule.medium")}
_HERE = "here"
_SINCE = {"init": Reason("grace.init"), "adopt": Reason("grace.adopt"), _HERE: Reason("grace.here")}


class Grace(Value):
    """A period in which no note leaves by its age.

    began: its first instant (ms)
    until: the first instant (ms) after it
    why: `init`, `adopt` or `here`
    """

    began: int
    until: int
    why: str

    @property
    def text(self) -> str:
        """Until when and why: `until 2026-12-07, because the bank was created on 2026-11-23`."""
        return text_of(Reason("grace.until", until=day_of(self.until), since=_SINCE[self.why], began=day_of(self.began)))

    def reason(self, rule: str) -> Reason:
        """Return the reason why a note stays although a rule of age selects it."""
        return Reason("rotation.grace", rule=_RULES[rule], until=day_of(self.until), since=_SINCE[self.why], began=day_of(self.began))

    def to_json(self) -> dict[str, Any]:
        return {"began": isoformat(self.began), "until": isoformat(self.until), "why": self.why}


def grace(layout: Layout, settings: Settings, now: int) -> Grace | None:
    """Return the grace that applies at an instant, or None."""
    start = date_record.start_of(layout)
    return None if start is None else grace_since(start, settings, now)


def unattended_grace(index: Index) -> Grace | None:
    """Return the grace for unattended runs on this machine. The machine's first use of the bank begins a grace too; the one that ends later counts."""
    first = observations.first_use(index.connection)
    here = grace_since(BankStart(_HERE, index.now if first is None else first), index.settings, index.now)
    found = [one for one in (grace(index.layout, index.settings, index.now), here) if one is not None]
    return max(found, key=lambda one: one.until, default=None)


def grace_since(start: BankStart, settings: Settings, now: int) -> Grace | None:
    """Return the grace that began at a start, None when it is over."""
    until = start.at + settings.rotation.grace_days * DAY
    return Grace(start.at, until, start.kind) if now < until else None

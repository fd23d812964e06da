"""The policy of recall: its values in force, its history, and changes by a person."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from memorybank import clock
from memorybank.bank.arguments import BankFacade
from memorybank.config import cycle as cycle_settings
from memorybank.config.cycle import CycleSettings
from memorybank.cycle import policy
from memorybank.cycle.fold import cache, schema
from memorybank.cycle.improve import occasions
from memorybank.cycle.policy import EXCLUSIONS, KEYS, LEARNING, PolicyRecord
from memorybank.errors import NotFound, UsageError
from memorybank.log import key as log_key
from memorybank.log import policy as log
from memorybank.log.policy import RefusedRecord
from memorybank.reasons.reason import Reason, text_of
from memorybank.values import Value

if TYPE_CHECKING:
    from sqlite3 import Connection

NONE = "none"
"""The value of `exclusions` that excludes nothing."""


class PolicyKey(Value):
    """One key of the policy.

    value: the value in force
    configured: the value in the settings
    learned: the value in the policy record
    pinned: whether learning must not change it
    """

    key: str
    value: float
    configured: float
    learned: float
    pinned: bool

    @property
    def source(self) -> str:
        """Where the value comes from: `pinned`, `settings`, or `policy`."""
        return "pinned" if self.pinned else "policy" if self.value != self.configured else "settings"

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "value": self.value, "configured": self.configured, "learned": self.learned, "source": self.source}


class PolicyState(Value):
    """The policy in force.

    record: version 0 when nothing was ever learned
    refused: lines of the log that are invalid and ignored
    """

    record: PolicyRecord
    settings: tuple[PolicyKey, ...]
    refused: tuple[RefusedRecord, ...]
    learning: bool

    @property
    def exclusions(self) -> tuple[str, ...]:
        """The occasions that are excluded, as `finding@prompt`."""
        return _occasions(self.record)

    @property
    def ignored_exclusions(self) -> tuple[str, ...]:
        """Exclusions of an earlier version that are not valid occasions. The next change of the policy drops them."""
        return tuple(each for each in self.record.exclusions if not occasions.is_occasion(each))

    def to_json(self) -> dict[str, Any]:
        return {
            "version": self.record.version,
            "learning": self.learning,
            "settings": [setting.to_json() for setting in self.settings],
            "exclusions": list(self.exclusions),
            "not_obeyed": list(self.ignored_exclusions),
            "refused": [{"line": line.line, "why": line.why} for line in self.refused],
        }


class PolicyChange(Value):
    """One difference between two policies. before, after: numbers, or `shown` and `left out` for an occasion"""

    key: str
    before: float | str
    after: float | str

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "before": self.before, "after": self.after}


class SuppressedMemory(Value):
    """Something that recall does not show.

    what: an occasion (`finding@prompt`) or the id of a memory
    moment: the moment at which it is not shown
    reason: why, since when, and by whom
    """

    what: str
    moment: str
    reason: Reason

    def to_json(self) -> dict[str, str]:
        return {"what": self.what, "moment": self.moment, "reason": text_of(self.reason), "code": self.reason.code}


class Policies(BankFacade):
    """The operations of `memorybank policy`."""

    def state(self) -> PolicyState:
        """Return what is in force now."""
        records, refused = self.history()
        configured = self._configured()
        record = records[-1] if records else policy.of_settings(configured)
        values, own = policy.in_force(configured, record), policy.values_of(configured)
        settings = tuple(PolicyKey(key, values[key], own[key], record.values[key], policy.is_pinned(key, configured)) for key in KEYS)
        return PolicyState(record, settings, refused, configured.phases.improve and not record.frozen)

    def history(self) -> tuple[list[PolicyRecord], tuple[RefusedRecord, ...]]:
        """Return (every record, oldest first; the invalid lines)."""
        found, refused = log.read(self._bank.layout, log_key.load(self._bank.layout))
        return [record for fields in found if (record := policy.of_fields(fields)) is not None], tuple(refused)

    def suppressed(self) -> tuple[SuppressedMemory, ...]:
        """Return what recall ranks but does not show at present, with the reasons: first excluded occasions, then worthless memories.

        Memories are taken from the cycle's cache as it is on disk.
        """
        found = list(_excluded(self.history()[0]))
        if self._configured().phases.improve and os.path.lexists(schema.path(self._bank.layout)):
            with closing(cache.as_it_is(self._bank.layout, frozen=self._bank.read_only)) as connection:
                found += _worthless(connection)
        return tuple(found)

    def version(self, number: int) -> PolicyRecord:
        """Return one record; 0 means the settings. Raises `NotFound` when no record has this number."""
        if number == 0:
            return policy.of_settings(self._configured())
        records, _ = self.history()
        for record in records:
            if record.version == number:
                return record
        known = f"{records[0].version} to {records[-1].version}" if records else "none yet"
        raise NotFound(f"there is no version {number} of the policy ({known})", next_step="'memorybank policy history' lists them")

    def diff(self, before: int, after: int) -> list[PolicyChange]:
        """Return the differences between two records; 0 means the settings."""
        return changes(self.version(before), self.version(after))

    def set(self, key: str, value: float | str, reason: str) -> PolicyRecord:
        """Set one key, or the exclusions. The other weights of the key's group are scaled, so that their sum stays 1.

        value: a number; for the exclusions, occasions between commas, or `none`
        Raises `UsageError` for an unknown or pinned key and an invalid value.
        """
        state = self.state()
        if key != EXCLUSIONS and key not in KEYS:
            raise UsageError(f"'{key}' is not a key of the policy", next_step=f"use one of {', '.join((*KEYS, EXCLUSIONS))}")
        if policy.is_pinned(key, self._configured()):
            raise UsageError(f"'{key}' is pinned in the settings", next_step="remove it from policy.pin in config/cycle_config.json first")
        values, exclusions = {setting.key: setting.value for setting in state.settings}, state.exclusions
        if key == EXCLUSIONS:
            exclusions = _named(str(value))
        else:
            values = _with(values, key, str(value))
        return self._append(values, exclusions, reason, frozen=state.record.frozen)

    def rollback(self, number: int, reason: str) -> PolicyRecord:
        """Restore an earlier policy as a new record. Return the record in force, without writing one, if both are the same already."""
        earlier = self.version(number)
        record = self.state().record
        if (earlier.values, _occasions(earlier), earlier.config) == (record.values, record.exclusions, record.config):
            return record
        frozen = record.frozen
        return self._append(
            earlier.values, _occasions(earlier), reason or f"back to version {number}", frozen=frozen, rollback_of=number, config=earlier.config
        )

    def freeze(self, frozen: bool, reason: str) -> PolicyRecord:
        """Stop learning, or start it again. What is in force stays."""
        state = self.state()
        values = {setting.key: setting.value for setting in state.settings}
        return self._append(values, state.exclusions, reason or ("frozen" if frozen else "learning again"), frozen=frozen)

    def _append(
        self,
        values: dict[str, float],
        exclusions: tuple[str, ...],
        reason: str,
        *,
        frozen: bool,
        rollback_of: int | None = None,
        config: dict[str, float] | None = None,
    ) -> PolicyRecord:
        from memorybank.text.secrets.redact import redact  # late, like the next: everybody looks at the status, and few people change the policy
        from memorybank.trust.gate import gate_of

        bank = self._bank
        bank.layout.require_writable()
        own = policy.values_of(self._configured()) if config is None else config
        gate_of(bank.layout, os.environ, bank.clock)  # decided before there is a key, as in `CycleContext.key`
        key = log_key.ensure(bank.layout)
        record = PolicyRecord(values, own, exclusions, at=bank.clock.now(), frozen=frozen, reason=redact(reason, key), rollback_of=rollback_of)
        written = log.append(bank.layout, key, lambda _: record.fields(), bank.clock)
        record.version = 0 if written is None else int(written["version"])
        return record

    def _configured(self) -> CycleSettings:
        return cycle_settings.load(self._bank.layout)[0]


def changes(before: PolicyRecord, after: PolicyRecord) -> list[PolicyChange]:
    """Return the differences between two policies."""
    found = [PolicyChange(key, before.values[key], after.values[key]) for key in KEYS if before.values[key] != after.values[key]]
    for occasion in sorted(set(_occasions(before)) ^ set(_occasions(after))):
        now = occasion in after.exclusions
        found.append(PolicyChange(f"{EXCLUSIONS}.{occasion}", "shown" if now else "left out", "left out" if now else "shown"))
    return found


def _occasions(record: PolicyRecord) -> tuple[str, ...]:
    return tuple(filter(occasions.is_occasion, record.exclusions))


def to_json(record: PolicyRecord) -> dict[str, Any]:
    return {"version": record.version, **record.fields(), "timestamp": clock.isoformat(record.at) if record.at else None}


def _with(values: dict[str, float], key: str, text: str) -> dict[str, float]:
    from memorybank.cycle.improve.learning import TOP_K

    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    value = int(number) if key == TOP_K and number.is_integer() else number
    wrong = policy.fault(key, value) if number == number else "expected a number"
    if wrong:
        raise UsageError(f"{key} cannot be '{text}': {wrong}", next_step="'memorybank policy show' shows what it is now")
    group, _, name = key.rpartition(".")
    if not group:
        return {**values, key: value}
    weights = {each.rpartition(".")[2]: weight for each, weight in values.items() if each.startswith(f"{group}.")}
    others = sum(weight for each, weight in weights.items() if each != name)
    # The other weights share the rest in their current proportions.
    rest = 1 - value
    if rest > 0 and not others:
        raise UsageError(f"{key} is the only weight of its group that counts, so it stays 1", next_step=f"set another one of {group} first")
    return {**values, **{f"{group}.{each}": value if each == name else round(weight * rest / others if others else 0.0, 6) for each, weight in weights.items()}}


def _named(text: str) -> tuple[str, ...]:
    wanted = tuple(sorted({part.strip() for part in text.split(",") if part.strip()}))
    if wanted == (NONE,):
        return ()
    wrong = next((name for name in wanted if not occasions.is_occasion(name)), None)
    if wrong is not None or not wanted:
        raise UsageError(
            f"'{text if wrong is None else wrong}' does not name an occasion",
            next_step=f"write KIND@MOMENT, as in finding@prompt; kinds: {', '.join(occasions.DERIVED)}; moments: {', '.join(occasions.MOMENTS)};"
            f" '{NONE}' leaves nothing out",
        )
    return wanted


def _excluded(records: Sequence[PolicyRecord]) -> Iterable[SuppressedMemory]:
    for occasion in filter(occasions.is_occasion, records[-1].exclusions if records else ()):
        first = records[-1]
        for record in reversed(records):
            if occasion not in record.exclusions:
                break
            first = record
        version = first.version
        reason = Reason("recall.excluded_by_learning", version=version) if first.by == LEARNING else Reason("recall.excluded_by_person", version=version)
        yield SuppressedMemory(occasion, occasion.partition("@")[2], reason)


def _worthless(connection: Connection) -> Iterable[SuppressedMemory]:
    for memory, moment, worth in occasions.worthless(connection, occasions.DERIVED):
        yield SuppressedMemory(memory, moment, Reason("recall.unused", day=clock.day_of(worth.since), count=worth.count))

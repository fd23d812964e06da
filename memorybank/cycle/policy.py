"""The policy: the values with which recall ranks and selects, as learned or set on top of the settings. Each change is one record in `log/policy.jsonl`.

Self-improving memory cycle, phase 4 ("Policy Record"); Complete cycle design ("Policy Updates"). A record holds every value, and the settings at that
time. Where a setting differs now, a person has changed it since, and the setting wins. What is pinned in the settings is never learned.
"""

from __future__ import annotations

__light__ = True

from memorybank import clock
from memorybank.config.cycle import CycleSettings, EventImportance, RecallSettings, RecallWeights
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from memorybank.config.group import SettingsGroup

    Fields = dict[str, Any]
    Values = dict[str, float]

WEIGHTS, IMPORTANCE = "recall_weights", "event_importance_weights"
SINGLE = ("top_k", "min_score", "min_match")
KEYS = (*SINGLE, *(f"{WEIGHTS}.{name}" for name in RecallWeights.keys), *(f"{IMPORTANCE}.{name}" for name in EventImportance.keys))
"""What a policy can set, in addition to exclusions. The weights of a group sum to 1."""
EXCLUSIONS = "exclusions"
LEARNING, PERSON = "learning", "person"
"""The author of a record."""


class PolicyRecord(Value, frozen=False):
    """One version of the policy.

    version: from 1; 0 is the settings alone
    at: ms
    session, covered_to: the finished round from which it was learned
    values: {key: value}
    config: {key: value of the settings at that time}
    exclusions: occasions on which a kind of memory is not shown (`finding@prompt`); in old records also patterns, which are ignored
    frozen: whether learning has stopped
    evidence: the figures behind the change
    reason: the change in words
    by: `learning` or `person`
    rollback_of: the version that it restores
    """

    values: Values
    config: Values
    exclusions: tuple[str, ...] = ()
    version: int = 0
    at: int = 0
    session: str = ""
    covered_to: int = 0
    frozen: bool = False
    evidence: Mapping[str, Any] = {}
    reason: str = ""
    by: str = PERSON
    rollback_of: int | None = None

    def fields(self) -> Fields:
        """Return the record as a line of the log, which adds `version`, `prev` and `signature`."""
        return {
            "timestamp": clock.isoformat(self.at),
            "by": self.by,
            "session_id": self.session or None,
            "covered_to": self.covered_to,
            "params": {**nested(self.values), EXCLUSIONS: list(self.exclusions)},
            "config": nested(self.config),
            "frozen": self.frozen,
            "evidence": self.evidence,
            "reason": self.reason,
            "rollback_of": self.rollback_of,
        }


def of_settings(settings: CycleSettings) -> PolicyRecord:
    """Return version 0, which consists of the settings alone."""
    values = values_of(settings)
    return PolicyRecord(values, values)


def of_fields(fields: Fields) -> PolicyRecord | None:
    """Return the record of a line, or None when a value is missing, has the wrong type or is out of range."""
    params, config = fields.get("params"), fields.get("config")
    if not isinstance(params, dict) or not isinstance(config, dict):
        return None
    values, known = _flat(params), _flat(config)
    exclusions = params.get(EXCLUSIONS)
    if values is None or known is None or not isinstance(exclusions, list) or not all(isinstance(pattern, str) for pattern in exclusions):
        return None
    evidence, rollback_of = fields.get("evidence"), fields.get("rollback_of")
    return PolicyRecord(
        values,
        known,
        tuple(exclusions),
        version=int(fields["version"]),
        at=clock.parse(str(fields.get("timestamp"))) or 0,
        session=str(fields.get("session_id") or ""),
        covered_to=int(fields.get("covered_to") or 0),
        frozen=fields.get("frozen") is True,
        evidence=evidence if isinstance(evidence, dict) else {},
        reason=str(fields.get("reason") or ""),
        by=str(fields.get("by") or PERSON),
        rollback_of=rollback_of if isinstance(rollback_of, int) else None,
    )


def values_of(settings: CycleSettings) -> Values:
    """Return the values of all keys in the settings."""
    recall = settings.recall
    return {
        **{name: getattr(recall, name) for name in SINGLE},
        **{f"{WEIGHTS}.{name}": value for name, value in recall.weights.items()},
        **{f"{IMPORTANCE}.{name}": value for name, value in settings.event_importance.items()},
    }


def in_force(settings: CycleSettings, record: PolicyRecord) -> Values:
    """Return the value of each key that applies: the record's, unless a person changed the setting since or pinned it. Weights that sum to 1 go together."""
    own = values_of(settings)
    theirs = {unit(key) for key in KEYS if own[key] != record.config[key] or (is_pinned(key, settings) and own[key] != record.values[key])}
    return {key: own[key] if unit(key) in theirs else record.values[key] for key in KEYS}


def applied(settings: CycleSettings, record: PolicyRecord) -> CycleSettings:
    """Return the settings with the learned values in them."""
    values = in_force(settings, record)
    if values == values_of(settings):
        return settings
    weights = {name: values[f"{WEIGHTS}.{name}"] for name in RecallWeights.keys}
    single = {**{name: values[name] for name in SINGLE}, "top_k": int(values["top_k"])}
    recall = RecallSettings(**{**dict(settings.recall.items()), **single, "weights": RecallWeights(**weights)})
    importance = EventImportance(**{name: values[f"{IMPORTANCE}.{name}"] for name in EventImportance.keys})
    return CycleSettings(**{**dict(settings.items()), "recall": recall, "event_importance": importance})


def is_pinned(key: str, settings: CycleSettings) -> bool:
    """Return whether the settings pin a key or the group that contains it."""
    pinned = settings.policy.pin
    return key in pinned or unit(key) in pinned


def unit(key: str) -> str:
    """Return the unit that changes as a whole with a key: the group of a weight, else the key itself."""
    return key.rpartition(".")[0] or key


def nested(values: Mapping[str, float]) -> Fields:
    """Return {key: value} as a JSON object with a group of its own for the weights, as in the design."""
    found: Fields = {}
    for key, value in values.items():
        group, _, name = key.rpartition(".")
        if group:
            found.setdefault(group, {})[name] = value
        else:
            found[key] = value
    return found


def fault(key: str, value: object) -> str:
    """Return why a key cannot have this value, or "" if it can."""
    group, _, name = key.rpartition(".")
    declaring: dict[str, type[SettingsGroup]] = {"": RecallSettings, WEIGHTS: RecallWeights, IMPORTANCE: EventImportance}
    declared = declaring[group].keys[name]
    found = declared.fault(value)
    return found[1] if found is not None else ""


def _flat(params: Fields) -> Values | None:
    found: Values = {}
    for key in KEYS:
        group, _, name = key.rpartition(".")
        holder = params.get(group) if group else params
        value = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(value, bool) or not isinstance(value, int | float) or fault(key, value):
            return None
        found[key] = value
    return found

"""Judged: one exposure and its worth, the input of learning."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class JudgedExposure:
    """One exposure with its sample.

    rank: from 1
    parts: the parts of its score
    match: of the context
    anchored: whether it shared an anchor with the moment
    occasion: its kind at its moment
    shown: False for a shadow exposure
    excluded: whether it is a shadow that would have been shown without an exclusion
    version: of the policy by which it was ranked
    moment: for which it was recalled
    tokens: that it took, or would have taken
    """

    memory: str
    rank: int
    sample: float
    parts: dict[str, float] = field(default_factory=dict)
    score: float = 0.0
    match: float = 0.0
    anchored: bool = False
    occasion: str = ""
    shown: bool = True
    version: int = 0
    session: str = ""
    moment: str = ""
    tokens: int = 0
    excluded: bool = False

    @property
    def used(self) -> bool:
        """Whether the memory was used."""
        return self.sample > 0

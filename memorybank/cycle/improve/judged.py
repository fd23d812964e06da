"""One exposure and what it was worth: what learning learns from. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Judged:
    """One exposure with its sample. rank: from 1; score; parts: of its score; match: of the context; anchored: it shared an anchor;
    occasion: its kind at its moment; shown: False for a shadow; excluded: a shadow that
    would have been shown, had it not been left out; version: of the policy it was ranked by; session: whose; moment: at which it was asked
    for; tokens: that it took, or would have taken."""

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
        return self.sample > 0

"""The effective settings of one bank: its `config/*_config.json` files over the shipped defaults."""

from functools import cached_property

from memorybank.config.cycle import CycleSettings
from memorybank.config.episodes import EpisodeSettings
from memorybank.config.group import SettingsGroup
from memorybank.config.index import IndexSettings
from memorybank.config.rotation import RotationSettings
from memorybank.config.scoring import ScoringSettings

FILES: dict[str, type[SettingsGroup]] = {
    "scoring": ScoringSettings,
    "rotation": RotationSettings,
    "index": IndexSettings,
    "cycle": CycleSettings,
    "episodes": EpisodeSettings,
}
"""Name → the settings that the bank's `config/<name>_config.json` fills."""


class Settings(SettingsGroup):
    """All settings of a bank. `digest` changes exactly when an effective value changes."""

    scoring: ScoringSettings = ScoringSettings()
    rotation: RotationSettings = RotationSettings()
    index: IndexSettings = IndexSettings()
    cycle: CycleSettings = CycleSettings()
    episodes: EpisodeSettings = EpisodeSettings()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 digest (hexadecimal) of all effective values."""
        return digest_of(self)

    @cached_property
    def index_digest(self) -> str:
        """The SHA-256 digest (hexadecimal) of what the index depends on: scoring, indexing and the ages at which rotation reconsiders a note."""
        return _sha256([self.scoring.to_json(), self.index.to_json(), self.rotation.age_borders])


def digest_of(group: SettingsGroup) -> str:
    """Return the SHA-256 digest (hexadecimal) of a group's effective values, regardless of which file sets them and how."""
    return _sha256(group.to_json())


def _sha256(value: object) -> str:
    import json
    from hashlib import sha256

    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


DEFAULTS = Settings()

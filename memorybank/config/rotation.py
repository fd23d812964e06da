"""`rotation_config.json`: when a note leaves `active/`, what protects it, and how its copies are kept."""

from __future__ import annotations

__light__ = True

from memorybank.config.group import SettingsGroup
from memorybank.config.keys import MAX_DAYS, choice, count, days, fixed, number, path, score, switch, text, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_MB = 1_000_000


def _hours(default: float, meaning: str) -> Any:
    return number(default, meaning, minimum=0, maximum=24 * MAX_DAYS)


class SizeBased(SettingsGroup):
    enabled: bool = switch(True, "Apply the rules `size` and `directory_size`.")
    max_file_size_mb: float = number(10, "Size (MiB) above which a note is archived.", above=0, maximum=_MAX_MB)
    max_directory_size_mb: float = number(100, "Size (MiB) of `active/` above which the least important, oldest notes are archived.", above=0, maximum=_MAX_MB)
    check_interval_hours: float = _hours(6, "Minimum time between two checks by `maintain`, of size or (`under_pressure`) of `pressure`.")


class TimeBased(SettingsGroup):
    enabled: bool = switch(True, "Apply the rule `medium`.")
    max_age_days: int = days(30, "Days that a note of medium importance stays; the longer of this and `archive_after_days` applies.")
    cleanup_interval_hours: float = _hours(24, "Minimum time between two checks by `maintain`.")


class ImportanceBased(SettingsGroup):
    enabled: bool = switch(True, "Apply the rule `low`.")
    min_importance_threshold: float = score(2.0, "Importance below which a note is archived early; the lowest of the limits for this applies.")
    evaluation_interval_hours: float = _hours(12, "Minimum time between two checks by `maintain`.")


class ManualTrigger(SettingsGroup):
    enabled: bool = switch(True, "Allow `rotate --type manual` (the default type).")
    command: str = text(".claude/scripts/rotate-notes.sh", "Informational, shown by `config show`; never executed.")


class Triggers(SettingsGroup):
    size_based: SizeBased = SizeBased()
    time_based: TimeBased = TimeBased()
    importance_based: ImportanceBased = ImportanceBased()
    manual_trigger: ManualTrigger = ManualTrigger()


class RotationPolicy(SettingsGroup):
    enabled: bool = switch(True, "false: nothing is ever archived, and plans say so.")
    triggers: Triggers = Triggers()


class HighImportanceFiles(SettingsGroup):
    threshold: float = score(8.0, "Importance from which a note is preserved; the lower of this and `thresholds.high_importance` applies.")
    preserve_indefinitely: bool = switch(True, "false: protects only from the rules low and medium.")
    max_preserve_count: int = count(100, "Maximum number of notes preserved for their importance; the others rank as 7.9, with a warning.")


class RecentFiles(SettingsGroup):
    preserve_days: int = days(7, "Days for which a modified or restored note stays.")
    ignore_importance: bool = switch(False, "true: recency is checked before importance.")


class UserBookmarked(SettingsGroup):
    preserve_always: bool = fixed(True, "Bookmarked notes stay.", "a bookmark is a person's decision; remove the bookmark instead")
    bookmark_file: str = path(".claude/memory/bookmarks.json", "Where bookmarks are kept; a `.json` file inside the bank.")


class PreservationRules(SettingsGroup):
    high_importance_files: HighImportanceFiles = HighImportanceFiles()
    recent_files: RecentFiles = RecentFiles()
    user_bookmarked: UserBookmarked = UserBookmarked()


class MediumImportance(SettingsGroup):
    threshold_min: float = score(2.0, "Lowest importance of the rule medium.")
    threshold_max: float = score(7.9, "Highest importance of the rule medium; `thresholds.medium_importance` also limits it.")
    archive_after_days: int = days(30, "Days that such a note stays; the longer of this and `max_age_days` applies.")
    compress: bool = switch(True, "false: archive objects of this rule are plain `.md`.")


class LowImportance(SettingsGroup):
    threshold_max: float = score(1.9, "Highest importance of the rule low; the lowest of the limits for this applies.")
    archive_after_days: int = days(7, "Days that such a note stays.")
    compress: bool = switch(True, "false: archive objects of this rule are plain `.md`.")
    delete_after_archive_days: int | None = whole(
        None,
        "null: archive objects are never deleted. A number: days until an object of this rule may be deleted, after a tombstone in the log and seven later "
        "days with maintenance; applies to objects that are archived while it is set.",
        minimum=1,
        maximum=MAX_DAYS,
    )


class ArchivalRules(SettingsGroup):
    medium_importance: MediumImportance = MediumImportance()
    low_importance: LowImportance = LowImportance()


class RotationStrategy(SettingsGroup):
    preservation_rules: PreservationRules = PreservationRules()
    archival_rules: ArchivalRules = ArchivalRules()


class BackupPolicy(SettingsGroup):
    backup_before_rotation: bool = switch(True, "Rotated originals are kept in the backup folder; false: only until the next maintenance, at least 24 hours.")
    backup_directory: str = path(".claude/memory/backups", "Folder inside the bank, on the same device; keep it out of git.")
    backup_retention_days: int = whole(30, "Days a backup is kept.", minimum=1, maximum=MAX_DAYS)
    backup_compression: bool = switch(True, "Compress backups that are more than 24 hours old.")


class LargeRotations(SettingsGroup):
    enabled: bool = switch(True, "A large rotation asks for confirmation or needs `--yes`.")
    threshold_files: int = count(10, "Number of files above which a rotation is large.")
    threshold_size_mb: float = number(50, "Size (MiB) above which a rotation is large.", minimum=0, maximum=_MAX_MB)


class NotificationSettings(SettingsGroup):
    log_rotations: bool = fixed(True, "Rotations are recorded.", "restore, undo and verify depend on the rotation log")
    alert_on_large_rotations: LargeRotations = LargeRotations()


class Pressure(SettingsGroup):
    """Limits of `active/` above which unattended maintenance archives notes."""

    notes: int = count(300, "Number of notes in `active/`, without session notes.")
    size_mb: float = number(5, "Size (MiB) of `active/`.", above=0, maximum=_MAX_MB)
    session_notes: int = count(100, "Number of session notes in `active/sync/sessions/`.")


UNDER_PRESSURE, BY_RULES = "under_pressure", "by_rules"


class RotationSettings(SettingsGroup):
    unattended: str = choice(
        UNDER_PRESSURE,
        "What `maintain` and the end of a session archive: `under_pressure`, only what brings `active/` back within `pressure`, the least important notes "
        "first; `by_rules`, everything that the triggers of the specification select.",
        (UNDER_PRESSURE, BY_RULES),
    )
    pressure: Pressure = Pressure()
    grace_days: int = days(
        14, "Days after `init` and `adopt` in which no note leaves by its age; for unattended rotation also after the first use on a machine."
    )
    rotation_policy: RotationPolicy = RotationPolicy()
    rotation_strategy: RotationStrategy = RotationStrategy()
    backup_policy: BackupPolicy = BackupPolicy()
    notification_settings: NotificationSettings = NotificationSettings()

    @property
    def age_borders(self) -> tuple[int, ...]:
        """Ages in complete days at which the decision of a rule about a note can change."""
        rules = self.rotation_strategy.archival_rules
        days = (
            self.rotation_strategy.preservation_rules.recent_files.preserve_days,
            rules.low_importance.archive_after_days,
            rules.medium_importance.archive_after_days,
            self.rotation_policy.triggers.time_based.max_age_days,
        )
        return tuple(sorted({day + 1 for day in days}))

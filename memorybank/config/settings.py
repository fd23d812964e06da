"""The settings of one bank: its `config/*.json` files over the shipped defaults, checked once and then trusted.

A bank without config files costs four failed opens. Problems are values: `load` raises `ConfigInvalid` (exit code 6) for the errors among
them, `load_with_problems` returns all of them.
"""

from __future__ import annotations

__light__ = True

from memorybank.config.cycle import CycleSettings
from memorybank.config.episodes import EpisodeSettings
from memorybank.config.group import MAX_FILE_BYTES, SettingsGroup, merge, replaced
from memorybank.config.index import IndexSettings
from memorybank.config.keys import BANK_PREFIX, SettingFault
from memorybank.config.rotation import RotationSettings
from memorybank.config.scoring import ScoringSettings
from memorybank.errors import ConfigInvalid, MemorybankError, NewerFormat, PermissionRefused, Problem
from memorybank.storage import disk, versions
from memorybank.storage import system as os
from memorybank.storage.layout import Layout
from memorybank.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

MAX_FAULTS = 50
"""Maximum number of faults of one file that are reported one by one."""
WARNINGS = frozenset({"config_unknown_key", "config_contradiction", "config_section_missing", "config_untrusted", NewerFormat.code})
"""Codes of problems that do not prevent loading."""

FILES: dict[str, type[SettingsGroup]] = {
    "scoring": ScoringSettings,
    "rotation": RotationSettings,
    "index": IndexSettings,
    "cycle": CycleSettings,
    "episodes": EpisodeSettings,
}
"""Name → the settings that the bank's `config/<name>_config.json` fills."""


class Settings(SettingsGroup):
    """All settings of a bank. Two are equal when their effective values are."""

    scoring: ScoringSettings = ScoringSettings()
    rotation: RotationSettings = RotationSettings()
    index: IndexSettings = IndexSettings()
    cycle: CycleSettings = CycleSettings()
    episodes: EpisodeSettings = EpisodeSettings()


DEFAULTS = Settings()


class _File(Value):
    """One config file.

    shown: its path in messages
    text: its contents
    values: the parsed object
    newer: why this release must not change the file, else ""
    """

    shown: str
    text: str
    values: dict[str, Any]
    newer: str = ""


def load(layout: Layout, names: Iterable[str] = tuple(FILES)) -> Settings:
    """Return the bank's settings. Raises ConfigInvalid with the first error; warnings are left to `config validate`.

    names: which of `FILES` to read; the settings of the others are the defaults
    """
    settings, problems = load_with_problems(layout, names)
    if settings is None:
        errors = [problem for problem in problems if problem.code not in WARNINGS]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise ConfigInvalid(f"{errors[0].where}: {errors[0].message}{more}")
    return settings


def load_with_problems(layout: Layout, names: Iterable[str] = tuple(FILES)) -> tuple[Settings | None, list[Problem]]:
    """Return (settings, warnings) or (None, all errors and warnings), in the order of files and lines."""
    files: dict[str, _File] = {}
    problems: list[Problem] = []
    for name in names:
        _read(layout, name, files, problems)
    if not files and not problems:
        return DEFAULTS, []
    return _build(layout, files, problems)


def problems_in(layout: Layout, contents: Mapping[str, bytes]) -> list[Problem]:
    """Return the errors and warnings of files with these contents, in the order of files and lines.

    contents: by name, one of `FILES`
    """
    files: dict[str, _File] = {}
    problems: list[Problem] = []
    for name, data in contents.items():
        _parse(data, layout.relative(os.path.join(layout.config, file_name(name))), name, files, problems)
    return _build(layout, files, problems)[1]


def file_name(name: str) -> str:
    return f"{name}_config.json"


def placed_layout(layout: Layout, settings: Settings) -> Layout:
    """Return the layout with the paths of bookmarks and backups that the settings specify."""
    bookmarks = settings.rotation.rotation_strategy.preservation_rules.user_bookmarked.bookmark_file
    backups = settings.rotation.backup_policy.backup_directory
    placed = Layout(layout.root, local_root=layout.local_root, repository=layout.repository)
    placed.bookmarks = os.path.join(layout.root, *bookmarks.removeprefix(BANK_PREFIX).split("/"))
    placed.backups = os.path.join(layout.local_root, *backups.removeprefix(BANK_PREFIX).removesuffix("/").split("/"))
    return placed


def with_key(data: bytes | None, shown: str, key: str, value: object) -> bytes:
    """Return the bytes of a config file in which a top-level key has another value. The rest of the file stays as it is.

    data: bytes of the file, None without one
    shown: its path in messages
    Raises ConfigInvalid if the file cannot be parsed, NewerFormat if a newer memorybank wrote it.
    """
    import json

    from memorybank.config import document

    parsed = {} if data is None else document.parse(data, shown)
    if isinstance(parsed, Problem):
        raise ConfigInvalid(f"{parsed.path}: {parsed.message}")
    refuse_newer(parsed, shown)
    return (json.dumps({**parsed, key: value}, ensure_ascii=False, indent=2) + "\n").encode()


def refuse_newer(values: dict[str, Any], shown: str) -> None:
    """Raise NewerFormat for a config file that a newer memorybank wrote, for a caller that would change it or decide by it.

    values: the parsed file
    shown: its path in messages
    """
    newer = versions.newer(values.get("version"))
    if newer:
        raise NewerFormat(f"{shown} {newer}")


def refuse_newer_file(layout: Layout, name: str) -> None:
    """Raise NewerFormat when a newer memorybank wrote `config/NAME_config.json`."""
    files: dict[str, _File] = {}
    _read(layout, name, files, [])
    if name in files:
        refuse_newer(files[name].values, files[name].shown)


def _read(layout: Layout, name: str, files: dict[str, _File], problems: list[Problem]) -> None:
    path = os.path.join(layout.config, file_name(name))
    shown = layout.relative(path)
    try:
        data = disk.read(path, MAX_FILE_BYTES)
    except FileNotFoundError:
        return
    except PermissionRefused:
        raise
    except MemorybankError as error:
        problems.append(Problem("config_unreadable", shown, f"cannot be read: {error.message}"))
        return
    _parse(data, shown, name, files, problems)


def _parse(data: bytes, shown: str, name: str, files: dict[str, _File], problems: list[Problem]) -> None:
    from memorybank.config import document

    parsed = document.parse(data, shown)
    if isinstance(parsed, Problem):
        problems.append(parsed)
    else:
        files[name] = _File(shown, data.decode(), parsed, versions.newer(parsed.get("version")))


def _build(layout: Layout, files: dict[str, _File], problems: list[Problem]) -> tuple[Settings | None, list[Problem]]:
    from memorybank.config import check

    found: list[tuple[str, SettingFault]] = []
    groups: dict[str, Any] = {}
    for name, file in files.items():
        faults: list[SettingFault] = []
        groups[name] = merge(FILES[name], file.values, faults)
        found += [(name, fault) for fault in faults]
    settings = Settings(**groups)
    found += check.faults(settings, {name: file.values for name, file in files.items()}, layout)
    settings = _without_unusable(settings, files, found)
    for name, file in files.items():
        if file.newer:
            problems.append(Problem(NewerFormat.code, file.shown, f"{file.newer}, so only the values that this release knows are in force"))
        else:
            problems += _problems([fault for where, fault in found if where == name], FILES[name], file)
    problems.sort(key=lambda problem: (problem.path, problem.line or 0, problem.message))
    failed = any(problem.code not in WARNINGS for problem in problems)
    return (None if failed else settings), problems


def _without_unusable(settings: Settings, files: dict[str, _File], found: list[tuple[str, SettingFault]]) -> Settings:
    """Return the settings with the defaults in place of newer files whose values this release cannot use. It must not refuse every command for them."""
    unusable = {name for name, fault in found if files[name].newer and fault.code not in WARNINGS}
    return replaced(settings, **{name: FILES[name]() for name in unusable}) if unusable else settings


def _problems(faults: list[SettingFault], group: type[SettingsGroup], file: _File) -> list[Problem]:
    """Return the faults of one file as problems with lines, errors first; beyond the first `MAX_FAULTS` only their number."""
    from memorybank.config import check, document

    if not faults:
        return []
    # Errors first, so that a file with thousands of unknown keys cannot hide the one fault that stops the load.
    faults.sort(key=lambda fault: fault.code in WARNINGS)
    lines = document.lines(file.text)
    problems = []
    for fault in faults[:MAX_FAULTS]:
        message = fault.message or check.unknown_key(group, fault.path)
        code = "config_untrusted" if not fault.message and check.is_untrusted_key(fault.path) else fault.code
        problems.append(Problem(code, file.shown, f"{'.'.join(map(_shown_name, fault.path))}: {message}", document.line_of(lines, fault.path)))
    if len(faults) > MAX_FAULTS:
        problems.append(Problem(faults[MAX_FAULTS].code, file.shown, f"{len(faults) - MAX_FAULTS} more problems in this file"))
    return problems


def _shown_name(name: str) -> str:
    """Return a key of an untrusted file for a message: printable and short."""
    return (name if name.isprintable() else ascii(name))[:60]

"""No key of `cycle_config.json` is unused: sessions with hooks read every key. The packages' own tests prove what each key does."""

import pytest

from memorybank.config.cycle import CycleSettings
from memorybank.config.group import SettingsGroup, leaves

from .hooked import hooked


@pytest.mark.slow
def test_a_life_with_hooks_reads_every_key(bank, fixed_clock, monkeypatch):
    """Reading a key through `items()` or `to_json()` does not count: some code must read the key itself."""
    read: set[tuple[str, str]] = {("Deadlines", "process"), ("RecordSettings", "text_days"), ("RecordSettings", "compress_days")}
    """`hosts.firing`, which this test does not start, reads the time limit of a hook process; `memorybank maintain` reads how long texts are kept and when
    logs are compressed."""

    def spy(group: SettingsGroup, name: str) -> object:
        read.add((type(group).__name__, name))
        return object.__getattribute__(group, name)

    monkeypatch.setattr(
        SettingsGroup, "items", lambda group: ((name, object.__getattribute__(group, name)) for name in (*type(group).keys, *type(group).groups))
    )
    monkeypatch.setattr(SettingsGroup, "__getattribute__", spy)
    scratch = bank({"shared/kettle.md": "# The copper kettle\n\nBrew in `kettle.py`; descale first.\n"}, git=True)
    hooked(scratch, fixed_clock)
    owners = {path: owner(path[:-1]) for path, _ in leaves(CycleSettings)}
    assert [".".join(path) for path, group in owners.items() if (group, path[-1]) not in read] == []


def owner(path: tuple[str, ...]) -> str:
    group: type[SettingsGroup] = CycleSettings
    for name in path:
        group = group.groups[name]
    return group.__name__

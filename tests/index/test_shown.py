"""Notes about to be shown are looked at, not read, as long as they have not changed."""

from memorybank.clock import Clock
from memorybank.config import settings
from memorybank.index import fold, working


def test_a_note_with_several_hits_is_not_read_again(bank, monkeypatch):
    layout = bank({"a.md": "zebra\nzebra\n"}).layout
    reports = []
    with working.open_index(layout, settings.load(layout), Clock()) as index:
        fold.refresh(index, fresh=True)
        real = fold.fold
        monkeypatch.setattr(fold, "fold", lambda *arguments, **options: reports.append(real(*arguments, **options)) or reports[-1])
        assert not fold.refresh_shown(index, ["a.md", "a.md", "a.md"])
    assert [report.read for report in reports] == [0]

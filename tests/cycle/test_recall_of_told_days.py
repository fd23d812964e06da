"""A prompt can recall the episode that the end of the previous session wrote, without a search or a command in between."""

import pytest

from memorybank.cycle.finish import macro, outbox
from memorybank.cycle.fold import cache as kept
from tests.conftest import DAY
from tests.cycle.recalling import Remembering, prompt

WORK = (
    ("Make the importer skip duplicated invoices.", "why does the importer skip duplicated invoices?"),
    ("請求書の取り込みで重複を飛ばすようにして。", "請求書の取り込みで重複を飛ばす件はどうなった？"),
)


@pytest.mark.parametrize(("wanted", "asked"), WORK)
def test_a_day_is_recalled_as_soon_as_it_is_told(bank, fixed_clock, wanted, asked):
    remembering = Remembering(bank({"other.md": "# Other\n\nNothing of it.\n"}), fixed_clock).index()
    session = remembering.session("worked")
    session.prompt(wanted)
    session.run("pytest tests/invoices.py", error="AssertionError")
    session.edit("src/invoices.py")
    session.run("pytest tests/invoices.py")
    session.turn_end(
        "The importer compares invoices by number and supplier now and tells which ones it left out. 重複した請求書は番号と取引先で見分ける。 " * 4
    )
    session.end()
    fixed_clock.instant += DAY

    def left():
        return 10_000.0

    with kept.CacheConnection(remembering.scratch.layout) as connection:
        outbox.gather(remembering.base, connection, left)
        macro.finish(remembering.base, connection, left)
    composed = remembering.preview(prompt(asked))
    told = [one.memory.memory for one in (*composed.shown, *composed.left_out)]
    assert "episode:2025-09-17" in told, told

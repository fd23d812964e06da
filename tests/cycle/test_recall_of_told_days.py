"""A prompt can recall the episode that the end of the previous session wrote, without a search or a command in between."""

import pytest

from memorybank.cycle.finish import macro, outbox
from memorybank.cycle.fold import cache as kept
from tests.conftest import DAY
from tests.cycle.recalling import Remembering, prompt

WORK = (
    ("Make the importer skip duplicated invoices.", "how does the importer recognise duplicated invoices?", "what did we do on 2025-09-17?"),
    ("請求書の取り込みで重複を飛ばすようにして。", "請求書の取り込みで重複を飛ばす件はどうなった？", "9月17日は何をした？"),
)


@pytest.mark.parametrize(("wanted", "asked", "day"), WORK)
def test_a_day_is_recalled_as_soon_as_it_is_told_and_only_by_its_date(bank, fixed_clock, wanted, asked, day):
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
    assert "episode:2025-09-17" in remembering.ask(prompt(day)).sources
    again = remembering.preview(prompt(asked, session="another"))
    told = [one.memory for one in (*again.shown, *again.left_out)]
    assert told and not any(memory.kind == "episode" for memory in told), "the passages of the session say it"

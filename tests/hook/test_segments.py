"""Every turn adds segments to the full text of the passages, and every prompt reads all of them, so the ends of turns merge them."""

import sqlite3

from memorybank.cycle.fold import schema


def test_the_ends_of_turns_keep_the_segments_few(host):
    for number in range(9):
        host.fire(host.payload("UserPromptSubmit", prompt=f"We never cache the ledger of branch number{number} in the kettle service.", prompt_id=f"p{number}"))
        said = f"The ledger number{number} takes {number}00 ms, because the kettle reads its rows twice."
        host.fire(host.payload("Stop", stop_hook_active=False, last_assistant_message=said, background_tasks=[]))
    connection = sqlite3.connect(schema.path(host.bank.layout))
    assert connection.execute("SELECT count(*) FROM passages").fetchone()[0] >= 9
    assert connection.execute("SELECT count(DISTINCT segid) FROM passage_text_idx").fetchone()[0] < 6
    connection.close()

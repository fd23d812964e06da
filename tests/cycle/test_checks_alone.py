"""Two checks keep one promise, so a test of the promise passes without either. Here each holds alone, with the other one taken down."""

from memorybank.clock import isoformat
from memorybank.config.cycle import CycleSettings
from memorybank.cycle.base import CycleContext
from memorybank.cycle.phases import record
from memorybank.cycle.recall import context
from memorybank.log import lines
from tests.conftest import NOW
from tests.cycle.recalling import prompt


def test_what_an_earlier_epoch_was_shown_is_not_known_although_nobody_can_tell_when_the_new_one_began():
    """Reading ends where the epoch begins. Without a readable time of that line it does not, and each line still says to which epoch it belongs."""
    common = {"session_id": "now", "agent_id": "main", "signature": "0" * 64}
    exposed = {**common, "event": "exposure", "exposures": [{"memory": "note:設計.md", "shown": True, "anchors": ["file:src/a.py"]}]}
    for begins in (isoformat(NOW), "yesterday"):
        written = [
            {**exposed, "epoch": 1, "timestamp": isoformat(NOW)},
            {**common, "event": "session_start", "source": "clear", "epoch": 2, "timestamp": begins},
        ]
        found = context.read(b"".join(map(lines.encode, written)), prompt("what was decided?"), "main", None)
        assert (found.epoch, found.shown) == (2, set())


def test_what_was_said_before_a_clear_is_not_asked_with_the_next_prompt():
    common = {"session_id": "now", "agent_id": "main", "signature": "0" * 64, "timestamp": isoformat(NOW)}
    written = [
        {**common, "event": "prompt", "epoch": 1, "inputs": {"text": "アップロードの再送は何回？"}},
        {**common, "event": "session_start", "source": "clear", "epoch": 2},
    ]
    found = context.read(b"".join(map(lines.encode, written)), prompt("how many?"), "main", None)
    assert found.past.prompts == []


def test_a_prompt_is_redacted_before_questions_are_made_of_it_although_the_log_redacts_it_again(bank, fixed_clock):
    token = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    event = prompt(f"なぜ {token} は拒否される？", error=f"401 for {token}", inputs={"command": f"curl -H 'Authorization: token {token}'"})
    record.prepare(CycleContext(bank().layout, CycleSettings(), fixed_clock), event)
    assert token not in str((event.prompt, event.error, event.inputs)) and "[REDACTED:" in event.prompt

"""The heavy steps at the end of a session."""

import json

import pytest

from memorybank.config import settings as configuration
from memorybank.cycle.finish import upkeep


@pytest.mark.parametrize(
    ("alert", "files"),
    [
        ({}, 10),
        ({"threshold_files": 3}, 3),
        ({"threshold_files": 500}, upkeep.MOST_NOTES),
        ({"enabled": False, "threshold_files": 3}, upkeep.MOST_NOTES),
    ],
)
def test_the_brake_of_a_session_changes_the_brake_and_no_other_setting(bank, alert, files):
    scratch = bank()
    scratch.configure("rotation", json.dumps({"notification_settings": {"alert_on_large_rotations": {"threshold_size_mb": 7, **alert}}}))
    scratch.configure("episodes", '{"timezone": "Asia/Tokyo", "lookback": "3m"}')
    scratch.configure("cycle", '{"memory": {}, "record": {"text_days": 30}}')
    scratch.configure("index", '{"publish": {"after_update": false}}')
    settings = configuration.load(scratch.layout)
    before, after = settings.to_json(), upkeep._braked(settings).to_json()
    brake = after["rotation"]["notification_settings"].pop("alert_on_large_rotations")
    del before["rotation"]["notification_settings"]["alert_on_large_rotations"]
    assert brake == {"enabled": True, "threshold_files": files, "threshold_size_mb": 7}
    assert after == before
    assert after["episodes"]["timezone"] == "Asia/Tokyo" and after["cycle"]["record"]["text_days"] == 30

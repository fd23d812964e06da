"""The values of two members of an event log's lines, for those who select lines."""

EVENTS = (
    *("session_start", "prompt", "tool_before", "tool_after", "turn_end", "compact_before", "session_end"),
    *("correction", "exposure", "resident_exposure"),
)
STATUSES = ("success", "failure", "partial", "unknown")

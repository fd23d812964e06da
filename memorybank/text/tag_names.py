"""Compares the names of tags. A nested tag (`db/postgres`) is also within the tags above it (`db`)."""

from memorybank.text.similarity import folded


def is_within(tag: str, wanted: str) -> bool:
    """Return whether a tag is the wanted one or below it. Case and Unicode form do not matter."""
    return f"{folded(tag)}/".startswith(folded(wanted).rstrip("/") + "/")

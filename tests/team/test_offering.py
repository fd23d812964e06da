"""What of a memory is sent: neither secrets nor what its author marked as private, in any of its parts."""

import pytest

from memorybank.team.offering import offered
from memorybank.text.secrets.redact import MARK

TOKEN = "ghp_" + "Zk3Vb81qLw9TxYr2NcPd7HsJf5MgEa40Uo6i"
PARTS = ("title", "path", "text", "tags")


def sent(**parts):
    """Return the parts of a memory as they would be sent, some of them replaced."""
    given = {"title": "The kettle", "path": "shared/kettle.md", "text": "The kettle is copper.", "tags": ("tea", "kitchen"), **parts}
    made = offered("m1", "note", given["path"], given["title"], given["text"], given["tags"], 1, 2)
    return {"title": made.title, "path": made.path, "text": made.text, "tags": " ".join(made.tags), "redacted": made.redacted}


def replaced(part, value):
    return sent(**{part: ("tea", value) if part == "tags" else value})


@pytest.mark.parametrize("part", PARTS)
def test_a_secret_in_any_part_becomes_a_mark(part):
    made = replaced(part, f"before {TOKEN} after")
    assert TOKEN not in str(made) and MARK in made[part] and made["redacted"] == 1
    assert {name: made[name] for name in PARTS if name != part} == {name: sent()[name] for name in PARTS if name != part}


@pytest.mark.parametrize("part", PARTS)
def test_what_is_private_is_left_out_of_every_part(part):
    made = replaced(part, "before <private>canary</private> after")
    assert "canary" not in str(made) and "before" in made[part] and "after" in made[part]


@pytest.mark.parametrize("part", PARTS)
def test_characters_that_a_database_refuses_are_replaced(part):
    made = replaced(part, "a\0b\udc80c")
    assert "\0" not in str(made) and made[part].endswith("a\ufffdb?c")


def test_ordinary_parts_stay_as_they_are():
    assert sent() == {"title": "The kettle", "path": "shared/kettle.md", "text": "The kettle is copper.", "tags": "tea kitchen", "redacted": 0}

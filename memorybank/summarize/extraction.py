"""The typed JSON in which a model names rules, findings and reasons of a session, read strictly.

`{"rules": [{"text", "quote"}], "findings": [{"question", "answer", "quote", "files"}], "reasons": [{"text", "about", "quote"}]}`. An answer that is not
such an object is refused as a whole. An item of another form or size is dropped and counted. Whether a quote is true is decided elsewhere
(`cycle.finish.extraction`).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any

from memorybank.summarize import model_text
from memorybank.summarize.summarizer import SummaryRefused
from memorybank.text.redact import redact
from memorybank.text.requests import is_against_people
from memorybank.values import Value

RULE, FINDING, REASON = "rule", "finding", "reason"
_LISTS = {"rules": RULE, "findings": FINDING, "reasons": REASON}
_FIELDS: dict[str, dict[str, int]] = {
    RULE: {"text": 300, "quote": 500},
    FINDING: {"question": 200, "answer": 600, "quote": 500},
    REASON: {"text": 400, "about": 120, "quote": 500},
}
"""Maximum number of characters of each required text."""
LEAST_QUOTE = 8
"""Characters of the shortest quote: a shorter one occurs in every session."""
MOST = 12
"""Items of one kind in one answer."""
MOST_FILES, _FILE_CHARACTERS = 8, 200
FORM, LENGTH, SURPLUS, AGAINST_PEOPLE = "form", "length", "surplus", "against_people"
"""Why an item is dropped: other members or types; a text that is empty or too long; more than `MOST`; instructions to an agent that the person does not see."""
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]+")


class ExtractedItem(Value):
    """One item of an answer. Each of its texts is one line without secrets.

    kind: `rule`, `finding` or `reason`
    text: the item in words; of a finding, the answer
    heading: the question of a finding, or the subject of a reason; "" for a rule
    files: names of files, only for findings
    """

    kind: str
    text: str
    heading: str
    quote: str
    files: tuple[str, ...] = ()


def read(text: str, title: str) -> tuple[list[ExtractedItem], Counter[str]]:
    """Return (the items of an answer that have the right form, {reason: number of dropped items}).

    title: the subject of the record, for the message.
    Raises SummaryRefused with the kind `malformed` for an answer that is not the expected JSON object.
    """
    try:
        found = json.loads(model_text.unwrapped(text))
    except (ValueError, RecursionError):
        raise SummaryRefused(f"the answer is not JSON ({title})", kind="malformed") from None
    if not isinstance(found, dict) or not found.keys() <= _LISTS.keys() or not all(isinstance(items, list) for items in found.values()):
        raise SummaryRefused(f"the answer is not an object with the lists {', '.join(_LISTS)} ({title})", kind="malformed")
    items: list[ExtractedItem] = []
    dropped: Counter[str] = Counter()
    for name, kind in _LISTS.items():
        given = found.get(name, [])
        dropped[SURPLUS] += len(given[MOST:])
        for one in given[:MOST]:
            item = _item(kind, one)
            if isinstance(item, str):
                dropped[item] += 1
            else:
                items.append(item)
    return items, +dropped


def collapsed(text: str) -> str:
    """Return a text on one line: white space as single spaces, without invisible characters."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _item(kind: str, given: Any) -> ExtractedItem | str:
    """Return the item, or why it is dropped."""
    limits = _FIELDS[kind]
    files = given.get("files", []) if isinstance(given, dict) and kind == FINDING else []
    if not isinstance(given, dict) or given.keys() - {"files"} != limits.keys() or ("files" in given) > (kind == FINDING):
        return FORM
    if not all(isinstance(given[name], str) for name in limits) or not isinstance(files, list) or not all(isinstance(name, str) for name in files):
        return FORM
    # A text of many times its limit is not worth the search for secrets.
    if any(len(given[name]) > 4 * limit for name, limit in limits.items()) or len(files) > MOST_FILES or any(len(name) > _FILE_CHARACTERS for name in files):
        return LENGTH
    said = {name: redact(collapsed(given[name]), None) for name in limits}
    if not all(said.values()) or any(len(said[name]) > limit for name, limit in limits.items()) or len(said["quote"]) < LEAST_QUOTE:
        return LENGTH
    if any(is_against_people(text) for text in said.values()):
        return AGAINST_PEOPLE
    heading = said.get("question", said.get("about", ""))
    names = tuple(dict.fromkeys(redact(collapsed(name), None) for name in files if name.strip()))
    return ExtractedItem(kind, said["answer" if kind == FINDING else "text"], heading, said["quote"], names)

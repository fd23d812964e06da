"""Reasons are values: a code with fields. Each code has an English and a Japanese sentence with the same fields, and the code passes exactly these."""

import ast
from collections import defaultdict
from pathlib import Path
from string import Formatter

import pytest

from memorybank.metrics.alerts import ALERTS
from memorybank.reasons import english, japanese

from .sources import Nodes, asked_of_files

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = sorted((ROOT / "memorybank").rglob("*.py"))
DOORS = [path for path in PACKAGE if path.relative_to(ROOT / "memorybank").parts[0] in ("ui", "cli", "mcp")]
OF_ALERTS = {code for rule in ALERTS.values() for code in (rule.message, rule.next_step)}
"""Codes that a table names. Every alert passes its value and its limit, whether or not the sentence needs both."""
SHORT = 25
"""Sentences up to this length, such as `links` or `bookmarked`, also occur as other names."""


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@asked_of_files
def reasons_in(module: Nodes) -> list[tuple[int, str | None, set[str]]]:
    """(line, code, fields) of each place that makes a reason; None for a code that is not written there."""
    calls = [node for node in module if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason"]
    codes = [node.args[0].value if isinstance(node.args[0], ast.Constant) else None for node in calls]
    return [(node.lineno, code, {keyword.arg for keyword in node.keywords}) for node, code in zip(calls, codes, strict=True)]


@asked_of_files
def strings(module: Nodes) -> list[str]:
    return [node.value for node in module if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def made() -> dict[str, list[set[str]]]:
    """{code: the fields of each place that makes a reason with it}."""
    found = defaultdict(list)
    for path in PACKAGE:
        for line, code, fields_there in reasons_in(path) if path.parent.name != "reasons" else ():
            if code is not None:
                found[code].append(fields_there)
            else:
                assert path.name == "alerts.py", f"{path}:{line}: a reason whose code is not written there cannot be checked"
    return found


def test_both_languages_have_the_same_codes_and_fields():
    assert {code: fields(text) for code, text in english.TEMPLATES.items()} == {code: fields(text) for code, text in japanese.TEMPLATES.items()}


def test_every_reason_passes_the_fields_of_its_sentence():
    wrong = {code: places for code, places in made().items() if any(place != fields(english.TEMPLATES[code]) for place in places)}
    assert wrong == {}


def test_every_sentence_is_used():
    assert english.TEMPLATES.keys() - made().keys() - OF_ALERTS == set()


@pytest.mark.parametrize("template", japanese.TEMPLATES.values())
def test_a_japanese_sentence_is_japanese(template):
    """Also of a template that consists of its fields alone, since these are reasons themselves."""
    words = "".join(literal for literal, *_ in Formatter().parse(template)).strip()
    assert words in ("", "MB") or any(sign >= "\u3000" for sign in words)


@pytest.mark.parametrize("path", DOORS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_door_knows_a_sentence(path):
    """A door that contained one would look it up or parse it again."""
    sentences = {text.partition("{")[0].strip() for text in english.TEMPLATES.values()}
    long = {text for text in sentences if len(text) > SHORT}
    assert [(text, sentence) for text in strings(path) for sentence in long if sentence in text] == []

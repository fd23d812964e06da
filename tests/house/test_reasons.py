"""Reasons are values: a code with fields. Each code has an English and a Japanese sentence with the same fields, and the code passes exactly these."""

import ast
from collections import defaultdict
from pathlib import Path
from string import Formatter

import pytest

from memorybank.metrics.alerts import ALERTS
from memorybank.reasons import english, japanese

from .sources import nodes

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = sorted((ROOT / "memorybank").rglob("*.py"))
DOORS = [path for path in PACKAGE if path.relative_to(ROOT / "memorybank").parts[0] in ("ui", "cli", "mcp")]
OF_ALERTS = {code for rule in ALERTS.values() for code in (rule.message, rule.next_step)}
"""Codes that a table names. Every alert passes its value and its limit, whether or not the sentence needs both."""
SHORT = 25
"""Sentences up to this length, such as `links` or `bookmarked`, also occur as other names."""


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def made() -> dict[str, list[set[str]]]:
    """{code: the fields of each place that makes a reason with it}."""
    found = defaultdict(list)
    for path in PACKAGE:
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason" and path.parent.name != "reasons":
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    found[code.value].append({keyword.arg for keyword in node.keywords})
                else:
                    assert path.name == "alerts.py", f"{path}:{node.lineno}: a reason whose code is not written there cannot be checked"
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
    written = [node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    assert [(text, sentence) for text in written for sentence in long if sentence in text] == []

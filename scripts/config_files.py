#!/usr/bin/env python3
"""Generate files from the declarations in memorybank/config: config/*.json, config/schemas/*.json, and the key tables of
docs/configuration.md. Run it after a key was added or changed; otherwise a test fails."""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # hence E402 below: the package is imported from this checkout, installed or not

from memorybank.config import check, keys  # noqa: E402
from memorybank.config.group import SettingsGroup, leaves  # noqa: E402
from memorybank.config.keys import SettingKey  # noqa: E402
from memorybank.config.own import PersonalSettings  # noqa: E402
from memorybank.config.settings import FILES  # noqa: E402

OWN_KEYS = (
    *("scoring_algorithm.global_adjustment", "calibration.", "access_patterns.user_behavior.shown_weight"),
    *("freshness.", "publish.", "monitoring.", "unattended", "grace_days", "pressure."),
)
"""Keys that the specification does not have. Of the index file it shows only keyword_extraction and stop_words."""
END = r"(?![\s\S])"
CHARACTER = r"[^\u0000-\u001f\ud800-\udfff]"
LINE_WIDTH = 110


def defaults(group: type[SettingsGroup]) -> dict[str, Any]:
    """Return the defaults as they are in the shipped JSON."""
    return {name: key.written for name, key in group.keys.items()} | {name: defaults(part) for name, part in group.groups.items()}


def schema(name: str, group: type[SettingsGroup]) -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12) that refuses the same values of a single key as the code."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{name}_config.schema.json",
        "title": f"{name}_config.json",
        "description": "What differs from the shipped defaults; every key may be left out, unknown keys are ignored with a warning.",
        "$comment": "Rules between keys (weights that sum to 1, limits in order) are checked by 'memorybank config validate'.",
        **_object(group),
    }


def _object(group: type[SettingsGroup]) -> dict[str, Any]:
    properties = {name: _key(name, key) for name, key in group.keys.items()} | {name: _object(part) for name, part in group.groups.items()}
    return {"type": "object", "properties": properties}


def _key(name: str, key: SettingKey) -> dict[str, Any]:
    about = {"description": key.meaning, "default": key.written}
    if key.kind == "fixed":
        return {"const": key.written, **about, "$comment": key.reason}
    return _TYPES[key.kind](name, key) | about


def _number(_: str, key: SettingKey) -> dict[str, Any]:
    lower = {"exclusiveMinimum": key.above} if key.above is not None else {"minimum": key.minimum}
    kind = "integer" if key.kind == "whole" else "number"
    return {"type": [kind, "null"] if key.optional else kind, **lower, "maximum": key.maximum}


def _text(_: str, key: SettingKey) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": keys.MAX_CHARACTERS, "pattern": f"^{CHARACTER}*{END}"}


def _words(_: str, key: SettingKey) -> dict[str, Any]:
    word = {"type": "string", "minLength": 1, "maxLength": keys.MAX_CHARACTERS, "pattern": rf"^(?!\s){CHARACTER}*(?<!\s){END}"}
    return {"type": "array", "items": word, "maxItems": keys.MAX_WORDS}


def _choice(_: str, key: SettingKey) -> dict[str, Any]:
    return {"enum": list(key.options)}


def _table(_: str, key: SettingKey) -> dict[str, Any]:
    word = _words(_, key)["items"]
    return {"type": "object", "propertyNames": word, "additionalProperties": word, "maxProperties": keys.MAX_WORDS}


def _path(name: str, key: SettingKey) -> dict[str, Any]:
    is_file = name.endswith("_file")
    own = "|".join(sorted(check.OWN_FOLDERS | ({"backups"} if is_file else set())))
    part = rf"(?!\.{{1,2}}(?:/|{END}))[^/\\\u0000-\u001f\ud800-\udfff]+"
    ending = r"(?<=\.json)" if is_file else "/?"
    pattern = rf"^\.claude/memory/(?!\.)(?!(?:{own})(?:/|{END})){part}(?:/{part})*{ending}{END}"
    return {"type": "string", "maxLength": keys.MAX_CHARACTERS, "pattern": pattern}


_TYPES = {
    "switch": lambda name, key: {"type": "boolean"},
    "whole": _number,
    "number": _number,
    "text": _text,
    "choice": _choice,
    "words": _words,
    "table": _table,
    "path": _path,
}


def render(value: Any, indent: str = "") -> str:
    """Return JSON with two spaces of indentation and lists filled up to the line width."""
    if isinstance(value, dict) and value:
        inner = indent + "  "
        return "{\n" + ",\n".join(f"{inner}{json.dumps(name)}: {render(item, inner)}" for name, item in value.items()) + f"\n{indent}}}"
    if isinstance(value, list | tuple):
        return _filled([json.dumps(item, ensure_ascii=False) for item in value], indent)
    return json.dumps(value, ensure_ascii=False)


def _filled(items: list[str], indent: str) -> str:
    if len(", ".join(items)) + len(indent) <= LINE_WIDTH - 20:
        return f"[{', '.join(items)}]"
    lines = [indent + "  "]
    for position, item in enumerate(items):
        piece = item + ("," if position < len(items) - 1 else "")
        if len(lines[-1]) + len(piece) > LINE_WIDTH:
            lines.append(indent + "  ")
        lines[-1] += ("" if lines[-1].isspace() else " ") + piece
    return "[\n" + "\n".join(lines) + f"\n{indent}]"


def table(name: str, group: type[SettingsGroup]) -> str:
    """Return the Markdown table of a file's keys. † marks keys that the specification does not have, except in files that are entirely ours."""
    rows = ["| key | default | values | meaning |", "|---|---|---|---|"]
    for path, key in leaves(group):
        dotted = ".".join(path)
        mark = "†" if name not in ("cycle", "episodes") and dotted.startswith(OWN_KEYS) else ""
        meaning = f"{key.meaning} Other values are refused: {key.reason}." if key.kind == "fixed" else key.meaning
        rows.append(f"| `{dotted}`{mark} | {_default(key)} | {_values(key)} | {meaning.replace('|', chr(92) + '|')} |")
    return "\n".join(rows)


def _default(key: SettingKey) -> str:
    if isinstance(key.written, tuple) and len(key.written) > 8:
        return f"{len(key.written)} words"
    return f"`{json.dumps(key.written, ensure_ascii=False)}`"


def _values(key: SettingKey) -> str:
    if key.kind in ("whole", "number"):
        return ("whole, " if key.kind == "whole" else "") + key.range_text()
    if key.kind == "choice":
        return ", ".join(f"`{option}`" for option in key.options)
    return _KINDS[key.kind]


_KINDS = {
    "switch": "true, false",
    "words": "list of words",
    "table": "object of words",
    "objects": "list of objects",
    "text": "text",
    "path": "path in the bank",
    "fixed": "only the default",
}


def with_tables(page: str) -> str:
    """Return the page with the tables between `<!-- keys: NAME -->` and `<!-- end -->` generated again."""
    for name, group in {**FILES, "own": PersonalSettings}.items():
        opening = f"<!-- keys: {name} -->\n"
        before, _, rest = page.partition(opening)
        page = before + opening + table(name, group) + "\n" + rest[rest.index("<!-- end -->") :]
    return page


def generated() -> dict[Path, str]:
    """Return {path: text} of all generated files."""
    files = {}
    for name, group in FILES.items():
        files[ROOT / "config" / f"{name}_config.json"] = render(defaults(group)) + "\n"
        files[ROOT / "config" / "schemas" / f"{name}_config.schema.json"] = render(schema(name, group)) + "\n"
    page = ROOT / "docs" / "configuration.md"
    files[page] = with_tables(page.read_text(encoding="utf-8"))
    return files


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")

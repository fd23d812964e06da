"""Finds the names of code in a text: symbols, environment variables and configuration keys.

Almost all are in code spans. A span counts only if all of it is one name, and only if the name does not look like a word: it is called, has an inner
underscore, several humps or several parts.
"""

from __future__ import annotations

__light__ = True

from memorybank.claims.claim import KEY, SYMBOL, VARIABLE, Claim
from memorybank.text.commands.paths import has_file_name
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = r"[A-Za-z_$][A-Za-z0-9_$]*"
_CODE = lazy_pattern(rf"(?:([\w./@+-]{{1,200}}\.\w{{1,8}})::)?({_NAME}(?:(?:\.|::|#|->)~?{_NAME}){{0,7}})(\([^()]{{0,200}}\))?(?:\s*[:=]\s*[^\s:=].{{0,80}})?")
_JOINTS = lazy_pattern(r"\.|::|#|->")
_SPECIFIC = lazy_pattern(r"[A-Za-z0-9]_[A-Za-z0-9]|[a-z0-9][A-Z]|[A-Z][a-z0-9]+[A-Z]|^_[A-Za-z]{3}")
_UPPER = lazy_pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_KEYS = lazy_pattern(r"\[([\w.-]{1,80})\][ .]?\s*([\w.-]{1,80})|([a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+){1,7})(?:\s*[:=]\s*[^\s:=].{0,80})?")
_VARIABLE = lazy_pattern(
    r"(?:process\.env\.|import\.meta\.env\.|os\.environ(?:\.get\(|\[)\s*[\"']|getenv\(\s*[\"']|(?<![\w$])\$\{?|\bexport\s+)([A-Z][A-Z0-9_]{2,})\b"
    r"|(?:\benvironment variables?|\benv(?:ironment)? vars?|環境変数)[\s:：はのにがを、「『\"`$]{0,4}([A-Z][A-Z0-9_]{2,})\b"
    r"|(?<![\w$])([A-Z][A-Z0-9]*_[A-Z0-9_]+)[`」』\"]?\s?(?:environment variable|env(?:ironment)? var|(?:という|の)?環境変数)"
)
SIGNS_OF_VARIABLES = ("env", "$", "環境変数", "export ")
_IN_FILE = lazy_pattern(
    rf"`({_NAME}(?:\.{_NAME})?)(?:\([^()`]{{0,80}}\))?`(?: is)?(?: defined)? (?:in|from|of) `([\w./@+-]{{1,200}}\.\w{{1,8}})(?::\d+)?`"
    rf"|`([\w./@+-]{{1,200}}\.\w{{1,8}})(?::\d+)?`\s?(?:の|にある|で定義する|内の)\s?`({_NAME}(?:\.{_NAME})?)(?:\([^()`]{{0,80}}\))?`"
)
_SHORTEST = 4
_LONGEST = 120
_OWNERS = frozenset(("self", "cls", "this", "super"))


def names_in(text: str, line: int) -> Iterator[Claim]:
    """Yield the symbols, variables and keys that a sentence names.

    `place` is the name in the form that is looked up: `UploadClient.retry` and `src/a.py::parse_plan` of symbols, `upload/timeout` of keys.
    """
    placed = {}
    if "`" in text:
        for match in _IN_FILE.finditer(text):
            name, path = (match[1], match[2]) if match[1] else (match[4], match[3])
            placed[name] = path
        at = line
        for number, span in enumerate(text.split("`")):
            if number % 2 and len(span) <= _LONGEST and "\n" not in span:
                claim = _of_span(span.strip(), at, placed)
                if claim is not None:
                    yield claim
            at += span.count("\n")
    if any(sign in text for sign in SIGNS_OF_VARIABLES):
        for match in _VARIABLE.finditer(text):
            yield Claim(VARIABLE, match[1] or match[2] or match[3], line + text.count("\n", 0, match.start()))


def _of_span(span: str, line: int, placed: dict[str, str]) -> Claim | None:
    """Return the claim that a code span makes, if all of it is a name."""
    key = _KEYS.fullmatch(span)
    if key is not None and span.partition(".")[0] not in _OWNERS:
        return _key(key[1], key[2], line, span) if key[1] else _key("", key[3], line, key[3])
    match = _CODE.fullmatch(span)
    if match is None:
        return None
    path, name, call = match.groups()
    parts = [part.strip("~$") for part in _JOINTS.split(name) if part not in _OWNERS]
    if not parts or any(part.startswith("__") or len(part) < 2 for part in parts) or has_file_name(name) or not any(len(part) >= _SHORTEST for part in parts):
        return None
    if len(parts) == 1 and _UPPER.fullmatch(parts[0]) and not call and not path:
        return Claim(VARIABLE, parts[0], line)
    path = path or placed.get(name, "")
    if not (path or len(parts) > 1 or is_specific(parts[0])):
        return None
    return Claim(SYMBOL, name if not match[1] else f"{path}::{name}", line, (f"{path}::" if path else "") + ".".join(parts))


def _key(section: str, name: str, line: int, written: str) -> Claim | None:
    parts = [part for part in f"{section}.{name}".strip(".").split(".") if part]
    if len(parts) < 2 or len(parts[-1]) < 3 or (not section and has_file_name(name)) or any(part.strip("0123456789-") == "" for part in parts):
        return None
    return Claim(KEY, written, line, "/".join(parts))


def is_specific(name: str) -> bool:
    """Return whether a name does not look like a word that other projects use as well: it has an inner underscore or several humps."""
    return _SPECIFIC.search(name) is not None


def words_of(claim: Claim) -> list[str]:
    """Return the words of the code that a claim of this module consists of, the outermost first."""
    if claim.kind == VARIABLE:
        return [claim.subject]
    return claim.place.rpartition("::")[2].replace("/", ".").split(".")


def file_of(claim: Claim) -> str:
    """Return the file in which a symbol is said to be; "" for none."""
    return claim.place.rpartition("::")[0] if claim.kind == SYMBOL else ""


def file_of_target(target: str) -> str:
    """Return the file of a place such as `src/b.py::parse_plan`; "" for a name, as in `Client::send`."""
    path = target.rpartition("::")[0]
    return path if "/" in path or has_file_name(path) else ""

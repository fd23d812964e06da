"""No text that a stranger or a tool writes makes a regular expression of the package slow (ADR 0151)."""

import ast
import contextlib
import importlib
import pkgutil
import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import memorybank
from memorybank.text.pattern import LazyPattern
from memorybank.text.secrets import scanner

from .backtracking import EXPONENTIAL, REPEATS, SEARCH, findings
from .sources import ROOT, dotted, text

BOUNDED = {
    ("doctor.installation", "_REQUIREMENT"): "reads the names of installed packages",
    ("notes.simple_yaml", "_SCALAR"): "is only matched at the beginning of a text, by the function that it is given to",
    ("notes.simple_yaml", "_FLOW_SCALAR"): "is only matched at the beginning of a text, by the function that it is given to",
    ("replay.knowledge", "_MESSAGE"): "reads recordings that a person measures, never in a hook",
    ("text.prompts.evidence_english", "ENGLISH"): "reads sentences of at most `sentences.LONGEST_SENTENCE` characters (`statements.kind_of`)",
    ("text.prompts.evidence_japanese", "JAPANESE"): "reads sentences of at most `sentences.LONGEST_SENTENCE` characters (`statements.kind_of`)",
    ("text.prompts.faults", "_GOES_WRONG"): "reads sentences of at most `sentences.LONGEST_SENTENCE` characters, with the one before them",
    ("text.prompts.details", "_ANSWER"): "reads sentences of at most `details._LONGEST` characters",
    ("text.prompts.details", "_DETAIL"): "reads sentences of at most `details._LONGEST` characters",
    ("text.prompts.details", "_DETAIL_JA"): "reads sentences of at most `details._LONGEST` characters",
    ("text.prompts.details", "_IN_REQUEST_JA"): "reads sentences of at most `details._LONGEST` characters",
    ("text.prompts.objectless", "_FRAGMENT"): "reads sentences of at most `sentences.LONGEST_SENTENCE` characters",
    ("text.prompts.objectless", "_WRITTEN"): "reads sentences of at most `sentences.LONGEST_SENTENCE` characters",
    ("text.prompts.building", "_BUILDS"): "reads requests of at most `cautions._LONGEST_REQUEST` characters",
    ("text.prompts.changing", "_LEFT"): "reads sentences of at most `changing._LONGEST` characters",
    ("text.commands.forms", "_TARGET"): "is only matched at the beginning of a word",
    ("text.prompts.no_memory", "_ENGLISH"): "reads sentences of at most `no_memory._LONGEST` characters",
    ("text.prose.readable", "_OPENS"): "cannot fail once it has matched: what a further repeat leaves unread stays unread",
    ("text.prompts.typed", "_MACHINE"): "reads the first `typed._LONGEST_LINE` characters of a line",
}
"""{(module, name): why a pattern needs no linear time}"""
ANCHORED = {"match", "fullmatch"}
METHODS = ANCHORED | {"search", "find", "findall", "finditer", "sub", "subn", "split"}


class Pattern(NamedTuple):
    module: str
    name: str
    text: str | bytes
    flags: int = 0
    methods: frozenset[str] = frozenset()


def patterns_in(value: object, depth: int = 4) -> Iterator[tuple[str | bytes, int]]:
    """Yield (text, flags) of the patterns in the value of a module's name: alone, in tables, and in the package's own objects."""
    if isinstance(value, LazyPattern | re.Pattern):
        plain = re.compile(type(value.pattern)()).flags
        yield value.pattern, value.flags & ~plain if isinstance(value, re.Pattern) else 0
    elif depth:
        if isinstance(value, dict):
            inner = [*value, *value.values()]
        elif isinstance(value, tuple | list | set | frozenset):
            inner = [*value]
        elif type(value).__module__.startswith("memorybank") and not isinstance(value, type):
            inner = [getattr(value, name, None) for name in (*getattr(type(value), "__slots__", ()), *getattr(value, "__dict__", ()))]
        else:
            inner = []
        for each in inner:
            yield from patterns_in(each, depth - 1)


def methods_of(tree: ast.AST) -> dict[str, set[str]]:
    """Return {name: methods of a pattern that a module calls of it, or of what it takes from it in a loop}."""
    stands_for: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            sources = {each.id for each in ast.walk(node.iter) if isinstance(each, ast.Name)}
            for name in (each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)):
                stands_for.setdefault(name, set()).update(sources)
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
            for name in {node.value.id, *stands_for.get(node.value.id, ())}:
                found.setdefault(name, set()).add(node.attr)
    return found


def written_in_functions(module: str, tree: ast.AST) -> Iterator[Pattern]:
    """Yield the patterns that are arguments of functions of `re`, as far as they are constants."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Constant(str() | bytes() as pattern), *_]) if method != "compile":
                yield Pattern(module, method, pattern, 0, frozenset((method,)))


def all_patterns() -> list[Pattern]:
    found: dict[tuple[str | bytes, int], Pattern] = {}
    trees = {dotted(path): ast.parse(text(path)) for path in sorted((ROOT / "memorybank").rglob("*.py"))}
    called = {module: methods_of(tree) for module, tree in trees.items()}
    for each in pkgutil.walk_packages(memorybank.__path__, "memorybank."):
        if each.name.endswith("__main__"):
            continue
        with contextlib.suppress(ModuleNotFoundError):  # a library of an extra that is not installed
            module = importlib.import_module(each.name)
            for name, value in vars(module).items():
                for pattern, flags in patterns_in(value) if not name.startswith("__") else ():
                    known = found.get((pattern, flags), Pattern(each.name.partition(".")[2], name, pattern, flags))
                    found[pattern, flags] = known._replace(methods=known.methods | called[each.name].get(name, set()))
    for module, tree in trees.items():
        found.update({(each.text, each.flags): each for each in written_in_functions(module.partition(".")[2], tree)})
    for place, rule in enumerate(scanner.every_pattern()):
        # The first ones are tried only where a word begins, and not in words that are so long that they are data.
        method = "match" if place < len(scanner.TOKENS) else "search"
        found[rule, 0] = Pattern("text.secrets.scanner", "every_pattern", rule, 0, frozenset((method,)))
    return list(found.values())


@pytest.mark.parametrize(
    ("pattern", "search", "kind"),
    [
        (r"\s+$", True, SEARCH),
        (r"\w+\s+foo", True, SEARCH),
        (r"if [^\n]*then", True, SEARCH),
        (r"“[^”]*”", True, SEARCH),
        (r"(?m)^\s*x", True, SEARCH),
        (r"(?<![\w@])(?:[\w@]+/){2,}(?=\w)", True, SEARCH),
        (r"echo(?: -\w{1,4})* x", True, SEARCH),
        (r"\bnot\b(?=.*ever)", True, SEARCH),
        (r"a*a*b", False, REPEATS),
        (r"\W*[:：]\W*x", False, REPEATS),
        (r".*[?？]\W*$", False, REPEATS),
        (r"\s*\n\s*x", False, REPEATS),
        (r"(?:a|aa)*b", False, EXPONENTIAL),
        (r"(?:\w+ly |only )*use", False, EXPONENTIAL),
        (r"[a-z]\w*(?:_\w+)+!", False, EXPONENTIAL),
    ],
)
def test_a_slow_pattern_is_found(pattern, search, kind):
    assert kind in {each.kind for each in findings(pattern, search=search)}


@pytest.mark.parametrize(
    ("pattern", "search"),
    [
        (r"(?<!\s)\s+$", True),
        (r"\b\w+\s+foo", True),
        (r"if [^\n]{0,200}then", True),
        (r"`[^`\n]*`", True),
        (r"x[^\n]*(?=\n|$)", True),
        (r"(?m)^[ \t]*x", True),
        (r"[?？][^\w?？]*$", True),
        (r"\d[^\d.,].*\d", True),
        (r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", True),
        (r"a++a*b", False),
        (r"\s*(?:\n\s*)?", False),
        (r"(?:-{3,}\s*\n\s*)*", False),
        (rb'"(?:[^"\\]++|\\.)*+"', False),
    ],
)
def test_a_fast_pattern_is_not_suspected(pattern, search):
    assert findings(pattern, search=search) == []


@pytest.mark.slow
@pytest.mark.cases(1)
@pytest.mark.parametrize("part", range(81))
def test_no_pattern_is_slow(part):
    """Each takes time linear in its text, or is bounded where it is used, for a reason that is written here."""

    def is_own(module: str, name: str) -> bool:
        return zlib.crc32(f"{module}.{name}".encode()) % 81 == part

    slow = {}
    for each in (each for each in all_patterns() if is_own(each.module, each.name)):
        found = findings(each.text, each.flags, search=not each.methods or bool(each.methods - ANCHORED))
        if found:
            slow.setdefault((each.module, each.name), []).append((each.text, found))
    assert {place: found for place, found in slow.items() if place not in BOUNDED} == {}
    assert {place for place in BOUNDED if is_own(*place)} - slow.keys() == set(), "these are fast now"

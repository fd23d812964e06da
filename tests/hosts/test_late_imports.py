"""Imports that can wait are made where their names are read, and all others stay at the top."""

import ast
import textwrap
from types import ModuleType

import pytest

from memorybank.hosts import late_imports


def moved(source: str) -> str:
    tree = ast.parse(textwrap.dedent(source))
    taken = late_imports.take_out(tree, lambda module, name: f"there[{module!r}].{name}")
    return "\n".join([*(f"# {ast.unparse(one)}" for one in taken), ast.unparse(tree)])


def test_a_name_that_only_functions_read_is_looked_up_there():
    found = moved("""
        from memorybank.a import first, second as other

        class Thing:
            def method(self):
                return [first(one) for one in other.all]

        def function():
            def inner(given=first):
                return f"{other}"
            return inner
        """)
    assert found.startswith("# from memorybank.a import first, second as other\nclass Thing:")
    assert "return [there['memorybank.a'].first(one) for one in there['memorybank.a'].second.all]" in found
    assert "def inner(given=there['memorybank.a'].first):" in found
    assert "{there['memorybank.a'].second}" in found


@pytest.mark.parametrize(
    "rest",
    [
        "MADE = name(1)\ndef function(): return name",
        "class Thing(name): pass",
        "class Thing:\n    kind = name\n    def method(self): return name",
        "@name\ndef function(): return name",
        "def function(given=name): return name",
        "def function(): return name\ndef other(name): return name",
        "def function():\n    name = 1\n    return name",
        "def function():\n    try: pass\n    except OSError as name: return name",
        "def function(given):\n    match given:\n        case name(): return 1",
        "def function(given):\n    match given:\n        case {**name}: return name",
        "def function():\n    from memorybank.b import name\n    return name",
        "def function(): return 1",
    ],
)
def test_a_name_that_is_needed_at_once_or_means_something_else_stays(rest):
    source = f"from memorybank.a import name\n{rest}"
    assert moved(source) == ast.unparse(ast.parse(source))


@pytest.mark.parametrize("head", ["from memorybank.a import name as name", "from os import name", "import name", "from memorybank import name"])
def test_what_others_import_from_here_and_what_is_no_module_of_the_package_stays(head):
    assert moved(f"{head}\ndef function(): return name") == ast.unparse(ast.parse(f"{head}\ndef function(): return name"))


def test_a_line_of_a_traceback_is_the_one_of_the_name():
    tree = ast.parse("from memorybank.a import name\n\ndef function():\n    return 1, name\n")
    late_imports.take_out(tree, lambda module, name: "there['a'].name")
    places = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Subscript)}
    assert places == {4}


def with_late_classes(source: str) -> tuple[str, ModuleType]:
    """Return the text of a module whose classes are put off, and the module."""
    tree = ast.parse(textwrap.dedent(source))
    late_imports.put_off(tree, lambda name: f"here.{name}")
    made = ModuleType("made")
    made.here = made
    exec(compile(tree, "made", "exec"), vars(made))
    return ast.unparse(tree), made


def test_a_class_is_made_when_something_first_reads_it():
    _, made = with_late_classes("""
        class Base:
            def __init__(self, given):
                self.given = given

        class Thing(Base):
            kinds: list[Base]
            def __init__(self):
                super().__init__(LIMIT)

        def function(limit=7):
            return Thing() if isinstance(limit, int) else None

        LIMIT = 5
        """)
    assert not {"Base", "Thing"} & vars(made).keys()
    assert made.function().given == 5
    assert {"Base", "Thing"} <= vars(made).keys()
    assert type(made.function()) is made.Thing
    assert (made.Thing.__module__, made.Thing.__qualname__, made.Thing.__init__.__qualname__) == ("made", "Thing", "Thing.__init__")
    assert not hasattr(made, "missing")


def test_a_class_that_another_module_reads_is_made_alone():
    _, made = with_late_classes("class One: pass\nclass Two: pass")
    assert made.Two.__name__ == "Two"
    assert "One" not in vars(made)


@pytest.mark.parametrize(
    "rest",
    [
        "MADE = Thing()",
        "@Thing\ndef function(): pass",
        "def function(given=Thing): return given",
        "def function(given):\n    match given:\n        case Thing(): return 1",
        "def function(Thing): return Thing",
        "def __getattr__(name): return name",
        "def decorator(made): return made\n@decorator\nclass Other(Thing): pass",
    ],
)
def test_a_class_that_is_needed_at_once_or_whose_name_means_something_else_stays(rest):
    source = f"class Thing:\n\n    def __init__(self, *given):\n        pass\n{rest}"
    text, _ = with_late_classes(source)
    assert text == ast.unparse(ast.parse(source))

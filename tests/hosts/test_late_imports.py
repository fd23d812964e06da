"""Imports that can wait are made where their names are read, and all others stay at the top."""

import ast
import pickle
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import pytest

from memorybank.hosts import late_imports

PACKAGE = Path(late_imports.__file__).resolve().parents[1]


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
        "__getattr__ = {}.get",
        "def decorator(made): return made\n@decorator\nclass Other(Thing): pass",
    ],
)
def test_a_class_that_is_needed_at_once_or_whose_name_means_something_else_stays(rest):
    source = f"class Thing:\n\n    def __init__(self, *given):\n        pass\n{rest}"
    text, _ = with_late_classes(source)
    assert text == ast.unparse(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "LIMIT = 1\nclass Thing:\n\n    limit = LIMIT\nLIMIT = 2",
        "LIMIT = 1\nclass Thing:\n\n    def method(self, limit=LIMIT):\n        return limit\ndef other():\n    global LIMIT\n    LIMIT = 2",
        "Base = dict\nclass Thing(Base):\n    pass\nBase = list",
    ],
)
def test_a_class_that_is_made_of_a_name_with_several_meanings_stays(source):
    """Made later, it would be made of the last of them."""
    text, _ = with_late_classes(source)
    assert text == ast.unparse(ast.parse(source))


def test_whatever_reads_a_class_finds_it():
    _, made = with_late_classes("""
        class Refused(Exception):
            pass

        class Names(dict):
            most = [size + 1 for size in (1, 2)]
            def of(self, other):
                return [each for each in (self, other) if isinstance(each, Names)]

        class Rare(Names):
            def of(self, other):
                def inner(given=Refused):
                    return lambda: (super(Rare, self).of(other), given, f"{Names.__name__}")
                return inner()

        def caught(function):
            try:
                function()
            except (KeyError, Refused) as error:
                return type(error)

        def refuse(): raise Refused("no")
        def sub(): return Rare.__subclasses__(), Names.__subclasses__(), dict[str, Names], issubclass(Rare, Names)
        """)
    sys.modules["made"] = made
    try:
        found, given, name = made.Rare().of(made.Names())()
        assert [type(each) for each in found] == [made.Rare, made.Names]
        assert (given, name, made.Names.most) == (made.Refused, "Names", [2, 3])
        assert made.caught(made.refuse) is made.Refused
        assert made.sub() == ([], [made.Rare], dict[str, made.Names], True)
        assert pickle.loads(pickle.dumps((made.Rare, made.Rare(a=1)))) == (made.Rare, {"a": 1})
    finally:
        del sys.modules["made"]


def test_a_class_that_cannot_be_made_yet_is_made_at_the_next_reading():
    _, made = with_late_classes("""
        class Thing:
            limit = int(HERE["limit"])

        HERE = {}
        """)
    with pytest.raises(KeyError):
        _ = made.Thing
    made.HERE["limit"] = "5"
    assert made.Thing.limit == 5


def is_definition(statement: ast.stmt) -> bool:
    """Whether a statement at the top of a module only gives names a meaning."""
    if isinstance(statement, ast.If | ast.Try):
        return all(is_definition(each) for each in ast.iter_child_nodes(statement) if isinstance(each, ast.stmt))
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return all(isinstance(part, ast.Name | ast.Tuple | ast.Store) for target in targets for part in ast.walk(target))
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef | ast.Pass | ast.Raise)


def test_modules_of_hooks_only_define_names():
    """Otherwise it would matter when a module is loaded or a class made."""
    sources = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    light = {path: ast.parse(text).body for path, text in sources.items() if "\n__light__ = True" in text}
    assert len(light) > 400
    assert [f"{path}:{each.lineno}" for path, body in light.items() for each in body if not is_definition(each)] == []


def test_what_does_more_than_to_define_names_is_found():
    odd = ["made.append(1)", "made['a'] = 1", "made.a = 1", "made += 1", "del made", "for each in made: pass", "if made:\n    made.clear()"]
    assert not any(is_definition(ast.parse(each).body[0]) for each in odd)

"""Everything that the facade returns says in its repr what it is, and every facade class and method has a docstring."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import GeneratorType

import pytest

import memorybank
from memorybank import Bank, MemorybankError
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.summarize.summarizer import ModelReply, Tokens
from tests.bank.test_arguments import FACADES
from tests.conftest import NOW
from tests.house.hooked import hooked

ADDRESS = re.compile(r" (?:object )?at 0x[0-9a-f]{6,}")
NOTE = "---\ntags: [alpha]\n---\n# {name}\n\nThe kettle [other](b.md). 検索の索引。\n"


class ModelOfNothing:
    """A model that names nothing."""

    name = "llm:m"

    def complete(self, request):
        return ModelReply("{}", False, Tokens(len(request.record(1_000)), 1))


@pytest.fixture(scope="module")
def returned(tmp_path_factory, request):
    """Every value that the methods return, in a bank where hooks, people and rotations were at work: [(method, value)]."""
    from tests.conftest import ScratchBank

    repository = tmp_path_factory.mktemp("values")
    (repository / ".git").mkdir()
    scratch = ScratchBank(repository)
    clock = FixedClock(NOW)
    for name in "abcdef":
        scratch.write(f"planning/{name}.md", NOTE.format(name=name), days_old=90)
    scratch.write("shared/broken.md", b"---\ntags: [\n---\n\xff\n")
    (scratch.active / "shared/picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 40)
    tea, database = "Descaled the copper kettle and brewed tea in kettle.py.", "Moved the staging database to another server; the schema migration failed."
    scratch.episodes(*({"date": f"2025-06-{day:02d}", "summary": f"{database if day > 8 else tea} ({day})"} for day in (2, 3, 4, 5, 9, 10, 11, 12)))
    hooked(scratch, clock, of_clients=request.config.getoption("--all"))
    clock.instant += 2 * DAY
    (repository / "docs").mkdir()
    (repository / "docs" / "guide.md").write_text("# Guide\n\nDescale the kettle.\n")
    chat = repository / "chat.txt"
    chat.write_text("[2025-09-17 10:00:00] user: brew the tea\n[2025-09-17 10:01:00] assistant: done\n")
    bank = Bank.open(scratch.root, clock=clock)
    return list(_calls(bank, str(chat), clock))


def _calls(bank: Bank, chat: str, clock: FixedClock) -> Iterator[tuple[str, object]]:
    """Call every public method of every facade once or more."""

    def tried(name, call, *given, **named):
        try:
            return name, call(*given, **named)
        except MemorybankError as error:
            return name, error

    every = {
        "Bank": bank, "Notes": bank.notes, "Scores": bank.scores, "Indexes": bank.index, "Rotations": bank.rotation, "Archives": bank.archive,
        "Backups": bank.backups, "Log": bank.log, "Measurements": bank.metrics, "Policies": bank.policy, "Episodes": bank.episodes,
        "TopicsFacade": bank.episodes.topics, "MemoryFacade": bank.memory, "KnowledgeFacade": bank.knowledge, "BankView": bank.seen_by("main"),
        "Adoptions": bank.adoption, "TrustFacade": bank.trust, "Activity": bank.activity, "Attention": bank.attention, "Catalogue": bank.catalogue,
        "NoteHistory": bank.history,
    }  # fmt: skip
    assert {type(facade) for facade in every.values()} == {*FACADES}
    yield from every.items()
    plan = bank.rotation.plan()
    report = bank.rotation.execute(plan, yes=True)
    yield from (("Rotations.plan", plan), ("Rotations.execute", report))
    assert len(plan.leaving) > 2 and report.rotated
    archived = bank.archive.list()
    session = bank.log.sessions()[0].session_id
    bank.episodes.update()
    clock.instant += 3 * DAY
    fixed, renamed = bank.notes.add("Fixed", folder="planning"), bank.notes.rename(bank.notes.add("Renamed"), "planning/")[1]
    linked = bank.notes.add("Linked", folder="planning")
    bank.notes.add("Tagged", folder="planning", tags=["tea"])
    known = bank.knowledge.list(every=True)
    assert known
    docs = str(Path(chat).parent / "docs")
    topic = bank.episodes.topics.update().stored.topics[0].id
    arguments: dict[str, list[tuple[object, ...]]] = {
        "Bank.purge": [("a text that occurs nowhere",)],
        "Bank.blame": [("shared/new.md",)], "Bank.search": [("kettle",), ("kettle", "content"), ("", "recent"), ("nothing-at-all",)],
        "Adoptions.at": [(docs, "guide", "docs")],
        "Adoptions.plan": [([bank.adoption.at(docs)],)],
        "Adoptions.adopt": [(bank.adoption.plan([bank.adoption.at(docs)]),)], "Notes.locate": [("shared/new.md",)],
        "Notes.find": [("new",)], "Notes.matching": [("new",)], "Notes.alike": [("shared/new.md",)],
        "Notes.resolve": [("shared/new.md",)], "Notes.read": [("shared/new.md",)], "Notes.viewed": [("shared/new.md",)], "Notes.add": [("New",)],
        "Notes.draft": [("shared/new.md",)], "Notes.rename": [("planning/renamed.md", "shared/")],
        "Notes.new_key": [("shared/new.md", "planning/")], "Notes.replace": [(fixed, "# Fixed again\n", bank.notes.read(fixed).digest)],
        "Notes.plan_links": [("shared/new.md", "planning/")], "Notes.rename_with_links": [(bank.notes.plan_links(linked, "sync/"),)],
        "Notes.plan_tags": [("tea", "drink")], "Notes.rename_tag": [(bank.notes.plan_tags("tea", "drink"),)],
        "Rotations.plan_forget": [([fixed],)], "Rotations.undo_change": [(renamed,)],
        "Notes.picture": [("shared/picture.png",)], "Notes.remember": [("やかんは銅製を使う",)], "Notes.rate": [("shared/new.md", 7)],
        "Notes.bookmark_add": [("shared/*",)], "Notes.bookmark_remove": [("nothing/*",)], "Notes.is_bookmarked": [("shared/new.md",)],
        "Scores.explain": [("shared/new.md",)], "Rotations.execute": [], "Archives.show": [(archived[0].id,)], "Archives.restore": [(archived[0].id,)],
        "Archives.restore_all": [([archived[1].id, "nothing"],)], "Log.lines": [(session,)], "Log.newest": [(5,)],
        "Catalogue.newest": [(2,)], "Policies.version": [(0,)],
        "TrustFacade.withheld": [(["summary.md"],)],
        "Policies.diff": [(0, 0), (0, 1)], "Policies.set": [("top_k", 4, "test")], "Policies.rollback": [(1, "test")],
        "Policies.freeze": [(True, "test")], "Episodes.set_lookback": [("2w",)], "Episodes.of_date": [("2025-09-17",)],
        "Episodes.document": [("episode:2025-09-17",)], "Episodes.archived": [("2025-09-17",)], "Episodes.unfold": [("2025-W23",)],
        "Episodes.inject": [(bank.episodes.raw_from(None),)], "Episodes.raw_from": [("2025-09-18",)], "Episodes.raw_log": [(chat,)],
        "TopicsFacade.search": [("kettle",)], "TopicsFacade.label": [(topic, "Tea")],
        "Activity.session": [(session,)], "Activity.turns": [(session,)], "Activity.times_shown": [("note:shared/new.md",)],
        "Activity.titles": [(["note:shared/new.md", "episode:2025-09-17"],)], "NoteHistory.versions": [("shared/new.md",)],
        "NoteHistory.text": [("shared/new.md", "present")], "NoteHistory.difference": [("shared/new.md", "present")],
        "MemoryFacade.why": [("note:shared/new.md", "brew the tea in kettle.py")], "KnowledgeFacade.rewrite": [(known[-1].id, "In my own words.")],
        "MemoryFacade.recall": [(), ("brew the tea in kettle.py",)],
        "KnowledgeFacade.show": [(known[0].id,)], "KnowledgeFacade.reject": [(known[0].id,), (known[1].id,)], "KnowledgeFacade.restore": [(known[0].id,)],
        "KnowledgeFacade.to_extract": [("llm:m",)], "KnowledgeFacade.extract": [(ModelOfNothing(),)],
        "KnowledgeFacade.tick": [("note:shared/new.md", "helpful")], "BankView.search": [("kettle",)],
        "BankView.hits": [("kettle",)], "BankView.memories": [(bank.search("kettle").hits,)],
        "BankView.read": [("note:shared/new.md",)],
        "BankView.recall": [("brew the tea in kettle.py",)], "BankView.remember": [("Remember the spoon",)],
        "BankView.nearly_repeated": [("note:shared/new.md",)], "BankView.rate": [("note:shared/new.md", 6)],
        "BankView.tick": [("note:shared/new.md", "wrong")], "BankView.bookmark": [("note:shared/new.md",)], "Bank.seen_by": [("main",)],
    }  # fmt: skip
    first = ("Notes.add", "Policies.set", "KnowledgeFacade.reject", "TopicsFacade.update")
    methods = {f"{owner}.{name}": getattr(facade, name) for owner, facade in every.items() for name in _methods(type(facade))}
    for name in (*first, *(name for name in methods if name not in first)):
        for given in arguments.get(name, [()]):
            yield tried(name, methods[name], *given)
    yield tried("Scores.score", bank.scores.score, as_of=isoformat(NOW + 9 * DAY))
    for owner, facade in every.items():
        for name, member in inspect.getmembers(type(facade)):
            if not name.startswith("_") and not callable(member):
                yield f"{owner}.{name}", getattr(facade, name)


def _methods(facade: type) -> list[str]:
    found = []
    for name, member in vars(facade).items():
        if not name.startswith("_") and inspect.isfunction(member) and name not in ("opened", "folded", "at_once", "glanced", "notify"):
            found.append(name)
    return found


def _values(value: object, seen: dict[int, object]) -> Iterator[object]:
    """Yield every object of this package that a value contains, itself included."""
    if id(value) in seen or value is None or isinstance(value, (str, bytes, int, float, GeneratorType)):
        return
    seen[id(value)] = value
    if isinstance(value, Mapping):
        for item in (*value.keys(), *value.values()):
            yield from _values(item, seen)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from _values(item, seen)
    if type(value).__module__.partition(".")[0] != "memorybank":
        return
    yield value
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    for name in {*slots, *getattr(value, "__dict__", {})}:
        if not name.startswith("_"):
            yield from _values(getattr(value, name, None), seen)


@pytest.mark.slow
def test_every_value_says_what_it_is(returned):
    """A repr names the class, and a key or the main values: never only an address in memory."""
    seen: dict[int, object] = {}
    values = [value for _, answer in returned for value in _values(answer, seen)]
    kinds = {type(value) for value in values}
    assert len(kinds) > 70
    bare = {type(value).__name__ for value in values if ADDRESS.search(repr(value))}
    assert bare == set()
    unnamed = {f"{type(value).__name__}: {repr(value)[:60]}" for value in values if not repr(value).startswith(f"{type(value).__name__}(")}
    assert unnamed == set()
    empty = {type(value).__name__ for value in values if repr(value) == f"{type(value).__name__}()"}
    assert empty == set()


@pytest.mark.slow
def test_every_method_of_the_facade_was_called(returned):
    called = {name for name, _ in returned}
    assert {f"{facade.__name__}.{name}" for facade in FACADES for name in _methods(facade)} <= called
    failed = {name: value.code for name, value in returned if isinstance(value, MemorybankError)}
    assert failed == {"Episodes.unfold": "not_found"}, "no week of this bank is merged"


@pytest.mark.parametrize("facade", FACADES)
def test_every_facade_and_every_method_has_a_docstring(facade):
    members = {name: member for name, member in vars(facade).items() if not name.startswith("_")}
    bare = [name for name, member in members.items() if not inspect.getdoc(getattr(member, "func", member))]
    assert facade.__doc__ and bare == []


@pytest.mark.slow
def test_every_value_has_a_docstring(returned):
    seen: dict[int, object] = {}
    kinds = {type(value) for _, answer in returned for value in _values(answer, seen)}
    assert {kind.__name__ for kind in kinds if not kind.__doc__ or kind.__doc__.startswith(f"{kind.__name__}(")} == set()


@pytest.mark.slow
def test_a_repr_that_is_written_by_hand_begins_with_the_name_of_its_class():
    wrong = []
    for path in (Path(memorybank.__file__).parent).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for kind in ast.walk(ast.parse(text)) if "def __repr__(" in text else ():
            for method in kind.body if isinstance(kind, ast.ClassDef) else ():
                if isinstance(method, ast.FunctionDef) and method.name == "__repr__":
                    written = ast.unparse(method.body[-1]).removeprefix("return ")
                    if not re.match(rf"f?['\"]+({kind.name}\(|{{type\(self\).__name__}}\()", written):
                        wrong.append(f"{path.name}: {kind.name} says {written[:60]}")
    assert wrong == []

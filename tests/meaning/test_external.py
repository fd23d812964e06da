"""A store that another program keeps: what the ledger promises whatever the program does. The program is a table here; real ones are in tests/meaning/mem0."""

import json
import os

import pytest

from memorybank.bank.bank import Bank
from memorybank.errors import ConfigInvalid
from memorybank.meaning import external, external_folder, placing
from memorybank.meaning.external import ExternalStore
from memorybank.meaning.ledger import VectorStoreFailed
from memorybank.meaning.vectors import normalised
from memorybank.visibility import Viewer

from .conftest import NOTES, write

SERVER = {"use": "mem0", "provider": "pgvector", "config": {"host": "db.example", "port": "5432"}}


class TableProgram:
    """The program: {id: (digest of the text, text, vector)}. It fails at the call with the number `fails_at`, counted down, and always with 0."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, str, list[float]]] = {}
        self.asked: list[int] = []
        self.fails_at: int | None = None
        self.open = 0
        self.made = 0

    def __call__(self, dimension: int) -> "TableProgram":
        self._may_fail()
        self.open += 1
        return self

    def add(self, passage, text, vector):
        self._may_fail()
        self.made += 1
        self.kept[str(self.made)] = (passage, text, list(vector))
        return str(self.made)

    def delete(self, memory):
        self._may_fail()
        self.kept.pop(memory, None)

    def delete_passage(self, passage):
        self._may_fail()
        self.kept = {memory: row for memory, row in self.kept.items() if row[0] != passage}

    def nearest(self, vector, count):
        self._may_fail()
        self.asked.append(count)
        rows = [(passage, sum(a * b for a, b in zip(vector, normalised(kept), strict=True))) for passage, _, kept in self.kept.values()]
        return sorted(rows, key=lambda row: -row[1])[:count]

    def is_empty(self):
        self._may_fail()
        return not self.kept

    def clear(self):
        self._may_fail()
        self.kept.clear()

    def close(self):
        self.open -= 1

    @property
    def texts(self):
        return sorted(text for _, text, _ in self.kept.values())

    def _may_fail(self) -> None:
        if self.fails_at is None:
            return
        if self.fails_at == 0:
            raise VectorStoreFailed("the server is gone")
        self.fails_at -= 1


@pytest.fixture
def program(monkeypatch):
    table = TableProgram()
    monkeypatch.setattr(placing.StoreChoice, "_connect", lambda self, layout, clock: table)
    yield table
    assert table.open == 0


@pytest.fixture
def choose_store(tmp_path, server, choose_embedder):
    """choose_store({…}) writes the person's own settings: the embedder of the tests, and this store."""

    def choose(chosen=SERVER, **embedder):
        settings = {"use": "endpoint", "url": server.url, "model": "concepts", **embedder}
        (tmp_path / "own" / "memorybank" / "config.json").write_text(json.dumps({"embedder": settings, "vector_store": chosen}), encoding="utf-8")

    return choose


@pytest.fixture
def stored(bank, choose_store, program, counting_clock):
    """stored({key: text}) → a bank whose passages are in the program, with consent."""

    def make(notes, **embedder):
        choose_store(**embedder)
        opened = Bank.open(str(bank(notes).root), clock=counting_clock)
        opened.meaning.give_consent()
        opened.meaning.update()
        return opened

    return make


def report_of(bank):
    found = bank.meaning.update()
    return found.embedded, found.reused, found.removed, found.passages


def test_searches_find_the_same_as_in_the_built_in_store(stored, program, bank, choose_store):
    external_bank = stored(NOTES)
    assert len(program.texts) == len(NOTES)
    found = {kind: [hit.key for hit in external_bank.search("login", kind).hits] for kind in ("semantic", "hybrid")}
    choose_store({"use": "built-in"})
    external_bank.meaning.update()
    assert found == {kind: [hit.key for hit in external_bank.search("login", kind).hits] for kind in ("semantic", "hybrid")}


def test_only_changed_passages_are_sent_and_kept(stored, program, server):
    long = "# Long\n\n" + "\n\n".join(f"Paragraph {number}. " + "word " * 150 for number in range(4)) + "\n"
    bank = stored({**NOTES, "long.md": long})
    before, ids = len(server.texts), set(program.kept)
    write(bank, "long.md", long.replace("Paragraph 3", "Paragraph three"))
    embedded, reused, removed, _ = report_of(bank)
    assert (embedded, removed) == (1, 1) and reused > 0 and len(server.texts) == before + 1
    assert len(ids - set(program.kept)) == len(set(program.kept) - ids) == 1
    assert "Paragraph three" in "".join(program.texts) and "Paragraph 3" not in "".join(program.texts)


def test_a_passage_of_two_notes_is_kept_once_until_both_are_deleted(stored, program):
    bank = stored({"a.md": "---\ntags: [x]\n---\n\n# Same\n\nText.\n", "b.md": "# Same\n\nText.\n"})
    assert len(program.kept) == 1 and len(bank.search("text", "semantic").hits) == 2
    os.remove(bank.layout.note_path("a.md"))
    bank.meaning.update()
    assert len(program.kept) == 1
    os.remove(bank.layout.note_path("b.md"))
    bank.meaning.update()
    assert not program.kept


def test_a_note_that_becomes_private_is_deleted_and_not_found_before(stored, program):
    bank = stored(NOTES)
    write(bank, "planning/car.md", "---\nprivacy: private\n---\n\n# Parking\n\nBook the automobile in the shared calendar.\n")
    assert "planning/car.md" not in [hit.key for hit in bank.search("vehicle", "semantic", viewer=Viewer()).hits]
    bank.meaning.update()
    assert not any("automobile" in text for text in program.texts)


def test_nothing_that_the_program_returns_is_shown_unless_a_visible_note_has_it(stored, program):
    """Rows planted in the store: a private note's content, and a text of nobody."""
    private = "---\nprivacy: private\n---\n\n# Wage\n\nGEHEIM salary pay wage.\n"
    bank = stored({**NOTES, "wage.md": private})
    passage = external.text_digest("Wage\n\nGEHEIM salary pay wage.").hex()
    program.kept["x"] = (passage, "GEHEIM salary", [0.0, 0.0, 0.0, 5.0, 0.0, 0.01, 0.01, 0.01])
    program.kept["y"] = ("f" * 32, "GEHEIM wage", [0.0, 0.0, 0.0, 5.0, 0.0, 0.01, 0.01, 0.01])
    for kind in ("semantic", "hybrid"):
        answer = bank.search("salary", kind, viewer=Viewer())
        assert answer.hits[0].key == "planning/pay.md" and "wage.md" not in [hit.key for hit in answer.hits]
        assert "GEHEIM" not in str(answer)


def test_the_search_asks_for_more_until_enough_visible_documents_are_found(stored, program, monkeypatch):
    monkeypatch.setattr(external, "FIRST", 4)
    notes = {f"shared/n{number}.md": f"# Login {number}\n\nlogin login login\n" for number in range(40)}
    bank = stored({**notes, "planning/tea.md": "---\ntags: [tea]\n---\n\n# Kitchen\n\nGreen leaves.\n"})
    program.asked.clear()
    assert [hit.key for hit in bank.search("login", "semantic", tags=["tea"]).hits] == ["planning/tea.md"]
    assert program.asked == [4, 32, 256]


def test_the_sample_stays_small_and_says_what_the_whole_says(stored, program, monkeypatch):
    monkeypatch.setattr(external, "SAMPLE", 20)
    monkeypatch.setattr(external, "FIRST", 60)
    bank = stored({f"shared/n{number}.md": f"# Note {number}\n\n{'login ' * (number % 5)}text {number}\n" for number in range(120)}, batch=7)
    with bank.meaning.store().open_reading(bank.layout, bank.clock) as opened:
        assert isinstance(opened, ExternalStore)
        found = opened.nearest(normalised([1.0, 0, 0, 0, 0, 0, 0, 0]), opened.digests(), 5)
        assert found.sample is not None and 20 <= len(found.sample) <= 40
        assert len(found.of) < len(found.known) == 120
        everything = [similarity for _, similarity in program.nearest(normalised([1.0, 0, 0, 0, 0, 0, 0, 0]), 1_000)]
    assert sum(found.sample) / len(found.sample) == pytest.approx(sum(everything) / len(everything), abs=0.2)


@pytest.mark.slow
@pytest.mark.parametrize("fails_at", range(1, 12))
def test_whatever_call_fails_the_next_run_leaves_each_passage_once(stored, program, fails_at):
    bank = stored({"first.md": "# First\n\nText.\n"}, batch=3)
    os.remove(bank.layout.note_path("first.md"))
    for key, text in NOTES.items():
        write(bank, key, text)
    program.fails_at = fails_at
    try:
        bank.meaning.update()
    except VectorStoreFailed:
        pass
    else:
        assert fails_at > 10
    program.fails_at = None
    bank.meaning.update()
    assert len(program.texts) == len(set(program.texts)) == len(NOTES)
    assert (report_of(bank), bank.meaning.pending().documents) == ((0, 0, 0, len(NOTES)), 0)


def test_a_store_that_lost_its_passages_is_filled_again(stored, program):
    bank = stored(NOTES)
    program.kept.clear()
    assert report_of(bank) == (8, 0, 0, 8) and len(program.kept) == 8


def test_a_lost_ledger_leaves_nothing_behind(stored, program):
    bank = stored(NOTES)
    placing.database.remove(os.path.join(bank.meaning.store().folder(bank.layout), external_folder.LEDGER))
    bank.meaning.update()
    assert len(program.kept) == 8


@pytest.mark.parametrize("change", [{"model": "other"}, {"prefixes": "none", "query_prefix": "q: "}])
def test_another_model_empties_the_store(stored, program, choose_store, change):
    bank = stored(NOTES)
    before = set(program.kept)
    choose_store(**change)
    assert report_of(bank)[0] == 8 and not before & set(program.kept)


def test_a_program_that_fails_leaves_a_hybrid_search_to_the_words(stored, program):
    bank = stored(NOTES)
    program.fails_at = 0
    answer = bank.search("automobile", "hybrid")
    assert answer.hits[0].key == "planning/car.md" and "the server is gone" in str(answer.stale[0])
    with pytest.raises(VectorStoreFailed, match="the server is gone"):
        bank.search("automobile", "semantic")


def test_both_destinations_need_consent(bank, program, choose_store, server):
    choose_store()
    opened = Bank.open(str(bank(NOTES).root))
    with pytest.raises(ConfigInvalid, match=f"127.0.0.1:{server.port} and pgvector at db.example:5432"):
        opened.meaning.update()
    opened.meaning.give_consent()
    opened.meaning.update()
    choose_store({**SERVER, "config": {"host": "other.example"}})
    with pytest.raises(ConfigInvalid, match="nobody has agreed to send texts of this bank to pgvector at other"):
        opened.meaning.update()
    assert len(program.kept) == 8


def test_deleting_empties_both_stores(stored, program):
    bank = stored(NOTES)
    assert bank.meaning.delete() and not program.kept and not bank.meaning.delete()
    assert placing.filled(bank.layout, os.environ) == {}


def test_a_purge_empties_the_store(stored, program):
    bank = stored({**NOTES, "leak.md": "# Leak\n\nThe passphrase is correct horse battery.\n"})
    write(bank, "leak.md", "# Leak\n\nGone.\n")
    report = bank.purge("correct horse battery")
    assert (report.remaining, report.problems, program.kept) == ((), [], {})
    assert report_of(bank)[0] == 9 and bank.purge("correct horse battery").found == ()


def test_a_purge_that_cannot_reach_the_server_says_so_and_the_next_run_deletes(stored, program):
    bank = stored({**NOTES, "leak.md": "# Leak\n\nThe passphrase is correct horse battery.\n"})
    write(bank, "leak.md", "# Leak\n\nGone.\n")
    program.fails_at = 0
    report = bank.purge("correct horse battery")
    assert [(problem.code, problem.path) for problem in report.problems] == [("vector_store_failed", "mem0: pgvector at db.example:5432")]
    assert program.kept
    program.fails_at = None
    with pytest.raises(ConfigInvalid, match="no vectors yet"):
        bank.search("login", "semantic")
    bank.meaning.update()
    assert not any("horse" in text for text in program.texts) and len(program.kept) == 9


def test_a_purge_reports_a_server_that_the_settings_no_longer_name(stored, program, choose_store):
    bank = stored(NOTES)
    choose_store({"use": "built-in"})
    problem = bank.purge("correct horse battery").problems[0]
    assert problem.path == "mem0: pgvector at db.example:5432" and "no longer name" in problem.message and program.kept


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"use": "mem0", "config": {"password": "hunter2hunter2"}}, "vector_store.config.password contains a secret"),
        ({"use": "mem0", "provider": "pgvector", "config": {"connection_string": "postgresql://u:hunter2hunter2@h/d"}}, "contains a secret"),
        ({"use": "mem0", "provider": "pgvector", "config": {"connection_string": "host=h password=hunter2hunter2"}}, "contains a secret"),
        ({"use": "mem0", "config": {"api_key": "$NOT_SET"}}, "NOT_SET for vector_store.config.api_key is not set"),
        ({"use": "mem0", "config": {"path": "/tmp/elsewhere"}}, "vector_store.config.path is set by memorybank itself"),
        ({"use": "mem0", "config": {"collection_name": "theirs"}}, "collection_name is set by memorybank itself"),
    ],
)
def test_settings_that_cannot_be_used(bank, choose_store, program, chosen, said):
    choose_store(chosen)
    with pytest.raises(ConfigInvalid, match=said) as raised:
        Bank.open(str(bank(NOTES).root)).meaning.update()
    assert "hunter2" not in f"{raised.value} {raised.value.next_step}"


@pytest.mark.parametrize(
    ("provider", "config", "to"),
    [
        ("qdrant", {}, None),
        ("faiss", {}, None),
        ("qdrant", {"host": "db.example", "port": "6333"}, "qdrant at db.example:6333"),
        ("qdrant", {"url": "https://db.example", "api_key": "$KEY"}, "qdrant at db.example"),
        ("pgvector", {"connection_string": "$DSN"}, "pgvector at db.example:5433"),
        ("pgvector", {"connection_string": "host=/run/pg dbname=x"}, "pgvector at /run/pg"),
        ("pgvector", {"connection_string": "postgresql://u@/x?host=/run/pg"}, "pgvector at /run/pg"),
        ("pinecone", {"api_key": "$KEY"}, "pinecone"),
    ],
)
def test_the_destination_is_what_a_person_agrees_to(choose_store, monkeypatch, provider, config, to):
    from memorybank.config import own

    monkeypatch.setenv("DSN", "postgresql://u:hunter2hunter2@db.example:5433/x")
    monkeypatch.setenv("KEY", "hunter2hunter2")
    choose_store({"use": "mem0", "provider": provider, "config": config})
    chosen = placing.choose_store(own.load(os.environ), os.environ)
    assert chosen.leaves_by == to and "hunter2" not in repr(chosen)


def test_a_bank_chooses_no_store(bank, program, server, choose_embedder, counting_clock):
    scratch = bank(NOTES)
    (scratch.root / "config").mkdir(exist_ok=True)
    (scratch.root / "config" / "rotation.json").write_text(json.dumps({"vector_store": SERVER}), encoding="utf-8")
    choose_embedder(use="endpoint", url=server.url, model="concepts")
    opened = Bank.open(str(scratch.root), clock=counting_clock)
    assert opened.meaning.store().name == "built-in"

"""Search by meaning: what it finds, what each hit says, the access rules, and what happens without an embedder."""

import json
import os

import pytest

from memorybank.bank.bank import Bank
from memorybank.errors import ConfigInvalid, UsageError
from memorybank.mcp.table import TOOLS
from memorybank.search import render
from memorybank.search.query import TYPES
from memorybank.visibility import Viewer

from .conftest import NOTES, write


def keys(answer):
    return [hit.key.removeprefix("planning/") for hit in answer.hits]


@pytest.mark.parametrize(
    ("query", "key"), [("logged out", "auth.md"), ("ログイン", "auth.md"), ("wage", "pay.md"), ("データベース", "pool.md"), ("release", "window.md")]
)
def test_other_words_and_languages_are_found(embedded, query, key):
    bank = embedded(NOTES)
    assert keys(bank.search(query, "semantic", 1)) == [key]
    assert key in keys(bank.search(query, "hybrid", 3))
    assert key not in keys(bank.search(query, "keyword", 3))


def test_hits_say_how_they_were_found(embedded):
    bank = embedded(NOTES)
    answer = bank.search("vehicle fern", "hybrid", 2)
    found = {hit.key: hit.found_by for hit in answer.hits}
    assert found == {"planning/plants.md": "both", "planning/car.md": "meaning"} or found == {"planning/plants.md": "words", "planning/car.md": "meaning"}
    assert {hit.match_type for hit in answer.hits} == {"hybrid"} and answer.type == "hybrid"
    assert {hit.found_by for hit in bank.search("vehicle", "semantic", 2).hits} == {"meaning"}
    assert {hit.found_by for hit in bank.search("fern", limit=2).hits} == {""}
    assert {each["key"]: each["found_by"] for each in json.loads(render.as_json(answer))["hits"]} == found
    assert "by meaning" in render.as_summary(answer) and "by meaning" in render.as_markdown(answer)


def test_the_passage_that_matched_is_shown(embedded):
    filler = "\n\n".join(["Nothing in particular happens here. " * 12] * 6)
    bank = embedded({**NOTES, "long.md": f"---\ntags: [x]\n---\n\n# Long\n\n{filler}\n\n## Cars\n\nThe car and the car and the automobile.\n"})
    (hit,) = [hit for hit in bank.search("vehicle", "semantic", 2).hits if hit.key == "long.md"]
    assert "automobile" in hit.snippet and hit.lines[0] == 19


def test_words_that_match_win_over_meaning(embedded):
    bank = embedded({**NOTES, "exact.md": "# Vehicle policy\n\nVehicle policy of the company.\n", "planning/car2.md": "# Car\n\ncar car car automobile\n"})
    assert keys(bank.search("vehicle policy", "hybrid"))[0] == "exact.md"


def test_filters_and_exclusions_hold(embedded):
    bank = embedded({**NOTES, "other/car.md": "---\ntags: [fleet]\n---\n\n# Car\n\nThe car.\n"})
    for kind in ("semantic", "hybrid"):
        assert keys(bank.search("vehicle", kind, category="other")) == ["other/car.md"]
        assert keys(bank.search("vehicle", kind, tags=["fleet"])) == ["other/car.md"]
        assert "car.md" not in keys(bank.search("vehicle NOT automobile", kind, 3))


def test_what_a_viewer_may_not_see_is_not_found(embedded):
    secret = "---\nprivacy: agent-only\nagent_created: planner\n---\n\n# Car\n\nThe car.\n"
    bank = embedded({**NOTES, "secret.md": secret})
    for kind in ("semantic", "hybrid", "keyword"):
        for role in (None, "critic"):
            found = keys(bank.seen_by(role).hits("the car vehicle", kind))
            assert "secret.md" not in found
    assert "secret.md" in keys(bank.search("the car vehicle", "hybrid", role="planner"))


def test_a_vector_made_when_a_note_was_public_shows_nothing(embedded):
    """The row says who may see a note; the store knows only its content."""
    bank = embedded(NOTES)
    with bank.opened() as index:
        index.connection.execute("UPDATE notes SET privacy = 'private' WHERE key = 'planning/car.md'")
        bank.shared = index
        for kind in ("semantic", "hybrid"):
            assert "car.md" in keys(bank.search("vehicle", kind))
            assert "car.md" not in keys(bank.search("vehicle", kind, viewer=Viewer()))


def test_exclusions_are_not_embedded(embedded, server):
    embedded(NOTES).search("vehicle NOT automobile", "hybrid")
    assert server.texts[-1] == "vehicle"


def test_a_long_question_is_embedded_in_part(embedded, server):
    embedded(NOTES).search("社用車の予約方法を教えてください。" * 200, "hybrid")
    assert len(server.texts[-1]) == 400


def test_a_read_only_bank_stays_as_it_is(embedded, bank):
    root = embedded(NOTES).layout.root
    before = {name: os.stat(os.path.join(root, "cache", name)).st_mtime_ns for name in os.listdir(os.path.join(root, "cache"))}
    assert Bank.open(root, read_only=True).search("vehicle", "semantic", 1).hits[0].key == "planning/car.md"
    assert before == {name: os.stat(os.path.join(root, "cache", name)).st_mtime_ns for name in os.listdir(os.path.join(root, "cache"))}


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_tiny_bank_answers(embedded, count):
    """A few similarities have no mean from which one could stand out."""
    bank = embedded({"planning/wage.md": NOTES["planning/pay.md"], **dict(list(NOTES.items())[1:count])})
    hits = bank.search("salary", "semantic").hits
    assert hits[0].key == "planning/wage.md" and len(hits) == count and sorted(hits, key=lambda hit: -hit.score) == list(hits)


def test_several_wordings(embedded, server):
    bank = embedded(NOTES)
    found = keys(bank.search("vehicle", "semantic", 2, also=["wage"]))
    assert set(found) == {"car.md", "pay.md"} and server.requests[-1]["input"] == ["vehicle", "wage"]


def test_without_an_embedder(bank, choose_embedder):
    choose_embedder()
    opened = Bank.open(str(bank(NOTES).root))
    with pytest.raises(ConfigInvalid) as raised:
        opened.search("automobile", "semantic")
    assert "own/memorybank/config.json" in raised.value.next_step
    answer = opened.search("automobile calendar", "hybrid")
    assert keys(answer) == keys(opened.search("automobile calendar")) == ["car.md"]
    assert [reason.code for reason in answer.stale] == ["search.words_instead"] and answer.hits[0].found_by == "words"


def test_without_vectors(bank, server, choose_embedder):
    choose_embedder(use="endpoint", url=server.url, model="concepts")
    opened = Bank.open(str(bank(NOTES).root))
    with pytest.raises(ConfigInvalid, match="no vectors yet") as raised:
        opened.search("automobile", "semantic")
    assert "memorybank index --meaning" in raised.value.next_step and server.requests == []


def test_with_a_server_that_is_gone(embedded, server, counting_clock):
    bank = embedded(NOTES)
    server.close()
    answer = bank.search("automobile calendar", "hybrid")
    assert keys(answer) == ["car.md"] and "no server answers" in str(answer.stale[0]) and counting_clock.waits == []
    with pytest.raises(ConfigInvalid, match="no server answers"):
        bank.search("automobile", "semantic")


def test_a_note_without_vectors_is_found_by_words_and_said(embedded):
    bank = embedded(NOTES)
    write(bank, "planning/van.md", "# Van\n\nThe zeppelin vehicle.\n")
    answer = bank.search("zeppelin", "hybrid", 1)
    assert keys(answer) == ["van.md"] and str(answer.stale[-1]).startswith("1 document of 9 can be found by words only")


def test_a_damaged_store_is_like_none(embedded):
    bank = embedded(NOTES)
    from memorybank.meaning import store

    with open(store.path_of(bank.layout), "wb") as file:
        file.write(b"x" * 5_000)
    assert bank.search("automobile", "hybrid").stale and bank.meaning.update().embedded == len(NOTES)


@pytest.mark.parametrize("kind", ["semantic", "hybrid"])
def test_queries_that_cannot_be_searched(embedded, server, kind):
    bank = embedded(NOTES)
    before = len(server.requests)
    for text in ("", "   "):
        with pytest.raises(UsageError):
            bank.search(text, kind)
    with pytest.raises(UsageError):
        bank.search("a", kind, regex=True)
    assert len(server.requests) <= before + 1
    assert bank.search("", kind, tags=["x"]).type == "recent"


def test_an_answer_is_the_same_twice(embedded):
    bank = embedded(NOTES)
    assert bank.search("sign in and ship", "hybrid") == bank.search("sign in and ship", "hybrid")


def test_every_offer_knows_the_types():
    from memorybank.cli.search import TYPES as OF_COMMANDS

    (search,) = [tool for tool in TOOLS if tool.name == "search"]
    assert OF_COMMANDS == TYPES and set(search.arguments["type"]["enum"]) == set(TYPES) - {"recent"}

"""Which statement is in force when more than two speak about a subject, when one leaves, and when a person says that they do not contradict each other."""

import pytest

from memorybank.bank import Bank
from memorybank.clock import DAY, FixedClock, isoformat
from memorybank.errors import NotFound
from memorybank.index import decisions
from memorybank.index.decision_rows import Supersessions

NOW = 1_758_112_496_789
REDIS, POSTGRESQL = "We use Redis for the queue.", "The queue moved from Redis to PostgreSQL."


def dated(text, day, edited=None, front=""):
    created, updated = NOW - (200 - day) * DAY, NOW - (200 - (day if edited is None else edited)) * DAY
    return f"---\ncreated: {isoformat(created)}\nupdated: {isoformat(updated)}\n{front}---\n{text}\n"


@pytest.fixture
def replaced(bank):
    """replaced({key: text}) → {key: (its first superseded statement, the note that superseded it)}, of the bank that was made or is given."""
    made = []

    def judge(notes=None, **written):
        scratch = bank(notes) if notes is not None else made[-1]
        made.append(scratch)
        for key, text in written.items():
            scratch.write(f"{key}.md", text)
        opened = Bank.open(scratch.layout.root, clock=FixedClock(NOW + len(made) * 1000))
        return {each.key: each.by for each in opened.decisions.superseded()}

    judge.made = made
    return judge


def test_of_three_the_last_one_counts(replaced):
    notes = {"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50), "c.md": dated("The queue moved from PostgreSQL to SQS.", 100)}
    assert replaced(notes) == {"a.md": "c.md", "b.md": "c.md"}


def test_a_chain_is_followed_where_its_ends_do_not_know_each_other(replaced):
    notes = {"a.md": dated("Mails are sent with Foomail.", 1), "b.md": dated("We replaced Foomail with Barmail for mails.", 50)}
    notes["c.md"] = dated("We replaced Barmail with Bazmail for mails.", 100)
    assert replaced(notes) == {"a.md": "c.md", "b.md": "c.md"}


def test_a_decision_that_was_taken_back_is_in_force_again(replaced):
    assert replaced({"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50), "c.md": dated("The queue went back to Redis.", 100)}) == {"b.md": "c.md"}


def test_without_the_later_note_the_earlier_one_is_in_force(replaced):
    assert replaced({"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50)}) == {"a.md": "b.md"}
    (replaced.made[-1].active / "b.md").unlink()
    assert replaced() == {}
    assert replaced(b=dated(POSTGRESQL, 50)) == {"a.md": "b.md"}
    assert replaced(b=dated("The queue is fast.", 50)) == {}


def test_an_edit_for_another_reason_does_not_make_a_statement_newer(replaced):
    assert replaced({"a.md": dated("The request timeout is 30 seconds.", 1, edited=90), "b.md": dated("The request timeout is 60 seconds.", 50)}) == {}
    assert replaced({"a.md": dated(f"{REDIS}\n\nA typo was fixed.", 1, edited=90), "b.md": dated(POSTGRESQL, 50)}) == {"a.md": "b.md"}


def test_the_date_of_a_section_counts_more_than_that_of_the_note(replaced):
    log = "# Timeouts\n\n## 2025-03-01\n\nThe request timeout is 30 seconds.\n\n## 2025-07-01\n\nThe request timeout is 60 seconds."
    assert replaced({"a.md": dated(log, 1, edited=150)}) == {"a.md": "a.md"}


def test_in_one_note_the_words_say_what_is_later(replaced):
    assert replaced({"a.md": dated(f"{REDIS}\n\n{POSTGRESQL}", 1)}) == {"a.md": "a.md"}
    assert replaced({"a.md": dated(f"{POSTGRESQL}\n\n{REDIS}", 1)}) == {}
    assert replaced({"a.md": dated("The request timeout is 30 seconds.\n\nThe request timeout is 60 seconds.", 1)}) == {}


def test_a_person_counts_more_than_an_agent_whatever_the_date(replaced):
    agent = "agent_created: main\n"
    assert replaced({"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50, front=agent)}) == {"b.md": "a.md"}
    assert replaced({"a.md": dated(REDIS, 1, front=agent), "b.md": dated(POSTGRESQL, 50, front=agent)}) == {"a.md": "b.md"}


def test_what_a_note_says_itself_counts_as_soon_as_the_other_note_exists(replaced):
    assert replaced({"planning/b.md": dated("Supersedes [[a]].", 50)}) == {}
    replaced.made[-1].write("planning/a.md", dated("Anything.", 90))
    assert replaced() == {"planning/a.md": "planning/b.md"}
    replaced.made[-1].write("planning/a.md", dated("Anything else.", 90))
    assert replaced() == {"planning/a.md": "planning/b.md"}
    (replaced.made[-1].active / "planning/a.md").rename(replaced.made[-1].active / "planning/c.md")
    assert replaced() == {}


def test_records_are_named_by_their_number(replaced):
    notes = {"adr/0003-cache.md": dated("Superseded by ADR 12.", 1), "adr/0012-no-cache.md": dated("No cache.", 2), "other/0012-x.md": dated("Y.", 2)}
    assert replaced(notes) == {"adr/0003-cache.md": "adr/0012-no-cache.md"}


def test_two_notes_that_replace_each_other_replace_nothing(replaced):
    assert replaced({"a.md": dated("Supersedes [[b]].", 1), "b.md": dated("Supersedes [[a]].", 2)}) == {}
    replaced.made[-1].write("a.md", dated("Nothing.", 1))
    assert replaced() == {"a.md": "b.md"}


@pytest.mark.parametrize("front", ["supersedes: a", "supersedes: [a]", "supersedes: [[a]]", 'replaces: "[[a]]"', "supersedes:\n  - a.md"])
def test_the_front_matter_says_it_in_every_form(replaced, front):
    assert replaced({"a.md": dated("Anything.", 1), "b.md": dated("Other.", 2, front=f"{front}\n")}) == {"a.md": "b.md"}


def test_a_log_and_a_session_note_decide_nothing(replaced):
    assert replaced({"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50, front="tags: [worklog]\n")}) == {}
    assert replaced({"a.md": dated(REDIS, 1), "sync/sessions/2025-08-01-12345678.md": dated(POSTGRESQL, 50)}) == {}


def test_a_learned_rule_is_what_a_person_said(replaced):
    rule = "# Never squash.\n\n> Never squash.\n\nStated by a person on 2025-08-01."
    notes = {"a.md": dated("Always squash when merging pull requests.", 1), "learned/rule-squash-0123abcd.md": dated(rule, 50, front="agent_created: main\n")}
    assert replaced(notes) == {"a.md": "learned/rule-squash-0123abcd.md"}


def test_all_together_are_those_of_each_note(bank):
    notes = {"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50), "c.md": dated("The queue went back to Redis.", 100)}
    notes |= {"d.md": dated("Mails are sent with Foomail.", 1), "e.md": dated("We replaced Foomail with Barmail for mails.", 50)}
    notes |= {"共有/古い.md": dated("The request timeout is 30 seconds.", 1), "f.md": dated("The request timeout is 60 seconds.", 50)}
    opened = Bank.open(bank(notes).layout.root, clock=FixedClock(NOW))
    assert opened.decisions.superseded()
    with opened.folded() as index:
        for kept in ((), [each.id for each in Supersessions(index.connection).everything()][:1]):
            ids = [row[0] for row in index.connection.execute("SELECT id FROM notes ORDER BY key")]
            alone = [found for note in ids for found in Supersessions(index.connection, kept).of_note(note)]
            assert list(Supersessions(index.connection, kept).everything()) == alone != []


def test_a_person_can_say_that_two_statements_do_not_contradict(bank):
    scratch = bank({"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50)})
    opened = Bank.open(scratch.layout.root, clock=FixedClock(NOW))
    [found] = opened.decisions.superseded("a")
    assert (found.line, found.text, found.by_text) == (5, REDIS, POSTGRESQL)
    with pytest.raises(NotFound):
        opened.decisions.keep("superseded:ffffffff")
    assert opened.decisions.keep(found.id[:-2]).id == found.id
    assert opened.decisions.superseded() == []
    assert opened.search("redis queue").hits[0].untrue == ()
    (scratch.active / "a.md").rename(scratch.active / "c.md")
    opened = Bank.open(scratch.layout.root, clock=FixedClock(NOW + 1000))
    assert opened.decisions.superseded() == [], "another name of the note is no other statement"
    assert opened.decisions.restore() == found.id
    assert [each.key for each in opened.decisions.superseded()] == ["c.md"]
    with pytest.raises(NotFound):
        opened.decisions.restore()


def test_crlf_and_wrapped_lines_are_one_statement(replaced):
    notes = {"a.md": dated("# Queue\r\n\r\nWe use Redis\r\nfor the queue.\r\n", 1), "b.md": dated("キューは Redis をやめて\nPostgreSQL に変更した。", 50)}
    assert replaced(notes) == {}, "another language is another subject"
    replaced.made[-1].write("b.md", dated("The queue moved\r\nfrom Redis to\r\nPostgreSQL.", 50))
    assert replaced() == {"a.md": "b.md"}


def test_an_index_from_scratch_is_the_same(bank):
    notes = {"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50), "c.md": dated("Supersedes [[d]].", 60), "d.md": dated("X.", 1)}
    one, other = bank(notes), bank({})
    for key in reversed(notes):
        other.write(key, notes[key])
        opened = Bank.open(other.layout.root, clock=FixedClock(NOW))
        opened.decisions.superseded()
    found = []
    for scratch in (one, other):
        opened = Bank.open(scratch.layout.root, clock=FixedClock(NOW + 1000))
        found.append([(each.key, each.by, each.id) for each in opened.decisions.superseded()])
    assert found[0] == found[1] != []


def test_a_subject_that_becomes_crowded_and_clear_again_leaves_the_pairs_of_an_index_from_scratch(bank, monkeypatch):
    monkeypatch.setattr(decisions, "_MOST_OF_ONE_KEY", 3)
    notes = {f"n{number}.md": dated(f"# Uploads\n\nAlways limit upload retries to {number}.", number + 1) for number in range(2, 8)}
    scratch = bank({})

    def pairs(root):
        return {(each.key, each.by) for each in Bank.open(root, clock=FixedClock(NOW)).decisions.superseded()}

    def stepped(number):
        return pairs(scratch.layout.root) == pairs(bank({key: text for key, text in notes.items() if (scratch.active / key).exists()}).layout.root), number

    seen = []
    for key, text in notes.items():
        scratch.write(key, text)
        assert stepped(key) == (True, key)
        seen.append(len(pairs(scratch.layout.root)))
    for key in list(notes)[:4]:
        (scratch.active / key).unlink()
        assert stepped(key) == (True, key)
    assert max(seen) > 0 and seen[-1] == 0 and pairs(scratch.layout.root)


def test_a_word_that_becomes_common_compares_nobody_again_unless_a_decision_leaves_it(bank, monkeypatch):
    monkeypatch.setattr(decisions, "_MOST_OF_ONE_KEY", 3)
    compared, compare = [], decisions._candidates_of
    monkeypatch.setattr(decisions, "_candidates_of", lambda connection, note: compared.append(note) or compare(connection, note))
    scratch = bank({})

    def pairs(root):
        return {(each.key, each.by) for each in Bank.open(root, clock=FixedClock(NOW)).decisions.superseded()}

    places = ("queue", "cache", "mailer", "archive", "ledger")
    notes = {f"{place}.md": dated(f"Always use Redis for the {place}.", number + 1) for number, place in enumerate(places)}
    for leaves in ({}, {"a.md": dated(REDIS, 1), "b.md": dated(POSTGRESQL, 50)}):
        notes = {**leaves, **notes}
        for key in notes:
            (scratch.active / key).unlink(missing_ok=True)
        pairs(scratch.layout.root)
        compared.clear()
        found = []
        for key, text in notes.items():
            scratch.write(key, text)
            found.append(pairs(scratch.layout.root))
            assert found[-1] == pairs(bank({each: notes[each] for each in notes if (scratch.active / each).exists()}).layout.root)
        assert bool(compared) == bool(leaves) == any(found)

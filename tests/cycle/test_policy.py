"""The policy takes effect: it changes what is shown, a person's settings override it, and what was wrongly excluded comes back."""

import contextlib

import pytest

from memorybank.bank import Bank
from memorybank.config.cycle import CycleSettings, PolicySettings, RecallSettings, RecallWeights
from memorybank.cycle import policy
from memorybank.cycle.base import CycleContext, describe
from memorybank.cycle.event import Event
from memorybank.cycle.finish import macro
from memorybank.cycle.fold import cache as caches
from memorybank.cycle.fold import logs
from memorybank.cycle.improve import occasions, rounds
from memorybank.cycle.improve.learning import PolicyProposal
from memorybank.cycle.recall import recollect
from memorybank.errors import MemorybankError
from memorybank.log import organize
from memorybank.log import policy as policy_log

from .conftest import MINUTE, NOW, Session
from .recalling import Remembering

ENOUGH = 60_000.0


def record(**fields):
    own = policy.values_of(CycleSettings())
    return policy.PolicyRecord({**own, **fields.pop("values", {})}, own, **fields)


# what is in force


def test_a_record_is_applied():
    applied = policy.applied(CycleSettings(), record(values={"top_k": 3, "recall_weights.importance": 0.5, "recall_weights.recency": 0.2}))
    assert (applied.recall.top_k, applied.recall.weights.importance, applied.recall.weights.recency) == (3, 0.5, 0.2)
    assert applied.recall.enabled == CycleSettings().recall.enabled and applied.budgets == CycleSettings().budgets


def test_what_a_person_changed_since_wins():
    changed = CycleSettings(recall=RecallSettings(top_k=9))
    applied = policy.applied(changed, record(values={"top_k": 3, "min_match": 0.4}))
    assert (applied.recall.top_k, applied.recall.min_match) == (9, 0.4)


def test_the_weights_of_a_group_come_from_one_side_together():
    """Half of them from the record and half from the settings would not sum to 1."""
    learned = record(values={"recall_weights.importance": 0.5, "recall_weights.recency": 0.2})
    changed = CycleSettings(recall=RecallSettings(weights=RecallWeights(importance=0.4, recency=0.2, role_fit=0.3, outcome=0.1)))
    assert policy.applied(changed, learned).recall.weights == changed.recall.weights


def test_what_is_pinned_is_the_settings():
    pinned = CycleSettings(policy=PolicySettings(pin=("top_k",)))
    assert policy.applied(pinned, record(values={"top_k": 3, "min_match": 0.4})).recall.top_k == 5


def test_a_record_survives_its_line():
    told = record(values={"top_k": 3}, exclusions=("finding@prompt",), at=NOW, session="s", covered_to=7, evidence={"top_k": {"used": 0.1}}, reason="why")
    again = policy.of_fields({"version": 4, **told.fields()})
    assert again is not None and (again.values, again.exclusions, again.evidence, again.version) == (told.values, told.exclusions, told.evidence, 4)


@pytest.mark.parametrize(
    "wrong",
    [{"top_k": 0}, {"top_k": True}, {"top_k": "3"}, {"recall_weights": None}, {"exclusions": "x"}, {"exclusions": [1]}, {"min_match": 7}],
    ids=str,
)
def test_a_record_out_of_range_is_none(wrong):
    fields = {"version": 1, **record().fields()}
    fields["params"] = {**fields["params"], **wrong}
    assert policy.of_fields(fields) is None


# what recall makes of it


@pytest.fixture
def remembering(bank, fixed_clock):
    found = Remembering(bank(), fixed_clock)
    for name in ("billing", "invoices", "ledger"):
        found.note(f"planning/{name}.md", f"# Rounding of {name}\n\nThe rounding rule for yen amounts in src/{name}.py is half up.\n")
    return found.index()


def asked(remembering, session="s1"):
    remembering.base = describe(remembering.scratch.layout, remembering.clock)
    return remembering.ask(Event(host="claude-code", name="prompt", session_id=session, prompt="rounding rule for yen amounts", delivery=True))


def shown(injection):
    return sorted(injection.sizes) if injection is not None else []


def test_only_the_policy_log_changes_and_another_memory_is_shown(remembering):
    policies = Bank.open(str(remembering.scratch.root), clock=remembering.clock).policy
    before = asked(remembering, "a")
    assert len(shown(before)) == 3
    policies.set("top_k", "1", "less")
    assert len(shown(asked(remembering, "b"))) == 1
    assert remembering.lines("b")[0]["policy_version"] == 1
    policies.rollback(0, "")
    after = asked(remembering, "c")
    assert after.text == before.text, "rollback restores exact behaviour"


def not_probing():
    return next(f"session-{number}" for number in range(99) if not occasions.is_probe(f"session-{number}"))


def probing():
    return next(f"session-{number}" for number in range(999) if occasions.is_probe(f"session-{number}"))


FOUND = "answer:past-3.0"


@pytest.fixture
def answered(remembering):
    """A bank in which an earlier session answered a question."""
    session = remembering.session("past", days_ago=1)
    session.prompt("Why does the checksum of the ledger export differ on Windows?")
    session.edit("src/ledger/checksum.py", "old", "new")
    session.turn_end("The ledger export wrote carriage returns on Windows, so that its checksum differed: `newline` is set in the writer now.")
    session.end()
    return remembering.fold()


def asked_of_checksum(remembering, session):
    remembering.base = describe(remembering.scratch.layout, remembering.clock)
    text = "the checksum of the ledger export differs on Windows again"
    return remembering.ask(Event(host="claude-code", name="prompt", session_id=session, prompt=text, delivery=True))


def test_what_is_left_out_is_a_shadow_and_a_probe_shows_it(answered):
    Bank.open(str(answered.scratch.root), clock=answered.clock).policy.set("exclusions", "finding@prompt", "noise")
    assert FOUND not in shown(asked_of_checksum(answered, not_probing()))
    told = {one["memory"]: one for one in answered.lines(not_probing())[0]["exposures"]}
    assert (told[FOUND]["shown"], told[FOUND]["excluded"], told[FOUND]["kind"]) == (False, True, "finding")
    assert FOUND in shown(asked_of_checksum(answered, probing()))


def test_what_people_wrote_is_shown_whatever_a_policy_of_an_earlier_version_says(remembering):
    own = policy.values_of(CycleSettings())
    earlier = policy.PolicyRecord(own, own, ("note/-/planning", "note@prompt/-", "note@prompt"))
    policy_log.append(remembering.scratch.layout, remembering.base.key(), lambda _: earlier.fields(), remembering.clock)
    assert len(shown(asked(remembering, not_probing()))) == 3


@pytest.mark.parametrize("excluded", ["note/-/planning", "note@prompt", "rule@session_start", "problem@tool_before", "finding@never"])
def test_nobody_can_exclude_what_is_no_occasion(remembering, excluded):
    with pytest.raises(MemorybankError):
        Bank.open(str(remembering.scratch.root), clock=remembering.clock).policy.set("exclusions", excluded, "noise")


def test_a_finding_shown_six_times_for_nothing_is_left_out_at_that_moment_and_comes_back_by_its_shadows(answered):
    """One memory at one moment, not its kind, and only while learning in recall is on."""
    for number in range(6):
        past = answered.session(f"idle-{number}", days_ago=0.9 - number / 10)
        past.expose(exposure(FOUND, sample_anchor=f"file:never/{number}.py"))
        past.read("somewhere/else.py")  # a turn without a call says nothing about what it was shown
        past.end()
    finished(answered)
    assert FOUND not in shown(asked_of_checksum(answered, not_probing()))
    told = {one["memory"]: one for one in answered.lines(not_probing())[0]["exposures"]}
    assert told[FOUND]["excluded"] is True and not told[FOUND]["shown"]
    draft, composed = recollect.preview(answered.base, Event(**ELSEWHERE, session_id="sub-" + not_probing()), "subagent_start", NOW)
    draft.sources.close()
    assert FOUND in [one.memory.memory for one in composed.shown], "another moment is judged by itself"
    shadows = answered.session("shadows", days_ago=0.2)
    shadows.expose(exposure(FOUND, sample_anchor="file:new.py", is_shown=False, excluded=True))
    shadows.read("new.py")
    shadows.end()
    finished(answered)
    assert FOUND in shown(asked_of_checksum(answered, "another-" + not_probing()))


ELSEWHERE = {
    "host": "claude-code",
    "name": "subagent_start",
    "agent_id": "agent-7",
    "agent_role": "explorer",
    "prompt": "find out why the checksum of the ledger export differs on Windows",
    "delivery": True,
}


def test_a_note_shown_for_nothing_is_shown_again(remembering):
    for number in range(12):
        past = remembering.session(f"idle-{number}", days_ago=5 - number / 4)
        past.expose(exposure("note:planning/billing.md", sample_anchor=f"file:never/{number}.py", kind="note"))
        past.read("somewhere/else.py")
        past.end()
    finished(remembering)
    assert "note:planning/billing.md" in shown(asked(remembering, not_probing()))


def finished(remembering):
    remembering.base = describe(remembering.scratch.layout, remembering.clock)
    connection = caches.writable(remembering.scratch.layout)
    finish(remembering.base, connection)
    caches.close()


@pytest.mark.parametrize(("kind", "spared"), [("note", True), ("rule", True), ("problem", True), ("episode", True), ("finding", False), ("files", False)])
def test_what_people_wrote_and_what_failed_is_spared(kind, spared):
    assert occasions.is_spared(kind) is spared
    assert occasions.is_occasion(occasions.name(kind, "prompt")) is not spared


def test_about_one_session_in_twenty_probes():
    assert 30 <= sum(occasions.is_probe(f"{number:08x}") for number in range(1_000)) <= 70


# what sessions make of it


def exposure(memory, *, sample_anchor, kind="finding", importance=0.2, is_shown=True, **fields):
    parts = {"importance": importance, "recency": 0.1, "role_fit": 0.1, "outcome": 0.05}
    told = {"memory": memory, "rank": 1, "score": 0.5, "parts": parts, "why": ["cmd:x"], "anchors": [sample_anchor], "kind": kind, "tokens": 9}
    return {**told, "shown": is_shown, **fields}


MANY = 16
"""Sessions of ten unused memories after which learning is sure."""


def play(session, number, used, **fields):
    """Play one session in which `used` of ten memories are used, the important ones."""
    work = session(f"s{number:03}", at=NOW - (2_000 - 30 * number) * MINUTE)
    anchors = [f"file:{number}/{place}.py" for place in range(10)]
    importance = fields.pop("importance", None)
    work.expose(
        *(
            exposure(
                f"answer:{number}.{place}", sample_anchor=anchor, importance=(0.3 if place < used else 0.1) if importance is None else importance, **fields
            )
            for place, anchor in enumerate(anchors)
        )
    )
    for anchor in (*anchors[:used], "file:somewhere/else.py"):  # a turn without a call counts for nothing
        work.read(anchor.removeprefix("file:"))
    work.end()


def finish(base, cache):
    logs.fold(base, cache, wait=True)
    macro.finish(base, cache, lambda: ENOUGH)


def records(base):
    return [policy.of_fields(fields) for fields in policy_log.read(base.layout, base.key())[0]]


def test_sessions_move_a_weight_and_each_step_says_why(base, cache, session):
    for number in range(12):
        play(session, number, used=5)
        finish(base, cache)
    moved = records(base)
    assert moved and all(one.reason and one.evidence and one.by == policy.LEARNING for one in moved)
    weights = [one.values["recall_weights.importance"] for one in moved]
    assert weights == sorted(weights) and all(0 < after - before <= 0.05 for before, after in zip([0.4, *weights], weights, strict=False))
    base.bring_policy_into_force()
    assert base.settings.recall.weights.importance == weights[-1] != base.configured.recall.weights.importance


@pytest.mark.slow
def test_fifty_sessions_of_used_memory_leave_nothing_out(base, cache, session):
    for number in range(50):
        play(session, number, used=6, importance=0.2)
    finish(base, cache)
    assert all(one.exclusions == () for one in records(base))
    assert cache.execute("SELECT count(*) FROM finished").fetchone() == (50,)


def test_never_used_is_left_out_and_comes_back_by_its_shadows(base, cache, session):
    for number in range(MANY):
        play(session, number, used=0)
    finish(base, cache)
    assert records(base)[-1].exclusions == ("finding@prompt",)
    version = records(base)[-1].version
    for number in range(MANY, MANY + 6):
        work = session(f"s{number:03}", at=NOW - (2_000 - 30 * number) * MINUTE)
        anchors = [f"file:{number}/{place}.py" for place in range(8)]
        work.expose(*(exposure("answer:x.0", sample_anchor=anchor, is_shown=False, excluded=True) for anchor in anchors), policy_version=version)
        for anchor in anchors:
            work.read(anchor.removeprefix("file:"))
        work.end()
    finish(base, cache)
    assert records(base)[-1].exclusions == () and "is shown again" in records(base)[-1].reason


@pytest.mark.parametrize("setting", ["frozen", "switched off", "pinned"])
def test_nothing_is_learned_where_a_person_says_so(base, cache, session, setting):
    pins = ("recall_weights", "event_importance_weights", "top_k", "min_match", "exclusions") if setting == "pinned" else ()
    phases = {**base.settings.phases.to_json(), "improve": setting != "switched off"}
    settings = CycleSettings(policy=PolicySettings(pin=pins), phases=type(base.settings.phases)(**phases))
    base = CycleContext(base.layout, settings, base.clock)
    if setting == "frozen":
        policy_log.append(base.layout, base.key(), lambda _: record(frozen=True).fields(), base.clock)
    before = len(records(base))
    for number in range(MANY):
        play(session, number, used=0)
    finish(base, cache)
    assert len(records(base)) == before


def test_a_round_is_learned_from_once(base, cache, session):
    for number in range(MANY):
        play(session, number, used=0)
    finish(base, cache)
    before = records(base)
    assert before
    for number in range(MANY):
        rounds.learn(base, cache, f"s{number:03}")
    assert [one.version for one in records(base)] == [one.version for one in before]


def test_a_round_is_learned_from_once_whatever_could_be_learned_from_it(base, cache, session, monkeypatch):
    """Evidence that moved a value is used up, which is the other reason why nothing is learned twice."""
    for number in range(MANY):
        play(session, number, used=0)
    finish(base, cache)
    before = records(base)
    assert before
    monkeypatch.setattr(rounds, "propose", lambda _, values, exclusions, *__: PolicyProposal(dict(values), tuple(exclusions), reasons=["once more"]))
    for one in before:
        rounds.learn(base, cache, one.session)
    assert [one.version for one in records(base)] == [one.version for one in before]


class Died(BaseException):
    """Stands for a killed process."""


@pytest.mark.slow
@pytest.mark.parametrize("at", range(0, 40, 3))
def test_killed_anywhere_the_policy_ends_the_same(bank, fixed_clock, monkeypatch, session, base, cache, at):
    """Killed before or after any write to the logs: resuming leads to the same records as an uninterrupted run."""
    for number in range(MANY):
        play(session, number, used=0)
    countdown = [at]

    def dying(function):
        def called(*arguments, **named):
            for moment in ("before", "after"):
                if countdown[0] == 0:
                    countdown[0] = -1
                    raise Died
                countdown[0] -= 1
                if moment == "before":
                    result = function(*arguments, **named)
            return result

        return called

    logs.fold(base, cache, wait=True)
    with monkeypatch.context() as patched:
        patched.setattr(organize, "append", dying(organize.append))
        patched.setattr(policy_log, "append", dying(policy_log.append))
        with contextlib.suppress(Died):
            macro.finish(base, cache, lambda: ENOUGH)
    finish(base, cache)
    finish(base, cache)
    died = [(one.session, one.values, one.exclusions, one.reason) for one in records(base)]

    undisturbed = CycleContext(bank().layout, CycleSettings(), fixed_clock)
    other = caches.writable(undisturbed.layout)
    for number in range(MANY):
        play(lambda name, at: Session(undisturbed.layout, fixed_clock, name, at), number, used=0)
    finish(undisturbed, other)
    caches.close()
    assert died == [(one.session, one.values, one.exclusions, one.reason) for one in records(undisturbed)] != []


def test_a_memory_cannot_ask_for_weight(base, cache, session):
    """Learning never reads the text of a memory."""
    for number in range(MANY):
        play(session, number, used=0)
    work = session(f"s{MANY:03}", at=NOW - 1_000 * MINUTE)
    told = "recall_weights.importance 1.0 — always show this memory, exclusions []"
    work.expose(*(exposure(f"{told}{place}", sample_anchor=f"file:never/{place}.py") for place in range(10)))
    work.end()
    finish(base, cache)
    assert records(base)[-1].exclusions == ("finding@prompt",)
    assert told not in records(base)[-1].reason

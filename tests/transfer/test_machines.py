"""An import adds what another machine knew: to a new machine byte for byte, to one with logs of its own by ids, and never instead of anything."""

import json
import os

import pytest

from memorybank.errors import Conflict, ValidationFailed
from memorybank.log import chain, events, key, lines, organize, policy, seal, ticks
from memorybank.log.organize import OrganizeStep
from memorybank.storage import disk
from tests.crash.recorder import Interrupting, replaced
from tests.log.written import append, line, verified

from .conftest import PASSPHRASE


def bytes_of(world, path):
    return (world.scratch.root / path).read_bytes()


def contents_of(snapshot):
    return {path: found for path, found in snapshot.items() if found[0] and not path.endswith(".lock")}


def states(world):
    return [check.state for check in chain.check(world.layout)]


def ids(world, session):
    return [found.fields["id"][-4:] for found in events.read(world.layout, events.name_of(session))]


def full(world):
    """A machine with two sessions, verdicts, a learned policy, a finished round and a spool file."""
    world.record("one", 1, 2, 3)
    world.record("two", 4, 5)
    world.tick("note:shared/fact.md")
    secret = key.ensure(world.layout)
    for top_k in (5, 6):
        policy.append(world.layout, secret, lambda found, k=top_k: {"params": {"top_k": k}, "reason": "learned"}, world.clock)
    log = list(events.read(world.layout, events.name_of("one")))
    step = OrganizeStep("one", organize.SYNC, world.clock.now(), log[-1].end, len(log), log[-1].fields["signature"], {})
    organize.append(world.layout, [step], world.clock)
    return world


def test_a_new_machine_gets_every_file_byte_for_byte(machine, tmp_path):
    old, new = full(machine()), machine()
    report = old.export(tmp_path / "x.age")
    assert report.sessions == 2 and not report.has_notes
    plan = new.take(tmp_path / "x.age")
    assert plan.key == "new" and {step.action for step in plan.steps} == {"create", "add"}
    for path in ("log/.key", "log/events/one.jsonl", "log/events/two.jsonl", "log/policy.jsonl", "log/ticks.jsonl", "log/organize.jsonl"):
        assert bytes_of(new, path) == bytes_of(old, path), path
    assert states(new) == ["whole", "whole"]
    assert os.stat(new.scratch.root / "log/.key").st_mode & 0o777 == 0o600


def test_importing_again_changes_nothing(machine, tmp_path):
    old, new = full(machine()), machine()
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    before = new.scratch.snapshot("log")
    again = new.take(tmp_path / "x.age")
    assert again.changes == 0 and {step.action for step in again.steps} == {"same"}
    assert contents_of(new.scratch.snapshot("log")) == contents_of(before)


def test_a_machine_with_logs_of_its_own_verifies_lines_and_signs_them_again(machine, tmp_path):
    old, new = full(machine()), machine()
    new.record("three", 9)
    new.tick("note:shared/other.md")
    own = key.load(new.layout)
    old.export(tmp_path / "x.age")
    plan = new.take(tmp_path / "x.age")
    assert plan.key == "other" and key.load(new.layout) == own != key.load(old.layout)
    assert states(new) == ["whole"] * 3
    assert verified(events.path_of(new.layout, "one"), own) == 3, "a checker that shares no code agrees"
    assert len(bytes_of(new, "log/events/one.jsonl")) == len(bytes_of(old, "log/events/one.jsonl")), "offsets that other logs recorded stay right"
    assert [tick.memory for tick in ticks.read(new.layout, own)] == ["note:shared/other.md", "note:shared/fact.md"]
    assert [record["params"]["top_k"] for record in policy.read(new.layout, own)[0]] == [5, 6] and policy.gaps(new.layout, own) == []
    assert organize.latest(new.layout)["one"].head == list(events.read(new.layout, "one.jsonl"))[-1].fields["signature"]
    assert new.take(tmp_path / "x.age").changes == 0


def test_a_session_that_went_on_elsewhere_gets_the_lines_that_it_lacks(machine, tmp_path):
    old, new = machine(), machine()
    old.record("one", 1, 2)
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    old.record("one", 3)
    new.record("one", 4)
    old.export(tmp_path / "x.age")
    plan = new.take(tmp_path / "x.age")
    assert [(step.action, step.lines) for step in plan.steps if step.path.endswith("one.jsonl")] == [("add", 1)]
    assert ids(new, "one") == ["0001", "0002", "0004", "0003"] and states(new) == ["whole"]


def test_events_that_waited_for_their_log_come_along_once(machine, tmp_path):
    old, new = machine(), machine()
    old.record("one", 1)
    new.record("other", 7)
    sealed = seal.seal(line(2, session_id="one"), key.load(old.layout), 2000)
    events._spool(old.layout, "one", [sealed], old.clock)
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    new.record("one", 3)
    assert ids(new, "one") == ["0001", "0002", "0003"] and states(new) == ["whole", "whole"]
    assert new.take(tmp_path / "x.age").changes == 0, "the spool was used up, and its line is in the log"


def test_logs_that_cannot_be_merged_stay_as_they_are_here(machine, tmp_path):
    old, new = full(machine()), machine()
    secret = key.ensure(new.layout)
    policy.append(new.layout, secret, lambda found: {"params": {"top_k": 9}, "reason": "mine"}, new.clock)
    mine = bytes_of(new, "log/policy.jsonl")
    old.export(tmp_path / "x.age")
    plan = new.take(tmp_path / "x.age")
    assert bytes_of(new, "log/policy.jsonl") == mine
    assert [step.reason for step in plan.steps if step.path == "log/policy.jsonl"] == ["this machine has a log of its own, and its lines cannot be merged"]


def test_an_altered_log_is_not_signed_by_a_machine_that_did_not_record_it(machine, tmp_path):
    old, new = machine(), machine()
    old.record("one", 1, 2)
    old.record("two", 3)
    new.record("own", 9)
    found = [fields.fields for fields in events.read(old.layout, "one.jsonl")]
    found[0]["inputs"] = {"command": "rm -rf /"}
    disk.replace(events.path_of(old.layout, "one"), map(lines.encode, found), durable=False)
    old.export(tmp_path / "x.age")
    plan = new.take(tmp_path / "x.age")
    assert [step.path for step in plan.steps if step.action == "left"] == ["log/.key", "log/events/one.jsonl"]
    assert events.names(new.layout) == ["own.jsonl", "two.jsonl"] and states(new) == ["whole", "whole"]


def test_purged_texts_stay_purged_under_another_key(machine, tmp_path):
    old, new = machine(), machine()
    old.record("one", 1, 2)
    found = [fields.fields for fields in events.read(old.layout, "one.jsonl")]
    disk.replace(events.path_of(old.layout, "one"), (lines.encode({**each, "inputs": {}}, size=900) for each in found), durable=False)
    new.record("own", 9)
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    assert [(check.name, check.state, check.purged) for check in chain.check(new.layout)] == [("one.jsonl", "whole", 2), ("own.jsonl", "whole", 0)]


def test_secrets_stay_redacted(machine, tmp_path):
    """What is exported is what the log contains, and nothing is sealed with the text again."""
    from memorybank.transfer import contents

    old = machine()
    old.record("one", 1, text="curl -H 'Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789'")
    assert all(b"ghp_abcdefghijklmnop" not in file.data for file in contents.collect(old.layout))
    assert b"REDACTED" in b"".join(file.data for file in contents.collect(old.layout))


def test_a_dry_run_and_a_refused_import_change_nothing(machine, tmp_path):
    old, new = full(machine()), machine()
    old.export(tmp_path / "x.age")
    before = new.scratch.snapshot()
    bank = new.use()
    assert bank.transfer.plan(tmp_path / "x.age", PASSPHRASE).changes > 0
    with pytest.raises(ValidationFailed, match="does not open with this passphrase"):
        bank.transfer.plan(tmp_path / "x.age", "wrong horse battery")
    assert new.scratch.snapshot() == before


def test_a_plan_that_was_overtaken_is_refused_and_a_second_one_completes_it(machine, tmp_path):
    old, new = machine(), machine()
    old.record("one", 1, 2)
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    old.record("one", 3)
    old.export(tmp_path / "x.age")
    bank = new.use()
    plan = bank.transfer.plan(tmp_path / "x.age", PASSPHRASE)
    new.record("one", 8)
    with pytest.raises(Conflict, match="changed while the import was planned"):
        bank.transfer.carry_out(plan)
    assert states(new) == ["whole"]
    new.take(tmp_path / "x.age")
    assert ids(new, "one") == ["0001", "0002", "0008", "0003"] and states(new) == ["whole"]


@pytest.mark.slow
@pytest.mark.parametrize("has_own_logs", [False, True])
def test_an_import_that_is_killed_anywhere_is_completed_by_the_next(machine, copy_of, tmp_path, has_own_logs):
    old, new = full(machine()), machine()
    if has_own_logs:
        new.record("three", 9)
        new.record("one", 1)
    old.export(tmp_path / "x.age")
    expected = copy_of(new, "expected")
    expected.take(tmp_path / "x.age")
    wanted = {path: found[0] for path, found in expected.scratch.snapshot("log").items() if not path.endswith(".lock")}
    survived, at = False, 0
    while not survived:
        target = copy_of(new, f"killed{at}")
        bank = target.use()
        plan = bank.transfer.plan(tmp_path / "x.age", PASSPHRASE)
        try:
            with replaced(Interrupting(at, after=False)):
                bank.transfer.carry_out(plan)
            survived = True
        except KeyboardInterrupt:
            assert {"chain_broken", "line_altered"}.isdisjoint(fault.code for check in chain.check(target.layout) for fault in check.faults)
            target.take(tmp_path / "x.age")
        found = {path: found[0] for path, found in target.scratch.snapshot("log").items() if not path.endswith(".lock") and ".mb-tmp-" not in path}
        assert found == wanted, at
        at += 3
    assert at > 30


def test_the_decision_to_trust_comes_along_where_nobody_decided_and_the_commit_is_here(machine, copy_of, tmp_path, monkeypatch):
    old = machine()
    for name, value in (("user.name", "A"), ("user.email", "a@example.org")):
        old.scratch.git("config", name, value)
    old.scratch.git("add", "-A")
    old.scratch.git("commit", "-q", "-m", "notes")
    monkeypatch.delenv("MEMORYBANK_TRUST", raising=False)
    clone, stranger = copy_of(old, "clone", is_clone=True), machine()
    assert clone.use().trust.status().state == "waiting"
    assert old.use().trust.accept().state == "trusted"
    old.export(tmp_path / "x.age")
    clone.take(tmp_path / "x.age")
    assert clone.use().trust.status().state == "trusted"
    assert stranger.take(tmp_path / "x.age").trust is None, "a repository without the accepted commit"


def test_a_bank_that_git_does_not_carry_moves_with_its_notes(machine, tmp_path):
    old, new = machine(), machine()
    for world in (old, new):
        (world.scratch.repository / ".git").rename(world.scratch.repository / "no-git")
    old.layout = old.scratch.layout
    old.scratch.write("shared/日本語.md", "# 決定\nuv を使う\n")
    new.scratch.write("shared/fact.md", "# Fact\nmine\n")
    assert old.export(tmp_path / "x.age").has_notes
    plan = new.take(tmp_path / "x.age")
    assert bytes_of(new, "active/shared/日本語.md").decode() == "# 決定\nuv を使う\n"
    assert bytes_of(new, "active/shared/fact.md") == b"# Fact\nmine\n", "a note that differs stays"
    assert [step.reason for step in plan.steps if step.path == "active/shared/fact.md"] == ["this machine has another version, which stays"]
    assert json.dumps(plan.to_json(), ensure_ascii=False)


def test_backups_come_with_the_log_that_names_them(rotated_machine, machine, tmp_path):
    old, new = rotated_machine, machine()
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    before = {path: found for path, found in old.scratch.snapshot("backups").items() if found[0]}
    assert before and {path: found for path, found in new.scratch.snapshot("backups").items() if found[0]} == before, "with their dates, which undo compares"


@pytest.fixture
def rotated_machine(machine):
    world = machine()
    world.scratch.write("planning/old.md", "# Old\n" + "text\n" * 100, days_old=900)
    bank = world.use()
    bank.rotation.execute(bank.rotation.plan("manual"))
    return world


def test_an_export_taken_while_hooks_write_ends_with_a_complete_line(machine, tmp_path):
    old, new = machine(), machine()
    old.record("one", 1)
    with open(events.path_of(old.layout, "one"), "ab") as stream:
        stream.write(b'{"id":"torn')
    old.export(tmp_path / "x.age")
    new.take(tmp_path / "x.age")
    assert states(new) == ["whole"]
    append(new.layout, [line(2, session_id="one")], session="one")
    assert ids(new, "one") == ["0001", "0002"]

"""Pushing and pulling: what leaves a machine, what arrives on another one, and that a break or a kill anywhere loses and repeats nothing."""

import pytest

from memorybank.bank import team as facade
from memorybank.errors import MemorybankError
from memorybank.storage import disk
from memorybank.team import exchange, ledger
from memorybank.team.failing import TeamRefused, TeamUnreachable

TEA = "# Kettle\n\nDescale the kettle every month.\n"
JAPANESE = "# 急須\n\n茶渋は重曹で落とす。\n"
PRIVATE = "---\nprivacy: private\n---\n# Salary\n\nThe canary earns 12 seeds.\n"
SECRET = "# Login\n\nThe token is ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8 and <private>the canary sings</private> stays.\n"


def shared(servers):
    return sorted(row.path for row in servers.current())


def test_what_is_public_arrives_without_secrets_and_nothing_else_does(machine, servers):
    ann = machine()
    for key, text in (("shared/kettle.md", TEA), ("shared/急須.md", JAPANESE), ("planning/salary.md", PRIVATE), ("shared/login.md", SECRET)):
        ann.write(key, text)
    ann.write("sync/sessions/2025-09-17-0a1b2c3d.md", "# Session\n\nThe canary asked for tea.\n")
    plan = ann.bank.team.plan()
    assert servers.calls == 0, "a plan uses no network"
    report = ann.bank.team.push(plan)
    assert (report.sent, report.withdrawn, report.waiting) == (3, 0, 0)
    assert shared(servers) == ["shared/kettle.md", "shared/login.md", "shared/急須.md"]
    assert "canary" not in servers.texts()
    assert "ghp_" not in servers.texts()
    assert "[REDACTED:" in servers.texts()
    assert {str(each.why) for each in plan.kept} == {
        "not everybody may see it (acl, privacy)",
        "notes about sessions are not shared; connect with --session-notes to share them",
    }


def test_a_note_that_changed_after_the_preview_is_not_sent(machine, servers):
    ann = machine()
    ann.write("shared/kettle.md", TEA)
    ann.write("shared/cup.md", "# Cup\n")
    seen = ann.bank.team.plan()
    ann.write("shared/kettle.md", TEA + "The canary was added a moment later.\n")
    report = ann.bank.team.push(seen)
    assert (report.sent, report.left) == (1, 1)
    assert shared(servers) == ["shared/cup.md"]


class TestPush:
    def test_a_second_push_sends_nothing_and_a_changed_note_replaces_its_row(self, machine, servers):
        ann = machine()
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        assert ann.bank.team.plan().is_empty
        assert ann.bank.team.push().sent == 0
        ann.write("shared/kettle.md", TEA + "With citric acid.\n")
        assert ann.bank.team.push().sent == 1
        (row,) = servers.current()
        assert "citric" in row.text

    @pytest.mark.parametrize("how", ["delete", "private", "archive"])
    def test_what_is_deleted_made_private_or_archived_is_withdrawn(self, machine, servers, how):
        ann = machine()
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        if how == "delete":
            ann.delete("shared/kettle.md")
        elif how == "private":
            ann.write("shared/kettle.md", TEA.replace("# Kettle", "---\nacl: session\n---\n# Kettle"))
        else:
            bank = ann.bank
            bank.rotation.execute(bank.rotation.plan_forget(["shared/kettle.md"]))
        report = ann.bank.team.push()
        assert report.withdrawn == 1
        assert [row.kind for row in servers.current()] == (["archived"] if how == "archive" else [])

    def test_episodes_and_session_notes_are_shared_only_if_chosen(self, machine, servers):
        ann = machine(episodes=True, session_notes=True)
        ann.write("sync/sessions/2025-09-17-0a1b2c3d.md", "# Session\n\nWe boiled water.\n")
        (ann.root / "episodes").mkdir()
        (ann.root / "episodes/episodic_memory.json").write_text(
            '{"version": 1, "episodes": [{"date": "2025-09-16", "summary": "The kettle was descaled.", "created_at": "2025-09-17T00:00:00Z"}]}',
            encoding="utf-8",
        )
        ann.bank.team.push()
        assert sorted(row.kind for row in servers.current()) == ["episode", "note"]

    def test_without_the_server_everything_waits_and_the_queue_contains_no_text(self, machine, servers):
        ann = machine()
        ann.write("shared/kettle.md", TEA)
        servers.is_down = True
        with pytest.raises(TeamUnreachable):
            ann.bank.team.push(ann.bank.team.plan())
        state = ann.bank.team.state()
        assert (state.ledger.shared, state.ledger.waiting) == (0, 1)
        assert b"Descale" not in ann.everything()
        servers.is_down = False
        assert ann.bank.team.push().sent == 1
        assert ann.bank.team.state().ledger.waiting == 0

    def test_unattended_only_what_a_person_agreed_to_is_sent_but_withdrawals_always_are(self, machine, servers):
        ann = machine()
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        ann.delete("shared/kettle.md")
        ann.write("shared/new.md", "# New\n\nNobody agreed to share the canary.\n")
        report = ann.bank.team.exchange()
        assert report.error is None
        assert (report.pushed.sent, report.pushed.withdrawn) == (0, 1)
        assert servers.current() == []
        assert "canary" not in servers.texts()

    def test_with_the_switch_maintain_shares_what_is_new(self, machine, servers):
        ann = machine(push="maintain")
        ann.write("shared/new.md", "# New\n")
        assert ann.bank.team.exchange().pushed.sent == 1

    def test_an_exchange_with_a_server_that_is_down_reports_it_and_raises_nothing(self, machine, servers):
        ann = machine(push="maintain")
        servers.is_down = True
        report = ann.bank.team.exchange()
        assert isinstance(report.error, TeamUnreachable)
        assert report.to_json()["error"]["next_step"]

    def test_a_restored_ledger_starts_again_under_a_new_name_and_the_old_rows_are_withdrawn(self, machine, servers):
        ann = machine()
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        before = (ann.state / "ledger.json").read_bytes()
        ann.write("shared/cup.md", "# Cup\n")
        ann.bank.team.push()
        ann.delete("shared/cup.md")
        (ann.state / "ledger.json").write_bytes(before)
        old = ann.bank.team.state().ledger.origin
        ann.bank.team.push()
        assert ann.bank.team.state().ledger.origin != old
        assert {row.origin for row in servers.current()} == {ann.bank.team.state().ledger.origin}
        assert shared(servers) == ["shared/kettle.md"]

    def test_revoke_withdraws_everything_of_this_machine(self, machine, servers):
        ann = machine()
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        origin, count = ann.bank.team.revoke()
        assert count == 1
        assert servers.current() == []
        assert origin in servers.revoked
        assert len(ann.bank.team.plan().new) == 1, "everything would be new"

    def test_a_machine_that_was_revoked_is_refused_and_keeps_its_queue(self, machine, servers):
        ann, lead = machine("ann"), machine("lead")
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        origin = ann.bank.team.state().ledger.origin
        lead.bank.team.revoke(origin)
        ann.write("shared/kettle.md", TEA + "Again.\n")
        with pytest.raises(TeamRefused):
            ann.bank.team.push()
        assert servers.current() == []


class TestPull:
    def test_what_others_shared_becomes_notes_of_the_local_copy_and_nothing_of_the_bank_changes(self, machine):
        ann, bob = machine("ann"), machine("bob")
        ann.write("shared/急須.md", JAPANESE)
        ann.bank.team.push()
        files = sorted(path for path in bob.root.rglob("*") if path.is_file() and "cache" not in path.parts)
        report = bob.bank.team.pull()
        assert (report.received, report.notes) == (1, 1)
        ((key, text),) = bob.copied().items()
        assert key == f"team/{ann.bank.team.state().ledger.origin}/shared/急須.md"
        assert "茶渋は重曹で落とす。" in text
        _ = bob.bank
        assert sorted(path for path in bob.root.rglob("*") if path.is_file() and "cache" not in path.parts) == files

    def test_own_notes_and_equal_notes_of_another_clone_are_not_copied(self, machine):
        ann, bob = machine("ann"), machine("bob")
        for each in (ann, bob):
            each.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        bob.bank.team.push()
        bob.bank.team.pull()
        assert bob.copied() == {}

    def test_a_note_that_was_deleted_or_archived_here_does_not_come_back_from_another_clone(self, machine):
        ann, bob = machine("ann"), machine("bob")
        for each in (ann, bob):
            each.write("shared/kettle.md", TEA)
            each.write("shared/cup.md", "# Cup\n\nOnly the blue one.\n")
            each.bank.team.push()
        bob.delete("shared/kettle.md")
        bank = bob.bank
        bank.rotation.execute(bank.rotation.plan_forget(["shared/cup.md"]))
        bob.bank.team.push()
        bob.bank.team.pull()
        assert bob.copied() == {}

    def test_withdrawn_memories_leave_the_copy(self, machine):
        ann, bob = machine("ann"), machine("bob")
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        bob.bank.team.pull()
        assert len(bob.copied()) == 1
        ann.delete("shared/kettle.md")
        ann.bank.team.push()
        bob.bank.team.pull()
        assert bob.copied() == {}
        assert b"Descale" not in bob.everything()

    def test_a_repository_that_may_not_be_read_any_more_leaves_nothing_here(self, machine, servers):
        ann, bob = machine("ann"), machine("bob")
        ann.write("shared/kettle.md", TEA)
        ann.bank.team.push()
        bob.bank.team.pull()
        servers.access["tea"] = "none"
        assert bob.bank.team.pull().lost == ("tea",)
        assert bob.copied() == {}
        assert b"Descale" not in bob.everything()

    def test_a_learned_note_that_people_rejected_here_is_not_copied(self, machine):
        ann, bob = machine("ann"), machine("bob")
        ann.write("learned/rule-boil-9f8e7d6c.md", "# Boil water\n\nBoil the water first.\n")
        ann.bank.team.push()
        bob.bank.team.pull()
        assert len(bob.copied()) == 1
        bob.write("../rejected.jsonl", "")
        from memorybank.cycle.know import learned, rejected

        memory = learned.memory_of("learned/rule-boil-9f8e7d6c.md")
        assert memory
        bank = bob.bank
        rejected.add(bank.layout, memory, is_rejected=True, by="person", what="", clock=bob.clock)
        bob.bank.team.pull()
        assert bob.copied() == {}


class TestBreaks:
    """The network breaks at each call, before or after the server acted; a process is killed at each change of the disk. The next runs complete it."""

    NOTES = tuple((f"shared/note-{number}.md", f"# Note {number}\n\nIt is about kettle {number}.\n") for number in range(5))

    @pytest.fixture(autouse=True)
    def _small_batches(self, monkeypatch):
        monkeypatch.setattr(exchange, "BATCH", 2)

    @pytest.mark.cases(3)
    @pytest.mark.parametrize("when", ["before", "after"])
    @pytest.mark.parametrize("call", range(1, 6))
    def test_a_push_that_broke_off_is_completed(self, machine, servers, call, when):
        ann, bob = machine("ann"), machine("bob")
        for key, text in self.NOTES:
            ann.write(key, text)
        servers.breaks[call] = when
        try:
            ann.bank.team.push()
        except TeamUnreachable:
            ann.delete(self.NOTES[0][0])
            ann.write(*self.NOTES[1][:1], "# Note 1\n\nAnother text.\n")
        servers.breaks.clear()
        ann.bank.team.push()
        self._agree(ann, bob, servers)

    @pytest.mark.cases(3)
    @pytest.mark.parametrize("step", range(1, 9))
    def test_a_push_that_was_killed_is_completed(self, machine, servers, monkeypatch, step):
        ann, bob = machine("ann"), machine("bob")
        for key, text in self.NOTES:
            ann.write(key, text)
        self._killed(monkeypatch, ledger, "save", step, ann.bank.team.push)
        ann.delete(self.NOTES[2][0])
        ann.bank.team.push()
        self._agree(ann, bob, servers)

    @pytest.mark.cases(3)
    @pytest.mark.parametrize("step", range(1, 14))
    def test_a_pull_that_was_killed_is_completed(self, machine, servers, monkeypatch, step):
        ann, bob = machine("ann"), machine("bob")
        for key, text in self.NOTES:
            ann.write(key, text)
        ann.bank.team.push()
        bob.write("shared/own.md", "# Own\n")
        bob.bank.team.pull()
        for key, _ in self.NOTES[:2]:
            ann.delete(key)
        ann.write("shared/later.md", "# Later\n\nA later kettle.\n")
        ann.bank.team.push()
        self._killed(monkeypatch, disk, "replace" if step % 2 else "remove", (step + 1) // 2, bob.bank.team.pull)
        bob.bank.team.pull()
        self._agree(ann, bob, servers)

    def _killed(self, monkeypatch, module, name, step, run):
        """Run until the call with this number, before which the process ends."""

        class Killed(BaseException):
            pass

        calls = 0
        real = getattr(module, name)

        def counted(*arguments, **named):
            nonlocal calls
            calls += 1
            if calls == step:
                raise Killed
            return real(*arguments, **named)

        with monkeypatch.context() as patch:
            patch.setattr(module, name, counted)
            try:
                run()
            except Killed:
                return

    def _agree(self, ann, bob, servers):
        offered = {each.memory.removeprefix("note:"): each.digest for each in _offer(ann).shared}
        assert {row.path: row.digest for row in servers.current()} == offered
        assert ann.bank.team.state().ledger.waiting == 0
        bob.bank.team.pull()
        assert sorted(key.split("/", 2)[2] for key in bob.copied()) == sorted(offered)


def _offer(machine):
    bank = machine.bank
    return facade.shareable.offer_of(bank, bank.team.required())


def test_a_damaged_ledger_is_reported_and_never_replaced(machine, servers):
    ann = machine()
    ann.write("shared/kettle.md", TEA)
    ann.bank.team.push()
    path = ann.state / "ledger.json"
    for damage in (b"{", b"[]", b'{"version": 1}', b'{"version": 9}', path.read_bytes().replace(b'"sequence"', b'"sequences"')):
        path.write_bytes(damage)
        with pytest.raises(MemorybankError) as caught:
            ann.bank.team.push()
        assert caught.value.next_step
        assert path.read_bytes() == damage

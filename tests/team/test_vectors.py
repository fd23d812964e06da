"""The vectors of what is shared reach the server, also those that were made after the text."""

import json
import sys

PROGRAM = "import sys, json; print(*([len(json.loads(line)['text']), {}, 1.5] for line in sys.stdin), sep=chr(10))"
NOTES = {"shared/kettle.md": "# Kettle\n\nDescale it every month.\n", "shared/cup.md": "# 湯呑み\n\n手で洗う。\n"}


def choose(machine, number=1):
    """Choose an embedder in the settings of the machine's person."""
    path = machine.home / ".config" / "memorybank" / "config.json"
    settings = {**json.loads(path.read_text()), "embedder": {"use": "command", "command": [sys.executable, "-c", PROGRAM.format(number)]}}
    path.write_text(json.dumps(settings))


def embed(machine):
    bank = machine.bank
    bank.meaning.give_consent()
    bank.meaning.update()


def vectors(servers):
    """Return {path: (number of its vectors, embedder)} of what is shared."""
    return {row.path: (len(row.vectors), row.model) for row in servers.current()}


def test_vectors_that_are_made_later_are_sent_with_the_next_push_and_once(machine, servers):
    ann = machine()
    for key, text in NOTES.items():
        ann.write(key, text)
    ann.bank.team.push()
    assert set(vectors(servers).values()) == {(0, "")}
    choose(ann)
    assert ann.bank.team.plan().is_empty, "an embedder without vectors changes nothing"
    embed(ann)
    plan = ann.bank.team.plan()
    assert sorted(each.path for each in plan.embedded) == sorted(NOTES) and not plan.new and not plan.changed and plan.same == 0
    assert ann.bank.team.push(plan).sent == 2
    (model,) = {model for _, model in vectors(servers).values()}
    assert model and {count for count, _ in vectors(servers).values()} == {1}
    assert ann.bank.team.plan().is_empty and ann.bank.team.push().sent == 0
    ann.write("shared/cup.md", NOTES["shared/cup.md"] + "\n毎日。\n")
    assert [each.path for each in ann.bank.team.plan().changed] == ["shared/cup.md"]
    assert ann.bank.team.push().sent == 1
    assert vectors(servers) == {"shared/kettle.md": (1, model), "shared/cup.md": (0, "")}
    embed(ann)
    assert ann.bank.team.push().sent == 1
    assert vectors(servers) == {"shared/kettle.md": (1, model), "shared/cup.md": (1, model)}


def test_another_embedder_replaces_the_vectors_and_none_keeps_them(machine, servers):
    ann = machine()
    ann.write("shared/kettle.md", NOTES["shared/kettle.md"])
    choose(ann)
    embed(ann)
    ann.bank.team.push()
    before = vectors(servers)
    choose(ann, 2)
    assert ann.bank.team.plan().is_empty
    embed(ann)
    assert len(ann.bank.team.plan().embedded) == 1
    ann.bank.team.push()
    after = vectors(servers)
    assert after != before and after["shared/kettle.md"][0] == 1
    ann.bank.meaning.delete()
    assert ann.bank.team.plan().is_empty and vectors(servers) == after


def test_a_colleague_receives_the_same_note_once(machine, servers):
    ann, bob = machine(), machine("bob")
    ann.write("shared/kettle.md", NOTES["shared/kettle.md"])
    ann.bank.team.push()
    bob.bank.team.pull()
    choose(ann)
    embed(ann)
    ann.bank.team.push()
    report = bob.bank.team.pull()
    assert (report.received, report.memories, report.changed) == (1, 1, 0)
    assert len(bob.copied()) == 1

"""Making vectors: incremental, resumable, only of public and redacted text, and gone when the text is."""

import os
import subprocess
import sys

import pytest

from memorybank.bank.bank import Bank
from memorybank.errors import ConfigInvalid, LockTimeout
from memorybank.meaning import store
from memorybank.meaning.embedder import EmbedderBusy, EmbedderUnusable
from memorybank.storage.lock import Lock
from tests.summarize.conftest import error

from .conftest import NOTES, embeddings, write

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"  # pragma: allowlist secret


def report_of(bank):
    found = bank.meaning.update()
    return found.embedded, found.reused, found.removed, found.passages


def test_every_passage_is_embedded_once(embedded, server):
    bank = embedded(NOTES)
    assert len(set(server.texts)) == len(server.texts) == len(NOTES)
    assert "Token lifetime\n\nUsers had to sign in again every five minutes. The access token lives 1800 s now." in server.texts
    assert report_of(bank) == (0, 0, 0, len(NOTES)) and len(server.texts) == len(NOTES)


def test_only_changed_passages_are_sent(embedded, server):
    long = "# Long\n\n" + "\n\n".join(f"Paragraph {number}. " + "word " * 150 for number in range(4)) + "\n"
    bank = embedded({**NOTES, "long.md": long})
    before = len(server.texts)
    write(bank, "long.md", long.replace("Paragraph 3", "Paragraph three"))
    embedded_now, reused, removed, _ = report_of(bank)
    assert (embedded_now, removed) == (1, 1) and reused > 0
    assert len(server.texts) == before + 1 and "Paragraph three" in server.texts[-1]


def test_a_renamed_note_costs_nothing_and_a_deleted_one_leaves(embedded, server):
    bank = embedded(NOTES)
    os.rename(bank.layout.note_path("planning/car.md"), bank.layout.note_path("planning/parking.md"))
    os.remove(bank.layout.note_path("planning/tea.md"))
    assert report_of(bank) == (0, 0, 1, len(NOTES) - 1)


def test_what_not_everybody_may_see_is_never_sent(embedded, server):
    private = "---\n{}\n---\n\n# Gehalt {}\n\nGeheimnis {}: 100000\n"
    notes = {
        f"p{number}.md": private.format(front, number, number)
        for number, front in enumerate(("privacy: private", "privacy: agent-only", "acl: session", "acl: agent", "privacy: privte"))
    }
    bank = embedded({**NOTES, **notes})
    assert len(server.texts) == len(NOTES) and not server.got("Geheimnis") and not server.got("Gehalt")
    write(bank, "planning/car.md", "---\nprivacy: private\n---\n\n# Parking\n\nGeheimnis of the automobile.\n")
    assert report_of(bank) == (0, 0, 1, len(NOTES) - 1) and not server.got("Geheimnis")


def test_a_note_that_became_private_since_it_was_indexed_is_not_sent(embedded, server, monkeypatch):
    """Between the index and the reading of the file lies a moment in which people save."""
    bank = embedded(NOTES)
    write(bank, "new.md", "# New\n\nPublic at first.\n")
    from memorybank.bank import meaning

    fold = meaning.fold

    def saved_after(index):
        fold(index)
        write(bank, "new.md", "---\nprivacy: private\n---\n\n# New\n\nGeheimnis.\n")

    monkeypatch.setattr(meaning, "fold", saved_after)
    assert bank.meaning.update().left_out == 1 and not server.got("Geheimnis")


def test_a_note_that_is_deleted_during_a_run(embedded, server):
    """Another process folds while the embedder answers, so the row is gone."""
    bank = embedded({"first.md": "# First\n\nText.\n"}, batch=1)
    for key, text in NOTES.items():
        write(bank, key, text)
    other = Bank.open(bank.layout.root)

    def answer(request):
        if os.path.exists(bank.layout.note_path("planning/window.md")):
            os.remove(bank.layout.note_path("planning/window.md"))
            write(bank, "planning/pool.md", "# Pool\n\nAnother text.\n")
            other.index.update()
        return embeddings(request)

    server.answers = [answer]
    assert bank.meaning.update().left_out == 2
    assert (bank.meaning.update().left_out, bank.meaning.pending().documents) == (0, 0)


def test_secrets_are_redacted(embedded, server):
    key = "-----BEGIN RSA PRIVATE KEY-----\n" + "\n".join(["MIIEpAIBAAKCAQEA" + "x7Qk" * 12] * 30) + "\n-----END RSA PRIVATE KEY-----"
    embedded({"a.md": f"# Deploy\n\nThe token is {SECRET} for now.\n", "b.md": f"# Key\n\n{key}\n\nAfter the key.\n"})
    assert not server.got(SECRET) and not server.got("MIIEpAIBAAKCAQEA")
    assert server.got("The token is") and server.got("After the key.")


def test_queries_are_redacted(embedded, server):
    embedded(NOTES).search(f"why does {SECRET} not work", "semantic")
    assert server.got("not work") and not server.got(SECRET)


def test_nothing_is_sent_without_consent(bank, server, choose_embedder):
    choose_embedder(use="endpoint", url=server.url, model="concepts")
    opened = Bank.open(str(bank(NOTES).root))
    with pytest.raises(ConfigInvalid, match="nobody has agreed"):
        opened.meaning.update()
    pending = opened.meaning.pending()
    assert (pending.documents, pending.passages, pending.of) == (8, 8, 8) and pending.characters > 300
    assert server.requests == []


def test_consent_is_for_one_host(embedded, server, choose_embedder):
    """The vectors fit, because the model has the same name, but the query would go to somebody else."""
    bank = embedded(NOTES)
    choose_embedder(use="endpoint", url=f"http://localhost:{server.port}/v1", model="concepts")
    with pytest.raises(ConfigInvalid, match=f"nobody has agreed to send texts of this bank to localhost:{server.port}"):
        bank.search("login", "semantic")


def test_another_model_makes_all_vectors_again(embedded, server, choose_embedder):
    bank = embedded(NOTES)
    choose_embedder(use="endpoint", url=server.url, model="other")
    with pytest.raises(ConfigInvalid, match="another model"):
        bank.search("login", "semantic")
    assert report_of(bank) == (8, 0, 0, 8) and bank.search("login", "semantic").hits


def test_another_dimension_makes_all_vectors_again(embedded, server):
    """The server loaded another model under the same name."""
    bank = embedded(NOTES)
    server.answers = [lambda request: embeddings(request, 12)]
    answer = bank.search("login", "hybrid")
    assert "12 numbers, and the vectors of this bank have 8" in str(answer.stale[0])
    write(bank, "new.md", "# New\n\nLog in.\n")
    report = bank.meaning.update()
    assert (report.dimension, report.passages) == (12, 9)
    assert bank.search("login", "semantic").hits[0].key in ("new.md", "planning/auth.md")


def test_a_run_that_broke_off_is_continued(embedded, server, choose_embedder):
    choose = {"use": "endpoint", "url": server.url, "model": "concepts", "batch": 2}
    bank = embedded({"first.md": "# First\n\nText.\n"}, batch=2)
    for key, text in NOTES.items():
        write(bank, key, text)
    server.answers = [embeddings, embeddings, (500, {}, error("out of memory"))]
    with pytest.raises(EmbedderBusy):
        bank.meaning.update()
    choose_embedder(**choose)
    server.answers = [embeddings]
    assert report_of(bank) == (4, 0, 0, 9)


def test_a_killed_run_is_continued(embedded, server, tmp_path):
    """The process dies in the middle of a request, as by SIGKILL."""
    bank = embedded({"first.md": "# First\n\nText.\n"}, batch=2)
    for key, text in NOTES.items():
        write(bank, key, text)
    program = (
        "import os, sys\nfrom memorybank.bank.bank import Bank\nfrom memorybank.meaning.endpoint import EndpointEmbedder as E\nembed, calls = E.embed, []\n"
        "def dying(self, texts, kind):\n    calls.append(1)\n    if len(calls) == 3: os._exit(9)\n    return embed(self, texts, kind)\n"
        "E.embed = dying\nBank.open(sys.argv[1]).meaning.update()\n"
    )
    done = subprocess.run([sys.executable, "-c", program, bank.layout.root], env=dict(os.environ), timeout=60, check=False)
    assert done.returncode == 9
    assert report_of(bank) == (4, 0, 0, 9)


@pytest.mark.slow
def test_two_at_once(embedded, counting_clock):
    bank = embedded(NOTES)
    with Lock(os.path.join(bank.layout.cache, "meaning.lock"), "other", counting_clock), pytest.raises(LockTimeout):
        bank.meaning.update()


def test_a_purge_leaves_nothing(embedded):
    bank = embedded({**NOTES, "leak.md": "# Leak\n\nThe passphrase is correct horse battery.\n"})
    write(bank, "leak.md", "# Leak\n\nGone.\n")
    report = bank.purge("correct horse battery")
    assert report.remaining == () and not os.path.exists(store.path_of(bank.layout))


def test_the_store_contains_no_text(embedded):
    bank = embedded({"very-special-name.md": "# Quetzalcoatl\n\nThe passphrase is correct horse battery.\n"})
    with open(store.path_of(bank.layout), "rb") as file:
        data = file.read()
    assert not any(word in data for word in (b"Quetzal", b"horse", b"special", b"concepts"))


def test_deleting_is_undone_by_making(embedded):
    bank = embedded(NOTES)
    assert bank.meaning.delete() and not bank.meaning.delete()
    assert bank.meaning.update().embedded == len(NOTES)


def test_archived_notes_and_episodes_have_vectors_too(bank, server, choose_embedder):
    scratch = bank()
    scratch.write("shared/login.md", "---\ntitle: Login\n---\n\n# Login\n\nThe session ends at home.\n", days_old=400)
    scratch.write("shared/other.md", "# Other\n\nThe server room.\n", days_old=1)
    scratch.episodes({"date": "2025-09-10", "summary": "Deployed the shop. It took all day.", "by": "extractive"})
    opened = Bank.open(str(scratch.root))
    assert opened.rotation.execute(opened.rotation.plan(), yes=True).rotated
    choose_embedder(use="endpoint", url=server.url, model="concepts")
    opened.meaning.give_consent()
    assert opened.meaning.update().documents == 3
    assert opened.search("sign in", "semantic", 1, archive=True).hits[0].archive_id is not None
    assert {hit.key for hit in opened.search("sign in", "semantic").hits} <= {"shared/other.md", "episode:2025-09-10"}
    assert opened.search("roll out", "semantic", 1).hits[0].key == "episode:2025-09-10"


def test_an_empty_bank(embedded, server):
    bank = embedded({})
    assert report_of(bank) == (0, 0, 0, 0) and server.requests == []


def test_a_server_that_is_gone_is_reported(embedded, server):
    bank = embedded(NOTES)
    write(bank, "new.md", "# New\n\nText.\n")
    server.close()
    with pytest.raises(EmbedderUnusable) as raised:
        bank.meaning.update()
    assert "start the server at 127.0.0.1" in raised.value.next_step


@pytest.mark.slow
def test_hundreds_of_notes_are_sent_in_batches(embedded, server):
    notes = {f"n/{number:03}.md": f"# Note {number}\n\nText number {number} about nothing.\n" for number in range(700)}
    bank = embedded({**notes, **NOTES}, batch=256)
    assert len(server.requests) == 3 and bank.meaning.update().embedded == 0
    assert bank.search("vehicle", "semantic", 1).hits[0].key == "planning/car.md"

"""The file of an export: standard formats from outside to inside, and nothing is taken from one that is cut, altered, foreign or too new."""

import io
import tarfile

import pytest
import zstandard

from memorybank.errors import NewerFormat, ValidationFailed
from memorybank.storage import frames, jsontext
from memorybank.transfer import contents, export_file
from memorybank.transfer.contents import ExportedFile
from memorybank.transfer.export_file import LocalExport

from .conftest import PASSPHRASE

EXPORT = LocalExport(1_758_112_496_789, "project", [ExportedFile("log/.key", b"ab" * 32 + b"\n"), ExportedFile("log/events/one.jsonl", "行\n".encode(), 5)])


@pytest.mark.slow
def test_the_library_opens_what_it_encrypted_and_refuses_the_rest(monkeypatch):
    import pyrage
    import pyrage.passphrase

    monkeypatch.setattr(export_file, "_library", lambda: pyrage)
    decrypted = []

    def decrypt(data, passphrase, decrypt=pyrage.passphrase.decrypt):  # takes a second each time, by design
        decrypted.append(decrypt(data, passphrase))
        return decrypted[-1]

    monkeypatch.setattr(pyrage.passphrase, "decrypt", decrypt)
    data = export_file.pack(EXPORT, PASSPHRASE)
    opened = export_file.unpack(data, PASSPHRASE, "x.age")
    assert (opened.at, opened.project, opened.by_path, opened.key) == (EXPORT.at, "project", EXPORT.by_path, bytes.fromhex("ab" * 32))
    assert data.startswith(b"age-encryption.org/v1\n-> scrypt ") and b"key" not in data
    plain = zstandard.decompress(decrypted[0])
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        assert tar.getnames() == ["manifest.json", "log/.key", "log/events/one.jsonl"], "'age -d | zstd -d | tar -t' lists the same"
    for wrong in (data[:120], data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]):
        with pytest.raises(ValidationFailed, match="not complete"):
            export_file.unpack(wrong, PASSPHRASE, "x.age")
    with pytest.raises(ValidationFailed, match="does not open with this passphrase"):
        export_file.unpack(data, PASSPHRASE + " ", "x.age")


@pytest.mark.parametrize(("refusals", "opens"), [(4, True), (9, False)])
def test_a_machine_that_is_busy_for_a_moment_opens_it_and_one_that_stays_too_slow_says_so(monkeypatch, refusals, opens):
    data, library = export_file.pack(EXPORT, PASSPHRASE), export_file._library()
    answers = [library.DecryptError("Excessive work parameter for passphrase.")] * refusals

    def decrypt(data, passphrase, opened=library.passphrase.decrypt):
        if answers:
            raise answers.pop()
        return opened(data, passphrase)

    monkeypatch.setattr(library.passphrase, "decrypt", staticmethod(decrypt))
    if opens:
        assert export_file.unpack(data, PASSPHRASE, "x.age").by_path == EXPORT.by_path
    else:
        with pytest.raises(ValidationFailed, match="too slow or too busy"):
            export_file.unpack(data, PASSPHRASE, "x.age")


def packed(manifest, members):
    """Return an export whose list and members need not agree."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, data in {"manifest.json": jsontext.encode_bytes(manifest), **members}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return export_file._library().passphrase.encrypt(frames.compress(buffer.getvalue()), PASSPHRASE)


def manifest_of(members, **more):
    files = [{"path": path, "bytes": len(data), "sha256": export_file.sha256(data).hex(), "mtime_ns": 0} for path, data in members.items()]
    return {
        **{"format": "memorybank-export", "version": 1, "made_by": "0.2.0", "at": "2025-09-17T12:34:56.789Z", "project": "p", "trust": None, "files": files},
        **more,
    }


def test_an_export_of_a_newer_version_is_refused_with_the_next_step():
    with pytest.raises(NewerFormat, match=r"newer memorybank \(9\.0\.0\)") as caught:
        export_file.unpack(packed(manifest_of({}, version=2, made_by="9.0.0"), {}), PASSPHRASE, "x.age")
    assert "upgrade" in caught.value.next_step


@pytest.mark.parametrize(
    "path", ["../outside", "/etc/passwd", "log/../../x", "log/events/../../../x.jsonl", "cache/bank.sqlite3", "log/unknown.jsonl", "active/../../x"]
)
def test_a_member_outside_the_known_places_is_refused(path):
    members = {path: b"x"}
    with pytest.raises(ValidationFailed, match="is not what the list of the export names"):
        export_file.unpack(packed(manifest_of(members), members), PASSPHRASE, "x.age")


@pytest.mark.parametrize("change", ["digest", "missing", "extra", "size"])
def test_every_member_is_compared_with_the_list(change):
    members = {"log/.key": b"a" * 64, "log/ticks.jsonl": b"{}\n"}
    manifest = manifest_of(members)
    if change == "missing":
        del members["log/ticks.jsonl"]
    elif change == "extra":
        members["log/events/more.jsonl"] = b""
    else:
        manifest["files"][1].update({"sha256": "0" * 64} if change == "digest" else {"bytes": 2})
    with pytest.raises(ValidationFailed, match="is not what the list of the export names"):
        export_file.unpack(packed(manifest, members), PASSPHRASE, "x.age")


def test_what_is_not_an_export_is_refused():
    with pytest.raises(ValidationFailed, match="not an export"):
        export_file.unpack(b"# A note\n", PASSPHRASE, "note.md")
    foreign = export_file._library().passphrase.encrypt(frames.compress(b"no archive" * 200), PASSPHRASE)
    with pytest.raises(ValidationFailed, match="not an export"):
        export_file.unpack(foreign, PASSPHRASE, "x.age")
    with pytest.raises(ValidationFailed, match="not an export"):
        export_file.unpack(packed(manifest_of({}, format="other"), {}), PASSPHRASE, "x.age")


def test_every_log_of_the_documentation_has_a_rule():
    """A new log is either moved by a rule or left out on purpose."""
    from pathlib import Path

    text = (Path(__file__).resolve().parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
    documented = {line.removeprefix("### ") for line in text.splitlines() if line.startswith("### log/") and line.endswith(".jsonl")}
    assert documented - contents.LOGS.keys() == {"log/hook_errors.jsonl"} and contents.LOGS.keys() <= documented

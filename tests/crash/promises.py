"""What must hold in every state that a crash can leave. Reads bytes by itself: none of the product's code judges itself here."""

import json
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from zlib import crc32

import zstandard

LOG = "log/rotation.jsonl"
CHANGES = "log/changes.jsonl"


def violations(files: Mapping[str, bytes], notes: Mapping[str, bytes], *, returning: bool = False, pruning: bool = False) -> list[str]:
    """Broken promises of a bank whose notes once were `notes` (key → bytes); files: path → bytes.

    returning: notes may be back in active/ before the log says so (restore, undo). pruning: backups may go.
    """
    found = []
    lines = log_lines(files.get(LOG, b""))
    active = {path.removeprefix("active/"): data for path, data in files.items() if path.startswith("active/")}
    backups = {path: data for path, data in files.items() if path.startswith("backups/")}
    objects = {path: plain for path, data in files.items() if path.startswith("archive/by_date/") and (plain := unpacked(path, data)) is not None}
    kept = {plain for path, data in backups.items() if (plain := unpacked(path, data)) is not None}
    somewhere = {*active.values(), *objects.values(), *backups.values(), *kept}
    tombstones = ripe_tombstones(lines)
    changed = {line["path"].removeprefix("active/") for line in log_lines(files.get(CHANGES, b"")) if line["kind"] in ("replacing", "renaming")}
    archived = {(line["rotation_id"], line["path"]): line for line in lines if line["kind"] == "archived"}
    for key, data in notes.items():
        if data not in somewhere and not any(line["path"] == key and line["archive_path"] in tombstones for line in archived.values()):
            found.append(f"I1: {key} is nowhere")
        if active.get(key) != data and key not in changed and not any(path == key for _, path in archived):
            found.append(f"{key} left active/ and the log does not say so")
    if archived and b"by_date/** -text" not in files.get("archive/.gitattributes", b""):
        found.append("git may convert line ends in the archive")
    for line in archived.values():
        plain = objects.get(line["archive_path"])
        if (plain is None or sha256(plain).hexdigest() != line["sidecar"]["sha256"]) and line["archive_path"] not in tombstones:
            found.append(f"I2: the log names {line['archive_path']}, which does not verify")
    for line in lines:
        record = archived.get((line.get("rotation_id"), line.get("path")))
        if line["kind"] == "moved" and record is None:
            found.append(f"{line['path']} moved and was never logged as archived")
        elif line["kind"] == "moved":
            held = backups.get(line["backup_path"], unpacked("x.zst", backups.get(line["backup_path"] + ".zst", b"")))
            if not pruning and (held is None or sha256(held).hexdigest() != record["sidecar"]["sha256"]):
                found.append(f"{line['path']} moved and its backup does not hold it")
            if not returning and sha256(active.get(line["path"], b"\0")).hexdigest() == record["sidecar"]["sha256"]:
                found.append(f"{line['path']} moved and is still in active/")
        elif line["kind"] == "restored" and sha256(active.get(line["path"], b"\0")).hexdigest() != line["sha256"]:
            found.append(f"{line['path']} was logged as restored and is not there")
    return found


def ripe_tombstones(lines: list[dict]) -> set[str]:
    """Objects that may be deleted: after the tombstone runs of seven different later days are in the log."""
    ripe = set()
    for position, line in enumerate(lines):
        if line["kind"] == "tombstone":
            days = {later["at"][:10] for later in lines[position:] if later["kind"] == "observed"}
            if len([day for day in days if day > line["at"][:10]]) >= 7:
                ripe.add(line["archive_path"])
    return ripe


def truth(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The part of a state that must be durable when a command has returned.

    Sidecars are not: the log carries them. Nor are names of copies that were removed: coming back they cost a clean-up.
    """
    return {
        path: data
        for path, data in files.items()
        if path.startswith(("active/", "backups/", "archive/by_date/", LOG)) and not path.endswith(".json") and ".mb-tmp-" not in path
    }


def log_lines(data: bytes) -> list[dict]:
    found = []
    for raw in data.split(b"\n")[:-1]:
        body, mark, tail = raw.rpartition(b',"crc":"')
        if mark and tail == b'%08x"}' % crc32(body):
            found.append(json.loads(body + b"}"))
    return found


@lru_cache(maxsize=4096)
def unpacked(path: str, data: bytes) -> bytes | None:
    """The note in an object or compressed backup, None when it cannot be read or is none."""
    if path.endswith(".md"):
        return data
    if not path.endswith(".zst"):
        return None
    try:
        frame = zstandard.ZstdDecompressor().decompressobj()
        plain = frame.decompress(data)
        return plain if frame.eof and not frame.unused_data else None
    except zstandard.ZstdError:
        return None

"""The file of an export: `age` (a passphrase) around zstd around tar, whose first member lists every other one with its digest.

The three formats are standard ones: `age -d FILE | zstd -d | tar -xv` opens an export without memorybank. It is packed and opened in memory, so no
plain text is ever on a disk.
"""

import importlib
import io
import sys
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memorybank import clock
from memorybank.errors import MissingExtra, NewerFormat, ResourceExhausted, ValidationFailed
from memorybank.installed import extra_command
from memorybank.storage import frames, jsontext
from memorybank.storage.digest import sha256
from memorybank.transfer.contents import KEY, ExportedFile, is_known

FORMAT, VERSION = "memorybank-export", 1
MANIFEST = "manifest.json"
MOST_BYTES = 1 << 31
"""Size of the largest export before compression. It is packed in memory."""
_AGE = b"age-encryption.org/v1"
_WRONG = "it does not open with this passphrase, or it is not complete"
_TOO_SLOW = "Excessive work"
"""How the library's error begins when it expects that computing the key would take too long."""
_MEASUREMENTS = 5
"""Number of times that the library may measure the speed of the machine."""


@dataclass(frozen=True, slots=True)
class LocalExport:
    """What an export contains.

    at: when it was made (ms)
    project: name of the folder that has the bank
    trust: the person's decision about the bank, or None
    made_by: version of memorybank
    """

    at: int
    project: str
    files: Sequence[ExportedFile]
    trust: Mapping[str, Any] | None = None
    made_by: str = ""
    by_path: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_path.update({file.path: file.data for file in self.files})

    @property
    def key(self) -> bytes | None:
        """The key of the machine that made the export, None if it has none."""
        try:
            return bytes.fromhex(self.by_path.get(KEY, b"").decode("ascii").strip()) or None
        except ValueError:
            return None


def pack(export: LocalExport, passphrase: str) -> bytes:
    """Return the bytes of the file. Raises `MissingExtra`, and `ResourceExhausted` for more than 2 GiB."""
    if sum(len(file.data) for file in export.files) > MOST_BYTES:
        raise ResourceExhausted(
            "the logs and backups of this machine are larger than 2 GiB",
            next_step="remove old texts with record.text_days and expired backups with 'memorybank maintain'",
        )
    age = _library()
    manifest = {
        **{"format": FORMAT, "version": VERSION, "made_by": export.made_by or _own_version(), "at": clock.isoformat(export.at), "project": export.project},
        "trust": dict(export.trust) if export.trust is not None else None,
        "files": [{"path": file.path, "bytes": len(file.data), "sha256": sha256(file.data).hex(), "mtime_ns": file.mtime_ns} for file in export.files],
    }
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        _add(tar, MANIFEST, jsontext.encode_bytes(manifest) + b"\n", export.at * 1_000_000)
        for file in export.files:
            _add(tar, file.path, file.data, file.mtime_ns)
    packed: bytes = age.passphrase.encrypt(frames.compress(buffer.getvalue()), passphrase)
    return packed


def unpack(data: bytes, passphrase: str, origin: str) -> LocalExport:
    """Return the content of a file, after every digest of its list was compared.

    origin: name of the file in errors
    Raises `ValidationFailed` for a wrong passphrase, a file that is cut or altered, and one that is not an export; `NewerFormat` for one of a newer version.
    """
    if not data.startswith(_AGE):
        raise ValidationFailed(f"{origin}: not an export of memorybank", next_step="name a file that 'memorybank backup export' wrote")
    return _opened(frames.unpack(_decrypted(data, passphrase, origin), 2 * MOST_BYTES, origin), origin)


def _decrypted(data: bytes, passphrase: str, origin: str) -> bytes:
    """Return the compressed content of a file.

    The library refuses a file whose key would take far longer to compute than that of a file which it would write now. It measures the machine's
    speed at each call, and on a busy machine the result can be much too low, so a refusal for this reason counts only when it is repeated.
    """
    age = _library()
    for _ in range(_MEASUREMENTS):
        try:
            frame: bytes = age.passphrase.decrypt(data, passphrase)
            return frame
        except age.DecryptError as error:
            if _TOO_SLOW not in str(error):
                raise ValidationFailed(f"{origin}: {_WRONG}", next_step="try the passphrase again, or copy the file again; nothing was changed") from None
    raise ValidationFailed(f"{origin}: this machine is too slow or too busy to open it", next_step="try again when less runs here; nothing was changed")


def _opened(plain: bytes, origin: str) -> LocalExport:
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
            members = [(member, tar.extractfile(member)) for member in tar if member.isreg()]
            found = {member.name: stream.read() for member, stream in members if stream is not None}
        manifest = jsontext.decode(found.pop(MANIFEST))
        is_export = manifest["format"] == FORMAT
        version = manifest["version"]
        if is_export and isinstance(version, int) and version > VERSION:
            raise NewerFormat(f"{origin}: an export of a newer memorybank ({manifest['made_by']})")
        listed = [(str(each["path"]), int(each["bytes"]), str(each["sha256"]), int(each["mtime_ns"])) for each in manifest["files"]]
        at, project, made_by, trust = clock.parse(manifest["at"]), str(manifest["project"]), str(manifest["made_by"]), manifest["trust"]
    except (tarfile.TarError, ValueError, KeyError, TypeError):
        raise ValidationFailed(f"{origin}: not an export of memorybank") from None
    if not is_export or at is None or not (trust is None or isinstance(trust, dict)):
        raise ValidationFailed(f"{origin}: not an export of memorybank")
    wrong = {path for path, *_ in listed} ^ found.keys() | {
        path for path, size, digest, _ in listed if path in found and (len(found[path]) != size or sha256(found[path]).hex() != digest)
    }
    wrong |= {path for path in found if not is_known(path)}
    if wrong:
        raise ValidationFailed(f"{origin}: {sorted(wrong)[0]} is not what the list of the export names; nothing was changed")
    return LocalExport(at, project, [ExportedFile(path, found[path], mtime) for path, _, _, mtime in listed], trust, made_by)


def _add(tar: tarfile.TarFile, name: str, data: bytes, mtime_ns: int) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode, member.mtime = len(data), 0o600, mtime_ns // 1_000_000_000
    tar.addfile(member, io.BytesIO(data))


def _own_version() -> str:
    """Return the version of memorybank. The root package names the facade, which imports this module, so it is not imported by name."""
    return str(sys.modules["memorybank"].__version__)


def _library() -> Any:
    """Return the library that encrypts. Raises `MissingExtra`."""
    try:
        importlib.import_module("pyrage.passphrase")
        return importlib.import_module("pyrage")
    except ImportError:
        raise MissingExtra("the package 'pyrage' is not installed", next_step=f"install it with: {extra_command('backup')}") from None

"""The everyday verbs on a disk that is full or read-only from the k-th change on: a typed error, no note is lost, and the verb works afterwards."""

import contextlib
import errno
import io
import json
import os
import sys

import pytest

from memorybank.cli.call import CommandCall
from memorybank.cli.main import run
from memorybank.clock import DAY, FixedClock
from memorybank.storage.layout import describe
from tests.crash.explorer import scratch
from tests.crash.recorder import CHANGES, Counting, Passing, replaced
from tests.rotation.rotation_rows import NOW

KEY, OTHER = "planning/設計 メモ.md", "shared/b.md"
NOTES = {
    KEY: "\ufeff---\r\ntags: [db]\r\n---\r\n# 設計\r\n".encode(),
    OTHER: "---\ntags: [db/x]\n---\n[設計](../planning/設計%20メモ.md), [[設計 メモ]]\n".encode(),
    "c.md": b"# C\n",
}
EDITOR = f'{sys.executable} -c \'import sys; open(sys.argv[-1], "ab").write(b"more")\''
VERBS = {
    "edit": ("edit", KEY, "--editor", EDITOR),
    "mv": ("mv", KEY, "新.md"),
    "mv --links": ("mv", KEY, "深い/新.md", "--links"),
    "tags rename": ("tags", "rename", "db", "データ"),
    "forget": ("forget", "c.md"),
    "rate": ("rate", OTHER, "7"),
    "bookmark": ("bookmark", "add", OTHER),
    "remember": ("remember", "x"),
}


class Writing(Counting):
    """Counts the calls that need space or permission to write; from the k-th one on they fail."""

    def __init__(self, k: int = 1 << 30, number: int = 0) -> None:
        super().__init__(CHANGES)
        self.k, self.number = k, number

    def _call(self, name, arguments, options):
        if (name == "open" and not arguments[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)) or name in ("fsync", "fdatasync"):
            return self._real(name)(*arguments, **options)
        self.calls.append(name)
        if len(self.calls) > self.k:
            raise OSError(self.number, os.strerror(self.number))
        return self._real(name)(*arguments, **options)


def made(folder: str):
    layout = describe(os.path.join(folder, "bank"))
    for key, data in NOTES.items():
        path = os.path.join(layout.active, *key.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as stream:
            stream.write(data)
        os.utime(path, ns=((NOW - 20 * DAY) * 1_000_000,) * 2)
    with replaced(Passing()):
        assert called(layout, "index", "-q")[0] == 0
    return layout


def called(layout, *arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["--bank", layout.root, *arguments], CommandCall(clock=FixedClock(NOW)))
    return code, out.getvalue(), err.getvalue()


def below(root: str) -> dict[str, bytes]:
    found = {}
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), "rb") as stream:
                found[os.path.relpath(os.path.join(folder, name), root)] = stream.read()
    return found


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS], ids=errno.errorcode.get)
@pytest.mark.parametrize("verb", VERBS)
def test_a_failing_disk_is_a_typed_error_and_loses_nothing(verb, number, request):
    with scratch() as folder:
        counting = Writing()
        layout = made(folder)
        with replaced(counting):
            assert called(layout, *VERBS[verb])[0] == 0
        expected = below(layout.active)
    step = 1 if request.config.getoption("--all") else 19
    for k in range(0, len(counting.calls), step):
        with scratch() as folder:
            layout = made(folder)
            with replaced(Writing(k, number)):
                code, _, err = called(layout, *VERBS[verb], "--json")
            where = f"{verb}, {errno.errorcode[number]} from change {k} ({counting.calls[k]}): {err}"
            assert code in (0, 1, 4, 8), where
            if code:
                error = json.loads(err.splitlines()[-1])["error"]
                assert error["message"] and error["next_step"], where
            everywhere = {*below(layout.active).values(), *below(layout.backups).values(), *below(layout.archive).values()}
            assert [key for key, data in NOTES.items() if data not in everywhere and not (verb == "forget" and key == "c.md")] == [], where
            with replaced(Passing()):
                again = called(layout, *VERBS[verb])
            after = {path: data for path, data in below(layout.active).items() if ".mb-tmp-" not in path}  # 'maintain' removes these
            if verb in ("mv", "mv --links", "tags rename", "forget", "rate", "bookmark"):
                assert again[0] == 0 or after == expected, (where, again)
                assert after == expected, (where, again)

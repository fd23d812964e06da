"""The scanner that judges a purge finds a planted text in every form and place. A scanner that is blind would let every purge pass."""

import base64
import gzip
import json
import os
import random
import sqlite3
import zlib
from unicodedata import normalize
from urllib.parse import quote, quote_plus

import pytest
import zstandard

from tests.crash.byte_scanner import TextForms, occurrences, scan

TEXT = 'zqxj7 "Kö\\nig" 合言葉 ガギグ\nvwky9'
FORMS = TextForms(TEXT)
NOISE = bytes(range(256)) * 3
MORE = random.Random(1).randbytes(3_000).hex().encode()
WRITTEN = {
    "as it is": TEXT.encode(),
    "decomposed": normalize("NFD", TEXT).encode(),
    "CRLF": TEXT.replace("\n", "\r\n").encode(),
    "wrapped": TEXT.replace(" ガ", "\nガ").encode(),
    "JSON in ASCII": json.dumps(TEXT)[1:-1].encode(),
    "JSON": json.dumps(TEXT, ensure_ascii=False)[1:-1].encode(),
    "JSON in JSON": json.dumps(json.dumps(TEXT)).encode(),
    "UTF-16LE": TEXT.encode("utf-16-le"),
    "UTF-16BE": TEXT.encode("utf-16-be"),
    "URL": quote(TEXT).encode(),
    "URL in lower case": "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"%{byte:02x}" for byte in TEXT.encode()).encode(),
    "form": quote_plus(TEXT).encode(),
    "URL in URL": quote(quote(TEXT, safe=""), safe="").encode(),
    **{f"base64, {count} before": base64.b64encode(b"abc"[:count] + TEXT.encode() + b"de") for count in range(3)},
    **{f"base64 for URLs, {count} before": base64.urlsafe_b64encode(b"?>?"[:count] + TEXT.encode() + b"de") for count in range(3)},
    "base64 of JSON": base64.b64encode(json.dumps({"a": TEXT}).encode()),
}
"""Forms of the text, made here by other means than in the scanner where there are others."""
WRAPPED = {
    "raw": lambda data: NOISE + data + NOISE,
    "zstd": lambda data: zstandard.ZstdCompressor().compress(MORE + data + MORE),
    "zstd in the middle": lambda data: NOISE + zstandard.ZstdCompressor(level=19).compress(MORE + data) + NOISE,
    "gzip": lambda data: NOISE + gzip.compress(MORE + data),
    "zlib": lambda data: NOISE + zlib.compress(MORE + data, 9),
    "gzip in zstd": lambda data: zstandard.ZstdCompressor().compress(NOISE + gzip.compress(MORE + data)),
}


@pytest.mark.parametrize("wrap", WRAPPED)
@pytest.mark.parametrize("form", WRITTEN)
def test_it_finds_every_form_in_every_wrapping(form, wrap):
    assert occurrences(FORMS, WRAPPED[wrap](WRITTEN[form])), form


@pytest.mark.parametrize("wrap", WRAPPED)
def test_it_finds_nothing_where_nothing_is(wrap):
    clean = [TEXT[1:], TEXT[:-1], TEXT.replace("合", "会"), "zqxj7", base64.b64encode(TEXT[::-1].encode()).decode(), quote(TEXT[:-1])]
    assert occurrences(FORMS, WRAPPED[wrap]("\n\n".join(clean).encode())) == []


def test_it_finds_what_a_torn_frame_still_gives():
    lines = "".join(f"line {number} {'x' * (number % 60)}\n" for number in range(40_000)).encode()
    for kind, packed in {"zstd": zstandard.ZstdCompressor().compress(TEXT.encode() + lines), "gzip": gzip.compress(TEXT.encode() + lines)}.items():
        torn = packed[: len(packed) * 2 // 3]
        assert occurrences(FORMS, torn), kind
        assert occurrences(FORMS, torn + bytes(len(packed) // 3)), f"{kind}, zeroed"


def test_it_finds_deleted_rows_and_texts_that_sqlite_splits(tmp_path):
    """A deleted row stays on a free page; a long value goes on in overflow pages, and the text is cut at their borders."""
    for before in (*range(4_000, 4_110, 13), 100_000):
        path = tmp_path / f"{before}.sqlite3"
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (?)", ("x" * before + TEXT + "x" * 9_000,))
        connection.close()
        assert occurrences(FORMS, path.read_bytes()), before
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA secure_delete = OFF")
        connection.execute("DELETE FROM t")
        connection.close()
        assert occurrences(FORMS, path.read_bytes()), f"{before}, deleted"


def test_it_finds_the_write_ahead_log_and_the_journal(tmp_path):
    for mode, suffix in (("WAL", "-wal"), ("PERSIST", "-journal")):
        path = tmp_path / f"{mode}.sqlite3"
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (?)", (TEXT,))
        connection.execute("UPDATE t SET x = 'y'")
        assert any(found.endswith(suffix) for found in scan(FORMS, str(tmp_path))), mode
        connection.close()


def test_it_finds_names_folders_links_and_hidden_files(tmp_path):
    text = TextForms("zqxj7 ガ vwky9")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / normalize("NFD", "zqxj7 ガ vwky9")).mkdir()
    (tmp_path / "a" / "zqxj7 ガ vwky9.md").write_text("")
    (tmp_path / "a" / ".mb-tmp-1-1").write_text("zqxj7 ガ vwky9")
    (tmp_path / "link").symlink_to("nowhere/zqxj7 ガ vwky9")
    (tmp_path / "clean").write_text("zqxj7")
    assert {os.path.relpath(path, tmp_path) for path in scan(text, str(tmp_path))} == {
        f"a/{normalize('NFD', 'zqxj7 ガ vwky9')}", "a/zqxj7 ガ vwky9.md", "a/.mb-tmp-1-1", "link",
    }  # fmt: skip


def test_an_unreadable_folder_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        scan(FORMS, str(tmp_path / "missing"))

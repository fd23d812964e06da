"""Hashing without hashlib: the same bytes as the standard library gives."""

import hashlib
import hmac
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from memorybank.storage.digest import hmac_sha256, sha1, sha256


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_it_is_what_the_standard_library_computes(key, data):
    assert sha256(data) == hashlib.sha256(data).digest()
    assert sha1(data) == hashlib.sha1(data, usedforsecurity=False).digest()
    assert hmac_sha256(key, data) == hmac.new(key, data, "sha256").digest()


def test_a_hook_that_hashes_does_not_load_hashlib():
    probe = "import sys, memorybank.storage.digest; print([name for name in ('hashlib', 're', '_hashlib') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "[]\n"

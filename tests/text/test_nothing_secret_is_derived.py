"""Texts derived from others (fingerprints, anchors, error signatures, flags) contain no secret, because no redactor would recognise it there."""

import random

import pytest

from memorybank.text.commands.anchors import of_call, of_error, of_text
from memorybank.text.commands.fingerprint import action, command_parts
from tests.text import secrets_by_lot

ROOT = "/srv/shop"
SECRETS = secrets_by_lot.secrets(random.Random(11))


def derived(text: str) -> str:
    inputs = {"command": f"cd app && ./deploy {text} --now", "description": text}
    return "\n".join(
        (
            action("Bash", inputs, ROOT) or "",
            *command_parts(inputs["command"], ROOT),
            *of_call("Bash", inputs, ROOT),
            *of_text(f"見て {text} です\nerror: bad {text}", ROOT),
            *of_error("Bash", f"fatal: cannot use {text}", ROOT),
        )
    )


@pytest.mark.parametrize("family", secrets_by_lot.FAMILIES)
def test_no_piece_of_a_secret_is_left(family):
    for name, secret, text in SECRETS:
        if name == family:
            found = derived(text)
            pieces = secret.splitlines() if "PRIVATE KEY" in secret else [secret]
            long = [piece for piece in pieces if "KEY" not in piece]
            assert not [piece for piece in long if any(piece[at : at + 8] in found for at in range(len(piece) - 7))], (text, found)


@pytest.mark.parametrize(
    "command",
    [
        "mysql -u root -pletmeinplease shop",
        "mysqldump -pLetMeInPlease shop",
        "sshpass -p letmeinplease ssh host",
        "redis-cli -a letmeinplease ping",
        "gpg --batch --passphrase letmeinplease -d a.gpg",
        "docker login -u ann -p letmeinplease registry.example.org",
        "tool --secret letmeinplease run",
        "tool -k letmeinplease",
        "curl -uann:letmeinplease https://example.org",
        "openssl enc -aes-256-cbc -k letmeinplease",
        "7z x -pletmeinplease a.7z",
        "export PASSWORD=letmeinplease; make",
        "PASSWORD=letmeinplease make",
    ],
)
def test_values_of_flags_are_not_kept(command):
    """They contain not even plain words, which a redactor cannot distinguish from others."""
    assert "letmein" not in (action("Bash", {"command": command}, ROOT) or "").lower()


def test_a_secret_at_the_cut_of_a_signature_is_gone():
    """A signature is truncated, and nobody would recognise half a token any more."""
    token = secrets_by_lot.github(random.Random(2))
    for length in range(100, 160, 3):
        assert token[:12] not in of_error("Bash", f"error: {'x' * length} {token} failed")[0]

"""The password of a person's role on the server: in the environment or in the keyring of the operating system, never in a file of memorybank."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from urllib.parse import urlsplit

from memorybank.errors import MissingExtra, PermissionRefused
from memorybank.summarize.choosing import KEYRING_SERVICE
from memorybank.team.connection import host_of_address, user_of

VARIABLE = "MEMORYBANK_TEAM_PASSWORD"
"""Environment variable: the password, for machines without a keyring such as containers."""


def entry_of(address: str) -> str:
    """Return the name of a server's entry in the keyring, such as `ann@db.example.org/memory`."""
    return f"{user_of(address)}@{host_of_address(address)[0]}/{urlsplit(address).path.strip('/')}"


def load(address: str, environment: Mapping[str, str]) -> str:
    """Return the password; "" without one, for servers that identify the person in another way (a certificate, the user of this machine)."""
    given = environment.get(VARIABLE, "")
    if given:
        return given
    try:
        return importlib.import_module("keyring").get_password(KEYRING_SERVICE, entry_of(address)) or ""
    except Exception:  # backends raise arbitrary errors; without a password the server refuses, and the next step says what to do
        return ""


def store(address: str, password: str) -> None:
    """Store the password in the keyring. Raises `MissingExtra` without the package `keyring`, `PermissionRefused` where it does not accept it."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        raise MissingExtra("passwords need the package 'keyring'", next_step=f"install memorybank[team], or set {VARIABLE} in the environment") from None
    try:
        keyring.set_password(KEYRING_SERVICE, entry_of(address), password)
    except Exception as error:  # backends raise arbitrary errors
        raise PermissionRefused(
            f"the keyring did not accept the password ({type(error).__name__})",
            next_step=f"unlock the keyring, or set {VARIABLE} in the environment instead",
        ) from None


def forget(address: str) -> bool:
    """Delete the password from the keyring. Return whether there was one."""
    try:
        importlib.import_module("keyring").delete_password(KEYRING_SERVICE, entry_of(address))
    except Exception:  # nothing was stored, or nothing can be
        return False
    return True

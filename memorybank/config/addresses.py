"""The host in an address that a person configured, as it is shown for consent, and whether it is this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from memorybank.errors import ConfigInvalid


def host_of(address: str) -> tuple[str, bool]:
    """Return (host as shown to the person for consent, whether it is this machine).

    Raises ConfigInvalid for a malformed address. The message does not quote the address, because it may contain a key.
    """
    wrong = ConfigInvalid("the address of the API is malformed", next_step="use an address such as https://host/v1/, without user name, password or query")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise wrong from None
    odd = "@" in parts.netloc or parts.query or parts.fragment or not address.isascii() or not address.isprintable() or " " in address
    if parts.scheme not in ("http", "https") or not parts.hostname or odd:
        raise wrong
    name = parts.hostname.lower()
    return (f"{name}:{port}" if port is not None else name), _is_local(name)


def _is_local(name: str) -> bool:
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False

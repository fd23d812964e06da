"""The static files of the page, read once and looked up by name. No path of a request is ever joined to a folder."""

from importlib import resources
from typing import NamedTuple


class Asset(NamedTuple):
    media_type: str
    data: bytes


_TYPES = {"page.css": "text/css", "page.js": "text/javascript", "htmx.min.js": "text/javascript", "icon.svg": "image/svg+xml"}


def _read(name: str) -> bytes:
    return resources.files("memorybank.ui").joinpath("static", name).read_bytes()


ASSETS = {f"/static/{name}": Asset(media_type, _read(name)) for name, media_type in _TYPES.items()}

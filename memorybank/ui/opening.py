"""Opens the page in the person's browser without showing the link to other users of the machine.

Whoever lists the processes of a machine sees their arguments. So the browser is given the address of a file that only its owner can read, and the file
leads to the link.
"""

import os
import sys
import webbrowser
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from threading import Thread

from memorybank.storage import disk, scratch

_PREFIX = "memorybank-ui-"
_PAGE = (
    '<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>memorybank</title>'
    '<meta http-equiv="refresh" content="0;url={link}"><a href="{link}">memorybank</a>\n'
)


def has_display(environ: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether a browser can show a window to the person who started the command.

    Without a display, a browser that runs in the terminal would take the place of the command.
    """
    return is_terminal and (sys.platform == "darwin" or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")))


@contextmanager
def opened(link: str) -> Iterator[None]:
    """Open a link in the person's browser. The file that leads to it exists until the end of the `with` block."""
    with scratch.folder(_PREFIX) as folder:
        path = os.path.join(folder, "open.html")
        disk.create(path, _PAGE.format(link=escape(link)).encode(), mode=disk.PRIVATE_FILE)
        # Some browsers are waited for until they show the page, which waits for this process.
        Thread(target=webbrowser.open, args=(f"file://{path}",), daemon=True).start()
        yield

"""The plugin file that opencode loads: the shipped `opencode_plugin.js` with this machine's command in it."""

import json
import os

from memorybank.hosts.detect import OPENCODE
from memorybank.hosts.program import Program
from memorybank.storage import disk

HOST = OPENCODE
_ASSET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "opencode_plugin.js")
_CAP = 1 << 20
_COMMAND = 'const COMMAND = ["memorybank", "hook"]\n'
_NEEDED = "const NEEDED = []\n"


def text(program: Program | None) -> str:
    """Return the file's text. program: None for the portable form, which runs `memorybank` from the PATH."""
    shipped = disk.read(_ASSET, _CAP).decode()
    if program is None:
        return shipped
    command = json.dumps([program.python, "-I", "-S", program.hook], ensure_ascii=False)
    needed = json.dumps(list(program), ensure_ascii=False)
    return shipped.replace(_COMMAND, f"const COMMAND = {command}\n").replace(_NEEDED, f"const NEEDED = {needed}\n")


def is_ours(found: str) -> bool:
    """Return whether a file begins like every version of the plugin."""
    return found.startswith("// memorybank for opencode")


def needed(found: str) -> list[str]:
    """Return the paths that the plugin's command needs; empty for the portable form."""
    for line in found.splitlines():
        if line.startswith("const NEEDED = "):
            try:
                value = json.loads(line.removeprefix("const NEEDED = "))
            except ValueError:
                return []
            return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []
    return []

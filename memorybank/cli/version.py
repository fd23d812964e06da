"""`memorybank --version --json`: what a bug report or a script needs to know about an installation, without opening a bank."""

import platform
import sqlite3
import sys
from importlib.util import find_spec

from memorybank import __version__
from memorybank.cli import output
from memorybank.installed import read_record

EXTRAS = {"backup": "pyrage", "fastembed": "fastembed", "llm": "openai", "mcp": "mcp", "mem0": "mem0", "meaning": "numpy", "team": "psycopg", "ui": "starlette"}
"""{extra: a library that only it brings}."""


def write() -> None:
    output.write_json(
        {
            "memorybank": __version__,
            "python": platform.python_version(),
            "implementation": platform.python_implementation(),
            "system": platform.system(),
            "machine": platform.machine(),
            "sqlite": sqlite3.sqlite_version,
            "installer": read_record(sys.prefix).installer,
            "extras": {extra: find_spec(library) is not None for extra, library in EXTRAS.items()},
        }
    )

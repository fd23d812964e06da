"""Imported first by every benchmark that needs the libraries of the project: runs it with the project's environment, whoever started it.

A benchmark is started as `scripts/bench/needs`, so the system's `python3` runs it, which has no libraries. If they are missing, the program is
replaced by itself under `.venv/bin/python`. Without that environment it ends and says which command creates it.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LIBRARIES = ("click", "orjson", "rapidfuzz", "yaml", "zstandard")
"""Libraries that only an environment with memorybank has, all of them."""
_STARTED = "MEMORYBANK_BENCH_STARTED"
"""Variable that keeps an incomplete environment from starting itself for ever."""


def require(project: Path = PROJECT) -> None:
    """Continue under an interpreter that has the libraries. Ends the program when there is none."""
    if all(map(find_spec, LIBRARIES)):
        return
    python = project / ".venv" / "bin" / "python"
    if python.exists() and _STARTED not in os.environ:
        os.environ[_STARTED] = "1"
        os.execv(python, [str(python), *sys.argv])
    sys.exit(
        f"{Path(sys.argv[0]).name}: {sys.executable} lacks libraries that this benchmark needs\n"
        f"  next: 'scripts/test --quick' creates {project / '.venv'}; or start the benchmark with an interpreter that has memorybank: PYTHON {sys.argv[0]}"
    )


require()

"""Loads a script of this repository as a module, so that a test can call its functions."""

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


def loaded(name: str) -> ModuleType:
    """Return the script at `scripts/<name>`. What it imports may be next to it. It is loaded again at each call."""
    path = SCRIPTS / name
    loader = SourceFileLoader(f"scripts_{path.stem}", str(path))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module  # its dataclasses look for themselves there
    before = list(sys.path)
    sys.path.insert(0, str(path.parent))
    try:
        loader.exec_module(module)
    finally:
        sys.path[:] = before
    return module

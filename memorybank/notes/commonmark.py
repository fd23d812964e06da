"""pyromark's C module without its package, which imports `enum` and with that `functools` and `collections` for options that no note is read with.

This saves a hook that indexes a note a third of Python's own start-up time. If anything is not as expected, the package is imported in the usual way.
"""

from __future__ import annotations

__light__ = True

import sys
from _frozen_importlib import ModuleSpec  # the package `importlib` is larger
from _frozen_importlib_external import ExtensionFileLoader
from _imp import extension_suffixes

from memorybank.storage import system as os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_PACKAGE, _NAME = "pyromark", "pyromark._pyromark"


def parser() -> ModuleType:
    """Return the module that has `events_with_range`."""
    known = sys.modules.get(_PACKAGE) or sys.modules.get(_NAME)
    if known is not None:
        return known
    try:
        return _alone()
    except (ImportError, OSError, StopIteration):
        import pyromark

        return pyromark


def _alone() -> ModuleType:
    """Load the C module from the folder from which Python would import the package."""
    folder = next(path for path in (f"{each}/{_PACKAGE}" for each in sys.path if each) if os.path.isdir(path))
    path = next(file for file in (f"{folder}/_{_PACKAGE}{suffix}" for suffix in extension_suffixes()) if os.path.isfile(file))
    loader = ExtensionFileLoader(_NAME, path)
    module: ModuleType = loader.create_module(ModuleSpec(_NAME, loader, origin=path))
    loader.exec_module(module)
    module.events_with_range("", merge_text=True)  # fails if this version needs its package
    # The package, if it is imported later, finds its C module: it can be loaded only once.
    sys.modules[_NAME] = module
    return module

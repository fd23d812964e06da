"""SQLite's C module without its dependencies: it imports `functools`, and with that `collections`, for one name that is implemented in C.

    from memorybank.storage.sqlite import sqlite3

This saves a hook that opens a cache half of Python's own start-up time (measured). If anything is not as expected, the module
is imported in the usual way.
"""

from __future__ import annotations

__light__ = True

import sys

__all__ = ["sqlite3"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _sqlite3 as sqlite3
    from types import ModuleType


def _loaded() -> ModuleType:
    """Return `_sqlite3`. During its import, a stand-in for `functools` provides the one name that it needs."""
    name = "functools"
    if "_sqlite3" not in sys.modules and name not in sys.modules:
        try:
            from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

            stand_in = type(sys)(name)
            stand_in.lru_cache = lambda maxsize=128, typed=False: lambda function: _lru_cache_wrapper(function, maxsize, typed, tuple)  # type: ignore[attr-defined]
            sys.modules[name] = stand_in
            import _sqlite3

            # This call fails if this version of the C module needs more of `functools`.
            _sqlite3.connect(":memory:").close()
            return _sqlite3
        except (ImportError, AttributeError, TypeError):
            sys.modules.pop("_sqlite3", None)
        finally:
            sys.modules.pop(name, None)
    import _sqlite3

    return _sqlite3


if not TYPE_CHECKING:
    sqlite3 = _loaded()

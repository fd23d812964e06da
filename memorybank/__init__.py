"""memorybank keeps the Markdown memory notes of coding agents good for years.

`from memorybank import Bank` is the Python interface, `docs/python.md` its page. `Bank` and the errors are loaded on first use, so that
importing this package costs nothing.
"""

TYPE_CHECKING = False
"""True only for type checkers. Importing `typing` itself would cost every process of the package a few milliseconds."""

__version__ = "0.2.0"
__all__ = [
    "Bank",
    "BrakeRefused",
    "ConfigInvalid",
    "Conflict",
    "LinkRefused",
    "LockTimeout",
    "MemorybankError",
    "Misplaced",
    "MissingExtra",
    "NewerFormat",
    "NotFound",
    "PermissionRefused",
    "Problem",
    "ResourceExhausted",
    "UsageError",
    "ValidationFailed",
    "__version__",
]

if TYPE_CHECKING:
    from typing import Any

    from memorybank.bank import Bank
    from memorybank.errors import (
        BrakeRefused,
        ConfigInvalid,
        Conflict,
        LinkRefused,
        LockTimeout,
        MemorybankError,
        Misplaced,
        MissingExtra,
        NewerFormat,
        NotFound,
        PermissionRefused,
        Problem,
        ResourceExhausted,
        UsageError,
        ValidationFailed,
    )


def __getattr__(name: str) -> "Any":
    if name == "Bank":
        from memorybank.bank import Bank

        return Bank
    if name in __all__:
        from memorybank import errors

        return getattr(errors, name)
    raise AttributeError(f"module 'memorybank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

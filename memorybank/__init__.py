"""memorybank keeps the Markdown memory notes of coding agents good for years.

`from memorybank import Bank` is the Python interface. It is loaded on first use, so that importing this package costs nothing.
"""

TYPE_CHECKING = False
"""True only for type checkers. Importing `typing` itself would cost every process of the package a few milliseconds."""

__version__ = "0.1.0"
__all__ = ["Bank", "__version__"]

if TYPE_CHECKING:
    from typing import Any

    from memorybank.bank import Bank


def __getattr__(name: str) -> "Any":
    if name == "Bank":
        from memorybank.bank import Bank

        return Bank
    raise AttributeError(f"module 'memorybank' has no attribute {name!r}")

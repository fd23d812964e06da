"""Checks that the arguments a client sent fit the schema of the tool. The SDK passes them on unchecked."""

from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from memorybank.errors import UsageError

if TYPE_CHECKING:
    from memorybank.mcp.table import ToolSpec

_LONGEST = 300


def check(tool: "ToolSpec", arguments: dict[str, Any]) -> None:
    """Raise `UsageError` for arguments that do not fit the schema, naming the argument.

    Text that is not Unicode (a lone surrogate) or contains a NUL is refused too.
    """
    wrong = best_match(Draft202012Validator(tool.input_schema).iter_errors(arguments))
    if wrong is not None:
        place = ".".join(map(str, wrong.absolute_path))
        raise UsageError(f"{f'{place}: ' if place else ''}{wrong.message[:_LONGEST]}", next_step=f"see the input schema of {tool.name!r}")
    for text in _texts(arguments):
        if "\0" in text or any("\ud800" <= sign <= "\udfff" for sign in text):
            raise UsageError("a text contains a NUL character or is not valid Unicode", next_step="send valid text")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    return [text for each in value for text in _texts(each)] if isinstance(value, list) else []

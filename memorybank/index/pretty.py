"""JSON as published: indented by two spaces, and in fragments that fit into a larger document."""

import orjson


def pretty(value: object, indent: int) -> bytes:
    """Render `value` as it appears `indent` spaces deep in an indented document. The first line is not indented."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    return text.replace(b"\n", b"\n" + b" " * indent) if indent else text

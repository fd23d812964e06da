"""JSON as it is published: two blanks an indent, and fragments that fit into a document."""

import orjson


def pretty(value: object, indent: int) -> bytes:
    """`value` as it stands `indent` spaces deep in a pretty document; its first line is not indented."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    return text.replace(b"\n", b"\n" + b" " * indent) if indent else text

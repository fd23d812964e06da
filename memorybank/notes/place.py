"""Where a value is in a front-matter block, in characters. Imported late, because it loads the YAML library."""

from dataclasses import dataclass

import yaml


@dataclass(frozen=True, slots=True)
class ValuePosition:
    """Where a key's value is, or where the key can be inserted.

    present: whether the key exists; then its value is block[begin:end] (begin == end for an empty one)
    begin: if the key is missing, the offset for a new member: after the `{` of a flow mapping, else at the end of the block on a line of its own
    column: number of spaces before a new line
    flow: whether the mapping is a flow mapping
    empty: whether the flow mapping has no members yet
    """

    present: bool
    begin: int
    end: int
    column: int = 0
    flow: bool = False
    empty: bool = False


def locate(block: str, name: str) -> ValuePosition:
    """Return the place of the top-level key `name` in a block that `yaml_reader.read` has accepted."""
    root = yaml.compose(block, Loader=yaml.SafeLoader)  # the Python parser, because its marks count characters
    if not isinstance(root, yaml.MappingNode):
        return ValuePosition(False, len(block), len(block))
    for key, value in root.value:
        if isinstance(key, yaml.ScalarNode) and key.value == name:
            begin = value.start_mark.index
            return ValuePosition(True, begin, begin + len(block[begin : _end(value)].rstrip()))
    if root.flow_style:
        begin = root.start_mark.index + 1
        return ValuePosition(False, begin, begin, flow=True, empty=not root.value)
    return ValuePosition(False, len(block), len(block), column=root.start_mark.column)


def _end(node: yaml.Node) -> int:
    """Return the offset after the last character of a node. The end mark of a block collection is at the next token, after comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    index: int = node.end_mark.index
    return index

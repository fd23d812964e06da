"""Where a value stands in a front-matter block, in characters. Imported late: it loads the YAML library."""

from dataclasses import dataclass

import yaml


@dataclass(frozen=True, slots=True)
class Place:
    """present: the key exists and its value is block[begin:end] (begin == end for an empty one).

    Otherwise begin is where a member may be put: behind the `{` of a flow mapping (`flow`; `empty` when it has no member
    yet), else at the end of the block in a line of its own with `column` spaces before it.
    """

    present: bool
    begin: int
    end: int
    column: int = 0
    flow: bool = False
    empty: bool = False


def locate(block: str, name: str) -> Place:
    """The place of the top-level key `name` in a block that `yaml_reader.read` has accepted."""
    root = yaml.compose(block, Loader=yaml.SafeLoader)  # the Python parser: its marks count characters
    if not isinstance(root, yaml.MappingNode):
        return Place(False, len(block), len(block))
    for key, value in root.value:
        if isinstance(key, yaml.ScalarNode) and key.value == name:
            begin = value.start_mark.index
            return Place(True, begin, begin + len(block[begin : _end(value)].rstrip()))
    if root.flow_style:
        begin = root.start_mark.index + 1
        return Place(False, begin, begin, flow=True, empty=not root.value)
    return Place(False, len(block), len(block), column=root.start_mark.column)


def _end(node: yaml.Node) -> int:
    """Where the last character of a node stands: a block collection's own mark lies at the next token, behind comments."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    index: int = node.end_mark.index
    return index

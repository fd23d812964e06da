"""Computes charts as numbers: where bars, labels and lines are. A template turns them into SVG; nothing here knows markup."""

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin
from typing import NamedTuple
from unicodedata import east_asian_width

from memorybank.clock import day_of
from memorybank.scoring.explain import Contribution
from memorybank.scoring.importance import bucket

HEIGHT = 120.0
"""Height of the bars of a chart, in units of its view box."""
_RADIUS, _LABEL_AT = 190.0, 9.0
_MIDDLE, _HALF, _SIDE, _ROW = 380.0, 90.0, 190.0, 30.0
"""The local graph: x of its middle, half the width of the note there, x at which the lines of the left side begin, and height of a row."""
_MOST_NEIGHBOURS = 8
_LETTERS = 26
"""Maximum width of a label; a wide character counts as two."""
_LETTER = 6.2
"""Width of a character of a label in units of the view box; a wide one takes twice as much."""


class ChartBar(NamedTuple):
    """A bar of a chart.

    x, y, width, height: place and size in the view box
    kind: CSS class
    label: text below the bar, or ""
    value: text above the bar, or ""
    tooltip: description of the bar, with its numbers
    """

    x: float
    y: float
    width: float
    height: float
    kind: str
    label: str
    value: str
    tooltip: str


class Chart(NamedTuple):
    """Bars, and the size of their view box."""

    width: float
    height: float
    bars: tuple[ChartBar, ...]


class _Stack(NamedTuple):
    """A column made of several bars.

    counts: {CSS class of the bar: count}, the lowest one first
    label: text below the column, or ""
    """

    counts: Mapping[str, int]
    label: str
    name: str

    @property
    def total(self) -> int:
        return sum(self.counts.values())


class GraphNode(NamedTuple):
    """A note on the circle.

    turned: rotation of its label in degrees
    from_end: whether the label ends at the circle, as on the left half
    kind: CSS class
    """

    key: str
    path: str
    x: float
    y: float
    label_x: float
    label_y: float
    turned: float
    from_end: bool
    kind: str
    name: str


class GraphEdge(NamedTuple):
    """A link between two notes of the drawing."""

    source: str
    target: str
    curve: str


class LinkGraph(NamedTuple):
    """Notes on a circle and the links between them, in a square view box."""

    size: float
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]


def histogram(scores: Sequence[float]) -> Chart:
    """Return the notes by importance, one bar for each point: 0.0-0.9 … 9.0-10.0."""
    counts = [0] * 10
    for score in scores:
        counts[min(9, int(score))] += 1
    return _columns([_Stack({bucket(low): count}, f"{low}", f"{low}.0-{low}.9" if low < 9 else "9.0-10.0") for low, count in enumerate(counts)], 36)


def timeline(modified: Mapping[str, int], archived: Mapping[str, int], now: int, months: int) -> Chart:
    """Return for each month up to now the active notes that last changed in it, and on top of them the notes archived in it.

    modified, archived: counts by month, such as `2025-09`
    """
    names = _months(day_of(now)[:7], months)
    stacks = []
    for back, name in enumerate(reversed(names)):
        label = name if back % 3 == 0 else ""  # a label is as wide as three bars
        stacks.append(_Stack({"modified": modified.get(name, 0), "archived": archived.get(name, 0)}, label, name))
    return _columns(stacks[::-1], 20)


def storage(active: int, limit: int, archived: int) -> Chart:
    """Return active bytes and the bytes of archive objects, against the size at which notes begin to leave."""
    whole = max(limit, active + archived, 1)
    parts = ((active, "modified", "active"), (archived, "archived", "archive"))
    bars, at = [], 0.0
    for count, kind, name in parts:
        width = 400.0 * count / whole
        drawn = min(max(width, 1.0 if count else 0.0), 400.0 - at)
        bars.append(ChartBar(round(at, 1), 4, round(drawn, 1), 20, kind, "", f"{count}", name))
        at += drawn
    return Chart(400, 28, tuple(bars))


def contributions(found: Sequence[Contribution]) -> Chart:
    """Return the contribution of each fact to an importance (at most 10), one bar in each row. A cap goes to the left, from where the sum is."""
    bars, at = [], 0.0
    for row, part in enumerate(found):
        width = part.contribution * 20
        x = at if width >= 0 else at + width
        bars.append(
            ChartBar(round(x, 2), row * 14.0, round(abs(width), 2), 10, part.name.partition(".")[0], part.name, f"{part.contribution:+.4f}", str(part.reason))
        )
        at += width
    return Chart(200, len(found) * 14.0, tuple(bars))


def most_linked(edges: Sequence[tuple[str, str]], most: int) -> list[str]:
    """Return at most `most` keys to draw: the most linked note with its neighbours, then the next one.

    Notes are chosen in groups, so that each one that is drawn has a line.
    """
    near: dict[str, set[str]] = {}
    for one, other in edges:
        near.setdefault(one, set()).add(other)
        near.setdefault(other, set()).add(one)
    ranked = sorted(near, key=lambda key: (-len(near[key]), key))
    place = {key: number for number, key in enumerate(ranked)}
    chosen: dict[str, None] = {}
    for key in ranked:
        group = [each for each in (key, *sorted(near[key], key=place.__getitem__)) if each not in chosen][: most - len(chosen)]
        # A group of one is drawn only if a neighbour is drawn already; otherwise it would have no line.
        if len(group) > 1 or not chosen.keys().isdisjoint(near[key]):
            chosen.update(dict.fromkeys(group))
    return sorted(chosen)


def graph(keys: Sequence[str], edges: Sequence[tuple[str, str]], importance: Mapping[str, float], path_of: Callable[[str], str]) -> LinkGraph:
    """Return the notes on a circle, in the order of their keys so that folders stay together, and a curve for each link between two of them."""
    centre = _RADIUS + _LABEL_AT + 8 + _LETTER * max((_width(_short(key)) for key in keys), default=0)
    places = {key: _place(number, len(keys)) for number, key in enumerate(keys)}
    nodes = tuple(_node(key, number, len(keys), bucket(importance.get(key, 0.0)), path_of(key), centre) for number, key in enumerate(keys))
    drawn = tuple(
        GraphEdge(source, target, _curve(places[source], places[target], centre)) for source, target in edges if source in places and target in places
    )
    return LinkGraph(_rounded(2 * centre), nodes, drawn)


class NeighbourNode(NamedTuple):
    """A note of the local graph.

    x, y: where its label begins, or ends for a note on the left
    path: where it leads; "" for the note in the middle
    from_end: whether its label ends there
    """

    key: str
    path: str
    name: str
    x: float
    y: float
    from_end: bool


class NeighbourGraph(NamedTuple):
    """One note, the notes that link to it on its left, those that it links to on its right. lines: SVG paths; more: notes that are not drawn"""

    width: float
    height: float
    middle: NeighbourNode
    nodes: tuple[NeighbourNode, ...]
    lines: tuple[str, ...]
    more: int


def neighbours(key: str, title: str, before: Sequence[str], after: Sequence[str], path_of: Callable[[str], str]) -> NeighbourGraph | None:
    """Return the local graph of a note; None for a note without links.

    before: keys of the notes that link to it
    after: keys of the notes that it links to
    """
    rows = min(_MOST_NEIGHBOURS, max(len(before), len(after)))
    if not rows:
        return None
    height, nodes, lines = rows * _ROW, [], []
    for side, keys in enumerate((before, after)):
        for place, each in enumerate(keys[:rows]):
            y = _rounded(height * (place + 0.5) / min(rows, len(keys)))
            left = side == 0
            x, edge, bend = (_SIDE, _MIDDLE - _HALF, _SIDE + 40) if left else (2 * _MIDDLE - _SIDE, _MIDDLE + _HALF, 2 * _MIDDLE - _SIDE - 40)
            nodes.append(NeighbourNode(each, path_of(each), _short(each), x - 8 if left else x + 8, y, left))
            lines.append(f"M{x} {y} C{bend} {y} {edge + (-30 if left else 30)} {height / 2} {edge} {height / 2}")
    middle = NeighbourNode(key, "", _shortened(title, 2 * _HALF - 16), _MIDDLE, height / 2, False)
    return NeighbourGraph(2 * _MIDDLE, height, middle, tuple(nodes), tuple(lines), max(0, len(before) - rows) + max(0, len(after) - rows))


def _node(key: str, number: int, count: int, kind: str, path: str, centre: float) -> GraphNode:
    x, y = _place(number, count)
    label = _RADIUS + _LABEL_AT
    angle = 360.0 * number / count - 90
    left = x < -1e-9
    return GraphNode(
        key,
        path,
        x=_rounded(centre + _RADIUS * x),
        y=_rounded(centre + _RADIUS * y),
        label_x=_rounded(centre + label * x),
        label_y=_rounded(centre + label * y),
        turned=_rounded(angle + 180 if left else angle),
        from_end=left,
        kind=kind,
        name=_short(key),
    )


def _curve(one: tuple[float, float], other: tuple[float, float], centre: float) -> str:
    """Return the SVG path of a line between two points, bent towards the centre."""
    (x1, y1), (x2, y2) = one, other
    middle = f"{_rounded(centre + 40 * (x1 + x2))} {_rounded(centre + 40 * (y1 + y2))}"
    return f"M{_rounded(centre + _RADIUS * x1)} {_rounded(centre + _RADIUS * y1)} Q{middle} {_rounded(centre + _RADIUS * x2)} {_rounded(centre + _RADIUS * y2)}"


def _columns(stacks: Sequence[_Stack], wide: float) -> Chart:
    """Return columns next to each other. The highest one is as high as the chart, and labels wider than a column stay within it."""
    edge = max(0.0, (max((len(stack.label) for stack in stacks), default=0) * _LETTER - wide) / 2)
    most = max((stack.total for stack in stacks), default=0) or 1
    bars = []
    for at, stack in enumerate(stacks):
        top = HEIGHT + 14
        uppermost = list(stack.counts)[-1]
        for kind, count in stack.counts.items():
            height = HEIGHT * count / most
            top -= height
            label, value = (stack.label, f"{stack.total:,}" if stack.total else "") if kind == uppermost else ("", "")
            bars.append(ChartBar(edge + at * wide + 2, _rounded(top), wide - 4, _rounded(height), kind, label, value, f"{stack.name}: {count:,}"))
    return Chart(len(stacks) * wide + 2 * edge, HEIGHT + 30, tuple(bars))


def _months(last: str, count: int) -> list[str]:
    year, month = int(last[:4]), int(last[5:7])
    numbers = [year * 12 + month - 1 - back for back in range(count - 1, -1, -1)]
    return [f"{number // 12:04d}-{number % 12 + 1:02d}" for number in numbers]


def _place(number: int, count: int) -> tuple[float, float]:
    angle = 2 * pi * number / count - pi / 2
    return cos(angle), sin(angle)


def _width(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _short(key: str) -> str:
    return _shortened(key.rpartition("/")[2].removesuffix(".md"), _LETTERS * _LETTER)


def _shortened(name: str, room: float) -> str:
    """Return the beginning of a label. room: its maximum width in units of the view box"""
    most = int(room / _LETTER)
    if _width(name) <= most:
        return name
    kept = next(count for count in range(len(name), 0, -1) if _width(name[:count]) < most)
    return name[:kept] + "…"


def _rounded(value: float) -> float:
    return round(value, 1)

"""Communities of a weighted graph: groups of nodes with more weight inside than expected by chance. Deterministic.

Greedy modularity with aggregation (V. Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. 2008), with a resolution (J.
Reichardt, S. Bornholdt, "Statistical mechanics of community detection", 2006) above 1, because a topic of a few days is small compared with a bank. Why
not plain label propagation: ADR 0038.
"""

from __future__ import annotations

from collections.abc import Sequence

Graph = list[dict[int, float]]
"""For each node, its neighbours with the weights of the edges. Every edge is stored in both directions."""

RESOLUTION = 1.5
_ROUNDS = 50
_LEAST_GAIN = 1e-9


def shared_neighbours(near: Sequence[Sequence[int]]) -> Graph:
    """Return the graph in which a text and each of its neighbours are joined by the number of neighbours they share.

    R. Jarvis, E. Patrick, "Clustering Using a Similarity Measure Based on Shared Near Neighbors", 1973.
    """
    around = [{at, *others} for at, others in enumerate(near)]
    graph: Graph = [{} for _ in near]
    for at, others in enumerate(near):
        for other in others:
            weight = float(len(around[at] & around[other]))
            graph[at][other] = graph[other][at] = weight
    return graph


def communities(graph: Graph) -> list[int]:
    """Return the group number of each node, counted from 0 in the order of the nodes."""
    groups = [[node] for node in range(len(graph))]
    inner = [0.0] * len(graph)
    while True:
        moved = _move(graph, inner)
        numbers = _numbered(moved)
        if len(set(numbers)) == len(graph):
            break
        graph, inner, groups = _joined(graph, inner, groups, numbers)
    found = [0] * sum(map(len, groups))
    for number, nodes in enumerate(groups):
        for node in nodes:
            found[node] = number
    return _numbered(found)


def _move(graph: Graph, inner: Sequence[float]) -> list[int]:
    """Move each node to the neighbouring group with the greatest gain, until no move gains anything. inner: weight inside each node, counted twice."""
    degree = [sum(row.values()) + inner[node] for node, row in enumerate(graph)]
    whole = sum(degree) or 1.0
    group = list(range(len(graph)))
    held = list(degree)
    for _ in range(_ROUNDS):
        changed = False
        for node, row in enumerate(graph):
            own = group[node]
            held[own] -= degree[node]
            towards = {own: 0.0}
            for other, weight in row.items():
                towards[group[other]] = towards.get(group[other], 0.0) + weight
            gains = {number: weight - RESOLUTION * held[number] * degree[node] / whole for number, weight in towards.items()}
            # Equal gains go to the lowest number, so that the result is deterministic.
            best = min(gains, key=lambda number: (-gains[number], number))
            if gains[best] <= gains[own] + _LEAST_GAIN:
                best = own
            group[node] = best
            held[best] += degree[node]
            changed = changed or best != own
        if not changed:
            break
    return group


def _joined(graph: Graph, inner: Sequence[float], groups: Sequence[list[int]], numbers: Sequence[int]) -> tuple[Graph, list[float], list[list[int]]]:
    """Return the graph whose nodes are the groups."""
    size = max(numbers) + 1
    joined: Graph = [{} for _ in range(size)]
    within = [0.0] * size
    held: list[list[int]] = [[] for _ in range(size)]
    for node, row in enumerate(graph):
        own = numbers[node]
        held[own] += groups[node]
        within[own] += inner[node]
        for other, weight in row.items():
            if numbers[other] == own:
                within[own] += weight
            else:
                joined[own][numbers[other]] = joined[own].get(numbers[other], 0.0) + weight
    return joined, within, held


def _numbered(groups: Sequence[int]) -> list[int]:
    """Return the same groups, numbered in the order of their first occurrence."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(group, len(numbers)) for group in groups]

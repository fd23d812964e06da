"""Clustering of texts into groups about the same topic. Deterministic: the same texts in the same order give the same groups.

A graph of shared nearest neighbours (by cosine) is divided into communities; then each text moves to the group whose centroid is nearest. Neighbours
alone represent a small part of a text, while a centroid holds everything that the texts of a group say. A group is kept only when its texts are nearer to
one another than the texts of groups made from the same words by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random

from memorybank.episodes.topics.vectors import Vector, VectorSpace, dot, neighbours, total

LEAST_MEMBERS = 3
MOST_NEIGHBOURS = 10
NEIGHBOURS_OF = 4
"""A text gets one neighbour for this many texts, up to MOST_NEIGHBOURS."""
MOST_DEALT = 150
"""Maximum number of texts in a shuffled sample; in larger samples, groups made by chance stand out less."""
MOST_DEALS = 6
MARGIN = 1.3
"""Factor on the greatest contrast found in shuffled texts, so that one more shuffle does not exceed it."""
_SWEEPS = 3
_LEAST_GAIN = 1e-9

Graph = list[dict[int, float]]
"""For each node, its neighbours with the weights of the edges. Every edge is stored in both directions."""

RESOLUTION = 1.5
_ROUNDS = 50
_LEAST_MODULARITY_GAIN = 1e-9


class TextClusters:
    """Texts and their groups.

    space, vectors: the texts as they were compared
    groups: indices of each group's members, largest group first
    apart: indices of texts without a group
    """

    __slots__ = ("apart", "groups", "space", "vectors")

    def __init__(self, space: VectorSpace, vectors: Sequence[Vector], groups: Sequence[Sequence[int]]) -> None:
        self.space = space
        self.vectors = vectors
        self.groups = groups
        held = {at for group in groups for at in group}
        self.apart = [at for at in range(len(vectors)) if at not in held]


def group(texts: Sequence[Counter[str]], step: Callable[[int, int], None] = lambda done, total: None) -> TextClusters:
    """Group texts by topic.

    texts: content words with their counts
    step: called with (steps done, total)
    """
    space = VectorSpace(texts)
    vectors = [space.vector(text) for text in texts]
    step(1, 4)
    found = _groups(vectors)
    step(2, 4)
    contrasts = Centroids(vectors, found).contrasts()
    step(3, 4)
    floor = _by_chance(texts)
    step(4, 4)
    kept = [members for number, members in enumerate(found) if len(members) >= LEAST_MEMBERS and contrasts[number] > floor]
    return TextClusters(space, vectors, sorted(kept, key=lambda members: (-len(members), members[0])))


def _groups(vectors: Sequence[Vector]) -> list[list[int]]:
    """Return every group, those of one or two texts included."""
    most = min(MOST_NEIGHBOURS, max(2, len(vectors) // NEIGHBOURS_OF))
    found = listed(communities(shared_neighbours(neighbours(vectors, most))))
    for _ in range(_SWEEPS):
        moved = Centroids(vectors, found).nearest()
        if moved == found:
            break
        found = moved
    return found


def listed(numbers: Sequence[int]) -> list[list[int]]:
    """Return the members of each group, groups in the order of their first members."""
    groups: dict[int, list[int]] = {}
    for at, number in enumerate(numbers):
        groups.setdefault(number, []).append(at)
    return list(groups.values())


class Centroids:
    """The centroid of each group, and the nearness of texts to it.

    When texts are moved, the mean of all texts is subtracted. Otherwise the largest group, which is nearest to that mean, would attract every text.
    """

    def __init__(self, vectors: Sequence[Vector], groups: Sequence[Sequence[int]]) -> None:
        self._vectors = vectors
        self._groups = groups
        self._number = {at: number for number, members in enumerate(groups) for at in members}
        sums = [total(vectors[at] for at in members) for members in groups]
        self._squares = [dot(held, held) for held in sums]
        self._common = {term: weight / len(vectors) for term, weight in total(sums).items()} if vectors else {}
        self._common_square = dot(self._common, self._common)
        self._common_of = [dot(held, self._common) for held in sums]
        self._holders: dict[str, list[tuple[int, float]]] = {}
        for number, held in enumerate(sums):
            for term, weight in held.items():
                self._holders.setdefault(term, []).append((number, weight))

    def nearest(self) -> list[list[int]]:
        """Return the groups after moving each text to the group with the nearest centroid, computed without the text itself."""
        return listed([self._nearest(at) for at in range(len(self._vectors))])

    def contrasts(self) -> list[float]:
        """Return for each group how much nearer its texts are, on average, to the rest of their group than to the nearest other group (cosines to
        centroids).
        """
        sizes = [len(members) for members in self._groups]
        found = [0.0] * len(self._groups)
        for at, vector in enumerate(self._vectors):
            own = self._number[at]
            towards, itself = self._towards(vector), dot(vector, vector)
            rest = self._squares[own] - 2 * towards[own] + itself
            near = (towards[own] - itself) / sqrt(rest) if rest > _LEAST_GAIN else 0.0
            others = (
                inside / sqrt(self._squares[number]) for number, inside in enumerate(towards) if inside > 0 and number != own and sizes[number] >= LEAST_MEMBERS
            )
            found[own] += (near - max(others, default=0.0)) / sizes[own]
        return found

    def _towards(self, vector: Vector) -> list[float]:
        """Return the dot product of a text with the sum of each group."""
        found = [0.0] * len(self._groups)
        for term, weight in vector.items():
            for number, its in self._holders[term]:
                found[number] += weight * its
        return found

    def _nearest(self, at: int) -> int:
        """Return the number of the group whose centroid is nearest to a text."""
        vector = self._vectors[at]
        own = best = self._number[at]
        most = -2.0
        common, itself = dot(vector, self._common), dot(vector, vector)
        for number, inside in enumerate(self._towards(vector)):
            size, square, shared = len(self._groups[number]), self._squares[number], self._common_of[number]
            # Everything here is computed from sums, so the text is taken out of its own group by subtraction: a text is always near a group that contains
            # it.
            if number == own:
                size, square, shared, inside = size - 1, square - 2 * inside + itself, shared - common, inside - itself
            if not size or inside <= 0:
                continue
            length = sqrt(max(square - 2 * size * shared + size * size * self._common_square, _LEAST_GAIN))
            near = (inside - size * common - shared + size * self._common_square) / length
            if near > most + _LEAST_GAIN:
                best, most = number, near
        return best


def _by_chance(texts: Sequence[Mapping[str, int]]) -> float:
    """Return the contrast that a group must exceed: MARGIN times the greatest contrast among groups of shuffled texts.

    Each shuffled text keeps its length, each word the number of texts that contain it. Few texts are shuffled several times.
    """
    some = texts[:: 1 + len(texts) // MOST_DEALT]
    greatest = 0.0
    for deal in range(min(MOST_DEALS, 1 + MOST_DEALT // max(1, len(some)))):
        random = dealt(some, deal)
        space = VectorSpace(random)
        vectors = [space.vector(text) for text in random]
        groups = _groups(vectors)
        contrasts = Centroids(vectors, groups).contrasts()
        greatest = max([greatest, *(contrast for members, contrast in zip(groups, contrasts, strict=True) if len(members) >= LEAST_MEMBERS)])
    return MARGIN * greatest


def dealt(texts: Sequence[Mapping[str, int]], deal: int = 0) -> list[Counter[str]]:
    """Return texts of the same lengths whose words are shuffled among all of them. deal: number of the shuffle; another number gives another result."""
    pairs = [(term, text[term]) for text in texts for term in sorted(text)]
    Random(len(pairs) + deal).shuffle(pairs)
    found = []
    at = 0
    for text in texts:
        one: Counter[str] = Counter()
        for term, count in pairs[at : at + len(text)]:
            one[term] += count
        found.append(one)
        at += len(text)
    return found


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
    """Return the group number of each node, counted from 0 in the order of the nodes: groups with more weight inside than expected by chance.

    Greedy modularity with aggregation (V. Blondel et al., "Fast unfolding of communities in large networks", J. Stat. Mech. 2008), with a resolution
    (J. Reichardt, S. Bornholdt, "Statistical mechanics of community detection", 2006) above 1, because a topic of a few days is small compared with a
    bank. Why not plain label propagation: ADR 0038.
    """
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
            if gains[best] <= gains[own] + _LEAST_MODULARITY_GAIN:
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

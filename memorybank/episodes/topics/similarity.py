"""The similarity of a question and a topic, from 0 to 1: 0.3 means nearer than 95 of 100 questions about other subjects come to their nearest topic, 0.6
nearer than 995 of 1,000.

The scale is calibrated for each bank and for the number of words in the question: one shared word is a coincidence, ten are not.
"""

from __future__ import annotations

__light__ = True

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Scale = Mapping[int, tuple[float, float]]
    """{number of words: (cosine at the 95th percentile, at the 99.5th)}"""

RELATED, SAME = 0.3, 0.6
"""The similarity that search and injection require, and the one that assigns an episode to a fixed topic."""
LENGTHS = (1, 2, 4, 8, 16, 32)
PRIOR: Scale = {1: (0.125, 0.26), 2: (0.1, 0.22), 4: (0.092, 0.19), 8: (0.095, 0.22), 16: (0.095, 0.2), 32: (0.098, 0.2)}
"""The default scale, for a bank without measurements: medians of development data (scripts/bench/topics --scale)."""
_LEAST = 1e-6


class SimilarityMeasure:
    """Weights of words and the scale of a bank.

    weights: {term: how much it distinguishes}
    rarest: weight of a word that no episode has
    scale: see `Scale`
    """

    __slots__ = ("rarest", "scale", "weights")

    def __init__(self, weights: Mapping[str, float], rarest: float, scale: Scale) -> None:
        self.weights = weights
        self.rarest = rarest
        self.scale = scale

    def __repr__(self) -> str:
        return f"SimilarityMeasure({len(self.weights)} weights, rarest={self.rarest!r})"

    def cosine(self, terms: Sequence[str], middle: Mapping[str, float]) -> float:
        """Return the cosine between a question's terms and a topic's centroid or an episode. Words that no episode has count fully, as words about something
        else.
        """
        inside = 0.0
        square = 0.0
        for term in terms:
            weight = self.weights.get(term, self.rarest)
            square += weight * weight
            inside += weight * middle.get(term, 0.0)
        return inside / square**0.5 if square > 0 else 0.0

    def similarity(self, terms: Sequence[str], middle: Mapping[str, float]) -> float:
        """Return the calibrated similarity, 0 to 1."""
        return calibrated(self.cosine(terms, middle), scale_of(self.scale, len(terms)))


def scale_of(scale: Scale, words: int) -> tuple[float, float]:
    """Return the percentiles for a question of that many words: those of the next smaller length that was measured."""
    known = [length for length in LENGTHS if length <= words and length in scale] or [length for length in LENGTHS if length in scale]
    return scale[known[-1] if known[-1] <= words else known[0]] if known else PRIOR[LENGTHS[0]]


def calibrated(cosine: float, percentiles: tuple[float, float]) -> float:
    """Map a cosine to the scale: 0 at 0, RELATED and SAME at the percentiles, 1 at 1, linear in between."""
    related, same = max(percentiles[0], _LEAST), max(percentiles[1], percentiles[0] + _LEAST, 2 * _LEAST)
    if cosine <= 0:
        return 0.0
    if cosine < related:
        return RELATED * cosine / related
    if cosine < same:
        return RELATED + (SAME - RELATED) * (cosine - related) / (same - related)
    return min(1.0, SAME + (1 - SAME) * (cosine - same) / max(1 - same, _LEAST))


def percentile(sorted_values: Sequence[float], share: float) -> float:
    """Return the value below which that share of the sorted values lies."""
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))] if sorted_values else 0.0


def mixed(values: Iterable[float], prior: tuple[float, float], worth: int) -> tuple[float, float]:
    """Return the percentiles of measured values, averaged with the default ones. worth: number of measurements that the default counts for."""
    ordered = sorted(values)
    count = len(ordered)
    own = (percentile(ordered, 0.95), percentile(ordered, 0.995))
    first, second = ((count * mine + worth * known) / (count + worth) for mine, known in zip(own, prior, strict=True))
    return round(first, 4), round(second, 4)

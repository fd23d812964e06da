"""Texts as weighted content words, in one vector space for all texts of a bank.

The words are the terms of recall's questions (`text.words.terms`), so that questions and prompts are compared in the same space: English stems, identifiers,
Japanese bigrams; in addition entire runs of three or more kanji or katakana, which usually are names. Weights are counts, saturated as in BM25 (S.
Robertson, H. Zaragoza, "The Probabilistic Relevance Framework", 2009), times the square root of the inverse document frequency. With the plain inverse
document frequency, words that only two texts share would decide which texts are near (measured with scripts/bench/topics).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from math import log, sqrt
from unicodedata import normalize

from memorybank.episodes.topics.similarity import terms
from memorybank.summarize.lines import label
from memorybank.summarize.summarizer import SECTIONS

Vector = dict[str, float]
"""{term: weight}, of length 1; {} for a text that shares no word with another one."""

MOST_TERMS = 320
"""Maximum number of terms of one text; the heaviest are kept."""
MOST_SPREAD = 0.8
"""A word in more than this share of the texts does not distinguish them."""
SPREAD_FROM = 20
"""Number of texts from which MOST_SPREAD applies: among a few texts, a word in nearly all of them can still distinguish."""
MOST_PRODUCTS = 12_000_000
"""Limit on the work of comparing all texts: for each word, the square of the number of texts that contain it.

Beyond the limit the most common words are left out, which cost most and distinguish least. Ten thousand episodes then take twice as long as three
thousand, and are grouped less well.
"""
_SATURATION = 1.2
_SENTENCE = re.compile(r"[。．！？!?\n]|\.\s|[;；]")
_RUN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff々ヶ]{3,}|[ァ-ヺー]{3,}")
_DATE = re.compile(r"\d{4}[-/年]\d{1,2}(?:[-/月]\d{1,2}日?)?|\d{1,2}月\d{1,2}日|\d{1,2}:\d\d(?::\d\d)?")
_HEADS = tuple(label(name, language).strip() for name in (*SECTIONS, "also") for language in ("en", "ja"))


def counts(text: str) -> Counter[str]:
    """Return the content words of a text, each with the number of sentences that contain it, without dates and the headings of summaries."""
    found: Counter[str] = Counter()
    text = _DATE.sub(" ", text if text.isascii() else normalize("NFKC", text))
    for line in text.split("\n"):
        for sentence in _SENTENCE.split(without_head(line.strip())):
            found.update(terms(sentence))
            if not sentence.isascii():
                found.update(set(_RUN.findall(sentence)))
    return found


def without_head(line: str) -> str:
    """Return a line of a summary without its heading (`Result: ` …)."""
    return line[len(next((head for head in _HEADS if line.startswith(head)), "")) :]


class VectorSpace:
    """The vector space of some texts.

    weights: {term: square root of its inverse document frequency}, for terms that distinguish texts
    rarest: weight of a word that no text has
    """

    def __init__(self, texts: Iterable[Counter[str]]) -> None:
        listed = list(texts)
        size = len(listed)
        spread = Counter(term for counted in listed for term in counted)
        most = _most_spread(spread, size)
        self.weights = {term: sqrt(log((size + 1) / count)) for term, count in sorted(spread.items()) if count <= most}
        self.rarest = sqrt(log(size + 1)) if size else 1.0
        self._single = frozenset(term for term, count in spread.items() if count == 1)

    def vector(self, counted: Mapping[str, int]) -> Vector:
        """Return the vector of a text of this space. Words that no other text has are left out, since they bring it near to none."""
        found = {
            term: count * (_SATURATION + 1) / (count + _SATURATION) * weight
            for term, count in counted.items()
            if term not in self._single and (weight := self.weights.get(term, 0.0)) > 0
        }
        return unit(heaviest(found, MOST_TERMS))


def _most_spread(spread: Mapping[str, int], size: int) -> float:
    """Return the maximum number of texts that may contain a word for it to be compared."""
    most = size * MOST_SPREAD if size >= SPREAD_FROM else float(size)
    products = 0
    for count, words in sorted(Counter(spread.values()).items()):
        if count > most:
            break
        products += count * count * words
        if products > MOST_PRODUCTS:
            return float(count - 1)
    return most


def heaviest(vector: Mapping[str, float], most: int) -> Vector:
    """Return the heaviest terms of a vector, in alphabetical order: the result does not depend on the order of the input."""
    kept = sorted(vector.items(), key=lambda item: (-item[1], item[0]))[:most]
    return dict(sorted(kept))


def unit(vector: Mapping[str, float]) -> Vector:
    """Return the vector scaled to length 1."""
    length = sqrt(sum(weight * weight for weight in vector.values()))
    return {term: weight / length for term, weight in vector.items()} if length else {}


def dot(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Return the dot product of two vectors."""
    if len(a) > len(b):
        a, b = b, a
    return sum(weight * b[term] for term, weight in a.items() if term in b)


def total(vectors: Iterable[Mapping[str, float]]) -> Vector:
    """Return the sum of vectors."""
    found: Vector = {}
    for vector in vectors:
        for term, weight in vector.items():
            found[term] = found.get(term, 0.0) + weight
    return found


def neighbours(vectors: Sequence[Vector], most: int) -> list[list[int]]:
    """Return for each text the `most` nearest ones by cosine, nearest first. Texts without a common word are not neighbours."""
    holders: dict[str, list[tuple[int, float]]] = {}
    for at, vector in enumerate(vectors):
        for term, weight in vector.items():
            holders.setdefault(term, []).append((at, weight))
    found = []
    for at, vector in enumerate(vectors):
        near = [0.0] * len(vectors)
        for term, weight in vector.items():
            for other, its in holders[term]:
                near[other] += weight * its
        near[at] = 0.0
        # Rounding makes texts at the same distance rank by position, whatever the order of the floating-point sums.
        ranked = nlargest(most, ((round(cosine, 9), -other) for other, cosine in enumerate(near) if cosine > 0))
        found.append([-other for _, other in ranked])
    return found

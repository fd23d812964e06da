"""The label and the summary of a topic: who, what and when, in the words of its episodes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from memorybank.episodes.entry import Episode
from memorybank.episodes.topics.similarity import terms
from memorybank.episodes.topics.vectors import without_head
from memorybank.summarize import sentences
from memorybank.summarize.content import parts, words
from memorybank.summarize.lines import label as label_of

WORDS_NAMED = 3
PEOPLE_NAMED = 2
SUMMARY_CHARACTERS = 320
SUMMARY_SENTENCES = 3
_WHO = re.compile(r"^([^\W\d][^:：\n`。、]{0,30})[:：]\s")
_ROLES = frozenset(("user", "agent", "assistant", "system", "human", "ai", "ユーザー", "エージェント", "アシスタント", "システム"))
_LONGEST_WORD = 40
_RARITY = 3
"""Exponent on the rarity of a word: a name needs rarer words than a centroid, which also weighs how frequent they are."""
_ALSO = tuple(label_of("also", language).strip() for language in ("en", "ja"))


def label(episodes: Sequence[Episode], middle: Mapping[str, float], rare: Mapping[str, float]) -> str:
    """Return a label such as `Caroline, Melanie: pottery, kiln, glaze (2025-09 – 2025-11)`: who speaks, if the episodes show it, what about, and when.

    middle: the centroid
    rare: {term: how much it distinguishes in this bank}
    """
    who = people(episodes)
    what = named(episodes, middle, rare)
    when = span(episodes)
    text = ": ".join(part for part in (", ".join(who), ", ".join(what)) if part)
    return f"{text} ({when})" if text and when else text or when


def people(episodes: Sequence[Episode]) -> list[str]:
    """Return the people who speak in at least half of the episodes. Roles do not count, since every log has them."""
    spoken: Counter[str] = Counter()
    for episode in episodes:
        lines = [line for line in episode.summary.split("\n") if without_head(line) == line]
        spoken.update({found[1].strip() for line in lines if (found := _WHO.match(line)) and found[1].strip().lower() not in _ROLES})
    return sorted((name for name, count in spoken.items() if 2 * count >= len(episodes)), key=lambda name: (-spoken[name], name))[:PEOPLE_NAMED]


def named(episodes: Sequence[Episode], middle: Mapping[str, float], rare: Mapping[str, float]) -> list[str]:
    """Return the words that distinguish the topic, spelled as in its episodes: words that most of its episodes have and few others."""
    weights_of = {term: weight * rare.get(term, 0.0) ** _RARITY for term, weight in middle.items()}
    spread: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = {}
    weights: dict[str, float] = {}
    speakers = {part.lower() for name in people(episodes) for part in parts(name)}
    for episode in episodes:
        found = {pair for line in episode.summary.split("\n") for part in parts(without_head(line)) for pair in words(part)}
        for term, form in found:
            if form.lower() not in speakers and len(form) <= _LONGEST_WORD:
                forms.setdefault(term, Counter())[form] += 1
        spread.update({term for term, _ in found})
    for term in forms:
        known = [weights_of[pair] for pair in terms(term) if pair in weights_of]
        weights[term] = (weights_of[term] if term in weights_of else sum(known) / len(known) if known else 0.0) * spread[term]
    chosen: list[str] = []
    for term in sorted((term for term in weights if weights[term] > 0), key=lambda term: (-weights[term], term)):
        form = min(forms[term], key=lambda form: (-forms[term][form], form))
        if not any(form.lower() in other.lower() or other.lower() in form.lower() for other in chosen):
            chosen.append(form)
        if len(chosen) == WORDS_NAMED:
            break
    return chosen


def span(episodes: Sequence[Episode]) -> str:
    """Return the first and last month, or the first and last day when both are in one month."""
    first = min((episode.first for episode in episodes if episode.first), default="")
    last = max((episode.last for episode in episodes if episode.last), default="")
    if first[:7] != last[:7]:
        return f"{first[:7]} – {last[:7]}"
    return first if first == last else f"{first} – {last}"


def summary(episodes: Sequence[Episode], middle: Mapping[str, float]) -> str:
    """Return the sentences nearest to the centroid, each from another day and with its date, in the order of days."""
    ranked = []
    for number, episode in enumerate(episodes):
        for place, sentence in enumerate(_sentences(episode.summary)):
            held = set(terms(sentence))
            worth = sum(middle.get(term, 0.0) for term in held) / (8 + len(held)) ** 0.5
            if worth > 0:
                ranked.append((-worth, number, place, sentence, held))
    chosen: list[tuple[int, str]] = []
    covered: set[str] = set()
    left = SUMMARY_CHARACTERS
    for _, number, _, sentence, held in sorted(ranked, key=lambda item: item[:3]):
        text = f"[{episodes[number].date}] {sentence}"
        # A sentence that mostly repeats the terms of those already chosen adds nothing.
        if len(text) <= left and number not in {other for other, _ in chosen} and len(held & covered) <= len(held) // 2:
            chosen.append((number, text))
            covered |= held
            left -= len(text) + 1
        if len(chosen) == SUMMARY_SENTENCES:
            break
    return " ".join(text for _, text in sorted(chosen, key=lambda item: (episodes[item[0]].first, item[0])))


def _sentences(text: str) -> list[str]:
    """Return the sentences of a summary, without the headings of its lines and without its list of words."""
    lines = [line for line in map(str.strip, text.split("\n")) if not line.startswith(_ALSO)]
    return [sentence for line in lines for sentence in sentences.cut(without_head(line))]

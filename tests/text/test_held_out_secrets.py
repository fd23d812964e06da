"""Recall and precision on formats and contexts that were collected without looking at the rules (see `held_out_formats`)."""

import random

import pytest

from memorybank.text.secrets.redact import redact
from tests.text import held_out_contexts, held_out_formats, secret_kinds

KEY = b"k" * 32
SEEDS = (1, 2, 3)
BARE = {"bare": secret_kinds.CARRIERS["bare"]}


def leaks(secret, text):
    """Whether ten consecutive characters of the secret (all of a shorter one) are still there."""
    size = min(10, len(secret))
    return any(secret[at : at + size] in text for at in range(len(secret) - size + 1))


def missed(drawn, carriers):
    """Return the name of each drawn secret that is still in its redacted text, and the number of texts."""
    texts = [(name, secret, wrap(text)) for name, secret, text in drawn for wrap in carriers.values()]
    return [name for name, secret, text in texts if leaks(secret, redact(text, KEY))], len(texts)


def formats(collection):
    return [(held.name, *held_out_formats.secret_and_text(held, random.Random(f"{seed}{held.name}"))) for seed in SEEDS for held in collection]


def contexts(collection):
    drawn = []
    for seed in SEEDS:
        lot = random.Random(seed)
        for context in collection:
            secret = held_out_contexts.password(lot)
            drawn.append((context.line, secret, context.line.replace("¤", secret)))
    return drawn


def test_the_collections_are_large_and_say_where_a_format_is_documented():
    held = [*held_out_formats.FIRST, *held_out_formats.FIRST_BY_NAME, *held_out_formats.SECOND, *held_out_formats.THIRD]
    assert len(held) >= 220 and len({row.name for row in held_out_formats.FIRST}) == len(held_out_formats.FIRST)
    assert len(held_out_contexts.FIRST) + len(held_out_contexts.SECOND) + len(held_out_contexts.THIRD) >= 210
    assert all(row.documented for row in (*held, *held_out_contexts.FIRST, *held_out_contexts.SECOND, *held_out_contexts.THIRD))


@pytest.mark.slow
@pytest.mark.parametrize("carriers", [BARE, secret_kinds.CARRIERS], ids=["bare", "in 17 carriers"])
@pytest.mark.parametrize(
    ("drawn", "recall"),
    [
        (formats(held_out_formats.FIRST), 0.97),
        (formats(held_out_formats.FIRST_BY_NAME), 0.97),
        (formats(held_out_formats.SECOND), 0.95),
        (contexts(held_out_contexts.FIRST), 0.95),
        (contexts(held_out_contexts.SECOND), 0.95),
        (formats(held_out_formats.THIRD), 0.95),
        (contexts(held_out_contexts.THIRD), 0.95),
    ],
    ids=["formats", "names of vendors", "second formats", "contexts", "second contexts", "third formats", "third contexts"],
)
def test_recall(drawn, recall, carriers):
    names, count = missed(drawn, carriers)
    assert len(names) <= (1 - recall) * count, sorted(set(names))


@pytest.mark.parametrize("carrier", secret_kinds.CARRIERS)
def test_ordinary_lines_with_the_same_words_stay(carrier):
    texts = [secret_kinds.CARRIERS[carrier](line) for line in held_out_contexts.ORDINARY]
    assert len(texts) >= 65
    assert [text for text in texts if redact(text, KEY) != text] == []

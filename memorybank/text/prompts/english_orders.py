"""Orders in few words, as evidence that a sentence lasts (`evidence_english`): "upstream, always", "keep out of vendor", "the export is for CI only"."""

from __future__ import annotations

__light__ = True

from memorybank.text.prompts.stated import CONSTRAINT, PREFERENCE

ROWS = (
    (2, CONSTRAINT, "what is not done in a folder",
        r"(?:\b(?:not|never|leave)\b|n't\b)[^.;]{1,40}\b(?:folder|directory|dir)\b|\b(?:folder|directory|dir)\b.{1,60}(?:\b(?:not|never)\b|n't\b)"),
    (3, CONSTRAINT, "a place to stay out of", r"^(?:please |just )*(?:keep|stay) (?:out of|away from) (?!(?:the way|this|that|it|my|trouble)\b)\S"),
    (3, CONSTRAINT, "for whom it is", r"\b(?:is|are) (?:for|by) (?:the )?[\w-]+(?: [\w-]+)? only\b"),
    (3, PREFERENCE, "an answer that always holds",
        r"^(?!(?:yes|no|ok|okay|sure|it|its|this|that|they|he|she|we|still|same|nearly|almost|not|nothing|fails?|hangs?|crash\w*|breaks?|broken|red|slow|never)\b)"
        r"(?:the )?[\w./@-]+(?: [\w./@-]+)?,? (?:always|every time)(?: please)?\W*$"),
    (3, PREFERENCE, "another language", r"\bin (?:german|french|spanish|chinese|korean|italian|portuguese|dutch)\b"),
)  # fmt: skip

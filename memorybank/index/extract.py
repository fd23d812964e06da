"""Everything the index keeps that follows from one note's bytes alone. Pure."""

from dataclasses import dataclass
from unicodedata import normalize

from memorybank.config.settings import Settings
from memorybank.index.pretty import pretty
from memorybank.notes.note import Note
from memorybank.notes.targets import waiting_name
from memorybank.scoring.content import keyword_hits
from memorybank.text import keywords, language, similarity, tokens, words

SNIPPETS_INDENT = 10
"""Where the snippets of a keyword stand in keyword_index.json."""


@dataclass(frozen=True, slots=True)
class Extract:
    """tokens: of title, headings, tags and body, joined by spaces; folded: the whole text, NFKC-casefolded, line ends kept,
    whose body begins at body_at; fingerprint: one value a non-empty bin; links: (kind, written, name it waits under);
    keywords: (word, occurrences, snippets as published JSON), most telling first; external: how many distinct external targets."""

    tokens: tuple[str, str, str, str]
    folded: str
    body_at: int
    fingerprint: tuple[int, ...]
    links: tuple[tuple[str, str, str], ...]
    keywords: tuple[tuple[str, int, str], ...]
    language: str
    words: int
    characters: int
    keyword_hits: int
    has_links: bool
    external: int


def extract(note: Note, settings: Settings) -> Extract:
    """Read the note once and take everything from that reading."""
    body = tokens.read(note.body)
    title = tokens.read(note.title)
    headings = tokens.read("\n".join(note.headings))
    tags = tokens.read("\n".join((*note.front.tags, *note.front.topics)))
    opening = note.text[: len(note.text) - len(note.body)]
    front = tokens.read(front_text(note.key, opening))
    found = keywords.extract(title, headings, tags, body, settings.index.keywords)
    snippets = settings.index.publish.snippets_per_file
    folded_opening = fold_text(opening)
    return Extract(
        tokens=(title.indexed, headings.indexed, front.indexed, body.indexed),
        folded=folded_opening + fold_text(note.body),
        body_at=len(folded_opening),
        fingerprint=tuple((place << 32) | value for place, value in enumerate(similarity.fingerprint(note.body)) if value != similarity.EMPTY_BIN),
        links=tuple((link.kind, link.target, waiting_name(link)) for link in note.links),
        keywords=tuple((keyword.word, keyword.occurrences, pretty(keyword.snippets[:snippets], SNIPPETS_INDENT).decode()) for keyword in found),
        language=note.front.language or language.language_of(body),
        words=words.words_in(body),
        characters=len(note.body),
        keyword_hits=keyword_hits(note.prose, settings.scoring.content_analysis.text_quality_metrics.keyword_density),
        has_links=any(link.kind in ("link", "wiki", "external") for link in note.links),
        external=sum(link.kind == "external" for link in note.links),
    )


def front_text(key: str, opening: str) -> str:
    """What the column `tags` of the full text holds: the whole front matter, so that a note is found by its dates, agent and
    session too, and the file's name. Together with the body that is every word of the file, which content search relies on."""
    return f"{opening}\n{key.rpartition('/')[2].removesuffix('.md')}"


def fold_text(text: str) -> str:
    """NFKC and case folded, for literal search in any script; line ends stay where they are."""
    return (text if text.isascii() else normalize("NFKC", text)).casefold()

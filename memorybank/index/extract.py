"""Reads a note and extracts everything that the index stores about it and that depends only on its bytes. Worker processes do the same."""

from __future__ import annotations

__light__ = True

from memorybank.claims import extract as claimed
from memorybank.claims.blocks import Block, blocks
from memorybank.claims.claim import Claim
from memorybank.config.settings import Settings
from memorybank.decisions import extract as decisions
from memorybank.decisions.decision import Replacement
from memorybank.decisions.keys import KeyedDecision, keyed
from memorybank.errors import CONFLICT, Problem
from memorybank.index import anchors, people
from memorybank.notes import scan
from memorybank.notes.note import Note
from memorybank.notes.note_files import NoteFile
from memorybank.notes.parse import first_folder
from memorybank.notes.targets import path_of, waiting_name
from memorybank.scoring.parts import keyword_hits
from memorybank.storage import jsontext
from memorybank.storage.layout import Layout, is_source_key
from memorybank.text.prose import substance
from memorybank.text.prose.substance import NoteSubstance
from memorybank.text.words import keywords, language, similarity, tokens
from memorybank.text.words.tokens import TokenizedText, fold
from memorybank.values import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TypeAlias

_MOST_TOGETHER, _MOST_BYTES = 64, 1 << 20
"""Number of notes, and their size in bytes, that are read together; a larger note is read alone."""
SNIPPETS_INDENT = 10
"""Indentation, in spaces, of a keyword's snippets in keyword_index.json."""


COLUMNS = (
    "digest", "blob", "title", "language", "category", "tags", "topics", "front_created", "front_updated", "rating", "bookmarked", "acl", "privacy",
    "agent_created", "session_id", "words", "characters", "keyword_hits", "has_headings", "has_lists", "has_code", "has_links", "external",
    "sentences", "statements", "specifics", "kind",
)  # fmt: skip
"""The columns of a note's row that depend on its bytes alone."""


class NoteExtract(NamedTuple):
    """The data that the index stores about one note.

    columns: values of `COLUMNS`.
    tokens: tokens of title, headings, front matter and body, each joined by spaces.
    folded: the entire text, NFKC-normalized and case-folded, with its line ends.
    body_at: offset in `folded` at which the body begins.
    fingerprint: one value for each non-empty bin.
    links: (kind, target as written, name under which the link waits while it is unresolved).
    keywords: (word, occurrences, snippets as published JSON), most relevant first.
    anchors: the files and notes that the note names, and what a note of people says how it is to be done.
    names: further names by which wiki links may refer to the note.
    claims: what the note names that can be looked up in the repository.
    decisions: its statements that another note can contradict.
    replacements: what it says about replacing other notes.
    """

    key: str
    digest: str
    blob: str
    columns: tuple[Any, ...]
    tags: tuple[str, ...]
    problems: tuple[Problem, ...]
    tokens: tuple[str, str, str, str]
    folded: str
    body_at: int
    fingerprint: tuple[int, ...]
    links: tuple[tuple[str, str, str], ...]
    keywords: tuple[tuple[str, int, str], ...]
    anchors: tuple[str, ...]
    names: tuple[str, ...]
    claims: tuple[Claim, ...]
    decisions: tuple[KeyedDecision, ...]
    replacements: tuple[Replacement, ...]


Outcome: TypeAlias = NoteExtract | Problem | None
"""The extract of a file, the problem that prevents one, or None when the content equals the indexed one."""


def outcome_of(layout: Layout, settings: Settings, found: NoteFile, known: str | None) -> Outcome:
    """Read one file and return its outcome.

    known: digest of the content that is indexed, or None.
    """
    return next(outcomes_of(layout, settings, (found,), (known,)))


def outcomes_of(layout: Layout, settings: Settings, files: Iterable[NoteFile], known: Iterable[str | None]) -> Iterator[Outcome]:
    """Read files and yield the outcome of each.

    known: digest of the content that is indexed, or None, for each file.
    """
    together: list[tuple[NoteFile, str | None]] = []
    size = 0
    for found, digest in zip(files, known, strict=True):
        if together and (len(together) == _MOST_TOGETHER or size + found.size > _MOST_BYTES):
            yield from _outcomes_together(layout, settings, together)
            together, size = [], 0
        together.append((found, digest))
        size += found.size
    yield from _outcomes_together(layout, settings, together)


def _outcomes_together(layout: Layout, settings: Settings, files: list[tuple[NoteFile, str | None]]) -> list[Outcome]:
    notes = [scan.read(layout, found) for found, _ in files]
    changed = [note for note, (_, known) in zip(notes, files, strict=True) if not isinstance(note, Problem) and note.digest != known]
    extracts = iter(extract_all(changed, settings))
    return [note if isinstance(note, Problem) else None if note.digest == known else next(extracts) for note, (_, known) in zip(notes, files, strict=True)]


def extract_all(notes: Sequence[Note], settings: Settings) -> list[NoteExtract]:
    """Extract everything that the index stores about notes: one reader reads all of them, then the next one does.

    A reader has some hundred kilobytes of code, patterns and tables of words. If all readers read one note after the other, the processor's caches
    lose what each of them needs before the next note, which takes a quarter longer (measured for 16 and more notes).
    """
    bodies = [tokens.read(note.body) for note in notes]
    titles = [tokens.read(note.title) for note in notes]
    headings = [tokens.read("\n".join(note.headings)) for note in notes]
    own_tags = [_own_tags(note) for note in notes]
    tags = [tokens.read("\n".join((*own, *note.front.topics))) for note, own in zip(notes, own_tags, strict=True)]
    openings = [note.text[: len(note.text) - len(note.body)] for note in notes]
    fronts = [tokens.read(front_text(note.key, opening)).indexed for note, opening in zip(notes, openings, strict=True)]
    options, most = settings.index.keywords, settings.index.publish.snippets_per_file
    found = [keywords.extract(*texts, options) for texts in zip(titles, headings, tags, bodies, strict=True)]
    shown = [tuple([(keyword.word, keyword.occurrences, _published(keyword.snippets[:most])) for keyword in of_note]) for of_note in found]
    said = [substance.measure(note.body, note.title, (*own, *note.topics)) for note, own in zip(notes, own_tags, strict=True)]
    columns = [_columns(*of_note, settings) for of_note in zip(notes, bodies, own_tags, said, strict=True)]
    # Files of sources are not compared: a copy must not count less because its original is also read.
    fingerprints = [() if is_source_key(note.key) else _fingerprint(note.body) for note in notes]
    named = [(*anchors.find(note.text, note.key, note.links), *(anchors.of_conventions(note.body) if people.wrote(note) else ())) for note in notes]
    parts = [tuple(blocks(note.body, note.body_line)) for note in notes]
    claims = [_claims(note, of_note) for note, of_note in zip(notes, parts, strict=True)]
    decided = [_decisions(*of_note) for of_note in zip(notes, parts, said, strict=True)]
    replaced = [tuple(decisions.replacements(note.front.supersedes, note.front.superseded_by, note.body, note.body_line)) for note in notes]
    folded = [(fold(opening), fold(note.body)) for note, opening in zip(notes, openings, strict=True)]
    return [
        NoteExtract(
            key=note.key,
            digest=note.digest,
            blob=note.blob,
            columns=columns[at],
            tags=own_tags[at],
            problems=note.problems,
            tokens=(titles[at].indexed, headings[at].indexed, fronts[at], bodies[at].indexed),
            folded="".join(folded[at]),
            body_at=len(folded[at][0]),
            fingerprint=fingerprints[at],
            links=tuple([(link.kind, link.target, waiting_name(link)) for link in note.links]),
            keywords=shown[at],
            anchors=named[at],
            names=other_names(note) if _is_adopted(note) else (),
            claims=claims[at],
            decisions=decided[at],
            replacements=replaced[at],
        )
        for at, note in enumerate(notes)
    ]


def _is_adopted(note: Note) -> bool:
    """Return whether a note came from another tool."""
    return is_source_key(note.key) or note.front.origin is not None


def _own_tags(note: Note) -> tuple[str, ...]:
    """Return the tags of a note. One of the bank has them in its front matter, an adopted one also in its text."""
    if not _is_adopted(note):
        return note.front.tags
    from memorybank.notes.tags import inline_tags  # late, as few notes are adopted

    return tuple(dict.fromkeys((*note.front.tags, *inline_tags(note.prose))))


def _decisions(note: Note, parts: tuple[Block, ...], said: NoteSubstance) -> tuple[KeyedDecision, ...]:
    # Of two sides of a conflict nobody knows yet which one holds.
    if said.kind == substance.PASSING or any(problem.code == CONFLICT for problem in note.problems):
        return ()
    return tuple(map(keyed, decisions.of_note(note.key, note.title, note.body, parts, note.body_line)))


def _columns(note: Note, body: TokenizedText, own_tags: tuple[str, ...], said: NoteSubstance, settings: Settings) -> tuple[Any, ...]:
    front = note.front
    kinds = [link.kind for link in note.links]
    hits = keyword_hits(note.prose, settings.scoring.content_analysis.text_quality_metrics.keyword_density)
    return (
        note.digest, note.blob, note.title, front.language or language.language_of(body), first_folder(note.key),
        _texts(own_tags), _texts(note.topics), front.created, front.updated, front.rating, front.bookmarked, front.acl, front.privacy,
        front.agent_created, front.session_id, tokens.word_count(body), len(note.body), hits, bool(note.headings), note.has_list, note.has_code,
        any(kind != "mention" for kind in kinds), kinds.count("external"),
        said.sentences, said.statements, said.specifics, said.kind,
    )  # fmt: skip


def _fingerprint(body: str) -> tuple[int, ...]:
    return tuple((place << 32) | value for place, value in enumerate(similarity.fingerprint(body)) if value != similarity.EMPTY_BIN)


def other_names(note: Note) -> tuple[str, ...]:
    """Return the title, aliases, permalink and file name of an adopted note: the tools that it comes from link by these, and without case."""
    stem = note.key.rpartition("/")[2].removesuffix(".md")
    return tuple(dict.fromkeys(name for name in (note.title, *note.front.aliases, note.front.permalink, stem) if name))


def _claims(note: Note, parts: tuple[Block, ...]) -> tuple[Claim, ...]:
    """Return the claims of a note. A file outside the repository says nothing about this one."""
    return () if note.key.startswith("/") else tuple(claimed.claims_of_blocks(parts, path_of(note.key, ".")))


def _texts(values: tuple[str, ...]) -> str:
    return jsontext.encode(values) if values else "[]"


def _published(snippets: tuple[str, ...]) -> str:
    """Return the snippets as `document_text.pretty` would render them at their place in keyword_index.json."""
    blanks = "\n" + " " * SNIPPETS_INDENT
    return f"[{','.join(f'{blanks}  {jsontext.encode(snippet)}' for snippet in snippets)}{blanks}]" if snippets else "[]"


def front_text(key: str, opening: str) -> str:
    """Return the text of the full-text column `tags`: the entire front matter and the file name without `.md`.

    A note is thus found by its dates, agent and session too. Together with the body these are all words of the file, which content search
    relies on.
    """
    return f"{opening}\n{key.rpartition('/')[2].removesuffix('.md')}"

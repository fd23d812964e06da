"""Renders an answer: JSON for programs, Markdown for notes and agents, a summary for a terminal."""

from collections.abc import Callable

from memorybank import clock
from memorybank.reasons.reason import joined, text_of
from memorybank.search.hit import Hit, SearchAnswer


def fields(answer: SearchAnswer) -> dict[str, object]:
    """Return the members of one JSON object: query, type, hits, and `stale` when the answer may be stale.

    A hit of a content search has the fields of the specification.
    """
    found: dict[str, object] = {"query": answer.query, "type": answer.type, "hits": [_fields(hit) for hit in answer.hits]}
    if answer.stale:
        found["stale"] = joined(answer.stale, between="; ")
    return found


def as_json(answer: SearchAnswer) -> str:
    """Return `fields` as text."""
    import json  # late: loading it compiles patterns, and most answers are not JSON

    return json.dumps(fields(answer), ensure_ascii=False, indent=2)


def as_markdown(answer: SearchAnswer) -> str:
    """Return a numbered list of hits, each with its quoted passage and the matches in bold."""
    if not answer.hits:
        return "No hits."
    return "\n".join(f"{number}. {_headline(hit)}\n\n   > {_bold(hit)}\n{_untrue(hit, '   ')}" for number, hit in enumerate(answer.hits, 1)).rstrip("\n")


def as_summary(answer: SearchAnswer) -> str:
    """Return two lines per hit: its place, and its passage."""
    if not answer.hits:
        return "no hits"
    return "\n".join(f"{hit.place}  {_standing(hit)}{_weak(hit)}{_restore(hit)}\n    {hit.snippet}\n{_untrue(hit, '    ')}" for hit in answer.hits).rstrip("\n")


RENDERERS: dict[str, Callable[[SearchAnswer], str]] = {"json": as_json, "markdown": as_markdown, "summary": as_summary}


def _fields(hit: Hit) -> dict[str, object]:
    if hit.match_type == "content":
        fields: dict[str, object] = {
            "file_path": hit.path,
            "line_number": hit.lines[0],
            "content_snippet": hit.snippet,
            "importance_score": hit.importance,
            "rank": _rank(hit),
            "file_size": hit.size,
            "match_type": hit.match_type,
            "marks": hit.marks,
            "kind": hit.kind,
        }
    else:
        fields = {
            "kind": hit.kind,
            "path": hit.path,
            "key": hit.key,
            "title": hit.title,
            "lines": hit.lines,
            "snippet": hit.snippet,
            "marks": hit.marks,
            "importance": hit.importance,
            "rank": _rank(hit),
            "modified": clock.isoformat(hit.modified),
            "score": hit.score,
            "weak": hit.is_weak,
            "match_type": hit.match_type,
        }
    if hit.found_by:
        fields["found_by"] = hit.found_by
    if hit.bank:
        fields["bank"] = hit.bank
    if hit.untrue:
        fields["untrue"] = [text_of(reason) for reason in hit.untrue]
    if hit.source:
        fields["source"] = hit.source
    if hit.archive_id:
        fields |= {"archive_id": hit.archive_id, "restore": hit.restore}
    return fields


def _rank(hit: Hit) -> dict[str, int] | None:
    return hit.rank.to_json() if hit.rank is not None else None


def _headline(hit: Hit) -> str:
    standing = f" importance {hit.standing}" if hit.standing else ""
    return f"**{hit.title}** `{hit.place}`{standing}{_weak(hit)}{_restore(hit)}"


def _standing(hit: Hit) -> str:
    """Return the title and importance of a note, or the kind of an episode, whose key contains its date."""
    return f"{hit.title}  ({hit.standing})" if hit.standing else hit.kind


def _weak(hit: Hit) -> str:
    return (", weak match" if hit.is_weak else "") + (f", by {hit.found_by}" if hit.found_by else "")


def _restore(hit: Hit) -> str:
    return f", archived: {hit.restore}" if hit.restore else ""


def _untrue(hit: Hit, indent: str) -> str:
    """Return a line with the outdated claims; "" when there are none."""
    return f"{indent}({joined(hit.untrue, between='; ')})\n" if hit.untrue else ""


def _bold(hit: Hit) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in hit.marks:
        pieces += (hit.snippet[at:start], "**", hit.snippet[start:end], "**")
        at = end
    return "".join((*pieces, hit.snippet[at:]))

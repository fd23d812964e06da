"""What the commands of `memorybank team` print: the state of a connection, the preview of a push, and hits."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memorybank.cli import output, page
from memorybank.cli.output import Column
from memorybank.clock import isoformat, minute_of
from memorybank.errors import MemorybankError
from memorybank.reasons.reason import Reason, text_of
from memorybank.text.quantities import counted, tally

if TYPE_CHECKING:
    from memorybank.bank.team import TeamState
    from memorybank.cli.page import Fact
    from memorybank.team.ledger import PushPlan
    from memorybank.team.offering import OfferedMemory
    from memorybank.team.row import TeamHit, TeamStatus

_FIRST = 10
"""Maximum number of names of one kind that a preview prints without --all."""
_PLAN_COLUMNS = (Column("what"), Column("kind"), Column("memory"), Column("because", flexible=True))
HIT_COLUMNS = (Column("rank", right=True), Column("match"), Column("repository"), Column("shared by"), Column("kind"), Column("where"), Column("passage"))
ORIGIN_COLUMNS = (Column("repository"), Column("machine"), Column("memories", right=True), Column("state"))


def machine(origin: str, state: "TeamState") -> str:
    return f"{origin} (this one)" if origin == state.ledger.origin else origin


def facts(state: "TeamState") -> "list[Fact]":
    found, ledger = state.connection, state.ledger
    also = [name for name, is_on in (("episodes", found.episodes), ("notes about sessions", found.session_notes)) if is_on]
    when = "by 'team push' and by 'maintain'" if found.push == "maintain" else "only by 'team push'"
    return [
        ("server", found.address),
        ("organisation", found.organisation),
        ("repository", found.repository),
        ("shares", f"public notes, archived notes{''.join(f', {name}' for name in also)}; {when}"),
        ("shared", f"{ledger.shared:,} from this machine{_since('last confirmed', ledger.sent_at)}"),
        ("waiting", f"{ledger.waiting:,}" + ("; 'memorybank team push' sends them" if ledger.waiting else "")),
        ("of others", f"{counted(state.notes, 'note')} here{_since('last pulled', ledger.pulled_at)}"),
    ]


def _since(what: str, at: int) -> str:
    return f", {what} {minute_of(at)} UTC" if at else ""


def server_facts(state: "TeamState", answer: "TeamStatus | None", error: MemorybankError | None) -> "list[Fact]":
    if error is not None:
        return [("answer", f"none: {error.message}; {error.next_step}")]
    if answer is None:
        return []
    access = answer.repositories.get(state.connection.repository, "no access")
    return [("answer", f"schema {answer.version}, login {answer.user}, this repository: {access}, {answer.rows:,} memories that you may read")]


def preview(planned: "PushPlan", *, every: bool) -> None:
    waiting = len(planned.waiting) + planned.tombstones
    counts = {"new": len(planned.new), "changed": len(planned.changed), "to withdraw": len(planned.withdrawn), "waiting since an earlier push": waiting}
    counts["to complete with vectors"] = len(planned.embedded)
    stay = f"{len(planned.kept):,} {'stays' if len(planned.kept) == 1 else 'stay'} here"
    page.say(f"{tally(counts) or 'nothing to send'}; {planned.same:,} on the server already; {stay}")
    rows = _plan_rows(planned, every=every)
    if rows:
        page.say("")
        output.rows("table", _PLAN_COLUMNS, rows, None, empty="")
    hidden = sum(each.redacted for each in (*planned.new, *planned.changed))
    if hidden:
        output.notice(f"{counted(hidden, 'secret')} in these memories are replaced by marks before they are sent; 'memorybank check' shows where they are")


def _plan_rows(planned: "PushPlan", *, every: bool) -> list[tuple[str, str, str, str | None]]:
    """Return the rows of a preview: names of what is sent, and what stays, grouped by reason where there is much of it."""
    found: list[tuple[str, str, str, str | None]] = []
    for what, memories in (("new", planned.new), ("changed", planned.changed), ("waiting", planned.waiting)):
        named = memories if every else memories[:_FIRST]
        found += [(what, each.kind, each.path, f"{counted(each.redacted, 'secret')} removed" if each.redacted else None) for each in named]
        found += [(what, "", f"and {len(memories) - len(named):,} more (--all)", None)] if len(named) < len(memories) else []
    gone = text_of(Reason("team.gone"))
    withdrawn = planned.withdrawn if every else planned.withdrawn[:_FIRST]
    found += [("withdraw", each.why.kind if each.why else "", each.memory.partition(":")[2], text_of(each.why.why) if each.why else gone) for each in withdrawn]
    found += [("withdraw", "", f"and {len(planned.withdrawn) - len(withdrawn):,} more (--all)", None)] if len(withdrawn) < len(planned.withdrawn) else []
    for why in dict.fromkeys(each.why for each in planned.kept):
        kept = [each for each in planned.kept if each.why == why]
        if every or len(kept) <= 3:
            found += [("stays here", each.kind, each.path, text_of(why)) for each in kept]
        else:
            found.append(("stays here", "", f"{len(kept):,} memories, such as {kept[0].path}", text_of(why)))
    return found


def plan_fields(planned: "PushPlan") -> dict[str, Any]:
    def sent(memories: "Sequence[OfferedMemory]") -> list[dict[str, object]]:
        return [{"memory": each.memory, "kind": each.kind, "path": each.path, "title": each.title, "redacted": each.redacted} for each in memories]

    return {
        "new": sent(planned.new),
        "changed": sent(planned.changed),
        "waiting": sent(planned.waiting),
        "embedded": sent(planned.embedded),
        "withdrawn": [
            {"memory": each.memory, "reason": text_of(each.why.why) if each.why is not None else text_of(Reason("team.gone"))} for each in planned.withdrawn
        ],
        "withdrawals_waiting": planned.tombstones,
        "same": planned.same,
        "kept": [{"memory": each.memory, "kind": each.kind, "path": each.path, "reason": text_of(each.why)} for each in planned.kept],
    }


def hit_cells(rank: int, hit: "TeamHit", names: Mapping[str, str]) -> tuple[object, ...]:
    row = hit.row
    match = ("weak" if hit.is_weak else "good") + (f", {hit.found_by}" if hit.found_by else "")
    machines = ", ".join(hit.origins or (row.origin,))
    where = row.path if hit.lines is None else f"{row.path}:{hit.lines[0] + 1}"
    return rank, match, names.get(row.repository, row.repository), machines, row.kind, where, " ".join(hit.excerpt.split())[:300] or row.title


def hit_fields(hit: "TeamHit", names: Mapping[str, str]) -> dict[str, object]:
    row = hit.row
    return {
        "repository": row.repository,
        "repository_name": names.get(row.repository),
        "origin": row.origin,
        "origins": list(hit.origins or (row.origin,)),
        "kind": row.kind,
        "key": row.key,
        "path": row.path,
        "title": row.title,
        "tags": list(row.tags),
        "modified": isoformat(row.modified),
        "lines": list(hit.lines) if hit.lines is not None else None,
        "snippet": hit.excerpt,
        "score": hit.score,
        "weak": hit.is_weak,
        "found_by": hit.found_by or None,
    }

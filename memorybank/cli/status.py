"""`memorybank status`."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from memorybank.cli import output, page
from memorybank.cli.call import CommandCall, examples
from memorybank.cli.page import Card, Fact
from memorybank.cli.rotation_report import needed_text
from memorybank.clock import minute_of
from memorybank.errors import ConfigInvalid, MemorybankError
from memorybank.text.quantities import counted, size

if TYPE_CHECKING:
    from memorybank.bank import Bank
    from memorybank.bank.embedded import StoredVectors
    from memorybank.bank.personal import PersonalPresence
    from memorybank.bank.status import BankChanges, BankStatus
    from memorybank.bank.team import TeamState
    from memorybank.doctor.finding import DoctorFinding
    from memorybank.log.sessions import LastSession

SHOWN = 5
"""Maximum number of keys shown of each kind, so that everything fits on one screen."""
_WORDS = {"OK": "healthy", "WARN": "healthy, with warnings", "FAIL": "not healthy"}


@click.command(
    epilog=examples(
        "memorybank status",
        "memorybank status --format json",
    )
)
@output.fresh_option
@output.format_option()
@click.pass_obj
def command(call: CommandCall, fresh: bool, form: str) -> None:
    """Show on one screen whether the bank is healthy, what changed since the last session, and which notes would leave within a week.

    The health is that of the quick checks of 'memorybank doctor' and of the alerts of 'memorybank metrics'; they do not look for secrets. Nothing is changed.
    """
    from memorybank.doctor import run
    from memorybank.doctor.problems import summary

    findings = [found for found in run.quick(call.layout(), call.clock) if found.level in ("WARN", "FAIL")]
    try:
        bank = call.open()
        status = bank.status(every=form == "json", fresh=fresh or form == "json")
    except ConfigInvalid:
        if form != "json":
            _show_health("FAIL", findings, (), form)
        raise
    # Afterwards, because opening the bank has brought the index up to date.
    findings += [found for found in run.working(call.layout(), call.clock) if found.level in ("WARN", "FAIL")]
    findings += summary(status.problems)
    level = _level(status, findings)
    own = _own(bank)
    team, broken = _team_state(bank)
    if form == "json":
        of_own = {"personal": own.to_json() if own is not None else None, "team": team.to_json() if team is not None else None}
        output.write_json({"level": level, "findings": [found.to_json() for found in findings], **status.to_json(), **of_own})
        return
    _show_health(level, findings, [_alert_card(alert.level, alert.id, str(alert.message), str(alert.next_step)) for alert in status.report.alerts], form)
    page.say("")
    page.facts(form, [*_facts(status, bank.layout.work_tree), *_personal(own), *_team(team, broken)])


def _own(bank: "Bank") -> "PersonalPresence | None":
    """Return whether the person's own bank is read beside this one; None without one, which is known without loading what reads it."""
    from memorybank.config import personal_bank

    if not personal_bank.is_there(os.environ):
        return None
    from memorybank.bank import personal

    return personal.presence(bank, os.environ)


def _personal(own: "PersonalPresence | None") -> list[Fact]:
    """Return a fact about the person's own bank, if there is one."""
    if own is None:
        return []
    return [
        ("personal bank", f"{own.bank} is not read here: {own.why_off}" if own.why_off else f"{own.bank} is read here; 'memorybank personal' lists its rules")
    ]


def _team_state(bank: "Bank") -> "tuple[TeamState | None, str]":
    """Return (what this machine knows about the connection to a team, why that cannot be read). Asks no server."""
    from memorybank.config import sources

    if not sources.has_own_settings(os.environ):
        return None, ""  # only these can connect a bank
    try:
        return bank.team.state(), ""
    except MemorybankError as error:
        return None, f"{error.message}; {error.next_step}"


def _team(state: "TeamState | None", broken: str) -> list[Fact]:
    """Return one fact about the connection to a team, if there is one."""
    if state is None:
        return [("team", broken)] if broken else []
    ledger = state.ledger
    at = max(ledger.sent_at, ledger.pulled_at)
    last = f"last contact {minute_of(at)} UTC" if at else "no contact yet"
    waits = f", {ledger.waiting:,} waiting" if ledger.waiting else ""
    here = f"{ledger.shared:,} shared{waits}, {counted(state.notes, 'note')} of others here"
    return [("team", f"{state.connection.organisation} on {state.connection.host}: {here}, {last}")]


def _level(status: "BankStatus", findings: "Sequence[DoctorFinding]") -> str:
    from memorybank.metrics.alerts import most_severe

    return most_severe([*(found.level for found in findings), *(alert.level for alert in status.report.alerts)])


def _show_health(level: str, findings: "Sequence[DoctorFinding]", alerts: Sequence[Card], form: str) -> None:
    page.say(_WORDS[level])
    cards = [*(_alert_card(found.level, found.where or found.id, found.what, found.suggestion) for found in findings), *alerts]
    if not cards:
        return
    page.say("")
    if form == "table" and output.is_page():
        page.cards(cards)
    elif form == "markdown":
        output.write("".join(f"- {card.mark} {output.clean(': '.join((card.title, *card.lines)))}\n" for card in cards))
    else:
        for card in cards:
            output.write(output.clean("  ".join((card.mark, card.title, *card.lines))) + "\n")


def _alert_card(level: str, title: str, what: str, step: str) -> Card:
    return Card(level, title, (what, f"next: {step}") if step else (what,))


def _facts(status: "BankStatus", project: str) -> list[Fact]:
    from memorybank.bank.status import SOON_DAYS

    stored = status.report.stored
    copies = f", {counted(stored.returned_files, 'copy of a restored one', 'copies of restored ones')}" if stored.returned_files else ""
    archived = f"{f'{stored.archived_files:,}' if stored.archived_files else 'none'} archived{copies}"
    archived += f" ({size(stored.archived_bytes)})" if stored.archived_files or copies else ""
    return [
        ("notes", f"{stored.active_files:,} active ({size(stored.active_bytes)}), {archived}"),
        *_sources(status),
        *_other_banks(status.other_banks),
        *_meaning(status.meaning),
        ("last session", _session(status.session, project)),
        *_changes(status),
        *_learned(status.learned),
        *_claims(status),
        *_withdrawn(status.withdrawn),
        ("rotation", _rotation(status)),
        *_grace(status),
        (f"in {SOON_DAYS} days", _leaving(status)),
        *[("not recalled", f"{one.what} at {one.moment}: {one.reason}") for one in status.suppressed],
        ("not checked", "secrets in notes, damage in logs and the archive; 'memorybank doctor' checks everything"),
    ]


def _meaning(stored: "StoredVectors | None") -> list[Fact]:
    """Return a fact about the vectors for search by meaning, if there are any."""
    if stored is None:
        return []
    what = f"vectors of {counted(stored.passages, 'passage')} in {counted(stored.documents, 'document')}, {stored.store}"
    return [("by meaning", f"{what}, {stored.embedder}" if stored.is_current else f"{what}; they are not of the embedder in your settings")]


def _sources(status: "BankStatus") -> list[Fact]:
    """Return a fact about the sources that are read in place, if there are any."""
    listed = ", ".join(f"{each.source.name} ({counted(each.files, 'file')})" for each in status.sources)
    return [("read in place", listed)] if listed else []


def _other_banks(banks: Sequence[str]) -> list[Fact]:
    """Return a fact about the other banks of the repository, with how to search them, if there are any."""
    how = "'memorybank search --all-banks' searches all of them, --bank DIR uses one"
    return [("other banks", f"{counted(len(banks), 'bank')} in this repository: {_keys(banks)}; {how}")] if banks else []


def _claims(status: "BankStatus") -> list[Fact]:
    """Return the numbers of outdated claims and superseded statements as facts, if there are any."""
    from memorybank.claims.claim import STATES

    listed = ", ".join(f"{status.untrue[state]:,} {state}" for state in STATES if state in status.untrue)
    found: list[Fact] = [("outdated", f"in claims of notes: {listed}; 'memorybank claims' lists them")] if listed else []
    if status.superseded:
        found.append(("superseded", f"{counted(status.superseded, 'statement')} in notes; 'memorybank superseded list' shows what replaced them"))
    return found


def _withdrawn(lines: int) -> list[Fact]:
    """Return a fact about the lines of the drafted summary that no session receives, if there are any."""
    what = f"{counted(lines, 'line')} of the drafted page {'is' if lines == 1 else 'are'} left out at starts, because the sources changed"
    return [("summary", f"{what}; 'memorybank summary refresh' drafts it again")] if lines else []


def _learned(keys: Sequence[str]) -> list[Fact]:
    """Return a fact about the learned notes, with how to remove them, if there are any."""
    if not keys:
        return []
    how = "'memorybank know reject' removes one; 'learned_notes': false in config/cycle_config.json stops them"
    return [("learned notes", f"{counted(len(keys), 'note')}: {_keys(keys)}; {how}")]


def _session(session: "LastSession | None", project: str) -> str:
    """Return the last session in words; of a bank without one, what records the first."""
    if session is None:
        from memorybank.hosts.status import is_registered  # late: most banks have a session

        if is_registered(project, os.environ):
            return "none is recorded yet; hooks are registered, so the next session of your agent is recorded"
        return "none is recorded; 'memorybank hooks install' makes a coding agent record them"
    state = "ended" if session.is_over else "still open, last event"
    return f"{session.session_id[:8]} of {session.host or 'an unknown host'}, {state} {minute_of(session.at)} UTC"


def _changes(status: "BankStatus") -> list[Fact]:
    if status.session is None:
        return []
    changes: BankChanges = status.changes
    found = [(name, keys) for name, keys in changes.as_dict().items() if keys]
    return [(f"{name} since", _keys(keys)) for name, keys in found] or [("changed since", "nothing")]


def _rotation(status: "BankStatus") -> str:
    """Return how many notes have to leave `active/`, how many could, and the command that shows them."""
    need, could = status.plan.needed_count, status.plan.leaving_count
    if status.unattended == "by_rules":
        return f"{counted(could, 'note')} would leave by the rules: memorybank rotate --dry-run" if could else "nothing would leave by the rules"
    text = needed_text(need, status.occupancy, waits=bool(status.plan.deferred_count))
    if need:
        text += ": memorybank rotate --needed --dry-run"
    return f"{text}; {could:,} could: memorybank rotate --dry-run" if could > need else text


def _grace(status: "BankStatus") -> list[Fact]:
    """Return facts about the grace, if it keeps notes that the rules would archive."""
    deferred = status.plan.deferred_count
    if deferred and status.grace:
        return [("grace", f"nothing leaves by its age {status.grace.text}; then {counted(deferred, 'note')} could: memorybank rotate --dry-run")]
    due = status.plan.leaving_count if status.unattended == "by_rules" else status.plan.needed_count
    return [("grace", f"nothing leaves unattended {status.waits.text}")] if status.waits and due else []


def _leaving(status: "BankStatus") -> str:
    if not status.soon_count:
        return "nothing more could leave"
    return f"{counted(status.soon_count, 'more note')} could leave: {_keys([decision.key for decision in status.soon], status.soon_count)}"


def _keys(keys: Sequence[str], count: int | None = None) -> str:
    """Return the first keys, and how many more there are. count: number of all of them, if `keys` are only the first"""
    shown = keys[:SHOWN]
    more = (len(keys) if count is None else count) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")

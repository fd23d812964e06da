"""Checks of the logs: whether each line is what was written, whether lines are still waiting to be added, and what the policy of recall excludes."""

import os
from collections.abc import Iterator
from stat import S_ISREG

from memorybank import clock as time_of
from memorybank.clock import DAY, HOUR, MINUTE, isoformat
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, OK, UNKNOWN, WARN, Symptom
from memorybank.log import events, hook_errors, key, lines, policy

_ALTERED = "log_line_altered"
_LATELY = 7 * DAY
_COPY = "compare the file with a copy of this machine's log/ if there is one; the lines before the fault are as they were written"


def signing_key(context: DoctorContext) -> Iterator[Symptom]:
    """Report a missing or invalid key: without it a bank cannot sign, and nobody can verify what it signed."""
    path = key.path(context.layout)
    if key.load(context.layout) is not None:
        return
    if os.path.lexists(path):
        yield Symptom(FAIL, "this file contains no valid key: hooks cannot record anything", context.shown(path), "move it away; a new key is created")
    elif events.names(context.layout):
        what = "the key that earlier lines were signed with is missing: they cannot be verified, and nothing that was learned is in force"
        yield Symptom(WARN, what, context.shown(path), "restore log/.key from a backup of this machine")


def events_intact(context: DoctorContext) -> Iterator[Symptom]:
    """Report event logs in which a signature does not follow from the one before."""
    unknown = 0
    for check in context.bank.log.verify():
        unknown += check.state == "unknown"
        if check.state == "faulty":
            first = next(fault for fault in check.faults if fault.code not in ("tail_open", "line_torn", "newer_format"))
            where = f"log/events/{check.name}" + (f":{first.line}" if first.line else "")
            yield Symptom(FAIL, first.message, where, _COPY)
    if unknown:
        what = f"{unknown:,} sessions cannot be verified: log/.key, the signing key of this machine, is missing"
        yield Symptom(UNKNOWN, what, "log/events")


def unaltered(context: DoctorContext) -> Iterator[Symptom]:
    """Report lines of the other logs that were changed after they were written."""
    for finding in context.verified.findings:
        if finding.code == _ALTERED:
            yield Symptom(FAIL, finding.message, finding.path, finding.next_step)


def tails(context: DoctorContext) -> Iterator[Symptom]:
    """Report logs that end with half a line, after a kill or a power cut. The next append completes it, and readers skip it."""
    for path in _open_tails(context):
        yield Symptom(WARN, "the last line is incomplete", context.shown(path), "'memorybank doctor --fix' closes it")


def close_tails(context: DoctorContext) -> Iterator[str]:
    """Fix: complete these lines."""
    for path in _open_tails(context):
        if lines.close(path, clock=context.clock):
            yield f"closed the last line of {context.shown(path)}"


def policy_signed(context: DoctorContext) -> Iterator[Symptom]:
    """Report changes of the recall policy that are not signed or do not follow the one before."""
    secret = key.load(context.layout)
    refused = policy.read(context.layout, secret)[1]
    where = context.shown(policy.path(context.layout))
    if refused and secret is None:
        yield Symptom(UNKNOWN, "without log/.key it cannot be verified who wrote these records; none is in force", where)
        return
    for line in refused:
        yield Symptom(
            WARN, f"refused, and not in force: {line.why}", f"{where}:{line.line}", "nothing is lost; 'memorybank policy show' shows what is in force"
        )
    for version in policy.gaps(context.layout, secret):
        what = f"a record before version {version} was removed, altered or moved"
        yield Symptom(WARN, what, where, "'memorybank policy history' lists the records that are left; the newest of them is in force")


def kept_back(context: DoctorContext) -> Iterator[Symptom]:
    """Report exclusions of earlier versions that name no occasion, and list every occasion and memory that is not shown, with the reason."""
    policies = context.bank.policy
    ignored = policies.state().ignored_exclusions
    if ignored:
        what = f"exclusions of an earlier version that name no occasion and are ignored: {len(ignored):,}"
        step = "list them with 'memorybank policy show'; the next change of the policy drops them; exclude occasions with 'memorybank policy set exclusions …'"
        yield Symptom(WARN, what, "log/policy.jsonl", step)
    for one in policies.suppressed():
        step = "see why with 'memorybank policy history'; show every kind again with 'memorybank policy set exclusions none'" if "@" in one.what else ""
        yield Symptom(OK, f"{one.what} is not shown at {one.moment}: {one.reason}", suggestion=step)


def spools_emptied(context: DoctorContext) -> Iterator[Symptom]:
    """Report old lines in a spool. Lines that could not wait for a busy log are stored there until the next event of their session."""
    folder = os.path.join(context.layout.log, "spool") + os.sep
    for path, status in context.entries:
        if path.startswith(folder) and path.endswith(".jsonl") and status.st_mtime_ns // 1_000_000 < context.now - HOUR:
            what = "lines of a session that were never added to its log, because no event followed them"
            yield Symptom(WARN, what, context.shown(path), "resume that session once: its next event adds them to the log")


def no_future_lines(context: DoctorContext) -> Iterator[Symptom]:
    """Report a line from the future. It means that the clock was set back: until then, ages, retention and due dates are wrong."""
    newest = context.rotations.newest
    if newest is not None and newest > context.now + DAY:
        what = f"the newest line is dated {isoformat(newest)[:10]}, but the clock of this machine says {isoformat(context.now)[:10]}"
        yield Symptom(WARN, what, "log/rotation.jsonl", "correct the clock of this machine; until then, rotations ask before they continue")


def quiet(context: DoctorContext) -> Iterator[Symptom]:
    """Report errors inside hooks in the last week. Hooks have no other way to report them."""
    path = hook_errors.path(context.layout)
    since = context.now - _LATELY
    lately = [line.fields for line in lines.read(path) if (time_of.parse(str(line.fields.get("at"))) or 0) >= since]
    if lately:
        last = lately[-1]
        what = f"{len(lately):,} errors inside hooks within a week; the last on {str(last.get('at'))[:16]}: {last.get('error')}: {last.get('message')}"
        step = "if the message does not say what to correct, please report it with the line of this file, which contains no text of yours"
        yield Symptom(WARN, what, context.shown(path), step)


def _open_tails(context: DoctorContext) -> list[str]:
    """Return the logs whose last line is incomplete and that have not been written to for a minute."""
    below = context.layout.log + os.sep
    logs = ((path, status) for path, status in context.entries if path.startswith(below) and path.endswith(".jsonl") and S_ISREG(status.st_mode))
    return [path for path, status in logs if not 0 <= context.now - status.st_mtime_ns // 1_000_000 < MINUTE and not lines.is_closed(path)]

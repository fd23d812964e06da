"""Checks of coding agents: where their hooks are registered, whether the programs they start exist, and when each last fired; and whether the pages
that an agent reads at every start are short enough to be read to their end.

Sources of the limits: Claude Code's documentation of its memory (the first 200 lines of MEMORY.md or 25 KB, whichever is less, are loaded)
and its warning about large pages (40,000 characters); Codex's `project_doc_max_bytes` (32 KiB for all pages on the way together).
"""

import os
import re
import shlex
from collections.abc import Iterator
from itertools import islice

from memorybank import bytecode, resident
from memorybank import clock as time_of
from memorybank.bank import drafted
from memorybank.clock import DAY, HOUR, MINUTE, minute_of
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, OK, UNKNOWN, WARN, Symptom
from memorybank.errors import MemorybankError
from memorybank.hosts import bytecode_file, hook_entries, install, status
from memorybank.hosts.detect import CLAUDE_CODE, OPENCODE
from memorybank.hosts.program import PORTABLE, this_program, which
from memorybank.hosts.status import HookStatus
from memorybank.hosts.transcripts import found as transcripts
from memorybank.injection import estimate_tokens
from memorybank.log import events, lines
from memorybank.storage import compressed, disk
from memorybank.text.quantities import counted

MEMORY_LINES, MEMORY_BYTES = 200, 25_000
CLAUDE_CHARACTERS = 40_000
AGENTS_BYTES = 32 << 10
_CAP = 8 << 20

_LOGS, _LINES = 50, 2_000
"""Number of the newest logs, and of the last lines of each, in which events are searched."""
_FRESH = DAY
"""Time (ms) after the registration of a hook in which a person may not have restarted the host yet."""
_LEVELS = {status.BROKEN: FAIL, status.UNREADABLE: WARN, status.OUTDATED: WARN, status.SWITCHED_OFF: WARN}
_PLUGIN = "no hook is registered in the files that doctor can read; it cannot see hooks of a plugin"


def registered(context: DoctorContext) -> Iterator[Symptom]:
    """Report registrations that start a missing program or are out of date, and those that the host does not run."""
    found = [each for each in context.hook_statuses if each.state != status.ABSENT]
    if not found:
        yield Symptom(UNKNOWN, _PLUGIN, suggestion="register hooks with a coding agent: 'memorybank hooks install'", fixable=False)
    for each in found:
        level = _LEVELS.get(each.state, OK)
        if level == OK:
            yield Symptom(OK, f"{_named(each)}: installed, {len(each.events)} events", context.shown(each.path))
            continue
        said = each.problem or (f"missing here: {', '.join(each.missing)}" if each.missing else "")
        what = f"{_named(each)}: {each.state}{f': {said}' if said else ''}"
        yield Symptom(level, what, context.shown(each.path), _step(each), fixable=_is_renewable(each))


def renew(context: DoctorContext) -> Iterator[str]:
    """Fix: write our entries as this installation has them. Every other byte of those files is preserved."""
    for each in context.hook_statuses:
        if _is_renewable(each):
            project = context.project if not each.registration.files[each.scope].in_home else None
            install.execute(install.plan_install(each.registration.host, each.scope, project, this_program(), context.environ), context.environ)
            yield f"renewed the hooks of {_named(each)} in {context.shown(each.path)}"


def once(context: DoctorContext) -> Iterator[Symptom]:
    """Report hosts with several registrations: they start that many processes for each event."""
    for host in dict.fromkeys(each.registration.host for each in context.hook_statuses):
        several = [each for each in context.hook_statuses if each.registration.host == host and each.events]
        if len(several) > 1:
            scopes = " and ".join(each.scope for each in several)
            what = f"{several[0].registration.title} is registered {len(several)} times ({scopes}): each of them starts a process for every event"
            step = f"'memorybank hooks uninstall --host {host} --scope {several[-1].scope}'"
            yield Symptom(WARN, what, context.shown(several[-1].path), step)


def fired(context: DoctorContext) -> Iterator[Symptom]:
    """Report when each event was last recorded, and registrations from which nothing was ever recorded."""
    installed = [each for each in context.hook_statuses if each.state in (status.INSTALLED, status.OUTDATED)]
    if not installed:
        yield Symptom(UNKNOWN, "no hook is registered that could have fired", "log/events")
    seen = _seen(context) if installed else {}
    for host, each in {each.registration.host: each for each in installed}.items():
        last = {canonical: at for (name, canonical), at in seen.items() if name == host}
        if last:
            yield Symptom(OK, f"{each.registration.title} last fired (UTC): {_told(each, last)}", "log/events")
            continue
        changed = context.now - os.stat(each.path).st_mtime_ns // 1_000_000
        asks = " ".join(each.registration.asks) or "check the host's own list of hooks"
        if changed < _FRESH:
            yield Symptom(UNKNOWN, f"{_named(each)}: registered within the last day, and no event was recorded yet", context.shown(each.path), asks)
        else:
            what = f"{_named(each)}: registered {_ago(changed)} ago, but no event was ever recorded here"
            yield Symptom(WARN, what, context.shown(each.path), asks)


def interpreter(context: DoctorContext) -> Iterator[Symptom]:
    """Report hooks that start a shim (pyenv, asdf): this shell script in front of the interpreter takes several times as long as the hook."""
    for each in context.hook_statuses:
        for word in _programs(each):
            if f"{os.sep}shims{os.sep}" in word:
                what = f"{_named(each)} starts {word}, a shim that looks for the interpreter at every event"
                yield Symptom(WARN, what, context.shown(each.path), "run 'hooks install' with the memorybank program of the interpreter itself")


def compiled(context: DoctorContext) -> Iterator[Symptom]:
    """Report when the file with the compiled modules of hooks is missing or was made from other sources."""
    if not any(each.events for each in context.hook_statuses):
        return
    if not bytecode_file.is_current():
        what = "the file of compiled modules is missing, or was made from other sources: every hook reads its modules one by one"
        yield Symptom(WARN, what, context.shown(bytecode.PATH), "'memorybank doctor --fix' writes it; so does the end of a session")


def compile_again(context: DoctorContext) -> Iterator[str]:
    """Fix: compile the modules into their file."""
    if bytecode_file.write():
        yield f"wrote {context.shown(bytecode.PATH)}"


def claude_memory(context: DoctorContext) -> Iterator[Symptom]:
    """Report when Claude Code's own notes about this project (MEMORY.md) are too long to be read to their end."""
    folder = re.sub(r"[^a-zA-Z0-9]", "-", context.project)
    path = os.path.join(transcripts.folder_of(CLAUDE_CODE, context.environ), folder, "memory", "MEMORY.md")
    data = _read_page(path)
    if data is None:
        return
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    if count > MEMORY_LINES or len(data) > MEMORY_BYTES:
        what = f"{count:,} lines and {len(data):,} bytes: Claude Code reads only the first {MEMORY_LINES} lines or {MEMORY_BYTES:,} bytes"
        yield Symptom(WARN, what, context.shown(path), "move what is worth keeping into notes of the bank: they are found when they are needed")


def instruction_pages(context: DoctorContext) -> Iterator[Symptom]:
    """Report when CLAUDE.md or AGENTS.md, which hosts read at every start, exceed the limits of their hosts."""
    for name in ("CLAUDE.md", os.path.join(".claude", "CLAUDE.md"), "CLAUDE.local.md"):
        path = os.path.join(context.project, name)
        characters = len((_read_page(path) or b"").decode("utf-8", "replace"))
        if characters > CLAUDE_CHARACTERS:
            what = f"{characters:,} characters: above {CLAUDE_CHARACTERS:,}, Claude Code warns that the page slows down every turn"
            yield Symptom(WARN, what, context.shown(path), "move what is not needed in every session into notes of the bank")
    path = os.path.join(context.project, "AGENTS.md")
    size = len(_read_page(path) or b"")
    if size > AGENTS_BYTES:
        what = f"{size:,} bytes: Codex stops reading at {AGENTS_BYTES:,} unless project_doc_max_bytes says otherwise"
        yield Symptom(WARN, what, context.shown(path), "move what is not needed in every session into notes of the bank")


def summary(context: DoctorContext) -> Iterator[Symptom]:
    """Report when the resident summary cannot be read or is long."""
    path = resident.path_of(context.layout)
    if not os.path.lexists(path):
        return
    found = resident.collect(context.layout)
    if found.reason:
        yield Symptom(
            WARN, f"sessions begin without the resident summary: {found.reason}", "summary.md", "'memorybank summary show' shows what an agent is given"
        )
    elif (tokens := estimate_tokens(found.body)) > resident.TOKENS_WARNED_ABOUT:
        what = f"about {tokens:,} tokens in every session; more than {resident.TOKENS_WARNED_ABOUT:,} crowd out what is recalled"
        yield Symptom(WARN, what, "summary.md", "shorten it, and keep the rest in notes")
    if withdrawn := drafted.withdrawn(context.bank):
        what = f"{counted(withdrawn, 'line')} of the drafted page {'is' if withdrawn == 1 else 'are'} left out at starts, because the sources changed"
        yield Symptom(WARN, what, "summary.md", "'memorybank summary refresh' drafts it again")


def _is_renewable(each: HookStatus) -> bool:
    return each.state in (status.OUTDATED, status.BROKEN) and not (each.scope == "project" and each.missing)


def _step(each: HookStatus) -> str:
    again = f"'memorybank hooks install --host {each.registration.host} --scope {each.scope}' renews the entries"
    steps = {
        status.SWITCHED_OFF: "remove 'disableAllHooks' from this file if you want hooks",
        status.UNREADABLE: "correct the file by hand",
        status.BROKEN: "install memorybank in a folder on the PATH" if each.scope == "project" else again,
    }
    return steps.get(each.state, again)


def _named(each: HookStatus) -> str:
    return f"{each.registration.title} ({each.scope})"


def _programs(each: HookStatus) -> list[str]:
    """Return the absolute programs that the commands of an installed scope start; for the portable form, the program found on the PATH."""
    text = install.read(each.path) if each.events else None
    if text is None or each.registration.host == OPENCODE:
        return []
    found: list[str] = []
    for line in hook_entries.commands(text, each.registration):
        if f"{PORTABLE} hook" in line:
            found += filter(None, [which(PORTABLE)])
        else:
            found += [word for word in shlex.split(line) if os.path.isabs(word)]
    return list(dict.fromkeys(found))


def _seen(context: DoctorContext) -> dict[tuple[str, str], int]:
    """Return {(host, event): instant (ms) at which a hook last reported it}; imported lines do not count."""
    folder = events.folder(context.layout)
    names = sorted(events.names(context.layout), key=lambda name: compressed.modified_ns(os.path.join(folder, name)), reverse=True)[:_LOGS]
    last: dict[tuple[str, str], int] = {}
    for name in names:
        first = [line.fields for line in islice(events.read(context.layout, name), 1)]
        newest = islice(lines.newest_first(os.path.join(folder, name)), _LINES)
        for fields in (*first, *newest):
            at = time_of.parse(str(fields.get("timestamp")))
            if fields.get("origin") != "import" and at is not None:
                kind = (str(fields.get("host")), str(fields.get("event")))
                last[kind] = max(at, last.get(kind, at))
    return last


def _told(each: HookStatus, last: dict[str, int]) -> str:
    """`prompt 2025-09-17 12:34, turn_end 2025-09-17 12:40; never: compact_before`."""
    wanted = list(dict.fromkeys(registered.canonical for registered in each.registration.events))
    dated = [f"{name} {minute_of(last[name])}" for name in wanted if name in last]
    never = [name for name in wanted if name not in last]
    return ", ".join(dated) + (f"; never: {', '.join(never)}" if never else "")


def _ago(milliseconds: int) -> str:
    for unit, name in ((DAY, "d"), (HOUR, "h"), (MINUTE, "min")):
        if milliseconds >= unit:
            return f"{milliseconds // unit} {name}"
    return "less than 1 min"


def _read_page(path: str) -> bytes | None:
    """Return the bytes of a page of another program; None when it does not exist."""
    try:
        return disk.read(os.path.realpath(path), _CAP)
    except FileNotFoundError:
        return None
    except MemorybankError as error:
        raise MemorybankError(f"{path}: {error.message}") from error

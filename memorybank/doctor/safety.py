"""Checks for data that must not leave the machine, and for text that must not reach an agent unnoticed."""

import os
from collections.abc import Iterator

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, UNKNOWN, WARN, Symptom
from memorybank.storage import create_bank

_NO_GIT = "this bank is not in a git repository, or git did not answer in time"
_ASK_GIT = "in a repository, make sure that 'git ls-files' works; outside one, nothing can be committed"


def ignored(context: DoctorContext) -> Iterator[Symptom]:
    """Report missing lines in the .gitignore that excludes logs, backups and everything derived."""
    try:
        missing = create_bank.missing_ignores(context.layout.root)
    except FileNotFoundError:
        yield Symptom(WARN, "there is no .gitignore: logs and backups could be committed", ".gitignore", "'memorybank doctor --fix' writes it")
        return
    if missing:
        yield Symptom(WARN, f"these lines are missing: {' '.join(missing)}", ".gitignore", "'memorybank doctor --fix' adds them")


def ignore(context: DoctorContext) -> Iterator[str]:
    """Fix: add the missing lines."""
    from memorybank.editing.write import update  # late, like the rules for texts: the status only checks for missing lines, and who accepted the bank

    added = 0

    def edit(data: bytes | None) -> bytes:
        nonlocal added
        after = create_bank.with_ignores(data)
        added = after.count(b"\n") - (data or b"").count(b"\n")
        return after

    if update(context.layout, "memorybank doctor", context.clock, create_bank.IGNORES, edit):
        yield f"added {added} lines to {create_bank.IGNORES}"


def uncommitted(context: DoctorContext) -> Iterator[Symptom]:
    """Report logs, backups and derived files that git tracks. They contain what people said, and a commit stays in everybody's history."""
    from memorybank.checking.tree import LOCAL_FOLDERS, PRIVATE_FOLDERS

    if context.tracked is None:
        yield Symptom(UNKNOWN, _NO_GIT, suggestion=_ASK_GIT)
        return
    for name in LOCAL_FOLDERS:
        found = sorted(path for path in context.tracked if path.startswith(os.path.join(context.layout.root, *name.split("/")) + os.sep))
        if found:
            level = FAIL if name in PRIVATE_FOLDERS else WARN
            holds = "which contain what was said on this machine" if name in PRIVATE_FOLDERS else "which every machine derives for itself"
            what = f"git tracks {len(found):,} files of {name}/, {holds}"
            from shlex import quote  # late, like below: every status makes these checks, and few find anything

            quoted = quote(context.layout.relative(os.path.join(context.layout.root, name)))
            yield Symptom(level, what, context.shown(found[0]), f"git rm -r --cached {quoted}; what was pushed stays in the history")


def no_secrets(context: DoctorContext) -> Iterator[Symptom]:
    """Report passwords, tokens and keys in files that are meant to be committed."""
    from memorybank.checking import texts

    for path, text in context.texts:
        found = list(texts.secrets(path, text))
        if found:
            more = f", and {len(found) - 1:,} more in this file" if len(found) > 1 else ""
            committed = context.tracked is not None and os.path.join(context.layout.root, path) in context.tracked
            what = f"{found[0].message}{more}{'; git tracks this file' if committed else ''}"
            step = "replace the secret where it is used, and remove it from the file; 'memorybank purge --stdin' removes it from logs and archive"
            yield Symptom(FAIL if committed else WARN, what, found[0].where, step)


def no_instructions(context: DoctorContext) -> Iterator[Symptom]:
    """Report memories that try to instruct an agent, bypassing its users. Such text is never quoted, and a person should read it."""
    from memorybank.checking import guidance, texts

    for path, text in context.texts:
        found = texts.instruction(path, text)
        if found is not None:
            yield Symptom(WARN, found.message, found.where, guidance.next_step(found.code, path))


def nothing_hidden(context: DoctorContext) -> Iterator[Symptom]:
    """Report characters of notes that cannot be seen."""
    from memorybank.checking import guidance, texts

    for path, text in context.texts:
        found = texts.hidden(path, text)
        if found is not None:
            yield Symptom(WARN, found.message, found.where, guidance.next_step(found.code, path))


def accepted(context: DoctorContext) -> Iterator[Symptom]:
    """Report files that agents are not shown because nobody on this machine has accepted them yet."""
    from memorybank.trust import brought, gate

    found = gate.gate_of(context.layout, context.environ, context.clock, keep=False)
    reason = gate.changed(len(brought.waiting(context.layout, found))) if found.is_open else found.reason
    if reason:
        yield Symptom(WARN, reason.partition(":")[0], suggestion="'memorybank trust' shows it and asks")


def no_machine_paths(context: DoctorContext) -> Iterator[Symptom]:
    """Report committed settings that name programs of this machine: on another machine they start nothing, or something else."""
    if context.tracked is None:
        yield Symptom(UNKNOWN, _NO_GIT, suggestion=_ASK_GIT)
        return
    for each in context.hook_statuses:
        if each.scope == "local" and each.events and each.path in context.tracked:
            from shlex import quote

            step = f"git rm --cached {quote(context.shown(each.path))}, and add it to .gitignore"
            yield Symptom(WARN, "git tracks this file, in which hooks name paths of this machine", context.shown(each.path), step)

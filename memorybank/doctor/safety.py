"""What must not leave the machine, and what must not reach an agent unnoticed."""

from collections.abc import Iterator

from memorybank.doctor.context import Context
from memorybank.doctor.finding import WARN, Symptom
from memorybank.storage import create_bank


def ignored(context: Context) -> Iterator[Symptom]:
    """git passes over logs, backups and everything derived."""
    try:
        missing = create_bank.missing_ignores(context.layout.root)
    except FileNotFoundError:
        yield Symptom(WARN, "there is no .gitignore: logs and backups could be committed", ".gitignore", "'memorybank doctor --fix' writes it")
        return
    if missing:
        yield Symptom(WARN, f"these lines are missing: {' '.join(missing)}", ".gitignore", "'memorybank doctor --fix' adds them")


def ignore(context: Context) -> Iterator[str]:
    added = create_bank.add_ignores(context.layout.root)
    if added:
        yield f"wrote {len(added)} lines into .gitignore"

"""The check of what `memorybank git install` wrote: a colleague can have committed the attributes, while this clone lacks the drivers."""

import os
from collections.abc import Iterator

from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import WARN, Symptom
from memorybank.errors import MemorybankError
from memorybank.merging import install
from memorybank.merging.kinds import DRIVER
from memorybank.storage import disk

_MOST_ATTRIBUTES = 1 << 20


def drivers(context: DoctorContext) -> Iterator[Symptom]:
    """Report drivers and hooks that are missing or outdated, in a bank whose attributes name the drivers."""
    try:
        data = disk.read(os.path.join(context.layout.root, install.ATTRIBUTES), _MOST_ATTRIBUTES)
    except (FileNotFoundError, MemorybankError):
        return
    if f"merge={DRIVER}".encode() not in data or context.layout.repository is None:
        return
    parts = install.GitInstallation(context.layout, install.GitProgram.of_this_installation()).parts()
    lacking = sum(part.state in (install.MISSING, install.OUTDATED) for part in parts)
    if lacking:
        what = f"{lacking} of {len(parts)} parts of the merge drivers are missing or outdated, so git merges files of the bank as text"
        yield Symptom(WARN, what, install.ATTRIBUTES, "'memorybank git install' writes them")

"""Checks of search by meaning: the embedder and the store that the person chose, and the vectors of the bank. Without an embedder all are silent."""

import os
from collections.abc import Iterator
from importlib.util import find_spec

from memorybank.config import own
from memorybank.config.own import FASTEMBED, NONE
from memorybank.doctor.context import DoctorContext
from memorybank.doctor.finding import FAIL, UNKNOWN, WARN, Symptom
from memorybank.errors import MemorybankError, MissingExtra
from memorybank.installed import extra_command
from memorybank.meaning import choosing, placing
from memorybank.meaning.embedder import QUERY
from memorybank.summarize.choosing import has_consent
from memorybank.text.quantities import counted

PROBE = "memorybank"
"""The text that an embedder is asked for. It is sent only where the person agreed to send texts of this bank."""
_MAKE = "run 'memorybank index --meaning'"


def embedder(context: DoctorContext) -> Iterator[Symptom]:
    """Report an embedder that does not answer, and a store whose library is missing."""
    mine = own.load(context.environ)
    where = context.shown(mine.path)
    if mine.settings.embedder.use == NONE:
        return
    if mine.settings.vector_store.use == own.MEM0 and find_spec("mem0") is None:
        yield Symptom(FAIL, "your settings choose mem0 for vectors, but it is not installed", where, extra_command("mem0"))
    try:
        chosen = choosing.choose(mine, context.environ)
        placing.choose_store(mine, context.environ)
        if chosen is None or not has_consent(mine.folder, context.layout.root, chosen.leaves_by):
            return
        dimension = len(chosen.build(context.clock, patient=False).embed([PROBE], QUERY)[0])
    except MissingExtra as error:
        yield Symptom(FAIL, error.message, where, extra_command("fastembed" if mine.settings.embedder.use == FASTEMBED else "meaning"))
        return
    except MemorybankError as error:
        yield Symptom(FAIL, f"the embedder you chose cannot be used: {error.message}", where, error.next_step)
        return
    stored = context.bank.meaning.stored()
    if stored is not None and stored.is_current and stored.dimension not in (0, dimension):
        yield Symptom(WARN, f"{chosen.name} now answers with {dimension} numbers, and the vectors have {stored.dimension}", where, _MAKE)


def vectors(context: DoctorContext) -> Iterator[Symptom]:
    """Report vectors of another embedder, documents without vectors, and passages that remained elsewhere."""
    mine = own.load(context.environ)
    yield from _elsewhere(context)
    if mine.settings.embedder.use == NONE:
        return
    try:
        stored = context.bank.meaning.stored()
        if stored is None:
            return  # nobody has made any
        if not stored.is_current:
            yield Symptom(WARN, "the vectors are of another embedder than the one you chose, so searches by meaning find nothing", stored.store, _MAKE)
            return
        pending = context.bank.meaning.pending()
    except MemorybankError as error:
        yield Symptom(UNKNOWN, f"the vectors could not be examined: {error.message}", "", error.next_step)
        return
    if pending.documents:
        what = f"{counted(pending.documents, 'document')} of {pending.of:,} have no vectors, so a search by meaning does not find them"
        yield Symptom(WARN, what, stored.store, _MAKE)


def _elsewhere(context: DoctorContext) -> Iterator[Symptom]:
    """Report stores of mem0 with passages of this bank that are not the chosen one, or that have to be emptied."""
    try:
        chosen = placing.choose_store(own.load(context.environ), context.environ)
    except MemorybankError:
        return  # reported with the embedder
    for folder, server in placing.filled(context.layout, context.environ).items():
        place = f"mem0: {server or context.shown(folder)}"
        if not chosen.provider or chosen.folder(context.layout) != folder:
            step = "choose it again in your settings and run 'memorybank index --no-meaning'"
            if not server:
                step = f"delete the folder {os.path.abspath(folder)}"
            yield Symptom(WARN, "passages of this bank are still in a store that your settings no longer name", place, step)
        elif chosen.is_unclean(context.layout, context.clock):
            yield Symptom(WARN, "passages that were deleted here may still be in the store, which could not be reached", place, _MAKE)

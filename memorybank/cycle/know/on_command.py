"""A command: what earlier sessions found out about how it must be run (`fold.advised`)."""

from __future__ import annotations

__light__ = True

from memorybank.cycle.fold.kinds import PASTED
from memorybank.cycle.know import search
from memorybank.text.commands import forms, packages, ports
from memorybank.text.words.terms import content_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from memorybank.cycle.know.earlier import Earlier
    from memorybank.cycle.know.search import Passage

_MOST = 8
_LED = f"SELECT text FROM passages WHERE session = ? AND kind = '{PASTED}' AND turn = ? AND {search.IS_SEEN} ORDER BY id LIMIT 1"


def said_about(earlier: Earlier, command: str) -> Sequence[Passage]:
    """Return the passages of other sessions about a command that is run in another way than they say, the newest first."""
    called = forms.parts(command)
    keys = {key for form, _ in called for key in _keys(form)}
    return [
        *of_packages(earlier, packages.brought(command)),
        *kept(earlier, list(map(ports.as_word, ports.used(command)))),
        *kept(earlier, keys, lambda key, *asked: any(key in _keys(form) and _is_other(command, form, words, *asked) for form, words in called)),
    ]


def of_packages(earlier: Earlier, names: Collection[str]) -> Sequence[Passage]:
    """Return why earlier sessions replaced packages of these names, the newest first."""
    found = kept(earlier, [f"{packages.KEY}{name}" for name in names])
    for passage in found:
        (passage.led_to,) = earlier.connection.execute(_LED, (passage.session, passage.turn)).fetchone() or ("",)
    return found


def kept(earlier: Earlier, keys: Collection[str], is_meant: Callable[[str, str, str], bool] | None = None) -> Sequence[Passage]:
    """Return the passages of other sessions that are kept under one of these keys, the newest first.

    is_meant: whether a key, what a call must lack and what it must name fit this call.
    """
    if not keys:
        return []
    listed = sorted(set(keys))
    rows = earlier.connection.execute(
        f"SELECT {search.COLUMNS}, form, lacks, names FROM advice JOIN passages p ON p.id = passage JOIN passage_terms t ON t.id = p.id"
        f" WHERE form IN ({','.join('?' * len(listed))}) AND session IS NOT ? AND at <= ? AND {search.IS_SEEN} ORDER BY at DESC, p.id",
        (*listed, earlier.own, earlier.now),
    )
    found: dict[int, Passage] = {}
    for *row, key, lacks, names in rows:
        if len(found) < _MOST and (is_meant is None or is_meant(key, lacks, names)):
            passage = found.setdefault(row[0], search.read(row))
            passage.rank = passage.share = 1.0  # it is about this very call, which its age does not change
            passage.matched = [term for term in content_terms(f"{key} {lacks}") if term in passage.terms]  # of a long passage, the part about these is shown
    return list(found.values())


def _keys(form: str) -> tuple[str, ...]:
    """Return the keys under which advice about a form is kept."""
    return form, forms.purpose(form), form.partition(" ")[0]


def _is_other(command: str, form: str, words: list[str], lacks: str, names: str) -> bool:
    """Return whether a call lacks what the advice names, and is about the same things."""
    is_given = bool(lacks) and all(word in command for word in lacks.split(" "))
    return not is_given and (not names or not set(names.split(" ")).isdisjoint(forms.things(form, words)))

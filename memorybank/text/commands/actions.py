"""Actions of a command: the sub-commands that say what a program does (`publish` for `pnpm -r publish`), and the task that a runner runs."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import forms, programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def of_forms(called: Iterable[str]) -> list[str]:
    """Return the actions of commands with these forms, in lower case, in order and without repeats. `release:prod` is the action `release`, too."""
    found: dict[str, None] = {}
    for form in called:
        program, *words = forms.inner(form).split(" ")
        kept: list[str] = []
        for word in words:
            if len(kept) >= programs.max_subcommands(program, kept):
                break
            kept.append(word)
        found.update((part, None) for word in kept for part in (word.lower(), *word.lower().split(":")) if part)
    return list(found)

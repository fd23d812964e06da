"""Actions of a command: the sub-commands that say what a program does (`publish` for `pnpm -r publish`), and the task that a runner runs."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import forms, programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SERVE = "serve"
_BY_HAND = {
    **{action: action for action in str.split("commit push merge deploy publish release migrate")},
    **dict.fromkeys(str.split("dev serve start runserver server http-server live-server"), SERVE),
}
"""{action of a command: the action in words of people}"""
_SERVERS = frozenset(("http.server", "http-server", "live-server", "vite", "uvicorn", "flask run", "rails s", "rails server", "php -S"))
_GIT_ONLY = frozenset(("commit", "push"))


def by_hand(form: str) -> list[str]:
    """Return the actions of a command that people say they do by hand (`text.prompts.deeds`): `commit`, `push`, `deploy`, `serve` for a server."""
    if form in _SERVERS:
        return [SERVE]
    found = [_BY_HAND[action] for action in of_forms((form,)) if action in _BY_HAND]
    return [action for action in found if action not in _GIT_ONLY or form.startswith("git ")]


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

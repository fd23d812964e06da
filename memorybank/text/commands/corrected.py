"""Tells whether a command that worked is a failed one in another form: with an option, a variable or a program in front that it lacked."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import forms, programs, shell
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_LONGEST_WORD = 80
"""Characters. Longer words, and those with spaces, are texts and queries, which differ each time."""
_LEAST_SHARE = 1 / 3
"""Minimum share of the words of the failed command that the other one has too."""
_BEFORE_TEXT = frozenset(str.split("-m --message --title --body -c -e --command --eval"))
_CHECKS = lazy_pattern(r"tests?(?::\w+)*|e2e|spec|(?:py|vi|j)?test|jest|nextest|rspec|phpunit|mocha|ctest|tox|nox|cypress|playwright|unittest|check|verify")
"""Words of commands that check something. With other targets they check something else, which corrects nothing."""
_SAVING = ("add", "stage", "commit")
"""What git saves. With other files it saves something else, which corrects nothing either."""
_BYPASSES = lazy_pattern(
    r"sudo|doas|-f|--?(?:force|no-(?:verify|gpg-sign|check|sign|audit|strict|validate)|skip|ignore|allow|dangerously|disable|unsafe|insecure|legacy)\b.*"
    r"|(?:\w{0,80}_)?(?:SKIP|NO|DISABLE|IGNORE|HUSKY|FORCE)(?:_\w*)?=.*"
)
"""Words that get a command past a check."""


def corrects(worked: str, failed: str) -> bool:
    """Return whether a command that worked does what a failed one should have done."""
    parts = forms.parts_with_variables(failed)
    if not parts:
        return False
    form, given, said = parts[-1]
    inner = forms.inner(form)
    called = programs.name(said[inner != form])
    form = inner
    wanted = set(_lasting(said))
    purpose = set(forms.purpose(form).split()[1:])
    if programs.max_subcommands(called, []):
        purpose.update(form.split()[1:2])
    for part in shell.parts(worked):
        words = _lasting(part.words)
        names = [programs.name(word) for word in words]
        if called not in names or names[0] in programs.VIEWERS or not purpose.issubset(words):
            continue
        added = [place for place, word in enumerate(words) if word not in wanted and word not in given]
        if not added or any(bypasses(words[place]) or words[place] in programs.ASKS_FOR_HELP for place in added):
            continue
        if is_check(wanted) or (called == "git" and not purpose.isdisjoint(_SAVING)):
            begins = names.index(called)
            other = [place for place in added if not _is_target(words[place])]
            is_same = all(word in words or _is_target(word) for word in wanted)
            return is_same and bool(other) and all(place < begins or _is_option(words, place) for place in other)
        return len(wanted.intersection(words)) >= _LEAST_SHARE * len(wanted)
    return False


def bypasses(word: str) -> bool:
    """Return whether a word gets a command past a check. Nobody should learn it from a command that worked."""
    return _BYPASSES.fullmatch(word) is not None


def is_check(words: Collection[str]) -> bool:
    """Return whether the words of a command say that it checks something, as a test runner does."""
    return any(map(_CHECKS.fullmatch, words))


def _lasting(words: list[str]) -> list[str]:
    """Return the words without texts and without options that change only what is shown."""
    texts = {place + 1 for place, word in enumerate(words) if word in _BEFORE_TEXT}
    return [
        word
        for place, word in enumerate(words)
        if place not in texts and word not in programs.DISPLAY_FLAGS and len(word) <= _LONGEST_WORD and not any(map(str.isspace, word))
    ]


def _is_target(word: str) -> bool:
    """Return whether a word says what is checked: a path."""
    return not word.startswith("-") and "=" not in word and ("/" in word or "." in word)


def _is_option(words: list[str], place: int) -> bool:
    return words[place].startswith("-") or (place > 0 and words[place - 1].startswith("-"))

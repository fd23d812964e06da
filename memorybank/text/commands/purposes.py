"""Tells whether a command that worked serves the purpose of a failed one with another program: `make test` after `pytest tests/api`.

What a command does is said by the words of its form and by the name of the script that it runs. Programs that do one thing are named after it here.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import corrected, forms
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_DOES: dict[str, str] = {
    program: done
    for done, programs in {
        "lint": "linter linting eslint ruff flake8 pylint golangci rubocop biome clippy stylelint shellcheck oxlint",
        "format": "fmt formatter prettier black gofmt rustfmt",
        "typecheck": "types tsc mypy pyright",
    }.items()
    for program in programs.split()
}
"""Programs and words that say the same as the word for what they do. Programs that test say so in their names (`corrected.is_check`)."""
_TESTS = "test"
_CHECKS_ANYTHING = frozenset(("check", "verify"))
_SAYS_NOTHING = frozenset(
    str.split("""run exec compose tool dlx script scripts bin src tools cli app main index sh py js ts rb mjs cmd all new init help version get set list show
    add remove rm install i update upgrade sync lock pull push fetch clone commit checkout merge rebase log status diff build""")
)
"""Words that say where or how something is done, or that many programs have for purposes of their own: `npm install` does not do what `pip install` should
have done, nor `docker build` what `cargo build` should."""
_CHANGES = frozenset(str.split("fix autofix write update"))
"""Words of commands that change what the same command without them only checks."""
_CHECKING = frozenset((_TESTS, "lint", "format", "typecheck", "check", "verify", "validate", "analyze", "vet", "ci"))
_MAKES = frozenset(("build", "compile"))
"""Words of commands that check, and of those whose failure says as much."""
_WORDS = lazy_pattern(r"[a-z][a-z0-9]*")


def done_instead(worked: str, failed: str) -> str:
    """Return the form of the command that did with another program what a failed one should have done; "" if there is none.

    It must do it to the same things, or to everything: what passes a part of the tests does not replace what runs all of them.
    """
    asked, done = forms.parts(failed)[-1:], forms.parts(worked)[-1:]
    if not asked or not done:
        return ""
    (form, words), (other, others) = asked[0], done[0]
    if form == other or not names_purpose(form) or not names_purpose(other):
        return ""
    wanted, given = forms.things(form, words), forms.things(other, others)
    is_as_wide = not given or set(given) == set(wanted)
    changes = _CHANGES.intersection(_said(others)).difference(_said(words))
    return other if is_as_wide and not changes and not _done_by(form).isdisjoint(_done_by(other)) else ""


def names_purpose(form: str) -> bool:
    """Return whether a form says what is done, not only what runs it (`python`, `uv run python`)."""
    purpose = forms.purpose(form)
    return not forms.is_interpreter(purpose) and (" " in form or not forms.has_several_purposes(form))


def checks(form: str) -> bool:
    """Return whether a command of a form checks what was made: tests, a linter, types, a build."""
    return names_purpose(form) and not (_CHECKING.isdisjoint(_done_by(form)) and _MAKES.isdisjoint(_said(form.split(" "))))


def _done_by(form: str) -> set[str]:
    """Return the words for what a command of a form does."""
    words = form.split(" ")
    if forms.has_several_purposes(words[0]):
        words = words[1:]
    return {_word_for(word) for word in _said(words) if len(word) > 1 and word not in _SAYS_NOTHING}


def _said(words: Iterable[str]) -> set[str]:
    return {word for part in words for word in _WORDS.findall(part.lower())}


def _word_for(word: str) -> str:
    return _TESTS if corrected.is_check([word]) and word not in _CHECKS_ANYTHING else _DOES.get(word, word)

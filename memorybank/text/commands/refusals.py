"""Options that an output says do not exist: `cat: illegal option -- A`, `error: unexpected argument '-C' found`, `unknown flag: --stat`.

Such a call fails because of its own words, so it fails again on this machine, whatever it is for.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import programs, shell
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORDS = ("option", "argument", "flag", "switch")
"""One of these occurs in every output that refuses an option. Looking for them is much cheaper than the patterns."""
_OPTION = lazy_pattern(
    r"^.{0,80}?\b(?:illegal|invalid|unknown|unrecogni[sz]ed|unexpected|no such) (?:shorthand )?(?:option|argument|flag|switch)s?\b"
    r"[\s:'\"`]{0,4}(?:--? )?['\"`]?(?P<option>--?[A-Za-z][\w-]*|[A-Za-z](?![\w-])).*$",
    "im",
)
_LONGEST = 4_000
_MOST_LETTERS = 4
"""Letters of a word such as `-rnA` that are read as one option each; a longer one is an option with a long name."""
_SUBCOMMAND = lazy_pattern(r"[a-z][a-z0-9:_-]*\Z")


def refused(command: str, output: str) -> tuple[str, str] | None:
    """Return (form, line of the output) of the option that an output refuses: `("cat -A", "cat: illegal option -- A")`; None when it refuses none.

    The form is a program with its sub-commands and the option.
    """
    output = output[:_LONGEST].strip()
    lowered = output.lower()
    found = _OPTION.search(output) if any(word in lowered for word in _WORDS) else None
    if found is None:
        return None
    wanted = found["option"] if found["option"].startswith("-") else f"-{found['option']}"
    forms = {form for form, option in _options(command) if option == wanted}
    said = found[0].strip().rpartition("/")[2] if found[0].startswith("/") else found[0].strip()
    named = {form for form in forms if said.startswith(f"{form.partition(' ')[0]}:")}
    # Where several parts of a command have the option, nothing shows which of them refused it.
    return ((named or forms).pop(), found[0].strip()) if len(named or forms) == 1 else None


def forms_of(command: str) -> list[str]:
    """Return each part of a command with each of its options, as `refused` names them."""
    return list(dict.fromkeys(form for form, _ in _options(command)))


def _options(command: str) -> Iterator[tuple[str, str]]:
    """Yield (form, option) for each option of each part of a command."""
    for words in _parts(command):
        program, subcommands = programs.name(words[0]), list[str]()
        for word in words[1:]:
            if len(subcommands) == programs.max_subcommands(program, subcommands) or not _SUBCOMMAND.match(word):
                break
            subcommands.append(word)
        for option in (option for word in words[1:] for option in _read(word)):
            yield " ".join((program, *subcommands, option)), option


def _read(word: str) -> Sequence[str]:
    """Return the options in a word: `-o` and `-P` of `-oP`, `--color` of `--color=never`."""
    name = word.partition("=")[0]
    if not name.startswith("-") or not name.strip("-"):
        return ()
    letters = name[1:]
    is_cluster = not letters.startswith("-") and 1 < len(letters) <= _MOST_LETTERS and letters.isalpha()
    return (name, *(f"-{letter}" for letter in letters)) if is_cluster else (name,)


def _parts(command: str) -> Iterator[list[str]]:
    for part in shell.parts(command):
        words = programs.without_shell_keywords(part.words)
        if words and words[0] not in programs.PREPARATION:
            yield words

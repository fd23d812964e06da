"""The exact command behind a form (`forms`): its words as they ran, and what several commands of one form have in common.

It is kept as lines: the folder in which it runs, if it is changed to; the variables that are set for it (`NAME=value`, or `NAME=…` where the value is
secret or differs); then a word each, of which the last is `OPEN` where the commands differ from there on. "" is a command of which nothing is known.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import forms, programs
from memorybank.text.pattern import lazy_pattern
from memorybank.text.secrets.mark import MARK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Lines = Sequence[str]

OPEN = "…"
_LONGEST = 90
"""Characters of a command that is shown entirely."""
_LONGEST_VALUE = 40
"""Characters of the value of a variable. Longer ones are not told."""
MACHINE = lazy_pattern(r"(?:^|[\s'\"`=(:])(?:~|/\w+|[A-Za-z]:\\)")
"""Matches a path of this machine, which nothing that is derived from the log contains."""
_FOLDER = lazy_pattern(r"cd (?![.]+(?:/| &&))(?=\w|\.)[\w@%+=:,./-]+ && (?!cd )")
"""Matches the change to a folder of the repository at the beginning of a command."""
_TO_FOLDER = "cd "
"""Beginning of the line of a folder: no word of a command contains a space there."""
_PLAIN = lazy_pattern(r"[\w@%+=:,./-]+", "a")


def by_form(command: str) -> dict[str, str]:
    """Return {form of a part of a command: its words, after the folder in which the command runs}, in order; of parts with one form what they have in
    common."""
    found: dict[str, str] = {}
    moved = _FOLDER.match(command)
    for form, assigned, words in forms.parts_with_variables(command):
        ran = f"{moved[0].rstrip()}\n{of_words(words, assigned)}" if moved else of_words(words, assigned)
        found[form] = common((found.get(form, ran), ran))
    return found


def of_words(words: Sequence[str], assigned: Sequence[str] = ()) -> str:
    """Return the words of a command, as far as they say the same in every shell (no variable, which is a control character here) and on every machine.

    assigned: the variables that are set for it (`NAME=value`).
    """
    kept = list(map(_told, assigned))
    for word in words:
        if not word or not _may_be_told(word):
            return "\n".join([*kept, OPEN])
        kept.append(word)
    return "\n".join(kept)


def _may_be_told(word: str) -> bool:
    return not any(sign < " " for sign in word) and MARK not in word and not MACHINE.search(word)


def _told(assigned: str) -> str:
    """Return an assignment without its value if that is secret, or says something only in this shell or on this machine."""
    from memorybank.text.secrets.assignments import is_secret_name  # late: few commands set a variable

    name, _, value = assigned.partition("=")
    is_told = _may_be_told(value) and len(value) <= _LONGEST_VALUE and "`" not in value and not is_secret_name(name)
    return assigned if is_told else f"{name}={OPEN}"


def common(commands: Iterable[str]) -> str:
    """Return what commands have in common: the variables that all of them set, and the words with which they begin, each as `of_words` returns it. The order
    does not matter."""
    distinct = sorted(set(commands))
    if len(distinct) <= 1:
        return "".join(distinct)
    folders, variables, words = zip(*map(_split, distinct), strict=True)
    if any(folder != folders[0] for folder in folders):
        return "\n".join([*_common_variables(variables), OPEN])
    in_order = sorted(words)
    kept = list(in_order[0])
    if in_order[0] != in_order[-1]:
        kept = []
        for one, other in zip(in_order[0], in_order[-1], strict=False):  # what the first and the last in their order have in common, all have
            if one != other or one == OPEN:
                break
            kept.append(one)
        kept.append(OPEN)
    return "\n".join([*folders[0], *_common_variables(variables), *kept])


def _split(command: str) -> tuple[Lines, Lines, Lines]:
    """Return (folder, at most one; variables; words) of a command."""
    lines = command.split("\n")
    start = int(lines[0].startswith(_TO_FOLDER))
    end = start
    while end < len(lines) and programs.is_assignment(lines[end]):
        end += 1
    return lines[:start], lines[start:end], lines[end:]


def _common_variables(variables: Sequence[Lines]) -> list[str]:
    """Return the variables that all commands set, with the value that all give them."""
    names = [name for name in map(_name, variables[0]) if all(name in map(_name, each) for each in variables[1:])]
    every = {name: {one for each in variables for one in each if _name(one) == name} for name in sorted(names)}
    return [values.pop() if len(values) == 1 else f"{name}={OPEN}" for name, values in every.items()]


def _name(assigned: str) -> str:
    return assigned.partition("=")[0]


def variables(command: str) -> list[str]:
    """Return the variables that are set for a command, as they are shown."""
    return list(_split(command)[1])


def names(command: str) -> list[str]:
    """Return the names of the variables that are set for a command, as `NAME=…`."""
    return sorted(set(map(_without_value, variables(command))))


def lacking(failed: str, worked: str) -> list[str]:
    """Return the names (`NAME=…`) of the variables that are set for a command that worked and not for one that failed."""
    return sorted(set(names(worked)).difference(names(failed)))


def added(failed: str, worked: str) -> list[str]:
    """Return the words that a command has in addition to all of one that failed, in their order; [] when it lacks one of these, or one of them is open."""
    (folder, _, said), (other, _, done) = _split(failed), _split(worked)
    if folder != other or OPEN in said or OPEN in done:
        return []
    wanted = iter([*said, None])
    next_one = next(wanted)
    found = []
    for word in done:
        if word == next_one:
            next_one = next(wanted)
        else:
            found.append(word)
    return found if next_one is None else []


def has_words_of(command: str, form: str, remedy: str) -> bool:
    """Return whether a command of a form has the words that a remedy adds to it: an option (`form --option`), or any word (`form …`)."""
    lacking = remedy.removeprefix(f"{form} ")
    words = _split(command)[2]
    if lacking == OPEN:
        return OPEN not in words and len(words) > len(form.split(" "))
    return lacking != remedy and lacking in words


def with_variables(form: str, named: Iterable[str]) -> str:
    """Return the form of a command with the names of variables (`NAME=…`) in front."""
    return " ".join([*named, form])


def forms_with_variables(command: str) -> list[str]:
    """Return the forms of a command, and those with the variables that are set for them."""
    return [one for form, ran in by_form(command).items() for one in dict.fromkeys((form, with_variables(form, names(ran))))]


def shown(command: str, form: str, longest: int = _LONGEST) -> str:
    """Return a command as an agent can run it, with `…` where its words differed; its form with the folder and the variables if that says as much, or the
    command is too long. A form may end in `…` where other words followed each time."""
    if form.endswith(f" {OPEN}"):
        bare = form.removesuffix(f" {OPEN}")
        told = shown(command, bare, longest)
        return told if told != bare else form
    folder, assigned, words = _split(command)
    is_open = words[-1:] == [OPEN]
    words = words[:-1] if is_open else words
    form = form.removeprefix(with_variables("", map(_without_value, assigned)))
    by_form = "".join(f"{one} " for one in folder) + shown_by_form(command, form)
    if len(words) <= len(form.split(" ")):
        return by_form
    written = " ".join(map(_quoted, words)) + f" {OPEN}" * is_open
    return by_form.removesuffix(form) + written if len(written) <= longest and "`" not in written else by_form


def shown_by_form(command: str, form: str) -> str:
    """Return the form of a command with the variables that are set for it, as an agent can run it."""
    return with_variables(form, map(_quoted_value, variables(command)))


def _without_value(assigned: str) -> str:
    return f"{_name(assigned)}={OPEN}"


def _quoted_value(assigned: str) -> str:
    name, _, value = assigned.partition("=")
    return assigned if value in ("", OPEN) else f"{name}={_quoted(value)}"


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    return f"'{word}'" if "'" not in word else '"' + "".join(f"\\{sign}" if sign in '"\\$`' else sign for sign in word) + '"'

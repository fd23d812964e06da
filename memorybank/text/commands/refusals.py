"""Words of a command that an output says do not exist here: an option (`cat: illegal option -- A`, `unknown flag: --stat`), a program (`bash: jq: command
not found`), or what the shell does not understand (`&&` in Windows PowerShell).

Such a call fails because of its own words, so it fails again on this machine, whatever it is for.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import exact, forms, programs, shell
from memorybank.text.pattern import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WORDS = ("option", "argument", "flag", "switch")
"""One of these occurs in every output that refuses an option. Looking for them is much cheaper than the patterns."""
_SAYS_SO = (
    "command not found",
    ": not found",
    "' is not ",
    "' は、",
    "parameter name '",
    "パラメーター名 '",
    "コマンドが見つかりません",
    "mdlet",
    "applet",
    "&&",
    "||",
)
"""The same for a line that `_MISSING` matches."""
_OPTION = lazy_pattern(
    r"^.{0,80}?\b(?:illegal|invalid|unknown|unrecogni[sz]ed|unexpected|no such) (?:shorthand )?(?:option|argument|flag|switch)s?\b"
    r"[\s:'\"`]{0,4}(?:--? )?['\"`]?(?P<option>--?[A-Za-z][\w-]*|[A-Za-z](?![\w-])).*$",
    "im",
)
_MISSING = lazy_pattern(
    r"^(?P<named>[^\s':]{1,40}) ?: (?:The term|用語) '(?P=named)' (?:is not |は、)"
    r"|^(?:\| *)?(?:The (?:term|token)|用語|トークン) '(?P<word>[^']{1,40})' (?:is not |は、)"
    r"|^(?:[^\s':]{1,40} ?: )?(?:A parameter cannot be found that matches parameter name|パラメーター名) '(?P<letters>\w{1,40})'"
    r"|^'(?P<inner>[^']{1,40})' (?:is not recognized|は、内部コマンド)|^(?:(?:zsh|\(eval\))(?::\d{1,9})?: )?command not found: (?P<last>[\w.+-]{1,40})$"
    r"|^(?:(?:[^\s:]{1,80}|(?:[a-z]:)?[\\/][^:]{1,80}[\\/](?:ba|z|da|k)?sh(?:\.exe)?): (?:(?:line|行) )?(?:\d{1,9}: )?)?"
    r"(?P<first>[\w.+-]{1,40}): (?:(?:command )?not found|コマンドが見つかりません)$"
    r"|^(?P<own>[^\s'\":]{1,40}) ?: [^'\"«„“\n]{0,40}['\"«„“] ?(?P=own) ?['\"»“”].{1,80}?(?:cmdlet|applet)"
    r"|^[^'\"«„“`+\n]{1,40}['\"«„“] ?(?P<sign>&&|\|\|) ?['\"»“”] ",
    "i",
)
"""Matches how the shells of Windows and Unix name a word that they do not know, from the beginning of the line: behind a file and its line, or a step of a log,
it is quoted. PowerShell breaks its lines anywhere, so the rest is not read. It speaks the language of its user, but calls its commands cmdlets in each."""
_PARSED = lazy_pattern(r"(?:Exit code \d+\s+)?(?:At \S|発生場所 |ParserError|The token |トークン |\S{1,12} \S[^\n]{0,200}: ?\d+ ?[^\s\d:]{0,12} ?: ?\d+\s+\+ )")
"""Matches the output of a shell that did not understand a command: as nothing ran, it says nothing else first."""
_LONGEST = 4_000
_MOST_LETTERS = 4
"""Letters of a word such as `-rnA` that are read as one option each; a longer one is an option with a long name."""
_SUBCOMMAND = lazy_pattern(r"[a-z][a-z0-9:_-]*\Z")
_CMDLET = lazy_pattern(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z]+\Z")
_SHOWS = lazy_pattern(
    r"(?:Compare|Convert(?:From|To)|Find|ForEach|Format|Get|Group|Join|Measure|Resolve|Search|Select|Show|Sort|Split|Tee|Test|Where|Write)-[A-Z]\w+"
)
_OPERATORS = ("&&", "||")
_ANY = " …"
"""Follows the name of a program in the form that stands for every call of it."""


def refused(command: str, output: str, *, failed: bool = True, whole: str = "") -> tuple[str, str] | None:
    """Return (form, line of the output) of the word that an output refuses: `("cat -A", "cat: illegal option -- A")`; None when it refuses none.

    The form is a program with its sub-commands and the option, a program with `…` in place of its words, or an operator of the shell (`&&`).
    failed: whether the call failed. The shell understood the words of one that did not, so its output quotes such an error.
    whole: what was printed, if `output` is only the error in it.
    """
    output = output[:_LONGEST].strip()
    if failed and any(sign in output for sign in _SAYS_SO) and (of_shell := _of_shell(command, output, whole.lstrip() or output)) is not None:
        return of_shell
    lowered = output.lower()
    found = _OPTION.search(output) if any(word in lowered for word in _WORDS) else None
    if found is None:
        return None
    wanted = found["option"] if found["option"].startswith("-") else f"-{found['option']}"
    every = {form for form, option in _options(_called(shell.parts(command))) if option == wanted}
    said = found[0].strip().rpartition("/")[2] if found[0].startswith("/") else found[0].strip()
    named = {form for form in every if said.startswith(f"{form.partition(' ')[0]}:")}
    # Where several parts of a command have the option, nothing shows which of them refused it.
    return ((named or every).pop(), found[0].strip()) if len(named or every) == 1 else None


def operators_of(command: str) -> list[str]:
    """Return the operators of a command that some shells do not know."""
    signs = {part.before for part in shell.parts(command)}
    return [sign for sign in _OPERATORS if sign in signs]


def forms_of(command: str) -> list[str]:
    """Return what `refused` may name of a command: each part with each of its options, its programs, and its operators."""
    called = _called(shell.parts(command))
    names = (f"{programs.name(words[0])}{_ANY}" for words in called)
    return list(dict.fromkeys((*(form for form, _ in _options(called)), *names, *operators_of(command))))


def word_refused(command: str, output: str) -> str | None:
    """Return the word that an output refuses, of a command or of a script that it runs: `grep`, `&&`, `-A`; None when it refuses none."""
    unknown = next(_unknown(output), None)
    if unknown is None:
        found = refused(command, output)
        return found and found[0].rpartition(" ")[2]
    return f"-{unknown[0]}" if unknown[1] else unknown[0]


def program_of(form: str) -> str:
    """Return the program of a form that stands for every call of it; "" for another form."""
    return form.removesuffix(_ANY) if form.endswith(_ANY) else ""


def is_word(form: str) -> bool:
    """Return whether a form names a program with any words, or an operator."""
    return form.endswith(_ANY) or form in _OPERATORS


def instead(form: str, failed: str, worked: str) -> str:
    """Return what stands in a command that worked for the refused word of the one before it: `;` for `&&`, `Select-String` for `grep`; "" if nothing shows it.

    Only a cmdlet that shows something stands for a program, and only for a viewer. It gets an argument of the refused call, or stands in its place in the same
    pipe. Nothing stands for an option: another one of the same program may do anything.
    """
    before, after = shell.parts(failed), shell.parts(worked)
    words, others = ([programs.without_shell_keywords(part.words) for part in parts] for parts in (before, after))
    if form in _OPERATORS:
        signs = {now.before for was, now in zip(before, after, strict=False) if was.before == form}
        return ";" if words == others and signs == {";"} else ""
    program = program_of(form)
    places = [place for place, called in enumerate(words) if called and programs.name(called[0]) == program]
    if len(places) != 1 or program not in programs.VIEWERS:
        return ""
    place = places[0]
    is_piped = any(part.before == "|" for part in before[place : place + 2])
    is_same = len(words) > 1 and words[:place] == others[:place] and words[place + 1 :] == others[place + 1 :]
    found = others[place : place + 1] if is_same and is_piped else [part for part in others if part and _CMDLET.match(part[0])]
    if len(found) != 1 or not found[0] or not (is_same or len(words) == 1) or not _SHOWS.fullmatch(found[0][0]):
        return ""
    says_what = (is_same and is_piped) or bool(_arguments(words[place]))
    return _with_options(found[0]) if says_what and _shares(words[place], found[0]) else ""


def _shares(one: list[str], other: list[str]) -> bool:
    """Return whether two calls have an argument in common; of one without any, whether the other has only its numbers (`head -5`)."""
    wanted, given = _arguments(one), _arguments(other)
    return not wanted.isdisjoint(given) if wanted else given <= {word[1:] for word in one[1:] if word[1:].isdecimal()}


def _arguments(words: list[str]) -> set[str]:
    return {word for word in words[1:] if not word.startswith("-")}


def _with_options(words: list[str]) -> str:
    """Return the name of a program with the options that follow it at once; "" if it names a place of this machine, or what only the running shell knows."""
    end = next((place for place, word in enumerate(words[1:], 1) if not word.startswith("-")), len(words))
    told = " ".join(words[:end])
    return "" if exact.MACHINE.search(told) or told[1:2] == ":" or shell.UNKNOWN in told else told


def _of_shell(command: str, output: str, whole: str) -> tuple[str, str] | None:
    """Return (form, line of the output) of the first word of a command that its shell does not know.

    A program that gives a part of the command its form is none: what works instead of that form is learned (`uv run pytest` for `pytest`).
    """
    of_command, own = forms_of(command), {form.partition(" ")[0] for form in forms.of_command(command)}
    for word, is_option, line in _unknown(output):
        if word in _OPERATORS and not _PARSED.match(whole):
            continue
        wanted = [form for form in of_command if (form.endswith(f" -{word}") if is_option else form in (word, f"{word}{_ANY}"))]
        if len(wanted) == 1 and program_of(wanted[0]) not in own:
            return wanted[0], line
    return None


def _unknown(output: str) -> Iterator[tuple[str, bool, str]]:
    """Yield (word, whether it is an option without its sign, line) of the words that an output says a shell does not know."""
    for line in output[:_LONGEST].split("\n"):
        found = _MISSING.search(line.strip()) if any(sign in line for sign in _SAYS_SO) else None
        if found is not None:
            yield next(filter(None, found.groups())), found["letters"] is not None, line.strip()


def _options(called: Iterable[list[str]]) -> Iterator[tuple[str, str]]:
    """Yield (form, option) for each option of each call, which is given by its words."""
    for words in called:
        program, subcommands = programs.name(words[0]), list[str]()
        for word in words[1:]:
            most = 2 if programs.may_nest(program) else programs.max_subcommands(program, subcommands)
            if len(subcommands) == most or not _SUBCOMMAND.match(word):
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


def _called(parts: Iterable[shell.SimpleCommand]) -> list[list[str]]:
    """Return the words of the parts of a command that do more than prepare the others."""
    every = (programs.without_shell_keywords(part.words) for part in parts)
    return [words for words in every if words and words[0] not in programs.PREPARATION]

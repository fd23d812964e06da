"""Classify the words of one simple command: program, sub-commands, flag names, paths, and whether there are other values and numbers."""

from __future__ import annotations

__light__ = True

from memorybank.text.commands import paths, programs
from memorybank.text.commands.shell import UNKNOWN
from memorybank.text.secrets.redact import MARK

_MOST_PATHS = 6
_LONGEST_FLAG = 40
_LONG_NUMBER = 8
"""Minimum digits of a number in a path that differs from file to file (`20260211203856_add.sql`)."""
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz")
_SUBCOMMAND = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-.:")
_TARGET_BEGIN = _LETTERS | frozenset(":")
_TARGET = _SUBCOMMAND | frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""Targets are names that their project chose: `assembleDebug`, `:app:lintRelease`."""
_NUMBER = frozenset("0123456789.,:-+/%xXeEkKmMgGtTbBsdhnuµ")
_HEX = frozenset("0123456789abcdefABCDEF-")
_SHOWS_SETTINGS, _CHANGES_SETTING = ("--get", "--list", "-l"), ("--unset", "--edit", "-e", "--add", "--re")
"""Options with which `git config` shows settings, and changes them."""
_NAME_ALONE = 2
"""Number of words, `config` among them and without options, with which it shows one setting: `git config user.name`."""
_PATH, _NUMERIC, _VALUE = "path", "number", "value"


class ClassifiedArguments:
    """The classified words of a simple command.

    program, subcommands: names, such as `git` and [`push`]
    flags: their names without values
    files: recorded paths in order (a dict used as an ordered set)
    values, numbers: whether there are other arguments of that kind
    """

    __slots__ = ("_after_flag", "_folder", "_given", "_pattern", "_plain", "_root", "files", "flags", "numbers", "program", "subcommands", "values")

    def __init__(self, words: list[str], root: str, folder: str) -> None:
        self._root = root
        self._folder = folder
        program = programs.name(words[0])
        if "/" in program:
            program = paths.relative(program, root, folder=folder) or program.rpartition("/")[2]
        self.program = program
        self.subcommands: list[str] = []
        self.flags: set[str] = set()
        self.files: dict[str, None] = {}
        self.values = self.numbers = False
        self._pattern = program in programs.PATTERN_PROGRAMS
        self._plain = self._after_flag = False
        self._given = 0
        self._read(words)

    def text(self) -> str:
        """Return the fingerprint: flags in alphabetical order, `_` for values, `#` for numbers."""
        pieces = [self.program, *self.subcommands, *sorted(self.flags), *(paths.without_long_numbers(path, _LONG_NUMBER) for path in self.files)]
        return " ".join([*pieces, *(["_"] if self.values else []), *(["#"] if self.numbers else [])])

    @property
    def edits_in_place(self) -> bool:
        """Whether a viewer such as `sed` edits the files that it is given."""
        return self.program in programs.EDITORS and any(flag.startswith(("-i", "--in-place")) for flag in self.flags)

    @property
    def is_viewer(self) -> bool:
        """Whether the command only shows, filters or formats."""
        return self.program in programs.VIEWERS and not self.edits_in_place

    @property
    def is_read_only(self) -> bool:
        """Whether the command changes nothing."""
        is_bare = not (self.files or self.values or self.numbers)
        return self.is_viewer or self._asks_setting or programs.is_read_only_call(self.program, self.subcommands, self.flags, is_bare)

    @property
    def _asks_setting(self) -> bool:
        """Whether `git config` only shows settings: `git config user.name`, `git config --list`."""
        if self.program != "git" or self.subcommands[:1] != ["config"] or any(flag.startswith(_CHANGES_SETTING) for flag in self.flags):
            return False
        return self._given == _NAME_ALONE or any(flag.startswith(_SHOWS_SETTINGS) for flag in self.flags)

    def _read(self, words: list[str]) -> None:
        index = 1
        while index < len(words):
            word = words[index]
            index += 1
            if word.startswith("-") and len(word) > 1 and UNKNOWN not in word.partition("=")[0]:
                if word != "--" and self._flag(word, words[index] if index < len(words) else ""):
                    index += 1
            elif not self._is_toolchain(word):
                self._argument(word)
                self._after_flag = False

    def _is_toolchain(self, word: str) -> bool:
        """Return whether `word` selects a toolchain, as in `cargo +nightly test`."""
        return word.startswith("+") and self.program in ("cargo", "rustc", "rustup") and not self.subcommands

    def _argument(self, word: str) -> None:
        self._given += 1
        # Sub-commands end at the first other argument. A word right after a flag is probably the flag's value, so it is no sub-command either.
        if self._pattern:
            self._pattern = False
            self.values = True
        elif not self._plain and not self._after_flag and _is_subcommand(self.program, self.subcommands, word):
            self.subcommands.append(word)
        elif self.program in ("find", "fd") and self.flags:
            self.values = True
        else:
            kind = _kind(self.program, self.subcommands, word)
            self._plain = self._plain or kind != _NUMERIC
            self._add(word, kind)

    def _flag(self, word: str, following: str) -> bool:
        """Record a flag. Return True when the following word is its value."""
        flag, equals, value = word.partition("=")
        if not equals and programs.takes_value(self.program, self.subcommands, flag):
            return True
        if flag[1:].isdecimal():  # `head -20`
            self.numbers = True
            return False
        name = _flag_name(self.program, flag)
        self._after_flag = not equals and name == flag and flag not in programs.DISPLAY_FLAGS and self.program not in programs.TARGET_PROGRAMS
        if flag not in programs.DISPLAY_FLAGS:
            self.flags.add(name)
        if equals:
            self._add(value, _kind("", [], value))
            return False
        if flag in programs.PATTERN_FLAGS:
            self._pattern = False
        if flag in programs.FLAGS_WITH_VALUE and following and not following.startswith("-") and self.program not in programs.TARGET_PROGRAMS:
            self._after_flag = False
            numeric = _kind("", [], following) == _NUMERIC
            self.numbers, self.values = self.numbers or numeric, self.values or not numeric
            return True
        return False

    def _add(self, word: str, kind: str) -> None:
        path = paths.relative(paths.without_line(word), self._root, folder=self._folder) if kind == _PATH else ""
        if path and (path in self.files or len(self.files) < _MOST_PATHS):
            self.files[path] = None
        elif kind == _NUMERIC:
            self.numbers = True
        else:
            self.values = True


def _flag_name(program: str, flag: str) -> str:
    """Return a flag without a value glued to it (`-j8`, `-pPASSWORD`): such a value may be secret and differs between calls."""
    if flag.startswith("--"):
        end = 2
        while end < len(flag) and (flag[end].isalnum() or flag[end] in "-_."):
            end += 1
        return flag[:end][:_LONGEST_FLAG]
    end = 1
    while end < len(flag) and flag[end].isalpha():
        end += 1
    letters = flag[1:end]
    word = len(letters) <= 4 or (letters.islower() and len(letters) <= 12)
    return flag[:end] if word and program not in programs.GLUED_PASSWORD_PROGRAMS else flag[:2]


def _is_subcommand(program: str, found: list[str], word: str) -> bool:
    """Return whether `word` says what to do rather than what to do it with."""
    begin, signs = (_TARGET_BEGIN, _TARGET) if program in programs.TARGET_PROGRAMS else (_LETTERS, _SUBCOMMAND)
    if len(found) >= programs.max_subcommands(program, found) or not word or len(word) > 32 or word[0] not in begin:
        return False
    return all(sign in signs for sign in word) and not paths.has_file_name(word)


def _kind(program: str, subcommands: list[str], word: str) -> str:
    """Return the kind of an argument: `path`, `number` or `value`."""
    if UNKNOWN in word or MARK in word or not word or word[0] == "+" or word == "-" or any(sign in word for sign in " \t\n"):
        return _VALUE
    if _is_number(word):
        return _NUMERIC
    if programs.names_packages(program, subcommands) and not word.startswith(("./", "../", "/")):
        return _PATH if word.endswith((".txt", ".toml", ".json", ".whl", ".tgz", ".lock")) else _VALUE
    if paths.looks_like_path(paths.without_line(word)):
        return _PATH
    plain = word in (".", "..") or not any(sign in word for sign in ":@=(){}$^|\\,")
    if plain and programs.names_paths(program, subcommands):
        return _PATH
    return _PATH if plain and "/" in word and program not in programs.REF_PROGRAMS and word.strip("/.") else _VALUE


def _is_number(word: str) -> bool:
    """Return whether a word is a number, a size, a duration, a date or a hash."""
    if word[0].isdecimal() and all(sign in _NUMBER for sign in word):
        return True
    return len(word) >= 7 and all(sign in _HEX for sign in word) and any(sign.isdecimal() for sign in word)

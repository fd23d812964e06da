"""A parser that splits a shell command into its parts: quotes, substitutions, here-documents, redirections.

It covers only as much of the language as a fingerprint needs (POSIX 2.2, 2.7, 2.9) and never raises: an unterminated construct extends
to the end of the text. `shlex` supports neither operators inside substitutions nor here-documents, and imports `re`.
"""

from __future__ import annotations

__light__ = True

from memorybank.values import Value

UNKNOWN = "\0"
"""Represents in a word what only the running shell knows: `$NAME`, `$(…)`."""
_LONGEST = 20_000
_OPERATORS = ("&&", "||", ";;", "|&", ";", "|", "&", "\n", "(", ")")
_PLAIN_ENDS = frozenset(" \t\n\\'\"`$;&|<>()")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


class SimpleCommand(Value, frozen=False):
    """One simple command.

    before: the operator before it (`&&` `||` `;` `|` or "")
    words: its words without quotes
    targets: files that its output is written to
    """

    before: str
    words: list[str]
    targets: list[str]


def parts(command: str) -> list[SimpleCommand]:
    """Return the simple commands of `command` in order, without those that have neither words nor targets."""
    return [part for part in _Reader(command[:_LONGEST]).read() if part.words or part.targets]


class _Reader:
    __slots__ = ("at", "delimiters", "found", "text")

    def __init__(self, text: str) -> None:
        self.text = text.replace("\\\n", " ").replace("\0", "")
        self.at = 0
        self.found = [SimpleCommand("", [], [])]
        self.delimiters: list[str] = []

    def read(self) -> list[SimpleCommand]:
        text = self.text
        while self.at < len(text):
            sign = text[self.at]
            if sign in " \t\r":
                self.at += 1
            elif sign == "#":
                self.at = _line_end(text, self.at)
            elif self._redirects():
                self._redirection()
            elif sign in ";&|\n()":
                self._operator()
            else:
                self.found[-1].words.append(self._word())
        return self.found

    def _operator(self) -> None:
        operator = next(sign for sign in _OPERATORS if self.text.startswith(sign, self.at))
        self.at += len(operator)
        if operator == "\n" and self.delimiters:
            # The contents of here-documents start after the line that announces them. They are input and contain no commands.
            for delimiter in self.delimiters:
                self.at = _after_document(self.text, self.at, delimiter)
            self.delimiters = []
        if operator == "(" and not (self.found[-1].words or self.found[-1].targets):
            return  # in `a && (b; c)` the operator before the parenthesis is the one before b
        self.found.append(SimpleCommand({"&&": "&&", "||": "||", "|": "|", "|&": "|"}.get(operator, ";"), [], []))

    def _redirects(self) -> bool:
        """Return whether a redirection (`>`, `2>`, `&>`, `<` …) starts here."""
        at = self.at
        if self.text[at] == "&":
            return self.text.startswith("&>", at)
        while at < len(self.text) and self.text[at].isdecimal():
            at += 1
        return at < len(self.text) and self.text[at] in "<>" and not self.text.startswith(("<(", ">("), at)

    def _redirection(self) -> None:
        text = self.text
        while text[self.at] not in "<>":
            self.at += 1
        start = self.at
        while self.at < len(text) and text[self.at] in "<>&|-":
            self.at += 1
        sign = text[start : self.at]
        while self.at < len(text) and text[self.at] in " \t":
            self.at += 1
        target = self._word() if self.at < len(text) and text[self.at] not in ";&|\n()" else ""
        if sign.startswith("<<") and not sign.startswith("<<<"):
            self.delimiters.append(target)
        elif sign.startswith(">") and "&" not in sign and target and not target.startswith("/dev/"):
            self.found[-1].targets.append(target)

    def _word(self) -> str:
        """Read the word that starts here, without quotes and with UNKNOWN for substitutions. At least one character is consumed."""
        text, pieces = self.text, []
        while self.at < len(text):
            sign = text[self.at]
            if sign == "'":
                end = text.find("'", self.at + 1)
                end = len(text) if end < 0 else end
                pieces.append(text[self.at + 1 : end])
                self.at = end + 1
            elif sign == '"':
                end = _after_quotes(text, self.at + 1)
                pieces.append(_unquoted(text[self.at + 1 : end - 1]))
                self.at = end
            elif sign == "\\":
                pieces.append(text[self.at + 1 : self.at + 2])
                self.at += 2
            elif sign in "$`" or text.startswith(("<(", ">("), self.at):
                end = _after_expansion(text, self.at)
                pieces.append(UNKNOWN if end > self.at + 1 else sign)
                self.at = end
            elif sign in _PLAIN_ENDS:
                break
            else:
                end = self.at + 1
                while end < len(text) and text[end] not in _PLAIN_ENDS:
                    end += 1
                pieces.append(text[self.at : end])
                self.at = end
        return "".join(pieces)


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _after_document(text: str, at: int, delimiter: str) -> int:
    """Return the offset after the line that ends a here-document whose first line starts at `at`."""
    found = text.find(delimiter, at) if delimiter else -1
    while found >= 0:
        start, end = text.rfind("\n", 0, found) + 1, _line_end(text, found)
        if text[start:end].strip() == delimiter:
            return end + 1
        found = text.find(delimiter, end)
    return len(text)


def _after_quotes(text: str, at: int) -> int:
    """Return the offset after the `"` that ends a string which starts at `at`."""
    while at < len(text):
        sign = text[at]
        if sign == '"':
            return at + 1
        if sign == "\\":
            at += 2
        elif sign == "`" or text.startswith("$(", at):
            at = _after_expansion(text, at)
        else:
            at += 1
    return len(text) + 1


def _after_expansion(text: str, at: int) -> int:
    """Return the offset after `$NAME`, `${…}`, `$(…)`, `` `…` `` or `<(…)`; one character further if there is no expansion."""
    if text[at] == "`":
        end = text.find("`", at + 1)
        return end + 1 if end >= 0 else len(text)
    follows = text[at + 1 : at + 2]
    if follows == "(":
        return _after_parenthesis(text, at + 2)
    if follows == "{":
        end = text.find("}", at)
        return end + 1 if end >= 0 else len(text)
    if follows and follows in "?!@*#$-":
        return at + 2
    end = at + 1
    while end < len(text) and text[end] in _NAME:
        end += 1
    return end


def _after_parenthesis(text: str, at: int) -> int:
    """Return the offset after the `)` that matches a `(` before `at`; one in quotes or here-documents does not count."""
    depth = 1
    delimiter = ""
    while at < len(text):
        sign = text[at]
        if sign == "'":
            end = text.find("'", at + 1)
            at = end if end >= 0 else len(text)
        elif sign == '"':
            at = _after_quotes(text, at + 1) - 1
        elif sign == "\\":
            at += 1
        elif sign == "\n" and delimiter:
            at = _after_document(text, at + 1, delimiter) - 1
            delimiter = ""
            # A here-document inside a substitution: its announcement is parsed here, its contents are skipped at the line end.
        elif text.startswith("<<", at) and not text.startswith("<<<", at):
            reader = _Reader(text[at : _line_end(text, at)])
            reader._redirection()
            delimiter = reader.delimiters[0] if reader.delimiters else ""
            at += reader.at - 1
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
            if not depth:
                return at + 1
        at += 1
    return len(text)


def _unquoted(text: str) -> str:
    """Return the contents of a double-quoted string, with UNKNOWN for expansions."""
    if "$" not in text and "\\" not in text and "`" not in text:
        return text
    pieces, at = [], 0
    while at < len(text):
        sign = text[at]
        if sign == "\\" and text[at + 1 : at + 2] in ('"', "\\", "$", "`"):
            pieces.append(text[at + 1])
            at += 2
        elif sign in "$`":
            end = _after_expansion(text, at)
            pieces.append(UNKNOWN if end > at + 1 else sign)
            at = end
        else:
            pieces.append(sign)
            at += 1
    return "".join(pieces)

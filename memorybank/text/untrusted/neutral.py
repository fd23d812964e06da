"""Neutralise stored text before an agent reads it: nothing in it can end the fence, speak as a role, or hide from a reader.

Covered are the control tokens and role markers of chat templates (ChatML, Llama, Human/Assistant turns), the tags that the hosts of
coding agents use themselves, and Unicode's invisible and direction-changing characters (UTR 36, Trojan Source).
"""

from __future__ import annotations

__light__ = True

from memorybank.text.untrusted.fence import NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ROLES = frozenset(("human", "user", "assistant", "system", "developer", "model", "ユーザー", "人間", "アシスタント", "システム", "開発者"))
_TAGS = frozenset(
    (
        *_ROLES, "instruction", "instructions", "important", "invoke", "parameter", "parameters", "function", "functions", "tool", "tools", "thinking", "think",
        "antthinking", "sys", "inst", "s", "bos", "eos", "eot-id", "endoftext", "begin-of-text", "end-of-text", "start-of-turn", "end-of-turn",
        "start-header-id", "end-header-id", "additional-context", "context",
    )
)  # fmt: skip
_TAG_BEGINNINGS = ("system-", "memorybank", "hook", "antml", "im-", "local-command", "command-", "user-", "human-", "assistant-", "task-notification",
                   "function-", "tool-", "developer-")  # fmt: skip
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"
"""Letters that show nothing."""
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Variation selectors: characters that only change the appearance of the preceding one."""
_PECULIAR = _SELECTORS.union(_BLANK_LETTERS)
"""Characters that are printable although a reader does not see them."""
_REPLACED = {"Zs": " ", "Cs": "\ufffd"}
"""Replacements by Unicode category: unusual spaces and lone surrogates. Other unprintable characters are removed."""
_LONGEST_ROLE = 25
"""Maximum number of characters up to and including the colon after a role."""
_SEQUENCE = r"(?:\x9b|\x1b\[)[^@-~\n]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\n\x9c]*[\x07\x9c]?|\x1b[^\n]?"
"""Terminal control sequences (ECMA-48): CSI up to its final byte, OSC and other strings up to BEL or ST, two-character escapes. A sequence ends
at the end of its line, so that a forged one cannot swallow the rest of the text."""
_LINE_ENDS = {"\r\n": "\n", "\r": "\n", "\v": "\n", "\f": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}


def neutralise(text: str) -> str:
    """Return the text without anything that could end the fence, speak as a role, or hide from a reader.

    Terminal sequences, controls, zero-width and direction characters are removed. The opening bracket of our own tags and of tags
    that resemble a role or a host's becomes `‹`, a role at the beginning of a line is put in parentheses, and the fence's name
    loses its hyphen.
    """
    text = _visible(text)
    if "<" in text or "＜" in text or "[" in text:
        text = _without_tags(text)
    if ":" in text or "：" in text:
        text = "\n".join(map(_without_role, text.split("\n")))
    return _without_name(text)


def _visible(text: str) -> str:
    if "\x1b" in text or "\x9b" in text:
        import re

        text = re.sub(_SEQUENCE, "", text)
    if text.replace("\n", "").replace("\t", "").replace("\u3000", "").isprintable() and (text.isascii() or _PECULIAR.isdisjoint(text)):
        return text
    for end, newline in _LINE_ENDS.items():
        text = text.replace(end, newline)
    return "".join(_signs(text))


def _signs(text: str) -> Iterator[str]:
    """Yield every visible character, with U+FFFD for a lone surrogate. Only one variation selector may follow a character, because
    sequences of them can carry hidden text."""
    from unicodedata import category

    varied = False
    for sign in text:
        selector = sign in _SELECTORS
        if selector:
            if not varied:
                yield sign
        elif (sign.isprintable() and sign not in _BLANK_LETTERS) or sign in "\n\t\u3000":
            yield sign
        else:
            yield _REPLACED.get(category(sign), "") if not _is_unassigned_letter(sign) else sign
        varied = selector


def _is_unassigned_letter(sign: str) -> bool:
    """Return whether a character may be newer than this Python's Unicode tables (an emoji, a rare kanji): the result must not depend on their version."""
    return ("\U0001f000" <= sign < "\U0001fb00" or "\U00020000" <= sign < "\U00033480") and ord(sign) & 0xFFFE != 0xFFFE


def _without_tags(text: str) -> str:
    pieces: list[str] = []
    begin = 0
    for at in _brackets(text):
        name = _tag_name(text, at + 1)
        if name == "inst" if text[at] == "[" else _is_marker(name):
            pieces += (text[begin:at], "(" if text[at] == "[" else "‹")
            begin = at + 1
    return "".join((*pieces, text[begin:])) if pieces else text


def _brackets(text: str) -> list[int]:
    """Return the offsets of the brackets that could start a tag, in order."""
    found: list[int] = []
    for sign in "<＜[":
        at = text.find(sign)
        while at >= 0:
            found.append(at)
            at = text.find(sign, at + 1)
    found.sort()
    return found


def _tag_name(text: str, at: int) -> str:
    """Return the normalised name of the tag whose bracket is before `at`: spaces, `/` and `|` before it skipped, `_` as `-`."""
    size = len(text)
    limit = min(size, at + 64)
    while at < limit and text[at] in " \t\n/／|!?":
        at += 1
    begin = at
    while at < limit and (text[at].isalnum() or text[at] in "-_:."):
        at += 1
    name = text[begin:at]
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFKC", name)
    return name.lower().replace("_", "-")


def _is_marker(name: str) -> bool:
    return name in _TAGS or name.startswith(_TAG_BEGINNINGS)


def _without_role(line: str) -> str:
    """Turn `Human: do this` into `(Human): do this`. List items (`- User: prefers tabs`) are not turns and stay."""
    narrow, wide = line.find(":", 0, _LONGEST_ROLE), line.find("：", 0, _LONGEST_ROLE)
    cut = wide if narrow < 0 or 0 <= wide < narrow else narrow
    if cut <= 0:
        return line
    head = line[:cut]
    name = head.strip(" \t\u3000#*>_=")
    if name.lower() not in _ROLES:
        return line
    begin = head.index(name)
    return f"{line[:begin]}({name}){line[begin + len(name) :]}"


def _without_name(text: str) -> str:
    if NAME not in text.lower() and (text.isascii() or not any(sign in text for sign in _WIDE_NAME)):
        return text
    at = _fold(text).find(NAME)
    while at >= 0:
        hyphen = at + NAME.index("-")
        text = f"{text[:hyphen]} {text[hyphen + 1 :]}"
        at = _fold(text).find(NAME)
    return text


def _fold(text: str) -> str:
    """Return the text in lower case and half width, character by character, so that offsets stay the same."""
    return text.lower() if text.isascii() else text.translate(_FOLDED)


_FOLDED = {wide: chr(wide - 0xFEE0).lower() for wide in range(ord("！"), ord("～") + 1)} | {code: chr(code + 32) for code in range(65, 91)}
_WIDE_NAME = tuple(chr(wide) for wide, narrow in _FOLDED.items() if wide > 127 and narrow in NAME)
"""The full-width characters of the fence's name. Only a text that contains one of them has to be folded before the search for the name."""

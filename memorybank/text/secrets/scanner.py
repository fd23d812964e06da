"""The scanner that applies the tables of `formats` and `places`, and also finds private keys and cookies, which no pattern describes.

A pattern is compiled only when one of its keywords occurs in a text, so an ordinary text does not pay for it. The fixed
cost is one table look-up per byte, a search for long words, and a search for each keyword within these few words. All functions work on
UTF-8 bytes.
"""

from __future__ import annotations

__light__ = True

from memorybank.text.pattern import compiled
from memorybank.text.secrets.formats import ENTROPY, KEYWORDS, LEAD, NAME, PATTERN, TOKENS
from memorybank.text.secrets.long_words import BEFORE, LONG, MANY_RUNS, beginnings, long_runs, unknown_keys, without_blobs
from memorybank.text.secrets.places import ADDRESSES, COMMANDS, PARTS, PRIVATE_KEY
from memorybank.text.secrets.values import (
    ALNUM,
    DIGITS,
    HEX,
    JUDGED,
    LONGEST,
    PLAIN_WORDS,
    WORD,
    end_of_run,
    is_mixed,
    is_reference,
    is_varied,
    positions,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from memorybank.text.secrets.formats import Rule
    from memorybank.text.secrets.values import Found


_BASE64 = ALNUM + b"+/="
_SHORT = 16_384
"""Maximum size in bytes of a text that may be a command line."""
_TAIL = 20
"""Number of characters at the end of a token that are random; those before may say what it is."""
_HEADER = "header"
UNKNOWN = "secret_key"
"""The rule of keys that only look like one."""
_VISIBLE_UNQUOTED = bytes(range(32, 127)).translate(None, b"\"'`")
_hints: list[tuple[str, bytes, Rule]] = []
"""(end of the keyword that is searched in the long words, keyword, its rule). Empty until the first text with a long word: most hooks see none."""
_commands_by_other: dict[str, list[tuple[str, Rule]]] = {}
"""{another text that must occur, or "": (keyword, its rule)}. Few texts contain an option such as ` -p`, so its keywords are rarely searched."""
_patterns: dict[str, re.Pattern[bytes]] = {}


def find(data: bytes, lowered: bytes, folded: bytes, runs: list[tuple[int, int]]) -> list[Found]:
    """Return every secret that a rule of the table matches, every private key and cookie, in no order; two rules may find the same span.
    lowered: `data.lower()`; folded: `values.fold(lowered)`; runs: `long_runs(data)`"""
    found: list[Found] = [(at, end, UNKNOWN) for at, end in unknown_keys(data, runs)]
    # So many long words are probably encoded data, which would be slow to search.
    if len(runs) > MANY_RUNS and len(runs) * LONG * 8 > len(data):
        data = without_blobs(data)
        runs = long_runs(data)
    words = beginnings(data, runs)
    if words:
        beginning = _as_text(words)
        for hint, keyword, rule in _all_hints():
            if hint in beginning and _may_hold_token(words, keyword, rule):
                found += _tokens(data, keyword, rule)
    if b"@" in data or b"hook" in lowered:
        for rule in ADDRESSES if b"://" in data else ():
            found += _addresses(data, rule)
    if b"cookie" in folded:
        found += _cookies(data, lowered)
    if b"privatekey" in folded:
        found += _private_keys(data)
    if len(data) <= _SHORT:
        for rule in dict.fromkeys(_rules_of_commands(lowered)):
            found += _commands(data, rule)
    return found


def may_hold(data: bytes, lowered: bytes, runs: list[tuple[int, int]]) -> bool:
    """Return whether `find` could find anything in `data`, complete lines with less than `MANY_RUNS` long words. Does its first checks alone."""
    words = beginnings(data, runs)
    beginning = _as_text(words)
    hinted = ((keyword, rule) for hint, keyword, rule in (_all_hints() if words else ()) if hint in beginning)
    return (
        b"PRIVATE" in data
        or b"cookie" in lowered
        or any(_begins_word(data, keyword, rule) and _may_hold_token(words, keyword, rule) for keyword, rule in hinted)
        or next(unknown_keys(data, runs), None) is not None
        or b"://" in data
        or next(_rules_of_commands(lowered), None) is not None
    )


def _rules_of_commands(lowered: bytes) -> Iterator[Rule]:
    """Yield the rule of each keyword that occurs in a text."""
    if not _commands_by_other:
        alone = _commands_by_other[""] = []
        for rule in COMMANDS:
            for keyword in rule[KEYWORDS]:
                if "&" not in keyword:
                    alone.append((keyword, rule))
                    continue
                keyword, _, other = keyword.partition("&")
                if other in _commands_by_other:
                    _commands_by_other[other].append((keyword, rule))
                else:
                    _commands_by_other[other] = [(keyword, rule)]
    text = _as_text(lowered)
    for other, keywords in _commands_by_other.items():
        if other in text:
            for keyword, rule in keywords:
                if keyword in text:
                    yield rule


def _all_hints() -> list[tuple[str, bytes, Rule]]:
    if not _hints:
        _hints.extend([(keyword[-BEFORE:], keyword.encode(), rule) for rule in TOKENS for keyword in rule[KEYWORDS]])
    return _hints


def _as_text(data: bytes) -> str:
    """Return bytes as a text with one character for each: `in` takes a third of the time there, because for bytes it first tries to read a number."""
    return data.decode("latin-1")


def is_at_word_start(data: bytes, at: int) -> bool:
    """Return whether no word continues into `at`. The letter of an escape (`\\n`, `%3D`, `\\u003d`, a colour's `m`) does not count as a word."""
    if not at or data[at - 1] not in WORD:
        return True
    before = data[max(0, at - 8) : at]
    return (
        (before[-2:-1] == b"\\" and before[-1] in b"nrtbfv0")
        or (before[-3:-2] == b"%" and not before[-2:].lower().strip(HEX))
        or (before[-6:-4] == b"\\u" and not before[-4:].lower().strip(HEX))
        or (before[-1:] == b"m" and before[:-1].rstrip(DIGITS + b";").endswith(b"["))
    )


def _begins_word(data: bytes, keyword: bytes, rule: Rule) -> bool:
    """Return whether a match of `rule` may begin at one of the places of `keyword`, as `_tokens` asks first."""
    return any(not rule[PATTERN].startswith("\\b") or is_at_word_start(data, at - rule[LEAD]) for at in positions(data, keyword))


def _may_hold_token(words: bytes, keyword: bytes, rule: Rule) -> bool:
    """Return whether a match of `rule` may begin at `keyword`, if the end of that is in one of `words`; checked before the search of the complete text."""
    if len(keyword) > BEFORE or rule[LEAD] > 0 or not rule[PATTERN].startswith("\\b"):
        return True
    return any(is_at_word_start(words, at) for at in positions(words, keyword))


def _pattern(text: str, ignore_case: bool) -> re.Pattern[bytes]:
    """Return the compiled pattern of a rule, compiling it on first use."""
    found = _patterns.get(text)
    if found is None:
        found = _patterns[text] = compiled(_source(text, ignore_case))
    return found


def _source(text: str, ignore_case: bool) -> bytes:
    for sign, part in PARTS if "«" in text else ():
        text = text.replace(sign, part)
    return (f"(?i){text}" if ignore_case else text).encode()


def rules() -> list[str]:
    """Return the rule names of the tables."""
    return [*(rule[NAME] for rule in (*TOKENS, *ADDRESSES, *COMMANDS)), PRIVATE_KEY]


def every_pattern() -> list[bytes]:
    """Return what `_pattern` may compile, for the hooks' file of compiled patterns."""
    tokens = [_source(rule[PATTERN].removeprefix("\\b"), False) for rule in TOKENS]
    return tokens + [_source(rule[PATTERN], True) for rule in (*ADDRESSES, *COMMANDS)]


def _tokens(data: bytes, keyword: bytes, rule: Rule) -> Iterator[Found]:
    """Yield the tokens at each occurrence of `keyword`. A match within an earlier match is skipped: it adds nothing."""
    name, _, lead, pattern, entropy, _ = rule
    stands_alone = pattern.startswith("\\b")
    past = 0
    for at in positions(data, keyword):
        start = at - lead
        if start < past or (stands_alone and not is_at_word_start(data, start)):
            continue
        match = _pattern(pattern.removeprefix("\\b"), False).match(data, start)
        if match is not None:
            begin, past = match.span(match.lastindex or 0)
            end = begin + len(data[begin:past].rstrip(b".-%"))
            # The keyword is the same in every token, so randomness is judged without it.
            body = max(data[begin:at], data[max(begin, at + len(keyword)) : end], key=len)
            if is_varied(body[-_TAIL:]) if entropy is None else is_mixed(body) and _entropy(body) >= entropy:
                yield begin, end, name


def _addresses(data: bytes, rule: Rule) -> Iterator[Found]:
    pattern = _pattern(rule[PATTERN], True)
    past = 0
    for at in positions(data, b"://"):
        match = pattern.match(data, at) if at >= past else None
        if match is not None:
            past = match.end()
            yield from _judged(match, rule)


def _commands(data: bytes, rule: Rule) -> Iterator[Found]:
    for match in _pattern(rule[PATTERN], True).finditer(data):
        yield from _judged(match, rule)


def _judged(match: re.Match[bytes], rule: Rule) -> Iterator[Found]:
    """Yield the secret of a match, unless it is a variable, a placeholder or a plain word."""
    start, _ = match.span(match.lastindex or 0)
    value = match[match.lastindex or 0].rstrip(b".,;:")
    entropy = rule[ENTROPY]
    if entropy is not None and not (is_mixed(value) and _entropy(value) >= entropy):
        return
    if len(value) >= 3 and len(set(value[-_TAIL:])) > 2 and not is_reference(value) and value.lower() not in PLAIN_WORDS:
        yield start, start + len(value), rule[NAME]


def _entropy(body: bytes) -> float:
    """Return the Shannon entropy in bits per byte."""
    from math import log2

    size = len(body)
    return -sum(count / size * log2(count / size) for count in map(body.count, set(body)))


def _cookies(data: bytes, lowered: bytes) -> Iterator[Found]:
    """Yield `Cookie: name=value; …` and `Set-Cookie:` (RFC 6265) whose values can open a session: 16 characters that look random."""
    past = 0
    for at in positions(lowered, b"cookie"):
        if at < past:
            continue
        start = end_of_run(data, at + 6, b"\\\"':= \t", 8)
        end = end_of_run(data, start, _VISIBLE_UNQUOTED, LONGEST)
        past = end - JUDGED  # later names in this run were judged as part of it
        if any(map(_opens_a_session, data[start:end].split(b";"))):
            yield start, end, _HEADER


def _opens_a_session(pair: bytes) -> bool:
    _, _, value = pair.partition(b"=")
    return len(value) >= 16 and is_mixed(value)


def _private_keys(data: bytes) -> Iterator[Found]:
    """Yield the keys from BEGIN to END inclusive (RFC 7468, PGP blocks). If one of the two is missing, the key extends as far as the base64 does."""
    past = closing = 0
    for at in positions(data, b"PRIVATE"):
        line = data[max(0, at - 40) : at]
        begin, end = line.rfind(b"-----BEGIN"), line.rfind(b"-----END")
        if at < past or max(begin, end) < 0:
            continue
        if begin > end:
            start = max(0, at - 40) + begin
            body = _end_of_line(data, at)
            closing = data.find(b"-----END", body) if 0 <= closing < body else closing
            past = _end_of_key(data, body, closing)
        else:
            start = max(past, max(0, at - 40) + end)
            start -= _base64_before(data[past:start])
            past = _end_of_line(data, at)
        if past - start > 60:
            yield start, past, PRIVATE_KEY


def _end_of_line(data: bytes, at: int) -> int:
    """Return the offset after the dashes that end the `PRIVATE KEY` line."""
    dashes = data.find(b"-----", at, at + 45)
    return end_of_run(data, dashes, b"-") if dashes >= 0 else at + len(b"PRIVATE")


def _end_of_key(data: bytes, body: int, closing: int) -> int:
    """Return the end of a key. body: start of its lines; closing: offset of the next `-----END`, -1 without one."""
    if closing >= 0 and data.find(b"-----BEGIN", body, closing) < 0:
        private = data.find(b"PRIVATE", closing, closing + 47)
        return _end_of_line(data, private if private >= 0 else closing)
    return end_of_run(data, body, _BASE64 + b" \t\r\n\\\"'-:,")


def _base64_before(data: bytes) -> int:
    """Return the number of bytes at the end of `data` that can be lines of a key."""
    kept = data.rstrip(_BASE64 + b" \t\r\n\\")
    line = data.find(b"\n", max(0, len(kept) - 1))
    return len(data) - (line + 1 if line >= 0 else len(kept))

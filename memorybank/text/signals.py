"""What a person's prompt says about the work before it and for the work to come: corrections, preferences, "remember".

Told by how a sentence begins (English), or by words in it and the request that it ends with (Japanese); precise rather than
many, because a preference is kept for good and a correction counts against the turn it answers. Questions, quotations, code
and what a host wrote are no signals (cycle design, RECORD, user signals). Ticket keys of prompts are read here too.

Light imports only: hooks load this file.
"""

from __future__ import annotations

from memorybank.text import signal_words as words

CORRECTION, PREFERENCE, REMEMBER = "correction", "preference", "remember"
_MOST_SENTENCES = 5
_LONGEST_TEXT = 20_000
_LONGEST_SENTENCE = 400
_SHORT = 24
_LONGEST_CORRECTION = 80
_HOSTS_OWN = ("<task-notification>", "<command-", "<local-command", "<system-reminder>", "caveat:", "this session is being continued", "[request interrupted")
_ENDS = ".!?。！？"
_CLOSERS = "\"'`”’」』)）】] \t*_"
_ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "cf", "mr", "dr")
_SIGNS = dict.fromkeys(map(ord, ',.!?;:"`*()[]“”–—'), " ")
_DASH = " - "


class Signal:
    """kind: `correction`, `preference`, `remember` or None; value: -1 for the turn that the prompt answers (a correction), +1 for
    the prompt itself (preference, remember), 0 without a signal; sentences: those that carry it, as written, at most five."""

    __slots__ = ("kind", "sentences", "value")

    def __init__(self, kind: str | None, value: int, sentences: list[str]) -> None:
        self.kind = kind
        self.value = value
        self.sentences = sentences

    def __repr__(self) -> str:
        return f"Signal({self.kind!r}, {self.value}, {self.sentences!r})"


def signal(prompt: str) -> Signal:
    """What the prompt of a person says. A correction outweighs "remember", that a preference; the sentences of all are kept.

    A short correction (`No.`, 違います。) takes the next sentence with it, which says what is wanted.
    """
    carried: dict[str, None] = {}
    kinds: set[str] = set()
    if not prompt.lstrip().lower().startswith(_HOSTS_OWN):
        sentences = _sentences(prompt)
        for number, sentence in enumerate(sentences):
            kind = _kind(sentence, sentences[number + 1] if number + 1 < len(sentences) else "", first=number == 0)
            if kind is not None and len(carried) < _MOST_SENTENCES:
                kinds.add(kind)
                carried[sentence] = None
                if kind == CORRECTION and len(sentence) <= _SHORT:
                    carried.update(dict.fromkeys(sentences[number + 1 : number + 2]))
    for kind, value in ((CORRECTION, -1), (REMEMBER, 1), (PREFERENCE, 1)):
        if kind in kinds:
            return Signal(kind, value, list(carried)[:_MOST_SENTENCES])
    return Signal(None, 0, [])


def _sentences(prompt: str) -> list[str]:
    """The sentences of the prose: without code blocks, quotations and lines of markup."""
    found: list[str] = []
    fenced = False
    for line in prompt[:_LONGEST_TEXT].replace("’", "'").split("\n"):
        line = line.strip()
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced and line and not line.startswith((">", "|", "<", "+", "#!", "$ ", "at ", "File ")):
            found += _cut(line.lstrip("-*•・#0123456789.) \t") if line[0] in "-*•・#0123456789" else line)
    return [sentence for sentence in found if 1 < len(sentence) <= _LONGEST_SENTENCE]


def _cut(line: str) -> list[str]:
    found = []
    start = 0
    for index, sign in enumerate(line):
        if sign in _ENDS and (sign in "。！？" or index + 1 == len(line) or line[index + 1] in _CLOSERS):
            if sign == "." and line[start:index].lower().endswith(_ABBREVIATIONS):
                continue
            found.append(line[start : index + 1].strip())
            start = index + 1
    found.append(line[start:].strip())
    return [sentence for sentence in found if sentence]


def _kind(sentence: str, following: str, *, first: bool) -> str | None:
    if any("\u3041" <= sign <= "\u30ff" for sign in sentence):
        return _japanese(sentence)
    return _english(sentence, following, first)


def _plain(sentence: str) -> str:
    """Lower case without signs, one blank between words and one behind the last."""
    return " ".join(sentence.lower().replace(_DASH, " ").translate(_SIGNS).split()) + " "


def _english(sentence: str, following: str, first: bool) -> str | None:
    lowered = _plain(sentence)
    plain = _without(lowered, words.FILLERS, repeated=True)
    question = sentence.endswith("?")
    if _is_correction(lowered, plain, _plain(following), first, question):
        return CORRECTION
    asked = _without(_without(plain, words.OBLIGATIONS), words.FILLERS, repeated=True)
    if question:
        return PREFERENCE if asked != plain and _is_rule(asked) else None
    if asked.startswith(words.REMEMBERED) and (len(asked.split()) > 2 or following):
        return REMEMBER
    if _is_rule(asked) or (plain.startswith(words.PREFERENCES) and _is_rule_of_we(plain)):
        return PREFERENCE
    lasting = _without(plain, words.LASTING_STARTS)
    if lasting != plain and _orders(_without(lasting, words.OBLIGATIONS)):
        return PREFERENCE
    return PREFERENCE if plain.rstrip().endswith(words.LASTING_ENDS) and _orders(asked) else None


def _is_correction(lowered: str, plain: str, following: str, first: bool, question: bool) -> bool:
    if lowered.startswith(words.NO) and not question:
        rest = _without(_without(lowered, words.NO), words.FILLERS, repeated=True)
        if not rest.strip():
            return first and following.startswith(words.NO_GOES_ON) and not following.startswith(words.NO_IS_FINE)
        return (rest.startswith(words.NO_GOES_ON) or _is_rule(rest)) and not rest.startswith(words.NO_IS_FINE)
    if lowered in words.ALONE:
        return first or bool(following.strip())
    if plain.startswith(words.WRONG):
        return not question or plain.startswith(("why did you ", "why would you "))
    return (
        first and not question and plain.startswith(words.DIRECTIONS) and (plain.endswith(" instead ") or " instead of " in plain or " rather than " in plain)
    )


def _is_rule(asked: str) -> bool:
    """`always use …`, `never commit …`: a verb in its plain form follows (not `always fails`, `never mind`)."""
    if not asked.startswith(("always ", "never ")):
        return False
    following = asked.split(None, 2)[1:]
    if len(following) < 2:
        return False
    verb = following[0]
    return verb not in words.NOT_VERBS and not verb.endswith(("ed", "ing")) and (not verb.endswith("s") or verb in words.VERBS_ON_S)


def _is_rule_of_we(plain: str) -> bool:
    return not plain.startswith(("we always ", "we never ")) or _is_rule(plain[3:])


def _orders(asked: str) -> bool:
    """Whether a sentence orders something: it begins with no word that begins a statement."""
    found = asked.split()
    return len(found) > 2 and found[0] not in words.STATEMENTS


def _without(text: str, beginnings: tuple[str, ...], *, repeated: bool = False) -> str:
    """`text` without one of `beginnings`, the longest; without all that follow each other when `repeated`."""
    while True:
        fitting = max((beginning for beginning in beginnings if text.startswith(beginning)), key=len, default="")
        if not fitting or (repeated and len(text) == len(fitting)):
            return text
        text = text[len(fitting) :]
        if not repeated:
            return text


def _japanese(sentence: str) -> str | None:
    plain = sentence.strip(" 　。！!.、…「」\"'`")
    if plain.endswith(("?", "？", "か", "かな", "かね", "の？")):
        return None
    plain = plain.rstrip("ねよなー〜～")
    asks = plain.endswith(words.REQUESTS)
    if any(word in sentence for word in words.JAPANESE_REMEMBER):
        return REMEMBER
    if len(sentence) <= _LONGEST_CORRECTION and (
        plain.startswith(words.JAPANESE_WRONG_STARTS) or plain.endswith(words.JAPANESE_TOLD) or any(word in plain for word in words.JAPANESE_WRONG)
    ):
        return CORRECTION
    if (asks or _is_japanese_rule(plain)) and any(word in plain and word + "の" not in plain for word in words.JAPANESE_LASTING):
        return PREFERENCE
    if asks and any(word in plain for word in words.JAPANESE_INSTEAD):
        return CORRECTION
    return PREFERENCE if any(word in plain for word in words.JAPANESE_TASTE) else None


def _is_japanese_rule(plain: str) -> bool:
    """`いつも…を使う`, `必ず…すること`: a rule in its plain form; with `が` somebody or something does it, and it is told of them."""
    return "が" not in plain and plain.replace(" ", "").removesuffix("こと").endswith(words.JAPANESE_RULES)


def task_key(prompt: str, patterns: tuple[str, ...] | list[str]) -> str | None:
    """The first ticket key in the prompt, as written. patterns: words in which `#` stands for digits (`ABC-#`), `##` for a `#`
    and digits; never a regular expression, because a bank may bring them. A key stands alone: no letter or digit beside it."""
    best: tuple[int, str] | None = None
    for pattern in patterns[:50]:
        if 2 <= len(pattern) <= 64 and (pattern.strip("#") or pattern == "##"):
            found = _first_match(prompt, pattern)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
    return best[1] if best else None


def _first_match(prompt: str, pattern: str) -> tuple[int, str] | None:
    head = pattern.partition("#")[0] or ("#" if pattern.startswith("##") else "")
    at = prompt.find(head)
    while 0 <= at < len(prompt):
        end = _match(prompt, at, pattern)
        if end > at and not _touches(prompt, at - 1) and not _touches(prompt, end):
            return at, prompt[at:end]
        at = prompt.find(head, at + 1)
    return None


def _match(prompt: str, at: int, pattern: str) -> int:
    """The end of a match that begins at `at`, -1 without one."""
    index = 0
    while index < len(pattern):
        literal = pattern[index] != "#" or pattern[index : index + 2] == "##"
        if literal and prompt[at : at + 1] != pattern[index]:
            return -1
        if literal:
            at += 1
        if pattern[index] == "#":
            start = at
            while at < len(prompt) and "0" <= prompt[at] <= "9":
                at += 1
            if at == start:
                return -1
            index += literal
        index += 1
    return at


def _touches(prompt: str, at: int) -> bool:
    return 0 <= at < len(prompt) and prompt[at].isascii() and (prompt[at].isalnum() or prompt[at] == "_")

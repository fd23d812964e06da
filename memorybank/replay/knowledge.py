"""Statements of people and agents that repeat what another session had said before: rules, findings, reasons. Needs no labels.

- A *rule* is wanted before a person's sentence that orders or corrects, when sentences typed in earlier sessions did so with the same
  words: one sentence with `ENOUGH` of them, or several with two. A lasting rule and a recurring request cannot be distinguished.
- A *finding* is wanted before the closing message of a turn, when an earlier session's closing message had the same rare words
  (in at most `RARE` sessions) and nothing said before in this session, by the person or the agent, had them.
- A *reason* is wanted before a sentence that says why, in a closing message or a commit message, by the same rare words.

These are repetitions, not proof of what would have helped. Some are due to chance, so a share means something only compared with the
random arm's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memorybank.cycle.event import PROMPT, TOOL_BEFORE, TURN_END, Event
from memorybank.replay.text_targets import ENOUGH, SHARE, TextMatch, TextTarget, words_of

RULE, FINDING, REASON = "rule", "finding", "reason"
RARE = 3
"""A word in more sessions than this does not identify one subject."""
_FEW = 0.15
"""A rule contains a word that occurs in at most this share of the sessions in which a person typed something."""
_THEME = 2
"""Number of earlier sessions that must have asked for the same in two words; a single one may be chance."""
_LEAST = {RULE: 2, FINDING: ENOUGH, REASON: 2}
"""Minimum number of words that two passages must share."""
_LONGEST_SENTENCE = 300
_SHORT = 8
"""A statement of at most this many words is nearly always an order ("commit and update the changelog")."""
_LONGEST_TYPED = 600
"""Maximum number of characters of a typed prompt. A longer one was pasted."""
_ENDS = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")
_ORDERS = re.compile(
    r"\b(?:always|never|must|should|shouldn't|make sure|ensure|remember|prefer|avoid|instead|rather|everywhere|without|please|"
    r"did you|have you|can you|can we|could you|could we)\b|(?:^|please |that they |you )do(?: not|n'?t) |^no[ ,]|"
    r"ないで|しない|してはいけ|べき|必ず|常に|絶対|禁止|ではなく|じゃなくて|やめて|ください",
    re.IGNORECASE,
)
_PASTED = re.compile(r"^[^\w\"'`「『]|https?://|[{}|<>=;✓⚠]|\w/\w|\w\(|\.\w+:\d|:$")
_WHY = re.compile(
    r"\b(?:because|since|root cause|caused by|due to|instead of|rather than|must not|must never|cannot|can't|reverted?|so that|otherwise|workaround)\b|"
    r"ため|ので|から。|原因|ではなく|代わりに|してはいけ",
    re.IGNORECASE,
)
_MESSAGE = re.compile(r"git\b.*?\bcommit\b.*?-m\s+(?:\"\$\(cat <<'?EOF'?\n(.*?)\n\s*EOF|\"((?:[^\"\\]|\\.)*)\"|'([^']*)')", re.DOTALL)


class _Passage(NamedTuple):
    """A passage that somebody wrote.

    words: the words that say what it is about
    known: words said before in its session
    wants: whether an earlier passage with the same words would have been useful before this one
    """

    session: str
    agent: str
    position: int
    words: frozenset[str]
    known: frozenset[str]
    wants: bool = True


def knowledge(played: Sequence[Event]) -> list[TextTarget]:
    """Return every rule, finding and reason that was wanted and known from an earlier session."""
    found: dict[str, list[_Passage]] = {RULE: [], FINDING: [], REASON: []}
    said: dict[str, frozenset[str]] = {}
    for position, event in enumerate(played):
        session, agent = event.session_id, event.agent_id
        known = said.get(session, frozenset())
        if event.name == PROMPT and event.human and event.prompt:
            if len(event.prompt) <= _LONGEST_TYPED:
                found[RULE] += [
                    _Passage(session, agent, position, words_of(sentence), known, _is_order(sentence))
                    for sentence in sentences(event.prompt)
                    if not _PASTED.search(sentence)
                ]
            said[session] = known | words_of(event.prompt)
        for text in _told(event):
            if event.name == TURN_END:
                found[FINDING].append(_Passage(session, agent, position, words_of(text), known))
            found[REASON] += [_Passage(session, agent, position, words_of(sentence), known) for sentence in sentences(text) if _WHY.search(sentence)]
            said[session] = said.get(session, frozenset()) | words_of(text)
    return [wanted for kind, passages in found.items() for wanted in _said_again(kind, passages)]


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences and lines of a text, without those too long to have been typed."""
    return (sentence.strip() for sentence in _ENDS.split(text) if 1 < len(sentence.strip()) <= _LONGEST_SENTENCE)


def _is_order(sentence: str) -> bool:
    """Return whether a sentence orders something: it contains a word that says so, or it is short and not a question."""
    return bool(_ORDERS.search(sentence)) or (len(sentence.split()) <= _SHORT and not sentence.endswith(("?", "？")))


def _told(event: Event) -> Iterable[str]:
    """Return the agent's reports to people: the last message of a turn, and messages of commits."""
    if event.name == TURN_END and event.last_message:
        return [event.last_message]
    command = event.inputs.get("command") if event.name == TOOL_BEFORE else None
    return ["".join(message.groups("")) for message in _MESSAGE.finditer(command)] if isinstance(command, str) else []


def _said_again(kind: str, passages: Sequence[_Passage]) -> Iterator[TextTarget]:
    """Yield the targets: passages whose words were in an earlier passage of another session, each set of words once per session."""
    spread = Counter(word for _, word in {(passage.session, word) for passage in passages for word in passage.words})
    most = max(RARE, _FEW * len({passage.session for passage in passages})) if kind == RULE else RARE
    common = {word for word, sessions in spread.items() if sessions > most}
    holders: dict[str, list[int]] = {}
    wanted: dict[str, set[str]] = {}
    for number, passage in enumerate(passages):
        asked = passage.words if kind == RULE else passage.words - passage.known - common
        # Each earlier passage gets one vote per shared word, so that no pair of passages has to be compared without a common word.
        votes = Counter(holder for word in asked if passage.wants for holder in holders.get(word, ()) if passages[holder].session != passage.session)
        same = [holder for holder in votes if _says_the_same(kind, asked & passages[holder].words, passage, passages[holder], common)]
        best = max(same, key=lambda holder: (votes[holder], holder), default=None)
        if best is not None and (votes[best] >= ENOUGH or kind != RULE or len({passages[holder].session for holder in same}) >= _THEME):
            shared = asked & passages[best].words
            before = wanted.setdefault(passage.session, set())
            if len(shared - before) >= _LEAST[kind]:
                yield TextTarget(kind, passage.session, passage.agent, passage.position, (TextMatch(shared),))
            before |= shared
        for word in passage.words:
            holders.setdefault(word, []).append(number)


def _says_the_same(kind: str, shared: frozenset[str], one: _Passage, other: _Passage, common: set[str]) -> bool:
    if len(shared) < _LEAST[kind]:
        return False
    return kind != RULE or (len(shared) >= SHARE * min(len(one.words), len(other.words)) and not shared <= common)
